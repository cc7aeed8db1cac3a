"""A review as a result: decisions and what they lost, the course, luck and skill."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from musodds.rules.game import Game
from musodds.values import Table

DOUBTFUL, BLUNDER = 0.01, 0.04
"""Chances of winning the game: a decision that loses more is marked ? or ??."""

SURE = 2.0
"""Standard errors that a loss must be of, to be marked."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision and what it lost.

    Parameters
    ----------
    deal : int
        Its number in the record, from 1.
    seat : int
    player, side : str
    kind : str
        ``mus``, ``discard``, ``bet``, ``answer`` or ``4567``.
    phase : str
        ``mus``, ``change``, ``visto``, ``grande`` …
    hand : str
    said, best : str
        ``best`` is empty where it was not judged.
    lost, lost_se : float or None
        As a chance of winning the game.
    skipped : str
        Why it was not judged.
    by : str
        The model by which it was: ``simulated``, ``en paso``, ``solved phase`` or
        ``solved deal``.
    """

    deal: int
    seat: int
    player: str
    side: str
    kind: str
    phase: str
    hand: str
    said: str
    best: str
    lost: float | None
    lost_se: float | None
    skipped: str = ""
    by: str = ""

    @property
    def mark(self) -> str:
        """``?`` and ``??``: doubtful, a blunder; nothing where it is not sure."""
        if self.lost is None or self.lost_se is None or self.lost <= SURE * self.lost_se:
            return ""
        return "??" if self.lost > BLUNDER else "?" if self.lost > DOUBTFUL else ""

    def row(self) -> dict[str, Any]:
        names = (
            "deal", "seat", "player", "side", "kind", "phase", "hand", "said", "best", "lost",
            "lost_se",
        )  # fmt: skip
        row = {name: getattr(self, name) for name in names}
        return row | {"mark": self.mark or None, "by": self.by or None,
                      "skipped": self.skipped or None}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Point:
    """The chance of the first side at a point of the game, with all cards known."""

    deal: int
    game: int
    point: str
    score: str
    chance: float


@dataclass(frozen=True, slots=True)
class DealLuck:
    """How a deal moved the chance of the first side; see :mod:`musodds.strategy.review`."""

    deal: int
    game: int
    start: float
    luck_deal: float
    luck_draws: float
    luck_play: float
    skill: float
    end: float


@dataclass(frozen=True, slots=True)
class PlayerLuck:
    """A player's luck in a deal, as his side sees it: :mod:`musodds.strategy.own_luck`."""

    deal: int
    game: int
    seat: int
    player: str
    side: str
    cards: float
    draws: float


@dataclass(frozen=True, eq=False, repr=False)
class Review(Table):
    """A record, reviewed.

    Attributes
    ----------
    game : Game
    sides : tuple of str
    betting, cards : str
        The models by which decisions were judged.
    decisions : tuple of Judged
    course : tuple of Point
    deals : tuple of DealLuck
    equity : str
        The kind of equity that chances are by.
    own : tuple of PlayerLuck
        Whose luck it was, in the deals of which all cards are known.
    """

    game: Game
    sides: tuple[str, ...]
    betting: str
    cards: str
    decisions: tuple[Judged, ...]
    course: tuple[Point, ...]
    deals: tuple[DealLuck, ...]
    equity: str = "paso"
    own: tuple[PlayerLuck, ...] = ()

    @property
    def players(self) -> tuple[dict[str, Any], ...]:
        """A summary for each player; `luck` is `luck_cards` and `luck_draws`.

        None of luck where no deal of his has all cards known. What is left of his side's
        luck is shared, nobody's own: :mod:`musodds.strategy.own_luck`.
        """
        names = dict.fromkeys((one.player, one.side) for one in self.decisions)
        names |= dict.fromkeys((one.player, one.side) for one in self.own)
        found = []
        for player, side in sorted(names, key=lambda pair: (self.sides.index(pair[1]), pair[0])):
            own = _summary([one for one in self.decisions if one.player == player])
            lucks = [one for one in self.own if one.player == player]
            cards, draws = sum(one.cards for one in lucks), sum(one.draws for one in lucks)
            luck = {"luck": cards + draws, "luck_cards": cards, "luck_draws": draws}
            found.append(
                {"player": player, "side": side, **own} | (luck if lucks else dict.fromkeys(luck))
            )
        return tuple(found)

    @property
    def judged(self) -> dict[str, int]:
        """How many decisions were judged by each model."""
        return dict(Counter(one.by for one in self.decisions if one.by))

    @property
    def games(self) -> tuple[dict[str, Any], ...]:
        """The games, from the first side: start, luck, skill, and the result that they make.

        `luck_own` is what of the luck was the players' own, ours less theirs, and
        `luck_shared` the rest.
        """
        found = []
        for number in dict.fromkeys(one.game for one in self.deals):
            deals = [one for one in self.deals if one.game == number]
            parts = ("luck_deal", "luck_draws", "luck_play")
            luck = {name: sum(getattr(one, name) for one in deals) for name in parts}
            own = sum(
                (one.cards + one.draws) * (1 if one.side == self.sides[0] else -1)
                for one in self.own
                if one.game == number
            )
            found.append(
                {
                    "game": number,
                    "deals": len(deals),
                    "start": deals[0].start,
                    "luck": sum(luck.values()),
                    **luck,
                    "luck_own": own,
                    "luck_shared": sum(luck.values()) - own,
                    "skill": sum(one.skill for one in deals),
                    "result": deals[-1].end,
                }
            )
        return tuple(found)

    @property
    def summary(self) -> tuple[dict[str, Any], ...]:
        """A summary for each side, over all games.

        ``start + luck + skill = result``, and ``best_play`` is the start and the luck: what
        the games would have come to if nobody had lost anything. Losses are added up as
        they are, so it may leave the range from none to all of the games.
        """
        found = []
        for number, side in enumerate(self.sides):
            own = _summary([one for one in self.decisions if one.side == side])
            totals = {
                name: sum(one[name] for one in self.games)
                for name in ("start", "luck", "luck_own", "luck_shared", "skill", "result")
            }
            if number:
                of = len(self.games)
                totals = {
                    name: of - total if name in ("start", "result") else -total
                    for name, total in totals.items()
                }
            best = totals["start"] + totals["luck"]
            found.append({"side": side, **own, **totals, "best_play": best})
        return tuple(found)

    def rows(self) -> list[dict[str, Any]]:
        """One dict per decision."""
        return [one.row() for one in self.decisions]


def _summary(decisions: Sequence[Judged]) -> dict[str, Any]:
    judged = [one for one in decisions if one.lost is not None]
    lost = sum(one.lost or 0.0 for one in judged)
    return {
        "decisions": len(judged),
        "skipped": len(decisions) - len(judged),
        "lost": lost,
        "lost_se": sum((one.lost_se or 0.0) ** 2 for one in judged if one.lost) ** 0.5,
        "per_decision": lost / len(judged) if judged else None,
        "errors": sum(one.mark == "?" for one in judged),
        "blunders": sum(one.mark == "??" for one in judged),
    }
