"""Which of five cards a player throws, of every five that may be dealt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Exact, Ints
from musodds.errors import CardError, GameError
from musodds.exact.phases.columns import COLUMNS
from musodds.exact.phases.singles import count_alone, count_apart, count_within
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.store.numbers import path, shipped
from musodds.values import Value

DEALT = 5
"""Cards dealt to each player."""

THROWS = "throws"
"""The kind of number that the package keeps for five cards."""


def check_dealt(game: Game) -> None:
    if game.cards_dealt != DEALT:
        raise GameError(
            f"{game.name} deals {game.cards_dealt} cards: five are dealt with the option "
            "five-cards, as in encaje3-five-cards"
        )


def parse_five(text: str, game: Game) -> tuple[int, ...]:
    """Read the five cards that a player is dealt.

    Raises
    ------
    GameError
        If the game deals four.
    CardError
        If these are not five of its cards.
    """
    check_dealt(game)
    cards = game.deck.parse(text)
    if len(cards) != DEALT:
        raise CardError(
            f"{text.strip()!r} has {len(cards)} card{'s' * (len(cards) != 1)}: in "
            f"{game.name} {DEALT} are dealt, such as RR7AA"
        )
    return cards


def keeps_of_five(five: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
    """The kinds that may be thrown, high to low, and what each leaves."""
    return [
        (kind, tuple((Counter(five) - Counter([kind])).elements())) for kind in dict.fromkeys(five)
    ]


def five_hands(game: Game) -> Iterator[tuple[int, ...]]:
    """All sets of five cards of a game, by kinds."""
    for cards in combinations_with_replacement(range(len(game.deck.kinds)), DEALT):
        if all(n <= game.deck.kinds[kind].copies for kind, n in Counter(cards).items()):
            yield cards


@dataclass(frozen=True, eq=False, repr=False)
class ThrowPolicy(Value):
    """What each seat throws of every five cards.

    Attributes
    ----------
    name : str
        ``best``: the best net that :func:`throws` counts. ``nearly best``: the same
        with the hands of the others taken apart, see
        :func:`musodds.exact.phases.singles.count_apart`.
    game : Game
    cards : ndarray of int64, shape (fives, 5)
        All sets of five cards, by kinds.
    throw : ndarray of int8, shape (seats, fives)
        The kind that goes.
    """

    name: str
    game: Game
    cards: Ints
    throw: NDArray[np.int8]


@lru_cache(maxsize=8)
def throw_policy(game: Game) -> ThrowPolicy:
    """What players who know the odds throw: from the published table, if there is one.

    Other games are answered nearly as well, in a few seconds: in encaje3 both throw the
    same card in 98 of 100 hands, and differ by 0.0004 stones a deal.
    """
    cards = np.array(list(five_hands(game)))
    published = shipped(path(THROWS, game), (game.seats, len(cards)), np.int8)
    # A throw is one of the cards, or nothing can be read from the file.
    if published is not None and (published[..., None] == cards).any(axis=-1).all():
        return ThrowPolicy("best", game, cards, published)
    return ThrowPolicy("nearly best", game, cards, best_throws(game, count_apart))


def best_throws(game: Game, within: Any = count_within) -> NDArray[np.int8]:
    """The best throw of every five cards, shape (seats, fives): the kind that goes."""
    all_hands = hands(game)
    fives = list(five_hands(game))
    seats = range(1, game.seats + 1)
    found = np.empty((game.seats, len(fives)), dtype=np.int8)
    for i, five in enumerate(fives):
        gone = np.bincount(five, minlength=len(game.deck.kinds))
        keeps = keeps_of_five(five)
        mine = [all_hands.index(keep) for _, keep in keeps]
        nets = _nets(count_alone(game, mine, seats, gone, within), game)
        for seat, net in enumerate(nets.T):
            found[seat, i] = keeps[max(range(len(keeps)), key=net.__getitem__)][0]
    return found


def _nets(counts: Exact, game: Game) -> Exact:
    """Net stones in proportion, shape (hands, seats), as integers."""
    mine, theirs = (
        counts[..., COLUMNS.index(column)].sum(axis=2)
        for column in ("stones_for", "stones_against")
    )
    nets: Exact = mine * (game.sides - 1) - theirs
    return nets
