"""Kuhn poker is a phase with one bet and three cards; its value is known."""

import numpy as np
import pytest

from musodds.solver.best_response import measure
from musodds.solver.discounted_cfr import DiscountedCFR
from musodds.solver.machine import Machine
from musodds.solver.sizes import read_sizes
from musodds.solver.tree import Builder, phase_tree


def kuhn(dtype: type, workers: int = 1) -> Machine:
    """Ante 1: passed, the higher card takes 1; a bet adds 1 to it."""
    tree = phase_tree(
        Builder(read_sizes("2", "none", 0), lambda side, part: (0, 3), None, 40), "grande"
    )
    higher = np.sign(np.arange(3)[:, None] - np.arange(3))
    dealt = (1 - np.eye(3)) / 6
    worth, leaf = [], np.full(len(tree.kind), -1)
    for node, end in tree.ends.items():
        leaf[node] = len(worth)
        if any(end.gained):
            worth.append(dealt * (end.gained[0] - end.gained[1]))
        else:
            worth.append(dealt * higher * (end.endings[0].stones if end.endings else 1))
    return Machine(tree, [matrix.astype(dtype) for matrix in worth], leaf, workers)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_kuhn_poker(dtype: type) -> None:
    run = DiscountedCFR(kuhn(dtype))
    gaps = []
    for goal in (30, 1000):
        while run.iterations < goal:
            run.step()
        gaps.append(measure(run.machine, run.sums))
    assert gaps[1].exploitability < gaps[0].exploitability
    assert gaps[1].exploitability < 1e-3
    for gap in gaps:
        assert gap.least - 1e-7 <= -1 / 18 <= gap.most + 1e-7
    for gap in gaps:
        assert gap.least <= gap.value + 1e-7
        assert gap.value <= gap.most + 1e-7
