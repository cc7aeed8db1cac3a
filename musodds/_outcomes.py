"""The compiled inner loops of :mod:`musodds.outcomes`.

For one set of cards that are gone, many splits of the rivals' cards stand to all of my
side's splits in the same way: of each code only the *rank* among my side's codes
matters. Splits of equal ranks are put together first; what is compared afterwards is
some thirty times fewer.
"""

from __future__ import annotations

import numpy as np
from numba import njit

LANES = 4
"""Comparisons in a deal: grande, chica, pares, and juego or else punto."""


@njit(cache=True, nogil=True)
def count_outcomes(  # type: ignore[no-untyped-def]
    available, pair_start, grande, chica, rest, rest_code, rest_kind, pair_value, codes,
    own_start, own_code, own_slot, own_weight, out,
):  # fmt: skip
    """Add to ``out[slot, wins, kind]`` the weight of the rivals' splits.

    Bit l of ``wins`` is set where my side has the greater code in lane l. No code of
    mine equals one of theirs.

    Parameters
    ----------
    available : float64 (integers), (rows, parts)
        A(gone, part).
    pair_start : int64 (parts + 1,)
        Where the splits of each part begin.
    grande, chica : uint16 (pairs,)
        The code of each split in the first two lanes.
    rest : uint16 (pairs,)
        The rest of it: a row of the next two. Few distinct ones occur.
    rest_code : uint16 (rests, 2)
        The codes in the other lanes.
    rest_kind : int64 (rests,)
        What the split is, for the third axis of ``out``.
    pair_value : int64 (pairs,)
        The ways to split the part so, with their weight.
    codes : int
        All codes are below it.
    own_start : int64 (rows + 1,)
        Where my side's splits begin, row by row.
    own_code : int32 (own, LANES)
    own_slot, own_weight : int64 (own,)
    out : int64 (slots, 2**LANES, kinds), added to
    """
    kinds = out.shape[2]
    rank = np.empty((LANES, codes), dtype=np.uint32)
    rest_rank = np.empty(len(rest_code), dtype=np.uint32)
    place = np.empty((np.diff(own_start).max(), LANES), dtype=np.int64)
    size = np.empty(LANES, dtype=np.int64)
    cells = 0
    for row in range(len(available)):
        own = own_code[own_start[row] : own_start[row + 1]]
        cells = max(cells, _rank(own, kinds, rank, place, size))
    weights = np.zeros(cells, dtype=np.int64)
    for row in range(len(available)):
        first, last = own_start[row], own_start[row + 1]
        _rank(own_code[first:last], kinds, rank, place, size)
        for i in range(len(rest_code)):
            rest_rank[i] = rank[2, rest_code[i, 0]] + rank[3, rest_code[i, 1]] + rest_kind[i]
        keys = _merge(
            available[row], pair_start, grande, chica, rest, pair_value,
            rank[0], rank[1], rest_rank, weights,
        )  # fmt: skip
        theirs, kind, weight = _unpack(keys, size, kinds, weights)
        for k in range(last - first):
            _compare(
                theirs, kind, weight, place[k], own_weight[first + k], out[own_slot[first + k]]
            )


@njit(cache=True, nogil=True)
def _rank(own, kinds, rank, place, size):  # type: ignore[no-untyped-def]
    """Set every code's rank: how many of my side's codes are not above it.

    Ranks are digits of a mixed radix, in the table already multiplied by their place
    value. Returns the number of keys.
    """
    stride = kinds
    for lane in range(LANES):
        found = np.unique(own[:, lane])
        size[lane] = len(found) + 1
        start = 0
        for j in range(len(found)):
            rank[lane, start : found[j]] = j * stride
            start = found[j]
        rank[lane, start:] = len(found) * stride
        for k in range(len(own)):
            place[k, lane] = np.searchsorted(found, own[k, lane])
        stride *= size[lane]
    return stride


@njit(cache=True, nogil=True)
def _merge(  # type: ignore[no-untyped-def]
    available, pair_start, grande, chica, rest, pair_value, of_grande, of_chica, of_rest, weights
):
    """Add up the rivals' splits in ``weights``, by key; return the keys that occur.

    ``weights`` must be 0 for every key.
    """
    number = 0
    keys = np.empty(4096, dtype=np.uint32)
    for part in range(len(available)):
        ways = np.int64(available[part])
        if ways == 0:
            continue
        for i in range(pair_start[part], pair_start[part + 1]):
            key = of_grande[grande[i]] + of_chica[chica[i]] + of_rest[rest[i]]
            weight, before = ways * pair_value[i], weights[key]
            if before == 0 and weight != 0:
                if number == len(keys):
                    keys = np.concatenate((keys, keys))
                keys[number] = key
                number += 1
            weights[key] = before + weight
    return keys[:number]


@njit(cache=True, nogil=True)
def _unpack(keys, size, kinds, weights):  # type: ignore[no-untyped-def]
    """The ranks (LANES, keys), kind and weight of each key; ``weights`` is cleared."""
    ranks = np.empty((LANES, len(keys)), dtype=np.uint32)
    kind = np.empty(len(keys), dtype=np.uint32)
    weight = np.empty(len(keys), dtype=np.int64)
    for i in range(len(keys)):
        weight[i] = weights[keys[i]]
        weights[keys[i]] = 0
        key = np.int64(keys[i])
        kind[i] = key % kinds
        key //= kinds
        for lane in range(LANES):
            ranks[lane, i] = key % size[lane]
            key //= size[lane]
    return ranks, kind, weight


@njit(cache=True, nogil=True)
def _compare(ranks, kind, weight, place, factor, out):  # type: ignore[no-untyped-def]
    """Compare one split of my side with all keys; add to ``out[wins, kind]``."""
    found = np.zeros(out.shape, dtype=np.int64)
    grande, chica, pares, last = ranks[0], ranks[1], ranks[2], ranks[3]
    my_grande, my_chica, my_pares, my_last = place[0], place[1], place[2], place[3]
    for i in range(len(kind)):
        wins = (
            np.uint32(grande[i] <= my_grande)
            | np.uint32(chica[i] <= my_chica) << np.uint32(1)
            | np.uint32(pares[i] <= my_pares) << np.uint32(2)
            | np.uint32(last[i] <= my_last) << np.uint32(3)
        )
        found[wins, kind[i]] += weight[i]
    for row in range(out.shape[0]):
        for i in range(out.shape[1]):
            out[row, i] += factor * found[row, i]
