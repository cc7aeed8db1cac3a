"""Speed and memory of the exact engine, against naive enumeration in the same run.

    python tests/benchmarks/bench_exact.py            # mus, about a minute
    python tests/benchmarks/bench_exact.py --all      # and the whole table of mus4

The baseline is a triple loop over partner and rivals in numba, which judges all five
phases in all four seats for one hand, with the number of deals of each combination.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import multiprocessing
import resource
import subprocess
import sys
import time
from math import comb
from pathlib import Path

import numpy as np
from numba import njit

from musodds.exact.phases.columns import COLUMNS
from musodds.exact.phases.count import count
from musodds.exact.splits import rivals
from musodds.rules.game import PHASES
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.store.numbers import published_counts

RUNS = 15
"""Of the whole process, and of its baseline."""


@njit(cache=True)
def naive(me, counts, copies, choose, levels, wins):
    """Deals won, per seat and phase, by plain enumeration of the three other hands."""
    classes, kinds = counts.shape
    phases = levels.shape[0]
    total = 0
    gone = np.empty(kinds, np.int64)
    best = np.empty(4, np.int64)
    for a in range(classes):
        ways_a = 1
        for k in range(kinds):
            ways_a *= choose[copies[k] - counts[me, k], counts[a, k]]
        if ways_a == 0:
            continue
        for b in range(classes):
            ways_b = ways_a
            for k in range(kinds):
                left = copies[k] - counts[me, k] - counts[a, k]
                ways_b *= choose[left, counts[b, k]]
            if ways_b == 0:
                continue
            for k in range(kinds):
                gone[k] = copies[k] - counts[me, k] - counts[a, k] - counts[b, k]
            for c in range(classes):
                ways = ways_b
                for k in range(kinds):
                    ways *= choose[gone[k], counts[c, k]]
                if ways == 0:
                    continue
                total += ways
                for seat in range(4):
                    best[seat] = me
                    best[(seat + 1) % 4] = b
                    best[(seat + 2) % 4] = a
                    best[(seat + 3) % 4] = c
                    for phase in range(phases):
                        winner, level, out = -1, 0, 0
                        for s in range(4):
                            out += levels[phase, best[s]] == 0
                            if levels[phase, best[s]] > level:
                                winner, level = s, levels[phase, best[s]]
                        if phase == phases - 1 and out:  # punto: somebody has juego
                            continue
                        if winner >= 0 and (winner - seat) % 2 == 0:
                            wins[seat, phase] += ways
    return total


def timed(function, *arguments, repeat=3):
    """The least seconds of a few calls."""
    best = np.inf
    for _ in range(repeat):
        start = time.perf_counter()
        function(*arguments)
        best = min(best, time.perf_counter() - start)
    return best


def naive_seconds(game) -> float:
    all_hands = hands(game)
    levels = np.stack([all_hands.level[phase] for phase in PHASES])
    choose = np.array([[comb(n, k) for k in range(9)] for n in range(9)])
    me = all_hands.index("RR7A")
    copies, counts = game.deck.copies, all_hands.counts
    # Of one class: compiles, and there are never fewer cards left than are taken.
    naive(0, counts[:1], copies, choose, levels, np.zeros((4, 5), np.int64))
    wins = np.zeros((4, 5), np.int64)
    start = time.perf_counter()
    naive(me, counts, copies, choose, levels, wins)
    seconds = time.perf_counter() - start
    exact = published_counts(game)[me, :, :, COLUMNS.index("win")]
    assert (wins == exact).all(), "the baseline and the engine disagree"
    return seconds


def whole_table(name: str, results) -> None:
    """From nothing, in a process of its own: seconds and peak memory."""
    game = get_game(name)
    hands(game)
    count(game, np.array([0]), (1,))  # load the compiled loop
    rivals.cache_clear()
    start = time.perf_counter()
    counts = count(game, np.arange(len(hands(game))), (1, 2, 3, 4))
    seconds = time.perf_counter() - start
    same = bool((counts == published_counts(game)).all())
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    results.put((seconds, memory, same))


def report_table(name: str, baseline: float | None) -> None:
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    process = context.Process(target=whole_table, args=(name, results))
    process.start()
    seconds, memory, same = results.get()
    process.join()
    ratio = "" if baseline is None else f"{330 * baseline / seconds:8.0f} × naive enumeration"
    print(f"whole table of {name:5} {seconds:8.2f} s {memory:7.0f} MiB {ratio}  equal: {same}")


def whole_process() -> None:
    script = str(Path(sys.executable).with_name("musodds"))
    base = [sys.executable, "-c", "import numpy, click"]

    def run(command):
        subprocess.run(command, check=True, capture_output=True)

    for command in ([script, "hand", "RR7A"], base):
        run(command)
    pairs = [
        (timed(run, [script, "hand", "RR7A"], repeat=1), timed(run, base, repeat=1))
        for _ in range(RUNS)
    ]
    ours, theirs = (float(np.median(column)) for column in zip(*pairs, strict=True))
    print(
        f"musodds hand RR7A     {ours:8.3f} s {ours / theirs:8.2f} × import numpy, click "
        f"({theirs:.3f} s)"
    )


def main() -> None:
    game = get_game("mus")
    baseline = naive_seconds(game)
    print(f"naive, one hand       {baseline:8.2f} s (wins of all seats and phases)")
    report_table("mus", baseline)
    for name in ("mus", "mus4"):
        game = get_game(name)
        all_hands = hands(game)
        me, mate = all_hands.index("RR7A"), all_hands.index("CS65")
        every_seat = (1, 2, 3, 4)
        one = timed(count, game, np.array([me]), every_seat, repeat=5)
        pair = timed(count, game, np.array([me]), every_seat, mate, repeat=20)
        print(f"one hand of {name:5}     {one * 1000:8.1f} ms {baseline / one:8.0f} × naive")
        print(f"one pair of {name:5}     {pair * 1000:8.2f} ms")
    whole_process()
    if "--all" in sys.argv[1:]:
        report_table("mus4", None)


if __name__ == "__main__":
    main()
