"""The keeps of a game, what may be drawn to them, and what hands are worth, for kernels."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Ints
from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.rules.ways import radix
from musodds.simulation.packing import pack_game, shown_levels


class Keeps(NamedTuple):
    """The keeps of a game, what may be drawn to them, and what hands are worth.

    Attributes
    ----------
    parent, kind, number : ndarray of int64, shape (drawn,)
        What may be drawn, up to four cards, by size: row ``parent`` and one more card
        of a kind, which makes it so many of that kind. Row 0 is nothing.
    size_start : ndarray of int64, shape (6,)
        Where the draws of each size begin.
    pair_start : ndarray of int64, shape (keeps + 1,)
        Where the pairs of each keep begin: a draw that completes it, and the class.
    pair_drawn, pair_class : ndarray of int32, shape (pairs,)
    lanes : ndarray of int32, shape (4, classes)
        Levels in grande, chica, pares, and juego or else punto.
    stones : ndarray of int64, shape (2, classes)
        Own stones in pares and in juego.
    juego : int
        The lowest level of a juego in the last lane.
    kept_codes : ndarray of uint64, shape (keeps,)
        The sum of the codes of each keep's cards.
    kept : ndarray of int8, shape (keeps, kinds)
    """

    parent: NDArray[np.int64]
    kind: NDArray[np.int64]
    number: NDArray[np.int64]
    size_start: NDArray[np.int64]
    pair_start: NDArray[np.int64]
    pair_drawn: NDArray[np.int32]
    pair_class: NDArray[np.int32]
    lanes: NDArray[np.int32]
    stones: NDArray[np.int64]
    juego: int
    kept_codes: NDArray[np.uint64]
    kept: NDArray[np.int8]

    def becomes(self, row: int) -> NDArray[np.int64]:
        """The classes that a keep may become."""
        pairs = slice(self.pair_start[row], self.pair_start[row + 1])
        return self.pair_class[pairs].astype(np.int64)


@lru_cache(maxsize=8)
def pack_keeps(game: Game) -> Keeps:
    """The keeps of a game as the kernels read them (kept after the first call)."""
    table, copies = hands(game), game.deck.copies
    kinds = len(copies)
    drawn: list[tuple[int, ...]] = [()]
    parent, kind, number, starts = [0], [0], [0], [0, 1]
    for size in range(1, CARDS + 1):
        for row in range(starts[size - 1], starts[size]):
            for k in range(drawn[row][-1] if size > 1 else 0, kinds):
                have = drawn[row].count(k) + 1
                if have <= copies[k]:
                    drawn.append((*drawn[row], k))
                    parent.append(row)
                    kind.append(k)
                    number.append(have)
        starts.append(len(drawn))
    counts = np.array([np.bincount(cards, minlength=kinds) for cards in drawn])
    kept = counts
    class_at = {cards: i for i, cards in enumerate(table.cards)}
    pair_start, pair_drawn, pair_class = [0], [], []
    for row in range(len(kept)):
        size = CARDS - len(drawn[row])
        for d in range(starts[size], starts[size + 1]):
            index = class_at.get(tuple(sorted(drawn[row] + drawn[d])))
            if index is not None:
                pair_drawn.append(d)
                pair_class.append(index)
        pair_start.append(len(pair_drawn))
    codes = pack_game(game).codes
    lanes, stones = shown_levels(table)
    return Keeps(
        parent=np.array(parent),
        kind=np.array(kind),
        number=np.array(number),
        size_start=np.array(starts),
        pair_start=np.array(pair_start),
        pair_drawn=np.array(pair_drawn, dtype=np.int32),
        pair_class=np.array(pair_class, dtype=np.int32),
        lanes=lanes.astype(np.int32),
        stones=stones,
        juego=table.named.top_level["punto"] + 1,
        kept_codes=kept.astype(np.uint64) @ codes,
        kept=kept.astype(np.int8),
    )


def rows_of(keeps: Keeps, game: Game, wanted: Ints) -> Ints:
    """Which rows of ``keeps`` some keeps are, given as cards of each kind."""
    weights = radix(game.deck.copies)
    known = keeps.kept.astype(np.int64) @ weights
    order = np.argsort(known)
    found: Ints = order[np.searchsorted(known, wanted @ weights, sorter=order)]
    return found
