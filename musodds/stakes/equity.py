"""Equity: the chance of winning the game, and the match, from a score.

A deal en paso moves the score by stones whose joint distribution is known
(:mod:`musodds.stakes.deal_stones`), counted in the order grande, chica, pares, juego or punto:
the first side to reach the target wins, in the middle of the count if need be. Every
deal brings stones to somebody, so the scores after it are known before the score
itself: an exact backward induction, no simulation.

**What is assumed** has a name, the *kind* (:mod:`musodds.stakes.equity_kinds`). ``paso``:
every deal is played en paso, nobody bets. It is the usual yardstick, not a model of play:
between equals it measures what the stones already won are worth. Others are ``bets-2`` and
``bets-5``, where so much is seen in every phase that both sides may bet in, and ``solved``,
where both sides bet well. Nothing but the side of mano matters before cards are
seen; the deal rotates, so the sides are mano in turn, and goes on rotating from one
game of a match to the next.

**Simulated distributions.** With a policy the distribution is an estimate from n deals
and so is the equity. Its standard error comes from the derivative of the equity with
respect to the chance of each outcome (delta method), which obeys a backward induction
of the same shape; the error does not say how far the policy is from what people do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from musodds.arrays import Floats
from musodds.errors import InputError
from musodds.exact.outcomes.deal_stones import DealStones, counted_stones
from musodds.rules.game import Game
from musodds.stakes.scores import check_score, count_running, running, scores_backwards
from musodds.store.cache import cached
from musodds.store.numbers import digest
from musodds.values import Table

CHANCE_PER_STONE = 0.04
"""A stone is worth some four per cent of a game, far from its end: how fine chances are told."""

PASO, SOLVED = "paso", "solved"

MANOS = ("us", "them")
"""Whose side is mano in the next deal."""


@dataclass(frozen=True, eq=False, repr=False)
class Equity(Table):
    """The chance of winning the game from every score.

    Attributes
    ----------
    deal : DealStones
        What a deal brings.
    game_chances : ndarray of float64, shape (target, target, 2, 2)
        At [a, b]: mano's side has a stones, the other b. The chance that [0] mano's
        side or [1] the other wins the game, and that the deal after the end of the game
        has [0] the same side as mano, or [1] the other.
    kind : str
        What is assumed of every deal to come; see :mod:`musodds.stakes.equity_kinds`.
    bound : ndarray of float64, shape (target, target), or None
        By how much :attr:`mano_wins` may be off, where the kind is ``solved``.
    note : str
        What an answer says of it.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> table = exact_equity(get_game("mus"))
    >>> table.method, round(table.chance(32, 35, mano="us"), 4)
    ('exact', 0.3047)
    >>> table.chance(39, 39, mano="us") > 0.5
    True
    """

    deal: DealStones
    game_chances: Floats
    kind: str = PASO
    bound: Floats | None = None
    note: str = ""

    @property
    def game(self) -> Game:
        return self.deal.game

    @property
    def method(self) -> str:
        """``exact``, ``monte-carlo`` or ``solved``."""
        return SOLVED if self.kind == SOLVED else self.deal.method

    @cached_property
    def mano_wins(self) -> Floats:
        """The chance of mano's side at [its stones, the other's], shape (target, target)."""
        found: Floats = self.game_chances[:, :, 0].sum(axis=2)
        return found

    @cached_property
    def ours(self) -> Floats:
        """Our chance at [0: we are mano, 1: they are; our stones, theirs]."""
        return np.stack((self.mano_wins, 1 - self.mano_wins.T))

    def chance(self, ours: int, theirs: int, mano: str = "us") -> float:
        """The chance that we win the game.

        Parameters
        ----------
        ours, theirs : int
            Stones, from 0 to one below the target.
        mano : str
            ``us`` or ``them``: whose side is mano in the next deal.

        Raises
        ------
        InputError
            If there is no such score or side.
        """
        check_score(self.game, ours, theirs)
        return float(self.ours[mano_index(mano), ours, theirs])

    @cached_property
    def standard_errors(self) -> Floats | None:
        """Standard errors of :attr:`ours`; None where it is exact."""
        if self.deal.n is None:
            return None
        slope = _derivatives(self.deal, self.mano_wins)
        chances = self.deal.chances
        variance = (slope**2) @ chances - (slope @ chances) ** 2
        se = np.sqrt(np.maximum(variance, 0) / self.deal.n)
        return np.stack((se, se.T))

    def error(self, ours: int, theirs: int, mano: str = "us") -> float | None:
        """The standard error of :meth:`chance`; None where it is exact."""
        check_score(self.game, ours, theirs)
        errors = self.standard_errors
        return None if errors is None else float(errors[mano_index(mano), ours, theirs])

    def match(
        self, ours: int, theirs: int, mano: str = "us", games: tuple[int, int] = (0, 0)
    ) -> float:
        """The chance that we win the match, to as many games as the game says.

        Parameters
        ----------
        ours, theirs : int
            Stones in the game being played.
        mano : str
            ``us`` or ``them``.
        games : tuple of int
            Games won by us and by them.

        Raises
        ------
        InputError
            If there is no such score or side.
        """
        check_score(self.game, ours, theirs)
        if not all(0 <= won < self.game.games for won in games):
            raise InputError(
                f"games {games[0]}-{games[1]}: each side has won 0 to {self.game.games - 1} games"
            )
        they = mano_index(mano)
        score = (theirs, ours) if they else (ours, theirs)
        chances = self.game_chances[score]
        total = 0.0
        for other_wins in (0, 1):
            for other_mano in (0, 1):
                we_win, they_mano = other_wins == they, other_mano ^ they
                after = (games[0] + we_win, games[1] + (not we_win))
                total += chances[other_wins, other_mano] * self._match_from(after, they_mano)
        return float(total)

    def _match_from(self, games: tuple[int, int], they_mano: int) -> float:
        if self.game.games in games:
            return float(games[0] == self.game.games)
        key = (games, they_mano)
        if key not in self._matches:
            self._matches[key] = self.match(0, 0, MANOS[they_mano], games)
        return self._matches[key]

    @cached_property
    def _matches(self) -> dict[tuple[tuple[int, int], int], float]:
        """The chance of the match before a game, by games won and mano."""
        return {}

    def rows(self) -> Iterator[dict[str, Any]]:
        """One dict per score and mano; see :func:`musodds.stakes.equity_kinds.equity_table`."""
        errors = self.standard_errors
        first_game = np.array(
            [self._match_from(games, they) for games in ((1, 0), (0, 1)) for they in (0, 1)]
        ).reshape(2, 2)
        mano_match = np.einsum("abij,ij->ab", self.game_chances, first_game)
        # The same for the other side: a match at (0, 1) is one at (1, 0) seen by them.
        match = np.stack((mano_match, 1 - mano_match.T))
        for they, mano in enumerate(MANOS):
            for ours in range(self.game.target):
                for theirs in range(self.game.target):
                    row: dict[str, Any] = {"ours": ours, "theirs": theirs, "mano": mano}
                    row["equity"] = float(self.ours[they, ours, theirs])
                    if errors is not None:
                        row["equity_se"] = float(errors[they, ours, theirs])
                    row["match"] = float(match[they, ours, theirs])
                    yield row


@lru_cache(maxsize=16)
def exact_equity(game: Game) -> Equity:
    """The equity en paso, without discards (kept after the first call, and on disk)."""
    deal = counted_stones(game)
    name = f"equity-{digest(game.one_suit or game)}-{game.target}"
    shape = game.target, game.target, 2, 2
    return Equity(
        deal,
        cached(
            name,
            lambda: backward(deal).game_chances,
            shape=shape,
            dtype=np.float64,
            valid=lambda chances: bool(((chances >= 0) & (chances <= 1)).all()),
        ),
    )


def backward(deal: DealStones) -> Equity:
    """Backward induction over the scores.

    Examples
    --------
    Three stones, and a deal is one stone for mano's side and then two for the other, or
    the other way round, with equal chances. At 2-1 mano's side wins either way: its one
    stone comes before the other's second, or the other's only one before its two.

    >>> from dataclasses import replace
    >>> from musodds.rules.games import get_game
    >>> toy = replace(get_game("mus"), target=3)
    >>> stones = np.array([[1, -1, -1, 0], [-1, 1, 1, 0]])
    >>> table = backward(DealStones(toy, stones, np.array([False] * 2), np.array([1, 1], object)))
    >>> table.chance(2, 1, "us"), table.chance(0, 0, "us")
    (1.0, 0.5)
    """
    target = deal.game.target
    chances = deal.chances
    added = running(deal.stones)
    found = np.zeros((target, target, 2, 2))
    for mine, theirs in scores_backwards(target):
        after_mine, after_theirs, won, lost = count_running(*added, mine, theirs, target)
        here = found[mine, theirs]
        # The next deal, if it is another game's, has the other side as mano.
        here[0, 1], here[1, 1] = chances[won].sum(), chances[lost].sum()
        on = ~(won | lost)
        later = found[after_theirs[on], after_mine[on]]
        # There the other side is mano: its chances are those of mano's side, turned.
        here += np.tensordot(chances[on], later, 1)[::-1, ::-1]
    return Equity(deal, found)


def _derivatives(deal: DealStones, mano_wins: Floats) -> Floats:
    """Derivative of mano's chance by the chance of each row, shape (target, target, rows)."""
    target, chances = deal.game.target, deal.chances
    added = running(deal.stones)
    found = np.zeros((target, target, len(chances)))
    for mine, theirs in scores_backwards(target):
        after_mine, after_theirs, won, lost = count_running(*added, mine, theirs, target)
        here = found[mine, theirs]
        on = ~(won | lost)
        here[won] = 1
        here[on] = 1 - mano_wins[after_theirs[on], after_mine[on]]
        place = after_theirs[on] * target + after_mine[on]
        some, which = np.unique(place, return_inverse=True)
        weight = np.bincount(which, chances[on], len(some))
        here -= weight @ found.reshape(target * target, -1)[some]
    return found


def mano_index(mano: str) -> int:
    """0 for us, 1 for them.

    Raises
    ------
    InputError
        If it is neither.
    """
    if mano not in MANOS:
        raise InputError(f"mano {mano!r}: us or them")
    return MANOS.index(mano)
