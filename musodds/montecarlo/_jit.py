"""Compiled kernels whose cached machine code is never older than their sources."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba

_njit: Any = numba.njit

# Kernels allocate nothing, so numba's reference counts, which cost more than a card
# dealt, are switched off; a kernel that did allocate would not compile.
_OPTIONS = {"error_model": "numpy", "_nrt": False}


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function with numba: without the GIL, cached on disk where possible.

    numba trusts a cached kernel as long as the *file the function stands in* has the
    same size and time. Kernels of other files are compiled into it, and installed
    packages may all carry one time, so the stamp used here is a hash of every source
    of this package and of the file the function stands in. Where no directory can be
    written, or numba keeps its stamp elsewhere, the kernel is compiled anew by each
    process.
    """
    plain = _njit(nogil=True, **_OPTIONS)(function)
    try:
        cached = _njit(nogil=True, cache=True, **_OPTIONS)(function)
        file = cached._cache._cache_file
        if not hasattr(file, "_source_stamp"):
            return plain
        file._source_stamp = _fingerprint(function.__code__.co_filename)
    except (RuntimeError, AttributeError):
        return plain
    return cached


@cache
def _fingerprint(path: str) -> str:
    digest = hashlib.sha256()
    for source in sorted({Path(path), *Path(__file__).parent.glob("*.py")}):
        digest.update(source.read_bytes())
    return digest.hexdigest()


inlined = _njit(inline="always", **_OPTIONS)
"""A helper that is compiled into the kernels that call it."""
