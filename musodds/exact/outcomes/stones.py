"""Stones of a showdown for many outcomes of a deal at once.

What :func:`musodds.rules.showdown.awards_of` says of one deal, phase by phase, for a table of
:class:`musodds.exact.outcomes.outcomes.Outcomes`.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from musodds.arrays import Ints, Mask
from musodds.exact.outcomes.outcomes import Outcomes
from musodds.rules.game import PHASES
from musodds.rules.hands import LAST, PARES, STONES
from musodds.rules.showdown import PASSED, PASSED_STONES, REFUSED, SEEN, Ending

_OURS = 0

"""My side in an :class:`musodds.rules.showdown.Ending` here; the other side is 1."""


def showdown_stones(outcomes: Outcomes, endings: Mapping[str, Ending] | None = None) -> Ints:
    """Stones of my side in each phase of the showdown; negative: of the other side.

    Parameters
    ----------
    outcomes : Outcomes
    endings : mapping of phase to Ending, optional
        How the betting in a phase ended; all passed where nothing is said. Side 0 is
        mine. What was refused has been scored at once and is not among these stones.

    Returns
    -------
    ndarray of int64, shape (outcomes, 4)
    """
    endings = endings or {}
    found = np.zeros((len(outcomes.wins), 4), dtype=np.int64)
    for lane, phase in enumerate(PHASES[:PARES]):
        ending = endings.get(phase, Ending(phase, PASSED))
        stones = {PASSED: PASSED_STONES, SEEN: ending.stones}.get(ending.how, 0)
        found[:, lane] = np.where(outcomes.wins[:, lane], stones, -stones)
    for lane, phase in enumerate(STONES, start=PARES):
        found[:, lane] = _with_own_stones(outcomes, lane, endings.get(phase, Ending(phase, PASSED)))
    punto = outcomes.contested("punto")
    ending = endings.get("punto", Ending("punto", PASSED))
    stones = PASSED_STONES + (ending.stones if ending.how == SEEN else 0)
    found[punto, LAST] = np.where(_taken(outcomes, LAST, ending)[punto], stones, -stones)
    return found


def _with_own_stones(outcomes: Outcomes, lane: int, ending: Ending) -> Ints:
    mine, theirs = outcomes.mine[:, lane - PARES], outcomes.theirs[:, lane - PARES]
    played = (mine > 0) | (theirs > 0)
    bet = ending.stones if ending.how == SEEN else 0
    stones = np.where(_taken(outcomes, lane, ending), bet + mine, -(bet + theirs))
    return np.where(played, stones, 0)


def _taken(outcomes: Outcomes, lane: int, ending: Ending) -> Mask:
    """Whether my side takes the phase: by refusal, or with the best hand."""
    if ending.how == REFUSED:
        return np.full(len(outcomes.wins), ending.side == _OURS)
    return outcomes.wins[:, lane]
