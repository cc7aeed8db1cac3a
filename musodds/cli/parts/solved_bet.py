"""``bet --solved``: the answer against rivals who play well."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from musodds.cli.parts.output import Report, Table, page_width, percent
from musodds.rules.games import titled, unusual
from musodds.values import told

if TYPE_CHECKING:
    from musodds.knowledge.knowledge import Knowledge
    from musodds.rules.game import Game
    from musodds.solver.bet_solved import SolvedBet, SolvedChoice


KEPT = "kept"
"""Stands for no file: the phase as it was solved before on this computer, or is now."""


def check_options(agreed: tuple[str, ...], sensitivity: bool) -> None:
    """Raise UsageError for what goes with the other answer only."""
    if agreed:
        raise click.UsageError(
            "--agreed does not go with --solved: one phase is solved with all else passed; for "
            "earlier phases write --line and give --solved a file of `musodds solve deal`"
        )
    if sensitivity:
        raise click.UsageError(
            "--sensitivity does not go with --solved: name one kind at a time by --equity"
        )


def solved_report(
    hand: str, file: str, score: tuple[int, int], game: Game, knowledge: Knowledge | None,
    line: tuple[str, ...], **given: Any,
) -> Report:  # fmt: skip
    """The answer of :func:`musodds.solver.bet_solved.bet_solved`."""
    from musodds.solver.bet_solved import bet_solved

    answer = bet_solved(
        hand, score=score, game=game, knowledge=knowledge, line=line or None,
        solved=None if file == KEPT else file, **given,
    )  # fmt: skip
    head = {
        "game": game.name,
        **unusual(game),
        **told(answer, "hand", "seat", "phase"),
        "score": f"{score[0]}-{score[1]}",
        "line": answer.line or None,
        "known": "; ".join(answer.knowledge.labels) or None,
        **told(answer, "method", "model", "why", "what", "bets", "raises"),
        "exploitability_stones": answer.gap,
        "equity_kind": answer.kind,
        "best": answer.best,
        "ranges": dict(answer.ranges),
    }
    return Report(
        head, "choices", answer.rows(), lambda: _text(answer),
        lambda: f"{_title(answer)}\n\n{_table(answer).markdown()}\n{_notes(answer)}",
    )  # fmt: skip


def _title(answer: SolvedBet) -> str:
    ours, theirs = answer.score
    return (
        f"{answer.hand} in {titled(answer.game)}, seat {answer.seat}: {answer.phase} at "
        f"{ours}-{theirs}, solved"
    )


def _text(answer: SolvedBet) -> str:
    title = click.style(_title(answer), bold=True)
    said = answer.line or "nothing said yet"
    lines = [fill(f"known: {label}", page_width()) for label in answer.knowledge.labels]
    head = "\n".join([said, *lines])
    return f"{title}\n{head}\n\n{_table(answer).text('  ')}\n{_notes(answer)}"


def _table(answer: SolvedBet) -> Table:
    return Table(
        ("say", "of ten", "equity", "they fold", "see", "raise"), "lrrrrr",
        [
            (
                choice.action, f"{10 * choice.frequency:.0f}", _equity(choice),
                *(_share(x) for x in (choice.folded, choice.seen, choice.raised)),
            )
            for choice in answer.choices
        ],
    )  # fmt: skip


def _share(value: float | None) -> str:
    return "-" if value is None else percent(value)


def _equity(choice: SolvedChoice) -> str:
    error = f" ±{100 * choice.equity_se:.1f}" if choice.equity_se else ""
    return percent(choice.equity) + error


def _notes(answer: SolvedBet) -> str:
    from musodds.stakes.equity_kinds import WORDS

    whose = "any one player" if answer.model == "each" else "a side"
    most = "at most " if answer.model == "each" else ""
    alone = "" if answer.what == "deal" else "all other phases are passed, "
    text = (
        "of ten: how often the solved strategy says it. equity: the chance of winning the game "
        f"if they play on as solved and you as well as can be against that. Model {answer.model} "
        f"({answer.why}); bets {answer.bets}; raises {answer.raises}; {whose} gains {most}"
        f"{answer.gap:z.4f} stones by changing; {alone}"
        f"{WORDS[answer.kind]} (equity {answer.kind}). JSON has the range "
        "of each rival."
    )
    return fill(text, page_width())
