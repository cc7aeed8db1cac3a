"""How long the page takes to be made, to open on a slow phone, to answer and to count.

Run: PYTHONPATH=. python tests/benchmarks/bench_page.py
Baselines: the start of Python with what every command imports; an empty page opened by
the same browser, throttled alike; and changing the text of one line and laying the page
out again. Each time is the best of three (of thirty for choices).

The browser is slowed down four times as its developer tools do it, over its remote
protocol; the few frames of that are written here, so nothing need be installed.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from tests import browser

RUNS = 3
SLOWER = 4

OPENED = """(() => {
  const [entry] = performance.getEntriesByType("navigation");
  return entry.loadEventEnd - entry.fetchStart;
})()"""

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


class Browser:
    """A browser that is told what to do by its remote protocol, over a plain socket."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp()
        with socket.socket() as free:
            free.bind(("localhost", 0))
            port = free.getsockname()[1]
        self.process = subprocess.Popen(
            [browser.find_browser(), *browser.OPTIONS, f"--remote-debugging-port={port}",
             f"--user-data-dir={self.folder}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        for _ in range(200):
            try:
                with urllib.request.urlopen(f"http://localhost:{port}/json") as answer:
                    pages = [page for page in json.load(answer) if page["type"] == "page"]
                if pages:
                    break
            except OSError:
                pass
            time.sleep(0.1)
        path = pages[0]["webSocketDebuggerUrl"].split("/", 3)[3]
        self.socket = socket.create_connection(("localhost", port), timeout=120)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /{path} HTTP/1.1\r\nHost: localhost:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self.reader = self.socket.makefile("rb")
        while self.reader.readline().strip():
            pass
        self.number = 0

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self.number += 1
        text = json.dumps({"id": self.number, "method": method, "params": params}).encode()
        size = bytes([254]) + struct.pack(">H", len(text))
        self.socket.sendall(bytes([129]) + size + bytes(4) + text)
        while True:
            answer = json.loads(self._frame())
            if answer.get("id") == self.number:
                return dict(answer["result"])

    def _frame(self) -> bytes:
        _, size = self.reader.read(2)
        if size == 126:
            [size] = struct.unpack(">H", self.reader.read(2))
        elif size == 127:
            [size] = struct.unpack(">Q", self.reader.read(8))
        return self.reader.read(size)

    def value(self, expression: str) -> Any:
        answer = self.ask(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        return answer["result"]["value"]

    def open(self, page: Path) -> float:
        self.ask("Page.navigate", url="about:blank")
        time.sleep(0.2)
        self.ask("Page.navigate", url=page.as_uri())
        while not (self.value("location.href") or "").startswith("file:") or not self.value(
            "document.readyState === 'complete' && performance.now() > 200"
        ):
            time.sleep(0.05)
        return float(self.value(OPENED))

    def close(self) -> None:
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


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
        for name, address in (
            ("count a sign, mus", "#RR7A/4/31"),
            ("count a bet, mus, nothing known", "#CS65/2/38-35/see:grande:2"),
            ("count a bet, mus4, nothing known", "#CS65/mus4/2/38-35/see:grande:2"),
        ):
            phone.open(page)
            taken = phone.value(COUNTED.replace("ADDRESS", address))
            report(name, taken, least["chosen"], 10_000 if "mus4" in name else 2000)
    finally:
        phone.close()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
