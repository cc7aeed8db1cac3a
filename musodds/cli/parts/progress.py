"""A progress bar for what takes long."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from musodds.store.notices import Watcher


@contextmanager
def progress_bar(what: str) -> Iterator[Watcher | None]:
    """A bar on standard error; nothing where that is no terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)

        def watch(played: int, expected: int) -> None:
            bar.update(task, completed=played, total=expected)

        yield watch
