"""``musodds table``: whole tables, for people, spreadsheets, pages and programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click
from click.shell_completion import CompletionItem

from musodds.cli.parts.formats import to_html, to_latex, to_parquet
from musodds.cli.parts.options import (
    equity_option,
    game_option,
    output_option,
    seat_option,
    table_format_option,
    target_option,
)
from musodds.cli.parts.output import Report, Table, deliver, emit, percent, signed
from musodds.report.tables import TABLES, table
from musodds.report.tables.data import Column, Data
from musodds.rules.game import Game
from musodds.rules.games import usual

_LARGE = ("csv", "tsv", "parquet")
"""Formats that a table of millions of rows can have."""

_MANY = 50_000
"""Rows that are written at a time."""


class TableName(click.ParamType):  # type: ignore[type-arg]
    """The name of a table, completed by the shell."""

    name = "table"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [
            CompletionItem(name, help=spec.summary)
            for name, spec in TABLES.items()
            if name.startswith(incomplete)
        ]


@click.command
@click.argument("name", type=TableName(), metavar="NAME")
@game_option
@target_option
@seat_option
@click.option("--hand", metavar="HAND", help="duel, pairs, signals: the hand that it is about.")
@click.option(
    "--policy",
    metavar="NAME",
    help="discards, cut: best (all play the solved policy; simulated; the default) or "
    "solo (you alone draw; exact).",
)
@click.option(
    "--by",
    multiple=True,
    metavar="PLAYER",
    help="signals: who makes them: partner (the default), next or previous (rival); may be "
    "repeated.",
)
@click.option("--system", metavar="NAME", help="signals: classic (the default) or federation.")
@equity_option
@table_format_option
@output_option
def command(
    name: str,
    game: Game,
    seat: str,
    hand: str | None,
    policy: str | None,
    by: tuple[str, ...],
    system: str | None,
    kind: str | None,
    format_name: str,
    output: str | None,
) -> Mapping[str, Any]:
    """Whole tables of a game.

    \b
    NAME is one of:
      odds      every hand, seat and phase: exact odds
      pairs     the same of every two hands of partners
      hands     every hand: its plays, its place in each phase, its chance
      plays     every play: how often one player, or one of two, is dealt it
      discards  the best keep of every hand and seat, and its lead
      cut       mus or cut for every hand and seat
      duel      hand against hand, phase by phase
      signals   what each sign of a player does to the odds of a hand
      equity    every score: the chance of winning the game

    \b
    Examples:
      musodds table odds -o odds.csv
      musodds table odds --seat mano -o mano.html
      musodds table plays --game mus4
      musodds table discards --policy solo --seat postre
      musodds table duel --hand RR7A
      musodds table pairs -o pairs.parquet
      musodds table pairs --hand RR7A --seat 1 -o pairs.csv
      musodds table signals --hand RR7A --seat 1 --by partner --by next
    """
    if game != usual(game) and name != "equity":
        raise click.UsageError(f"--target goes with equity: {name} does not depend on it")
    if kind is not None and name != "equity":
        raise click.UsageError(f"--equity goes with equity: {name} does not depend on it")
    if name == "pairs" and hand is None and format_name not in _LARGE:
        raise click.UsageError(
            f"pairs has some two million rows: choose --format {', '.join(_LARGE)} or one --hand"
        )
    data = table(name, game, seat, hand=hand, policy=policy, by=by, system=system, kind=kind)
    if len(data) > _MANY and format_name in _LARGE:
        emit_large(data, format_name, output)
    else:
        emit(report(data), format_name, output)
    return data.head


def emit_large(data: Data, format_name: str, output: str | None) -> None:
    """A table of many rows, part by part: in CSV what is said once is in front, as always."""
    frame = data.to_frame()
    if format_name == "parquet":
        deliver(to_parquet(frame), format_name, output)
        return
    for name, value in reversed(list(data.head.items())):
        if value is not None and name not in frame:
            frame.insert(0, name, value)
    separator = "\t" if format_name == "tsv" else ","

    def parts() -> Iterator[bytes]:
        for start in range(0, len(frame), _MANY):
            some = frame.iloc[start : start + _MANY]
            yield some.to_csv(
                header=not start, index=False, sep=separator, lineterminator="\n"
            ).encode()

    deliver(parts(), format_name, output)


def report(data: Data) -> Report:
    """A table in every format."""
    columns = [column for column in data.columns if column.name not in data.head]
    rows = data.rows()

    def shown() -> Table:
        cells = [[cell(column, row[column.name]) for column in columns] for row in rows]
        align = "".join("l" if c.kind in ("text", "label") else "r" for c in columns)
        return Table([column.heading for column in columns], align, cells)

    def page() -> str:
        values = [[row[column.name] for column in columns] for row in rows]
        return to_html(data.title, shown(), [column.about for column in columns], values)

    return Report(
        head=data.head,
        rows_name=data.name,
        rows=rows,
        text=lambda: f"{data.title}\n\n{shown().text()}\n{_notes(data)}",
        markdown=lambda: f"{data.title}\n\n{shown().markdown()}\n{_notes(data)}",
        once=data.once,
        others={
            "html": page,
            "latex": lambda: to_latex(data.title, shown()),
            "parquet": lambda: to_parquet(data.to_frame()),
        },
    )


def _notes(data: Data) -> str:
    head = {name: value for name, value in data.head.items() if name != "hand" and value}
    return ", ".join(f"{name} {value}" for name, value in head.items())


def cell(column: Column, value: Any) -> str:
    """A value for people.

    Examples
    --------
    >>> cell(Column("win", "chance", "my side takes the phase"), 0.25)
    '25.0%'
    """
    if value is None:
        return "-"
    if column.kind == "chance":
        return percent(value)
    if column.kind == "change":
        return f"{signed(value * 100, 1)}"
    if column.kind == "net":
        return signed(value)
    if column.kind == "stones":
        return f"{value:z.2f}"
    return str(value)
