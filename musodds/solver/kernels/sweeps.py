"""Sweeps over a public tree that carry a vector of types through every node.

A tree is given as arrays; see :class:`Tree` and :class:`musodds.solver.machine.Machine`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from musodds.compiled import kernel

FAST = {"reassoc", "contract", "nsz"}

TINY = np.float32(1e-20)
"""Regret sums below it are 0: 1 / (a subnormal number) overflows."""


class Tree(NamedTuple):
    """A public tree as one side's vectors lie in it, by node.

    ``kind`` is 0 for a leaf, 1 or 2 for a decision of the first or second side, 3 for a
    chance node; ``children`` of a node begin at ``child_start``. A node's vectors begin at
    ``at`` in one flat array; ``low`` is the first of the types it is about, ``size`` their
    number. A decision has a table (actions, size) at ``table``.
    """

    kind: NDArray[np.int8]
    child_start: NDArray[np.int64]
    children: NDArray[np.int64]
    low: NDArray[np.int64]
    size: NDArray[np.int64]
    at: NDArray[np.int64]
    table: NDArray[np.int64]


@kernel(fastmath=FAST, allocates=True)
def reach_sweep(nodes, side, tree, weights, reach, sums, keep):  # type: ignore[no-untyped-def]
    """Set the reach of one side's types at every child of some nodes, in order.

    Parameters
    ----------
    nodes : int32 (nodes,)
        Parents come before their children.
    side : int
        1 or 2: whose reach.
    weights : float32
        Regrets or sums that the strategy is proportional to, where positive.
    sums : float32
        The average's numerators, multiplied by ``keep`` and added to; of length 0: left.
    """
    kind, child_start, children, low, size, at, table = tree
    total = np.empty(size.max(), np.float32)
    for node in nodes:
        first, last = child_start[node], child_start[node + 1]
        here, n = at[node], size[node]
        if kind[node] == side:
            start = table[node]
            number = last - first
            scale_of(weights, start, number, n, total)
            for a in range(number):
                row = start + a * n
                to = at[children[first + a]]
                for i in range(n):
                    chance = max(weights[row + i], np.float32(0)) * total[i]
                    if total[i] < 0:
                        chance = np.float32(1) / np.float32(number)
                    reach[to + i] = reach[here + i] * chance
                if len(sums):
                    for i in range(n):
                        sums[row + i] = sums[row + i] * keep + reach[to + i]
        else:
            for c in range(first, last):
                child = children[c]
                source = here + low[child] - low[node]
                to = at[child]
                if to != source:
                    for i in range(size[child]):
                        reach[to + i] = reach[source + i]


@kernel(fastmath=FAST)
def scale_of(weights, start, number, n, total):  # type: ignore[no-untyped-def]
    """1 / the sum of positive weights of each type; -1 where there is none."""
    for i in range(n):
        total[i] = 0
    for a in range(number):
        row = start + a * n
        for i in range(n):
            total[i] += max(weights[row + i], np.float32(0))
    for i in range(n):
        total[i] = np.float32(1) / total[i] if total[i] > TINY else np.float32(-1)


@kernel(fastmath=FAST, allocates=True)
def value_sweep(nodes, side, tree, weights, values, mode, gain, loss):  # type: ignore[no-untyped-def]
    """Set the value of some nodes for one side's types, children first.

    Values are those of the first side; the second wants them low.

    Parameters
    ----------
    nodes : int32 (nodes,)
        Children come before their parents when read from the end.
    mode : int
        0: follow the strategy of ``weights`` and update them as regrets. 1: follow it.
        2: the best response.
    gain, loss : float32
        What regrets above and below 0 are multiplied by once they are updated.
    """
    kind, child_start, children, low, size, at, table = tree
    total = np.empty(size.max(), np.float32)
    sign = np.float32(1) if side == 1 else np.float32(-1)
    for k in range(len(nodes) - 1, -1, -1):
        node = nodes[k]
        if kind[node] == 0:
            continue
        first, last = child_start[node], child_start[node + 1]
        here, n = at[node], size[node]
        number = last - first
        if kind[node] != side:
            for i in range(n):
                values[here + i] = 0
            for c in range(first, last):
                child = children[c]
                source, to = at[child], here + low[child] - low[node]
                for i in range(size[child]):
                    values[to + i] += values[source + i]
        elif mode == 2:
            source = at[children[first]]
            for i in range(n):
                values[here + i] = values[source + i]
            for c in range(first + 1, last):
                source = at[children[c]]
                for i in range(n):
                    values[here + i] = sign * max(
                        sign * values[here + i], sign * values[source + i]
                    )
        else:
            start = table[node]
            scale_of(weights, start, number, n, total)
            for i in range(n):
                values[here + i] = 0
            for a in range(number):
                row, source = start + a * n, at[children[first + a]]
                for i in range(n):
                    chance = max(weights[row + i], np.float32(0)) * total[i]
                    if total[i] < 0:
                        chance = np.float32(1) / np.float32(number)
                    values[here + i] += chance * values[source + i]
            if mode == 0:
                for a in range(number):
                    row, source = start + a * n, at[children[first + a]]
                    for i in range(n):
                        regret = weights[row + i] + sign * (values[source + i] - values[here + i])
                        regret *= gain if regret > 0 else loss
                        weights[row + i] = regret if abs(regret) > TINY else np.float32(0)


@kernel(fastmath=FAST)
def products(which, side, start, rows, columns, matrix, row_at, leaves, reach, value_at, values):  # type: ignore[no-untyped-def]
    """Values of the leaves of some matrices: matrix times the other side's reach.

    Parameters
    ----------
    which : int32
        Matrices.
    side : int
        1: values for the first side's types (rows); 2: for the second's (columns).
    start, rows, columns, leaves : int64 (matrices,)
        Where each begins in ``matrix``, its shape, and how many leaves it has.
    row_at, value_at : int64 (matrices,)
        Where the leaves' vectors begin, one after the other.
    """
    for m in which:
        n0, n1 = rows[m], columns[m]
        table = matrix[start[m] : start[m] + n0 * n1].reshape((n0, n1))
        if side == 1:
            r = reach[row_at[m] : row_at[m] + leaves[m] * n1].reshape((leaves[m], n1))
            v = values[value_at[m] : value_at[m] + leaves[m] * n0].reshape((leaves[m], n0))
            _by_rows(table, r, v)
        else:
            r = reach[row_at[m] : row_at[m] + leaves[m] * n0].reshape((leaves[m], n0))
            v = values[value_at[m] : value_at[m] + leaves[m] * n1].reshape((leaves[m], n1))
            _by_columns(table, r, v)


@kernel(fastmath=FAST)
def _by_rows(table, r, v):  # type: ignore[no-untyped-def]
    number, n1 = r.shape
    whole = number - number % 4
    for c in range(0, whole, 4):
        for i in range(table.shape[0]):
            a = b = d = e = np.float32(0)
            for j in range(n1):
                x = table[i, j]
                a += r[c, j] * x
                b += r[c + 1, j] * x
                d += r[c + 2, j] * x
                e += r[c + 3, j] * x
            v[c, i], v[c + 1, i], v[c + 2, i], v[c + 3, i] = a, b, d, e
    for c in range(whole, number):
        for i in range(table.shape[0]):
            a = np.float32(0)
            for j in range(n1):
                a += r[c, j] * table[i, j]
            v[c, i] = a


@kernel(fastmath=FAST)
def _by_columns(table, r, v):  # type: ignore[no-untyped-def]
    number, n0 = r.shape
    n1 = table.shape[1]
    whole = number - number % 4
    v[:] = 0
    for c in range(0, whole, 4):
        for i in range(n0):
            a, b, d, e = r[c, i], r[c + 1, i], r[c + 2, i], r[c + 3, i]
            for j in range(n1):
                x = table[i, j]
                v[c, j] += a * x
                v[c + 1, j] += b * x
                v[c + 2, j] += d * x
                v[c + 3, j] += e * x
    for c in range(whole, number):
        for i in range(n0):
            a = r[c, i]
            for j in range(n1):
                v[c, j] += a * table[i, j]
