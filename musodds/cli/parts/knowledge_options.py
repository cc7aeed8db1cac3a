"""Options for what is known of the others' hands; the command gets a ``knowledge``."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from musodds.errors import InputError
from musodds.rules.game import Game
from musodds.store.files import read_text

if TYPE_CHECKING:
    from musodds.knowledge.knowledge import Knowledge

F = TypeVar("F", bound=Callable[..., Any])

_LARGEST = 10**6
"""Bytes of a file of ranges."""

RANGES_FILE = "ranges.txt"

_PLAYERS = {
    "partner": "Your partner's hand, or a range of hands; `musodds ranges` has the language.",
    "next": "A range for the rival who speaks right after you.",
    "previous": "A range for the rival who speaks right before you.",
    "rivals": "A range for each of the rivals.",
}
_DECLARED = {
    "pares": "Who said to have pares, from mano on: yes,no,?,yes. You are among them.",
    "juego": "Who said to have juego, likewise.",
}


ranges_option = click.option(
    "--ranges",
    type=click.Path(dir_okay=False),
    envvar="MUSODDS_RANGES",
    metavar="FILE",
    help="Names for ranges of your own, in lines: name = range. By default "
    f"{RANGES_FILE} in the folder {click.get_app_dir('musodds')}.",
)

_OPTIONS: Sequence[Callable[[Any], Any]] = (
    *(click.option(f"--{name}", metavar="RANGE", help=text) for name, text in _PLAYERS.items()),
    click.option(
        "--seat-range",
        multiple=True,
        metavar="SEAT=RANGE",
        help="A range for the player in a seat (may be repeated).",
    ),
    *(
        click.option(f"--{name}", metavar="YES,NO,?...", help=text)
        for name, text in _DECLARED.items()
    ),
    click.option("--dead", metavar="CARDS", help="Cards known to be out of play."),
    ranges_option,
)


def knowledge_options(function: F) -> F:
    """``--partner``, ``--next`` … and the rest; passes ``knowledge``, a Knowledge.

    Put it below ``game_option``: the command must take ``game``.
    """

    @functools.wraps(function)
    def command(*args: Any, **options: Any) -> Any:
        knowledge = _knowledge(options["game"], options)
        return function(*args, knowledge=knowledge, **options)

    wrapped: Any = command
    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    found: F = wrapped
    return found


def _knowledge(game: Game, options: dict[str, Any]) -> Knowledge | None:
    """The options as a Knowledge, taken out of ``options``; None if nothing is known."""
    given = {name: options.pop(name) for name in (*_PLAYERS, *_DECLARED, "dead")}
    given_ranges, file = options.pop("seat_range"), options.pop("ranges")
    return read_knowledge(game, file, given_ranges, **given)


def read_knowledge(
    game: Game, file: str | None, given_ranges: tuple[str, ...], **options: str | None
) -> Knowledge | None:
    """Options that were given as a Knowledge; ``file`` has names for ranges."""
    given = {name: text for name, text in options.items() if text is not None}
    if not given and not given_ranges:
        return None
    from musodds.knowledge.knowledge import know
    from musodds.knowledge.many import seat_ranges

    seats = seat_ranges(given_ranges, game)
    return know(game, seats=seats, names=read_names(file, game), **given)


def read_names(file: str | None, game: Game) -> dict[str, str]:
    """The user's named ranges: from a file, or from the usual place if there is one."""
    usual = Path(click.get_app_dir("musodds")) / RANGES_FILE
    if file is None and not usual.exists():
        return {}
    from musodds.knowledge.language import named_ranges

    path = str(usual) if file is None else file
    wrong = "cannot read the ranges in {!r}: {}".format
    lines = read_text(path, _LARGEST, lambda reason: InputError(wrong(path, reason)))
    return named_ranges(lines, game, path)
