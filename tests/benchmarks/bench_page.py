"""How long the page takes to be made, to open, and to answer a choice in a real browser.

Run: PYTHONPATH=. python tests/benchmarks/bench_page.py
Baselines: the start of Python with what every command imports; an empty page opened by
the same browser; and changing the text of one line and laying the page out again. Each
time is the best of three (of thirty for choices).
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests import browser

SCRIPT = Path(sys.executable).with_name("musodds")
RUNS = 3

OPENED = """
  const [entry] = performance.getEntriesByType("navigation");
  return { opened: entry.domContentLoadedEventEnd - entry.fetchStart };
"""

CHOSEN = """
  const least = { chosen: Infinity, line: Infinity };
  const timed = (name, act) => {
    const start = performance.now();
    act();
    document.body.getBoundingClientRect();
    least[name] = Math.min(least[name], performance.now() - start);
  };
  for (let i = 0; i < 30; i++) {
    for (const card of "rr7") key(card);
    timed("chosen", () => key("rcs7654a"[i % 8]));
    timed("line", () => { document.getElementById("status").textContent = i; });
  }
  return least;
"""


def seconds(*command: str) -> float:
    best = float("inf")
    for _ in range(RUNS):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        best = min(best, time.perf_counter() - start)
    return best


def in_browser(page: str, script: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as folder:
            seen = browser.run_in_page(Path(folder), page, script, width=360, real_time=True)
        found = {name: min(ms, found.get(name, ms)) for name, ms in seen.items()}
    return found


def report(name: str, taken: float, baseline: float, limit: float) -> None:
    print(f"{name:<24}{taken:8.1f} ms {taken / baseline:6.1f} x  (wanted below {limit:.0f} ms)")


def main() -> None:
    plain = seconds(sys.executable, "-c", "import numpy, click") * 1000
    empty = in_browser("<!DOCTYPE html><body></body>", OPENED)["opened"]
    print(f"{'import numpy, click':<24}{plain:8.1f} ms\n{'open an empty page':<24}{empty:8.1f} ms")
    for game in ("mus", "mus4"):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "page.html")
            made = seconds(str(SCRIPT), "page", "--game", game, "-o", str(file)) * 1000
            page = file.read_text(encoding="utf-8")
        print(f"{game}: {len(page.encode()) / 1e6:.2f} MB (wanted below 3 MB)")
        report("make the page", made, plain, 4000)
        report("open it", in_browser(page, OPENED)["opened"], empty, 1000)
        least = in_browser(page, CHOSEN)
        report("choose a card", least["chosen"], least["line"], 100)


if __name__ == "__main__":
    main()
