"""What the others hold, given one hand (or none) and what is known.

Chances are taken over the same weighted deals as the odds, so they are Bayes' rule
done exactly: the weight of the deals in which it is so, over the weight of all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from musodds.arrays import Exact, Mask
from musodds.chances.others import Others, others_of, without_hand
from musodds.exact.known_hands import no_deal, unseen_by_case
from musodds.knowledge.knowledge import Knowledge
from musodds.knowledge.many import many
from musodds.knowledge.question import Question, ask, check_drawn, look
from musodds.knowledge.words import word_mask
from musodds.rules.game import PHASES, Game, rivals_in_order
from musodds.rules.games import get_game
from musodds.rules.hands import Hands, codes_of, hands
from musodds.rules.suits import text_of
from musodds.values import Table

EITHER = "either"
NO_RIVAL = "no rival"
NO_JUEGO = "no juego"
BEATEN = PHASES[:4]

WHOLE = ("grande", "juego", "points")
"""What the whole distribution is read of."""


@dataclass(frozen=True, eq=False, repr=False)
class Reading(Table):
    """What the other players hold: chances of plays, of hands, and of no rival.

    Attributes
    ----------
    game : Game
    hand : str or None
        The hand from which it is seen, if one is known.
    seat : int
    knowledge : Knowledge
    plays : mapping of str to mapping of str to Fraction
        For ``partner``, ``next``, ``previous`` and ``either`` (at least one rival):
        the chance of each play. With one rival only ``next``. With jokers about, it is
        what the hands are named when cards are shown
        (:mod:`musodds.exact.named_deals`).
    hand_chances : mapping of str to mapping of str to Fraction
        For every player, the chance of each hand as dealt. Where all four suits matter, hands
        that differ in suits alone are one, save that ``real`` is added to juego real.
    no_rival : mapping of str to Fraction
        Chance that no rival has pares, has juego, or beats the hand in a phase. In
        pares and juego only a hand that takes part can beat.
    wholes : mapping of str to mapping of str to mapping of str to Fraction
        For each of :data:`WHOLE` and every player, the chance of all that occurs, the
        strongest first: the cards in grande, the juegos (``no juego`` last), the points.
    ways : int
        See :class:`musodds.chances.counted_odds.Odds`.

    Examples
    --------
    >>> from musodds.knowledge.knowledge import know
    >>> told = read_others("RR7A", knowledge=know(partner="seña:31"))
    >>> told.plays["partner"]["31"], float(told.plays["next"]["31"]) < 0.1
    (Fraction(1, 1), True)
    >>> [hand for hand, chance in told.likely("partner", 2)]
    ['RCSA', 'RRCA']
    """

    game: Game
    hand: str | None
    seat: int
    knowledge: Knowledge
    plays: Mapping[str, Mapping[str, Fraction]]
    hand_chances: Mapping[str, Mapping[str, Fraction]]
    no_rival: Mapping[str, Fraction]
    wholes: Mapping[str, Mapping[str, Mapping[str, Fraction]]]
    ways: int = 1

    method = "exact"

    def likely(self, who: str, number: int = 5) -> list[tuple[str, float]]:
        """The most likely hands of a player, with their chances."""
        chances = self.hand_chances[who].items()
        return [(text, float(p)) for text, p in sorted(chances, key=lambda one: -one[1])[:number]]

    def rows(self, number: int = 5, whole: Sequence[str] = ()) -> list[dict[str, Any]]:
        """One dict per chance: `who`, `about` (play, hand, rivals), `what`, `chance`.

        With some of :data:`WHOLE` also all that occurs there, `about` being its name.
        """
        rows: list[dict[str, Any]] = []
        for who, plays in self.plays.items():
            rows += [_row(who, "play", what, chance) for what, chance in plays.items()]
        for who in self.hand_chances:
            rows += [_row(who, "hand", what, chance) for what, chance in self.likely(who, number)]
        rows += [_row(NO_RIVAL, "rivals", what, chance) for what, chance in self.no_rival.items()]
        for of in whole:
            for who, chances in self.wholes[of].items():
                rows += [_row(who, of, what, chance) for what, chance in chances.items()]
        return rows


def _row(who: str, about: str, what: str, chance: Fraction | float) -> dict[str, Any]:
    return {"who": who, "about": about, "what": what, "chance": float(chance)}


@many
def read_others(
    hand: str | Sequence[str] | None = None,
    *,
    game: str | Game = "mus",
    seat: int | str = 1,
    knowledge: Knowledge | None = None,
) -> Reading:
    """What the others hold, before any discard.

    Given a table of questions in place of the hand, it answers all: see
    :func:`musodds.knowledge.many.many`.

    Parameters
    ----------
    hand : str or sequence of str, optional
        Your own hand; without, it may be any that goes with what is known.
    game : str or Game, optional
        The game of ``knowledge``, if that is given.
    seat : int or str, optional
        One seat; it tells who beats you when hands are equal.
    knowledge : Knowledge, optional
        See :func:`musodds.knowledge.knowledge.know`; a partner whose hand is known is a range of
        one hand.

    Raises
    ------
    KnowledgeError
        If what is known contradicts itself or the hand.
    GameError
        If the hand has to be given in this game.

    Examples
    --------
    >>> from musodds.knowledge.knowledge import know
    >>> wink = read_others(knowledge=know(next="31 & !pares"))
    >>> [round(float(chance), 3) for chance in wink.wholes["juego"]["partner"].values()][:3]
    [0.085, 0.027, 0.016]
    """
    knowledge = Knowledge(get_game(game)) if knowledge is None else knowledge
    game = knowledge.game
    place = game.parse_seat(seat)
    found = _Sums(any_suit=game.one_suit is not None)
    question = None
    if hand is None:
        for weight, others in without_hand(place, knowledge):
            found.add(others, weight)
        found.no_rival = {w: n for w, n in found.no_rival.items() if w.startswith("has ")}
    else:
        question = ask(game, text_of(game, hand), dead=knowledge.dead)
        _add_cases(found, question, place, knowledge)
    total = found.total
    return Reading(
        game=game,
        hand=question.hand if question else None,
        seat=place,
        knowledge=knowledge,
        plays=_over(found.plays, total),
        hand_chances=_over(found.hands, total),
        no_rival={what: Fraction(n, total) for what, n in found.no_rival.items()},
        wholes={of: _over(found.wholes[of], total) for of in WHOLE},
        ways=question.ways if question else 1,
    )


def _add_cases(found: _Sums, question: Question, place: int, knowledge: Knowledge) -> None:
    check_drawn(question)
    for weight, shared in unseen_by_case(question, (place,), knowledge):
        for unseen in shared.values():
            found.add(others_of(unseen, place), weight)
    if not found.total:
        raise no_deal(question, place, knowledge)


Counts = dict[str, dict[str, int]]


class _Sums:
    """Weights of deals, added up over the cases of a question."""

    def __init__(self, any_suit: bool) -> None:
        self.any_suit = any_suit
        self.total = 0
        self.plays: Counts = {}
        self.hands: Counts = {}
        self.no_rival: dict[str, int] = {}
        self.wholes: dict[str, Counts] = {of: {} for of in WHOLE}

    def add(self, others: Others, times: int) -> None:
        """Add the deals of one case."""
        masks, texts = dict(_plays(others.table)), _texts(others.game, self.any_suit)
        self.total += others.total * times
        for who, weights in others.dealt().items():
            held = self.hands.setdefault(who, {})
            for i in np.flatnonzero(weights).tolist():
                held[texts[i]] = held.get(texts[i], 0) + int(weights[i]) * times
        for who, weights in others.shown().items():
            plays = self.plays.setdefault(who, {})
            for what, mask in masks.items():
                plays[what] = plays.get(what, 0) + int(weights[mask].sum()) * times
            for of, counts in self.wholes.items():
                _add_whole(counts.setdefault(who, {}), of, others.table, weights * times)
        if others.rivals == 2:
            plays = self.plays.setdefault(EITHER, {})
            for what, mask in masks.items():
                weight = others.sum(mask[others.first] | mask[others.second])
                plays[what] = plays.get(what, 0) + weight * times
        for what, weight in _no_rival(others):
            self.no_rival[what] = self.no_rival.get(what, 0) + weight * times


def _add_whole(found: dict[str, int], of: str, table: Hands, weights: Exact) -> None:
    """Add what each hand is there, the strongest first."""
    if of == "points":
        order, texts = -table.points, [str(points) for points in table.points]
    elif of == "juego":
        order, texts = -table.level["juego"], list(map(table.juego_name, range(len(table))))
        texts = [
            text.removeprefix("juego of ") if level else NO_JUEGO
            for text, level in zip(texts, table.level["juego"], strict=True)
        ]
    else:
        symbols = [kind.symbol for kind in table.game.deck.kinds]
        order = -table.level["grande"]
        texts = ["".join(symbols[card] for card in cards) for cards in table.cards]
    for i in np.argsort(order, kind="stable").tolist():
        found[texts[i]] = found.get(texts[i], 0) + int(weights[i])


def _texts(game: Game, any_suit: bool) -> Sequence[str]:
    """How the hands are called; where they are counted for any suit, without it."""
    if not any_suit:
        return hands(game).texts
    looks = [look(game, i) for i in range(len(hands(game)))]
    return [f"{plain} real" if real else plain for plain, real in looks]


def _over(counts: Counts, total: int) -> dict[str, dict[str, Fraction]]:
    return {
        who: {what: Fraction(n, total) for what, n in of_player.items()}
        for who, of_player in counts.items()
    }


def _plays(all_hands: Hands) -> Iterator[tuple[str, Mask]]:
    """The plays that are read, by name."""
    for word in ("pares", "par", "medias", "duples", "juego", "31"):
        if word != "31" or 31 in all_hands.points:
            yield word, word_mask(all_hands, word)
    punto = all_hands.level["punto"] > 0
    for total in sorted(set(all_hands.points[punto].tolist()), reverse=True):
        yield f"punto of {total}", punto & (all_hands.points == total)
    symbols = [kind.symbol for kind in all_hands.game.deck.kinds]
    for symbol, name in (("R", "two kings or more"), ("A", "two aces or more")):
        if symbol in symbols:
            yield name, word_mask(all_hands, f"{symbol}{symbol}??")


def _no_rival(others: Others) -> Iterator[tuple[str, int]]:
    """Weights of the deals in which no rival has a play, or beats the hand."""
    table, game = others.table, others.game
    for phase in ("pares", "juego"):
        idle = table.level[phase] == 0
        yield f"has {phase}", others.sum(idle[others.first] & idle[others.second])
    if others.mine is None:
        return
    seats = rivals_in_order(game, others.seat)
    for phase in BEATEN:
        theirs = np.maximum(
            codes_of(table, phase, seats[0])[others.first],
            codes_of(table, phase, seats[-1])[others.second],
        )
        mine = np.maximum(codes_of(table, phase, others.seat)[others.mine], game.seats)
        yield f"beats my {phase}", others.sum(theirs < mine)
