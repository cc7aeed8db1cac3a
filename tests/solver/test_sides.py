"""Sides that know more than one hand, against sums over pairs counted in another way."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import musodds as mo
from musodds.cli.app import run
from musodds.errors import InputError
from musodds.exact.outcomes.deal_stones import counted_stones
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.solver.groups import sign_names
from musodds.solver.side_game import SideGame, coefficients
from musodds.solver.sides import read_models, solve_sides
from musodds.solver.sizes import read_sizes
from musodds.solver.tree import End

GAME = get_game("mus")


def game_of(
    phase: str, bets: str = "2,ordago", models: tuple[str, str] = ("own", "own")
) -> SideGame:
    return SideGame(GAME, phase, models, read_sizes(bets, "none", 0))


@pytest.fixture(scope="module")
def solved() -> mo.SideBetting:
    return solve_sides("punto", model="own/signals", bets="2", raises="none", iterations=40)


def test_stones_en_paso_are_those_of_the_deal() -> None:
    """Punto and not punto, each with its chance, make the whole deal."""
    game = game_of("punto", "none")
    game.machine()
    counted = counted_stones(GAME)
    some = counted.punto
    net = counted.stones.sum(axis=1)
    chance = counted.chances[some].sum()
    assert game.played == pytest.approx(float(chance), abs=1e-6)
    expected = float(counted.chances[some] @ net[some] / chance)
    assert game.en_paso == pytest.approx(expected, abs=1e-5)


def test_an_ordago_is_won_by_the_best_punto() -> None:
    game = game_of("punto")
    machine = game.machine()
    node = next(node for node, end in game.tree.ends.items() if end.how == "ordago")
    matrix = machine.matrix(node)
    # Everybody below 31: who has the best total, seat 1 first among equals.
    frame = mo.odds_table("mus")
    some = frame[(frame.seat == 1) & (frame.phase == "punto")].set_index("hand")
    known = hands(GAME)
    won = matrix.sum(axis=1, dtype=np.float64) * game.played / 40
    played = sum(
        known.ways[i] / known.ways.sum() * some.loc[text, "win" if k else "lose"] * (1 if k else -1)
        for i, text in enumerate(known.texts) for k in (0, 1)
    )  # fmt: skip
    assert float(won.sum()) == pytest.approx(float(played), abs=1e-6)
    # By the speaker's hand as well.
    for label, one in list(zip(game.groups[0].labels, won, strict=True))[::40]:
        share = known.ways[known.index(label)] / known.ways.sum()
        exact = share * (some.loc[label, "win"] - some.loc[label, "lose"])
        assert one == pytest.approx(exact, abs=1e-7)


@pytest.mark.parametrize("system", ["classic", "federation"])
def test_a_sign_is_true_of_the_hand(system: str) -> None:
    names, made = sign_names(GAME, system)
    known = hands(GAME)
    for number, name in enumerate(names[:-1]):
        true = mo.parse_range(f"seña:{system}:{name}", game="mus").weights > 0
        assert not (made == number)[~true].any()
        # The rarer sign is made.
        for other in range(len(names) - 1):
            also = mo.parse_range(f"seña:{system}:{names[other]}", game="mus").weights > 0
            if known.ways[also].sum() < known.ways[true].sum():
                assert not (made == number)[also].any()


def test_the_full_gap_is_that_between_groups_where_groups_are_all_there_is() -> None:
    """Told apart by one hand alone, a side that sees both gains more than one that does not."""
    game = game_of("punto", "2")
    machine = game.machine()
    from musodds.solver.best_response import measure

    flat = [np.ones_like(machine.zeros(side)) for side in (0, 1)]
    between = measure(machine, flat)
    full = game.full_gap(machine, flat, between.value)
    assert full.most >= between.most - 1e-5
    assert full.least <= between.least + 1e-5
    # With no bets nothing can be gained.
    quiet = game_of("punto", "none")
    alone = quiet.machine()
    nothing = quiet.full_gap(alone, [alone.zeros(0), alone.zeros(1)], quiet.en_paso)
    assert nothing.exploitability == pytest.approx(0, abs=1e-5)
    assert nothing.value == pytest.approx(nothing.most, abs=1e-5)


def test_knowing_the_sign_is_worth_something(solved: mo.SideBetting) -> None:
    plain = solve_sides("punto", model="own/own", bets="2", raises="none", iterations=200)
    # The other side has the signs: mano's side has less.
    assert solved.value < plain.value
    assert solved.gap.least - 1e-5 <= solved.value <= solved.gap.most + 1e-5
    assert solved.groups(0).number < solved.groups(1).number


def test_chances_of_groups_and_frequencies_add_up(solved: mo.SideBetting) -> None:
    for line, side in (("", 0), ("punto: paso", 1)):
        frame = solved.to_frame(line)
        assert frame.chance.sum() == pytest.approx(1)
        assert len(frame) == solved.groups(side).number
        words = list(frame.columns[2:])
        np.testing.assert_allclose(frame[words].sum(axis=1), 1)


def test_files_and_commands(
    solved: mo.SideBetting, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "punto.mus"
    words = ["solve", "punto", "--model", "own/signals", "--bets", "2", "--raises", "none"]
    assert run([*words, "--iterations", "40", "--format", "json", "-o", str(file)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["value"] == solved.value
    assert found["exploitability_stones"] == found["exploitability"]
    again = mo.read_strategy(file)
    assert isinstance(again, mo.SideBetting)
    assert again.gap == solved.gap
    for one, other in zip(again.strategies, solved.strategies, strict=True):
        np.testing.assert_array_equal(one, other)
    assert run(["strategy", str(file), "7654", "RSA4", "--line", "punto: paso"]) == 0
    assert "7654" in capsys.readouterr().out
    for wrong in (["RR7A"], ["RRRR", "RRRR"], ["--range"], ["--line", "grande: paso"]):
        assert run(["strategy", str(file), *wrong]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_what_cannot_be_solved(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (
        ["deal", "--model", "shared"], ["grande", "--model", "shared", "--payoff", "equity"],
        ["grande", "--model", "shared", "--game", "mus2p"], ["grande", "--model", "own/mine"],
        ["grande", "--model", "signals", "--speakers", "1,3"],
        ["grande", "--model", "signals", "--score", "1-2"],
    ):  # fmt: skip
        assert run(["solve", *words]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    with pytest.raises(InputError, match="system"):
        solve_sides("grande", system="mine")


def test_models_and_leaves() -> None:
    assert read_models("shared") == ("shared", "shared")
    assert read_models("own") is None
    part = game_of("grande").tree.parts[0]
    passed = End(part, "count")
    for phase, stones in (("grande", 1), ("pares", 0), ("punto", 1)):
        found = coefficients(passed, phase, 40)
        assert (found[1], found[0]) == (2 * stones, -stones)
