"""``musodds discard``: what to throw, and mus or cut."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from musodds.cli.hand import notes_of
from musodds.cli.parts.knowledge_options import knowledge_options
from musodds.cli.parts.many import ManyQuestions
from musodds.cli.parts.numbers import Real, WholeNumber
from musodds.cli.parts.options import game_option, report_options, seat_option, target_option
from musodds.cli.parts.output import Report, Table, emit, page_width, percent, signed
from musodds.cli.parts.runs import emit_run, seed_option, workers_option
from musodds.cli.parts.throw_report import advice_report, ranking_report
from musodds.exact.draws.draws import Draw, draw, draws
from musodds.rules.cards import CARDS
from musodds.rules.game import PHASES, Game
from musodds.rules.games import titled, unusual
from musodds.simulation.progress import progress_bar

if TYPE_CHECKING:
    from musodds.knowledge.knowledge import Knowledge
    from musodds.strategy.advice import Discard, SeatAdvice

_LEGEND = """\
net: stones for your side less theirs when everybody passes; diff: to the best
keep, on the same deals, +/- its standard error; grande to punto: your side
takes it; +pares, +dup(les), +juego, +31: what you hold after the draw{}."""
_LEGEND_AT_SCORE = """\
game: your chance of winning the game, this deal and all to come en paso; diff:
to the best keep, on the same deals, +/- its standard error; grande to punto:
your side takes it; +pares, +dup(les), +juego, +31: what you hold then{}."""

_AFTER = {"+pares": "pares", "+dup": "duples", "+juego": "juego", "+31": "31"}


@click.command(cls=ManyQuestions)
@click.argument("hand", nargs=-1, required=True, metavar="HAND...")
@game_option
@target_option
@seat_option
@knowledge_options
@click.option(
    "--policy",
    default="kings",
    show_default=True,
    metavar="NAME|FILE",
    help="What the others do; `musodds policy list` lists them.",
)
@click.option(
    "--rounds",
    type=WholeNumber(),
    default=1,
    show_default=True,
    metavar="N",
    help="Rounds of mus at most. After this one all play the policy, and may cut.",
)
@click.option(
    "--learn",
    is_flag=True,
    help="Rule out that the others hold hands with which they would have cut.",
)
@click.option(
    "-n", "deals", type=WholeNumber(), metavar="N", help="Deals to try the keeps on, per seat."
)
@click.option(
    "--target-se",
    type=Real(),
    metavar="X",
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
    policy: str,
    rounds: int,
    learn: bool,
    deals: int | None,
    target_se: float | None,
    seed: int,
    workers: int | None,
    score: str | None,
    exact: bool,
    keep: str | None,
    format_name: str,
    output: str | None,
) -> None:
    """What to throw: every keep of a hand, the best first, and mus or cut.

    All keeps meet the same deals, in which the others throw as their policy says. The
    odds of cutting, of what you draw, and all of --exact are exact; the rest is
    simulated, with its standard error.

    With --score, keeps, mus and cutting are worth the chance of winning the game; this
    deal and those to come are played en paso, the ones to come without discards.

    What you know of the others (ranges, dead cards) is of their hands as dealt. Then
    the odds of cutting are still exact, those of what you draw simulated.

    Mus means: you say mus, the others say mus or cut as their policy has it; if anybody
    cuts the cards are played as dealt, otherwise all throw and draw. In mus visto nobody
    is asked: the advice is about the change of cards that all are given first.

    A hand typed without suits that matter is answered as the average over the hands it
    may be.

    \b
    Examples:
      musodds discard RR7A --seat mano
      musodds discard RR7A --seat postre --policy best
      musodds discard C654 --policy best --learn --target-se 0.002
      musodds discard RR7A --seat 1 --rounds 2 -n 100000
      musodds discard RR7A --seat mano --partner seña:dos-reyes --dead AA
      musodds discard RR7A --seat mano --score 38-35
      musodds discard RR7A --game mus-visto
      musodds discard "7o 7c S A" --game mus-real-suits --seat mano
      musodds discard RR7A --exact --keep RR
      musodds discard RR7A4 --game encaje3-five-cards --seat 1
      musodds discard RR7A --format json | jq '.keeps[0].keep'
      musodds discard --from hands.csv --seat mano -n 4096 -o keeps.csv
    """
    if keep is not None and not exact:
        raise click.UsageError("--keep goes with --exact")
    text = " ".join(hand)
    if game.cards_dealt > CARDS:
        if knowledge:
            raise click.UsageError("with five cards nothing is known of the others: leave it out")
        _check_five(ctx)
        if exact:
            from musodds.chances.throws import throws

            emit(ranking_report(throws(text, game=game, seat=seat)), format_name, output)
            return
        from musodds.strategy.throw_advice import throw_advice

        with progress_bar("deals") as watch:
            thrown = throw_advice(
                text, game=game, seat=seat, n=deals, target_se=target_se, seed=seed,
                workers=workers, watch=watch,
            )  # fmt: skip
        emit_run(advice_report(thrown), format_name, output, thrown)
        return
    if exact and knowledge:
        raise click.UsageError("--exact assumes nothing of the others: leave out what you know")
    if exact:
        given = draws(text, game=game) if keep is None else (draw(text, keep, game=game),)
        emit(_exact_report(given), format_name, output)
        return
    from musodds.strategy.discard import discard

    at = None
    if score is not None:
        from musodds.stakes.scores import read_score

        at = read_score(score, game)
    with progress_bar("deals") as watch:
        answer = discard(
            text, game=game, seat=seat, policy=policy, rounds=rounds, learn=learn, n=deals,
            target_se=target_se, seed=seed, workers=workers, knowledge=knowledge, score=at,
            watch=watch,
        )  # fmt: skip
    emit_run(_report(answer), format_name, output, answer)


def _report(answer: Discard) -> Report:
    head = {
        "game": answer.game.name,
        **unusual(answer.game),
        "hand": answer.hand,
        "method": answer.method,
        "policy": answer.policy,
        "rounds": answer.rounds,
        "learn": answer.learn,
        "score": _score(answer),
        "n": answer.n,
        "seed": answer.seed,
        "knowledge": _known(answer),
    }
    rows = answer.rows()
    return Report(head, "keeps", rows, lambda: _text(answer), lambda: _markdown(answer))


def _check_five(ctx: click.Context) -> None:
    """Refuse what is of mus where one of five cards is thrown."""
    for name in ("policy", "rounds", "learn", "keep", "score"):
        if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT:
            game = ctx.params["game"].name
            raise click.UsageError(f"--{name} is of mus: in {game} one of five is thrown")


def _text(answer: Discard) -> str:
    blocks = [_title(answer)]
    for advice in answer.seats:
        heading = click.style(_seat(answer.game, advice.seat), bold=True)
        words = textwrap.wrap(f"{_mus(answer, advice)}; {advice.verdict}.", page_width())
        blocks.append("\n".join((heading, *words)) + "\n" + _table(answer, advice).text(gap=" "))
    return "\n\n".join(block.rstrip("\n") for block in blocks) + f"\n\n{_legend(answer)}"


def _legend(answer: Discard) -> str:
    legend = _LEGEND if answer.score is None else _LEGEND_AT_SCORE
    lines = [legend.format(",\nsimulated too" if answer.knowledge else " (exact)")]
    notes = notes_of(answer.game, answer.hand)
    return "\n".join(lines + [click.wrap_text(note, page_width()) for note in notes])


def _markdown(answer: Discard) -> str:
    blocks = [_title(answer)]
    for advice in answer.seats:
        blocks.append(
            f"## {_seat(answer.game, advice.seat)}\n\n{_mus(answer, advice)}; {advice.verdict}."
        )
        blocks.append(_table(answer, advice).markdown())
    return "\n\n".join(block.rstrip("\n") for block in blocks)


def _title(answer: Discard) -> str:
    rounds = "one round" if answer.rounds == 1 else f"up to {answer.rounds} rounds"
    if answer.game.visto:
        rounds = "the round of mus visto" + (
            f", then up to {answer.rounds - 1} of mus" if answer.rounds > 1 else ""
        )
    else:
        rounds += " of mus"
    return (
        f"{click.style(answer.hand, bold=True)} in {titled(answer.game)}: {answer.method}, "
        f"{answer.n} deals, seed {answer.seed}\nothers: {answer.policy}, {rounds}"
        f"{', those who would cut ruled out' if answer.learn else ''}"
        + (f"\nknown: {known}" if (known := _known(answer)) else "")
        + (f"\nchance of winning the game from {_score(answer)}" if answer.score else "")
    )


def _score(answer: Discard) -> str | None:
    return f"{answer.score[0]}-{answer.score[1]}" if answer.score else None


def _known(answer: Discard) -> str | None:
    return "; ".join(answer.knowledge.labels) if answer.knowledge else None


def _seat(game: Game, seat: int) -> str:
    name = game.seat_name(seat)
    return f"seat {seat}" if name == str(seat) else f"seat {seat} ({name})"


def _mus(answer: Discard, advice: SeatAdvice) -> str:
    worth, error = _figures(answer, 2)
    known = f" +/- {error(advice.cut_net_se)}" if advice.cut_net_se else " (exact)"
    if answer.game.visto:
        return f"All change cards, any number; as dealt {worth(advice.cut_net)}{known}"
    mus = advice.cut_net + float(advice.mus_gain[0])
    often = ""
    if advice.all_mus < 1:
        often = f", which all others say too in {percent(advice.all_mus)}"
    return (
        f"Cut {worth(advice.cut_net)}{known}, mus {worth(mus)} "
        f"+/- {error(float(advice.mus_gain_se[0]))}{often}"
    )


def _figures(answer: Discard, digits: int) -> tuple[Callable[[float], str], Callable[[float], str]]:
    """How what is compared is written, and its error: stones, or chances in per cent."""
    if answer.score is None:
        return signed, lambda error: f"{error:.{digits}f}"
    return lambda chance: f"{chance * 100:.2f}%", lambda error: f"{error * 100:.2f}"


def _table(answer: Discard, advice: SeatAdvice) -> Table:
    worth, error = _figures(answer, 3)
    titles = ("keep", "net" if answer.score is None else "game", "diff", "+/-", *PHASES, *_AFTER)
    rows = []
    for i, after in enumerate(advice.draws):
        chances = advice.chances(i)
        rows.append(
            (
                after.keep,
                worth(float(advice.net[i])),
                # In per cent as well, without the sign: the row would pass 80 columns.
                worth(float(advice.diff[i])).removesuffix("%") if i else "",
                error(float(advice.diff_se[i])) if i else "",
                *(percent(float(win)) for win in advice.win[i]),
                *(percent(chances[play]) for play in _AFTER.values()),
            )
        )
    return Table(titles, "l" + "r" * (len(titles) - 1), rows)


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
