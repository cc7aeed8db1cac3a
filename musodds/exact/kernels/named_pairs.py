"""The compiled loop over deals that keeps what every hand is named as."""

from __future__ import annotations

import numpy as np

from musodds.compiled import kernel
from musodds.exact.kernels.showdowns import (
    MOST_NAMINGS,
    named_outcome,
    refine,
    set_holds,
    set_nets,
)

_OUTCOMES = 1024
_SLOTS = 1 << 12
_UNKNOWN = -1
_BROKEN = -2


@kernel(allocates=True)
def count_named_pairs(  # type: ignore[no-untyped-def]
    available, part, ways, times, mine, side, seats, rival, other_rival, pairs, ours_found
):
    """Add the deals with one hand of the partner, by what all are named.

    Parameters are those of :func:`musodds.exact.kernels.showdowns.count_showdowns`, of one
    view; and ::

        times       weight of the partner's hand, int64
        mine        for each naming of our side that of the known hand, int64, (namings,)
        pairs       int64, shape (hands, other hands, 4), added to: by the naming of the known
                    hand, of the one and of the other rival, the last running fastest
        ours_found  int64, shape (namings,), added to: by the naming of our side

    Sums stay below 2**63 if the weight of all deals does.
    """
    ours, we_have, our_holder, we_keep = side
    codes, number, stones, kind, keeps = rival
    other_codes, other_number, other_stones, other_kind, other_keeps = other_rival
    holds = np.zeros(len(number), dtype=np.int64)
    other_holds = np.zeros(len(other_number), dtype=np.int64)
    nets = np.zeros((MOST_NAMINGS, _OUTCOMES), dtype=np.int8)
    group, other_group = kind.copy(), other_kind.copy()
    keys, values = np.empty(_SLOTS, dtype=np.int64), np.empty(_SLOTS, dtype=np.int64)
    set_holds(ours[0], we_have[0], codes[0], number, holds)
    set_holds(ours[0], we_have[0], other_codes[0], other_number, other_holds)
    groups = refine(holds, group, keys, values)
    others = refine(other_holds, other_group, keys, values)
    for o in range(we_have[0]):
        set_nets(ours[0, o], nets[o])
    scratch = np.empty((2, MOST_NAMINGS), dtype=np.int64)
    # What hands of two groups are named, found when it is first asked for.
    answers = np.full((groups, others), _UNKNOWN, dtype=np.int64)
    for hand in range(len(number)):
        for other in range(len(other_number)):
            split = ways[hand, other]
            if split == 0:
                continue
            worth = np.int64(available[part[hand, other]] * split) * times
            if worth == 0:
                continue
            answer = answers[group[hand], other_group[other]]
            if answer == _UNKNOWN:
                holder = seats[0, 0] if number[hand] > 1 else seats[0, 1]
                outcome = named_outcome(
                    nets, we_have[0], our_holder[0] < holder, seats[0, 0] < seats[0, 1],
                    holds[hand], other_holds[other], number[hand], other_number[other],
                    stones[hand], other_stones[other], scratch,
                )  # fmt: skip
                o, first, second = outcome >> 10 & 3, outcome >> 12 & 3, outcome >> 14
                code = (mine[o] * number[hand] + first) * other_number[other] + second
                answer = _BROKEN
                if we_keep[0, o] and keeps[0, hand, first] and other_keeps[0, other, second]:
                    answer = code << 2 | o
                answers[group[hand], other_group[other]] = answer
            if answer != _BROKEN:
                pairs[hand, other, answer >> 2] += worth
                ours_found[answer & 3] += worth
