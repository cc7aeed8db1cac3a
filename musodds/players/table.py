"""One deal at the table: every player is asked in turn, and its answer is checked."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from musodds.errors import InputError
from musodds.players.answers import (
    AnswerError,
    PlayerError,
    cards_of,
    failing,
    legal_cards,
    legal_words,
    said_of,
    shown,
)
from musodds.players.pack import Cards, Pack
from musodds.players.view import View, view_of
from musodds.playing.actions import CUT, Action
from musodds.playing.deal import CHANGE, CHANGES, NONE, SHOWN, TALK
from musodds.playing.setting import AnyDeal
from musodds.rules.hands import hands

ASKED = ("say", "throw", "speak")


class Player(Protocol):
    """Who plays: any object with these three methods."""

    def say(self, view: View) -> str | Action:
        """Answer ``mus`` or ``no hay mus``."""

    def throw(self, view: View) -> str | Sequence[str]:
        """Name the cards to throw, such as ``"7A"``; ``""`` for none where that is legal."""

    def speak(self, view: View) -> str | Action | None:
        """Bet, or answer a bet; None leaves the answer to the partner where it may."""


@dataclass
class Table:
    """A deal being played.

    Parameters
    ----------
    players : sequence of Player
        From mano on.
    names : sequence of str
        What they are called in messages.
    pack : Pack
        What is left after the deal.
    where : str
        Which deal it is, for messages.
    chance : str
        Whence the chance of each decision comes.
    rounds : int
        After so many rounds of mus mano cuts.
    """

    players: Sequence[Player]
    names: Sequence[str]
    pack: Pack
    where: str
    chance: str
    rounds: int
    asked: int = 0
    own: dict[int, Cards] = field(default_factory=dict)

    def play(self, deal: AnyDeal) -> AnyDeal:
        """The deal, played to its end."""
        rounds = 0
        while not deal.over:
            if deal.stage in CHANGES:
                rounds += deal.stage == CHANGE
                deal = self._change(deal)
            elif deal.stage == TALK and rounds >= self.rounds:
                deal = deal.act(CUT)
            elif deal.stage == TALK:
                view = self._view(deal, deal.turn[0])
                deal = self._act(deal, view, self._ask("say", view))
            else:
                deal = self._speak(deal)
        return deal

    def _view(self, deal: AnyDeal, seat: int, **more: Any) -> View:
        self.asked += 1
        digest = hashlib.blake2b(f"{self.chance}/{self.asked}".encode(), digest_size=8)
        kinds = deal.game.deck
        own = tuple(kinds.text((card,)) for card in sorted(self.own.get(seat, ())))
        seed = int.from_bytes(digest.digest(), "little")
        return view_of(deal, seat, own=own, seed=seed, **more)

    def _ask(self, what: str, view: View) -> Any:
        """The player's answer; it is asked with a view of its own, to do with as it likes."""
        player = self.players[view.seat - 1]
        with failing(f"{self._who(view)}: its {what}(view)"):
            return getattr(player, what)(_anew(view))

    def _who(self, view: View) -> str:
        return f"{self.names[view.seat - 1]} in seat {view.seat}, {self.where}"

    @contextmanager
    def _judging(self, view: View, what: str, answer: Any, legal: str) -> Iterator[None]:
        """What is wrong with an answer, told to its player; also if looking at it fails."""
        try:
            yield
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            plain = isinstance(error, InputError | AnswerError)
            raise PlayerError(
                f"{self._who(view)}: {what}(view) returned {shown(answer)}; in {view.stage} with "
                f"{view.hand} legal is: {legal}"
            ) from (None if plain else error)

    def _act(self, deal: AnyDeal, view: View, answer: Any) -> AnyDeal:
        what = "say" if deal.stage == TALK else "speak"
        with self._judging(view, what, answer, legal_words(view.legal, view.may_leave)):
            return deal.act(said_of(answer), view.seat)

    def _speak(self, deal: AnyDeal) -> AnyDeal:
        """Of a side that answers as one the next after the bettor is asked first."""
        seats, last = deal.game.seats, deal.said[-1].seat if deal.said else 0
        order = sorted(deal.turn, key=lambda seat: (seat - last) % seats)
        for seat in order:
            view = self._view(deal, seat, may_leave=seat != order[-1])
            answer = self._ask("speak", view)
            if answer is not None or not view.may_leave:
                return self._act(deal, view, answer)
        raise AssertionError

    def _change(self, deal: AnyDeal) -> AnyDeal:
        """Everybody throws before the first draws."""
        seats = [s for s in deal.playing if deal.stage != SHOWN or may_show(deal, s)]
        thrown: dict[int, Cards] = {}
        for seat in seats:
            laid = {s: len(cards) for s, cards in thrown.items()} if deal.stage != SHOWN else {}
            thrown[seat] = self._thrown(self._view(deal, seat, thrown=laid))
        text = deal.game.deck.text
        for seat in seats:
            self.pack.discards += thrown[seat]
        for seat in seats:
            out = thrown[seat]
            alone = not any(thrown[later] for later in seats if later > seat)
            drawn = self.pack.draw(len(out), out, alone)
            deal = deal.change(text(out) or NONE, text(drawn) or NONE, seat)
        for seat in seats:
            self.own[seat] = (*self.own.get(seat, ()), *thrown[seat])
        if self.pack.renewed:
            # What was thrown may come again.
            self.own, self.pack.renewed = {}, False
        return deal

    def _thrown(self, view: View) -> Cards:
        answer = self._ask("throw", view)
        counts = sorted({n for o in view.legal for n in range(o.least, (o.most or 0) + 1)})
        with self._judging(view, "throw", answer, legal_cards(counts)):
            return cards_of(view.game, answer, view.hand, counts)


def _anew(view: View) -> View:
    return replace(
        view,
        legal=tuple(map(replace, view.legal)),
        said=tuple(map(replace, view.said)),
        declared=dict(view.declared),
    )


def may_show(deal: AnyDeal, seat: int) -> bool:
    """Whether a seat was dealt a hand that it may show and change."""
    held = deal.dealt[seat - 1]
    return held is not None and hands(deal.game).texts[held] in deal.game.exchange
