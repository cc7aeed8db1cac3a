"""Types of arrays, and integers of any size in them: exact sums in slices of few bits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Exact = NDArray[np.object_]
"""Python integers."""

LIMB = 30
"""Bits of a limb: what large weights are split into."""

_HALF = 62


def together(limbs: Ints) -> int:
    """One integer from limbs of 30 bits each."""
    return sum(int(limb) << LIMB * i for i, limb in enumerate(limbs))


def slices(values: NDArray[np.float64], bits: int) -> Iterator[tuple[int, Floats]]:
    """Split integers stored as float64 into slices of few bits: (shift, slice) each."""
    most = int(values.max(initial=0)).bit_length()
    if most <= bits:
        yield 0, values
        return
    whole = values.astype(np.int64)
    for shift in range(0, most, bits):
        yield shift, ((whole >> shift) & ((1 << bits) - 1)).astype(np.float64)


def halves(counts: NDArray[Any]) -> NDArray[np.int64]:
    """Python integers as pairs of 64-bit ones, along a new last dimension.

    Examples
    --------
    >>> joined(halves(np.array([5, 10**21], dtype=object))).tolist()
    [5, 1000000000000000000000]
    """
    return np.stack((counts >> _HALF, counts & ((1 << _HALF) - 1)), axis=-1).astype(np.int64)


def joined(pairs: NDArray[np.int64]) -> NDArray[Any]:
    """Pairs of halves as Python integers."""
    whole: NDArray[Any] = (pairs[..., 0].astype(object) << _HALF) + pairs[..., 1].astype(object)
    return whole


def compact(counts: NDArray[Any]) -> Ints:
    """Python integers as 64-bit ones, if they all fit."""
    found: Ints = counts.astype(np.int64) if counts.max() < 2**63 else counts
    return found
