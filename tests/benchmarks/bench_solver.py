"""Betting solved: CPU seconds, gap and memory, each from an interpreter that has compiled.

Run ``python tests/benchmarks/bench_solver.py [NAME ...]``; without names the short ones.
Times are CPU seconds of the whole question (matrices, iterations, gap, worths) in a
process of its own, and as a ratio to the first one that is run; the table of pairs is in
the cache. ``table`` counts that table.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time

CASES = {
    "phase-2p": ("grande", {"game": "mus2p", "gap": 0.002}),
    "phase-own": ("grande", {"gap": 0.002}),
    "pares-own": ("pares", {"score": (32, 35), "gap": 0.002}),
    "juego-own": ("juego", {"score": (32, 35), "gap": 0.002}),
    "deal-2p-38": ("deal", {"game": "mus2p", "score": (38, 38), "bets": "ordago"}),
    "deal-2p": ("deal", {"game": "mus2p"}),
    "deal-own": ("deal", {"score": (32, 35)}),
    "deal-2p-wide": ("deal", {"game": "mus2p", "bets": "2,5,ordago", "gap": 0.01}),
}
SHORT = ("phase-2p", "phase-own", "pares-own", "juego-own", "deal-2p-38")


def one(name: str, workers: int) -> None:
    """Solve one case twice over and print what the second time took."""
    from musodds.solver.betting import solve_betting

    what, options = CASES[name]
    solve_betting(what, **{**options, "iterations": 2}, workers=workers)  # compiles
    wall, cpu = time.perf_counter(), time.process_time()
    solved = solve_betting(what, **options, workers=workers)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        name, cpu, wall, solved.exploitability_stones, solved.iterations, solved.value,
        solved.tree.decisions, memory,
    )  # fmt: skip


def table() -> None:
    from musodds.rules.games import get_game
    from musodds.solver.pairs import _counted

    cpu = time.process_time()
    words = _counted(get_game("mus"), (1, 2))
    print(f"table of pairs: {time.process_time() - cpu:.0f} s CPU, {words.nbytes / 2**20:.0f} MiB")


def main(names: list[str]) -> None:
    if names == ["table"]:
        return table()
    if names[:1] == ["one"]:
        return one(names[1], int(names[2]))
    print(f"{'case':14}{'CPU s':>8}{'ratio':>8}{'wall':>8}{'gap':>9}{'its':>6}{'value':>9}"
          f"{'decisions':>11}{'MiB':>7}")  # fmt: skip
    base = None
    for name in names or SHORT:
        case, _, workers = name.partition(":")
        command = [sys.executable, __file__, "one", case, workers or "1"]
        found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        cpu, wall, gap, its, value, decisions, memory = map(float, found[1:])
        base = base or cpu
        print(f"{name:14}{cpu:8.1f}{cpu / base:8.1f}{wall:8.1f}{gap:9.5f}{its:6.0f}{value:9.5f}"
              f"{decisions:11.0f}{memory:7.0f}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])
