"""How the phases together are printed; see :mod:`musodds.chances.joint`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from musodds.cli.parts.output import Table, percent

if TYPE_CHECKING:
    from musodds.chances.joint import Joint

# Combinations of phases in the text: all are in JSON and CSV.
_SHOWN = 12


def joint_rows(joints: Sequence[Joint]) -> list[dict[str, Any]]:
    """Every outcome of every seat: the phases, the stones and the chance."""
    return [{"seat": answer.seat, **row} for answer in joints for row in answer.rows()]


def joint_text(joints: Sequence[Joint]) -> str:
    """The likeliest combinations, and the stones of either side."""
    parts = []
    for answer in joints:
        title = click.style(f"phases together, {_seat(answer)}", bold=True)
        parts.append(f"\n{title}\n{_combinations(answer).text()}\n{_stones(answer).text()}")
    return "\n" + "".join(parts) if parts else ""


def joint_markdown(joints: Sequence[Joint]) -> str:
    """The same in Markdown."""
    return "".join(
        f"\n**phases together, {_seat(answer)}**\n\n"
        f"{_combinations(answer).markdown()}\n{_stones(answer).markdown()}"
        for answer in joints
    )


def _seat(answer: Joint) -> str:
    name = answer.game.seat_name(answer.seat)
    return name if name in ("mano", "postre") else f"seat {name}"


def _combinations(answer: Joint) -> Table:
    phases = ("grande", "chica", "pares", "juego", "punto")
    found = answer.phases()
    rows = [
        [*("-" if row[p] == "void" else row[p] for p in phases), percent(row["chance"])]
        for row in found[:_SHOWN]
    ]
    if len(found) > _SHOWN:
        rest = sum(row["chance"] for row in found[_SHOWN:])
        rows.append([f"{len(found) - _SHOWN} more", "", "", "", "", percent(rest)])
    return Table([*phases, "chance"], "lllllr", rows)


def _stones(answer: Joint) -> Table:
    mine, theirs = (answer.distribution(whose) for whose in (0, 1))
    most = max(len(mine), len(theirs))
    rows = []
    for number in range(most):
        row = [str(number)]
        for chances in (mine, theirs):
            exactly, or_more = chances[number : number + 1], chances[number:]
            row += [percent(float(sum(exactly))), percent(float(sum(or_more)))]
        rows.append(row)
    return Table(["stones", "for", "or more", "against", "or more"], "lrrrr", rows)
