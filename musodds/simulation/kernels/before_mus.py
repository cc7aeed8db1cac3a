"""Kernels for what is changed before the first mus: hands that are shown, and mus visto."""

from __future__ import annotations

import numpy as np

from musodds.compiled import inlined
from musodds.simulation.kernels.dealing import draw_four, draws_of_four, exchange_all
from musodds.simulation.kernels.rng import accepted

U64 = np.uint64
_4 = U64(4)


@inlined
def others_show(hand, me, tables):  # type: ignore[no-untyped-def]
    """Whether anybody but seat ``me`` (from 0) was dealt a hand that is shown."""
    found = False
    if len(tables.shown):
        for seat in range(len(hand)):
            found |= seat != me and tables.shown[hand[seat]]
    return found


@inlined
def change_before(desk, pos, order, policy, tables):  # type: ignore[no-untyped-def]
    """What the game has the players change before anybody says mus, from mano on.

    A hand that is shown is replaced once. If a card was seen (visto), all then throw
    what the policy has them keep, those too that would cut.

    Parameters
    ----------
    desk : Desk
    pos : uint64
        How many cards have left the stock.
    order : tuple of int
        As many as there are seats, so that the compiler knows the number.
    policy : Moves
    tables : Tables

    Returns
    -------
    pos : uint64
    renewed : bool
        Whether the stock ran out and a new one was made.
    """
    if len(tables.shown):
        pos = _show_hands(desk, pos, tables)
    renewed = False
    if tables.visto:
        pos, renewed = exchange_all(desk, pos, order, policy, tables)
    return pos, renewed


@inlined
def _show_hands(desk, pos, tables):  # type: ignore[no-untyped-def]
    """Who was dealt a hand that is shown takes four new cards.

    Four players at most can show one, as there are four cards of each rank in it: even
    six players leave enough cards.
    """
    deck, hand = desk.deck, desk.hand
    for seat in range(len(hand)):
        if tables.shown[hand[seat]]:
            bits = accepted(desk.state, draws_of_four(U64(deck.size) - pos))
            c0, c1, c2, c3, _ = draw_four(deck, bits, pos)
            hand[seat] = tables.class_of[c0 + c1 + c2 + c3]
            pos += _4
    return pos
