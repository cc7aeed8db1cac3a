"""A machine whose payoffs are sums of a few matrices: the same few products serve all leaves.

Stones are linear in who wins each comparison, so that the payoffs of every leaf are made of
the same *bases*. Where the other side's words do not tell two leaves apart it comes to both
alike, and they share the products.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats, Ints
from musodds.solver.machine import Machine, Vector
from musodds.solver.tree import FIRST, LEAF, Tree


class LinearMachine(Machine):
    """See the head of the module.

    Parameters
    ----------
    tree : Tree
        In which all types go everywhere.
    bases : sequence of ndarray of float32, shape (types of side 0, types of side 1) each
    factors : ndarray of float64, shape (leaves, bases)
        What each counts for, by leaf in the order of the tree.
    workers : int
        Threads, of the sweeps; products are left to BLAS.
    """

    def __init__(
        self, tree: Tree, bases: Sequence[Vector], factors: Floats, workers: int = 1
    ) -> None:
        self._factors = factors.astype(np.float32)
        self._same = [_same(tree, side) for side in (0, 1)]
        # One matrix for all leaves: they lie next to each other, in the order of the tree.
        nowhere = np.where(tree.kind == LEAF, 0, -1)
        super().__init__(tree, list(bases), nowhere, workers)

    def matrix(self, leaf: int) -> Vector:
        """The payoffs of a leaf, shape (types of side 0, types of side 1)."""
        at = int(np.flatnonzero(self.tree.kind == LEAF).tolist().index(leaf))
        found = np.zeros_like(self.matrices[0])
        for factor, base in zip(self._factors[at], self.matrices, strict=True):
            found += factor * base
        return found

    def _multiply(self, side: int) -> None:
        first, which = self._same[1 - side]
        number = len(which)
        reach = self.reach[1 - side][: number * self.sides[1 - side].size[0]]
        some = reach.reshape(number, -1)[first]
        out = self.values[side][: number * self.sides[side].size[0]].reshape(number, -1)
        out[:] = 0
        for base, factors in zip(self.matrices, self._factors.T, strict=True):
            used = np.flatnonzero(factors)
            places, at = np.unique(which[used], return_inverse=True)
            products = some[places] @ (base.T if side == 0 else base)
            out[used] += factors[used, None] * products[at.reshape(-1)]


def _same(tree: Tree, side: int) -> tuple[Ints, NDArray[np.int64]]:
    """Leaves that a side's words tell apart: the first of each kind, and the kind of each."""
    said: list[tuple[int, ...]] = [()] * len(tree.kind)
    for node in range(len(tree.kind)):
        for edge in range(tree.child_start[node], tree.child_start[node + 1]):
            own = (edge,) if tree.kind[node] == FIRST + side else ()
            said[tree.children[edge]] = said[node] + own
    numbers: dict[tuple[int, ...], int] = {}
    leaves = np.flatnonzero(tree.kind == LEAF)
    which = np.array([numbers.setdefault(said[leaf], len(numbers)) for leaf in leaves])
    first = np.array([int(np.argmax(which == number)) for number in range(len(numbers))])
    return first, which
