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
Whose luck it was, player by player, says :mod:`musodds.strategy.own_luck`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from musodds.errors import GameError, InputError
from musodds.exact.scope import check_together
from musodds.playing.actions import read_action
from musodds.playing.deal import SHOWN
from musodds.playing.mus_deal import Deal
from musodds.playing.record import Played, read_record
from musodds.playing.replay import beginning, en_paso, following, steps
from musodds.playing.unknown import OPEN
from musodds.rules.game import PHASES, Game
from musodds.simulation.named_policies import get_policy
from musodds.simulation.policies import PolicyError
from musodds.stakes.equity import MANOS, Equity
from musodds.stakes.equity_kinds import equity_by
from musodds.store.notices import Watcher
from musodds.strategy.judges import DEALS, BettingJudge, CardsJudge, EnPasoJudge, Verdict
from musodds.strategy.own_luck import own_luck
from musodds.strategy.review_result import DealLuck, Judged, PlayerLuck, Point, Review
from musodds.strategy.views import Choice, choices, plain


def review(
    record: str | Sequence[Played],
    *,
    game: str | Game = "mus",
    judge: BettingJudge | None = None,
    deals: int = DEALS,
    seed: int = 1,
    watch: Watcher | None = None,
    kind: str | None = None,
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
    kind : str, optional
        The kind of equity after each deal; see :mod:`musodds.stakes.equity_kinds`.

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
    played = read_record(record, game, unknown=True) if isinstance(record, str) else tuple(record)
    first = played[0].deal.game
    betting = judge or EnPasoJudge()
    cards = CardsJudge(_policy(plain(first, "4567", "visto")), deals, seed)
    decisions: list[Judged] = []
    course: list[Point] = []
    lucks: list[DealLuck] = []
    owns: list[PlayerLuck] = []
    number = 1
    for place, one in enumerate(played, start=1):
        deal = _reviewed(one, first, place)
        table = equity_by(plain(deal.game, "4567", "visto"), kind)
        after = played[place] if place < len(played) else None
        if place > 1 and _begins_a_game(played[place - 2], one):
            number += 1
        judged = [_judged(one, place, choice, betting, cards) for choice in
                  choices(deal, one.signs, table)]  # fmt: skip
        if one.unknown:
            points = _open_course(one, deal, after, Point(place, number, "", "", 0.0), table)
        else:
            points = _course(deal, place, number, table)
            owns += own_luck(one, deal, (place, number), table)
        decisions += judged
        course += points
        if points[-1].point == "end":
            lucks.append(_luck(points, judged, one.names[0]))
        if watch is not None:
            watch(place, len(played))
    names = played[0].names
    return Review(
        first, names, betting.name, cards.name, tuple(decisions), tuple(course), tuple(lucks),
        table.kind, tuple(owns),
    )  # fmt: skip


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
        or (before.deal.winner is not None and not before.unknown)
        or (before.unknown and one.won != before.won)
        or before.match != one.match
    )


def _judged(
    one: Played, place: int, choice: Choice, betting: BettingJudge, cards: CardsJudge
) -> Judged:
    deal, seat = choice.before, choice.seat
    verdict: Verdict | None = None
    skipped = ""
    known = seat not in one.unknown
    try:
        if not known:
            raise InputError("the cards are not known")
        verdict = _verdict(choice, betting, cards)
        skipped = "" if verdict else "whether to show 4-5-6-7"
    except InputError as error:
        skipped = str(error)
    throws = choice.kind == "discard"
    said = f"keep {choice.keep if known else OPEN}" if throws else choice.said.text
    lost = lost_se = None
    best = ""
    if verdict is not None:
        lost, lost_se = verdict.lost, verdict.error if verdict.lost else 0.0
        # Where nothing better is known, what was said is the best.
        best = (f"keep {verdict.best}" if throws else verdict.best) if lost else said
    return Judged(
        place, seat, one.players[seat - 1], one.names[deal.side(seat)], choice.kind,
        deal.stage, choice.view.hand if known else OPEN, said, best, lost, lost_se, skipped,
        "" if verdict is None else verdict.model,
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

    begun = beginning(deal)
    start = table.chance(deal.opening[0], deal.opening[1], MANOS[deal.mano])
    found = [point("score", begun, start), point("dealt", begun, _passed(begun, table))]
    last = begun
    for before, said in steps(deal):
        last = following(before, said)
        if before.stage in PHASES and last.stage != before.stage and not last.over:
            found.append(point(before.stage, last, _passed(last, table)))
        elif before.stage not in PHASES and last.stage in PHASES:
            found.append(point("cards", last, _passed(last, table)))
    return [*found, point("end", last, _after(last, table))]


def _open_course(
    one: Played, deal: Deal, after: Played | None, at: Point, table: Equity
) -> list[Point]:
    """The same where cards are open: before the deal, and what the next deal says of it."""
    start = table.chance(deal.opening[0], deal.opening[1], MANOS[deal.mano])
    found = [replace(at, point="score", score="-".join(map(str, deal.opening)), chance=start)]
    if after is None or after.match != one.match or not isinstance(after.deal, Deal):
        return found
    opening = after.deal.opening
    chance = table.chance(opening[0], opening[1], MANOS[after.deal.mano])
    if after.won != one.won:
        chance = float(after.won[0] > one.won[0])
    return [*found, replace(at, point="end", score="-".join(map(str, opening)), chance=chance)]


def _passed(deal: Deal, table: Equity) -> float:
    """The chance of the first side, were the cards played as they are and nothing bet."""
    return _after(en_paso(deal), table)


def _after(deal: Deal, table: Equity) -> float:
    """The chance of the first side after a deal that is over."""
    if deal.winner is not None:
        return float(deal.winner == 0)
    return table.chance(deal.score[0], deal.score[1], MANOS[1 - deal.mano])


def _luck(points: Sequence[Point], judged: Sequence[Judged], first: str) -> DealLuck:
    """What a deal's points and losses say of luck and skill."""
    chance = {point.point: point.chance for point in points}
    start, end = chance["score"], chance["end"]
    # With cards that are not known all that is not skill is the luck of the play.
    dealt = chance.get("dealt", start)
    cards = chance.get("cards", dealt)

    def skill(betting: bool) -> float:
        """What the other side's decisions lost, less what the first side's did."""
        return sum(
            (one.lost or 0.0) * (-1 if one.side == first else 1)
            for one in judged
            if (one.phase in PHASES) == betting
        )

    before, after = skill(False), skill(True)
    if "dealt" not in chance:
        before, after = 0.0, before + after
    return DealLuck(
        points[0].deal, points[0].game, start, dealt - start, cards - dealt - before,
        end - cards - after, before + after, end,
    )  # fmt: skip
