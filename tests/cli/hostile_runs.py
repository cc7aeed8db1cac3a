"""Runs the command lines of :mod:`tests.cli.hostile`, thousands a minute.

``python -m tests.cli.hostile_runs --lines 100000 --seed 1`` prints those that end with status 1,
an exception, a traceback or a signal, print a zero with a minus sign, or take more than ten
seconds of a processor, or ten minutes. One process loads everything and forks: each child runs
so many lines (``--each``), so that a line that kills its process is known, and costs no other.
``--workers 2`` runs different lines in two such processes.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import pkgutil
import random
import re
import resource
import select
import shlex
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from importlib import import_module
from multiprocessing import get_context
from typing import BinaryIO

import musodds
from musodds.cli import main
from tests.cli.hostile import LONG, commands, line

SLOW, STUCK = 10.0, 600
"""Processor seconds, and seconds, that no line may take."""

LONG_BY_NATURE = 3
"""Processor seconds that a line gets whose command says that it takes minutes."""

LARGEST = 1 << 28
"""Bytes that no file may have."""

EACH = 100
"""Lines to a process."""

NEGATIVE_ZERO = re.compile(r"(?<![\w.−-])[-−]0(\.0+)?(?![\w.,:-])")

WARM = (
    "games", "hand RR7A", "hand RR7A --partner 31", "hand RR7A --game mus4", "duel RR7A SS54",
    "hand RR7A --game mus2p", "bet RR7A --phase pares --score 32-35", "discard RR7A -n 256",
    "thresholds --score 32-35 --seat 1 --phase grande", "equity --score 32-35", "read --next 31",
    "simulate -n 100", "score no", "play best kings --deals 2 --workers 1", "encaje RR7 -n 100",
    "plot strength -o a.png", "strategy no", "review no", "policy list", "signals", "table odds",
)  # fmt: skip
"""What loads nearly everything."""


@dataclass
class Found:
    """What a run of many lines came to."""

    lines: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    took: Counter[str] = field(default_factory=Counter)
    bad: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)

    def add(self, other: Found) -> None:
        self.lines += other.lines
        self.statuses += other.statuses
        self.answered += other.answered
        self.took += other.took
        self.bad += other.bad
        self.slow += other.slow

    def __str__(self) -> str:
        return (
            f"{self.lines} lines, {len(self.bad)} bad, {len(self.slow)} slow; "
            f"statuses {dict(sorted(self.statuses.items()))}"
        )


@dataclass(frozen=True)
class Ended:
    """How a line ended: status, what it said and processor seconds."""

    status: int
    err: str
    took: float

    @property
    def is_bad(self) -> bool:
        return (
            self.status not in (0, 2)
            or "Traceback" in self.err
            or "Exception ignored" in self.err
            or "negative zero" in self.err
        )


class Files:
    """Where the children's output goes."""

    def __init__(self) -> None:
        self.out, self.err = (tempfile.TemporaryFile() for _ in range(2))  # noqa: SIM115
        self.nothing = os.open(os.devnull, os.O_RDONLY)

    def renew(self) -> None:
        """Empty files as the standard ones of this process."""
        for number, file in ((1, self.out), (2, self.err)):
            os.ftruncate(file.fileno(), 0)
            os.lseek(file.fileno(), 0, os.SEEK_SET)
            os.dup2(file.fileno(), number)
        os.dup2(self.nothing, 0)
        sys.stdin = open(0, closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(  # noqa: SIM115
            2, "w", encoding="utf-8", errors="backslashreplace", closefd=False, buffering=1
        )


def text_of(file: BinaryIO, most: int = 1 << 20) -> str:
    return os.pread(file.fileno(), most, 0).decode("utf-8", "replace")


def run_here(words: Sequence[str], files: Files) -> Ended:
    """Run a line in this process, which a signal ends if it takes too long."""
    files.renew()
    long = " ".join(words).startswith("equity solve")
    signal.setitimer(signal.ITIMER_PROF, LONG_BY_NATURE if long else SLOW + 2)
    began = time.process_time()
    try:
        status = main(list(words))
        sys.stdout.flush()
    except BaseException as error:
        status = 1
        sys.stderr.write(f"escaped: {error!r}")
    took = time.process_time() - began
    signal.setitimer(signal.ITIMER_PROF, 0)
    for number in (signal.SIGINT, signal.SIGPIPE):
        signal.signal(number, signal.getsignal(number))
    err = text_of(files.err)
    out = text_of(files.out)
    shown = NEGATIVE_ZERO.search(out) if status == 0 else None
    if shown is not None and "\0" not in out:
        err += f"negative zero: {shown[0]!r}"
    return Ended(status, err, took)


def _child(lines: Sequence[list[str]], files: Files, writer: int) -> None:
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST, LARGEST))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for words in lines:
        ended = run_here(words, files)
        told = json.dumps([ended.status, ended.err[:2000], ended.took]) + "\n"
        os.write(writer, told.encode())


def forked(lines: Sequence[list[str]], files: Files) -> Iterator[Ended]:
    """How the lines end in one process: all, or those up to the one that kills it."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setpgid(0, 0)
            os.close(reader)
            _child(lines, files, writer)
        finally:
            os._exit(0)
    os.close(writer)
    done = 0
    try:
        with open(reader, "rb") as told:
            while select.select([told], [], [], STUCK)[0] and (one := told.readline()):
                done += 1
                yield Ended(*json.loads(one))
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
        status = os.waitpid(pid, 0)[1]
    if done < len(lines):
        code = os.waitstatus_to_exitcode(status)
        slow = code in (-signal.SIGPROF, -signal.SIGKILL)
        err = text_of(files.err)
        if slow and LONG in err:
            yield Ended(0, err, 0)
        else:
            yield Ended(1 if not slow else 0, f"{err}died of {code}", 2 * SLOW if slow else 0)


def load(files: Files) -> None:
    """Import all of the package, and answer a question of each kind."""
    for module in pkgutil.walk_packages(musodds.__path__, "musodds."):
        if "__main__" not in module.name:
            import_module(module.name)
    kept = [os.dup(number) for number in range(3)]
    streams = sys.stdin, sys.stdout, sys.stderr
    for words in WARM:
        files.renew()
        main(words.split())
    sys.stdin, sys.stdout, sys.stderr = streams
    for number, old in enumerate(kept):
        os.dup2(old, number)
        os.close(old)


def run_many(seconds: float, seed: int | str, lines: int | None = None, each: int = EACH) -> Found:
    """Run lines for so long, or so many, in a folder of their own; tell of those that are bad."""
    rng, every, found, files = random.Random(seed), commands(), Found(), Files()
    before, again = os.getcwd(), Files()
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        load(files)
        last = began = time.monotonic()
        end = began + seconds
        try:
            waiting: list[list[str]] = []
            while time.monotonic() < end and found.lines != lines:
                most = each if lines is None else min(each, lines - found.lines)
                while len(waiting) < most:
                    waiting.append(line(rng, every))
                for ended in forked(waiting[:most], files):
                    _judge(waiting.pop(0), ended, found, again)
                    if time.monotonic() - last > 60:
                        last = time.monotonic()
                        tell(f"{last - began:.0f} s: {found}")
                    if time.monotonic() > end:
                        break
        finally:
            os.chdir(before)
    return found


def _judge(words: list[str], ended: Ended, found: Found, again: Files) -> None:
    if ended.is_bad or ended.took > SLOW:
        # Alone, as the others go on: the first of its kind compiles and counts, which is kept.
        [ended] = forked([words], again)
    found.lines += 1
    found.statuses[ended.status] += 1
    found.took[words[0][:9]] += round(1000 * ended.took)
    if ended.status == 0:
        found.answered[words[0]] += 1
    if not (ended.is_bad or ended.took > SLOW):
        return
    text = shlex.join(word[:80] for word in words)
    told = f"{text!r}: status {ended.status}, {ended.took:.1f} s: {ended.err[-600:]}"
    (found.bad if ended.is_bad else found.slow).append(told)
    tell(told)


def tell(text: str) -> None:
    sys.stdout.buffer.write(text.encode("ascii", "backslashreplace") + b"\n")
    sys.stdout.flush()


def run_all(seconds: float, seed: int, lines: int | None, workers: int, each: int) -> Found:
    """The same in so many processes, each with lines of its own."""
    if workers == 1:
        return run_many(seconds, seed, lines, each)
    share = None if lines is None else -(-lines // workers)
    total = Found()
    with ProcessPoolExecutor(workers, get_context("fork")) as pool:
        asked = [
            pool.submit(run_many, seconds, f"{seed}/{worker}", share, each)
            for worker in range(workers)
        ]
        for future in asked:
            total.add(future.result())
    return total


def _main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=int)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--each", type=int, default=EACH)
    given = parser.parse_args()
    found = run_all(given.seconds, given.seed, given.lines, given.workers, given.each)
    tell(f"seed {given.seed}: {found}; answered {dict(found.answered.most_common())}")
    tell(f"milliseconds of a processor: {dict(found.took.most_common(12))}")
    # What is slow is told, and is no fault: on a new computer it compiles and counts.
    return bool(found.bad)


if __name__ == "__main__":
    raise SystemExit(_main())
