"""Numbers that come with the package, so that what takes long is only looked up.

Each kind has a folder: the odds tables hold what :func:`musodds.exact.phases.count.count` counts,
and a test counts them again. A file belongs to one rule set: its name carries a digest of the
game's record, so that of a game that has changed since is not found, and the numbers are counted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from musodds.arrays import joined
from musodds.rules.game import PHASES, Game
from musodds.rules.hands import hands
from musodds.store.cache import looks

# Not importlib.resources, whose import takes longer than most questions.
DATA = Path(__file__).parents[1] / "data"
"""The folder of what comes with the package."""


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


def path(kind: str, game: Game, ending: str = ".npy") -> Path:
    """Where the numbers of a kind, such as ``odds``, are kept for a game, if they are.

    Parameters
    ----------
    kind : str
        The folder below :data:`DATA`.
    game : Game
    ending : str, optional
        Of the file's name.
    """
    folder, name = DATA / kind, f"-{digest(game)}{ending}"
    # Games that differ only in how cards are changed share one file.
    return next(folder.glob(f"*{name}"), folder / f"{game.name}{name}")


@lru_cache(maxsize=8)
def published_counts(game: Game) -> NDArray[np.int64] | None:
    """Counts of deals, shape (hands, seats, phases, columns); None if not published.

    Of object (Python integers) where they pass 64 bits: such a file keeps two halves of
    each in one more dimension.
    """
    shape = len(hands(game)), game.seats, len(PHASES), None
    file = path("odds", game)
    counts = shipped(file, shape)
    if counts is not None:
        return counts
    pairs = shipped(file, (*shape, 2))
    return None if pairs is None else joined(pairs)


def shipped(
    file: Path, shape: Sequence[int | None], dtype: DTypeLike = np.int64
) -> NDArray[Any] | None:
    """An array that comes with the package, unless there is none that looks so.

    Parameters
    ----------
    file : Path
    shape : sequence of int or None
        What it must look like; None where any length will do.
    dtype : dtype, optional
    """
    try:
        found = np.load(file, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    return found if looks(found, shape, dtype) else None


def shipped_several(
    file: Path, shapes: Mapping[str, tuple[Sequence[int | None], DTypeLike]]
) -> dict[str, NDArray[Any]] | None:
    """Arrays that come together with the package, unless one of them does not look so."""
    import zlib
    from zipfile import BadZipFile

    try:
        with np.load(file, allow_pickle=False) as stored:
            found = {name: stored[name] for name in shapes}
    except (OSError, ValueError, EOFError, KeyError, BadZipFile, zlib.error):
        return None
    good = all(looks(found[name], shape, dtype) for name, (shape, dtype) in shapes.items())
    return found if good else None
