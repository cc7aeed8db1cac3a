"""Speed of duels of many hands in every seat: over the splits, against hand by hand.

    python tests/benchmarks/bench_duel.py [GAME] [HANDS]

Figures are processor seconds of one core. The baseline takes the hands of the seat with
the fewest one by one, as musodds does with few of them; it is timed on some (HANDS) and
told for all.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
import time

import numpy as np

from musodds.chances.duel import _Count, duel
from musodds.knowledge.knowledge import know
from musodds.rules.games import get_game
from musodds.rules.hands import hands

QUESTIONS = (("any", "any", "any", "any"), ("pares", "any", "any", "any"), ("juego", "pares") * 2)


def seconds(question) -> float:
    start = time.process_time()
    question()
    return time.process_time() - start


def by_hand(name: str, held: tuple[str, ...], some: int) -> float:
    """Processor seconds for all hands of the seat with the fewest, by some of them."""
    game = get_game(name)
    counted = _Count(know(game, seats=dict(enumerate(held, start=1))))
    every = np.flatnonzero(counted.weights)
    few = np.zeros_like(counted.weights)
    few[every[:: max(1, len(every) // some)][:some]] = 1
    counted.weights = few
    return seconds(lambda: counted._count()) * len(every) / np.count_nonzero(few)


def main(name: str = "mus", some: int = 5) -> None:
    duel(("pares & 31", "any", "any", "any"), game=name)
    print(f"{name}: {len(hands(get_game(name)))} hands")
    for held in QUESTIONS:
        found = seconds(lambda held=held: duel(held, game=name))
        baseline = by_hand(name, held, some)
        print(f"{' '.join(held):24} {found:6.2f} s, hand by hand {baseline:6.1f} s: "
              f"{baseline / found:5.1f} times as fast")  # fmt: skip


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:3]))
