"""One phase with signs and with both hands known: CPU seconds, gap and memory.

    python tests/benchmarks/bench_sides.py                     # the figures
    python tests/benchmarks/bench_sides.py grande:shared:2,ordago:0.005 ...
    python tests/benchmarks/bench_sides.py price grande        # what signs are worth

Each case runs in a process of its own that has compiled before; the ratio is to the
first. *gap* is in stones over all holdings of a side, *groups* that between groups. The
price of signs: the value to mano's side, and to the other's, of knowing more than *own*
against *own*, bets and raises 2 and órdago.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import resource
import subprocess
import sys
import time

CASES = (
    "grande:shared:2,ordago:0.005", "chica:shared:2,ordago:0.005",
    "pares:shared:2,ordago:0.005", "juego:shared:2,ordago:0.005",
    "punto:shared:2,ordago:0.005", "grande:signals:2,ordago:0.005",
    "grande:signals+federation:2,ordago:0.005",
)  # fmt: skip


def one(case: str) -> None:
    from musodds.solver.sides import solve_sides

    phase, model, bets, gap = case.split(":")
    model, _, system = model.partition("+")
    given = {"model": model, "system": system or "classic", "bets": bets, "raises": bets}
    solve_sides("punto", model="own/own", bets="2", raises="none", iterations=2)  # compiles
    wall, cpu = time.perf_counter(), time.process_time()
    solved = solve_sides(phase, gap=float(gap), **given)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    numbers = [solved.groups(side).number for side in (0, 1)]
    print(cpu, wall, solved.exploitability, solved.group_gap, solved.iterations, solved.value,
          numbers[0], numbers[1], memory)  # fmt: skip


def run(case: str) -> list[float]:
    command = [sys.executable, __file__, "one", case]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return [float(word) for word in found]


def price(phase: str) -> None:
    known = ("signals", "signals+federation", "shared")
    pairs = [("own", "own"), *((k, "own") for k in known), *(("own", k) for k in known)]
    base = None
    for first, second in pairs:
        system = "+federation" if "federation" in first + second else ""
        both = f"{first.split('+')[0]}/{second.split('+')[0]}{system}"
        _, _, gap, _, _, value, *_ = run(f"{phase}:{both}:2,ordago:0.005")
        base = value if base is None else base
        print(f"{phase} {first:20}{second:20} value {value:8.4f}  gap {gap:.4f}  "
              f"worth {abs(value - base):.3f}", flush=True)  # fmt: skip


def main(names: list[str]) -> None:
    if names[:1] == ["one"]:
        return one(names[1])
    if names[:1] == ["price"]:
        return price(names[1])
    print(f"{'case':46}{'CPU s':>7}{'ratio':>7}{'wall':>7}{'gap':>9}{'groups':>9}{'its':>5}"
          f"{'value':>9}{'number':>7}{'MiB':>7}")  # fmt: skip
    base = None
    for case in names or CASES:
        cpu, wall, gap, groups, its, value, number, _, memory = run(case)
        base = base or cpu
        print(f"{case:46}{cpu:7.1f}{cpu / base:7.2f}{wall:7.1f}{gap:9.5f}{groups:9.5f}{its:5.0f}"
              f"{value:9.4f}{number:7.0f}{memory:7.0f}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])
