"""Odds tables that come with the package, so that a known hand is only looked up.

The tables hold what :func:`musodds.odds.count` counts, and a test counts them again. A
table belongs to one rule set: its name carries a digest of the game's record, so the
table of a game that has changed since is not found, and the hand is counted.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from musodds.games import Game

FOLDER = Path(__file__).parent / "data" / "odds"


def path(game: Game) -> Path:
    """Where the table of a game is kept, if there is one."""
    rules: tuple[object, ...] = (
        game.deck.kinds,
        game.seats,
        game.side_size,
        game.juego_order,
        game.real,
    )
    if game.stones is not None:
        rules += ("each for itself",)  # its tables have columns more
    digest = hashlib.sha256(repr(rules).encode()).hexdigest()[:12]
    # Games that differ only in how cards are changed share one table.
    return next(FOLDER.glob(f"*-{digest}.npy"), FOLDER / f"{game.name}-{digest}.npy")


@lru_cache(maxsize=8)
def published_counts(game: Game) -> NDArray[np.int64] | None:
    """Counts of deals, shape (hands, seats, phases, columns); None if not published."""
    file = path(game)
    return np.load(file, mmap_mode="r") if file.exists() else None


def publish(game: Game) -> Path:
    """Count the whole table of a game and keep it with the package."""
    from musodds.hands import hands
    from musodds.odds import count

    counts = count(game, np.arange(len(hands(game))), tuple(range(1, game.seats + 1)))
    FOLDER.mkdir(parents=True, exist_ok=True)
    np.save(path(game), counts)
    return path(game)
