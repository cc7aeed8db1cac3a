"""Any answer as a page (HTML) or as a workbook for spreadsheets."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

from musodds.errors import InputError

Lists = Mapping[str, Sequence[Mapping[str, Any]]]

_STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 1rem auto; padding: 0 1rem; }
pre { overflow-x: auto; line-height: 1.35; }
div { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.15rem 0.6rem; text-align: right; border-bottom: 1px solid #8884; }
th.l, td.l { text-align: left; }
"""


def answer_html(head: Mapping[str, Any], lists: Lists, text: str) -> str:
    """A page with the answer as text, and every number of it in tables.

    Parameters
    ----------
    head : mapping of str to object
    lists : mapping of str to sequence of mapping
        Rows of plain values, by the name of their list.
    text : str
        The answer as people read it.
    """
    title = html.escape(
        " ".join(["musodds", *(str(head[k]) for k in ("game", "hand") if k in head)])
    )
    told = "".join(
        f"<tr><th class=l>{html.escape(name)}</th><td class=l>{_cell(value)}</td></tr>"
        for name, value in head.items()
    )
    tables = "\n".join(
        f"<h2>{html.escape(name)}</h2>\n{_table(rows)}" for name, rows in lists.items() if rows
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        f"<pre>{html.escape(text.rstrip())}</pre>\n<div><table>{told}</table></div>\n{tables}\n"
        "</body>\n</html>\n"
    )


def _table(rows: Sequence[Mapping[str, Any]]) -> str:
    names = dict.fromkeys(name for row in rows for name in row)
    side = {
        name: " class=l" if any(isinstance(row.get(name), str) for row in rows) else ""
        for name in names
    }
    heads = "".join(f"<th{side[name]}>{html.escape(name)}</th>" for name in names)
    lines = "\n".join(
        "<tr>" + "".join(f"<td{side[name]}>{_cell(row.get(name))}</td>" for name in names) + "</tr>"
        for row in rows
    )
    return f"<div><table>\n<tr>{heads}</tr>\n{lines}\n</table></div>"


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f'<span title="{value!r}">{value:.5g}</span>'
    return html.escape(", ".join(map(str, value)) if isinstance(value, list) else str(value))


def workbook(head: Mapping[str, Any], lists: Lists) -> bytes:
    """A workbook (xlsx): a sheet for each list, and one for what is said once.

    Text stays text, also where it looks like a formula.

    Raises
    ------
    InputError
        If openpyxl is not installed.
    """
    try:
        from openpyxl import Workbook  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        raise InputError(
            "xlsx needs openpyxl: install it with pip install 'musodds[excel]', or choose "
            "another format, such as csv"
        ) from None
    book = Workbook()
    book.remove(book.active)
    for name, rows in lists.items():
        names = list(dict.fromkeys(key for row in rows for key in row))
        _fill(book.create_sheet(name[:31]), [names, *([row.get(n) for n in names] for row in rows)])
    _fill(book.create_sheet("about"), [[name, value] for name, value in head.items()])
    stream = BytesIO()
    book.save(stream)
    return stream.getvalue()


def _fill(sheet: Any, rows: Sequence[Sequence[Any]]) -> None:
    for y, row in enumerate(rows, start=1):
        for x, value in enumerate(row, start=1):
            plain = value is None or isinstance(value, (bool, int, float))
            large = isinstance(value, int) and abs(value) > 2**53
            cell = sheet.cell(y, x)
            cell.value = value if plain and not large else _text(value)
            if isinstance(cell.value, str):
                cell.data_type = "s"  # never a formula


def _text(value: object) -> str:
    """Text that a sheet may hold: nothing that only controls a terminal, and not too long."""
    whole = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return "".join(letter if letter.isprintable() else " " for letter in whole)[:32000]
