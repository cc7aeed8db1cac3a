"""Scores: which there are, how they are written, and the count of a showdown.

The first side to reach the target wins, in the middle of the count if need be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

from musodds.arrays import Ints, Mask
from musodds.errors import InputError
from musodds.rules.game import Game
from musodds.rules.numerals import numeral


def count(
    stones: Ints, mine: Ints | int, theirs: Ints | int, target: int
) -> tuple[Ints, Ints, Mask, Mask]:
    """Count a showdown phase by phase until a side has reached the target.

    Parameters
    ----------
    stones : ndarray of int64, shape (rows, phases)
        Positive: mine.
    mine, theirs : int or ndarray of int64, shape (rows,)
        The score before.
    target : int

    Returns
    -------
    mine, theirs : ndarray of int64, shape (rows,)
        The score after, of no meaning where the game is over.
    won, lost : ndarray of bool, shape (rows,)

    Examples
    --------
    Both would reach 40; chica is counted before juego.

    >>> count(np.array([[0, -1, 0, 3]]), 38, 39, 40)[2:]
    (array([False]), array([ True]))
    """
    return count_running(*running(stones), mine, theirs, target)


def running(stones: Ints) -> tuple[Ints, Ints]:
    """Stones of either side after each phase, shape (phases, rows)."""
    mine: Ints = np.cumsum(np.maximum(stones.T, 0), axis=0)
    theirs: Ints = np.cumsum(np.maximum(-stones.T, 0), axis=0)
    return mine, theirs


def count_running(
    gains: Ints, losses: Ints, mine: Ints | int, theirs: Ints | int, target: int
) -> tuple[Ints, Ints, Mask, Mask]:
    """:func:`count` of stones already added up by :func:`running`."""
    # The number of phases before the target is reached; of all, if it is not.
    mine_at = (gains < target - mine).sum(axis=0)
    theirs_at = (losses < target - theirs).sum(axis=0)
    # No phase brings stones to both sides, so they cannot reach it in the same phase.
    won, lost = mine_at < theirs_at, theirs_at < mine_at
    after_mine: Ints = gains[-1] + mine
    after_theirs: Ints = losses[-1] + theirs
    return after_mine, after_theirs, won, lost


def scores_backwards(target: int) -> Iterator[tuple[int, int]]:
    """All scores, later ones first."""
    for total in range(2 * (target - 1), -1, -1):
        for mine in range(max(0, total - target + 1), min(target - 1, total) + 1):
            yield mine, total - mine


def check_score(game: Game, ours: int, theirs: int) -> None:
    """Raise InputError if a game that goes on cannot have this score."""
    for name, stones in (("ours", ours), ("theirs", theirs)):
        if not 0 <= stones < game.target:
            raise InputError(
                f"score {ours}-{theirs}: {name} must be from 0 to {game.target - 1}; "
                f"{game.target} stones win the game"
            )


Score: TypeAlias = tuple[int, int] | str
"""Ours and theirs: two numbers, or text such as ``32-35``."""


def looks_like_score(text: str) -> bool:
    """Whether a text is two numbers, and so no name."""
    parts = _parts(text)
    return len(parts) == 2 and None not in parts  # ours and theirs


def _parts(text: str) -> list[int | None]:
    return [numeral(part) for part in re.split(r"\s*[-:,/]\s*|\s+", text.strip())]


def read_score(score: Score, game: Game) -> tuple[int, int]:
    """Our stones and theirs, whichever way they are given.

    Raises
    ------
    InputError
        If it is not two numbers from 0 to one below the target.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> read_score("32-35", get_game("mus")), read_score([0, 5], get_game("mus"))
    ((32, 35), (0, 5))
    """
    given: Sequence[Any] = score if isinstance(score, Sequence) else []
    words, how = "give our stones and theirs, such as (32, 35)", given
    if isinstance(score, str):
        words, how = "write our stones and theirs, such as 32-35", _parts(score)
    if len(how) != 2 or None in how:  # ours and theirs
        raise InputError(f"score {score!r}: {words}")
    ours, theirs = how
    check_score(game, ours, theirs)
    return int(ours), int(theirs)
