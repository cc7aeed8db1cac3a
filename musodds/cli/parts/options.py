"""Options that commands share, as decorators.

=======================  ================  ===================================
decorator                argument          value
=======================  ================  ===================================
``game_option``          ``game``          a `musodds.rules.game.Game`
``target_option``        none              stones that win, put into ``game``
``games_option``         none              games that win the match, likewise
``seat_option``          ``seat``          text for `musodds.rules.game.Game.parse_seats`
``equity_option``        ``kind``          a kind of equity, or None: the best that is at hand
``sensitivity_option``   ``sensitivity``   whether each kind of equity is asked for
``format_option``        ``format_name``   one of FORMATS
``table_format_option``  ``format_name``   one of TABLE_FORMATS
``output_option``        ``output``        a file name, or None for standard output
=======================  ================  ===================================

``report_options`` is the options of ``format_option`` and ``output_option`` for `emit`, which
looks at them itself: the command has neither argument.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import PurePath
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from musodds.cli.parts.numbers import WholeNumber
from musodds.rules.game import Game, with_target
from musodds.rules.games import GAMES, get_game
from musodds.store.files import check_writable, is_special

FORMATS = ("text", "json", "csv", "tsv", "md", "html", "xlsx")
EQUITIES = ("paso", "bets-2", "bets-5", "solved")
"""The kinds of :mod:`musodds.stakes.equity_kinds`, so that --help need not load them."""

TABLE_FORMATS = (*FORMATS, "parquet", "latex")

_SUFFIXES = {
    "tex": "latex",
    "jsonl": "json",
    "ndjson": "json",
    "htm": "html",
    "markdown": "md",
    "txt": "text",
}
_ENDINGS = {"text": "txt", "latex": "tex"}

F = TypeVar("F", bound=Callable[..., Any])


_TARGET, _GAMES = "musodds.target", "musodds.games"


def _game_of(ctx: click.Context, param: click.Parameter, value: str) -> Game:
    return with_target(get_game(value), ctx.meta.get(_TARGET), ctx.meta.get(_GAMES))


def _target_of(ctx: click.Context, param: click.Parameter, value: int | None) -> None:
    ctx.meta[_TARGET] = value


def _games_of(ctx: click.Context, param: click.Parameter, value: int | None) -> None:
    ctx.meta[_GAMES] = value


def output_name(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is None or value == "-":
        return None
    check_writable(value)
    return value


def complete_game(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The games whose names begin so, for the Tab key."""
    return [
        CompletionItem(game.name, help=game.summary)
        for game in GAMES.values()
        if game.name.startswith(incomplete)
    ]


def _complete_seat(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    game = ctx.params.get("game") or get_game()
    seats = ["mano", "postre", "all", *map(str, range(1, game.seats + 1))]
    return [seat for seat in seats if seat.startswith(incomplete.lower())]


def format_of(default: str = FORMATS[0]) -> Callable[..., str]:
    """A callback: the format that was said, or what the output's name ends in, or the default."""

    def chosen(ctx: click.Context, param: click.Parameter, value: str | None) -> str:
        if value is not None:
            return value
        output = ctx.params.get("output")
        if output is None or is_special(output):
            return default
        known = tuple(param.type.choices) if isinstance(param.type, click.Choice) else FORMATS
        suffix = _suffix(output)
        if suffix not in known:
            endings = " ".join(f".{_ENDINGS.get(name, name)}" for name in known)
            raise click.UsageError(
                f"what should be in {output!r}? Let its name end in one of {endings}, or say "
                "--format"
            )
        return suffix

    return chosen


def _suffix(name: str) -> str:
    suffix = PurePath(name).suffix.lower().lstrip(".")
    return _SUFFIXES.get(suffix, suffix)


def output_of(*formats: str, name: str = "output") -> Callable[[F], F]:
    """``-o FILE`` for what is written in one way: other endings of its name are refused.

    Parameters
    ----------
    *formats : str
    name : str, optional
        Of the argument; another than ``output`` where ``--format`` is about something else.
    """

    def check(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
        file = output_name(ctx, param, value)
        if file is not None and _suffix(file) not in ("", *formats) and not is_special(file):
            raise click.UsageError(
                f"{file!r}: what is written here is {formats[0]}, so let its name end in "
                f".{formats[0]}"
            )
        return file

    return click.option(
        "-o",
        "--output",
        name,
        type=click.Path(),
        callback=check,
        metavar="FILE",
        help="Write to a file: whole, or not at all.",
    )


game_option = click.option(
    "--game",
    callback=_game_of,
    default="mus",
    metavar="NAME",
    shell_complete=complete_game,
    help="Which rules; `musodds games` lists them.",
)

target_option = click.option(
    "--target",
    type=WholeNumber(),
    callback=_target_of,
    is_eager=True,  # known when --game is read
    expose_value=False,
    help="Stones that win the game: 25, 30, 35, 50 ...  [default: 40]",
)

games_option = click.option(
    "--games",
    "games_to_win",
    type=WholeNumber(),
    callback=_games_of,
    is_eager=True,
    expose_value=False,
    help="Games that win the match: 2, 3 or 4.  [default: 2]",
)

seat_option = click.option(
    "--seat",
    default="all",
    metavar="SEAT",
    shell_complete=_complete_seat,
    help="1 (mano, who speaks first) to the number of players (postre), mano, postre or all.",
)

equity_option = click.option(
    "--equity",
    "kind",
    type=click.Choice(EQUITIES, case_sensitive=False),
    help="What is assumed of the deals to come: paso, nobody bets; bets-2 and bets-5, so much "
    "is seen in every phase; solved, both sides bet well.  [default: solved in mus and mus2p, "
    "else paso]",
)

sensitivity_option = click.option(
    "--sensitivity", is_flag=True, help="The answer by each kind of equity that there is too."
)

format_option = click.option(
    "--format",
    "format_name",
    type=click.Choice(FORMATS, case_sensitive=False),
    callback=format_of(),
    help="How to print the answer: text for people, json (or --json), csv, "
    "tsv for programs, md, html for pages, xlsx for spreadsheets (needs pip install "
    "'musodds[excel]'). By default what the name of the output file ends in, else text.",
)

table_format_option = click.option(
    "--format",
    "format_name",
    type=click.Choice(TABLE_FORMATS, case_sensitive=False),
    callback=format_of(),
    help="How to print the table; html sorts and filters without a network, parquet needs "
    "pip install 'musodds[parquet]', xlsx 'musodds[excel]'. By default what the output file "
    "ends in, else text.",
)

output_option = click.option(
    "-o",
    "--output",
    type=click.Path(),
    callback=output_name,  # looked at before any work is done for it
    metavar="FILE",
    is_eager=True,  # known when --format looks for its default
    help="Write the answer to a file: whole, or not at all.",
)


def report_options(function: F) -> F:
    """``--format`` and ``-o``, for commands that end in ``output.emit``, which looks at them."""

    @functools.wraps(function)
    def command(*args: Any, format_name: str, output: str | None, **options: Any) -> Any:
        return function(*args, **options)

    found: F = format_option(output_option(command))  # type: ignore[assignment]
    return found
