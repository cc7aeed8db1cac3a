"""What the strategies of a phase are worth, measured on fresh deals.

**What one player gains by changing alone.** His best response is found on half of the
deals and its gain measured on the other half, and the other way round: what that gains
is a lower bound for the best response, with an honest error. On the deals that it was
chosen by a response looks better than it is: the same with all deals at once is an
upper bound. The truth is between the two, and they meet as deals are added.

**What a side gains that sees both its hands**, the rivals' strategies being as they are,
is measured likewise, for sampled pairs of hands and sampled hands of the rivals.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats
from musodds.simulation.runner import Mapper
from musodds.solver.each_play import MEASURE, SIDES, Play
from musodds.store.notices import Watcher
from musodds.values import Value

HALF = 16
"""Blocks of deals in either half."""

SIDE_BLOCKS = 16
PAIR_DEALS = 1000
"""Deals of the rivals for a pair of hands, to choose by and as many to measure with."""


@dataclass(frozen=True, eq=False, repr=False)
class Measured(Value):
    """What was measured, per deal in which the phase is bet on.

    Attributes
    ----------
    deals : int
        In which the phase is bet on.
    contested, contested_se : float
        The share of all deals in which the phase is bet on.
    value, value_se : float
        Mano's side's worth of such a deal.
    over_passing, over_passing_se : float
        The same, less what it is worth if all pass.
    gains, gains_se, gains_most : ndarray of float64, shape (seats,)
        What each player gains by changing alone: what a response chosen on other deals
        gains, its standard error, and an upper bound.
    worth : ndarray of float64, shape (seats, classes, slots)
        What an action is worth to the *speaker's* side with each hand, if all play on by
        their strategies; NaN where the others never lead to the point.
    spoken : ndarray of float64, shape (points, most actions)
        The chance that an action is said.
    said_with : ndarray of float64, shape (seats, classes, slots)
        The chance that it is said, and said with this hand.
    """

    deals: int
    contested: float
    contested_se: float
    value: float
    value_se: float
    over_passing: float
    over_passing_se: float
    gains: Floats
    gains_se: Floats
    gains_most: Floats
    worth: Floats
    spoken: Floats
    said_with: Floats


def measure(
    play: Play,
    strategy: Floats,
    deals: int,
    each: Mapper = map,
    watcher: Watcher | None = None,
    again: int = 0,
) -> Measured:
    """Measure strategies on fresh deals.

    Parameters
    ----------
    play : Play
    strategy : ndarray of float64, shape (seats, classes, slots)
    deals : int
        In which the phase is bet on; rounded up to a multiple of 32.
    each : callable
        ``map``, or that of threads.
    watcher : callable, optional
    again : int
        Each number has deals of its own.
    """
    from musodds.solver.kernels.each_measuring import weigh

    tree, per = play.tree.arrays, -(-deals // (2 * HALF))
    most = tree.child.shape[1]

    def block(number: int) -> tuple[Floats, Floats, Floats, Floats]:
        found = np.empty(play.shape), np.zeros(play.shape), np.zeros((len(tree.seat), most))
        moments = np.zeros(4)
        weigh(
            play.stream(MEASURE + again * 2 * HALF + number), per, play.cards, tree, strategy,
            play.worth, play.kinds, play.desk(), *found, moments,
        )  # fmt: skip
        return *found, moments

    sums = np.empty((2 * HALF, *play.shape))
    weights, spoken = np.zeros(play.shape), np.zeros((len(tree.seat), most))
    moments = np.zeros((2 * HALF, 4))
    for i, (of_block, weight, said, some) in enumerate(each(block, range(2 * HALF))):
        sums[i], moments[i] = of_block, some
        weights += weight
        spoken += said
        if watcher:
            watcher((i + 1) * per, 2 * HALF * per)
    total = 2 * HALF * per
    gains, errors, most_gained = _gains(play, strategy, sums / per)
    tried, over, _, value = moments.sum(axis=0) / total
    _, spread, _, error = moments.std(axis=0, ddof=1) / per / sqrt(2 * HALF)
    return Measured(
        total, 1 / tried, sqrt(max(1 - 1 / tried, 0) / tried / (total * tried)),
        float(value), float(error), float(over), float(spread), gains, errors, most_gained,
        _worth(play, strategy, sums.sum(axis=0), weights), spoken / total,
        _said_with(play, strategy, weights / total),
    )  # fmt: skip


def _gains(play: Play, strategy: Floats, sums: Floats) -> tuple[Floats, Floats, Floats]:
    """What a best response of each player gains: on other deals, its error, at most."""
    seats = play.shape[0]
    gains, errors, most = np.zeros(seats), np.zeros(seats), np.zeros(seats)
    halves = (slice(None, HALF), slice(HALF, None))
    for seat in range(seats):
        found = []
        for known, fresh in (halves, halves[::-1]):
            response = best_response(play, seat, sums[known, seat].sum(axis=0))
            gained = [
                _brings(play, seat, response, some) - _brings(play, seat, strategy[seat], some)
                for some in sums[fresh, seat]
            ]
            found.append((np.mean(gained), np.var(gained, ddof=1) / HALF))
        gains[seat] = (found[0][0] + found[1][0]) / 2
        errors[seat] = sqrt(found[0][1] + found[1][1]) / 2
        whole = sums[:, seat].mean(axis=0)
        response = best_response(play, seat, whole)
        most[seat] = _brings(play, seat, response, whole) - _brings(
            play, seat, strategy[seat], whole
        )
    return gains, errors, most


def best_response(play: Play, seat: int, sums: Floats) -> Floats:
    """The best a player can do, given what each of his slots brings if said last.

    Parameters
    ----------
    play : Play
    seat : int
        From 0.
    sums : ndarray of float64, shape (classes, slots)

    Returns
    -------
    ndarray of float64, shape (classes, slots)
        1 for what is said.
    """
    rest, chosen = _sign(play, seat) * sums, np.zeros_like(sums)
    for slot, last, number in _own_points(play, seat):
        of_action = rest[:, slot : slot + number]
        best = of_action.argmax(axis=1)
        chosen[np.arange(len(best)), slot + best] = 1.0
        rest[:, last] += of_action.max(axis=1)
    return chosen


def _brings(play: Play, seat: int, strategy: Floats, sums: Floats) -> float:
    """What a player's strategy brings his side."""
    return float(_sign(play, seat) * _values(play, seat, strategy, sums)[:, 0].sum())


def _values(play: Play, seat: int, strategy: Floats, sums: Floats) -> Floats:
    """What each slot brings if it is said and the player plays on by his strategy."""
    rest = sums.copy()
    for slot, last, number in _own_points(play, seat):
        these = slice(slot, slot + number)
        rest[:, last] += (rest[:, these] * strategy[:, these]).sum(axis=1)
    return rest


def _own_points(play: Play, seat: int) -> list[tuple[int, int, int]]:
    """Slot, slot of the action before, and number of actions; later points first."""
    return [
        (point.slot, point.last[seat], len(point.actions))
        for point in reversed(play.tree.points)
        if point.seat == seat + 1
    ]


def _sign(play: Play, seat: int) -> int:
    return 1 - 2 * play.tree.game.side(seat + 1)


def _worth(play: Play, strategy: Floats, sums: Floats, weights: Floats) -> Floats:
    found = np.full(play.shape, np.nan)
    for seat in range(play.shape[0]):
        values = _values(play, seat, strategy[seat], sums[seat])
        for slot, _, number in _own_points(play, seat):
            these, weight = slice(slot, slot + number), weights[seat, :, slot, None]
            known = weight > 0
            mine = values[:, these] / np.where(known, weight, 1)
            if _sign(play, seat) < 0:
                mine = play.total - mine
            found[seat, :, these] = np.where(known, mine, np.nan)
    return found


def _said_with(play: Play, strategy: Floats, weights: Floats) -> Floats:
    """The chance of each hand and slot, from the chance that the *others* lead there."""
    own, found = np.zeros(play.shape), np.zeros(play.shape)
    own[:, :, 0] = 1.0
    for point in play.tree.points:
        seat, these = point.seat - 1, slice(point.slot, point.slot + len(point.actions))
        before = own[seat, :, point.last[seat], None]
        own[seat, :, these] = before * strategy[seat, :, these]
        found[seat, :, these] = weights[seat, :, point.slot, None] * own[seat, :, these]
    return found


@dataclass(frozen=True, slots=True)
class SideGain:
    """What a side gains that sees both its hands, per deal in which the phase is bet on.

    Parameters
    ----------
    gain, se : float
        What a response chosen on other deals gains, and its standard error.
    most, most_se : float
        The same on the deals that it was chosen by: an upper bound.
    pairs : int
        Pairs of hands it was measured with.
    """

    gain: float
    se: float
    most: float
    most_se: float
    pairs: int


def measure_side(
    play: Play, strategy: Floats, side: int, pairs: int, each: Mapper = map
) -> SideGain:
    """What a side would gain that sees both its hands, against the rivals' strategies.

    Parameters
    ----------
    play : Play
    strategy : ndarray of float64, shape (seats, classes, slots)
    side : int
        0: mano's.
    pairs : int
        Pairs of hands; rounded up to a multiple of 16.
    each : callable
        ``map``, or that of threads.
    """
    from musodds.solver.kernels.each_measuring import gain_of_side

    tree, per = play.tree.arrays, -(-pairs // SIDE_BLOCKS)
    place, last = _side_places(play)

    def block(number: int) -> Floats:
        scratch = np.zeros((2, 2, int(place[-1] + tree.number[-1])))
        found = np.zeros(4)
        gain_of_side(
            side, play.stream(SIDES + number + side * SIDE_BLOCKS), per, PAIR_DEALS,
            play.cards, tree, strategy, play.worth, play.kinds, play.desk(), place, last,
            scratch, found,
        )  # fmt: skip
        return found

    total = per * SIDE_BLOCKS
    most, most_square, gain, square = sum(each(block, range(SIDE_BLOCKS)), np.zeros(4)) / total

    def error(mean: float, square: float) -> float:
        return sqrt(max(square - mean**2, 0.0) / (total - 1))

    return SideGain(float(gain), error(gain, square), float(most), error(most, most_square), total)


def _side_places(play: Play) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """See :func:`musodds.solver.kernels.each_measuring.walk_against`."""
    points = play.tree.points
    numbers = [len(point.actions) for point in points]
    place = 1 + np.concatenate(([0], np.cumsum(numbers)[:-1])).astype(np.int64)
    last = np.zeros((len(points), 2), dtype=np.int64)
    for i, point in enumerate(points):
        side = play.tree.game.side(point.seat)
        for action, after in enumerate(point.children):
            if after >= 0:
                last[after] = last[i]
                last[after, side] = place[i] + action
    return place, last
