"""Strategies learned by discounted CFR on sampled deals, the sides in turn.

N. Brown and T. Sandholm, *Solving imperfect-information games via discounted regret
minimization*, AAAI 2019, on deals sampled as in M. Lanctot, K. Waugh, M. Zinkevich and M.
Bowling, *Monte Carlo sampling for regret minimization in extensive games*, NIPS 2009
(chance sampling): in each deal the whole public tree is gone through with the four
hands. The two players of a side learn together, each his own regrets, in every other
iteration.

Before what is new is added to them, positive regrets are multiplied by t^1.5 / (t^1.5 + 1)
and negative ones by t^0.75 / (t^0.75 + 1); strategies are weighted by t². To halve
negative regrets, which is best where nothing is sampled, forgets what sampled deals have
taught; to forget them no sooner than t / (t + 1) takes more iterations. Many iterations of
few deals do better than few of many.

With two on a side no theorem says that this ends in an equilibrium; how far it is from
one is measured (:mod:`musodds.solver.each_measure`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats
from musodds.simulation.checkpoint import damaged
from musodds.simulation.runner import Mapper
from musodds.solver.checkpoint import Checkpoint
from musodds.solver.each_play import LEARN, Play
from musodds.solver.solved import PARTS
from musodds.store.interrupts import held
from musodds.store.notices import Watcher

ALPHA, BETA, GAMMA = 1.5, 0.75, 2.0
BLOCKS, BLOCK = 2, 1_000
"""Blocks of deals in an iteration, and deals in a block."""

ITERATION = BLOCKS * BLOCK

LEAST = 1e-3
"""What is said less often is never said: left-overs of the first iterations."""


class Learner:
    """Strategies on their way.

    Parameters
    ----------
    play : Play
    file : Checkpoint, optional
        Gone on from, and written from time to time and wherever a run ends.

    Attributes
    ----------
    iterations : int
        So far.
    interrupted : bool
    """

    def __init__(self, play: Play, file: Checkpoint | None = None) -> None:
        self._play = play
        self._worth = play.worth.astype(np.float32)
        self._desks = [play.desk(np.float32) for _ in range(BLOCKS)]
        self._gains = np.zeros((BLOCKS, *play.shape), dtype=np.float32)
        self._regret, self._policy = np.zeros((2, *play.shape), dtype=np.float32)
        self._average = np.zeros(play.shape)
        self._own = np.zeros((play.shape[0], play.shape[2]))
        self._held = np.flatnonzero(play.cards.able)
        self.iterations, self.interrupted = 0, False
        self._improve(map, range(play.shape[0]), (1.0, 1.0), 0.0)
        self._file, self._state = file, (self._regret, self._policy, self._average)
        match file.load(self._state) if file is not None else {}:
            case {"iterations": int(done)} if done >= 0:
                self.iterations = done
            case {**some} if some and file is not None:
                raise damaged(file.path)

    def run(
        self, iterations: int, each: Mapper = map, watcher: Watcher | None = None, of: int = 0
    ) -> None:
        """Go on until so many iterations were made in all; an interrupt ends it early."""
        try:
            while self.iterations < iterations:
                with held():
                    self._iterate(each)
                if watcher:
                    watcher(self.iterations * ITERATION, (of or iterations) * ITERATION)
                if self._file is not None and self._file.due:
                    self._save()
        except KeyboardInterrupt:
            if not self.iterations:
                raise
            self.interrupted = True
        self._save()

    def _save(self) -> None:
        if self._file is not None:
            self._file.save({"iterations": self.iterations}, self._state)

    def _iterate(self, each: Mapper) -> None:
        from musodds.solver.kernels.each_learning import learn

        play, tree = self._play, self._play.tree.arrays
        side, first = self.iterations % 2, LEARN + self.iterations * BLOCKS

        def block(number: int) -> None:
            learn(
                side, play.stream(first + number), BLOCK, play.cards, tree, self._policy,
                self._worth, play.kinds, self._desks[number], self._gains[number],
            )  # fmt: skip

        list(each(block, range(BLOCKS)))
        self.iterations += 1
        t = float((self.iterations + 1) // 2)
        keep = tuple(t**power / (t**power + 1) for power in (ALPHA, BETA))
        self._improve(each, range(side, play.shape[0], 2), keep, t**GAMMA)

    def _improve(
        self, each: Mapper, seats: Sequence[int], keep: tuple[float, ...], weight: float
    ) -> None:
        from musodds.solver.kernels.each_learning import improve

        def player(seat: int) -> None:
            improve(
                seat, self._held, self._play.tree.arrays, self._own[seat], self._gains, keep,
                weight, self._regret, self._policy, self._average,
            )  # fmt: skip

        list(each(player, seats))

    def strategy(self) -> Floats:
        """The average strategy, in 65,535ths, without what is said less than once in a thousand.

        Shape (seats, classes, slots); slot 0 is of no meaning.
        """
        found = np.zeros(self._play.shape)
        for point in self._play.tree.points:
            these = slice(point.slot, point.slot + len(point.actions))
            average = shares(self._average[point.seat - 1, :, these])
            kept = shares(np.where(average < LEAST, 0, average))
            found[point.seat - 1, :, these] = rounded(kept)
        return found


def shares(weights: Floats) -> NDArray[np.float64]:
    """Rows divided by their sums; equal shares where that is 0.

    Examples
    --------
    >>> shares(np.array([[1.0, 3.0], [0.0, 0.0]])).tolist()
    [[0.25, 0.75], [0.5, 0.5]]
    """
    total = weights.sum(axis=1, keepdims=True)
    return np.where(total > 0, weights / np.where(total > 0, total, 1), 1 / weights.shape[1])


def rounded(chances: Floats) -> Floats:
    """Rows in 65,535ths that add up to 1, as they are kept in files.

    Examples
    --------
    >>> (rounded(np.array([[1 / 3, 1 / 3, 1 / 3]])) * 65535).tolist()
    [[21845.0, 21845.0, 21845.0]]
    """
    whole = np.round(chances * PARTS)
    rows = np.arange(len(whole))
    whole[rows, whole.argmax(axis=1)] += PARTS - whole.sum(axis=1)
    return whole / PARTS
