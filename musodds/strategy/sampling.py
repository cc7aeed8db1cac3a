"""Trying the keeps of a hand until those that may be the best are told apart."""

from __future__ import annotations

from math import ceil, sqrt

import numpy as np

from musodds.arrays import Floats
from musodds.errors import InputError
from musodds.simulation.given import Given
from musodds.simulation.runner import Goal, Total, run
from musodds.store.notices import Watcher
from musodds.strategy.advice import APART
from musodds.strategy.trials import BLOCK, Mixture, Part

MOST_DEALS = 10**10
_FIRST_BLOCKS = 4
_STEP = 64
"""Blocks that are added up by themselves. Changing it changes the last digits."""

_FEW = 1000
"""With fewer deals a standard error is not trusted."""


def sample(parts: tuple[Part, ...], given: Given, target_se: float, watch: Watcher | None) -> Total:
    """Play until it is enough: the total's sums are a Mixture.

    Parameters
    ----------
    parts : tuple of Part
        The hands that may be meant; a block here is a block of each.
    given : Given
    target_se : float
        Without a number of deals.
    watch : callable or None

    Raises
    ------
    InputError
        If nothing can be sampled, or the target takes too many deals.
    """
    size = BLOCK * len(parts)
    wanted = ceil((_FIRST_BLOCKS if given.n is None else ceil(given.n / BLOCK)) / len(parts))

    def play(first: int, deals: int) -> list[Mixture]:
        each = (
            part.trial.play(given.seed, part.first + first, deals // len(parts)) for part in parts
        )
        return [Mixture(parts, tuple(each))]

    def look(sums: Mixture, blocks: int) -> int:
        nonlocal wanted
        if blocks == wanted:
            _check(sums)
            if given.n is None:
                wanted += _blocks_missing(sums, target_se, blocks)
            if wanted * size > MOST_DEALS + size:
                raise InputError(
                    f"target_se {target_se} would take more than {MOST_DEALS} deals: ask for less"
                )
        return min(wanted, blocks + _STEP)

    def expected(sums: Mixture, deals: int) -> int:
        return wanted * size

    blocks = MOST_DEALS // size + 2 if given.n is None else wanted
    return run(play, size, Goal(blocks * size, look, expected), given.workers, watch=watch)


def _check(sums: Mixture) -> None:
    if sums.least < 2:
        raise InputError(
            f"policy {sums.parts[0].trial.policy.name}: the other players hardly ever all say mus, "
            "so there is nothing to discard; leave out learning from it"
        )


def _blocks_missing(sums: Mixture, target_se: float, blocks: int) -> int:
    """How many more blocks until the keeps that may be best are told apart well enough."""
    if sums.n < _FEW:
        return blocks
    mean, covariance = sums.estimates()
    if len(mean) == 1:
        worst = sqrt(covariance[0, 0])
    else:
        diff, error = to_best(mean, covariance)
        rank = np.argsort(-mean, kind="stable")
        close = -diff < APART * error
        close[rank[1]] = True
        worst = float(error[close].max())
    if worst <= target_se:
        return 0
    wanted = ceil(blocks * (worst / target_se) ** 2 * 1.05)
    # What is seen of the variance so far may be far off; do not run ahead of it.
    return min(wanted, 8 * blocks) - blocks


def first_choice(mean: Floats, covariance: Floats, own: int | None) -> int:
    """Which keep to take: the policy's own, unless another is better beyond chance.

    Whoever asks again, on other deals, is then told the same.

    Parameters
    ----------
    mean : ndarray of float64, shape (keeps,)
    covariance : ndarray of float64, shape (keeps, keeps)
    own : int or None
        The keep of the policy, if it is one of them.

    Examples
    --------
    >>> near, far = np.diag([1e-4, 1e-4]), np.diag([1e-6, 1e-6])
    >>> [first_choice(np.array([1.0, 1.01]), error, 0) for error in (near, far)]
    [0, 1]
    """
    best = int(mean.argmax())
    if own is None:
        return best
    behind, error = to_best(mean, covariance)
    return own if -behind[own] <= APART * error[own] else best


def to_best(mean: Floats, covariance: Floats, best: int | None = None) -> tuple[Floats, Floats]:
    """The difference of each to the best, or to the one taken for it, and its standard error."""
    best = int(mean.argmax()) if best is None else best
    variance = np.diag(covariance) + covariance[best, best] - 2 * covariance[best]
    variance[best] = 0
    return mean - mean[best], np.sqrt(np.maximum(variance, 0))
