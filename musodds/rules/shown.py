"""Hands that are shown and replaced before mus (4-5-6-7): who holds none of them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from musodds.arrays import Ints
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.rules.suits import readings


@lru_cache(maxsize=32)
def shown_hands(game: Game) -> tuple[int, ...]:
    """The hand classes that a player dealt them shows and replaces.

    Nobody who has not shown one holds one: they are no hands of the others.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> game = get_game("mus-4567")
    >>> [hands(game).texts[i] for i in shown_hands(game)], shown_hands(get_game("mus"))
    (['7654'], ())
    """
    return tuple(
        hands(game).index(cards) for text in game.exchange for cards in readings(game, text, "hand")
    )


def unshown(game: Game, weights: Ints | None = None) -> Ints:
    """Weights of the hands, or one each, without those that are shown: nobody holds them."""
    found = np.ones(len(hands(game)), dtype=np.int64) if weights is None else weights.copy()
    found[list(shown_hands(game))] = 0
    return found
