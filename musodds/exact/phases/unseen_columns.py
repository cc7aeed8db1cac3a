"""The columns of an odds table under any knowledge, phase by phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np

from musodds.arrays import Exact
from musodds.exact.phases.columns import from_counts
from musodds.exact.rival_pairs import RivalPhase, worst_codes
from musodds.exact.unseen import Unseen
from musodds.rules.game import PHASES, UNANIMOUS, rivals_in_order
from musodds.rules.hands import codes_of


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
                rivals = rivals_in_order(unseen.game, seat)
                met = [unseen.pairs.phase(phase, rivals) for phase in PHASES]
                asked = [[one.meeting, *([one.stones] if one.stones else [])] for one in met]
                sums = iter(unseen.sums(*chain(*asked)))
                columns = [
                    _columns(unseen, seat, phase, one, [next(sums) for _ in values])
                    for phase, one, values in zip(PHASES, met, asked, strict=True)
                ]
                found[seat] = np.array(columns, dtype=object)
    return found


def _columns(
    unseen: Unseen, seat: int, phase: str, rivals: RivalPhase, sums: Sequence[Exact]
) -> list[int]:
    """The columns of :func:`columns_of` for one seat and phase, as counts.

    ``sums`` are those over all deals in which rivals take part, and of their stones.
    """
    side = Side(unseen, seat, phase)
    limits = np.maximum(side.codes, unseen.game.seats)
    below, *taken = unseen.below(limits, rivals.values, *([rivals.stones] if rivals.stones else []))
    counts = from_counts(
        phase,
        unseen.deals,
        playing=side.all_in if phase in UNANIMOUS else side.some_in,
        meeting=sums[0],
        below=below,
        mine=side.mine,
        stones=(side.stones, sums[1] - taken[0]) if taken else None,
        worst=None if unseen.game.stones is None else _worst(unseen, seat, phase, rivals),
    )
    return [unseen.over_mates(count) for count in counts]


def _worst(unseen: Unseen, seat: int, phase: str, rivals: RivalPhase) -> Exact:
    """Weight of the deals in which no rival is worse, for each hand of the partner."""
    assert rivals.worst is not None, "only a game of Encaje has a worst hand"
    own = worst_codes(unseen.hands, phase, seat)[unseen.me]
    return unseen.below(np.full(len(unseen.mates), own), rivals.worst)[0]


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
