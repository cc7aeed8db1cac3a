"""Mus or cut: what each hand gains by saying it among players of a policy.

Saying mus with a hand changes something only where all the others say it too. So what mus
gains on cutting, its *lead*, is asked of those deals alone. Where the others always say mus
these are all deals, and the cards as dealt are worth what was counted exactly.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from musodds.simulation.policies import Policy
from musodds.strategy.best_response import APART, FEW, Place, Work, worn_out
from musodds.strategy.solution import Gap, Step
from musodds.strategy.trials import Sample

_CLEAR = 6.0
"""Standard errors by which a say stands out so far that nothing can be gained by the other."""

_BLOCKS = 4
"""Blocks of fresh deals on which a change is measured."""


@dataclass(frozen=True)
class Lead:
    """What mus gains on cutting, where all the others say mus.

    Attributes
    ----------
    gain, gain_se : float
        Stones; ``gain_se`` is infinite where the others hardly ever agree.
    share : float
        How often they do.
    n : int
        Deals.
    """

    gain: float
    gain_se: float
    share: float
    n: int


def lead(
    work: Work, policy: Policy, place: Place, purpose: int, fine: float, blocks: int | None = None
) -> Lead:
    """What mus gains with a hand that keeps what the policy says, among its players.

    Parameters
    ----------
    work : Work
    policy : Policy
    place : tuple of int
    purpose : int
        Of the stream.
    fine : float
        Stones a deal: go on until the lead stands out or is known so well.
    blocks : int, optional
        Play so many instead.
    """
    seat, index = place
    current = policy.keep[seat - 1, index].astype(np.int64)
    others = np.delete(policy.cut, seat - 1, axis=0)
    if others.all(axis=1).any():
        return Lead(0.0, float("inf"), 0.0, 0)
    agreed = bool(others.any())
    trial = work.trial(policy, place, current[None], agreed)
    exact = None if agreed else work.as_dealt(place)

    def found(sample: Sample) -> Lead:
        share = float(sample.number[1] / sample.number[0])
        if sample.n < FEW:
            return Lead(0.0, float("inf"), share, sample.n)
        if agreed:
            return Lead(*sample.lead(), share, sample.n)
        gain, error = sample.gain_of_mus(exact)
        return Lead(float(gain[0]), float(error[0]), share, sample.n)

    def settled(sample: Sample) -> bool:
        if sample.n < FEW or worn_out(sample):
            return worn_out(sample)
        now = found(sample)
        return now.gain_se * now.share <= fine or abs(now.gain) > APART * now.gain_se

    stream = work.stream(place, purpose)
    if blocks is not None:
        return found(trial.run(work.seed, stream, blocks))
    return found(work.until(trial, stream, settled))


def answer(work: Work, policy: Policy, fine: float, purpose: int) -> tuple[Policy, list[Lead]]:
    """Every hand's best say among players of a policy, and what was found for every place.

    Where the others hardly ever agree, it cuts.
    """
    leads = work.each(lambda place: lead(work, policy, place, purpose, fine))
    cut = policy.cut.copy()
    for (seat, index), found in zip(work.places, leads, strict=True):
        work.n += found.n
        cut[seat - 1, index] = found.gain <= 0
    return replace(policy, cut=cut), leads


def say_gap(
    work: Work, below: Policy, cut: NDArray[np.bool_], leads: list[Lead], fine: float
) -> Gap:
    """The most that the other say gains for a hand, per deal in which it may speak, on fresh deals.

    Hands whose say stood out clearly are left out.
    """
    known = dict(zip(work.places, leads, strict=True))

    def measure(place: Place) -> tuple[float, float, int]:
        was = known[place]
        if was.n < FEW or abs(was.gain) > _CLEAR * was.gain_se:
            return 0.0, 0.0, 0
        found = lead(work, below, place, work.CHECK, fine)
        sign = 1 if cut[place[0] - 1, place[1]] else -1
        return sign * found.gain * found.share, found.gain_se * found.share, found.n

    return work.widest(measure)


def step_gain(work: Work, below: Policy, above: Policy, purpose: int) -> tuple[Step, ...]:
    """What each seat gains a deal if it alone says what ``above`` says, all else as ``below``.

    Measured on deals other than those on which ``above`` was found.
    """
    ways = work.hands.ways / work.hands.ways.sum()
    changed = below.cut != above.cut

    def measure(place: Place) -> tuple[float, float, int]:
        seat, index = place
        if not changed[seat - 1, index]:
            return 0.0, 0.0, 0
        found = lead(work, below, place, purpose, 0.0, _BLOCKS)
        if found.n < FEW:
            return 0.0, 0.0, found.n
        sign = -1 if above.cut[seat - 1, index] else 1
        return sign * found.gain * found.share, found.gain_se * found.share, found.n

    gains = work.each(measure)
    steps = []
    for seat in range(1, work.game.seats + 1):
        gain = variance = widest = 0.0
        hand = ""
        for (at, index), (more, error, n) in zip(work.places, gains, strict=True):
            if at != seat:
                continue
            work.n += n
            gain += ways[index] * more
            variance += (ways[index] * error) ** 2
            if more > widest:
                widest, hand = more, work.hands.texts[index]
        steps.append(Step(seat, float(gain), sqrt(variance), hand, widest))
    return tuple(steps)
