"""``musodds games``: the games there are."""

from __future__ import annotations

import textwrap

import click

from musodds.cli.options import report_options
from musodds.cli.output import WIDTH, Report, Table, emit
from musodds.games import GAMES


@click.command
@report_options
def command(format_name: str, output: str | None) -> None:
    """The games and variants there are, one line each.

    \b
    Examples:
      musodds games
      musodds games --format md
      musodds hand RR7A --game mus4
    """
    rows = [
        {
            "name": game.name,
            "summary": game.summary,
            "seats": game.seats,
            "side_size": game.side_size,
            "target": game.target,
            "cards": game.deck.size,
        }
        for game in GAMES.values()
    ]
    table = Table(
        ("game", "players", "rules"),
        "lrl",
        [(game.name, str(game.seats), game.summary) for game in GAMES.values()],
    )
    emit(Report({}, "games", rows, _text, table.markdown), format_name, output)


def _text() -> str:
    width = max(map(len, GAMES))
    lines = []
    for game in GAMES.values():
        summary = textwrap.wrap(game.summary, WIDTH - width - 2)
        lines.append(click.style(game.name.ljust(width), bold=True) + "  " + summary[0])
        lines += [" " * (width + 2) + rest for rest in summary[1:]]
    return "\n".join(lines)
