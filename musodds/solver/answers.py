"""What a solved game says of the others: their range after a line."""

from __future__ import annotations

import numpy as np

from musodds.arrays import Floats
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.solver.betting import Betting

_DIGITS = 3


def range_text(solved: Betting, node: int, side: int) -> str:
    """The hands that a side's speaker holds at a point, in the language of ranges.

    Each hand's weight is how often it says what leads there; hands below 0.0005 are
    left out, and equal weights are written together.

    Returns
    -------
    str
        Such as ``RRRA | RRAA | RR7A@0.25``.
    """
    return weights_text(solved.spec.game, solved.reach(node, side))


def weights_text(game: Game, weights: Floats) -> str:
    """A weight for each hand, in the language of ranges.

    Parameters
    ----------
    game : Game
    weights : ndarray of float64, shape (hands,)
        From 0 to 1.
    """
    texts, weights = hands(game).texts, np.round(weights, _DIGITS)
    parts = []
    for index in np.flatnonzero(weights > 0):
        weight = float(weights[index])
        parts.append(texts[index] if weight >= 1 else f"{texts[index]}@{weight:g}")
    return " | ".join(parts)
