"""Hands as they are typed: the cards that a text may mean, where suits were left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from musodds.errors import CardError
from musodds.rules.cards import CARDS, SYMBOLS, Card, read_cards
from musodds.rules.game import Game
from musodds.rules.ways import choose

Kinds = tuple[int, ...]

# In a text of several cards it is an ace and a sota.
_ACE, _ACE_NAMED = "A", "as"

_NUMBERS = {4: "four cards", 5: "five cards"}


def readings(game: Game, text: str, what: str = "hand", number: int = CARDS) -> dict[Kinds, int]:
    """The cards that a text may mean, with the ways to hold each.

    Parameters
    ----------
    game : Game
    text : str
    what : str, optional
        How messages call it.
    number : int, optional
        How many cards there must be.

    Raises
    ------
    CardError
        If the game has no such cards, or there are more or fewer.
    """
    cards = read_cards(text, game.deck.suits_matter)
    options = [game.deck.kinds_of(card) for card in cards]
    if number == CARDS and all(len(kinds) == 1 for kinds in options):
        return {game.parse_hand(text, what): 1}
    if len(cards) != number:
        plural = "s" * (len(cards) != 1)
        raise CardError(
            f"{what} {text.strip()!r} has {len(cards)} card{plural}: "
            f"a hand is {_NUMBERS[number]}, such as {'RR7A' if number == CARDS else 'RR7AA'}"
        )
    found = {
        hand: ways_to_hold(game, hand)
        for hand in {tuple(sorted(kinds)) for kinds in product(*options)}
    }
    if not any(found.values()):
        game.deck.check(min(found))
    found = {hand: found[hand] for hand in sorted(found) if found[hand]}
    return found if len(found) > 1 else dict.fromkeys(found, 1)


def text_of(game: Game, cards: str | Sequence[str] | Sequence[int]) -> str:
    """Cards as text: typed, one text for each (``["R", "R", "7", "A"]``), or their kinds.

    Raises
    ------
    CardError
        If they are none of these.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> text_of(get_game("mus"), ["12", "r", "7", "as"]), text_of(get_game("mus"), (0, 0, 3, 7))
    ('RR7A', 'RR7A')
    """
    if isinstance(cards, str):
        return cards
    given: Any = cards.tolist() if hasattr(cards, "tolist") else cards
    if not isinstance(given, Sequence):
        raise CardError(f"cards {given!r}: write text, or a list such as ['R', 'R', '7', 'A']")
    if all(isinstance(card, str) for card in given):
        alone = (_ACE if card.strip().lower() == _ACE_NAMED else card for card in given)
        read = [one for card in alone for one in read_cards(card, game.deck.suits_matter)]
        return joined([card.text for card in read])
    kinds = len(game.deck.kinds)
    if not all(isinstance(card, int | np.integer) and 0 <= card < kinds for card in given):
        raise CardError(
            f"cards {list(given)!r}: kinds of {game.name} are numbers from 0 to {kinds - 1}"
        )
    return game.deck.text([int(card) for card in given])


def is_card(text: str) -> bool:
    """Whether a text is one card, or would be if there were such a card.

    Examples
    --------
    >>> [is_card(text) for text in ("12", "7o", "as", "K", "RR7A")]
    [True, True, True, True, False]
    """
    try:
        return text.strip().lower() == _ACE_NAMED or len(read_cards(text, suits_matter=True)) == 1
    except CardError:
        return len(text.strip()) == 1


def ways_to_hold(game: Game, hand: Kinds, gone: Kinds = ()) -> int:
    """In how many ways cards of these kinds are dealt, with others gone."""
    number = len(game.deck.kinds)
    left = game.deck.copies - np.bincount(np.array(gone, dtype=np.int64), minlength=number)
    return int(choose(left, np.bincount(hand, minlength=number)))


def hand_text(game: Game, text: str, means: Mapping[Kinds, int]) -> str:
    """A hand as text: every suit that matters, or those that were typed."""
    if len(means) == 1:
        return game.deck.text(next(iter(means)))
    return joined([card for card, _ in as_typed(game, text)])


def as_typed(game: Game, text: str) -> list[tuple[str, tuple[int, ...]]]:
    """The cards of a text, high to low: how each is written, and the kinds it may be.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> as_typed(get_game("mus-real-oros"), "s R So")
    [('R', (0,)), ('S', (2, 3)), ('So', (2,))]
    """
    cards = read_cards(text, game.deck.suits_matter)
    unfolded = [Card(game.deck.kinds[game.deck.kinds_of(c)[0]].symbol, c.suit) for c in cards]
    found = []
    for card in sorted(unfolded, key=lambda card: (SYMBOLS.index(card.symbol), card.suit)):
        kinds = game.deck.kinds_of(card)
        # A suit is dropped where it does not matter.
        matters = len(kinds) > 1 or _told_apart(game, card)
        found.append((card.text if matters else card.symbol, kinds))
    return found


def joined(cards: Sequence[str]) -> str:
    """Cards as one text, with spaces where a suit is written."""
    return (" " if any(len(card) > 1 for card in cards) else "").join(cards)


def _told_apart(game: Game, card: Card) -> bool:
    return any(game.deck.kinds[k].suits for k in game.deck.kinds_of(card))
