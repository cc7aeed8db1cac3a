"""Solved equity that comes with the package; see :mod:`musodds.solver.score_batch`.

A file has the chances of mano's side at every score (``mano_wins``), what they may be off
(``bound``), the scores down to which deals were solved (``least``: both sides have so many
stones or more), and the solved deals themselves (``nodes``: both scores, value, gap as a
chance, iterations).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats
from musodds.errors import GameError
from musodds.exact.outcomes.deal_stones import counted_stones
from musodds.rules.game import Game
from musodds.stakes.equity import SOLVED, Equity, backward
from musodds.stakes.scores import count_running, running, scores_backwards
from musodds.store.numbers import path, shipped_several

FOLDER = "equity"
USUAL_TARGET = 40


def solved_path(game: Game) -> Path:
    """Where the solved equity of a game is, if it comes with the package."""
    return path(FOLDER, game.one_suit or game, ".npz")


def has_solved(game: Game) -> bool:
    """Whether it does: a game to fewer stones is the end of one to 40."""
    return game.target <= USUAL_TARGET and solved_path(game).is_file()


def solved_equity(game: Game) -> Equity:
    """The solved equity of a game.

    Raises
    ------
    GameError
        If it does not come with the package.
    """
    found = _read(game) if has_solved(game) else None
    if found is None:
        raise GameError(
            f"{game.name}: no solved equity to {game.target} stones comes with the package; take "
            "paso, bets-2 or bets-5, or make it: musodds equity solve"
        )
    end = slice(USUAL_TARGET - game.target, None)
    least = max(0, int(found["least"][0]) - (end.start or 0))
    return made(game, found["mano_wins"][end, end], found["bound"][end, end], least)


def made(game: Game, mano_wins: Floats, bound: Floats, least: int) -> Equity:
    """Chances of mano's side as an equity.

    Who is mano in the next game is left as it is where 2 is seen in every phase: it moves
    the chance of a match by less than a thousandth.
    """
    note = ""
    if least:
        note = (
            f"deals are solved at scores with both sides at {least} or more; until they are "
            "reached 2 is bet and seen in every phase"
        )
        mano_wins = _reached(game, mano_wins, least)
    like = backward(counted_stones(game, 2)).game_chances
    total = like.sum(axis=3, keepdims=True)
    share = np.divide(like, total, out=np.full_like(like, 0.5), where=total > 0)
    both = np.stack((mano_wins, 1 - mano_wins), axis=2)[..., None] * share
    return Equity(counted_stones(game), both, SOLVED, bound, note)


def _reached(game: Game, mano_wins: Floats, least: int) -> Floats:
    """The table with deals of bets of 2 at the scores below those that are solved."""
    deal, found = counted_stones(game, 2), mano_wins.copy()
    added, chances, target = running(deal.stones), deal.chances, game.target
    for mine, theirs in scores_backwards(target):
        if min(mine, theirs) < least:
            after, other, won, lost = count_running(*added, mine, theirs, target)
            on = ~(won | lost)
            found[mine, theirs] = chances[won].sum() + chances[on] @ (
                1 - found[other[on], after[on]]
            )
    return found


def _read(game: Game) -> dict[str, NDArray[Any]] | None:
    square = (USUAL_TARGET, USUAL_TARGET)
    shapes = {
        "mano_wins": (square, np.float64), "bound": (square, np.float64),
        "least": ((1,), np.int64), "nodes": ((None, 5), np.float64),
    }  # fmt: skip
    return shipped_several(solved_path(game), shapes)
