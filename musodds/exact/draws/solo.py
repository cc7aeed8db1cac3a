"""What a player who alone draws may expect: every keep of every hand, exactly.

After the draw I hold a hand h, the cards d that I threw are dead, and the others hold
random cards. Summed over all they may hold, my side's net stones en paso are
Σ_t A(h + d, t) · V(h, t): t is what the others hold together, A the ways to choose it
(see :mod:`musodds.exact.splits`), and V(h, t) the net stones over all ways to deal t to
them. V does not depend on d, and A is a product over kinds; so with the kinds cut into
two halves the sum over t is two small matrix products, for every d at once. All are
sums of integers below 2**53, exact in float64.

In a game with jokers every hand counts in each phase for the best that it may be named
there, though no naming need be best in all: the sums are exact of that, and only rank
the keeps for the true rule, under which phases do not add up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats, Ints
from musodds.exact.draws.draws import AllKeeps, all_draws
from musodds.exact.scope import check_alone
from musodds.exact.splits import LevelTable, rivals
from musodds.rules.cards import CARDS
from musodds.rules.game import PHASES, UNANIMOUS, Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.rules.ways import choose, deals, distinct, radix
from musodds.store.notices import step


@dataclass(frozen=True, eq=False)
class Solo:
    """Net stones of every keep when its player alone draws.

    Attributes
    ----------
    game : Game
    seats : tuple of int
    keeps : AllKeeps
    stones : ndarray of int64, shape (rows, seats)
        Net stones en paso of the player's side, summed over equally likely cases.
    cases : tuple of int
        The number of those cases, by the number of cards kept: ways to draw, times
        ways to deal the others what is left.
    """

    game: Game
    seats: tuple[int, ...]
    keeps: AllKeeps
    stones: Ints
    cases: tuple[int, ...]

    def net(self) -> Floats:
        """Expected net stones of every keep, shape (rows, seats)."""
        cases = np.array(self.cases, dtype=np.float64)
        found: Floats = self.stones / cases[self.keeps.keep.sum(axis=1)][:, None]
        return found

    def best(self) -> Ints:
        """The row of the best keep, shape (seats, classes); of equals the first.

        Compared as fractions, so that a tie is a tie.
        """
        kept = self.keeps.keep.sum(axis=1).tolist()
        start = self.keeps.start.tolist()
        found = np.empty((len(self.seats), len(start) - 1), dtype=np.int64)
        for seat in range(len(self.seats)):
            stones = self.stones[:, seat].tolist()
            for h, first in enumerate(start[:-1]):
                best = first
                for row in range(first + 1, start[h + 1]):
                    if stones[row] * self.cases[kept[best]] > stones[best] * self.cases[kept[row]]:
                        best = row
                found[seat, h] = best
        return found


def solo(game: str | Game = "mus", seat: int | str = "all") -> Solo:
    """Net stones of every keep of every hand when its player alone draws.

    Parameters
    ----------
    game : str or Game
        A game of two sides with one or two players on each.
    seat : int or str, optional
        1 … n, ``"mano"``, ``"postre"`` or ``"all"``.

    Returns
    -------
    Solo

    Raises
    ------
    GameError
        If the sides are larger, or more than two, or there is no such seat.

    Examples
    --------
    >>> counted = solo("mus2p", seat="mano")
    >>> counted.net().shape, round(float(counted.net()[0, 0]), 6)
    ((3546, 1), 4.040536)
    """
    game = get_game(game)
    check_alone(game)
    seats = game.parse_seats(seat)
    keeps, ways = all_draws(game)
    dead = _multisets(game.deck.copies, range(0 if game.visto else 1, CARDS + 1))
    after = _net_with_dead(game, seats, dead)
    thrown = hands(game).counts[keeps.hand] - keeps.keep
    which = _positions(dead, game.deck.copies)[thrown @ radix(game.deck.copies)]
    stones = np.empty((len(which), len(seats)), dtype=np.int64)
    for row, d in enumerate(which):
        stones[row] = after[:, :, d] @ ways[row]
    unseen, others = game.deck.size - CARDS, game.seats - 1
    cases = tuple(
        comb(unseen, CARDS - n) * deals(unseen - (CARDS - n), others) for n in range(CARDS + 1)
    )
    return Solo(game, seats, keeps, stones, cases)


def _multisets(copies: Ints, sizes: Sequence[int] | range) -> Ints:
    """All multisets of cards of those sizes, in order of :func:`radix`."""
    most = max(sizes)
    found = np.zeros((1, 0), dtype=np.int64)
    for number in copies:
        each = int(min(number, most)) + 1
        found = np.column_stack(
            (np.repeat(found, each, axis=0), np.tile(np.arange(each), len(found)))
        )
        found = found[found.sum(axis=1) <= most]
    return found[np.isin(found.sum(axis=1), list(sizes))]


def _positions(counts: Ints, copies: Ints) -> NDArray[np.int32]:
    """A table from the code of a multiset to its row; -1 for those not listed."""
    table = np.full(int(np.prod(copies + 1)), -1, dtype=np.int32)
    table[counts @ radix(copies)] = np.arange(len(counts))
    return table


def _net_with_dead(game: Game, seats: tuple[int, ...], dead: Ints) -> Ints:
    """Net stones of every hand with cards dead, over all deals of the others.

    Returns
    -------
    ndarray of int64, shape (seats, classes, dead)
        Of no meaning where the hand and the dead cards are more than the deck has.
    """
    counts = hands(game).counts
    wholes = _Wholes(game.deck.copies, CARDS * (game.seats - 1))
    found = np.empty((len(seats), len(counts), len(dead)), dtype=np.int64)
    values = np.zeros((len(counts), wholes.number), dtype=np.int32)
    for i, seat in enumerate(seats):
        step(i, len(seats))
        _net_of_wholes(game, seat, wholes, values)
        for h, hand in enumerate(counts):
            found[i, h] = wholes.sum_over(values[h], hand, dead)
    step(1, 1)
    return found


class _Wholes:
    """What the others may hold together, arranged for sums over all of it.

    The kinds are cut into a first and a second half. With a cards of the first half
    there are some multisets of a cards there, and some of the rest in the second half;
    each goes with each, so they fill a rectangle.
    """

    def __init__(self, copies: Ints, size: int) -> None:
        half = len(copies) // 2
        first, second = copies[:half], copies[half:]
        sizes = range(max(0, size - int(second.sum())), min(size, int(first.sum())) + 1)
        self.halves = (
            _Half(slice(0, half), first, list(sizes)),
            _Half(slice(half, None), second, [size - a for a in sizes]),
        )
        self.counts = np.concatenate(
            [
                np.column_stack((np.repeat(x, len(y), axis=0), np.tile(y, (len(x), 1))))
                for x, y in zip(self.halves[0].parts, self.halves[1].parts, strict=True)
            ]
        )
        self.number = len(self.counts)
        self.sizes = np.array([[len(part) for part in half.parts] for half in self.halves]).T
        self.position = _positions(self.counts, copies)

    def sum_over(self, values: NDArray[np.int32], hand: Ints, dead: Ints) -> Ints:
        """Σ_t A(hand + dead, t) · values[t] for every row of dead cards."""
        from musodds.exact.kernels.solo import sum_over

        (left, left_of), (right, right_of) = (half.available(hand, dead) for half in self.halves)
        found: Floats = sum_over(values, left, right, self.sizes, left_of, right_of)
        return found.astype(np.int64)


class _Half:
    """Some of the kinds: A(gone, part) for all parts of given sizes, and all gone."""

    def __init__(self, columns: slice, copies: Ints, sizes: Sequence[int]) -> None:
        self.columns, self.copies = columns, copies
        self.parts = [_multisets(copies, [size]) for size in sizes]
        gone = _multisets(copies, range(2 * CARDS + 1))
        self._row = _positions(gone, copies)
        self._ways = choose((copies - gone)[None], np.concatenate(self.parts)[:, None])

    def available(self, hand: Ints, dead: Ints) -> tuple[Floats, Ints]:
        """A, with a column for each distinct set of dead cards, and whose it is."""
        columns = dead[:, self.columns]
        some, which = distinct(columns, self.copies)
        gone = np.minimum(some + hand[self.columns], self.copies)
        return self._ways[:, self._row[gone @ radix(self.copies)]], which


def _net_of_wholes(game: Game, seat: int, wholes: _Wholes, values: NDArray[np.int32]) -> None:
    """Fill ``values[hand, t]``: net stones of a hand over all ways to deal t to the others."""
    from musodds.exact.kernels.solo import add_phase

    all_hands, copies = hands(game), game.deck.copies
    counts = all_hands.counts
    against = game.rivals(seat)
    table = rivals(game, len(against))
    parts = counts if len(against) == 1 else _multisets(copies, [CARDS * len(against)])
    mates = game.partners(seat)
    mate_counts = counts if mates else np.zeros((1, len(copies)), dtype=np.int64)
    whole = np.full((len(mate_counts), len(parts)), -1, dtype=np.int32)
    ways = np.zeros(whole.shape, dtype=np.int32)
    for p, held in enumerate(mate_counts):
        union = parts + held
        possible = (union <= copies).all(axis=1)
        whole[p, possible] = wholes.position[union[possible] @ radix(copies)]
        ways[p, possible] = choose(union[possible], held[None])
    before = {s: sum(r < s for r in against) for s in (seat, *mates)}
    values[:] = 0
    for phase in PHASES:
        level, lowest = all_hands.level[phase], int(phase in UNANIMOUS)
        own = all_hands.stones.get(phase, np.ones(len(counts), dtype=np.int64))
        mate_level = level if mates else np.array([-1])
        mate_own = own if mates else np.array([int(phase not in all_hands.stones)])
        order = np.argsort(mate_level, kind="stable")
        if mates:
            order = order[mate_level[order] >= lowest]
        mine, mate = (
            np.stack(
                (
                    _strict(table.within[phase], before[s]),
                    _strict(table.within_stones[phase], before[s])
                    if phase in table.within_stones
                    else np.zeros_like(table.within[phase][0].values),
                )
            )
            for s in (seat, mates[0] if mates else seat)
        )
        everything = table.within_stones if phase in all_hands.stones else table.within
        lost = everything[phase][0].values[-1]
        add_phase(
            values, level, own, mate_level[order], mate_own[order], whole[order], ways[order],
            mine, mate, lost, not mates or seat < mates[0], lowest,
        )  # fmt: skip


def _strict(tables: tuple[LevelTable, ...], number: int) -> NDArray[np.uint16]:
    """Splits per level and part with the first ``number`` rivals below the level."""
    if number < len(tables):
        return tables[number].values
    # Everybody below a level is nobody above the one before.
    values = tables[0].values
    return np.concatenate((np.zeros_like(values[:1]), values[:-1]))
