"""Whether two partners who change their keeps together gain, when neither gains alone.

    python -m tests.benchmarks.bench_together [POLICY [GAME]]

Two measures, both over deals in which all say mus, what is said left as it is.

*Whole tables.* The partners begin with the keeps of another policy (solo, kings) and answer each
other by turns until nothing changes; what they come to is played against the policy.

*Pairs of hands.* For hands whose second keep loses little: both partners take their second keep,
given that they hold just these two hands. This is what they would gain if they knew each other's
cards; a policy, which does not know them, gains at most that times the chance of the pair.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np

from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.simulation.named_policies import get_policy
from musodds.simulation.policies import Policy
from musodds.simulation.simulate import simulate
from musodds.strategy.best_response import Work
from musodds.strategy.trials import Trial

DEALS, HANDS, CLOSE, TURNS, GAP = 40_000_000, 12, 0.06, 8, 0.02


def turns(policy: Policy, start: Policy, seats: tuple[int, int]) -> Policy:
    """What two partners come to who begin with the keeps of another policy."""
    keep = policy.keep.copy()
    for seat in seats:
        says = ~policy.cut[seat - 1]
        keep[seat - 1, says] = start.keep[seat - 1, says]
    found = replace(policy, keep=keep)
    work = Work(policy.game, GAP, 1, 1, tuple(range(len(hands(policy.game)))), agreed=True)
    still = turn = 0
    while still < 2 and turn < TURNS:
        seat = seats[turn % 2]
        work.places = [
            (seat, index) for index in range(len(work.hands)) if policy.says_mus(seat, index)
        ]
        work.reopen()
        found, changes, _ = work.respond(found, 1)
        still = 0 if changes else still + 1
        turn += 1
    return found


def whole_tables(policy: Policy, game: Game) -> None:
    for seats in ((1, 3), (2, 4)):
        for name in ("solo", "kings"):
            found = turns(policy, get_policy(name, game), seats)
            nets = [
                simulate(game, policy=one, n=DEALS, seed=5, workers=1).net(seats[0])
                for one in (policy, found)
            ]
            other = int((found.keep != policy.keep).any(axis=2).sum())
            print(
                f"seats {seats[0]} and {seats[1]}, from {name}: {other} keeps differ, "
                f"{nets[1].value - nets[0].value:+.5f} stones a deal "
                f"(standard error at most {np.hypot(nets[0].se, nets[1].se):.5f})",
                flush=True,
            )


def close_hands(policy: Policy, seat: int) -> list[tuple[int, np.ndarray, np.ndarray]]:
    """The commonest hands that say mus and whose second keep loses little: both keeps."""
    table = hands(policy.game)
    says = [i for i in np.argsort(-table.ways, kind="stable") if policy.says_mus(seat, int(i))]
    work = Work(policy.game, GAP, 1, 1, tuple(map(int, says)), agreed=True)
    work.places = [(seat, int(i)) for i in says]
    work.respond(policy, 1)
    found = []
    for place in work.places:
        mine = policy.keep[seat - 1, place[1]].astype(np.int64)
        others = [keep for keep in work.top[place] if (keep != mine).any()]
        if others and len(found) < HANDS:
            keeps = np.stack((mine, others[0]))
            mean, _ = work.trial(policy, place, keeps).run(2, 1 << 40, 8).estimates()
            if mean[0] - mean[1] < CLOSE:
                found.append((place[1], mine, others[0]))
    return found


def both(policy: Policy, seats: tuple[int, int], a, b, blocks: int, first: int):
    """What the two gain by their second keeps, each alone and together, given both hands."""
    game = policy.game
    one, two = seats
    cut = policy.cut.copy()
    cut[two - 1] = True
    cut[two - 1, b[0]] = False
    keep = policy.keep.copy()
    keep[two - 1, b[0]] = b[2]
    before = replace(policy, cut=cut)
    after = replace(before, keep=keep)
    keeps = np.stack((a[1], a[2]))
    values = []
    for table in (before, after):
        sample = Trial(table, one, a[0], keeps, wins=False, agreed=True).run(3, first, blocks)
        mean, covariance = sample.estimates()
        values.append((mean, np.diag(covariance)))
    gain = values[1][0][1] - values[0][0][0]
    error = float(np.sqrt(values[1][1][1] + values[0][1][0]))
    alone = values[0][0][1] - values[0][0][0], values[1][0][0] - values[0][0][0]
    assert game is policy.game
    return gain, error, alone


def pairs(policy: Policy) -> None:
    texts = hands(policy.game).texts
    for seats in ((1, 3), (2, 4)):
        mine, theirs = (close_hands(policy, seat) for seat in seats)
        ranking = []
        for a in mine:
            for b in theirs:
                gain, _, _ = both(policy, seats, a, b, 4, 1 << 41)
                ranking.append((gain, a, b))
        ranking.sort(key=lambda row: -row[0])
        for _, a, b in ranking[:10]:
            gain, error, alone = both(policy, seats, a, b, 24, 1 << 42)
            print(
                f"seats {seats[0]} and {seats[1]}, {texts[a[0]]} and {texts[b[0]]}: together "
                f"{gain:+.3f} ({error:.3f}), alone {alone[0]:+.3f} and {alone[1]:+.3f}",
                flush=True,
            )


def main(name: str = "level-1", game_name: str = "mus") -> None:
    game = get_game(game_name)
    policy = get_policy(name, game)
    print(f"policy {policy.name} of {game.name}: two partners who change together")
    whole_tables(policy, game)
    pairs(policy)


if __name__ == "__main__":
    main(*sys.argv[1:])
