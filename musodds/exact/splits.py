"""Availability × splits: exact counts over unseen cards.

Everything unseen is exchangeable. Let *gone* be the cards known to be out of the
rivals' hands (a count per kind) and a *part* the cards that the rivals hold
together. There are A(gone, part) = Π C(copies_k − gone_k, part_k) ways to choose the
part from the unseen cards, and of the ways to deal its cards to the rivals some
number K makes an event true. The count of an event is Σ A · K: a matrix product, in
integers. K does not depend on the hand asked about.

The sums run over integers stored as float64. Every partial sum counts deals (or the
stones of deals, at most six each) and is far below 2**53, so it is exact in any order.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats, Ints
from musodds.rules.cards import CARDS
from musodds.rules.game import PHASES, UNANIMOUS, Game
from musodds.rules.hands import Hands, hands
from musodds.rules.ways import choose, distinct, radix
from musodds.store.notices import step

# As large as two hands need.
_FACTORIAL = np.array([factorial(n) for n in range(2 * CARDS + 1)], dtype=np.float64)

# Rows of A worked on at once: bounds the memory of a whole table.
_ROWS = 256

# From so many products on the compiled kernel is sooner, where numba is loaded already.
_MANY = 1 << 20

# So many times as much is told of while it is worked on.
_LONG = 8

# Up to this many dot products are done by numpy, sooner than the compiled kernel loads.
_FEW = 64


class Availability:
    """A(gone, part) for a fixed list of parts.

    Parameters
    ----------
    copies : ndarray of int64, shape (kinds,)
        Cards of each kind in the deck.
    parts : ndarray of int64, shape (parts, kinds)
        The multisets of cards that the rivals may hold together.
    """

    def __init__(self, copies: Ints, parts: Ints) -> None:
        self.copies = copies
        half = len(copies) // 2
        # A product over many kinds is looked up as one over each half of them: few
        # distinct halves occur, so almost all the work is one multiplication.
        self._halves = [
            (columns, *distinct(parts[:, columns], copies[columns]))
            for columns in (slice(0, half), slice(half, None))
        ]

    def __call__(self, gone: Ints) -> Floats:
        """Ways to choose each part when ``gone`` is out of play.

        Parameters
        ----------
        gone : ndarray of int64, shape (rows, kinds)

        Returns
        -------
        ndarray of float64 (integers), shape (rows, parts)
        """
        tables = []
        for columns, parts, part_of in self._halves:
            copies = self.copies[columns]
            some, row_of = distinct(gone[:, columns], copies)
            tables.append((choose((copies - some)[:, None, :], parts[None, :, :]), row_of, part_of))
        (one, one_row, one_part), (other, other_row, other_part) = tables
        ways = np.empty((len(gone), len(one_part)))
        if "numba" in sys.modules and ways.size > _MANY:
            from musodds.exact.kernels.dots import gathered_products

            one, other = one.astype(np.float64), other.astype(np.float64)
            gathered_products(one, one_row, one_part, other, other_row, other_part, ways)
            return ways
        factor, last = np.empty(len(one_part)), -1
        wide = other.take(other_part, axis=1) if len(other) < len(gone) else None
        # Row by row everything stays in the cache; whole factors would not.
        for row, i, j in zip(ways, one_row.tolist(), other_row.tolist(), strict=True):
            if i != last:
                np.take(one[i], one_part, out=factor, mode="clip")
                last = i
            other_factor = other[j].take(other_part) if wide is None else wide[j]
            np.multiply(factor, other_factor, out=row)
        return ways


@dataclass(frozen=True, eq=False)
class LevelTable:
    """K: a number of ways (or of stones) per level and part.

    Attributes
    ----------
    values : ndarray of unsigned integers or float64, shape (levels + 1, parts)
    """

    values: NDArray[Any]

    def total(self, available: Floats, rows: Ints, levels: Ints) -> Ints:
        """Σ over parts of available[row] · values[level], for each (row, level) asked.

        Parameters
        ----------
        available : ndarray of float64 (integers), shape (rows, parts)
        rows, levels : ndarray of int64, shape (questions,)

        Returns
        -------
        ndarray of int64, shape (questions,)
        """
        width = len(self.values)
        asked, which = np.unique(rows * width + levels, return_inverse=True)
        rows, levels = np.divmod(asked, width)
        if len(asked) <= _FEW:
            products = np.array(
                [available[r] @ self.values[m] for r, m in zip(rows, levels, strict=True)]
            )
        else:
            from musodds.exact.kernels.dots import gathered_dots

            products = gathered_dots(available, self.values, rows, levels)
        return products.astype(np.int64)[which]


@dataclass(frozen=True)
class Against:
    """What the rivals hold against a level, for a list of questions.

    Attributes
    ----------
    deals : ndarray of int64, shape (rivals + 1, questions)
        ``deals[a]``: deals in which ``a`` given rivals (those who speak before) are
        below the level and the others not above it.
    stones : ndarray of int64, shape (rivals + 1, questions)
        The rivals' own stones summed over those deals.
    idle : ndarray of int64, shape (questions,)
        Deals in which no rival takes part in the phase.
    taking_part : ndarray of int64, shape (questions,)
        Deals in which every rival takes part (in a unanimous phase), else all deals.
    all_stones : ndarray of int64, shape (questions,)
        The rivals' own stones summed over all deals.
    """

    deals: Ints
    stones: Ints
    idle: Ints
    taking_part: Ints
    all_stones: Ints

    @classmethod
    def empty(cls, number: int, questions: int) -> Against:
        """Room for the answers about ``number`` rivals."""
        by_strictness, single = (number + 1, questions), (questions,)
        shapes = (by_strictness, by_strictness, single, single, single)
        return cls(*(np.zeros(shape, dtype=np.int64) for shape in shapes))

    def fill(self, questions: Ints, part: Against) -> None:
        """Write the answers to some of the questions."""
        for field in fields(self):
            getattr(self, field.name)[..., questions] = getattr(part, field.name)


class Rivals:
    """For each part and level, how many ways to split the part keep all below it.

    One or two rivals. See :func:`rivals` for the instance of a game.

    Parameters
    ----------
    all_hands : Hands
    number : int
    excluded : sequence of int, optional
        Classes of hands that no rival holds.

    Attributes
    ----------
    first, second : ndarray of int64, shape (pairs,)
        Classes of the two rivals' hands in each split (the same array for one rival).
    part_of : ndarray of int64, shape (pairs,)
        Which part each is a split of.
    ways : ndarray of float64 (integers), shape (pairs,)
        Ways to split the part so.
    parts : ndarray of int64, shape (parts, kinds)
        The multisets of cards that the rivals may hold together.
    available : Availability
        A(gone, part) over the parts of this instance.
    """

    def __init__(self, all_hands: Hands, number: int, excluded: Sequence[int] = ()) -> None:
        self.hands = all_hands
        self.number = number
        copies = all_hands.game.deck.copies
        counts = all_hands.counts
        held = np.delete(np.arange(len(counts)), list(excluded))
        if number == 1:
            first = second = held
            self.part_of = np.arange(len(held))
            parts, self.ways = counts[held], np.ones(len(held))
        elif number == 2:
            some, most = counts[held].astype(np.int8), copies.astype(np.int8)
            # Kind by kind: all kinds of all pairs at once are too much for the cache.
            possible = np.ones((len(held), len(held)), dtype=bool)
            for column, copies_of_kind in zip(some.T, most, strict=True):
                possible &= column[:, None] + column <= copies_of_kind
            first, second = (held[chosen] for chosen in np.nonzero(possible))
            code = counts @ radix(copies)
            _, one, self.part_of = np.unique(
                code[first] + code[second], return_index=True, return_inverse=True
            )
            parts = counts[first[one]] + counts[second[one]]
            # Π C(part, hand) in factorials, few of which occur: those of hands and parts.
            alike, of_part = _FACTORIAL[counts].prod(axis=1), _FACTORIAL[parts].prod(axis=1)
            self.ways = of_part[self.part_of] / (alike[first] * alike[second])
        else:
            raise ValueError("splits are counted for one or two rivals")
        self.first, self.second = first, second
        self.parts = parts
        self.available = Availability(copies, parts)

    @cached_property
    def within(self) -> Mapping[str, tuple[LevelTable, ...]]:
        """Ways that the first 0 … rivals are below the level, and no other above it."""
        return {phase: self._tables(phase, self.ways) for phase in PHASES}

    @cached_property
    def within_stones(self) -> Mapping[str, tuple[LevelTable, ...]]:
        """The same, each way counted with the rivals' own stones."""
        tables = {}
        for phase, own in self.hands.stones.items():
            stones = own[self.first] if self.number == 1 else own[self.first] + own[self.second]
            tables[phase] = self._tables(phase, self.ways * stones)
        return tables

    def _tables(self, phase: str, weights: Floats) -> tuple[LevelTable, ...]:
        """A table per number of strict rivals but the last: "all below" is one level down."""
        level, top = self.hands.level[phase], self.hands.top_level[phase]
        first, second = level[self.first], level[self.second]
        counted = np.ones(len(first), dtype=bool)
        if phase in UNANIMOUS:
            counted = (first > 0) & (second > 0)
        tables = []
        for strict in range(self.number):
            # x < m and y <= m exactly if max(x + 1, y) <= m.
            lowest = np.maximum(first + strict, second)
            keep = counted & (lowest <= top)
            size = (top + 1) * len(self.parts)
            sums = np.bincount(
                lowest[keep] * len(self.parts) + self.part_of[keep], weights[keep], size
            )
            most = np.bincount(self.part_of, weights).max()
            small = sums.astype(np.min_scalar_type(int(most))).reshape(top + 1, len(self.parts))
            tables.append(LevelTable(np.cumsum(small, axis=0, dtype=small.dtype)))
        return tuple(tables)

    def against(self, gone: Ints, levels: Mapping[str, Ints]) -> dict[str, Against]:
        """Count the rivals' hands against levels, whatever the number of questions.

        Parameters
        ----------
        gone : ndarray of int64, shape (questions, kinds)
            Cards that the rivals cannot hold.
        levels : mapping of phase to ndarray of int64, shape (questions,)
            The level of the best of the hands that the rivals are up against.

        Returns
        -------
        dict of phase to Against
        """
        some, row_of = distinct(gone, self.available.copies)
        order = np.argsort(row_of, kind="stable")
        starts = np.arange(0, len(some), _ROWS)
        bounds = np.searchsorted(row_of[order], np.append(starts, len(some)))
        tallies = {phase: Against.empty(self.number, len(gone)) for phase in levels}
        for start, low, high in zip(starts, bounds, bounds[1:], strict=False):
            if len(starts) > _LONG:
                step(int(start), len(some))
            asked = order[low:high]
            available = self.available(some[start : start + _ROWS])
            rows = row_of[asked] - start
            for phase, level in levels.items():
                tallies[phase].fill(asked, self._tally(phase, available, rows, level[asked]))
        if len(starts) > _LONG:
            step(1, 1)
        return tallies

    def _tally(self, phase: str, available: Floats, rows: Ints, levels: Ints) -> Against:
        loose = self.within[phase][0]
        zero, top = np.zeros_like(rows), np.full_like(rows, self.hands.top_level[phase])
        deals = self._by_strictness(self.within[phase], available, rows, levels)
        stones, all_stones = np.zeros_like(deals), zero
        if phase in self.hands.stones:
            tables = self.within_stones[phase]
            stones = self._by_strictness(tables, available, rows, levels)
            all_stones = tables[0].total(available, rows, top)
        idle = loose.total(available, rows, zero)
        return Against(deals, stones, idle, loose.total(available, rows, top), all_stones)

    @staticmethod
    def _by_strictness(
        tables: tuple[LevelTable, ...], available: Floats, rows: Ints, levels: Ints
    ) -> Ints:
        # Nobody is below level 0; a side at level 0 does not ask.
        lower = np.maximum(levels - 1, 0)
        counts = [table.total(available, rows, levels) for table in tables]
        return np.stack((*counts, tables[0].total(available, rows, lower)))


@lru_cache(maxsize=8)
def rivals(game: Game, number: int, excluded: tuple[int, ...] = ()) -> Rivals:
    """The split counts of a game against one or two rivals (kept after the first call)."""
    return Rivals(hands(game), number, excluded)
