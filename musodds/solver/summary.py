"""What a player wants to know of a solved game, at the first decisions of each phase."""

from __future__ import annotations

from typing import Any

import numpy as np

from musodds.rules.hands import hands
from musodds.solver.betting import Betting
from musodds.solver.tree import CHANCE, LEAF

_SHOWN = 3
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
    level = known.level[phase][classes]
    rows = []
    for word, chance in zip(solved.tree.options(node), chances, strict=True):
        if word in ("paso", "no quiero"):
            continue
        total = float(weight.sum())
        share = float(weight @ chance) / total if total else 0.0
        often = np.flatnonzero((chance >= _OFTEN) & (weight > 0))
        weakest = often[np.argsort(level[often], kind="stable")][:_SHOWN]
        most = np.argsort(-(chance * weight), kind="stable")[:_SHOWN]
        rows.append(
            {
                "phase": phase,
                "after": f"{phase}: {after}",
                "side": "mano" if side == 0 else "other",
                "say": word,
                "frequency": share,
                "most": " ".join(known.texts[classes[i]] for i in most if chance[i] >= _OFTEN),
                "bluffs": " ".join(known.texts[classes[i]] for i in weakest),
            }
        )
    return rows
