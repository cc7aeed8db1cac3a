"""Counts kept on this computer, so that what takes seconds is counted once.

The folder is the one the system has for such files; the environment variable
MUSODDS_CACHE names another. It may be deleted at any time. A file's name carries the
version of the package and a digest of the rules (:func:`musodds.store.numbers.digest`), so
counts of other rules or by another version are never read.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.store.files import write_atomic
from musodds.store.notices import say
from musodds.version import __version__

VARIABLE = "MUSODDS_CACHE"


def folder() -> Path:
    """Where the counts are kept."""
    from platformdirs import user_cache_path

    chosen = os.environ.get(VARIABLE)
    return Path(chosen) if chosen else user_cache_path("musodds", appauthor=False)


def cached(
    name: str, count: Callable[[], NDArray[Any]], *, least: float = 0, what: str | None = None
) -> NDArray[Any]:
    """Counts that were kept before under a name; else those of ``count``, kept from now on.

    A folder that cannot be written or a file that cannot be read only costs the time of
    counting: it is no error.

    Parameters
    ----------
    name : str
        Tells these counts from all others: what was counted, and the digest of the rules.
    count : callable
        Returns an ndarray of numbers.
    least : float, optional
        What is counted in fewer seconds is not kept.
    what : str, optional
        What is counted, for :mod:`musodds.store.notices`, if it takes a while.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     os.environ[VARIABLE] = directory
    ...     cached("squares", lambda: np.arange(4) ** 2).tolist()
    ...     cached("squares", lambda: np.empty(0)).tolist()
    ...     del os.environ[VARIABLE]
    [0, 1, 4, 9]
    [0, 1, 4, 9]
    """
    file = folder() / f"{name}-{__version__}.npy"
    try:
        kept: NDArray[Any] = np.load(file)
        return kept
    except (OSError, ValueError, EOFError):
        if what is not None:
            say(what)
        start = perf_counter()
        counts = count()
        if perf_counter() - start < least:
            return counts
    content = io.BytesIO()
    np.save(content, counts, allow_pickle=False)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(file, content.getvalue())
    except OSError:
        pass
    return counts
