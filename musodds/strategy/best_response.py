"""Best keeps against a policy, hand by hand, and what another keep gains.

The work of :mod:`musodds.strategy.solve`: every hand in every seat has a stream of deals of its
own, and is tried until its best keep stands out or nothing matters any more. Keeps are tried
on all deals, or where they are used: on deals in which all the others say mus.
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

APART = 4.0
"""Standard errors by which a keep must stand out to be settled."""

_RACE = 2
"""Blocks after which keeps that are clearly behind are not tried on."""

_RACED = 5.0
"""Standard errors that are clear."""

FEW = 100
"""With fewer deals no error is known."""

_MOST_DEALS = 1 << 26
"""Deals in all after which a hand is settled, however few of them were with mus."""

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

    # Purposes of streams: solving, measuring keeps, deciding and measuring cuts; a first look
    # at all keeps; what a next step gains.
    SOLVE, MEASURE, DECIDE, CHECK, RACE, STEPPED, FURTHER, GONE_FURTHER = range(8)

    def __init__(
        self,
        game: Game,
        gap: float,
        seed: int,
        workers: int,
        chosen: tuple[int, ...],
        score: tuple[int, int] | None = None,
        agreed: bool = False,
    ) -> None:
        self.agreed = agreed
        self.game, self.gap, self.seed, self.workers = game, gap, seed, workers
        self.hands = hands(game)
        self.score = score
        self.n = self.turn = 0
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

    def trial(
        self, policy: Policy, place: Place, keep: NDArray[np.int64], agreed: bool | None = None
    ) -> Trial:
        """Keeps of a hand against a policy; of deals with mus only, if that is the work."""
        seat, index = place
        only_mus = self.agreed if agreed is None else agreed
        worth = self.worth.get(seat)
        return Trial(policy, seat, index, keep, wins=False, worth=worth, agreed=only_mus)

    def as_dealt(self, place: Place) -> float | None:
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

    def each(self, function: Callable[[Place], T]) -> list[T]:
        """What a function says of every place; the digits do not depend on the workers."""

        def play(first: int, places: int) -> list[list[T]]:
            return [[function(place)] for place in self.places[first : first + places]]

        total = run(play, 1, Goal(len(self.places)), self.workers)
        if total.interrupted:
            raise KeyboardInterrupt
        found: list[T] = total.sums
        return found

    def stream(self, place: Place, purpose: int) -> int:
        """Where the blocks of a hand in a seat begin; every turn has its own."""
        return (((self.turn << 4 | purpose) << 4 | place[0]) << 16 | place[1]) << 32

    def respond(self, policy: Policy, iteration: int) -> tuple[Policy, int, float]:
        """Every hand's best response; how many change and what they gain at most."""
        keep = policy.keep.copy()
        changes, most = 0, 0.0

        answers = self.each(lambda place: self._best_keep(policy, place))
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
        if self.agreed:
            return replace(policy, keep=keep), changes, most
        return keeping(policy, keep), changes, most

    def _best_keep(self, policy: Policy, place: Place) -> _Found:
        seat, index = place
        left = self.keeps[place]
        if len(left) == 1:
            return _Found(0.0, 0.0, left, left, 0)
        current = policy.keep[seat - 1, index].astype(np.int64)
        if self.game.visto:
            # Best responses go round in circles there: what loses a race may be wanted again.
            sample = self.until(
                self.trial(policy, place, left), self.stream(place, self.SOLVE), self.settled
            )
            return _ranked(sample, left, current)
        race = self.trial(policy, place, left).run(self.seed, self.stream(place, self.RACE), _RACE)
        if race.n < FEW:
            # The others hardly ever agree: nothing is known, and little lost by it.
            return _Found(0.0, 0.0, current[None], left, int(race.number[0]))
        first = _ranked(race, left, current)
        mean, covariance = race.estimates()
        best = int(mean.argmax())
        near = [
            k == best or ahead < _RACED * error or bool((left[k] == current).all())
            for k in range(len(left))
            for ahead, error in [_difference(mean, covariance, best, k)]
        ]
        if sum(near) == 1:
            return first
        tried = left[near]
        sample = self.until(
            self.trial(policy, place, tried), self.stream(place, self.SOLVE), self.settled
        )
        found = _ranked(sample, tried, current)
        return replace(found, left=first.left, n=found.n + first.n)

    def settled(self, sample: Sample) -> bool:
        """Whether the best keep stands out, or leads too little to matter."""
        if sample.n < FEW or worn_out(sample):
            return worn_out(sample)
        mean, covariance = sample.estimates()
        best = int(mean.argmax())
        for k in range(len(mean)):
            ahead, error = _difference(mean, covariance, best, k)
            if k != best and ahead < APART * error and error > self.gap / 4:
                return False
        return True

    def until(self, trial: Trial, stream: int, settled: Callable[[Sample], bool]) -> Sample:
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
            trial = self.trial(policy, place, np.stack((current, others[0])))
            sample = self.until(trial, self.stream(place, self.MEASURE), self.settled)
            if sample.n < FEW:
                return 0.0, 0.0, int(sample.number[0])
            mean, covariance = sample.estimates()
            return *_difference(mean, covariance, 1, 0), sample.n

        return self.widest(measure)

    def widest(self, measure: Callable[[Place], Measured]) -> Gap:
        """The highest gain of any place."""
        widest, total = Gap(0.0, 0.0, 0, "", 0), 0
        for (seat, index), found in zip(self.places, self.each(measure), strict=True):
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


def worn_out(sample: Sample) -> bool:
    """Whether the others say mus so rarely that it would take too long to know more."""
    return bool(sample.number[0] >= _MOST_DEALS)


def _ranked(sample: Sample, tried: NDArray[np.int64], current: NDArray[np.int64]) -> _Found:
    mean, covariance = sample.estimates()
    rank = np.argsort(-mean, kind="stable")
    best, was = int(rank[0]), int(np.flatnonzero((tried == current).all(axis=1))[0])
    gain, error = _difference(mean, covariance, best, was)
    behind = mean[best] - mean
    errors = np.array([_difference(mean, covariance, best, k)[1] for k in range(len(tried))])
    near = behind - APART * errors < _OUT_OF_REACH
    near[was] = True
    return _Found(gain, error, tried[rank[:2]], tried[near], sample.n)


def _difference(
    mean: NDArray[np.float64], covariance: NDArray[np.float64], a: int, b: int
) -> tuple[float, float]:
    variance = covariance[a, a] + covariance[b, b] - 2 * covariance[a, b]
    return float(mean[a] - mean[b]), sqrt(max(float(variance), 0.0))
