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
from musodds.strategy.judges import _advice

GAMES = ("mus", "mus2p")
WANTED = 100


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
            games=4,
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


if __name__ == "__main__":
    main()
