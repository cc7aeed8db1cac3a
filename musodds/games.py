"""Games: one frozen record per rule set, and the registry of named games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType

from musodds.cards import Deck, Kind
from musodds.errors import CardError, GameError

PHASES = ("grande", "chica", "pares", "juego", "punto")

JUEGO_ORDER = (31, 32, 40, 37, 36, 35, 34, 33)


@dataclass(frozen=True)
class Game:
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
    cards_dealt : int
        Cards dealt to each player; with five, one is thrown before the betting.
    juego_order : tuple of int
        Totals that are juego, best first.
    real : tuple of str
        Hands that beat every other juego (juego real), as text.

    Examples
    --------
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
    cards_dealt: int = 4
    juego_order: tuple[int, ...] = JUEGO_ORDER
    real: tuple[str, ...] = ()

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
        named = {"mano": 1, "postre": self.seats}
        text = str(value).strip().lower()
        seat = named.get(text, int(text) if text.isdecimal() else 0)
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
        """Read a four-card hand; see :func:`musodds.cards.read_cards` for the spelling.

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


_LOW = (("7", 7), ("6", 6), ("5", 5), ("4", 4))


def _deck(low: tuple[tuple[str, int], ...], kings: int, aces: int) -> tuple[Kind, ...]:
    symbols = [("R", 10, kings), ("C", 10, 4), ("S", 10, 4)]
    symbols += [(symbol, points, 4) for symbol, points in low]
    symbols += [("A", 1, aces)]
    return tuple(
        Kind(symbol, rank=len(symbols) - i, points=points, copies=copies)
        for i, (symbol, points, copies) in enumerate(symbols)
    )


EIGHT_KINGS = Deck(_deck(_LOW, kings=8, aces=8), MappingProxyType({"3": "R", "2": "A"}))
FOUR_KINGS = Deck(_deck((*_LOW, ("3", 3), ("2", 2)), kings=4, aces=4))

_REAL = ("R777", "C777", "S777")

GAMES: Mapping[str, Game] = MappingProxyType(
    {
        game.name: game
        for game in (
            Game("mus", "eight kings (a 3 is a king, a 2 an ace), two against two", EIGHT_KINGS),
            Game("mus4", "four kings (3 and 2 are cards of their own)", FOUR_KINGS),
            Game(
                "mus-real",
                "eight kings; three 7s and a ten-point card beat every other 31",
                EIGHT_KINGS,
                real=_REAL,
            ),
            Game(
                "mus4-real",
                "four kings; three 7s and a ten-point card beat every other 31",
                FOUR_KINGS,
                real=_REAL,
            ),
            Game("mus2p", "eight kings, two players, mano against postre", EIGHT_KINGS, 2, 1),
        )
    }
)


def get_game(game: str | Game = "mus") -> Game:
    """The game of that name; a :class:`Game` is returned as it is.

    Raises
    ------
    GameError
        If no game has that name.
    """
    if isinstance(game, Game):
        return game
    name = game.strip().lower()
    found = GAMES.get(name)
    if found is None:
        close = get_close_matches(name, GAMES, n=1)
        hint = f"did you mean {close[0]}? Games" if close else "games"
        raise GameError(f"no game {game!r}: {hint} are {', '.join(GAMES)}")
    return found
