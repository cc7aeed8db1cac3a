"""Speed of simulation in every game, per seat dealt, as a ratio to `mus`.

    python tests/benchmarks/bench_games.py [GAME...]

Deals without mus, one thread, processor time; after a first run that compiles.
"""

from __future__ import annotations

import sys
import time

from musodds.errors import InputError
from musodds.games import GAMES, get_game
from musodds.montecarlo import simulate

DEALS = 2_000_000


def seats_per_second(name: str) -> float:
    simulate(name, n=1000, seed=1, workers=1, rounds=0, policy="none")
    start = time.process_time()
    simulate(name, n=DEALS, seed=1, workers=1, rounds=0, policy="none")
    return DEALS * get_game(name).seats / (time.process_time() - start)


def main() -> None:
    baseline = seats_per_second("mus")
    for name in sys.argv[1:] or GAMES:
        try:
            speed = seats_per_second(name)
        except InputError as error:
            print(f"{name:20} {error}")
            continue
        print(
            f"{name:20} {speed / 1e6:6.1f} million seats a second, {speed / baseline:4.2f} of mus"
        )


if __name__ == "__main__":
    main()
