"""Commands that take knowledge: hand, read, duel, ranges, signals."""

from __future__ import annotations

import csv
import io
import json

import pytest

from musodds.chances.odds import known_odds
from musodds.cli import main
from musodds.knowledge.knowledge import know


@pytest.fixture
def ask(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("MUSODDS_RANGES", raising=False)

    def run(*arguments):
        status = main(list(arguments))
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


def test_hand_under_knowledge_carries_the_exact_numbers(ask):
    options = ("--partner", "seña:31", "--rivals", "!juego", "--dead", "A", "--pares", "yes,no,?,?")
    status, out, _ = ask("hand", "RR7A", "--seat", "1", "--format", "json", *options)
    answer = json.loads(out)
    assert status == 0
    assert answer["method"] == "exact"
    assert answer["knowledge"].startswith("partner: seña:31; rivals: !juego; seat 1 has pares")
    truth = known_odds(
        "RR7A",
        seat=1,
        knowledge=know(partner="31", rivals="!juego", dead="A", pares="yes,no,?,?"),
    )
    numbers = [{k: v for k, v in row.items() if k != "knowledge"} for row in answer["odds"]]
    assert numbers == truth.rows()


def test_a_known_partner_is_still_a_partner(ask):
    _, out, _ = ask("hand", "RR7A", "--partner", "cc55", "--format", "json")
    answer = json.loads(out)
    assert answer["partner"] == "CC55"
    assert "knowledge" not in answer
    status, _, err = ask("hand", "7777", "--partner", "7RRR")
    assert status == 2
    assert "the hand and the partner's together" in err


def test_seat_ranges_in_encaje_like_games(ask):
    _, out, _ = ask(
        "hand", "RR7A", "--game", "mus2p", "--seat", "1", "--seat-range", "2=31",
        "--seat-range", "postre=pares", "--format", "json",
    )  # fmt: skip
    assert json.loads(out)["knowledge"] == "seat 2: (31) & (pares)"


def test_joint_adds_outcomes_that_sum_to_one(ask):
    command = ("hand", "RR7A", "--seat", "2", "--partner", "par:C", "--joint")
    status, out, _ = ask(*command, "--format", "json")
    answer = json.loads(out)
    assert status == 0
    assert sum(row["chance"] for row in answer["joint"]) == pytest.approx(1, abs=1e-12)
    wins = sum(row["chance"] for row in answer["joint"] if row["grande"] == "win")
    assert wins == pytest.approx(answer["odds"][0]["win"], abs=1e-12)
    _, text, _ = ask(*command)
    assert "phases together, seat 2" in text
    assert max(map(len, text.splitlines())) <= 80
    _, out, _ = ask(*command, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == len(answer["odds"]) + len(answer["joint"])


def test_simulated_deals_are_marked_and_reproducible(ask):
    command = ("hand", "RR7A", "--seat", "1", "--partner", "AAAA", "--deals", "3000", "--seed", "4")
    status, out, _ = ask(*command, "--format", "json")
    answer = json.loads(out)
    assert status == 0
    assert (answer["method"], answer["n"], answer["seed"]) == ("monte-carlo", 3000, 4)
    exact = known_odds("RR7A", seat=1, knowledge=know(partner="AAAA")).rows()
    for row, truth in zip(answer["odds"], exact, strict=True):
        assert abs(row["win"] - truth["win"]) <= 4.5 * row["win_se"] + 1e-9
        assert abs(row["net"] - truth["net"]) <= 4.5 * row["net_se"]
    assert ask(*command, "--format", "json")[1] == out
    assert "n = 3000, seed 4; standard error of win at most" in ask(*command)[1]
    assert ask(*command, "--joint")[0] == 2


@pytest.mark.parametrize("format_name", ["text", "json", "csv", "md"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("read", "RR7A", "--partner", "seña:31"),
        ("duel", "772A", "33S2", "RRSA", "CCC6"),
        ("duel", "RR7A", "31", "--game", "mus2p"),
        ("ranges", "31@0.7 | (RR.. & pares)@0.3"),
        ("signals", "--game", "mus4"),
    ],
)
def test_every_command_prints_every_format(ask, arguments, format_name):
    status, out, err = ask(*arguments, "--format", format_name)
    assert (status, err) == (0, "")
    if format_name == "json":
        assert json.loads(out)["method"] == "exact"
    elif format_name == "csv":
        assert len(list(csv.DictReader(io.StringIO(out)))) > 1
    else:
        assert format_name == "md" or max(map(len, out.splitlines())) <= 80


def test_read_says_what_the_partner_holds(ask):
    _, out, _ = ask("read", "RR7A", "--partner", "C765", "--seat", "2", "--format", "json")
    answer = json.loads(out)
    chance = {(row["who"], row["what"]): row["chance"] for row in answer["reads"]}
    assert chance["partner", "C765"] == 1
    assert chance["partner", "punto of 28"] == 1
    assert chance["partner", "pares"] == 0
    # The next and the previous rival are exchangeable to who knows nothing of them.
    assert chance["next", "juego"] == chance["previous", "juego"]
    assert chance["no rival", "has juego"] == pytest.approx(1 - chance["either", "juego"])


def test_duel_tells_the_winners_of_the_example_of_the_rules(ask):
    _, out, _ = ask("duel", "772A", "33S2", "RRSA", "CCC6", "--format", "json")
    phases = {row["phase"]: row for row in json.loads(out)["phases"]}
    assert phases["grande"]["seat_2"] == 1
    assert phases["pares"]["seat_1"] == 1
    assert phases["pares"]["stones_1"] == 3 + 1
    assert phases["punto"]["void"] == 1


def test_ranges_without_a_range_shows_the_language_on_one_screen(ask):
    status, out, _ = ask("ranges")
    assert status == 0
    assert len(out.splitlines()) <= 24
    assert max(map(len, out.splitlines())) <= 80


def test_ranges_lists_the_hands(ask):
    _, out, _ = ask("ranges", "duples:R & !RRRR", "--gone", "RRR")
    assert "duples:R & !RRRR in mus: 7 hands" in out
    assert "RRAA" in out.split()


def test_names_of_the_users_own(ask, tmp_path, monkeypatch):
    file = tmp_path / "mine.txt"
    file.write_text("strong = duples | 31\n", encoding="utf-8")
    status, out, _ = ask("ranges", "strong & medias", "--ranges", str(file))
    assert status == 0
    monkeypatch.setenv("MUSODDS_RANGES", str(file))
    assert ask("ranges", "strong & medias")[1] == out
    _, out, _ = ask("hand", "RR7A", "--next", "strong", "--seat", "1", "--format", "json")
    assert json.loads(out)["knowledge"] == "next: strong"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("hand", "RR7A", "--partner", "pare"), "partner: range 'pare', character 1"),
        (("hand", "RR7A", "--pares", "yes,no,yes"), "has 3 answers and mus 4 players"),
        (("hand", "RR7A", "--pares", "no,?,?,?", "--seat", "1"), "seat 1 has no pares, but you"),
        (("hand", "RR7A", "--seat-range", "31"), "seat range '31': write a seat and a range"),
        (("hand", "RR7A", "--seat-range", "7=31"), "no seat '7' in mus"),
        (("hand", "RR7A", "--dead", "AAAAAAAA"), "9 cards A"),
        (("hand", "RR7A", "--next", "RRRR", "--previous", "RRRR"), "(next: RRRR) and (previous"),
        (("hand", "RR7A", "--partner", "31", "--game", "mus2p"), "nobody has a partner in mus2p"),
        (("read", "RR7A", "--seat", "all"), "no seat 'all'"),
        (("read", "RR7A", "--ranges", "nil", "--next", "31"), "cannot read the ranges in 'nil'"),
        (("duel", "RR7A", "RRRR", "RRRR"), "cannot be held together"),
        (("duel", "R", "R", "7", "A", "31"), "5 hands for the 4 seats of mus"),
        (("ranges", "31 |"), "range '31 |', character 5"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_in_one_line(ask, arguments, message):
    status, out, err = ask(*arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
