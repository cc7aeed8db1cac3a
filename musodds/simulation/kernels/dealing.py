"""Kernels that move cards: the deal, a round of mus, the stock that runs out.

The deck is one array of codes: what has left the stock stands before ``pos``, the stock
from ``pos`` on. A card is dealt by a step of the Fisher-Yates shuffle, so only the cards
that are needed are shuffled, and the next deal may start from the order that the last
one left (see :mod:`musodds.simulation.kernels.rng` for why that is uniform).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from musodds.compiled import inlined, kernel
from musodds.simulation.kernels.intrinsics import multiply_wide
from musodds.simulation.kernels.layout import CUT, MOVE_BITS
from musodds.simulation.kernels.rng import accepted

U64 = np.uint64
_0, _1, _2, _3, _4, _5, _8 = map(U64, (0, 1, 2, 3, 4, 5, 8))
_MOVE_BITS, _CUT = U64(MOVE_BITS), U64(CUT)
_THROWN = U64(CUT - 1)


class Desk(NamedTuple):
    """What a kernel writes to while it plays.

    Attributes
    ----------
    state : ndarray of uint64, shape (4,)
        The random stream.
    deck : ndarray of uint64, shape (cards,)
        All cards, by code.
    hand : ndarray of uint64, shape (seats,)
        The class of each seat's hand.
    bits : ndarray of uint64, shape (seats,)
        Scratch: random bits, drawn for two seats at a time.
    out : ndarray of int64, shape (kinds,)
        Scratch.
    """

    state: NDArray[np.uint64]
    deck: NDArray[np.uint64]
    hand: NDArray[np.uint64]
    bits: NDArray[np.uint64]
    out: NDArray[np.int64]

    @classmethod
    def of(cls, deck: NDArray[np.uint64], seats: int, kinds: int) -> Desk:
        """Room for the deals of a deck, which is copied."""
        state, hand = np.zeros(4, dtype=np.uint64), np.zeros(seats, dtype=np.uint64)
        bits, out = np.zeros(seats, dtype=np.uint64), np.zeros(kinds, dtype=np.int64)
        return cls(state, deck.copy(), hand, bits, out)


@inlined
def draws_of_four(n):  # type: ignore[no-untyped-def]
    """In how many ways four cards come one by one from n: n (n - 1) (n - 2) (n - 3)."""
    outer = n * (n - _3)
    return outer * (outer + _2)


@inlined
def draw_one(deck, bits, pos):  # type: ignore[no-untyped-def]
    """Bring a random card of the stock to its front.

    Returns
    -------
    code : uint64
    bits : uint64
        For the next draw.
    """
    chosen, bits = multiply_wide(bits, U64(deck.size) - pos)
    chosen += pos
    code = deck[chosen]
    deck[chosen] = deck[pos]
    deck[pos] = code
    return code, bits


@inlined
def draw_four(deck, bits, pos):  # type: ignore[no-untyped-def]
    """Bring four random cards of the stock to its front.

    Returns
    -------
    c0, c1, c2, c3 : uint64
        Their codes.
    bits : uint64
        For the next draws.
    """
    c0, bits = draw_one(deck, bits, pos)
    c1, bits = draw_one(deck, bits, pos + _1)
    c2, bits = draw_one(deck, bits, pos + _2)
    c3, bits = draw_one(deck, bits, pos + _3)
    return c0, c1, c2, c3, bits


@inlined
def deal(desk, order, fixed, tables):  # type: ignore[no-untyped-def]
    """Deal four cards to each seat; return how many cards have left the stock.

    Parameters
    ----------
    desk : Desk
        Its hands are set. The cards of a fixed hand must be the first of its deck, and
        that hand's class in its place.
    order : tuple of int
        As many as there are seats, so that the compiler knows the number.
    fixed : int or None
        The seat (from 0) whose hand is given.
    tables : Tables
    """
    deck, hand = desk.deck, desk.hand
    pos = _0 if fixed is None else _4
    dealt_to = len(order) if fixed is None else len(order) - 1
    n = U64(deck.size) - pos
    for first in range(0, dealt_to, 2):
        mine = draws_of_four(n)
        if first + 1 < dealt_to:
            bits = accepted(desk.state, mine * draws_of_four(n - _4))
            # What the first one's draws leave of them, before they are made.
            desk.bits[first + 1] = bits * mine
        else:
            bits = accepted(desk.state, mine)
        desk.bits[first] = bits
        n -= _8
    for i in range(dealt_to):
        c0, c1, c2, c3, _ = draw_four(deck, desk.bits[i], pos)
        seat = i if fixed is None or i < fixed else i + 1
        hand[seat] = tables.class_of[c0 + c1 + c2 + c3]
        pos += _4
    return pos


@inlined
def deal_five(desk, order, kept):  # type: ignore[no-untyped-def]
    """Deal five cards to each seat, of which it throws one.

    Parameters
    ----------
    desk : Desk
        Its hands are set.
    order : tuple of int
        As many as there are seats.
    kept : ndarray of uint16, shape (seats, sums)
        The class of what a seat keeps, by the sum of the codes.
    """
    deck = desk.deck
    pos = _0
    for seat in range(len(order)):
        n = U64(deck.size) - pos
        bits = accepted(desk.state, draws_of_four(n) * (n - _4))
        c0, c1, c2, c3, bits = draw_four(deck, bits, pos)
        c4, bits = draw_one(deck, bits, pos + _4)
        desk.hand[seat] = kept[seat, c0 + c1 + c2 + c3 + c4]
        pos += _5
    return pos


@inlined
def deal_known(desk, dealt, dead, order, tables):  # type: ignore[no-untyped-def]
    """Give some seats their hands, deal four cards to the others; return as :func:`deal`.

    Parameters
    ----------
    desk : Desk
        Its hands and its deck are set.
    dealt : ndarray of int64, shape (seats,)
        Class of each hand that is given, -1 for those that are not.
    dead : ndarray of int64, shape (kinds,)
        Cards that are neither in a hand nor in the stock: thrown before. They come back
        with a new stock.
    order : tuple of int
        As many as there are seats, so that the compiler knows the number.
    tables : Tables
    """
    deck, hand, out = desk.deck, desk.hand, desk.out
    for kind in range(len(out)):
        out[kind] = dead[kind]
    for seat in range(len(order)):
        if dealt[seat] >= 0:
            hand[seat] = U64(dealt[seat])
            for kind in range(len(out)):
                out[kind] += tables.counts[dealt[seat], kind]
    pos = lay_out(deck, out, tables)
    for seat in range(len(order)):
        if dealt[seat] < 0:
            bits = accepted(desk.state, draws_of_four(U64(deck.size) - pos))
            c0, c1, c2, c3, _ = draw_four(deck, bits, pos)
            hand[seat] = tables.class_of[c0 + c1 + c2 + c3]
            pos += _4
    return pos


@inlined
def lay_out(deck, out, tables):  # type: ignore[no-untyped-def]
    """Put the cards ``out``, by kind, first in the deck; return where the stock begins."""
    place = 0
    for kind in range(len(out)):
        for _ in range(out[kind]):
            deck[place] = tables.codes[kind]
            place += 1
    start = U64(place)
    for kind in range(len(out)):
        for _ in range(tables.copies[kind] - out[kind]):
            deck[place] = tables.codes[kind]
            place += 1
    return start


@inlined
def first_cut(hand, order, moves):  # type: ignore[no-untyped-def]
    """The first seat (from 0) that cuts, or -1 when all say mus."""
    for seat in range(len(order)):
        if moves[seat, hand[seat]] & _CUT:
            return seat
    return -1


@inlined
def cards_thrown(hand, order, moves):  # type: ignore[no-untyped-def]
    """How many cards all seats together throw."""
    thrown = _0
    for seat in range(len(order)):
        thrown += moves[seat, hand[seat]] & _THROWN
    return thrown


@inlined
def exchange(desk, pos, order, moves, tables):  # type: ignore[no-untyped-def]
    """All throw what the policy says and draw as many, from mano on.

    The stock must hold three cards more than are thrown: four are brought forward for
    whoever draws, be it to take but one of them.

    Returns
    -------
    uint64
        How many cards have left the stock.
    """
    deck, hand = desk.deck, desk.hand
    n = U64(deck.size) - pos
    for first in range(0, len(order), 2):
        mine = draws_of_four(n)
        n -= moves[first, hand[first]] & _THROWN
        if first + 1 < len(order):
            bits = accepted(desk.state, mine * draws_of_four(n))
            # What the first one's draws leave of them, before they are made.
            desk.bits[first + 1] = bits * mine
            n -= moves[first + 1, hand[first + 1]] & _THROWN
        else:
            bits = accepted(desk.state, mine)
        desk.bits[first] = bits
    for seat in range(len(order)):
        c0, c1, c2, c3, _ = draw_four(deck, desk.bits[seat], pos)
        move = moves[seat, hand[seat]]
        thrown = move & _THROWN
        code = (move >> _MOVE_BITS) + c0 * U64(thrown > _0)
        code += c1 * U64(thrown > _1)
        code += c2 * U64(thrown > _2)
        code += c3 * U64(thrown > _3)
        hand[seat] = tables.class_of[code]
        pos += thrown
    return pos


@kernel
def exchange_slowly(desk, pos, policy, tables):  # type: ignore[no-untyped-def]
    """As :func:`exchange`, card by card, where the stock may run out.

    Returns
    -------
    pos : uint64
        How many cards have left the stock.
    renewed : bool
        Whether the stock ran out and a new one was made.
    """
    deck, hand = desk.deck, desk.hand
    size = U64(deck.size)
    renewed = False
    for seat in range(len(hand)):
        move = policy.moves[seat, hand[seat]]
        code = move >> _MOVE_BITS
        thrown = move & _THROWN
        drawn = _0
        while drawn < thrown:
            if pos == size:
                pos = renew_stock(desk, seat, drawn, policy, tables)
                renewed = True
            card, _ = draw_one(deck, accepted(desk.state, size - pos), pos)
            code += card
            pos += _1
            drawn += _1
        hand[seat] = tables.class_of[code]
    return pos, renewed


@kernel
def renew_stock(desk, seat, drawn, policy, tables):  # type: ignore[no-untyped-def]
    """Make a new stock of the discards while ``seat`` still needs cards.

    RULES section 1: all discards when more than one player still needs cards; all but
    that player's own of this round when only one does: when nobody after it throws any.

    Parameters
    ----------
    desk : Desk
        Its deck is rewritten: cards in hands and those set aside, then the stock. Its
        hands are new ones before ``seat``, old ones from there on.
    seat : int
    drawn : uint64
        Cards that the seat has drawn this round: the last ones of the deck.
    policy : Moves
    tables : Tables

    Returns
    -------
    uint64
        Where the new stock begins.
    """
    deck, hand, out = desk.deck, desk.hand, desk.out
    kinds = len(tables.codes)
    out[:] = 0
    # Draws go in order: who needs cards besides this seat comes after it.
    needed = _0
    for other in range(seat + 1, len(hand)):
        needed += policy.moves[other, hand[other]] & _THROWN
    for other in range(len(hand)):
        index = hand[other]
        for kind in range(kinds):
            # Its discards of this round stay out, as does what it keeps.
            if other < seat or (other == seat and needed == _0):
                out[kind] += tables.counts[index, kind]
            else:
                out[kind] += policy.keep[other, index, kind]
    for i in range(len(deck) - np.int64(drawn), len(deck)):
        for kind in range(kinds):
            if tables.codes[kind] == deck[i]:
                out[kind] += 1
    return lay_out(deck, out, tables)


@inlined
def exchange_all(desk, pos, order, policy, tables):  # type: ignore[no-untyped-def]
    """All throw what the policy says and draw as many; return as :func:`exchange_slowly`."""
    renewed = False
    if pos + cards_thrown(desk.hand, order, policy.moves) + _3 <= U64(desk.deck.size):
        pos = exchange(desk, pos, order, policy.moves, tables)
    else:
        pos, renewed = exchange_slowly(desk, pos, policy, tables)
    return pos, renewed


@inlined
def play_mus(desk, pos, rounds, order, policy, tables):  # type: ignore[no-untyped-def]
    """Up to so many rounds of mus, until somebody cuts.

    Returns
    -------
    played : int
        Rounds in which all drew.
    cutter : int
        Seat (from 0) that cut in the next; -1 if nobody did.
    renewals : int
        New stocks made of discards.
    """
    played, cutter, renewals = 0, -1, 0
    while played < rounds:
        cutter = first_cut(desk.hand, order, policy.moves)
        if cutter >= 0:
            break
        pos, renewed = exchange_all(desk, pos, order, policy, tables)
        renewals += renewed
        played += 1
    return played, cutter, renewals
