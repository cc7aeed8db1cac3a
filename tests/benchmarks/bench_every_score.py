"""The gap at every score from 0-0 to 39-39: one phase of two players, all 1,600 of them.

    python tests/benchmarks/bench_every_score.py [juego [600]]

Prints, for each of mano's stones, the largest gap in stones after some iterations (30, 100
and all), where it is, and where it has risen; processor seconds as a ratio to the first row.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
import time
from itertools import pairwise

from musodds.rules.games import get_game
from musodds.solver.best_response import measure
from musodds.solver.discounted_cfr import DiscountedCFR
from musodds.solver.game import Spec
from musodds.solver.machine import Machine
from musodds.solver.sizes import read_sizes

GAME, SIZES = get_game("mus2p"), read_sizes("2,ordago", "ordago", 0)
ROUNDING = 1e-6
"""Of a game: what single precision cannot tell from nothing."""


def gaps(phase, score, goals):
    spec = Spec(GAME, phase, score, "equity", SIZES)
    matrices, leaf = spec.matrices(spec.cells()[0])
    run, found = DiscountedCFR(Machine(spec.tree, matrices, leaf)), []
    for goal in goals:
        while run.iterations < goal:
            run.step()
        found.append(measure(run.machine, run.sums).exploitability)
    return found


def main(words):
    phase, last = (words + ["juego", "600"][len(words) :])[:2]
    goals, risen, base = (30, 100, int(last)), [], None
    print(f"{phase}: mano's stones, the largest gap after {goals} iterations, and at what score")
    for mine in range(GAME.target):
        began, worst = time.process_time(), [(0.0, 0)] * 3
        for theirs in range(GAME.target):
            found = gaps(phase, (mine, theirs), goals)
            worst = [max(w, (gap, theirs)) for w, gap in zip(worst, found, strict=True)]
            if any(b > max(a, ROUNDING) for a, b in pairwise(found)):
                risen.append((mine, theirs))
                told = ", ".join(f"{gap / 0.04:.5f}" for gap in found)
                print(f"risen at {mine}-{theirs}: {told}", flush=True)
        taken = time.process_time() - began
        base = base or taken
        shown = "  ".join(f"{gap / 0.04:.5f} ({mine}-{at})" for gap, at in worst)
        print(f"{mine:3}  {shown}  {taken:.1f} s, {taken / base:.2f}", flush=True)
    print(f"risen at {len(risen)} of {GAME.target**2} scores: {risen[:20]}")


if __name__ == "__main__":
    main(sys.argv[1:])
