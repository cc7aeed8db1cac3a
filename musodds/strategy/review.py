"""A deal, a game or a match gone through decision by decision.

Every decision is judged from what the player who made it knew: the hand, what was said,
the declarations, the partner's signs that were noted, the cards thrown. What a decision
*lost* is the chance of winning the game that the best one would have had more
(:mod:`musodds.strategy.judges` says by which models).

**Luck and skill.** The chance of winning the game at a score is that of the equity table;
in a deal it is what follows if the cards are played as they are and nothing more is bet.
With the losses of our decisions L and those of theirs M a deal moves the chance by

- *deal*: from the score to the cards as dealt;
- *draws*: from there to the cards as played, without what decisions before the betting lost;
- *play*: from there to the end, without what decisions in the betting lost;
- *skill*: M - L.

So the start, luck (the first three) and skill add up to the result, whatever the models.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from musodds.errors import GameError, InputError
from musodds.exact.scope import check_together
from musodds.playing.actions import read_action
from musodds.playing.deal import SHOWN
from musodds.playing.mus_deal import Deal
from musodds.playing.record import Played, read_record
from musodds.playing.replay import beginning, en_paso, following, steps
from musodds.rules.game import PHASES, Game
from musodds.simulation.named_policies import get_policy
from musodds.simulation.policies import PolicyError
from musodds.stakes.equity import MANOS, Equity, exact_equity
from musodds.store.notices import Watcher
from musodds.strategy.judges import DEALS, BettingJudge, CardsJudge, EnPasoJudge, Verdict
from musodds.strategy.views import Choice, choices, plain

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
        return row | {"mark": self.mark or None, "skipped": self.skipped or None}


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
    """How a deal moved the chance of the first side; see the head of the module."""

    deal: int
    game: int
    start: float
    luck_deal: float
    luck_draws: float
    luck_play: float
    skill: float
    end: float


@dataclass(frozen=True, eq=False)
class Review:
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
    """

    game: Game
    sides: tuple[str, ...]
    betting: str
    cards: str
    decisions: tuple[Judged, ...]
    course: tuple[Point, ...]
    deals: tuple[DealLuck, ...]

    equity = "paso"
    """The kind of equity that chances are by."""

    @property
    def players(self) -> tuple[dict[str, Any], ...]:
        """A summary for each player."""
        names = dict.fromkeys((one.player, one.side) for one in self.decisions)
        return tuple(
            {"player": player, "side": side, **_summary([d for d in self.decisions
                                                         if d.player == player])}
            for player, side in sorted(names, key=lambda pair: (self.sides.index(pair[1]), pair[0]))
        )  # fmt: skip

    @property
    def games(self) -> tuple[dict[str, Any], ...]:
        """The games, from the first side: start, luck, skill, and the result that they make."""
        found = []
        for number in dict.fromkeys(one.game for one in self.deals):
            deals = [one for one in self.deals if one.game == number]
            parts = ("luck_deal", "luck_draws", "luck_play")
            luck = {name: sum(getattr(one, name) for one in deals) for name in parts}
            found.append(
                {
                    "game": number,
                    "deals": len(deals),
                    "start": deals[0].start,
                    "luck": sum(luck.values()),
                    **luck,
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
                for name in ("start", "luck", "skill", "result")
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


def review(
    record: str | Sequence[Played],
    *,
    game: str | Game = "mus",
    judge: BettingJudge | None = None,
    deals: int = DEALS,
    seed: int = 1,
    watch: Watcher | None = None,
) -> Review:
    """Judge every decision of a record.

    Parameters
    ----------
    record : str or sequence of Played
        As :func:`musodds.playing.record.read_record` takes or returns it.
    game : str or Game, optional
        Of a record that does not name one.
    judge : BettingJudge, optional
        Of the betting; default :class:`musodds.strategy.judges.EnPasoJudge`.
    deals : int, optional
        On which the keeps of a hand are tried.
    seed : int, optional
    watch : callable, optional
        Called with the deals done, and all of them.

    Raises
    ------
    InputError
        If the record cannot be read, or its game cannot be reviewed.

    Examples
    --------
    Whoever folds at 39-39 has lost.

    >>> answer = review('''
    ... game: mus2p
    ... score: 39-39
    ... hands: 7654 RR77
    ... grande: envido, no quiero
    ... ''')
    >>> [(one.player, one.said, one.best, one.mark) for one in answer.decisions][-1]
    ('them', 'no quiero', 'quiero', '??')
    >>> answer.games[0]["result"]
    1.0
    """
    played = read_record(record, game) if isinstance(record, str) else tuple(record)
    first = played[0].deal.game
    betting = judge or EnPasoJudge()
    cards = CardsJudge(_policy(plain(first, "4567", "visto")), deals, seed)
    decisions: list[Judged] = []
    course: list[Point] = []
    lucks: list[DealLuck] = []
    number = 1
    for place, one in enumerate(played, start=1):
        deal = _reviewed(one, first, place)
        table = exact_equity(plain(deal.game, "4567", "visto"))
        if place > 1 and _begins_a_game(played[place - 2], one):
            number += 1
        judged = [_judged(one, place, choice, betting, cards) for choice in
                  choices(deal, one.signs, table)]  # fmt: skip
        points = list(_course(deal, place, number, table))
        decisions += judged
        course += points
        lucks.append(_luck(points, judged, one.names[0]))
        if watch is not None:
            watch(place, len(played))
    names = played[0].names
    return Review(
        first, names, betting.name, cards.name, tuple(decisions), tuple(course), tuple(lucks)
    )


def _reviewed(one: Played, first: Game, place: int) -> Deal:
    deal = one.deal
    if not isinstance(deal, Deal):
        raise InputError(f"{deal.game.name}: a review is of games with a score of two sides")
    if deal.game != first:
        raise InputError(
            f"deal {place} is of {deal.game.name}, the first of {first.name}: review them apart"
        )
    check_together(deal.game)
    return deal


def _policy(game: Game) -> str:
    """What the others are taken to do: the solved policy where there is one."""
    try:
        return get_policy("best", game).name
    except (PolicyError, GameError):
        return "kings"


def _begins_a_game(before: Played, one: Played) -> bool:
    return (
        not isinstance(before.deal, Deal)
        or before.deal.winner is not None
        or before.match != one.match
    )


def _judged(
    one: Played, place: int, choice: Choice, betting: BettingJudge, cards: CardsJudge
) -> Judged:
    deal, seat = choice.before, choice.seat
    verdict: Verdict | None = None
    skipped = ""
    try:
        verdict = _verdict(choice, betting, cards)
        skipped = "" if verdict else "not judged: whether to show 4-5-6-7"
    except InputError as error:
        skipped = str(error)
    throws = choice.kind == "discard"
    said = f"keep {choice.keep}" if throws else choice.said.text
    lost = lost_se = None
    best = ""
    if verdict is not None:
        lost, lost_se = verdict.lost, verdict.error if verdict.lost else 0.0
        # Where nothing better is known, what was said is the best.
        best = (f"keep {verdict.best}" if throws else verdict.best) if lost else said
    return Judged(
        place, seat, one.players[seat - 1], one.names[deal.side(seat)], choice.kind,
        deal.stage, choice.view.hand, said, best, lost, lost_se, skipped,
    )  # fmt: skip


def _verdict(choice: Choice, betting: BettingJudge, cards: CardsJudge) -> Verdict | None:
    if choice.kind == SHOWN:
        return None
    if choice.kind == "discard":
        return cards.weigh_throw(choice.view, choice.keep)
    said = read_action(choice.said.text)
    if choice.kind == "mus":
        return cards.weigh_mus(choice.view, said)
    return betting.weigh(choice.view, said)


def _course(deal: Deal, place: int, number: int, table: Equity) -> list[Point]:
    """The chance of the first side: before the deal, with the cards, phase by phase, after."""

    def point(name: str, at: Deal, chance: float) -> Point:
        return Point(place, number, name, "-".join(map(str, at.score)), chance)

    def passed(at: Deal) -> float:
        return _after(en_paso(at), table)

    begun = beginning(deal)
    start = table.chance(deal.opening[0], deal.opening[1], MANOS[deal.mano])
    found = [point("score", begun, start), point("dealt", begun, passed(begun))]
    last = begun
    for before, said in steps(deal):
        last = following(before, said)
        if before.stage in PHASES and last.stage != before.stage and not last.over:
            found.append(point(before.stage, last, passed(last)))
        elif before.stage not in PHASES and last.stage in PHASES:
            found.append(point("cards", last, passed(last)))
    return [*found, point("end", last, _after(last, table))]


def _after(deal: Deal, table: Equity) -> float:
    """The chance of the first side after a deal that is over."""
    if deal.winner is not None:
        return float(deal.winner == 0)
    return table.chance(deal.score[0], deal.score[1], MANOS[1 - deal.mano])


def _luck(points: Sequence[Point], judged: Sequence[Judged], first: str) -> DealLuck:
    """What a deal's points and losses say of luck and skill."""
    chance = {point.point: point.chance for point in points}
    start, dealt, end = chance["score"], chance["dealt"], chance["end"]
    cards = chance.get("cards", dealt)

    def skill(betting: bool) -> float:
        """What the other side's decisions lost, less what the first side's did."""
        return sum(
            (one.lost or 0.0) * (-1 if one.side == first else 1)
            for one in judged
            if (one.phase in PHASES) == betting
        )

    before, after = skill(False), skill(True)
    return DealLuck(
        points[0].deal, points[0].game, start, dealt - start, cards - dealt - before,
        end - cards - after, before + after, end,
    )  # fmt: skip
