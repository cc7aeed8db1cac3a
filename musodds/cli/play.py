"""``musodds play``: whole games between policies, solved strategies and chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from musodds.cli.parts.numbers import WholeNumber
from musodds.cli.parts.options import game_option, report_options
from musodds.cli.parts.output import Report, Table, percent, signed
from musodds.cli.parts.runs import emit_run, seed_option, workers_option
from musodds.rules.game import Game

if TYPE_CHECKING:
    from musodds.players.contest import Contest


@click.command
@click.argument("players", nargs=-1, required=True, metavar="PLAYER...")
@click.option("--games", type=WholeNumber(), help="Whole games.  [default: 100]")
@click.option("--deals", type=WholeNumber(), help="Instead: so many single deals.")
@click.option(
    "--score",
    metavar="US-THEM",
    help="Where every game or deal begins.  [default: 0-0; Encaje: all with the fewest]",
)
@click.option(
    "--rounds",
    default="until-cut",
    type=WholeNumber(None, None, "until-cut"),
    help="The most rounds of mus in a deal; then mano cuts.",
)
@click.option(
    "--records",
    type=click.Path(),
    metavar="FILE",
    help="Write the games down, as `musodds score` and `musodds review` read them.",
)
@seed_option
@workers_option
@game_option
@report_options
def command(
    players: tuple[str, ...],
    game: Game,
    records: str | None,
    **options: Any,
) -> None:
    """Play whole games between players that come with musodds.

    A PLAYER is random, the name or file of a policy, or the file of a solved strategy:
    one a side, or one a seat as they sit. Policies bet by the odds of their hand. Players
    of your own are written in Python: see `mo.play`.

    \b
    Examples:
      musodds play best kings
      musodds play best kings random kings --games 1000
      musodds play kings random --deals 5000 --records deals.txt
      musodds play random random random --game encaje3
    """
    from musodds.players.play import play
    from musodds.store.files import write_atomic

    found = play(players, game=game, records=records is not None, progress=True, **options)
    if records is not None:
        write_atomic(records, found.record())
    head = {
        "game": found.game.name,
        "players": ", ".join(found.players),
        "method": found.method,
        found.unit: found.n,
        "deals_played": int(found.dealt.sum()) if found.unit == "games" else None,
        "seed": found.seed,
    }
    report = Report(
        head,
        "sides",
        found.rows(),
        lambda: f"{_title(found)}\n\n{_table(found).text()}\n{_legend(found)}",
        lambda: f"{_title(found)}\n\n{_table(found).markdown()}",
    )
    emit_run(report, found, found.unit)


def _title(found: Contest) -> str:
    deals = f" ({int(found.dealt.sum()):,} deals)" if found.unit == "games" else ""
    return f"{found.game.name}: {found.n:,} {found.unit}{deals}, seed {found.seed}"


def _table(found: Contest) -> Table:
    ends = found.ends
    titles = ["side", "players", ends, "+/-", "stones", "+/-"]
    titles += ["net", "+/-"] if found.game.sides == 2 else []
    rows = []
    for row in found.rows():
        cells = [str(row["side"]), row["players"], percent(row[ends]), _half(row, ends)]
        cells += [f"{row['stones']:z.2f}", _error(row, "stones")]
        if "net" in row:
            cells += [signed(row["net"]), _error(row, "net")]
        rows.append(cells)
    return Table(titles, "ll" + "r" * (len(titles) - 2), rows)


def _half(row: dict[str, Any], name: str) -> str:
    """Half the interval of a share, in points: its farther end, of few games."""
    return f"{100 * max(row[f'{name}_high'] - row[name], row[name] - row[f'{name}_low']):.1f}"


def _error(row: dict[str, Any], name: str) -> str:
    """Half the interval of a mean; nothing where all that was played came out the same."""
    from musodds.simulation.estimates import Z

    error = row[f"{name}_se"]
    return f"{Z * error:.2f}" if error else ""


def _legend(found: Contest) -> str:
    what = "at the end of a game" if found.unit == "games" else "from a deal"
    return f"stones: of the side, on average, {what}; +/-: 95 % intervals.\n"
