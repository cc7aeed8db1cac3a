"""Notices that an answer takes a while, for whoever waits for it."""

from __future__ import annotations

from collections.abc import Callable

Watcher = Callable[[int, int], None]
"""Called now and then with how much of a long work is done, and what it may come to."""

LISTENERS: list[Callable[[str], None]] = []
"""Called with what is being counted, before a count that takes a while."""


BEGUN: list[Callable[[str], None]] = []
"""Called with what is being done where a bar would show it, but nobody sees one."""

STEPS: list[Watcher] = []
"""Called with how much of a count is done, 0 at first, and what it comes to."""


def step(done: int, of: int) -> None:
    """Tell every listener how far a count is."""
    for watch in STEPS:
        watch(done, of)


def begin(what: str) -> None:
    """Tell every listener what has been begun, where there is no bar to show it."""
    for listener in BEGUN:
        listener(what)


def say(what: str) -> None:
    """Tell every listener what is being counted."""
    for listener in LISTENERS:
        listener(what)
