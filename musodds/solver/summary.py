"""What a player wants to know of a solved game, at the first decisions of each phase."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from musodds.arrays import Floats, Ints
from musodds.rules.hands import hands
from musodds.solver.tree import CHANCE, LEAF

if TYPE_CHECKING:
    from musodds.solver.betting import Betting

_OFTEN = 0.1


def openings(solved: Betting) -> list[dict[str, Any]]:
    """Opening, opening after a pass, and the answers to first bets, phase by phase.

    In a deal each phase is shown as it is after phases that were passed.

    Returns
    -------
    list of dict
        `phase`, `after` (what was said), `side`, `say`, `frequency` (over the hands that
        come there), `most` and `bluffs` (hands, as text).
    """
    rows: list[dict[str, Any]] = []
    for phase, root in _phases(solved):
        options = solved.tree.options(root)
        passed = options["paso"]
        rows += _at(solved, phase, "-", root)
        rows += _at(solved, phase, "paso", passed)
        for word, child in options.items():
            if word != "paso":
                rows += _at(solved, phase, word, child)
    return rows


def _phases(solved: Betting) -> list[tuple[str, int]]:
    """The first decision of each phase, all passed before."""
    tree, node = solved.tree, 0
    found: list[tuple[str, int]] = []
    while True:
        if tree.kind[node] == LEAF:
            return found
        if tree.kind[node] == CHANCE:
            options = tree.options(node)
            if "neither" in options and tree.kind[options["neither"]] not in (LEAF, CHANCE):
                found += [("juego", options["both"]), ("punto", options["neither"])]
                return found
            node = options["both"]
            continue
        found.append((tree.phase[node], node))
        node = tree.options(tree.options(node)["paso"])["paso"]


def _at(solved: Betting, phase: str, after: str, node: int) -> list[dict[str, Any]]:
    side = solved.side_of(node)
    chances, _ = solved.at(node)
    classes = solved.classes(node, side)
    known = hands(solved.spec.game)
    weight = solved.reach(node, side)[classes] * known.ways[classes]
    labels = tuple(known.texts[index] for index in classes)
    rows = []
    for word, chance in zip(solved.tree.options(node), chances, strict=True):
        if word not in ("paso", "no quiero"):
            said = who_says(labels, chance, weight, known.level[phase][classes])
            rows.append(
                {"phase": phase, "after": f"{phase}: {after}",
                 "side": "mano" if side == 0 else "other", "say": word, **said}
            )  # fmt: skip
    return rows


def who_says(
    labels: Sequence[str], chance: Floats, weight: Floats, strength: Floats | Ints, shown: int = 3,
    between: str = " ",
) -> dict[str, Any]:  # fmt: skip
    """How often something is said, the hands that mostly do, and the weakest that do.

    Parameters
    ----------
    labels : sequence of str
        Of the hands.
    chance : ndarray of float64, shape (hands,)
        How often each says it.
    weight : ndarray of float64, shape (hands,)
        How likely each is there; only ratios matter.
    strength : ndarray, shape (hands,)
        In the phase.
    shown : int, optional
        How many hands are named.
    between : str, optional

    Returns
    -------
    dict
        `frequency`; `most` and `bluffs`, those that say it one time in ten at least.

    Examples
    --------
    >>> half = np.array([0.5, 0.0, 0.75])
    >>> who_says(("RRRR", "RRCA", "7654"), half, np.array([1, 2, 1]), np.array([3, 2, 1]))
    {'frequency': 0.3125, 'most': '7654 RRRR', 'bluffs': '7654 RRRR'}
    """
    total = float(weight.sum())
    often = np.flatnonzero((chance >= _OFTEN) & (weight > 0))
    weakest = often[np.argsort(strength[often], kind="stable")][:shown]
    most = often[np.argsort(-(chance * weight)[often], kind="stable")][:shown]
    return {
        "frequency": float(weight @ chance) / total if total else 0.0,
        "most": between.join(labels[i] for i in most),
        "bluffs": between.join(labels[i] for i in weakest),
    }
