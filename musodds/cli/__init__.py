"""The command line: one module per command, thin: parse, call, print.

To add a command ``musodds NAME``:

1. Write ``musodds/cli/NAME.py`` with a ``@click.command`` function called ``command``.
   Take the shared options from `musodds.cli.parts.options` (``game_option``,
   ``seat_option``, ``report_options``) and hand the answer to
   `musodds.cli.parts.output.emit` as a `musodds.cli.parts.output.Report`, which prints it
   as text, JSON, CSV or Markdown. ``hand.py`` is an example. Put examples in the docstring after
   a line with only ``\\b``, which keeps them as they are in ``--help``.
2. Add one line to ``COMMANDS`` in `musodds.cli.commands`: the name and what it does.

The module is imported only when its command is run, so it may import what it needs.
Raise `musodds.errors.InputError` (or a ``click.UsageError``) for what the user got
wrong; `main` turns every exception into one line and an exit status:

====================================================  ======
bad usage, bad input, an output file that cannot be   2
a failure of ours or of the machine (disk full)       1
Ctrl-C                                                130
the reader of our output has gone (``| head``)        141
====================================================  ======
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from musodds.cli.parts.exits import INTERRUPTED, interrupted
from musodds.store.interrupts import heard, insist, leave


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    Parameters
    ----------
    arguments : sequence of str, optional
        What follows ``musodds``; default ``sys.argv[1:]``.
    """
    whole = arguments is None
    if whole:
        insist(INTERRUPTED)
    try:
        # Imported here so that Ctrl-C during the imports is caught as well.
        from musodds.cli.app import run

        status = run(sys.argv[1:] if arguments is None else arguments, whole=whole)
    except BaseException as error:
        if not interrupted(error):
            raise
        heard()
        sys.stderr.write("musodds: interrupted\n")
        status = INTERRUPTED
    if whole and status == INTERRUPTED:
        leave(status)
    return status
