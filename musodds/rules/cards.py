"""Kinds of card, decks, and cards in text.

Suits are irrelevant in Mus and many cards are alike, so a card is a *kind*: a
symbol with a rank, points and a number of copies. A variant that cares about a
particular card (the sota of oros, a joker) is a deck with one more kind.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations_with_replacement, product

import numpy as np
from numpy.typing import NDArray

from musodds.errors import CardError

SUITS: Mapping[str, str] = {"o": "oros", "c": "copas", "e": "espadas", "b": "bastos"}

SYMBOLS = "RCS765432A*"
JOKER = "*"
_FIGURES = {"1": "A", "10": "S", "11": "C", "12": "R"}
_HINTS = {
    "K": "the king is R (rey)",
    "Q": "the second figure is C (caballo)",
    "J": "the first figure is S (sota)",
    "8": "the 40-card deck has no 8",
    "9": "the 40-card deck has no 9",
    **dict.fromkeys("♥♦♣♠♡♢♧♤", "suits are o c e b (oros, copas, espadas, bastos), as in Ro"),
    "0": "write 10, 11 and 12 apart from the other cards, or as S, C and R",
}
_NAMES = {
    "R": ("king", "kings"),
    "C": ("caballo", "caballos"),
    "S": ("sota", "sotas"),
    "A": ("ace", "aces"),
}


@dataclass(frozen=True, slots=True)
class Kind:
    """Cards that no rule of the game tells apart.

    Parameters
    ----------
    symbol : str
        One of ``R C S 7 6 5 4 3 2 A``, or ``*`` for a joker.
    rank : int
        Order in grande; kinds of equal rank are equal in grande, chica and pares.
    points : int
        Points for juego and punto.
    copies : int
        How many of them the deck holds.
    suits : str, optional
        Suits (letters of ``oceb``) of a kind that a variant sets apart; empty where
        suits do not matter.
    stands_for : tuple of str, optional
        Symbols that the holder of a joker may name it.
    """

    symbol: str
    rank: int
    points: int
    copies: int
    suits: str = ""
    stands_for: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The symbol; with its suit (x: any of several) where the game tells suits apart."""
        return self.symbol + (self.suits if len(self.suits) < 2 else "x")

    @property
    def plural(self) -> str:
        """The name of several such cards, as in *duples of kings and aces*."""
        return _NAMES.get(self.symbol, ("", f"{self.symbol}s"))[1]


@dataclass(frozen=True, slots=True)
class Card:
    """A card as typed: its symbol, its suit if one was given, and where it stood."""

    symbol: str
    suit: str = ""
    position: int = 0

    @property
    def text(self) -> str:
        return self.symbol + self.suit


@dataclass(frozen=True)
class Deck:
    """The kinds of a game, from the highest rank to the lowest.

    Parameters
    ----------
    kinds : tuple of Kind
    folds : mapping of str to str, optional
        Cards that are another in this deck (3 a king, 2 an ace, So a joker).

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> deck = get_game("mus").deck
    >>> deck.size, len(deck.kinds)
    (40, 8)
    >>> deck.text(deck.parse("a 3 12 7"))
    'RR7A'
    """

    kinds: tuple[Kind, ...]
    folds: Mapping[str, str] = field(default_factory=dict, hash=False)

    @cached_property
    def copies(self) -> NDArray[np.int64]:
        """Number of cards of each kind, shape (kinds,)."""
        return np.array([kind.copies for kind in self.kinds], dtype=np.int64)

    @cached_property
    def size(self) -> int:
        """Number of cards."""
        return int(self.copies.sum())

    @cached_property
    def suits_matter(self) -> bool:
        """Whether some kinds are told apart by suit."""
        return any(kind.suits for kind in self.kinds) or any(len(c) == 2 for c in self.folds)

    def namings(self, cards: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """The hands that cards may be named as: one, unless there are jokers among them.

        Jokers are alike, so only how many are named what matters. Those with the most
        jokers named as the first symbol that they may stand for (the king) come first.

        Examples
        --------
        >>> from musodds.rules.games import get_game
        >>> deck = get_game("mus-ten-kings").deck
        >>> [deck.text(named) for named in deck.namings(deck.parse("**7S"))]
        ['RRS7', 'RS7A', 'S7AA']
        """
        plain = tuple(i for i in cards if not self.kinds[i].stands_for)
        named = []
        for i, number in Counter(cards).items():
            symbols = self.kinds[i].stands_for
            options = [j for s in symbols for j, kind in enumerate(self.kinds) if kind.symbol == s]
            if options:
                named.append(list(combinations_with_replacement(options, number)))
        return tuple(tuple(sorted(sum(choice, plain))) for choice in product(*named))

    def kinds_of(self, card: Card) -> tuple[int, ...]:
        """Indices of the kinds that a typed card may be.

        More than one where suits matter and none was given.

        Raises
        ------
        CardError
            If the deck holds no such card.
        """
        symbol = self.folds.get(card.text, self.folds.get(card.symbol, card.symbol))
        alike = [i for i, kind in enumerate(self.kinds) if kind.symbol == symbol]
        if not alike:
            held = " ".join(dict.fromkeys(kind.symbol for kind in self.kinds))
            raise CardError(f"no card {card.text!r} in this game: its cards are {held}")
        if card.suit and self.suits_matter and symbol != JOKER:
            named = [i for i in alike if card.suit in self._suits(i)]
            all_told_apart = all(self.kinds[i].suits for i in alike)
            if not named and all_told_apart:
                suits = " ".join(symbol + self.kinds[i].suits[0] for i in alike)
                raise CardError(f"no card {card.text!r} in this game: write {suits}")
            alike = named or [i for i in alike if not self.kinds[i].suits]
        return tuple(alike)

    def _suits(self, i: int) -> str:
        suits = self.kinds[i].suits
        return suits + "x" * (len(suits) > 1)

    def parse(self, text: str) -> tuple[int, ...]:
        """Read cards whose kinds are certain; see :func:`read_cards` for the spelling.

        Returns
        -------
        tuple of int
            Indices of kinds, high to low.

        Raises
        ------
        CardError
            If a symbol is unknown, a needed suit is missing, or there are more
            cards of a kind than the deck holds.
        """
        found = []
        for card in read_cards(text, self.suits_matter):
            kinds = self.kinds_of(card)
            if len(kinds) > 1:
                options = " or ".join(self.kinds[i].text for i in kinds)
                raise CardError(f"which {card.symbol} is it in {text.strip()!r}? Write {options}")
            found.append(kinds[0])
        return self.check(found)

    def check(self, cards: Iterable[int], what: str = "") -> tuple[int, ...]:
        """Sort kind indices high to low; raise CardError if the deck has too few."""
        ordered = tuple(sorted(cards))
        for i, number in Counter(ordered).items():
            kind = self.kinds[i]
            if number > kind.copies:
                folded = [card for card, into in self.folds.items() if into == kind.symbol]
                note = f" (a {folded[0]} is one of them)" if folded else ""
                raise CardError(
                    f"{number} cards {kind.text}{note}{' in ' + what if what else ''}: "
                    f"the deck has only {kind.copies}"
                )
        return ordered

    def text(self, cards: Sequence[int], separator: str | None = None) -> str:
        """Write cards high to low: ``RR7A``, or ``7o 7c 7e So`` where suits show."""
        if separator is None:
            separator = " " if any(self.kinds[i].suits for i in cards) else ""
        return separator.join(self.kinds[i].text for i in sorted(cards))


def read_cards(text: str, suits_matter: bool = False) -> list[Card]:
    """Split typed text into cards.

    Symbols are R C S 7 6 5 4 3 2 A in any order and case, with or without spaces,
    commas or hyphens; 1 is an ace, and 10, 11, 12 (standing apart) are S, C, R; * is a
    joker. A suit letter o, c, e or b may follow a card; a ``c`` is the suit copas only
    in a game where suits matter, written small and right after a card, or where all cards
    stand apart and have suits (``12o 12c 7e 1b`` or ``o12 c12 e7 b1``). There ``x`` is
    any suit that matters not. Cards may also be named: ``rey rey siete as``.

    Raises
    ------
    CardError
        If something is not a card of Mus.

    Examples
    --------
    >>> [card.symbol for card in read_cards("r-r-7-1")]
    ['R', 'R', '7', 'A']
    >>> [card.text for card in read_cards("7o 7c 7e So", suits_matter=True)]
    ['7o', '7c', '7e', 'So']
    >>> [card.symbol for card in read_cards("rey, rey, siete, as")]
    ['R', 'R', '7', 'A']
    """
    cards = _with_suits(text) or _named(text) or _spelled(text, suits_matter)
    whole = [card.text for card in cards if card.suit and card.suit != "x"]
    for card in whole:
        if whole.count(card) > 1:
            raise CardError(f"{card} is in {text.strip()!r} twice: the deck has one")
    return cards


def _tokens(text: str) -> list[re.Match[str]]:
    return list(re.finditer(r"[^\s,\-]+", text))


def _with_suits(text: str) -> list[Card]:
    """Cards that all stand apart, each with its suit; none if they do not."""
    card, cards = "(?i:(1[012]|[rcs765432a1*]))", []
    for token in _tokens(text):
        found = re.fullmatch(f"{card}([oceb])|([oceb]){card}", token[0])
        if found is None:
            return []
        symbol, suit = (found[1] or found[4]).upper(), found[2] or found[3]
        cards.append(Card(_FIGURES.get(symbol, symbol), suit, token.start()))
    # A c alone is a caballo: RC SC are four cards.
    return cards if any(card.suit != "c" for card in cards) else []


_CARD_NAMES = {
    **dict.fromkeys(("rey", "reyes", "king", "kings"), "R"),
    **dict.fromkeys(("caballo", "caballos", "horse"), "C"),
    **dict.fromkeys(("sota", "sotas"), "S"),
    **dict.fromkeys(("siete", "sietes", "seven"), "7"),
    **dict.fromkeys(("seis", "six"), "6"),
    **dict.fromkeys(("cinco", "cincos", "five"), "5"),
    **dict.fromkeys(("cuatro", "cuatros", "four"), "4"),
    **dict.fromkeys(("tres", "treses", "three"), "3"),
    **dict.fromkeys(("dos", "doses", "two"), "2"),
    **dict.fromkeys(("as", "ases", "ace", "aces"), "A"),
}
_MAY_BE_CARDS = ("as", "ases")


def _named(text: str) -> list[Card]:
    """Cards by their names; none if they are not, or only could be."""
    names = [(token[0].lower(), token.start()) for token in _tokens(text)]
    known = all(name in _CARD_NAMES or len(name) == 1 for name, _ in names)
    if not known or not any(len(n) > 1 and n not in _MAY_BE_CARDS for n, _ in names):
        return []
    return [Card(_CARD_NAMES.get(n) or _symbol(n, text), "", start) for n, start in names]


def _spelled(text: str, suits_matter: bool) -> list[Card]:
    """Cards letter by letter."""
    cards: list[Card] = []
    for match in _tokens(text):
        token, start = match.group(), match.start()
        figure = re.fullmatch(r"(1[012])([ocebx]?)", token)
        if figure:
            cards.append(Card(_FIGURES[figure[1]], figure[2], start))
            continue
        suit_may_follow = False
        for offset, letter in enumerate(token):
            is_suit = letter.lower() in "oeb" or (letter in "cx" and suits_matter)
            if suit_may_follow and is_suit:
                last = cards.pop()
                cards.append(Card(last.symbol, letter.lower(), last.position))
                suit_may_follow = False
            else:
                cards.append(Card(_symbol(letter, text), "", start + offset))
                suit_may_follow = True
    return cards


def _symbol(letter: str, text: str) -> str:
    symbol = _FIGURES.get(letter, letter.upper())
    if len(symbol) == 1 and symbol in SYMBOLS:
        return symbol
    hint = _HINTS.get(symbol, "cards are R C S 7 6 5 4 3 2 A")
    raise CardError(f"{letter!r} in {text.strip()!r} is not a Mus card: {hint}")


CARDS = 4
