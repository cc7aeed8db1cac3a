"""musodds: exact odds, simulation and advice for Mus.

Two engines, one answer. Everything before a discard is a finite count: it is counted,
and the result is a ratio of integers (``method: exact``). What happens through discards
is simulated, and carries its standard error, sample size and seed (``method:
monte-carlo``).

>>> import musodds as mo
>>> result = mo.odds("RR7A", seat=1)
>>> result.method, round(result.net(1), 3)
('exact', 1.162)
"""

from __future__ import annotations

import importlib
from typing import Any

from musodds.errors import InputError
from musodds.games import GAMES, Game, get_game

# The function must be bound here and now: the first import of the module of the same
# name, from anywhere, would otherwise bind that module instead.
from musodds.odds import Odds, odds, odds_table

__version__ = "0.1.0"

__all__ = [
    "GAMES",
    "Game",
    "InputError",
    "Odds",
    "get_game",
    "odds",
    "odds_table",
]

# Names that are loaded when first used: a question costs only the start-up it needs.
_HOME: dict[str, str] = {
    "Deal": "scoring",
    "EncajeDeal": "encaje_settlement",
    "Match": "scoring",
    "read_record": "records",
    "write_record": "records",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'musodds' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"musodds.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
