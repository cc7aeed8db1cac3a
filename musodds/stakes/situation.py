"""A hand at the table, and the equity of each outcome once a phase has ended somehow.

What :mod:`musodds.stakes.bet` and :mod:`musodds.stakes.thresholds` weigh.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import fsum

import numpy as np

from musodds.arrays import Floats, Ints, Mask
from musodds.exact.outcomes.outcomes import Outcomes
from musodds.exact.outcomes.stones import showdown_stones
from musodds.playing.actions import ORDAGO
from musodds.rules.game import PHASES
from musodds.rules.hands import LAST
from musodds.rules.showdown import DEJE, PASSED, REFUSED, SEEN, Ending
from musodds.stakes.equity import Equity
from musodds.stakes.scores import count
from musodds.values import Value

US, THEM = 0, 1

"""Sides in an :class:`musodds.rules.showdown.Ending` here."""


@dataclass(frozen=True, eq=False, repr=False)
class Situation(Value):
    """A hand at the table, before its side answers or speaks in a phase.

    Attributes
    ----------
    outcomes : Outcomes
        The deals in which the phase is bet on.
    phase : str
    score : tuple of int
        Our stones and theirs, what was refused before included.
    earlier : mapping of phase to Ending
        Earlier phases that were not passed; side 0 is ours.
    on_table : int
        Stones on the table before the rivals' offer; 0 if it is the first bet.
    offer : int or str or None
        The stones that the rivals bet or add, ``órdago``, or None: nobody has bet.
    table : Equity
        The chances after the deal.
    """

    outcomes: Outcomes
    phase: str
    score: tuple[int, int]
    earlier: Mapping[str, Ending]
    on_table: int
    offer: int | str | None
    table: Equity

    @cached_property
    def chances(self) -> Floats:
        """The chance of each outcome."""
        return self.outcomes.chances()

    @cached_property
    def wins(self) -> Mask:
        """Where our side has the best hand in the phase."""
        return self.outcomes.wins[:, min(PHASES.index(self.phase), LAST)]

    @property
    def win(self) -> float:
        """The chance that our side has the best hand in the phase."""
        return self.mean(self.wins)

    def mean(self, values: Floats | Mask) -> float:
        """The mean over the outcomes; 1 if all are 1."""
        return fsum((self.chances * values).tolist()) / self._whole

    @cached_property
    def _whole(self) -> float:
        """The chances added up: 1, but for rounding."""
        return fsum(self.chances.tolist())

    def passed(self) -> Floats:
        """The equity of each outcome if the phase is passed."""
        return self.after(Ending(self.phase, PASSED))

    def seen(self, stones: int | str) -> Floats:
        """The equity of each outcome if a bet of so many stones in all is seen."""
        if stones == ORDAGO:
            return self.wins.astype(np.float64)
        return self.after(Ending(self.phase, SEEN, int(stones)))

    def folded(self, side: int) -> Floats:
        """The equity of each outcome if a side folds to what is now on the table.

        We fold to the rivals' offer; they fold to a bet of ours on top of it.
        """
        if side not in self._folded:
            self._folded[side] = self._after_fold(side)
        return self._folded[side]

    @cached_property
    def _folded(self) -> dict[int, Floats]:
        return {}

    def _after_fold(self, side: int) -> Floats:
        on_table = self.on_table
        if side == THEM and isinstance(self.offer, int):
            on_table += self.offer
        return self.after(Ending(self.phase, REFUSED, on_table or DEJE, 1 - side))

    def after(self, ending: Ending) -> Floats:
        """The equity of each outcome, once the phase has ended so."""
        ours, theirs = self.score
        if ending.how == REFUSED:
            ours += ending.stones * (ending.side == US)
            theirs += ending.stones * (ending.side == THEM)
        stones = showdown_stones(self.outcomes, {**self.earlier, self.phase: ending})
        we_are_mano = self.outcomes.game.side(self.outcomes.seat) == 0
        return equity_after(stones, ours, theirs, self.table, we_are_mano)


def equity_after(
    stones: Ints,
    ours: int,
    theirs: int,
    table: Equity,
    we_are_mano: bool,
) -> Floats:
    """Our chance of winning the game after a showdown, row by row.

    Parameters
    ----------
    stones : ndarray of int64, shape (rows, phases)
        Positive: ours; see :func:`musodds.exact.outcomes.stones.showdown_stones`.
    ours, theirs : int
        The score before it, which may have reached the target.
    table : Equity
    we_are_mano : bool
        Whether our side is mano in this deal; in the next one it is the other.
    """
    target = table.game.target
    if ours >= target or theirs >= target:
        return np.full(len(stones), float(ours >= target))
    after_ours, after_theirs, won, lost = count(stones, ours, theirs, target)
    on = ~(won | lost)
    found = won.astype(np.float64)
    found[on] = table.ours[int(we_are_mano), after_ours[on], after_theirs[on]]
    return found
