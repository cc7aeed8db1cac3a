"""A review as one page: the summaries, the course as a plot, every decision."""

from __future__ import annotations

import html
from collections.abc import Sequence

from musodds.report.plots import to_bytes
from musodds.report.plots.review import review_figure
from musodds.strategy.review import Review

_STYLE = """\
body{font:15px/1.5 system-ui,sans-serif;color:#222;max-width:62rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;margin:1rem 0}
th,td{padding:.2rem .6rem;border-bottom:1px solid #e3e3e3;text-align:left}
td.r,th.r{text-align:right}tr.doubtful td{background:#fff7e0}tr.blunder td{background:#fde4d8}
svg{max-width:100%;height:auto}"""

_CLASS = {"?": "doubtful", "??": "blunder"}

Block = tuple[str, Sequence[str], str, Sequence[tuple[str, ...]]]
"""A heading, the titles of columns, how they are aligned, the cells."""


def review_page(found: Review, title: str, notes: Sequence[str], blocks: Sequence[Block]) -> str:
    """One page that needs nothing else; rows whose last cell is a mark are coloured."""
    picture = to_bytes(review_figure(found), "svg").decode()
    parts = [
        "<!doctype html>",
        f'<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>',
        f"<style>{_STYLE}</style></head><body>",
        f"<h1>{html.escape(title)}</h1>",
        *(f"<p>{html.escape(note)}</p>" for note in notes),
        picture[picture.index("<svg") :],
    ]
    for heading, titles, align, rows in blocks:
        parts.append(f"<h2>{html.escape(heading)}</h2>")
        parts.append(_table(titles, align, rows))
    return "\n".join([*parts, "</body></html>", ""])


def _table(titles: Sequence[str], align: str, rows: Sequence[tuple[str, ...]]) -> str:
    def cells(tag: str, row: Sequence[str]) -> str:
        return "".join(
            f'<{tag} class="{side}">{html.escape(cell)}</{tag}>'
            for cell, side in zip(row, align, strict=True)
        )

    body = (f'<tr class="{_CLASS.get(row[-1], "")}">{cells("td", row)}</tr>' for row in rows)
    return f"<table><thead><tr>{cells('th', titles)}</tr></thead><tbody>\n" + "\n".join(
        [*body, "</tbody></table>"]
    )
