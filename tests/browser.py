"""A real browser for tests: open a page, run a script in it, read what it found."""

import base64
import html
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import tempfile
import threading
import time
import urllib.request
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
REQUIRED = "MUSODDS_REQUIRE_BROWSER"

OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# The page stands in a frame of the width asked for: a window cannot be narrower than 500.
FRAME = """<!DOCTYPE html><body><pre id="found"></pre>
<iframe src="{page}" style="width: {width}px; height: 900px; border: 0"></iframe>
<script>addEventListener("message", event => {{ found.textContent = event.data; }});</script>
"""

# A clock that goes ahead does not wait for a worker: then the page counts by itself.
ONE_CLOCK = "<script>delete window.Worker;</script>"

SCRIPT = """<script>
addEventListener("load", async () => {{
  const key = (name, target = document.activeElement) => target.dispatchEvent(
    new KeyboardEvent("keydown", {{ key: name, bubbles: true, cancelable: true }}));
  const texts = (selector, root = document) =>
    [...root.querySelectorAll(selector)].map(part => part.textContent);
  const lines = id => [...document.querySelectorAll(`#${{id}} tbody tr`)];
  const rows = id => lines(id).map(row => texts("td", row));
  const until = async (test, tries = 4000) => {{
    while (!test() && tries--) await new Promise(resolve => setTimeout(resolve, 10));
  }};
  let found;
  try {{ found = await (async () => {{ {script} }})(); }}
  catch (error) {{ found = {{ error: error.stack }}; }}
  parent.postMessage(JSON.stringify(found), "*");
}});
</script></body>"""


def find_browser():
    """The path of a browser; the test is skipped, or fails where one is required."""
    found = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if found is None:
        why = f"no browser: none of {', '.join(PROGRAMS)} is on the path"
        if os.environ.get(REQUIRED):
            pytest.fail(f"{why}, and {REQUIRED} is set")
        pytest.skip(why)
    return found


def run_in_page(
    folder: Path, page: str, script: str, *, fragment="", width=1200, options=(), real_time=False
):
    """What the body of a function returns that runs in the page when it is loaded.

    It may use ``key(name)`` to press a key, ``texts(selector)`` and ``rows(table id)``, and
    ``await until(test)`` something is so. The browser's clock goes ahead until all is done,
    unless ``real_time`` is wanted.
    """
    browser = find_browser()
    inner, outer = folder / "page.html", folder / "frame.html"
    if not real_time:
        page = page.replace("<head>", f"<head>{ONE_CLOCK}")
    inner.write_text(page.replace("</body>", SCRIPT.format(script=script)), encoding="utf-8")
    address = html.escape(f"{inner.as_uri()}{fragment}")
    outer.write_text(FRAME.format(page=address, width=width), encoding="utf-8")
    clock = "--timeout=20000" if real_time else "--virtual-time-budget=600000"
    answer = subprocess.run(
        [browser, *OPTIONS, clock, f"--user-data-dir={folder / 'profile'}", *options, "--dump-dom",
         outer.as_uri()],
        capture_output=True, text=True, encoding="utf-8", timeout=300, check=True,
    )  # fmt: skip
    found = re.search(r'<pre id="found">(.*?)</pre>', answer.stdout, re.DOTALL)
    assert found, answer.stderr
    assert found[1], f"the script did not answer: {answer.stderr}"
    result = json.loads(html.unescape(found[1]))
    assert "error" not in result, result["error"]
    return result


# Open until the worker has all it keeps: the picture comes only after that is said.
INSTALL = """<!DOCTYPE html><body><iframe src="./"></iframe><img src="/hold" alt="">
<script>
navigator.serviceWorker.ready.then(() => fetch("/done"));
</script>"""


def offline(folder: Path, site: Path):
    """Open a site served on localhost, stop the server, and open it again.

    Returns
    -------
    dict
        The cards that are shown the ``first`` time and ``again``, and how often the
        server, then gone, was ``asked_again``.
    """
    browser, installed, asked = find_browser(), threading.Event(), []

    class Handler(SimpleHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            if self.path == "/hold":
                installed.wait(60)
            if self.path == "/done":
                installed.set()
            if self.path in ("/hold", "/done"):
                self.send_response(204)
                self.end_headers()
                return
            super().do_GET()

        def log_message(self, *args):
            pass

    def look(path):
        answer = subprocess.run(
            [browser, *OPTIONS, f"--user-data-dir={folder / 'profile'}", "--dump-dom",
             f"http://localhost:{server.server_port}{path}"],
            capture_output=True, text=True, encoding="utf-8", timeout=120, check=True,
        )  # fmt: skip
        slots = re.search(r'<div id="slots".*?</div>', answer.stdout, re.DOTALL)
        return "".join(re.findall(r"<strong>(.)</strong>", slots[0])) if slots else answer.stdout

    server = ThreadingHTTPServer(("localhost", 0), partial(Handler, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    first = look("/")
    (site / "install.html").write_text(INSTALL, encoding="utf-8")
    look("/install.html")
    assert installed.is_set(), "the service worker was not installed"
    server.shutdown()
    server.server_close()
    before = len(asked)
    return {"first": first, "again": look("/"), "asked_again": len(asked) - before}


LOADED = """(() => {
  const [entry] = performance.getEntriesByType("navigation");
  return entry.loadEventEnd - entry.fetchStart;
})()"""


class Browser:
    """A browser that is told what to do by its remote protocol, over a plain socket."""

    def __init__(self):
        self.folder = tempfile.mkdtemp()
        with socket.socket() as free:
            free.bind(("localhost", 0))
            port = free.getsockname()[1]
        self.process = subprocess.Popen(
            [find_browser(), *OPTIONS, f"--remote-debugging-port={port}",
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

    def ask(self, method, **params):
        self.number += 1
        text = json.dumps({"id": self.number, "method": method, "params": params}).encode()
        size = bytes([254]) + struct.pack(">H", len(text))
        self.socket.sendall(bytes([129]) + size + bytes(4) + text)
        while True:
            answer = json.loads(self._frame())
            if answer.get("id") == self.number:
                return answer["result"]

    def _frame(self):
        _, size = self.reader.read(2)
        if size == 126:
            [size] = struct.unpack(">H", self.reader.read(2))
        elif size == 127:
            [size] = struct.unpack(">Q", self.reader.read(8))
        return self.reader.read(size)

    def value(self, expression):
        """What an expression in the page comes to, a promise when it is kept."""
        answer = self.ask(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        return answer["result"]["value"]

    def open(self, page):
        """Open a file; how many milliseconds it took."""
        self.ask("Page.navigate", url="about:blank")
        time.sleep(0.2)
        self.ask("Page.navigate", url=page.as_uri())
        while not (self.value("location.href") or "").startswith("file:") or not self.value(
            "document.readyState === 'complete' && performance.now() > 200"
        ):
            time.sleep(0.05)
        return float(self.value(LOADED))

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
