"""Compiled kernels whose cached machine code is never older than their sources."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

_OPTIONS: dict[str, Any] = {"error_model": "numpy"}


def kernel(
    function: Callable[..., Any] | None = None,
    *,
    allocates: bool = False,
    parallel: bool = False,
    fastmath: frozenset[str] | set[str] = frozenset(),
) -> Any:
    """Compile a function with numba: without the GIL, cached on disk where possible.

    numba trusts a cached kernel as long as the *file the function stands in* has the
    same size and time. Kernels and constants of other files are compiled into it, and
    installed packages may all carry one time, so the stamp used here is a hash of every
    kernel of this package and of the file the function stands in. Where no directory can
    be written, or numba keeps its stamp elsewhere, the kernel is compiled anew by each
    process.

    Parameters
    ----------
    function : callable, optional
        Without it, a decorator with these options is returned.
    allocates : bool
        Whether the kernel makes arrays. Most allocate nothing, and for them numba's
        reference counts, which cost more than a card dealt, are switched off; one that
        allocates all the same would not compile.
    parallel : bool
        Whether ``prange`` runs on several threads.
    fastmath : set of str
        What the compiler may assume of sums, such as ``reassoc``.
    """
    if function is None:
        return lambda later: kernel(
            later, allocates=allocates, parallel=parallel, fastmath=fastmath
        )
    import numba

    njit: Any = numba.njit
    options = {**_OPTIONS, "nogil": True, "_nrt": allocates, "parallel": parallel}
    if fastmath:
        options["fastmath"] = set(fastmath)
    plain = njit(**options)(function)
    try:
        cached = njit(cache=True, **options)(function)
        file = cached._cache._cache_file
        if not hasattr(file, "_source_stamp"):
            return plain
        file._source_stamp = _fingerprint(function.__code__.co_filename)
    except (RuntimeError, AttributeError):
        return plain
    return cached


def inlined(function: Callable[..., Any]) -> Any:
    """A helper that is compiled into the kernels that call it."""
    import numba

    njit: Any = numba.njit
    return njit(inline="always", _nrt=False, **_OPTIONS)(function)


@cache
def _fingerprint(path: str) -> str:
    """A hash of the file at ``path``, of this one and of every kernel of the package."""
    digest = hashlib.sha256()
    kernels = Path(__file__).parent.rglob("kernels/*.py")
    for source in sorted({Path(path), Path(__file__), *kernels}):
        digest.update(source.read_bytes())
    return digest.hexdigest()
