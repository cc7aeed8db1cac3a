"""What commands that simulate share: options, the bar, and how they end after Ctrl-C.

===================  ============  ====================================================
decorator            argument      value
===================  ============  ====================================================
``deals_option``     ``deals``     a whole number, or None: count them all
``seed_option``      ``seed``      a whole number
``workers_option``   ``workers``   the same, or None: one for each core
===================  ============  ====================================================
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from musodds.cli.parts.exits import INTERRUPTED
from musodds.cli.parts.numbers import WholeNumber
from musodds.cli.parts.output import Report, emit

deals_option = click.option(
    "--deals",
    type=WholeNumber(2),
    help="Simulate so many deals instead of counting them all; any number of players.",
)
seed_option = click.option(
    "--seed", type=WholeNumber(), default=1, help="The same seed gives the same digits."
)

workers_option = click.option(
    "--workers",
    type=WholeNumber(),
    help="Threads; the digits do not depend on it.  [default: all cores]",
)


def emit_run(report: Report, answer: Any, what: str = "deals") -> None:
    """Print what was found; if Ctrl-C ended it, say so and end with its status.

    Parameters
    ----------
    report : Report
    answer
        With ``interrupted``, and ``n``.
    what : str, optional
        What is counted by it.
    """
    # What is counted is never cut short.
    interrupted = getattr(answer, "interrupted", False)
    if interrupted:
        report = replace(report, head={**report.head, "interrupted": True})
    emit(report)
    if interrupted:
        click.echo(f"musodds: interrupted after {answer.n:,} {what}", err=True)
        click.get_current_context().exit(INTERRUPTED)
