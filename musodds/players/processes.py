"""Games played in other processes: players are Python, which runs one thread at a time."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pickle import dumps
from typing import Any

from musodds.players.answers import PlayerError, cause
from musodds.simulation.runner import Future, Play, Workers

_ALONE = "define their classes in a module that can be imported, or play with workers=1"


class _Processes:
    """Workers in other processes."""

    blocks_per_task = 1

    def __init__(self, pool: ProcessPoolExecutor, width: int) -> None:
        self.width = width
        self._pool = pool

    def submit(self, play: Play, first: int, deals: int) -> Future:
        return _Asked(self._pool.submit(play, first, deals))


@dataclass(frozen=True)
class _Asked:
    """A task of another process."""

    future: Any

    def result(self) -> Any:
        try:
            return self.future.result()
        except BrokenProcessPool:
            raise PlayerError(
                f"the players cannot be made in other processes, or end them: {_ALONE}"
            ) from None


@contextmanager
def processes(setup: object, workers: int) -> Iterator[Workers | int]:
    """So many workers for games of a setup; one is this process.

    Raises
    ------
    PlayerError
        If its players cannot go to other processes.
    """
    if workers == 1:
        yield 1
        return
    try:
        dumps(setup)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise PlayerError(
            f"the players cannot go to other processes ({cause(error)}): {_ALONE}"
        ) from error
    # Ctrl-C in a terminal is sent to all of them: it is heard here.
    deaf = (signal.SIGINT, signal.SIG_IGN)
    pool = ProcessPoolExecutor(workers, get_context("spawn"), signal.signal, deaf)
    try:
        yield _Processes(pool, workers)
    finally:
        # What they still play is not asked for, and may take a while.
        playing = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in playing:
            process.terminate()
        for process in playing:
            process.join()
