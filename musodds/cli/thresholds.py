"""``musodds thresholds``: how good a hand must be to see an órdago at a score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from musodds.cli.parts.options import game_option, report_options, target_option
from musodds.cli.parts.output import Report, Table, emit, percent
from musodds.rules.game import Game
from musodds.rules.games import titled, unusual

if TYPE_CHECKING:
    from musodds.stakes.thresholds import Threshold

LEGEND = """\
An órdago as the first bet of the phase. need: the least chance of having the
best hand with which seeing is right, on average (it differs from hand to hand;
--format csv has them all); see: hands that should see, of those with which
there is betting; from: the weakest hand such that it and all stronger ones see.
Later phases and deals en paso, nothing known of the others."""

_SCORES = ("0-0", "20-20", "30-35", "35-30", "38-39")


@click.command
@click.option(
    "--score",
    "scores",
    multiple=True,
    metavar="OURS-THEIRS",
    help=f"Our stones and theirs; may be repeated. By default {', '.join(_SCORES)}.",
)
@click.option(
    "--seat",
    default="mano",
    show_default=True,
    metavar="SEAT",
    help="Your seat; it says whose side is mano.",
)
@game_option
@target_option
@report_options
def command(
    scores: tuple[str, ...], seat: str, game: Game, format_name: str, output: str | None
) -> None:
    """How good a hand must be to see an órdago in each phase, at each score.

    Folding the first bet costs one stone and the deal goes on; seeing wins the game
    with the chance of having the best hand. JSON and CSV have a row for every hand.

    \b
    Examples:
      musodds thresholds --score 32-35
      musodds thresholds --score 20-20 --score 38-30 --seat postre
      musodds thresholds --score 32-35 -o see.csv
    """
    from musodds.stakes.scores import read_score
    from musodds.stakes.thresholds import thresholds

    wanted = [read_score(text, game) for text in scores or _SCORES]
    found = thresholds(game, scores=wanted, seat=seat)
    head = {"game": game.name, **unusual(game), "method": "exact"}
    table = _table(found)

    def text() -> str:
        title = f"{titled(game)}: seeing an órdago, seat {game.seat_name(found[0].seat)}"
        return f"{click.style(title, bold=True)}\n\n{table.text()}\n{LEGEND}"

    rows = [row for one in found for row in one.rows()]
    emit(Report(head, "thresholds", rows, text, table.markdown), format_name, output)


def _table(found: list[Threshold]) -> Table:
    from musodds.rules.hands import hands

    rows, last = [], None
    for one in found:
        table = hands(one.game)
        weakest = one.weakest
        rows.append(
            (
                "" if one.score == last else f"{one.score[0]}-{one.score[1]}",
                one.phase,
                percent(one.mean_need),
                percent(one.share),
                "none" if weakest is None else table.texts[weakest],
                "" if weakest is None else _play(one, weakest),
            )
        )
        last = one.score
    return Table(("score", "phase", "need", "see", "from", ""), "llrrll", rows)


def _play(one: Threshold, index: int) -> str:
    from musodds.rules.hands import hands

    table = hands(one.game)
    if one.phase == "pares":
        return table.pares_name(index)
    return table.juego_name(index) if one.phase in ("juego", "punto") else ""
