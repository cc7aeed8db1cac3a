"""A file of questions, row by row: CSV, JSON lines or Parquet, told by how it begins.

CSV and JSON lines are read a line at a time, so a file may be as long as it likes; ``-``
is standard input, and JSON lines from there are answered as they come.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from itertools import chain
from typing import Any, BinaryIO

from musodds.errors import InputError

MOST_LINE = 1 << 20
"""Characters of a line: more is no text of questions."""

_BEGINNING = 4
_PARQUET = b"PAR1"
_CHUNK = 1000
_DELIMITERS = ",;\t"

Row = dict[str, Any]


@dataclass(frozen=True)
class QuestionFile:
    """Questions that are to be read.

    Attributes
    ----------
    columns : tuple of str
        Those known beforehand; of JSON lines none.
    rows : iterator of dict
        One for each question, in order: read them once.
    expected : int or None
        How many rows there are, where that is known or quickly counted.
    streamed : bool
        Whether somebody may be waiting for each answer before asking on.
    """

    columns: tuple[str, ...]
    rows: Iterator[Row]
    expected: int | None = None
    streamed: bool = False


@contextmanager
def read_questions(name: str) -> Iterator[QuestionFile]:
    """Open a file of questions; ``-`` is standard input.

    Raises
    ------
    InputError
        If it cannot be read, or its columns cannot be told.
    """
    try:
        opened = (
            nullcontext(sys.stdin.buffer) if name == "-" else open(name, "rb")  # noqa: SIM115 (closed below)
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot read {name!r}: {reason}") from None
    with opened as file:
        yield _questions(file, name)


def _questions(file: BinaryIO, name: str) -> QuestionFile:
    begins = file.peek(_BEGINNING)[:_BEGINNING] if isinstance(file, io.BufferedReader) else b""
    if begins == _PARQUET:
        return _parquet(file, name)
    expected = None if name == "-" or not file.seekable() else _lines(file)
    lines = _Lines(file, name)
    if begins.removeprefix(codecs.BOM_UTF8).lstrip()[:1] in (b"{", b"["):
        return QuestionFile((), _json(lines, name), expected, streamed=name == "-")
    return _csv(lines, name, expected)


def _lines(file: BinaryIO) -> int:
    """How many lines there are; too many to count in a moment are as many as were counted."""
    found, left = 0, 1 << 8
    while left and (some := file.read(MOST_LINE)):
        found, left = found + some.count(b"\n"), left - 1
    file.seek(0)
    return found


class _Lines:
    """Lines of text, none of them endless."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self.file, self.name, self.number = file, name, 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        try:
            line = self.file.readline(MOST_LINE)
        except OSError as error:
            raise InputError(f"cannot read {self.name!r}: {error.strerror}") from None
        if not line:
            raise StopIteration
        self.number += 1
        try:
            text = line.decode("utf-8-sig" if self.number == 1 else "utf-8")
        except UnicodeDecodeError:
            text = "\0"
        if len(line) == MOST_LINE or "\0" in text:
            raise InputError(f"{self.name!r}, line {self.number}: it is not text in UTF-8")
        return text


def _csv(lines: _Lines, name: str, expected: int | None) -> QuestionFile:
    first = next((line for line in lines if line.strip()), "")
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(chain([first], lines), delimiter=delimiter, strict=True)
    columns = tuple(cell.strip() for cell in _next(reader, name, lines) or ())
    if not all(columns) or len(set(columns)) < len(columns) or not columns:
        raise InputError(
            f"{name!r}: its first line must name the columns, each once, such as hand,seat,partner"
        )

    def rows() -> Iterator[Row]:
        while (cells := _next(reader, name, lines)) is not None:
            if any(cells):
                if len(cells) > len(columns):
                    yield dict(zip(columns, cells, strict=False)) | {BROKEN: _width(cells, columns)}
                    continue
                yield dict(zip(columns, cells + [""] * (len(columns) - len(cells)), strict=True))

    return QuestionFile(columns, rows(), None if expected is None else max(expected - 1, 0))


BROKEN = "\0"
"""The key under which a row says that it cannot be read."""


def _width(cells: list[str], columns: tuple[str, ...]) -> str:
    return (
        f"it has {len(cells)} cells for {len(columns)} columns: put quotes around a cell with "
        "commas"
    )


def _next(reader: Iterator[list[str]], name: str, lines: _Lines) -> list[str] | None:
    try:
        return next(reader, None)
    except csv.Error as error:
        raise InputError(f"{name!r}, line {lines.number}: it is not CSV: {error}") from None


def _json(lines: _Lines, name: str) -> Iterator[Row]:
    first = next((line for line in lines if line.strip()), "")
    if first.lstrip().startswith("["):
        try:
            found = json.loads("".join(chain([first], lines)))
        except ValueError as error:
            raise InputError(f"{name!r} is not JSON: {error}") from None
        yield from map(_object, found)
        return
    for line in chain([first], lines):
        if line.strip():
            try:
                yield _object(json.loads(line))
            except (ValueError, RecursionError) as error:
                yield {BROKEN: f"line {lines.number} is not JSON: {error}"}


def _object(found: Any) -> Row:
    if isinstance(found, dict):
        return found
    return {BROKEN: 'a question is an object, such as {"hand": "RR7A"}'}


def _parquet(file: BinaryIO, name: str) -> QuestionFile:
    try:
        import pyarrow
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise InputError(
            "parquet needs pyarrow: install it with pip install 'musodds[parquet]', or give CSV"
        ) from None
    try:
        whole = ParquetFile(file if file.seekable() else io.BytesIO(file.read()))
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError(f"cannot read {name!r}: {error}") from None

    def rows() -> Iterator[Row]:
        for batch in whole.iter_batches(batch_size=_CHUNK):
            yield from batch.to_pylist()

    columns = tuple(whole.schema_arrow.names)
    return QuestionFile(columns, rows(), whole.metadata.num_rows)
