"""What takes long says so in a line, where there is no terminal to show a bar on."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from musodds.compiled import COMPILING
from musodds.store.notices import BEGUN

PROGRAM = "musodds"

QUIET = "MUSODDS_QUIET"
"""The variable that asks for no such line, for programs that read what is written on stderr."""

PATIENCE, WORK = 3.0, 2.0
"""Seconds without an answer until a line is written, and seconds of a processor at least."""

WAITING = 20.0
"""Seconds until it is written in any case: others may be at work, or have the processor."""

_DOING = {
    "deals": "working on the deals",
    "games": "working on the games",
    "rows": "answering the questions",
    "done": "working on the pairs of hands",
}
"""What is said of what a bar would count."""


def counting(what: str) -> str:
    """Say what is counted, and that it is done once."""
    return f"counting {what.removeprefix('counting ')} (once: the counts are kept)"


class _Later:
    """Writes what is being done, once it has taken a while, and whatever comes after that."""

    def __init__(self) -> None:
        self._what = "working on the answer"
        self._told: set[str] = set()
        self._answered = threading.Event()
        self._late = False

    def __enter__(self) -> _Later:
        threading.Thread(target=self._wait, daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._answered.set()

    def _wait(self) -> None:
        end = time.monotonic() + WAITING
        patience = PATIENCE
        while not self._answered.wait(patience):
            if time.process_time() >= WORK or time.monotonic() > end:
                self._write()
                return
            patience = 0.5

    def now(self, what: str) -> None:
        """Remember what is being done; written at once if the while is over."""
        if what == "counting" and self._what.startswith(what):
            return  # that was said with more words
        self._what = _DOING.get(what, what)
        if self._late:
            self._write()

    def _write(self) -> None:
        self._late = True
        if self._what not in self._told and sys.stderr is not None:
            self._told.add(self._what)
            sys.stderr.write(f"{PROGRAM}: {self._what} ...\n")


@contextmanager
def said_later() -> Iterator[None]:
    """Within it an answer that takes more than :data:`PATIENCE` says what is being done.

    On a terminal there are bars; where :data:`QUIET` is set, nothing is said.
    """
    if sys.stderr is None or sys.stderr.isatty() or os.environ.get(QUIET):
        yield
        return
    with _Later() as later:

        def compiling() -> None:
            later.now("compiling, once")

        BEGUN.append(later.now)
        COMPILING.append(compiling)
        try:
            yield
        finally:
            BEGUN.remove(later.now)
            COMPILING.remove(compiling)
