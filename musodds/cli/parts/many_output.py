"""Answers to many questions, written as they come: nothing but one answer is kept in memory.

CSV needs all columns in its first line, and an answer may bring new ones (a game with other
columns, something known), so its lines wait in a temporary file until all are known. JSON
is one object a line and waits for nothing. Other formats are made of all rows at the end.
"""

from __future__ import annotations

import csv
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any

from musodds.cli.parts.output import (
    Report,
    Table,
    all_rows,
    contents,
    deliver,
    harmless,
    plain,
    render,
    write_output,
)

ERROR = "error"
_BLOCK = 1 << 20


@dataclass(frozen=True)
class Answers:
    """The answer to one question.

    Parameters
    ----------
    row : dict
        The question, as it stood in the file.
    report : Report or None
        What the command would print.
    format_name : str
    error : str or None
        Why there is no answer.
    """

    row: dict[str, Any]
    report: Report | None
    format_name: str
    error: str | None = None

    def records(self) -> list[dict[str, Any]]:
        """The rows of a table, the question in front of each."""
        front = {name: _flat(cell) for name, cell in self.row.items()} | {ERROR: self.error}
        if self.report is None:
            return [front]
        head, lists = contents(self.report, self.format_name)
        head = {name: value for name, value in head.items() if name not in self.row}
        return [{**front, **row} for row in all_rows(head, lists)]

    def line(self) -> str:
        """The answer as one object, the question in front."""
        if self.report is None:
            found: dict[str, Any] = {ERROR: self.error}
        else:
            head, lists = contents(self.report, self.format_name)
            found = {**head, **lists}
        found = {**{name: plain(value) for name, value in self.row.items()}, **found}
        return json.dumps(found, ensure_ascii=False, default=str) + "\n"


def _flat(cell: Any) -> Any:
    """A cell of a table: a list of cards is text."""
    return " ".join(map(str, cell)) if isinstance(cell, list) else plain(cell)


Write = Callable[[Answers, bool], None]


@contextmanager
def writer_of(
    format_name: str, output: str | None, name: str, columns: Sequence[str]
) -> Iterator[Write]:
    """What writes the answers, in order; a file is written whole or not at all.

    Parameters
    ----------
    format_name : str
    output : str or None
        A file name, or None for standard output.
    name : str
        What the rows are called.
    columns : sequence of str
        The columns of the questions, as far as they are known.
    """
    if format_name == "json" and output is None:
        yield _say
    elif format_name in ("csv", "tsv", "json"):
        with tempfile.TemporaryFile("w+", encoding="utf-8", newline="") as spool:
            if format_name == "json":
                yield lambda answers, _: void(spool.write(answers.line()))
                spool.seek(0)
                deliver(iter(lambda: spool.read(_BLOCK).encode(), b""), format_name, output)
            else:
                lines = _Lines(spool, "\t" if format_name == "tsv" else ",", columns)
                yield lines.write
                deliver(lines.whole(), format_name, output)
    else:
        rows: list[dict[str, Any]] = []
        yield lambda answers, _: rows.extend(answers.records())
        deliver(_whole(rows, format_name, name), format_name, output)


def void(_: object) -> None:
    """Nothing, whatever was returned."""


def _say(answers: Answers, streamed: bool) -> None:
    write_output(answers.line())
    if streamed and sys.stdout is not None:
        # Somebody may wait for it before asking on.
        sys.stdout.flush()


class _Lines:
    """Lines of CSV whose columns are not all known before the last."""

    def __init__(self, spool: IO[str], delimiter: str, columns: Sequence[str]) -> None:
        self.spool, self.delimiter = spool, delimiter
        self.columns = dict.fromkeys(columns)
        self.writer = self._writer(spool)
        # Where lines of so many columns begin.
        self.begins: list[tuple[int, int]] = []

    def _writer(self, stream: Any) -> Any:
        return csv.writer(stream, delimiter=self.delimiter, lineterminator="\n")

    def write(self, answers: Answers, _: bool) -> None:
        """Add the lines of an answer."""
        for record in answers.records():
            if not record.keys() <= self.columns.keys() or not self.begins:
                self.columns |= dict.fromkeys(record)
                self.begins.append((self.spool.tell(), len(self.columns)))
            cells = map(record.get, self.columns)
            self.writer.writerow([harmless(one) if isinstance(one, str) else one for one in cells])

    def whole(self) -> Iterator[bytes]:
        """The file: first the columns."""
        echo = _Echo()
        writer = self._writer(echo)
        writer.writerow([harmless(name) for name in self.columns or {ERROR: None}])
        yield echo.take()
        self.spool.seek(0)
        ends = [place for place, _ in self.begins[1:]] + [None]
        for (_, width), end in zip(self.begins, ends, strict=True):
            if width == len(self.columns):
                yield from iter(lambda: self.spool.read(_BLOCK).encode(), b"")
                return
            lines = iter(self.spool.readline, "") if end is None else self._until(end)
            for cells in csv.reader(lines, delimiter=self.delimiter):
                writer.writerow(cells + [""] * (len(self.columns) - width))
                yield echo.take()

    def _until(self, end: int) -> Iterator[str]:
        while self.spool.tell() < end:
            yield self.spool.readline()


class _Echo:
    """A stream that gives back what was written to it."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def write(self, text: str) -> int:
        """Take a part."""
        self.parts.append(text)
        return len(text)

    def take(self) -> bytes:
        """All since the last time."""
        found, self.parts = "".join(self.parts).encode(), []
        return found


def _whole(rows: list[dict[str, Any]], format_name: str, name: str) -> str | bytes:
    """The rows in a format that needs them all."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    if not any(row.get(ERROR) for row in rows):
        columns = [column for column in columns if column != ERROR]
    if format_name == "parquet":
        return _parquet(rows, columns)

    def table() -> Table:
        cells = [[_cell(row.get(column)) for column in columns] for row in rows]
        numbers = [
            any(isinstance(row.get(column), float | int) for row in rows) for column in columns
        ]
        return Table(columns, "".join("r" if number else "l" for number in numbers), cells)

    listed = [{column: row.get(column) for column in columns} for row in rows]
    report = Report({}, name, listed, lambda: table().text(), lambda: table().markdown())
    return render(report, format_name)


def _cell(value: object) -> str:
    value = plain(value)
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def _parquet(rows: list[dict[str, Any]], columns: list[str]) -> bytes:
    import pandas as pd

    from musodds.cli.parts.formats import to_parquet

    frame = pd.DataFrame(rows, columns=columns)
    for column in columns:
        kinds = {type(value) for value in frame[column] if value is not None and value == value}
        if len(kinds) > 1 and not kinds <= {int, float}:
            # A column of a Parquet file has one type: seats 1 and "all" are text.
            frame[column] = [None if v is None else str(v) for v in frame[column]]
    return to_parquet(frame)
