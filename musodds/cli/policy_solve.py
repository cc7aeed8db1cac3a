"""``musodds policy solve``: the best discards of a game, and mus or cut."""

from __future__ import annotations

import time

import click

from musodds.cli.parts.numbers import Real, WholeNumber
from musodds.cli.parts.options import game_option, output_of
from musodds.cli.parts.output import write_output
from musodds.rules.game import Game


@click.command("solve")
@game_option
@click.option(
    "--gap",
    type=Real(),
    default=0.01,
    show_default=True,
    metavar="X",
    help="Go on until no hand in any seat gains more than X stones.",
)
@click.option(
    "--start",
    default="solo",
    show_default=True,
    metavar="NAME|FILE",
    help="The policy to start from.",
)
@click.option("--seed", type=WholeNumber(), default=1, show_default=True, metavar="N")
@click.option(
    "--workers",
    type=WholeNumber(),
    default=2,
    show_default=True,
    metavar="N",
    help="Threads; the digits do not depend on it.",
)
@click.option(
    "--score",
    metavar="MANO-OTHERS",
    help="Let every hand seek to win the game from this score, mano's side first, instead "
    "of stones. A stone of the gap is then 4% of a game.",
)
@output_of("csv")
def command(
    game: Game,
    gap: float,
    start: str,
    seed: int,
    workers: int,
    score: str | None,
    output: str | None,
) -> None:
    """Solve a game for the best discards, and for mus or cut.

    Every hand in every seat takes its best response to what the others do, until none
    gains more than the gap; what a change would still gain is then measured on fresh
    deals, and stands in the comments on top of the policy, which is CSV. It takes
    minutes. Progress goes to standard error.

    \b
    Examples:
      musodds policy solve -o best.csv
      musodds policy solve --game mus2p --gap 0.02 --seed 7 -o duel.csv
      musodds policy solve --score 38-35 -o at-38-35.csv
      musodds discard RR7A --policy best.csv
    """
    from musodds.store.files import write_atomic
    from musodds.strategy.solve import solve

    began = time.monotonic()

    def tell(line: str) -> None:
        click.echo(f"{time.monotonic() - began:6.0f} s  {line}", err=True)

    at = None
    if score is not None:
        from musodds.stakes.scores import read_score

        at = read_score(score, game)
    solution = solve(game, gap=gap, start=start, seed=seed, workers=workers, report=tell, score=at)
    if output is None:
        write_output(solution.to_csv())
    else:
        write_atomic(output, solution.to_csv())
    if not solution.reached:
        raise click.ClickException(
            f"after {solution.iterations} iterations a hand still gains more than {gap:g} stones; "
            "the policy is written all the same, with the gap that was measured"
        )
