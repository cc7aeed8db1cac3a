"""How good a hand must be to see an órdago, at every score.

The rivals say órdago as the first bet of a phase. Folding costs one stone, and the deal
goes on en paso; seeing it wins the game with the chance that our side has the best
hand. So a hand sees if that chance is at least the equity after folding, both given
the hand and that the phase is bet on. Assumptions are those of :mod:`musodds.stakes.bet`,
with nothing known of the others: an órdago tells nothing of the hands behind it. Who
thinks that it does asks :func:`musodds.stakes.bet.bet` with a range.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from musodds.arrays import Floats, Mask
from musodds.exact.outcomes.by_hand import ByHand, outcomes_by_hand
from musodds.exact.outcomes.stones import showdown_stones
from musodds.exact.scope import check_together
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game
from musodds.rules.hands import LAST, hands
from musodds.rules.showdown import DEJE, REFUSED, Ending
from musodds.stakes.equity import Equity
from musodds.stakes.equity_kinds import equity_by
from musodds.stakes.scores import check_score
from musodds.stakes.situation import THEM, equity_after
from musodds.values import Table

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Threshold(Table):
    """Which hands see an órdago in a phase at a score.

    Attributes
    ----------
    game : Game
    seat : int
    score : tuple of int
        Ours and theirs.
    phase : str
    weights : ndarray of int64, shape (classes,)
        Ways to be dealt the hand times the deals in which the phase is then bet on.
    win : ndarray of float64, shape (classes,)
        The chance of having the best hand in the phase, given it is bet on; NaN for
        hands with which it never is.
    need : ndarray of float64, shape (classes,)
        The least chance with which seeing is right: the equity after folding.
    """

    game: Game
    seat: int
    score: tuple[int, int]
    phase: str
    weights: Floats
    win: Floats
    need: Floats

    @property
    def sees(self) -> Mask:
        """The hands that see, shape (classes,)."""
        return self.win >= self.need

    @property
    def share(self) -> float:
        """How many hands see, of those with which the phase is bet on."""
        if self.sees[self.weights > 0].all():
            return 1.0  # which rounding may miss
        return float(self.weights @ self.sees / self.weights.sum())

    @property
    def mean_need(self) -> float:
        """The least chance, over all hands with which the phase is bet on."""
        played = self.weights > 0
        return float(self.weights[played] @ self.need[played] / self.weights.sum())

    @property
    def weakest(self) -> int | None:
        """The weakest hand in the phase such that all hands as strong and stronger see.

        A class of those that take part; None if the strongest hand folds.
        """
        level = hands(self.game).level[self.phase]
        played = np.flatnonzero(self.weights > 0)
        order = played[np.lexsort((self.win[played], level[played]))][::-1]
        number = int(np.argmin(np.append(self.sees[order], False)))
        return int(order[number - 1]) if number else None

    def rows(self) -> list[dict[str, Any]]:
        """One dict per hand with which the phase is bet on, strongest first."""
        all_hands = hands(self.game)
        level = all_hands.level[self.phase]
        played = np.flatnonzero(self.weights > 0)
        order = played[np.lexsort((self.win[played], level[played]))][::-1]
        return [
            {
                "ours": self.score[0],
                "theirs": self.score[1],
                "seat": self.seat,
                "phase": self.phase,
                "hand": all_hands.texts[h],
                "win": float(self.win[h]),
                "need": float(self.need[h]),
                "sees": bool(self.sees[h]),
            }
            for h in order
        ]


def thresholds(
    game: str | Game = "mus",
    *,
    scores: Iterable[tuple[int, int]],
    seat: int | str = "mano",
    table: Equity | None = None,
) -> list[Threshold]:
    """Which hands see an órdago, in each phase at each score.

    Where each suit has a special hand of its own, the hands are those of the game in which
    one suit has: the suits go by other names, and the chances are the same.

    Parameters
    ----------
    game : str or Game, optional
    scores : iterable of tuple of int
        Our stones and theirs.
    seat : int or str, optional
        The seat of the hand; it says whose side is mano.
    table : Equity, optional
        The chances after the deal; default the best kind that there is for the game.

    Returns
    -------
    list of Threshold
        Score by score, and phase by phase.

    Raises
    ------
    InputError
        If a score or the seat cannot be, or the game is not counted.
    """
    game = get_game(game)
    check_together(game)
    my_seat = game.parse_seat(seat)
    wanted = list(scores)
    for score in wanted:
        check_score(game, *score)
    table = table or equity_by(game)
    by_hand = outcomes_by_hand(game.one_suit or game, my_seat)
    return [_threshold(by_hand, phase, score, table) for score in wanted for phase in PHASES]


def thresholds_table(
    game: str | Game = "mus",
    *,
    scores: Iterable[tuple[int, int]],
    seat: int | str = "mano",
) -> pd.DataFrame:
    """Every hand at every score, for other programs.

    Parameters
    ----------
    game, scores, seat : optional
        As :func:`thresholds` takes them.

    Returns
    -------
    DataFrame
        Columns `ours`, `theirs`, `seat`, `phase`, `hand`, `win` (the chance that our
        side has the best hand in the phase, given it is bet on), `need` (the least
        chance with which seeing is right), `sees`.
    """
    import pandas as pd

    found = thresholds(game, scores=scores, seat=seat)
    return pd.DataFrame([row for one in found for row in one.rows()])


def _threshold(by_hand: ByHand, phase: str, score: tuple[int, int], table: Equity) -> Threshold:
    """One phase at one score: whether the rivals' best is beaten, and what folding leaves."""
    possible, game = by_hand.possible, by_hand.game
    played = possible.contested(phase)
    wins = possible.wins[:, min(PHASES.index(phase), LAST)]
    stones = showdown_stones(possible, {phase: Ending(phase, REFUSED, DEJE, THEM)})
    ours, theirs = score
    we_are_mano = game.side(by_hand.seat) == 0
    folded = equity_after(stones, ours, theirs + DEJE, table, we_are_mano)
    deals = by_hand.sums(played)
    with np.errstate(invalid="ignore"):
        win, need = by_hand.sums(played & wins) / deals, by_hand.sums(played * folded) / deals
    # Who takes no part may not answer.
    weights = deals * hands(game).ways * (hands(game).level[phase] > 0)
    return Threshold(game, by_hand.seat, score, phase, weights, win, need)
