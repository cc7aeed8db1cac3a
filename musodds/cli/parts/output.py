"""What commands print: one report, as text, JSON, CSV or Markdown.

JSON and CSV carry the same numbers at full precision; text and Markdown are rounded
for people. Colour is for terminals only, and a file is written whole or not at all.
"""

from __future__ import annotations

import csv
import errno
import io
import json
import math
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import click

from musodds.store.files import write_atomic
from musodds.values import once

WIDTH = 80
"""Columns of text, unless the terminal has fewer."""

LEAST_WIDTH = 60
ROWS_ALONE = "csv", "tsv"  # formats that are one table

COLLECT = "musodds.collect"
"""Under this name a click context has what takes reports instead of their being printed."""

_PLAIN = frozenset((str, int, bool, type(None)))

Row = Mapping[str, object]


@dataclass(frozen=True)
class Report:
    """An answer, to be printed by `emit`.

    Parameters
    ----------
    head : mapping of str to object
        What is said once: ``game``, ``hand``, ``method``, ``n``, ``seed`` ... Entries
        that are None are left out. In CSV they are the first columns of every row.
    rows_name : str
        The name of the list of rows in the JSON object, such as ``odds``.
    rows : sequence of mapping of str to object
        The numbers, unrounded; None where there is none.
    text : callable
        Makes the text for people, at most 80 columns wide; may use ``click.style``.
    markdown : callable
        Makes the Markdown.
    more : mapping of str to sequence of mapping of str to object, optional
        Further lists of rows, by name; in CSV they follow as rows of their own.
    once : tuple of names and names, optional
        Columns that say the same in all rows that agree in the first of them, and stand on
        the first of these rows alone where columns are added up: in CSV and workbooks.
    others : mapping of str to callable, optional
        What makes the content in further formats; see :mod:`musodds.cli.parts.formats`.

    Examples
    --------
    >>> table = Table(("seat", "win"), "lr", [("mano", percent(0.25))])
    >>> report = Report(
    ...     {"game": "mus"}, "odds", [{"seat": 1, "win": 0.25}], table.text, table.markdown
    ... )
    >>> print(render(report, "json"), end="")
    {
      "game": "mus",
      "odds": [
        {"seat": 1, "win": 0.25}
      ]
    }
    >>> print(render(report, "csv"), end="")
    game,seat,win
    mus,1,0.25
    >>> print(render(report, "md"), end="")
    | seat |   win |
    |:-----|------:|
    | mano | 25.0% |
    """

    head: Mapping[str, object]
    rows_name: str
    rows: Sequence[Row]
    text: Callable[[], str]
    markdown: Callable[[], str]
    more: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    others: Mapping[str, Callable[[], str | bytes]] = field(default_factory=dict)
    once: tuple[Sequence[str], Sequence[str]] = ((), ())


def emit(report: Report, format_name: str | None = None, output: str | None = None) -> None:
    """Print a report to standard output, or write it to a file.

    Where it is not said how and where to, as the command was asked: by ``--format`` and ``-o``.
    """
    ctx = click.get_current_context(silent=True)
    if ctx is not None and COLLECT in ctx.meta:
        ctx.meta[COLLECT](report)
        return
    format_name = wanted_format() if format_name is None else format_name
    if output is None and ctx is not None:
        output = ctx.params.get("output")
    deliver(render(report, format_name), format_name, output)


def wanted_format() -> str:
    """The format that the running command was asked for."""
    name: str = click.get_current_context().params["format_name"]
    return name


def deliver(content: str | bytes | Iterator[bytes], format_name: str, output: str | None) -> None:
    """Print what was rendered (text in parts is given as its bytes), or write it to a file."""
    if output is not None:
        write_atomic(output, click.unstyle(content) if isinstance(content, str) else content)
        return
    if isinstance(content, Iterator):
        for part in content:
            write_output(part)
        return
    if isinstance(content, bytes) and sys.stdout is not None and sys.stdout.isatty():
        raise click.UsageError(f"{format_name} is not for a terminal: name a file with -o")
    write_output(content)


def write_output(content: str | bytes) -> None:
    """Write to standard output, in colour only where somebody sees it."""
    if sys.stdout is None:
        raise OSError(errno.EBADF, "it is closed")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal may know only ASCII
    click.echo(content, nl=False, color=None if _colour_wanted() else False)


def render(report: Report, format_name: str) -> str | bytes:
    """The report in one of the formats; text ends in a newline."""
    if format_name in report.others:
        return report.others[format_name]()
    head, lists = contents(report, format_name)
    if format_name == "json":
        return _json(head, lists)
    if format_name in ROWS_ALONE:
        return _csv(all_rows(head, lists), "\t" if format_name == "tsv" else ",")
    if format_name in ("html", "xlsx"):
        from musodds.cli.parts.documents import answer_html, workbook

        return (
            workbook(head, lists)
            if format_name == "xlsx"
            else answer_html(head, lists, click.unstyle(report.text()))
        )
    content = report.markdown() if format_name == "md" else wrapped(report.text(), page_width())
    return content.rstrip("\n") + "\n"


def contents(report: Report, format_name: str) -> tuple[Row, dict[str, list[dict[str, Any]]]]:
    """What is said once, and every list of rows, as plain values."""
    head = {name: plain(value) for name, value in report.head.items() if value is not None}
    main: Sequence[Row] = report.rows
    if report.once[0] and format_name in ("csv", "tsv", "xlsx", "parquet"):
        main = once(main, *report.once)
    return head, {
        list_name: [{name: plain(value) for name, value in row.items()} for row in rows]
        for list_name, rows in {report.rows_name: main, **report.more}.items()
    }


def all_rows(head: Row, lists: Mapping[str, Sequence[Row]]) -> list[dict[str, object]]:
    """The rows of all lists, what is said once in front of each."""
    return [{**head, **row} for rows in lists.values() for row in rows]


def page_width() -> int:
    """Columns for text: those of the terminal, from 60 to 80."""
    # shutil.get_terminal_size does the same, but its import costs a tenth of a question.
    try:
        columns = int(os.environ.get("COLUMNS", "")) or WIDTH
    except ValueError:
        stream = sys.__stdout__
        try:
            columns = os.get_terminal_size(stream.fileno()).columns if stream else WIDTH
        except (ValueError, OSError):
            columns = WIDTH
    return min(WIDTH, max(LEAST_WIDTH, columns))


def wrapped(text: str, most: int) -> str:
    """Lines that are longer than that broken at spaces, under where they began.

    Prose that was broken for the usual width is one paragraph, and is broken anew as a whole.

    Examples
    --------
    >>> print(wrapped("  one two three", 10))
      one two
      three
    """
    lines: list[str] = []
    for paragraph in _paragraphs(text.split("\n")):
        fits = all(len(click.unstyle(line)) <= most for line in paragraph)
        lines += paragraph if fits else [_broken(" ".join(paragraph), most)]
    return "\n".join(lines)


def _paragraphs(lines: Sequence[str]) -> list[list[str]]:
    """Lines that go on in the next one, together."""
    found: list[list[str]] = [[lines[0]]]
    for line in lines[1:]:
        if _goes_on(click.unstyle(found[-1][-1]), click.unstyle(line)):
            found[-1].append(line)
        else:
            found.append([line])
    return found


def _goes_on(line: str, after: str) -> bool:
    """Whether a line of prose ends only because the next word does not fit: rows have gaps."""
    if any(one[:1].isspace() or "  " in one or not one for one in (line, after)):
        return False
    return len(line) + 1 + len(after.split()[0]) > WIDTH


def _broken(line: str, most: int) -> str:
    indent = line[: len(line) - len(line.lstrip())]
    lines: list[str] = []
    for word in line.split():
        longer = f"{lines[-1]} {word}" if lines else indent + word
        if lines and len(click.unstyle(longer)) > most:
            lines.append(indent + word)
        else:
            lines[-1:] = [longer]
    return "\n".join(lines)


def plain(value: object) -> Any:
    """A value as JSON and CSV know it: NumPy scalars and fractions become numbers."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Fraction):
        value = float(value)
    elif type(value) is not float and hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _json(head: Row, lists: Mapping[str, Sequence[Row]]) -> str:
    entries = [f"  {json.dumps(name)}: {_dump(value)}" for name, value in head.items()]
    for name, rows in lists.items():
        body = ",\n".join(f"    {_dump(row)}" for row in rows)
        listed = f"[\n{body}\n  ]" if rows else "[]"
        entries.append(f"  {json.dumps(name)}: {listed}")
    return "\n".join(["{", ",\n".join(entries), "}", ""])


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _csv(rows: Sequence[Row], delimiter: str = ",") -> str:
    stream = io.StringIO()
    names = dict.fromkeys(name for row in rows for name in row)
    writer = csv.DictWriter(stream, list(names), lineterminator="\n", delimiter=delimiter)
    writer.writerow({name: harmless(name) for name in names})
    writer.writerows({name: harmless(value) for name, value in row.items()} for row in rows)
    return stream.getvalue()


def harmless(value: object) -> object:
    """A cell that no spreadsheet takes for a formula: text that looks like one gets a quote.

    Numbers stay numbers, and a dash alone is a dash.

    Examples
    --------
    >>> harmless("=1+1"), harmless("-"), harmless(-1.5), harmless("RR7A"), harmless("-1.5")
    ("'=1+1", '-', -1.5, 'RR7A', '-1.5')
    """
    if not isinstance(value, str) or len(value) < 2 or value[0] not in "=+-@\t\r":
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value


def _colour_wanted() -> bool:
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


@dataclass(frozen=True)
class Table:
    """A table for people: cells are text, numbers already rounded.

    Parameters
    ----------
    titles : sequence of str
    align : str
        One letter per column: ``l`` left, ``r`` right.
    rows : sequence of sequences of str
        Cells may be styled with ``click.style``.
    """

    titles: Sequence[str]
    align: str
    rows: Sequence[Sequence[str]]

    def text(self, indent: str = "", gap: str = "  ") -> str:
        """Aligned columns under their titles.

        Where they are wider than the terminal, closer together; where that does not do,
        the columns that do not fit follow below, each row with its first cell again.
        """
        most = page_width() - len(indent)
        widths = self._widths(1)
        if sum(widths) + len(gap) * (len(widths) - 1) > most and len(gap) > 1:
            gap = " "
        parts = _columns_that_fit(widths, len(gap), most)
        return "\n".join(self._lines(columns, widths, indent, gap) for columns in parts)

    def _lines(self, columns: list[int], widths: list[int], indent: str, gap: str) -> str:
        lines = [
            indent + gap.join(_pad(cells[i], widths[i], self.align[i]) for i in columns)
            for cells in (self.titles, *self.rows)
        ]
        lines[0] = click.style(lines[0].rstrip(), dim=True)
        return "\n".join(line.rstrip() for line in lines) + "\n"

    def markdown(self) -> str:
        """A Markdown table, aligned in its source too."""
        widths = self._widths(3)
        rule = [
            ":" + "-" * (width + 1) if side == "l" else "-" * (width + 1) + ":"
            for width, side in zip(widths, self.align, strict=True)
        ]
        lines = [
            "| " + " | ".join(map(_pad, map(click.unstyle, cells), widths, self.align)) + " |"
            for cells in (self.titles, *self.rows)
        ]
        lines.insert(1, "|" + "|".join(rule) + "|")
        return "\n".join(lines) + "\n"

    def _widths(self, least: int) -> list[int]:
        columns = zip(self.titles, *self.rows, strict=True)
        return [max(least, *(len(click.unstyle(cell)) for cell in cells)) for cells in columns]


def _columns_that_fit(widths: list[int], gap: int, most: int) -> list[list[int]]:
    """The columns of each part of a table, the first one in all of them."""
    parts: list[list[int]] = [[0]]
    for i in range(1, len(widths)):
        taken = sum(widths[j] + gap for j in parts[-1])
        if taken + widths[i] > most and len(parts[-1]) > 1:
            parts.append([0])
        parts[-1].append(i)
    return parts


def _pad(cell: str, width: int, side: str) -> str:
    space = " " * (width - len(click.unstyle(cell)))
    return cell + space if side == "l" else space + cell


def percent(value: float | None) -> str:
    """A probability as a percentage; a dash where there is none.

    Examples
    --------
    >>> percent(0.12345), percent(0.0), percent(0.9999), percent(None)
    ('12.3%', '0', '>99.9%', '-')
    """
    if value is None:
        return "-"
    if value in (0, 1):
        return f"{value * 100:.0f}{'%' * bool(value)}"
    if value < 0.0005:
        return "<0.1%"
    return ">99.9%" if value >= 0.9995 else f"{value * 100:.1f}%"


def signed(value: float | None, digits: int = 2) -> str:
    """Stones with their sign; a dash where there are none.

    Examples
    --------
    >>> signed(0.5), signed(-1.234), signed(-0.001)
    ('+0.50', '-1.23', '0.00')
    """
    if value is None:
        return "-"
    text = f"{value:+.{digits}f}"
    return text if float(text) else text[1:]
