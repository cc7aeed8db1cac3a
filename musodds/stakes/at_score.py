"""What the cards are worth at a score: the chance of winning the game.

Discards are compared by what a deal is worth en paso. By default that is my side's net
stones; at a score it is the chance of winning the game after the deal, by the equity of
:mod:`musodds.stakes.equity`: 2 stones that end the game are worth all, and 2 beyond need
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats
from musodds.exact.known_hands import unseen_by_seat
from musodds.exact.outcomes.by_hand import outcomes_by_hand, were_counted
from musodds.exact.outcomes.outcomes import Outcomes, known_outcomes
from musodds.exact.outcomes.stones import showdown_stones
from musodds.exact.scope import check_together, is_so
from musodds.knowledge.knowledge import Knowledge
from musodds.rules.game import Game
from musodds.rules.hands import STONES, hands
from musodds.stakes.equity import Equity
from musodds.stakes.equity_kinds import equity_by
from musodds.stakes.scores import check_score
from musodds.stakes.situation import equity_after


@dataclass(frozen=True, eq=False)
class AtScore:
    """The game at a score, as my side sees it.

    Attributes
    ----------
    game : Game
    ours, theirs : int
        Stones.
    table : Equity
        The chances after the deal.

    Examples
    --------
    At 39-39 one stone decides: who takes grande has won.

    >>> from musodds.rules.games import get_game
    >>> worth = at_score(get_game("mus"), 39, 39).worth(1)
    >>> float(worth[1].min()), float(worth[0].max())
    (1.0, 0.0)
    """

    game: Game
    ours: int
    theirs: int
    table: Equity

    def worth(self, seat: int) -> NDArray[np.float64]:
        """The chance of winning after every deal, for a side with this seat.

        Returns
        -------
        ndarray of float64, shape (2, 2, 2 m + 1, 2 m + 1)
            By stones, as in :func:`musodds.strategy.bench.stones_worth`.
        """
        own = hands(self.game).stones
        most = self.game.side_size * max(int(own[phase].max()) for phase in STONES)
        scores = np.arange(-most, most + 1)
        grid = np.meshgrid([-1, 1], [-1, 1], scores, scores, indexing="ij")
        found = self._after(np.stack([one.ravel() for one in grid], axis=1), seat)
        return found.reshape(grid[0].shape)

    def as_dealt(self, index: int, seat: int, knowledge: Knowledge | None) -> float | None:
        """The exact chance if the cards are played as dealt; None where it is not counted.

        Parameters
        ----------
        index : int
            The class of my hand.
        seat : int
        knowledge : Knowledge or None
        """
        if not self._counted:
            return None
        if not knowledge and were_counted(self.game, seat):
            return self._chance(outcomes_by_hand(self.game, seat).of(index), seat)
        return self._chance(_known(index, seat, knowledge or Knowledge(self.game)), seat)

    def all_as_dealt(self, seat: int) -> Floats | None:
        """:meth:`as_dealt` of every hand, nothing known of the others, shape (classes,)."""
        if not self._counted:
            return None
        if seat not in self._of_seats:
            by_hand = outcomes_by_hand(self.game, seat)
            after = self._after(showdown_stones(by_hand.possible), seat)
            # A hand that is shown and replaced is not played as dealt.
            with np.errstate(invalid="ignore"):
                self._of_seats[seat] = by_hand.sums(after) / by_hand.sums(np.ones(len(after)))
        return self._of_seats[seat]

    @cached_property
    def _of_seats(self) -> dict[int, Floats]:
        return {}

    @cached_property
    def _counted(self) -> bool:
        return is_so(check_together, self.game)

    def _chance(self, outcomes: Outcomes, seat: int) -> float:
        return float(outcomes.chances() @ self._after(showdown_stones(outcomes), seat))

    def _after(self, stones: NDArray[np.int64], seat: int) -> Floats:
        mano = self.game.side(seat) == 0
        return equity_after(stones, self.ours, self.theirs, self.table, mano)


@lru_cache(maxsize=64)
def _known(index: int, seat: int, knowledge: Knowledge) -> Outcomes:
    return known_outcomes(unseen_by_seat(index, (seat,), knowledge)[seat], seat)


def at_score(game: Game, ours: int, theirs: int, table: Equity | None = None) -> AtScore:
    """The game at a score.

    Raises
    ------
    InputError
        If there is no such score, or the game has not two sides.
    """
    check_score(game, ours, theirs)
    return AtScore(game, ours, theirs, table or equity_by(game))
