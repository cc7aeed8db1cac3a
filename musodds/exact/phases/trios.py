"""Exact counts for two sides of three: a whole table, level by level.

Six hands are too many for the splits of :mod:`musodds.exact.splits`, but the five players
that one does not see are exchangeable: all that matters of them is how many must be
*below* a level (they speak before the hand that takes the phase) and how many *within*
it (they speak after). Let N_a(m | h) be the deals to the five, when hand h is out, in
which a given a of them are below level m and the others within it. It is counted by
removing cards, one player at a time, for all levels at once::

    F_k(gone, m) = Σ_hand  ways(hand | gone) · F_{k-1}(gone + hand, m)   [hand within m]

The hand that takes the phase is at exactly level m in a given seat, with a players
before it, in N_a(m) - N_{a+1}(m) deals. Stones of a partner who does not take the
phase himself are counted the same way with one player *marked*: his hand is weighted
with its own stones.

With up to four players the counts are below 2**63; five have 2.2e21 deals, so the last
player is added in two halves and put together as Python integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Exact, Ints, Mask
from musodds.exact.scope import check_trios
from musodds.rules.cards import CARDS
from musodds.rules.game import PHASES, UNANIMOUS, Game
from musodds.rules.hands import hands
from musodds.rules.ways import choose, deals, radix
from musodds.store.notices import step

Counts = NDArray[Any]

Tables = Sequence[tuple[int, int]]

"""For each table its source and its lag; see :func:`musodds.exact.kernels.trios.deal_one_more`."""

OTHERS, SEATS = 5, 6

# Levels worked on at once, which bounds the memory: 0.2 GB with eight kings.
_BLOCK = 84
_HALF = 32


def _multisets(game: Game) -> int:
    return int(np.prod(game.deck.copies + 1))


def count_trios(
    game: Game,
    mine: Ints,
    seats: Sequence[int],
    dead: Ints | None = None,
    excluded: Sequence[int] = (),
) -> Exact:
    """Count deals for hands of a game with two sides of three.

    Parameters
    ----------
    game : Game
    mine : ndarray of int64, shape (hands,)
        Hand classes.
    seats : sequence of int
    dead : ndarray of int64, shape (kinds,), optional
        Cards that nobody holds: none, or it is refused.
    excluded : sequence of int, optional
        Hand classes that none of the others holds.

    Returns
    -------
    ndarray of object (int), shape (hands, seats, phases, columns)
        The columns are those of :data:`musodds.exact.phases.columns.COLUMNS`.

    Raises
    ------
    GameError
        If the deck has too many kinds of card, or cards are dead.
    """
    check_trios(game, dead is not None and bool(dead.any()))
    removals = _Removals(game, mine, excluded)
    counts = np.empty((len(mine), len(seats), len(PHASES), 8), dtype=object)
    for j, phase in enumerate(PHASES):
        counted = _Phase(removals, phase)
        for i, seat in enumerate(seats):
            counts[:, i, j] = np.stack(counted.columns(seat), axis=-1)
    step(1, 1)
    return counts


class _Removals:
    """Every multiset of 4, 8, … 20 cards that may be gone, and the hands dealt after it."""

    def __init__(self, game: Game, mine: Ints, excluded: Sequence[int]) -> None:
        self.game, self.mine, self.hands = game, mine, hands(game)
        self.levels_done, self.all_levels = 0, sum(self.hands.top_level.values()) + len(PHASES)
        self.allowed = np.ones(len(self.hands), dtype=bool)
        self.allowed[list(excluded)] = False
        self.copies = game.deck.copies
        self.weight = radix(self.copies)
        self.choose = np.array(choose(np.arange(41)[:, None, None], np.arange(5)[:, None]))
        digits = np.arange(_multisets(game))[:, None] // self.weight % (self.copies + 1)
        size = digits.sum(axis=1)
        self.gone = {n: digits[size == CARDS * n] for n in range(1, SEATS)}
        self.gone[1] = self.hands.counts[mine]
        self.row_of = np.zeros(len(digits), dtype=np.int32)
        for n in range(2, SEATS):
            self.row_of[self.gone[n] @ self.weight] = np.arange(len(self.gone[n]))
        kinds = np.argsort(-self.hands.counts, axis=1, kind="stable")[:, :CARDS]
        number = np.take_along_axis(self.hands.counts, kinds, axis=1)
        fill = ((0, 0), (0, CARDS - kinds.shape[1]))
        self.kind, self.number = np.pad(kinds, fill), np.pad(number, fill)
        self.code = self.hands.counts @ self.weight

    def last(self, n: int, level: Ints, playing: Mask, levels: range) -> Counts:
        """Ways to deal the last player within each level, 4 n cards gone.

        Returns
        -------
        ndarray of float64 (integers), shape (1, states, levels)
        """
        left = self.copies - self.gone[n]
        ways = np.zeros((len(left), len(levels)))
        for hand in np.flatnonzero(playing & (level < levels.stop)):
            ways[:, max(level[hand] - levels.start, 0)] += choose(left, self.hands.counts[hand])
        return np.cumsum(ways, axis=1)[None]

    def one_more(
        self, n: int, fewer: Counts, tables: Tables, level: Ints, weight: Ints, start: int = 0
    ) -> Counts:
        """Deal one player more, with 4 n cards gone; see :func:`deal_one_more`."""
        from musodds.exact.kernels.trios import deal_one_more

        source, lag = np.array(tables, dtype=np.int64).T.copy()
        gone, playing = self.gone[n], weight > 0
        result: Counts = deal_one_more(
            self.copies - gone,
            gone @ self.weight,
            self.kind[playing],
            self.number[playing],
            weight[playing].astype(fewer.dtype),
            self.code[playing],
            level[playing],
            self.choose.astype(fewer.dtype),
            self.row_of,
            fewer,
            source,
            lag,
            start,
        )
        return result

    def four(self, level: Ints, playing: Mask, top: int, in_the_middle: bool) -> Counts:
        """F_4: deals to four players, with 8 cards gone, for every level.

        Returns
        -------
        ndarray of int64, shape (4, states, top + 1)
            With 0, 1, 2 and 3 of the players below the level; zeros for 2 if
            ``in_the_middle`` is not asked for, which saves a third of the work.
        """
        found = np.zeros((4, len(self.gone[2]), top + 1), dtype=np.int64)
        asked, three, four = [0, 1, 3], [(0, 0)], [(0, 0), (0, 1), (1, 0)]
        if in_the_middle:
            asked, three, four = [0, 1, 3, 2], [(0, 0), (0, 1)], [(0, 0), (0, 1), (2, 0), (1, 1)]
        weight = playing.astype(np.int64)
        for start in range(0, top + 1, _BLOCK):
            step(self.levels_done, self.all_levels)
            self.levels_done += min(_BLOCK, top + 1 - start)
            # One level more than is asked for: the next step looks one level down.
            levels = range(max(start - 1, 0), min(start + _BLOCK, top + 1))
            counts = self.last(OTHERS, level, playing, levels)
            counts = self.one_more(4, counts, [(0, 0)], level, weight, levels.start)
            counts = self.one_more(3, counts, three, level, weight, levels.start)
            # Three below a level are three within the level before it.
            counts = np.concatenate((counts, _one_up(counts[:1]))).astype(np.int64)
            counts = self.one_more(2, counts, four, level, weight, levels.start)
            found[asked, :, start : levels.stop] = counts[:, :, start - levels.start :]
        return found

    def five(self, four: Counts, tables: Tables, level: Ints, weight: Ints) -> Exact:
        """Deals to five players, shape (tables, hands, levels), as Python integers."""
        high, low = (
            self.one_more(1, half, tables, level, weight).astype(object)
            for half in (four >> _HALF, four & ((1 << _HALF) - 1))
        )
        whole: Exact = (high << _HALF) + low
        return whole

    def idle(self, level: Ints, players: int) -> Exact:
        """Deals in which some given players are at level 0, shape (hands,)."""
        out = self.allowed & (level == 0)
        if not self.allowed.all():
            return self._dealt([self.allowed] * (OTHERS - players) + [out] * players)
        # The others may hold anything: their hands need not be dealt one by one.
        counts = self.last(players, level, out, range(1))
        for n in range(players - 1, 0, -1):
            counts = self.one_more(n, counts, [(0, 0)], level, out.astype(np.int64))
        rest = deals(self.game.deck.size - CARDS * (players + 1), OTHERS - players)
        idle: Exact = counts[0, :, 0].astype(np.int64).astype(object) * rest
        return idle

    @cached_property
    def everything(self) -> Exact:
        """All deals to the others, shape (hands,)."""
        if not self.allowed.all():
            return self._dealt([self.allowed] * OTHERS)
        whole = deals(self.game.deck.size - CARDS, OTHERS)
        return np.full(len(self.mine), whole, dtype=object)

    def _dealt(self, sets: Sequence[Mask]) -> Exact:
        """Deals in which each of the others holds a hand of a set, shape (hands,)."""
        first, *between, final = sets
        one_level = np.zeros(len(self.hands), dtype=np.int64)
        counts = self.last(OTHERS, one_level, first, range(1))
        for n, some in zip(range(OTHERS - 1, 1, -1), between, strict=True):
            if n == 2:
                counts = counts.astype(np.int64)
            counts = self.one_more(n, counts, [(0, 0)], one_level, some.astype(np.int64))
        found: Exact = self.five(counts, [(0, 0)], one_level, final.astype(np.int64))[0, :, 0]
        return found


@dataclass(frozen=True)
class _Phase:
    """The counts of one phase, for every hand asked about."""

    removals: _Removals
    phase: str

    @property
    def game(self) -> Game:
        return self.removals.game

    @property
    def unanimous(self) -> bool:
        return self.phase in UNANIMOUS

    @cached_property
    def level(self) -> Ints:
        return self.removals.hands.level[self.phase]

    @cached_property
    def top(self) -> int:
        return self.removals.hands.top_level[self.phase]

    @cached_property
    def mine(self) -> Ints:
        """My level, shape (hands,)."""
        return self.level[self.removals.mine]

    @property
    def everything(self) -> Exact:
        return self.removals.everything

    @cached_property
    def stones(self) -> Ints | None:
        return self.removals.hands.stones.get(self.phase)

    @cached_property
    def stones_at(self) -> Ints:
        """The stones of a hand of each level: in pares and juego a level has only one."""
        at = np.zeros(self.top + 1, dtype=np.int64)
        assert self.stones is not None
        at[self.level] = self.stones
        return at

    @cached_property
    def playing(self) -> Mask:
        """The hands that the others may hold in a deal that counts."""
        allowed = self.removals.allowed
        return allowed & (self.level > 0) if self.unanimous else allowed

    @cached_property
    def four(self) -> Counts:
        """Deals to four others, with 0 … 4 of them below each level."""
        stones = self.stones is not None
        four = self.removals.four(self.level, self.playing, self.top, in_the_middle=stones)
        return np.concatenate((four, _one_up(four[:1])))

    @cached_property
    def below(self) -> Exact:
        """N: deals with 0 … 5 others below each level, shape (6, hands, levels)."""
        # The last player is within the level, or below it, as well as 0, 1, 3 or 4 others.
        tables = [(0, 0), (1, 0), (1, 1), (3, 0), (3, 1), (4, 1)]
        return self.removals.five(self.four, tables, self.level, self.playing.astype(np.int64))

    @cached_property
    def marked(self) -> tuple[Exact, Exact]:
        """Stones of one other, who is within (below) the level, with 0 … 4 others below."""
        assert self.stones is not None
        worth = self.stones * self.removals.allowed
        within, below = (
            self.removals.five(self.four, [(a, lag) for a in range(5)], self.level, worth)
            for lag in (0, 1)
        )
        return within, below

    @cached_property
    def idle(self) -> tuple[Exact, Exact]:
        """Deals in which two (three) given others take no part."""
        return self.removals.idle(self.level, 2), self.removals.idle(self.level, 3)

    def columns(self, seat: int) -> tuple[Exact, ...]:
        """The columns of :data:`musodds.exact.phases.columns.COLUMNS` for all hands in a seat."""
        side, rivals = (seat, *self.game.partners(seat)), self.game.rivals(seat)
        best = self._taken_by(seat, seat)
        win = np.sum([self._taken_by(champion, seat) for champion in side], axis=0)
        lose = np.sum([self._taken_by(champion, seat) for champion in rivals], axis=0)
        void = self.everything - win - lose
        if self.unanimous:
            contested, win_contested = self.everything - void, win
        else:
            idle_mates, idle_rivals = self.idle
            contested = self.everything - idle_rivals - (self.mine == 0) * idle_mates + void
            win_contested = win - (idle_rivals - void)
        stones_for, stones_against = win, lose
        if self.stones is not None:
            stones_for = self._stones(side, seat)
            stones_against = self._stones(rivals, seat)
        return win, lose, void, best, contested, win_contested, stones_for, stones_against

    def _taken_by(self, champion: int, seat: int) -> Exact:
        """Deals in which the hand in a seat takes the phase, seen from mine."""
        return self._sum(self.below, champion, seat, None, np.ones(self.top + 1, dtype=np.int64))

    def _sum(
        self, below: Exact, champion: int, seat: int, marked: int | None, worth: Ints
    ) -> Exact:
        """Σ over the levels of the champion of a count of deals times its worth."""
        earlier = sum(
            other < champion for other in range(1, SEATS + 1) if other not in (seat, marked)
        )
        hands_ = np.arange(len(self.mine))
        if champion == seat:
            taken: Exact = below[earlier, hands_, self.mine] * worth[self.mine]
            return np.where(self.mine > 0, taken, 0)
        exactly = (below[earlier] - below[earlier + 1]) * worth
        exactly[:, 0] = 0
        from_level_up = np.concatenate(
            (
                np.cumsum(exactly[:, ::-1], axis=1)[:, ::-1],
                np.zeros((len(hands_), 1), dtype=object),
            ),
            axis=1,
        )
        lowest = self.mine + (seat < champion)
        found: Exact = from_level_up[hands_, lowest]
        return np.where(self.mine > 0, found, 0) if self.unanimous else found

    def _stones(self, side: Sequence[int], seat: int) -> Exact:
        """Stones of a side over the deals in which one of it takes the phase."""
        own = self.removals.hands.stones[self.phase][self.removals.mine]
        total = np.zeros(len(self.mine), dtype=object)
        ones = np.ones_like(self.stones_at)
        within, below = self.marked
        for champion in side:
            for player in side:
                if player == seat:
                    total = total + own * self._taken_by(champion, seat)
                elif player == champion:
                    total = total + self._sum(self.below, champion, seat, None, self.stones_at)
                else:
                    counts = below if player < champion else within
                    total = total + self._sum(counts, champion, seat, player, ones)
        return total


def _one_up(counts: Counts) -> Counts:
    """Counts per level, each moved to the next level; none for level 0."""
    moved = np.zeros_like(counts)
    moved[..., 1:] = counts[..., :-1]
    return moved
