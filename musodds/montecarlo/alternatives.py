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

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from musodds.games import Game
from musodds.hands import hands
from musodds.montecarlo._jit import inlined, kernel
from musodds.montecarlo.before_mus import others_show
from musodds.montecarlo.dealing import (
    Desk,
    cards_thrown,
    deal,
    deal_known,
    draw_four,
    draws_of_four,
    exchange,
    exchange_slowly,
    first_cut,
)
from musodds.montecarlo.keeps import pack_keeps
from musodds.montecarlo.naming import name_hands
from musodds.montecarlo.packing import CUT, MOVE_BITS, Moves, pack_game
from musodds.montecarlo.rng import accepted, seed_block

U64 = np.uint64
_0, _1, _2, _3, _4 = map(U64, range(5))
_MOVE_BITS, _CUT, _THROWN = U64(MOVE_BITS), U64(CUT), U64(CUT - 1)


class Bench(NamedTuple):
    """Room that the kernels work in; see :func:`bench`.

    Attributes
    ----------
    desk : Desk
    start : ndarray of uint64, shape (cards,)
        The deck, my cards first.
    kind_of : ndarray of int64, shape (highest code + 1,)
        The kind of a card by its code.
    left : ndarray of int64, shape (kinds,)
        What stays in the stock.
    weight : ndarray of float64, shape (drawn,)
        The chance of every draw.
    net : ndarray of float64, shape (classes,)
    taken : ndarray of float64, shape (classes, 5)
        What every class is worth, and the phases my side takes with it.
    value : ndarray of float64, shape (tried + 1,)
    hand, deck, state : ndarray of uint64
        The desk as it was before the keeps are tried.
    first : Moves
        The policy, but for the keep tried.
    worth : ndarray of float64, shape (2, 2, 2 m + 1, 2 m + 1)
        See :func:`stones_worth`.
    """

    desk: Desk
    start: NDArray[np.uint64]
    kind_of: NDArray[np.int64]
    left: NDArray[np.int64]
    weight: NDArray[np.float64]
    net: NDArray[np.float64]
    taken: NDArray[np.float64]
    value: NDArray[np.float64]
    hand: NDArray[np.uint64]
    deck: NDArray[np.uint64]
    state: NDArray[np.uint64]
    first: Moves
    worth: NDArray[np.float64]


def stones_worth(game: Game) -> NDArray[np.float64]:
    """What a deal is worth if stones are: my side's net.

    Returns
    -------
    ndarray of float64, shape (2, 2, 2 m + 1, 2 m + 1)
        By whether my side takes grande and chica (1: it does), and the stones that it
        scores in pares, and in juego or punto, from -m (the other side does) to m.
    """
    own = hands(game).stones
    most = game.side_size * max(int(own[phase].max()) for phase in ("pares", "juego"))
    takes, scores = np.array([-1.0, 1.0]), np.arange(-most, most + 1.0)
    grande, chica, pares, last = np.meshgrid(takes, takes, scores, scores, indexing="ij")
    found: NDArray[np.float64] = grande + chica + pares + last
    return found


def bench(game: Game, index: int, tried: int, policy: Moves, worth: NDArray[np.float64]) -> Bench:
    """Room for trying so many keeps of a hand, whose cards come first in the deck."""
    tables, keeps = pack_game(game), pack_keeps(game)
    own = tables.counts[index]
    deck = np.repeat(np.tile(tables.codes, 2), np.concatenate((own, tables.copies - own)))
    state, hand = np.zeros(4, dtype=np.uint64), np.zeros(game.seats, dtype=np.uint64)
    kind_of = np.zeros(int(tables.codes.max()) + 1, dtype=np.int64)
    kind_of[tables.codes.astype(np.int64)] = np.arange(len(tables.codes))
    scratch = np.zeros(len(tables.codes), dtype=np.int64)
    return Bench(
        Desk(state, deck, hand, np.zeros(3, dtype=np.uint64), scratch),
        deck.copy(),
        kind_of,
        np.zeros(len(tables.codes), dtype=np.int64),
        np.zeros(len(keeps.parent)),
        np.zeros(keeps.lanes.shape[1]),
        np.zeros((keeps.lanes.shape[1], 5)),
        np.zeros(tried + 1),
        hand.copy(),
        deck.copy(),
        state.copy(),
        Moves(policy.moves.copy(), policy.keep.copy()),
        worth,
    )


def empty_sums(tried: int) -> tuple[NDArray[np.float64], ...]:
    """What the kernels add to; see :func:`average_block`."""
    shapes = ((4,), (tried + 1,), (tried + 1, tried + 1), (3, tried), (2, tried, 5))
    return tuple(np.zeros(shape) for shape in shapes)


class Rivalry(NamedTuple):
    """What the others hold, as far as one more hand need know.

    Attributes
    ----------
    grande, chica, pares, last : int
        The lowest level with which my side takes each lane; 0 if it does anyway.
    mates_pares, mates_juego : int
        Stones that my partners add.
    rivals_pares, rivals_juego : int
        Stones that the rivals score if they take it.
    punto : bool
        Whether none of the others has juego.
    """

    grande: int
    chica: int
    pares: int
    last: int
    mates_pares: int
    mates_juego: int
    rivals_pares: int
    rivals_juego: int
    punto: bool


@inlined
def size_up(hand, me, order, side_order, keeps):  # type: ignore[no-untyped-def]
    """The Rivalry that seat ``me`` (from 0) is up against when the others hold ``hand``."""
    grande, _, _, _ = _lane(0, hand, me, order, side_order, keeps)
    chica, _, _, _ = _lane(1, hand, me, order, side_order, keeps)
    pares, mates_pares, rivals_pares, _ = _lane(2, hand, me, order, side_order, keeps)
    last, mates_juego, rivals_juego, best = _lane(3, hand, me, order, side_order, keeps)
    return Rivalry(
        grande, chica, pares, last, mates_pares, mates_juego, rivals_pares, rivals_juego,
        best < keeps.juego,
    )  # fmt: skip


@inlined
def _lane(lane, hand, me, order, side_order, keeps):  # type: ignore[no-untyped-def]
    """Least level of mine, partners' stones, rivals' stones, and the others' best level."""
    sides = len(side_order)
    best, holder = np.int64(-1), 0
    for seat in range(len(order)):
        if seat != me and keeps.lanes[lane, hand[seat]] > best:
            best, holder = np.int64(keeps.lanes[lane, hand[seat]]), seat
    # Level 0 takes no part: if nobody has pares, nobody scores.
    least = max(best if me < holder else best + 1, 1)
    ours = holder % sides == me % sides and best > 0
    mates, rivals = np.int64(0), np.int64(0)
    if lane >= 2:
        for seat in range(len(order)):
            own = keeps.stones[lane - 2, hand[seat]]
            if seat != me and seat % sides == me % sides:
                mates += own
            if seat != me and seat % sides == holder % sides and not ours:
                rivals += own
    return 0 if ours else least, mates, rivals, best


@inlined
def net_of(index, rivalry, lanes, stones, juego, worth):  # type: ignore[no-untyped-def]
    """What the deal is worth en paso if I hold class ``index``; net stones by default."""
    grande = np.int64(lanes[0, index] >= rivalry.grande)
    chica = np.int64(lanes[1, index] >= rivalry.chica)
    pares = -rivalry.rivals_pares
    if lanes[2, index] >= rivalry.pares:
        pares = stones[0, index] + rivalry.mates_pares
    level = lanes[3, index]
    takes = level >= rivalry.last
    if rivalry.punto and level < juego:
        last = np.int64(1) if takes else np.int64(-1)
    elif takes:
        last = stones[1, index] + rivalry.mates_juego
    else:
        last = -rivalry.rivals_juego
    most = worth.shape[2] // 2
    return worth[grande, chica, most + pares, most + last]


@inlined
def set_net(net, rivalry, keeps, worth):  # type: ignore[no-untyped-def]
    """Set ``net`` for every class that I may hold."""
    lanes, stones, juego = keeps.lanes, keeps.stones, keeps.juego
    for index in range(len(net)):
        net[index] = net_of(index, rivalry, lanes, stones, juego, worth)


@inlined
def set_wins(wins, rivalry, keeps):  # type: ignore[no-untyped-def]
    """Set ``wins`` for every class that I may hold: whether my side takes each phase."""
    lanes, juego = keeps.lanes, keeps.juego
    for index in range(len(wins)):
        wins[index, 0] = lanes[0, index] >= rivalry.grande
        wins[index, 1] = lanes[1, index] >= rivalry.chica
        wins[index, 2] = lanes[2, index] >= rivalry.pares
        takes = lanes[3, index] >= rivalry.last
        is_punto = rivalry.punto and lanes[3, index] < juego
        wins[index, 3] = takes and not is_punto
        wins[index, 4] = takes and is_punto


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


@inlined
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


@inlined
def others_exchange(desk, pos, me, order, moves, tables):  # type: ignore[no-untyped-def]
    """All but ``me`` throw and draw, where the stock cannot run out.

    Unlike the exchange of a game, a hand that cuts may throw nothing: what happens if
    mus is agreed is asked of every hand.
    """
    for seat in range(len(order)):
        if seat != me:
            pos = _draw(desk, pos, seat, moves[seat, desk.hand[seat]], tables)
    return pos


@inlined
def _start(desk, i, me, mine, known, order, tables):  # type: ignore[no-untyped-def]
    """Deal ``i`` of a block; return how many cards have left the stock.

    Where hands are shown, nobody else is dealt one.
    """
    if known is None:
        desk.hand[me] = U64(mine)
        pos = deal(desk, order, me, tables)
        while others_show(desk.hand, me, tables):
            pos = deal(desk, order, me, tables)
    else:
        pos = deal_known(desk, known[0][i], known[1], order, tables)
    return pos


@kernel
def average_block(  # type: ignore[no-untyped-def]
    seed, block, deals, known, me, mine, order, side_order, policy, tables, keeps, tried, most,
    learn, wins, bench, sums,
):  # fmt: skip
    """One round of mus: the expected result of every keep tried, deal by deal.

    Parameters
    ----------
    seed, block : uint64
        The stream.
    deals : int
    known : tuple or None
        Hands as dealt, (deals, seats), and dead cards by kind; see
        :func:`musodds.montecarlo.dealing.deal_known`. None: nothing is known.
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
    learn : bool
        Whether deals in which another player would cut count only for saying mus.
    wins : bool
        Whether the phases are summed as well.
    bench : Bench
    sums : tuple of ndarray of float64
        Added to. (4,): deals, deals in which no other would cut, net stones if the
        cards are played as dealt and their squares. (tried + 1,): net stones, the last
        for the cards as dealt. (tried + 1, tried + 1): their products, below the
        diagonal. (3, tried): what saying mus gains when the others may cut, its squares,
        its product with the cards as dealt. (2, tried, 5): my side takes a phase, and
        squares.
    """
    number, net_sum, products, mus, phases = sums
    desk, value, left = bench.desk, bench.value, bench.left
    hand = desk.hand
    seed_block(desk.state, seed, block)
    copy(bench.start, desk.deck)
    for deal_number in range(deals):
        pos = _start(desk, deal_number, me, mine, known, order, tables)
        cut = others_cut(hand, me, order, policy.moves, tables)
        rivalry = size_up(hand, me, order, side_order, keeps)
        now = net_of(mine, rivalry, keeps.lanes, keeps.stones, keeps.juego, bench.worth)
        value[len(tried)] = now
        number[0] += 1
        number[1] += not cut
        number[2] += now
        number[3] += now * now
        if cut and learn:
            # Nothing is gained on cutting: another player does.
            continue
        pos = others_exchange(desk, pos, me, order, policy.moves, tables)
        for kind in range(len(left)):
            left[kind] = 0
        for i in range(np.int64(pos), len(desk.deck)):
            left[bench.kind_of[desk.deck[i]]] += 1
        weigh_draws(bench.weight, left, most, keeps)
        rivalry = size_up(hand, me, order, side_order, keeps)
        set_net(bench.net, rivalry, keeps, bench.worth)
        expect(tried, keeps, bench.weight, bench.net, value)
        if wins:
            set_wins(bench.taken, rivalry, keeps)
            expect_wins(tried, keeps, bench.weight, bench.taken, phases)
        _add(value, now, cut, net_sum, products, mus)


@inlined
def _add(value, now, cut, net_sum, products, mus):  # type: ignore[no-untyped-def]
    for i in range(len(value)):
        net_sum[i] += value[i]
        for j in range(i + 1):
            products[i, j] += value[i] * value[j]
    if not cut:
        for i in range(len(value) - 1):
            gain = value[i] - now
            mus[0, i] += gain
            mus[1, i] += gain * gain
            mus[2, i] += gain * now


@kernel
def play_block(  # type: ignore[no-untyped-def]
    seed, block, deals, known, me, mine, order, side_order, policy, tables, keeps, tried, learn,
    rounds, bench, sums,
):  # fmt: skip
    """Every keep tried, then up to ``rounds`` - 1 more rounds in which all play the policy.

    As :func:`average_block`, but each keep is played out, from the same deal and with
    the same random numbers.
    """
    number, net_sum, products, mus, phases = sums
    desk, value, first = bench.desk, bench.value, bench.first
    hand = desk.hand
    seed_block(desk.state, seed, block)
    for deal_number in range(deals):
        # What was tried last may have moved my cards from the front of the deck.
        copy(bench.start, desk.deck)
        begin = _start(desk, deal_number, me, mine, known, order, tables)
        cut = others_cut(hand, me, order, policy.moves, tables)
        copy(hand, bench.hand)
        if len(tables.namings):
            name_hands(hand, order, side_order, tables)
        rivalry = size_up(hand, me, order, side_order, keeps)
        now = net_of(hand[me], rivalry, keeps.lanes, keeps.stones, keeps.juego, bench.worth)
        copy(bench.hand, hand)
        value[len(tried)] = now
        number[0] += 1
        number[1] += not cut
        number[2] += now
        number[3] += now * now
        if cut and learn:
            # Nothing is gained on cutting: another player does.
            continue
        enough = begin + cards_thrown(hand, order, policy.moves) + _4 + _3 <= U64(len(desk.deck))
        if enough:
            begin = others_exchange(desk, begin, me, order, policy.moves, tables)
        copy(desk.hand, bench.hand)
        copy(desk.deck, bench.deck)
        copy(desk.state, bench.state)
        for i in range(len(tried)):
            copy(bench.hand, desk.hand)
            copy(bench.deck, desk.deck)
            copy(bench.state, desk.state)
            thrown = _4
            for kind in range(len(tables.codes)):
                first.keep[me, mine, kind] = keeps.kept[tried[i], kind]
                thrown -= U64(keeps.kept[tried[i], kind])
            first.moves[me, mine] = (keeps.kept_codes[tried[i]] << _MOVE_BITS) | thrown
            if enough:
                pos = _draw(desk, begin, me, first.moves[me, mine], tables)
            else:
                pos, _ = exchange_slowly(desk, begin, first, tables)
            _play_on(desk, pos, order, policy, tables, rounds - 1)
            if len(tables.namings):
                name_hands(hand, order, side_order, tables)
            rivalry = size_up(hand, me, order, side_order, keeps)
            index = hand[me]
            value[i] = net_of(index, rivalry, keeps.lanes, keeps.stones, keeps.juego, bench.worth)
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
        _add(value, now, cut, net_sum, products, mus)


@inlined
def copy(source, target):  # type: ignore[no-untyped-def]
    """Copy an array over another."""
    for i in range(len(source)):
        target[i] = source[i]


@inlined
def _play_on(desk, pos, order, policy, tables, rounds):  # type: ignore[no-untyped-def]
    """Up to so many rounds of the policy, until somebody cuts."""
    for _ in range(rounds):
        if first_cut(desk.hand, order, policy.moves) >= 0:
            break
        if pos + cards_thrown(desk.hand, order, policy.moves) + _3 <= U64(len(desk.deck)):
            pos = exchange(desk, pos, order, policy.moves, tables)
        else:
            pos, _ = exchange_slowly(desk, pos, policy, tables)
