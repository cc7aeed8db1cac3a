"""A minute of command lines that nobody means, always the same; see :mod:`tests.cli.hostile`."""

from tests.cli.hostile import run_many


def test_no_command_line_is_a_failure_of_ours():
    found = run_many(seconds=60, seed=20, lines=400)
    assert not found.bad
    assert found.lines > 20
