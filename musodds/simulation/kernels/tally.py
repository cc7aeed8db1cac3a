"""What is counted of each deal: small integer histograms, and the kernel that fills them.

Everything a simulation reports is a sum over deals, and every such sum, with its
squares, can be read from the histograms of this module. A block of deals is one vector
of integers; blocks are added up as integers, so in any order to the same result.
"""

from __future__ import annotations

import numpy as np

from musodds.compiled import inlined, kernel
from musodds.simulation.kernels.before_mus import change_before, others_show
from musodds.simulation.kernels.dealing import deal, deal_five, deal_known, play_mus
from musodds.simulation.kernels.intrinsics import lanes_max
from musodds.simulation.kernels.layout import LANE_BITS, SEAT_BITS, STONE_BITS
from musodds.simulation.kernels.naming import name_hands
from musodds.simulation.kernels.rng import seed_block

U64 = np.uint64
_0, _1, _3 = U64(0), U64(1), U64(3)
_LANE, _STONE = U64(LANE_BITS), U64(STONE_BITS)
_LANES = U64(0x0001_0001_0001_0001)
_IN_LANE = U64((1 << LANE_BITS) - 1)
_SEAT = U64((1 << SEAT_BITS) - 1)
_PHASE_STONES = U64((1 << STONE_BITS) - 1)


@inlined
def worst_hands(hand, order, tables):  # type: ignore[no-untyped-def]
    """The seats of the worst hands of those in each phase, in lanes."""
    least = _0
    for seat in range(len(order)):
        # Of equal hands the later one is the worse.
        least = lanes_max(least, tables.reversed[hand[seat]] + _LANES * U64(seat))
    return least


@inlined
def count_worst(least, have_pares, have_juego, worst, weight):  # type: ignore[no-untyped-def]
    """Count who has the worst hand in grande, chica, pares, juego and punto."""
    worst[0, least & _SEAT] += weight
    worst[1, (least >> _LANE) & _SEAT] += weight
    if have_pares != _0:
        worst[2, (least >> _LANE + _LANE) & _SEAT] += weight
    worst[3 if have_juego != _0 else 4, (least >> _LANE + _LANE + _LANE) & _SEAT] += weight


@inlined
def tally(hand, order, side_order, tables, counts, named, weight=1, squares=None):  # type: ignore[no-untyped-def]
    """Count one deal's showdown.

    Parameters
    ----------
    hand : ndarray of uint64, shape (seats,)
        The class of each seat's hand; jokers in it are named afterwards.
    order, side_order : tuple of int
        As many as there are seats and sides, so that the compiler knows the numbers.
    tables : Tables
    counts : tuple of ndarray of int64
        The first six histograms of :class:`Layout`.
    named : tuple or None
        An empty tuple where there are jokers, so that the compiler knows.
    weight : int or float
        What the deal counts.
    squares : tuple of ndarray of float64, optional
        The same histograms of the squares of the weights.
    """
    table, pares, last, scores, shown, worst = counts
    seats, sides = U64(len(order)), U64(len(side_order))
    best, stones = _0, _0
    if named is not None:
        name_hands(hand, order, side_order, tables)
    for seat in range(len(order)):
        index = hand[seat]
        shown[seat, index] += weight
        if squares is not None:
            squares[4][seat, index] += weight * weight
        rank = U64(len(order) - 1 - seat)
        best = lanes_max(best, tables.levels[index] + _LANES * rank)
        stones += tables.stones[index] << U64(seat % len(side_order)) * U64(2 * STONE_BITS)
    grande = best & _SEAT
    chica = (best >> _LANE) & _SEAT
    of_pares = (best >> _LANE + _LANE) & _SEAT
    of_last = (best >> _LANE + _LANE + _LANE) & _SEAT
    have_pares, have_juego = _0, _0
    for side in range(len(side_order)):
        mine = stones >> U64(side * 2 * STONE_BITS)
        have_pares |= U64(mine & _PHASE_STONES != _0) << U64(side)
        have_juego |= U64((mine >> _STONE) & _PHASE_STONES != _0) << U64(side)
    grande_side = (seats - _1 - grande) % sides
    chica_side = (seats - _1 - chica) % sides
    pares_side = (seats - _1 - of_pares) % sides
    last_side = (seats - _1 - of_last) % sides
    pares_stones = (stones >> pares_side * U64(2 * STONE_BITS)) & _PHASE_STONES
    last_stones = (stones >> last_side * U64(2 * STONE_BITS) + _STONE) & _PHASE_STONES
    # Nobody has juego: one stone, for punto.
    last_stones += U64(have_juego == _0)
    table[grande, chica] += weight
    pares[of_pares, have_pares, pares_stones] += weight
    last[of_last, have_juego, last_stones] += weight
    if len(side_order) > 2:
        least = worst_hands(hand, order, tables)
        count_worst(least, have_pares, have_juego, worst, weight)
        if squares is not None:
            count_worst(least, have_pares, have_juego, squares[5], weight * weight)
    if squares is not None:
        squares[0][grande, chica] += weight * weight
        squares[1][of_pares, have_pares, pares_stones] += weight * weight
        squares[2][of_last, have_juego, last_stones] += weight * weight
    total = U64(2) + pares_stones + last_stones
    # Of two sides, what one does not score the other does.
    for side in range(1 if len(side_order) == 2 else len(side_order)):
        me = U64(side)
        mine = U64(grande_side == me) + U64(chica_side == me)
        # Multiplied, as a branch would be guessed wrong every other time.
        mine += pares_stones * U64(pares_side == me)
        mine += last_stones * U64(last_side == me)
        scores[side, mine, total] += weight
        if squares is not None:
            squares[3][side, mine, total] += weight * weight


@kernel
def play_block(  # type: ignore[no-untyped-def]
    desk, stream, deals, start, fixed, order, side_order, policy, tables, named, before, histograms,
    kept,
):  # fmt: skip
    """Play the deals of one block and count them.

    Parameters
    ----------
    desk : Desk
    stream : tuple of uint64
        The seed and the number of the block.
    deals : int
    start : ndarray of uint64, shape (cards,)
        The deck, a fixed hand's cards first.
    fixed : tuple of int or None
        The seat (from 0) whose hand is given, and the class of that hand; nobody else is
        dealt a hand that is shown.
    order, side_order : tuple of int
        As many as there are seats and sides, so that the compiler knows the numbers.
    policy : Moves
    tables : Tables
    named : tuple or None
        See :func:`tally`.
    before : tuple or None
        An empty tuple where cards are changed before mus, so that the compiler knows.
    histograms : tuple of ndarray of int64
        Those of :class:`Layout`; as many rounds are played as *cuts* has room for.
    kept : ndarray of uint16, shape (seats, sums), or None
        Where five cards are dealt, what each seat keeps.
    """
    counts, (cuts, renewals) = histograms[:6], histograms[6:]
    seed_block(desk.state, stream[0], stream[1])
    hand, deck = desk.hand, desk.deck
    for i in range(len(start)):
        deck[i] = start[i]
    rounds = len(cuts) - 1
    for _ in range(deals):
        if kept is not None:
            pos = deal_five(desk, order, kept)
        elif fixed is None:
            pos = deal(desk, order, None, tables)
        else:
            hand[fixed[0]] = U64(fixed[1])
            again = True
            while again:
                pos = deal(desk, order, fixed[0], tables)
                again = before is not None and others_show(hand, fixed[0], tables)
        renewed = 0
        if before is not None:
            pos, renewed = change_before(desk, pos, order, policy, tables)
        played, cutter, renewed_later = play_mus(desk, pos, rounds, order, policy, tables)
        renewed += renewed_later
        cuts[played, max(cutter, 0)] += 1
        tally(hand, order, side_order, tables, counts, named)
        if renewed:
            renewals[0] += renewed
            # A new stock has moved the fixed hand's cards from the front.
            for i in range(len(start)):
                deck[i] = start[i]


@kernel
def play_known_block(  # type: ignore[no-untyped-def]
    desk,
    stream,
    dealt,
    weights,
    dead,
    order,
    side_order,
    policy,
    tables,
    named,
    before,
    histograms,
    squares,
):
    """As :func:`play_block`, from hands that were drawn before.

    Parameters
    ----------
    desk : Desk
    stream : tuple of uint64
        For the cards of the stock.
    dealt : ndarray of int64, shape (deals, seats)
        See :func:`musodds.simulation.kernels.dealing.deal_known`.
    weights : ndarray of float64, shape (deals,), or None
        What each deal counts; None if they all count 1.
    dead : ndarray of int64, shape (kinds,)
    order, side_order, policy, tables, named, before
        As there.
    histograms, squares : tuple of ndarray
        Those of :class:`Layout`, of the weights and of their squares; without weights
        there are no squares.
    """
    seed_block(desk.state, stream[0], stream[1])
    hand, rounds = desk.hand, len(histograms[6]) - 1
    for i in range(len(dealt)):
        pos = deal_known(desk, dealt[i], dead, order, tables)
        renewals = 0
        if before is not None:
            pos, renewals = change_before(desk, pos, order, policy, tables)
        played, cutter, renewed_later = play_mus(desk, pos, rounds, order, policy, tables)
        renewals += renewed_later
        if weights is None:
            histograms[6][played, max(cutter, 0)] += 1
            histograms[7][0] += renewals
            tally(hand, order, side_order, tables, histograms[:6], named)
        else:
            weight = weights[i]
            histograms[6][played, max(cutter, 0)] += weight
            histograms[7][0] += weight * renewals
            squares[6][played, max(cutter, 0)] += weight * weight
            tally(hand, order, side_order, tables, histograms[:6], named, weight, squares[:6])
