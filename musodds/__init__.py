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
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from musodds.encaje_settlement import EncajeDeal
    from musodds.errors import InputError
    from musodds.games import GAMES, Game, get_game
    from musodds.odds import Odds, odds, odds_table
    from musodds.records import read_record, write_record
    from musodds.scoring import Deal, Match

__version__ = "0.1.0"

__all__ = [
    "GAMES",
    "Deal",
    "EncajeDeal",
    "Game",
    "InputError",
    "Match",
    "Odds",
    "get_game",
    "losers",
    "odds",
    "odds_table",
    "read_record",
    "settle",
    "throw_advice",
    "throws",
    "write_record",
]

# Names that are loaded when first used: a question costs only the start-up it needs.
_HOME = {
    "GAMES": "games",
    "Game": "games",
    "InputError": "errors",
    "Odds": "odds",
    "get_game": "games",
    "odds": "odds",
    "odds_table": "odds",
    "Deal": "scoring",
    "EncajeDeal": "encaje_settlement",
    "losers": "encaje",
    "settle": "encaje_settlement",
    "throw_advice": "throw_advice",
    "throws": "five_cards",
    "Match": "scoring",
    "read_record": "records",
    "write_record": "records",
}


class _Package(ModuleType):
    """The package, in which a function may have the name of its module.

    The first import of ``musodds.odds`` binds that module here, where it would hide the
    function.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _HOME or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'musodds' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"musodds.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
