"""Discounted CFR to a gap: looked at ever less often, ended by Ctrl-C, kept in a file.

A run that goes on from its file makes the digits of one that was never ended: after as
many iterations as that it is looked at, and stops.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from musodds.simulation.checkpoint import damaged
from musodds.solver.checkpoint import Checkpoint
from musodds.solver.discounted_cfr import DiscountedCFR
from musodds.store.interrupts import held

MOST_ITERATIONS = 1_000_000
_FIRST_CHECK, _GROWTH = 20, 1.25

Watch = Callable[[int, float], None]
"""Is told the iterations so far and the gap in stones."""


@dataclass
class ToAGap:
    """A run under way.

    Parameters
    ----------
    run : DiscountedCFR
    gap_of : callable
        The gap of the average strategies as they are, in stones.
    last : int
        The most iterations.
    watch : callable, optional
    file : Checkpoint, optional
        Gone on from, and written from time to time and wherever the run ends.

    Attributes
    ----------
    stage : int
        How many goals were reached.
    interrupted : bool
    """

    run: DiscountedCFR
    gap_of: Callable[[], float]
    last: int
    watch: Watch | None = None
    file: Checkpoint | None = None
    stage: int = field(init=False, default=0)
    interrupted: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self._check, self._found = _FIRST_CHECK, float("inf")
        if self.file is not None:
            self._resume(self.file)

    def _resume(self, file: Checkpoint) -> None:
        kept = file.load(self._state)
        whole = [kept.get(name, 0) for name in ("iterations", "check", "stage")]
        found = kept.get("found", 0.0)
        if not all(type(one) is int and one >= 0 for one in whole) or type(found) is not float:
            raise damaged(file.path)
        if kept:
            self.run.iterations, self._check, self.stage = whole
            self._found = found

    @property
    def _state(self) -> list[Any]:
        return [*self.run.regrets, *self.run.sums]

    def to(self, goal: float, stage: int = 0) -> bool:
        """Go on to a gap.

        Returns
        -------
        bool
            Whether there is no going on: Ctrl-C, or the last iteration.
        """
        if stage < self.stage:
            return False
        if stage > self.stage:
            self.stage, self._check = stage, self._after(max(_FIRST_CHECK, self.run.iterations))
        try:
            while self._found > goal and self.run.iterations < self.last:
                with held():
                    self._step()
                if self.file is not None and self.file.due:
                    self._save()
        except KeyboardInterrupt:
            if self.run.iterations < 2:
                raise
            self.interrupted = True
        self._save()
        return self.interrupted or self._found > goal

    def _step(self) -> None:
        self.run.step()
        done, self._found = self.run.iterations, float("inf")
        if done < min(self._check, self.last):
            return
        self._found = self.gap_of()
        if done >= self._check:
            self._check = self._after(done)
        if self.watch is not None:
            self.watch(done, self._found)

    @staticmethod
    def _after(done: int) -> int:
        return int(done * _GROWTH)

    def _save(self) -> None:
        if self.file is None:
            return
        numbers = {
            "iterations": self.run.iterations, "check": self._check, "stage": self.stage,
            "found": float(min(self._found, 1e9)),
        }  # fmt: skip
        self.file.save(numbers, self._state)
