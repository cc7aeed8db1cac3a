"""The text of ``strategy FILE --range`` is taken by hand, read, duel and bet as it stands."""

from __future__ import annotations

import json
from math import comb
from pathlib import Path
from typing import Any

import pytest

import musodds as mo
from musodds.cli.app import run
from musodds.rules.games import get_game
from musodds.rules.hands import hands

GAME, HAND = "mus2p", "RR7A"

SOLVED = {
    "grande": (["--score", "38-38", "--iterations", "30"], "grande: envido 2"),
    "pares": (["--model", "each", "--score", "32-35", "--iterations", "40"], "pares: envido 2"),
    "deal": (["--score", "38-38", "--bets", "ordago", "--iterations", "20"],
             "grande: en paso; chica: en paso; pares: órdago"),
}  # fmt: skip


def wins(phase: str, text: str) -> float:
    """How often seat 2 takes a phase with the hand, mano holding a range: counted here."""
    game, known = get_game(GAME), hands(get_game(GAME))
    weights = mo.parse_range(text, game=GAME).weights
    mine = known.index(HAND)
    rest = (game.deck.copies - known.counts[mine]).tolist()
    won = total = 0
    for index in weights.nonzero()[0]:
        ways = int(weights[index])
        for copies, taken in zip(rest, known.counts[index].tolist(), strict=True):
            ways *= comb(copies, taken)
        total += ways
        won += ways * bool(known.level[phase][mine] > known.level[phase][index])
    return won / total


@pytest.mark.parametrize("what", list(SOLVED))
def test_it_goes_on(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "solved.mus")
    options, line = SOLVED[what]
    phase = "pares" if what == "deal" else what
    assert run(["solve", what, "--game", GAME, *options, "-o", file]) == 0

    def said(*words: str) -> str:
        capsys.readouterr()
        assert run([*words]) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    def asked(*words: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(said(*words, "--game", GAME, "--format", "json"))
        return found

    text = said("strategy", file, "--range", "--line", line)
    expected = wins(phase, text)
    assert 0 < expected < 1

    found = asked("hand", HAND, "--seat", "2", "--rivals", text)
    of_phase = next(row for row in found["odds"] if row["phase"] == phase)
    assert of_phase["win"] == pytest.approx(expected, abs=1e-12)

    dueled = asked("duel", text, HAND)
    of_phase = next(row for row in dueled["phases"] if row["phase"] == phase)
    assert of_phase["seat_2"] == pytest.approx(expected, abs=1e-12)

    reads = asked("read", HAND, "--seat", "2", "--rivals", text)["reads"]
    beats = next(row for row in reads if row["what"] == f"beats my {phase}")
    assert beats["chance"] == pytest.approx(expected, abs=1e-12)

    words = ["--seat", "2", "--phase", phase, "--score", "32-35", "--offer", "2"]
    assert asked("bet", HAND, *words, "--rivals", text)["win"] == pytest.approx(expected, abs=1e-12)

    # And in the text of each, which says what is known.
    for words in (["hand", HAND, "--seat", "2"], ["read", HAND, "--seat", "2"]):
        said(*words, "--game", GAME, "--rivals", text)
