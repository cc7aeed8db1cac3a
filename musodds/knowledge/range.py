"""A range: a set of hands, each with an integer weight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from math import comb, gcd, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.errors import RangeError
from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.rules.ways import choose
from musodds.values import Table

Values = NDArray[np.object_]

MAX_WEIGHT = 1 << 22
"""Largest integer weight: beyond it exact counts would not stay exact."""


@dataclass(frozen=True, eq=False, repr=False)
class Range(Table):
    """A weighted set of hands of a game.

    Attributes
    ----------
    game : Game
    text : str
        As it was written.
    weights : ndarray of int64, shape (classes,)
        The weight of each hand class in units of ``1 / denominator``; 0 outside.
    denominator : int

    Examples
    --------
    >>> from musodds.knowledge.language import parse_range
    >>> mixed = parse_range("31@0.7 | pares@0.3")
    >>> mixed.weight("RRSA"), mixed.weight("RR7A"), mixed.weight("C654")
    (Fraction(7, 10), Fraction(3, 10), Fraction(0, 1))
    """

    game: Game
    text: str
    weights: NDArray[np.int64]
    denominator: int = 1

    @cached_property
    def classes(self) -> NDArray[np.int64]:
        """The classes in the range, highest in grande first, shape (n,)."""
        return np.flatnonzero(self.weights)

    @cached_property
    def is_set(self) -> bool:
        """Whether all its hands weigh the same."""
        return len(np.unique(self.weights[self.classes])) <= 1

    @property
    def hands(self) -> tuple[str, ...]:
        """The hands in the range, highest in grande first."""
        texts = hands(self.game).texts
        return tuple(texts[i] for i in self.classes)

    def rows(self, gone: str | Sequence[int] = ()) -> list[dict[str, Any]]:
        """One dict per hand: `hand`, `weight`, and its `share` of the range as dealt.

        With cards ``gone``, a share may be None: nothing of the range is left.
        """
        ways, texts = self.ways(gone), hands(self.game).texts
        total = int(ways.sum())
        return [
            {
                "hand": texts[i],
                "weight": int(self.weights[i]) / self.denominator,
                "share": int(ways[i]) / total if total else None,
            }
            for i in self.classes
        ]

    def weight(self, hand: str | Sequence[int]) -> Fraction:
        """The weight of one hand."""
        return Fraction(int(self.weights[hands(self.game).index(hand)]), self.denominator)

    def ways(self, gone: str | Sequence[int] = ()) -> NDArray[np.object_]:
        """Ways to deal each hand times its integer weight, shape (classes,)."""
        deck = self.game.deck
        cards = deck.parse(gone) if isinstance(gone, str) else deck.check(gone)
        left = deck.copies - np.bincount(np.array(cards, dtype=np.int64), minlength=len(deck.kinds))
        dealt = choose(left, hands(self.game).counts).astype(np.int64)
        pairs = zip(dealt.tolist(), self.weights.tolist(), strict=True)
        return np.array([ways * weight for ways, weight in pairs], dtype=object)

    def chance(self, gone: str | Sequence[int] = ()) -> Fraction:
        """Chance to be dealt it (weights as probabilities), with some cards gone.

        Parameters
        ----------
        gone : str or sequence of int, optional
            Cards that are elsewhere.

        Examples
        --------
        >>> from musodds.knowledge.language import parse_range
        >>> parse_range("31").chance()
        Fraction(4192, 45695)
        """
        cards = self.game.deck.parse(gone) if isinstance(gone, str) else tuple(gone)
        return Fraction(
            int(self.ways(cards).sum()),
            comb(self.game.deck.size - len(cards), CARDS) * self.denominator,
        )

    def __contains__(self, hand: str | Sequence[int]) -> bool:
        return self.weight(hand) > 0

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Range)
            and self.game == other.game
            and bool((self.weights * other.denominator == other.weights * self.denominator).all())
        )

    def __hash__(self) -> int:
        return hash((self.game.name, self.weights.tobytes(), self.denominator))


def no_values(classes: int) -> Values:
    """A weight of 0 for every hand, as a fraction."""
    values = np.empty(classes, dtype=object)
    values[:] = Fraction(0)
    return values


def from_values(game: Game, text: str, values: Values) -> Range:
    """Values as integers over a common denominator."""
    if not any(values):
        raise RangeError(f"range {text!r}: no hand of {game.name} is in it")
    denominator = reduce(lcm, (value.denominator for value in values))
    integers = [int(value * denominator) for value in values]
    common = gcd(denominator, *integers)
    integers = [n // common for n in integers]
    if max(integers) > MAX_WEIGHT:
        raise RangeError(
            f"range {text!r}: its weights are too fine to count exactly: "
            "write them with fewer digits"
        )
    return Range(game, text, np.array(integers, dtype=np.int64), denominator // common)
