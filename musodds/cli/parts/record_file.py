"""The file that a record is read from."""

from __future__ import annotations

import sys

from musodds.errors import InputError

MOST_BYTES = 1 << 22
"""Of a record: some twenty thousand deals."""


def record_text(file: str) -> str:
    """The text of a record; ``-`` is standard input.

    Raises
    ------
    InputError
        If it cannot be read, is longer than any record, or is not text in UTF-8.
    """
    try:
        if file == "-":
            content = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with open(file, "rb") as opened:
                content = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"cannot read {file!r}: {error.strerror}") from None
    if len(content) > MOST_BYTES:
        raise InputError(f"{file!r} is longer than {MOST_BYTES >> 20} MB: that is no record")
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise InputError(f"{file!r} is not text in UTF-8") from None
