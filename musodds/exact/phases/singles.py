"""Each for itself: exact counts against any number of other players.

Whether a hand is the best of all, or the worst, limits every other player to a *set of
hands*: those that speak earlier to the hands below mine (above it, for the worst),
those that speak later to the hands not above it. So one count answers everything: in
how many deals do the others hold hands of given sets? It is availability × splits, as
in :mod:`musodds.exact.splits`, with the others taken two by two. With four of them

    Σ_s  A(gone, s) · K(s) · W(s),    W(s) = Σ_t  A(gone + s, t) · K'(t)

where two of them hold the cards s together and two the cards t. A is a product over
kinds of cards, so with the kinds cut into two halves W is two small matrix products.
Sums of W are below 2**53, exact in float64; the outer sum is one of 64-bit integers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import islice
from math import comb
from typing import Any

import numpy as np

from musodds.arrays import Exact, Floats, Ints, Mask
from musodds.exact.splits import rivals
from musodds.rules.cards import CARDS
from musodds.rules.game import PHASES, UNANIMOUS, Game
from musodds.rules.hands import Hands, hands, reversed_levels
from musodds.rules.ways import choose, deals

# OpenBLAS works on one processor up to this many multiplications.
_SERIAL = 1 << 18

Limit = tuple[Mask, Mask]
"""Two sets of hands, arrays of shape (classes,): the strict one and the loose one."""


def count_within(game: Game, gone: Ints, limits: Sequence[Limit], others: int) -> Exact:
    """Count the deals in which each of the other players holds a hand of a set.

    Parameters
    ----------
    game : Game
    gone : ndarray of int64, shape (kinds,)
        Cards that the others cannot hold.
    limits : sequence of (strict, loose)
        Sets of hands.
    others : int
        The number of other players.

    Returns
    -------
    ndarray of object (int), shape (limits, others + 1)
        Entry ``a`` counts the deals in which ``a`` given players hold hands of the
        strict set, and the others of the loose one.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> game = get_game("encaje5")
    >>> four_kings = np.array([text == "RRRR" for text in hands(game).texts])
    >>> nothing = np.zeros(len(game.deck.kinds), dtype=np.int64)
    >>> count_within(game, nothing, [(four_kings, ~four_kings)], 2).tolist()
    [[5375081320, 4123280, 70]]
    """
    if others == 4:
        return _two_pairs(game, gone, limits)
    if others <= 2:
        splits = rivals(game, others)
        available = splits.available(gone[None])[0]
        ways = _ways(game, limits, others)
        return np.array([[int(available @ w) for w in row] for row in ways], dtype=object)
    # One hand after another, then a number that is counted at once.
    all_hands = hands(game)
    counts = np.zeros((len(limits), others + 1), dtype=object)
    first = choose(game.deck.copies - gone, all_hands.counts).astype(np.int64)
    for held in np.flatnonzero(first):
        rest = count_within(game, gone + all_hands.counts[held], limits, others - 1)
        for row, (strict, loose), more in zip(counts, limits, rest, strict=True):
            if loose[held]:
                row[:others] += int(first[held]) * more
            if strict[held]:
                row[others] += int(first[held]) * more[-1]
    return counts


def _ways(game: Game, limits: Sequence[Limit], others: int) -> list[list[Floats]]:
    """K: ways to split each part so, for 0 … ``others`` strict players (one or two)."""
    splits = rivals(game, others)
    size = len(splits.parts)
    found = []
    for strict, loose in limits:
        row = []
        for a in range(others + 1):
            allowed = (strict if a else loose)[splits.first]
            if others == 2:
                allowed = allowed & (strict if a == 2 else loose)[splits.second]
            ways = np.bincount(splits.part_of[allowed], splits.ways[allowed], size)
            row.append(ways.astype(np.float64))
        found.append(row)
    return found


def _two_pairs(game: Game, gone: Ints, limits: Sequence[Limit]) -> Exact:
    """:func:`count_within` for four others."""
    splits = rivals(game, 2)
    available = splits.available(gone[None])[0]
    after = _halves(game).after(gone)
    counts = np.empty((len(limits), 5), dtype=object)
    known: dict[tuple[bytes, bytes], list[int]] = {}
    for row, limit in zip(counts, limits, strict=True):
        key = (limit[0].tobytes(), limit[1].tobytes())
        if key not in known:
            [ways] = _ways(game, [limit], 2)
            same = key[0] == key[1]
            rest = [after(w).astype(np.int64) for w in ways[: 1 if same else 3]]
            first = [(available * w).astype(np.int64) for w in ways]
            known[key] = [int(first[(a + 1) // 2] @ rest[0 if same else a // 2]) for a in range(5)]
        row[:] = known[key]
    return counts


class _Halves:
    """The parts of two players, kinds cut in two halves, for sums over parts of parts."""

    def __init__(self, copies: Ints, parts: Ints) -> None:
        self.copies = copies
        cut = len(copies) // 2
        self.columns = (slice(0, cut), slice(cut, None))
        self.rows, index, bounds = [], [], []
        for columns in self.columns:
            rows, which = np.unique(parts[:, columns], axis=0, return_inverse=True)
            # In order of size, so that the halves of one size are a slice.
            order = np.argsort(rows.sum(axis=1), kind="stable")
            self.rows.append(rows[order])
            index.append(np.argsort(order)[which.ravel()])
            sizes = rows[order].sum(axis=1)
            bounds.append(np.searchsorted(sizes, np.arange(2 * CARDS + 2)).tolist())
        place = np.full((len(self.rows[0]), len(self.rows[1])), -1)
        place[index[0], index[1]] = np.arange(len(parts))
        # A first half of n cards goes with every second half of the cards that are left.
        self.blocks = []
        for n in range(2 * CARDS + 1):
            rest = 2 * CARDS - n
            first = slice(bounds[0][n], bounds[0][n + 1])
            second = slice(bounds[1][rest], bounds[1][rest + 1])
            self.blocks.append((first, second, place[first, second]))

    def after(self, gone: Ints) -> Callable[[Floats], Floats]:
        """The map from K' to W(s) = Σ over parts t of A(gone + s, t) · K'(t)."""
        one, other = (
            _pairs_of_rows((self.copies - gone)[columns], rows)
            for columns, rows in zip(self.columns, self.rows, strict=True)
        )
        other = np.ascontiguousarray(other.T)
        half = np.empty((len(one), len(self.rows[1])))

        def product(ways: Floats) -> Floats:
            for first, second, place in self.blocks:
                _multiply(ways[place], other[second], half[first])
            found = np.empty(len(ways))
            for first, second, place in self.blocks:
                block = np.empty(place.shape)
                _multiply(one[first], half[:, second], block)
                found[place] = block
            return found

        return product


def _multiply(a: Floats, b: Floats, out: Floats) -> None:
    """Matrix product, in slabs so small that a BLAS does not start threads.

    They would cost more than they gain, much more where the processors are in use.
    """
    (rows, inner), columns = a.shape, b.shape[1]
    longest = max(rows, inner, columns)
    step = max(1, _SERIAL * longest // max(1, rows * inner * columns))
    out[:] = 0
    for start in range(0, longest, step):
        slab = slice(start, start + step)
        if longest == columns:
            np.matmul(a, b[:, slab], out=out[:, slab])
        elif longest == inner:
            out += a[:, slab] @ b[slab]
        else:
            np.matmul(a[slab], b, out=out[slab])


def _pairs_of_rows(free: Ints, rows: Ints) -> Floats:
    """Π over kinds of C(free - s, t) for every two rows s and t, shape (rows, rows)."""
    ways = np.ones((len(rows), len(rows)))
    for number, column in zip(free, rows.T, strict=True):
        sizes = np.arange(column.max() + 1)
        table = choose((number - sizes)[:, None, None], sizes[None, :, None])
        ways *= table[column][:, column]
    return ways


@lru_cache(maxsize=8)
def _halves(game: Game) -> _Halves:
    return _Halves(game.deck.copies, rivals(game, 2).parts)


def best_counts(game: Game, me: int, seat: int) -> tuple[Exact, int]:
    """Count the deals in which a hand is the one that takes each phase.

    Parameters
    ----------
    game : Game
        Any number of seats.
    me : int
        A hand class.
    seat : int

    Returns
    -------
    counts : ndarray of object (int), shape (phases,)
        Python integers: with six players a count can exceed 64 bits.
    deals : int
        Ways to deal the other players' hands.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> game = get_game("mus2p")
    >>> counts, total = best_counts(game, hands(game).index("RRRA"), seat=2)
    >>> total - counts[PHASES.index("juego")]  # the hands of 31 that mano may hold
    4550
    """
    all_hands = hands(game)
    levels = [all_hands.level[phase] for phase in PHASES]
    limits = [_below(phase, level, me) for phase, level in zip(PHASES, levels, strict=True)]
    found = count_within(game, all_hands.counts[me], limits, game.seats - 1)[:, seat - 1]
    counts = [int(n) if level[me] else 0 for n, level in zip(found, levels, strict=True)]
    return np.array(counts, dtype=object), deals(game.deck.size - CARDS, game.seats - 1)


def _below(phase: str, level: Ints, me: int) -> Limit:
    """The hands below mine, and those not above it; all take part where all must."""
    playing = level > 0 if phase in UNANIMOUS else np.ones(len(level), dtype=bool)
    return playing & (level < level[me]), playing & (level <= level[me])


def count_alone(
    game: Game,
    mine: Sequence[int],
    seats: Sequence[int],
    gone: Ints,
    within: Callable[..., Exact] = count_within,
    excluded: Sequence[int] = (),
) -> Exact:
    """Count deals for hands whose player has no partner: every column.

    Parameters
    ----------
    game : Game
        Sides of one, any number of them.
    mine : sequence of int
        Hand classes.
    seats : sequence of int
    gone : ndarray of int64, shape (kinds,)
        Cards that the others cannot hold, whichever of the hands is mine: its cards,
        and a card that was thrown.
    within : callable, optional
        What counts: :func:`count_within`, or :func:`count_apart`.
    excluded : sequence of int, optional
        Hand classes that none of the others holds.

    Returns
    -------
    ndarray of object (int), shape (hands, seats, phases, columns)
        The columns of :func:`musodds.exact.phases.columns.columns_of`, those of Encaje included;
        `stones_against` is summed over all other players.
    """
    all_hands = hands(game)
    others = game.seats - 1
    allowed = np.ones(len(all_hands), dtype=bool)
    allowed[list(excluded)] = False
    asked = [[_Phase(all_hands, phase, me, allowed) for phase in PHASES] for me in mine]
    limits = [limit for phases in asked for phase in phases for limit in phase.limits]
    counts = iter(within(game, gone, [(allowed, allowed), *limits], others))
    everything = int(next(counts)[0])
    found = np.empty((len(mine), len(seats), len(PHASES), 10), dtype=object)
    for of_hand, phases in zip(found, asked, strict=True):
        for j, phase in enumerate(phases):
            answers = np.stack(list(islice(counts, len(phase.limits))))
            for i, seat in enumerate(seats):
                of_hand[i, j] = phase.columns(answers, seat, everything)
    return found


def total_within(
    game: Game, gone: Ints, others: int, within: Callable[..., Exact] = count_within
) -> int:
    """The number of deals that :func:`count_alone` counts in."""
    unseen = int(game.deck.size - gone.sum())
    return deals(unseen, others) if within is count_within else comb(unseen, CARDS) ** others


def count_apart(game: Game, gone: Ints, limits: Sequence[Limit], others: int) -> Exact:
    """As :func:`count_within`, as if each other player held cards of a deck of its own.

    Not exact for one deck, but close to it, and at once for any game: good enough for
    what a player would throw, see :mod:`musodds.chances.throws`.
    """
    all_hands = hands(game)
    ways = choose(game.deck.copies - gone, all_hands.counts)
    apart = np.array(limits) @ ways
    powers = [
        [int(strict) ** a * int(loose) ** (others - a) for a in range(others + 1)]
        for strict, loose in apart
    ]
    return np.array(powers, dtype=object)


class _Phase:
    """One phase for one hand: the sets of hands to count, and the columns they make.

    Attributes
    ----------
    limits : list of Limit
        For the best, for the worst, for nobody (everybody, where all must) taking part,
        and for nobody being above each level of ``steps``.
    """

    def __init__(self, all_hands: Hands, phase: str, me: int, allowed: Mask) -> None:
        self.seats = all_hands.game.seats
        level = all_hands.level[phase]
        self.level, self.top = int(level[me]), int(level.max(initial=0))
        self.unanimous = phase in UNANIMOUS
        playing = level > 0 if self.unanimous else level == 0
        self.limits = [
            _below(phase, level, me),
            _below(phase, reversed_levels(level), me),
            (playing, playing),
        ]
        self.values: list[int] | None = None
        if phase in all_hands.stones:
            by_level = np.zeros(self.top + 1, dtype=np.int64)
            by_level[level] = all_hands.stones[phase]
            self.values = by_level.tolist()
            self.steps = [
                m for m in range(self.level + 1, self.top) if by_level[m] != by_level[m + 1]
            ]
            self.limits += [(level <= m, level <= m) for m in self.steps]
        self.limits = [(strict & allowed, loose & allowed) for strict, loose in self.limits]

    def columns(self, counts: Exact, seat: int, everything: int) -> list[int]:
        """The columns for one seat, from the counts of the limits."""
        win = worst = contested = void = idle = 0
        if self.level:
            win, worst = counts[0, seat - 1], counts[1, self.seats - seat]
        if self.unanimous:
            contested = counts[2, 0] if self.level else 0
            void = everything - contested
        elif self.level:
            idle = counts[2, 0]
            contested = everything - idle
        else:
            void = counts[2, 0]
        lose = everything - void - win
        mine, theirs = win, lose
        if self.values is not None:
            mine, theirs = win * self.values[self.level], self._theirs(counts, win, everything)
        return [
            win, lose, void, win, contested, win - idle, mine, theirs, worst, worst - idle
        ]  # fmt: skip

    def _theirs(self, counts: Exact, win: Any, everything: int) -> int:
        """The value of the best of the others, over the deals in which it is the best.

        Σ over levels m above mine of v(m) · (F(m) − F(m − 1)), with F(m) the deals in
        which nobody is above m, summed by parts: only the steps of v are needed. At my
        own level it is the deals that an earlier player takes.
        """
        values = self.values
        assert values is not None
        not_above = counts[0, 0] if self.level else counts[2, 0]
        equal = values[self.level] * (not_above - win)
        if self.level == self.top:
            return int(equal)
        above = values[self.top] * everything - values[self.level + 1] * not_above
        for m, nobody in zip(self.steps, counts[3:, 0], strict=True):
            above -= (values[m + 1] - values[m]) * nobody
        return int(equal + above)
