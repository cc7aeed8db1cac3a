"""``musodds equity``: the chance of winning the game and the match from a score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from musodds.cli.parts.options import game_option, report_options
from musodds.cli.parts.output import Report, Table, emit, percent
from musodds.errors import InputError
from musodds.rules.game import Game

if TYPE_CHECKING:
    from musodds.stakes.equity import Equity

LEGEND = """\
equity: we win the game; match: we win the best of three games ({games}).
Every deal to come is played en paso: nobody bets. Before cards are seen only
the side of mano matters, not the seat."""


@click.command
@click.option(
    "--score", metavar="OURS-THEIRS", help="Our stones and theirs; without it, every fifth score."
)
@click.option(
    "--mano",
    type=click.Choice(("us", "them", "both")),
    default="both",
    show_default=True,
    help="Whose side is mano in the next deal.",
)
@click.option(
    "--games",
    metavar="OURS-THEIRS",
    default="0-0",
    show_default=True,
    help="Games of the match won so far.",
)
@click.option(
    "--policy",
    default="none",
    show_default=True,
    metavar="NAME|FILE",
    help="What is discarded in every deal; any but none is simulated.",
)
@click.option("--rounds", type=int, default=1, show_default=True, help="The most rounds of mus.")
@click.option("-n", "deals", type=int, metavar="DEALS", help="Deals to simulate.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the simulation.")
@game_option
@report_options
def command(
    score: str | None,
    mano: str,
    games: str,
    policy: str,
    rounds: int,
    deals: int | None,
    seed: int,
    game: Game,
    format_name: str,
    output: str | None,
) -> None:
    """The chance of winning the game and the match from a score.

    Exact for play en paso without discards: the joint distribution of a deal's stones
    is counted, and the scores are solved from the end. With a policy the distribution
    is simulated, and a standard error is given.

    \b
    Examples:
      musodds equity --score 32-35 --mano us
      musodds equity --score 0-0 --games 1-0
      musodds equity --score 38-35 --policy kings
      musodds equity --format csv -o equity.csv
    """
    from musodds.stakes.equity import MANOS, equity
    from musodds.stakes.scores import read_score

    scores = None if score is None else [read_score(score, game)]
    won = _games(games)
    table = equity(game, policy=policy, rounds=rounds, n=deals, seed=seed)
    manos = MANOS if mano == "both" else (mano,)
    steps = range(0, game.target, 5)
    if scores is None:
        every = range(game.target) if format_name in ("csv", "json") else steps
        scores = [(ours, theirs) for ours in every for theirs in every]
    rows = [_row(table, one, side, won) for side in manos for one in scores]
    head = {
        "game": game.name,
        "games": games,
        "policy": table.deal.policy,
        "method": table.method,
        "n": table.deal.n,
        "seed": table.deal.seed,
    }
    shown = _table(rows) if score is not None else _grids(table, manos, list(steps))
    legend = LEGEND.format(games=f"{won[0]}-{won[1]} won so far" if any(won) else "first game")

    def text() -> str:
        title = click.style(f"{game.name}: equity, {table.method}", bold=True)
        return "\n".join([title, "", *(one.text() for one in shown), legend])

    emit(
        Report(head, "equity", rows, text, lambda: "\n".join(one.markdown() for one in shown)),
        format_name,
        output,
    )


def _games(text: str) -> tuple[int, int]:
    from musodds.playing.match import GAMES_TO_WIN

    parts = text.split("-")
    if len(parts) != 2 or not all(p.isdecimal() and int(p) < GAMES_TO_WIN for p in parts):
        raise InputError(f"games {text!r}: write 0-0, 1-0, 0-1 or 1-1")
    return int(parts[0]), int(parts[1])


def _row(
    table: Equity, score: tuple[int, int], mano: str, games: tuple[int, int]
) -> dict[str, Any]:
    row: dict[str, Any] = {"ours": score[0], "theirs": score[1], "mano": mano}
    row["equity"] = table.chance(*score, mano)
    if table.deal.n is not None:
        row["equity_se"] = table.error(*score, mano)
    row["match"] = table.match(*score, mano, games)
    return row


def _table(rows: list[dict[str, Any]]) -> list[Table]:
    cells = [
        (
            f"{row['ours']}-{row['theirs']}",
            row["mano"],
            percent(row["equity"]) + _plus_minus(row),
            percent(row["match"]),
        )
        for row in rows
    ]
    return [Table(("score", "mano", "equity", "match"), "llrr", cells)]


def _plus_minus(row: dict[str, Any]) -> str:
    return f" ± {row['equity_se'] * 100:.2f}" if "equity_se" in row else ""


def _grids(table: Equity, manos: tuple[str, ...], steps: list[int]) -> list[Table]:
    return [
        Table(
            (f"mano {mano}", *(f"they {theirs}" for theirs in steps)),
            "l" + "r" * len(steps),
            [
                (f"we {ours}", *(percent(table.chance(ours, theirs, mano)) for theirs in steps))
                for ours in steps
            ],
        )
        for mano in manos
    ]
