"""How fast mus goes when players reckon with what the others' mus tells.

    python -m tests.benchmarks.bench_pass

The share of deals in which all say mus: among players of each level that comes with mus, and
when the seats of level 1 answer one after the other, each the others as they then are.
"""

from __future__ import annotations

from musodds.rules.hands import hands
from musodds.simulation.named_policies import get_policy
from musodds.simulation.policies import Policy
from musodds.simulation.simulate import simulate
from musodds.strategy.best_response import Work
from musodds.strategy.say import answer

DEALS, GAP = 4_000_000, 0.03


def told(name: str, policy: Policy) -> None:
    found = simulate(policy.game, policy=policy, n=DEALS, seed=3, workers=1).mus_rows()[-1]
    print(f"{name}: mus in {found['share']:.3%} of deals +/- {found['share_se']:.3%}", flush=True)


def main() -> None:
    policy = get_policy("level-1", "mus")
    for level in ("level-0", "level-1", "level-2"):
        told(level, get_policy(level, "mus"))
    every = tuple(range(len(hands(policy.game))))
    for seat in range(1, policy.game.seats + 1):
        work = Work(policy.game, GAP, 7, 1, every, agreed=True)
        work.places = [(seat, index) for index in every]
        policy, _ = answer(work, policy, 0.01, work.DECIDE)
        told(f"level-1, seats 1 to {seat} having answered", policy)


if __name__ == "__main__":
    main()
