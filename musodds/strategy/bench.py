"""The room in which keeps are tried, and what they are tried for."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.simulation.kernels.dealing import Desk
from musodds.simulation.kernels.layout import Moves
from musodds.simulation.packing import pack_game
from musodds.strategy.keep_tables import pack_keeps


class Bench(NamedTuple):
    """Room that the kernels work in; see :func:`bench`.

    Attributes
    ----------
    desk : Desk
    start : ndarray of uint64, shape (cards,)
        The deck, my cards first.
    kind_of : ndarray of int64, shape (highest code + 1,)
        The kind of a card by its code.
    left : ndarray of int64, shape (kinds,)
        What stays in the stock.
    weight : ndarray of float64, shape (drawn,)
        The chance of every draw.
    net : ndarray of float64, shape (classes,)
    taken : ndarray of float64, shape (classes, 5)
        What every class is worth, and the phases my side takes with it.
    value : ndarray of float64, shape (tried + 1,)
    hand, deck, state : ndarray of uint64
        The desk as it was before the keeps are tried.
    first : Moves
        The policy, but for the keep tried.
    worth : ndarray of float64, shape (2, 2, 2 m + 1, 2 m + 1)
        See :func:`stones_worth`.
    """

    desk: Desk
    start: NDArray[np.uint64]
    kind_of: NDArray[np.int64]
    left: NDArray[np.int64]
    weight: NDArray[np.float64]
    net: NDArray[np.float64]
    taken: NDArray[np.float64]
    value: NDArray[np.float64]
    hand: NDArray[np.uint64]
    deck: NDArray[np.uint64]
    state: NDArray[np.uint64]
    first: Moves
    worth: NDArray[np.float64]


def stones_worth(game: Game) -> NDArray[np.float64]:
    """What a deal is worth if stones are: my side's net.

    Returns
    -------
    ndarray of float64, shape (2, 2, 2 m + 1, 2 m + 1)
        By whether my side takes grande and chica (1: it does), and the stones that it
        scores in pares, and in juego or punto, from -m (the other side does) to m.
    """
    own = hands(game).stones
    most = game.side_size * max(int(own[phase].max()) for phase in ("pares", "juego"))
    takes, scores = np.array([-1.0, 1.0]), np.arange(-most, most + 1.0)
    grande, chica, pares, last = np.meshgrid(takes, takes, scores, scores, indexing="ij")
    found: NDArray[np.float64] = grande + chica + pares + last
    return found


def bench(game: Game, index: int, tried: int, policy: Moves, worth: NDArray[np.float64]) -> Bench:
    """Room for trying so many keeps of a hand, whose cards come first in the deck."""
    tables, keeps = pack_game(game), pack_keeps(game)
    own = tables.counts[index]
    deck = np.repeat(np.tile(tables.codes, 2), np.concatenate((own, tables.copies - own)))
    hand = np.zeros(game.seats, dtype=np.uint64)
    kind_of = np.zeros(int(tables.codes.max()) + 1, dtype=np.int64)
    kind_of[tables.codes.astype(np.int64)] = np.arange(len(tables.codes))
    return Bench(
        Desk.of(deck, game.seats, len(tables.codes)),
        deck.copy(),
        kind_of,
        np.zeros(len(tables.codes), dtype=np.int64),
        np.zeros(len(keeps.parent)),
        np.zeros(keeps.lanes.shape[1]),
        np.zeros((keeps.lanes.shape[1], 5)),
        np.zeros(tried + 1),
        hand.copy(),
        deck.copy(),
        np.zeros(4, dtype=np.uint64),
        Moves(policy.moves.copy(), policy.keep.copy()),
        worth,
    )


def empty_sums(tried: int) -> tuple[NDArray[np.float64], ...]:
    """What the kernels add to; see
    :func:`musodds.strategy.kernels.alternatives.average_block`.
    """
    shapes = ((4,), (tried + 1,), (tried + 1, tried + 1), (3, tried), (2, tried, 5))
    return tuple(np.zeros(shape) for shape in shapes)
