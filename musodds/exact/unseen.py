"""Exact counts over the hands one player does not see, each with a weight.

With one hand known, the deals of the others are: a hand of the partner (if there is
one), the cards that one or two rivals hold together (a *part*), and the split of the
part between them. A deal weighs the product of the weights of its hands, so with A
and the splits K of :mod:`musodds.exact.splits` the weight of an event is ::

    Σ_mate  weight · ways(mate)  Σ_part  A(gone, part)  Σ_split  K · weights  [event]

Whoever takes a phase is told by one integer: a hand's *code* is its level, then the
order of speaking, so that the greatest code takes the phase and ties go to who speaks
first. "The rivals are all below my side" is a comparison of two codes: the innermost
sums, made cumulative over the codes that occur on my side, answer it for every hand of
the partner at once.

Everything is integers. Weights are integers (:class:`musodds.knowledge.range.Range`); sums that
might pass 2**53 are made in slices of few bits and put together as Python integers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from musodds.arrays import LIMB, Exact, Floats, Ints, Mask, slices, together
from musodds.exact.scope import check_known
from musodds.exact.splits import Availability, rivals
from musodds.knowledge.knowledge import Answers
from musodds.rules.game import Game
from musodds.rules.hands import codes_of, hands
from musodds.rules.ways import choose

# 2**22 times the splits of a part (70) times the parts C(36, 8) stays below 2**53.
_SLICE = 22

# 2**18 times a thousand hands of the partner times C(36, 8) stays below 2**53.
_MATE_SLICE = 18


class Unseen:
    """The hands of the partner and of one or two rivals, when one hand is known.

    Parameters
    ----------
    game : Game
        Two to four players, alone or two on a side.
    me : int
        The class of the hand that is known; -1 if none is.
    mate : ndarray of int64, shape (classes,), or None
        Weights of the partner's hands; None for any hand. Unused without a partner.
    others : sequence of ndarray of int64, shape (classes,), or None
        The same for each rival: *next*, then *previous*; one of them with two players.
    dead : sequence of int, optional
        Kinds of the cards that nobody holds.
    answers : mapping of seat and phase to bool, optional
        With jokers: what a seat, mine too, must have and have not as named. Only
        :mod:`musodds.exact.named_deals` goes by it:
        what is counted here are the deals before hands are named.

    Attributes
    ----------
    mates : ndarray of int64, shape (mates,)
        The classes that the partner may hold; one entry -1 where there is no partner.
    mate_ways : ndarray of object (int), shape (mates,)
        Ways to deal each, times its weight.
    first, second : ndarray of int64, shape (pairs,)
        The classes of the two rivals in each split; the same array for one rival.
    values : ndarray of float64 (integers), shape (pairs,)
        Ways to split the part so, times the weights of both hands.
    """

    def __init__(
        self,
        game: Game,
        me: int,
        mate: Ints | None,
        others: Sequence[Ints | None],
        dead: Sequence[int] = (),
        answers: Answers | None = None,
    ) -> None:
        check_known(game)
        self.answers = answers or {}
        self.game = game
        self.hands = hands(game)
        self.me = me
        self.gone: Ints = np.bincount(
            np.array(dead, dtype=np.int64), minlength=len(game.deck.kinds)
        ).astype(np.int64)
        if me >= 0:
            self.gone = self.gone + self.hands.counts[me]
        self._choose_mates(mate)
        self._choose_pairs(list(others))

    def _choose_mates(self, weights: Ints | None) -> None:
        if self.game.side_size == 1:
            self.mates, self.mate_ways = np.array([-1]), np.array([1], dtype=object)
            self.gone_with = self.gone[None, :]
            return
        counts = self.hands.counts
        ways = choose(self.game.deck.copies - self.gone, counts).astype(np.int64)
        if weights is not None:
            ways = ways * weights
        self.mates = np.flatnonzero(ways)
        self.mate_ways = ways[self.mates].astype(object)
        self.gone_with = self.gone + counts[self.mates]

    def _choose_pairs(self, weights: list[Ints | None]) -> None:
        splits = rivals(self.game, self.game.seats - self.game.side_size)
        self.rivals = splits.number
        self.first, self.second, self.part_of = splits.first, splits.second, splits.part_of
        self.values: Floats = splits.ways
        self.parts, self._availability = splits.parts, splits.available
        held = [np.ones(len(self.hands), dtype=bool) if w is None else w > 0 for w in weights]
        if not all(some.all() for some in held):
            keep = held[0][self.first] & held[-1][self.second]
            self.first, self.second = self.first[keep], self.second[keep]
            self.values = self.values[keep]
            used = np.zeros(len(self.parts), dtype=bool)
            used[self.part_of[keep]] = True
            self.part_of = (np.cumsum(used) - 1)[self.part_of[keep]]
            self.parts = self.parts[used]
            self._availability = Availability(self.game.deck.copies, self.parts)
        for weight, classes in zip(weights, (self.first, self.second), strict=False):
            if weight is not None:
                self.values = self.values * weight[classes]

    @cached_property
    def available(self) -> Floats:
        """A(gone, part), shape (mates, parts)."""
        return self._availability(self.gone_with)

    @cached_property
    def deals(self) -> Exact:
        """Weight of all deals to the rivals for each hand of the partner, shape (mates,)."""
        return self.sums(self.values)

    @cached_property
    def total(self) -> int:
        """Weight of all deals."""
        return self.over_mates(self.deals)

    def over_mates(self, counts: Exact) -> int:
        """Σ over the partner's hands of ways × weight × a count for each."""
        return int(np.dot(self.mate_ways, counts)) if len(self.mates) else 0

    @cached_property
    def mate_weights(self) -> Exact:
        """Weight of the deals with each hand of the partner, shape (mates,)."""
        weights: Exact = self.mate_ways * self.deals
        return weights

    @cached_property
    def pair_weights(self) -> Ints:
        """Weight of the deals with each split of the rivals' cards, in limbs.

        Returns
        -------
        ndarray of int64, shape (limbs, pairs)
            Limb ``i`` counts 2**(30 i); sums over pairs cannot overflow.
        """
        of_parts = np.zeros(len(self.parts), dtype=object)
        for shift, ways in slices(self.mate_ways.astype(np.float64), _MATE_SLICE):
            of_parts += (ways @ self.available).astype(np.int64).astype(object) * (1 << shift)
        if self.total < 1 << 62:
            return (of_parts.astype(np.int64)[self.part_of] * self.values.astype(np.int64))[None]
        whole = of_parts[self.part_of] * self.values.astype(np.int64).astype(object)
        limbs = range(0, self.total.bit_length(), LIMB)
        return np.array([(whole >> shift) & ((1 << LIMB) - 1) for shift in limbs], dtype=np.int64)

    def pair_total(self, chosen: Mask) -> int:
        """Weight of the deals whose split of the rivals' cards is chosen."""
        return together(self.pair_weights[:, chosen].sum(axis=1))

    def rival_weights(self, rival: int) -> Exact:
        """Weight of the deals with each hand of a rival (0 is *next*), shape (classes,)."""
        classes = (self.first, self.second)[rival]
        sums = np.zeros((len(self.pair_weights), len(self.hands)), dtype=np.int64)
        for row, limb in zip(sums, self.pair_weights, strict=True):
            np.add.at(row, classes, limb)
        return np.array([together(column) for column in sums.T], dtype=object)

    def sums(self, values: Floats) -> Exact:
        """Σ of a value per split over all deals, for each hand of the partner."""
        return self._exact(values, self._sums)

    def _sums(self, values: Floats) -> Floats:
        sums: Floats = self.available @ np.bincount(self.part_of, values, len(self.parts))
        return sums

    def below(self, codes: Ints, values: Floats, limits: Ints) -> Exact:
        """The same over the splits with a code below a limit.

        Parameters
        ----------
        codes : ndarray of int64, shape (pairs,)
            Not negative.
        values : ndarray of float64 (integers), shape (pairs,)
        limits : ndarray of int64, shape (mates,)

        Returns
        -------
        ndarray of object (int), shape (mates,)
        """
        some, which = np.unique(limits, return_inverse=True)
        # Split by split, the first of the limits that is above it.
        top = int(max(codes.max(initial=0), some.max(initial=0)))
        step = np.searchsorted(some, np.arange(top + 1), side="right").astype(np.int16)[codes]
        order = np.argsort(step, kind="stable")
        starts = np.searchsorted(step[order], np.arange(len(some) + 1))
        rows = np.split(np.argsort(which, kind="stable"), np.cumsum(np.bincount(which))[:-1])
        part_of = self.part_of[order]

        def count(chosen: Floats) -> Floats:
            chosen, below = chosen[order], np.zeros(len(self.parts))
            counts = np.empty(len(limits))
            for start, end, asking in zip(starts, starts[1:], rows, strict=False):
                below += np.bincount(part_of[start:end], chosen[start:end], len(below))
                for row in asking:
                    counts[row] = self.available[row] @ below
            return counts

        return self._exact(values, count)

    @staticmethod
    def _exact(values: Floats, count: Callable[[Floats], Floats]) -> Exact:
        """Sum in slices of few bits, each exact in float64, and put them together."""
        result: Exact | None = None
        for shift, part in slices(values, _SLICE):
            counted: Exact = count(part).astype(np.int64).astype(object) * (1 << shift)
            result = counted if result is None else result + counted
        assert result is not None, "there is always one slice"
        return result

    def codes(self, phase: str, seats: Sequence[int]) -> tuple[Ints, ...]:
        """Code of each rival's hand in each split; see :func:`codes_of`."""
        pairs = (self.first, self.second)[: self.rivals]
        return tuple(
            codes_of(self.hands, phase, seat)[classes]
            for seat, classes in zip(seats, pairs, strict=True)
        )
