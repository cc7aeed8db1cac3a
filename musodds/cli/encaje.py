"""``musodds encaje``: who loses, when nobody ever bets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from musodds.cli.parts.numbers import Real, WholeNumber
from musodds.cli.parts.options import report_options
from musodds.cli.parts.output import Report, Table, percent
from musodds.cli.parts.runs import emit_run, seed_option, workers_option
from musodds.errors import InputError
from musodds.simulation.progress import progress_bar
from musodds.values import told

if TYPE_CHECKING:
    from musodds.stakes.losers import Losers

LEGEND = """\
loses: the chance to be the one who is left with stones when nobody ever bets or
changes cards: deal after deal the best hands throw theirs, and mano moves on."""


@click.command
@click.option(
    "--stones",
    required=True,
    metavar="N,N,...",
    help="What each player has, in speaking order; 0 for one who is out of the game.",
)
@click.option(
    "--game",
    metavar="NAME",
    help="A game of Encaje.  [default: encaje3 or encaje5, by the number of players]",
)
@click.option(
    "--mano",
    type=WholeNumber(),
    default=1,
    metavar="PLAYER",
    help="Which player is mano of the next deal.",
)
@click.option("-n", "games", type=WholeNumber(), help="Games to simulate, where that is needed.")
@click.option(
    "--target-se",
    type=Real(),
    help="Instead of -n: simulate until every standard error is at most that.  [default: 0.001]",
)
@seed_option
@workers_option
@click.option("--simulate", is_flag=True, help="Simulate even what can be counted.")
@report_options
def command(
    stones: str,
    game: str | None,
    mano: int,
    games: int | None,
    target_se: float | None,
    seed: int,
    workers: int | None,
    simulate: bool,
) -> None:
    """The chance of each player of Encaje to lose, when nobody ever bets.

    Exact with two or three players left and four cards dealt. Otherwise simulated, with
    standard errors: with four or five players until three are left, whose chances are
    exact; to the end where five cards are dealt and each throws the best one.

    \b
    Examples:
      musodds encaje --stones 15,12,20
      musodds encaje --stones 15,12,20 --mano 2
      musodds encaje --stones 8,0,3,21,1 --game encaje5-real
      musodds encaje --stones 15,12,20 --game encaje3-five-cards --target-se 0.003
      musodds encaje --stones 15,12,20 --format json | jq '.players[0].loser'
    """
    from musodds.stakes.losers import encaje_losers

    with progress_bar("games") as watch:
        answer = encaje_losers(
            _read(stones), game=game, mano=mano, n=games, target_se=target_se, seed=seed,
            simulate=simulate, workers=workers, watch=watch,
        )  # fmt: skip
    table = _table(answer)
    report = Report(
        head={
            "game": answer.game.name,
            **told(answer, "mano", "method", "policy", "n", "seed"),
        },
        rows_name="players",
        rows=answer.rows(),
        text=lambda: f"{_title(answer)}\n\n{table.text()}\n{LEGEND}",
        markdown=lambda: f"{_title(answer)}\n\n{table.markdown()}",
    )
    emit_run(report, answer, "games")


def _read(text: str) -> tuple[int, ...]:
    parts = [part for part in re.split(r"[\s,/]+", text.strip()) if part]
    wrong = next((part for part in parts if not part.isdecimal() or len(part) > 4), None)
    if wrong is not None or not parts:
        raise InputError(
            f"--stones {text!r}: {'nothing' if wrong is None else repr(wrong)} is not a number of "
            "stones; write one for each player, as in 15,12,20"
        )
    return tuple(map(int, parts))


def _title(answer: Losers) -> str:
    how = answer.method
    if answer.n is not None:
        how += f", {answer.n:,} games, seed {answer.seed}"
    if answer.policy is not None:
        how += f"; each throws the {answer.policy} card"
    return f"{answer.game.name}, player {answer.mano} mano: {how}"


def _table(answer: Losers) -> Table:
    rows = []
    for row in answer.rows():
        cells = [str(row["player"]), str(row["stones"]), percent(row["loser"])]
        if answer.se is not None:
            cells.append(f"{row['loser_se']:.2%}" if row["stones"] else "")
        rows.append(cells)
    titles = ("player", "stones", "loses", "+/-")[: len(rows[0])]
    return Table(titles, "r" * len(titles), rows)
