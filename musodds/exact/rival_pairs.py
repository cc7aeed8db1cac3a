"""The hands that the rivals may hold together, put in the order of who takes a phase.

They are the same whatever my own hand is, so they are kept for a few questions under the
same knowledge, and with them the orders that make sums over "all rivals are below" quick.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache

import numpy as np

from musodds.arrays import Floats, Ints, Mask, slices
from musodds.exact.splits import Availability, rivals
from musodds.rules.game import UNANIMOUS, Game
from musodds.rules.hands import Hands, codes_of, hands, reversed_levels

_PHASES = 5
"""Phases that are kept at a time: those seen from one seat."""

# 2**22 times the splits of a part (70) times the parts C(36, 8) stays below 2**53.
_SLICE = 22


class Order:
    """Splits in order of the codes of the rivals' better hands.

    Parameters
    ----------
    codes : ndarray of int64, shape (pairs,)
        Not negative.
    part_of : ndarray of int64, shape (pairs,)
    parts : int
        How many there are.

    Attributes
    ----------
    places : ndarray of int64, shape (pairs,)
        The splits in order.
    part_of : ndarray of int64, shape (pairs,)
        Their parts, in order.
    """

    def __init__(self, codes: Ints, part_of: Ints, parts: int) -> None:
        self.codes, self.parts = codes, parts
        # Sorting small integers takes a time that is linear in their number.
        small = codes.astype(np.min_scalar_type(int(codes.max(initial=0))))
        self.places = np.argsort(small, kind="stable")
        self.part_of = part_of[self.places]
        self._below = np.concatenate(([0], np.cumsum(np.bincount(codes))))

    def below(self, limits: Ints) -> Ints:
        """How many of the splits are below each limit: the first so many in order."""
        return self._below[np.minimum(limits, len(self._below) - 1)]


class Values:
    """A value per split, in slices of few bits, of each of which sums are exact in float64.

    Parameters
    ----------
    order : Order
    values : ndarray of float64 (integers), shape (pairs,)

    Attributes
    ----------
    shifts : list of int
        The bits below each slice.
    in_order : list of ndarray of float64 (integers), shape (pairs,)
        Each slice in the order.
    """

    def __init__(self, order: Order, values: Floats) -> None:
        found = list(slices(values, _SLICE))
        self.order, self.shifts = order, [shift for shift, _ in found]
        self.in_order = [one[order.places] for _, one in found]

    @cached_property
    def by_part(self) -> list[Floats]:
        """The sum over the splits of each part, shape (parts,), of each slice."""
        order = self.order
        sums = (np.bincount(order.part_of, one, order.parts) for one in self.in_order)
        return [part.astype(np.float64, copy=False) for part in sums]


class RivalPhase:
    """The rivals in one phase, seen from one seat.

    Attributes
    ----------
    order : Order
    weights : ndarray of float64 (integers), shape (pairs,)
        The weight of each split; in a unanimous phase of those in which both take part.
    values : Values
        The same in order.
    meeting : Values
        Of those in which one takes part; in a unanimous phase both.
    stones : Values or None
        Weight times the stones that they take if they take the phase.
    worst : Values or None
        In Encaje the weight of each split, in order of who is worst.
    """

    def __init__(self, pairs: RivalPairs, phase: str, seats: Sequence[int]) -> None:
        all_hands, game = hands(pairs.game), pairs.game
        codes, level = pairs.codes(phase, seats), all_hands.level[phase]
        self.order = Order(np.maximum.reduce(codes), pairs.part_of, len(pairs.parts))
        values = pairs.values
        if phase in UNANIMOUS:
            values = values * ((level[pairs.first] > 0) & (level[pairs.second] > 0))
        self.weights = values
        self.values = self.meeting = Values(self.order, values)
        # Below n are the codes of hands that take no part.
        idle = self.order.codes < game.seats
        if phase not in UNANIMOUS and idle.any():
            self.meeting = Values(self.order, values * ~idle)
        self.stones = None
        if phase in all_hands.stones:
            stones = pairs.taken(all_hands.stones[phase], codes)
            self.stones = Values(self.order, values * stones)
        self.worst = None
        if game.stones is not None:
            held = (pairs.first, pairs.second)[: pairs.number]
            reverse = [
                worst_codes(all_hands, phase, seat)[classes]
                for seat, classes in zip(seats, held, strict=True)
            ]
            self.worst = Values(pairs.ordered(np.maximum.reduce(reverse)), values)


def worst_codes(all_hands: Hands, phase: str, seat: int) -> Ints:
    """An integer for each hand, the greatest of which is the worst; of equals the last's."""
    seats = all_hands.game.seats
    return reversed_levels(all_hands.level[phase]) * seats + seat - 1


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
        self._phases: dict[tuple[str, tuple[int, ...]], RivalPhase] = {}
        everybody = np.ones(len(hands(game)), dtype=bool)
        held = [everybody if w is None else w > 0 for w in weights]
        if not all(some.all() for some in held):
            self._keep(game, held[0][self.first] & held[-1][self.second])
        for weight, classes in zip(weights, (self.first, self.second), strict=False):
            if weight is not None:
                self.values = self.values * weight[classes]

    def _keep(self, game: Game, keep: Mask) -> None:
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

    def taken(self, stones: Ints, codes: Sequence[Ints]) -> Ints:
        """Stones that the rivals take if they take the phase, for each split."""
        first, second = stones[self.first], stones[self.second]
        if self.number == 1:
            return first
        if self.game.side_size == 2:
            both: Ints = first + second
            return both
        one, other = codes
        return np.where(one > other, first, second)

    def phase(self, phase: str, seats: Sequence[int]) -> RivalPhase:
        """The rivals in these seats in a phase."""
        asked = phase, tuple(seats)
        if asked not in self._phases:
            if len(self._phases) >= _PHASES:
                del self._phases[next(iter(self._phases))]
            self._phases[asked] = RivalPhase(self, phase, seats)
        return self._phases[asked]

    def ordered(self, codes: Ints) -> Order:
        """The splits in order of other codes."""
        return Order(codes, self.part_of, len(self.parts))

    @cached_property
    def all(self) -> Values:
        """The weight of each split, in no order."""
        return Values(self.ordered(np.zeros_like(self.part_of)), self.values)


def rival_pairs(game: Game, weights: Sequence[Ints | None]) -> RivalPairs:
    """The splits under these weights; those of the last questions are kept."""
    keys = [None if w is None else w.astype(np.int64).tobytes() for w in weights]
    return _kept(game, tuple(keys))


@lru_cache(maxsize=2)
def _kept(game: Game, weights: tuple[bytes | None, ...]) -> RivalPairs:
    read = [None if w is None else np.frombuffer(w, dtype=np.int64) for w in weights]
    return RivalPairs(game, read)
