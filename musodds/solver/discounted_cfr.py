"""Discounted counterfactual regret minimization.

After iteration t regrets above 0 are multiplied by
t^α / (t^α + 1), those below 0 by t^β / (t^β + 1), and what iteration t adds to the
average strategy weighs t^γ. Sides take turns; all types go through the tree together.

References
----------
N. Brown and T. Sandholm, *Solving imperfect-information games via discounted regret
minimization*, AAAI 2019.
"""

from __future__ import annotations

from musodds.solver.machine import UPDATE, Machine, Vector

ALPHA, BETA, GAMMA = 1.5, 0.0, 4.0


class DiscountedCFR:
    """The state of a run.

    Attributes
    ----------
    machine : Machine
    regrets, sums : list of ndarray
        By side; ``sums`` are in proportion to the average strategy.
    iterations : int
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.regrets: list[Vector] = [machine.zeros(side) for side in (0, 1)]
        self.sums: list[Vector] = [machine.zeros(side) for side in (0, 1)]
        self.iterations = 0

    def step(self) -> None:
        """One iteration: either side is updated against the other's present strategy."""
        self.iterations += 1
        t = self.iterations
        gain, loss = t**ALPHA / (t**ALPHA + 1), t**BETA / (t**BETA + 1)
        keep = ((t - 1) / t) ** GAMMA
        for side in (0, 1):
            other = 1 - side
            self.machine.down(other, self.regrets[other], self.sums[other], keep)
            self.machine.up(side, self.regrets[side], UPDATE, gain, loss)
