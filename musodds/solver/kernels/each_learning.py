"""Discounted CFR on sampled deals: regrets of a block of deals, and the step they make."""

from __future__ import annotations

import numpy as np

from musodds.compiled import kernel
from musodds.simulation.kernels.rng import seed_block
from musodds.solver.kernels.each_deals import deal_contested, outcome_of, walk

_0 = np.uint64(0)
_NONE, _ONE, _LEAST_SUM, _LEAST_SHARE = map(np.float32, (0.0, 1.0, 1e-20, 1e-5))


@kernel(allocates=True)
def learn(side, stream, deals, cards, tree, policy, worth, kinds, desk, gain):  # type: ignore[no-untyped-def]
    """Add up, over the deals of a block, what each action would gain over the strategy.

    Parameters
    ----------
    side : int
        Whose players learn.
    stream : tuple of uint64
        Seed and block.
    deals : int
        In which the phase is bet on.
    cards : Cards
    tree : TreeArrays
    policy : ndarray of float32, shape (seats, classes, slots)
    worth : ndarray of float32, shape (outcomes, endings)
    kinds : int
    desk : Desk
    gain : ndarray of float32, shape (seats, classes, slots)
        Set: counterfactual regrets of that side's players.
    """
    state, deck, hand, reach, visited, value = desk
    seats = len(hand)
    for seat in range(side, seats, 2):
        gain[seat] = 0.0
    seed_block(state, stream[0], stream[1])
    deck[:] = cards.deck
    for _ in range(deals):
        first, _tried = deal_contested(state, deck, _0, 0, cards, tree.root, hand)
        pay = worth[outcome_of(cards, kinds, hand)]
        found = walk(tree, policy, hand, first, reach, visited, value)
        for i in range(found - 1, -1, -1):
            point = visited[i]
            speaker, slot, number = tree.seat[point], tree.slot[point], tree.number[point]
            said, mean = policy[speaker, hand[speaker]], _NONE
            for action in range(number):
                after = tree.child[point, action]
                mean += said[slot + action] * (pay[~after] if after < 0 else value[after])
            value[point] = mean
            if speaker & 1 != side:
                continue
            others = np.float32(1 - 2 * side)
            for seat in range(seats):
                if seat != speaker:
                    others *= reach[point, seat]
            into = gain[speaker, hand[speaker]]
            for action in range(number):
                after = tree.child[point, action]
                got = pay[~after] if after < 0 else value[after]
                into[slot + action] += others * (got - mean)


@kernel(allocates=True)
def improve(seat, held_by, tree, own, gains, keep, weight, regret, policy, average):  # type: ignore[no-untyped-def]
    """One step of discounted CFR for a player: average, regrets, strategy.

    Parameters
    ----------
    seat : int
    held_by : ndarray of int64
        The classes that take part in the phase.
    tree : TreeArrays
    own : ndarray of float64, shape (slots,)
        Scratch: the chance that the player says all that leads through a slot.
    gains : ndarray of float32, shape (blocks, seats, classes, slots)
        This iteration's regrets, block by block.
    keep : tuple of float
        By what positive and negative regrets of before are multiplied.
    weight : float
        Of this iteration's strategy in the average.
    regret, policy : ndarray of float32, shape (seats, classes, slots)
    average : ndarray of float64, shape (seats, classes, slots)
        Changed, as regret and policy are.
    """
    for held in held_by:
        now, total, sums = policy[seat, held], average[seat, held], regret[seat, held]
        own[0] = 1.0
        for point in range(len(tree.seat)):
            if tree.seat[point] != seat:
                continue
            slot, end = tree.slot[point], tree.slot[point] + tree.number[point]
            reached, positive = own[tree.last[point, seat]], _NONE
            for at in range(slot, end):
                own[at] = reached * now[at]
                total[at] += weight * own[at]
                sums[at] *= np.float32(keep[0] if sums[at] > 0 else keep[1])
                for block in range(len(gains)):
                    sums[at] += gains[block, seat, held, at]
                positive += max(sums[at], _NONE)
            # Regrets too small to be divided by are no regrets.
            if positive < _LEAST_SUM:
                for at in range(slot, end):
                    now[at] = _ONE / np.float32(end - slot)
                continue
            for at in range(slot, end):
                share = sums[at] / positive
                # Rarer words cost time: products of them are no ordinary numbers.
                now[at] = share if share > _LEAST_SHARE else _NONE
