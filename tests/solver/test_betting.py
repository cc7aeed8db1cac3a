"""Solved betting against what is known without solving: equity, odds, linear programs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import musodds as mo
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.solver.best_response import measure
from musodds.solver.betting import solve_betting
from musodds.solver.discounted_cfr import DiscountedCFR
from musodds.solver.game import Spec
from musodds.solver.machine import Machine
from musodds.solver.sizes import read_sizes
from musodds.solver.tree import FIRST, SECOND
from musodds.stakes.equity import exact_equity
from tests.solver.played_by_rules import Played, mean_of

DUEL = get_game("mus2p")


def spec(what: str, score: tuple[int, int], bets: str, raises: str = "none", reraises: int = 0,
         payoff: str = "equity") -> Spec:  # fmt: skip
    return Spec(DUEL, what, score, payoff, read_sizes(bets, raises, reraises))


def machine(game: Spec, dtype: type = np.float32, workers: int = 1) -> Machine:
    cells, _ = game.cells()
    matrices, leaf = game.matrices(cells)
    return Machine(game.tree, [one.astype(dtype) for one in matrices], leaf, workers)


@pytest.mark.parametrize("score", [(0, 0), (32, 35), (39, 38), (5, 39)])
@pytest.mark.parametrize("what", ["deal", "grande", "chica"])
def test_with_no_bets_the_value_is_the_equity(what: str, score: tuple[int, int]) -> None:
    solved = solve_betting(
        what, game=DUEL, score=score, bets="none", raises="none", iterations=1,
        table=exact_equity(DUEL),
    )  # fmt: skip
    assert solved.value == pytest.approx(exact_equity(DUEL).chance(*score), abs=1e-6)
    assert solved.en_paso == pytest.approx(solved.value, abs=1e-6)
    assert solved.exploitability == pytest.approx(0, abs=1e-6)


def test_phases_that_are_not_always_bet_on_add_up_to_the_equity() -> None:
    score = (30, 33)
    juego = solve_betting("juego", game=DUEL, score=score, bets="none", iterations=1)
    punto = solve_betting("punto", game=DUEL, score=score, bets="none", iterations=1)
    frame = mo.odds_table("mus2p")
    ways = hands(DUEL).ways
    of_hand = dict(zip(hands(DUEL).texts, ways / ways.sum(), strict=True))
    for solved, phase in ((juego, "juego"), (punto, "punto")):
        some = frame[(frame.seat == 1) & (frame.phase == phase)]
        chance = sum(of_hand[hand] * p for hand, p in zip(some.hand, some.contested, strict=True))
        assert solved.played == pytest.approx(chance, abs=1e-6)


@pytest.mark.parametrize("phase", ["grande", "chica", "pares"])
def test_who_wins_an_ordago_is_what_odds_says(phase: str) -> None:
    game = spec(phase, (0, 0), "ordago")
    cells, played = game.cells()
    matrices, leaf = game.matrices(cells)
    seen = next(node for node, end in game.tree.ends.items() if end.how == "ordago")
    by_type = matrices[leaf[seen]].sum(axis=1) * played
    low, high = game.tree.low[seen, 0], game.tree.high[seen, 0]
    known = hands(DUEL)
    odds = [mo.odds(known.texts[i], seat=1, game="mus2p") for i in game.types.hand[low:high][:20]]
    for found, index, answer in zip(by_type, game.types.hand[low:high], odds, strict=False):
        rows = {row["phase"]: row for row in answer.rows()}
        both = rows[phase]["contested"] * (rows[phase]["win_contested"] or 0)
        assert found == pytest.approx(both * known.ways[index] / known.ways.sum(), rel=1e-5)


def test_at_39_39_everybody_says_ordago_and_sees() -> None:
    solved = solve_betting("grande", game=DUEL, score=(39, 39), bets="2,ordago", raises="ordago")
    # Grande is counted first: nothing can change that its winner wins the game.
    assert solved.value == pytest.approx(exact_equity(DUEL).chance(39, 39), abs=1e-4)
    assert solved.exploitability_stones < 0.005


STONES = (0, 7, 20, 33, 36, 37, 38, 39)


@pytest.mark.parametrize("ours", STONES)
@pytest.mark.parametrize("theirs", STONES)
def test_the_gap_falls(ours: int, theirs: int) -> None:
    """At lopsided scores most of all; `bench_every_score.py` has all 1,600."""
    run = DiscountedCFR(machine(spec("juego", (ours, theirs), "2,ordago", "ordago")))
    gaps = []
    for goal in (30, 100, 600):
        while run.iterations < goal:
            run.step()
        found = measure(run.machine, run.sums)
        assert found.least - 1e-6 <= found.value <= found.most + 1e-6
        gaps.append(found.exploitability)
    # Below a millionth of a game it is rounding.
    assert gaps[1] <= max(gaps[0], 1e-6)
    assert gaps[2] <= max(gaps[1], 1e-6)
    assert gaps[2] / 0.04 < 1e-3


def test_a_deal_at_a_lopsided_score() -> None:
    run = DiscountedCFR(machine(spec("deal", (37, 39), "ordago")))
    gaps = []
    for goal in (30, 100):
        while run.iterations < goal:
            run.step()
        gaps.append(measure(run.machine, run.sums).exploitability)
    assert gaps[1] < gaps[0]
    assert gaps[1] / 0.04 < 0.005


@pytest.mark.parametrize("score", [(32, 35), (0, 39), (39, 0), (37, 39), (39, 20), (39, 39)])
def test_single_precision_is_enough(score: tuple[int, int]) -> None:
    values = []
    for dtype in (np.float32, np.float64):
        run = DiscountedCFR(machine(spec("juego", score, "2,ordago", "ordago"), dtype))
        for _ in range(200):
            run.step()
        values.append(measure(run.machine, run.sums))
    assert values[0].value == pytest.approx(values[1].value, abs=2e-5)
    assert values[0].exploitability == pytest.approx(values[1].exploitability, abs=2e-5)


@pytest.mark.parametrize("phase", ["grande", "chica", "pares", "punto"])
@pytest.mark.parametrize("score", [(0, 0), (37, 39), (39, 3)])
def test_a_best_response_is_never_worse(phase: str, score: tuple[int, int]) -> None:
    run = DiscountedCFR(machine(spec(phase, score, "2,ordago", "ordago")))
    for iterations in range(1, 41):
        run.step()
        if iterations in (1, 2, 5, 10, 20, 40):
            found = measure(run.machine, run.sums)
            assert found.least - 1e-6 <= found.value <= found.most + 1e-6


def test_sides_that_change_places_have_what_the_other_had() -> None:
    """The same game seen from the other side: the solver favours neither."""
    game = spec("juego", (32, 35), "2,ordago", "ordago", payoff="stones")
    matrices, leaf = game.matrices(game.cells()[0])
    tree, swapped = game.tree, {FIRST: SECOND, SECOND: FIRST}
    mirror = replace(
        tree, kind=np.array([swapped.get(int(k), k) for k in tree.kind], dtype=np.int8),
        low=np.ascontiguousarray(tree.low[:, ::-1]), high=np.ascontiguousarray(tree.high[:, ::-1]),
    )  # fmt: skip
    turned = [np.ascontiguousarray(-one.T) for one in matrices]
    found = []
    for some, payoffs in ((tree, matrices), (mirror, turned)):
        run = DiscountedCFR(Machine(some, payoffs, leaf))
        for _ in range(1000):
            run.step()
        found.append(measure(run.machine, run.sums))
    one, other = found
    assert max(one.exploitability, other.exploitability) < 0.002
    assert one.least - 1e-5 <= -other.value <= one.most + 1e-5
    assert other.least - 1e-5 <= -one.value <= other.most + 1e-5


def test_threads_change_no_digit() -> None:
    found = []
    for workers in (1, 2):
        run = DiscountedCFR(machine(spec("deal", (38, 38), "ordago"), workers=workers))
        for _ in range(10):
            run.step()
        found.append(run.sums)
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)


def sequence_form(game: Spec) -> float:
    """The value by a linear program (von Stengel), without any of the solver's sweeps."""
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    cells, _ = game.cells()
    matrices, leaf = game.matrices(cells)
    tree = game.tree
    sizes = [int(tree.high[0, side] - tree.low[0, side]) for side in (0, 1)]
    # A sequence is a type and what its side has said; number 0 says nothing yet.
    ids: list[dict[tuple[int, int], int]] = [{}, {}]
    rules: list[list[tuple[int, list[int]]]] = [[], []]
    payoff = Counter()

    def number(side: int, edge: int, kind: int) -> int:
        return ids[side].setdefault((edge, kind), len(ids[side]))

    def walk(node: int, said: tuple[int, int]) -> None:
        if node in tree.ends:
            matrix = matrices[leaf[node]]
            for (i, j), worth in np.ndenumerate(matrix):
                if worth:
                    payoff[number(0, said[0], i), number(1, said[1], j)] += float(worth)
            return
        side = int(tree.kind[node]) - 1
        edges = range(tree.child_start[node], tree.child_start[node + 1])
        for kind in range(sizes[side]):
            parent = number(side, said[side], kind)
            rules[side].append((parent, [number(side, edge, kind) for edge in edges]))
        for edge in edges:
            after = (edge, said[1]) if side == 0 else (said[0], edge)
            walk(int(tree.children[edge]), after)

    for side in (0, 1):
        for kind in range(sizes[side]):
            number(side, -1, kind)
    walk(0, (-1, -1))

    def constraints(side: int) -> tuple[coo_array, np.ndarray]:
        rows, columns, values = [], [], []
        for row in range(sizes[side]):
            rows, columns, values = [*rows, row], [*columns, row], [*values, 1.0]
        row = sizes[side]
        for parent, children in rules[side]:
            rows += [row] * (1 + len(children))
            columns += [parent, *children]
            values += [-1.0] + [1.0] * len(children)
            row += 1
        right = np.zeros(row)
        right[: sizes[side]] = 1
        return coo_array((values, (rows, columns)), shape=(row, len(ids[side]))), right

    (e, one), (f, other) = constraints(0), constraints(1)
    keys = np.array(list(payoff))
    a = coo_array(
        (list(payoff.values()), (keys[:, 0], keys[:, 1])), shape=(len(ids[0]), len(ids[1]))
    )
    # max q.f  with  E x = e,  F' q <= A' x,  x >= 0
    from scipy.sparse import hstack

    n, m = len(ids[0]), len(other)
    found = linprog(
        np.concatenate((np.zeros(n), -other)),
        A_ub=hstack((-a.T, f.T)), b_ub=np.zeros(len(ids[1])),
        A_eq=hstack((e, coo_array((len(one), m)))), b_eq=one,
        bounds=[(0, None)] * n + [(None, None)] * m, method="highs",
    )  # fmt: skip
    assert found.status == 0
    return -float(found.fun)


@pytest.mark.parametrize(
    ("score", "payoff"), [((38, 38), "equity"), ((30, 37), "equity"), ((0, 0), "stones")]
)
def test_juego_against_a_linear_program(score: tuple[int, int], payoff: str) -> None:
    game = spec("juego", score, "2,ordago", "ordago", payoff=payoff)
    run = DiscountedCFR(machine(game))
    for _ in range(400 if payoff == "equity" else 1000):
        run.step()
    found = measure(run.machine, run.sums)
    assert found.exploitability / (0.04 if payoff == "equity" else 1) < 0.002
    exact = sequence_form(game)
    slack = 1e-5 if payoff == "equity" else 1e-3
    assert found.least - slack <= exact <= found.most + slack


def test_deals_played_by_the_rules_agree_with_the_value() -> None:
    """Some thousands; `bench_played.py` plays a million."""
    solved = solve_betting("deal", game=DUEL, score=(36, 37), bets="2,ordago", iterations=20,
                           table=exact_equity(DUEL))  # fmt: skip
    found, error = mean_of(Played(solved, 5), 6000)
    assert abs(found - solved.value) < 3 * error
