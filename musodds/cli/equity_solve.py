"""``musodds equity solve``: the chance of winning the game when every deal is bet well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from musodds.cli.parts.exits import INTERRUPTED
from musodds.cli.parts.numbers import Real, WholeNumber
from musodds.cli.parts.options import game_option, report_options, target_option
from musodds.cli.parts.output import Report, Table, emit, percent
from musodds.errors import InputError
from musodds.rules.game import Game
from musodds.rules.games import titled, unusual
from musodds.simulation.progress import progress_bar

if TYPE_CHECKING:
    from musodds.solver.score_run import SolvedScores

_EVERY = 5


@click.command("solve")
@game_option
@target_option
@click.option(
    "--least", type=WholeNumber(), default=0, metavar="STONES",
    help="Only scores with both sides at so many stones or more."
)  # fmt: skip
@click.option(
    "--gap", type=Real(), default=0.05, metavar="STONES",
    help="How closely a deal is solved; a stone is 4% of a game."
)  # fmt: skip
@click.option(
    "--near-gap", type=Real(), default=0.02, metavar="STONES",
    help="The same where a side lacks 4 stones or fewer."
)  # fmt: skip
@click.option(
    "--checkpoint", type=click.Path(), metavar="FILE",
    help="Keep every deal that is solved, and go on from there."
)  # fmt: skip
@click.option(
    "--workers", type=WholeNumber(), default=1,
    help="Threads, or processes of --scheduler local. The table does not depend on it.",
)  # fmt: skip
@click.option("--scheduler", metavar="ADDRESS|local", help="Work on a Dask cluster.")
@click.option(
    "--npz", type=click.Path(), metavar="FILE",
    help="Write the table as the package keeps it (data/equity/)."
)  # fmt: skip
@report_options
def command(
    game: Game,
    least: int,
    gap: float,
    near_gap: float,
    checkpoint: str | None,
    workers: int,
    scheduler: str | None,
    npz: str | None,
) -> None:
    """Solve the scores of a game backward from its end, every deal bet well.

    The deal at a score is solved (bets 2 and órdago; with partners the model own) with
    the equity of later scores as its payoff, at the nodes of a grid that is fine near
    the end; between them the table is interpolated, and compared with deals that are
    solved off the grid. It takes hours; --checkpoint loses no more than a deal.

    \b
    Examples:
      musodds equity solve --game mus2p --least 36
      musodds equity solve --checkpoint mus.scores --workers 8 -o solved.csv
      musodds equity solve --scheduler tcp://10.0.0.1:8786 --checkpoint mus.scores
    """
    from musodds.solver.score_batch import plan
    from musodds.solver.score_run import estimate, solve_scores
    from musodds.store.files import check_writable, write_atomic
    from musodds.store.interrupts import heard

    if npz is not None:
        check_writable(npz)
    if 0 <= least < game.target and workers > 0:
        number, seconds = estimate(plan(game, least), workers)
        click.echo(f"{number} deals to solve, some {_time(seconds)} if none is kept", err=True)
    try:
        with progress_bar("deals") as watch:
            found = solve_scores(
                game, least=least, gap=gap, near_gap=near_gap, checkpoint=checkpoint,
                workers=workers, scheduler=scheduler, watch=watch,
            )  # fmt: skip
    except KeyboardInterrupt:
        heard()
        kept = f": {checkpoint} has what is solved" if checkpoint else ""
        click.echo(f"musodds: interrupted{kept}", err=True)
        click.get_current_context().exit(INTERRUPTED)
    if npz is not None:
        from musodds.solver.score_run import to_npz

        write_atomic(npz, to_npz(found))
    emit(_report(found))


def _time(seconds: float) -> str:
    if seconds < 5400:
        return f"{max(1, round(seconds / 60))} min"
    return f"{seconds / 3600:.1f} hours"


def _report(found: SolvedScores) -> Report:
    game, target = found.plan.game, found.plan.game.target
    if len(found.mano_wins) != target:
        raise InputError("the table is of another game")
    scores = [(a, b) for a in range(found.least, target) for b in range(found.least, target)]
    rows = [
        {"mano": a, "other": b, "chance": float(found.mano_wins[a, b]),
         "error": float(found.error[a, b])}
        for a, b in scores
    ]  # fmt: skip
    nodes: list[dict[str, Any]] = [
        {"mano": one.score[0], "other": one.score[1], "value": one.value, "gap": one.gap,
         "iterations": one.iterations, "off_grid": found.differences.get(one.score)}
        for one in found.nodes
    ]  # fmt: skip
    head = {
        "game": game.name,
        **unusual(game),
        "method": "solved",
        "bets": found.plan.sizes.bets_text,
        "raises": found.plan.sizes.raises_text,
        "least": found.least,
        "off_grid": max(map(abs, found.differences.values()), default=None),
    }
    table = _table(found)

    def text() -> str:
        title = click.style(f"{titled(game)}: mano's chance of winning the game, solved", bold=True)
        off = head["off_grid"]
        notes = [
            f"{len(found.nodes)} deals solved; bets {head['bets']}, raises {head['raises']}",
            f"may be off by {percent(float(found.error.max()))} at most, cautiously"
            + ("" if off is None else f"; off the grid it was by {100 * float(str(off)):z.2f}%"),
        ]
        return "\n".join([title, "", table.text(), *notes])

    return Report(head, "scores", rows, text, table.markdown, {"deals": nodes})


def _table(found: SolvedScores) -> Table:
    last = found.plan.game.target - 1
    steps = [*range(found.least, last, _EVERY if last - found.least > _EVERY else 1), last]
    return Table(
        ("mano has", *(f"other {step}" for step in steps)), "r" * (len(steps) + 1),
        [(str(a), *(percent(float(found.mano_wins[a, b])) for b in steps)) for a in steps],
    )  # fmt: skip
