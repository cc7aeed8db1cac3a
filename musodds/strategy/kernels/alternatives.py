"""Kernels that try every keep of a hand on the same deals.

The others' cards do not depend on what I keep: the stock is in random order, so it does
not matter who takes which of its cards, and a deal can be played for the others first.
What I draw is then any of the cards that are left with equal chance. So one deal of the
others' gives the expected result of every keep *exactly*, as a sum over what may be
drawn, and only the others' cards are sampled: far less noise than playing one draw, and
most of what is left is common to all keeps.

That holds for one round of mus in which the stock cannot run out. Otherwise every keep
is played on from the same deal with the same random numbers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from musodds.compiled import inlined, kernel
from musodds.simulation.kernels.before_mus import others_show
from musodds.simulation.kernels.dealing import (
    cards_thrown,
    deal,
    deal_known,
    draw_four,
    draws_of_four,
    exchange_slowly,
    play_mus,
)
from musodds.simulation.kernels.layout import CUT, MOVE_BITS
from musodds.simulation.kernels.naming import name_hands
from musodds.simulation.kernels.rng import accepted, seed_block
from musodds.strategy.kernels.rivalry import net_of, set_net, set_wins, size_up

U64 = np.uint64
_0, _1, _2, _3, _4 = map(U64, range(5))
_MOVE_BITS, _CUT, _THROWN = U64(MOVE_BITS), U64(CUT), U64(CUT - 1)


@inlined
def expect(tried, keeps, weight, net, value):  # type: ignore[no-untyped-def]
    """Set ``value`` to the expected net of every keep tried."""
    start, drawn, becomes = keeps.pair_start, keeps.pair_drawn, keeps.pair_class
    for i in range(len(tried)):
        expected = 0.0
        for pair in range(start[tried[i]], start[tried[i] + 1]):
            expected += weight[drawn[pair]] * net[becomes[pair]]
        value[i] = expected


@inlined
def expect_wins(tried, keeps, weight, wins, phases):  # type: ignore[no-untyped-def]
    """Add the chances of every keep tried to ``phases``, and their squares."""
    start, drawn, becomes = keeps.pair_start, keeps.pair_drawn, keeps.pair_class
    for i in range(len(tried)):
        a = b = c = d = e = 0.0
        for pair in range(start[tried[i]], start[tried[i] + 1]):
            chance, index = weight[drawn[pair]], becomes[pair]
            a += chance * wins[index, 0]
            b += chance * wins[index, 1]
            c += chance * wins[index, 2]
            d += chance * wins[index, 3]
            e += chance * wins[index, 4]
        for phase, win in enumerate((a, b, c, d, e)):
            phases[0, i, phase] += win
            phases[1, i, phase] += win * win


@kernel
def weigh_draws(weight, left, last, keeps):  # type: ignore[no-untyped-def]
    """Set ``weight`` to the chance of every draw below row ``last``, given what is left."""
    total = 0
    for kind in range(len(left)):
        total += left[kind]
    weight[0] = 1.0
    for d in range(1, last):
        number = keeps.number[d]
        weight[d] = weight[keeps.parent[d]] * (left[keeps.kind[d]] - number + 1) / number
    chance = 1.0
    for size in range(1, 5):
        chance *= size / (total - size + 1)
        for d in range(min(keeps.size_start[size], last), min(keeps.size_start[size + 1], last)):
            weight[d] *= chance


@inlined
def others_cut(hand, me, order, moves, tables):  # type: ignore[no-untyped-def]
    """Whether anybody but ``me`` cuts; after a card was seen (visto) nobody can."""
    cut = False
    if not tables.visto:
        for seat in range(len(order)):
            cut |= seat != me and moves[seat, hand[seat]] & _CUT != _0
    return cut


@inlined
def _draw(desk, pos, seat, move, tables):  # type: ignore[no-untyped-def]
    """One seat throws and draws; return how many cards have left the stock."""
    bits = accepted(desk.state, draws_of_four(U64(len(desk.deck)) - pos))
    c0, c1, c2, c3, _ = draw_four(desk.deck, bits, pos)
    thrown = move & _THROWN
    code = move >> _MOVE_BITS
    code += c0 * U64(thrown > _0)
    code += c1 * U64(thrown > _1)
    code += c2 * U64(thrown > _2)
    code += c3 * U64(thrown > _3)
    desk.hand[seat] = tables.class_of[code]
    return pos + thrown


@kernel
def others_exchange(desk, pos, me, order, moves, tables):  # type: ignore[no-untyped-def]
    """All but ``me`` throw and draw, where the stock cannot run out.

    Unlike the exchange of a game, a hand that cuts may throw nothing: what happens if
    mus is agreed is asked of every hand.
    """
    for seat in range(len(order)):
        if seat != me:
            pos = _draw(desk, pos, seat, moves[seat, desk.hand[seat]], tables)
    return pos


@kernel
def _start(desk, i, me, mine, known, order, tables):  # type: ignore[no-untyped-def]
    """Deal ``i`` of a block; return how many cards have left the stock.

    Where hands are shown, nobody else is dealt one.
    """
    if known is None:
        desk.hand[me] = U64(mine)
        again = True
        while again:
            pos = deal(desk, order, me, tables)
            again = others_show(desk.hand, me, tables)
    else:
        pos = deal_known(desk, known[0][i], known[1], order, tables)
    return pos


@inlined
def _count(number, cut, now):  # type: ignore[no-untyped-def]
    """Count a deal by what it brings if the cards are played as dealt."""
    number[0] += 1
    number[1] += not cut
    number[2] += now
    number[3] += now * now


class Asked(NamedTuple):
    """What is tried, and against what: the same in all blocks of a run.

    Attributes
    ----------
    me, mine : int
        My seat (from 0) and class.
    order, side_order : tuple of int
        As many as there are seats and sides, so that the compiler knows the numbers.
    policy : Moves
        What the others do.
    tables : Tables
    keeps : Keeps
    tried : ndarray of int64, shape (tried,)
        Rows of ``keeps``.
    most : int
        Rows of ``keeps.number`` that the keeps tried need.
    reach : ndarray of int64
        The classes that one of the keeps tried may become.
    learn : bool
        Whether deals in which another player would cut count only for saying mus.
    wins : bool
        Whether the phases are summed as well.
    bench : Bench
    """

    me: int
    mine: int
    order: tuple[int, ...]
    side_order: tuple[int, ...]
    policy: Any
    tables: Any
    keeps: Any
    tried: NDArray[np.int64]
    most: int
    reach: NDArray[np.int64]
    learn: bool
    wins: bool
    bench: Any


@inlined
def showdown(index, asked):  # type: ignore[no-untyped-def]
    """What the rivals show, and what the deal is worth with a hand of mine."""
    keeps = asked.keeps
    rivalry = size_up(asked.bench.desk.hand, asked.me, asked.order, asked.side_order, keeps)
    net = net_of(index, rivalry, keeps.lanes, keeps.stones, keeps.juego, asked.bench.worth)
    return rivalry, net


@inlined
def average(pos, asked):  # type: ignore[no-untyped-def]
    """Set the expected net of every keep, once the others have drawn; return the rivals'."""
    bench, keeps = asked.bench, asked.keeps
    desk, left = bench.desk, bench.left
    pos = others_exchange(desk, pos, asked.me, asked.order, asked.policy.moves, asked.tables)
    for kind in range(len(left)):
        left[kind] = 0
    for i in range(np.int64(pos), len(desk.deck)):
        left[bench.kind_of[desk.deck[i]]] += 1
    weigh_draws(bench.weight, left, asked.most, keeps)
    rivalry = size_up(desk.hand, asked.me, asked.order, asked.side_order, keeps)
    set_net(bench.net, asked.reach, rivalry, keeps, bench.worth)
    expect(asked.tried, keeps, bench.weight, bench.net, bench.value)
    return rivalry


@inlined
def add_nets(value, net_sum, products):  # type: ignore[no-untyped-def]
    """Add what every keep brings, and the products of any two."""
    for i in range(len(value)):
        net_sum[i] += value[i]
        for j in range(i + 1):
            products[i, j] += value[i] * value[j]


@inlined
def _add_gains(value, now, mus):  # type: ignore[no-untyped-def]
    """Add what saying mus gains where the others say it."""
    for i in range(len(value) - 1):
        gain = value[i] - now
        mus[0, i] += gain
        mus[1, i] += gain * gain
        mus[2, i] += gain * now


@kernel
def average_block(stream, deals, known, asked, sums):  # type: ignore[no-untyped-def]
    """One round of mus: the expected result of every keep tried, deal by deal.

    Parameters
    ----------
    stream : tuple of uint64
        The seed and the number of the block.
    deals : int
    known : tuple or None
        Hands as dealt, (deals, seats), and dead cards by kind; see
        :func:`musodds.simulation.kernels.dealing.deal_known`. None: nothing is known.
    asked : Asked
    sums : tuple of ndarray of float64
        Added to. (4,): deals, deals in which no other would cut, net stones if the
        cards are played as dealt and their squares. (tried + 1,): net stones, the last
        for the cards as dealt. (tried + 1, tried + 1): their products, below the
        diagonal. (3, tried): what saying mus gains when the others may cut, its squares,
        its product with the cards as dealt. (2, tried, 5): my side takes a phase, and
        squares.
    """
    number, net_sum, products, mus, phases = sums
    bench, tried, order, tables = asked.bench, asked.tried, asked.order, asked.tables
    desk, value = bench.desk, bench.value
    seed_block(desk.state, stream[0], stream[1])
    copy(bench.start, desk.deck)
    for deal_number in range(deals):
        pos = _start(desk, deal_number, asked.me, asked.mine, known, order, tables)
        cut = others_cut(desk.hand, asked.me, order, asked.policy.moves, tables)
        _, now = showdown(asked.mine, asked)
        value[len(tried)] = now
        _count(number, cut, now)
        if cut and asked.learn:
            # Nothing is gained on cutting: another player does.
            continue
        rivalry = average(pos, asked)
        if asked.wins:
            set_wins(bench.taken, rivalry, asked.keeps)
            expect_wins(tried, asked.keeps, bench.weight, bench.taken, phases)
        add_nets(value, net_sum, products)
        if not cut:
            _add_gains(value, now, mus)


@inlined
def _name(asked):  # type: ignore[no-untyped-def]
    """Name the jokers of all hands, if there may be any."""
    if len(asked.tables.namings):
        name_hands(asked.bench.desk.hand, asked.order, asked.side_order, asked.tables)


@inlined
def _throw(i, asked):  # type: ignore[no-untyped-def]
    """Let my policy be the keep in row ``i`` of those tried; return its move."""
    keeps, row, first, thrown = asked.keeps, asked.tried[i], asked.bench.first, _4
    for kind in range(len(asked.tables.codes)):
        first.keep[asked.me, asked.mine, kind] = keeps.kept[row, kind]
        thrown -= U64(keeps.kept[row, kind])
    move = (keeps.kept_codes[row] << _MOVE_BITS) | thrown
    first.moves[asked.me, asked.mine] = move
    return move


@inlined
def _add_wins(i, index, rivalry, keeps, phases):  # type: ignore[no-untyped-def]
    """Count the phases that my side takes with a hand."""
    takes = keeps.lanes[3, index] >= rivalry.last
    is_punto = rivalry.punto and keeps.lanes[3, index] < keeps.juego
    won = (
        keeps.lanes[0, index] >= rivalry.grande,
        keeps.lanes[1, index] >= rivalry.chica,
        keeps.lanes[2, index] >= rivalry.pares,
        takes and not is_punto,
        takes and is_punto,
    )
    for phase in range(5):
        phases[0, i, phase] += won[phase]
        phases[1, i, phase] += won[phase]


@kernel
def play_block(stream, deals, known, asked, rounds, sums):  # type: ignore[no-untyped-def]
    """Every keep tried, then up to ``rounds`` - 1 more rounds in which all play the policy.

    As :func:`average_block`, but each keep is played out, from the same deal and with
    the same random numbers.
    """
    number, net_sum, products, mus, phases = sums
    bench, order, policy, tables = asked.bench, asked.order, asked.policy, asked.tables
    desk, value, me = bench.desk, bench.value, asked.me
    hand = desk.hand
    seed_block(desk.state, stream[0], stream[1])
    for deal_number in range(deals):
        # What was tried last may have moved my cards from the front of the deck.
        copy(bench.start, desk.deck)
        begin = _start(desk, deal_number, me, asked.mine, known, order, tables)
        cut = others_cut(hand, me, order, policy.moves, tables)
        copy(hand, bench.hand)
        _name(asked)
        _, now = showdown(hand[me], asked)
        copy(bench.hand, hand)
        value[len(asked.tried)] = now
        _count(number, cut, now)
        if cut and asked.learn:
            # Nothing is gained on cutting: another player does.
            continue
        enough = begin + cards_thrown(hand, order, policy.moves) + _4 + _3 <= U64(len(desk.deck))
        if enough:
            begin = others_exchange(desk, begin, me, order, policy.moves, tables)
        copy(desk.hand, bench.hand)
        copy(desk.deck, bench.deck)
        copy(desk.state, bench.state)
        for i in range(len(asked.tried)):
            copy(bench.hand, desk.hand)
            copy(bench.deck, desk.deck)
            copy(bench.state, desk.state)
            move = _throw(i, asked)
            if enough:
                pos = _draw(desk, begin, me, move, tables)
            else:
                pos, _ = exchange_slowly(desk, begin, bench.first, tables)
            play_mus(desk, pos, rounds - 1, order, policy, tables)
            _name(asked)
            rivalry, value[i] = showdown(hand[me], asked)
            _add_wins(i, hand[me], rivalry, asked.keeps, phases)
        add_nets(value, net_sum, products)
        if not cut:
            _add_gains(value, now, mus)


@inlined
def copy(source, target):  # type: ignore[no-untyped-def]
    """Copy an array over another."""
    for i in range(len(source)):
        target[i] = source[i]
