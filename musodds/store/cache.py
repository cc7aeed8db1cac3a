"""Counts kept on this computer, so that what takes seconds is counted once.

The folder is the one the system has for such files; the environment variable
MUSODDS_CACHE names another. It may be deleted at any time. A file's name carries the
version of the package and a digest of the rules (:func:`musodds.store.numbers.digest`), so
counts of other rules or by another version are never read. A file ends in a line with a
SHA-256 of its name and content: one that was torn, renamed or changed by a single bit is as
if it were not there, and is replaced.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from musodds.store.files import read_limited, write_atomic
from musodds.store.notices import say
from musodds.version import __version__

VARIABLE = "MUSODDS_CACHE"

_MARK = b"\nmusodds "
_ENDING = len(_MARK) + 64

WORTH_KEEPING = 0.3
"""Seconds: what a question counts in less is not kept, or the folder would fill with questions."""

_LARGEST = 2**31
"""Bytes: the largest table there is (six players) has a hundredth of it."""


def folder() -> Path:
    """Where the counts are kept."""
    from platformdirs import user_cache_path

    chosen = os.environ.get(VARIABLE)
    return Path(chosen) if chosen else user_cache_path("musodds", appauthor=False)


def cached(
    name: str,
    count: Callable[[], NDArray[Any]],
    *,
    shape: Sequence[int | None],
    dtype: DTypeLike = np.int64,
    valid: Callable[[NDArray[Any]], bool] | None = None,
    least: float = 0,
    what: str | None = None,
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
    shape : sequence of int or None
        What the counts must look like; None where any length will do.
    dtype : dtype, optional
    valid : callable, optional
        Whether an array of that shape may be such counts: asked where its values are used as
        positions, or come from where they could be anything.
    least : float, optional
        What is counted in fewer seconds is not kept.
    what : str, optional
        What is counted, for :mod:`musodds.store.notices`, if it takes a while.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     os.environ[VARIABLE] = directory
    ...     cached("squares", lambda: np.arange(4) ** 2, shape=(4,)).tolist()
    ...     cached("squares", lambda: np.zeros(4, dtype=int), shape=(4,)).tolist()
    ...     del os.environ[VARIABLE]
    [0, 1, 4, 9]
    [0, 1, 4, 9]
    """
    file = folder() / f"{name}-{__version__}.npy"
    kept = _kept(file)
    if kept is not None and looks(kept, shape, dtype) and (valid is None or valid(kept)):
        return kept
    if what is not None:
        say(what)
    start = perf_counter()
    counts = count()
    if perf_counter() - start < least:
        return counts
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(file, sealed(file.name, counts))
    except OSError:
        pass
    return counts


def is_kept(name: str) -> bool:
    """Whether there is a file of that name; that it is whole is seen when it is read."""
    return (folder() / f"{name}-{__version__}.npy").is_file()


def looks(array: object, shape: Sequence[int | None], dtype: DTypeLike) -> bool:
    """Whether something is an array of that shape (None: any length) and type.

    Examples
    --------
    >>> looks(np.zeros((2, 3)), (2, None), np.float64), looks(np.zeros(2), (2,), np.int64)
    (True, False)
    """
    return (
        isinstance(array, np.ndarray)
        and array.dtype == dtype
        and array.ndim == len(shape)
        and all(wanted in (None, found) for wanted, found in zip(shape, array.shape, strict=True))
    )


def sealed(name: str, counts: NDArray[Any]) -> bytes:
    """The content of the file of that name: NumPy's format, and a line that vouches for it."""
    stream = io.BytesIO()
    np.save(stream, counts, allow_pickle=False)
    body = stream.getvalue()
    return body + _MARK + _vouch(name, body)


def _kept(file: Path) -> NDArray[Any] | None:
    try:
        content = read_limited(file, _LARGEST)
    except (OSError, ValueError):
        return None
    body, ending = content[:-_ENDING], content[-_ENDING:]
    if ending != _MARK + _vouch(file.name, body):
        return None
    try:
        kept: NDArray[Any] = np.load(io.BytesIO(body), allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    return kept


def _vouch(name: str, body: bytes) -> bytes:
    return hashlib.sha256(f"{name}\n".encode() + body).hexdigest().encode()
