"""The compiled loop over showdowns in which hands are named: every deal, one by one.

All numbers are small integers; the inner loops hold them as float32, which the compiler
turns into operations on many deals at once.
"""

from __future__ import annotations

import numpy as np
from numba import njit

F32 = np.float32

TILE = 64
"""Splits that are worked on at once; a tile's rows stand one after the other."""
ROWS = 6
"""Rows of a profile: codes in four lanes, stones for pares, stones for juego."""
MOST_NAMINGS = 4

_OUTCOMES = 1024
"""An outcome: lanes that we won (4 bits), their stones for juego (3), for pares (3)."""
OUTCOMES = MOST_NAMINGS * _OUTCOMES
"""Outcomes for each of our namings."""
_NET = MOST_NAMINGS * OUTCOMES
"""A choice is net stones × _NET, then the preference among equals, then the outcome."""
_FAR = F32(100 * _NET)
_ONE, _ZERO = F32(1), F32(0)

_PARES, _JUEGO = 4, 8
_WIN, _LOSE, _VOID, _BEST, _CONTESTED, _WIN_CONTESTED, _FOR, _AGAINST = range(8)

inlined = njit(inline="always")


@inlined
def _outcome(ours, profiles, k):  # type: ignore[no-untyped-def]
    """Net stones, and the outcome, of our profile against the one at ``k``."""
    grande = _ONE if ours[0] > F32(profiles[k]) else _ZERO
    chica = _ONE if ours[1] > F32(profiles[k + TILE]) else _ZERO
    pares = _ONE if ours[2] > F32(profiles[k + 2 * TILE]) else _ZERO
    last = _ONE if ours[3] > F32(profiles[k + 3 * TILE]) else _ZERO
    their_pares, their_juego = F32(profiles[k + 4 * TILE]), F32(profiles[k + 5 * TILE])
    # Punto brings one stone where juego brings none.
    for_last = their_juego if their_juego > _ZERO else _ONE
    our_last = ours[5] if ours[5] > _ZERO else _ONE
    net = F32(2) * (grande + chica) + pares * (ours[4] + their_pares) - their_pares
    net += last * (our_last + for_last) - for_last
    won = grande + F32(2) * chica + F32(4) * pares + F32(8) * last
    return net, won * F32(64) + their_juego * F32(8) + their_pares


@njit(cache=True, nogil=True, fastmath=True)
def _choose(ours, we_have, profiles, at, they_have, our_turn, chosen):  # type: ignore[no-untyped-def]
    """Set ``chosen`` to each split's outcome, with our naming × _OUTCOMES added.

    Parameters
    ----------
    ours : ndarray of float32, shape (namings, ROWS)
    we_have : int
    profiles : ndarray of uint16, flat
    at : int
        Where the tile begins.
    they_have : int
    our_turn : ndarray of float32, shape (TILE,)
        Whether we name first (1) where both sides have two namings.
    chosen : ndarray of float32, shape (TILE,)
    """
    if we_have == 1:
        # They take the least for us, of equals the first.
        for i in range(TILE):
            chosen[i] = _FAR
        for t in range(they_have):
            base, order = at + t * ROWS * TILE, F32(t * OUTCOMES)
            for i in range(TILE):
                net, outcome = _outcome(ours[0], profiles, base + i)
                key = net * F32(_NET) + order + outcome
                chosen[i] = key if key < chosen[i] else chosen[i]
    elif they_have == 1:
        for i in range(TILE):
            chosen[i] = -_FAR
        for o in range(we_have):
            order = F32((MOST_NAMINGS - 1 - o) * OUTCOMES + o * _OUTCOMES)
            for i in range(TILE):
                net, outcome = _outcome(ours[o], profiles, at + i)
                key = net * F32(_NET) + order + outcome
                chosen[i] = key if key > chosen[i] else chosen[i]
    else:
        # One joker on each side: who names first knows the answer.
        other = at + ROWS * TILE
        for i in range(TILE):
            n00, x00 = _outcome(ours[0], profiles, at + i)
            n01, x01 = _outcome(ours[0], profiles, other + i)
            n10, x10 = _outcome(ours[1], profiles, at + i)
            n11, x11 = _outcome(ours[1], profiles, other + i)
            x10, x11 = x10 + F32(_OUTCOMES), x11 + F32(_OUTCOMES)
            if_0, net_0 = (x01, n01) if n01 < n00 else (x00, n00)
            if_1, net_1 = (x11, n11) if n11 < n10 else (x10, n10)
            we_first = if_1 if net_1 > net_0 else if_0
            if_0, net_0 = (x10, n10) if n10 > n00 else (x00, n00)
            if_1, net_1 = (x11, n11) if n11 > n01 else (x01, n01)
            they_first = if_1 if net_1 < net_0 else if_0
            chosen[i] = we_first if our_turn[i] > _ZERO else they_first


@njit(cache=True, nogil=True)
def count_showdowns(  # type: ignore[no-untyped-def]
    available, ours, we_have, our_holder, profiles, they_have, holder, part_of, values, found,
):  # fmt: skip
    """Count the outcomes of each hand of the partner, with every joker named as it will be.

    A *profile* is a side with its jokers named, see ROWS. A side's profiles are in the
    order in which equals are preferred; if both sides have several, the side whose
    holder speaks first names first.

    Parameters
    ----------
    available : ndarray of float64 (integers), shape (mates, parts)
        Ways to choose the rivals' cards.
    ours : ndarray of float32, shape (mates, namings, ROWS)
    we_have : ndarray of int64, shape (mates,)
        How many namings there are of our side.
    our_holder : ndarray of int64, shape (mates,)
        The first seat with a joker.
    profiles : ndarray of uint16, shape (tiles × namings × ROWS × TILE,)
        The rivals', for splits that all have as many namings.
    they_have : int
    holder : ndarray of int64, shape (tiles × TILE,)
    part_of : ndarray of int32, shape (tiles × TILE,)
    values : ndarray of float32 (integers), shape (tiles × TILE,)
        Ways to split the part so.
    found : ndarray of float64 (integers), shape (mates, namings × outcomes)
        Added to.
    """
    chosen, our_turn = np.empty(TILE, dtype=np.float32), np.zeros(TILE, dtype=np.float32)
    for mate in range(len(available)):
        ways, counted, number = available[mate], found[mate], we_have[mate]
        if number * they_have > MOST_NAMINGS:
            continue  # More jokers than there are.
        for start in range(0, len(values), TILE):
            if number > 1 and they_have > 1:
                for i in range(TILE):
                    our_turn[i] = our_holder[mate] < holder[start + i]
            at = start * they_have * ROWS
            _choose(ours[mate], number, profiles, at, they_have, our_turn, chosen)
            for i in range(TILE):
                outcome = np.int64(chosen[i]) & (OUTCOMES - 1)
                counted[outcome] += ways[part_of[start + i]] * values[start + i]


@njit(cache=True, nogil=True)
def add_columns(found, ours, is_mine, counts):  # type: ignore[no-untyped-def]
    """Add the deals of every outcome to the columns of every phase.

    Parameters
    ----------
    found : ndarray of float64 (integers), shape (mates, namings × outcomes)
    ours : ndarray of float32, shape (mates, namings, ROWS)
    is_mine : ndarray of bool, shape (mates, namings, lanes)
        Whether our best hand is mine.
    counts : ndarray of float64 (integers), shape (mates, phases, columns)
        Added to.
    """
    for mate in range(len(found)):
        for k in range(found.shape[1]):
            deals = found[mate, k]
            if deals == 0:
                continue
            o, won, theirs = k // _OUTCOMES, k // 64 % 16, k % 64
            mine, of_phase = is_mine[mate, o], counts[mate]
            pares, juego = ours[mate, o, 4], ours[mate, o, 5]
            their_pares, their_juego = theirs % 8, theirs // 8
            for i in range(2):
                _add(of_phase[i], deals, won >> i & 1, mine[i], 1, 1, 1, 1)
            _add(of_phase[2], deals, won & _PARES, mine[2], pares, their_pares, pares, their_pares)
            _add(of_phase[3], deals, won & _JUEGO, mine[3], juego, their_juego, juego, their_juego)
            punto = juego == 0 and their_juego == 0
            _add(of_phase[4], deals, won & _JUEGO, mine[3], punto, punto, 1, 1)


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
