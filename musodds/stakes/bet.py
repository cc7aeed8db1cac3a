"""What to say at the score: passing, betting, seeing, folding, and what each is worth.

Everything is worth the chance of winning the *game* that follows from it.

**What is counted, exactly.** The deals that fit my hand, what is known of the others,
and that the phase is bet on at all (both sides have pares, or juego; nobody has juego
where it is punto). Of each: who takes every phase and what both sides' hands add, the
stones agreed in earlier phases, the order of the count, the end at the target in the
middle of it, and the equity of the score after the deal (:mod:`musodds.stakes.equity`).

**What is assumed.** Later phases are passed, and so is the next deal and every other
(en paso): what later bets may bring is left out. The rivals hold what is given, their
bet or their seeing tells nothing more: who knows what it tells writes it as their
range. A bet or raise of mine is seen or folded, not raised. Earlier phases stand as
given; their showdown is still to come, and is counted. Of my side's cards only my hand
is known, and whatever is known of the partner's.

**The point of seeing** is the chance of winning the phase at which seeing and folding
are worth the same, the rest being as it is for this hand: with S the equity after
seeing and winning (losing) the phase, ``(fold - S(lost)) / (S(won) - S(lost))``. For an
órdago that is simply the equity after folding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from musodds.errors import InputError
from musodds.exact.known_hands import unseen_by_case
from musodds.exact.outcomes.by_hand import outcomes_by_hand, were_counted
from musodds.exact.outcomes.outcomes import Outcomes, known_outcomes, together
from musodds.exact.scope import check_together
from musodds.knowledge.knowledge import Knowledge
from musodds.knowledge.many import many
from musodds.knowledge.question import ask, check_drawn
from musodds.playing.actions import ORDAGO
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.hands import STONES, hands
from musodds.rules.showdown import Ending
from musodds.rules.suits import text_of
from musodds.stakes.equity import Equity
from musodds.stakes.equity_kinds import equity_by
from musodds.stakes.said import read_agreed, read_offer, read_phase
from musodds.stakes.scores import Score, read_score
from musodds.stakes.situation import THEM, US, Situation
from musodds.values import Table, told

_SAME = 1e-12
"""Chances that differ by less are the same: rounding."""

RAISES = (2, 5)
"""Bets and raises that are looked at, apart from órdago."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that may be said, and the chance of winning the game after it.

    Parameters
    ----------
    action : str
        ``pass``, ``fold``, ``see``, ``envido 2``, ``raise 5``, ``órdago`` …
    equity : float or None
        The chance after pass, fold or see; None for a bet, which needs an answer.
    if_seen, if_folded : float or None
        The chances after each answer to a bet.
    folds : float or None
        How often the rivals must fold to a bet to make it as good as the best choice
        that needs no answer; 0 if it is better even when seen; None if it never is.
    worst : float or None
        The chance if every deal gets the answer that hurts more in it, as if the rivals
        saw all cards.
    """

    action: str
    equity: float | None = None
    if_seen: float | None = None
    if_folded: float | None = None
    folds: float | None = None
    worst: float | None = None

    @property
    def range(self) -> tuple[float, float]:
        """The least and the most chance of winning the game that it leaves, by the answer."""
        answers = (self.equity, self.if_seen, self.if_folded, self.worst)
        chances = [chance for chance in answers if chance is not None]
        return min(chances), max(chances)


@dataclass(frozen=True, eq=False, repr=False)
class Decision(Table):
    """What each choice is worth; see :func:`bet`.

    Attributes
    ----------
    situation : Situation
    hand : str
    knowledge : Knowledge
    choices : tuple of Choice
    point : float or None
        The point of seeing the offer: the least chance of winning the phase with which
        seeing is right; None without an offer, or if no chance is enough, or if the
        hand always or never wins the phase of a bet that is no órdago.
    speaks : bool
        Whether this hand may bet and answer in the phase; if it takes no part, only the
        partner may, and the choices are his as this hand sees them.
    """

    situation: Situation
    hand: str
    knowledge: Knowledge
    choices: tuple[Choice, ...]
    point: float | None
    speaks: bool = True

    beside = ("win", "point", "best", "method")

    @property
    def method(self) -> str:
        """``exact``, or ``monte-carlo`` if the equity after the deal is simulated."""
        return self.situation.table.method

    @property
    def win(self) -> float:
        """The chance that our side has the best hand in the phase, given it is bet on."""
        return self.situation.win

    @property
    def better(self) -> tuple[Choice, ...]:
        """The bets that are better than all that needs no answer, whatever the answer.

        They are worth no less even at worst, and with some answer more. Those come first
        that leave most at worst, and of equals those that leave most at best.
        """
        sure = self._sure
        found = [
            choice
            for choice in self.choices
            if choice.range[0] > sure - _SAME and choice.range[1] > sure + _SAME
        ]
        return tuple(
            sorted(found, key=lambda c: tuple(-round(chance / _SAME) for chance in c.range))
        )

    @property
    def best(self) -> str:
        """The best choice of those that need no answer, or the first of the better bets."""
        if self.better:
            return self.better[0].action
        return next(choice.action for choice in self.choices if choice.equity == self._sure)

    @property
    def _sure(self) -> float:
        return max(choice.equity for choice in self.choices if choice.equity is not None)

    def choice(self, action: str) -> Choice:
        """The choice of that name."""
        return next(choice for choice in self.choices if choice.action == action)

    def rows(self) -> list[dict[str, Any]]:
        """One dict per choice, with the fields of :class:`Choice`."""
        names = ("action", "equity", "if_seen", "if_folded", "folds", "worst")
        return [told(choice, *names) for choice in self.choices]


@many
def bet(
    hand: str | Sequence[str] | Sequence[int],
    *,
    seat: int | str,
    phase: str,
    score: Score,
    game: str | Game = "mus",
    on_table: int = 0,
    offer: int | str | None = None,
    agreed: Mapping[str, Ending] | str | Iterable[str] = (),
    knowledge: Knowledge | None = None,
    table: Equity | None = None,
) -> Decision:
    """What a bet, an answer or a pass is worth at a score, en paso afterwards.

    Given a table of questions in place of the hand, it answers all: see
    :func:`musodds.knowledge.many.many`.

    Parameters
    ----------
    hand : str, sequence of str or sequence of int
        Four cards, or their kinds.
    seat : int or str
        My seat in this deal; it says whose side is mano.
    phase : str
        ``grande``, ``chica``, ``pares``, ``juego`` or ``punto``.
    score : tuple of int or str
        Our stones and theirs now, what has been refused in this deal included; as text,
        ``32-35``.
    game : str or Game, optional
        The game of ``knowledge``, if that is given.
    on_table : int, optional
        Stones bet before the rivals' last raise; 0 if their offer is the first bet.
    offer : int or str, optional
        The stones that the rivals bet, or add, or ``"ordago"``; None: nobody has bet.
    agreed : str or sequence of str, optional
        Earlier phases that were not passed, such as ``"grande:5"`` (a bet of 5 seen) or
        ``"chica:them"`` (we folded); see :func:`musodds.stakes.said.read_agreed`.
    knowledge : Knowledge, optional
    table : Equity, optional
        The chances after the deal; default the best kind that there is for the game.

    Raises
    ------
    InputError
        If something given cannot be, or the phase cannot be bet on with this hand.

    Examples
    --------
    At 39-39 whoever folds has lost.

    >>> answer = bet("7654", seat=2, phase="grande", score=(39, 39), offer="ordago")
    >>> answer.choice("fold").equity, answer.point, answer.best
    (0.0, 0.0, 'see')
    """
    knowledge = Knowledge(get_game(game)) if knowledge is None else knowledge
    game = knowledge.game
    check_together(game)
    phase = read_phase(phase)
    ours = read_score(score, game)
    offer = read_offer(on_table, offer)
    earlier = agreed if isinstance(agreed, Mapping) else read_agreed(agreed, phase)
    my_seat = game.parse_seat(seat)
    held, outcomes, has = _outcomes(text_of(game, hand), my_seat, knowledge)
    outcomes = _played(outcomes, phase, earlier)
    situation = Situation(outcomes, phase, ours, earlier, on_table, offer, table or equity_by(game))
    choices = _open(situation) if offer is None else _answers(situation, offer)
    point = None if offer is None else _point(situation, offer)
    speaks = phase not in STONES or phase in has
    return Decision(situation, held, knowledge, tuple(choices), point, speaks)


_TABLE_PAYS = 12
"""Hands of a seat, nothing known: for more of them all are counted at once, and kept on disk."""

_ASKED: Counter[tuple[Game, int]] = Counter()


def _has_table(game: Game, seat: int) -> bool:
    return _ASKED[game, seat] > _TABLE_PAYS or were_counted(game, seat)


@lru_cache(maxsize=256)
def _outcomes(hand: str, seat: int, knowledge: Knowledge) -> tuple[str, Outcomes, frozenset[str]]:
    """The same for every phase: the hand as it is written, the deals, what it takes part in."""
    question = ask(knowledge.game, hand, dead=knowledge.dead)
    check_drawn(question)
    _ASKED[knowledge.game, seat] += 1
    if not knowledge and _has_table(knowledge.game, seat):
        found = [
            (weight, outcomes_by_hand(case.game, seat).of(case.me))
            for case, weight in question.cases.items()
        ]
    else:
        cases = unseen_by_case(question, (seat,), knowledge)
        found = [(weight, known_outcomes(unseen[seat], seat)) for weight, unseen in cases if unseen]
    has = {
        phase
        for case in question.cases
        for phase in STONES
        if hands(case.game).stones[phase][case.me]
    }
    return question.hand, together(knowledge.game, seat, found), frozenset(has)


def _played(outcomes: Outcomes, phase: str, earlier: Mapping[str, Ending]) -> Outcomes:
    """The outcomes in which the phase is bet on, and the earlier ones could be."""
    for name in (*earlier, phase):
        outcomes = outcomes.where(outcomes.contested(name))
        if not len(outcomes.weights):
            why = (
                "somebody has juego"
                if name == "punto"
                else f"with this hand and what is known it is not so that both sides have {name}"
            )
            raise InputError(f"there is no betting in {name}: {why}")
    return outcomes


def _open(situation: Situation) -> list[Choice]:
    """Nobody has bet."""
    passing = situation.mean(situation.passed())
    bets = [_bet(situation, f"envido {stones}", stones, passing) for stones in RAISES]
    return [Choice("pass", passing), *bets, _bet(situation, ORDAGO, ORDAGO, passing)]


def _answers(situation: Situation, offer: int | str) -> list[Choice]:
    """The rivals have bet."""
    total = _total(situation, offer)
    fold = situation.mean(situation.folded(US))
    see = situation.mean(situation.seen(total))
    choices = [Choice("fold", fold), Choice("see", see)]
    if isinstance(total, str):
        return choices
    otherwise = max(fold, see)
    choices += [_bet(situation, f"raise {more}", total + more, otherwise) for more in RAISES]
    return [*choices, _bet(situation, ORDAGO, ORDAGO, otherwise)]


def _total(situation: Situation, offer: int | str) -> int | str:
    return offer if isinstance(offer, str) else situation.on_table + offer


def _bet(situation: Situation, action: str, stones: int | str, otherwise: float) -> Choice:
    seen, folded = situation.seen(stones), situation.folded(THEM)
    if_seen, if_folded = situation.mean(seen), situation.mean(folded)
    folds = fold_frequency(if_seen, if_folded, otherwise)
    worst = situation.mean(np.minimum(seen, folded))
    return Choice(action, None, if_seen, if_folded, folds, worst)


def fold_frequency(if_seen: float, if_folded: float, otherwise: float) -> float | None:
    """How often a bet must be folded to be worth as much as something else.

    Returns
    -------
    float or None
        0 if it is better even when always seen; None if it is not even when always
        folded.

    Examples
    --------
    >>> fold_frequency(0.25, 0.75, 0.5), fold_frequency(0.5, 0.75, 0.25)
    (0.5, 0.0)
    >>> fold_frequency(0.0, 0.25, 0.5) is None
    True
    """
    if if_seen >= otherwise:
        return 0.0
    if if_folded < otherwise:
        return None
    return (otherwise - if_seen) / (if_folded - if_seen)


def _point(situation: Situation, offer: int | str) -> float | None:
    """The chance of winning the phase at which seeing is worth as much as folding."""
    chances, wins = situation.chances, situation.wins
    fold = situation.mean(situation.folded(US))
    if offer == ORDAGO:
        return fold
    seen, win = situation.seen(_total(situation, offer)), situation.win
    if not wins.any() or wins.all():
        return None
    won = float(chances[wins] @ seen[wins]) / win
    lost = float(chances[~wins] @ seen[~wins]) / (1 - win)
    if lost >= fold - _SAME:
        return 0.0
    return None if won < fold - _SAME else min(1.0, (fold - lost) / (won - lost))
