"""The outcomes of every pair of speakers' hands, counted over their partners' hands."""

from __future__ import annotations

import numpy as np

from musodds.compiled import kernel

TOPS = np.uint64(0x8000_8000_8000_8000)
TO_BOTTOM = np.uint64(15)
GATHER = np.uint64(1 << 45 | 1 << 30 | 1 << 15 | 1)
GATHERED = np.uint64(45)
FOUR_BITS = np.uint64(15)


@kernel(allocates=True)
def count_pairs(pairs, mates, weight, first, second, deals, mine, theirs, group, groups, bins):  # type: ignore[no-untyped-def]
    """Fill ``bins[pair, mate group, rival group, wins]`` with the deals of each outcome.

    Parameters
    ----------
    pairs : int64 (pairs, 2)
        The speakers' hands; all pairs are made of the same cards.
    mates : int
        How many of the partners' pairs are given.
    weight : float64 (partners' pairs,)
        Ways to deal each.
    first, second : int32 (partners' pairs,)
    deals : float64 (pairs,)
        Ways to deal the speakers' hands.
    mine, theirs : uint64 (hands, hands)
        A side's codes by the speaker's and the partner's hand.
    group : int64 (hands,)
        What a partner's hand adds.
    bins : float64 (pairs, groups * groups * 16), zeros
    """
    for p in range(len(pairs)):
        a, b = mine[pairs[p, 0]], theirs[pairs[p, 1]]
        out, factor = bins[p], deals[p]
        for q in range(mates):
            k, other = first[q], second[q]
            not_above = ((a[k] | TOPS) - b[other] & TOPS) >> TO_BOTTOM
            wins = np.int64(not_above * GATHER >> GATHERED & FOUR_BITS)
            out[(group[k] * groups + group[other]) * 16 + wins] += weight[q]
        for i in range(len(out)):
            out[i] *= factor


@kernel(allocates=True)
def pack(bins, size, offset, class_of, classes, weights, at):  # type: ignore[no-untyped-def]
    """Append the bins that are not empty to ``classes`` and ``weights``; return the new end.

    ``class_of[offset of the pair + bin]`` is an outcome's number; ``size`` takes how many
    outcomes each pair has.
    """
    for p in range(len(bins)):
        begin = at
        for i in range(bins.shape[1]):
            if bins[p, i] > 0:
                classes[at] = class_of[offset[p], i]
                weights[at] = bins[p, i]
                at += 1
        size[p] = at - begin
    return at


@kernel(allocates=True)
def regroup(  # type: ignore[no-untyped-def]
    rows,
    columns,
    begin,
    size,
    classes,
    weights,
    part_of,
    part,
    number,
    start,
    out_class,
    out_weight,
):
    """Collect the outcomes of one part, pair by pair; with no room only count them.

    ``begin`` and ``size`` (hands, hands) say where a pair's outcomes are; ``rows`` and
    ``columns`` are the hands of either side in the order of the part's types.
    """
    at = 0
    for i in range(len(rows)):
        for j in range(len(columns)):
            a, b = rows[i], columns[j]
            start[i * len(columns) + j] = at
            for e in range(begin[a, b], begin[a, b] + size[a, b]):
                if part_of[classes[e]] == part:
                    if len(out_class):
                        out_class[at] = number[classes[e]]
                        out_weight[at] = weights[e]
                    at += 1
    start[len(rows) * len(columns)] = at
    return at


@kernel(fastmath={"reassoc", "contract", "nsz"}, allocates=True)
def weigh(start, classes, weights, worth, out):  # type: ignore[no-untyped-def]
    """``out[k, pair]``: Σ of weight times ``worth[class, k]`` over a pair's outcomes.

    16 columns at a time.
    """
    for pair in range(len(start) - 1):
        sums = np.zeros(16, np.float64)
        for e in range(start[pair], start[pair + 1]):
            row, factor = classes[e], weights[e]
            for k in range(16):
                sums[k] += factor * worth[row, k]
        for k in range(16):
            out[k, pair] = sums[k]


@kernel
def masses(begin, size, outcome, weight, part, out):  # type: ignore[no-untyped-def]
    """Add the chances of all pairs' outcomes to ``out[part, first, second]``.

    Parameters
    ----------
    begin, size : int64 (hands, hands)
        Where the entries of a pair are.
    outcome : uint16 (entries,)
    weight : float32 (entries,)
    part : int64 (outcomes,)
        The part of each outcome; -1 for those that are left out.
    out : float64 (parts, hands, hands)
    """
    for i in range(begin.shape[0]):
        for j in range(begin.shape[1]):
            for at in range(begin[i, j], begin[i, j] + size[i, j]):
                place = part[outcome[at]]
                if place >= 0:
                    out[place, i, j] += weight[at]
