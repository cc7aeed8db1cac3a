"""The exact best response to a strategy, and how far a pair of them is from equilibrium."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from musodds.solver.machine import FOLLOW, RESPOND, Machine, Vector


@dataclass(frozen=True, slots=True)
class Gap:
    """What two strategies are worth, and what either side could still gain.

    Attributes
    ----------
    value : float
        The first side's payoff when both follow their strategies.
    most, least : float
        Its payoff when it (the other side) plays the best response instead.
    """

    value: float
    most: float
    least: float

    @property
    def exploitability(self) -> float:
        """The mean of what either side gains by its best response."""
        return (self.most - self.least) / 2


def measure(machine: Machine, strategies: list[Vector]) -> Gap:
    """Measure a pair of strategies, given by tables in proportion to them."""
    machine.down(0, strategies[0])
    least = machine.up(1, strategies[1], RESPOND).sum(dtype=np.float64)
    machine.down(1, strategies[1])
    most = machine.up(0, strategies[0], RESPOND).sum(dtype=np.float64)
    value = machine.up(0, strategies[0], FOLLOW).sum(dtype=np.float64)
    return Gap(float(value), float(most), float(least))
