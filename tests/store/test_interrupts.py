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

HOLDS = """
import sys, time
from musodds.store.interrupts import held, insist
insist(130)
done = False
try:
    with held():
        print("ready", flush=True)
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            time.sleep(0.05)
        done = True
except KeyboardInterrupt:
    print("done" if done else "cut")
    time.sleep(1)  # nobody is ended who has heard
    print("end")
"""


def _interrupted(how, program=DEAF):
    process = subprocess.Popen(
        [sys.executable, "-c", program, how],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)  # past the print
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


def test_a_step_that_is_held_is_done_before_it_is_heard():
    process, _ = _interrupted("", HOLDS)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (0, "done\nend\n", "")


def test_who_presses_again_waits_no_longer():
    process, _ = _interrupted("", HOLDS)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert out == "cut\nend\n"
