"""What ``musodds strategy`` says of a strategy in which every player speaks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import click

from musodds.cli.parts.output import Report, Table, percent, signed
from musodds.solver.panels import words_in

if TYPE_CHECKING:
    from musodds.solver.each_solution import EachSolution


def report_of(
    solved: EachSolution, hand: str, lines: tuple[str, ...], able: str | None, as_range: bool
) -> Report:
    """The answer at a line: for a hand, for all hands, or the range of who spoke last."""
    line, seats = words_in(solved.phase, lines), seats_of(able, solved.game.seats)
    head = {
        "what": solved.phase, "game": solved.game.name, "model": "each",
        "score": f"{solved.score[0]}-{solved.score[1]}", "payoff": solved.payoff,
        "exploitability_stones": solved.gain, "line": "; ".join(lines) or None,
    }  # fmt: skip
    if as_range:
        return _range(solved, head, line, seats)
    point = solved.tree.points[solved.tree.point(line, seats)]
    rows = list(solved.rows(line, seats))
    if hand:
        rows = _of_hand(solved, rows, hand)
    table = _table(solved, rows, point.actions, bool(hand))
    said = ", ".join(line) or "nothing said yet"
    title = click.style(
        f"seat {point.seat} in {solved.phase} ({said}), any one player gains at most "
        f"{solved.gain:z.4f} stones", bold=True,
    )  # fmt: skip
    return Report(
        {**head, "seat": point.seat}, "hands", rows, lambda: f"{title}\n\n{table.text()}",
        table.markdown,
    )  # fmt: skip


def seats_of(text: str | None, number: int) -> tuple[int, ...] | None:
    """The seats of an option such as 1,2,4, of so many; None if it was not given."""
    from musodds.errors import InputError

    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    known = [str(seat) for seat in range(1, number + 1)]
    if not set(parts) <= set(known) or len(set(parts)) < len(parts):
        raise InputError(f"able {text!r}: seats of {', '.join(known)}, each once, such as 1,2")
    return tuple(sorted(map(int, parts)))


def _of_hand(solved: EachSolution, rows: list[dict[str, Any]], hand: str) -> list[dict[str, Any]]:
    from musodds.errors import InputError

    text = solved.game.deck.text(solved.game.parse_hand(hand))
    found = [row for row in rows if row["hand"] == text]
    if not found:
        raise InputError(f"hand {text}: it takes no part in {solved.phase}")
    return found


def _table(
    solved: EachSolution, rows: list[dict[str, Any]], words: tuple[str, ...], one: bool
) -> Table:
    def worth(value: float) -> str:
        if math.isnan(value):
            return "-"
        return percent(value) if solved.payoff == "equity" else signed(value, 3)

    if one:
        row = rows[0]
        return Table(
            (row["hand"], "of ten", "worth"), "lrr",
            [(word, f"{10 * row[word]:.0f}", worth(row[f"worth {word}"])) for word in words],
        )  # fmt: skip
    return Table(
        ("hand", *words), "l" + "r" * len(words),
        [(row["hand"], *(f"{10 * row[word]:.0f}" for word in words)) for row in rows],
    )  # fmt: skip


def _range(
    solved: EachSolution, head: dict[str, Any], line: list[str], seats: tuple[int, ...] | None
) -> Report:
    from musodds.errors import InputError
    from musodds.solver.answers import weights_text

    if not line:
        raise InputError("--range: of whom? It is of who spoke last in --line")
    seat, chances = solved.range(line, seats)
    if math.isnan(chances[0]):
        raise InputError(f"line {', '.join(line)!r}: nobody says that, so there is no range")
    from musodds.rules.hands import hands

    text = weights_text(solved.game, _scaled(chances / hands(solved.game).ways))
    return Report(
        {**head, "seat": seat}, "ranges", [{"range": text}], lambda: text, lambda: f"`{text}`"
    )


def _scaled(weights: Any) -> Any:
    """The greatest weight is 1."""
    return weights / weights.max()
