"""What the kernels read: a game and a policy packed into flat arrays of integers."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from musodds.errors import GameError
from musodds.policies import Policy
from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.hands import Hands, hands
from musodds.rules.shown import shown_hands

LANE_BITS = 16
SEAT_BITS = 3
"""A lane of a class's levels is ``level << SEAT_BITS``, to which a seat adds its rank."""

LANES = ("grande", "chica", "pares", "last")
"""*last* is juego, or punto where nobody has juego: any juego beats any punto."""

STONE_BITS = 4
"""A class's stones are ``pares | juego << STONE_BITS``, one byte; a side's sum fits too."""

MOVE_BITS = 4
CUT = 1 << (MOVE_BITS - 1)
"""A move is ``keep code << MOVE_BITS | CUT if it cuts | cards thrown``."""


class Tables(NamedTuple):
    """A game as the kernels read it.

    A card is its kind's *code*, and a hand the sum of its cards' codes: the codes are
    chosen so that no two hands have the same sum.

    Attributes
    ----------
    deck : ndarray of uint64, shape (cards,)
        The codes of all cards.
    codes : ndarray of uint64, shape (kinds,)
    copies : ndarray of int64, shape (kinds,)
    class_of : ndarray of uint16, shape (highest sum + 1,)
        Class of a hand by the sum of its codes.
    counts : ndarray of int64, shape (classes, kinds)
    levels : ndarray of uint64, shape (rows,)
        Four lanes, see LANES and SEAT_BITS. The rows are the classes, and what a hand
        may be named as besides.
    reversed : ndarray of uint64, shape (rows,) or (0,)
        As ``levels``, the other way round, so that the worst hand has the highest; 0 where
        a hand takes no part. Without juego a hand is below all juegos: it is in punto only
        where nobody has juego. Empty in games of two sides, which have no use for it.
    stones : ndarray of uint64, shape (rows,)
        See STONE_BITS.
    namings : ndarray of uint16, shape (classes with jokers, most namings)
        The rows that each class with jokers may be named as; these classes come first.
    number : ndarray of int64, shape (classes with jokers,)
        How many they are.
    shown : ndarray of bool, shape (classes,) or (0,)
        Whether a player dealt the hand shows and replaces it; empty where none is.
    visto : bool
        Whether all may change cards before the first mus.
    """

    deck: NDArray[np.uint64]
    codes: NDArray[np.uint64]
    copies: NDArray[np.int64]
    class_of: NDArray[np.uint16]
    counts: NDArray[np.int64]
    levels: NDArray[np.uint64]
    reversed: NDArray[np.uint64]
    stones: NDArray[np.uint64]
    namings: NDArray[np.uint16]
    number: NDArray[np.int64]
    shown: NDArray[np.bool_]
    visto: bool


class Moves(NamedTuple):
    """A policy as the kernels read it.

    Attributes
    ----------
    moves : ndarray of uint64, shape (seats, classes)
        See MOVE_BITS.
    keep : ndarray of int8, shape (seats, classes, kinds)
    """

    moves: NDArray[np.uint64]
    keep: NDArray[np.int8]


@lru_cache(maxsize=32)
def pack_game(game: Game) -> Tables:
    """The tables of a game (kept after the first call).

    Raises
    ------
    GameError
        If the kernels cannot play it: another deal than four cards to 2 to 6 players,
        a deck that four more cards for one player would exhaust.
    """
    if game.cards_dealt != CARDS or not 2 <= game.seats <= 6 or game.seats % game.side_size:
        raise GameError(
            f"{game.name} cannot be simulated: only games of four cards each for 2 to 6 players can"
        )
    if game.deck.size < CARDS * (game.seats + 1):
        raise GameError(
            f"{game.name} cannot be simulated: {game.seats} players need at least "
            f"{CARDS * (game.seats + 1)} cards, the deck has {game.deck.size}"
        )
    table = hands(game)
    codes = additive_codes(game.deck.copies)
    sums = table.counts @ codes
    class_of = np.zeros(int(sums.max()) + 1, dtype=np.uint16)
    class_of[sums] = np.arange(len(table))
    lanes, own_stones = shown_levels(table)
    if max(int(lane.max()) for lane in lanes) >> (LANE_BITS - 1 - SEAT_BITS):
        raise GameError(f"{game.name} cannot be simulated: too many different hands")
    stones = own_stones[0] | own_stones[1] << STONE_BITS
    namings, number = _namings(table)
    return Tables(
        deck=np.repeat(codes, game.deck.copies).astype(np.uint64),
        codes=codes.astype(np.uint64),
        copies=game.deck.copies,
        class_of=class_of,
        counts=table.counts,
        levels=_packed(lanes),
        reversed=_packed(_reversed(lanes, table) if game.sides > 2 else lanes[:, :0]),
        stones=stones.astype(np.uint64),
        namings=namings,
        number=number,
        shown=_shown(table),
        visto=game.visto,
    )


def _packed(lanes: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Four levels as one number, with room for a seat in each lane."""
    levels = np.zeros(lanes.shape[1], dtype=np.uint64)
    for i, lane in enumerate(lanes):
        levels |= (lane << SEAT_BITS).astype(np.uint64) << np.uint64(LANE_BITS * i)
    return levels


def _reversed(lanes: NDArray[np.int64], table: Hands) -> NDArray[np.int64]:
    """See :class:`Tables`."""
    punto = table.named.top_level["punto"]
    found = np.where(lanes > 0, lanes.max(axis=1, keepdims=True) + 1 - lanes, 0)
    # Of the last lane each half is turned round by itself.
    last = lanes[3]
    found[3] = np.where(last > punto, last.max() + punto + 1 - last, punto + 1 - last)
    return found


def _shown(table: Hands) -> NDArray[np.bool_]:
    classes = list(shown_hands(table.game))
    shown = np.zeros(len(table) if classes else 0, dtype=np.bool_)
    shown[classes] = True
    return shown


def shown_levels(table: Hands) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Levels and own stones of all hands that may be shown, see :class:`Tables`.

    Returns
    -------
    lanes : ndarray of int64, shape (4, rows)
        Levels in grande, chica, pares, and juego or else punto.
    stones : ndarray of int64, shape (2, rows)
        Own stones in pares and in juego.
    """
    extra = _only_named(table)

    def shown(name: str, of: str) -> NDArray[np.int64]:
        return np.concatenate((getattr(table, of)[name], getattr(table.named, of)[name][extra]))

    juego, punto = shown("juego", "level"), shown("punto", "level")
    last = np.where(juego > 0, juego + punto.max(), punto)
    lanes = [*(shown(phase, "level") for phase in LANES[:3]), last]
    return np.stack(lanes), np.stack([shown(phase, "stones") for phase in ("pares", "juego")])


def _only_named(table: Hands) -> list[int]:
    """What hands may be named as that nobody can be dealt."""
    dealt = set(table.cards)
    return [i for i, cards in enumerate(table.named.cards) if cards not in dealt]


def _namings(table: Hands) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """The namings of the classes with jokers, and how many there are."""
    if not table.has_jokers:
        return np.zeros((0, 1), dtype=np.uint16), np.zeros(0, dtype=np.int64)
    rows = {cards: i for i, cards in enumerate(table.cards)}
    for i, named in enumerate(_only_named(table)):
        rows[table.named.cards[named]] = len(table) + i
    options = [
        [rows[table.named.cards[named]] for named in table.namings(index)]
        for index in range(len(table))
    ]
    number = np.array([len(some) for some in options])
    jokers = int((number > 1).sum())
    assert (number[:jokers] > 1).all(), "jokers are the first kind of the deck"
    filled = [some + some[-1:] * (number.max() - len(some)) for some in options[:jokers]]
    return np.array(filled, dtype=np.uint16), number[:jokers]


def pack_policy(policy: Policy, codes: NDArray[np.uint64]) -> Moves:
    """The moves of a policy, with the codes of its game's kinds."""
    kept = policy.keep.astype(np.int64)
    moves = (kept @ codes.astype(np.int64)) << MOVE_BITS
    moves |= CARDS - kept.sum(axis=2)
    moves |= np.where(policy.cut, CUT, 0)
    return Moves(moves.astype(np.uint64), policy.keep)


def additive_codes(copies: NDArray[np.int64], cards: int = CARDS) -> NDArray[np.int64]:
    """One code per kind such that any so many cards have a sum of their own, shape (kinds,).

    Greedily: the next kind gets the smallest code that keeps all sums apart. The
    highest sum is 3,424 with eight kinds, so the table of classes stays in the
    first-level cache.

    Examples
    --------
    >>> additive_codes(np.array([8, 4, 4, 4, 4, 4, 4, 8])).tolist()
    [0, 1, 5, 21, 55, 153, 368, 856]
    """
    codes = [0]
    for kind in range(1, len(copies)):
        groups = np.array(
            [
                np.bincount(some, minlength=kind + 1)
                for some in combinations_with_replacement(range(kind + 1), cards)
            ]
        )
        groups = groups[(groups <= copies[: kind + 1]).all(axis=1)]
        known, number = groups[:, :kind] @ np.array(codes), groups[:, kind]
        code = codes[-1] + 1
        while len(np.unique(known + number * code)) < len(groups):
            code += 1
        codes.append(code)
    return np.array(codes, dtype=np.int64)
