"""``musodds policy respond``: the best response of one player, or of a side, to the others."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from musodds.cli.parts.numbers import Real, WholeNumber
from musodds.cli.parts.options import format_option, game_option, output_of
from musodds.cli.parts.output import Report, Table, emit
from musodds.cli.parts.runs import seed_option, workers_option
from musodds.rules.game import Game
from musodds.values import told

if TYPE_CHECKING:
    from musodds.strategy.respond import Response

_SHOWN = 20
"""Hands in the text answer."""


@click.command("respond")
@click.option(
    "--against",
    "against",
    default=("best",),
    show_default="best",
    multiple=True,
    metavar="NAME|FILE",
    help="What everybody does now; given once for each seat, from mano on, each its own.",
)
@click.option("--seat", metavar="SEAT", help="Who answers.  [default: mano]")
@click.option(
    "--side",
    type=WholeNumber(),
    metavar="1|2",
    help="Instead: a side answers, mano's (1) or the other, its players by turns.",
)
@game_option
@click.option(
    "--hand", "only", multiple=True, metavar="HAND", help="Only this hand changes; repeatable."
)
@click.option(
    "--gap",
    type=Real(),
    default=0.02,
    help="How fine: keeps are told apart to a quarter of so many stones.",
)
@seed_option
@workers_option
@output_of("csv", name="policy_out")
@format_option
def command(
    against: tuple[str, ...],
    seat: str | None,
    side: int | None,
    game: Game,
    only: tuple[str, ...],
    gap: float,
    seed: int,
    workers: int | None,
    policy_out: str | None,
    format_name: str,
) -> None:
    """The best response of one player, or of a side, to what the others do.

    Of every hand: mus or cut, and what to keep where all the others say mus. What that
    gains on what the player does now is measured on other deals than those on which it
    was found. With -o, what the whole table then does is written as a policy, to be used
    like any other; the answer is printed all the same. Progress goes to standard error.

    \b
    Examples:
      musodds policy respond --against best --seat 2
      musodds policy respond --against level-0 --seat mano --hand RR7A
      musodds policy respond --against kings --side 2 -o answer.csv
      musodds policy respond --against kings --against mine.csv --against kings \\
        --against best --seat 3
    """
    from musodds.store.files import write_atomic
    from musodds.strategy.respond import respond

    began = time.monotonic()

    def tell(line: str) -> None:
        click.echo(f"{time.monotonic() - began:6.0f} s  {line}", err=True)

    texts = [game.deck.text(game.parse_hand(text)) for text in only] or None
    found = respond(
        list(against), game=game, seat=seat, side=side, gap=gap, seed=seed, workers=workers,
        report=tell, only=texts,
    )  # fmt: skip
    rows = [row for row in found.rows() if texts is None or row["hand"] in texts]
    columns = ("hand", "seat", "was", "best", "gain")
    ranked = sorted(rows, key=lambda row: -float(row["gain"]))
    cells = [
        (
            row["hand"],
            str(row["seat"]),
            _does(row, "_before"),
            _does(row, ""),
            f"{row['gain']:z.3f}",
        )
        for row in ranked
    ]
    table = Table(columns, "lrllr", cells)
    changed = [cell for cell in cells if texts is not None or cell[2] != cell[3]]
    head = {
        "game": game.name,
        "method": found.method,
        "against": found.against.name,
        "seats": list(found.seats),
        **told(found, "gain", "gain_se", "settled", "n", "seed"),
    }
    short = Table(columns, "lrllr", changed[:_SHOWN])
    emit(Report(head, "rows", rows, lambda: _text(found, short), table.markdown), format_name)
    if policy_out is not None:
        write_atomic(policy_out, found.to_csv())


def _does(row: dict[str, object], when: str) -> str:
    keep = f"keep {row['keep' + when]}"
    return f"cut (else {keep})" if row["say" + when] == "cut" else keep


def _text(found: Response, table: Table) -> str:
    who = (
        f"seat {found.seats[0]}"
        if len(found.seats) == 1
        else "seats " + " and ".join(map(str, found.seats))
    )
    title = (
        f"{who} of {found.policy.game.name} against {found.against.name}; {found.method}, "
        f"{found.n} deals, seed {found.seed}"
    )
    lines = [
        click.style(title, bold=True),
        f"gains {found.gain:z.4f} stones a deal (standard error {found.gain_se:.4f})",
        f"after a mus that the others agreed to, another keep gains {found.gap}",
    ]
    if not found.settled:
        lines.append(f"after {found.turns} turns the partners still change what they do")
    if not table.rows:
        return "\n".join([*lines, "", "no hand does anything else"])
    return "\n".join([*lines, "", "hands that gain most", "", table.text()])
