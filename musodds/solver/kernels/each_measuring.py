"""What the strategies of a phase are worth, and what a player or a side would gain.

Sums over sampled deals, for each thing that a player may say last, of what the deal is
then worth times the chance that all *others* say what they must: what any strategy of
the player's brings is linear in them, so one set of sums does for his own strategy and
for the best response to the others'.
"""

from __future__ import annotations

import numpy as np

from musodds.compiled import kernel
from musodds.simulation.kernels.rng import seed_block
from musodds.solver.kernels.each_deals import bring_to_front, deal_contested, outcome_of, walk

_0, _2 = np.uint64(0), np.uint64(2)


@kernel(allocates=True)
def weigh(stream, deals, cards, tree, policy, worth, kinds, desk, sums, weights, spoken, moments):  # type: ignore[no-untyped-def]
    """Add up what each player's slots bring if he says them and the others play on.

    Parameters
    ----------
    stream, deals, cards, tree, policy, worth, kinds, desk
        As in :func:`musodds.solver.kernels.each_learning.learn`, in float64.
    sums : ndarray of float64, shape (seats, classes, slots)
        Set: for the last slot that a player says, mano's side's worth.
    weights : ndarray of float64, shape (seats, classes, slots)
        Added to, at the first slot of a point: the chance that the others lead there.
    spoken : ndarray of float64, shape (points, most actions)
        Added to: the chance that it is said.
    moments : ndarray of float64, shape (4,)
        Added to: deals tried; the value of the deal less that of passing, its square;
        the value.
    """
    state, deck, hand, reach, visited, value = desk
    seats = len(hand)
    sums[:] = 0.0
    seed_block(state, stream[0], stream[1])
    deck[:] = cards.deck
    for _ in range(deals):
        first, tried = deal_contested(state, deck, _0, 0, cards, tree.root, hand)
        pay = worth[outcome_of(cards, kinds, hand)]
        found, mean = walk(tree, policy, hand, first, reach, visited, value), 0.0
        for i in range(found):
            point = visited[i]
            speaker, slot = tree.seat[point], tree.slot[point]
            others = 1.0
            for seat in range(seats):
                if seat != speaker:
                    others *= reach[point, seat]
            weights[speaker, hand[speaker], slot] += others
            ends = 0.0
            for action in range(tree.number[point]):
                after = tree.child[point, action]
                said = policy[speaker, hand[speaker], slot + action]
                spoken[point, action] += others * reach[point, speaker] * said
                if after < 0:
                    ends += said * pay[~after]
                    sums[speaker, hand[speaker], slot + action] += others * pay[~after]
            mean += others * reach[point, speaker] * ends
            for seat in range(seats):
                if seat != speaker:
                    rest = ends
                    for other in range(seats):
                        if other != seat:
                            rest *= reach[point, other]
                    sums[seat, hand[seat], tree.last[point, seat]] += rest
        moments[0] += tried
        moments[1] += mean - pay[0]
        moments[2] += (mean - pay[0]) ** 2
        moments[3] += mean


@kernel(allocates=True)
def walk_against(side, tree, policy, hand, first, pay, theirs, sums, place, last):  # type: ignore[no-untyped-def]
    """Add what a deal brings a side by what it says last, the others playing on.

    Parameters
    ----------
    side : int
    tree, policy, hand, first
        As in :func:`musodds.solver.kernels.each_deals.walk`.
    pay : ndarray of float64, shape (endings,)
    theirs : ndarray of float64, shape (points,)
        Scratch: the chance that the others say what leads to a point.
    sums : ndarray of float64, shape (places,)
        Added to.
    place : ndarray of int64, shape (points,)
        Where the actions of a point begin among those of all points.
    last : ndarray of int64, shape (points, 2)
        The place of each side's last action before a point, 0 if there was none.
    """
    point, end = first, tree.end[first]
    theirs[first] = 1.0
    while point < end:
        chance = theirs[point]
        if chance == 0.0:
            point = tree.end[point]
            continue
        speaker, slot = tree.seat[point], tree.slot[point]
        for action in range(tree.number[point]):
            after, rest, own = tree.child[point, action], chance, last[point, side]
            if speaker & 1 == side:
                own = place[point] + action
            else:
                rest *= policy[speaker, hand[speaker], slot + action]
            if after >= 0:
                theirs[after] = rest
            else:
                sums[own] += rest * pay[~after]
        point += 1


@kernel(allocates=True)
def respond(side, tree, policy, hand, place, last, sums, plain):  # type: ignore[no-untyped-def]
    """What a side gains that chooses by some deals, on those deals and on fresh ones.

    Parameters
    ----------
    side, tree, policy, hand, place, last
        As in :func:`walk_against`.
    sums : ndarray of float64, shape (2, places)
        Of the deals it chooses by, and of fresh ones. Changed.
    plain : ndarray of float64, shape (2, places)
        Scratch: the same for the side's own strategies.

    Returns
    -------
    on_known, on_fresh : float
    """
    sign = 1.0 - 2.0 * side
    plain[:] = sums
    for point in range(len(tree.seat) - 1, -1, -1):
        speaker = tree.seat[point]
        if speaker & 1 != side:
            continue
        start, before, best = place[point], last[point, side], 0
        for action in range(tree.number[point]):
            said = policy[speaker, hand[speaker], tree.slot[point] + action]
            for half in range(2):
                plain[half, before] += said * plain[half, start + action]
            if sign * sums[0, start + action] > sign * sums[0, start + best]:
                best = action
        for half in range(2):
            sums[half, before] += sums[half, start + best]
    return sign * (sums[0, 0] - plain[0, 0]), sign * (sums[1, 0] - plain[1, 0])


@kernel(allocates=True)
def gain_of_side(  # type: ignore[no-untyped-def]
    side, stream, pairs, deals, cards, tree, policy, worth, kinds, desk, place, last, scratch, found
):
    """What a side that sees both its hands would gain, for sampled pairs of hands.

    Parameters
    ----------
    side, place, last
        As in :func:`walk_against`.
    stream, cards, tree, policy, worth, kinds, desk
        As in :func:`weigh`.
    pairs, deals : int
        Pairs of hands, and deals of the rivals for each: as many to choose by as to
        measure with.
    scratch : ndarray of float64, shape (2, 2, places)
    found : ndarray of float64, shape (4,)
        Added to: the gains on the deals chosen by and their squares, on fresh deals and
        their squares.
    """
    state, deck, hand, _reach, _visited, value = desk
    seats, fixed, sums = len(hand), 0, scratch[0]
    for seat in range(side, seats, 2):
        fixed |= 1 << seat
    seed_block(state, stream[0], stream[1])
    deck[:] = cards.deck
    for _ in range(pairs):
        deal_contested(state, deck, _0, 0, cards, tree.root, hand)
        bring_to_front(deck, side, seats)
        sums[:] = 0.0
        for half in range(2):
            for _ in range(deals):
                first, _tried = deal_contested(
                    state, deck, _2 * np.uint64(seats), fixed, cards, tree.root, hand
                )
                pay = worth[outcome_of(cards, kinds, hand)]
                walk_against(side, tree, policy, hand, first, pay, value, sums[half], place, last)
        on_known, on_fresh = respond(side, tree, policy, hand, place, last, sums, scratch[1])
        found[0] += on_known / deals
        found[1] += (on_known / deals) ** 2
        found[2] += on_fresh / deals
        found[3] += (on_fresh / deals) ** 2
