"""Tables in formats for other programs and pages: HTML, LaTeX, Parquet.

The HTML is one file that needs no network: the rows are data inside it, shown some
hundreds at a time, sorted by a click on a heading (or Enter, or Space) and filtered by
what is typed under it. Without scripts the first rows are still there to read.
"""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

from musodds.errors import InputError
from musodds.store.numbers import DATA

if TYPE_CHECKING:
    import pandas as pd

    from musodds.cli.parts.output import Table

FEW_VALUES = 12
"""Columns of text with no more different values than this are filtered from a list."""

FIRST_ROWS = 100
"""Rows that can be read without scripts."""


def to_html(title: str, table: Table, about: Sequence[str], values: Sequence[Sequence[Any]]) -> str:
    """A page with a table that sorts and filters.

    Parameters
    ----------
    title : str
    table : Table
        What is shown; its cells are text.
    about : sequence of str
        What each column means.
    values : sequence of sequence
        Per row, what is sorted and compared: numbers, text, None.
    """
    heads, filters = [], []
    columns = list(zip(*values, strict=True)) if values else [()] * len(table.titles)
    for i, (name, side) in enumerate(zip(table.titles, table.align, strict=True)):
        text, numeric = html.escape(name), side == "r"
        heads.append(
            f'<th scope="col" class="{side}" aria-sort="none" title="{html.escape(about[i])}">'
            f'<button type="button" data-column="{i}">{text}<span aria-hidden="true"></span>'
            "</button></th>"
        )
        filters.append(f"<td>{_filter(i, text, numeric, columns[i])}</td>")
    rows = [_html_row(table, cells) for cells in table.rows[:FIRST_ROWS]]
    shown = [list(cells) for cells in table.rows]
    data = json.dumps({"cells": shown, "values": values}, ensure_ascii=False, allow_nan=False)
    page = (DATA / "table.html").read_text(encoding="utf-8")
    fields = {
        "title": html.escape(title),
        "heads": "".join(heads),
        "filters": "".join(filters),
        "rows": "\n".join(rows),
        "about": "".join(
            f"<dt>{html.escape(name)}</dt><dd>{html.escape(words)}</dd>"
            for name, words in zip(table.titles, about, strict=True)
        ),
        "align": table.align,
        "data": data.replace("</", "<\\/"),
    }
    for name, content in fields.items():
        page = page.replace(f"@{name}@", content)
    return page


def _filter(i: int, title: str, numeric: bool, column: Sequence[Any]) -> str:
    different = list(dict.fromkeys(column))
    if len(different) <= FEW_VALUES and len(column) > FEW_VALUES:
        options = "".join(
            f'<option value="{html.escape(str(value))}">{html.escape(str(value))}</option>'
            for value in different
            if value is not None
        )
        return (
            f'<select data-column="{i}" aria-label="{title}: only">'
            f'<option value="">all</option>{options}</select>'
        )
    hint, words = ("&gt; 0.5", "at least or at most") if numeric else ("RR", "contains")
    return (
        f'<input data-column="{i}" type="text" size="6" placeholder="{hint}" '
        f'aria-label="{title}: {words}" autocomplete="off" spellcheck="false">'
    )


def _html_row(table: Table, cells: Sequence[str]) -> str:
    first, *others = (
        f'class="{side}">{html.escape(cell)}' for cell, side in zip(cells, table.align, strict=True)
    )
    rest = "".join(f"<td {cell}</td>" for cell in others)
    return f'<tr><th scope="row" {first}</th>{rest}</tr>'


_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}", "%": r"\%", "&": r"\&", "#": r"\#", "_": r"\_", "$": r"\$",
        "<": r"$<$", ">": r"$>$", "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
    }
)  # fmt: skip


def to_latex(title: str, table: Table) -> str:
    """A table that runs over pages; needs the packages ``booktabs`` and ``longtable``."""
    heads = " & ".join(name.translate(_LATEX) for name in table.titles) + r" \\"
    body = "\n".join(
        " & ".join(cell.translate(_LATEX) for cell in cells) + r" \\" for cells in table.rows
    )
    return "\n".join(
        (
            "% needs: \\usepackage{booktabs,longtable}",
            f"\\begin{{longtable}}{{{table.align}}}",
            f"\\caption{{{title.translate(_LATEX)}}} \\\\",
            "\\toprule",
            heads,
            "\\midrule",
            "\\endfirsthead",
            "\\toprule",
            heads,
            "\\midrule",
            "\\endhead",
            "\\bottomrule",
            "\\endlastfoot",
            body,
            "\\end{longtable}",
            "",
        )
    )


def to_parquet(frame: pd.DataFrame) -> bytes:
    """The frame as a Parquet file.

    Raises
    ------
    InputError
        If pyarrow is not installed.
    """
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise InputError(
            "parquet needs pyarrow: install it with pip install 'musodds[parquet]', "
            "or choose another format, such as csv"
        ) from None
    stream = BytesIO()
    frame.to_parquet(stream, engine="pyarrow", index=False)
    return stream.getvalue()
