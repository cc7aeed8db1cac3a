"""Ctrl-C that is always heard.

Python tells a program of Ctrl-C by an exception in whatever runs then. Compiled code that is
being loaded calls back into Python, and an exception in there is printed or dropped, and the
program goes on. So a thread waits beside it: where nobody has said in time that Ctrl-C was
heard, it ends the process, and what Python would print of a dropped Ctrl-C is not shown.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

PATIENCE = 0.5
"""Seconds that the program has to notice."""

_heard = threading.Event()
_held = threading.Event()


def heard() -> None:
    """Say that Ctrl-C has arrived, and that the program is about to end by itself."""
    _heard.set()


@contextmanager
def held() -> Iterator[None]:
    """Ctrl-C waits for the end of a step that must not be left half done, and is heard then.

    Whoever presses it again waits no longer. In another thread than the first it is as
    ever: Python tells only that one.

    Raises
    ------
    KeyboardInterrupt
        At the end, if it was pressed meanwhile.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    pressed: list[int] = []

    def press(number: int, frame: object) -> None:
        heard()
        if pressed:
            raise KeyboardInterrupt
        pressed.append(number)

    signal.signal(signal.SIGINT, press)
    _held.set()
    try:
        yield
    finally:
        _held.clear()
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt


def insist(status: int) -> None:
    """End this process with a status if Ctrl-C is not heard soon; for a whole program only."""
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        return
    sys.unraisablehook = _unless_interrupted
    # What a process that ends at once has not given back, the system does; the process that
    # keeps such lists for the workers would say so after the last line.
    sys.warnoptions.append("ignore:resource_tracker")
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(reader, status), daemon=True).start()


def leave(status: int) -> NoReturn:
    """End this process at once with a status, after Ctrl-C; for a whole program only.

    Python itself would wait for every thread, and one in compiled code may take minutes. It
    would answer Ctrl-C pressed meanwhile with a traceback. And where the first one came out of
    ``exec`` of a text, as numba and dataclasses do, ``python -m`` ends by the signal and not
    with the status it was told, however well the exception was handled.
    """
    signal.signal(signal.SIGINT, lambda number, frame: os._exit(status))
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(status)


def _unless_interrupted(dropped: sys.UnraisableHookArgs, /) -> None:
    """Python's report of an exception that it must drop; of Ctrl-C the watching thread tells."""
    if not issubclass(dropped.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(dropped)


def _watch(reader: int, status: int) -> None:
    while received := os.read(reader, 1):
        if received[0] == signal.SIGINT and not _held.is_set() and not _heard.wait(PATIENCE):
            # A bar may stand on the line, and hides the cursor.
            clean = b"\r\x1b[2K\x1b[?25h" if os.isatty(2) else b""
            os.write(2, clean + b"musodds: interrupted\n")
            os._exit(status)
