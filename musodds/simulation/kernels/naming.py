"""Kernels that name the jokers at the showdown, as :mod:`musodds.rules.jokers` says."""

from __future__ import annotations

import numpy as np

from musodds.compiled import inlined
from musodds.simulation.kernels.intrinsics import lanes_max
from musodds.simulation.kernels.layout import LANE_BITS, SEAT_BITS, STONE_BITS

U64 = np.uint64
_0, _1, _2 = U64(0), U64(1), U64(2)
_LANE, _STONE = U64(LANE_BITS), U64(STONE_BITS)
_LANES = U64(0x0001_0001_0001_0001)
_SEAT = U64((1 << SEAT_BITS) - 1)
_PHASE_STONES = U64((1 << STONE_BITS) - 1)
_LEAST = -1000


@inlined
def name_hands(hand, order, side_order, tables):  # type: ignore[no-untyped-def]
    """Put in place of each hand with jokers what its holder names it.

    At most two players hold one; they choose in order from mano, for their side.

    Parameters
    ----------
    hand : ndarray of uint64, shape (seats,)
        The class of each seat's hand; afterwards the row of ``tables.levels``.
    order, side_order : tuple of int
        As many as there are seats and sides, so that the compiler knows the numbers.
    tables : Tables
    """
    jokers = U64(len(tables.namings))
    first, second = -1, -1
    best, stones = _0, _0
    for seat in range(len(order)):
        if hand[seat] < jokers:
            first, second = (seat, second) if first < 0 else (first, seat)
        else:
            best, stones = _with(best, stones, seat, hand[seat], order, side_order, tables)
    if first < 0:
        return
    my_index = hand[first]
    most, chosen = _LEAST, _0
    for i in range(tables.number[my_index]):
        mine = U64(tables.namings[my_index, i])
        best_1, stones_1 = _with(best, stones, first, mine, order, side_order, tables)
        answer = _0
        if second < 0:
            net = net_of_mano(best_1, stones_1, order, side_order)
        else:
            answer, net = _answer(best_1, stones_1, second, hand[second], order, side_order, tables)
        value = net if first & 1 == 0 else -net
        if value > most:
            most = value
            hand[first] = mine
            chosen = answer
    if second >= 0:
        hand[second] = chosen


@inlined
def _answer(best, stones, seat, index, order, side_order, tables):  # type: ignore[no-untyped-def]
    """What the last holder names, all other hands known, and mano's net stones then."""
    chosen, most, net_then = _0, _LEAST, 0
    for i in range(tables.number[index]):
        named = U64(tables.namings[index, i])
        best_2, stones_2 = _with(best, stones, seat, named, order, side_order, tables)
        net = net_of_mano(best_2, stones_2, order, side_order)
        value = net if seat & 1 == 0 else -net
        if value > most:
            chosen, most, net_then = named, value, net
    return chosen, net_then


@inlined
def _with(best, stones, seat, row, order, side_order, tables):  # type: ignore[no-untyped-def]
    """The best levels and the sides' stones with one hand more."""
    rank = U64(len(order) - 1 - seat)
    best = lanes_max(best, tables.levels[row] + _LANES * rank)
    shift = U64(seat % len(side_order)) * U64(2 * STONE_BITS)
    return best, stones + (tables.stones[row] << shift)


@inlined
def net_of_mano(best, stones, order, side_order):  # type: ignore[no-untyped-def]
    """Net stones of mano's side, of two, when everybody passes.

    Parameters
    ----------
    best : uint64
        The highest levels of all hands, with the rank of the seat in each lane.
    stones : uint64
        The stones of either side, mano's in the lowest byte.
    """
    last_seat = U64(len(order) - 1)
    net = np.int64(0)
    for lane in range(4):
        rank = (best >> _LANE * U64(lane)) & _SEAT
        side = (last_seat - rank) & _1
        won = _1
        if lane >= 2:
            of_side = (
                stones >> side * U64(2 * STONE_BITS) + U64(lane - 2) * _STONE
            ) & _PHASE_STONES
            # In the last lane punto brings one stone where nobody has juego.
            won = of_side if lane == 2 or of_side != _0 else _1
        stones_won = np.int64(won)
        net += stones_won if side == _0 else -stones_won
    return net
