"""The table of scores: the chance of winning the game from each."""

from __future__ import annotations

import numpy as np

from musodds.report.tables.data import Column, Data, texts
from musodds.rules.game import Game
from musodds.rules.games import titled, unusual
from musodds.stakes.equity_kinds import equity

EQUITY = (
    Column("ours", "count", "our stones"),
    Column("theirs", "count", "their stones"),
    Column("mano", "label", "us or them: whose side is mano in the next deal"),
    Column("equity", "chance", "our chance of winning the game"),
    Column("match", "chance", "our chance of winning the match, in its first game"),
)


def equity_data(game: Game, kind: str | None = None) -> Data:
    """Every score and mano; see :func:`musodds.stakes.equity_kinds.equity_table`."""
    found = equity(game, kind=kind)
    rows = list(found.rows())
    values = {
        column.name: texts(row[column.name] for row in rows)
        if column.kind == "label"
        else np.array([row[column.name] for row in rows])
        for column in EQUITY
    }
    title = f"The chance of winning a game of {titled(game)} from every score"
    head = {"game": game.name, **unusual(game), "method": found.method, "equity_kind": found.kind}
    return Data("equity", title, head, EQUITY, values)
