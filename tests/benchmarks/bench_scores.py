"""The solved table against games played out: ``python -m tests.benchmarks.bench_scores``.

Solves every deal of the last stones of a game of two players with the table that comes with the
package as its payoff, and plays games with those strategies from five scores. Prints how often
mano's side wins, the table, and their difference in standard errors of the games; and the ratio of
the seconds that solving and playing took.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

from musodds.rules.games import get_game
from musodds.solver.betting import solve_betting
from musodds.stakes.equity_kinds import equity_by
from tests.solver.played_games import Table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", type=int, default=4)
    parser.add_argument("-n", type=int, default=100_000)
    parser.add_argument("--gap", type=float, default=0.02)
    given = parser.parse_args()
    game, gap = replace(get_game("mus2p"), target=given.target), given.gap
    begun = time.perf_counter()
    after, last = equity_by(game, "solved"), given.target
    deals = {
        (a, b): solve_betting(
            "deal", game=game, score=(a, b), bets="2,ordago", raises="ordago", gap=gap, table=after
        )
        for a in range(last)
        for b in range(last)
    }
    took = time.perf_counter() - begun
    table, begun = Table(deals, seed=1), time.perf_counter()
    starts = ((0, 0), (0, last - 1), (last - 1, 0), (last // 2, last // 2), (last - 1, last - 1))
    for start in starts:
        won = sum(table.play_game(start) == 0 for _ in range(given.n)) / given.n
        chance = after.chance(*start)
        assert after.bound is not None
        error = (chance * (1 - chance) / given.n) ** 0.5
        print(
            f"{start[0]}-{start[1]}: played {won:.4f}, table {chance:.4f}, "
            f"{(won - chance) / error:+.1f} standard errors; the table's own error "
            f"{after.bound[start]:.4f}"
        )
    print(f"playing took {(time.perf_counter() - begun) / took:.1f} times as long as solving")


if __name__ == "__main__":
    main()
