"""The columns of an odds table under any knowledge, phase by phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from musodds.arrays import Exact, Floats, Ints
from musodds.exact.phases.columns import from_counts
from musodds.exact.rival_pairs import Order
from musodds.exact.unseen import Unseen
from musodds.rules.game import PHASES, UNANIMOUS, rivals_in_order
from musodds.rules.hands import codes_of, reversed_levels


def counts_by_seat(shared: Mapping[int, Unseen]) -> dict[int, Exact]:
    """The counts of every column from each seat, shape (phases, columns)."""
    found: dict[int, Exact] = {}
    for unseen in {id(one): one for one in shared.values()}.values():
        alike = [seat for seat, one in shared.items() if one is unseen]
        if unseen.hands.has_jokers:
            from musodds.exact.named_deals import view_of
            from musodds.exact.phases.named_columns import named_columns

            counts = named_columns(unseen, [view_of(unseen, seat) for seat in alike])
            found.update(zip(alike, counts, strict=True))
        else:
            for seat in alike:
                phases = [_Phase(unseen, seat, phase) for phase in PHASES]
                sums = iter(unseen.sums(*(values for phase in phases for values in phase.asked)))
                columns = [phase.columns([next(sums) for _ in phase.asked]) for phase in phases]
                found[seat] = np.array(columns, dtype=object)
    return found


class _Phase:
    """The columns of :func:`columns_of` for one seat and phase, as counts.

    Attributes
    ----------
    asked : list of ndarray of float64 (integers), shape (pairs,)
        What is to be summed over all deals; all phases together, which is sooner done.
    """

    def __init__(self, unseen: Unseen, seat: int, phase: str) -> None:
        game, level = unseen.game, unseen.hands.level[phase]
        self.unseen, self.seat, self.phase = unseen, seat, phase
        self.order = unseen.pairs.order(phase, rivals_in_order(game, seat))
        self.values = unseen.values
        # Below n are the codes of hands that take no part.
        idle = None if phase in UNANIMOUS else self.order.codes < game.seats
        if idle is None:
            both = (level[unseen.first] > 0) & (level[unseen.second] > 0)
            self.values = meeting = self.values * both
        else:
            meeting = self.values * ~idle
        self.asked = [meeting]
        if phase in unseen.hands.stones:
            self.asked.append(self.values * _rival_stones(unseen, seat, phase))

    def columns(self, sums: Sequence[Exact]) -> list[int]:
        """The columns, from the sums of what was asked."""
        unseen, phase, values = self.unseen, self.phase, self.values
        side = Side(unseen, self.seat, phase)
        limits = np.maximum(side.codes, unseen.game.seats)
        below = unseen.below(self.order, limits, values, *self.asked[1:])
        counts = from_counts(
            phase,
            unseen.deals,
            playing=side.all_in if phase in UNANIMOUS else side.some_in,
            meeting=sums[0],
            below=below[0],
            mine=side.mine,
            stones=(side.stones, sums[1] - below[1]) if sums[1:] else None,
            worst=None if unseen.game.stones is None else _worst(unseen, self.seat, phase, values),
        )
        return [unseen.over_mates(count) for count in counts]


def _worst(unseen: Unseen, seat: int, phase: str, values: Floats) -> Exact:
    """Weight of the deals in which no rival is worse, for each hand of the partner."""
    game, all_hands = unseen.game, unseen.hands
    reverse = reversed_levels(all_hands.level[phase]) * game.seats
    # Of equals the last from mano is the worst.
    codes = [
        (reverse + other - 1)[held]
        for other, held in zip(
            rivals_in_order(game, seat), (unseen.first, unseen.second), strict=False
        )
    ]
    own = np.full(len(unseen.mates), reverse[unseen.me] + seat - 1)
    order = Order(np.maximum.reduce(codes), unseen.part_of)
    return unseen.below(order, own, values)[0]


def _rival_stones(unseen: Unseen, seat: int, phase: str) -> Ints:
    """Stones that the rivals take if they take the phase, for each split."""
    stones = unseen.hands.stones[phase]
    first, second = stones[unseen.first], stones[unseen.second]
    if unseen.rivals == 1:
        return first
    if unseen.game.side_size == 2:
        both: Ints = first + second
        return both
    one, other = unseen.pairs.codes(phase, rivals_in_order(unseen.game, seat))
    return np.where(one > other, first, second)


class Side:
    """My side in one phase, for each hand of the partner.

    Attributes
    ----------
    codes : ndarray of int64, shape (mates,)
        Code of the better hand.
    mine : ndarray of bool, shape (mates,)
        Whether it is my own.
    some_in, all_in : ndarray of bool, shape (mates,)
        Whether one, or every one, of us takes part.
    stones : ndarray of int64, shape (mates,)
        What both hands bring if the side takes the phase (pares, juego).
    """

    def __init__(self, unseen: Unseen, seat: int, phase: str) -> None:
        game, all_hands, me = unseen.game, unseen.hands, unseen.me
        level = all_hands.level[phase]
        own = codes_of(all_hands, phase, seat)[me]
        mates = unseen.mates
        self.codes = np.full(len(mates), own)
        self.mine = np.ones(len(mates), dtype=bool)
        self.some_in = self.all_in = np.full(len(mates), level[me] > 0)
        own_stones = all_hands.stones.get(phase, np.zeros_like(level))
        self.stones = np.full(len(mates), own_stones[me])
        for partner in game.partners(seat):
            theirs = codes_of(all_hands, phase, partner)[mates]
            self.mine = own > theirs
            self.codes = np.maximum(own, theirs)
            self.some_in = self.some_in | (level[mates] > 0)
            self.all_in = self.all_in & (level[mates] > 0)
            self.stones = self.stones + own_stones[mates]
