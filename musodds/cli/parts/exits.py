"""How the command ends: exit statuses, and whether Ctrl-C is behind an error."""

from __future__ import annotations


def interrupted(error: BaseException | None) -> bool:
    """Whether Ctrl-C is behind an error: compiled modules report it as an ImportError."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


BAD_INPUT, FAILURE, INTERRUPTED, CLOSED_PIPE = 2, 1, 130, 141
