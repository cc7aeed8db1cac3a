"""``musodds page``: one HTML file to look at the odds of every hand, on a phone too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from musodds.cli.parts.options import game_option, output_of
from musodds.cli.parts.output import write_output
from musodds.rules.game import Game
from musodds.store.files import write_atomic


@click.command
@game_option
@output_of("html")
def command(game: Game, output: str | None) -> Mapping[str, Any]:
    """A page to look things up: one HTML file, with all of its data inside.

    Choose four cards by tap or keyboard: the plays of the hand, exact odds in every
    seat and phase, what to throw, what a sign of the partner does to the odds. In
    English, Spanish and Basque. It needs no network; any browser opens it.

    \b
    Examples:
      musodds page -o mus.html
      musodds page --game mus4 -o mus4.html
    """
    from musodds.report.page import page_html

    html = page_html(game)
    if output is None:
        write_output(html)
    else:
        write_atomic(output, html)
    return {"game": game.name, "method": "exact"}
