"""Deals that are bet on, and the walk of the public tree, when each player acts alone.

A walk forward finds the chance that each player says what leads to a point. What two
players would never say is left out, with all that follows: nothing there can matter to
any one player.
"""

from __future__ import annotations

import numpy as np

from musodds.compiled import kernel
from musodds.simulation.kernels.dealing import draw_four, draws_of_four
from musodds.simulation.kernels.intrinsics import lanes_max
from musodds.simulation.kernels.rng import accepted

U64 = np.uint64
_0, _1, _4 = U64(0), U64(1), U64(4)


@kernel(allocates=True)
def deal_contested(state, deck, pos, given, cards, root, hand):  # type: ignore[no-untyped-def]
    """Deal until the phase is bet on.

    Parameters
    ----------
    state : ndarray of uint64, shape (4,)
    deck : ndarray of uint64, shape (cards,)
    pos : uint64
        Where the stock begins; before it stand the cards that are given.
    given : int
        Bit i: the hand of seat i is given.
    cards : Cards
    root : ndarray of int64
    hand : ndarray of int64, shape (seats,)
        Set, but for the seats that are given.

    Returns
    -------
    first : int
        The first point of the tree.
    tried : int
        Deals it took, at most a million: then first is -1.
    """
    seats = len(hand)
    tried = 0
    while tried < 1_000_000:
        tried += 1
        at = pos
        for seat in range(seats):
            if given >> seat & 1 == 0:
                bits = accepted(state, draws_of_four(U64(deck.size) - at))
                c0, c1, c2, c3, bits = draw_four(deck, bits, at)
                hand[seat] = cards.class_of[c0 + c1 + c2 + c3]
                at += _4
        who = 0
        for seat in range(seats):
            who |= cards.able[hand[seat]] << seat
        first = root[who]
        if first >= 0:
            return first, tried
    return -1, tried


@kernel(allocates=True)
def outcome_of(cards, kinds, hand):  # type: ignore[no-untyped-def]
    """The outcome of the cards, numbered as by :func:`musodds.solver.each_payoff.payoffs`."""
    seats = len(hand)
    best = _0
    for seat in range(seats):
        best = lanes_max(best, cards.levels[seat, hand[seat]])
    wins = _0
    for lane in range(4):
        wins |= (best >> U64(16 * lane) & _1) << U64(lane)
    if seats == 2:
        mine = cards.pair[cards.group[hand[0]], 0]
        theirs = cards.pair[cards.group[hand[1]], 0]
    else:
        mine = cards.pair[cards.group[hand[0]], cards.group[hand[2]]]
        theirs = cards.pair[cards.group[hand[1]], cards.group[hand[3]]]
    return (mine * kinds + theirs) * 16 + np.int64(wins)


@kernel(allocates=True)
def walk(tree, policy, hand, first, reach, visited, value):  # type: ignore[no-untyped-def]
    """Set the chances that each player says what leads to each point that can matter.

    Parameters
    ----------
    tree : TreeArrays
    policy : ndarray, shape (seats, classes, slots)
    hand : ndarray of int64, shape (seats,)
    first : int
        The first point.
    reach : ndarray, shape (points, seats)
    visited : ndarray of int64, shape (points,)
    value : ndarray, shape (points,)
        Set to 0, also where nobody goes.

    Returns
    -------
    int
        How many points; their numbers are in ``visited``, later ones last.
    """
    seats = len(hand)
    found, point, end = 0, first, tree.end[first]
    for seat in range(seats):
        reach[first, seat] = 1.0
    while point < end:
        never = 0
        for seat in range(seats):
            never += reach[point, seat] == 0.0
        if never > 1:
            point = tree.end[point]
            continue
        visited[found] = point
        found += 1
        speaker, slot = tree.seat[point], tree.slot[point]
        for action in range(tree.number[point]):
            after = tree.child[point, action]
            if after >= 0:
                value[after] = 0.0
                for seat in range(seats):
                    reach[after, seat] = reach[point, seat]
                reach[after, speaker] *= policy[speaker, hand[speaker], slot + action]
        point += 1
    return found


@kernel(allocates=True)
def bring_to_front(deck, side, seats):  # type: ignore[no-untyped-def]
    """Bring the cards just dealt to a side to the front of the deck."""
    to = 0
    for seat in range(side, seats, 2):
        for card in range(4 * seat, 4 * seat + 4):
            deck[to], deck[card] = deck[card], deck[to]
            to += 1
