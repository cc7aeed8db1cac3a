"""Running the blocks of a job: on many threads, to a goal, and to the same digits.

Blocks may be played anywhere and in any order, but they are added up in order, and the
goal is looked at only after certain numbers of blocks. So a result depends on the seed
and the goal, never on who worked or how fast; and what is known when a run is broken
off is the result of its first blocks.
"""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from musodds.simulation.blocks import BLOCK, Job, play_blocks
from musodds.store.interrupts import heard

SAVE_SECONDS = 1.0
"""How often a running total is saved."""

LOOK_EVERY = 8
"""The goal is looked at after 1, 2, 4, 8, 16, 24 ... blocks."""


class Future(Protocol):
    """A task that was handed out; of threads or of a cluster."""

    def result(self) -> NDArray[np.int64]: ...


class Workers(Protocol):
    """Somebody who plays blocks.

    Attributes
    ----------
    width : int
        How many tasks are worked on at a time.
    blocks_per_task : int
    """

    width: int
    blocks_per_task: int

    def submit(self, job: Job, first: int, deals: int) -> Future: ...


class Threads:
    """Workers in this process; the kernels run without the GIL."""

    blocks_per_task = 1

    def __init__(self, pool: ThreadPoolExecutor, width: int) -> None:
        self.width = width
        self._pool = pool

    def submit(self, job: Job, first: int, deals: int) -> Future:
        return self._pool.submit(play_blocks, job, first, deals)


@contextmanager
def threads(workers: int) -> Iterator[Threads]:
    """That many threads; what is still to be played when this ends is not."""
    pool = ThreadPoolExecutor(workers, thread_name_prefix="musodds")
    try:
        yield Threads(pool, workers)
    finally:
        pool.shutdown(cancel_futures=True)


@dataclass(frozen=True)
class Goal:
    """When to stop.

    Attributes
    ----------
    n : int
        After so many deals at the latest.
    reached : callable or None
        From the sums and the number of deals, whether they are enough.
    """

    n: int
    reached: Callable[[NDArray[np.int64], int], bool] | None = None

    def looks_after(self, blocks: int) -> bool:
        """Whether the goal is looked at after that many blocks."""
        power_of_two = blocks & (blocks - 1) == 0
        return blocks % LOOK_EVERY == 0 or (blocks < LOOK_EVERY and power_of_two)


@dataclass
class Total:
    """The sum of the first blocks of a job.

    Attributes
    ----------
    sums : ndarray of int64
    deals : int
    interrupted : bool
    """

    sums: NDArray[np.int64]
    deals: int = 0
    interrupted: bool = False

    @property
    def blocks(self) -> int:
        """Full blocks."""
        return self.deals // BLOCK


Watcher = Callable[[Total], None]


def run(job: Job, goal: Goal, workers: Workers, total: Total, watchers: list[Watcher]) -> Total:
    """Play blocks until the goal is reached or Ctrl-C is pressed.

    Parameters
    ----------
    job : Job
    goal : Goal
    workers : Workers
    total : Total
        Where to begin: full blocks that were played before, or nothing. Added to.
    watchers : list of callable
        Called with the total after every task.
    """
    waiting: deque[Future] = deque()
    next_block = total.blocks
    try:
        if _enough(goal, total):
            return total
        while True:
            while len(waiting) < 2 * workers.width and next_block * BLOCK < goal.n:
                deals = min(workers.blocks_per_task * BLOCK, goal.n - next_block * BLOCK)
                waiting.append(workers.submit(job, next_block, deals))
                next_block += workers.blocks_per_task
            for sums in waiting.popleft().result():
                total.sums += sums
                total.deals = min(total.deals + BLOCK, goal.n)
                if _enough(goal, total):
                    return total
            for watch in watchers:
                watch(total)
    except KeyboardInterrupt:
        heard()
        total.interrupted = True
        return total


def _enough(goal: Goal, total: Total) -> bool:
    if total.deals >= goal.n:
        return True
    if goal.reached is None or not total.blocks or not goal.looks_after(total.blocks):
        return False
    return goal.reached(total.sums, total.deals)


def available_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def saver(save: Callable[[Total], None]) -> Watcher:
    """A watcher that saves the total every second."""
    last = time.monotonic()

    def watch(total: Total) -> None:
        nonlocal last
        if time.monotonic() - last >= SAVE_SECONDS:
            save(total)
            last = time.monotonic()

    return watch


@contextmanager
def progress_bar(expected: Callable[[Total], int], start: int) -> Iterator[Watcher]:
    """A bar on standard error with rate and time left; nothing where that is no terminal.

    Parameters
    ----------
    expected : callable
        From the total, how many deals the run will take.
    start : int
        Deals that were there before.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

    columns: list[Any] = [
        BarColumn(),
        TextColumn("{task.percentage:3.0f}%"),
        TextColumn("{task.fields[millions]:.1f} million deals"),
        TextColumn("{task.fields[rate]:.1f} M/s"),
        TimeRemainingColumn(),
    ]
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task: TaskID = bar.add_task("", total=None, millions=start / 1e6, rate=0.0)
        began = time.monotonic()

        def watch(total: Total) -> None:
            rate = (total.deals - start) / max(time.monotonic() - began, 1e-9)
            bar.update(
                task,
                total=expected(total),
                completed=total.deals,
                millions=total.deals / 1e6,
                rate=rate / 1e6,
            )

        yield watch
