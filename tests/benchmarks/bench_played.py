"""A solved deal played out by the rules of `score`, a million times, against its value.

    python tests/benchmarks/bench_played.py [DEALS [SCORE]]

The tree and the rules must be the same game: the mean is to be within 3 standard errors of
the value. Prints processor seconds too, and as a ratio to solving.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from musodds.rules.games import get_game
from musodds.solver.betting import solve_betting
from musodds.stakes.equity_kinds import equity_by
from musodds.stakes.scores import read_score
from tests.solver.played_by_rules import Played, mean_of


def main(words):
    game, deals = get_game("mus2p"), int(words[0]) if words else 1_000_000
    score = read_score(words[1] if len(words) > 1 else "33-35", game)
    began = time.process_time()
    solved = solve_betting("deal", game=game, score=score, gap=0.1, table=equity_by(game, "paso"))
    took = time.process_time() - began
    began = time.process_time()
    found, error = mean_of(Played(solved, 1), deals)
    played = time.process_time() - began
    print(
        f"deal at {score[0]}-{score[1]}: value {solved.value:.5f}; {deals:,} deals {found:.5f} +- "
        f"{error:.5f}, {abs(found - solved.value) / error:.2f} standard errors off; solved in "
        f"{took:.0f} s, played in {played:.0f} s, {played / took:.1f} times that"
    )
    return int(abs(found - solved.value) > 3 * error)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
