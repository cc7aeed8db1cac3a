"""What one deal is worth at a score when both sides bet well: a node of solved equity.

A deal is solved as :func:`musodds.solver.betting.solve_betting` does, with any equity of
the scores after it; but nothing is kept of it except its value. The value settles long
before the strategies do: what is told is the middle of the two bounds that the best
responses give, and half their distance, the gap, bounds its error.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from time import process_time

from musodds.rules.game import Game
from musodds.solver.best_response import measure
from musodds.solver.betting import in_stones
from musodds.solver.discounted_cfr import DiscountedCFR
from musodds.solver.game import DEAL, EQUITY, Spec
from musodds.solver.machine import Machine
from musodds.solver.payoffs import Cell
from musodds.solver.sizes import Sizes
from musodds.stakes.equity import Equity

_FIRST, _EVERY = 20, 10
MOST_ITERATIONS = 2000


@dataclass(frozen=True, slots=True)
class DealValue:
    """A deal at a score.

    Parameters
    ----------
    score : tuple of int
        Mano's side first.
    value : float
        The chance of winning the game of mano's side.
    gap : float
        By how much it may be off, as a chance: half of what best responses leave open.
    iterations : int
    seconds : float
        Of a processor.
    """

    score: tuple[int, int]
    value: float
    gap: float
    iterations: int
    seconds: float


def deal_value(
    game: Game, score: tuple[int, int], sizes: Sizes, table: Equity, gap: float
) -> DealValue:
    """Solve the deal at a score until the gap is at most so many stones."""
    begun = process_time()
    spec = Spec(game, DEAL, score, EQUITY, sizes, table=table)
    matrices, leaf_matrix = spec.matrices(cells_of_deal(game))
    machine = Machine(spec.tree, matrices, leaf_matrix)
    run = DiscountedCFR(machine)
    while True:
        run.step()
        if run.iterations < _FIRST or run.iterations % _EVERY:
            continue
        found = measure(machine, run.sums)
        enough = in_stones(spec, found.exploitability) <= gap
        if enough or run.iterations >= MOST_ITERATIONS:
            break
    value = min(1.0, max(0.0, (found.most + found.least) / 2))
    return DealValue(
        score, value, max(0.0, found.exploitability), run.iterations, process_time() - begun
    )


@lru_cache(maxsize=2)
def cells_of_deal(game: Game) -> list[Cell]:
    """The pairs of hands, which no score changes."""
    return Spec(game, DEAL, (0, 0), EQUITY, Sizes()).cells()[0]
