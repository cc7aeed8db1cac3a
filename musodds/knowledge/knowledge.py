"""What is known of the others' hands: ranges, declarations, dead cards.

A :class:`Knowledge` is a frozen list of *pieces*, each a range for one seat, and the
dead cards. Pieces name their seat as players do (partner, next, previous, rivals), or
by number; declarations go by number, from mano on, and bind the hero too. Several
pieces may speak of one seat: their weights multiply.

All of it holds jointly. A piece is a prior on one hand, before cards are removed; see
:mod:`musodds.knowledge.language`.

With jokers ranges and signs speak of the cards dealt, and of what they may be named as; a
declaration binds what the hand *is* named as, which all hands decide together. So its range
holds whatever some naming allows, and :attr:`Knowledge.answers` are left to whoever names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from math import gcd

import numpy as np
from numpy.typing import NDArray

from musodds.errors import GameError, KnowledgeError
from musodds.knowledge.declarations import declarations
from musodds.knowledge.language import parse_range
from musodds.knowledge.question import look
from musodds.knowledge.range import MAX_WEIGHT, Range
from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.values import Table, Value

DECLARED = ("pares", "juego")

Answers = Mapping[int, Mapping[str, bool]]
"""Whether a seat has a phase, by seat and phase."""


@dataclass(frozen=True, repr=False)
class Piece(Value):
    """One thing known of one seat.

    Parameters
    ----------
    label : str
        How messages call it.
    where : str or int
        ``partner``, ``next``, ``previous``, ``rivals``, or a seat.
    range : Range
    declared : tuple of str and bool, optional
        The phase and the answer, if it was declared before betting, and so speaks of the
        hand played.
    """

    label: str
    where: str | int
    range: Range
    declared: tuple[str, bool] | None = None

    def seats(self, hero: int) -> tuple[int, ...]:
        """The seats that it is about, for a hero in this seat.

        Raises
        ------
        GameError
            If the game has no such player.
        """
        game = self.range.game
        if isinstance(self.where, int):
            return (self.where,)
        return {
            "partner": game.partners(hero),
            "rivals": game.rivals(hero),
            "next": (hero % game.seats + 1,),
            "previous": ((hero - 2) % game.seats + 1,),
        }[self.where]


@dataclass(frozen=True, repr=False)
class Knowledge(Table):
    """Pieces of knowledge about a deal; see :func:`know` to build one from text.

    Parameters
    ----------
    game : Game
    pieces : tuple of Piece, optional
    dead : tuple of int, optional
        Kinds of the cards that nobody holds.

    Examples
    --------
    >>> known = know("mus", partner="seña:31", pares="?,yes,?,no", dead="AA")
    >>> known.labels
    ('partner: seña:31', 'seat 2 has pares', 'seat 4 has no pares', 'dead: AA')
    >>> sorted(known.weights(1))
    [2, 3, 4]
    """

    game: Game
    pieces: tuple[Piece, ...] = ()
    dead: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.pieces or self.dead)

    @property
    def labels(self) -> tuple[str, ...]:
        """Every piece in words."""
        dead = (f"dead: {self.game.deck.text(self.dead)}",) if self.dead else ()
        return (*(piece.label for piece in self.pieces), *dead)

    def rows(self) -> list[dict[str, str]]:
        """One dict per piece: `known`."""
        return [{"known": label} for label in self.labels]

    @property
    def answers(self) -> Answers:
        """By seat and phase what was declared, in a game in which it binds the naming."""
        found: dict[int, dict[str, bool]] = {}
        if hands(self.game).has_jokers:
            for piece in self.pieces:
                if piece.declared and isinstance(piece.where, int):
                    phase, answer = piece.declared
                    found.setdefault(piece.where, {})[phase] = answer
        return found

    def weights(self, hero: int) -> dict[int, NDArray[np.int64]]:
        """Integer weights over the hand classes of the other seats that are spoken of.

        Parameters
        ----------
        hero : int
            The seat from which ``partner``, ``next`` … are seen.

        Returns
        -------
        dict of seat to ndarray of int64, shape (classes,)
            Only their ratios matter. Seats that may hold anything are left out.

        Raises
        ------
        KnowledgeError
            If the product of several weights is too fine to count exactly.
        """
        return {seat: weights for seat, weights in self.seat_weights(hero).items() if seat != hero}

    def seat_weights(self, hero: int) -> dict[int, NDArray[np.int64]]:
        """As :meth:`weights`, the hero's own seat included."""
        found: dict[int, list[NDArray[np.int64]]] = {}
        for piece in self.pieces:
            for seat in piece.seats(hero):
                found.setdefault(seat, []).append(piece.range.weights)
        return {seat: _product(weights, seat) for seat, weights in sorted(found.items())}

    def check_game(self) -> None:
        """Raise GameError where the others throw a card that nobody knows of."""
        if self.game.cards_dealt != CARDS:
            raise GameError(
                f"{self.game.name} has {self.game.cards_dealt} cards each: there are no odds "
                "under knowledge for it"
            )

    def check_hand(self, hand: int, hero: int) -> None:
        """Raise KnowledgeError if the hero's own hand contradicts what is known.

        Parameters
        ----------
        hand : int
            Hand class.
        hero : int
        """
        self.check_game()
        all_hands = hands(self.game)
        text = all_hands.texts[hand]
        for piece in self.pieces:
            if hero in piece.seats(hero) and not piece.range.weights[hand]:
                raise KnowledgeError(
                    f"{piece.label}, but you hold {text} there ({all_hands.plays(hand)}): "
                    "name your own seat, or correct what is said of it"
                )
        self.game.deck.check((*all_hands.cards[hand], *self.dead), "your hand and the dead cards")

    def possible_hands(self, held: Iterable[int], hero: int) -> list[int]:
        """Those of the hands the hero may hold that do not contradict what is known.

        Raises
        ------
        KnowledgeError
            If all do: what is said of the first.
        """
        found = []
        refused: KnowledgeError | None = None
        for hand in held:
            try:
                self.check_hand(hand, hero)
                found.append(hand)
            except KnowledgeError as error:
                # Suits that were not given may be those that are impossible.
                refused = refused or error
        if refused is not None and not found:
            raise refused
        return found

    def counted_in(self, game: Game, dead: tuple[int, ...]) -> Knowledge:
        """The same knowledge in a game with fewer kinds, in which it can be counted.

        Parameters
        ----------
        game : Game
            As the cases of :class:`musodds.knowledge.question.Question` have it.
        dead : tuple of int
            Kinds of that game that nobody holds.

        Raises
        ------
        KnowledgeError
            If a range tells suits apart otherwise than by what is juego real.
        """
        if game is self.game:
            return Knowledge(game, self.pieces, dead)
        pieces = [replace(p, range=_counted_in(p, game)) for p in self.pieces]
        return Knowledge(game, tuple(pieces), dead)

    def without(self, labels: Iterable[str]) -> Knowledge:
        """The same knowledge less the pieces with these labels."""
        gone = set(labels)
        dead = self.dead if not gone.intersection(self.labels[len(self.pieces) :]) else ()
        return Knowledge(self.game, tuple(p for p in self.pieces if p.label not in gone), dead)

    def conflict(self, possible: Callable[[Knowledge], bool]) -> list[str]:
        """Labels of pieces that leave no deal together, and of which none can be spared.

        Parameters
        ----------
        possible : callable
            Whether any deal fits some of the pieces; all of them leave none.
        """
        pieces = list(self.labels)
        for label in self.labels:
            fewer = [other for other in pieces if other != label]
            if not possible(self.without(set(self.labels) - set(fewer))):
                pieces = fewer
        return pieces


def _counted_in(piece: Piece, game: Game) -> Range:
    known = piece.range
    weight_of: dict[tuple[str, bool], int] = {}
    for i, weight in enumerate(known.weights.tolist()):
        if weight_of.setdefault(look(known.game, i), weight) != weight:
            raise KnowledgeError(
                f"{piece.label}: suits in a range are too much to count in {known.game.name}, "
                "save whether a hand is juego real: leave them out, or simulate it"
            )
    weights = np.array([weight_of[look(game, i)] for i in range(len(hands(game)))], dtype=np.int64)
    return Range(game, known.text, weights, known.denominator)


def _product(weights: list[NDArray[np.int64]], seat: int) -> NDArray[np.int64]:
    if len(weights) == 1:
        return weights[0]
    product = reduce(np.multiply, (w.astype(object) for w in weights))
    common = reduce(gcd, product) or 1
    product = product // common
    if max(product) > MAX_WEIGHT:
        raise KnowledgeError(
            f"the weights for seat {seat} are too fine to count exactly: use fewer digits"
        )
    found: NDArray[np.int64] = product.astype(np.int64)
    return found


def know(
    game: str | Game = "mus",
    *,
    partner: str | Range | None = None,
    next: str | Range | None = None,
    previous: str | Range | None = None,
    rivals: str | Range | None = None,
    dead: str | None = None,
    pares: str | None = None,
    juego: str | None = None,
    seats: Mapping[int | str, str | Range] | None = None,
    names: Mapping[str, str] | None = None,
) -> Knowledge:
    """Put together what is known; anything may be left out.

    Parameters
    ----------
    game : str or Game, optional
    partner, next, previous : str or Range, optional
        What one player holds; *next* speaks right after you, *previous* right before.
    rivals : str or Range, optional
        What each of the rivals holds.
    dead : str, optional
        Cards out of play.
    pares, juego : str, optional
        The declarations from mano on, such as ``"yes,no,?,yes"``; yours are among them.
    seats : mapping of seat to str or Range, optional
        What the player in a seat holds.
    names : mapping of str to str, optional
        Ranges of the user's own, by name.

    Raises
    ------
    RangeError
        If a range cannot be read.
    GameError
        If the game has no such player.
    KnowledgeError
        If a declaration cannot be read.
    CardError
        If the deck does not hold the dead cards.

    Examples
    --------
    >>> know(rivals="!juego", dead="RR").labels
    ('rivals: !juego', 'dead: RR')
    """
    game = get_game(game)
    named = {"partner": partner, "next": next, "previous": previous, "rivals": rivals}
    pieces = []
    for where, given in named.items():
        if given is not None:
            _check_player(game, where)
            piece_range = _parse(given, game, names, where)
            pieces.append(Piece(f"{where}: {piece_range.text}", where, piece_range))
    for key, given in (seats or {}).items():
        seat = game.parse_seat(key)
        piece_range = _parse(given, game, names, f"seat {seat}")
        pieces.append(Piece(f"seat {seat}: {piece_range.text}", seat, piece_range))
    for phase, answers in zip(DECLARED, (pares, juego), strict=True):
        if answers is not None:
            pieces += [Piece(*said) for said in declarations(game, phase, answers)]
    return Knowledge(game, tuple(pieces), game.deck.parse(dead) if dead else ())


def _parse(given: str | Range, game: Game, names: Mapping[str, str] | None, where: str) -> Range:
    try:
        return parse_range(given, game, names)
    except ValueError as error:
        raise type(error)(f"{where}: {error}") from None


def _check_player(game: Game, where: str) -> None:
    if where == "partner" and game.side_size != 2:
        who = "nobody has a partner" if game.side_size == 1 else "everybody has two partners"
        raise GameError(f"{who} in {game.name}: say what is known seat by seat (--seat-range)")
