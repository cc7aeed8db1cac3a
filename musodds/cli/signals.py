"""``musodds signals``: the signals and what they mean."""

from __future__ import annotations

from typing import Any

import click

from musodds.cli.parts.options import game_option, report_options
from musodds.cli.parts.output import Report, Table, emit, percent
from musodds.knowledge.signals import SYSTEMS
from musodds.rules.game import Game


@click.command
@game_option
@report_options
def command(game: Game) -> None:
    """The signals (señas) of each system, as a range may name them: seña:31.

    A sign is a range: the hands of which it is true. Where both systems have a name,
    seña:NAME is the classic one; seña:federation:NAME is the other.

    \b
    Examples:
      musodds signals
      musodds signals --game mus4
      musodds hand RR7A --seat 1 --partner seña:duples
      musodds ranges 'seña:federation:medias'
    """
    from musodds.knowledge.language import signal_range
    from musodds.rules.hands import hands

    jokers = hands(game).has_jokers  # Patterns in a sign are then of what a hand may be named.
    rows: list[dict[str, Any]] = [
        {
            "system": system,
            "signal": signal.name,
            "gesture": signal.gesture,
            "means": signal.means,
            "range": f"seña:{system}:{signal.name}" if jokers else signal.range_text,
            "chance": signal_range(signal, game).chance(),
        }
        for system, signals in SYSTEMS.items()
        for signal in signals
        if signal.exists_in(game)
    ]

    def table(system: str) -> Table:
        cells = [
            (f"seña:{row['signal']}", row["gesture"], row["means"], percent(float(row["chance"])))
            for row in rows
            if row["system"] == system
        ]
        return Table(("signal", "gesture", "means", "dealt"), "lllr", cells)

    def text() -> str:
        return "\n".join(
            f"{click.style(system, bold=True)}\n{table(system).text('  ')}" for system in SYSTEMS
        )

    def markdown() -> str:
        return "\n".join(f"**{system}**\n\n{table(system).markdown()}" for system in SYSTEMS)

    head = {"game": game.name, "method": "exact"}
    emit(Report(head, "signals", rows, text, markdown))
