"""What may be kept of a hand, typed with the suits that matter or without.

A hand without its suits is each of several hands, by their ways to be held, and a keep
without suits (``7`` of ``7 7 S A``) is any of the cards that it may mean with equal
chance. So what such a keep is worth is an average, of which this module has the weights.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import permutations, product
from math import gcd

import numpy as np

from musodds.arrays import Floats, Ints
from musodds.errors import CardError
from musodds.knowledge.question import ask, check_drawn
from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.rules.suits import as_typed, joined

NOTHING = "-"
"""How a keep of no card is written."""


def distinct_keeps(counts: Ints, *, all_four: bool = False) -> Ints:
    """Every distinct keep of a hand, in the order that breaks ties: more cards first.

    Parameters
    ----------
    counts : ndarray of int64, shape (kinds,)
        The hand, cards of each kind.
    all_four : bool
        Whether throwing nothing is allowed (mus visto).

    Returns
    -------
    ndarray of int64, shape (keeps, kinds)

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> deck = get_game("mus").deck
    >>> counts = np.bincount(deck.parse("RRRA"), minlength=8)
    >>> [keep_text(get_game("mus"), keep) for keep in distinct_keeps(counts)]
    ['RRR', 'RRA', 'RR', 'RA', 'R', 'A', '-']
    """
    kinds = np.flatnonzero(counts)
    # The number of each kind counts down, so that higher cards come first.
    options = product(*(range(int(counts[k]), -1, -1) for k in kinds))
    found = np.zeros((int(np.prod(counts + 1)), len(counts)), dtype=np.int64)
    found[:, kinds] = list(options)
    size = found.sum(axis=1)
    most = CARDS if all_four else CARDS - 1
    order = np.argsort(-size, kind="stable")
    kept: Ints = found[order][size[order] <= most]
    return kept


def keep_text(game: Game, keep: Ints) -> str:
    """A keep as text, high to low; ``-`` when all four cards go."""
    return game.deck.text(np.repeat(np.arange(len(keep)), keep).tolist()) or NOTHING


@dataclass(frozen=True, eq=False)
class Meant:
    """One of the hands that a text may mean.

    Attributes
    ----------
    index : int
        Its class.
    ways : int
        Ways to hold it, to be compared with those of the others.
    keeps : ndarray of int64, shape (tried, kinds)
        Every distinct keep of it.
    often : ndarray of int64, shape (keeps, tried)
        In how many ways each keep as typed is each of these.
    """

    index: int
    ways: int
    keeps: Ints
    often: Ints

    @property
    def share(self) -> Floats:
        """The chance that a keep as typed is each of the keeps, shape (keeps, tried)."""
        found: Floats = self.often / self.often.sum(axis=1, keepdims=True)
        return found


@dataclass(frozen=True, eq=False)
class Choices:
    """Every keep of a hand as typed.

    Attributes
    ----------
    game : Game
    hand : str
        High to low, with the suits that were typed and matter.
    keeps : tuple of str
        More cards first; ``-`` when all four go.
    readings : tuple of Meant
        More than one where suits that matter were left out.
    """

    game: Game
    hand: str
    keeps: tuple[str, ...]
    readings: tuple[Meant, ...]

    @property
    def certain(self) -> bool:
        """Whether it is one hand, every suit that matters known."""
        return len(self.readings) == 1

    def find(self, text: str) -> int:
        """The number of a keep: the cards that stay, or ``-`` for none.

        Raises
        ------
        CardError
            If it is not part of the hand, or throws nothing where a card must go.
        """
        if self.certain:
            kept = self.game.deck.parse(text)
            name = self.game.deck.text(kept) or NOTHING
        else:
            typed = [card for card, _ in as_typed(self.game, text.replace(NOTHING, " "))]
            name, kept = joined(typed) or NOTHING, tuple(range(len(typed)))
        if name in self.keeps:
            return self.keeps.index(name)
        if len(kept) == CARDS and name == self.hand:
            raise CardError(
                f"keep {text.strip()!r} throws nothing of {self.hand}: one to four cards must go"
            )
        raise CardError(f"keep {text.strip()!r} is not part of {self.hand}")


def choices(game: Game, text: str, dead: tuple[int, ...] = ()) -> Choices:
    """Every keep of a hand; in mus visto all four cards may be kept.

    Parameters
    ----------
    game : Game
    text : str
        With or without the suits that matter.
    dead : tuple of int, optional
        Kinds of the cards that nobody holds.

    Raises
    ------
    CardError
        If the game has no such hand.

    Examples
    --------
    In 77SA the sota may be that of the suit of one of the 7s, or not.

    >>> from musodds.rules.games import get_game
    >>> found = choices(get_game("mus-real-suits"), "77SA")
    >>> found.keeps[:4], len(found.readings)
    (('S77', 'S7A', '77A', 'S7'), 24)
    """
    question = ask(game, text, dead=dead)
    check_drawn(question)
    common = gcd(*question.readings.values())
    each = [
        (cards, ways // common, hands(game).index(cards))
        for cards, ways in question.readings.items()
    ]
    if question.certain:
        [(_, ways, index)] = each
        keeps = distinct_keeps(hands(game).counts[index], all_four=game.visto)
        names = tuple(keep_text(game, keep) for keep in keeps)
        reading = Meant(index, ways, keeps, np.eye(len(keeps), dtype=np.int64))
        return Choices(game, question.hand, names, (reading,))
    typed = as_typed(game, text)
    parts = _parts([card for card, _ in typed], all_four=game.visto)
    readings = tuple(
        _reading(game, index, ways, cards, typed, parts) for cards, ways, index in each
    )
    names = tuple(joined(part) or NOTHING for part in parts)
    return Choices(game, question.hand, names, readings)


def _parts(cards: list[str], *, all_four: bool) -> dict[tuple[str, ...], None]:
    """The distinct keeps of cards as typed, in the order of :func:`distinct_keeps`."""
    number = Counter(cards)
    options = product(*(range(number[card], -1, -1) for card in number))
    found = [
        tuple(card for card, n in zip(number, kept, strict=True) for _ in range(n))
        for kept in options
    ]
    most = CARDS if all_four else CARDS - 1
    return dict.fromkeys(
        sorted((part for part in found if len(part) <= most), key=len, reverse=True)
    )


def _reading(
    game: Game,
    index: int,
    ways: int,
    cards: tuple[int, ...],
    typed: list[tuple[str, tuple[int, ...]]],
    parts: dict[tuple[str, ...], None],
) -> Meant:
    keeps = distinct_keeps(hands(game).counts[index], all_four=game.visto)
    row = {part: i for i, part in enumerate(parts)}
    column = {tuple(keep.tolist()): i for i, keep in enumerate(keeps)}
    often = np.zeros((len(parts), len(keeps)), dtype=np.int64)
    for kinds in set(permutations(cards)):
        if not all(kind in may_be for kind, (_, may_be) in zip(kinds, typed, strict=True)):
            continue
        for stays in product((True, False), repeat=CARDS):
            part = tuple(card for (card, _), stay in zip(typed, stays, strict=True) if stay)
            if part in row:
                kept = [kind for kind, stay in zip(kinds, stays, strict=True) if stay]
                counted = np.bincount(kept, minlength=keeps.shape[1])
                often[row[part], column[tuple(counted.tolist())]] += 1
    return Meant(index, ways, keeps, often)
