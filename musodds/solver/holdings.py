"""Both hands of a side: every way to hold them, and what they do against the other side's.

A *holding* is the two hands of a side; those of the same eight cards that win and score
the same are one. There are some hundred thousand for Mus. What a side knows is a *group*
of holdings: one player's hand and his partner's sign, or, where both hands are seen, a
group of holdings that are played alike.

Stones are linear in who wins each comparison. So sums over all pairs of holdings need no
pair to be looked at: the other side's are added, from the lowest up, to what each eight
cards leave (:func:`musodds.solver.kernels.side_rows.below`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats, Ints
from musodds.exact.splits import rivals
from musodds.rules.game import PHASES, Game
from musodds.rules.hands import LAST, PARES, STONES, hands, lane_codes, own_stones
from musodds.rules.ways import deals

Mask = NDArray[np.bool_]
Single = NDArray[np.float32]
COLUMNS = 64
"""Sets of eight cards worked on at once."""


@dataclass(frozen=True, eq=False)
class Holdings:
    """The holdings of one side.

    Attributes
    ----------
    part : ndarray of int64, shape (holdings,)
        Which eight cards.
    ways : ndarray of float64
        Ways to deal those cards to the two hands.
    hand : ndarray of int64, shape (holdings, 2)
        The classes of the earlier and the later seat's hand.
    code : ndarray of int64, shape (holdings, 4)
        The greatest in a comparison takes it.
    own : ndarray of int64, shape (holdings, 2)
        Stones of both hands in pares and in juego.
    chance : ndarray of float64
        Of being dealt it.
    """

    part: Ints
    ways: Floats
    hand: Ints
    code: Ints
    own: Ints
    chance: Floats

    def __len__(self) -> int:
        return len(self.part)

    def weighed(self, weights: Floats) -> Holdings:
        """Those of a weight above 0, as many times as likely; that goes into the ways."""
        some = weights > 0
        found, chance = self.where(some), self.chance[some] * weights[some]
        return replace(found, ways=found.ways * weights[some], chance=chance / chance.sum())

    def where(self, some: NDArray[Any]) -> Holdings:
        """Some of them, by a mask or by numbers."""
        return Holdings(
            self.part[some], self.ways[some], self.hand[some], self.code[some], self.own[some],
            self.chance[some],
        )  # fmt: skip


def holdings_of(game: Game, side: int) -> Holdings:
    """All holdings of a side of two players."""
    known, split = hands(game), rivals(game, 2)
    seats = (1 + side, 3 + side)
    hand = np.stack((split.first, split.second), axis=1).astype(np.int64)
    codes = [lane_codes(known, seat).astype(np.int64) for seat in seats]
    code = np.maximum(codes[0][hand[:, 0]], codes[1][hand[:, 1]])
    own = own_stones(known)[hand].sum(axis=1)
    none = np.zeros((1, split.parts.shape[1]), dtype=np.int64)
    chance = split.available(none)[0][split.part_of] * split.ways
    return Holdings(
        split.part_of.astype(np.int64), split.ways.astype(np.float64), hand, code, own,
        chance / chance.sum(),
    )  # fmt: skip


def taking_part(some: Holdings, phase: str) -> Mask:
    """Which holdings there are where a phase is bet on."""
    if phase in STONES:
        having: Mask = some.own[:, STONES.index(phase)] > 0
        return having
    if phase == "punto":
        none: Mask = some.own[:, 1] == 0
        return none
    return np.ones(len(some), dtype=np.bool_)


@dataclass(frozen=True, eq=False)
class Bases:
    """What payoffs in stones are made of, each a sum of chances over pairs of holdings.

    Attributes
    ----------
    mass : ndarray of float32, shape (mine, groups of theirs)
        The chance of the pair.
    wins : the same
        That the first of them has the best hand in the phase.
    rest : the same
        Net stones of all other phases, passed.
    mine, theirs : the same
        Own stones in the phase, of pares and juego.
    shown : the same
        Own stones of who has the best hand, net.
    """

    mass: Single
    wins: Single
    rest: Single
    mine: Single
    theirs: Single
    shown: Single

    @classmethod
    def zeros(cls, *shape: int) -> Bases:
        return cls(*(np.zeros(shape, dtype=np.float32) for _ in range(6)))

    @property
    def all(self) -> tuple[Single, ...]:
        return (self.mass, self.wins, self.rest, self.mine, self.theirs, self.shown)


@dataclass(frozen=True, eq=False)
class Meeting:
    """The holdings of one side against groups of the other's, in a phase that is bet on.

    Parameters
    ----------
    game : Game
    phase : str
    me, them : Holdings
        Only those that take part.
    group : ndarray of int64
        Of each of theirs.
    groups : int
    """

    game: Game
    phase: str
    me: Holdings
    them: Holdings
    group: Ints
    groups: int

    @cached_property
    def _split(self) -> Any:
        return rivals(self.game, 2)

    @cached_property
    def _theirs(self) -> dict[int, tuple[Any, ...]]:
        """By lane: the other side's holdings, from the lowest up; equal ones together."""
        them = self.them
        found = {}
        for lane in range(4):
            own = them.own[:, lane - PARES] if lane >= PARES else np.zeros(len(them), np.int64)
            no = (them.own[:, 1] == 0).astype(np.float64)
            key = np.stack((them.code[:, lane], self.group, them.part), axis=1)
            order = np.lexsort(key.T[::-1])
            sorted_key = key[order]
            new = np.concatenate(([True], (np.diff(sorted_key, axis=0) != 0).any(axis=1)))
            at = np.cumsum(new) - 1
            weights = [
                np.bincount(at, (them.ways * w)[order]).astype(np.float32) for w in (1, own, no)
            ]
            code, group, part = (sorted_key[new, k].copy() for k in range(3))
            found[lane] = (part, group, code, weights)
        return found

    def blocks(self) -> Iterator[tuple[Ints, Bases]]:
        """The rows of some holdings at a time: their numbers, and a row for each.

        Every row is multiplied by the chance of its holding; all pairs together have the
        chance that the phase is bet on.
        """
        whole = float(deals(self.game.deck.size, 2)) * deals(self.game.deck.size - 8, 2)
        split = self._split
        from_deck = split.available(np.zeros((1, split.parts.shape[1]), dtype=np.int64))[0]
        used = np.unique(self.me.part)
        order = np.argsort(self.me.part, kind="stable")
        sorted_part = self.me.part[order]
        for begin in range(0, len(used), COLUMNS):
            some = used[begin : begin + COLUMNS]
            low, high = np.searchsorted(sorted_part, (some[0], some[-1] + 1))
            numbers = order[low:high]
            gone = split.parts[some]
            cards = (split.available(gone) * (from_deck[some] / whole)[:, None]).T
            cards = np.ascontiguousarray(cards, dtype=np.float32)
            place = np.searchsorted(some, self.me.part[numbers]).astype(np.int64)
            yield numbers, self._rows(cards, numbers, place)

    def _rows(self, cards: Single, numbers: Ints, place: Ints) -> Bases:
        me, lane_of = self.me.where(numbers), min(PHASES.index(self.phase), LAST)
        out = Bases.zeros(len(numbers), self.groups)
        scale = me.ways.astype(np.float32)[:, None]
        sums = self._sums(cards)
        mass = sums[0].T[place]
        out.mass[:] = mass
        for lane in range(4):
            into = out.shown if lane == lane_of else out.rest
            if lane < PARES:
                won = self._below(cards, lane, 0, me, place)
                if lane == lane_of:
                    out.wins[:] = won
                else:
                    out.rest[:] += 2 * won - mass
                continue
            mine = me.own[:, lane - PARES].astype(np.float32)[:, None]
            theirs = sums[lane - 1].T[place]
            won = self._below(cards, lane, 0, me, place)
            if self.phase != "punto" or lane == PARES:
                lost = theirs - self._below(cards, lane, 1, me, place)
                into += mine * won - lost
            if lane == lane_of:
                out.wins[:] = won
                out.mine[:], out.theirs[:] = mine * mass, theirs
            elif lane == LAST:
                # Punto, where neither has juego: a stone.
                no = me.own[:, 1] == 0
                won_no = self._below(cards, lane, 2, me, place)
                out.rest[no] += 2 * won_no[no] - sums[3].T[place[no]]
        for one in out.all:
            one *= scale
        return out

    def _sums(self, cards: Single) -> list[Single]:
        """All of the other side's holdings by group: 1, their pares, their juego, no juego."""
        found = []
        for lane, channel in ((0, 0), (PARES, 1), (LAST, 1), (LAST, 2)):
            part, group, _, weights = self._theirs[lane]
            found.append(self._gathered(cards, part, group, weights[channel]))
        return found

    def _gathered(self, cards: Single, part: Ints, group: Ints, weight: Single) -> Single:
        from scipy.sparse import csr_array  # type: ignore[import-untyped,unused-ignore]

        table = csr_array((weight, (group, part)), shape=(self.groups, len(cards)))
        found: Single = table @ cards
        return found

    def _below(self, cards: Single, lane: int, channel: int, me: Holdings, place: Ints) -> Single:
        from musodds.solver.kernels.side_rows import below

        part, group, code, weights = self._theirs[lane]
        order = np.argsort(me.code[:, lane], kind="stable")
        rows = np.empty((len(order), self.groups), dtype=np.float32)
        got = np.empty((self.groups, cards.shape[1]), dtype=np.float32)
        below(
            cards, part, group, weights[channel], code, place[order], me.code[order, lane], got,
            rows,
        )  # fmt: skip
        found = np.empty_like(rows)
        found[order] = rows
        return found


def grouped(meeting: Meeting, group: Ints, groups: int) -> Bases:
    """Sums over my holdings by group as well, shape (groups, groups of theirs)."""
    from scipy.sparse import csr_array  # type: ignore[import-untyped,unused-ignore]

    out = [np.zeros((groups, meeting.groups)) for _ in range(6)]
    for numbers, rows in meeting.blocks():
        to = group[numbers]
        some, at = np.unique(to, return_inverse=True)
        add = csr_array((np.ones(len(at)), (at, np.arange(len(at)))), shape=(len(some), len(at)))
        for total, one in zip(out, rows.all, strict=True):
            if one.any():
                total[some] += add @ one
    return Bases(*(one.astype(np.float32) for one in out))
