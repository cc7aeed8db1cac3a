"""Who says what a decision in a deal was worth: betting, mus or cut, what to throw.

A judge sees what the player saw (:class:`View`) and nothing else, and says what was best,
what that is worth and what the thing said is: chances of winning the game. Any object with
a ``name`` and the method ``weigh`` may judge the betting.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

import numpy as np

from musodds.knowledge.knowledge import Knowledge
from musodds.playing.actions import (
    CUT,
    MUS,
    NO_QUIERO,
    ORDAGO,
    PASO,
    QUIERO,
    Action,
    read_action,
)
from musodds.playing.deal import Said
from musodds.rules.game import Game
from musodds.rules.showdown import Ending
from musodds.stakes.bet import Decision, bet
from musodds.stakes.equity import Equity
from musodds.stakes.situation import THEM
from musodds.strategy.advice import SeatAdvice
from musodds.strategy.trials import BLOCK

DEALS = 1 << 13
"""On which the keeps of a hand are tried."""

_FEWER = 4
_BEYOND_DOUBT = 5.0
"""Standard errors."""

SIMULATED, EN_PASO = "simulated", "en paso"
PHASE_SOLVED, DEAL_SOLVED = "solved phase", "solved deal"
"""By what a decision was judged."""


@dataclass(frozen=True)
class View:
    """What a player knows when it is his to speak.

    Parameters
    ----------
    game : Game
        The rules that hold from here on.
    hand : str
    seat : int
    score : tuple of int
        Our stones and theirs.
    knowledge : Knowledge
        Of the hands of others: declarations, the partner's signs, the cards thrown.
    table : Equity
        The chances after the deal.
    phase : str
        Of the betting; empty before it.
    earlier : mapping of str to Ending
        Earlier phases in which there was a bet; side 0 is ours.
    on_table : int
        Stones bet before the last raise of the rivals.
    offer : int or str or None
        What the rivals bet or add, ``órdago``, or None.
    spoken : int
        How many others have said mus already.
    said : tuple of Said
        All that was said in the deal.
    opening : tuple of int
        Our stones and theirs when the deal began.
    declared : mapping of str to tuple of bool
        Who has pares and juego, from mano on, as far as it was said.
    signed : bool
        Whether the knowledge holds signs of the partner.
    """

    game: Game
    hand: str
    seat: int
    score: tuple[int, int]
    knowledge: Knowledge
    table: Equity
    phase: str = ""
    earlier: Mapping[str, Ending] = field(default_factory=dict)
    on_table: int = 0
    offer: int | str | None = None
    spoken: int = 0
    said: tuple[Said, ...] = ()
    opening: tuple[int, int] = (0, 0)
    declared: Mapping[str, tuple[bool, ...]] = field(default_factory=dict)
    signed: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was best, what that and what was said are worth, and how sure the difference is.

    Parameters
    ----------
    best : str
    value, said : float
        Chances of winning the game.
    error : float
        The standard error of their difference; 0 where both are exact.
    model : str
        By which model, if a judge has several.
    """

    best: str
    value: float
    said: float
    error: float = 0.0
    model: str = ""

    @classmethod
    def among(
        cls, values: Mapping[str, float], said: str, error: float = 0.0, model: str = ""
    ) -> Verdict:
        """On what was said, given the worth of all that could be said.

        What was said comes first among equals.
        """
        best = max(values, key=lambda name: (values[name], name == said))
        return cls(best, values[best], values[said], error, model)

    @property
    def lost(self) -> float:
        return max(0.0, self.value - self.said)


class BettingJudge(Protocol):
    """Weighs what is said in a phase."""

    @property
    def name(self) -> str:
        """How an answer calls the model."""

    def weigh(self, view: View, said: Action) -> Verdict:
        """What was best, and what the thing said is worth."""


_WORDS = {"pass": PASO, "fold": NO_QUIERO, "see": QUIERO}


@dataclass(frozen=True)
class EnPasoJudge:
    """Betting by :func:`musodds.stakes.bet.bet`: later phases and deals are passed.

    What a bet is worth depends on the answer, of which this model says nothing. So a bet
    counts as *best* with the answer that hurts most in every single deal, as if the rivals
    saw all cards, and is *charged* with the better of always being seen and always being
    folded to. Not to bet is an error only if betting is better whatever they answer, and to
    bet only if it is worse whatever they answer: what lies between, the model cannot say.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> from musodds.stakes.equity_kinds import equity
    >>> view = View(get_game("mus"), "7654", 2, (39, 39), Knowledge(get_game("mus")),
    ...             equity("mus"), "grande", offer="órdago")
    >>> verdict = EnPasoJudge().weigh(view, Action("no quiero"))
    >>> verdict.best, verdict.said
    ('quiero', 0.0)
    """

    name: str = (
        "en paso: later phases passed; a bet is best, or an error, only if it is with any answer"
    )

    def weigh(self, view: View, said: Action) -> Verdict:
        answer = bet(
            view.hand, seat=view.seat, phase=view.phase, score=view.score, game=view.game,
            on_table=view.on_table, offer=view.offer, agreed=view.earlier,
            knowledge=view.knowledge, table=view.table,
        )  # fmt: skip
        bounds: dict[str, tuple[float, float]] = {}
        for choice in answer.choices:
            if choice.equity is not None:
                bounds[_WORDS[choice.action]] = choice.equity, choice.equity
            else:
                action = read_action(_spanish(choice.action))
                bounds[action.text] = self._of(answer, action)
        if said.text not in bounds:
            bounds[said.text] = self._of(answer, said)
        # What was said comes first among equals.
        best = max(bounds, key=lambda name: (bounds[name][0], name == said.text))
        value = bounds[best][0]
        return Verdict(best, value, min(value, bounds[said.text][1]), model=EN_PASO)

    @staticmethod
    def _of(answer: Decision, said: Action) -> tuple[float, float]:
        """A bet of any size with the answers that hurt most, and with the better one."""
        situation = answer.situation
        offer = situation.offer
        before = situation.on_table + offer if isinstance(offer, int) else 0
        total: int | str = ORDAGO if said.word == ORDAGO else before + said.stones
        seen, folded = situation.seen(total), situation.folded(THEM)
        least = situation.mean(np.minimum(seen, folded))
        return least, max(situation.mean(seen), situation.mean(folded))


def _spanish(action: str) -> str:
    return _WORDS.get(action, action.replace("raise", "reenvido"))


@dataclass(frozen=True)
class CardsJudge:
    """Mus or cut, and what to throw, by :func:`musodds.strategy.discard.discard`.

    The others do as a policy says; the deal and those to come are played en paso. Who
    speaks later knows that those before said mus: what mus gains is then divided by the
    chance that they do, taken as alike for all players.

    Parameters
    ----------
    policy : str
        What the others keep, and when they cut.
    deals : int
        On which the keeps are tried. Where a fourth of them leaves no doubt that what was
        done is the best, by more than five standard errors, it is left at that.
    seed : int
    """

    policy: str
    deals: int = DEALS
    seed: int = 1

    @property
    def name(self) -> str:
        few = f", {self._looks[0]} where they settle it" if self._looks[1:] else ""
        return f"{self.deals} deals a hand{few}, the others by policy {self.policy}, then en paso"

    @property
    def _looks(self) -> tuple[int, ...]:
        """Deals after which a decision may be found to be the best beyond doubt, and all."""
        few = self.deals // _FEWER
        return (few, self.deals) if few >= BLOCK else (self.deals,)

    def weigh_mus(self, view: View, said: Action) -> Verdict:
        """Mus or cut."""
        for deals in self._looks:
            advice = self._advice(view, deals)
            others = view.game.seats - 1
            share = advice.all_mus ** (view.spoken / others) if advice.all_mus else 1.0
            cut = advice.cut_net
            gain, error = (float(x[0]) / share for x in (advice.mus_gain, advice.mus_gain_se))
            mus = cut + gain
            if (gain if said.word == MUS else -gain) > _BEYOND_DOUBT * error:
                break
        best = MUS if mus > cut else CUT
        return Verdict(best, max(mus, cut), mus if said.word == MUS else cut, error, SIMULATED)

    def weigh_throw(self, view: View, keep: str) -> Verdict:
        """What is kept; ``-`` is nothing."""
        for deals in self._looks:
            advice = self._advice(view, deals)
            place = [draw.keep for draw in advice.draws].index(keep)
            if not place and (-advice.diff > _BEYOND_DOUBT * advice.diff_se)[1:].all():
                break
        best = float(advice.net[0])
        error = float(advice.diff_se[place])
        said = best + float(advice.diff[place])
        return Verdict(advice.draws[0].keep, best, said, error, SIMULATED)

    def _advice(self, view: View, deals: int) -> SeatAdvice:
        return _advice(
            view.game, view.hand, view.seat, view.score, view.knowledge, self.policy, deals,
            self.seed,
        )  # fmt: skip


@lru_cache(maxsize=256)
def _advice(
    game: Game,
    hand: str,
    seat: int,
    score: tuple[int, int],
    knowledge: Knowledge,
    policy: str,
    deals: int,
    seed: int,
) -> SeatAdvice:
    from musodds.strategy.discard import discard

    return discard(
        hand, game=game, seat=seat, policy=policy, n=deals, seed=seed, score=score,
        learn=False, knowledge=knowledge or None,
    ).seats[0]  # fmt: skip
