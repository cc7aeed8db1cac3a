"""Which of five cards to throw, against players who know what to throw as well.

Each of the others throws the card that leaves the best hand by its exact odds against
random hands (:func:`musodds.exact.draws.throw_policy.throw_policy`). All ways of mine meet the same
deals; the differences between them come with paired standard errors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil, sqrt
from typing import Any

import numpy as np

from musodds.arrays import Ints
from musodds.chances.throws import Throws, encaje_throws
from musodds.exact.draws.throw_policy import parse_five
from musodds.rules.cards import CARDS
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.simulation.given import Given, given
from musodds.simulation.runner import Goal, is_power_of_two, run, until
from musodds.store.notices import Watcher
from musodds.values import Table, Value

TARGET_SE = 0.005
MOST_DEALS = 10**9
BLOCK = 1 << 14
"""Deals with one random stream. Changing it changes the digits."""


@dataclass(frozen=True, eq=False, repr=False)
class SeatThrows(Value):
    """Sums over the deals of one seat.

    Attributes
    ----------
    seat : int
    n : int
        Deals.
    others : int
        The number of other players, by which net stones are multiplied.
    sums : ndarray of int64, shape (ways,)
    products : ndarray of int64, shape (ways, ways)
    wins : ndarray of int64, shape (ways, phases)
    """

    seat: int
    n: int
    others: int
    sums: Ints
    products: Ints
    wins: Ints

    def __add__(self, other: SeatThrows) -> SeatThrows:
        return replace(
            self,
            n=self.n + other.n,
            sums=self.sums + other.sums,
            products=self.products + other.products,
            wins=self.wins + other.wins,
        )

    @property
    def ranking(self) -> list[int]:
        """The ways, best first."""
        return sorted(range(len(self.sums)), key=lambda way: -int(self.sums[way]))

    def net(self, way: int) -> tuple[float, float]:
        """Net stones of a way, and the standard error."""
        return self._mean(int(self.sums[way]), int(self.products[way, way]))

    def diff(self, way: int, best: int) -> tuple[float, float]:
        """Net stones of a way less those of another, on the same deals, and the error."""
        both = int(self.products[max(way, best), min(way, best)])
        squares = int(self.products[way, way]) + int(self.products[best, best]) - 2 * both
        return self._mean(int(self.sums[way]) - int(self.sums[best]), squares)

    def _mean(self, total: int, squares: int) -> tuple[float, float]:
        n = self.n
        variance = (n * squares - total * total) / (n * n * (n - 1))
        return total / n / self.others, sqrt(variance) / self.others


@dataclass(frozen=True, eq=False, repr=False)
class ThrowAdvice(Table):
    """The ways to throw one of five cards, against players who throw as well.

    Attributes
    ----------
    game : Game
    cards : str
        The five cards, high to low.
    exact : Throws
        The same against random hands, exactly.
    policy : str
        What the others throw: ``best``, or ``nearly best``.
    seed : int
    seats : tuple of SeatThrows
    interrupted : bool
        Whether Ctrl-C ended it.

    Examples
    --------
    >>> advice = encaje_throw_advice("RR7AA", seat=1, n=20_000)
    >>> advice.rows()[0]["throw"], advice.rows()[1]["diff"] < 0
    ('7', True)
    """

    game: Game
    cards: str
    exact: Throws
    policy: str
    seed: int
    seats: tuple[SeatThrows, ...]
    interrupted: bool = False

    method = "monte-carlo"

    @property
    def n(self) -> int:
        """Deals, over all seats."""
        return sum(seat.n for seat in self.seats)

    def rows(self) -> list[dict[str, Any]]:
        """One dict per seat and way, the best of a seat first.

        ``net``, ``diff`` (to the best, paired) and ``win_<phase>`` have a standard error
        beside them (``_se``). ``net_random`` is exact: against random hands.
        """
        rows = []
        for found in self.seats:
            ranking = found.ranking
            for way in ranking:
                odds = self.exact.odds[way]
                row: dict[str, Any] = {"seat": found.seat, "keep": odds.hand}
                row["throw"] = self.exact.thrown[way]
                row["net"], row["net_se"] = found.net(way)
                row["diff"], row["diff_se"] = found.diff(way, ranking[0])
                row["net_random"] = odds.net(found.seat)
                for phase, won in zip(PHASES, found.wins[way].tolist(), strict=True):
                    share = won / found.n
                    row[f"win_{phase}"] = share
                    row[f"win_{phase}_se"] = sqrt(share * (1 - share) / found.n)
                row["n"] = found.n
                rows.append(row)
        return rows


def encaje_throw_advice(
    cards: str,
    *,
    game: str | Game = "encaje3-five-cards",
    seat: int | str = "all",
    n: int | None = None,
    target_se: float | None = None,
    seed: int = 1,
    workers: int | None = 1,
    watch: Watcher | None = None,
) -> ThrowAdvice:
    """Which of five cards to throw, against players who throw as well.

    Parameters
    ----------
    cards : str
        Five cards, such as ``"RR7AA"``.
    game : str or Game
        One in which five cards are dealt.
    seat : int or str
    n : int, optional
        Deals per seat.
    target_se : float, optional
        Instead of ``n``: go on until the difference between the two best ways has a
        standard error of at most that many stones; default 0.005.
    seed : int
        The same seed gives the same digits.
    workers : int, optional
        Threads, on which the digits do not depend; None: one for each core.
    watch : callable, optional
        Called now and then with the deals played, and how many they may come to.

    Raises
    ------
    InputError
        If the game deals four cards, these are not five of its cards, or a number is
        not possible.
    """
    game = get_game(game)
    asked = given(n, target_se, seed, workers, most=MOST_DEALS, errors=(1e-5, 1), unit="stones")
    exact = encaje_throws(cards, game=game, seat=seat)
    found: list[SeatThrows] = []
    interrupted = False
    for place in exact.seats:
        goal = _goal(asked, TARGET_SE if target_se is None else target_se)
        total = run(_trial(exact, place, asked.seed), BLOCK, goal, asked.workers, watch=watch)
        interrupted = total.interrupted
        if total.deals > 1:
            found.append(total.sums)
        if interrupted:
            break
    if not found:
        raise KeyboardInterrupt
    from musodds.simulation.packing import pack_throws

    policy = pack_throws(game).policy
    return ThrowAdvice(game, exact.cards, exact, policy, asked.seed, tuple(found), interrupted)


def _goal(asked: Given, target: float) -> Goal:
    if asked.n is not None:
        return Goal(asked.n)

    def error(found: SeatThrows) -> float:
        ranking = found.ranking
        return found.diff(ranking[1], ranking[0])[1] if len(ranking) > 1 else 0.0

    def after(blocks: int) -> bool:
        return blocks > 1 and is_power_of_two(blocks)

    def expected(found: SeatThrows, deals: int) -> int:
        return max(deals, ceil(deals * (error(found) / target) ** 2))

    return Goal(MOST_DEALS, until(lambda found: error(found) <= target, after), expected)


def _trial(exact: Throws, seat: int, seed: int) -> Callable[[int, int], list[SeatThrows]]:
    """Plays one block of a seat."""
    from musodds.simulation.packing import pack_game, pack_throws, stones_by_level
    from musodds.strategy.kernels.throws import ThrowTrial, try_throws

    game = exact.game
    packed, tables = pack_throws(game), pack_game(replace(game, cards_dealt=CARDS))
    five = np.bincount(parse_five(exact.cards, game), minlength=len(packed.codes))
    deck = np.concatenate(
        [np.repeat(packed.codes, five), np.repeat(packed.codes, game.deck.copies - five)]
    )
    all_hands = hands(game)
    mine = np.array([tables.levels[all_hands.index(odds.hand)] for odds in exact.odds])
    punto = int(all_hands.level["punto"].max())
    trial = ThrowTrial(seat - 1, mine, packed.kept, tables.levels, stones_by_level(game), punto)
    ways = len(mine)

    def play(block: int, deals: int) -> list[SeatThrows]:
        shapes = (ways,), (ways, ways), (ways, len(PHASES))
        sums, products, wins = (np.zeros(shape, dtype=np.int64) for shape in shapes)
        state, nets = np.zeros(4, dtype=np.uint64), np.zeros(ways, dtype=np.int64)
        stream = (np.uint64(seed), np.uint64(block))
        try_throws(state, deck.copy(), stream, deals, trial, nets, sums, products, wins)
        return [SeatThrows(seat, deals, game.seats - 1, sums, products, wins)]

    return play
