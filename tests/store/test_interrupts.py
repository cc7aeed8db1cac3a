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

CALLED_BACK = """
import ctypes, time
from musodds.store.interrupts import insist
insist(130)

@ctypes.CFUNCTYPE(None)
def compiled_code_asks():
    print("ready", flush=True)
    time.sleep(5)

compiled_code_asks()  # Python drops what is raised in here
time.sleep(5)
"""

LEAVES = """
import multiprocessing, time
from musodds.store.interrupts import heard, insist, leave
insist(130)
kept = multiprocessing.get_context("spawn").Semaphore()
print("ready", flush=True)
try:
    time.sleep(5)
except KeyboardInterrupt:
    heard()
    leave(130)
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


def test_what_python_drops_is_not_shown():
    process, _ = _interrupted("", CALLED_BACK)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "", "musodds: interrupted\n")


def test_semaphores_of_workers_are_not_spoken_of():
    process, _ = _interrupted("", LEAVES)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "", "")
