"""Equity under solved betting: every deal of a game is the solved deal, from the end backward.

The deal at a score (:mod:`musodds.solver.score_deal`) pays the equity of the scores after
it. Deals are solved at the *nodes* of a grid that is fine near the end; between them a
table is filled in (:mod:`musodds.stakes.score_grid`): by the logit of the chance, which was
four times as close to deals solved off the grid as its difference to any kind that is
counted (a fixed bet makes scores odd and even differ, good betting does not). Nodes are
taken in groups that do not need each other, later ones first, those with both sides at
:data:`FIRST_PART` or more before all others.

**A node needs a little of itself**, where a deal moves the score by less than the grid: it
is first continued from the nodes after it. How the values of a group lean on what was put
for them is told by deals in which 2 is seen in every phase, a linear system, and it is
solved for values that agree with themselves; by how much that moved them is kept.

**What is kept** after every node is the checkpoint: nothing but solved nodes. Whoever
solves a node, a thread or a computer, makes the same digits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, product

import numpy as np

from musodds.arrays import Floats
from musodds.exact.outcomes.deal_stones import DealStones, counted_stones
from musodds.rules.game import Game
from musodds.solver.score_deal import DealValue
from musodds.solver.sizes import Sizes, read_sizes
from musodds.stakes.score_grid import Score, filled
from musodds.stakes.scores import count_running, running, scores_backwards

FIRST_PART = 20
NEAR = 4
LINES = (39, 38, 37, 36, 35, 34, 33, 32, 31, 29, 25, 20, 15, 10, 5, 0)
"""The stones at which a side's nodes are, in a game to 40."""

EDGE = 3
"""Where a side lacks so many stones or fewer every score is a node: órdago is near, and
chances go up and down with every stone that the other side lacks (.004 off the grid)."""

CHECKS = (
    (30, 34), (34, 30), (36, 28), (27, 36), (35, 27), (30, 30), (22, 33), (27, 27), (30, 22),
    (23, 23), (17, 30), (36, 17), (11, 34), (33, 11), (17, 17), (10, 22), (3, 28), (11, 4), (4, 11),
)  # fmt: skip
"""Scores off the grid at which the table is compared with a deal that is solved."""

BETS, RAISES, RERAISES = "2,ordago", "ordago", 1
GAP, NEAR_GAP = 0.05, 0.02


@dataclass(frozen=True)
class Plan:
    """What is solved, and how closely.

    Parameters
    ----------
    game : Game
    lines : tuple of int
        Stones of the nodes, descending.
    gap, near_gap : float
        In stones; the second where a side lacks :data:`NEAR` stones or fewer.
    sizes : Sizes
    """

    game: Game
    lines: tuple[int, ...]
    gap: float = GAP
    near_gap: float = NEAR_GAP
    sizes: Sizes = field(default_factory=lambda: read_sizes(BETS, RAISES, RERAISES))

    def gap_at(self, score: Score) -> float:
        near = max(score) >= self.game.target - NEAR
        return self.near_gap if near else self.gap

    def groups(self) -> Iterator[tuple[Score, ...]]:
        """The nodes, group by group: every deal adds a stone, so equal sums need no other."""
        target, least = self.game.target, min(self.lines)
        nodes: set[Score] = {(a, b) for a in self.lines for b in self.lines}
        for near, other in product(range(max(least, target - EDGE), target), range(least, target)):
            nodes |= {(near, other), (other, near)}

        def group(node: Score) -> tuple[bool, int]:
            return min(node) < target - FIRST_PART, -sum(node)

        for _, together in groupby(sorted(nodes, key=group), key=group):
            yield tuple(sorted(together, reverse=True))

    def checks(self) -> tuple[Score, ...]:
        """The scores off the grid inside of it."""
        least = min(self.lines)
        away = [(self.game.target - 40 + a, self.game.target - 40 + b) for a, b in CHECKS]
        return tuple(one for one in away if min(one) >= least and not set(one) <= set(self.lines))


def plan(game: Game, least: int = 0, gap: float = GAP, near_gap: float = NEAR_GAP) -> Plan:
    """The plan for a game: all scores with both sides at so many stones or more."""
    away = [line for line in (game.target - 40 + line for line in LINES) if line >= least]
    lines = tuple(dict.fromkeys([*away, least]))
    return Plan(game, lines, gap, near_gap)


@dataclass
class Solving:
    """A batch under way: nodes and checks that are solved, and the table that they make.

    Parameters
    ----------
    plan : Plan
    solved : dict of score to DealValue
        As they came out of the solver.
    """

    plan: Plan
    solved: dict[Score, DealValue] = field(default_factory=dict)
    settled: dict[Score, float] = field(default_factory=dict)

    def waiting(self) -> Iterator[tuple[tuple[Score, ...], Floats]]:
        """Groups of nodes, and the table that their deals pay; ask on when all are solved."""
        for group in self.plan.groups():
            before = self.table()
            yield tuple(score for score in group if score not in self.solved), before
            self._settle(group, before)
        table = self.table()
        yield tuple(score for score in self.plan.checks() if score not in self.solved), table

    def table(self) -> Floats:
        """Mano's chance at all scores, by the nodes that are settled."""
        return filled(self.plan.lines, self.settled, _even(self.plan.game))

    def differences(self) -> dict[Score, float]:
        """At the checks that are solved: the deal less the table."""
        table = self.table()
        return {
            score: self.solved[score].value - float(table[score])
            for score in self.plan.checks() if score in self.solved
        }  # fmt: skip

    def error(self) -> Floats:
        """By how much mano's chances may be off, cautiously, shape (target, target).

        In every deal the gap and the root mean square of the differences at the checks,
        all of one sign, carried backward by deals in which 2 is seen in every phase.
        """
        game, table = self.plan.game, self.table()
        gaps = {score: max(self.solved[score].gap, 1e-6) for score in self.settled}
        # The same interpolation serves: gaps are chances as well.
        local = filled(self.plan.lines, gaps, _even(game)) if gaps else np.zeros_like(table)
        off = list(self.differences().values())
        local = local + (float(np.sqrt(np.mean(np.square(off)))) if off else 0.0)
        deal, found = counted_stones(game, 2), np.zeros_like(table)
        added, chances = running(deal.stones), deal.chances
        for mine, theirs in scores_backwards(game.target):
            after, other, won, lost = count_running(*added, mine, theirs, game.target)
            on = ~(won | lost)
            carried = chances[on] @ found[other[on], after[on]]
            found[mine, theirs] = min(1.0, local[mine, theirs] + carried)
        return found

    def _settle(self, group: Sequence[Score], before: Floats) -> None:
        """Values of a group that agree with themselves."""
        found = np.array([self.solved[score].value for score in group])
        put = np.array([before[score] for score in group])
        lean = self._lean(group, before)
        values = np.linalg.solve(np.eye(len(group)) - lean, found - lean @ put)
        for score, value in zip(group, values.tolist(), strict=True):
            self.settled[score] = min(1.0, max(0.0, value))

    def _lean(self, group: Sequence[Score], before: Floats) -> Floats:
        """How the deal at one node changes with what is put for another."""
        deal, step = counted_stones(self.plan.game, 2), 1e-4
        found = np.zeros((len(group), len(group)))
        start = {score: before[score] for score in group}
        for j, score in enumerate(group):
            moved = {**self.settled, **start}
            moved[score] += step if moved[score] < 0.5 else -step
            table = filled(self.plan.lines, moved, _even(self.plan.game))
            plain = filled(self.plan.lines, {**self.settled, **start}, _even(self.plan.game))
            for i, other in enumerate(group):
                change = one_deal(deal, table, other) - one_deal(deal, plain, other)
                found[i, j] = change / (moved[score] - start[score])
        return found


def _even(game: Game) -> Floats:
    """The base of the table: nothing is known between nodes."""
    return np.full((game.target, game.target), 0.5)


def one_deal(deal: DealStones, table: Floats, score: Score) -> float:
    """Mano's chance if a deal brings stones by a distribution, and then a table holds."""
    target, chances = len(table), deal.chances
    mine, theirs, won, lost = count_running(*running(deal.stones), *score, target)
    on = ~(won | lost)
    later = 1 - table[theirs[on], mine[on]]
    return float(chances[won].sum() + chances[on] @ later)
