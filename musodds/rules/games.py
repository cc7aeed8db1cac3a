"""Games: one frozen record per rule set, and the registry of named games."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from types import MappingProxyType

from musodds.errors import GameError
from musodds.rules.cards import JOKER, SUITS, Deck, Kind
from musodds.rules.game import Game, with_target


def _deck(four_kings: bool, sotas: tuple[tuple[str, int], ...], sevens: str) -> Deck:
    """The 40 cards; ``sotas`` are (suits, copies), ``sevens`` the suits told apart."""
    kings = 4 if four_kings else 8
    kinds = [Kind("R", 12, 10, kings), Kind("C", 11, 10, 4)]
    kinds += [Kind("S", 10, 10, copies, suits) for suits, copies in sotas]
    kinds += [Kind("7", 7, 7, 1, suit) for suit in sevens] or [Kind("7", 7, 7, 4)]
    kinds += [Kind(str(n), n, n, 4) for n in ((6, 5, 4, 3, 2) if four_kings else (6, 5, 4))]
    kinds += [Kind("A", 1, 1, kings)]
    return Deck(tuple(kinds), _NO_FOLDS if four_kings else _EIGHT_KINGS)


_NO_FOLDS: Mapping[str, str] = {}
_EIGHT_KINGS: Mapping[str, str] = {"3": "R", "2": "A"}
_SOTAS = (("", 4),)


def _joker_deck() -> Deck:
    """Eight kings, and the sotas of oros and copas as jokers."""
    joker = Kind(JOKER, 12, 10, 2, stands_for=("R", "A"))
    plain = _deck(False, (("", 2),), "")
    return Deck((joker, *plain.kinds), {**plain.folds, "So": JOKER, "Sc": JOKER})


@dataclass(frozen=True)
class Option:
    """Something that may be added to a family of games.

    Parameters
    ----------
    name : str
        As in a game's name, after a hyphen.
    summary : str
    families : tuple of str
        The families it goes with.
    excludes : tuple of str
        Other options that it does not go with.
    """

    name: str
    summary: str
    families: tuple[str, ...]
    excludes: tuple[str, ...] = ()


_TABLES = ("mus", "mus2p", "mus6p", "encaje3", "encaje5")
_FOUR_SUITS, _ONE_SUIT = "real-suits", "real-oros"

FAMILIES: Mapping[str, tuple[str, int, int]] = MappingProxyType(
    {
        "mus": ("two against two", 4, 2),
        "mus2p": ("two players, mano against postre", 2, 1),
        "mus6p": ("two sides of three, seated alternately", 6, 3),
        "encaje3": ("Encaje (Mus Francés), three players, each for himself", 3, 1),
        "encaje5": ("Encaje (Mus Francés), five players, each for himself", 5, 1),
    }
)
"""Family -> (summary, seats, players on a side)."""

OPTIONS: Mapping[str, Option] = MappingProxyType(
    {
        option.name: option
        for option in (
            Option("four-kings", "four kings: 3 and 2 are cards of their own", _TABLES),
            Option("real", "three 7s and any ten-point card beat every other 31", _TABLES),
            Option(
                "real-oros",
                "three 7s and the sota of oros beat every other 31",
                _TABLES,
                ("real", "ten-kings"),
            ),
            Option(
                "real-suits",
                "three 7s and the sota of the fourth suit beat every other 31",
                _TABLES,
                ("real", "real-oros", "ten-kings"),
            ),
            Option(
                "ten-kings",
                "the sotas of oros and copas are jokers, each a king or an ace",
                ("mus", "mus2p"),
                ("four-kings",),
            ),
            Option("five-cards", "five cards dealt, one thrown, no mus", ("encaje3", "encaje5")),
            Option(
                "4567",
                "a player dealt 4-5-6-7 shows it and takes four new cards",
                _TABLES,
                ("five-cards",),
            ),
            Option(
                "visto",
                "a card was seen: one change of any cards, by everybody, before mus",
                _TABLES,
                ("five-cards",),
            ),
            Option("50", "to 50 stones, with captains", ("mus6p",)),
        )
    }
)
"""All options, in the order they have in a game's name."""


def _split(name: str) -> tuple[str, list[str]]:
    """A family and the option words of a name; raise GameError for unknown ones."""
    family, _, rest = name.partition("-")
    chosen = []
    if family == "mus4":
        family, chosen = "mus", ["four-kings"]
    if family not in FAMILIES:
        raise GameError(_no_game(name))
    while rest:
        option = max((o for o in OPTIONS if f"{rest}-".startswith(f"{o}-")), key=len, default=None)
        if option is None:
            raise GameError(_no_game(name))
        chosen.append(option)
        rest = rest[len(option) + 1 :]
    return family, chosen


_FOUR, _EIGHT = ("4", "four", "cuatro"), ("8", "eight", "ocho")


def _no_game(name: str) -> str:
    kings = re.fullmatch(r"(?:mus-?)?(4|8|10|four|eight|ten|cuatro|ocho|diez)-?(reyes|kings)", name)
    if kings:
        close = ["mus4" if kings[1] in _FOUR else "mus" if kings[1] in _EIGHT else "mus-ten-kings"]
    else:
        close = get_close_matches(name, GAMES, n=1)
    hint = f"did you mean {close[0]}? Games" if close else "games"
    return (
        f"no game {name!r}: {hint} are {', '.join(GAMES)}; options may be combined, see "
        "`musodds games`"
    )


@lru_cache(maxsize=256)
def _build(name: str) -> Game:
    family, words = _split(name)
    chosen = [option for option in OPTIONS if option in words]
    for word in words:
        option = OPTIONS[word]
        if family not in option.families:
            raise GameError(f"{word} does not go with {family}: it is for {_list(option.families)}")
        for other in option.excludes:
            if other in chosen:
                raise GameError(f"{word} and {other} do not go together: choose one")
    table, seats, side_size = FAMILIES[family]
    four_kings = "four-kings" in chosen
    kings = "four kings" if four_kings else "eight kings"
    extras = [OPTIONS[option].summary for option in chosen if option != "four-kings"]
    deck, real = _rules_of_cards(four_kings, chosen)
    return Game(
        name=_name(family, chosen),
        summary="; ".join([f"{table}, {kings}", *extras]),
        deck=deck,
        seats=seats,
        side_size=side_size,
        target=50 if "50" in chosen else 40,
        cards_dealt=5 if "five-cards" in chosen else 4,
        real=real,
        exchange=("7654",) if "4567" in chosen else (),
        visto="visto" in chosen,
        stones=(15, 21) if family.startswith("encaje") else None,
        one_suit=_build(name.replace(_FOUR_SUITS, _ONE_SUIT)) if _FOUR_SUITS in chosen else None,
    )


def options_for(game: Game) -> tuple[str, ...]:
    """The options that may be added to a game, as they are written in its name.

    Examples
    --------
    >>> options_for(get_game("mus-real-visto"))
    ('four-kings', 'ten-kings', '4567')
    """
    family, words = _split(game.name)
    found = []
    for option in OPTIONS.values():
        if option.name in words or family not in option.families:
            continue
        if any(option.name in OPTIONS[w].excludes or w in option.excludes for w in words):
            continue
        found.append(option.name)
    return tuple(found)


def _name(family: str, chosen: list[str]) -> str:
    if family == "mus" and "four-kings" in chosen:
        family, chosen = "mus4", [option for option in chosen if option != "four-kings"]
    return "-".join([family, *chosen])


def _list(words: tuple[str, ...]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _rules_of_cards(four_kings: bool, chosen: list[str]) -> tuple[Deck, tuple[str, ...]]:
    """The deck, with the kinds that the options set apart, and the hands that are real."""
    if _FOUR_SUITS in chosen:
        deck = _deck(four_kings, tuple((suit, 1) for suit in SUITS), "".join(SUITS))
        sevens = {suit: " ".join(f"7{other}" for other in SUITS if other != suit) for suit in SUITS}
        return deck, tuple(f"S{suit} {sevens[suit]}" for suit in SUITS)
    if _ONE_SUIT in chosen:
        return _deck(four_kings, (("o", 1), ("ceb", 3)), ""), ("So 777",)
    deck = _joker_deck() if "ten-kings" in chosen else _deck(four_kings, _SOTAS, "")
    return deck, ("R777", "C777", "S777") if "real" in chosen else ()


GAMES: Mapping[str, Game] = MappingProxyType(
    {
        name: _build(name)
        for name in (
            "mus",
            "mus4",
            "mus-real",
            "mus4-real",
            "mus-real-oros",
            "mus4-real-oros",
            "mus-real-suits",
            "mus4-real-suits",
            "mus-ten-kings",
            "mus-4567",
            "mus-visto",
            "mus2p",
            "mus6p",
            "mus6p-50",
            "encaje3",
            "encaje5",
            "encaje3-five-cards",
            "encaje5-five-cards",
        )
    }
)
"""The games that `musodds games` lists; other combinations of options exist as well."""


def get_game(game: str | Game = "mus") -> Game:
    """The game of that name; a :class:`Game` is returned as it is.

    A name is a family and any options that go with it, in any order.

    Parameters
    ----------
    game : str or Game, optional

    Raises
    ------
    GameError
        If there is no such game.

    Examples
    --------
    >>> get_game("mus-visto-real").name
    'mus-real-visto'
    >>> get_game("mus-four-kings").name
    'mus4'
    """
    if isinstance(game, Game):
        return game
    if not isinstance(game, str):
        raise GameError(f"game {str(game)[:40]}: the name of a game, such as mus, or a Game")
    return _build(game.strip().lower())


def usual(game: Game) -> Game:
    """The game to the target that goes with its name, in a match of the usual length.

    Whatever depends on the cards alone is the same in both.

    Examples
    --------
    >>> from musodds.rules.game import with_target
    >>> usual(with_target(get_game("mus"), 30)) == get_game("mus")
    True
    """
    named = GAMES.get(game.name)
    if named is None:
        try:
            named = _build(game.name)
        except GameError:
            return game
    if game.stones is not None or (named.target, named.games) == (game.target, game.games):
        return game
    return with_target(game, named.target, named.games)


def titled(game: Game) -> str:
    """The name of a game, with its target if that is not the usual one.

    Examples
    --------
    >>> from musodds.rules.game import with_target
    >>> titled(get_game("mus")), titled(with_target(get_game("mus"), 30))
    ('mus', 'mus to 30')
    """
    return game.name if usual(game).target == game.target else f"{game.name} to {game.target}"


def unusual(game: Game) -> dict[str, int]:
    """The target and the games of the match where they are not the usual ones, by name."""
    named = usual(game)
    found = {"target": game.target, "games_to_win": game.games}
    return {
        key: value
        for key, value, other in zip(
            found, found.values(), (named.target, named.games), strict=True
        )
        if value != other
    }
