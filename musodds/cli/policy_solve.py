"""``musodds policy solve``: the best discards of a game, and mus or cut."""

from __future__ import annotations

import time

import click

from musodds.cli.parts.numbers import Real, WholeNumber
from musodds.cli.parts.options import game_option, output_of
from musodds.cli.parts.output import write_output
from musodds.cli.parts.runs import seed_option, workers_option
from musodds.rules.game import Game


@click.command("solve")
@game_option
@click.option(
    "--level",
    type=WholeNumber(),
    default=1,
    help="Steps of thought: 0 always says mus, 1 says it where that pays among players of "
    "level 0, 2 where it pays among players of level 1, and so on.",
)
@click.option(
    "--gap",
    type=Real(),
    default=0.01,
    help="Go on until no hand in any seat gains more than X stones.",
)
@click.option(
    "--start",
    metavar="NAME|FILE",
    help="Solve from level 0 on, whose keeps start from those of this policy.  [default: the "
    "level below, where it comes with musodds; otherwise solo]",
)
@seed_option
@workers_option
@click.option(
    "--score",
    metavar="MANO-OTHERS",
    help="Let every hand seek to win the game from this score, mano's side first, instead "
    "of stones. A stone of the gap is then 4% of a game.",
)
@output_of("csv")
def command(
    game: Game,
    level: int,
    gap: float,
    start: str | None,
    seed: int,
    workers: int | None,
    score: str | None,
    output: str | None,
) -> None:
    """Solve a game for the best discards, and for mus or cut, at a level of thought.

    A hand says mus where that beats cutting among players of the level below. What it
    keeps is solved for when it is used, after a mus that was agreed: every hand in every
    seat takes its best response to what the others of its own level do, until none gains
    more than the gap. What a change would still gain is then measured on fresh deals, as
    is what one player gains who thinks one step further; both stand in the comments on
    top of the policy, which is CSV. It takes minutes. Progress goes to standard error.

    \b
    Examples:
      musodds policy solve -o one.csv
      musodds policy solve --level 2 -o two.csv
      musodds policy solve --game mus2p --gap 0.02 --seed 7 -o duel.csv
      musodds policy solve --score 38-35 -o at-38-35.csv
      musodds discard RR7A --policy one.csv
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
    solution = solve(
        game, level=level, gap=gap, start=start, seed=seed, workers=workers, report=tell, score=at
    )
    if output is None:
        write_output(solution.to_csv())
    else:
        write_atomic(output, solution.to_csv())
    if not solution.reached:
        raise click.ClickException(
            f"after {solution.iterations} iterations a hand still gains more than {gap:g} stones; "
            "the policy is written all the same, with the gap that was measured"
        )
