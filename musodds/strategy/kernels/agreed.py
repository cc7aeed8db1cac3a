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
from musodds.strategy.kernels.alternatives import add_nets, average, copy, showdown

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
def agreed_block(stream, deals, attempts, asked, sums):  # type: ignore[no-untyped-def]
    """The expected result of every keep tried, over deals in which all others say mus.

    Parameters
    ----------
    stream : tuple of uint64
        The seed and the number of the block.
    deals, attempts : int
        Stop after so many deals with mus, or so many in all.
    asked : Asked
    sums : tuple of ndarray of float64
        As of :func:`musodds.strategy.kernels.alternatives.average_block`, but (4,) is
        deals in all, deals with mus, and net stones as dealt and their squares in these;
        nothing is added to the last two.
    """
    number, net_sum, products, _, _ = sums
    bench = asked.bench
    desk, value = bench.desk, bench.value
    seed_block(desk.state, stream[0], stream[1])
    copy(bench.start, desk.deck)
    desk.hand[asked.me] = U64(asked.mine)
    tries, agreed = 0, 0
    while agreed < deals and tries < attempts:
        tries += 1
        pos = deal_once(desk, asked.me, asked.order, asked.policy.moves, asked.tables)
        if pos == _0:
            continue
        agreed += 1
        _, now = showdown(asked.mine, asked)
        value[len(asked.tried)] = now
        number[2] += now
        number[3] += now * now
        average(pos, asked)
        add_nets(value, net_sum, products)
    number[0] += tries
    number[1] += agreed
