"""Speed of odds under knowledge, against plain enumeration in the same run.

    python tests/benchmarks/bench_knowledge.py [GAME]

Figures are processor seconds of one core, engine only: the best of a few runs after a
first one, which fills the caches of a game. The baseline judges every combination of
partner and rivals in grande alone, as arrays, one hand of the partner at a time.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import resource
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

from musodds.chances.joint import joint
from musodds.chances.odds import known_odds
from musodds.chances.reading import read_others as read
from musodds.knowledge.knowledge import know
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.rules.ways import choose
from musodds.simulation.conditional_deals import ConditionalDeals

HAND = "RC5A"
RUNS, DEALS = 5, 100_000
RANGES = {
    "wide sets": {"partner": "!RRRR", "next": "!AAAA", "previous": "!RRRC"},
    "narrow sets": {"partner": "pares", "next": "juego", "previous": "RR??"},
    "weights": {
        "partner": "31@0.75 | pares@0.35 | any@0.013",
        "next": "juego@0.91 | any@0.17",
        "previous": "pares@0.333 | any@0.77",
    },
    "known partner": {"partner": "C765"},
}


def best(question: Callable[[], object], runs: int) -> float:
    question()
    times = []
    for _ in range(runs):
        start = time.process_time()
        question()
        times.append(time.process_time() - start)
    return min(times)


def baseline(game_name: str) -> float:
    """Grande from seat 1 with any hands of the others, by plain enumeration."""
    game = get_game(game_name)
    all_hands = hands(game)
    counts, level = all_hands.counts, all_hands.level["grande"]
    left = game.deck.copies - counts[all_hands.index(HAND)]
    start = time.process_time()
    won = total = 0
    for mate in np.flatnonzero((counts <= left).all(axis=1)):
        after = left - counts[mate]
        ways = choose(left, counts[mate]) * choose(after, counts)
        mine = max(level[all_hands.index(HAND)], level[mate])
        for rival in np.flatnonzero(ways):
            number = ways[rival] * choose(after - counts[rival], counts)
            total += number.sum()
            if level[rival] <= mine:
                won += number[level <= mine].sum()
    seconds = time.process_time() - start
    exact = known_odds(HAND, game=game, seat=1)[1]
    assert total == exact.deals
    return seconds


def main(game: str) -> None:
    slow = baseline(game)
    print(f"{game}, {HAND}: plain enumeration of grande alone  {slow:8.2f} s")
    for name, pieces in RANGES.items():
        known = know(game, **pieces)
        for what, question in (
            ("odds, all columns", lambda known=known: known_odds(HAND, seat=1, knowledge=known)),
            ("read", lambda known=known: read(HAND, seat=1, knowledge=known)),
            ("joint", lambda known=known: joint(HAND, seat=1, knowledge=known)),
        ):
            seconds = best(question, min(RUNS, 3) if what == "joint" else RUNS)
            print(f"{name:14} {what:18} {seconds * 1000:8.1f} ms   {slow / seconds:8.0f} x")
    known = know(game, partner="AAAA", next="CCC?", previous="7???")
    start = time.process_time()
    deals = ConditionalDeals(known.game, known.weights(1), known.dead)
    deals.sample(DEALS, seed=1)
    print(
        f"{DEALS:,} deals of ranges that are rarely met together: "
        f"{time.process_time() - start:.2f} s"
    )
    command = [sys.executable, "-m", "musodds", "hand", HAND, "--game", game, "--seat", "1"]
    for extra in (["--partner", "C765"], ["--rivals", "pares", "--partner", "!31"], ["--joint"]):
        subprocess.run([*command, *extra], capture_output=True, check=True)
        before = children()
        subprocess.run([*command, *extra], capture_output=True, check=True)
        print(f"whole process, {' '.join(extra):32} {children() - before:.2f} s")


def children() -> float:
    """Processor seconds of the processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "mus")
