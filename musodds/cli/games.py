"""``musodds games``: the games there are."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import click

from musodds.cli.parts.game_rules import option_rows, rules_report
from musodds.cli.parts.options import complete_game, report_options
from musodds.cli.parts.output import Report, Table, emit, page_width
from musodds.rules.games import GAMES, get_game


@click.command
@click.argument("name", required=False, metavar="[NAME]", shell_complete=complete_game)
@report_options
def command(name: str | None) -> None:
    """The games and variants there are, one line each; or the rules of one.

    \b
    Examples:
      musodds games
      musodds games mus-real-suits
      musodds games mus-real-4567
      musodds games --format md
      musodds hand RR7A --game mus4
    """
    if name is not None:
        emit(rules_report(get_game(name)))
        return
    rows = [row for game in GAMES.values() for row in game.rows()]
    table = Table(
        ("game", "players", "rules"),
        "lrl",
        [(game.name, str(game.seats), game.summary) for game in GAMES.values()],
    )
    more = {"options": option_rows()}
    emit(Report({}, "games", rows, _text, table.markdown, more))


def _text() -> str:
    games = [(game.name, game.summary) for game in GAMES.values()]
    options = [
        (f"-{row['option']}", f"{row['rules']} ({row['families']})") for row in option_rows()
    ]
    width = max(len(name) for name, _ in games)
    return "\n".join(
        [
            *_lines(games, width),
            "",
            "A name is a family (mus, mus2p, mus6p, encaje3, encaje5) and any of these that",
            "go with it; `musodds games NAME` prints the rules:",
            "",
            *_lines(options, width),
        ]
    )


def _lines(named: list[tuple[str, str]], width: int) -> Iterator[str]:
    for name, summary in named:
        first, *rest = textwrap.wrap(summary, page_width() - width - 2)
        yield click.style(name.ljust(width), bold=True) + "  " + first
        yield from (" " * (width + 2) + line for line in rest)
