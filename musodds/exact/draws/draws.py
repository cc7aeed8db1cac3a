"""Exact distributions of a hand after a draw.

A player keeps part of the hand, throws the rest and draws as many cards. Who holds
the others is exchangeable: with nothing assumed of anybody, the cards drawn are any of
the unseen ones with equal chance, whoever threw what before. So the hand after the
draw has an exact distribution, a count of ways per class.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb, gcd, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Ints, compact
from musodds.exact.draws.keeps import Choices, choices, distinct_keeps
from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.hands import Hands, hands
from musodds.rules.ways import choose, deals
from musodds.values import Table

CHANCES = ("pares", "par", "medias", "duples", "juego", "31")
"""The plays whose chance after a draw is reported."""


@dataclass(frozen=True, eq=False, repr=False)
class Draw(Table):
    """The hand after a keep and a draw: a count of ways per class.

    Attributes
    ----------
    game : Game
    hand : str
        The hand before, high to low.
    keep : str
        What stayed; ``-`` when all four went.
    ways : ndarray of int64 (of object where they pass 64 bits), shape (classes,)
        Ways to draw each hand; their sum is ``total``. Where a hand must be shown, with
        the ways to deal the others no such hand; where suits that matter were left out,
        over all the hands that it may be.
    total : int
        All ways: of one hand, to draw that many of the unseen cards.

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

    def rows(self) -> list[dict[str, Any]]:
        """One dict per hand that can be drawn, high to low: `hand`, `chance`."""
        return [{"hand": text, "chance": float(p)} for text, p in self.fractions().items()]


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


def draw(hand: str, keep: str, *, game: str | Game = "mus") -> Draw:
    """The exact distribution of the hand after keeping some cards and drawing the rest.

    Parameters
    ----------
    hand, keep : str
        Cards, such as ``"RR7A"`` and ``"RR"``; the keep ``"-"`` throws all four.
    game : str or Game, optional

    Raises
    ------
    CardError
        If there is no such hand, the keep is not part of it, or it throws nothing though
        the game has no mus visto.

    Examples
    --------
    >>> result = draw("777A", "777")
    >>> result.chance("31"), result.chance("duples")
    (Fraction(4, 9), Fraction(1, 36))
    """
    offered = choices(get_game(game), hand)
    return _draw(offered, offered.find(keep))


def draws(hand: str, *, game: str | Game = "mus") -> tuple[Draw, ...]:
    """The distribution after every distinct keep of a hand.

    Examples
    --------
    >>> [(result.keep, result.total) for result in draws("RRRR")]
    [('RRR', 36), ('RR', 630), ('R', 7140), ('-', 58905)]
    """
    return draws_of(choices(get_game(game), hand))


def draws_of(offered: Choices) -> tuple[Draw, ...]:
    """The distribution after every keep of a hand, in order of its keeps."""
    return tuple(_draw(offered, i) for i in range(len(offered.keeps)))


def _draw(offered: Choices, i: int) -> Draw:
    """The distribution after one keep: an average over the hands that it may be of."""
    all_hands = hands(offered.game)
    common = lcm(*(int(reading.often[i].sum()) for reading in offered.readings))
    ways: NDArray[Any] = np.zeros(len(all_hands), dtype=object)
    for reading in offered.readings:
        which = np.flatnonzero(reading.often[i])
        hand, keeps = all_hands.counts[reading.index], reading.keeps[which]
        weights = reading.often[i, which].astype(object) * reading.ways
        weights *= common // int(reading.often[i].sum())
        reached = draw_ways(all_hands, np.broadcast_to(hand, keeps.shape), keeps)
        ways += (reached * unshown_deals(all_hands, hand, keeps) * weights[:, None]).sum(axis=0)
    if offered.game.exchange or not offered.certain:
        ways //= gcd(*ways)
    return Draw(offered.game, offered.hand, offered.keeps[i], compact(ways), int(ways.sum()))


def unshown_deals(all_hands: Hands, hand: Ints, keeps: Ints) -> NDArray[Any]:
    """Ways to deal the others no hand that is shown, after a keep and a draw.

    Parameters
    ----------
    all_hands : Hands
    hand : ndarray of int64, shape (kinds,)
    keeps : ndarray of int64, shape (keeps, kinds)

    Returns
    -------
    ndarray of object (int), shape (keeps, classes)
        By the keep and the hand after the draw; 1 where the game has no such hands.

    Notes
    -----
    Inclusion and exclusion: some j of the others hold such a hand each, in C(others, j)
    times Π a (a - 1) … (a - j + 1) ways over the a cards left of each rank in it, and
    the rest hold anything.

    Examples
    --------
    With RR7A given and the aces 22 drawn to RR, 36 - 2 cards are left for the rival, of
    them three 7s and four each of 6, 5 and 4.

    >>> from musodds.rules.games import get_game
    >>> table = hands(get_game("mus2p-4567"))
    >>> hand, keep = (np.array(counts) for counts in ([2, 0, 0, 1, 0, 0, 0, 1], [2] + 7 * [0]))
    >>> found = unshown_deals(table, hand, keep[None])
    >>> int(found[0, table.index("RRAA")]), comb(34, 4) - 3 * 4 * 4 * 4
    (46184, 46184)
    """
    game = all_hands.game
    if not game.exchange:
        return np.ones((1, 1), dtype=object)
    others, unseen = game.seats - 1, game.deck.size - CARDS
    symbols = np.array([kind.symbol for kind in game.deck.kinds])
    left = (game.deck.copies - hand) - (all_hands.counts[None] - keeps[:, None])
    rest = unseen - (CARDS - keeps.sum(axis=1))
    # Cards left of each rank in the hand that is shown, shape (ranks, keeps, classes).
    [text] = game.exchange
    of_rank = np.array([left[:, :, symbols == symbol].sum(axis=2) for symbol in text])
    found = np.zeros(left.shape[:2], dtype=object)
    chosen = np.ones(left.shape[:2], dtype=object)
    for j in range(others + 1):
        free = np.array([deals(int(n) - CARDS * j, others - j) for n in rest], dtype=object)
        found += (-1) ** j * comb(others, j) * chosen * free[:, None]
        chosen = chosen * np.maximum(of_rank - j, 0).prod(axis=0)
    return found


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
    """Every keep of every hand of a game, each throwing a card, save in mus visto.

    Examples
    --------
    >>> len(all_keeps("mus").hand)
    3546
    """
    game = get_game(game)
    counts = hands(game).counts
    each = [distinct_keeps(row, all_four=game.visto) for row in counts]
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
