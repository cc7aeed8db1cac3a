"""What a deal comes to, all phases together: exact joint counts.

Odds take one phase at a time. What a deal does to a *score* needs them together: who
takes each of grande, chica, pares and juego (or else punto), and what each side's hands
are worth in pares and juego. There are few hundred such outcomes; this module counts
the deals of each, for my side of a hand in a seat, with any knowledge of the others.

As in :mod:`musodds.exact.splits`, the others' cards are a hand of the partner's, a part that
the rivals hold together, and its split between them; A(gone, part) · K counts the deals.
The event is now four comparisons at once. A hand's *code* (see :mod:`musodds.exact.unseen`)
tells who takes a phase, and what matters of the rivals' codes is only how they rank
among those of my side: so splits of equal ranks are put together (see
:mod:`musodds.exact.kernels.outcomes`) before they are compared.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Exact, Floats, Ints, Mask, halves, joined
from musodds.exact.kernels.code_words import Words, not_above, words
from musodds.exact.scope import check_together
from musodds.exact.unseen import Unseen
from musodds.rules.game import Game, rivals_in_order
from musodds.rules.hands import CHICA, GRANDE, LAST, PARES, STONES, hands, lane_codes, own_stones
from musodds.store.cache import cached
from musodds.store.numbers import digest
from musodds.values import Value

# The kernel adds up in 64 bits at most 2**30 ways to deal the rivals times a weight.
_SLICE = 20

# Up to this many comparisons are made by numpy; what takes more is kept on disk.
_FEW = 10**8
_FEWER = 10**6
"""Where it is loaded already, it counts in half the time."""


@dataclass(frozen=True, eq=False, repr=False)
class Outcomes(Value):
    """Outcomes of a deal as my side sees them, and how many deals have each.

    Attributes
    ----------
    game : Game
    seat : int
        A seat of my side.
    wins : ndarray of bool, shape (outcomes, 4)
        Whether my side has the best hand in grande, chica, pares, and juego or punto;
        of no meaning where nobody has pares.
    mine, theirs : ndarray of int64, shape (outcomes, 2)
        Own stones of each side's hands in pares and in juego; all 0 in juego: punto.
    weights : ndarray of object (int), shape (outcomes,)
        Deals, or their weight where ranges have weights.

    Examples
    --------
    >>> from musodds.knowledge.knowledge import Knowledge
    >>> from musodds.exact.known_hands import unseen_by_seat
    >>> from musodds.rules.games import get_game
    >>> game = get_game("mus2p")
    >>> unseen = unseen_by_seat(hands(game).index("RR7A"), (1,), Knowledge(game))[1]
    >>> known_outcomes(unseen, 1).total  # hands of the rival: C(36, 4)
    58905
    """

    game: Game
    seat: int
    wins: Mask
    mine: Ints
    theirs: Ints
    weights: Exact

    @property
    def total(self) -> int:
        """Weight of all deals."""
        return int(self.weights.sum())

    def chances(self) -> Floats:
        """The chance of each outcome, shape (outcomes,)."""
        total = self.total
        return np.array([weight / total for weight in self.weights], dtype=np.float64)

    def contested(self, phase: str) -> Mask:
        """Where both sides may bet in a phase, shape (outcomes,)."""
        if phase in STONES:
            i = STONES.index(phase)
            both: Mask = (self.mine[:, i] > 0) & (self.theirs[:, i] > 0)
            return both
        if phase == "punto":
            nobody: Mask = (self.mine[:, 1] == 0) & (self.theirs[:, 1] == 0)
            return nobody
        return np.ones(len(self.wins), dtype=bool)

    def where(self, keep: Mask) -> Outcomes:
        """Only some of the outcomes."""
        return Outcomes(
            self.game, self.seat, self.wins[keep], self.mine[keep], self.theirs[keep],
            self.weights[keep],
        )  # fmt: skip


def outcomes_of_counts(game: Game, seat: int, own: Ints, counts: Ints | Exact) -> Outcomes:
    """The outcomes that occur in a table of counts.

    Parameters
    ----------
    game : Game
    seat : int
    own : ndarray of int64, shape (rows, 2)
        My side's own stones in pares and juego.
    counts : ndarray of int, shape (rows, 16, kinds)
        Deals by who takes what (see :func:`musodds.exact.kernels.outcomes.count_outcomes`) and the
        rivals' own stones (:func:`rivals_stones`).
    """
    row, wins, kind = np.nonzero(counts)
    return Outcomes(
        game,
        seat,
        (wins[:, None] >> np.arange(4) & 1).astype(bool),
        own[row],
        rivals_stones(game)[0][kind],
        counts[row, wins, kind].astype(object),
    )


def together(game: Game, seat: int, parts: Sequence[tuple[int, Outcomes]]) -> Outcomes:
    """The outcomes of several cases of a question, each with its weight."""
    outcomes = [one for _, one in parts]
    return Outcomes(
        game,
        seat,
        np.concatenate([one.wins for one in outcomes]),
        np.concatenate([one.mine for one in outcomes]),
        np.concatenate([one.theirs for one in outcomes]),
        np.concatenate([weight * one.weights for weight, one in parts]),
    )


def known_outcomes(unseen: Unseen, seat: int) -> Outcomes:
    """Count the outcomes of a hand in a seat, given what is known of the others.

    Parameters
    ----------
    unseen : Unseen
        The hand and what it does not see; see
        :func:`musodds.exact.known_hands.unseen_by_seat`.
    seat : int
    """
    game = unseen.game
    check_together(game)
    shape = (len(mates_of(game)[0]), 16, len(rivals_stones(game)[0]))
    if len(unseen.mates) * len(unseen.first) <= _FEW:
        counts = _known_counts(unseen, seat, shape)
    else:
        rows = cached(
            _name(unseen, seat),
            lambda: _sparse(_known_counts(unseen, seat, shape)),
            shape=(None, 3),
            valid=lambda rows: (
                rows.size > 0 and bool(((rows[:, 0] >= 0) & (rows[:, 0] < prod(shape))).all())
            ),
        )
        counts = np.zeros(shape, dtype=object)
        counts.flat[rows[:, 0]] = joined(rows[:, 1:])
    own = own_stones(unseen.hands)[unseen.me] + mates_of(game)[0]
    return outcomes_of_counts(game, seat, own, counts)


def _name(unseen: Unseen, seat: int) -> str:
    """A name that tells apart all that the counts depend on."""
    hashed = hashlib.sha256(f"{seat} {unseen.me} {unseen.mate_ways.tolist()}".encode())
    for numbers in (unseen.gone, unseen.mates, unseen.first, unseen.second, unseen.values):
        hashed.update(numbers.tobytes())
    return f"hand-{digest(unseen.game)}-{hashed.hexdigest()[:24]}"


def _sparse(counts: Exact) -> Ints:
    """Where counts are not 0, and two halves of each."""
    where = np.flatnonzero(counts)
    return np.column_stack((where, halves(counts.flat[where])))


def _known_counts(unseen: Unseen, seat: int, shape: tuple[int, int, int]) -> Exact:
    """Deals by the partner's own stones, who takes what and the rivals' own stones."""
    game, all_hands = unseen.game, unseen.hands
    number = len(unseen.mates)
    code = np.repeat(lane_codes(all_hands, seat)[[unseen.me]], number, axis=0)
    group = np.zeros(number, dtype=np.int64)
    for partner in game.partners(seat):
        code = np.maximum(code, lane_codes(all_hands, partner)[unseen.mates])
        group = mates_of(game)[1][unseen.mates]
    splits = Splits.of(game, seat, unseen.first, unseen.second, unseen.part_of, unseen.parts)
    counts: Exact = np.zeros(shape, dtype=object)
    values = unseen.values.astype(np.int64)
    for shift in range(0, max(1, int(values.max(initial=0)).bit_length()), _SLICE):
        some = values >> shift & ((1 << _SLICE) - 1)
        by_mate = splits.by_row(unseen.some_available(), some, code, shape[2])
        counts += _over_mates(by_mate, unseen.mate_ways, group, shape[0]) << shift
    return counts


def _over_mates(by_mate: Ints, ways: Exact, group: Ints, groups: int) -> Exact:
    """Σ of ways × counts over the partner's hands of each group: Python integers."""
    found: Exact = np.zeros((groups, *by_mate.shape[1:]), dtype=object)
    whole = float(by_mate.sum(axis=(1, 2), dtype=np.float64) @ ways.astype(np.float64))
    if whole < 2.0**62:
        sums, factors = np.zeros(found.shape, dtype=np.int64), ways.astype(np.int64)
        np.add.at(sums, group, by_mate * factors[:, None, None])
        return sums.astype(object)
    for counts, factor, which in zip(by_mate, ways, group, strict=True):
        found[which] += factor * counts.astype(object)
    return found


@dataclass(frozen=True, eq=False)
class Splits:
    """The rivals' splits, part by part, as the kernel reads them."""

    order: Ints
    start: Ints
    grande: NDArray[np.uint16]
    chica: NDArray[np.uint16]
    rest: NDArray[np.uint16]
    rest_code: NDArray[np.uint16]
    rest_kind: Ints
    codes: int

    @classmethod
    def of(
        cls, game: Game, seat: int, first: Ints, second: Ints, part_of: Ints, parts: Ints
    ) -> Splits:
        order, start = by_part(part_of, len(parts))
        players = tuple(
            zip(rivals_in_order(game, seat), (first[order], second[order]), strict=False)
        )
        kinds, kind_of = rivals_stones(game)
        kind = kind_of[players[0][1], players[-1][1] if len(players) > 1 else 0]
        codes = {s: lane_codes(hands(game), s) for s, _ in players}

        def best(of_seat: Mapping[int, NDArray[Any]]) -> NDArray[np.uint16]:
            found = [of_seat[s].astype(np.uint16)[held] for s, held in players]
            greatest: NDArray[np.uint16] = np.maximum(found[0], found[-1])
            return greatest

        # Few distinct rests occur: they are numbered by way of a table of all.
        size, rest, lanes = len(kinds), kind.astype(np.int64), []
        for lane in (LAST, PARES):
            occur = np.unique([of_seat[:, lane] for of_seat in codes.values()])
            rank = {s: np.searchsorted(occur, of_seat[:, lane]) for s, of_seat in codes.items()}
            rest += best(rank) * np.int64(size)
            lanes.append((occur, size))
            size *= len(occur)
        present = np.zeros(size, dtype=bool)
        present[rest] = True
        distinct = np.flatnonzero(present)
        number = np.cumsum(present, dtype=np.int32) - 1
        (last, low), (pares, high) = lanes
        return cls(
            order,
            start,
            best({s: of_seat[:, GRANDE] for s, of_seat in codes.items()}),
            best({s: of_seat[:, CHICA] for s, of_seat in codes.items()}),
            number[rest].astype(np.uint16),
            np.column_stack((pares[distinct // high], last[distinct % high // low])).astype(
                np.uint16
            ),
            distinct % low,
            1 + max(int(lane_codes(hands(game), s).max()) for s in range(1, game.seats + 1)),
        )

    def by_row(
        self, available: Iterable[Floats], values: Ints, code: NDArray[np.int32], kinds: int
    ) -> Ints:
        """The counts of one split of my side in each row, shape (rows, 16, kinds).

        Parameters
        ----------
        available : iterable of ndarray of float64 (integers)
            Ways to choose each part, some rows at a time.
        values : ndarray of int64, shape (pairs,)
        code : ndarray of int32, shape (rows, lanes)
        kinds : int
        """
        lanes = (self.grande, self.chica, *self.rest_code[self.rest].T)
        theirs, mine = words(lanes), words(code.T)
        kind, value = self.rest_kind.astype(np.uint16)[self.rest], values[self.order]
        out = np.zeros((len(mine), 16 * kinds), dtype=np.int64)
        # Few are sooner done by numpy than the compiled kernel loads.
        work = len(mine) * len(theirs)
        many = work > _FEW or ("numba" in sys.modules and work > _FEWER)
        compare = self._compare if many else self._compare_few
        row = 0
        for some in available:
            here = slice(row, row + len(some))
            compare(some, value, theirs, kind, mine[here], out[here])
            row += len(some)
        return out.reshape(-1, 16, kinds)

    def _compare(
        self, available: Floats, value: Ints, theirs: Words, kind: NDArray[np.uint16],
        mine: Words, out: Ints,
    ) -> None:  # fmt: skip
        from musodds.exact.kernels.outcomes import count_single

        count_single(available, self.start, theirs, kind, value, mine, out)

    def _compare_few(
        self, available: Floats, value: Ints, theirs: Words, kind: NDArray[np.uint16],
        mine: Words, out: Ints,
    ) -> None:  # fmt: skip
        """The same; sums stay below 2**53."""
        part = np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))
        kinds, ways = np.uint64(out.shape[1] // 16), value.astype(np.float64)
        where, weight = np.empty(len(theirs), dtype=np.uint64), np.empty(len(theirs))
        for row, own in enumerate(mine):
            not_above(theirs, own, out=where)
            where *= kinds
            where += kind
            np.take(available[row], part, out=weight, mode="clip")
            weight *= ways
            out[row] = np.bincount(where.view(np.int64), weight, out.shape[1])

    def count(
        self, available: Floats, values: Ints, own_start: Ints, code: NDArray[np.int32],
        slot: Ints, weight: Ints, out: Ints,
    ) -> None:  # fmt: skip
        from musodds.exact.kernels.outcomes import Pairs, count_outcomes

        pairs = Pairs(
            self.start, self.grande, self.chica, self.rest, self.rest_code, self.rest_kind,
            values[self.order],
        )  # fmt: skip
        count_outcomes(available, pairs, self.codes, own_start, code, slot, weight, out)


def by_part(part_of: Ints, parts: int) -> tuple[Ints, Ints]:
    """Splits in order of their parts, and where each part begins."""
    # Numpy sorts 16 bits by their digits, in a tenth of the time.
    few = part_of.astype(np.uint16) if parts <= 1 << 16 else part_of
    order = np.argsort(few, kind="stable")
    return order, np.concatenate(([0], np.cumsum(np.bincount(part_of, minlength=parts))))


@lru_cache(maxsize=8)
def mates_of(game: Game) -> tuple[Ints, Ints]:
    """The own stones a partner may add, shape (mates, 2), and which each class adds."""
    if game.side_size == 1:
        return np.zeros((1, 2), dtype=np.int64), np.zeros(len(hands(game)), dtype=np.int64)
    found, which = np.unique(own_stones(hands(game)), axis=0, return_inverse=True)
    return found, which.reshape(-1)


@lru_cache(maxsize=8)
def rivals_stones(game: Game) -> tuple[Ints, NDArray[np.int32]]:
    """The own stones that the rivals' hands may have, shape (kinds, 2), and whose they are.

    The second, shape (classes, classes or 1), is the kind of each pair of hands.
    """
    some, which = np.unique(own_stones(hands(game)), axis=0, return_inverse=True)
    mates, mate_of = mates_of(game)
    together = some[:, None] + mates
    found, kind = np.unique(together.reshape(-1, 2), axis=0, return_inverse=True)
    table = kind.reshape(together.shape[:2]).astype(np.int32)
    return found, table[which.reshape(-1, 1), mate_of if game.side_size > 1 else 0]
