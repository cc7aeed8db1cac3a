"""A public tree laid out in flat arrays, with room for every vector that runs through it.

The description (:class:`Tree`, matrices) is of the game; the machine is what the
algorithms drive: reach down, products at the leaves, values up. Leaves that share a
payoff matrix lie next to each other, so that they are multiplied together.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from musodds.solver.tree import LEAF, Tree

if TYPE_CHECKING:
    from musodds.solver.kernels.sweeps import Tree as SweptTree

Vector = NDArray[Any]
NOTHING = np.zeros(0, dtype=np.float32)

UPDATE, FOLLOW, RESPOND = 0, 1, 2
"""What :meth:`Machine.up` does at the decisions of the side whose values are wanted."""

# Subtrees of about this share of all nodes are the tasks of a thread.
_TASKS = 16


@dataclass(frozen=True, eq=False)
class SideLayout:
    """Where one side's vectors are."""

    low: NDArray[np.int64]
    size: NDArray[np.int64]
    at: NDArray[np.int64]
    value_at: NDArray[np.int64]
    row_at: NDArray[np.int64]
    room: int
    value_room: int
    table: NDArray[np.int64]
    table_room: int


@dataclass(eq=False)
class Machine:
    """See the head of the module.

    Parameters
    ----------
    tree : Tree
    matrices : sequence of ndarray, shape (types of side 0, types of side 1) each
        Payoffs of the first side times the chance of the pair; those of the tree's leaves.
    leaf_matrix : ndarray of int64, shape (nodes,)
        Which matrix a leaf has; -1 for other nodes.
    workers : int
        Threads; no digit depends on it.
    """

    tree: Tree
    matrices: list[Vector]
    leaf_matrix: NDArray[np.int64]
    workers: int = 1
    sides: tuple[SideLayout, SideLayout] = field(init=False)

    def __post_init__(self) -> None:
        tree = self.tree
        kind = self.matrices[0].dtype
        self.dtype = kind
        leaves = np.flatnonzero(tree.kind == LEAF)
        order = leaves[np.argsort(self.leaf_matrix[leaves], kind="stable")]
        number = len(self.matrices)
        self.leaves = np.bincount(self.leaf_matrix[leaves], minlength=number).astype(np.int64)
        shapes = np.array([m.shape for m in self.matrices], dtype=np.int64)
        self.rows, self.columns = shapes[:, 0].copy(), shapes[:, 1].copy()
        areas = self.rows * self.columns
        self.start = np.concatenate(([0], np.cumsum(areas)[:-1])).astype(np.int64)
        self.flat = np.empty(int(areas.sum()), dtype=kind)
        for i, matrix in enumerate(self.matrices):
            self.flat[self.start[i] : self.start[i] + areas[i]] = matrix.ravel()
            self.matrices[i] = self.flat[self.start[i] : self.start[i] + areas[i]].reshape(
                matrix.shape
            )
        self.sides = (self._layout(0, order), self._layout(1, order))
        self.reach = [np.zeros(side.room, dtype=kind) for side in self.sides]
        self.values = [np.zeros(side.value_room, dtype=kind) for side in self.sides]
        self._split()
        self._pool = ThreadPoolExecutor(self.workers) if self.workers > 1 else None

    def _layout(self, side: int, order: NDArray[np.int64]) -> SideLayout:
        tree = self.tree
        low, high = tree.low[:, side], tree.high[:, side]
        size = (high - low).astype(np.int64)
        at = np.zeros(len(size), dtype=np.int64)
        lengths = size[order]
        ends = np.cumsum(lengths)
        at[order] = ends - lengths
        per_matrix = np.concatenate(([0], np.cumsum(self.leaves)[:-1])).astype(np.int64)
        row_at = np.concatenate((at[order], [0]))[np.minimum(per_matrix, len(order))]
        room = value_room = int(ends[-1])
        value_at = at.copy()
        table = np.zeros(len(size), dtype=np.int64)
        table_room = 0
        for node in range(len(size)):
            first, last = tree.child_start[node], tree.child_start[node + 1]
            if node == 0:
                at[0], room = room, room + int(size[0])
            if tree.kind[node] == LEAF:
                continue
            value_at[node], value_room = value_room, value_room + int(size[node])
            own = tree.kind[node] == side + 1
            if own:
                table[node], table_room = table_room, table_room + int(size[node] * (last - first))
            for child in tree.children[first:last]:
                if tree.kind[child] == LEAF:
                    continue
                if own:
                    at[child], room = room, room + int(size[child])
                else:
                    at[child] = at[node] + low[child] - low[node]
        return SideLayout(
            low.astype(np.int64), size, at, value_at, row_at, room, value_room, table, table_room
        )

    def _split(self) -> None:
        """Subtrees for the threads, and the nodes above them."""
        tree = self.tree
        total = len(tree.kind)
        tasks, node = [], 0
        top = []
        while node < total:
            if tree.end[node] - node <= max(1, total // _TASKS) or total < 200:
                tasks.append(np.arange(node, tree.end[node], dtype=np.int32))
                node = int(tree.end[node])
            else:
                top.append(node)
                node += 1
        self._top = np.array(top, dtype=np.int32)
        self._tasks = tasks
        work = self.rows * self.columns * self.leaves
        parts = 1 if self.workers == 1 else 4 * self.workers
        bounds = np.searchsorted(np.cumsum(work), np.linspace(0, work.sum(), parts + 1)[1:-1])
        self._products = [
            part.astype(np.int32) for part in np.split(np.arange(len(work)), bounds) if len(part)
        ]
        if self.workers == 1:
            self._tasks = [np.concatenate(tasks)] if tasks else []

    def _each(self, function: Any, parts: Any) -> None:
        if self._pool is None or len(parts) == 1:
            for part in parts:
                function(part)
        else:
            list(self._pool.map(function, parts))

    def zeros(self, side: int) -> Vector:
        """A table of all decisions of a side, shape (sum of actions × types,)."""
        return np.zeros(self.sides[side].table_room, dtype=self.dtype)

    def down(self, side: int, weights: Vector, sums: Vector = NOTHING, keep: float = 1.0) -> None:
        """Set a side's reach everywhere, by the strategy proportional to ``weights``."""
        from musodds.solver.kernels.sweeps import reach_sweep

        lay, reach = self.sides[side], self.reach[side]
        reach[lay.at[0] : lay.at[0] + lay.size[0]] = 1
        sums = sums if len(sums) else NOTHING.astype(self.dtype)
        tree, kept = self._swept(side, lay.at), self.dtype.type(keep)

        def sweep(nodes: NDArray[np.int32]) -> None:
            reach_sweep(nodes, side + 1, tree, weights, reach, sums, kept)

        if len(self._top):
            sweep(self._top)
        self._each(sweep, self._tasks)

    def up(
        self, side: int, weights: Vector, mode: int, gain: float = 1.0, loss: float = 1.0
    ) -> Vector:
        """Values for a side's types against the reach of the other, and at the root.

        Returns
        -------
        ndarray, shape (types,)
            The first side's payoff, summed over the other's types: each type's chance
            is in it.
        """
        from musodds.solver.kernels.sweeps import value_sweep

        lay, values = self.sides[side], self.values[side]
        tree = self._swept(side, lay.value_at)
        factors = self.dtype.type(gain), self.dtype.type(loss)

        def sweep(nodes: NDArray[np.int32]) -> None:
            value_sweep(nodes, side + 1, tree, weights, values, mode, *factors)

        self._multiply(side)
        self._each(sweep, self._tasks)
        if len(self._top):
            sweep(self._top)
        return values[lay.value_at[0] : lay.value_at[0] + lay.size[0]]

    def _swept(self, side: int, at: NDArray[np.int64]) -> SweptTree:
        """The tree as the kernels read it, with the vectors of a side at these places."""
        from musodds.solver.kernels.sweeps import Tree as SweptTree

        tree, lay = self.tree, self.sides[side]
        return SweptTree(
            tree.kind, tree.child_start, tree.children, lay.low, lay.size, at, lay.table
        )

    def _multiply(self, side: int) -> None:
        """Set a side's values at the leaves, against the reach of the other."""
        from musodds.solver.kernels.sweeps import products

        lay, other = self.sides[side], self.sides[1 - side]
        values, reach = self.values[side], self.reach[1 - side]

        def multiply(which: NDArray[np.int32]) -> None:
            products(
                which, side + 1, self.start, self.rows, self.columns, self.flat, other.row_at,
                self.leaves, reach, lay.row_at, values,
            )  # fmt: skip

        self._each(multiply, self._products)
