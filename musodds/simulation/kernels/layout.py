"""How a game and a policy lie in the arrays that kernels read: the widths of their bits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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


RANKS = 1 << SEAT_BITS
STONES = 1 << STONE_BITS
"""Sizes of histograms: ranks of seats, and stones of a side."""


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
