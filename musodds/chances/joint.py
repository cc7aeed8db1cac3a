"""Several phases at once: which a side wins together, and the stones of a deal.

Expected stones add up phase by phase; the chance to win two phases, or to make six
stones, does not. With my side's two hands fixed, a rival's hand matters only by its
*category*: which of my side's bests it beats, and its stones in pares and juego. Few
categories occur: the ways of the splits are summed over the hands of one category of
one rival, then of the other. Seats that see the same cards are counted together, their
categories as one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from musodds.arrays import Exact, Floats, Ints, slices
from musodds.exact.known_hands import no_deal, unseen_by_case
from musodds.exact.named_deals import LANES, outcomes, view_of
from musodds.exact.phases.unseen_columns import Side
from musodds.exact.scope import check_joint
from musodds.exact.unseen import Unseen
from musodds.knowledge.knowledge import Knowledge
from musodds.knowledge.question import ask, check_drawn
from musodds.rules.game import Game, rivals_in_order
from musodds.rules.games import get_game
from musodds.rules.hands import codes_of, hands
from musodds.values import Table

GRANDE = CHICA = ("win", "lose")
PARES = ("win", "lose", "void")
JUEGO = ("win juego", "lose juego", "win punto", "lose punto")

_SHAPE = (len(GRANDE), len(CHICA), len(PARES), len(JUEGO))
# Two rivals have at most 3 stones each in pares and in juego.
_RIVAL_STONES = 7
_MOST = 15
_SLICE = 11


@dataclass(frozen=True, eq=False, repr=False)
class Joint(Table):
    """What happens in all phases of a deal together, en paso.

    Attributes
    ----------
    game : Game
    hand : str
    seat : int
    knowledge : Knowledge
    deals : int
        Weight of all deals.
    counts : ndarray of object (int), shape (2, 2, 3, 4, 15, 15)
        Weight of the deals by grande, chica (win, lose), pares (win, lose, void), juego
        or punto (:data:`JUEGO`), my side's stones and theirs.

    Examples
    --------
    >>> answer = joint("RRAA", seat=1)
    >>> int(answer.counts.sum()) == answer.deals
    True
    >>> answer.phases()[0]["pares"], len(answer.distribution(0))
    ('win', 11)
    """

    game: Game
    hand: str
    seat: int
    knowledge: Knowledge
    deals: int
    counts: Exact

    method = "exact"

    def phases(self) -> list[dict[str, Any]]:
        """Each combination of phases that occurs, most likely first, with its `chance`."""
        counts = self.counts.sum(axis=(4, 5))
        found = [
            _named(*cell) | {"chance": counts[tuple(cell)] / self.deals}
            for cell in np.argwhere(counts)
        ]
        return sorted(found, key=lambda row: -float(row["chance"]))

    def stones(self) -> list[dict[str, Any]]:
        """Each pair of stones that occurs: `stones_for`, `stones_against`, `chance`."""
        counts = self.counts.sum(axis=(0, 1, 2, 3))
        return [
            {
                "stones_for": int(mine),
                "stones_against": int(theirs),
                "chance": counts[mine, theirs] / self.deals,
            }
            for mine, theirs in np.argwhere(counts)
        ]

    def distribution(self, whose: int) -> list[Fraction]:
        """Chance of 0, 1, 2 … stones for my side (0) or theirs (1)."""
        counts = self.counts.sum(axis=(0, 1, 2, 3)).sum(axis=1 - whose)
        last = int(np.flatnonzero(counts).max())
        return [Fraction(int(count), self.deals) for count in counts[: last + 1]]

    def mean(self, whose: int) -> float:
        """Expected stones of my side (0) or theirs (1)."""
        return float(sum(i * p for i, p in enumerate(self.distribution(whose))))

    def rows(self) -> list[dict[str, Any]]:
        """Every outcome: phases, stones and `chance`."""
        return [
            _named(*cell[:4])
            | {
                "stones_for": int(cell[4]),
                "stones_against": int(cell[5]),
                "chance": self.counts[tuple(cell)] / self.deals,
            }
            for cell in np.argwhere(self.counts)
        ]


def _named(grande: int, chica: int, pares: int, juego: int) -> dict[str, Any]:
    """A combination of phases in words: win, lose or void for each."""
    result, phase = JUEGO[juego].split()
    return {
        "grande": GRANDE[grande],
        "chica": CHICA[chica],
        "pares": PARES[pares],
        "juego": result if phase == "juego" else "void",
        "punto": result if phase == "punto" else "void",
    }


def joint(
    hand: str,
    *,
    game: str | Game = "mus",
    seat: int | str = 1,
    knowledge: Knowledge | None = None,
) -> Joint:
    """All phases of a deal together, exactly, when everybody passes.

    Parameters
    ----------
    hand : str
    game : str or Game, optional
        The game of ``knowledge``, if that is given.
    seat : int or str, optional
        One seat.
    knowledge : Knowledge, optional

    Raises
    ------
    GameError
        If the game has more than two sides or players too many.
    KnowledgeError
        If what is known contradicts itself or the hand.
    """
    place = (get_game(game) if knowledge is None else knowledge.game).parse_seat(seat)
    return joints(hand, game=game, seat=place, knowledge=knowledge)[0]


def joints(
    hand: str,
    *,
    game: str | Game = "mus",
    seat: int | str = "all",
    knowledge: Knowledge | None = None,
) -> tuple[Joint, ...]:
    """As :func:`joint`, for one seat or all: together they cost little more than one."""
    knowledge = Knowledge(get_game(game)) if knowledge is None else knowledge
    game = knowledge.game
    check_joint(game)
    seats = game.parse_seats(seat)
    question = ask(game, hand, dead=knowledge.dead)
    check_drawn(question)
    counts = dict.fromkeys(seats, np.zeros((*_SHAPE, _MOST, _MOST), dtype=object))
    for weight, shared in unseen_by_case(question, seats, knowledge):
        for unseen in {id(one): one for one in shared.values()}.values():
            alike = [s for s, one in shared.items() if one is unseen]
            count = _count_named if unseen.hands.has_jokers else _count
            for s, counted in zip(alike, count(unseen, alike), strict=True):
                counts[s] = counts[s] + weight * counted
    for s in seats:
        if not counts[s].any():
            raise no_deal(question, s, knowledge)
    return tuple(
        Joint(game, question.hand, s, knowledge, int(counts[s].sum()), counts[s]) for s in seats
    )


def _count_named(unseen: Unseen, seats: list[int]) -> list[Exact]:
    """As :func:`_count`, with jokers: each outcome of a showdown is one of the phases."""
    from musodds.exact.kernels.showdowns import JUEGO as OUR_JUEGO
    from musodds.exact.kernels.showdowns import PARES as OUR_PARES

    counts = [np.zeros((*_SHAPE, _MOST, _MOST), dtype=object) for _ in seats]
    for one in outcomes(unseen, [view_of(unseen, seat) for seat in seats]):
        ways = int(unseen.mate_ways[one.mate]) << one.shift
        for count, found, ours in zip(counts, one.found, one.ours, strict=True):
            occurring = np.flatnonzero(found)
            named, won = occurring >> 10, occurring >> 6 & 15
            their_juego, their_pares = occurring >> 3 & 7, occurring & 7
            pares, juego = ours[named, OUR_PARES], ours[named, OUR_JUEGO]
            g, c, lost_pares, lost_last = (1 - (won >> lane & 1) for lane in range(LANES))
            p = np.where(pares + their_pares > 0, lost_pares, 2)
            j = np.where(juego + their_juego > 0, lost_last, 2 + lost_last)
            mine, theirs = _stones(g, c, p, j, (pares, juego), (their_pares, their_juego))
            worth = found[occurring].astype(np.int64).astype(object) * ways
            np.add.at(count, (g, c, p, j, mine, theirs), worth)
    return counts


def _stones(
    g: Ints, c: Ints, p: Ints, j: Ints, ours: tuple[Any, Any], others: tuple[Any, Any]
) -> tuple[Ints, Ints]:
    """The stones of both sides in outcomes, given those for pares and for juego."""
    mine: Ints = (g == 0) + 1 * (c == 0) + ours[0] * (p == 0) + ours[1] * (j == 0) + (j == 2)
    theirs: Ints = (g == 1) + 1 * (c == 1) + others[0] * (p == 1) + others[1] * (j == 1) + (j == 3)
    return mine, theirs


def _count(unseen: Unseen, seats: list[int]) -> list[Exact]:
    """Σ over the partner's hands of the outcomes against both rivals, for each seat."""
    # For all seats in less than half the time of what
    # :func:`musodds.exact.outcomes.outcomes.known_outcomes` counts seat by seat; for one
    # seat that takes two thirds of it.
    sides = [{phase: Side(unseen, s, phase) for phase in hands(unseen.game).level} for s in seats]
    rivals = _Rivals(unseen, seats)
    # What fits in 64 bits as a whole does so in parts.
    fits = unseen.total < 1 << 62
    dtype = np.int64 if fits else object
    counts = [np.zeros((*_SHAPE, _MOST, _MOST), dtype=dtype) for _ in seats]
    size = int(np.prod(_SHAPE)) * _RIVAL_STONES**2
    cells = np.indices((*_SHAPE, _RIVAL_STONES, _RIVAL_STONES)).reshape(6, -1)
    limits = {
        phase: np.stack([side[phase].codes for side in sides]) for phase in hands(unseen.game).level
    }
    for i, ways in enumerate(unseen.mate_ways):
        kinds = rivals.categories({phase: codes[:, i, None] for phase, codes in limits.items()})
        first = kinds[0][0]
        second = kinds[1][0] if len(kinds) > 1 else np.zeros((len(seats), 1), dtype=np.int64)
        for shift, table in rivals.tables(i, [groups for _, groups in kinds]):
            for n, side in enumerate(sides):
                pares, juego = side["pares"], side["juego"]
                every = _cells(bool(pares.some_in[i]), bool(juego.some_in[i]))
                cell = every[first[n][:, None], second[n]]
                sums = np.bincount(cell.ravel(), table.ravel(), size)
                found = np.flatnonzero(sums)
                g, c, p, j, their_pares, their_juego = cells[:, found]
                mine, theirs = _stones(
                    g, c, p, j, (pares.stones[i], juego.stones[i]), (their_pares, their_juego)
                )
                worth = sums[found].astype(np.int64).astype(dtype) * (ways << shift)
                np.add.at(counts[n], (g, c, p, j, mine, theirs), worth)
    return [count.astype(object) for count in counts]


class _Groups(NamedTuple):
    """Hands of a rival by their categories in all seats: where each group begins."""

    order: Ints
    starts: Ints


class _Rivals:
    """The rivals' hands by category, against one pair of my side's hands at a time."""

    def __init__(self, unseen: Unseen, seats: list[int]) -> None:
        self.unseen = unseen
        all_hands = unseen.hands
        pairs = (unseen.first, unseen.second)[: unseen.rivals]
        self.classes = [np.unique(classes) for classes in pairs]
        where = zip(*(rivals_in_order(unseen.game, s) for s in seats), strict=True)
        self.codes = [
            {
                phase: np.stack([codes_of(all_hands, phase, s)[some] for s in rival])
                for phase in all_hands.level
            }
            for rival, some in zip(where, self.classes, strict=True)
        ]
        pares, juego = all_hands.stones["pares"], all_hands.stones["juego"]
        self.stones = [4 * pares[some] + juego[some] for some in self.classes]
        # Where each split stands in the matrix of the two rivals' classes; the splits
        # that cannot be are given a part of their own, never available.
        first = np.searchsorted(self.classes[0], unseen.first)
        if unseen.rivals == 1:
            shape, at = (len(self.classes[0]), 1), (first, np.zeros_like(first))
        else:
            second = np.searchsorted(self.classes[1], unseen.second)
            shape, at = (len(self.classes[0]), len(self.classes[1])), (first, second)
        self.part = np.full(shape, len(unseen.parts))
        self.part[at] = unseen.part_of
        ways = np.zeros(shape)
        ways[at] = unseen.values
        self.slices = list(slices(ways, 23))

    def categories(self, limits: dict[str, Ints]) -> list[tuple[Ints, _Groups]]:
        """For each rival the categories of every group, shape (seats, groups), and the groups.

        ``limits`` are the codes of my side's best hands, shape (seats, 1) each.
        """
        found = []
        for codes, stones in zip(self.codes, self.stones, strict=True):
            kind = self._categories(codes, stones, limits, self.unseen.game.seats)
            # A category is below 256; four seats at most see the same.
            whole = kind[0]
            for one in kind[1:]:
                whole = whole << 8 | one
            order = np.argsort(whole, kind="stable")
            starts = np.flatnonzero(np.diff(whole[order], prepend=-1))
            found.append((kind[:, order[starts]], _Groups(order, starts)))
        return found

    def tables(self, i: int, groups: list[_Groups]) -> Iterator[tuple[int, Floats]]:
        """Weights of the splits summed over the groups of both rivals, in slices."""
        chosen = np.append(self.unseen.available[i], 0.0)[self.part]
        for shift, ways in self.slices:
            order, starts = groups[0]
            table: Floats = np.add.reduceat((chosen * ways)[order], starts, axis=0)
            if len(groups) > 1:
                order, starts = groups[1]
                table = np.add.reduceat(table[:, order], starts, axis=1)
            yield shift, table

    @staticmethod
    def _categories(codes: dict[str, Ints], stones: Ints, limits: dict[str, Ints], n: int) -> Ints:
        """Bits 0 to 3: beats us in grande, chica, pares, juego or punto; then the stones."""
        juego = codes["juego"] >= n
        beats = (
            codes["grande"] > limits["grande"],
            codes["chica"] > limits["chica"],
            (codes["pares"] > limits["pares"]) & (codes["pares"] >= n),
            np.where(juego, codes["juego"] > limits["juego"], codes["punto"] > limits["punto"]),
        )
        return sum((bit << i for i, bit in enumerate(beats)), 16 * stones)


@lru_cache(maxsize=4)
def _cells(pares: bool, juego: bool) -> Ints:
    """Where the outcome of two categories is counted, shape (256, 256)."""
    one, other = np.arange(256)[:, None], np.arange(256)[None, :]
    either = one | other
    stones = [(kind >> 4 >> 2) for kind in (one, other)]
    juegos = [(kind >> 4) & 3 for kind in (one, other)]
    their_pares, their_juego = stones[0] + stones[1], juegos[0] + juegos[1]
    pares_lost = (either >> 2) & 1
    p = np.where(pares_lost, 1, 0 if pares else 2)
    # With juego about, only a hand that has it can win; without, it is punto.
    beaten_in_juego = (
        sum(((kind >> 3) & 1) * (j > 0) for kind, j in zip((one, other), juegos, strict=True)) > 0
    )
    beaten_in_punto = (either >> 3) & 1
    j = np.where((their_juego > 0) | juego, beaten_in_juego, 2 + beaten_in_punto)
    index = (either & 1, (either >> 1) & 1, p, j, their_pares, their_juego)
    shape = (*_SHAPE, _RIVAL_STONES, _RIVAL_STONES)
    return np.ravel_multi_index(tuple(np.broadcast_arrays(*index)), shape)
