"""Random deals that fit what is known, drawn without rejection.

Deals are drawn from the right distribution however rare they are: a range that one deal
in a million meets costs no more than a common one. Up to four seats with ranges are
drawn *exactly*: the hands of one or two of them (*outer*) from their joint weights, in
which everything the last two (*inner*) may then hold is already summed; then the cards
that the inner two hold together, then the split between them (availability × splits,
see :mod:`musodds.exact.splits`, used to draw instead of to count). A fifth and a sixth seat
are drawn from their ranges given the cards that are left, and the deal carries an
importance weight, the chance that those cards met the range (the Rosenbluth weight:
M. and A. Rosenbluth, J. Chem. Phys. 23, 1955). Seats of which nothing is known are
dealt from the rest.

Weights are summed in float64 and compared with 53 random bits: probabilities are right
to about 1e-14, far below what any sample can tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import comb

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats, Ints
from musodds.errors import KnowledgeError
from musodds.exact.splits import Availability, rivals
from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.rules.ways import choose, distinct

BLOCK = 1 << 12
"""Deals in a block; block b of a run depends on the seed and b alone."""

_INNER = 2
_EXACT = 4
_ROWS = 128

_MOST_KEPT = 3_000_000
"""Running sums over parts that are kept, 8 bytes each; more are made anew for every block."""


class ConditionalDeals:
    """Deals of a game in which some seats hold given ranges.

    Parameters
    ----------
    game : Game
        Four cards to each player.
    weights : mapping of seat to ndarray of int64, shape (classes,)
        Weight of each hand; seats left out may hold anything.
    dead : sequence of int, optional
        Kinds of the cards that nobody holds.

    Raises
    ------
    KnowledgeError
        If no deal fits (with five or more ranges: or none is found).

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> from musodds.knowledge.language import parse_range
    >>> mus = get_game("mus")
    >>> kings = parse_range("RRRR", mus).weights
    >>> dealt, weights = ConditionalDeals(mus, {1: kings, 3: kings}).sample(1000, seed=1)
    >>> dealt.shape, sorted(set(dealt[:, 0].tolist())), set(weights.tolist())
    ((1000, 4), [0], {1.0})
    """

    def __init__(self, game: Game, weights: Mapping[int, Ints], dead: Sequence[int] = ()) -> None:
        self.game = game
        self.hands = hands(game)
        gone = np.bincount(np.array(dead, dtype=np.int64), minlength=len(game.deck.kinds))
        self.left = game.deck.copies - gone
        self.fixed = {
            seat: int(np.flatnonzero(held)[0])
            for seat, held in weights.items()
            if np.count_nonzero(held) == 1
        }
        self._of_fixed = 1.0
        for seat, held in self.fixed.items():
            ways = choose(self.left, self.hands.counts[held])
            self._of_fixed *= float(ways * weights[seat][held])
            self.left = self.left - self.hands.counts[held]
        if (self.left < 0).any():
            raise KnowledgeError("no deal fits all that is known")
        # The rarest ranges are drawn exactly, and the rarest of them last.
        ways = choose(self.left, self.hands.counts)
        seats = sorted(
            weights.keys() - self.fixed.keys(),
            key=lambda s: (float((ways * (weights[s] > 0)).sum()), s),
        )
        self.weights = {seat: weights[seat].astype(np.float64) for seat in seats}
        self.inner = seats[:_INNER]
        self.outer = seats[_INNER:_EXACT]
        self.late = seats[_EXACT:]
        self.free = [s for s in range(1, game.seats + 1) if s not in weights]
        if self.inner:
            self._prepare_inner()
            self._prepare_outer()

    def _prepare_inner(self) -> None:
        """The splits of the inner seats, part by part, with their weights summed up."""
        splits = rivals(self.game, len(self.inner))
        classes = (splits.first, splits.second)[: len(self.inner)]
        values = splits.ways
        for seat, held in zip(self.inner, classes, strict=True):
            values = values * self.weights[seat][held]
        keep = np.flatnonzero(values)
        if not len(keep):
            raise KnowledgeError("no deal fits all that is known")
        keep = keep[np.argsort(splits.part_of[keep], kind="stable")]
        some, self.part_of = np.unique(splits.part_of[keep], return_inverse=True)
        self.splits = np.stack([held[keep] for held in classes], axis=1)
        self.ends = np.cumsum(values[keep])
        self.part_ends = np.concatenate(
            ([0], np.searchsorted(self.part_of, np.arange(len(some)), side="right"))
        )
        self.part_values = np.bincount(self.part_of, values[keep], len(some))
        self.available = Availability(self.game.deck.copies, splits.parts[some])

    def _prepare_outer(self) -> None:
        """The hands of the outer seats, each combination with the weight of its deals."""
        counts = self.hands.counts
        held = np.zeros((1, 0), dtype=np.int64)
        taken, ways = np.zeros((1, counts.shape[1]), dtype=np.int64), np.ones(1)
        for seat in self.outer:
            mine = np.flatnonzero(self.weights[seat])
            more = choose((self.left - taken)[:, None, :], counts[mine]) * self.weights[seat][mine]
            row, column = np.nonzero(more)
            held = np.concatenate((held[row], mine[column][:, None]), axis=1)
            taken, ways = taken[row] + counts[mine[column]], ways[row] * more[row, column]
        self.held = held
        gone = taken + (self.game.deck.copies - self.left)
        self.gone, self.row_of = distinct(gone, self.game.deck.copies)
        self.sums: Floats | None = None
        if len(self.gone) * len(self.part_values) <= _MOST_KEPT:
            self.sums = np.concatenate(list(self._running(self.gone)))
            totals = self.sums[:, -1]
        else:
            totals = np.concatenate([rows @ self.part_values for rows in self._rows(self.gone)])
        self.outer_ends = np.cumsum(ways * totals[self.row_of])
        if not len(self.outer_ends) or not self.outer_ends[-1]:
            raise KnowledgeError("no deal fits all that is known")

    def _running(self, gone: Ints) -> Iterator[Floats]:
        """Running sums of the weights of parts, for each row of cards that are gone."""
        for available in self._rows(gone):
            yield np.cumsum(available * self.part_values, axis=1)

    def _rows(self, gone: Ints) -> Iterator[Floats]:
        for start in range(0, len(gone), _ROWS):
            yield self.available(gone[start : start + _ROWS])

    @property
    def total(self) -> float:
        """The weight of all deals to the seats with ranges, where these are four at most.

        Two of them compare if they are of the same seats, and then give a chance.

        Examples
        --------
        >>> from musodds.rules.games import get_game
        >>> from musodds.knowledge.language import parse_range
        >>> mus = get_game("mus")
        >>> kings, any_hand = (parse_range(text, mus).weights for text in ("RRRR", "any"))
        >>> some = ConditionalDeals(mus, {1: kings, 3: kings}).total
        >>> chance = some / ConditionalDeals(mus, {1: kings, 3: any_hand}).total
        >>> round(1 / chance)  # the hands that 36 cards make
        58905
        """
        return self._of_fixed * (float(self.outer_ends[-1]) if self.inner else 1.0)

    def block(self, block: int, size: int, seed: int) -> tuple[Ints, Floats]:
        """The first deals of a block of :meth:`sample`."""
        dealt, weights = self.whole(np.random.default_rng([seed, block]), BLOCK)
        return dealt[:size], weights[:size]

    def sample(self, n: int, seed: int) -> tuple[Ints, Floats]:
        """Draw deals, independent of each other.

        Parameters
        ----------
        n : int
        seed : int
            Not negative.

        Returns
        -------
        dealt : ndarray of int64, shape (n, seats)
            Hand class of each seat.
        weights : ndarray of float64, shape (n,)
            Importance weight of each deal; all 1 with up to four ranges.
        """
        blocks = [
            self.block(block, min(BLOCK, n - block * BLOCK), seed)
            for block in range(-(-n // BLOCK))
        ]
        return np.concatenate([b[0] for b in blocks]), np.concatenate([b[1] for b in blocks])

    def given(self, rng: np.random.Generator, n: int) -> tuple[Ints, Floats]:
        """As :meth:`sample`, but the seats that may hold anything are left to be dealt: -1."""
        return self._given(rng, n)[:2]

    def whole(self, rng: np.random.Generator, n: int) -> tuple[Ints, Floats]:
        """As :meth:`given`, but every seat is dealt its hand."""
        dealt, weights, rest = self._given(rng, n)
        if self.free:
            self._deal_rest(rng, dealt, rest)
        return dealt, weights

    def _given(self, rng: np.random.Generator, n: int) -> tuple[Ints, Floats, Ints]:
        """The hands and weights, and the cards that are left, shape (n, kinds)."""
        dealt = np.full((n, self.game.seats), -1, dtype=np.int64)
        weights = np.ones(n)
        for seat, held in self.fixed.items():
            dealt[:, seat - 1] = held
        rest = np.repeat(self.left[None, :], n, axis=0)
        if self.inner:
            self._draw_exact(rng, dealt)
            for seat in (*self.inner, *self.outer):
                rest -= self.hands.counts[dealt[:, seat - 1]]
        for seat in self.late:
            weights *= self._draw_late(rng, dealt, rest, seat)
            rest -= self.hands.counts[dealt[:, seat - 1]]
        return dealt, weights, rest

    def _draw_exact(self, rng: np.random.Generator, dealt: Ints) -> None:
        n = len(dealt)
        chosen = _draw(self.outer_ends, rng.random(n))
        for i, seat in enumerate(self.outer):
            dealt[:, seat - 1] = self.held[chosen, i]
        rows, asking = np.unique(self.row_of[chosen], return_inverse=True)
        order = np.argsort(asking, kind="stable")
        bounds = np.cumsum(np.concatenate(([0], np.bincount(asking))))
        uniform, parts = rng.random(n), np.empty(n, dtype=np.int64)
        number = 0
        kept = self.sums
        every = (
            self._running(self.gone[rows])
            if kept is None
            else (kept[row : row + 1] for row in rows)
        )
        for some in every:
            for sums in some:
                who = order[bounds[number] : bounds[number + 1]]
                parts[who] = _draw(sums, uniform[who])
                number += 1
        first, last = self.part_ends[parts], self.part_ends[parts + 1]
        low = np.where(first > 0, self.ends[first - 1], 0.0)
        point = low + rng.random(n) * (self.ends[last - 1] - low)
        # A point rounded up to the end of its part belongs to the last split of it.
        split = np.minimum(np.searchsorted(self.ends, point, side="right"), last - 1)
        for i, seat in enumerate(self.inner):
            dealt[:, seat - 1] = self.splits[split, i]

    def _draw_late(self, rng: np.random.Generator, dealt: Ints, rest: Ints, seat: int) -> Floats:
        """Draw a hand of the range from the rest; the chance that a hand is in it."""
        mine = np.flatnonzero(self.weights[seat])
        n = len(dealt)
        chances = np.zeros(n)
        uniform = rng.random(n)
        for start in range(0, n, _ROWS):
            rows = slice(start, start + _ROWS)
            ways = choose(rest[rows, None, :], self.hands.counts[mine]) * self.weights[seat][mine]
            ends = np.cumsum(ways, axis=1)
            point = uniform[rows] * ends[:, -1]
            column = np.minimum((ends <= point[:, None]).sum(axis=1), len(mine) - 1)
            dealt[rows, seat - 1] = mine[column]
            chances[rows] = ends[:, -1]
        for i in np.flatnonzero(chances == 0):
            # Of no weight, but a deal all the same.
            dealt[i, seat - 1] = (self.hands.counts <= rest[i]).all(axis=1).argmax()
        every = comb(int(rest[:1].sum()), CARDS) * self.weights[seat].max()
        met: Floats = chances / every
        return met

    def _deal_rest(self, rng: np.random.Generator, dealt: Ints, rest: Ints) -> None:
        """Shuffle what is left and deal four to each seat of which nothing is known."""
        cards = int(rest[0].sum())
        kinds = (np.cumsum(rest, axis=1)[:, None, :] <= np.arange(cards)[:, None]).sum(axis=2)
        order = np.argsort(rng.random((len(rest), cards)), axis=1)
        for i, seat in enumerate(self.free):
            four = np.take_along_axis(kinds, order[:, CARDS * i : CARDS * (i + 1)], axis=1)
            counts = (four[:, :, None] == np.arange(rest.shape[1])).sum(axis=1)
            dealt[:, seat - 1] = self._class_of(counts)

    def _class_of(self, counts: Ints) -> Ints:
        place = 5 ** np.arange(counts.shape[1], dtype=np.int64)
        codes = self.hands.counts @ place
        order = np.argsort(codes)
        found: Ints = order[np.searchsorted(codes[order], counts @ place)]
        return found


def _draw(ends: Floats, uniform: NDArray[np.float64]) -> Ints:
    """Draw from weights given by their running sums."""
    drawn = np.searchsorted(ends, uniform * ends[-1], side="right")
    # The product may round up to the very end; and no weight is behind the last step.
    last: Ints = np.minimum(drawn, np.searchsorted(ends, ends[-1]))
    return last
