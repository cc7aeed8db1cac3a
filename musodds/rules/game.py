"""A game of Mus as data: its deck, seats and sides, and the phases in their order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from musodds.errors import CardError, GameError
from musodds.rules.cards import Deck
from musodds.rules.numerals import numeral
from musodds.values import Table, told


def rivals_in_order(game: Game, seat: int) -> tuple[int, ...]:
    """The rivals as they speak after a seat: the next first, the previous last."""
    return tuple(sorted(game.rivals(seat), key=lambda s: (s - seat) % game.seats))


MOST_TARGET, MOST_GAMES = 100, 9


def with_target(game: Game, target: int | None = None, games: int | None = None) -> Game:
    """The same rules to another number of stones, or in a match to another number of games.

    Everything that depends on the score reads it from the game; the cards do not.

    Raises
    ------
    GameError
        If the number cannot be, or the game has no score of two sides.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> with_target(get_game("mus"), 30, games=3).target
    30
    """
    for what, number, most in (
        ("target", target, MOST_TARGET),
        ("games", games, MOST_GAMES),
    ):
        if number is None:
            continue
        if game.stones is not None:
            raise GameError(f"{what} {number}: {game.name} has no score of two sides")
        if not 1 <= number <= most:
            of = "stones win a game" if what == "target" else "games win a match"
            raise GameError(f"{what} {number}: from 1 to {most} {of}")
    return replace(
        game,
        target=target or game.target,
        games=games or game.games,
        one_suit=game.one_suit and with_target(game.one_suit, target, games),
    )


UNANIMOUS = frozenset({"punto"})
"""Phases that are off as soon as one hand takes no part: punto, if anybody has juego."""

PHASES = ("grande", "chica", "pares", "juego", "punto")

JUEGO_ORDER = (31, 32, 40, 37, 36, 35, 34, 33)


@dataclass(frozen=True, repr=False)
class Game(Table):
    """A rule set. Everything the engines know of a variant is in this record.

    Parameters
    ----------
    name : str
    summary : str
        One line for people.
    deck : Deck
    seats : int
        Number of players, 2 to 6; seat 1 is mano, the last seat postre.
    side_size : int
        Players on a side (1, 2 or 3); sides are seated alternately.
    target : int
        Stones that win the game.
    games : int
        Games that win the match.
    cards_dealt : int
        Cards dealt to each player; with five, one is thrown before the betting.
    juego_order : tuple of int
        Totals that are juego, best first.
    real : tuple of str
        Hands that beat every other juego (juego real), as text.
    exchange : tuple of str
        Hands that a player dealt them shows and replaces by four new cards, before mus.
    visto : bool
        A card was seen in the deal: before mus each player may change any number of
        cards, none included, without agreement.
    stones : tuple of int or None
        Each player starts with this many stones (fewest, most) and wants to be rid of
        them (Encaje); None where stones are collected up to the target.
    one_suit : Game, optional
        Where all four suits matter: the same game with a single special card, of which
        every question is an average (:mod:`musodds.knowledge.question`).

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> game = get_game("mus")
    >>> game.seats, game.sides, game.partners(1), game.rivals(1)
    (4, 2, (3,), (2, 4))
    """

    name: str
    summary: str
    deck: Deck
    seats: int = 4
    side_size: int = 2
    target: int = 40
    games: int = 2
    cards_dealt: int = 4
    juego_order: tuple[int, ...] = JUEGO_ORDER
    real: tuple[str, ...] = ()
    exchange: tuple[str, ...] = ()
    visto: bool = False
    stones: tuple[int, int] | None = None
    one_suit: Game | None = None

    def __hash__(self) -> int:
        # Of all fields it would take longer than most questions that are looked up.
        return hash((self.name, self.target, self.games))

    def rows(self) -> list[dict[str, Any]]:
        """One dict: what there is to say of it in a line."""
        said = told(self, "name", "summary", "seats", "side_size", "target")
        return [{**said, "cards": self.deck.size}]

    @property
    def sides(self) -> int:
        """Number of sides."""
        return self.seats // self.side_size

    def side(self, seat: int) -> int:
        """The side (0 is mano's) that a seat plays for."""
        return (seat - 1) % self.sides

    def partners(self, seat: int) -> tuple[int, ...]:
        """The other seats of this seat's side, in speaking order."""
        return tuple(
            s for s in range(1, self.seats + 1) if s != seat and self.side(s) == self.side(seat)
        )

    def rivals(self, seat: int) -> tuple[int, ...]:
        """All seats of other sides, in speaking order."""
        return tuple(s for s in range(1, self.seats + 1) if self.side(s) != self.side(seat))

    def seat_name(self, seat: int) -> str:
        """*mano*, *postre* or the number."""
        return {1: "mano", self.seats: "postre"}.get(seat, str(seat))

    def parse_seat(self, value: int | str) -> int:
        """One seat from a number, ``mano`` or ``postre``.

        Raises
        ------
        GameError
            If there is no such seat.
        """
        named = {"mano": 1} | dict.fromkeys(("postre", "dealer", "reparte"), self.seats)
        text = str(value).strip().lower()
        seat = named.get(text, numeral(text) or 0)
        if not 1 <= seat <= self.seats:
            raise GameError(
                f"no seat {str(value)!r} in {self.name}: seats are 1 to {self.seats}, "
                "mano or postre"
            )
        return seat

    def parse_seats(self, value: int | str) -> tuple[int, ...]:
        """One seat, or every seat for ``all``."""
        if str(value).strip().lower() == "all":
            return tuple(range(1, self.seats + 1))
        try:
            return (self.parse_seat(value),)
        except GameError as error:
            raise GameError(f"{error}, or all for every seat") from None

    def parse_hand(self, text: str, what: str = "hand") -> tuple[int, ...]:
        """Read a four-card hand; see :func:`musodds.rules.cards.read_cards` for the spelling.

        Returns
        -------
        tuple of int
            Indices of kinds, high to low.

        Raises
        ------
        CardError
            If it is not a hand of this game.

        Examples
        --------
        >>> from musodds.rules.games import get_game
        >>> game = get_game("mus4")
        >>> game.deck.text(game.parse_hand("a,3,2,r"))
        'R32A'
        """
        cards = self.deck.parse(text)
        if len(cards) != 4:
            raise CardError(
                f"{what} {text.strip()!r} has {len(cards)} card{'s' * (len(cards) != 1)}: "
                "a hand is four cards, such as RR7A"
            )
        return cards
