"""The command line's contract, within the process: messages, options, formats."""

import itertools
import json
import os
import re
from fractions import Fraction
from types import SimpleNamespace

import click
import numpy as np
import pytest

from musodds.cli import app, main
from musodds.cli.commands import COMMANDS
from musodds.cli.parts.output import Report, Table, emit, render


def run(capsys, *arguments):
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ("hand RR7AA", ["'RR7AA'", "5 cards", "RR7A"]),
        ("hand KR7A", ["'K'", "'KR7A'", "R (rey)"]),
        ("hand RJ7A", ["'J'", "S (sota)"]),
        ("hand 7x7c7eSo --game mus-real-suits", ["'7x'", "write 7o 7c 7e 7b"]),
        ("hand SeSeRR --game mus-ten-kings", ["Se is in 'SeSeRR' twice"]),
        ("hand 7c7c7eSo --game mus-real-oros", ["7c is in '7c7c7eSo' twice"]),
        ("hand RR7A --game mus-4567 --next 7654", ["next: 7654"]),
        ("duel 7654 RRRR --game mus-4567", ["7654 is shown and replaced in mus-4567"]),
        ("bet RRSA --seat 1 --phase chica --score 1-1 --offer 99999999999999999999", ["2 to 999"]),
        ("bet RRSA --seat 1 --phase chica --score 1-1 --agreed grande:9999999999999", ["2 to 999"]),
        ("encaje --stones=-5,12,20", ["'-5' is not a number of stones"]),
        ("discard RR7A4 --game encaje3-five-cards --score 1-1", ["--score is of mus"]),
        ("discard RR7A --exact -n 100", ["-n", "--exact", "counted"]),
        ("discard RR7A --exact --score 1-1", ["--score", "--exact", "counted"]),
        ("discard RR7A4 --game encaje3-five-cards --exact --seed 2", ["--seed", "--exact"]),
        ("hand R87A", ["'8'", "no 8"]),
        ("hand R97A", ["'9'", "no 9"]),
        ("hand RX7A", ["'X'", "R C S 7 6 5 4 3 2 A"]),
        ("hand R♥R♥7A", ["'♥'", "suits are o c e b"]),
        ("hand RRRRR", ["'RRRRR'", "5 cards"]),
        ("hand RRRRR --game mus4", ["5 cards R", "only 4"]),
        ("hand 77777", ["5 cards 7", "only 4"]),
        ("hand RRRR --partner RRRRR", ["partner", "5 cards"]),
        ("hand 7776 --partner 77AA", ["5 cards 7", "only 4", "partner"]),
        ("hand RR7A --partner K777", ["'K'", "R (rey)"]),
        ("hand RR7A --game poker", ["'poker'", "games are mus, mus4"]),
        ("hand RR7A --game mus4-rael", ["'mus4-rael'", "did you mean mus4-real?"]),
        ("hand RR7A --seat 0", ["'0'", "1 to 4"]),
        ("hand RR7A --seat last", ["'last'", "postre", "all"]),
        ("hand RR7A --seat 3 --game mus2p", ["'3'", "mus2p", "1 to 2"]),
        ("hand RR7A --seat 1 --seat", ["--seat"]),
        ("hand", ["HAND", "musodds hand --help"]),
        ("hand RR7A --format xml", ["'xml'", "'json'"]),
        ("hand RR7A --fromat json", ["--fromat", "--format"]),
        ("hand RR7A -o .", ["'.'", "directory"]),
        ("--gmae mus", ["--gmae"]),
        ("quite-another-thing", ["'quite-another-thing'", "commands are hand, "]),
    ],
)
def test_bad_input_names_it_and_what_would_be_valid(capsys, arguments, names):
    status, out, errors = run(capsys, *arguments.split())
    assert (status, out) == (2, "")
    assert re.fullmatch(r"musodds: error: .+\n", errors)
    for name in names:
        assert name in errors


@pytest.fixture
def faulty(monkeypatch):
    """A command that fails in the way it is told to."""

    def use(fault):
        @click.command
        def command():
            raise fault

        monkeypatch.setitem(COMMANDS, "faulty", "Fails.")
        monkeypatch.setattr(app, "import_module", lambda name: SimpleNamespace(command=command))

    return use


@pytest.mark.parametrize(
    ("fault", "status", "message"),
    [
        (KeyError("x"), 1, "musodds: error: this should not happen: KeyError: 'x' .*"),
        (MemoryError(), 1, "musodds: error: out of memory"),
        (OSError(5, "Input/output error", "f"), 1, "musodds: error: 'f': input/output error"),
        (ValueError("two\nlines"), 1, "musodds: error: .*two lines.*"),
        (KeyboardInterrupt(), 130, "musodds: interrupted"),
        (click.Abort(), 130, "musodds: interrupted"),
    ],
)
def test_failures_of_ours_are_one_line_too(capsys, monkeypatch, faulty, fault, status, message):
    monkeypatch.setattr(app, "_drop_output", lambda: None)
    monkeypatch.delenv("MUSODDS_DEBUG", raising=False)
    faulty(fault)
    found, out, errors = run(capsys, "faulty")
    assert (found, out) == (status, "")
    assert re.fullmatch(message + "\n", errors)


def test_ctrl_c_within_an_import_is_ctrl_c(capsys, faulty):
    fault = ImportError("numpy did not load")
    fault.__cause__ = KeyboardInterrupt()
    faulty(fault)
    assert run(capsys, "faulty") == (130, "", "musodds: interrupted\n")


def test_debug_shows_where(monkeypatch, faulty):
    monkeypatch.setenv("MUSODDS_DEBUG", "1")
    faulty(KeyError("x"))
    with pytest.raises(KeyError):
        main(["faulty"])


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_examples(capsys, command):
    status, out, _ = run(capsys, command, "--help")
    assert status == 0
    assert "Examples:" in out
    assert f"musodds {command}" in out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize("arguments", [(), ("--help",), ("-h",)])
def test_help_lists_the_commands(capsys, arguments):
    status, out, _ = run(capsys, *arguments)
    assert status == 0
    for name, summary in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(summary[:20])}", out, re.M)
    assert max(map(len, out.splitlines())) <= 80


def test_the_examples_of_the_help_work(capsys):
    """What --help tells people to type does answer."""
    _, out, _ = run(capsys, "hand", "--help")
    examples = re.findall(r"^    musodds (hand [^|\n]+?)(?: \||$)", out, re.M)
    assert len(examples) >= 5
    for example in examples:
        if " -o " not in example:
            assert run(capsys, *example.replace("'", "").split())[0] == 0


@pytest.mark.parametrize(
    ("hand", "game", "plays"),
    [
        ("RRAA", "mus", ["pares   duples of kings and aces, 3 stones", "punto   22"]),
        ("RRRR", "mus", ["grande  1st best of 330", "chica   330th best of 330", "juego   40, 2"]),
        ("777S", "mus", ["pares   medias of 7s, 2 stones", "juego   31, 3 stones"]),
        ("777S", "mus-real", ["juego   juego real, 3 stones"]),
        ("AAAA", "mus4", ["grande  715th best of 715", "chica   1st best of 715"]),
        ("R654", "mus", ["pares   no pares\n", "punto   25"]),
    ],
)
def test_a_hands_plays(capsys, hand, game, plays):
    status, out, _ = run(capsys, "hand", hand, "--game", game, "--seat", "1")
    assert status == 0
    for play in plays:
        assert f"\n  {play}" in out


def test_a_partners_hand_is_named(capsys):
    _, out, _ = run(capsys, "hand", "RR7A", "--partner", "5c5c", "--seat", "2")
    assert out.startswith("RR7A, partner CC55 in mus: exact odds")


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("a.json", "{"),
        ("a.csv", "name,"),
        ("a.md", "| game"),
        ("a.txt", "mus "),
        ("a.tsv", "name\t"),
        ("a.html", "<!doctype html>"),
    ],
)
def test_the_format_follows_the_files_name(tmp_path, capsys, name, start):
    assert run(capsys, "games", "-o", str(tmp_path / name)) == (0, "", "")
    assert (tmp_path / name).read_text().startswith(start)


def test_format_said_is_format_written(tmp_path, capsys):
    target = tmp_path / "games.csv"
    run(capsys, "games", "-o", str(target), "--format", "json")
    assert json.loads(target.read_text())["games"][0]["name"] == "mus"


REPORT = Report(
    head={"n": np.int64(3), "seed": None},
    rows_name="rows",
    rows=[
        {"x": Fraction(1, 3), "ok": True, "name": "seña, una"},
        {"x": np.float64("nan"), "ok": np.bool_(False), "name": None},
    ],
    text=lambda: click.style("three", fg="green"),
    markdown=lambda: "three",
)


def test_json_and_csv_know_every_kind_of_number():
    rows = json.loads(render(REPORT, "json"))
    assert rows == {
        "n": 3,
        "rows": [
            {"x": 1 / 3, "ok": True, "name": "seña, una"},
            {"x": None, "ok": False, "name": None},
        ],
    }
    assert render(REPORT, "csv").splitlines() == [
        "n,x,ok,name",
        '3,0.3333333333333333,True,"seña, una"',
        "3,,False,",
    ]


def test_colour_is_for_terminals(tmp_path, capsys, monkeypatch):
    emit(REPORT, "text")
    assert capsys.readouterr().out == "three\n"
    emit(REPORT, "text", str(tmp_path / "a"))
    assert (tmp_path / "a").read_text() == "three\n"
    monkeypatch.setattr(click.utils, "should_strip_ansi", lambda _, color=None: color is False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    emit(REPORT, "text")
    assert "\x1b[32m" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    emit(REPORT, "text")
    assert capsys.readouterr().out == "three\n"


def test_styled_cells_are_aligned_by_what_is_seen():
    table = Table(("a", "b"), "lr", [(click.style("long", bold=True), "1"), ("x", "22")])
    assert click.unstyle(table.text()) == "a      b\nlong   1\nx     22\n"


def test_completion_offers_commands_games_and_seats(monkeypatch, capsys):
    def complete(words, position):
        for name, value in {
            "_MUSODDS_COMPLETE": "bash_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": str(position),
        }.items():
            monkeypatch.setitem(os.environ, name, value)
        with pytest.raises(SystemExit):
            main([])
        return [line.partition(",")[2] for line in capsys.readouterr().out.split()]

    assert complete("musodds ha", 1) == ["hand"]
    assert "mus-real" in complete("musodds hand --game mus-", 3)
    assert complete("musodds hand --game mus2p --seat ", 5) == ["mano", "postre", "all", "1", "2"]


def test_prose_is_broken_anew_on_a_narrow_terminal(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    _, out, _ = run(capsys, "hand", "RR7A", "--seat", "1")
    legend = out.rstrip("\n").split("\n\n")[-1].splitlines()
    assert legend[0].startswith("win: ")
    assert all(len(line) <= 60 for line in legend)
    # No line ends before the next word no longer fits.
    ends = itertools.pairwise(legend)
    assert all(len(line) + 1 + len(after.split()[0]) > 60 for line, after in ends)
