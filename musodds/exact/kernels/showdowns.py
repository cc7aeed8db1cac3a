"""The compiled loop over showdowns in which hands are named.

With my side's hands fixed, a rival's hand matters by its *category* alone: which of our
codes it beats, for every way of naming on both sides, and its stones. The ways of the
splits are summed over the hands of one category of one rival, then of the other; what is
named is decided once for each two categories. Several *views* (a seat, or a way to name
my own hand) that see the same cards share the sums: their categories together are one.
"""

from __future__ import annotations

import numpy as np

from musodds.compiled import inlined, kernel

LANES = 4
"""Grande, chica, pares, and juego or else punto."""

PARES, JUEGO = 4, 5
"""Where the stones of a profile are: its codes in the lanes come first."""

MOST_NAMINGS = 4

_OUTCOMES = 1024
"""An outcome: lanes that we won (4 bits), their stones for juego (3), for pares (3)."""

OUTCOMES = MOST_NAMINGS * _OUTCOMES
"""Outcomes for each of our namings."""

_SLOTS = 1 << 12
_GOLDEN = np.uint64(0x9E37_79B9_7F4A_7C15)
_FAR = 1 << 20

_PARES_WON, _JUEGO_WON = 4, 8
_WIN, _LOSE, _VOID, _BEST, _CONTESTED, _WIN_CONTESTED, _FOR, _AGAINST = range(8)


@kernel(allocates=True)
def set_holds(ours, we_have, codes, number, holds):  # type: ignore[no-untyped-def]
    """Set ``holds[hand]``: the lanes that it leaves us, for every two namings."""
    for hand in range(len(number)):
        found = 0
        if we_have * number[hand] <= MOST_NAMINGS:
            for o in range(we_have):
                for t in range(number[hand]):
                    at = LANES * (o * number[hand] + t)
                    for lane in range(LANES):
                        if ours[o, lane] > codes[hand, t, lane]:
                            found |= 1 << (at + lane)
        holds[hand] = found


@kernel(allocates=True)
def refine(holds, group, keys, values):  # type: ignore[no-untyped-def]
    """Split groups of hands by what they leave us; the number of groups."""
    values[:] = -1
    number = 0
    for hand in range(len(group)):
        key = np.int64(group[hand]) << 16 | holds[hand]
        slot = np.int64((np.uint64(key) * _GOLDEN) >> np.uint64(52))
        while values[slot] >= 0 and keys[slot] != key:
            slot = (slot + 1) & (_SLOTS - 1)
        if values[slot] < 0:
            keys[slot], values[slot] = key, number
            number += 1
        group[hand] = values[slot]
    return number


@kernel(allocates=True)
def set_nets(ours, nets):  # type: ignore[no-untyped-def]
    """Net stones of every outcome of one of our namings, en paso (but for a constant)."""
    for k in range(_OUTCOMES):
        won, their_juego, their_pares = k >> 6, k >> 3 & 7, k & 7
        net = 2 * ((won & 1) + (won >> 1 & 1)) - their_pares
        if won & _PARES_WON:
            net += ours[PARES] + their_pares
        # Punto brings one stone where juego brings none.
        if won & _JUEGO_WON:
            net += ours[JUEGO] if ours[JUEGO] > 0 else 1
        else:
            net -= their_juego if their_juego > 0 else 1
        nets[k] = net


@inlined
def named_outcome(  # type: ignore[no-untyped-def]
    nets, we_have, we_name_first, first_is_outer, holds, other_holds, number, other_number,
    stones, other_stones, scratch,
):  # fmt: skip
    """The outcome, with every joker named as it will be, and above it what the rivals name.

    Who names first foresees the answer; of equals the first naming is taken.
    """
    they_have = number * other_number
    if we_have * they_have == 1:
        return (holds & other_holds) << 6 | (stones[0] + other_stones[0])
    at = 0
    for o in range(we_have):
        for outer in range(number if first_is_outer else other_number):
            for inner in range(other_number if first_is_outer else number):
                first, second = (outer, inner) if first_is_outer else (inner, outer)
                won = holds >> (LANES * (o * number + first))
                won &= other_holds >> (LANES * (o * other_number + second))
                outcome = (won & 15) << 6 | (stones[first] + other_stones[second])
                scratch[0, at] = nets[o, outcome]
                scratch[1, at] = second << 14 | first << 12 | o << 10 | outcome
                at += 1
    # What we name goes by rows of this table, what they name by columns.
    best, best_net = 0, -_FAR if we_name_first else _FAR
    if we_name_first:
        for o in range(we_have):
            least = o * they_have
            for t in range(least + 1, (o + 1) * they_have):
                least = t if scratch[0, t] < scratch[0, least] else least
            if scratch[0, least] > best_net:
                best, best_net = least, scratch[0, least]
    else:
        for t in range(they_have):
            most = t
            for o in range(t + they_have, at, they_have):
                most = o if scratch[0, o] > scratch[0, most] else most
            if scratch[0, most] < best_net:
                best, best_net = most, scratch[0, most]
    return scratch[1, best]


@kernel(allocates=True)
def count_showdowns(  # type: ignore[no-untyped-def]
    available, part, ways, side, seats, rival, other_rival, found
):
    """Count the outcomes for one pair of partners, with every joker named as it will be.

    A *profile* is a side, or a hand, with its jokers named: its codes in the lanes, then
    its stones for pares and for juego. Profiles are in the order in which equals are
    preferred.

    Parameters
    ----------
    available : ndarray of float64 (integers), shape (parts,)
        Ways to choose the rivals' cards.
    part : ndarray of int32, shape (hands, other hands)
        What two hands of the rivals are together.
    ways : ndarray of float64 (integers), shape (hands, other hands)
        Ways to split the part so; 0 where the deck does not have the cards.
    side : musodds.exact.named_deals.Ours
    seats : ndarray of int64, shape (views, 2)
        The rivals' seats.
    rival, other_rival : musodds.exact.named_deals.Rival
    found : ndarray of float64 (integers), shape (views, namings × outcomes)
        Added to.
    """
    ours, we_have, our_holder, we_keep = side
    codes, number, stones, kind, keeps = rival
    other_codes, other_number, other_stones, other_kind, other_keeps = other_rival
    views = len(ours)
    holds = np.zeros((views, len(number)), dtype=np.int64)
    other_holds = np.zeros((views, len(other_number)), dtype=np.int64)
    nets = np.zeros((views, MOST_NAMINGS, _OUTCOMES), dtype=np.int8)
    group, other_group = kind.copy(), other_kind.copy()
    keys, values = np.empty(_SLOTS, dtype=np.int64), np.empty(_SLOTS, dtype=np.int64)
    groups = others = 0
    for v in range(views):
        set_holds(ours[v], we_have[v], codes[v], number, holds[v])
        set_holds(ours[v], we_have[v], other_codes[v], other_number, other_holds[v])
        groups = refine(holds[v], group, keys, values)
        others = refine(other_holds[v], other_group, keys, values)
        for o in range(we_have[v]):
            set_nets(ours[v, o], nets[v, o])
    member = np.zeros(groups, dtype=np.int64)
    sums = np.zeros((groups, len(other_number)))
    for hand in range(len(number)):
        member[group[hand]] = hand
        total, split, chosen = sums[group[hand]], ways[hand], part[hand]
        for other in range(len(other_number)):
            total[other] += available[chosen[other]] * split[other]
    other_member = np.zeros(others, dtype=np.int64)
    other_member[other_group] = np.arange(len(other_number))
    cells, scratch = np.empty(others), np.empty((2, MOST_NAMINGS), dtype=np.int64)
    for g in range(groups):
        cells[:] = 0
        for other in range(len(other_number)):
            cells[other_group[other]] += sums[g, other]
        hand = member[g]
        for h in range(others):
            if cells[h] == 0:
                continue
            other = other_member[h]
            for v in range(views):
                holder = seats[v, 0] if number[hand] > 1 else seats[v, 1]
                outcome = named_outcome(
                    nets[v], we_have[v], our_holder[v] < holder, seats[v, 0] < seats[v, 1],
                    holds[v, hand], other_holds[v, other], number[hand], other_number[other],
                    stones[hand], other_stones[other], scratch,
                )  # fmt: skip
                o, first, second = outcome >> 10 & 3, outcome >> 12 & 3, outcome >> 14
                if we_keep[v, o] and keeps[v, hand, first] and other_keeps[v, other, second]:
                    found[v, outcome & OUTCOMES - 1] += cells[h]


@kernel(allocates=True)
def add_columns(found, ours, is_mine, counts):  # type: ignore[no-untyped-def]
    """Add the deals of every outcome to the columns of every phase.

    Parameters
    ----------
    found : ndarray of float64 (integers), shape (views, namings × outcomes)
    ours : ndarray of int64, shape (views, namings, 6)
    is_mine : ndarray of bool, shape (views, namings, lanes)
        Whether our best hand is mine.
    counts : ndarray of float64 (integers), shape (views, phases, columns)
        Added to.
    """
    for v in range(len(found)):
        for k in range(found.shape[1]):
            deals = found[v, k]
            if deals == 0:
                continue
            o, won, theirs = k // _OUTCOMES, k // 64 % 16, k % 64
            mine, of_phase = is_mine[v, o], counts[v]
            pares, juego = ours[v, o, PARES], ours[v, o, JUEGO]
            their_pares, their_juego = theirs % 8, theirs // 8
            for i in range(2):
                _add(of_phase[i], deals, won >> i & 1, mine[i], 1, 1, 1, 1)
            won_pares, last = won & _PARES_WON, won & _JUEGO_WON
            _add(of_phase[2], deals, won_pares, mine[2], pares, their_pares, pares, their_pares)
            _add(of_phase[3], deals, last, mine[3], juego, their_juego, juego, their_juego)
            punto = juego == 0 and their_juego == 0
            _add(of_phase[4], deals, last, mine[3], punto, punto, 1, 1)


@inlined
def _add(counts, deals, won, is_mine, we_play, they_play, our_stones, their_stones):  # type: ignore[no-untyped-def]
    """Add deals to the columns of one phase."""
    if we_play == 0 and they_play == 0:
        counts[_VOID] += deals
        return
    contested = we_play != 0 and they_play != 0
    if contested:
        counts[_CONTESTED] += deals
    if won:
        counts[_WIN] += deals
        counts[_FOR] += deals * our_stones
        if is_mine:
            counts[_BEST] += deals
        if contested:
            counts[_WIN_CONTESTED] += deals
    else:
        counts[_LOSE] += deals
        counts[_AGAINST] += deals * their_stones
