"""Players that come with the package: chance, a policy that bets by the odds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Self

from musodds.chances.odds import odds
from musodds.errors import GameError
from musodds.players.view import View
from musodds.playing.actions import CUT, ENVIDO, MUS, NO_QUIERO, PASO, QUIERO, Action
from musodds.playing.deal import SHOWN, VISTO
from musodds.rules.game import Game
from musodds.simulation.named_policies import get_policy
from musodds.simulation.policies import Policy, PolicyError
from musodds.strategy.views import plain

SEES, BETS = 0.5, 0.65
"""A phase is bet on, and a bet seen, from these chances of taking it."""


class Same:
    """A player without memory: a copy of it is itself."""

    def __deepcopy__(self, memo: object) -> Self:
        return self


@dataclass(frozen=True)
class RandomPlayer(Same):
    """Any kind of legal answer, each as likely; the smallest bet, any cards.

    Examples
    --------
    >>> from musodds.players.view import view_of
    >>> from musodds.playing.mus_deal import Deal
    >>> deal = Deal.start("mus", ["772A", "33S2", "RRSA", "CCC6"])
    >>> RandomPlayer().say(view_of(deal, 1)) in ("mus", "no hay mus")
    True
    """

    name: str = "random"

    def say(self, view: View) -> str:
        return str(view.random().choice((MUS, CUT)))

    def throw(self, view: View) -> str:
        rng = view.random()
        cards = _cards(view.hand, view.game)
        numbers = sorted({n for o in view.legal for n in (o.least, o.most or 0)})
        count = rng.choice(numbers) if view.stage == SHOWN else rng.randint(*numbers)
        return "".join(rng.sample(cards, count))

    def speak(self, view: View) -> Action:
        return view.random().choice(view.legal).action


@dataclass(frozen=True)
class PolicyPlayer(Same):
    """Mus, cuts and discards of a policy; bets by the odds of its hand as dealt.

    It bets 2 where it takes the phase with a chance of 0.65 or more, given that both sides
    take part, sees from 0.5 on, and leaves an answer to its partner where it would fold.
    It never raises, and sees an órdago as any bet. The partner's hand is not known to it,
    nor are declarations looked at.

    Parameters
    ----------
    policy : Policy

    Examples
    --------
    >>> from musodds.players.view import view_of
    >>> from musodds.playing.mus_deal import Deal
    >>> deal = Deal.start("mus", ["772A", "33S2", "RRSA", "CCC6"], mus=False)
    >>> PolicyPlayer(get_policy("kings")).speak(view_of(deal, 1)).text
    'paso'
    """

    policy: Policy

    @property
    def name(self) -> str:
        return self.policy.name

    def say(self, view: View) -> str:
        return MUS if self.policy.says_mus(view.seat, view.hand) else CUT

    def throw(self, view: View) -> str:
        if view.stage == SHOWN:
            return view.hand
        deck = view.game.deck
        keep = self.policy.keep_text(view.seat, view.hand)
        kept = Counter(() if keep == "-" else deck.parse(keep))
        out = tuple((Counter(deck.parse(view.hand)) - kept).elements())
        if not out and view.stage != VISTO:
            # A hand that would have cut: the others said mus first, or it was changed since.
            out = deck.parse(view.hand)[-1:]
        return deck.text(out)

    def speak(self, view: View) -> Action | None:
        return by_the_odds(view)


def by_the_odds(view: View) -> Action | None:
    """What the odds of a hand say in a phase; None where the partner may answer."""
    chance = _chance(plain(view.game, "4567", "visto"), view.hand, view.seat, view.stage)
    if view.seen:
        if chance < SEES and view.may_leave:
            return None
        return Action(QUIERO if chance >= SEES else NO_QUIERO)
    for option in view.legal:
        if option.word == ENVIDO and chance >= BETS:
            return option.action
    return Action(PASO)


_KNOWN: dict[tuple[str, str, int, str], float] = {}


def _chance(game: Game, hand: str, seat: int, phase: str) -> float:
    """The chance that the seat's side takes the phase, given that both sides take part."""
    key = (game.name, hand, seat, phase)
    if key not in _KNOWN:
        for row in odds(hand, game=game, seat=seat).rows():
            _KNOWN[game.name, hand, seat, row["phase"]] = row["win_contested"] or 0.0
    return _KNOWN[key]


def _cards(hand: str, game: Game) -> list[str]:
    return [game.deck.text((kind,)) for kind in game.deck.parse(hand)]


def cards_policy(game: Game) -> Policy:
    """The policy of players that bring none: the solved one where there is one, else kings."""
    try:
        return get_policy("best", game)
    except (PolicyError, GameError):
        return get_policy("kings", game)
