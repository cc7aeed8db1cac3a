"""What takes long says so at once, and ends on Ctrl-C: soon, in a line, nothing half written."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

import pytest

from musodds.store.cache import VARIABLE

LONG = {
    "solve": "solve grande --score 32-35 -o out.mus",
    "equity solve": "equity solve --game mus2p -o out.csv",
    "thresholds": "thresholds --score 38,39 --seat dealer --game mus4 -o out.csv",
    "review": "review game.txt -n 4000000 -o out.html",
    "play": "play best kings --games 1000000 -o out.csv",
    "discard": "discard RR7A -n 1000000000 -o out.csv",
    "hand": "hand RR7A --game mus6p-real -o out.csv",
    "table": "table pairs --game mus4 -o out.csv",
    "publish": "publish out",
}
"""With an empty cache of counts, each of them takes half a minute at least."""

RECORD = """\
score: 0-0
hands: RR7A | SS54 | CC76 | 7654
mus: no hay mus
grande: envido 2, quiero
chica: órdago, quiero
"""

PATIENT = 60
"""Seconds until anything is shown; compiled code is loaded before, or compiled."""

SOON = 1.0
"""Processor seconds that a program takes after Ctrl-C; twenty times as long on the clock."""


def _shown(reader: int, seconds: float, all_of_it: bool = False) -> str:
    """What a terminal shows at first, or until it is closed."""
    shown, end = "", time.monotonic() + seconds
    while time.monotonic() < end and (all_of_it or not shown.strip()):
        if not select.select([reader], [], [], 0.1)[0]:
            continue
        try:
            more = os.read(reader, 65536)
        except OSError:  # how a closed terminal ends
            break
        shown += re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", more.decode("utf-8", "replace"))
    return shown


@pytest.mark.skipif(sys.platform == "win32", reason="no terminals to open")
@pytest.mark.parametrize("name", LONG)
def test_it_says_so_and_ends(name, tmp_path):
    (tmp_path / "game.txt").write_text(RECORD)
    before = {"game.txt", "counts"}
    reader, writer = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "musodds", *LONG[name].split()],
        cwd=tmp_path,
        env={**os.environ, VARIABLE: str(tmp_path / "counts"), "COLUMNS": "80", "TERM": "xterm"},
        stdout=subprocess.PIPE,
        stderr=writer,
    )
    os.close(writer)
    try:
        first = _shown(reader, PATIENT)
        assert first.strip(), "nothing was said"
        assert process.poll() is None, first
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        pressed = time.monotonic()
        last = _shown(reader, 20 * SOON, all_of_it=True)
        process.wait(20 * SOON)
        assert time.monotonic() - pressed < 20 * SOON
        assert process.returncode == 130, last
        lines = [line for line in last.replace("\r", "\n").split("\n") if line.strip()]
        assert lines[-1].startswith("musodds: interrupted"), lines
        assert "Traceback" not in last
        left = {path.name for path in tmp_path.iterdir()} - before
        assert left <= {"out"} | ({"out.csv", "out.mus"} if "after" in lines[-1] else set())
        for file in tmp_path.glob("out/**/*"):
            assert not file.name.startswith(".")
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        os.close(reader)
