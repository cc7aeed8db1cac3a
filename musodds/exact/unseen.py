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

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from musodds.arrays import LIMB, Exact, Floats, Ints, Mask, slices, together
from musodds.exact.rival_pairs import Values, rival_pairs
from musodds.exact.scope import check_known
from musodds.knowledge.knowledge import Answers
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.rules.ways import choose

# Ways that are kept between two sums, and hands of the partner worked on at once beyond.
_MUCH = 1 << 22
_ROWS = 64

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
    pairs : RivalPairs
        All of them.
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
        self._choose_pairs(others)

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

    def _choose_pairs(self, weights: Sequence[Ints | None]) -> None:
        self.pairs = pairs = rival_pairs(self.game, weights)
        self.rivals = pairs.number
        self.first, self.second, self.part_of = pairs.first, pairs.second, pairs.part_of
        self.values, self.parts = pairs.values, pairs.parts

    @cached_property
    def deals(self) -> Exact:
        """Weight of all deals to the rivals for each hand of the partner, shape (mates,)."""
        return self.sums(self.pairs.all)[0]

    @cached_property
    def total(self) -> int:
        """Weight of all deals."""
        return self.over_mates(self.deals)

    def over_mates(self, counts: Exact) -> int:
        """Σ over the partner's hands of ways × weight × a count for each."""
        if not len(self.mates):
            return 0
        # Machine integers are many times as fast, where the sum cannot pass them.
        ways, all_ways = self._few_mate_ways
        if counts.dtype != object and int(counts.max()) * all_ways < 1 << 63:
            return int(ways @ counts)
        return int(np.dot(self.mate_ways, counts))

    @cached_property
    def _few_mate_ways(self) -> tuple[Exact | Ints, int]:
        """The ways of the mates as machine integers, where they are, and their sum."""
        all_ways = int(self.mate_ways.sum())
        return (self.mate_ways.astype(np.int64) if all_ways < 1 << 63 else self.mate_ways), all_ways

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

    @cached_property
    def available(self) -> Floats:
        """A(gone, part), shape (mates, parts)."""
        return self.pairs.available(self.gone_with)

    def sums(self, *values: Values) -> list[Exact]:
        """Σ over all deals of one or more values per split, for each hand of the partner.

        Returns
        -------
        list of ndarray of int64 or object (int), shape (mates,)
        """
        # All at once: reading what is available takes longer than multiplying it.
        parts = np.array([part for one in values for part in one.by_part])
        counts = np.concatenate([some @ parts.T for some in self.some_available()])
        return _together(values, counts.T)

    def some_available(self) -> Iterator[Floats]:
        """:attr:`available` from the first hand of the partner to the last, some at a time.

        In a large game they are made anew each time: to keep all of them takes longer.
        """
        if len(self.mates) * len(self.parts) <= _MUCH:
            yield self.available
            return
        for first in range(0, len(self.mates), _ROWS):
            yield self.pairs.available(self.gone_with[first : first + _ROWS])

    def below(self, limits: Ints, *values: Values) -> list[Exact]:
        """The same over the splits with a code below a limit; all of one order.

        Parameters
        ----------
        limits : ndarray of int64, shape (mates,)
        *values : Values

        Returns
        -------
        list of ndarray of int64 or object (int), shape (mates,)
        """
        order = values[0].order
        ends = order.below(limits)
        rows = np.argsort(ends, kind="stable")
        steps = list(zip(rows.tolist(), ends[rows].tolist(), strict=True))
        chosen = [part for one in values for part in one.in_order]
        counts = np.empty((len(chosen), len(limits)))
        for of_one, one in zip(counts, chosen, strict=True):
            below, done = np.zeros(order.parts), 0
            for row, end in steps:
                if end > done:
                    np.add.at(below, order.part_of[done:end], one[done:end])
                    done = end
                of_one[row] = self.available[row] @ below
        return _together(values, counts)


def _together(values: Sequence[Values], counts: Floats) -> list[Exact]:
    """The sums of values from those of their slices: in machine integers where one does."""
    found: list[Exact] = []
    rows = iter(counts.astype(np.int64))
    for one in values:
        sums = [next(rows) for _ in one.shifts]
        if len(sums) > 1:
            shifted = zip(sums, one.shifts, strict=True)
            sums = [some.astype(object) * (1 << shift) for some, shift in shifted]
        found.append(sum(sums[1:], sums[0]))
    return found
