"""``musodds plot``: figures, to a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
from click.shell_completion import CompletionItem

from musodds.cli.parts.numbers import WholeNumber
from musodds.cli.parts.options import equity_option, game_option, target_option
from musodds.errors import InputError
from musodds.rules.game import Game
from musodds.rules.games import usual
from musodds.store.files import check_writable, write_atomic

# Repeated here so that --help and completion need not load matplotlib.
NAMES = ("strength", "chart", "seats", "discards", "signals", "stones", "equity", "convergence",
         "strategy", "kinds", "prices")  # fmt: skip


class FigureName(click.ParamType):  # type: ignore[type-arg]
    """The name of a figure, completed by the shell."""

    name = "figure"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(name) for name in NAMES if name.startswith(incomplete)]


@click.command
@click.argument("name", type=FigureName(), metavar="NAME")
@click.argument("file", metavar="[FILE]", required=False)
@click.option(
    "-o", "--output", required=True, type=click.Path(), metavar="FILE",
    help="The figure: .png, .svg or .pdf; to point at: .html; its numbers: .csv."
)  # fmt: skip
@game_option
@target_option
@click.option("--hand", metavar="HAND", help="strength, seats, signals, convergence: the hand.")
@click.option(
    "--seat", metavar="SEAT", help="chart, discards, signals, convergence: 1, mano, postre ..."
)
@click.option(
    "--other",
    metavar="SEAT",
    help="chart: the seat below the diagonal.  [default: postre; mano beside postre]",
)
@click.option("--phase", metavar="PHASE", help="chart, convergence, strategy, prices: grande ...")
@click.option(
    "--line", "lines", multiple=True, metavar="SAID",
    help="strategy: what was said, such as 'grande: paso, envido 2'."
)  # fmt: skip
@click.option("--able", metavar="SEATS", help="strategy, model each: who has pares (juego).")
@click.option(
    "--score", metavar="A-B", help="strategy without a FILE: mano's side's stones first (0-0)."
)
@click.option("--model", metavar="NAME", help="strategy without a FILE: own (the default) or each.")
@click.option("--policy", metavar="NAME", help="discards: best (the default) or solo.")
@click.option("--by", metavar="PLAYER", help="signals: partner, next or previous (rival).")
@click.option(
    "--system", metavar="NAME", help="signals, prices: classic (the default) or federation."
)
@click.option("--mano", metavar="SIDE", help="equity, kinds: us (the default) or them.")
@equity_option
@click.option("--seed", type=WholeNumber(0, 2**63 - 1), help="convergence.")
@click.option("-n", "n", type=WholeNumber(256, 1 << 27), help="convergence: deals at most.")
@click.option("--dpi", type=WholeNumber(20, 1200), default=130, help="Dots per inch of a PNG.")
@click.option(
    "--theme", type=click.Choice(("light", "dark")), default="light",
    help="Dark on light paper, or light on dark."
)  # fmt: skip
def command(
    name: str,
    file: str | None,
    output: str,
    game: Game,
    lines: tuple[str, ...],
    able: str | None,
    dpi: int,
    theme: str,
    **options: Any,
) -> Mapping[str, Any]:
    """Figures of a game, to look at and to print.

    \b
    NAME is one of:
      strength     all hands in all phases, from mano to postre; --hand marks one
      chart        every hand with its number in two seats: net stones, or --phase
      seats        what a seat is worth, phase by phase; with --hand for that hand
      discards     every hand before and after its best discard
      signals      how a partner's (or a rival's) sign moves the odds of a hand
      stones       the stones that a deal brings
      equity       the chance of winning the game from every score
      convergence  a simulation on its way to the exact value
      strategy     what every hand says at a point of a FILE of `musodds solve`,
                   or of --phase at --score; and its answer, or who bet so
      kinds        the chance of winning when both bet well, beside en paso
      prices       what seeing each sign of a partner's is worth (a minute)

    \b
    Examples:
      musodds plot strength -o strength.png
      musodds plot chart --seat postre --phase pares -o pares.pdf
      musodds plot strength --hand RR7A --theme dark -o rr7a.svg
      musodds plot signals --hand RR7A --seat mano -o signs.svg
      musodds plot signals --hand RR7A --seat mano -o signs.csv
      musodds plot chart -o chart.html
      musodds plot strategy grande.mus --line 'grande: envido 2' -o answer.png
      musodds plot strategy --phase grande --score 32-35 -o opening.html
      musodds plot convergence --hand 777S --phase juego -o juego.png
    """
    from musodds.report.plots import DATA, END, check_suffix, figure, figure_data, save

    if game != usual(game) and name != "equity":
        raise click.UsageError(f"--target goes with equity: {name} does not depend on it")
    if options.get("kind") is not None and name != "equity":
        raise click.UsageError(f"--equity goes with equity: {name} does not depend on it")
    if name == "strategy":
        options |= _point(file, lines, able, game, options)
    elif file is not None or lines or able is not None:
        raise click.UsageError(f"FILE, --line and --able go with strategy, not with {name}")
    check_suffix(output, DATA, END)
    check_writable(output)
    if output.lower().endswith(END):
        from musodds.report.plots.interactive import interactive, to_html

        given = {key: value for key, value in options.items() if value is not None}
        write_atomic(output, to_html(interactive(name, game, theme=theme, **given)))
        return {"game": game.name}
    drawn, head = figure(name, game, theme=theme, **options)
    if output.lower().endswith(DATA):
        write_atomic(output, figure_data(name, game, **options).to_csv(index=False))
    else:
        save(drawn, output, dpi)
    return head


def _point(
    file: str | None, lines: tuple[str, ...], able: str | None, game: Game,
    options: Mapping[str, Any],
) -> dict[str, Any]:  # fmt: skip
    """Of which strategy, and where in it."""
    from musodds.cli.parts.each_strategy import seats_of
    from musodds.report.plots.strategy import check_options, game_of, strategy_of

    asked = {name: options.get(name) for name in ("phase", "score", "model")}
    check_options(file, **asked)
    solved = None if file is None else strategy_of(file, game)
    if solved is not None and game.name not in ("mus", game_of(solved).name):
        of = game_of(solved).name
        raise InputError(f"game {game.name!r}: the strategy of the file is of {of}")
    seats = (game if solved is None else game_of(solved)).seats
    return {"file": solved, "line": "; ".join(lines) or None, "able": seats_of(able, seats)}
