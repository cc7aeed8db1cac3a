"""The compiled inner loops of :mod:`musodds.exact.outcomes.outcomes`.

For one set of cards that are gone, many splits of the rivals' cards stand to all of my
side's splits in the same way: of each code only the *rank* among my side's codes
matters. Splits of equal ranks are put together first; what is compared afterwards is
some thirty times fewer.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from musodds.compiled import inlined, kernel
from musodds.exact.kernels.code_words import FOUR_BITS, GATHER, GATHERED, TO_BOTTOM, TOPS

LANES = 4
"""Comparisons in a deal: grande, chica, pares, and juego or else punto."""

# Four ranks are compared as the bytes of one word: the top bit of each is kept free. My
# side has at most C(8, 4) = 70 splits of its cards, so that 7 bits hold a rank.
_TOPS = np.uint64(0x80808080)

# Times this, bits 0, 8, 16 and 24 become bits 21 to 24, and none of the others do.
_GATHER = np.uint64(1 << 21 | 1 << 14 | 1 << 7 | 1)


class Pairs(NamedTuple):
    """The rivals' splits, in the order of their parts.

    Attributes
    ----------
    start : int64 (parts + 1,)
        Where the splits of each part begin.
    grande, chica : uint16 (pairs,)
        The code of each split in the first two lanes.
    rest : uint16 (pairs,)
        The rest of it: a row of the next two. Few distinct ones occur.
    rest_code : uint16 (rests, 2)
        The codes in the other lanes.
    rest_kind : int64 (rests,)
        What the split is, for the third axis of what is counted.
    value : int64 (pairs,)
        The ways to split the part so, with their weight.
    """

    start: NDArray[np.int64]
    grande: NDArray[np.uint16]
    chica: NDArray[np.uint16]
    rest: NDArray[np.uint16]
    rest_code: NDArray[np.uint16]
    rest_kind: NDArray[np.int64]
    value: NDArray[np.int64]


@kernel(allocates=True)
def count_outcomes(  # type: ignore[no-untyped-def]
    available, pairs, codes, own_start, own_code, own_slot, own_weight, out
):
    """Add to ``out[slot, wins, kind]`` the weight of the rivals' splits.

    Bit l of ``wins`` is set where my side has the greater code in lane l. No code of
    mine equals one of theirs.

    Parameters
    ----------
    available : float64 (integers), (rows, parts)
        A(gone, part).
    pairs : Pairs
    codes : int
        All codes are below it.
    own_start : int64 (rows + 1,)
        Where my side's splits begin, row by row.
    own_code : int32 (own, LANES)
    own_slot, own_weight : int64 (own,)
    out : int64 (slots, 2**LANES, kinds), added to
    """
    pair_start, grande, chica, rest, rest_code, rest_kind, pair_value = pairs
    rank = np.empty((LANES, codes), dtype=np.uint32)
    place = np.empty(np.diff(own_start).max(), dtype=np.uint64)
    size = np.empty(LANES, dtype=np.int64)
    of_rest = np.empty(len(rest_code), dtype=np.uint32)
    like = np.empty((2, len(rest_code)), dtype=np.uint32)
    keys = np.empty(len(rest), dtype=np.uint32)
    number = np.zeros(0, dtype=np.int32)
    weights = np.zeros(0, dtype=np.int64)
    for row in range(len(available)):
        first, last = own_start[row], own_start[row + 1]
        _rank(own_code[first:last], rank, place, size)
        rests = size[2] * size[3] * out.shape[2]
        if rests > len(number):
            number = np.zeros(rests, dtype=np.int32)
        step = size[0] * size[1]
        different = _put_together(rest_code, rest_kind, rank, size, step, number, of_rest, like)
        if step * different > len(weights):
            weights = np.zeros(step * different, dtype=np.int64)
        cells = weights[: step * different]
        for i in range(codes):
            rank[1, i] *= size[0]
        for i in range(len(rest)):
            keys[i] = rank[0, grande[i]] + rank[1, chica[i]] + of_rest[rest[i]]
        _merge(available[row], pair_start, pair_value, keys, cells)
        ranks, kind, weight = _unpack(cells, size[0], step, like)
        for k in range(last - first):
            _compare(ranks, kind, weight, place[k], own_weight[first + k], out[own_slot[first + k]])


@kernel(allocates=True)
def _rank(own, rank, place, size):  # type: ignore[no-untyped-def]
    """Set every code's rank: how many of my side's codes are not above it.

    ``place`` are the ranks of my side's own codes, from 0, as bytes of one word for each
    split; ``size`` is the number of ranks in each lane.
    """
    place[:] = 0
    for lane in range(LANES):
        found = np.unique(own[:, lane])
        size[lane] = len(found) + 1
        start = 0
        for j in range(len(found)):
            rank[lane, start : found[j]] = j
            start = found[j]
        rank[lane, start:] = len(found)
        for k in range(len(own)):
            place[k] |= np.uint64(np.searchsorted(found, own[k, lane]) << 8 * lane)


@kernel(allocates=True)
def _put_together(rest_code, rest_kind, rank, size, step, number, of_rest, like):  # type: ignore[no-untyped-def]
    """Number the different rests: those of equal ranks and kind are one.

    The number of each, times ``step``, is written to ``of_rest``; the ranks as bytes of a
    word, and the kind, of each number to the columns of ``like``. Far fewer occur than
    are possible, and the table that is added to in :func:`_merge` must stay in the cache.
    ``number`` must be 0 throughout, and is again.
    """
    different = 0
    for i in range(len(rest_code)):
        pares, last = rank[2, rest_code[i, 0]], rank[3, rest_code[i, 1]]
        key = (rest_kind[i] * size[3] + last) * size[2] + pares
        if number[key] == 0:
            like[0, different], like[1, different] = pares << 16 | last << 24, rest_kind[i]
            different += 1
            number[key] = different
        of_rest[i] = (number[key] - 1) * step
    for j in range(different):
        pares, last = like[0, j] >> 16 & 0xFF, like[0, j] >> 24
        number[(like[1, j] * size[3] + last) * size[2] + pares] = 0
    return different


@kernel(allocates=True)
def _merge(available, pair_start, pair_value, keys, cells):  # type: ignore[no-untyped-def]
    """Add up the rivals' splits, a cell for each combination of ranks and kind."""
    for part in range(len(available)):
        ways = np.int64(available[part])
        if ways == 0:
            continue
        for i in range(pair_start[part], pair_start[part + 1]):
            cells[keys[i]] += ways * pair_value[i]


@kernel(allocates=True)
def _unpack(cells, grandes, step, like):  # type: ignore[no-untyped-def]
    """The ranks (as bytes), kind and weight of all cells that are not 0; they become 0."""
    number = np.count_nonzero(cells)
    ranks = np.empty(number, dtype=np.uint64)
    kind = np.empty(number, dtype=np.uint64)
    weight = np.empty(number, dtype=np.int64)
    at = 0
    for j in range(len(cells) // step):
        for k in range(step):
            here = cells[j * step + k]
            if here == 0:
                continue
            ranks[at] = k % grandes | k // grandes << 8 | like[0, j]
            kind[at], weight[at] = like[1, j], here
            cells[j * step + k] = 0
            at += 1
    return ranks, kind, weight


@kernel(allocates=True)
def _compare(ranks, kind, weight, place, factor, out):  # type: ignore[no-untyped-def]
    """Compare one split of my side with all keys; add to ``out[wins, kind]``."""
    found = np.zeros(out.shape, dtype=np.int64)
    tops = place | _TOPS
    for i in range(len(ranks)):
        # A byte's top bit is left where no more is taken from it than my rank.
        not_above = (tops - ranks[i] & _TOPS) >> np.uint64(7)
        wins = not_above * _GATHER >> np.uint64(21) & np.uint64(15)
        found[wins, kind[i]] += weight[i]
    for row in range(out.shape[0]):
        for i in range(out.shape[1]):
            out[row, i] += factor * found[row, i]


@inlined
def _wins(mine, theirs):  # type: ignore[no-untyped-def]
    """Bit l is set where my code in lane l is the greater: none are equal."""
    return (((mine | TOPS) - theirs & TOPS) >> TO_BOTTOM) * GATHER >> GATHERED & FOUR_BITS


@kernel(allocates=True)
def count_single(available, pair_start, codes, kind, pair_value, mine, out):  # type: ignore[no-untyped-def]
    """As :func:`count_outcomes`, for one split of my side in each row.

    Nothing is gained by putting splits together: each is compared once, all lanes in one
    word. Four rows go through the splits side by side, each to cells of its own, since one
    that adds to the cell it has just added to has to wait.

    Parameters
    ----------
    available : float64 (integers), (rows, parts)
    pair_start : int64 (parts + 1,)
    codes : uint64 (pairs,)
        The codes of each split; see :mod:`musodds.exact.kernels.code_words`.
    kind : uint16 (pairs,)
    pair_value : int64 (pairs,)
    mine : uint64 (rows,)
        My side's codes in each row.
    out : int64 (rows, 2**LANES * kinds), added to
    """
    rows, kinds = len(available), np.uint64(out.shape[1] >> LANES)
    cells = np.zeros((4, out.shape[1]), dtype=np.int64)
    first, second, third, fourth = cells[0], cells[1], cells[2], cells[3]
    for row in range(0, rows, 4):
        # The last four may be fewer: the last row is then done over, and not added.
        b, c, d = min(row + 1, rows - 1), min(row + 2, rows - 1), min(row + 3, rows - 1)
        mine_a, mine_b, mine_c, mine_d = mine[row], mine[b], mine[c], mine[d]
        cells[:] = 0
        for part in range(available.shape[1]):
            ways_a, ways_b = np.int64(available[row, part]), np.int64(available[b, part])
            ways_c, ways_d = np.int64(available[c, part]), np.int64(available[d, part])
            if ways_a | ways_b | ways_c | ways_d == 0:
                continue
            for i in range(pair_start[part], pair_start[part + 1]):
                theirs, at, value = codes[i], np.uint64(kind[i]), pair_value[i]
                first[_wins(mine_a, theirs) * kinds + at] += ways_a * value
                second[_wins(mine_b, theirs) * kinds + at] += ways_b * value
                third[_wins(mine_c, theirs) * kinds + at] += ways_c * value
                fourth[_wins(mine_d, theirs) * kinds + at] += ways_d * value
        for k in range(min(4, rows - row)):
            out[row + k] += cells[k]
