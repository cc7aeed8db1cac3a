"""How long the page takes to be made, to open on a slow phone, to answer and to count.

Run: PYTHONPATH=. python tests/benchmarks/bench_page.py
Baselines: the start of Python with what every command imports; an empty page opened by
the same browser, throttled alike; and changing the text of one line and laying the page
out again. Each time is the best of three (of thirty for choices).

The browser is slowed down four times as its developer tools do it, over its remote
protocol; the few frames of that are written here, so nothing need be installed.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from shutil import rmtree

from tests.browser import Browser

RUNS = 3
SLOWER = 4
ASKED = (
    ("count a sign, mus", "#RR7A/4/31"),
    ("count a bet, mus, nothing known", "#CS65/2/38-35/see:grande:2"),
    ("count a bet, mus4, nothing known", "#CS65/mus4/2/38-35/see:grande:2"),
)

CHOSEN = """(() => {
  const least = { chosen: Infinity, line: Infinity };
  const key = name => document.body.dispatchEvent(
    new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
  const timed = (name, act) => {
    const start = performance.now();
    act();
    document.body.getBoundingClientRect();
    least[name] = Math.min(least[name], performance.now() - start);
  };
  for (let i = 0; i < 30; i++) {
    for (const card of "rr7") key(card);
    timed("chosen", () => key("rcs7654a"[i % 8]));
    // The clock has steps of 0.1 ms: a hundred lines, then one of them.
    timed("line", () => {
      for (let n = 0; n < 100; n++) {
        document.getElementById("status").textContent = `${i} ${n}`;
        document.body.getBoundingClientRect();
      }
    });
  }
  return { ...least, line: least.line / 100 };
})()"""

COUNTED = """new Promise(resolve => {
  const start = performance.now(), busy = document.getElementById("counting");
  location.hash = "ADDRESS";
  const look = () => (busy.hidden && performance.now() > start + 20
    ? resolve(performance.now() - start) : setTimeout(look, 5));
  setTimeout(look, 10);
})"""


def seconds(*command: str) -> float:
    best = float("inf")
    for _ in range(RUNS):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        best = min(best, time.perf_counter() - start)
    return best


def report(name: str, taken: float, baseline: float, limit: float) -> None:
    print(f"{name:<34}{taken:8.1f} ms {taken / baseline:7.1f} x  (wanted below {limit:.0f} ms)")


def main() -> None:
    plain = seconds(sys.executable, "-c", "import numpy, click") * 1000
    folder = Path(tempfile.mkdtemp())
    page, empty = folder / "page.html", folder / "empty.html"
    empty.write_text("<!DOCTYPE html><body></body>", encoding="utf-8")
    made = seconds(sys.executable, "-m", "musodds", "page", "-o", str(page)) * 1000
    print(f"{page.stat().st_size / 1e6:.2f} MB (wanted below 4 MB)")
    print(f"{'import numpy, click':<34}{plain:8.1f} ms")
    report("make the page", made, plain, 4000)
    phone = Browser()
    try:
        phone.ask("Emulation.setCPUThrottlingRate", rate=SLOWER)
        print(f"in a browser slowed down {SLOWER} times:")
        blank = min(phone.open(empty) for _ in range(RUNS))
        print(f"{'open an empty page':<34}{blank:8.1f} ms")
        report("open the page", min(phone.open(page) for _ in range(RUNS)), blank, 1000)
        least = phone.value(CHOSEN)
        print(f"{'change one line':<34}{least['line']:8.3f} ms")
        report("choose a card", least["chosen"], least["line"], 100)
        # Only the thread of the page is slowed down, so it counts there and not in a worker.
        phone.ask("Page.enable")
        phone.ask("Page.addScriptToEvaluateOnNewDocument", source="delete window.Worker")
        for name, address in ASKED:
            phone.open(page)
            taken = phone.value(COUNTED.replace("ADDRESS", address))
            report(name, taken, least["chosen"], 10_000 if "mus4" in name else 2000)
    finally:
        phone.close()
        rmtree(folder)


if __name__ == "__main__":
    main()
