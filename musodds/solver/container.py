"""Numbers in a file that is safe to read from a stranger.

The first line is ``musodds strategy 1``; the second a JSON object: what was solved and
found, how long the compressed numbers are and their SHA-256. Then come the numbers,
compressed by zlib. Nothing in it is executed, and a file whose numbers do not fit what
its second line says is refused.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from musodds.errors import InputError
from musodds.store.files import write_atomic

MAGIC = b"musodds strategy 1\n"
_MOST_HEADER = 1 << 16
_MOST_PACKED = 1 << 30

Wrong = Callable[[str], InputError]
"""Makes the error that says why a file cannot be read."""


def write_packed(path: str | Path, header: dict[str, Any], raw: bytes) -> None:
    """Write a file, whole or not at all."""
    packed = zlib.compress(raw, 6)
    said = {**header, "length": len(packed), "sha256": hashlib.sha256(packed).hexdigest()}
    write_atomic(path, MAGIC + json.dumps(said).encode("ascii") + b"\n" + packed)


def wrong_file(path: str | Path) -> Wrong:
    """For the file of that name."""

    def wrong(why: str) -> InputError:
        return InputError(f"{str(path)!r} is no strategy that can be read: {why}")

    return wrong


def read_packed(path: str | Path) -> tuple[dict[str, Any], bytes]:
    """The second line of a file, and its compressed numbers as they are.

    Raises
    ------
    InputError
        If there is no such file, or it was not written here.
    """
    wrong = wrong_file(path)
    try:
        with Path(path).open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise wrong("`musodds solve -o FILE` writes one")
            line = file.readline(_MOST_HEADER)
            packed = file.read(_MOST_PACKED + 1)
    except OSError as error:
        raise wrong(error.strerror or str(error)) from None
    try:
        header = json.loads(line)
    except ValueError as error:
        raise wrong(f"its second line says {error}") from None
    if not isinstance(header, dict):
        raise wrong("its second line says nothing")
    return header, packed


def unpacked(header: dict[str, Any], packed: bytes, whole: int, wrong: Wrong) -> bytes:
    """The numbers, of which there have to be so many bytes.

    Raises
    ------
    InputError
        If they are damaged, or more or fewer.
    """
    length, digest = header.get("length"), header.get("sha256")
    if len(packed) != length or hashlib.sha256(packed).hexdigest() != digest:
        raise wrong("it is damaged: its checksum is another")
    try:
        unpack = zlib.decompressobj()
        raw = unpack.decompress(packed, whole + 1)
    except zlib.error as error:
        raise wrong(str(error)) from None
    if len(raw) != whole or not unpack.eof:
        raise wrong("its numbers do not fit the game")
    return raw
