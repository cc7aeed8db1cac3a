"""What all know before the betting, against a walk through every deal of a small deck."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import musodds as mo
from musodds.cli.app import run
from musodds.errors import InputError, KnowledgeError
from musodds.knowledge.knowledge import know
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.solver.known import read_known
from musodds.solver.lines import follow
from musodds.solver.sides import SideBetting, solve_sides
from musodds.solver.strategy_file import read_played, write_file
from tests.small_games import FOUR, TWO, choose, net_of_deals

NONE: dict[str, Any] = {"bets": "none", "raises": "none", "iterations": 1}


def chances(game: Game, dead: tuple[int, ...] = ()) -> np.ndarray:
    """The chance of every deal, by the hands of all seats."""
    counts, found = hands(game).counts, np.ones(1)
    rest = game.deck.copies - np.bincount(dead, minlength=len(game.deck.copies))
    rest = rest[None]
    for _ in range(game.seats):
        found = (found[:, None] * choose(rest[:, None, :], counts[None])).ravel()
        rest = (rest[:, None, :] - counts[None]).reshape(-1, counts.shape[1])
    return (found / found.sum()).reshape((len(counts),) * game.seats)


def along(weights: np.ndarray, seat: int, seats: int) -> np.ndarray:
    """Weights of a seat's hands, to be multiplied with all deals."""
    return weights.reshape([-1 if s == seat - 1 else 1 for s in range(seats)])


def has(game: Game, phase: str, seat: int) -> np.ndarray:
    return along(hands(game).level[phase] > 0, seat, game.seats)


def bet_on(game: Game, phase: str) -> np.ndarray:
    if phase in ("grande", "chica"):
        return np.ones((1,) * game.seats, dtype=bool)
    which = "juego" if phase == "punto" else phase
    sides = [
        np.any(np.broadcast_arrays(*(has(game, which, s) for s in range(a, game.seats + 1, 2))), 0)
        for a in (1, 2)
    ]
    return ~sides[0] & ~sides[1] if phase == "punto" else sides[0] & sides[1]


def expected(game: Game, phase: str, weights: np.ndarray) -> tuple[float, float]:
    """How likely the phase is bet on with what is known, and net stones en paso then."""
    weights = weights * bet_on(game, phase)
    return float(weights.sum()), float((weights * net_of_deals(game)).sum() / weights.sum())


# Four cards of three kinds always make a pair.
CASES = [
    ("grande", None, "yes,?,no,?"),
    ("pares", "yes,?,?,yes", "?,no,?,?"),
    ("pares", None, "no,?,?,yes"),
    ("juego", "?,yes,?,?", "?,yes,no,no"),
    ("punto", "yes,?,?,?", "no,?,?,no"),
]


def declared(game: Game, pares: str | None, juego: str | None) -> np.ndarray:
    weights = chances(game)
    for phase, said in (("pares", pares), ("juego", juego)):
        for seat, word in enumerate((said or ",,,").split(","), 1):
            if word in ("yes", "no"):
                weights = weights * (has(game, phase, seat) == (word == "yes"))
    return weights


@pytest.mark.parametrize(("phase", "pares", "juego"), CASES)
def test_declarations_with_one_speaker_a_side(phase: str, pares: str, juego: str | None) -> None:
    played, net = expected(FOUR, phase, declared(FOUR, pares, juego))
    known = know(FOUR, pares=pares, juego=juego)
    for speakers in ((1, 2), (3, 4)):
        solved = mo.solve_betting(
            phase, game=FOUR, payoff="stones", speakers=speakers, knowledge=known, **NONE
        )
        assert solved.played == pytest.approx(played, rel=1e-4)
        assert solved.value == pytest.approx(net, abs=1e-4)
        assert solved.en_paso == pytest.approx(net, abs=1e-4)


@pytest.mark.parametrize(("phase", "pares", "juego"), CASES)
@pytest.mark.parametrize("model", ["own/own", "shared"])
def test_declarations_of_sides(phase: str, pares: str, juego: str | None, model: str) -> None:
    played, net = expected(FOUR, phase, declared(FOUR, pares, juego))
    solved = solve_sides(
        phase, FOUR, model=model, knowledge=know(FOUR, pares=pares, juego=juego), **NONE
    )
    assert solved.played == pytest.approx(played, rel=1e-4)
    assert solved.value == pytest.approx(net, abs=1e-4)


def test_ranges_of_speakers_and_of_both_hands() -> None:
    known = know(FOUR, seats={1: "RR??@0.5 | 77??", 2: "!RRRR"})
    weights = chances(FOUR)
    for seat, text in ((1, "RR??@0.5 | 77??"), (2, "!RRRR")):
        some = mo.parse_range(text, game=FOUR).weights
        weights = weights * along(some / some.max(), seat, 4)
    played, net = expected(FOUR, "pares", weights)
    one = mo.solve_betting("pares", game=FOUR, payoff="stones", knowledge=known, **NONE)
    both = solve_sides("pares", FOUR, model="shared", knowledge=known, **NONE)
    for solved in (one, both):
        assert solved.played == pytest.approx(played, rel=1e-4)
        assert solved.value == pytest.approx(net, abs=1e-4)
    silent = know(FOUR, seats={3: "RR??"})
    weights = chances(FOUR) * along(mo.parse_range("RR??", game=FOUR).weights > 0, 3, 4)
    both = solve_sides("grande", FOUR, model="shared", knowledge=silent, **NONE)
    assert both.played == pytest.approx(float(weights.sum()), rel=1e-4)
    with pytest.raises(KnowledgeError, match="the hand of seat 3 is averaged"):
        mo.solve_betting("grande", game=FOUR, knowledge=silent, **NONE)


def test_two_players_know_dead_cards_too() -> None:
    known = know(TWO, seats={2: "RR??"}, dead="RR7")
    weights = chances(TWO, known.dead)
    weights = weights * along(mo.parse_range("RR??", game=TWO).weights > 0, 2, 2)
    for phase in ("grande", "pares"):
        played, net = expected(TWO, phase, weights)
        solved = mo.solve_betting(phase, game=TWO, payoff="stones", knowledge=known, **NONE)
        assert solved.played == pytest.approx(played, rel=1e-4)
        assert solved.value == pytest.approx(net, abs=1e-4)
    deal = mo.solve_betting("deal", game=TWO, payoff="stones", knowledge=known, **NONE)
    net = float((weights * net_of_deals(TWO)).sum() / weights.sum())
    assert deal.value == pytest.approx(net, abs=1e-4)


def test_the_gap_falls_with_what_is_known_and_the_range_is_of_it() -> None:
    known = know(TWO, seats={2: "RR??"})
    given: dict[str, Any] = {"game": TWO, "score": (30, 33), "knowledge": known, "gap": 1e-9}
    gaps = [mo.solve_betting("grande", **given, iterations=n).exploitability for n in (10, 200)]
    solved = mo.solve_betting("grande", **given, iterations=200)
    assert gaps[1] < max(gaps[0], 1e-6)
    kings = {text for text in hands(TWO).texts if text.count("R") >= 2}
    assert {row["hand"] for row in solved.rows(follow(solved.tree, "grande: paso"))} == kings
    reach = solved.reach(follow(solved.tree, "envido 2"), 1)
    assert {hands(TWO).texts[i] for i in np.flatnonzero(reach)} == kings


def test_each_plays_only_what_was_declared() -> None:
    known = know(FOUR, juego="yes,?,no,yes")
    solved = mo.solve_each(
        "juego", FOUR, bets="2", raises=(), deals=4_000, measured=60_000, pairs=16, knowledge=known
    )
    assert {point.able for point in solved.tree.points} == {(1, 4), (1, 2, 4)}
    played, _ = expected(FOUR, "juego", declared(FOUR, None, "yes,?,no,yes"))
    seen = solved.measured
    assert abs(seen.contested - played) < 4 * seen.contested_se
    assert solved.tree.points[solved.tree.point()].able == (1, 2, 4)
    for wrong in (know(FOUR, pares="yes,?,?,?"), know(FOUR, seats={1: "RR??"})):
        with pytest.raises(KnowledgeError, match="nothing else"):
            mo.solve_each("juego", FOUR, deals=4_000, knowledge=wrong)
    with pytest.raises(InputError, match="not bet on"):
        mo.solve_each("juego", FOUR, deals=4_000, knowledge=know(FOUR, juego="no,?,no,?"))


def test_files_keep_what_is_known(tmp_path: Path) -> None:
    file, known = tmp_path / "a.mus", know(FOUR, juego="yes,?,no,yes")
    solved: list[Any] = [
        mo.solve_betting("juego", game=FOUR, knowledge=known, iterations=3),
        solve_sides("juego", FOUR, model="shared", knowledge=known, iterations=3),
        mo.solve_each("juego", FOUR, deals=4_000, measured=2_000, pairs=16, knowledge=known),
    ]
    for one in solved:
        assert one.known.labels == known.labels
        header = one.known.header()
        assert read_known(FOUR, header) == one.known
    real = mo.solve_betting(
        "pares", game="mus2p", knowledge=know("mus2p", seats={2: "31@0.3 | RR??"}), iterations=3
    )
    write_file(file, real)
    again = mo.read_strategy(file)
    assert not isinstance(again, SideBetting)
    assert (again.known, again.gap) == (real.known, real.gap)
    np.testing.assert_array_equal(again.strategies[1], real.strategies[1])
    with pytest.raises(InputError, match="more is known"):
        read_played(file)


@pytest.mark.parametrize(
    "wrong",
    [
        {"labels": ["x"], "declared": [["grande", 1, True]], "ranges": [], "dead": []},
        {"labels": ["x"], "declared": [["pares", 5, True]], "ranges": [], "dead": []},
        {"labels": ["\x1b"], "declared": [], "ranges": [], "dead": []},
        {"labels": ["x"], "declared": [], "ranges": [[1, [0] * 15]], "dead": []},
        {"labels": ["x"], "declared": [], "ranges": [[1, [1]]], "dead": []},
        {"labels": ["x"], "declared": [], "ranges": [], "dead": [7]},
    ],
)
def test_what_a_stranger_says_is_known(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="cannot be known"):
        read_known(FOUR, wrong)


def test_the_command_says_what_a_model_does_not_admit(
    capsys: pytest.CaptureFixture[str],
) -> None:
    two = ["--game", "mus2p"]
    words = ["solve", "pares", *two, "--seat-range", "2=duples", "--iterations", "2"]
    assert run(words) == 0
    assert "known: seat 2: duples" in capsys.readouterr().out
    for wrong, why in (
        (["solve", "deal", *two, "--pares", "yes,yes"], "declared after chica"),
        (["solve", "pares", *two, "--pares", "yes,no"], "never bet on"),
        (["solve", "grande", "--dead", "R"], "two players"),
        (["solve", "grande", "--model", "shared", "--dead", "R"], "not dead cards"),
        (["solve", "grande", "--model", "each", "--pares", "yes,?,?,?"], "nothing else"),
        (["solve", "pares", *two, "--pares", "yes"], "answer"),
    ):
        assert run(wrong) == 2
        error = capsys.readouterr().err
        assert why in error
        assert error.count("\n") == 1
