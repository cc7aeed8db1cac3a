"""Ctrl-C ends a program even where what runs drops the exception."""

import signal
import subprocess
import sys
import time

DEAF = """
import sys, time
from musodds.store.interrupts import heard, insist
insist(130)
print("ready", flush=True)
for _ in range(200):
    try:
        time.sleep(0.05)
    except KeyboardInterrupt:
        if sys.argv[1] == "heard":
            heard()
print("done")
"""


def _interrupted(how):
    process = subprocess.Popen(
        [sys.executable, "-c", DEAF, how], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "ready\n"
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    return process, began


def test_who_does_not_hear_is_ended():
    process, _ = _interrupted("deaf")
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "", "musodds: interrupted\n")


def test_who_hears_ends_by_himself():
    process, began = _interrupted("heard")
    try:
        time.sleep(1.5)
        assert process.poll() is None, time.monotonic() - began
    finally:
        process.kill()
        process.communicate()
