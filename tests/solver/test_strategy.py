"""Strategies in files and on the command line."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import musodds as mo
from musodds.cli.app import run
from musodds.errors import InputError
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.solver.container import MAGIC
from musodds.solver.lines import follow
from musodds.solver.strategy_file import write_file


@pytest.fixture(scope="module")
def solved() -> mo.Betting:
    return mo.solve_betting("grande", game="mus2p", score=(38, 38), iterations=30)


def test_a_file_gives_back_what_was_solved(solved: mo.Betting, tmp_path: Path) -> None:
    file = tmp_path / "grande.mus"
    write_file(file, solved)
    again = mo.read_strategy(file)
    assert again.gap == solved.gap
    assert again.spec.score == (38, 38)
    for one, other in zip(again.strategies, solved.strategies, strict=True):
        np.testing.assert_array_equal(one, other)


def test_files_that_are_none(solved: mo.Betting, tmp_path: Path) -> None:
    file = tmp_path / "grande.mus"
    write_file(file, solved)
    good = file.read_bytes()
    magic, header, packed = good.split(b"\n", 2)
    assert magic + b"\n" == MAGIC
    fields = json.loads(header)
    bomb = zlib.compress(bytes(10**8))
    import hashlib

    digest = hashlib.sha256(bomb).hexdigest()
    changed = {**fields, "length": len(bomb), "sha256": digest}
    bad = {
        "checksum": MAGIC + header + b"\n" + packed[:-1] + b"x",
        "writes one": b"PK" + good,
        "do not fit": MAGIC + json.dumps(changed).encode() + b"\n" + bomb,
        "second line": MAGIC + b"{}\n" + packed,
        "no game": MAGIC + json.dumps({**fields, "game": "chess"}).encode() + b"\n" + packed,
    }
    for why, content in bad.items():
        file.write_bytes(content)
        with pytest.raises(InputError, match=why):
            mo.read_strategy(file)
    with pytest.raises(InputError):
        mo.read_strategy(tmp_path / "nothing.mus")


def test_frequencies_add_up_and_worths_make_the_value(solved: mo.Betting) -> None:
    frame = solved.to_frame()
    words = list(solved.tree.options(0))
    np.testing.assert_allclose(frame[words].sum(axis=1), 1)
    # Before anything is said, what each hand is worth averages to the value.
    from musodds.rules.games import get_game
    from musodds.rules.hands import hands

    ways = hands(get_game("mus2p")).ways
    weight = dict(zip(hands(get_game("mus2p")).texts, ways / ways.sum(), strict=True))
    total = sum(
        weight[row["hand"]] * sum(row[word] * row[f"worth {word}"] for word in words)
        for row in solved.rows()
    )
    assert total == pytest.approx(solved.value, abs=1e-5)


def test_lines(solved: mo.Betting) -> None:
    tree = solved.tree
    node = follow(tree, "grande: paso, envido 2")
    assert node == tree.options(tree.options(0)["paso"])["envido 2"]
    for wrong in ("chica: paso", "envido 7", "paso, paso", "grande: paso, paso, paso", "hello"):
        with pytest.raises(InputError):
            follow(tree, wrong)


def test_lines_of_a_deal() -> None:
    deal = mo.solve_betting("deal", game="mus2p", score=(38, 39), bets="ordago", iterations=1)
    tree = deal.tree
    node = follow(tree, ["grande: en paso", "chica: en paso", "pares: paso"])
    assert tree.phase[node] == "pares"
    node = follow(tree, "grande: en paso; chica: en paso; pares: neither; punto: paso")
    assert tree.phase[node] == "punto"
    assert tree.parts[node].pares == (False, False)


def test_the_range_after_a_bet_is_who_bets(solved: mo.Betting) -> None:
    from musodds.rules.games import get_game
    from musodds.rules.hands import hands
    from musodds.solver.answers import range_text

    node = follow(solved.tree, "envido 2")
    text = range_text(solved, node, 0)
    found = mo.parse_range(text, game="mus2p")
    betting = {row["hand"]: row["envido 2"] for row in solved.rows()}
    bettors = {hand for hand, chance in betting.items() if chance >= 0.0005}
    assert {part.split("@")[0].strip() for part in text.split("|")} == bettors
    known = hands(get_game("mus2p"))
    for hand, weight in zip(known.texts, found.weights, strict=True):
        assert (weight > 0) == (hand in bettors)


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "juego.mus"
    words = ["solve", "juego", "--game", "mus2p", "--score", "38-38", "--iterations", "20"]
    assert run([*words, "--format", "json", "-o", str(file)]) == 0
    found = json.loads(capsys.readouterr().out)
    keys = {"what", "game", "model", "score", "bets", "raises", "value", "exploitability",
            "exploitability_stones", "iterations", "decisions"}  # fmt: skip
    assert keys <= set(found)
    assert found["decisions"] == 60
    assert found["exploitability_stones"] == pytest.approx(found["exploitability"] / 0.04)
    assert run(["strategy", str(file), "R777", "--line", "juego: paso, envido 2"]) == 0
    assert "no quiero" in capsys.readouterr().out
    assert run(["strategy", str(file), "--line", "juego: paso", "--range"]) == 0
    assert capsys.readouterr().out.strip()
    assert run(["strategy", str(file), "RRRR", "--line", "juego: paso"]) == 0
    assert run(["strategy", str(file), "7654"]) == 2
    assert "7654" in capsys.readouterr().err


def test_each_in_a_file_and_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "pares.mus"
    words = ["solve", "pares", "--model", "each", "--score", "32-35", "--iterations", "6"]
    assert run([*words, "--format", "json", "-o", str(file)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {"what", "value", "en_paso", "played", "exploitability", "decisions"} <= set(found)
    assert (found["bets"], found["raises"]) == ("2,ordago", "2,ordago")
    most = [row["most"] for row in found["one_player"]]
    assert found["exploitability_stones"] == pytest.approx(max(most))
    assert len(most) == 4
    assert len(found["both_hands"]) == 2
    # Of all deals it is what it is given that it is bet on, or else passed.
    passed = found["of_all_deals"] - found["played"] * (found["value"] - found["en_paso"])
    assert passed == pytest.approx(mo.equity("mus").chance(32, 35), abs=1e-9)
    again = mo.read_strategy(file)
    solved = mo.solve_each("pares", score=(32, 35), deals=12_000, measured=10_000, pairs=16,
                           gap=0.005)  # fmt: skip
    assert again == solved
    frame = again.to_frame()
    assert set(frame.hand) == {
        text for text, level in zip(hands(get_game("mus")).texts,
                                    hands(get_game("mus")).level["pares"], strict=True) if level
    }  # fmt: skip
    assert run(["strategy", str(file), "RR77", "--able", "1,2", "--line", "pares: paso"]) == 0
    assert "seat 2" in capsys.readouterr().out
    assert run(["strategy", str(file), "--able", "1,2", "--line", "envido 2", "--range"]) == 0
    bettors = mo.parse_range(capsys.readouterr().out).weights
    assert bettors.max() == 1000 or bettors.max() == 1
    for wrong in (["7654"], ["--able", "1,9"], ["--line", "grande: paso"], ["--range"]):
        assert run(["strategy", str(file), *wrong]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    content = file.read_bytes()
    for bad in (content[:-1], content.replace(b'"pares"', b'"siete"')):
        file.write_bytes(bad)
        with pytest.raises(InputError):
            mo.read_strategy(file)


@pytest.mark.parametrize(
    "words",
    [
        ["solve", "envite"],
        ["solve", "grande", "--bets", "1"],
        ["solve", "grande", "--score", "40-0"],
        ["solve", "grande", "--speakers", "1,3"],
        ["solve", "grande", "--gap", "-1"],
        ["solve", "grande", "--model", "mine"],
        ["solve", "grande", "--game", "encaje3"],
        ["solve", "deal", "--game", "mus4"],
        ["solve", "deal", "--model", "each"],
        ["solve", "grande", "--model", "each", "--speakers", "1,4"],
    ],
)
def test_what_cannot_be_solved(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_help_shows_examples() -> None:
    from musodds.cli.solve import command

    shown = CliRunner().invoke(command, ["--help"], terminal_width=80).output
    assert "Examples:" in shown
    assert max(map(len, shown.splitlines())) <= 80
