"""Best responses to a policy, hand by hand, and what another choice gains.

The work of :mod:`musodds.strategy.solve`: every hand in every seat has a stream of deals of its
own, and is tried until its best keep stands out or nothing matters any more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import sqrt
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from musodds.exact.draws.keeps import distinct_keeps
from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.simulation.policies import Policy
from musodds.simulation.runner import Goal, is_power_of_two, run, until
from musodds.stakes.equity import CHANCE_PER_STONE
from musodds.strategy.discard import cut_net
from musodds.strategy.solution import Gap
from musodds.strategy.trials import Sample, Trial

if TYPE_CHECKING:
    from musodds.stakes.at_score import AtScore

MOST_BLOCKS = 1 << 31
"""So many streams there are for a hand and a purpose."""

UNDAMPED = 5
"""Rounds in which every hand may change; afterwards only half of them at a time."""

_OUT_OF_REACH = 0.25
"""Keeps this many stones behind are not tried again: the others' changes are smaller."""

_APART = 4.0
"""Standard errors by which a keep must stand out to be settled."""

Place = tuple[int, int]
"""A seat and a hand class."""

Measured = tuple[float, float, int]
"""A gain, its standard error, and the deals."""

T = TypeVar("T")


def keeping(policy: Policy, keep: NDArray[np.int8]) -> Policy:
    """Those keeps; who keeps all four cards, as in mus visto one may, cuts afterwards."""
    return replace(policy, keep=keep, cut=keep.sum(axis=2) == CARDS)


class Work:
    """What is known while a game is solved: which keeps are still in question."""

    # Purposes of streams: solving, measuring keeps, deciding and measuring cuts.
    SOLVE, MEASURE, DECIDE, CHECK = range(4)

    def __init__(
        self,
        game: Game,
        gap: float,
        seed: int,
        workers: int,
        chosen: tuple[int, ...],
        score: tuple[int, int] | None = None,
    ) -> None:
        self.game, self.gap, self.seed, self.workers = game, gap, seed, workers
        self.hands = hands(game)
        self.n = 0
        self.places = [(seat, index) for seat in range(1, game.seats + 1) for index in chosen]
        self.top: dict[Place, NDArray[np.int64]] = {}
        self.worth: dict[int, NDArray[np.float64]] = {}
        self.sought: dict[int, AtScore] = {}
        if score is not None:
            self._seek(score)
        self.reopen()

    def _seek(self, score: tuple[int, int]) -> None:
        """Let every seat seek to win the game from a score of mano's side and the other."""
        from musodds.stakes.at_score import at_score

        for seat in range(1, self.game.seats + 1):
            ours, theirs = score if self.game.side(seat) == 0 else score[::-1]
            self.sought[seat] = at_score(self.game, ours, theirs)
            self.worth[seat] = self.sought[seat].worth(seat) / CHANCE_PER_STONE

    def _trial(self, policy: Policy, place: Place, keep: NDArray[np.int64]) -> Trial:
        seat, index = place
        return Trial(policy, seat, index, keep, wins=False, worth=self.worth.get(seat))

    def _as_dealt(self, place: Place) -> float | None:
        """The exact worth of the cards as dealt; None where it is not counted."""
        seat, index = place
        if seat not in self.sought:
            return cut_net(self.game, index, seat)
        chances = self.sought[seat].all_as_dealt(seat)
        return None if chances is None else float(chances[index]) / CHANCE_PER_STONE

    def reopen(self) -> None:
        """Put every keep of every hand in question."""
        self.keeps = {
            (seat, index): distinct_keeps(self.hands.counts[index], all_four=self.game.visto)
            for seat, index in self.places
        }

    def _each(self, function: Callable[[Place], T]) -> list[T]:
        """What a function says of every place; the digits do not depend on the workers."""

        def play(first: int, places: int) -> list[list[T]]:
            return [[function(place)] for place in self.places[first : first + places]]

        total = run(play, 1, Goal(len(self.places)), self.workers)
        if total.interrupted:
            raise KeyboardInterrupt
        found: list[T] = total.sums
        return found

    def _stream(self, place: Place, purpose: int) -> int:
        """Where the blocks of a hand in a seat begin."""
        return ((purpose << 4 | place[0]) << 16 | place[1]) << 32

    def respond(self, policy: Policy, iteration: int) -> tuple[Policy, int, float]:
        """Every hand's best response; how many change and what they gain at most."""
        keep = policy.keep.copy()
        changes, most = 0, 0.0

        answers = self._each(lambda place: self._best_keep(policy, place))
        for place, found in zip(self.places, answers, strict=True):
            seat, index = place
            self.n += found.n
            self.keeps[place], self.top[place] = found.left, found.top
            if found.gain <= max(self.gap / 4, 2 * found.gain_se):
                continue
            most = max(most, found.gain)
            if iteration <= UNDAMPED or (index + seat + iteration) % 2:
                keep[seat - 1, index] = found.top[0]
                changes += 1
        return keeping(policy, keep), changes, most

    def _best_keep(self, policy: Policy, place: Place) -> _Found:
        seat, index = place
        left = self.keeps[place]
        if len(left) == 1:
            return _Found(0.0, 0.0, left, left, 0)
        current = policy.keep[seat - 1, index].astype(np.int64)
        trial = self._trial(policy, place, left)
        sample = self._until(trial, self._stream(place, self.SOLVE), self._settled)
        mean, covariance = sample.estimates()
        rank = np.argsort(-mean, kind="stable")
        best, was = int(rank[0]), int(np.flatnonzero((left == current).all(axis=1))[0])
        gain, error = _difference(mean, covariance, best, was)
        behind = mean[best] - mean
        errors = np.array([_difference(mean, covariance, best, k)[1] for k in range(len(left))])
        near = behind - _APART * errors < _OUT_OF_REACH
        near[was] = True
        return _Found(gain, error, left[rank[:2]], left[near], sample.n)

    def _settled(self, sample: Sample) -> bool:
        """Whether the best keep stands out, or leads too little to matter."""
        mean, covariance = sample.estimates()
        best = int(mean.argmax())
        for k in range(len(mean)):
            ahead, error = _difference(mean, covariance, best, k)
            if k != best and ahead < _APART * error and error > self.gap / 4:
                return False
        return True

    def _until(self, trial: Trial, stream: int, settled: Callable[[Sample], bool]) -> Sample:
        """Play blocks of a stream, each time as many again, until the sample will do."""
        return trial.run(self.seed, stream, MOST_BLOCKS, until(settled, is_power_of_two))

    def measure_keeps(self, policy: Policy) -> Gap:
        """The gain of every hand's best alternative, on fresh deals."""

        def measure(place: Place) -> Measured:
            seat, index = place
            current = policy.keep[seat - 1, index].astype(np.int64)
            others = [keep for keep in self.top[place] if (keep != current).any()]
            if not others:
                return 0.0, 0.0, 0
            trial = self._trial(policy, place, np.stack((current, others[0])))
            sample = self._until(trial, self._stream(place, self.MEASURE), self._settled)
            mean, covariance = sample.estimates()
            return *_difference(mean, covariance, 1, 0), sample.n

        return self._widest(measure)

    def decide(self, policy: Policy) -> tuple[Policy, Gap]:
        """Mus or cut for every hand, and what the other would gain on fresh deals."""
        cut = policy.cut.copy()

        def lead(place: Place, purpose: int) -> Measured:
            """What mus gains on cutting."""
            seat, index = place
            current = policy.keep[seat - 1, index].astype(np.int64)
            exact = self._as_dealt(place)

            def settled(sample: Sample) -> bool:
                gain, error = sample.gain_of_mus(exact)
                return bool(error[0] <= self.gap / 3 or abs(gain[0]) > _APART * error[0])

            trial = self._trial(policy, place, current[None])
            sample = self._until(trial, self._stream(place, purpose), settled)
            gain, error = sample.gain_of_mus(exact)
            return float(gain[0]), float(error[0]), sample.n

        for place, found in zip(
            self.places, self._each(lambda place: lead(place, self.DECIDE)), strict=True
        ):
            gain, _, n = found
            self.n += n
            cut[place[0] - 1, place[1]] = gain < 0

        def measure(place: Place) -> Measured:
            gain, error, n = lead(place, self.CHECK)
            return gain if cut[place[0] - 1, place[1]] else -gain, error, n

        gap = self._widest(measure)
        return replace(policy, cut=cut), gap

    def _widest(self, measure: Callable[[Place], Measured]) -> Gap:
        widest, total = Gap(0.0, 0.0, 0, "", 0), 0
        for (seat, index), found in zip(self.places, self._each(measure), strict=True):
            gain, error, n = found
            total += n
            if gain > widest.gain:
                widest = Gap(gain, error, seat, self.hands.texts[index], 0)
        self.n += total
        return replace(widest, n=total)


@dataclass(frozen=True, eq=False)
class _Found:
    """What the best keep of a hand gains, the two best keeps, and what is left to try."""

    gain: float
    gain_se: float
    top: NDArray[np.int64]
    left: NDArray[np.int64]
    n: int


def _difference(
    mean: NDArray[np.float64], covariance: NDArray[np.float64], a: int, b: int
) -> tuple[float, float]:
    variance = covariance[a, a] + covariance[b, b] - 2 * covariance[a, b]
    return float(mean[a] - mean[b]), sqrt(max(float(variance), 0.0))
