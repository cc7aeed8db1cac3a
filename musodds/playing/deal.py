"""What the deals of Mus and of Encaje share: whose turn it is, the mus talk, the exchange.

A deal is a frozen state. Each transition checks what is legal and returns a new
state; nothing is ever changed in place. Stages follow each other in this order:
``4567`` and ``visto`` (cards changed before mus, where there is such a round), ``mus``
(mus or no hay mus), ``change`` (after all said mus), the phases, ``over``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from musodds.errors import CardError, InputError
from musodds.playing.actions import CUT, MUS, Action, ActionError, Option, any_of, read_action
from musodds.playing.stock import Stock, draw_from, new_stock
from musodds.rules.cards import CARDS
from musodds.rules.game import PHASES, Game
from musodds.rules.hands import Hands, hands
from musodds.values import Table, told

TALK = "mus"
CHANGE = "change"
SHOWN = "4567"
"""Who was dealt 4-5-6-7 may show it and take four new cards."""
VISTO = "visto"
"""A card was seen in the deal: all may change any number of cards."""
CHANGES = (SHOWN, VISTO, CHANGE)
OVER = "over"
NONE = "-"
"""No cards."""

Dealt = tuple[int | None, ...]

_RULE = {
    CHANGE: "each throws one to four cards and draws as many",
    VISTO: "each changes any number of cards, none (-) included",
    SHOWN: "who was dealt 7654 takes four new cards, or none (-)",
}


@dataclass(frozen=True, slots=True)
class Said:
    """One line of the deal's history: the stage, the seat (0: the side, as one), the words."""

    stage: str
    seat: int
    text: str


@dataclass(frozen=True, kw_only=True, repr=False)
class Procedure(Table, ABC):
    """The state of a deal.

    Parameters
    ----------
    game : Game
    mano : int
        The number of mano's side; sides are numbered as in the score that was given.
    dealt, classes : tuple of (int or None)
        The hand class of each seat from mano on, at first and now; None for a player
        who is out of the game.
    stage : str
    turn : tuple of int
        The seats that may speak now: one, or those of a side that answers as one.
    said : tuple of Said
    ahead : tuple of str
        The stages to come before grande.
    stock : tuple of int or None
        Cards left to draw, by kind; None while a new stock is being drawn from, empty
        where it is not kept.
    """

    game: Game
    mano: int
    dealt: Dealt
    classes: Dealt
    stage: str
    turn: tuple[int, ...]
    said: tuple[Said, ...] = ()
    ahead: tuple[str, ...] = ()
    stock: Stock | None = ()

    def rows(self) -> list[dict[str, Any]]:
        """One dict per line of the deal so far: `stage`, `seat`, `text`."""
        return [told(said, "stage", "seat", "text") for said in self.said]

    @property
    def over(self) -> bool:
        """Whether nothing more can be said."""
        return self.stage == OVER

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that hold cards, in speaking order."""
        return tuple(seat for seat, held in enumerate(self.classes, start=1) if held is not None)

    def side(self, seat: int) -> int:
        """The side of a seat, numbered as in the score."""
        return (self.game.side(seat) + self.mano) % self.game.sides

    def hand(self, seat: int) -> str:
        """The hand of a seat as text; ``-`` for a player who is out of the game."""
        held = self.classes[seat - 1]
        return "-" if held is None else hands(self.game).texts[held]

    def level(self, phase: str, seat: int) -> int:
        """The level of a seat's hand in a phase; 0 takes no part."""
        held = self.classes[seat - 1]
        return 0 if held is None else int(hands(self.game).level[phase][held])

    def declares(self, phase: str) -> tuple[bool, ...]:
        """What each seat declares, truthfully, before pares and before juego."""
        return tuple(bool(self.level(phase, seat)) for seat in range(1, self.game.seats + 1))

    def legal(self) -> tuple[Option, ...]:
        """What may be said now (in ``change``: how many cards); empty when the deal is over."""
        if self.stage == TALK:
            return (Option(MUS), Option(CUT))
        if self.stage == SHOWN:
            return (Option(CHANGE), Option(CHANGE, CARDS, CARDS))
        if self.stage in CHANGES:
            return (Option(CHANGE, int(self.stage == CHANGE), CARDS),)
        return () if self.over else self._betting_options()

    def act(self, action: str | Action, seat: int = 0) -> Self:
        """The deal after something is said.

        Parameters
        ----------
        action : str or Action
            As :func:`musodds.playing.actions.read_action` reads it.
        seat : int
            Who says it. Need not be given; checked if it is.

        Raises
        ------
        ActionError
            If it is not legal now; the message says what is.
        """
        said = read_action(action, self.on_table)
        self._check_turn(seat)
        if not any(option.allows(said) for option in self.legal()):
            raise ActionError(f"{said.text!r} is not legal now. {self.state_text()}")
        speaker = seat or (self.turn[0] if len(self.turn) == 1 else 0)
        spoken = self._with_line(speaker, said.text)
        return spoken._talk(said) if self.stage == TALK else spoken._bet(said)

    def change(self, thrown: str, drawn: str, seat: int = 0) -> Self:
        """The deal after the seat in turn throws cards and draws as many.

        Parameters
        ----------
        thrown, drawn : str
            One to four cards each, as text; before mus ``-`` for none.
        seat : int
            Who changes. Need not be given; checked if it is.

        Raises
        ------
        ActionError
            If no change is due, or not of that many cards.
        CardError
            If the cards thrown are not held, or the deck does not hold those drawn.
        """
        self._check_turn(seat)
        if self.stage not in CHANGES:
            raise ActionError(f"no cards are changed now. {self.state_text()}")
        deck, seat = self.game.deck, self.turn[0]
        out, new = (() if text.strip() == NONE else deck.parse(text) for text in (thrown, drawn))
        allowed = any(o.least <= len(out) <= (o.most or 0) for o in self.legal())
        if not allowed or len(new) != len(out):
            raise ActionError(f"{len(out)} thrown and {len(new)} drawn: {_RULE[self.stage]}")
        held = self._cards_of(seat)
        missing = Counter(out) - Counter(held)
        if missing:
            raise CardError(
                f"seat {seat} throws {deck.text(tuple(missing.elements()))}: it holds "
                f"{self.hand(seat)}"
            )
        kept = tuple((Counter(held) - Counter(out)).elements())
        classes = list(self.classes)
        classes[seat - 1] = hands(self.game).index(kept + new)
        text = f"{deck.text(out)}>{deck.text(new)}" if out else NONE
        changed = replace(self._with_line(seat, text), classes=tuple(classes))
        if self.stock == ():
            # Otherwise the stock says what can be drawn: of a new one, what others throw now.
            changed._check_deck()
        changed = replace(changed, stock=self._drawn(seat, kept, out, new))
        return changed._next_to_change(seat)

    def _drawn(
        self, seat: int, kept: tuple[int, ...], out: tuple[int, ...], new: tuple[int, ...]
    ) -> Stock | None:
        """The stock after a seat has drawn."""
        if self.stock == ():
            return ()
        last = seat == self.playing[-1]
        held = [card for s in self.playing if s < seat for card in self._cards_of(s)]
        # Where the stock was made anew for an earlier player it holds these cards too.
        held += kept + out if last and self.stock is not None else kept
        deck = self.game.deck
        # A new stock is what nobody holds.
        stock = new_stock(deck, held) if self.stock is None else self.stock
        try:
            left = draw_from(deck, stock, new, held)
        except CardError as error:
            raise CardError(f"seat {seat}: {error}") from None
        renewed = self.stock is None or left is None
        if renewed and last:
            return new_stock(deck, [*held, *new])
        return None if renewed else left

    def _next_to_change(self, seat: int) -> Self:
        """The next seat that may change cards now, else the next stage."""
        deal = self
        for later in (s for s in self.playing if s > seat):
            if self.stage != SHOWN or self._may_show(later):
                return replace(deal, turn=(later,))
            deal = deal._with_line(later, NONE)
        if self.stage == CHANGE:
            return replace(deal, stage=TALK, turn=deal.playing[:1])
        return deal._next_stage()

    def _may_show(self, seat: int) -> bool:
        return hands(self.game).texts[self.dealt[seat - 1] or 0] in self.game.exchange

    def _begin(self, before: Sequence[str], mus: bool) -> Self:
        """The deal when all hold their cards: rounds of changes before mus, mus, grande."""
        self._check_deck()
        for name, possible, why in (
            (SHOWN, any(map(self._may_show, self.playing)), "nobody is dealt a hand to show"),
            (VISTO, self.game.visto, f"{self.game.name} is not mus visto: write game: mus-visto"),
        ):
            if name in before and not possible:
                raise InputError(f"no cards are changed before mus: {why}")
        held = [card for seat in self.playing for card in self._cards_of(seat)]
        ahead = (*(name for name in (SHOWN, VISTO) if name in before), *((TALK,) if mus else ()))
        begun = replace(self, ahead=ahead, stock=new_stock(self.game.deck, held))
        return begun._next_stage()

    def _next_stage(self) -> Self:
        if not self.ahead:
            return self._enter(PHASES[0])
        entered = replace(self, stage=self.ahead[0], ahead=self.ahead[1:], turn=self.playing[:1])
        return entered._next_to_change(0) if entered.stage == SHOWN else entered

    def state_text(self) -> str:
        """Where the deal stands: *pares, seat 2 to speak: paso or envido (2 or more)*."""
        if self.over:
            return "The deal is over"
        seats = " or ".join(str(seat) for seat in self.turn)
        return f"{self.stage}, seat {seats} to speak: {any_of(self.legal())}"

    @property
    @abstractmethod
    def on_table(self) -> int:
        """Stones bet so far in the phase."""

    @abstractmethod
    def _betting_options(self) -> tuple[Option, ...]:
        """What may be said in a phase."""

    @abstractmethod
    def _bet(self, said: Action) -> Self:
        """The deal after a legal action in a phase."""

    @abstractmethod
    def _enter(self, phase: str) -> Self:
        """The deal when a phase begins."""

    def _talk(self, said: Action) -> Self:
        if said.word == CUT:
            return self._enter(PHASES[0])
        later = [seat for seat in self.playing if seat > self.turn[0]]
        if later:
            return replace(self, turn=(later[0],))
        return replace(self, stage=CHANGE, turn=self.playing[:1])

    def _with_line(self, seat: int, text: str) -> Self:
        return replace(self, said=(*self.said, Said(self.stage, seat, text)))

    def _check_turn(self, seat: int) -> None:
        if self.over:
            raise ActionError("the deal is over: nothing more can be said")
        if seat and seat not in self.turn:
            raise ActionError(f"seat {seat} may not speak now. {self.state_text()}")

    def _cards_of(self, seat: int) -> tuple[int, ...]:
        held = self.classes[seat - 1]
        return () if held is None else hands(self.game).cards[held]

    def _check_deck(self) -> None:
        self.game.deck.check(
            [card for seat in self.playing for card in self._cards_of(seat)], "the hands together"
        )


def next_phase(phase: str, juego: bool) -> str | None:
    """The phase after another; ``juego`` is whether anyone has it, or punto is played.

    Examples
    --------
    >>> next_phase("pares", juego=False), next_phase("juego", juego=True)
    ('punto', None)
    """
    order = (*PHASES[:3], "juego" if juego else "punto")
    place = order.index(phase) + 1
    return order[place] if place < len(order) else None


def read_hands(game: Game, given: Sequence[str | Sequence[int] | None]) -> Dealt:
    """The hand classes of a deal, one a seat from mano on.

    Raises
    ------
    InputError
        If there are not as many hands as seats.
    CardError
        If one is not a hand of the game.
    """
    if len(given) != game.seats:
        raise InputError(
            f"{len(given)} hands for {game.seats} seats of {game.name}: give one a seat, from mano"
        )
    known: Hands = hands(game)
    return tuple(
        None if hand is None else known.index(hand, f"hand of seat {seat}")
        for seat, hand in enumerate(given, start=1)
    )
