"""Who takes each phase when two sides of two meet, whatever ranges the four seats hold.

Nobody's hand is gone through. What matters of a side are the eight cards that it holds
together (its *part*) and how they are split; which parts go together is told by the
availability A of :mod:`musodds.exact.splits`. A seat takes a phase with some splits of its
side's part, against the splits of the other part whose best code is lower ::

    Σ_part  ways(part)  Σ_code  mine(part, code)  Σ_other  A(part, other) · below(other, code)

The innermost sum is a dot product for every code that occurs in a part: few millions of
them, made by a compiled kernel.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Exact, Floats, Ints
from musodds.exact.splits import Availability, rivals
from musodds.rules.game import PHASES, UNANIMOUS, Game
from musodds.rules.hands import codes_of, hands
from musodds.rules.ways import choose
from musodds.store.notices import Watcher

_ROWS = 128
_INT32 = 1 << 31
_CHOICES = 10_518_300
"""Ways to choose eight of 32 cards: at most so many deals for each part."""

MOST_WEIGHT = 1 << 13
"""Of all four seats together; with more, sums of float64 might not be exact."""


class Met(NamedTuple):
    """Weights of the deals.

    Attributes
    ----------
    total : int
    takes : dict of str to ndarray of object (int), shape (seats + 1,)
        Per phase, of those that each seat takes; nobody's stand first.
    stones : dict of str to ndarray of object (int), shape (sides,)
        Per phase the stones, times the weight, that each side takes en paso.
    """

    total: int
    takes: dict[str, Exact]
    stones: dict[str, Exact]


def met(
    game: Game,
    weights: Sequence[Ints],
    dead: Sequence[int] = (),
    watch: Watcher | None = None,
) -> Met:
    """Count who takes each phase.

    Parameters
    ----------
    game : Game
        Two sides of two, without jokers.
    weights : sequence of ndarray of int64, shape (classes,)
        What each seat may hold, from mano on. The product of all largest weights must be
        at most :data:`MOST_WEIGHT`.
    dead : sequence of int, optional
        Kinds of the cards that nobody holds.
    watch : callable, optional
        Called now and then with the parts done, and all.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> game, is_kings = get_game("mus"), np.arange(330) == 0
    >>> found = met(game, [is_kings * 1, is_kings * 1, ~is_kings * 1, ~is_kings * 1])
    >>> found.total == found.takes["grande"].sum() == found.takes["grande"][1]
    True
    """
    gone = np.bincount(np.array(dead, dtype=np.int64), minlength=len(game.deck.kinds))
    sides = [_Splits(game, (s, s + 2), weights) for s in (1, 2)]
    all_parts, done = sum(len(side.parts) for side in sides), 0
    takes = {phase: np.zeros(game.seats + 1, dtype=object) for phase in PHASES}
    stones = {phase: np.zeros(game.sides, dtype=object) for phase in PHASES}
    total = 0
    for i, (side, other) in enumerate((sides, sides[::-1])):
        ways = choose(game.deck.copies - gone, side.parts).astype(np.int64).astype(object)
        asked = {phase: side.against(other, phase) for phase in PHASES}
        available = Availability(game.deck.copies, other.parts)
        fits = other.most * _CHOICES < _INT32
        for start in range(0, len(side.parts), _ROWS):
            rows = slice(start, start + _ROWS)
            found = available(side.parts[rows] + gone)
            every = (found @ other.everything).astype(np.int64) * side.whole[rows]
            total += int(ways[rows] @ every.astype(object)) if i == 0 else 0
            for phase, questions in asked.items():
                for n, sums in enumerate(questions.sums(found, start, fits)):
                    worth = int(ways[rows] @ sums.astype(object))
                    if n < len(side.seats):
                        takes[phase][side.seats[n]] += worth
                    else:
                        stones[phase][i] += worth
            done += len(found)
            if watch is not None:
                watch(done, all_parts)
    for of_phase in takes.values():
        of_phase[0] = total - of_phase.sum()
    return Met(total, takes, stones)


class _Splits:
    """The splits of what two partners hold together that their ranges allow."""

    def __init__(self, game: Game, seats: tuple[int, int], weights: Sequence[Ints]) -> None:
        self.game, self.seats = game, seats
        whole = rivals(game, 2)
        values: Floats = whole.ways.copy()
        for seat, held in zip(seats, (whole.first, whole.second), strict=True):
            values = values * weights[seat - 1][held]
        keep = np.flatnonzero(values)
        some, part_of = np.unique(whole.part_of[keep], return_inverse=True)
        self.part_of: Ints = part_of.astype(np.int64)
        self.parts = whole.parts[some]
        self.first, self.second = whole.first[keep], whole.second[keep]
        self.values: Floats = values[keep]
        self.everything: Floats = np.bincount(part_of, self.values, len(some)).astype(float)
        self.whole: Ints = self.everything.astype(np.int64)
        self.most = int(self.everything.max(initial=0))

    def codes(self, phase: str) -> tuple[Ints, Ints]:
        """Codes of both hands in each split."""
        table = hands(self.game)
        one, other = (codes_of(table, phase, seat) for seat in self.seats)
        return one[self.first], other[self.second]

    def playing(self, phase: str) -> NDArray[np.bool_]:
        """The splits that leave the phase to be played."""
        level = hands(self.game).level[phase]
        if phase in UNANIMOUS:
            return (level[self.first] > 0) & (level[self.second] > 0)
        return np.ones(len(self.first), dtype=bool)

    def against(self, other: _Splits, phase: str) -> _Questions:
        """What has to be asked of the other side's splits, part by part."""
        theirs = np.maximum(*other.codes(phase))
        codes, rank = np.unique(theirs, return_inverse=True)
        play = other.playing(phase)
        size = len(codes) * len(other.parts)
        counted = np.bincount(
            rank[play] * len(other.parts) + other.part_of[play], other.values[play], size
        ).reshape(len(codes), -1)
        one, two = self.codes(phase)
        best = np.maximum(one, two)
        mine = np.flatnonzero((best >= self.game.seats) & self.playing(phase))
        limits, limit_of = np.unique(np.searchsorted(codes, best[mine]), return_inverse=True)
        dtype = np.min_scalar_type(max(other.most, 1))
        below = np.empty((len(limits), len(other.parts)), dtype=dtype)
        sums, done = np.zeros(len(other.parts)), 0
        for row, limit in zip(below, limits, strict=True):
            sums += counted[done:limit].sum(axis=0)
            row[:], done = sums, limit
        return _Questions.of(self, phase, mine, (one >= two)[mine], limit_of, below)


class _Questions(NamedTuple):
    """Dot products to be made, in order of the part they belong to.

    Attributes
    ----------
    below : ndarray of unsigned integers, shape (limits, other parts)
        Weight of the other's splits below each limit.
    part, limit : ndarray of int64, shape (questions,)
    worth : ndarray of int64, shape (3, questions)
        Weight of my splits that ask: those with which either seat takes the phase, and of
        all with their stones.
    """

    below: NDArray[np.unsignedinteger]
    part: Ints
    limit: Ints
    worth: Ints

    @classmethod
    def of(
        cls, side: _Splits, phase: str, mine: Ints, first: NDArray[np.bool_], limit_of: Ints,
        below: NDArray[np.unsignedinteger],
    ) -> _Questions:  # fmt: skip
        asked, which = np.unique(
            side.part_of[mine] * (len(below) + 1) + limit_of, return_inverse=True
        )
        values = side.values[mine]
        own = hands(side.game).stones.get(phase)
        stones = values
        if own is not None:
            stones = values * (own[side.first[mine]] + own[side.second[mine]])
        worth = [
            np.bincount(which, some, len(asked))
            for some in (values * first, values * ~first, stones)
        ]
        part, limit = np.divmod(asked, len(below) + 1)
        return cls(below, part, limit, np.stack(worth).astype(np.int64))

    def sums(self, available: Floats, start: int, fits: bool) -> Iterator[Ints]:
        """Sums of either seat and of stones for some parts, shape (parts,)."""
        from musodds.exact.kernels.dots import gathered_dots, gathered_whole_dots

        low, high = np.searchsorted(self.part, (start, start + len(available)))
        rows, limits = self.part[low:high] - start, self.limit[low:high]
        if fits:
            found = gathered_whole_dots(available.astype(np.int32), self.below, rows, limits)
        else:
            found = gathered_dots(available, self.below, rows, limits)
        whole = found.astype(np.int64)
        for worth in self.worth:
            yield np.bincount(rows, worth[low:high] * whole, len(available)).astype(np.int64)
