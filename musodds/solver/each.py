"""One phase in which every player speaks for himself, solved: the model *each*.

**The game.** The other phases of the deal are passed; later deals are as the equity says.
In the phase all players act, each on his own hand only, in the order of the
table: either partner may bet; the first of the answering side to speak, next after the player who
bet, sees, raises or leaves it to his partner, and the side folds when both do. Who has
pares (juego) is declared before; only who has it may speak, and only if both sides do.
What is on offer is what was asked for, at every score.

**The answer is measured.** Two partners who cannot see each other's hand are not one
player, and no theorem says that learning ends in an equilibrium. So each solution says
what any one player would gain by changing alone, and what a side would gain that sees
both its hands, against these very strategies: over all hands, by fresh deals, with
standard errors (:mod:`musodds.solver.each_measure`). Between two players it is the game
itself, and the first number is the exploitability.
"""

from __future__ import annotations

from math import hypot
from pathlib import Path

import numpy as np

from musodds.errors import InputError
from musodds.exact.outcomes.deal_stones import counted_stones
from musodds.knowledge.knowledge import Knowledge
from musodds.playing.actions import ORDAGO
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game
from musodds.simulation.runner import mapper
from musodds.solver.checkpoint import Checkpoint
from musodds.solver.each_learn import ITERATION, Learner
from musodds.solver.each_measure import measure, measure_side
from musodds.solver.each_payoff import EQUITY, pack_cards, payoffs, stone_worth
from musodds.solver.each_play import Play, check_contested
from musodds.solver.each_solution import EachSolution
from musodds.solver.each_tree import EachTree, each_tree
from musodds.solver.game import told_of_game
from musodds.solver.known import known_of
from musodds.solver.sizes import Offer
from musodds.stakes.equity import Equity
from musodds.stakes.equity_kinds import equity_by
from musodds.store.notices import Watcher

DEALS = 40_000_000
MEASURED = 20_000_000
PAIRS = 4_000
MOST_DEALS = 10**12
STAGES = (4, 2, 1)
"""With a gap asked for it is looked at after a quarter, half and all of the deals."""


def solve_each(
    phase: str,
    game: str | Game = "mus",
    *,
    score: tuple[int, int] = (0, 0),
    payoff: str = EQUITY,
    kind: str | None = None,
    bets: Offer = (2, ORDAGO),
    raises: Offer = (2, ORDAGO),
    reraises: int = 1,
    gap: float | None = None,
    deals: int = DEALS,
    measured: int = MEASURED,
    pairs: int = PAIRS,
    seed: int = 1,
    workers: int = 1,
    watcher: Watcher | None = None,
    checkpoint: str | Path | None = None,
    knowledge: Knowledge | None = None,
) -> EachSolution:
    """Solve the betting of one phase, every player speaking for himself.

    Parameters
    ----------
    phase : str
        ``grande``, ``chica``, ``pares``, ``juego`` or ``punto``.
    game : str or Game, optional
        Two sides of one or two players, without jokers.
    score : tuple of int, optional
        Mano's side's stones and the other's.
    payoff : str, optional
        ``equity``: the chance of winning the game. ``stones``: net stones of the phase;
        an órdago that is seen brings the winner what it needs to win the game.
    kind : str, optional
        What is assumed of later deals; see :mod:`musodds.stakes.equity_kinds`.
    bets, raises : str or sequence of (int or str), optional
        First bets and raises on offer, such as ``"2,ordago"``.
    reraises : int, optional
        How often a raise may be raised again.
    gap : float, optional
        Stop as soon as no player gains more than so many stones by changing alone, after
        a quarter, a half or all of the deals.
    deals : int, optional
        To learn from.
    measured : int, optional
        Fresh deals to measure with.
    pairs : int, optional
        Pairs of hands to measure with what a side would gain that sees both.
    seed : int, optional
    workers : int, optional
        Threads; the digits do not depend on their number.
    watcher : callable, optional
        Told how many deals were played, and of how many.
    checkpoint : str or Path, optional
        A file that is kept while it is learned, and gone on from. Ctrl-C ends the
        learning; what there is is measured on no more deals than were learned from.
    knowledge : Knowledge, optional
        Who has pares (juego), where that is solved.

    Returns
    -------
    EachSolution

    Raises
    ------
    InputError
        If anything of that cannot be.

    Examples
    --------
    >>> found = solve_each("punto", "mus2p", deals=20_000, measured=2_000, pairs=16)
    >>> found.method, found.iterations, found.measured.gains.shape
    ('monte-carlo', 10, (2,))
    """
    game = get_game(game)
    _check(gap, deals, measured, pairs, seed, workers)
    tree = each_tree(game, phase, bets, raises, reraises, known_of(game, knowledge))
    cards = pack_cards(game, phase)
    table = equity_by(game, kind) if payoff == EQUITY else None
    worth = payoffs(tree, score, payoff, table)
    play = Play(tree, cards, worth, float(payoff == EQUITY), seed)
    check_contested(play)
    stone = stone_worth(game, score, payoff, table)
    run = told(tree, score, payoff, table, seed)
    file = None if checkpoint is None else Checkpoint(checkpoint, run)
    learner = Learner(play, file)
    # Both sides have learned as often as each other.
    last = 2 * -(-deals // (2 * ITERATION))
    with mapper(workers) as each:
        for stage in STAGES if gap is not None else (1,):
            if stage > 1 and learner.iterations > -(-last // stage):
                continue  # it was looked at before
            learner.run(-(-last // stage), each, watcher, last)
            if gap is None or stage == 1 or learner.interrupted:
                break
            few = max(measured // 4, 1)
            seen = measure(play, learner.strategy(), few, each, again=stage)
            if float(seen.gains_most.max()) <= gap * stone:
                break
        strategy = learner.strategy()
        if learner.interrupted:
            share = min(1.0, learner.iterations / last)
            measured, pairs = int(measured * share) + 1, int(pairs * share) + 1
        found = measure(play, strategy, measured, each, watcher)
        sides = tuple(measure_side(play, strategy, side, pairs, each) for side in range(2))
    over = found.contested * found.over_passing
    error = hypot(found.contested * found.over_passing_se, found.contested_se * found.over_passing)
    return EachSolution(
        tree, score, payoff, None if table is None else table.kind, stone, strategy,
        en_paso(game, phase, score, payoff, table) + over, error, found, sides, learner.iterations,
        seed, learner.interrupted,
    )  # fmt: skip


def told(
    tree: EachTree, score: tuple[int, int], payoff: str, table: Equity | None, seed: int
) -> dict[str, str]:
    """All that is learned, by name, each as the options of the command say it."""
    return {
        **told_of_game(tree.game),
        "what": tree.phase,
        "model": "--model each",
        "score": f"--score {score[0]}-{score[1]}",
        "payoff": f"--payoff {payoff}",
        "equity": "no --equity" if table is None else f"--equity {table.kind}",
        **tree.sizes.told,
        "seed": f"--seed {seed}",
        **tree.known.told,
    }


def en_paso(
    game: Game, phase: str, score: tuple[int, int], payoff: str, table: Equity | None = None
) -> float:
    """Mano's side's worth over all deals if the phase is passed as well: exact.

    Examples
    --------
    >>> table = equity_by("mus", "paso")
    >>> round(en_paso(get_game("mus"), "grande", (32, 35), "equity", table), 4)
    0.3047
    """
    if payoff == EQUITY:
        return (table or equity_by(game)).chance(*score)
    counted = counted_stones(game)
    lane = min(PHASES.index(phase), 3)
    stones = counted.stones[:, lane].astype(np.float64)
    if phase in ("juego", "punto"):
        stones = np.where(counted.punto == (phase == "punto"), stones, 0)
    return float(counted.chances @ stones)


def _check(
    gap: float | None, deals: int, measured: int, pairs: int, seed: int, workers: int
) -> None:
    if gap is not None and not gap > 0:
        raise InputError(f"gap {gap}: stones, more than 0")
    for name, number in (("deals", deals), ("measured", measured), ("pairs", pairs)):
        if not 1 <= number <= MOST_DEALS:
            raise InputError(f"{name} {number}: a number from 1 to 10^12")
    if not 0 <= seed < 2**63:
        raise InputError(f"seed {seed}: a number from 0 to 2^63 - 1")
    if not 1 <= workers <= 1024:
        raise InputError(f"workers {workers}: a number from 1 to 1024")
