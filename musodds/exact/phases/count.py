"""Exact counts of the deals of a hand: the numerators of every column.

A hand at level m in seat i takes a phase iff every seat before it is *below* m and
every seat after it *at most* m. So a side takes the phase iff its best hand (the
earliest of equals) does, and only two things about the rivals matter: that level,
and how many of them speak before that seat. :mod:`musodds.exact.splits` counts the deals
for both. This is the front door: sides of one or two (:mod:`musodds.exact.phases.pairs`),
other tables and jokers are counted in modules of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Ints
from musodds.exact.phases.columns import columns_of
from musodds.exact.phases.pairs import count_pairs
from musodds.exact.scope import check_partner
from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.rules.shown import shown_hands
from musodds.rules.ways import deals


def total_deals(game: Game, partner_known: bool = False) -> int:
    """Ways to deal what a player does not see of the game's hands.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> total_deals(get_game("mus"))
    43370632305000
    """
    seen = CARDS * (game.side_size if partner_known else 1)
    partners = 0 if partner_known else game.side_size - 1
    return deals(game.deck.size - seen, partners + game.seats - game.side_size)


def count(
    game: Game,
    mine: Ints,
    seats: tuple[int, ...],
    partner: int | None = None,
    dead: Sequence[int] = (),
) -> Ints:
    """Count deals for hands: the numerators of every column.

    The others hold no hand that they would have shown (:func:`shown_hands`).

    Parameters
    ----------
    game : Game
        Two sides of one to three players, or each for itself.
    mine : ndarray of int64, shape (hands,)
        Hand classes.
    seats : tuple of int
    partner : int, optional
        The partner's hand class, if it is known.
    dead : sequence of int, optional
        Kinds of the cards that nobody holds.

    Returns
    -------
    ndarray of int64, shape (hands, seats, phases, columns)
        Of object (int) with six players.

    Raises
    ------
    CardError
        If a hand and the partner's cannot both be held.
    GameError
        If it cannot be counted.
    """
    excluded = shown_hands(game)
    gone = np.bincount(np.array(dead, dtype=np.int64), minlength=len(game.deck.kinds))
    if partner is not None:
        check_partner(game)
    if hands(game).has_jokers:
        from musodds.exact.phases.named_columns import count_named

        return count_named(game, mine, seats, partner, dead, excluded)
    if game.seats - game.side_size > 2 or game.sides > 2:
        if game.side_size > 1:
            from musodds.exact.phases.trios import count_trios

            trios: NDArray[Any] = count_trios(game, mine, seats, gone, excluded)
            return trios
        from musodds.exact.phases.singles import count_alone

        own = hands(game).counts
        each = [
            count_alone(game, [int(me)], seats, own[me] + gone, excluded=excluded)[0] for me in mine
        ]
        # A deal brings three stones at most: with five players below 1.4e18.
        return np.stack(each)[..., : len(columns_of(game))].astype(np.int64)
    return count_pairs(game, mine, seats, partner, gone)
