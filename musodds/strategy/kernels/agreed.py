"""The kernel that tries keeps where they are used: after a mus that all the others agreed to.

As :func:`musodds.strategy.kernels.alternatives.average_block`, but of the deals in which
another player cuts nothing is looked at: a deal is given up at the first hand that cuts.
"""

from __future__ import annotations

import numpy as np

from musodds.compiled import inlined, kernel
from musodds.simulation.kernels.before_mus import others_show
from musodds.simulation.kernels.dealing import draw_four, draws_of_four
from musodds.simulation.kernels.layout import CUT
from musodds.simulation.kernels.rng import accepted, seed_block
from musodds.strategy.kernels.alternatives import copy, expect, others_exchange, weigh_draws
from musodds.strategy.kernels.rivalry import net_of, set_net, size_up

U64 = np.uint64
_0, _4, _CUT = U64(0), U64(4), U64(CUT)


@inlined
def deal_once(desk, me, order, moves, tables):  # type: ignore[no-untyped-def]
    """Deal to the others, until one cuts; return how many cards have left the stock, or 0."""
    pos, agreed = _4, True
    for seat in range(len(order)):
        if seat != me and agreed:
            bits = accepted(desk.state, draws_of_four(U64(len(desk.deck)) - pos))
            c0, c1, c2, c3, _ = draw_four(desk.deck, bits, pos)
            index = tables.class_of[c0 + c1 + c2 + c3]
            desk.hand[seat] = index
            pos += _4
            agreed = moves[seat, index] & _CUT == _0
    return pos if agreed and not others_show(desk.hand, me, tables) else _0


@kernel
def agreed_block(  # type: ignore[no-untyped-def]
    seed, block, deals, attempts, me, mine, order, side_order, policy, tables, keeps, tried, most,
    reach, bench, sums,
):  # fmt: skip
    """The expected result of every keep tried, over deals in which all others say mus.

    Parameters
    ----------
    seed, block : uint64
        The stream.
    deals, attempts : int
        Stop after so many deals with mus, or so many in all.
    me, mine, order, side_order, policy, tables, keeps, tried, most, reach
        See :func:`musodds.strategy.kernels.alternatives.average_block`.
    bench : Bench
    sums : tuple of ndarray of float64
        As there, but (4,) is deals in all, deals with mus, and net stones as dealt and
        their squares in these; nothing is added to the last two.
    """
    number, net_sum, products, _, _ = sums
    desk, value, left = bench.desk, bench.value, bench.left
    hand = desk.hand
    seed_block(desk.state, seed, block)
    copy(bench.start, desk.deck)
    hand[me] = U64(mine)
    tries, agreed = 0, 0
    while agreed < deals and tries < attempts:
        tries += 1
        pos = deal_once(desk, me, order, policy.moves, tables)
        if pos == _0:
            continue
        agreed += 1
        rivalry = size_up(hand, me, order, side_order, keeps)
        now = net_of(mine, rivalry, keeps.lanes, keeps.stones, keeps.juego, bench.worth)
        value[len(tried)] = now
        number[2] += now
        number[3] += now * now
        pos = others_exchange(desk, pos, me, order, policy.moves, tables)
        for kind in range(len(left)):
            left[kind] = 0
        for i in range(np.int64(pos), len(desk.deck)):
            left[bench.kind_of[desk.deck[i]]] += 1
        weigh_draws(bench.weight, left, most, keeps)
        rivalry = size_up(hand, me, order, side_order, keeps)
        set_net(bench.net, reach, rivalry, keeps, bench.worth)
        expect(tried, keeps, bench.weight, bench.net, value)
        for i in range(len(value)):
            net_sum[i] += value[i]
            for j in range(i + 1):
                products[i, j] += value[i] * value[j]
    number[0] += tries
    number[1] += agreed
