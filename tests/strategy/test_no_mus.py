"""Where all think to the end nobody plays mus: every deal of a reduced deck gone through.

The whole game of saying mus and choosing keeps, with one round, between two players, as a
matrix: a row for each hand and keep of mano, a column for each of the other player. What is in
it is what mus brings mano in stones more than the cards as dealt, times the ways to be dealt
both hands. Strategies that guarantee a side no loss by mus are those x with x A >= 0.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest
from scipy.optimize import linprog

from musodds.exact.draws.draws import draw_ways
from musodds.exact.draws.keeps import distinct_keeps
from musodds.rules.hands import hands
from tests.small_games import TWO, choose, net_of_deals


@lru_cache
def whole_game() -> tuple[np.ndarray, np.ndarray]:
    """The matrix, and which hand each row (and column) is of."""
    table, copies, net = hands(TWO), TWO.deck.copies, net_of_deals(TWO)
    options = [(h, keep) for h, held in enumerate(table.counts) for keep in distinct_keeps(held)]
    hand = np.array([h for h, _ in options])
    matrix = np.zeros((len(options), len(options)))
    for a, mine in enumerate(table.counts):
        for b, theirs in enumerate(table.counts):
            ways = int(choose(copies - mine, theirs) * choose(copies, mine))
            if not ways:
                continue
            left = copies - mine - theirs
            for column in np.flatnonzero(hand == b):
                reached = draw_ways(table, copies - left, options[column][1])
                for after in np.flatnonzero(reached):
                    rest = left - (table.counts[after] - options[column][1])
                    share = ways * reached[after] / reached.sum()
                    for row in np.flatnonzero(hand == a):
                        drawn = draw_ways(table, copies - rest, options[row][1])
                        value = drawn @ net[:, after] / drawn.sum()
                        matrix[row, column] += share * (value - net[a, b])
    return matrix, hand


def most_mus(matrix: np.ndarray, hand: np.ndarray) -> float:
    """How many hands (in shares) the rows can say mus with and never lose by it."""
    each = np.array([(hand == h) for h in range(hand.max() + 1)], dtype=float)
    scale = np.abs(matrix).max()
    found = linprog(
        -np.ones(len(matrix)),
        A_ub=np.vstack((-matrix.T / scale, each)),
        b_ub=np.concatenate((np.zeros(matrix.shape[1]), np.ones(len(each)))),
        bounds=(0, 1),
    )
    assert found.status == 0
    return float(-found.fun)


def test_in_no_equilibrium_is_mus_agreed() -> None:
    """An equilibrium is a pair of strategies neither of which can lose by mus: the game is worth
    what the cards as dealt are, as each side can cut. One side then always cuts.
    """
    matrix, hand = whole_game()
    mano, other = most_mus(matrix, hand), most_mus(-matrix.T, hand)
    assert min(mano, other) == pytest.approx(0, abs=1e-6)


def test_who_always_says_mus_loses_to_who_picks_his_hands() -> None:
    matrix, hand = whole_game()
    first = [np.flatnonzero(hand == h)[0] for h in range(hand.max() + 1)]
    brings = -matrix[first].sum(axis=0)
    gains = [max(brings[hand == h].max(), 0.0) for h in range(hand.max() + 1)]
    assert sum(gains) > 0 > sum(brings[hand == h].max() for h in range(hand.max() + 1)) - sum(gains)
