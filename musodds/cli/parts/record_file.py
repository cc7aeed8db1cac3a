"""The file that a record is read from."""

from __future__ import annotations

import sys

from musodds.errors import InputError
from musodds.store.files import read_text

MOST_BYTES = 1 << 22
"""Of a record: some twenty thousand deals."""


def record_text(file: str) -> str:
    """The text of a record; ``-`` is standard input.

    Raises
    ------
    InputError
        If it cannot be read, is longer than any record, or is not text in UTF-8.
    """
    return read_text(
        file,
        MOST_BYTES,
        lambda reason: InputError(f"cannot read {file!r}: {reason}"),
        sys.stdin.buffer if file == "-" else None,
    )
