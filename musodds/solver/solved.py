"""Strategies of two sides as tables over the decisions of a tree, and what is said of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.errors import InputError
from musodds.solver.best_response import Gap
from musodds.solver.machine import Vector
from musodds.solver.to_a_gap import MOST_ITERATIONS
from musodds.solver.tree import FIRST, Tree
from musodds.values import Table

PARTS = 65535
"""Chances are kept in so many parts."""


class Solved(Table):
    """What answers of every model have in common: a tree, and how far from equilibrium."""

    gap: Gap

    @property
    def tree(self) -> Tree:
        raise NotImplementedError

    @property
    def value(self) -> float:
        """What mano's side gets: the chance of winning the game, or net stones."""
        return self.gap.value

    @property
    def exploitability(self) -> float:
        """What a side gains by its best response, the mean of both."""
        return self.gap.exploitability

    def side_of(self, node: int) -> int:
        """Whose decision a node is: 0 or 1."""
        return int(self.tree.kind[node]) - FIRST

    def moves(self, node: int, side: int) -> Iterator[tuple[int, int]]:
        """The decisions of a side on the way to a node, and which action is taken there."""
        place = 0
        while place != node:
            children = list(self.tree.options(place).values())
            child = max(c for c in children if c <= node)
            if self.side_of(place) == side:
                yield place, children.index(child)
            place = child


def check_run(gap: float, iterations: int | None, workers: int) -> None:
    """Raise InputError if it cannot be solved so far, so often or by so many."""
    if not 0 < gap < 40:
        raise InputError(f"gap {gap:g}: a number of stones above 0")
    if iterations is not None and not 1 <= iterations <= MOST_ITERATIONS:
        raise InputError(f"iterations {iterations}: 1 to {MOST_ITERATIONS}")
    if not 1 <= workers <= 64:
        raise InputError(f"workers {workers}: 1 to 64")


def table_starts(tree: Tree, side: int) -> NDArray[np.int64]:
    """Where the table of each decision of a side begins; its end in the last place."""
    sizes = (tree.high[:, side] - tree.low[:, side]) * np.diff(tree.child_start)
    own = tree.kind == FIRST + side
    return np.concatenate(([0], np.cumsum(np.where(own, sizes, 0)))).astype(np.int64)


def table_room(tree: Tree) -> int:
    """How long the tables of both sides are together."""
    return sum(int(table_starts(tree, side)[-1]) for side in (0, 1))


def decisions(tree: Tree, side: int) -> list[tuple[int, slice, int]]:
    """A side's decisions: the node, where its table is, and how many actions there are."""
    starts = table_starts(tree, side)
    return [
        (node, slice(int(starts[node]), int(starts[node + 1])), len(tree.options(node)))
        for node in np.flatnonzero(tree.kind == FIRST + side).tolist()
    ]


def rounded(tree: Tree, sums: list[Vector]) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    """Chances in 65,535ths, by side; where a type never comes, all actions alike."""
    found = tuple(np.empty(len(table), dtype=np.uint16) for table in sums)
    for side in (0, 1):
        for _, some, number in decisions(tree, side):
            table = sums[side][some].reshape(number, -1).astype(np.float64)
            total = table.sum(axis=0)
            chances = np.where(total > 0, table / np.where(total > 0, total, 1), 1 / number)
            found[side][some] = np.round(chances * PARTS).astype(np.uint16).ravel()
    return found[0], found[1]


def split(raw: bytes, tree: Tree, dtype: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """The tables of both sides, one after the other, as they stand in a file."""
    whole = np.frombuffer(raw, dtype)
    whole = whole.astype(whole.dtype.newbyteorder("="))
    first = int(table_starts(tree, 0)[-1])
    return whole[:first], whole[first:]
