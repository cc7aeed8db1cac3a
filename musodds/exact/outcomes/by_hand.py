"""What a deal comes to for every hand in a seat, all phases together.

The counts of :mod:`musodds.exact.outcomes.outcomes` for all hands at once, nothing
known of the others: what a hand is worth at a score, hand by hand, and what a deal
brings before cards are seen. Both sides' cards are then parts of the deck, and each
part of ours meets all of theirs once. The counts are kept on disk.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats, Ints, Mask
from musodds.exact.outcomes.outcomes import (
    Outcomes,
    Splits,
    by_part,
    mates_of,
    outcomes_of_counts,
    rivals_stones,
)
from musodds.exact.scope import check_together
from musodds.exact.splits import rivals
from musodds.rules.game import Game, rivals_in_order
from musodds.rules.hands import hands, lane_codes, own_stones
from musodds.rules.shown import shown_hands
from musodds.rules.ways import choose
from musodds.store.cache import cached, is_kept
from musodds.store.notices import step
from musodds.store.numbers import digest

# Rows of A worked on at once: bounds the memory.
_ROWS = 512

Barred = Mapping[int, Sequence[int]]
"""Hand classes that a seat does not hold."""


@dataclass(frozen=True, eq=False)
class ByHand:
    """Outcomes for every hand in a seat.

    Attributes
    ----------
    game : Game
    seat : int
    counts : ndarray of int64, shape (classes, mates, 16, kinds)
        Deals of the other players, by the partner's own stones, who takes what (see
        :func:`musodds.exact.kernels.outcomes.count_outcomes`), and the rivals' own stones.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> game = get_game("mus2p")
    >>> found = outcomes_by_hand(game, 1)
    >>> found.of(hands(game).index("RR7A")).total  # hands of the rival: C(36, 4)
    58905
    """

    game: Game
    seat: int
    counts: Ints

    def of(self, index: int) -> Outcomes:
        """The outcomes of one hand class."""
        own = own_stones(hands(self.game))[index] + mates_of(self.game)[0]
        return outcomes_of_counts(self.game, self.seat, own, self.counts[index])

    def all(self) -> Outcomes:
        """The outcomes of a deal in which no hand is known."""
        kinds, which = self._own
        counts = np.zeros((len(kinds), *self.counts.shape[2:]), dtype=np.int64)
        for kind in range(len(kinds)):
            h, mate = np.nonzero(which == kind)
            # Four hands out of 40 cards can be dealt in 3.96e18 ways: 63 bits hold it.
            counts[kind] = np.tensordot(hands(self.game).ways[h], self.counts[h, mate], 1)
        return outcomes_of_counts(self.game, self.seat, kinds, counts)

    @cached_property
    def possible(self) -> Outcomes:
        """Every outcome that any hand could have, with weight 1."""
        shape = (len(self._own[0]), *self.counts.shape[2:])
        return outcomes_of_counts(self.game, self.seat, self._own[0], np.ones(shape, dtype=int))

    def sums(self, values: Floats | Mask) -> Floats:
        """Σ of a value over the deals of each hand, shape (classes,).

        Parameters
        ----------
        values : ndarray of float64 or bool, shape (outcomes,)
            A value for each outcome of :attr:`possible`.
        """
        by_own = values.reshape(len(self._own[0]), -1)
        found = np.zeros(len(self.counts))
        for mate, own in enumerate(self._own[1].T):
            of_mate = self.counts[:, mate].reshape(len(found), -1)
            found += np.einsum("hi,hi->h", of_mate, by_own[own])
        return found

    @cached_property
    def _own(self) -> tuple[Ints, Ints]:
        """My side's own stones that may be, and which they are: shape (classes, mates)."""
        own = own_stones(hands(self.game))[:, None] + mates_of(self.game)[0]
        kinds, which = np.unique(own.reshape(-1, 2), axis=0, return_inverse=True)
        return kinds, which.reshape(own.shape[:2])


@lru_cache(maxsize=4)
def outcomes_by_hand(game: Game, seat: int) -> ByHand:
    """The outcomes of every hand in a seat, nothing known of the others.

    Nobody holds a hand that would have been shown and replaced before.

    Raises
    ------
    GameError
        If the game has not two sides of one or two players, or has jokers.
    """
    check_together(game)
    shown = shown_hands(game)
    barred = dict.fromkeys(range(1, game.seats + 1), shown)
    name = _name(game, seat)
    what = f"counting every hand of seat {seat} in {game.name}, all phases together"
    shape = len(hands(game)), len(mates_of(game)[0]), 16, len(rivals_stones(game)[0])
    counts = cached(name, lambda: count_by_hand(game, seat, barred).counts, shape=shape, what=what)
    return ByHand(game, seat, counts)


def were_counted(game: Game, seat: int) -> bool:
    """Whether :func:`outcomes_by_hand` has kept its counts on this computer."""
    return is_kept(_name(game, seat))


def _name(game: Game, seat: int) -> str:
    return f"outcomes-{digest(game)}-seat{seat}"


def count_by_hand(game: Game, seat: int, barred: Barred | None = None) -> ByHand:
    """Count what :func:`outcomes_by_hand` keeps.

    Parameters
    ----------
    game : Game
    seat : int
    barred : mapping of int to sequence of int, optional
        Hand classes that the players in some seats do not hold.
    """
    barred = barred or {}
    all_hands = hands(game)
    own = rivals(game, game.side_size)
    held = _held(game, (seat, *game.partners(seat)), barred, own.first, own.second)
    first, second = own.first[held], own.second[held]
    order, start = by_part(own.part_of[held], len(own.parts))
    mates, mate_of = mates_of(game)
    code = lane_codes(all_hands, seat)[first]
    slot = first * len(mates)
    weight = np.ones(len(first))
    for partner in game.partners(seat):
        code = np.maximum(code, lane_codes(all_hands, partner)[second])
        slot = slot + mate_of[second]
        weight = choose(game.deck.copies - all_hands.counts[first], all_hands.counts[second])
    against = rivals(game, game.side_size)
    held = _held(game, rivals_in_order(game, seat), barred, against.first, against.second)
    splits = Splits.of(
        game, seat, against.first[held], against.second[held], against.part_of[held], against.parts
    )
    values = against.ways[held].astype(np.int64)
    out = np.zeros((len(all_hands), len(mates), 16, len(rivals_stones(game)[0])), dtype=np.int64)
    for low in range(0, len(own.parts), _ROWS):
        step(low, len(own.parts))
        rows = slice(low, low + _ROWS)
        starts = start[low : low + _ROWS + 1]
        some = order[starts[0] : starts[-1]]
        splits.count(
            against.available(own.parts[rows]),
            values,
            starts - starts[0],
            code[some],
            slot[some],
            weight[some].astype(np.int64),
            out.reshape(-1, *out.shape[2:]),
        )
    step(1, 1)
    return ByHand(game, seat, out)


def _held(
    game: Game, seats: Sequence[int], barred: Barred, first: Ints, second: Ints
) -> NDArray[np.bool_]:
    """The splits of a side's cards in which no player holds what it does not hold."""
    may = np.ones((2, len(hands(game))), dtype=bool)
    for player, seat in enumerate(seats):
        may[player, list(barred.get(seat, ()))] = False
    held: NDArray[np.bool_] = may[0, first] & may[1, second]
    return held
