"""The compiled inner loop of counting six players: deal one more hand."""

from __future__ import annotations

import numpy as np
from numba import prange

from musodds.compiled import kernel


# Integers below 2**53 whatever the order of summation: "contract" changes no digit.
@kernel(allocates=True, parallel=True, fastmath={"contract"})
def deal_one_more(  # type: ignore[no-untyped-def]
    left, codes, kind, number, weight, hand_code, level, choose, row_of, fewer, source, lag, start
):
    """Ways to deal one hand, then the others as ``fewer`` counts them.

    Parameters
    ----------
    left : ndarray of int64, shape (states, kinds)
        Cards of each kind that are left.
    codes : ndarray of int64, shape (states,)
        The cards that are gone, as one integer.
    kind, number : ndarray of int64, shape (hands, 4)
        The kinds in each hand and how many of each (0 to fill up).
    weight, hand_code, level : ndarray, shape (hands,)
        What each hand counts for, the hand as one integer, and its level.
    choose : ndarray, shape (n, n)
        Binomial coefficients.
    row_of : ndarray of int32, shape (integers,)
        The row of ``fewer`` for the cards that are gone after the hand.
    fewer : ndarray, shape (tables, rows, levels)
        Ways to deal the other hands; levels from ``start`` on.
    source, lag : ndarray of int64, shape (new tables,)
        Table t deals the other hands as table source[t], and its new hand is within
        the level (lag 0) or below it (lag 1).
    start : int

    Returns
    -------
    ndarray, shape (new tables, states, levels)
    """
    width = fewer.shape[2]
    ways_of = np.zeros((len(source), len(left), width), dtype=fewer.dtype)
    for state in prange(len(left)):
        for hand in range(len(level)):
            if level[hand] - start >= width:
                continue
            ways = weight[hand] * choose[left[state, kind[hand, 0]], number[hand, 0]]
            for i in range(1, 4):
                ways *= choose[left[state, kind[hand, i]], number[hand, i]]
            if ways == 0:
                continue
            row = row_of[codes[state] + hand_code[hand]]
            for t in range(len(source)):
                totals, others = ways_of[t, state], fewer[source[t], row]
                for m in range(max(level[hand] + lag[t] - start, 0), width):
                    totals[m] += ways * others[m]
    return ways_of
