"""Odds tables that come with the package, so that a known hand is only looked up.

The tables hold what :func:`musodds.exact.phases.count.count` counts, and a test counts
them again. A table belongs to one rule set: its name carries a digest of the game's record, so the
table of a game that has changed since is not found, and the hand is counted.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import joined
from musodds.rules.game import Game

_DIMENSIONS = 4

# Not importlib.resources, whose import takes longer than most questions.
DATA = Path(__file__).parents[1] / "data"
"""The folder of what comes with the package."""

FOLDER = DATA / "odds"


def digest(game: Game) -> str:
    """A few letters that tell rule sets apart: only what the odds depend on."""
    rules: tuple[object, ...] = (
        game.deck.kinds,
        game.seats,
        game.side_size,
        game.juego_order,
        game.real,
    )
    if game.stones is not None:
        rules += ("each for itself",)  # its tables have columns more
    if game.exchange:
        rules += ("shown", game.exchange)
    return hashlib.sha256(repr(rules).encode()).hexdigest()[:12]


def path(game: Game) -> Path:
    """Where the table of a game is kept, if there is one."""
    name = digest(game)
    # Games that differ only in how cards are changed share one table.
    return next(FOLDER.glob(f"*-{name}.npy"), FOLDER / f"{game.name}-{name}.npy")


@lru_cache(maxsize=8)
def published_counts(game: Game) -> NDArray[np.int64] | None:
    """Counts of deals, shape (hands, seats, phases, columns); None if not published.

    Of object (Python integers) where they pass 64 bits: such a file keeps two halves of
    each in one more dimension.
    """
    file = path(game)
    if not file.exists():
        return None
    counts: NDArray[np.int64] = np.load(file, mmap_mode="r")
    return counts if counts.ndim == _DIMENSIONS else joined(counts)
