"""Speed of simulation in every game, per seat dealt, as a ratio to `mus`.

    python tests/benchmarks/bench_games.py [GAME...]

Processor time of one thread, after a first run that compiles: plain deals, and one round
of mus for everybody who plays it. In mus visto everybody changes cards once more, so it is
set beside `mus` with one round more. The runs of a game and of `mus` take turns, and of
each the fastest of some counts, so that other work on the machine is left out.
"""

from __future__ import annotations

import sys
import time

from musodds.rules.cards import CARDS
from musodds.rules.games import GAMES, get_game
from musodds.simulation.simulate import simulate

DEALS, TURNS = 200_000, 25


def seats_per_second(name: str, rounds: int, deals: int) -> float:
    changes = rounds + get_game(name).visto
    policy = "kings" if changes else "none"
    start = time.process_time()
    simulate(name, n=deals, seed=1, workers=1, rounds=rounds, policy=policy)
    return deals * get_game(name).seats / (time.process_time() - start)


def ratio(name: str, rounds: int) -> tuple[float, float]:
    """Millions of seats a second, and over those of `mus`."""
    runs = ((name, rounds), ("mus", rounds + get_game(name).visto))
    for run in runs:
        seats_per_second(*run, 1000)
    speeds = [[seats_per_second(*run, DEALS) for run in runs] for _ in range(TURNS)]
    own, baseline = (max(column) for column in zip(*speeds, strict=True))
    return own / 1e6, own / baseline


def main() -> None:
    print("millions of seats a second, and as a ratio to mus (at least 0.5 is asked)")
    print(f"{'game':20} {'plain deals':>16} {'a round of mus':>16}")
    for name in sys.argv[1:] or GAMES:
        cells = []
        for rounds in (0, 1) if get_game(name).cards_dealt == CARDS else (0,):
            speed, relative = ratio(name, rounds)
            cells.append(f"{speed:8.1f} {relative:7.2f}")
        print(f"{name:20} {' '.join(cells)}")


if __name__ == "__main__":
    main()
