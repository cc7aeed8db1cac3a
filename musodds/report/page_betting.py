"""How solved rivals bet, for the page: at some scores, phase by phase.

A deal as a whole is too large for a page that is to open at once on a phone, so each phase is
solved alone (all else passed) in the model ``own``, at scores close enough together that the
nearest one serves; the page says at which.
"""

from __future__ import annotations

import base64
import errno
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.rules.game import PHASES, Game
from musodds.rules.hands import hands
from musodds.store.numbers import path, shipped_several

SCORES = (
    (0, 0), (10, 10), (20, 20), (30, 30), (35, 35), (37, 37), (38, 38), (39, 39),
    (10, 25), (25, 10), (20, 30), (30, 20), (20, 36), (36, 20), (32, 35), (35, 32), (36, 38),
    (38, 36), (30, 38), (38, 30),
)  # fmt: skip
"""Mano's side's stones and the other's."""

POINTS = (
    (0, "bet", "envido 2"),
    (0, "ordago", "órdago"),
    (0, "raise", "paso, envido 2, reenvido 2"),
    (1, "bet", "paso, envido 2"),
    (1, "ordago", "paso, órdago"),
    (1, "raise", "envido 2, reenvido 2"),
)
"""Who speaks (0: mano's side), what the page calls it, and what is said in the phase."""

GAP = 0.005
MODEL = "own"

_FULL = 255


@dataclass(frozen=True, eq=False)
class PageBetting:
    """What the package keeps for the page.

    Attributes
    ----------
    weights : ndarray of uint8, shape (scores, phases, points, classes)
        In 255ths how often the speaker's hand comes to the point.
    gap : ndarray of float64, shape (scores, phases)
        What a side gains by its best response, in stones.
    """

    weights: NDArray[np.uint8]
    gap: NDArray[np.float64]


def solve_page_betting(game: Game) -> PageBetting:
    """Solve every phase at every score of the page: some minutes."""
    from musodds.solver.betting import solve_betting
    from musodds.solver.lines import follow

    weights = np.zeros((len(SCORES), len(PHASES), len(POINTS), len(hands(game))), dtype=np.uint8)
    gap = np.zeros((len(SCORES), len(PHASES)))
    for s, score in enumerate(SCORES):
        for p, phase in enumerate(PHASES):
            solved = solve_betting(phase, game=game, score=score, model=MODEL, gap=GAP)
            gap[s, p] = solved.exploitability_stones
            for i, (side, _, said) in enumerate(POINTS):
                node = follow(solved.tree, f"{phase}: {said}")
                weights[s, p, i] = np.round(_FULL * solved.reach(node, side))
    return PageBetting(weights, gap)


def betting_path(game: Game) -> Path:
    """Where it is kept: named after the rules, so that no change goes unnoticed."""
    return path("page", game, "-betting.npz")


def solved_betting(game: Game) -> dict[str, Any] | None:
    """How solved rivals bet, as the page takes it; None where nothing of it is here.

    Returns
    -------
    dict or None
        ``{"model": text, "gap": stones, "points": [{"phase": "grande", "score": [38, 38],
        "side": 0 or 1, "action": "bet", "raise" or "ordago", "weights": text}, ...]}``.
        ``score`` is mano's side's stones and the other's, ``side`` who speaks (0: mano's side,
        through seat 1; 1: the other, through seat 2), ``weights`` base64 (the kind without
        slashes) of uint8, in 255ths how often each hand class of the speaker does it. From
        these the page counts the chance of being beaten by rivals who bet so, and what seeing
        and folding are worth.

    Raises
    ------
    OSError
        If the file is not what it should be.
    """
    file = betting_path(game)
    if not file.exists():
        return None
    shape = len(SCORES), len(PHASES), len(POINTS), len(hands(game))
    stored = shipped_several(file, {"weights": (shape, np.uint8), "gap": (shape[:2], np.float64)})
    if stored is None:
        raise OSError(errno.EIO, "it is damaged: install musodds again", str(file))
    points = [
        {
            "phase": phase, "score": list(score), "side": side, "action": action,
            "weights": base64.urlsafe_b64encode(stored["weights"][s, p, i].tobytes()).decode(),
        }
        for s, score in enumerate(SCORES)
        for p, phase in enumerate(PHASES)
        for i, (side, action, _) in enumerate(POINTS)
    ]  # fmt: skip
    return {"model": MODEL, "gap": float(stored["gap"].max()), "points": points}
