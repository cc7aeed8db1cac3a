"""A table of all scores from the values at some: what is between them, and before them.

Not the equity is interpolated but how far its logit is from that of a base table, which
goes the same way: that difference changes slowly. In between it is a monotone cubic in the
logarithm of the stones that are missing; nodes that are not solved yet are continued from
those after them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from musodds.arrays import Floats

Score = tuple[int, int]

_SHIFT = 3.0
_LEAST = 1e-7


def logit(chances: Floats) -> Floats:
    inside = np.clip(chances, _LEAST, 1 - _LEAST)
    found: Floats = np.log(inside / (1 - inside))
    return found


def filled(
    lines: Sequence[int], known: Mapping[Score, float], base: Floats, exact: bool = True
) -> Floats:
    """Mano's chance at all scores.

    Parameters
    ----------
    lines : sequence of int
        The stones at which either side's nodes are, descending.
    known : mapping of score to float
        Mano's chance, mano's stones first; also off the lines.
    base : ndarray of float64, shape (target, target)
        A table that goes the same way.
    exact : bool, optional
        Whether scores that are known stand as they are, also off the lines.

    Returns
    -------
    ndarray of float64, shape (target, target)

    Examples
    --------
    A table that is like the base is the base.

    >>> base = np.linspace(0.2, 0.7, 9).reshape(3, 3)
    >>> found = filled((2, 0), {(2, 2): base[2, 2], (0, 2): base[0, 2]}, base)
    >>> np.allclose(found, base)
    True
    """
    from scipy.interpolate import PchipInterpolator

    target = len(base)
    lines = sorted(lines, reverse=True)
    start = logit(base)
    nodes = np.full((len(lines), len(lines)), np.nan)
    for i, a in enumerate(lines):
        for j, b in enumerate(lines):
            if (a, b) in known:
                nodes[i, j] = logit(np.array(known[a, b])) - start[a, b]
    _continue(nodes)
    places = _place(np.array(lines, dtype=np.float64), target)
    wanted = _place(np.arange(target, dtype=np.float64), target)
    rows = PchipInterpolator(places, nodes, axis=0)(wanted)
    difference = PchipInterpolator(places, rows, axis=1)(wanted)
    found: Floats = 1 / (1 + np.exp(-(start + difference)))
    if exact:
        for (a, b), value in known.items():
            found[a, b] = value
    return found


def _place(stones: Floats, target: int) -> Floats:
    found: Floats = np.log(target - stones + _SHIFT)
    return found


def _continue(nodes: Floats) -> None:
    """Fill what is not known from later scores, in place."""
    number = len(nodes)
    for total in range(2 * number - 1):
        for i in range(max(0, total - number + 1), min(number - 1, total) + 1):
            j = total - i
            if not np.isnan(nodes[i, j]):
                continue
            if i and j:
                # What changes along both sides adds up.
                nodes[i, j] = nodes[i - 1, j] + nodes[i, j - 1] - nodes[i - 1, j - 1]
            elif i:
                nodes[i, j] = nodes[i - 1, j]
            else:
                nodes[i, j] = nodes[i, j - 1] if j else 0.0
