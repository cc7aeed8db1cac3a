"""What commands that simulate share: options, the bar, and how they end after Ctrl-C.

===================  ============  ====================================================
decorator            argument      value
===================  ============  ====================================================
``seed_option``      ``seed``      a whole number
``workers_option``   ``workers``   the same, or None: one for each core
===================  ============  ====================================================
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import click

from musodds.cli.parts.exits import INTERRUPTED
from musodds.cli.parts.numbers import WholeNumber
from musodds.cli.parts.output import Report, emit

F = TypeVar("F", bound=Callable[..., Any])


def seed_option(function: F) -> F:
    """``--seed N``, 1 by default."""
    return click.option(
        "--seed",
        type=WholeNumber(),
        default=1,
        show_default=True,
        metavar="N",
        help="The same seed gives the same digits.",
    )(function)


def workers_option(function: F) -> F:
    """``--workers N``, all cores by default."""
    return click.option(
        "--workers",
        type=WholeNumber(),
        metavar="N",
        help="Threads; the digits do not depend on it.  [default: all cores]",
    )(function)


def emit_run(
    report: Report, format_name: str, output: str | None, answer: Any, what: str = "deals"
) -> None:
    """Print what was found; if Ctrl-C ended it, say so and end with its status.

    Parameters
    ----------
    report, format_name, output
        See :func:`musodds.cli.parts.output.emit`.
    answer
        With ``interrupted``, and ``n``.
    what : str, optional
        What is counted by it.
    """
    # What is counted is never cut short.
    interrupted = getattr(answer, "interrupted", False)
    if interrupted:
        report = replace(report, head={**report.head, "interrupted": True})
    emit(report, format_name, output)
    if interrupted:
        click.echo(f"musodds: interrupted after {answer.n:,} {what}", err=True)
        click.get_current_context().exit(INTERRUPTED)
