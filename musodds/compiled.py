"""The kernel decorator."""

from __future__ import annotations

from typing import Any

import numba

_njit: Any = numba.njit

kernel: Any = _njit(cache=True, nogil=True, error_model="numpy")
"""Compile a function with numba."""
