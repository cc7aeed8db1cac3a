"""A minute of command lines that nobody means, always the same; see :mod:`tests.cli.hostile`."""

import pytest

from tests.cli.hostile import run_many, unknown_options


# A line that takes too long is stopped by an alarm, which may ring inside a destructor.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_no_command_line_is_a_failure_of_ours():
    found = run_many(seconds=60, seed=20, lines=400)
    assert not found.bad
    assert found.lines > 20


def test_the_grammar_has_values_for_every_option() -> None:
    assert unknown_options() == []
