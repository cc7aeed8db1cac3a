"""A phase as the kernels play it, and streams of deals for its blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats
from musodds.errors import GameError
from musodds.exact.outcomes.outcomes import rivals_stones
from musodds.rules.hands import hands
from musodds.solver.each_payoff import Cards
from musodds.solver.each_tree import EachTree

LEARN, MEASURE, SIDES = 0, 1 << 40, 1 << 41
"""Where the numbers of blocks begin for each use: no stream is used twice."""


@dataclass(frozen=True, eq=False)
class Play:
    """What the kernels need to play a phase.

    Attributes
    ----------
    tree : EachTree
    cards : Cards
    worth : ndarray of float64, shape (outcomes, endings)
    total : float
        What both sides have together: 1 where it is the chance of winning, or 0.
    seed : int
    """

    tree: EachTree
    cards: Cards
    worth: Floats
    total: float
    seed: int

    @property
    def shape(self) -> tuple[int, int, int]:
        """Of strategies: seats, classes, slots."""
        game = self.tree.game
        return game.seats, len(hands(game)), self.tree.slots

    @property
    def kinds(self) -> int:
        """How many sums of own stones a side may have."""
        return len(rivals_stones(self.tree.game)[0])

    def stream(self, block: int) -> tuple[np.uint64, np.uint64]:
        """Seed and block as the kernels take them."""
        return np.uint64(self.seed), np.uint64(block)

    def desk(self, dtype: type = np.float64) -> tuple[NDArray[Any], ...]:
        """What a kernel writes to while it plays: its stream, deck, hands, points."""
        points, seats = len(self.tree.points), self.tree.game.seats
        return (
            np.zeros(4, dtype=np.uint64),
            self.cards.deck.copy(),
            np.zeros(seats, dtype=np.int64),
            np.zeros((points, seats), dtype=dtype),
            np.zeros(points, dtype=np.int64),
            np.zeros(points, dtype=dtype),
        )


def check_contested(play: Play) -> None:
    """Raise GameError if the phase is hardly ever bet on: nothing can be learned then."""
    from musodds.solver.kernels.each_deals import deal_contested

    state, deck, hand = play.desk()[:3]
    state[:] = 1, 2, 3, 4
    root = play.tree.arrays.root
    if deal_contested(state, deck, np.uint64(0), 0, play.cards, root, hand)[0] < 0:
        tree = play.tree
        raise GameError(
            f"{tree.phase} is not bet on in one of a million deals of {tree.game.name}: there "
            "is nothing to solve"
        )
