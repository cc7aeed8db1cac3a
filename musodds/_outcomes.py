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
    available, pair_start, pair_code, pair_kind, pair_value, codes,
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
    pair_code : uint16 (LANES, pairs)
    pair_kind : uint32 (pairs,)
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
    place = np.empty((np.diff(own_start).max(), LANES), dtype=np.int64)
    size = np.empty(LANES, dtype=np.int64)
    theirs = np.empty(LANES, dtype=np.int64)
    where = np.full(1, -1, dtype=np.int32)
    for row in range(len(available)):
        first, last = own_start[row], own_start[row + 1]
        cells = _rank(own_code[first:last], kinds, rank, place, size)
        if cells > len(where):
            where = np.full(cells, -1, dtype=np.int32)
        keys, weights = _merge(
            available[row], pair_start, pair_code, pair_kind, pair_value, rank, where
        )
        for i in range(len(keys)):
            where[keys[i]] = -1
            key = keys[i] // kinds
            kind = keys[i] - key * kinds
            for lane in range(LANES):
                theirs[lane] = key % size[lane]
                key //= size[lane]
            for k in range(last - first):
                wins = np.int64(0)
                for lane in range(LANES):
                    wins |= np.int64(theirs[lane] <= place[k, lane]) << lane
                out[own_slot[first + k], wins, kind] += own_weight[first + k] * weights[i]


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
    available, pair_start, pair_code, pair_kind, pair_value, rank, where
):
    """The distinct keys of the rivals' splits, and the weight of each.

    ``where`` must be -1 for every key; it is left with the places of those found.
    """
    grande, chica, pares, last = pair_code[0], pair_code[1], pair_code[2], pair_code[3]
    of_grande, of_chica, of_pares, of_last = rank[0], rank[1], rank[2], rank[3]
    number = 0
    keys, weights = np.empty(1024, dtype=np.int64), np.empty(1024, dtype=np.int64)
    for part in range(len(available)):
        ways = np.int64(available[part])
        if ways == 0:
            continue
        for i in range(pair_start[part], pair_start[part + 1]):
            key = (
                pair_kind[i]
                + of_grande[grande[i]]
                + of_chica[chica[i]]
                + of_pares[pares[i]]
                + of_last[last[i]]
            )
            at = where[key]
            if at < 0:
                if number == len(keys):
                    keys = np.concatenate((keys, keys))
                    weights = np.concatenate((weights, weights))
                at = number
                where[key] = at
                keys[at] = key
                weights[at] = 0
                number += 1
            weights[at] += ways * pair_value[i]
    return keys[:number], weights[:number]
