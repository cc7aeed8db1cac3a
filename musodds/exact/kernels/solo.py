"""The compiled inner loop of :mod:`musodds.exact.draws.solo`: one phase, every hand of a seat."""

from __future__ import annotations

import numpy as np

from musodds.compiled import kernel


@kernel(allocates=True)
def add_phase(  # type: ignore[no-untyped-def]
    values, level, own, mate_level, mate_own, whole, ways, mine, mate, lost, my_turn_first, lowest
):
    """Add a phase's net stones to ``values[hand, whole]``.

    A side's stones are (own + mate's own) · (splits it takes) + (rivals' stones in
    those splits) - (rivals' stones in all splits). My hand is the side's best against
    the mates below it, and the mate's hand is against the others: as my level rises
    mates move from one group to the other, so each is added and taken out once, and
    for the mates below only the splits that change from one level to the next are
    looked at.

    Parameters
    ----------
    values : int32 (hands, wholes), added to
    level, own : (hands,)
    mate_level, mate_own : (mates,), by rising level
    whole, ways : (mates, parts)
        The three hands' cards together (-1: more than the deck has) and the ways to
        single out the mate's cards among them.
    mine, mate : (2, levels + 1, parts)
        Splits, and rivals' stones in splits, that the side takes at a level if I, or
        my mate, hold it.
    lost : (parts,)
        Rivals' stones in all splits.
    my_turn_first : bool
        Whether I speak before my mate, so that ties are mine.
    lowest : int
        The lowest level that takes part.
    """
    parts = whole.shape[1]
    taken = np.zeros(values.shape[1], dtype=np.int64)
    rest = np.zeros(values.shape[1], dtype=np.int64)
    changed = np.empty(parts, dtype=np.int64)
    for p in range(len(mate_level)):
        m = max(mate_level[p], 0)
        for s in range(parts):
            t = whole[p, s]
            if t >= 0:
                won = np.int64(mate[0, m, s])
                taken[t] += ways[p, s] * won
                rest[t] += ways[p, s] * (
                    won * mate_own[p] + np.int64(mate[1, m, s]) - np.int64(lost[s])
                )
    below = 0
    for m in range(lowest, mine.shape[1]):
        number = 0
        if m > lowest:
            for s in range(parts):
                if mine[0, m, s] != mine[0, m - 1, s] or mine[1, m, s] != mine[1, m - 1, s]:
                    changed[number] = s
                    number += 1
        for p in range(below):
            for i in range(number):
                s = changed[i]
                t = whole[p, s]
                if t >= 0:
                    more = np.int64(mine[0, m, s]) - np.int64(mine[0, m - 1, s])
                    stones = np.int64(mine[1, m, s]) - np.int64(mine[1, m - 1, s])
                    taken[t] += ways[p, s] * more
                    rest[t] += ways[p, s] * (more * mate_own[p] + stones)
        while below < len(mate_level) and (
            mate_level[below] < m or (my_turn_first and mate_level[below] == m)
        ):
            p = below
            n = max(mate_level[p], 0)
            for s in range(parts):
                t = whole[p, s]
                if t >= 0:
                    more = np.int64(mine[0, m, s]) - np.int64(mate[0, n, s])
                    stones = np.int64(mine[1, m, s]) - np.int64(mate[1, n, s])
                    taken[t] += ways[p, s] * more
                    rest[t] += ways[p, s] * (more * mate_own[p] + stones)
            below += 1
        for h in range(len(level)):
            if level[h] == m:
                for t in range(values.shape[1]):
                    values[h, t] += own[h] * taken[t] + rest[t]


# The summands are integers below 2**53, so any order of summation gives the same sum.
@kernel(allocates=True, fastmath={"reassoc", "contract"})
def sum_over(values, left, right, sizes, left_of, right_of):  # type: ignore[no-untyped-def]
    """Σ over rectangles of left[i, d] · values[i, j] · right[j, d], for each d.

    Parameters
    ----------
    values : (wholes,)
        The rectangles one after another, each row by row.
    left, right : float64, (parts, distinct)
    sizes : (rectangles, 2)
        Rows and columns of each; ``left`` and ``right`` hold them one after another.
    left_of, right_of : (dead,)
        The column of ``left`` and ``right`` for each d.
    """
    total = np.zeros(len(left_of))
    row = np.empty(right.shape[1])
    at = first = second = 0
    for block in range(len(sizes)):
        for i in range(sizes[block, 0]):
            row[:] = 0.0
            for j in range(sizes[block, 1]):
                value = values[at]
                at += 1
                if value != 0:
                    for d in range(len(row)):
                        row[d] += value * right[second + j, d]
            for d in range(len(left_of)):
                total[d] += left[first + i, left_of[d]] * row[right_of[d]]
        first += sizes[block, 0]
        second += sizes[block, 1]
    return total
