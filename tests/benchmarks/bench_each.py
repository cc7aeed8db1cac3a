"""Time, memory and distance from an equilibrium of single phases, every player for himself.

    python tests/benchmarks/bench_each.py                    # all phases at 0-0 and 38-38
    python tests/benchmarks/bench_each.py grande 32-35       # one of them
    python tests/benchmarks/bench_each.py grande 32-35 stones

Processor seconds on one core, compiled before. The baseline of a deal learned from is the
same deal dealt and compared without betting, in the same run. Gains are in stones, per
deal in which the phase is bet on: `lo` of a response chosen on other deals, with its
standard error, `most` an upper bound; *both hands*: of a side that sees them.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import resource
import sys
import time

import numpy as np

from musodds.playing.actions import ORDAGO
from musodds.rules.game import PHASES
from musodds.rules.games import get_game
from musodds.solver.each import solve_each
from musodds.solver.each_learn import Learner
from musodds.solver.each_measure import measure, measure_side
from musodds.solver.each_payoff import pack_cards, payoffs
from musodds.solver.each_play import Play
from musodds.solver.each_tree import each_tree
from musodds.stakes.scores import read_score

GAME = get_game("mus")
OFFER = (2, ORDAGO), (2, ORDAGO)
FEW = 400
"""Iterations that are timed."""


def played(phase, score, payoff, bets=OFFER[0]):
    tree = each_tree(GAME, phase, bets, OFFER[1], 1)
    total = float(payoff == "equity")
    return Play(tree, pack_cards(GAME, phase), payoffs(tree, score, payoff), total, 1)


def microseconds(learner, iterations, deals):
    start = time.process_time()
    learner.run(learner.iterations + iterations)
    return (time.process_time() - start) / deals * 1e6


def bench(phase, score, payoff):
    from musodds.solver.each_learn import ITERATION

    plain = Learner(played(phase, score, payoff, ()))
    full = Learner(played(phase, score, payoff))
    for learner in (plain, full):
        learner.run(2)
    base, cost = (microseconds(x, FEW, FEW * ITERATION) for x in (plain, full))
    start = time.process_time()
    found = solve_each(phase, GAME, score=score, payoff=payoff)
    taken = time.process_time() - start
    seen, stone = found.measured, found.stone
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{phase} {score[0]}-{score[1]} {payoff}: {taken:.0f} s, {memory:.0f} MB, "
        f"{len(found.tree.points)} points, {found.iterations} iterations; a deal learned from "
        f"takes {cost:.2f} us, {cost / base:.1f} times one without bets"
    )
    print(
        f"  value {found.value:.5f} +- {found.value_se:.5f}, bet on in {seen.contested:.4f} of "
        f"deals, a stone is worth {stone:.4f}"
    )
    print(
        f"  any one player: lo {np.round(seen.gains / stone, 4)} "
        f"se {seen.gains_se.max() / stone:.4f} most {np.round(seen.gains_most / stone, 4)}"
    )
    for side, gain in enumerate(found.sides):
        print(
            f"  both hands, {('mano', 'postre')[side]}'s side: {gain.gain / stone:.4f} +- "
            f"{gain.se / stone:.4f}, most {gain.most / stone:.4f}"
        )
    said, answered = found.ordagos
    print(f"  órdago said in {said:.4f} of them, then seen in {answered:.4f}", flush=True)


def main():
    measure_first()
    if sys.argv[1:]:
        payoff = sys.argv[3] if len(sys.argv) > 3 else "equity"
        bench(sys.argv[1], read_score(sys.argv[2], GAME), payoff)
        return
    for score in ((0, 0), (38, 38)):
        for phase in PHASES:
            bench(phase, score, "equity")


def measure_first():
    """Have everything compiled and counted."""
    play = played("punto", (38, 38), "equity")
    learner = Learner(play)
    learner.run(1)
    measure(play, learner.strategy(), 32)
    measure_side(play, learner.strategy(), 0, 1)


if __name__ == "__main__":
    main()
