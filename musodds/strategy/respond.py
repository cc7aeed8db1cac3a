"""The best response of one player, or of two partners, to a table of policies.

A seat answers what all the others do: of every hand the best keep where all of them say mus,
and mus where that brings more than the cards as dealt. Two partners answer by turns, each what
the other has come to, until neither changes anything: no change of one alone gains any more.
Every gain is measured on deals other than those on which the answer was found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isfinite, sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.errors import InputError
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.simulation.given import given
from musodds.simulation.named_policies import NO_LEVELS, get_policy, per_seat
from musodds.simulation.policies import Policy
from musodds.strategy.best_response import FEW, Place, Work
from musodds.strategy.say import Lead, lead
from musodds.strategy.solution import Gap
from musodds.strategy.trials import Sample
from musodds.values import Table

GAP = 0.02
"""Stones: how fine, unless something else is asked."""

MOST_TURNS = 8

_BLOCKS = 4

Report = Callable[[str], None]


@dataclass(frozen=True, eq=False, repr=False)
class Response(Table):
    """What a seat or a side does best against others, and what it gains.

    Attributes
    ----------
    against : Policy
        What everybody did.
    policy : Policy
        The same, but that the seats that answer do.
    seats : tuple of int
        Who answers.
    gain, gain_se : float
        Net stones of their side, a deal, on what they did.
    hand_gain : ndarray of float64, shape (seats, classes)
        What each hand gains, given that it is dealt, by all answers of its seat.
    gap : Gap
        The most that another keep gains for a hand, where all the others say mus.
    turns : int
        Answers it took.
    settled : bool
        Whether in the end nobody who answers had anything to change.
    n : int
        Deals in all.
    seed : int
    """

    against: Policy
    policy: Policy
    seats: tuple[int, ...]
    gain: float
    gain_se: float
    hand_gain: NDArray[np.float64]
    gap: Gap
    turns: int
    settled: bool
    n: int
    seed: int

    method = "monte-carlo"

    def rows(self) -> list[dict[str, Any]]:
        """A dict for every hand and seat that answers: what it did, what is best, the gain."""
        found = []
        for seat in self.seats:
            for index, text in enumerate(hands(self.policy.game).texts):
                found.append(
                    {
                        "hand": text,
                        "seat": seat,
                        "keep": self.policy.keep_text(seat, index),
                        "say": _say(self.policy, seat, index),
                        "keep_before": self.against.keep_text(seat, index),
                        "say_before": _say(self.against, seat, index),
                        "gain": float(self.hand_gain[seat - 1, index]),
                    }
                )
        return found

    def to_csv(self) -> str:
        """The policy of the whole table as CSV text, with comments on top."""
        who = (
            f"seat {self.seats[0]}"
            if len(self.seats) == 1
            else "seats " + " and ".join(map(str, self.seats))
        )
        lines = [
            f"{self.policy.game.name}: best response of {who} to {self.against.name}; the other "
            "seats as there",
            f"gains {self.gain:z.4f} stones a deal (standard error {self.gain_se:.4f})",
            f"after a mus that the others agreed to, another keep gains {self.gap}",
            f"n: {self.n} deals, seed: {self.seed}",
        ]
        return "".join(f"# {line}\n" for line in lines) + self.policy.to_csv()


def _say(policy: Policy, seat: int, index: int) -> str:
    return "mus" if policy.says_mus(seat, index) else "cut"


def respond(
    against: str | Path | Policy | Sequence[str | Path | Policy] = "best",
    *,
    game: str | Game = "mus",
    seat: int | str | None = None,
    side: int | None = None,
    gap: float = GAP,
    seed: int = 1,
    workers: int | None = 1,
    report: Report | None = None,
    only: Sequence[str] | None = None,
) -> Response:
    """The best response of one seat, or of a side, to what the others do.

    Parameters
    ----------
    against : str, Path, Policy or sequence of them, optional
        What everybody does now: one policy, or one for each seat from mano on.
    game : str or Game, optional
    seat : int or str, optional
        Who answers; mano unless a side does.
    side : int, optional
        1 (mano's) or 2: all its players answer, by turns, until none changes anything.
    gap : float, optional
        Stones: keeps are told apart to a quarter of it.
    seed : int, optional
    workers : int, optional
        Threads, on which the digits do not depend; None: one for each core.
    report : callable, optional
        Called with a line of text as the work goes on.
    only : sequence of str, optional
        Hands that answer; with the others nothing changes.

    Returns
    -------
    Response

    Raises
    ------
    InputError
        If an argument is not valid.
    """
    game = get_game(game)
    if not (isfinite(gap) and 1e-4 <= gap <= 10):
        raise InputError(f"gap is {gap}: it must be from 0.0001 to 10 stones")
    if game.visto:
        raise InputError(f"in {game.name} nobody answers a mus: {NO_LEVELS}")
    _, _, seed, crew = given(seed=seed, workers=workers)
    seats = _seats(game, seat, side)
    first = _table(against, game)
    all_hands = hands(game)
    chosen = range(len(all_hands)) if only is None else sorted(map(all_hands.index, only))
    tell = report or (lambda line: None)
    run = _Turns(game, gap, seed, crew, tuple(chosen), tell)
    return run.all(first, seats)


def _table(against: str | Path | Policy | Sequence[str | Path | Policy], game: Game) -> Policy:
    if isinstance(against, str | Path | Policy):
        return get_policy(against, game)
    if len(against) == 1:
        return get_policy(against[0], game)
    return per_seat([get_policy(one, game) for one in against], game)


def _seats(game: Game, seat: int | str | None, side: int | None) -> tuple[int, ...]:
    if side is None:
        seats = game.parse_seats(1 if seat is None else seat)
        if len(seats) > 1:
            raise InputError("one seat answers, or a side: say seat 1 or side 1")
        return seats
    if seat is not None:
        raise InputError("either a seat answers or a side: give one of the two")
    if side not in range(1, game.sides + 1):
        raise InputError(f"side is {side}: it must be from 1 (mano's) to {game.sides}")
    return tuple(s for s in range(1, game.seats + 1) if game.side(s) == side - 1)


class _Turns:
    """Answers by turns."""

    def __init__(
        self, game: Game, gap: float, seed: int, crew: int, chosen: tuple[int, ...],
        tell: Report,
    ) -> None:  # fmt: skip
        self.work = Work(game, gap, seed, crew, chosen, agreed=True)
        self.tell = tell
        self.chosen = chosen
        self.hand_gain = np.zeros((game.seats, len(self.work.hands)))

    def all(self, first: Policy, seats: tuple[int, ...]) -> Response:
        policy, total, variance, turns, still = first, 0.0, 0.0, 0, 0
        work = self.work
        while still < len(seats) and turns < MOST_TURNS * len(seats):
            seat = seats[turns % len(seats)]
            turns += 1
            work.places = [(seat, index) for index in self.chosen]
            # Every turn has deals of its own.
            work.turn = turns
            after = self._answer(policy, seat)
            each, gain, error = self._gain(policy, after)
            changed = int(
                ((after.keep != policy.keep).any(axis=2) | (after.cut != policy.cut)).sum()
            )
            hands_change = "1 hand changes" if changed == 1 else f"{changed} hands change"
            self.tell(f"seat {seat}: {hands_change}, gaining {gain:z.4f} stones a deal")
            # What gains nothing is not changed, so that the turns come to an end.
            still = 0 if gain > max(2 * error, 1e-4) else still + 1
            if still == 0 or turns <= len(seats):
                policy = after
                self.hand_gain[seat - 1, list(self.chosen)] += each
                total, variance = total + gain, variance + error**2
            if len(seats) == 1:
                still = 1
        work.places = [(seat, index) for seat in seats for index in self.chosen]
        gap = work.measure_keeps(policy)
        named = replace(policy, name=f"response to {first.name}")
        return Response(
            first, named, seats, total, sqrt(variance), self.hand_gain, gap, turns,
            still >= len(seats), work.n, work.seed,
        )  # fmt: skip

    def _answer(self, policy: Policy, seat: int) -> Policy:
        """What a seat does best against the others of a policy."""
        work = self.work
        work.reopen()
        kept, _, _ = work.respond(policy, 1)
        leads = work.each(lambda place: lead(work, kept, place, work.DECIDE, work.gap / 3))
        cut = policy.cut.copy()
        for (_, index), found in zip(work.places, leads, strict=True):
            work.n += found.n
            if found.n >= FEW:
                cut[seat - 1, index] = found.gain <= 0
        return replace(kept, cut=cut)

    def _gain(self, before: Policy, after: Policy) -> tuple[NDArray[np.float64], float, float]:
        """What each hand of a seat and the seat gain by its answer, on fresh deals; the error."""
        work = self.work
        gains = work.each(lambda place: self._hand_gain(before, after, place))
        work.n += sum(found.n for found in gains)
        weight = work.hands.ways[list(self.chosen)] / work.hands.ways.sum()
        each = np.array([found.gain for found in gains])
        errors = np.array([found.gain_se for found in gains])
        return each, float(weight @ each), float(sqrt(weight**2 @ errors**2))

    def _hand_gain(self, before: Policy, after: Policy, place: Place) -> Lead:
        """What a hand gains, given that it is dealt."""
        seat, index = place
        old, new = before.says_mus(seat, index), after.says_mus(seat, index)
        keeps = np.stack([p.keep[seat - 1, index] for p in (after, before)]).astype(np.int64)
        same = bool((keeps[0] == keeps[1]).all())
        if (not old and not new) or (old and new and same):
            return Lead(0.0, 0.0, 1.0, 0)
        trial = self.work.trial(before, place, keeps[:1] if same else keeps, True)
        stream = self.work.stream(place, self.work.CHECK)
        sample = trial.run(self.work.seed, stream, _BLOCKS)
        if sample.n < FEW:
            return Lead(0.0, 0.0, 0.0, sample.n)
        share = float(sample.number[1] / sample.number[0])
        gain, error = _change(sample, old, new)
        return Lead(gain * share, error * share, share, sample.n)


def _change(sample: Sample, old: bool, new: bool) -> tuple[float, float]:
    """What the new say with the first keep gains on the old with the last, and its error."""
    size = len(sample.net)
    vector = np.zeros(size)
    if new:
        vector[0] += 1
        vector[-1] -= 1
    if old:
        vector[max(size - 2, 0)] -= 1
        vector[-1] += 1
    mean = float(vector @ sample.net) / sample.n
    products = sample.products + np.tril(sample.products, -1).T
    square = float(vector @ products @ vector) / sample.n
    return mean, sqrt(max(square - mean**2, 0) / (sample.n - 1))
