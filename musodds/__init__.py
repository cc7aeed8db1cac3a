"""musodds: exact odds, simulation and advice for Mus.

Two engines, one answer. Everything before a discard is a finite count: it is counted,
and the result is a ratio of integers (``method: exact``). What happens through discards
is simulated, and carries its standard error, sample size and seed (``method:
monte-carlo``).

>>> import musodds as mo
>>> result = mo.odds("RR7A", seat=1)
>>> result.method, round(result.net(1), 3)
('exact', 1.162)

What is known of the others' hands is taken into account exactly:

>>> wink = mo.known_odds("RR7A", seat=1, knowledge=mo.know(partner="seña:31"))
>>> round(wink.net(1), 3)
3.539
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from musodds.advice import Discard
    from musodds.betting import Decision, bet
    from musodds.deal_counts import DealStones
    from musodds.deal_stones import deal_stones
    from musodds.discards import discard
    from musodds.draws import Draw, draw
    from musodds.duels import Duel, duel
    from musodds.encaje_settlement import EncajeDeal
    from musodds.equity import Equity, equity, equity_table
    from musodds.errors import InputError
    from musodds.games import GAMES, Game, get_game
    from musodds.joint import Joint, joint
    from musodds.knowledge import Knowledge, know
    from musodds.known_odds import KnownOdds, known_odds
    from musodds.montecarlo import Simulation, simulate
    from musodds.montecarlo.known_simulation import KnownSimulation, simulate_known
    from musodds.odds import Odds, odds, odds_table
    from musodds.policies import Policy, get_policy
    from musodds.ranges import Range, parse_range, range_of
    from musodds.reading import Reading, read
    from musodds.records import read_record, write_record
    from musodds.scoring import Deal, Match
    from musodds.solutions import Solution
    from musodds.solver.betting import Betting, read_strategy, solve_betting
    from musodds.solving import solve
    from musodds.tables import (
        cut_table,
        discards_table,
        duel_table,
        hands_table,
        plays_table,
        signals_table,
    )
    from musodds.thresholds import thresholds, thresholds_table

__version__ = "0.1.0"

__all__ = [
    "GAMES",
    "Betting",
    "Deal",
    "DealStones",
    "Decision",
    "Discard",
    "Draw",
    "Duel",
    "EncajeDeal",
    "Equity",
    "Game",
    "InputError",
    "Joint",
    "Knowledge",
    "KnownOdds",
    "KnownSimulation",
    "Match",
    "Odds",
    "Policy",
    "Range",
    "Reading",
    "Simulation",
    "Solution",
    "bet",
    "cut_table",
    "deal_stones",
    "discard",
    "discards_table",
    "draw",
    "duel",
    "duel_table",
    "equity",
    "equity_table",
    "get_game",
    "get_policy",
    "hands_table",
    "joint",
    "know",
    "known_odds",
    "losers",
    "odds",
    "odds_table",
    "parse_range",
    "plays_table",
    "range_of",
    "read",
    "read_record",
    "read_strategy",
    "settle",
    "signals_table",
    "simulate",
    "simulate_known",
    "solve",
    "solve_betting",
    "thresholds",
    "thresholds_table",
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
    "Discard": "advice",
    "discard": "discards",
    "Draw": "draws",
    "draw": "draws",
    "Policy": "policies",
    "get_policy": "policies",
    "Solution": "solutions",
    "solve": "solving",
    "Betting": "solver.betting",
    "read_strategy": "solver.betting",
    "solve_betting": "solver.betting",
    "signals_table": "tables",
    "plays_table": "tables",
    "hands_table": "tables",
    "duel_table": "tables",
    "discards_table": "tables",
    "cut_table": "tables",
    "Deal": "scoring",
    "EncajeDeal": "encaje_settlement",
    "losers": "encaje",
    "settle": "encaje_settlement",
    "throw_advice": "throw_advice",
    "throws": "five_cards",
    "Match": "scoring",
    "Simulation": "montecarlo",
    "simulate": "montecarlo",
    "read_record": "records",
    "write_record": "records",
    "Duel": "duels",
    "duel": "duels",
    "Joint": "joint",
    "joint": "joint",
    "Knowledge": "knowledge",
    "know": "knowledge",
    "KnownOdds": "known_odds",
    "known_odds": "known_odds",
    "Range": "ranges",
    "parse_range": "ranges",
    "range_of": "ranges",
    "Reading": "reading",
    "read": "reading",
    "KnownSimulation": "montecarlo.known_simulation",
    "simulate_known": "montecarlo.known_simulation",
    "DealStones": "deal_counts",
    "deal_stones": "deal_stones",
    "Equity": "equity",
    "equity": "equity",
    "equity_table": "equity",
    "Decision": "betting",
    "bet": "betting",
    "thresholds": "thresholds",
    "thresholds_table": "thresholds",
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
