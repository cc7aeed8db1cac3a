"""A progress bar for what takes long: how much is done, how fast, and what is left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from musodds.compiled import COMPILING
from musodds.store.notices import STEPS, Watcher, begin

Update = Callable[[float, float | None, str], None]
"""Shows how much is done, of how much, and what is said of it."""

_OPEN: list[Update] = []
"""The bar that is shown: within it there is no other."""


@contextmanager
def open_bar(what: str) -> Iterator[Update | None]:
    """A bar on standard error; None where that is no terminal, or has a bar already.

    Parameters
    ----------
    what : str
        What is said at first.
    """
    if sys.stderr is None or not sys.stderr.isatty() or _OPEN:
        begin(what)
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    shown = TextColumn("{task.description}")
    columns = (shown, BarColumn(), TextColumn("{task.percentage:3.0f}%"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)

        def tell() -> None:
            bar.update(task, description="compiling, once")

        def update(done: float, of: float | None, told: str) -> None:
            bar.update(task, description=told, completed=done, total=of)

        COMPILING.append(tell)
        _OPEN.append(update)
        try:
            yield update
        finally:
            _OPEN.remove(update)
            COMPILING.remove(tell)


@contextmanager
def progress_bar(what: str) -> Iterator[Watcher | None]:
    """As :func:`open_bar`, of what is counted, such as ``deals``, and how fast."""
    with open_bar(what) as update:
        if update is None:
            yield None
            return
        since, before, last = time.monotonic(), 0, 0

        def watch(done: int, expected: int) -> None:
            nonlocal since, before, last
            if done < last or not last:
                # Another seat begins, or this is all that is known of the rate.
                since, before = time.monotonic(), done
            last = done
            rate = (done - before) / max(time.monotonic() - since, 1e-9)
            told = f"{done:,} {what}" + (f", {rate:,.0f}/s" if done > before else "")
            update(done, expected, told)

        yield watch


@contextmanager
def steps_shown() -> Iterator[None]:
    """Within it a count that tells how far it is (`musodds.store.notices.step`) shows a bar.

    That is the bar that is open, or one of its own.
    """
    with ExitStack() as bar:

        def show(done: int, of: int) -> None:
            if not _OPEN:
                bar.enter_context(open_bar("counting"))
            for update in _OPEN:
                update(done, of, "counting")
            if done >= of:
                bar.close()

        STEPS.append(show)
        try:
            yield
        finally:
            STEPS.remove(show)
