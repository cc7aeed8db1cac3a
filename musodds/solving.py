"""The best discards, solved: a policy from which no hand in any seat can gain much.

**Keeps.** Everybody says mus and throws, once, and the cards are played en paso. From a
first policy, every hand in every seat takes its best response to what the others do,
all seats at once, always on the same deals, until none gains more than the gap asked.
Each hand in each seat has a stream of deals of its own, so a hand dealt once in 60,000
is known as well as any; it is tried until its best keep stands out or the keeps are
equal for all that matters. If best responses chase each other, only half of the hands
change at a time (damping).

**The gap.** What is chosen on some deals looks better on them than it is. So for each
hand the best alternative is picked on the deals of the last round and its gain is
measured on fresh ones: the gap is the highest gain so measured, with its error. If any
keep changed in the last round, alternatives are looked for once more before.

**Mus or cut.** A hand cuts where the cards as dealt bring more, exactly counted, than a
round of mus in which everybody plays these keeps. Nothing is inferred from the others'
saying mus. It must be so: were each to allow for what the others' mus tells it,
only hands that gain nothing by it could go on saying mus, as what one side gains the
other loses (P. Milgrom and N. Stokey, *Information, trade and common knowledge*,
Journal of Economic Theory 26, 1982), and everybody would always cut.

**Mus visto.** The keeps are those of the round in which all change cards, none if they
like. Mus comes after it: there a hand cuts that would change nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import isfinite, sqrt
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from musodds.choices import distinct_keeps
from musodds.discards import CHANCE_PER_STONE, check_whole, cut_net
from musodds.errors import InputError
from musodds.games import Game, get_game
from musodds.hands import CARDS, hands
from musodds.policies import Policy, get_policy
from musodds.trials import Sample, Trial

if TYPE_CHECKING:
    from musodds.worth import AtScore

GAP = 0.01
"""Stones: the most that any hand may gain, unless something else is asked."""

MOST_ITERATIONS = 16
_UNDAMPED = 5
_OUT_OF_REACH = 0.25
"""Keeps this many stones behind are not tried again: the others' changes are smaller."""

_APART = 4.0
"""Standard errors by which a keep must stand out to be settled."""

Report = Callable[[str], None]
Place = tuple[int, int]
"""A seat and a hand class."""

Measured = tuple[float, float, int]
"""A gain, its standard error, and the deals."""

T = TypeVar("T")


@dataclass(frozen=True)
class Gap:
    """The most that any hand in any seat gains by a change, measured on fresh deals.

    Attributes
    ----------
    gain, gain_se : float
        Net stones for my side, with the hand given.
    seat : int
        The seat, 0 if no hand gains.
    hand : str
    n : int
        Deals in all.
    """

    gain: float
    gain_se: float
    seat: int
    hand: str
    n: int

    def __str__(self) -> str:
        if not self.seat:
            return f"no hand gains anything ({self.n} deals)"
        return (
            f"at most {self.gain:.4f} stones (standard error {self.gain_se:.4f}) for "
            f"{self.hand} in seat {self.seat} ({self.n} deals)"
        )


@dataclass(frozen=True, eq=False)
class Solution:
    """A solved policy and how good it is.

    Attributes
    ----------
    policy : Policy
    start : str
        The policy it started from.
    iterations : int
    wanted : float
        The gap that was asked for.
    keep_gap, cut_gap : Gap
        For another keep, and for another say.
    n : int
        Deals in all.
    seed : int
    score : tuple of int or None
        Stones of mano's side and of the other, where hands seek to win the game: a
        stone is then :data:`musodds.discards.CHANCE_PER_STONE` of a game.
    """

    policy: Policy
    start: str
    iterations: int
    wanted: float
    keep_gap: Gap
    cut_gap: Gap
    n: int
    seed: int
    score: tuple[int, int] | None = None

    @property
    def reached(self) -> bool:
        """Whether no hand was measured to gain more than was asked."""
        return max(self.keep_gap.gain, self.cut_gap.gain) <= self.wanted

    def to_csv(self) -> str:
        """The policy as CSV text; how it was made stands in comments on top."""
        game = self.policy.game.name
        option, note = "", ""
        one_round = "the round of mus visto" if self.policy.game.visto else "one round of mus"
        if self.score is not None:
            at = f"{self.score[0]}-{self.score[1]}"
            option = f"--score {at} "
            note = f", to win the game from {at} (a stone: {CHANCE_PER_STONE:.0%} of a game)"
        lines = [
            f"{game}: best response to itself, en paso, {one_round} for everybody{note}",
            f"made by: musodds policy solve --game {game} --gap {self.wanted:g} "
            f"{option}--seed {self.seed} (from {self.start}, {self.iterations} iterations)",
            f"n: {self.n} deals, seed: {self.seed}",
            f"another keep gains {self.keep_gap}",
        ]
        if self.policy.game.visto:
            lines.append("say, after the round of mus visto: cut where nothing would be changed")
        else:
            lines += [
                f"cutting for mus, or mus for cutting, gains {self.cut_gap}",
                "say: cut where the cards as dealt bring more than a round of mus in which "
                "everybody plays these keeps",
            ]
        return "".join(f"# {line}\n" for line in lines) + self.policy.to_csv()


def solve(
    game: str | Game = "mus",
    *,
    gap: float = GAP,
    start: str | Policy = "solo",
    seed: int = 1,
    workers: int = 1,
    report: Report | None = None,
    only: Sequence[str] | None = None,
    score: tuple[int, int] | None = None,
) -> Solution:
    """Solve a game for keeps, and for mus or cut.

    Parameters
    ----------
    game : str or Game, optional
    gap : float, optional
        Stones that no hand in any seat shall gain.
    start : str or Policy, optional
        The policy to start from; only its keeps matter.
    seed : int, optional
    workers : int, optional
        Threads. The digits do not depend on it.
    report : callable, optional
        Called with a line of text as the work goes on.
    only : sequence of str, optional
        Hands to solve for; the others keep what the first policy has them keep, and
        say mus.
    score : tuple of int, optional
        Stones of mano's side and of the other: every hand seeks to win the game
        instead of stones. A stone, as in ``gap``, is then 4 % of a game
        (:data:`musodds.discards.CHANCE_PER_STONE`).

    Returns
    -------
    Solution

    Raises
    ------
    InputError
        If an argument is not valid.
    """
    game = get_game(game)
    if not (isfinite(gap) and 1e-4 <= gap <= 10):
        raise InputError(f"gap is {gap}: it must be from 0.0001 to 10 stones")
    check_whole("seed", seed, 0, 2**63 - 1)
    check_whole("workers", workers, 1, 1024)
    first = get_policy(start, game)
    all_hands = hands(game)
    chosen = range(len(all_hands)) if only is None else sorted(map(all_hands.index, only))
    work = _Work(game, gap, seed, workers, tuple(chosen), score)
    tell = report or (lambda line: None)
    policy = replace(_sayable(first), name="best")
    iteration, changes, all_open = 0, 0, True
    while iteration < MOST_ITERATIONS:
        iteration += 1
        policy, changes, most = work.respond(policy, iteration)
        tell(f"iteration {iteration}: {changes} keeps change, gaining {most:.4f} at most")
        if most <= gap / 2 and all_open:
            break
        # Once they have settled, look again at keeps that were out of reach before.
        all_open = most <= gap / 2
        if all_open:
            work.reopen()
    if changes:
        # The alternatives to what was changed last are not those that were seen before.
        work.reopen()
        work.respond(policy, iteration)
    keep_gap = work.measure_keeps(policy)
    tell(f"another keep gains {keep_gap}")
    cut_gap = Gap(0.0, 0.0, 0, "", 0)
    if not game.visto:
        policy, cut_gap = work.decide(policy)
        tell(f"cutting for mus, or mus for cutting, gains {cut_gap}")
    return Solution(policy, first.name, iteration, gap, keep_gap, cut_gap, work.n, seed, score)


def gap_of(
    policy: str | Policy,
    *,
    game: str | Game = "mus",
    gap: float = GAP,
    seed: int = 1,
    workers: int = 1,
) -> Gap:
    """The most that another keep gains against a policy, everybody saying mus.

    Each hand's alternative is picked on some deals and measured on others.

    Parameters
    ----------
    policy : str or Policy
    game : str or Game, optional
    gap : float, optional
        How fine: gains are measured to a quarter of it, unless they stand out before.
    seed, workers : int, optional

    Returns
    -------
    Gap
    """
    game = get_game(game)
    found = _sayable(get_policy(policy, game))
    work = _Work(game, gap, seed, workers, tuple(range(len(hands(game)))))
    work.respond(found, 1)
    return work.measure_keeps(found)


def _keeping(policy: Policy, keep: NDArray[np.int8]) -> Policy:
    """Those keeps; who keeps all four cards, as in mus visto one may, cuts afterwards."""
    return replace(policy, keep=keep, cut=keep.sum(axis=2) == CARDS)


def _sayable(policy: Policy) -> Policy:
    """All say mus; a hand that throws nothing throws its last card, save in mus visto."""
    keep = policy.keep.copy()
    if not policy.game.visto:
        last = keep.shape[2] - 1 - np.argmax(keep[:, :, ::-1] > 0, axis=2)
        for seat, index in np.argwhere(keep.sum(axis=2) == CARDS):
            keep[seat, index, last[seat, index]] -= 1
    return _keeping(policy, keep)


class _Work:
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
        from musodds.worth import at_score

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
        with ThreadPoolExecutor(self.workers) as pool:
            return list(pool.map(function, self.places))

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
            if iteration <= _UNDAMPED or (index + seat + iteration) % 2:
                keep[seat - 1, index] = found.top[0]
                changes += 1
        return _keeping(policy, keep), changes, most

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
        blocks = 1
        sample = trial.run(self.seed, stream, 1)
        while not settled(sample):
            sample += trial.run(self.seed, stream + blocks, blocks)
            blocks *= 2
        return sample

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
