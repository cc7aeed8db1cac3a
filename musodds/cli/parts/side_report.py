"""What ``musodds solve`` and ``strategy`` print where a side has signs or sees both hands."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from musodds.cli.parts.output import Report, Table, page_width, percent, signed

if TYPE_CHECKING:
    from musodds.solver.sides import SideBetting


def report_of(solved: SideBetting) -> Report:
    """The answer of ``solve`` in every format."""
    from musodds.solver.groups import SIGNALS

    head = {
        "what": solved.phase, "game": solved.game.name, "model": solved.model, "score": None,
        "payoff": "stones", "speakers": ",".join(map(str, solved.speakers)),
        "system": solved.system if SIGNALS in solved.models else None,
        "bets": solved.sizes.bets_text, "raises": solved.sizes.raises_text,
        "reraises": solved.sizes.reraises, "value": solved.value, "en_paso": solved.en_paso,
        "played": solved.played, "exploitability": solved.exploitability,
        "exploitability_stones": solved.exploitability, "gap_between_groups": solved.group_gap,
        "groups": ",".join(str(solved.groups(side).number) for side in (0, 1)),
        "iterations": solved.iterations, "decisions": solved.tree.decisions,
        "seconds": solved.seconds, "known": list(solved.known.labels) if solved.known else None,
    }  # fmt: skip
    rows = solved.openings()
    return Report(head, "openings", rows, lambda: _text(solved, rows), lambda: _text(solved, rows))


def _text(solved: SideBetting, rows: list[dict[str, Any]]) -> str:
    title = click.style(
        f"{solved.game.name}: {solved.phase} alone, in stones, {solved.model}", bold=True
    )
    numbers = [solved.groups(side).number for side in (0, 1)]
    lines = [
        f"mano's side nets  {signed(solved.value, 3)}   (en paso {signed(solved.en_paso, 3)})",
        f"gap  {solved.exploitability:z.4f} stones a side over all holdings, after "
        f"{solved.iterations} iterations",
        f"bets {solved.sizes.bets_text}; raises {solved.sizes.raises_text}; "
        f"{solved.tree.decisions} decisions with {numbers[0]} and {numbers[1]} groups of holdings",
    ]
    table = Table(
        ("after", "said", "how often", "with", "weakest of them"), "llrll",
        [
            (row["after"], row["say"], percent(row["frequency"]), row["most"], row["bluffs"])
            for row in rows
        ],
    )  # fmt: skip
    if solved.known:
        lines += [fill(f"known: {label}", page_width()) for label in solved.known.labels]
    return f"{title}\n\n" + "\n".join(lines) + f"\n\n{table.text()}\n{_notes(solved)}"


_MEANS = {
    "own": "speaks through one player, who knows his own hand",
    "signals": "speaks through one player, who knows his hand and his partner's sign",
    "shared": "sees both its hands",
}


def _notes(solved: SideBetting) -> str:
    given = ""
    if solved.played < 0.999999:
        given = f", given that it is bet on ({percent(solved.played)} of deals)"
    notes = [f"One phase: all others are passed{given}; stones are those of the whole deal."]
    if solved.models[0] == solved.models[1]:
        notes.append(f"Model {solved.model}: each side {_MEANS[solved.model]}.")
    else:
        first, second = (_MEANS[model] for model in solved.models)
        notes.append(f"Mano's side {first}; the other {second}.")
    if "signals" in solved.models:
        notes.append(
            f"Signs: {solved.system}; of those that are true of his hand the partner makes the "
            "one that is true of the fewest; rivals do not see it."
        )
    if "shared" in solved.models:
        notes.append(
            "Holdings of a group are played alike; the gap tells all of them apart. Both hands "
            "stand for a group of them, the earlier seat's first."
        )
    notes.append(
        "with: what says it most often; weakest: the worst in the phase that still say it at "
        "least one time in ten: the bluffs, where it is a bet."
    )
    return fill(" ".join(notes), page_width())


def strategy_report(solved: SideBetting, hand: str, lines: tuple[str, ...]) -> Report:
    """The answer of ``strategy``: what both hands of a side, or all groups, say at a line."""
    from musodds.errors import InputError
    from musodds.solver.lines import follow

    line = ";".join(lines)
    node = follow(solved.tree, line)
    side, rows = solved.side_of(node), list(solved.rows(line))
    words = list(solved.tree.options(node))
    if hand:
        texts = hand.replace(",", " ").split()
        if len(texts) != 2:
            raise InputError(
                f"hand {hand!r}: in this model both hands of the side, the earlier seat's first, "
                "such as RR7A CC55"
            )
        rows = [rows[solved.group(texts[0], texts[1], side)]]
    table = Table(
        ("holding", "chance", *words), "lr" + "r" * len(words),
        [
            (row["holding"], percent(row["chance"]), *(f"{10 * row[w]:.0f}" for w in words))
            for row in rows
        ],
    )  # fmt: skip
    head = {
        "what": solved.phase, "game": solved.game.name, "model": solved.model,
        "payoff": "stones", "exploitability_stones": solved.exploitability,
        "line": "; ".join(lines) or None, "side": ("mano", "other")[side],
    }  # fmt: skip
    title = click.style(
        f"{('mano', 'the other')[side]}'s side in {solved.phase} "
        f"({'; '.join(lines) or 'nothing said yet'}), of ten times",
        bold=True,
    )
    return Report(head, "groups", rows, lambda: f"{title}\n\n{table.text()}", table.markdown)
