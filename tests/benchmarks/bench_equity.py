"""Times of the equity table, a decision and a thresholds table, from nothing and again.

    python tests/benchmarks/bench_equity.py           # mus, about a minute
    python tests/benchmarks/bench_equity.py mus4      # another game

Each command is timed on one core in processes of its own, compiled before: from nothing
(no counts are kept) and again. The baseline of the joint distribution is a plain loop
over the splits of the rivals' cards, one comparison after another, for a sample of my
side's cards in the same run; that of the commands is the time of starting one.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import subprocess
import sys
import tempfile
import time

import numpy as np
from numba import njit

from musodds.exact.outcomes.by_hand import count_by_hand
from musodds.exact.outcomes.deal_stones import counted_stones
from musodds.exact.splits import rivals
from musodds.rules.games import get_game
from musodds.rules.hands import hands, lane_codes
from musodds.stakes.equity import backward
from musodds.store.cache import VARIABLE

ROWS = 40
"""Of the sample for the plain loop."""


@njit(cache=True)
def plainly(available, part_of, ways, mine, theirs, counts):
    """Compare each split of my side with each of theirs, one row of my side's cards."""
    for i in range(len(part_of)):
        weight = np.int64(available[part_of[i]]) * np.int64(ways[i])
        if weight:
            for k in range(len(mine)):
                wins = 0
                for lane in range(4):
                    wins |= np.int64(mine[k, lane] > theirs[i, lane]) << lane
                counts[wins] += weight


def baseline(game, rows):
    """Seconds for one row of my side's cards, plainly compared."""
    table, all_hands = rivals(game, game.side_size), hands(game)
    mate = game.partners(1)[0] if game.side_size > 1 else 1
    other = game.rivals(1)[-1]
    mine = np.maximum(
        lane_codes(all_hands, 1)[table.first], lane_codes(all_hands, mate)[table.second]
    )
    theirs = np.maximum(
        lane_codes(all_hands, 2)[table.first], lane_codes(all_hands, other)[table.second]
    )
    chosen = np.random.default_rng(1).choice(len(table.parts), rows, replace=False)
    counts = np.zeros(16, dtype=np.int64)
    taken = 0.0
    for row in (chosen[0], *chosen):
        available = table.available(table.parts[[row]])[0]
        own = mine[table.part_of == row]
        start = time.process_time()
        plainly(available, table.part_of, table.ways, own, theirs, counts)
        if row != chosen[0] or taken:
            taken += time.process_time() - start
    return taken / (rows - 1)


def whole(*arguments, cache):
    """Processor seconds of a whole process that keeps its counts in a folder."""
    before = os.times()
    subprocess.run(
        [sys.executable, "-m", "musodds", *arguments],
        check=True,
        capture_output=True,
        env={**os.environ, VARIABLE: str(cache)},
    )
    after = os.times()
    return (
        after.children_user + after.children_system - before.children_user - before.children_system
    )


def main(name: str) -> None:
    game = get_game(name)
    count_by_hand(get_game("mus2p"), 1)  # compiles
    start = time.process_time()
    outcomes = count_by_hand(game, 1)
    joint = time.process_time() - start
    deal = counted_stones(game)
    assert outcomes.all().total == deal.total
    start = time.process_time()
    backward(deal)
    table = time.process_time() - start
    per_row = baseline(game, ROWS)
    estimate = per_row * len(rivals(game, game.side_size).parts)
    print(f"{name}: joint distribution from nothing  {joint:6.2f} s", end="")
    print(f"  (plain loop, from a sample: {estimate:.1f} s, {estimate / joint:.1f} times)")
    print(f"{name}: equity of all scores from it     {table:6.2f} s")
    commands = {
        "bet": (
            "bet",
            "RR7A",
            "--seat",
            str(game.seats - 1),
            "--phase",
            "pares",
            "--score",
            "32-35",
        ),
        "thresholds": ("thresholds", "--score", "32-35"),
        "equity": ("equity", "--score", "32-35"),
    }
    with tempfile.TemporaryDirectory() as folder:
        nothing = min(whole("--version", cache=folder) for _ in range(3))
        for label, arguments in commands.items():
            command = (*arguments, "--game", name)
            first = min(whole(*command, cache=f"{folder}/{label}{i}") for i in range(2))
            again = min(whole(*command, cache=f"{folder}/{label}0") for _ in range(3))
            for when, seconds in (("from nothing", first), ("again", again)):
                print(f"{name}: musodds {label:10} {when:12} {seconds:6.2f} s", end="")
                print(f"  ({seconds / nothing:.0f} times musodds --version)")


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["mus"]))
