"""Betting of two players solved at a score, deals to come en paso, for tests of reviews."""

from musodds.rules.games import get_game
from musodds.solver.betting import Betting, solve_betting
from musodds.stakes.equity import PASO
from musodds.stakes.equity_kinds import equity_by

GAME = get_game("mus2p")


def solved_for_two(
    what: str, score: tuple[int, int], *, bets: str, raises: str, gap: float
) -> Betting:
    return solve_betting(
        what, game=GAME, score=score, bets=bets, raises=raises, gap=gap,
        table=equity_by(GAME, PASO),
    )  # fmt: skip
