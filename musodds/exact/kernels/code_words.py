"""Four codes of a hand in one word, so that four comparisons are one subtraction.

Each code has 15 bits of a 64-bit word, and the top bit of each 16 is free. It is set in
the word that is subtracted from, and is left where no more was taken than there was.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]

TOPS = np.uint64(0x8000_8000_8000_8000)

TO_BOTTOM = np.uint64(15)
"""From the top bit of 16 to the lowest."""

GATHER = np.uint64(1 << 45 | 1 << 30 | 1 << 15 | 1)
"""Times this, bits 0, 16, 32 and 48 become bits 45 to 48, and none of the others do."""

GATHERED = np.uint64(45)
FOUR_BITS = np.uint64(15)


def words(codes: Sequence[NDArray[Any]] | NDArray[Any]) -> Words:
    """Four arrays of codes below 2**15 as one array of words."""
    found = np.zeros(len(codes[0]), dtype=np.uint64)
    for lane, code in enumerate(codes):
        found |= code.astype(np.uint64) << np.uint64(16 * lane)
    return found


def not_above(theirs: Words, mine: np.uint64, out: Words) -> None:
    """Bit l of ``out`` is set where their code in lane l is not above mine.

    Examples
    --------
    >>> found = np.zeros(2, dtype=np.uint64)
    >>> theirs = words([np.array(lane) for lane in ([1, 9], [2, 9], [3, 0], [4, 0])])
    >>> not_above(theirs, words([np.array([code]) for code in (1, 1, 5, 5)])[0], found)
    >>> [f"{bits:04b}" for bits in found.tolist()]
    ['1101', '1100']
    """
    np.subtract(mine | TOPS, theirs, out=out)
    out &= TOPS
    out >>= TO_BOTTOM
    out *= GATHER
    out >>= GATHERED
    out &= FOUR_BITS
