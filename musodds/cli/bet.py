"""``musodds bet``: what each thing that may be said is worth at the score."""

from __future__ import annotations

from textwrap import fill, wrap
from typing import TYPE_CHECKING, Any

import click

from musodds.cli.parts.equities import by_kind, equity_lines
from musodds.cli.parts.knowledge_options import knowledge_options
from musodds.cli.parts.many import ManyQuestions
from musodds.cli.parts.numbers import WholeNumber
from musodds.cli.parts.options import (
    equity_option,
    game_option,
    report_options,
    sensitivity_option,
    target_option,
)
from musodds.cli.parts.output import Report, Table, emit, page_width, percent
from musodds.cli.parts.solved_bet import KEPT, check_options, solved_report
from musodds.rules.game import Game
from musodds.rules.games import titled, unusual

if TYPE_CHECKING:
    from musodds.knowledge.knowledge import Knowledge
    from musodds.stakes.bet import Choice, Decision
    from musodds.stakes.equity import Equity

LEGEND = """\
Chances of winning the game, exactly. at worst: they see where that hurts you
and fold elsewhere, as if they saw all cards; a bet is best only if even so it
is worth no less. folds at: how often they must fold, whatever they hold, to
make the bet worth as much as {other}.
Later phases are passed; the rivals hold what you say they do, whatever they bet
or see, and do not raise."""


@click.command(cls=ManyQuestions)
@click.argument("hand", nargs=-1, required=True, metavar="HAND...")
@click.option("--seat", required=True, metavar="SEAT", help="Your seat: 1 (mano) to postre.")
@click.option(
    "--phase", required=True, metavar="PHASE", help="grande, chica, pares, juego or punto."
)
@click.option(
    "--score",
    required=True,
    metavar="OURS-THEIRS",
    help="Stones now, with what was scored at once in this deal.",
)
@click.option(
    "--offer", metavar="N|ordago", help="What the rivals bet or add; without it nobody has bet."
)
@click.option(
    "--on-table",
    type=WholeNumber(),
    default=0,
    show_default=False,
    help="Stones bet before their last raise: what they get if you fold.",
)
@click.option(
    "--agreed",
    multiple=True,
    metavar="PHASE:N",
    help="An earlier phase: grande:5 (seen at 5), chica:us or chica:them (who took it "
    "when the other side folded). May be repeated. Phases not given were passed.",
)
@click.option(
    "--solved", is_flag=False, flag_value=KEPT, metavar="[FILE]",
    help="Against rivals who bet well: they hold and answer what the solved ones do, by a FILE of "
    "`musodds solve`, or else by the phase solved alone, now or before. Write it last."
)  # fmt: skip
@click.option(
    "--line", multiple=True, metavar="SAID",
    help="With --solved: what was said, such as 'pares: paso, envido 2'."
)  # fmt: skip
@click.option(
    "--model", metavar="NAME", help="With --solved: own or each; by default each for four players."
)
@game_option
@target_option
@knowledge_options
@equity_option
@sensitivity_option
@report_options
def command(
    hand: tuple[str, ...],
    seat: str,
    phase: str,
    score: str,
    offer: str | None,
    on_table: int,
    agreed: tuple[str, ...],
    solved: str | None,
    line: tuple[str, ...],
    model: str | None,
    game: Game,
    knowledge: Knowledge | None,
    kind: str | None,
    sensitivity: bool,
) -> None:
    """What folding, seeing, raising or betting is worth at the score.

    Every choice is worth the chance of winning the game after it. The count is exact:
    all deals that fit your hand and what is known, the stones agreed in earlier phases,
    who reaches the target first in the count, and the equity after the deal.

    Assumed: later phases are passed, later deals are as --equity says; the rivals hold
    what is given, their bet tells nothing more (write what it tells as --rivals RANGE);
    a bet of yours is seen or folded, not raised. Phases that both sides do not have are not bet on:
    with --phase pares it is known that both sides have pares.

    The point of seeing is the chance of winning the phase from which seeing is right.

    \b
    Examples:
      musodds bet RR7A --seat 1 --phase grande --score 32-35
      musodds bet RR7A --seat 3 --phase pares --score 32-35 --offer 5
      musodds bet 772A --seat 2 --phase chica --score 38-35 --agreed grande:5
          --on-table 6 --offer ordago
      musodds bet R777 --seat 4 --phase juego --score 20-20 --juego yes,no,no,yes
      musodds bet --from table.csv --phase grande -o said.csv
      musodds bet RR7A --seat 1 --phase pares --score 32-35 --solved
      musodds bet RR77 --seat 3 --phase pares --score 32-35
          --line 'pares: paso, envido 2' --pares yes,yes,yes,no --solved
    """
    from musodds.stakes.bet import bet
    from musodds.stakes.equity_kinds import equity_by
    from musodds.stakes.scores import read_score

    ours = read_score(score, game)
    if solved is not None:
        check_options(agreed, sensitivity)
        report = solved_report(
            " ".join(hand), solved, ours, game, knowledge, line, seat=seat, phase=phase,
            offer=offer, on_table=on_table, model=model, kind=kind,
        )  # fmt: skip
        emit(report)
        return
    if line or model is not None:
        raise click.UsageError("--line and --model go with --solved")

    def asked(table: Equity) -> Decision:
        return bet(
            " ".join(hand), seat=seat, phase=phase, score=ours, game=game, on_table=on_table,
            offer=offer, agreed=agreed, knowledge=knowledge, table=table,
        )  # fmt: skip

    answer = asked(equity_by(game, kind))
    others = by_kind(game, sensitivity, lambda table: _in_short(asked(table)))
    situation = answer.situation
    report = Report(
        head={
            "game": game.name,
            **unusual(game),
            "hand": answer.hand,
            "seat": situation.outcomes.seat,
            "phase": situation.phase,
            "score": f"{ours[0]}-{ours[1]}",
            "agreed": ", ".join(agreed) or None,
            "on_table": on_table or None,
            "offer": None if situation.offer is None else str(situation.offer),
            "known": "; ".join(knowledge.labels) if knowledge else None,
            "method": answer.method,
            "equity_kind": situation.table.kind,
            "win": answer.win,
            "point": answer.point,
            "speaks": "me" if answer.speaks else "partner",
            "best": _best(answer),
        },
        rows_name="choices",
        rows=answer.rows(),
        text=lambda: _text(answer, others),
        markdown=lambda: (
            f"{_title(answer)}\n\n{_table(answer.choices).markdown()}\n"
            + "\n".join(_lines(answer))
            + ("\n\n" + _kinds(others).markdown() if others else "")
        ),
        more={"sensitivity": others} if others else {},
    )
    emit(report)


def _in_short(answer: Decision) -> dict[str, Any]:
    """What is worth what by one kind of equity: all that needs no answer, and the best."""
    sure = {one.action: one.equity for one in answer.choices if one.equity is not None}
    return {**sure, "point": answer.point, "best": _best(answer)}


def _kinds(rows: list[dict[str, Any]]) -> Table:
    names = [name for name in rows[0] if name not in ("equity", "best")]
    cells = [
        (row["equity"], *(percent(row[name]) for name in names), row["best"] or "-") for row in rows
    ]
    return Table(("by equity", *names, "best"), "l" + "r" * len(names) + "l", cells)


def _text(answer: Decision, others: list[dict[str, Any]]) -> str:
    title = click.style(_title(answer), bold=True)
    other = "passing" if answer.situation.offer is None else "the better of fold and see"
    lines = [*_lines(answer), ""]
    if others:
        lines += [_kinds(others).text("  ")]
    lines += [LEGEND.format(other=other), *equity_lines(answer.situation.table)]
    return f"{title}\n\n{_table(answer.choices).text('  ')}\n" + "\n".join(lines)


def _best(answer: Decision) -> str | None:
    """What is best whatever the answer; without an offer passing needs none, so it is not."""
    return None if answer.best == "pass" else answer.best


def _title(answer: Decision) -> str:
    situation = answer.situation
    game, seat = situation.outcomes.game, situation.outcomes.seat
    ours, theirs = situation.score
    return f"{answer.hand} in {titled(game)}, seat {seat}: {situation.phase} at {ours}-{theirs}"


def _lines(answer: Decision) -> list[str]:
    situation = answer.situation
    lines = [fill(f"known: {label}", page_width()) for label in answer.knowledge.labels]
    for phase, ending in situation.earlier.items():
        side = ("us", "them")[ending.side or 0]
        lines.append(f"{phase}: {f'{ending.stones} seen' if ending.stones else f'to {side}'}")
    lines.append(f"your side has the best {situation.phase}: {percent(answer.win)}")
    if situation.offer is not None:
        on_table = f" on top of {situation.on_table}" if situation.on_table else ""
        lines.insert(0, f"they offer {situation.offer}{on_table}")
        lines.append(f"point of seeing: {percent(answer.point)}, so {answer.best}")
    elif _best(answer) is not None:
        better = ", ".join(choice.action for choice in answer.better)
        lines += wrap(f"better than passing, whatever they answer: {better}", page_width())
    if not answer.speaks:
        text = (
            f"only your partner can bet and answer: {answer.hand} has no {situation.phase}; "
            "the choices are his, as your hand sees them"
        )
        lines += wrap(text, page_width())
    return lines


def _table(choices: tuple[Choice, ...]) -> Table:
    return Table(
        ("say", "equity", "if seen", "if folded", "at worst", "folds at"),
        "lrrrrr",
        [
            (
                choice.action,
                percent(choice.equity),
                percent(choice.if_seen),
                percent(choice.if_folded),
                percent(choice.worst),
                _folds(choice),
            )
            for choice in choices
        ],
    )


def _folds(choice: Choice) -> str:
    if choice.equity is not None:
        return "-"
    return "never" if choice.folds is None else percent(choice.folds)
