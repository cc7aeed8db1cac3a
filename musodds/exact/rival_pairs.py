"""The hands that the rivals may hold together, put in the order of who takes a phase.

They are the same whatever my own hand is, so they are kept for a few questions under the
same knowledge, and with them the orders that make sums over "all rivals are below" quick.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from musodds.arrays import Floats, Ints
from musodds.exact.splits import Availability, rivals
from musodds.rules.game import Game
from musodds.rules.hands import codes_of, hands

_ORDERS = 5
"""Orders that are kept at a time: those of the phases from one seat."""


class Order:
    """Splits in order of the codes of the rivals' better hands.

    Parameters
    ----------
    codes : ndarray of int64, shape (pairs,)
        Not negative.
    part_of : ndarray of int64, shape (pairs,)

    Attributes
    ----------
    places : ndarray of int64, shape (pairs,)
        The splits in order.
    part_of : ndarray of int64, shape (pairs,)
        Their parts, in order.
    """

    def __init__(self, codes: Ints, part_of: Ints) -> None:
        self.codes = codes
        # Sorting small integers takes a time that is linear in their number.
        small = codes.astype(np.min_scalar_type(int(codes.max(initial=0))))
        self.places = np.argsort(small, kind="stable")
        self.part_of = part_of[self.places]
        self._below = np.concatenate(([0], np.cumsum(np.bincount(codes))))

    def below(self, limits: Ints) -> Ints:
        """How many of the splits are below each limit: the first so many in order."""
        return self._below[np.minimum(limits, len(self._below) - 1)]


class RivalPairs:
    """The splits of the parts that one or two rivals may hold, weighted.

    Parameters
    ----------
    game : Game
    weights : sequence of ndarray of int64, shape (classes,), or None
        Of each rival's hands: *next*, then *previous*; None for any.

    Attributes
    ----------
    number : int
        Of rivals.
    first, second : ndarray of int64, shape (pairs,)
        The classes of the two rivals in each split; the same array for one rival.
    part_of : ndarray of int64, shape (pairs,)
    values : ndarray of float64 (integers), shape (pairs,)
        Ways to split the part so, times the weights of both hands.
    parts : ndarray of int64, shape (parts, kinds)
    available : Availability
    """

    def __init__(self, game: Game, weights: Sequence[Ints | None]) -> None:
        splits = rivals(game, game.seats - game.side_size)
        self.game, self.number = game, splits.number
        self.first, self.second, self.part_of = splits.first, splits.second, splits.part_of
        self.values: Floats = splits.ways
        self.parts, self.available = splits.parts, splits.available
        self._orders: dict[tuple[str, tuple[int, ...]], Order] = {}
        everybody = np.ones(len(hands(game)), dtype=bool)
        held = [everybody if w is None else w > 0 for w in weights]
        if not all(some.all() for some in held):
            self._keep(game, held[0][self.first] & held[-1][self.second])
        for weight, classes in zip(weights, (self.first, self.second), strict=False):
            if weight is not None:
                self.values = self.values * weight[classes]

    def _keep(self, game: Game, keep: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> None:
        self.first, self.second = self.first[keep], self.second[keep]
        self.values = self.values[keep]
        used = np.zeros(len(self.parts), dtype=bool)
        used[self.part_of[keep]] = True
        self.part_of = (np.cumsum(used) - 1)[self.part_of[keep]]
        if not used.all():
            self.parts = self.parts[used]
            self.available = Availability(game.deck.copies, self.parts)

    def codes(self, phase: str, seats: Sequence[int]) -> tuple[Ints, ...]:
        """Code of each rival's hand in each split; see :func:`codes_of`."""
        pairs = (self.first, self.second)[: self.number]
        all_hands = hands(self.game)
        return tuple(
            codes_of(all_hands, phase, seat)[classes]
            for seat, classes in zip(seats, pairs, strict=True)
        )

    def order(self, phase: str, seats: Sequence[int]) -> Order:
        """The splits in order of the better hand of rivals in these seats."""
        asked = phase, tuple(seats)
        if asked not in self._orders:
            if len(self._orders) >= _ORDERS:
                del self._orders[next(iter(self._orders))]
            best = np.maximum.reduce(self.codes(phase, seats))
            self._orders[asked] = Order(best, self.part_of)
        return self._orders[asked]


def rival_pairs(game: Game, weights: Sequence[Ints | None]) -> RivalPairs:
    """The splits under these weights; those of the last questions are kept."""
    keys = [None if w is None else w.astype(np.int64).tobytes() for w in weights]
    return _kept(game, tuple(keys))


@lru_cache(maxsize=2)
def _kept(game: Game, weights: tuple[bytes | None, ...]) -> RivalPairs:
    read = [None if w is None else np.frombuffer(w, dtype=np.int64) for w in weights]
    return RivalPairs(game, read)
