"""``musodds discard``: what to throw, and mus or cut."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from musodds.cli.parts.discard_text import known_of, markdown_of, score_of, text_of
from musodds.cli.parts.knowledge_options import knowledge_options
from musodds.cli.parts.many import ManyQuestions
from musodds.cli.parts.numbers import Real, WholeNumber
from musodds.cli.parts.options import (
    equity_option,
    game_option,
    report_options,
    seat_option,
    target_option,
)
from musodds.cli.parts.output import ROWS_ALONE, Report, Table, emit, page_width, wanted_format
from musodds.cli.parts.runs import emit_run, seed_option, workers_option
from musodds.cli.parts.throw_report import advice_report, ranking_report
from musodds.errors import InputError
from musodds.exact.draws.draws import Draw, draw, draws
from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.games import unusual
from musodds.simulation.progress import progress_bar
from musodds.values import told

if TYPE_CHECKING:
    from musodds.knowledge.knowledge import Knowledge
    from musodds.strategy.advice import Discard


@click.command(cls=ManyQuestions)
@click.argument("hand", nargs=-1, required=True, metavar="HAND...")
@game_option
@target_option
@seat_option
@knowledge_options
@click.option(
    "--policy",
    metavar="NAME|FILE",
    help="What the others say and keep; `musodds policy list` lists them.  [default: best, the "
    "solved policy; kings in games without one]",
)
@click.option(
    "--others",
    multiple=True,
    metavar="WHO=NAME|FILE",
    help="What one of the others does instead: partner, next, previous, rivals or a seat, such as "
    "partner=never-cut; may be repeated, or several with commas.",
)
@click.option(
    "--rounds",
    type=WholeNumber(),
    default=1,
    help="Rounds of mus at most. After this one all play the policy, and may cut.",
)
@click.option(
    "--learn/--no-learn",
    default=True,
    help="Try the keeps where all others say mus by their policy, or on any deal.",
)
@click.option("-n", "deals", type=WholeNumber(), help="Deals to try the keeps on, per seat.")
@click.option(
    "--target-se",
    type=Real(),
    help="Instead of -n: go on until the standard error of the difference between the best "
    "keeps is at most X stones.  [default: 0.005; 0.02 for several rounds, six players, jokers]",
)
@seed_option
@workers_option
@click.option(
    "--score",
    metavar="OURS-THEIRS",
    help="Rank by the chance of winning the game from this score instead of by stones.",
)
@equity_option
@click.option(
    "--exact",
    is_flag=True,
    help="Only what you draw: the exact chance of every hand after each keep.",
)
@click.option("--keep", metavar="CARDS", help="With --exact: this keep only; - throws all four.")
@report_options
@click.pass_context
def command(
    ctx: click.Context,
    hand: tuple[str, ...],
    game: Game,
    seat: str,
    knowledge: Knowledge | None,
    policy: str | None,
    others: tuple[str, ...],
    rounds: int,
    learn: bool,
    deals: int | None,
    target_se: float | None,
    seed: int,
    workers: int | None,
    score: str | None,
    kind: str | None,
    exact: bool,
    keep: str | None,
) -> None:
    """Mus or cut, how often mus is agreed, and what to throw then.

    The others say mus or cut, and throw, as their policy has it. What to throw matters
    where all have said mus, so all keeps meet the same deals in which the others do. The
    odds of cutting, how often they all say mus, and all of --exact are exact; the rest
    is simulated, with its standard error.

    Mus means: you say mus, the others say mus or cut; if anybody cuts the cards are
    played as dealt, otherwise all throw and draw. So what you say matters only where all
    others say mus, and against players who cut with good hands it mostly pays to cut. In
    mus visto nobody is asked: the advice is about the change of cards that all are given
    first.

    With --score, keeps, mus and cutting are worth the chance of winning the game; this
    deal is played en paso, those to come as --equity says, without discards.

    What you know of the others (ranges, dead cards) is of their hands as dealt.

    A hand typed without suits that matter is answered as the average over the hands it
    may be.

    \b
    Examples:
      musodds discard RR7A --seat mano
      musodds discard RR7A --seat postre --policy kings
      musodds discard C654 --others partner=never-cut --others next=kings
      musodds discard C654 --seat mano --others rivals=mine.csv --target-se 0.002
      musodds discard RR7A --seat 1 --rounds 2 -n 100000
      musodds discard RR7A --seat mano --partner seña:dos-reyes --dead AA
      musodds discard RR7A --seat mano --score 38-35
      musodds discard RR7A --game mus-visto
      musodds discard "7o 7c S A" --game mus-real-suits --seat mano
      musodds discard RR7A --exact --keep RR
      musodds discard RR7A4 --game encaje3-five-cards --seat 1
      musodds discard RR7A --format json | jq '.answers[0].say'
      musodds discard --from hands.csv --seat mano -n 4096 -o keeps.csv
    """
    if keep is not None and not exact:
        raise click.UsageError("--keep goes with --exact")
    if exact:
        _check_exact(ctx)
    text = " ".join(hand)
    if game.cards_dealt > CARDS:
        if knowledge:
            raise click.UsageError("with five cards nothing is known of the others: leave it out")
        _check_five(ctx)
        if exact:
            from musodds.chances.throws import encaje_throws

            emit(ranking_report(encaje_throws(text, game=game, seat=seat)))
            return
        from musodds.strategy.throw_advice import encaje_throw_advice

        with progress_bar("deals") as watch:
            thrown = encaje_throw_advice(
                text, game=game, seat=seat, n=deals, target_se=target_se, seed=seed,
                workers=workers, watch=watch,
            )  # fmt: skip
        emit_run(advice_report(thrown), thrown)
        return
    if exact and knowledge:
        raise click.UsageError("--exact assumes nothing of the others: leave out what you know")
    if exact:
        given = draws(text, game=game) if keep is None else (draw(text, keep, game=game),)
        emit(_exact_report(given))
        return
    from musodds.strategy.discard import discard

    at = used = None
    if score is not None:
        from musodds.stakes.equity_kinds import equity_by
        from musodds.stakes.scores import read_score

        at, used = read_score(score, game), equity_by(game, kind)
    elif kind is not None:
        raise click.UsageError("--equity is what the deals after this one bring: say --score")
    with progress_bar("deals") as watch:
        answer = discard(
            text, game=game, seat=seat, policy=policy, others=_others(others), rounds=rounds,
            learn=learn, n=deals, target_se=target_se, seed=seed, workers=workers,
            knowledge=knowledge, score=at, table=used, watch=watch,
        )  # fmt: skip
    emit_run(_report(answer), answer)


def _others(given: tuple[str, ...]) -> dict[str | int, str]:
    """Players and their policies: ``partner=never-cut,next=kings``."""
    found: dict[str | int, str] = {}
    for text in ",".join(given).split(",") if given else ():
        who, equals, name = (part.strip() for part in text.partition("="))
        if not (who and equals and name):
            raise InputError(f"others {text!r}: write who and what, such as partner=never-cut")
        found[who] = name
    return found


def _report(answer: Discard) -> Report:
    head = {
        "game": answer.game.name,
        **unusual(answer.game),
        **told(answer, "hand", "method", "policy"),
        "others": " ".join(f"{who}={name}" for who, name in answer.others) or None,
        "rounds": answer.rounds,
        "learn": answer.learn,
        "score": score_of(answer),
        "equity_kind": answer.equity,
        "n": answer.n,
        "seed": answer.seed,
        "knowledge": known_of(answer),
    }
    rows, answers = answer.rows(), answer.answers()
    if wanted_format() in ROWS_ALONE:
        # One table: a seat with nothing to throw has one row.
        kept = {row["seat"] for row in rows}
        rows += [row for row in answers if row["seat"] not in kept]
        answers = []
    more = {"answers": answers} if answers else {}
    return Report(head, "keeps", rows, lambda: text_of(answer), lambda: markdown_of(answer), more)


_SIMULATED = ("deals", "target_se", "seed", "workers")
_OF_MUS = ("policy", "others", "rounds", "learn", "score", "kind")


def _check_five(ctx: click.Context) -> None:
    """Refuse what is of mus where one of five cards is thrown."""
    for option in _given(ctx, (*_OF_MUS, "keep")):
        game = ctx.params["game"].name
        raise click.UsageError(f"{option} is of mus: in {game} one of five is thrown")


def _check_exact(ctx: click.Context) -> None:
    """Refuse what is of simulated answers where all is counted."""
    for option in _given(ctx, (*_SIMULATED, *_OF_MUS)):
        raise click.UsageError(
            f"{option} is of simulated advice: with --exact what you draw is counted, leave it out"
        )


def _given(ctx: click.Context, names: tuple[str, ...]) -> list[str]:
    """Those options that were typed, as the help writes them."""
    written = {param.name: max(param.opts, key=len) for param in ctx.command.params}
    return [
        written[name]
        for name in names
        if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT
    ]


def _exact_report(given: tuple[Draw, ...]) -> Report:
    rows = [
        {
            "keep": after.keep,
            "drawn": text,
            "fraction": f"{chance.numerator}/{chance.denominator}",
            "probability": chance,
        }
        for after in given
        for text, chance in after.fractions().items()
    ]
    head = {"game": given[0].game.name, "hand": given[0].hand, "method": given[0].method}
    title = f"{head['hand']} in {head['game']}: {head['method']}, what you hold after the draw"

    def text() -> str:
        return "\n\n".join((title, *map(_distribution, given)))

    def markdown() -> str:
        cells = [(str(row["keep"]), str(row["drawn"]), str(row["fraction"])) for row in rows]
        return f"{title}\n\n{Table(('keep', 'hand', 'chance'), 'llr', cells).markdown()}"

    return Report(head, "draws", rows, text, markdown)


def _distribution(after: Draw) -> str:
    """The chances after one keep: of the plays, then of every hand, side by side."""
    kept = "throw all four" if after.keep == "-" else f"keep {after.keep}"
    chances = ", ".join(f"{play} {chance}" for play, chance in after.chances().items())
    head, *more = textwrap.wrap(f"{kept}: {chances}", page_width())
    cells = [f"{text} {chance}" for text, chance in after.fractions().items()]
    width = max(map(len, cells)) + 3
    across = max(1, page_width() // width)
    down = -(-len(cells) // across)
    columns = [cells[start : start + down] for start in range(0, len(cells), down)]
    lines = [
        "".join(column[row].ljust(width) for column in columns if row < len(column)).rstrip()
        for row in range(down)
    ]
    return "\n".join((click.style(kept, bold=True) + head[len(kept) :], *more, *lines))
