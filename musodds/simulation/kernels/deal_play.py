"""The compiled loop of :mod:`musodds.stakes.deal_stones`: deals with mus, and who scores what."""

from __future__ import annotations

import numpy as np

from musodds.compiled import kernel
from musodds.simulation.kernels.before_mus import change_before
from musodds.simulation.kernels.dealing import deal, play_mus
from musodds.simulation.kernels.layout import LANE_BITS, STONE_BITS
from musodds.simulation.kernels.naming import name_hands
from musodds.simulation.kernels.rng import seed_block

U64 = np.uint64
_0 = U64(0)
_LANE = U64((1 << LANE_BITS) - 1)
_OWN = U64((1 << STONE_BITS) - 1)


@kernel
def play_deals(  # type: ignore[no-untyped-def]
    desk, stream, deals, rounds, order, side_order, policy, tables, named, scratch, counts
):
    """Play the deals of one block between two sides, en paso.

    Parameters
    ----------
    desk : Desk
        Its deck holds the whole deck.
    stream : tuple of uint64
        The seed and the number of the block.
    deals, rounds : int
        How many, and the most rounds of mus in each.
    order, side_order : tuple of int
        As many as there are seats and sides, so that the compiler knows the numbers.
    policy : Moves
    tables : Tables
    named : tuple or None
        An empty tuple where there are jokers, so that the compiler knows.
    scratch : tuple of uint64 (4,), int64 (4,), int64 (2, 2)
    counts : int64 (2, 2, 2 m + 1, 2 m + 1), added to
        Deals by who takes grande and chica (0: mano's side), and the stones of mano's
        side in pares and in juego or punto, from -m to m.
    """
    seed_block(desk.state, stream[0], stream[1])
    hand = desk.hand
    most = counts.shape[2] // 2
    best, winner, own = scratch
    for _ in range(deals):
        pos = deal(desk, order, None, tables)
        pos, _ = change_before(desk, pos, order, policy, tables)
        play_mus(desk, pos, rounds, order, policy, tables)
        if named is not None:
            name_hands(hand, order, side_order, tables)
        best[:] = _0
        own[:] = 0
        for seat in range(len(order)):
            index = hand[seat]
            rank = U64(len(order) - seat)
            for lane in range(4):
                code = ((tables.levels[index] >> U64(LANE_BITS * lane)) & _LANE) + rank
                if code > best[lane]:
                    best[lane], winner[lane] = code, seat & 1
            own[seat & 1, 0] += np.int64(tables.stones[index] & _OWN)
            own[seat & 1, 1] += np.int64((tables.stones[index] >> U64(STONE_BITS)) & _OWN)
        pares = own[winner[2], 0]
        # Nobody has juego: one stone, for punto.
        last = own[winner[3], 1] if own[0, 1] + own[1, 1] > 0 else 1
        pares = most - pares if winner[2] else most + pares
        last = most - last if winner[3] else most + last
        counts[winner[0], winner[1], pares, last] += 1
