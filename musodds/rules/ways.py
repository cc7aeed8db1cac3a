"""In how many ways: cards chosen from those left, hands dealt from unseen cards."""

from __future__ import annotations

from functools import reduce
from math import comb, prod

import numpy as np

from musodds.arrays import Floats, Ints
from musodds.rules.cards import CARDS

# A deck has at most 40 cards.
_CHOOSE = np.array([[comb(n, k) for k in range(41)] for n in range(41)], dtype=np.float64)


def radix(copies: Ints) -> Ints:
    """Weights that turn a multiset of kinds into one integer (mixed radix)."""
    return np.concatenate(([1], np.cumprod(copies[:0:-1] + 1)))[::-1].astype(np.int64)


def choose(available: Ints, taken: Ints) -> Floats:
    """Π over the last axis of C(available, taken): ways to take those cards.

    Examples
    --------
    >>> choose(np.array([8, 4]), np.array([2, 1]))
    np.float64(112.0)
    """
    left = np.maximum(available, 0)
    # Kind by kind, which is sooner done than a product over a short axis.
    kinds = range(left.shape[-1])
    ways: Floats = reduce(np.multiply, (_CHOOSE[left[..., k], taken[..., k]] for k in kinds))
    return ways


def distinct(counts: Ints, copies: Ints) -> tuple[Ints, Ints]:
    """The distinct rows of ``counts``, in order of :func:`radix`, and which each row is."""
    _, first, which = np.unique(counts @ radix(copies), return_index=True, return_inverse=True)
    return counts[first], which


def deals(unseen: int, players: int) -> int:
    """Ways to deal four cards to each of some players from ``unseen`` cards.

    Examples
    --------
    >>> deals(40, 1), deals(32, 2)
    (91390, 736281000)
    """
    return prod(comb(unseen - CARDS * i, CARDS) for i in range(players))
