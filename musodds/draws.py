"""Exact distributions of a hand after a draw.

A player keeps part of the hand, throws the rest and draws as many cards. Who holds
the others is exchangeable: with nothing assumed of anybody, the cards drawn are any of
the unseen ones with equal chance, whoever threw what before. So the hand after the
draw has an exact distribution, a count of ways per class.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
from numpy.typing import NDArray

from musodds.counting import choose
from musodds.errors import CardError
from musodds.games import Game, get_game
from musodds.hands import CARDS, Hands, hands

Ints = NDArray[np.int64]

CHANCES = ("pares", "par", "medias", "duples", "juego", "31")
"""The plays whose chance after a draw is reported."""

NOTHING = "-"
"""How a keep of no card is written."""


def distinct_keeps(counts: Ints, *, all_four: bool = False) -> Ints:
    """Every distinct keep of a hand, in the order that breaks ties: more cards first.

    Parameters
    ----------
    counts : ndarray of int64, shape (kinds,)
        The hand, cards of each kind.
    all_four : bool
        Whether throwing nothing is allowed (mus visto).

    Returns
    -------
    ndarray of int64, shape (keeps, kinds)

    Examples
    --------
    >>> from musodds.games import get_game
    >>> deck = get_game("mus").deck
    >>> counts = np.bincount(deck.parse("RRRA"), minlength=8)
    >>> [keep_text(get_game("mus"), keep) for keep in distinct_keeps(counts)]
    ['RRR', 'RRA', 'RR', 'RA', 'R', 'A', '-']
    """
    kinds = np.flatnonzero(counts)
    # The number of each kind counts down, so that higher cards come first.
    options = product(*(range(int(counts[k]), -1, -1) for k in kinds))
    found = np.zeros((int(np.prod(counts + 1)), len(counts)), dtype=np.int64)
    found[:, kinds] = list(options)
    size = found.sum(axis=1)
    most = CARDS if all_four else CARDS - 1
    order = np.argsort(-size, kind="stable")
    kept: Ints = found[order][size[order] <= most]
    return kept


def keep_text(game: Game, keep: Ints) -> str:
    """A keep as text, high to low; ``-`` when all four cards go."""
    return game.deck.text(np.repeat(np.arange(len(keep)), keep).tolist()) or NOTHING


def parse_keep(text: str, hand: Ints, game: Game, *, all_four: bool = False) -> Ints:
    """Read a keep: the cards that stay, or ``-`` for none.

    Returns
    -------
    ndarray of int64, shape (kinds,)

    Raises
    ------
    CardError
        If it is not part of the hand, or nothing would be thrown where a card must go.
    """
    keep = np.bincount(game.deck.parse(text), minlength=len(hand)).astype(np.int64)
    whole = keep_text(game, hand)
    if (keep > hand).any():
        raise CardError(f"keep {text.strip()!r} is not part of {whole}")
    if keep.sum() == CARDS and not all_four:
        raise CardError(
            f"keep {text.strip()!r} throws nothing of {whole}: one to four cards must go"
        )
    return keep


@dataclass(frozen=True, eq=False)
class Draw:
    """The hand after a keep and a draw: a count of ways per class.

    Attributes
    ----------
    game : Game
    hand : str
        The hand before, high to low.
    keep : str
        What stayed; ``-`` when all four went.
    ways : ndarray of int64, shape (classes,)
        Ways to draw each hand; their sum is ``total``.
    total : int
        Ways to draw that many of the unseen cards.

    Examples
    --------
    >>> result = draw("RR7A", "RR")
    >>> result.total, result.chance("duples"), result.fractions()["RRRR"]
    (630, Fraction(23, 210), Fraction(1, 42))
    """

    game: Game
    hand: str
    keep: str
    ways: Ints
    total: int

    method = "exact"

    def chance(self, play: str) -> Fraction:
        """The chance of one of :data:`CHANCES` after the draw."""
        return Fraction(int(self.ways[plays(hands(self.game))[play]].sum()), self.total)

    def chances(self) -> dict[str, Fraction]:
        """The chance of every one of :data:`CHANCES`."""
        return {play: self.chance(play) for play in CHANCES}

    def fractions(self) -> dict[str, Fraction]:
        """The chance of every hand that can be drawn, high to low."""
        texts = hands(self.game).texts
        return {
            texts[i]: Fraction(int(self.ways[i]), self.total) for i in np.flatnonzero(self.ways)
        }


def plays(all_hands: Hands) -> Mapping[str, NDArray[np.bool_]]:
    """Which hands have each of :data:`CHANCES`, arrays of shape (classes,).

    A hand with jokers has what it may be named as.
    """
    named = all_hands.named
    pares = named.pares_type
    juego = named.level["juego"] > 0
    found = {
        "pares": pares > 0,
        "par": pares == 1,
        "medias": pares == 2,
        "duples": pares == 3,
        "juego": juego,
        "31": juego & (named.points == 31),
    }
    return {play: all_hands.if_named(mask) for play, mask in found.items()}


def draw_ways(all_hands: Hands, hand: Ints, keep: Ints) -> Ints:
    """Ways to reach each class, for many hands and keeps at once.

    Parameters
    ----------
    all_hands : Hands
    hand, keep : ndarray of int64, shape (..., kinds)
        The hand before, and the part of it that stays.

    Returns
    -------
    ndarray of int64, shape (..., classes)
        Each row sums to C(unseen, thrown), where ``unseen`` is the deck less the hand.
    """
    available = all_hands.game.deck.copies - hand
    wanted = all_hands.counts - keep[..., None, :]
    ways = choose(available[..., None, :], np.maximum(wanted, 0))
    # The counts are below C(40, 4), exact as floats.
    found: Ints = np.where((wanted >= 0).all(axis=-1), ways, 0).astype(np.int64)
    return found


def draw(hand: str, keep: str, *, game: str | Game = "mus", all_four: bool = False) -> Draw:
    """The exact distribution of a hand after a draw, with nothing assumed of others.

    Parameters
    ----------
    hand : str
    keep : str
        The cards that stay; ``-`` for none.
    game : str or Game
    all_four : bool
        Whether throwing nothing is allowed (mus visto).

    Raises
    ------
    InputError
        If the hand or the keep is not valid.

    Examples
    --------
    >>> result = draw("777A", "777")
    >>> result.chance("31"), result.chance("duples")
    (Fraction(4, 9), Fraction(1, 36))
    """
    game = get_game(game)
    all_hands = hands(game)
    counts = all_hands.counts[all_hands.index(hand)]
    return _draws(all_hands, counts, parse_keep(keep, counts, game, all_four=all_four)[None])[0]


def draws(hand: str, *, game: str | Game = "mus", all_four: bool = False) -> tuple[Draw, ...]:
    """The distribution after every distinct keep of a hand.

    Examples
    --------
    >>> [(result.keep, result.total) for result in draws("RRRR")]
    [('RRR', 36), ('RR', 630), ('R', 7140), ('-', 58905)]
    """
    game = get_game(game)
    all_hands = hands(game)
    counts = all_hands.counts[all_hands.index(hand)]
    return _draws(all_hands, counts, distinct_keeps(counts, all_four=all_four))


def _draws(all_hands: Hands, counts: Ints, keeps: Sequence[Ints] | Ints) -> tuple[Draw, ...]:
    game = all_hands.game
    unseen = game.deck.size - CARDS
    keeps = np.asarray(keeps)
    ways = draw_ways(all_hands, np.broadcast_to(counts, keeps.shape), keeps)
    return tuple(
        Draw(
            game,
            keep_text(game, counts),
            keep_text(game, keep),
            row,
            comb(unseen, CARDS - int(keep.sum())),
        )
        for keep, row in zip(keeps, ways, strict=True)
    )


@dataclass(frozen=True, eq=False)
class AllKeeps:
    """Every keep of every hand of a game, hand by hand.

    Attributes
    ----------
    hand : ndarray of int64, shape (rows,)
        The class that each keep is part of.
    keep : ndarray of int64, shape (rows, kinds)
    start : ndarray of int64, shape (classes + 1,)
        Rows ``start[h]`` to ``start[h + 1]`` are the keeps of class ``h``.
    """

    hand: Ints
    keep: Ints
    start: Ints


def all_keeps(game: str | Game = "mus") -> AllKeeps:
    """Every keep of every hand of a game, each throwing at least one card.

    Examples
    --------
    >>> len(all_keeps("mus").hand)
    3546
    """
    counts = hands(get_game(game)).counts
    each = [distinct_keeps(row) for row in counts]
    number = np.array([len(keeps) for keeps in each])
    return AllKeeps(
        np.repeat(np.arange(len(each)), number),
        np.concatenate(each),
        np.concatenate(([0], np.cumsum(number))),
    )


def all_draws(game: str | Game = "mus") -> tuple[AllKeeps, Ints]:
    """Every keep of every hand, and the ways to reach each class from it.

    Returns
    -------
    AllKeeps
    ndarray of int64, shape (rows, classes)
    """
    game = get_game(game)
    keeps, all_hands = all_keeps(game), hands(game)
    ways = np.empty((len(keeps.hand), len(all_hands)), dtype=np.int64)
    for start in range(0, len(ways), 512):
        rows = slice(start, start + 512)
        ways[rows] = draw_ways(all_hands, all_hands.counts[keeps.hand[rows]], keeps.keep[rows])
    return keeps, ways
