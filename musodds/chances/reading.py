"""What the others hold, given one hand and what is known.

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
from musodds.exact.known_hands import unseen_by_case
from musodds.exact.unseen import Unseen
from musodds.knowledge.knowledge import Knowledge
from musodds.knowledge.many import many
from musodds.knowledge.question import ask, check_drawn, look
from musodds.knowledge.words import word_mask
from musodds.rules.game import PHASES, Game, rivals_in_order
from musodds.rules.games import get_game
from musodds.rules.hands import Hands, codes_of, hands
from musodds.rules.suits import text_of
from musodds.values import Table

EITHER = "either"
NO_RIVAL = "no rival"
BEATEN = PHASES[:4]


@dataclass(frozen=True, eq=False, repr=False)
class Reading(Table):
    """What the other players hold: chances of plays, of hands, and of no rival.

    Attributes
    ----------
    game : Game
    hand : str
    seat : int
    knowledge : Knowledge
    plays : mapping of str to mapping of str to Fraction
        For ``partner``, ``next``, ``previous`` and ``either`` (at least one rival):
        the chance of each play. With one rival only ``next``.
    hand_chances : mapping of str to mapping of str to Fraction
        For every player, the chance of each hand. Where all four suits matter, hands
        that differ in suits alone are one, save that ``real`` is added to juego real.
    no_rival : mapping of str to Fraction
        Chance that no rival has pares, has juego, or beats the hand in a phase. In
        pares and juego only a hand that takes part can beat. With jokers about a hand
        has what it may be named for, and which beats which is not decided before all
        are shown.
    ways : int
        See :class:`musodds.chances.counted_odds.Odds`.

    Examples
    --------
    >>> from musodds.knowledge.knowledge import know
    >>> told = read("RR7A", knowledge=know(partner="seña:31"))
    >>> told.plays["partner"]["31"], float(told.plays["next"]["31"]) < 0.1
    (Fraction(1, 1), True)
    >>> [hand for hand, chance in told.likely("partner", 2)]
    ['RCSA', 'RRCA']
    """

    game: Game
    hand: str
    seat: int
    knowledge: Knowledge
    plays: Mapping[str, Mapping[str, Fraction]]
    hand_chances: Mapping[str, Mapping[str, Fraction]]
    no_rival: Mapping[str, Fraction]
    ways: int = 1

    method = "exact"

    def likely(self, who: str, number: int = 5) -> list[tuple[str, float]]:
        """The most likely hands of a player, with their chances."""
        chances = self.hand_chances[who].items()
        return [(text, float(p)) for text, p in sorted(chances, key=lambda one: -one[1])[:number]]

    def rows(self, number: int = 5) -> list[dict[str, Any]]:
        """One dict per chance: `who`, `about` (play, hand, rivals), `what`, `chance`."""
        rows: list[dict[str, Any]] = []
        for who, plays in self.plays.items():
            rows += [_row(who, "play", what, chance) for what, chance in plays.items()]
        for who in self.hand_chances:
            rows += [_row(who, "hand", what, chance) for what, chance in self.likely(who, number)]
        rows += [_row(NO_RIVAL, "rivals", what, chance) for what, chance in self.no_rival.items()]
        return rows


def _row(who: str, about: str, what: str, chance: Fraction | float) -> dict[str, Any]:
    return {"who": who, "about": about, "what": what, "chance": float(chance)}


@many
def read(
    hand: str | Sequence[str],
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
    hand : str or sequence of str
        Your own hand.
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
    """
    knowledge = Knowledge(get_game(game)) if knowledge is None else knowledge
    game = knowledge.game
    place = game.parse_seat(seat)
    question = ask(game, text_of(game, hand), dead=knowledge.dead)
    check_drawn(question)
    found = _Sums(any_suit=game.one_suit is not None)
    for weight, shared in unseen_by_case(question, (place,), knowledge):
        for unseen in shared.values():
            found.add(unseen, place, weight)
    total = found.total
    return Reading(
        game=game,
        hand=question.hand,
        seat=place,
        knowledge=knowledge,
        plays=_over(found.plays, total),
        hand_chances=_over(found.hands, total),
        no_rival={what: Fraction(n, total) for what, n in found.no_rival.items()},
        ways=question.ways,
    )


Counts = dict[str, dict[str, int]]


class _Sums:
    """Weights of deals, added up over the cases of a question."""

    def __init__(self, any_suit: bool) -> None:
        self.any_suit = any_suit
        self.total = 0
        self.plays: Counts = {}
        self.hands: Counts = {}
        self.no_rival: dict[str, int] = {}

    def add(self, unseen: Unseen, seat: int, times: int) -> None:
        """Add the deals of one case."""
        masks, texts = dict(_plays(unseen.hands)), _texts(unseen.game, self.any_suit)
        self.total += unseen.total * times
        for who, weights in _weights(unseen).items():
            plays, held = self.plays.setdefault(who, {}), self.hands.setdefault(who, {})
            for what, mask in masks.items():
                plays[what] = plays.get(what, 0) + int(weights[mask].sum()) * times
            for i in np.flatnonzero(weights).tolist():
                held[texts[i]] = held.get(texts[i], 0) + int(weights[i]) * times
        if unseen.rivals == 2:
            plays = self.plays.setdefault(EITHER, {})
            for what, mask in masks.items():
                weight = unseen.pair_total(mask[unseen.first] | mask[unseen.second])
                plays[what] = plays.get(what, 0) + weight * times
        for what, weight in _no_rival(unseen, seat):
            self.no_rival[what] = self.no_rival.get(what, 0) + weight * times


def _texts(game: Game, any_suit: bool) -> Sequence[str]:
    """How the hands are called; where they are counted for any suit, without it."""
    if not any_suit:
        return hands(game).texts
    looks = [look(game, i) for i in range(len(hands(game)))]
    return [f"{plain} real" if real else plain for plain, real in looks]


def _weights(unseen: Unseen) -> dict[str, Exact]:
    """Weight of the deals in which each player holds each hand."""
    found = {}
    if unseen.game.side_size == 2:
        found["partner"] = np.zeros(len(unseen.hands), dtype=object)
        found["partner"][unseen.mates] = unseen.mate_weights
    for rival, who in enumerate(("next", "previous")[: unseen.rivals]):
        found[who] = unseen.rival_weights(rival)
    return found


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


def _no_rival(unseen: Unseen, seat: int) -> Iterator[tuple[str, int]]:
    """Weights of the deals in which no rival has a play, or beats the hand."""
    all_hands, game = unseen.hands, unseen.game
    for phase in ("pares", "juego"):
        idle = all_hands.level[phase] == 0
        yield f"has {phase}", unseen.pair_total(idle[unseen.first] & idle[unseen.second])
    if all_hands.has_jokers:
        return
    seats = rivals_in_order(game, seat)
    for phase in BEATEN:
        codes = np.maximum.reduce(unseen.codes(phase, seats))
        mine = max(int(codes_of(all_hands, phase, seat)[unseen.me]), game.seats)
        yield f"beats my {phase}", unseen.pair_total(codes < mine)
