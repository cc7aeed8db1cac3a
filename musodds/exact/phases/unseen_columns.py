"""The columns of an odds table under any knowledge, phase by phase."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from musodds.arrays import Exact, Floats, Ints
from musodds.exact.phases.columns import from_counts
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
                columns = [_columns(unseen, seat, phase) for phase in PHASES]
                found[seat] = np.array(columns, dtype=object)
    return found


def _columns(unseen: Unseen, seat: int, phase: str) -> list[int]:
    """The columns of :func:`columns_of` for one seat and phase, as counts."""
    game, all_hands = unseen.game, unseen.hands
    side, unanimous = Side(unseen, seat, phase), phase in UNANIMOUS
    codes = np.maximum.reduce(unseen.codes(phase, rivals_in_order(game, seat)))
    # Below n are the codes of hands that take no part.
    limits = np.maximum(side.codes, game.seats)
    values, everything = unseen.values, unseen.deals
    if unanimous:
        level = all_hands.level[phase]
        values = values * ((level[unseen.first] > 0) & (level[unseen.second] > 0))
    stones = None
    if phase in all_hands.stones:
        theirs = values * _rival_stones(unseen, seat, phase)
        stones = side.stones, unseen.sums(theirs) - unseen.below(codes, theirs, limits)
    counts = from_counts(
        phase,
        everything,
        playing=side.all_in if unanimous else side.some_in,
        meeting=unseen.sums(values if unanimous else values * (codes >= game.seats)),
        below=unseen.below(codes, values, limits),
        mine=side.mine,
        stones=stones,
        worst=None if game.stones is None else _worst(unseen, seat, phase, values),
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
    return unseen.below(np.maximum.reduce(codes), values, own)


def _rival_stones(unseen: Unseen, seat: int, phase: str) -> Ints:
    """Stones that the rivals take if they take the phase, for each split."""
    stones = unseen.hands.stones[phase]
    first, second = stones[unseen.first], stones[unseen.second]
    if unseen.rivals == 1:
        return first
    if unseen.game.side_size == 2:
        both: Ints = first + second
        return both
    one, other = unseen.codes(phase, rivals_in_order(unseen.game, seat))
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
