"""What each end of the betting in one phase is worth, deal by deal: all else is passed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats
from musodds.errors import GameError, InputError
from musodds.exact.kernels.code_words import words
from musodds.exact.outcomes.outcomes import Outcomes, rivals_stones
from musodds.exact.outcomes.stones import showdown_stones
from musodds.exact.scope import check_together
from musodds.playing.actions import ORDAGO
from musodds.rules.game import PHASES, Game
from musodds.rules.hands import LAST, hands, lane_codes, own_stones
from musodds.rules.showdown import REFUSED, Ending
from musodds.simulation.packing import pack_game
from musodds.solver.each_tree import EachTree
from musodds.stakes.equity import Equity
from musodds.stakes.equity_kinds import equity_by
from musodds.stakes.scores import check_score
from musodds.stakes.situation import THEM, US, Situation

EQUITY, STONES_PAYOFF = "equity", "stones"
PAYOFFS = (EQUITY, STONES_PAYOFF)


class Cards(NamedTuple):
    """The deck and the hands as the kernels read them.

    Attributes
    ----------
    deck : ndarray of uint64, shape (cards,)
        The code of each card; the codes of a hand add up to a sum of its own.
    class_of : ndarray of uint16
        The class of a hand by that sum.
    levels : ndarray of uint64, shape (seats, classes)
        The codes of :func:`musodds.rules.hands.lane_codes` in lanes of 16 bits. The greatest
        takes the phase, and its lowest bit is 1 for the seats of mano's side, as their
        number is even.
    able : ndarray of int64, shape (classes,)
        1 if the hand takes part in the phase.
    group : ndarray of int64, shape (classes,)
        The hand's own stones, numbered.
    pair : ndarray of int64, shape (groups, groups)
        A side's own stones, numbered as by :func:`musodds.exact.outcomes.outcomes.rivals_stones`.
    """

    deck: NDArray[np.uint64]
    class_of: NDArray[np.uint16]
    levels: NDArray[np.uint64]
    able: NDArray[np.int64]
    group: NDArray[np.int64]
    pair: NDArray[np.int64]


def pack_cards(game: Game, phase: str) -> Cards:
    """The cards of a game for a phase.

    Raises
    ------
    GameError
        If the game has not two sides of one or two players with four cards each, has
        jokers, a hand that is shown and replaced, or special cards in every suit.
    """
    check_together(game)
    if game.exchange or game.one_suit is not None:
        raise GameError(
            f"{game.name}: betting is solved for the cards as dealt, with at most one special "
            "card; leave out 4567, and write real-oros for real-suits"
        )
    tables, known = pack_game(game), hands(game)
    some, group = np.unique(own_stones(known), axis=0, return_inverse=True)
    group = group.reshape(-1)
    _, kind_of = rivals_stones(game)
    example = np.array([np.flatnonzero(group == i)[0] for i in range(len(some))])
    other = example if game.side_size > 1 else np.zeros(1, dtype=np.int64)
    pair = kind_of[example[:, None], other[None, :]].astype(np.int64)
    return Cards(
        tables.deck,
        tables.class_of,
        np.stack([words(lane_codes(known, seat).T) for seat in range(1, game.seats + 1)]),
        (known.level[phase] > 0).astype(np.int64),
        group.astype(np.int64),
        np.ascontiguousarray(np.broadcast_to(pair, (len(some), len(some)))),
    )


def payoffs(
    tree: EachTree, score: tuple[int, int], payoff: str = EQUITY, table: Equity | None = None
) -> Floats:
    """What mano's side has after each outcome of the cards and each ending.

    Parameters
    ----------
    tree : EachTree
    score : tuple of int
        Mano's side's stones and the other's before the phase.
    payoff : str
        ``equity``: the chance of winning the game. ``stones``: net stones of this phase;
        an órdago that is seen brings the winner what it needs.
    table : Equity, optional
        The chances after the deal; default the best that there is.

    Returns
    -------
    ndarray of float64, shape (outcomes, endings)
        An outcome is ``(mano's side's own stones * kinds + the other's) * 16 + wins``,
        with bit i of ``wins``: mano's side has the best hand in lane i.

    Raises
    ------
    InputError
        If the score or the payoff cannot be.
    """
    if payoff not in PAYOFFS:
        raise InputError(f"payoff {payoff!r}: one of {', '.join(PAYOFFS)}")
    check_score(tree.game, *score)
    outcomes = _all_outcomes(tree.game)
    if payoff == STONES_PAYOFF:
        found = [_stones_after(outcomes, ending, score) for ending in tree.endings]
    else:
        table = table or equity_by(tree.game)
        found = [_equity_after(outcomes, ending, score, table) for ending in tree.endings]
    return np.stack(found, axis=1)


def _all_outcomes(game: Game) -> Outcomes:
    kinds = rivals_stones(game)[0]
    number = np.arange(len(kinds) ** 2 * 16)
    wins = (number[:, None] >> np.arange(4) & 1).astype(bool)
    mine, theirs = kinds[number // 16 // len(kinds)], kinds[number // 16 % len(kinds)]
    return Outcomes(game, 1, wins, mine, theirs, np.ones(len(number), dtype=object))


def _equity_after(
    outcomes: Outcomes, ending: Ending, score: tuple[int, int], table: Equity
) -> Floats:
    situation = Situation(outcomes, ending.phase, score, {}, 0, None, table)
    if ending.how == ORDAGO:
        return situation.seen(ORDAGO)
    return situation.after(ending)


def _stones_after(outcomes: Outcomes, ending: Ending, score: tuple[int, int]) -> Floats:
    lane = min(PHASES.index(ending.phase), LAST)
    if ending.how == ORDAGO:
        target = outcomes.game.target
        return np.where(outcomes.wins[:, lane], target - score[0], score[1] - target).astype(float)
    found = showdown_stones(outcomes, {ending.phase: ending})[:, lane].astype(np.float64)
    if ending.how == REFUSED:
        found += ending.stones * ((ending.side == US) - (ending.side == THEM))
    return found


def stone_worth(
    game: Game, score: tuple[int, int], payoff: str = EQUITY, table: Equity | None = None
) -> float:
    """What one net stone is worth at a score, in the unit of the payoff.

    With equity the local slope: half the difference between one stone more for mano's
    side and one more for the other, in a deal that is not yet dealt.
    """
    if payoff == STONES_PAYOFF:
        return 1.0
    after, target = table or equity_by(game), game.target

    def chance(ours: int, theirs: int) -> float:
        if target in (ours, theirs):
            return float(ours == target)
        return float(after.ours[:, ours, theirs].mean())

    return (chance(score[0] + 1, score[1]) - chance(score[0], score[1] + 1)) / 2
