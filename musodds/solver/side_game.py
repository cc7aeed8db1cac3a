"""One phase between two sides that know groups of holdings, in stones.

The tree and the algorithms are those of :mod:`musodds.solver.betting`; the payoffs come
from sums over all pairs of holdings. The gap is measured in the *full* game: the best
response may tell any holding from any other, whatever its group.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from musodds.arrays import Floats
from musodds.rules.game import PHASES, Game
from musodds.rules.hands import LAST
from musodds.rules.showdown import REFUSED, SEEN
from musodds.solver.best_response import Gap
from musodds.solver.game import told_of_game
from musodds.solver.groups import Groups, groups_of
from musodds.solver.holdings import Holdings, Meeting, grouped, holdings_of, taking_part
from musodds.solver.known import Known
from musodds.solver.linear_machine import LinearMachine
from musodds.solver.machine import Machine, Vector
from musodds.solver.sizes import Sizes
from musodds.solver.tree import FIRST, Builder, End, Tree, phase_tree


def coefficients(end: End, phase: str, target: int, view: int = 0) -> Floats:
    """What the :class:`musodds.solver.holdings.Bases` count for at a leaf, as one side sees it."""
    found = np.zeros(6)
    mass, wins, rest, mine, theirs, shown = range(6)
    if end.how == "ordago":
        found[wins], found[mass] = 2 * target, -target
        return found
    found[mass] = end.gained[view] - end.gained[1 - view]
    found[rest] = 1
    ending = end.endings[0] if end.endings else None
    has_own, one = phase in ("pares", "juego"), int(phase == "punto")
    if ending is not None and ending.how == REFUSED:
        ours = ending.side == view
        if has_own:
            found[mine if ours else theirs] = 1 if ours else -1
        found[mass] += one if ours else -one
        return found
    stones = 0 if has_own else 1
    if ending is not None and ending.how == SEEN:
        stones = ending.stones + one
    found[wins], found[shown] = 2 * stones, 1
    found[mass] -= stones
    return found


@dataclass(eq=False)
class SideGame:
    """See the head of the module.

    Parameters
    ----------
    game : Game
    phase : str
    models : tuple of str
        Mano's side's and the other's.
    sizes : Sizes
    speakers : tuple of int
    system : str
        Of signals.
    workers : int
    known : Known, optional
        To both sides.
    """

    game: Game
    phase: str
    models: tuple[str, str]
    sizes: Sizes
    speakers: tuple[int, int] = (1, 2)
    system: str = "classic"
    workers: int = 1
    known: Known | None = None
    played: float = field(init=False, default=1.0)
    en_paso: float = field(init=False, default=0.0)

    @property
    def told(self) -> dict[str, str]:
        """All that it is, by name, each as the options of the command say it."""
        return {
            **told_of_game(self.game),
            "what": self.phase,
            "model": f"--model {'/'.join(self.models)}",
            "speakers": "--speakers {},{}".format(*self.speakers),
            "system": f"--system {self.system}",
            **self.sizes.told,
            **(self.known or Known(self.game)).told,
        }

    @cached_property
    def holdings(self) -> tuple[Holdings, Holdings]:
        first, second = map(self._holdings, (0, 1))
        return first, second

    def _holdings(self, side: int) -> Holdings:
        found = holdings_of(self.game, side)
        if self.known:
            seats = (1 + side, 3 + side)
            weights = [self.known.weights(seat)[found.hand[:, i]] for i, seat in enumerate(seats)]
            found = found.weighed(weights[0] * weights[1])
        found = found.where(taking_part(found, self.phase))
        if self.known and not len(found):
            raise self.known.refuse(f"{self.phase} is then not bet on")
        return found

    @cached_property
    def groups(self) -> tuple[Groups, Groups]:
        return self._groups(0), self._groups(1)

    def _groups(self, side: int) -> Groups:
        me, them = self.holdings[side], self.holdings[1 - side]
        return groups_of(
            self.game, self.phase, self.models[side], self.speakers[side], self.system,
            me, them,
        )  # fmt: skip

    def strength(self, side: int) -> Floats:
        """How good each group of a side is in the phase: the share of its holdings below it."""
        me, groups = self.holdings[side], self.groups[side]
        _, rank = np.unique(me.code[:, min(PHASES.index(self.phase), LAST)], return_inverse=True)
        each = np.bincount(rank.reshape(-1), me.chance)
        below = (np.cumsum(each) - each / 2)[rank.reshape(-1)]
        found: Floats = np.bincount(groups.of, me.chance * below) / np.bincount(
            groups.of, me.chance
        )
        return found

    @cached_property
    def tree(self) -> Tree:
        sizes = [groups.number for groups in self.groups]
        builder = Builder(self.sizes, lambda side, part: (0, sizes[side]), None, self.game.target)
        return phase_tree(builder, self.phase)

    def meeting(self, side: int) -> Meeting:
        """A side's holdings against the other's groups."""
        other = self.groups[1 - side]
        return Meeting(
            self.game, self.phase, self.holdings[side], self.holdings[1 - side], other.of,
            other.number,
        )  # fmt: skip

    def machine(self) -> LinearMachine:
        """The game between groups, ready to be solved."""
        bases = grouped(self.meeting(0), self.groups[0].of, self.groups[0].number)
        self.played = float(bases.mass.sum(dtype=np.float64))
        for one in bases.all:
            one /= np.float32(self.played)
        passed = coefficients(End(self.tree.parts[0], "count"), self.phase, self.game.target)
        self.en_paso = float(sum(c * b.sum(dtype=np.float64) for c, b in
                                 zip(passed, bases.all, strict=True)))  # fmt: skip
        ends = self.tree.ends
        factors = np.stack([coefficients(ends[leaf], self.phase, self.game.target)
                            for leaf in sorted(ends)])  # fmt: skip
        used = np.flatnonzero(factors.any(axis=0))
        return LinearMachine(
            self.tree, [bases.all[base] for base in used], factors[:, used], self.workers
        )

    def full_gap(self, machine: Machine, strategies: list[Vector], value: float) -> Gap:
        """What either side gains if it tells all its holdings apart."""
        machine.down(1, strategies[1])
        most = self._best(machine, 0)
        machine.down(0, strategies[0])
        return Gap(value, most, -self._best(machine, 1))

    def _best(self, machine: Machine, side: int) -> float:
        """A side's payoff, as it sees it, with its best response to the other's reach."""
        tree, lay, reach = self.tree, machine.sides[1 - side], machine.reach[1 - side]
        leaves = list(tree.ends)
        size = self.groups[1 - side].number
        vectors = np.stack([reach[lay.at[leaf] : lay.at[leaf] + size] for leaf in leaves])
        some, of_leaf = np.unique(vectors, axis=0, return_inverse=True)
        columns = np.ascontiguousarray(some.T)
        of_leaf = of_leaf.reshape(-1)
        factors = [
            coefficients(tree.ends[leaf], self.phase, self.game.target, side) for leaf in leaves
        ]
        used = np.flatnonzero(np.any(factors, axis=0))
        total = 0.0
        for _, rows in self.meeting(side).blocks():
            products = {base: rows.all[base] @ columns for base in used}
            values: dict[int, Vector] = {}
            for leaf, at, factor in zip(leaves, of_leaf, factors, strict=True):
                values[leaf] = np.asarray(
                    sum(factor[base] * products[base][:, at] for base in used if factor[base])
                )
            total += float(self._up(values, side).sum(dtype=np.float64))
        return total / self.played

    def _up(self, values: dict[int, Vector], side: int) -> Vector:
        tree = self.tree
        for node in range(len(tree.kind) - 1, -1, -1):
            if node in values:
                continue
            below = [values.pop(child) for child in tree.options(node).values()]
            best = tree.kind[node] == FIRST + side
            values[node] = np.maximum.reduce(below) if best else np.add.reduce(below)
        return values[0]
