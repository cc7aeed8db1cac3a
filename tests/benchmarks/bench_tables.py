"""How long tables and figures take as whole processes, beside the start of Python.

Run: python tests/benchmarks/bench_tables.py
Baseline: ``python -c "import numpy, click"``, and for figures that and matplotlib. Each
time is the best of three, the files on disk and compiled code already there.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

SCRIPT = Path(sys.executable).with_name("musodds")
PLOTS = ("strength", "chart", "seats", "discards", "signals", "stones", "equity", "convergence")
RUNS = 3


def seconds(*command: str) -> float:
    best = float("inf")
    for _ in range(RUNS):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        best = min(best, time.perf_counter() - start)
    return best


def report(name: str, taken: float, baseline: float, limit: float) -> None:
    print(f"{name:<28}{taken:7.2f} s  {taken / baseline:5.1f} x  (wanted below {limit} s)")


def main() -> None:
    plain = seconds(sys.executable, "-c", "import numpy, click")
    print(f"{'import numpy, click':<28}{plain:7.2f} s")
    for format_name in ("text", "csv"):
        taken = seconds(str(SCRIPT), "table", "odds", "--format", format_name)
        report(f"table odds, {format_name}", taken, plain, 1.5)
    drawing = seconds(sys.executable, "-c", "import numpy, click, matplotlib.backends.backend_agg")
    print(f"{'and matplotlib':<28}{drawing:7.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        for name in PLOTS:
            taken = seconds(str(SCRIPT), "plot", name, "-o", f"{folder}/{name}.png")
            report(f"plot {name}", taken, drawing, 4)


if __name__ == "__main__":
    main()
