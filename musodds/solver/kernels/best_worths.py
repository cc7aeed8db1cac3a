"""Through a public tree with all hands at once: what a side's words are worth at their best.

A tree is given as arrays, nodes in preorder: ``kind``, ``child_start``, ``low`` and ``high``
(shape (nodes, 2)) as :class:`musodds.solver.tree.Tree` has them; ``parent`` and ``depth``;
``action``, which of its parent's children a node is; ``table``, where a decision's numbers
(actions, types) begin.
"""

from __future__ import annotations

import numpy as np

from musodds.compiled import kernel


@kernel(allocates=True)
def reaches(  # type: ignore[no-untyped-def]
    kind, child_start, low, high, parent, depth, action, table, parts, other, place, out
):
    """Set how often each type of the other side says what leads to each of a side's decisions.

    Parameters
    ----------
    parts : uint16
        The other side's chances in parts of a whole, by ``table``.
    other : int
        0 or 1: whose words count.
    place : int64 (nodes,)
        Which row of ``out`` a decision has; -1 for all else.
    out : float64 (decisions, types)
    """
    stack = np.zeros((depth.max() + 1, out.shape[1]))
    for node in range(len(kind)):
        if kind[node] == 0:
            continue
        here, above = stack[depth[node]], parent[node]
        first, last = low[node, other], high[node, other]
        here[:] = 0
        if node == 0:
            here[first:last] = 1
        else:
            here[first:last] = stack[depth[above], first:last]
            if kind[above] == other + 1:
                begin, size = low[above, other], high[above, other] - low[above, other]
                start, number = table[above] - begin, child_start[above + 1] - child_start[above]
                for i in range(first, last):
                    total = 0
                    for a in range(number):
                        total += parts[start + a * size + i]
                    here[i] *= parts[start + action[node] * size + i] / total
        if place[node] >= 0:
            out[place[node]] = here


@kernel(allocates=True)
def improve(  # type: ignore[no-untyped-def]
    kind, child_start, low, high, parent, depth, action, table, parts, side, place, chance,
    worth, best,
):  # fmt: skip
    """Make worths of following a strategy those of the best words from there on.

    Parameters
    ----------
    parts : uint16
        The side's own chances in parts of a whole, by ``table``.
    side : int
        0 or 1.
    place : int64 (nodes,)
        Which row of ``chance`` a decision of the side has.
    chance : float64 (decisions, types)
        How likely the other side is there, by the side's type.
    worth : float32
        What each action is worth to a type that follows its strategy afterwards, by
        ``table``; NaN where the other side never is.
    best : float32
        The same, to be raised.
    """
    # By depth, what is gained in all below the node there that is being summed up.
    stack = np.zeros((depth.max() + 1, chance.shape[1]))
    for node in range(len(kind) - 1, -1, -1):
        if kind[node] == 0:
            continue
        first, last = low[node, side], high[node, side]
        gain = stack[depth[node]]
        if kind[node] == side + 1:
            size = last - first
            number = child_start[node + 1] - child_start[node]
            for i in range(first, last):
                start = table[node] + i - first
                total, follow, most = 0, 0.0, -np.inf
                for a in range(number):
                    at = start + a * size
                    total += parts[at]
                    follow += parts[at] * np.float64(worth[at])
                    most = max(most, best[at])
                more = chance[place[node], i] * (most - follow / total)
                gain[i] = more if worth[start] == worth[start] else 0
        above = parent[node]
        if node and kind[above] == side + 1:
            begin, size = low[above, side], high[above, side] - low[above, side]
            for i in range(first, last):
                weight = chance[place[above], i]
                if weight > 0:
                    best[table[above] + action[node] * size + i - begin] += gain[i] / weight
        elif node:
            for i in range(first, last):
                stack[depth[above], i] += gain[i]
        gain[:] = 0
