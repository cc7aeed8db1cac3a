"""Exact odds of a hand under any knowledge of the others.

The columns are those of :mod:`musodds.chances.odds`, counted over the deals that fit what is
known, each with its weight: ratios of integers again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from musodds.arrays import Exact, compact
from musodds.chances.odds import Odds
from musodds.exact.known_hands import unseen_by_case
from musodds.exact.phases.unseen_columns import counts_by_seat
from musodds.exact.unseen import Unseen
from musodds.knowledge.knowledge import Knowledge
from musodds.knowledge.question import Question, ask, check_drawn
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.values import Table

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, eq=False, repr=False)
class KnownOdds(Table):
    """Exact odds of a hand under some knowledge: weighted counts of deals.

    Attributes
    ----------
    game : Game
    hand : str
    knowledge : Knowledge
    seats : tuple of int
    parts : tuple of Odds
        One for each seat: knowledge by seat number differs from seat to seat, and so
        does the weight of all deals.

    Examples
    --------
    >>> from musodds.knowledge.knowledge import know
    >>> wink = known_odds("RR7A", seat=1, knowledge=know(partner="seña:31"))
    >>> plain = known_odds("RR7A", seat=1)
    >>> wink.fraction(1, "juego", "win") > plain.fraction(1, "juego", "win")
    True
    """

    game: Game
    hand: str
    knowledge: Knowledge
    seats: tuple[int, ...]
    parts: tuple[Odds, ...]

    method = "exact"

    @property
    def ways(self) -> int:
        """See :class:`musodds.chances.odds.Odds`."""
        return self.parts[0].ways

    def __getitem__(self, seat: int) -> Odds:
        return self.parts[self.seats.index(seat)]

    def fraction(self, seat: int, phase: str, column: str) -> Fraction | None:
        """One number exactly; None for `win_contested` where it is never contested."""
        return self[seat].fraction(seat, phase, column)

    def net(self, seat: int) -> float:
        """Expected stones for my side less theirs, over all phases, en paso."""
        return self[seat].net(seat)

    def rows(self) -> list[dict[str, Any]]:
        """One dict per seat and phase; see :meth:`musodds.chances.odds.Odds.rows`."""
        return [row for part in self.parts for row in part.rows()]


def known_odds(
    hand: str | Sequence[int],
    *,
    game: str | Game = "mus",
    seat: int | str = "all",
    knowledge: Knowledge | None = None,
) -> KnownOdds:
    """Exact odds of a hand before any discard, en paso, given what is known.

    Parameters
    ----------
    hand : str
    game : str or Game, optional
        The game of ``knowledge``, if that is given.
    seat : int or str, optional
        1 … n, ``"mano"``, ``"postre"`` or ``"all"``.
    knowledge : Knowledge, optional
        See :func:`musodds.knowledge.knowledge.know`.

    Raises
    ------
    KnowledgeError
        If the hand contradicts what is known, or no deal is left; the message says
        which pieces of knowledge conflict.
    InputError
        If the hand, the game or the seat does not exist.
    """
    knowledge = Knowledge(get_game(game)) if knowledge is None else knowledge
    game = knowledge.game
    seats = game.parse_seats(seat)
    text = hand if isinstance(hand, str) else game.deck.text(hand)
    question = ask(game, text, dead=knowledge.dead)
    check_drawn(question)
    parts: dict[int, list[Odds]] = {s: [] for s in seats}
    for weight, shared in unseen_by_case(question, seats, knowledge):
        counts = counts_by_seat(shared)
        for s, unseen in shared.items():
            parts[s].append(_odds(s, unseen, counts[s], weight))
    return KnownOdds(
        game=game,
        hand=question.hand,
        knowledge=knowledge,
        seats=seats,
        parts=tuple(_together(question, parts[s]) for s in seats),
    )


def _together(question: Question, parts: Sequence[Odds]) -> Odds:
    """The odds of a question from those of its cases."""
    counts = np.sum([part.counts.astype(object) for part in parts], axis=0)
    return Odds(
        game=question.game,
        hand=question.hand,
        partner=None,
        seats=parts[0].seats,
        deals=sum(part.deals for part in parts),
        counts=compact(counts),
        ways=question.ways,
    )


def _odds(seat: int, unseen: Unseen, counts: Exact, weight: int) -> Odds:
    return Odds(
        game=unseen.game,
        hand=unseen.hands.texts[unseen.me],
        partner=None,
        seats=(seat,),
        deals=unseen.total * weight,
        counts=compact(counts[None] * weight),
    )
