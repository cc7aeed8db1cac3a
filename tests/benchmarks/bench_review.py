"""Speed of reviews: deals a minute, and how many times as many as one deal asked anew takes.

    python tests/benchmarks/bench_review.py

Processor seconds of one core, warm: what is counted for all hands of a seat is kept on this
computer already, and so is what is solved for the scores, which is told apart.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import time
from collections.abc import Callable

import musodds as mo
from musodds.exact.outcomes.by_hand import outcomes_by_hand
from musodds.rules.games import get_game
from musodds.solver import kept
from musodds.solver.kept import kept_deal
from musodds.stakes.equity import PASO
from musodds.stakes.equity_kinds import equity_by
from musodds.strategy.deal_judge import DealJudge
from musodds.strategy.judges import DEAL_SOLVED, BettingJudge, EnPasoJudge, _advice

GAMES = ("mus", "mus2p", "mus4")
WANTED = 100
SCORE = (36, 36)
MATCH, DEALS = 12, 30
"""Games, and deals at one score, that are reviewed."""


def seconds(what: Callable[[], object]) -> float:
    start = time.process_time()
    what()
    return time.process_time() - start


def anew(records: list[str]) -> None:
    """Every deal on its own, with nothing remembered of the others."""
    for record in records:
        _advice.cache_clear()
        mo.review(record, deals=1 << 15)


def main() -> None:
    for name in GAMES:
        game = get_game(name)
        for seat in range(1, game.seats + 1):
            outcomes_by_hand(game, seat)
        contest = mo.play(
            ["best", "random"] if name != "mus2p" else ["kings", "random"],
            game=name,
            games=MATCH,
            rounds=2,
            seed=3,
        )
        mo.review(contest.record(1))
        deals = int(contest.dealt[1:].sum())
        record = "---\n".join(contest.written[1:])
        taken = seconds(lambda record=record: mo.review(record))
        baseline = seconds(lambda rest=contest.written[1:]: anew(list(rest)))
        print(
            f"{name:<10}{deals:4} deals{60 * deals / taken:8.0f} a minute (at least {WANTED})"
            f"{baseline / taken:8.1f}× as long: keeps tried on four times as many deals"
        )
    by_solved_deals()


def by_solved_deals() -> None:
    """Every deal reads the solution of its score again, as if no two had the same score."""
    game = get_game("mus2p")
    kept_deal(game, SCORE, equity_by(game, PASO), solve=True)
    contest = mo.play(["kings", "random"], game=game, deals=DEALS, score=SCORE, seed=3, rounds=2)
    judge = DealJudge(otherwise=EnPasoJudge())

    def read_again(judge: BettingJudge) -> int:
        found = 0
        for record in contest.written:
            kept._deal.cache_clear()
            review = mo.review(record, judge=judge, kind=PASO)
            found += review.judged.get(DEAL_SOLVED, 0)
        return found

    read_again(EnPasoJudge())
    _advice.cache_clear()
    start = time.process_time()
    number = read_again(judge)
    taken = time.process_time() - start
    _advice.cache_clear()
    baseline = seconds(lambda: read_again(EnPasoJudge()))
    print(
        f"mus2p     {contest.n:4} deals{60 * contest.n / taken:8.0f} a minute (at least {WANTED})"
        f"{taken / baseline:8.1f}× as long as en paso: {number} decisions by solved deals"
    )


if __name__ == "__main__":
    main()
