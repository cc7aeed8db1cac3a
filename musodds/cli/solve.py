"""``musodds solve``: the betting of a phase or of a whole deal, to a measured gap."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from musodds.cli.parts.exits import INTERRUPTED
from musodds.cli.parts.knowledge_options import ranges_option, read_knowledge
from musodds.cli.parts.numbers import Real, WholeNumber
from musodds.cli.parts.options import equity_option, game_option
from musodds.cli.parts.output import Report, Table, emit, page_width, percent, signed
from musodds.cli.parts.runs import seed_option
from musodds.rules.game import Game
from musodds.values import told

if TYPE_CHECKING:
    from musodds.solver.betting import Betting
    from musodds.solver.each_solution import EachSolution
    from musodds.solver.sides import SideBetting
    from musodds.solver.to_a_gap import Watch


@click.command
@click.argument("what", metavar="WHAT")
@game_option
@click.option("--score", default="0-0", metavar="A-B", help="Mano's side first.")
@click.option(
    "--payoff", type=click.Choice(["equity", "stones"]),
    help="The chance of winning the game (the default); or net stones (signals and shared: no "
    "other, as no score can be had with pairs of hands that are not gone through one by one)."
)  # fmt: skip
@click.option(
    "--model", default="own", metavar="NAME",
    help="own: one player of each side speaks, the partner's hand averaged exactly. each: one "
    "phase, all four speak (sampled, and measured). signals, shared: one phase, the partner's "
    "sign, or both hands, are known; shared/own: a model for each side."
)  # fmt: skip
@click.option(
    "--speakers", default="1,2", metavar="A,B", help="The seats that speak, mano's side first."
)
@click.option(
    "--bets", metavar="SIZES",
    help="First bets, such as 2,5,ordago (the default for a phase; 2,ordago for a deal)."
)  # fmt: skip
@click.option(
    "--raises", metavar="SIZES",
    help="What a raise adds: 2,5,ordago for a phase, ordago for a deal."
)  # fmt: skip
@click.option(
    "--reraises", type=WholeNumber(), default=1, help="Raises that may follow the first one."
)
@click.option(
    "--gap", type=Real(), default=0.005, metavar="STONES",
    help="Stop when a side gains no more by a best response. A stone is 4% of a game."
)  # fmt: skip
@equity_option
@click.option("--iterations", type=WholeNumber(), help="Stop after so many in any case.")
@click.option(
    "--system", type=click.Choice(["classic", "federation"]), default="classic",
    help="The signs of model signals."
)  # fmt: skip
@seed_option
@click.option(
    "--seat-range", multiple=True, metavar="SEAT=RANGE",
    help="What all know of a seat's hand, such as 2=31 (may be repeated)."
)  # fmt: skip
@click.option(
    "--pares", metavar="YES,NO,?...", help="Who said to have pares, from mano on: yes,no,?,yes."
)
@click.option("--juego", metavar="YES,NO,?...", help="Who said to have juego, likewise.")
@click.option("--dead", metavar="CARDS", help="Two players: cards known to be out of play.")
@ranges_option
@click.option("--workers", type=WholeNumber(), default=1, help="Threads.")
@click.option(
    "--checkpoint", type=click.Path(), metavar="FILE",
    help="Keep the state of the solver while it solves, and go on from there."
)  # fmt: skip
@click.option(
    "-o", "--output", "file", type=click.Path(), metavar="FILE",
    help="Keep the strategy, for `musodds strategy FILE`."
)  # fmt: skip
@click.option(
    "--format", "format_name", type=click.Choice(["text", "json"]), default="text",
    help="How to print the answer."
)  # fmt: skip
def command(
    what: str,
    game: Game,
    score: str,
    payoff: str | None,
    model: str,
    speakers: str,
    kind: str | None,
    system: str,
    seed: int,
    seat_range: tuple[str, ...],
    pares: str | None,
    juego: str | None,
    dead: str | None,
    ranges: str | None,
    file: str | None,
    format_name: str,
    **asked: Any,
) -> None:
    """Solve the betting: who bets with what, who sees, how often to bluff.

    WHAT is grande, chica, pares, juego or punto (that phase alone, given that it is bet
    on; all others passed), or deal: the phases in sequence with their declarations.

    With partners the model is own: each side speaks through one player who knows his
    own hand, no signs. After the deal the game goes on as --equity says. The gap is what
    a side still gains by a best response, computed exactly in the game as stated. Ctrl-C
    keeps what there is: the answer and -o FILE are of that, and --checkpoint goes on.

    each, for one phase: every player speaks, on his own hand. No theorem says that
    such learning ends in an equilibrium; what is printed is what was measured on fresh
    deals: what any one player gains by changing alone.

    signals and shared, for one phase and in stones: the speaker knows his partner's
    sign as well, or both hands. The gap is measured over all hands of a side.
    "own" knows least: how much better signs do, shared/own against own shows.

    What all know before (--pares, --juego, --seat-range, --dead) is taken in where the
    model admits it, and refused where it does not: own averages partners' hands, each
    deals at random, a deal has its declarations on the way.

    \b
    Examples:
      musodds solve grande --score 32-35 -o grande.mus
      musodds solve pares --score 32-35 --model each --bets 2,ordago
      musodds solve pares --score 32-35 --pares yes,yes,no,yes
      musodds solve grande --model shared/own --bets 2,ordago
      musodds solve juego --game mus2p --score 38-38 --bets ordago
      musodds solve deal --game mus2p --score 38-38 --gap 0.01 -o deal.mus
      musodds solve deal --score 32-35 --checkpoint deal.solving -o deal.mus
      musodds strategy grande.mus RR7A --line 'grande: paso, envido 2'
    """
    from musodds.errors import InputError
    from musodds.solver.betting import solve_betting
    from musodds.solver.sides import read_models, solve_sides
    from musodds.solver.strategy_file import write_file
    from musodds.stakes.equity_kinds import equity_by
    from musodds.stakes.scores import read_score
    from musodds.store.files import check_writable

    if file is not None:
        check_writable(file)
    # What every model is asked, beside the options that are passed on as they are.
    asked["knowledge"] = read_knowledge(
        game, ranges, seat_range, pares=pares, juego=juego, dead=dead
    )
    what, model = what.strip().lower(), model.strip().lower()
    in_stones = read_models(model) is not None
    if kind is not None and in_stones:
        raise InputError(f"model {model} is solved in stones: leave out --equity")
    solved: Betting | EachSolution | SideBetting
    if model == "each":
        from musodds.cli.parts.each_report import solve_and_report

        if speakers != "1,2":
            raise InputError(f"speakers {speakers}: with model each all players speak")
        solved, report = solve_and_report(
            what, game, score=read_score(score, game), payoff=payoff or "equity", kind=kind,
            seed=seed, **asked,
        )  # fmt: skip
    elif in_stones:
        from musodds.cli.parts.side_report import report_of

        if payoff == "equity" or read_score(score, game) != (0, 0):
            raise InputError(
                f"model {model} is solved in stones, which add up over phases, so that pairs of "
                "both sides' hands need not be gone through one by one; the chance of winning at a "
                "score does not: leave out --payoff and --score, or use the model own or each"
            )
        with _bar(asked["gap"]) as watch:
            solved = solve_sides(
                what, game, model=model, system=system, speakers=_speakers(speakers),
                watch=watch, **asked,
            )  # fmt: skip
        report = report_of(solved)
    else:
        payoff = payoff or "equity"
        with _bar(asked["gap"]) as watch:
            solved = solve_betting(
                what, game=game, score=read_score(score, game), payoff=payoff, model=model,
                speakers=_speakers(speakers), watch=watch,
                table=equity_by(game, kind) if payoff == "equity" else None, **asked,
            )  # fmt: skip
        report = _report(solved)
    if file is not None:
        write_file(file, solved)
    if solved.interrupted:
        report = replace(report, head={**report.head, "interrupted": True})
    emit(report, format_name)
    if solved.interrupted:
        checkpoint = asked["checkpoint"]
        kept = f"; {checkpoint} goes on from there" if checkpoint else ""
        click.echo(f"musodds: interrupted after {solved.iterations:,} iterations{kept}", err=True)
        click.get_current_context().exit(INTERRUPTED)


def _speakers(text: str) -> tuple[int, int]:
    from musodds.errors import InputError

    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(part.isdecimal() and len(part) < 3 for part in parts):
        raise InputError(f"speakers {text!r}: two seats, mano's side first, such as 1,2")
    return int(parts[0]), int(parts[1])


@contextmanager
def _bar(goal: float) -> Iterator[Watch]:
    """A bar on standard error that shows the gap falling."""
    from math import log

    from musodds.simulation.progress import open_bar

    with open_bar("solving") as update:
        first: list[float] = []

        def watch(iterations: int, gap: float) -> None:
            first.append(gap)
            span = log(first[0] / goal) if first[0] > goal else 0
            done = log(first[0] / gap) / span if span > 0 and gap > 0 else 1.0
            if update is not None:
                told = f"iteration {iterations}: gap {gap:z.4f} stones"
                update(min(1.0, max(0.0, done)), 1.0, told)

        yield watch


def _report(solved: Betting) -> Report:
    from musodds.solver.summary import openings

    spec = solved.spec
    head = {
        "what": spec.what,
        "game": spec.game.name,
        "model": spec.model,
        "score": f"{spec.score[0]}-{spec.score[1]}",
        "payoff": spec.payoff,
        "equity_kind": spec.kind,
        "speakers": ",".join(map(str, spec.speakers)),
        "bets": spec.sizes.bets_text,
        "raises": spec.sizes.raises_text,
        "reraises": spec.sizes.reraises,
        **told(
            solved,
            "value",
            "en_paso",
            "played",
            "exploitability",
            "exploitability_stones",
            "iterations",
        ),
        "decisions": solved.tree.decisions,
        "seconds": solved.seconds,
        "known": list(solved.known.labels) or None,
    }
    rows = openings(solved)
    return Report(head, "openings", rows, lambda: _text(solved, rows), lambda: _text(solved, rows))


def _text(solved: Betting, rows: list[dict[str, object]]) -> str:
    spec = solved.spec
    equity = spec.payoff == "equity"
    where = f" at {spec.score[0]}-{spec.score[1]}" if equity else ", in stones"
    what = "the whole deal" if spec.what == "deal" else f"{spec.what} alone"
    title = click.style(f"{spec.game.name}: {what}{where}", bold=True)

    def shown(value: float) -> str:
        return percent(value) if equity else signed(value, 3)

    lines = [
        f"mano's side {'wins the game' if equity else 'nets'}  {shown(solved.value)}"
        f"   (en paso {shown(solved.en_paso)})",
        f"gap  {solved.exploitability_stones:z.4f} stones a side"
        + (f" = {solved.exploitability:z.3%} of a game" if equity else "")
        + f", after {solved.iterations} iterations",
        f"bets {spec.sizes.bets_text}; raises {spec.sizes.raises_text}; "
        f"{solved.tree.decisions} decisions",
        *(fill(f"known: {label}", page_width()) for label in solved.known.labels),
    ]
    table = Table(
        ("after", "side", "said", "how often", "with", "weakest hands in it"), "lllrll",
        [
            (
                str(row["after"]), str(row["side"]), str(row["say"]),
                percent(float(str(row["frequency"]))), str(row["most"]), str(row["bluffs"]),
            )
            for row in rows
        ],
    )  # fmt: skip
    return f"{title}\n\n" + "\n".join(lines) + f"\n\n{table.text()}\n{_notes(solved)}"


def _notes(solved: Betting) -> str:
    spec = solved.spec
    from musodds.cli.parts.each_report import WEAKEST

    notes, known = [], " and what is known" if solved.known else ""
    if spec.what != "deal":
        given = ""
        if solved.played < 0.999999:
            given = f", given that it is bet on{known} ({percent(solved.played)} of deals)"
        notes.append(f"One phase: all others are passed{given}.")
    elif known:
        notes.append(f"Given what both sides know ({percent(solved.played)} of deals).")
    if spec.model == "own":
        notes.append(
            f"Model own: seats {spec.speakers[0]} and {spec.speakers[1]} speak, each on his own "
            "hand; the partner's is averaged, no signs. A side with signs does better."
        )
    if spec.kind is not None:
        from musodds.stakes.equity_kinds import WORDS

        notes.append(f"Equity {spec.kind}: {WORDS[spec.kind]}.")
    notes.append(
        f"{WEAKEST} Equilibria are not unique: trust value and gap more than any one frequency."
    )
    return fill(" ".join(notes), page_width())
