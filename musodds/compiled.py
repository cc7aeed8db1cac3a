"""The decorator of compiled kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba


def kernel(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Compile a function with numba, cached on disk, without the GIL."""
    options.pop("allocates", None)
    decorate = numba.njit(cache=True, nogil=True, error_model="numpy", **options)
    return decorate if function is None else decorate(function)
