"""Running blocks: on many threads, to a goal, and to the same digits.

All that is simulated is played in blocks, and a block is a pure function of its number
(and of a seed). So blocks may be played anywhere and in any order; they are added up in
order, and the goal is looked at only after certain numbers of blocks. A result depends
on the seed and the goal, never on who worked or how fast; and what is known when a run
is broken off is the result of its first blocks.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any, Protocol

from musodds.store.interrupts import heard
from musodds.store.notices import Watcher

SAVE_SECONDS = 1.0
"""How often a running total is saved."""

Play = Callable[[int, int], Iterable[Any]]
"""Plays consecutive blocks, given the number of the first and how many deals: the sums of
each block, which can be added. All blocks are full but perhaps the last; of no deals at
all, it compiles what it needs."""

Look = Callable[[Any, int], int]
"""From the sums of so many blocks (None of none), after how many blocks to look again; no
more than there are: it is enough."""


Mapper = Callable[[Callable[..., Any], Iterable[Any]], Iterable[Any]]
"""``map``, or that of a pool of threads: results in order."""


class Future(Protocol):
    """A task that was handed out; of threads or of a cluster."""

    def result(self) -> Iterable[Any]: ...


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

    def submit(self, play: Play, first: int, deals: int) -> Future: ...


@dataclass(frozen=True)
class _Later:
    """A task that is done when its result is asked for."""

    result: Callable[[], Iterable[Any]]


class Alone:
    """Nobody but this thread."""

    width = blocks_per_task = 1

    def submit(self, play: Play, first: int, deals: int) -> Future:
        return _Later(partial(play, first, deals))


class Threads:
    """Workers in this process; the kernels run without the GIL."""

    blocks_per_task = 1

    def __init__(self, pool: ThreadPoolExecutor, width: int) -> None:
        self.width = width
        self._pool = pool
        self._compiled = False

    def submit(self, play: Play, first: int, deals: int) -> Future:
        if not self._compiled:
            # Here, where Ctrl-C is heard, and not by every thread.
            play(first, 0)
            self._compiled = True
        return self._pool.submit(play, first, deals)


@contextmanager
def crew(workers: int) -> Iterator[Workers]:
    """So many workers; what is still to be played when this ends is not."""
    if workers == 1:
        yield Alone()
        return
    with threads(workers) as pool:
        yield Threads(pool, workers)


@contextmanager
def threads(workers: int) -> Iterator[ThreadPoolExecutor]:
    """So many threads; what they have not begun when this ends is not done."""
    pool = ThreadPoolExecutor(workers, thread_name_prefix="musodds")
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def mapper(workers: int) -> Iterator[Mapper]:
    """``map`` on so many threads; results do not depend on the number."""
    if workers == 1:
        yield map
        return
    with threads(workers) as pool:
        yield pool.map


@dataclass(frozen=True)
class Goal:
    """When to stop.

    Attributes
    ----------
    n : int
        After so many deals at the latest.
    look : callable or None
        Whether to stop before.
    expected : callable or None
        From the sums and the number of deals, how many deals it may come to.
    """

    n: int
    look: Look | None = None
    expected: Callable[[Any, int], int] | None = None


def until(enough: Callable[[Any], bool], after: Callable[[int], bool]) -> Look:
    """Go on until the sums are enough.

    Parameters
    ----------
    enough : callable
    after : callable
        Whether to look after so many blocks.
    """

    def look(sums: Any, blocks: int) -> int:
        if blocks and after(blocks) and enough(sums):
            return blocks
        return next(number for number in count(blocks + 1) if after(number))

    return look


def is_power_of_two(blocks: int) -> bool:
    """Whether it is 1, 2, 4, 8 ..."""
    return blocks & (blocks - 1) == 0


@dataclass
class Total:
    """The sums of the first blocks of a run.

    Attributes
    ----------
    settled, latest : sums or None
        Of the blocks until the last look, and since. Sums of floating-point numbers
        depend on what is added to what.
    deals, blocks : int
        Blocks that are full.
    interrupted : bool
    """

    settled: Any = None
    deals: int = 0
    blocks: int = 0
    interrupted: bool = False
    latest: Any = None

    @property
    def sums(self) -> Any:
        """The sums; None if there are no deals."""
        return _add(self.settled, self.latest)


def _add(one: Any, other: Any) -> Any:
    if one is None or other is None:
        return other if one is None else one
    return one + other


def run(
    play: Play,
    size: int,
    goal: Goal,
    workers: int | Workers,
    *,
    watch: Watcher | None = None,
    total: Total | None = None,
    save: Callable[[Total], None] | None = None,
) -> Total:
    """Play blocks until the goal is reached or Ctrl-C is pressed.

    Parameters
    ----------
    play : callable
    size : int
        Deals in a block.
    goal : Goal
    workers : int or Workers
        Threads, or who plays.
    watch : callable, optional
        Called after every task with the deals played, and how many they may come to.
    total : Total, optional
        Where to begin: full blocks that were played before.
    save : callable, optional
        Called with the total after every task.

    Returns
    -------
    Total
        After Ctrl-C what was known then, be it nothing.
    """
    total = total or Total()
    try:
        if isinstance(workers, int):
            with crew(workers) as found:
                _run(play, size, goal, found, total, watch, save)
        else:
            _run(play, size, goal, workers, total, watch, save)
    except KeyboardInterrupt:
        heard()
        total.interrupted = True
    return total


def _run(
    play: Play,
    size: int,
    goal: Goal,
    workers: Workers,
    total: Total,
    watch: Watcher | None,
    save: Callable[[Total], None] | None,
) -> None:
    waiting: deque[Future] = deque()
    ahead = total.blocks
    wanted = _wanted(goal, total)
    while total.deals < goal.n and total.blocks < wanted:
        while len(waiting) < 2 * workers.width and ahead * size < goal.n:
            deals = min(workers.blocks_per_task * size, goal.n - ahead * size)
            waiting.append(workers.submit(play, ahead, deals))
            ahead += workers.blocks_per_task
        for sums in waiting.popleft().result():
            total.latest = _add(total.latest, sums)
            total.deals = min(total.deals + size, goal.n)
            total.blocks = total.deals // size
            if total.blocks == wanted:
                wanted = _wanted(goal, total)
            if total.deals == goal.n or total.blocks == wanted:
                break
        if watch is not None:
            expected = goal.expected(total.sums, total.deals) if goal.expected else goal.n
            watch(total.deals, expected)
        if save is not None:
            save(total)


def _wanted(goal: Goal, total: Total) -> float:
    """How many blocks to play until the next look."""
    total.settled, total.latest = total.sums, None
    return float("inf") if goal.look is None else goal.look(total.settled, total.blocks)


def available_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def saver(save: Callable[[Total], None]) -> Callable[[Total], None]:
    """Saves the total every second."""
    last = time.monotonic()

    def watch(total: Total) -> None:
        nonlocal last
        if time.monotonic() - last >= SAVE_SECONDS:
            save(total)
            last = time.monotonic()

    return watch
