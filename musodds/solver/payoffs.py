"""Payoff matrices of the leaves: outcomes of each pair of types, and what they are worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats, Ints
from musodds.exact.outcomes.outcomes import Outcomes
from musodds.exact.outcomes.stones import showdown_stones
from musodds.rules.game import PHASES
from musodds.rules.hands import LAST
from musodds.solver.pairs import Table, Types, within
from musodds.solver.tree import End, Part
from musodds.stakes.equity import Equity
from musodds.stakes.situation import equity_after

_AT_ONCE = 16


@dataclass(frozen=True, eq=False)
class Worth:
    """What an outcome is worth to mano's side at the end of a deal.

    Attributes
    ----------
    table : Equity or None
        The chances after the deal; None where stones are counted.
    score : tuple of int
    target : int
        What an órdago counts for in stones.
    """

    table: Equity | None
    score: tuple[int, int]
    target: int

    def of(self, end: End, outcomes: Outcomes) -> Floats:
        """The payoff of every outcome, shape (outcomes,)."""
        if end.how == "won":
            return np.full(len(outcomes.wins), float(end.side == 0))
        if end.how == "ordago":
            wins = outcomes.wins[:, min(PHASES.index(end.phase), LAST)].astype(np.float64)
            return wins if self.table is not None else (2 * wins - 1) * self.target
        stones = showdown_stones(outcomes, {ending.phase: ending for ending in end.endings})
        if self.table is None:
            net: Floats = stones.sum(axis=1).astype(np.float64) + end.gained[0] - end.gained[1]
            return net
        ours, theirs = (was + more for was, more in zip(self.score, end.gained, strict=True))
        return equity_after(stones, ours, theirs, self.table, True)


@dataclass(frozen=True, eq=False)
class Cell:
    """The pairs of types and outcomes of one finest public part.

    Attributes
    ----------
    part : Part
    low, high : tuple of int
        The types of each side.
    outcomes : Outcomes
    start, outcome, weight : ndarray
        Pair by pair (rows first) its outcomes and their chances.
    """

    part: Part
    low: tuple[int, int]
    high: tuple[int, int]
    outcomes: Outcomes
    start: Ints
    outcome: NDArray[np.uint16]
    weight: NDArray[np.float32]

    @cached_property
    def shape(self) -> tuple[int, int]:
        return (self.high[0] - self.low[0], self.high[1] - self.low[1])

    def matrices(self, worths: Sequence[Floats]) -> Floats:
        """Σ of weight times worth of every pair, for up to 16 worths."""
        from musodds.solver.kernels.pair_classes import weigh

        columns = np.zeros((len(self.outcomes.wins), _AT_ONCE), dtype=np.float64)
        for k, worth in enumerate(worths):
            columns[:, k] = worth
        out = np.empty((_AT_ONCE, self.shape[0] * self.shape[1]), dtype=np.float64)
        weigh(self.start, self.outcome, self.weight, columns, out)
        return out[: len(worths)].reshape(-1, *self.shape)


def cells_of(table: Table, types: Types, parts: Sequence[Part], which: Ints) -> list[Cell]:
    """Sort the outcomes of all pairs by public part.

    Parameters
    ----------
    table : Table
    types : Types
        The same for both sides.
    parts : sequence of Part
    which : ndarray of int64, shape (outcomes,)
        The part of each outcome; -1 for those that the game leaves out.
    """
    from musodds.solver.kernels.pair_classes import regroup

    found = []
    none16, none32 = np.empty(0, np.uint16), np.empty(0, np.float32)
    number = np.zeros(len(which), dtype=np.int64)
    for place in range(len(parts)):
        mine = np.flatnonzero(which == place)
        number[mine] = np.arange(len(mine))
    for place, part in enumerate(parts):
        bounds = [segment(types, side, part) for side in (0, 1)]
        (low, high), (first, last) = bounds
        rows, columns = types.hand[low:high], types.hand[first:last]
        start = np.empty(len(rows) * len(columns) + 1, dtype=np.int64)
        given: tuple[Any, ...] = (rows, columns, table.begin, table.size)
        given += (table.outcome, table.weight, which, place, number, start)
        room = regroup(*given, none16, none32)
        classes, weights = np.empty(room, np.uint16), np.empty(room, np.float32)
        regroup(*given, classes, weights)
        some = table.outcomes.where(which == place)
        found.append(Cell(part, (low, first), (high, last), some, start, classes, weights))
    return found


def segment(types: Types, side: int, part: Part) -> tuple[int, int]:
    """The types of a side that a public part leaves."""
    pares = None if part.pares is None else part.pares[side]
    juego = None if part.juego is None else part.juego[side]
    return types.segment(pares, juego)


def matrices_of(
    ends: dict[int, End], cells: Sequence[Cell], worth: Worth, types: Types, nodes: int
) -> tuple[list[NDArray[np.float32]], Ints]:
    """The payoff matrices of the leaves, and which leaf has which.

    Leaves of one public part whose outcomes are all worth the same share one.
    """
    keys: dict[tuple[Part, bytes], int] = {}
    of_end: dict[End, int] = {}
    wanted: list[tuple[Part, list[tuple[Cell, Floats]]]] = []
    leaf_matrix = np.full(nodes, -1, dtype=np.int64)
    for node, end in ends.items():
        if end not in of_end:
            inside = [cell for cell in cells if within(cell.part, end.part)]
            worths = [worth.of(end, cell.outcomes) for cell in inside]
            key = (end.part, b"".join(one.tobytes() for one in worths))
            if key not in keys:
                keys[key] = len(wanted)
                wanted.append((end.part, list(zip(inside, worths, strict=True))))
            of_end[end] = keys[key]
        leaf_matrix[node] = of_end[end]
    found = []
    for part, _ in wanted:
        low, high = zip(*(segment(types, side, part) for side in (0, 1)), strict=True)
        found.append(np.zeros((high[0] - low[0], high[1] - low[1]), dtype=np.float32))
    for cell in cells:
        jobs = [
            (i, value) for i, (_, parts) in enumerate(wanted) for c, value in parts if c is cell
        ]
        for begin in range(0, len(jobs), _AT_ONCE):
            some = jobs[begin : begin + _AT_ONCE]
            for (i, _), matrix in zip(some, cell.matrices([v for _, v in some]), strict=True):
                top, left = (segment(types, side, wanted[i][0])[0] for side in (0, 1))
                rows = slice(cell.low[0] - top, cell.high[0] - top)
                columns = slice(cell.low[1] - left, cell.high[1] - left)
                found[i][rows, columns] += matrix
    return found, leaf_matrix
