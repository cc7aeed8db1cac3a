"""A table of all scores from the values at some: what is between them, and before them.

Not the equity is interpolated but how far its logit is from that of a base table, which
goes the same way: that difference changes slowly. In between it is a monotone cubic in the
logarithm of the stones that are missing (F. N. Fritsch and J. Butland, *A method for
constructing local monotone piecewise cubic interpolants*, 1984); nodes that are not solved
yet are continued from those after them.
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
    # Before the first line the table goes on as it is there.
    wanted = np.minimum(wanted, places[-1])
    rows = monotone(places, nodes, wanted)
    difference = monotone(places, rows.T, wanted).T
    found: Floats = 1 / (1 + np.exp(-(start + difference)))
    if exact:
        for (a, b), value in known.items():
            found[a, b] = value
    return found


def monotone(places: Floats, values: Floats, wanted: Floats) -> Floats:
    """Monotone cubics through values, column by column.

    Parameters
    ----------
    places : ndarray of float64, shape (nodes,), ascending
    values : ndarray of float64, shape (nodes, columns)
    wanted : ndarray of float64, shape (points,)
        Within the places.

    Returns
    -------
    ndarray of float64, shape (points, columns)

    Examples
    --------
    >>> monotone(np.array([0.0, 1.0, 3.0]), np.array([[0.0], [1.0], [3.0]]), np.array([2.0]))
    array([[2.]])
    """
    if len(places) == 1:
        return np.repeat(values, len(wanted), axis=0)
    slopes = _slopes(np.diff(places)[:, None], np.diff(values, axis=0) / np.diff(places)[:, None])
    which = np.clip(np.searchsorted(places, wanted, side="right") - 1, 0, len(places) - 2)
    step = (places[which + 1] - places[which])[:, None]
    t = (wanted - places[which])[:, None] / step
    found: Floats = (
        values[which] * (1 + 2 * t) * (1 - t) ** 2 + values[which + 1] * t**2 * (3 - 2 * t)
        + step * (slopes[which] * t * (1 - t) ** 2 - slopes[which + 1] * t**2 * (1 - t))
    )  # fmt: skip
    return found


def _slopes(step: Floats, rise: Floats) -> Floats:
    """Slopes at the nodes that let no cubic overshoot."""
    if len(rise) == 1:
        return np.repeat(rise, 2, axis=0)
    before, after = 2 * step[1:] + step[:-1], step[1:] + 2 * step[:-1]
    alike = rise[:-1] * rise[1:] > 0
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = (before + after) / (before / rise[:-1] + after / rise[1:])
    inner = np.where(alike, mean, 0.0)
    first = _edge(step[0], step[1], rise[0], rise[1])
    last = _edge(step[-1], step[-2], rise[-1], rise[-2])
    return np.concatenate((first[None], inner, last[None]))


def _edge(step: Floats, beyond: Floats, rise: Floats, later: Floats) -> Floats:
    slope = ((2 * step + beyond) * rise - step * later) / (step + beyond)
    slope = np.where(slope * rise > 0, slope, 0.0)
    steep = (rise * later <= 0) & (np.abs(slope) > 3 * np.abs(rise))
    found: Floats = np.where(steep, 3 * rise, slope)
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
