"""``musodds equity``: the chance of winning the game and the match from a score."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from musodds.cli.parts.numbers import WholeNumber
from musodds.cli.parts.options import game_option, report_options, target_option
from musodds.cli.parts.output import Report, Table, emit, percent
from musodds.errors import InputError
from musodds.rules.game import Game, with_target
from musodds.rules.games import titled, unusual

if TYPE_CHECKING:
    from musodds.stakes.equity import Equity

LEGEND = """\
equity: we win the game; match: we win the {match} ({games}).
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
    metavar="OURS-THEIRS|N|OURS-THEIRS/N",
    default="0-0",
    show_default=True,
    help="Games won so far, in a match to 2; 3 or 2-1/3: in a match to 3.",
)
@click.option(
    "--policy",
    default="none",
    show_default=True,
    metavar="NAME|FILE",
    help="What is discarded in every deal; any but none is simulated.",
)
@click.option(
    "--rounds",
    type=WholeNumber(None, None, "until-cut"),
    default=1,
    show_default=True,
    metavar="N|until-cut",
    help="The most rounds of mus.",
)
@click.option("-n", "deals", type=WholeNumber(), metavar="DEALS", help="Deals to simulate.")
@click.option("--seed", type=WholeNumber(), default=1, show_default=True, help="Of the simulation.")
@game_option
@target_option
@report_options
def command(
    score: str | None,
    mano: str,
    games: str,
    policy: str,
    rounds: int | str,
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
    from musodds.simulation.simulate import MAX_ROUNDS
    from musodds.stakes.equity import MANOS, equity
    from musodds.stakes.scores import read_score

    scores = None if score is None else [read_score(score, game)]
    game, won = _games(game, games)
    most = MAX_ROUNDS if isinstance(rounds, str) else rounds
    table = equity(game, policy=policy, rounds=most, n=deals, seed=seed)
    manos = MANOS if mano == "both" else (mano,)
    steps = range(0, game.target, 5)
    if scores is None:
        every = range(game.target) if format_name in ("csv", "json") else steps
        scores = [(ours, theirs) for ours in every for theirs in every]
    rows = [_row(table, one, side, won) for side in manos for one in scores]
    head = {
        "game": game.name,
        **unusual(game),
        "games": games,
        "policy": table.deal.policy,
        "method": table.method,
        "n": table.deal.n,
        "seed": table.deal.seed,
    }
    shown = _table(rows) if score is not None else _grids(table, manos, list(steps))
    legend = LEGEND.format(
        games=f"{won[0]}-{won[1]} won so far" if any(won) else "first game", match=_match(game)
    )

    def text() -> str:
        title = click.style(f"{titled(game)}: equity, {table.method}", bold=True)
        return "\n".join([title, "", *(one.text() for one in shown), legend])

    emit(
        Report(head, "equity", rows, text, lambda: "\n".join(one.markdown() for one in shown)),
        format_name,
        output,
    )


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
