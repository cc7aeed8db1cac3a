"""What everything that may be said in a solved game is worth to a hand that answers best.

A strategy keeps what each action is worth to each hand that plays on as solved
(:attr:`musodds.solver.betting.Betting.worths`). Where a hand does better than that later,
an action before is worth more by as much as it gains there, times how likely it comes
there: so one sweep through the tree, all hands at once, makes of those numbers what the
actions are worth to a hand that goes on as well as can be. Nothing is counted again but
how likely each pair of hands is; the numbers are as exact as the kept ones, some 1e-7 of
a game.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats, Ints
from musodds.rules.game import Game
from musodds.solver.betting import Betting
from musodds.solver.game import Spec
from musodds.solver.known import Known
from musodds.solver.pairs import finest_parts, masses_of, within
from musodds.solver.tree import FIRST, Part, Tree, part_of_phase


@lru_cache(maxsize=4)
def _masses(game: Game, speakers: tuple[int, int], known: Known | None) -> Floats:
    return masses_of(game, speakers, known)


def masses(spec: Spec, part: Part) -> tuple[Floats, Ints]:
    """How likely all pairs of the speakers' hands are in finest public parts; which are in one."""
    phases = [part_of_phase(ending.phase) for ending in spec.earlier]
    inside = [
        place
        for place, fine in enumerate(finest_parts(spec.types.alone))
        if all(within(fine, one) for one in (part, *phases))
    ]
    return _masses(spec.game, spec.speakers, spec.known), np.array(inside, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class _Laid:
    """A tree as :mod:`musodds.solver.kernels.best_worths` reads it."""

    parent: Ints
    depth: Ints
    action: Ints


def _laid(tree: Tree) -> _Laid:
    number = len(tree.kind)
    parent, action = np.full(number, -1, dtype=np.int64), np.zeros(number, dtype=np.int64)
    offspring = np.diff(tree.child_start)
    parent[tree.children] = np.repeat(np.arange(number), offspring)
    action[tree.children] = np.arange(len(tree.children)) - np.repeat(
        tree.child_start[:-1], offspring
    )
    depth = np.zeros(number, dtype=np.int64)
    for node, above in enumerate(parent[1:].tolist(), start=1):
        depth[node] = depth[above] + 1
    return _Laid(parent, depth, action)


@lru_cache(maxsize=8)
def best_worths(solved: Betting, side: int) -> NDArray[np.float32]:
    """What each action is worth to each type of a side, the other side playing on as solved.

    Parameters
    ----------
    solved : Betting
    side : int
        0: mano's.

    Returns
    -------
    ndarray of float32
        As :attr:`musodds.solver.betting.Betting.worths` of that side: the chance of winning
        the game (or stones); NaN where the others never say what leads there.
    """
    from musodds.solver.kernels.best_worths import improve, reaches

    tree, types = solved.tree, solved.spec.types
    laid = _laid(tree)
    own = np.flatnonzero(tree.kind == FIRST + side)
    place = np.full(len(tree.kind), -1, dtype=np.int64)
    place[own] = np.arange(len(own))
    shape = (tree.kind, tree.child_start, tree.low, tree.high, laid.parent, laid.depth, laid.action)
    chance = np.zeros((len(own), len(types.hand)))
    other = 1 - side
    reaches(*shape, solved.tables[other], solved.strategies[other], other, place, chance)
    by_part: dict[Part, list[int]] = defaultdict(list)
    for row, node in enumerate(own.tolist()):
        by_part[tree.parts[node]].append(row)
    for part, rows in by_part.items():
        all_parts, inside = masses(solved.spec, part)
        mass = all_parts[inside].sum(axis=0)[np.ix_(types.hand, types.hand)]
        chance[rows] = chance[rows] @ (mass.T if side == 0 else mass)
    best = solved.worths[side].copy()
    improve(
        *shape, solved.tables[side], solved.strategies[side], side, place, chance,
        solved.worths[side], best,
    )  # fmt: skip
    return best
