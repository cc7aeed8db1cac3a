"""Several phases at once: which a side wins together, and the stones of a deal.

Expected stones add up phase by phase; the chance to win two phases, or to make six
stones, does not. The deals of every outcome are counted in
:mod:`musodds.exact.outcomes.outcomes`, and with jokers in :mod:`musodds.exact.named_deals`; here
they get names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from musodds.arrays import Exact, Ints, Mask
from musodds.exact.known_hands import no_deal, unseen_by_case
from musodds.exact.named_deals import LANES, outcomes, view_of
from musodds.exact.outcomes.outcomes import known_outcomes
from musodds.exact.scope import check_joint
from musodds.exact.unseen import Unseen
from musodds.knowledge.knowledge import Knowledge
from musodds.knowledge.question import ask, check_drawn
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.values import Table

GRANDE = CHICA = ("win", "lose")
PARES = ("win", "lose", "void")
JUEGO = ("win juego", "lose juego", "win punto", "lose punto")

_SHAPE = (len(GRANDE), len(CHICA), len(PARES), len(JUEGO))
_MOST = 15


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


def _count(unseen: Unseen, seats: Sequence[int]) -> list[Exact]:
    """Σ over the partner's hands of the outcomes against the rivals, for each seat."""
    counts = []
    for seat in seats:
        counts.append(np.zeros((*_SHAPE, _MOST, _MOST), dtype=object))
        one = known_outcomes(unseen, seat)
        _add(counts[-1], one.wins, one.mine, one.theirs, one.weights)
    return counts


def _count_named(unseen: Unseen, seats: Sequence[int]) -> list[Exact]:
    """As :func:`_count`, with jokers: each outcome of a showdown is one of the phases."""
    from musodds.exact.kernels.showdowns import JUEGO as OUR_JUEGO
    from musodds.exact.kernels.showdowns import PARES as OUR_PARES

    counts = [np.zeros((*_SHAPE, _MOST, _MOST), dtype=object) for _ in seats]
    for one in outcomes(unseen, [view_of(unseen, seat) for seat in seats]):
        ways = int(unseen.mate_ways[one.mate]) << one.shift
        for count, found, ours in zip(counts, one.found, one.ours, strict=True):
            occurring = np.flatnonzero(found)
            wins = (occurring[:, None] >> 6 >> np.arange(LANES) & 1).astype(bool)
            own = ours[occurring >> 10][:, [OUR_PARES, OUR_JUEGO]]
            theirs = np.column_stack((occurring & 7, occurring >> 3 & 7))
            _add(count, wins, own, theirs, found[occurring].astype(np.int64).astype(object) * ways)
    return counts


def _add(counts: Exact, wins: Mask, ours: Ints, theirs: Ints, weights: Exact) -> None:
    """Add outcomes: who takes each lane, and the stones of both sides' hands."""
    g, c, lost_pares, lost_last = 1 - wins.T.astype(np.int64)
    pares, juego = (ours + theirs > 0).T
    p, j = np.where(pares, lost_pares, 2), np.where(juego, lost_last, 2 + lost_last)
    mine, others = (
        1 * (g == side) + (c == side) + own[:, 0] * (p == side) + own[:, 1] * (j == side)
        + (j == 2 + side)
        for side, own in enumerate((ours, theirs))
    )  # fmt: skip
    np.add.at(counts, (g, c, p, j, mine, others), weights)
