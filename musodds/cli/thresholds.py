"""``musodds thresholds``: how good a hand must be to see an órdago at a score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from musodds.cli.parts.equities import by_kind, equity_lines
from musodds.cli.parts.options import (
    equity_option,
    game_option,
    report_options,
    sensitivity_option,
    target_option,
)
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
Later phases are passed, nothing is known of the others."""

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
    "--seat", default="mano", metavar="SEAT", help="Your seat; it says whose side is mano."
)
@click.option(
    "--solved", is_flag=True,
    help="Beside it how many hands see and bet where both sides bet well: each phase solved alone, "
    "now or before, model own with partners."
)  # fmt: skip
@game_option
@target_option
@equity_option
@sensitivity_option
@report_options
def command(
    scores: tuple[str, ...],
    seat: str,
    solved: bool,
    game: Game,
    kind: str | None,
    sensitivity: bool,
) -> None:
    """How good a hand must be to see an órdago in each phase, at each score.

    Folding the first bet costs one stone and the deal goes on; seeing wins the game
    with the chance of having the best hand. JSON and CSV have a row for every hand.

    \b
    Examples:
      musodds thresholds --score 32-35
      musodds thresholds --score 20-20 --score 38-30 --seat postre
      musodds thresholds --score 32-35 -o see.csv
      musodds thresholds --score 32-35 --game mus2p --solved
    """
    from musodds.stakes.equity_kinds import equity_by
    from musodds.stakes.scores import read_score
    from musodds.stakes.thresholds import thresholds

    wanted = [read_score(text, game) for text in scores or _SCORES]
    if solved:
        if not scores or sensitivity:
            raise click.UsageError(
                "--solved needs --score, and does not go with --sensitivity: every phase is "
                "solved at each score"
            )
        emit(_solved_report(game, wanted, seat, kind))
        return
    used = equity_by(game, kind)
    found = thresholds(game, scores=wanted, seat=seat, table=used)
    others = by_kind(
        game, sensitivity,
        lambda table: _needs(thresholds(game, scores=wanted, seat=seat, table=table)),
    )  # fmt: skip
    head = {"game": game.name, **unusual(game), "method": used.method, "equity_kind": used.kind}
    table = _table(found)

    def text() -> str:
        title = f"{titled(game)}: seeing an órdago, seat {game.seat_name(found[0].seat)}"
        more = f"{_kinds(found, others).text()}\n" if others else ""
        notes = "\n".join([LEGEND, *equity_lines(used)])
        return f"{click.style(title, bold=True)}\n\n{table.text()}\n{more}{notes}"

    rows = [row for one in found for row in one.rows()]
    lists = {"sensitivity": others} if others else {}
    emit(Report(head, "thresholds", rows, text, table.markdown, lists))


SOLVED_LEGEND = """\
Of the hands with which there is betting: see, anything: those that should see
an órdago if the rivals may hold anything; see, solved: those that see the one
of solved rivals; bet: those that bet if your side may (mano first, else after a
pass). Each phase is solved alone, all others passed."""


def _solved_report(
    game: Game, scores: list[tuple[int, int]], seat: str, kind: str | None
) -> Report:
    from musodds.solver.seeing import solved_thresholds
    from musodds.stakes.equity_kinds import equity_by

    found = solved_thresholds(game, scores=scores, seat=seat, kind=kind)
    rows = [row for one in found for row in one.rows()]
    table = Table(
        ("score", "phase", "see, anything", "see, solved", "bet", "gap"), "llrrrr",
        [
            (
                f"{one.score[0]}-{one.score[1]}", one.phase, percent(one.sees_en_paso),
                percent(one.sees), percent(one.opens), f"{one.gap:z.4f}",
            )
            for one in found
        ],
    )  # fmt: skip
    title = f"{titled(game)}: seeing an órdago, solved, model {found[0].model}"
    head = {"game": game.name, **unusual(game), "method": "exact", "model": found[0].model}
    used = equity_by(game, kind)
    head["equity_kind"] = used.kind

    notes = "\n".join([SOLVED_LEGEND, *equity_lines(used)])

    def text() -> str:
        return f"{click.style(title, bold=True)}\n\n{table.text()}\n{notes}"

    return Report(head, "thresholds", rows, text, table.markdown)


def _needs(found: list[Threshold]) -> dict[str, Any]:
    """The mean need by score and phase."""
    return {f"{one.score[0]}-{one.score[1]} {one.phase}": one.mean_need for one in found}


def _kinds(found: list[Threshold], others: list[dict[str, Any]]) -> Table:
    """The need under each kind of equity."""
    names = _needs(found)
    cells = [(name, *(percent(one[name]) for one in others)) for name in names]
    titles = ("need by equity", *(str(one["equity"]) for one in others))
    return Table(titles, "l" + "r" * len(others), cells)


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
