"""What is told of several rounds of mus."""

from __future__ import annotations

from musodds.cli.app import run


def told(capsys, *options: str) -> str:
    status = run(["discard", "RR7A", "--seat", "1", "--policy", "kings", "-n", "512", *options])
    out, err = capsys.readouterr()
    assert status == 0, err
    return " ".join(out.split())


def test_what_keeps_differ_in_is_thrown_again(capsys):
    """Who keeps kings alone throws the 7 or the ace of the first round in the second."""
    text = told(capsys, "--rounds", "2")
    assert "Alike: RR7, RRA | R7, RA | 7, A: the same in every deal" in text
    assert "your side takes it at the end, after all rounds that are played" in text
    assert "what you hold after the first draw" in text
    assert "Alike" in told(capsys, "--rounds", "2", "--format", "md")


def test_one_round_has_nothing_to_warn_of(capsys):
    text = told(capsys)
    assert "Alike" not in text
    assert "after the draw (exact)" in text
