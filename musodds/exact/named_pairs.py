"""What all hands of a deal are named as, seen from one of them: whole deals, not columns.

The showdowns of :mod:`musodds.exact.named_deals`, kept by the rivals' hands and by what
they, the partner's and the known hand are named.
"""

from __future__ import annotations

import numpy as np

from musodds.arrays import Exact, Ints, Mask, slices
from musodds.exact.named_deals import Showdowns, flat_namings, view_of
from musodds.exact.unseen import Unseen

_FITS = 62
# So many bits of a split's value and of a partner's weight leave their sum below 2**63.
_SLICE, _MATE_SLICE = 5, 18


class NamedPairs:
    """The deals from one seat, by the hands of the rivals and what is named.

    Parameters
    ----------
    unseen : Unseen
        Two sides of one or two players, with jokers.
    seat : int

    Attributes
    ----------
    first_class, second_class : ndarray of int64, shape (pairs,)
        The hand classes of the rivals; the same array for one rival.
    first, second, mine : ndarray of int64, shape (pairs,)
        What theirs and mine are named as, rows of :attr:`musodds.rules.hands.Hands.named`.
    weights : ndarray of object (int), shape (pairs,)
        Weight of the deals.
    mate_class, mate, mate_weights : ndarray
        The same of the partner's hands.
    total : int
        Weight of all deals that break no declaration.
    """

    def __init__(self, unseen: Unseen, seat: int) -> None:
        view = view_of(unseen, seat)
        self.unseen, self.seat = unseen, seat
        self._met = met = Showdowns(unseen, [view])
        start, naming_of = flat_namings(unseen.game)
        my_rows = naming_of[start[unseen.me] : start[unseen.me + 1]]
        named = met.named[0]
        options = view.options(unseen)
        if options is not None:
            my_rows = my_rows[options]
        # Which naming of the known hand is in which of our side's.
        order = {int(row): n for n, row in enumerate(my_rows)}
        mine = np.vectorize(order.__getitem__, otypes=[np.int64])(named[seat])
        pairs, sides = self._count(mine)
        hand, other, code = np.nonzero(pairs)
        self.weights = pairs[hand, other, code].astype(object)
        number = np.diff(start)
        held = met.held
        self.first_class = held[0][hand]
        self.second_class = held[-1][other] if unseen.rivals == 2 else self.first_class
        second_number = number[self.second_class] if unseen.rivals == 2 else np.ones_like(code)
        rest, second = np.divmod(code, second_number)
        mine_nth, first = np.divmod(rest, number[self.first_class])
        self.first = naming_of[start[self.first_class] + first]
        self.second = self.first
        if unseen.rivals == 2:
            self.second = naming_of[start[self.second_class] + second]
        self.mine: Ints | None = my_rows[mine_nth]
        self._set_mates(sides)

    def _count(self, mine: Ints) -> tuple[Exact, Exact]:
        from musodds.exact.kernels.named_pairs import count_named_pairs

        unseen, met = self.unseen, self._met
        fits = unseen.total.bit_length() <= _FITS
        shape = (*met.part.shape, 4), (len(unseen.mates), met.values.shape[2])
        pairs, sides = (np.zeros(size, dtype=np.int64 if fits else object) for size in shape)
        values = [(0, unseen.values)] if fits else slices(unseen.values, _SLICE)
        for shift, worth in values:
            ways = met.ways(worth)
            for mate_shift, times in self._times(fits):
                some = np.zeros(shape[0], dtype=np.int64)
                for i, available in enumerate(unseen.available):
                    ours = np.zeros(shape[1][1], dtype=np.int64)
                    count_named_pairs(
                        available, met.part, ways, times[i], mine[i], met.ours(i),
                        *met.theirs, some, ours,
                    )  # fmt: skip
                    sides[i] += ours.astype(sides.dtype) << (shift + mate_shift)
                pairs += some.astype(pairs.dtype) << (shift + mate_shift)
        return pairs, sides

    def _times(self, fits: bool) -> list[tuple[int, Ints]]:
        """The weights of the partner's hands, in as many slices as they need."""
        if fits:
            return [(0, self.unseen.mate_ways.astype(np.int64))]
        whole = self.unseen.mate_ways
        bits = max(int(ways).bit_length() for ways in whole)
        return [
            (shift, np.array([int(w) >> shift & (1 << _MATE_SLICE) - 1 for w in whole]))
            for shift in range(0, bits, _MATE_SLICE)
        ]

    def _set_mates(self, sides: Exact) -> None:
        mate, naming = np.nonzero(sides)
        self.mate_weights = sides[mate, naming].astype(object)
        self.mate_class = self.unseen.mates[mate]
        for seat in self.unseen.game.partners(self.seat):
            self.mate = self._met.named[0][seat][mate, naming]

    @property
    def total(self) -> int:
        """Weight of all deals that break no declaration."""
        return int(self.weights.sum())

    def sum(self, chosen: Mask) -> int:
        """Weight of the deals of some of the pairs."""
        return int(self.weights[chosen].sum())
