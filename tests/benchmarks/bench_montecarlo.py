"""Deals per second beside eval7's C loop, as ratios in the same run.

    pip install eval7
    python tests/benchmarks/bench_montecarlo.py

The baseline is ``eval7.py_hand_vs_range_monte_carlo``, heads-up hold'em, iterations per
second of one core. Short bursts of either alternate, in time of the thread alone, and
the median of the ratios is printed: a busy machine slows both.
"""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable

import eval7

from musodds.rules.games import get_game
from musodds.simulation.blocks import BLOCK, make_job, play_blocks
from musodds.simulation.named_policies import get_policy
from musodds.simulation.simulate import simulate

BURSTS, TURNS, DEALS, ITERATIONS = 60, 5, 16_000_000, 200_000


def seconds_per(work: Callable[[], object], number: int) -> float:
    began = time.thread_time()
    work()
    return (time.thread_time() - began) / number


def baseline() -> float:
    hand = [eval7.Card("As"), eval7.Card("Ks")]
    villain = eval7.HandRange("QQ+,AK")
    number = ITERATIONS
    return seconds_per(
        lambda: eval7.py_hand_vs_range_monte_carlo(hand, villain, [], number), number
    )


def ratio(game: str, policy: str, rounds: int) -> float:
    record = get_game(game)
    job = make_job(record, get_policy(policy, record), rounds, 1)
    play_blocks(job, 0, BLOCK)
    return statistics.median(
        baseline() / seconds_per(lambda: play_blocks(job, 0, 2 * BLOCK), 2 * BLOCK)
        for _ in range(BURSTS)
    )


def speed_up(workers: int) -> float:
    """Wall time of one worker over that of several, the best of a few each."""

    def best(number: int) -> float:
        times = []
        for _ in range(TURNS):
            began = time.perf_counter()
            simulate("mus", n=DEALS, seed=1, policy="kings", workers=number)
            times.append(time.perf_counter() - began)
        return min(times)

    return best(1) / best(workers)


def main() -> None:
    print("deals/s over eval7 iterations/s, one core, every column of every seat counted:")
    for label, game, policy, rounds, wanted in (
        ("plain deals", "mus", "none", 0, ">= 2.2"),
        ("one mus round for everybody", "mus", "kings", 1, ">= 1.0"),
        ("plain deals, four kings", "mus4", "none", 0, ""),
        ("one mus round, four kings", "mus4", "kings", 1, ""),
    ):
        print(f"  {label:<30}{ratio(game, policy, rounds):6.2f}  {wanted}")
    print(f"two workers over one{speed_up(2):18.2f}  >= 1.8")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory, MB{peak:23.0f}  < 300")


if __name__ == "__main__":
    main()
