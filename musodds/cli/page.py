"""``musodds page``: one HTML file for the table, on a phone too; or a folder to serve."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from musodds.cli.parts.options import complete_game, output_of
from musodds.cli.parts.output import write_output
from musodds.errors import InputError
from musodds.rules.games import get_game
from musodds.store.files import write_atomic


@click.command
@click.option(
    "--game",
    "games",
    metavar="NAME",
    multiple=True,
    shell_complete=complete_game,
    help="Which rules: mus, mus4 or mus-real; may be repeated, the first is shown at first.  "
    "[default: all three]",
)
@click.option(
    "--dir",
    "folder",
    metavar="DIR",
    help="Write a folder for a web server in place of a file: the page, a manifest, icons and "
    "a service worker, so that phones can install it and open it offline.",
)
@output_of("html")
def command(games: tuple[str, ...], folder: str | None, output: str | None) -> Mapping[str, Any]:
    """A page for the table: one HTML file, with all of its data inside.

    Choose four cards by tap or keyboard, the seat, the partner's sign, what was
    declared, the score and the bet: it says what to throw, mus or cut, the odds of
    every phase, and what each answer is worth. It also asks you, to practise. In
    English, Spanish and Basque. It needs no network; any browser opens it.

    \b
    Examples:
      musodds page -o mus.html
      musodds page --game mus4 -o mus4.html
      musodds page --dir site/
    """
    from musodds.report.page import GAMES, page_html, page_site

    names = games or GAMES
    if folder is not None and output is not None:
        raise InputError(f"--dir {folder} and -o {output}: give one of them")
    if folder is not None and Path(folder).exists() and not Path(folder).is_dir():
        raise InputError(f"--dir {folder}: that is a file; name a folder, or one to be made")
    if folder is not None:
        files = page_site(folder, names)
        click.echo("\n".join(str(file) for file in files))
    elif output is None:
        write_output(page_html(names))
    else:
        write_atomic(output, page_html(names))
    return {"game": get_game(names[0]).name, "method": "exact"}
