"""The commands there are: ``musodds NAME`` is ``command`` in ``musodds/cli/NAME.py``.

The summaries stand here so that ``musodds --help`` need import no command.
"""

from __future__ import annotations

COMMANDS: dict[str, str] = {
    "hand": "Exact odds of a hand, phase by phase and seat by seat.",
    "games": "The games there are, one line each.",
    "score": "The count of a deal written down, phase by phase.",
}
