"""``musodds equity``: the chance of winning the game and the match from a score."""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from musodds.cli.parts.equities import by_kind, equity_lines
from musodds.cli.parts.numbers import WholeNumber
from musodds.cli.parts.options import (
    equity_option,
    game_option,
    report_options,
    sensitivity_option,
    target_option,
)
from musodds.cli.parts.output import Report, Table, percent, wanted_format
from musodds.cli.parts.runs import emit_run, seed_option, workers_option
from musodds.errors import InputError
from musodds.rules.game import Game, with_target
from musodds.rules.games import titled, unusual
from musodds.simulation.progress import progress_bar

if TYPE_CHECKING:
    from musodds.stakes.equity import Equity

LEGEND = """\
equity: we win the game; match: we win the {match} ({games}).
Before cards are seen only the side of mano matters, not the seat."""


class _Group(click.Group):
    """Its ``solve`` is imported when it is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return ["solve"]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name != "solve":
            return None
        found: click.Command = import_module("musodds.cli.equity_solve").command
        return found


@click.group(cls=_Group, invoke_without_command=True)
@click.option(
    "--score", metavar="OURS-THEIRS", help="Our stones and theirs; without it, every fifth score."
)
@click.option(
    "--mano",
    type=click.Choice(("us", "them", "both")),
    default="both",
    help="Whose side is mano in the next deal.",
)
@click.option(
    "--games",
    metavar="OURS-THEIRS|N|OURS-THEIRS/N",
    default="0-0",
    help="Games won so far, in a match to 2; 3 or 2-1/3: in a match to 3.",
)
@click.option(
    "--policy",
    default="none",
    metavar="NAME|FILE",
    help="What is discarded in every deal; any but none is simulated.",
)
@click.option(
    "--rounds", type=WholeNumber(None, None, "until-cut"), default=1, help="The most rounds of mus."
)
@click.option("-n", "deals", type=WholeNumber(), metavar="DEALS", help="Deals to simulate.")
@seed_option
@workers_option
@game_option
@target_option
@equity_option
@sensitivity_option
@report_options
@click.pass_context
def command(
    ctx: click.Context,
    score: str | None,
    mano: str,
    games: str,
    policy: str,
    rounds: int | str,
    deals: int | None,
    seed: int,
    workers: int | None,
    game: Game,
    kind: str | None,
    sensitivity: bool,
) -> None:
    """The chance of winning the game and the match from a score.

    What is assumed of the deals to come is the kind of equity: paso (nobody bets), bets-2
    and bets-5 (so much is seen in every phase) are counted exactly without discards, from
    the end of the game; solved (both sides bet well) comes with the package for some
    games. With a policy deals are simulated en paso, and a standard error is given.

    \b
    Examples:
      musodds equity --score 32-35 --mano us
      musodds equity --score 0-0 --games 1-0
      musodds equity --score 32-35 --sensitivity
      musodds equity --score 38-35 --policy kings
      musodds equity --format csv -o equity.csv
      musodds equity solve --game mus2p --least 30
    """
    if ctx.invoked_subcommand is not None:
        return
    from musodds.simulation.given import MAX_ROUNDS
    from musodds.stakes.equity import MANOS
    from musodds.stakes.equity_kinds import equity
    from musodds.stakes.scores import read_score

    scores = None if score is None else [read_score(score, game)]
    game, won = _games(game, games)
    most = MAX_ROUNDS if isinstance(rounds, str) else rounds
    with progress_bar("deals") as watch:
        table = equity(
            game, policy=policy, rounds=most, n=deals, seed=seed, workers=workers, watch=watch,
            kind=kind,
        )  # fmt: skip
    manos = MANOS if mano == "both" else (mano,)
    steps = range(0, game.target, 5)
    if scores is None:
        every = range(game.target) if wanted_format() in ("csv", "json") else steps
        scores = [(ours, theirs) for ours in every for theirs in every]
    rows = [_row(table, one, side, won) for side in manos for one in scores]
    if sensitivity and score is None:
        raise InputError("--sensitivity: the answer by each kind of equity is for one --score")
    others = by_kind(
        game, sensitivity and table.deal.n is None,
        lambda one: {side: one.chance(*scores[0], side) for side in manos},
    )  # fmt: skip
    head = {
        "game": game.name,
        **unusual(game),
        "games": games,
        "policy": table.deal.policy,
        "method": table.method,
        "equity_kind": table.kind,
        "n": table.deal.n,
        "seed": table.deal.seed,
    }
    shown = _table(rows) if score is not None else _grids(table, manos, list(steps))
    if others:
        shown = [*shown, _kinds(others)]
    legend = LEGEND.format(
        games=f"{won[0]}-{won[1]} won so far" if any(won) else "first game", match=_match(game)
    )

    def text() -> str:
        title = click.style(f"{titled(game)}: equity, {table.method}", bold=True)
        lines = [title, "", *(one.text() for one in shown), legend, *equity_lines(table)]
        return "\n".join(lines)

    report = Report(
        head, "equity", rows, text,
        lambda: "\n".join(one.markdown() for one in shown),
        {"sensitivity": others} if others else {},
    )  # fmt: skip
    emit_run(report, table.deal)


def _games(game: Game, text: str) -> tuple[Game, tuple[int, int]]:
    """The game with the length of its match, and the games won so far."""
    found = re.fullmatch(r"(?:(\d{1,2})-(\d{1,2})(?:/(\d{1,2}))?|(\d{1,2}))", text.strip())
    if found is None:
        raise InputError(f"games {text!r}: write 1-0, or in a match to three games 3 or 1-0/3")
    to_win = found[3] or found[4]
    game = with_target(game, games=int(to_win) if to_win else None)
    won = (int(found[1] or 0), int(found[2] or 0))
    if max(won) >= game.games:
        raise InputError(
            f"games {text!r}: in a match to {game.games} each side has won 0 to {game.games - 1}"
        )
    return game, won


def _match(game: Game) -> str:
    words = {2: "three", 3: "five", 4: "seven"}
    return f"best of {words.get(game.games, str(2 * game.games - 1))} games"


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


def _kinds(others: list[dict[str, Any]]) -> Table:
    sides = [name for name in others[0] if name != "equity"]
    cells = [(row["equity"], *(percent(row[side]) for side in sides)) for row in others]
    return Table(("by equity", *(f"mano {side}" for side in sides)), "l" + "r" * len(sides), cells)


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
