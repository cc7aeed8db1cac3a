"""What the kernels read: a game and a policy packed into flat arrays of integers."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from musodds.errors import GameError
from musodds.games import Game
from musodds.hands import CARDS, hands
from musodds.policies import Policy

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
    levels : ndarray of uint64, shape (classes,)
        Four lanes, see LANES and SEAT_BITS.
    stones : ndarray of uint64, shape (classes,)
        See STONE_BITS.
    """

    deck: NDArray[np.uint64]
    codes: NDArray[np.uint64]
    copies: NDArray[np.int64]
    class_of: NDArray[np.uint16]
    counts: NDArray[np.int64]
    levels: NDArray[np.uint64]
    stones: NDArray[np.uint64]


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
    level = table.level
    last = np.where(level["juego"] > 0, level["juego"] + level["punto"].max(), level["punto"])
    lanes = (level["grande"], level["chica"], level["pares"], last)
    if max(int(lane.max()) for lane in lanes) >> (LANE_BITS - 1 - SEAT_BITS):
        raise GameError(f"{game.name} cannot be simulated: too many different hands")
    levels = np.zeros(len(table), dtype=np.uint64)
    for i, lane in enumerate(lanes):
        levels |= (lane << SEAT_BITS).astype(np.uint64) << np.uint64(LANE_BITS * i)
    stones = table.stones["pares"] | table.stones["juego"] << STONE_BITS
    return Tables(
        deck=np.repeat(codes, game.deck.copies).astype(np.uint64),
        codes=codes.astype(np.uint64),
        copies=game.deck.copies,
        class_of=class_of,
        counts=table.counts,
        levels=levels,
        stones=stones.astype(np.uint64),
    )


def pack_policy(policy: Policy, codes: NDArray[np.uint64]) -> Moves:
    """The moves of a policy, with the codes of its game's kinds."""
    kept = policy.keep.astype(np.int64)
    moves = (kept @ codes.astype(np.int64)) << MOVE_BITS
    moves |= CARDS - kept.sum(axis=2)
    moves |= np.where(policy.cut, CUT, 0)
    return Moves(moves.astype(np.uint64), policy.keep)


def additive_codes(copies: NDArray[np.int64]) -> NDArray[np.int64]:
    """One code per kind such that every hand has a sum of its own, shape (kinds,).

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
                np.bincount(cards, minlength=kind + 1)
                for cards in combinations_with_replacement(range(kind + 1), CARDS)
            ]
        )
        groups = groups[(groups <= copies[: kind + 1]).all(axis=1)]
        known, number = groups[:, :kind] @ np.array(codes), groups[:, kind]
        code = codes[-1] + 1
        while len(np.unique(known + number * code)) < len(groups):
            code += 1
        codes.append(code)
    return np.array(codes, dtype=np.int64)
