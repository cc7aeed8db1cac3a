"""Times of discard advice and of the solver's inner loop.

Run as a script. Prints the time of ``musodds discard HAND`` for mano and for all seats as a
process (after a first run, which compiles), as a multiple of ``musodds games`` as well; the
same where nothing is compiled yet, as in a new installation; and what averaging over all
draws is worth: the time that playing out one draw per deal takes to the same paired standard
error, as a multiple of the time that the averaged kernel takes, measured in the same run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from musodds.exact.draws.keeps import distinct_keeps
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.simulation.named_policies import get_policy
from musodds.simulation.policies import Policy
from musodds.strategy.trials import Trial

SCRIPT = Path(sys.executable).with_name("musodds")
DEALS, RUNS = 40_000, 3
HANDS = "RR7A", "C654", "RRRR"


def process(*arguments: str, new: bool = False) -> tuple[float, float]:
    """Wall time and processor time of the whole process, the best of some runs.

    If new, with a folder of compiled kernels that is empty.
    """
    import resource

    found = []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as folder:
            there = {"NUMBA_CACHE_DIR": folder} if new else {}
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            start = time.perf_counter()
            subprocess.run(
                [SCRIPT, *arguments], check=True, capture_output=True, env={**os.environ, **there}
            )
            wall = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        found.append((wall, used))
    return min(found)


def cost(trial: Trial, seed: int) -> float:
    """Processor seconds × variance of the difference of the first two keeps, per deal."""
    trial.play(seed, 0, 100)
    start = time.process_time()
    sample = trial.play(seed, 1, DEALS)
    used = time.process_time() - start
    _, covariance = sample.estimates()
    return used * float(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])


def main() -> None:
    game = get_game("mus")
    subprocess.run([SCRIPT, "discard", "RR7A", "--seat", "mano"], check=True, capture_output=True)
    base, _ = process("games")
    for hand in HANDS:
        for seat in ("mano", "all"):
            wall, used = process("discard", hand, "--seat", seat)
            print(
                f"musodds discard {hand} --seat {seat}: {wall:.2f} s, processor {used:.2f} s, "
                f"{wall / base:.1f} x musodds games"
            )
    wall, used = process("discard", "RR7A", new=True)
    print(
        f"musodds discard RR7A, nothing compiled: {wall:.2f} s, processor {used:.2f} s, "
        f"{wall / base:.1f} x musodds games"
    )
    kings = get_policy("kings", game)
    once = Policy("once", game, kings.keep, kings.cut | True)
    for hand in HANDS[:2]:
        index = hands(game).index(hand)
        keep = distinct_keeps(hands(game).counts[index])
        averaged = cost(Trial(once, 1, index, keep), 1)
        played = cost(Trial(once, 1, index, keep, rounds=2), 1)
        print(f"{hand}: averaging over the draws is worth {played / averaged:.1f} x playing one")


if __name__ == "__main__":
    main()
