"""What a keep gains that minds how many cards each earlier player threw.

    python -m tests.benchmarks.bench_thrown [POLICY [GAME [DEALS]]]

Players who draw later see how many cards each earlier one took. For every hand and seat of a
policy, over deals in which all the others say mus: the best keep for each row of numbers thrown,
against the one best keep for all of them. Which keep is best is found on one half of the deals
and its gain is measured on the other, and the other way round; the gain on the very deals on
which it was found is printed as well. The truth lies between the two.
"""

from __future__ import annotations

import sys

import numpy as np

from musodds.compiled import kernel
from musodds.exact.draws.keeps import distinct_keeps
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.rules.ways import radix
from musodds.simulation.kernels.layout import CUT
from musodds.simulation.kernels.rng import seed_block
from musodds.simulation.named_policies import get_policy
from musodds.simulation.packing import pack_game, pack_policy
from musodds.simulation.policies import Policy
from musodds.strategy.bench import bench, stones_worth
from musodds.strategy.keep_tables import pack_keeps
from musodds.strategy.kernels.agreed import deal_once
from musodds.strategy.kernels.alternatives import copy, expect, others_exchange, weigh_draws
from musodds.strategy.kernels.rivalry import set_net, size_up

FIRST, TRIES, NEAR = 4096, 1 << 21, 0.35
_0, _THROWN = np.uint64(0), np.uint64(CUT - 1)


@kernel
def play(
    seed,
    block,
    tries,
    me,
    mine,
    order,
    sides,
    policy,
    tables,
    keeps,
    tried,
    reach,
    bench,
    values,
    thrown,
):  # type: ignore[no-untyped-def]
    """The value of every keep in every deal with mus, and what the earlier players threw."""
    desk, left = bench.desk, bench.left
    seed_block(desk.state, seed, block)
    copy(bench.start, desk.deck)
    desk.hand[me] = np.uint64(mine)
    n = tried_deals = 0
    while n < len(values) and tried_deals < tries:
        tried_deals += 1
        pos = deal_once(desk, me, order, policy.moves, tables)
        if pos == _0:
            continue
        code = np.int64(0)
        for seat in range(me):
            number = np.int64(policy.moves[seat, desk.hand[seat]] & _THROWN)
            code = 4 * code + number - 1
        thrown[n] = code
        pos = others_exchange(desk, pos, me, order, policy.moves, tables)
        for kind in range(len(left)):
            left[kind] = 0
        for i in range(np.int64(pos), len(desk.deck)):
            left[bench.kind_of[desk.deck[i]]] += 1
        weigh_draws(bench.weight, left, len(bench.weight), keeps)
        rivalry = size_up(desk.hand, me, order, sides, keeps)
        set_net(bench.net, reach, rivalry, keeps, bench.worth)
        expect(tried, keeps, bench.weight, bench.net, values[n])
        n += 1
    return n, tried_deals


def sample(policy: Policy, seat: int, index: int, keep: np.ndarray, block: int, deals: int):
    """Values (deals, keeps), numbers thrown as a code, and how often mus is agreed."""
    game = policy.game
    tables, keeps = pack_game(game), pack_keeps(game)
    moves = pack_policy(policy, tables.codes)
    weights = radix(game.deck.copies)
    known = keeps.kept.astype(np.int64) @ weights
    order = np.argsort(known)
    tried = order[np.searchsorted(known, keep @ weights, sorter=order)]
    reach = np.unique(np.concatenate([keeps.becomes(row) for row in tried]))
    room = bench(game, index, len(tried), moves, stones_worth(game))
    values, thrown = np.zeros((deals, len(tried))), np.zeros(deals, dtype=np.int64)
    n, tries = play(
        np.uint64(97), np.uint64((seat << 16 | index) << 32 | block), TRIES, seat - 1, index,
        tuple(range(game.seats)), tuple(range(game.sides)), moves, tables, keeps, tried, reach,
        room, values, thrown,
    )  # fmt: skip
    return values[:n], thrown[:n], n / tries


def gain(values: np.ndarray, thrown: np.ndarray) -> tuple[float, float, float, int]:
    """On other deals, its standard error, on the same deals; and the deals."""
    fixed = int(values.mean(axis=0).argmax())
    ahead = values - values[:, [fixed]]
    codes, group = np.unique(thrown, return_inverse=True)
    half = np.arange(len(values)) % 2

    def best(rows: np.ndarray) -> np.ndarray:
        sums = np.zeros((len(codes), values.shape[1]))
        np.add.at(sums, group[rows], ahead[rows])
        return sums.argmax(axis=1)

    rows = np.arange(len(values))
    out = np.concatenate(
        [
            ahead[rows[half == 1], best(rows[half == 0])[group[half == 1]]],
            ahead[rows[half == 0], best(rows[half == 1])[group[half == 0]]],
        ]
    )
    same = ahead[rows, best(rows)[group]].mean()
    return float(out.mean()), float(out.std() / len(out) ** 0.5), float(same), len(out)


def main(name: str = "level-1", game_name: str = "mus", deals: str = "32768") -> None:
    game: Game = get_game(game_name)
    policy = get_policy(name, game)
    table = hands(game)
    ways = table.ways / table.ways.sum()
    print(f"policy {policy.name} of {game.name}: what a keep gains that minds the numbers thrown")
    for seat in range(2, game.seats + 1):
        out = error = same = agreed = 0.0
        ranking = []
        for index, text in enumerate(table.texts):
            if not policy.says_mus(seat, index):
                continue
            keeps = distinct_keeps(table.counts[index])
            values, thrown, share = sample(policy, seat, index, keeps, 0, FIRST)
            agreed += ways[index] * share
            if len(values) < 500 or len(keeps) == 1:
                continue
            mean = values.mean(axis=0)
            near = keeps[mean > mean.max() - NEAR]
            if len(near) == 1:
                continue
            values, thrown, share = sample(policy, seat, index, near, 1, int(deals))
            a, se, b, _ = gain(values, thrown)
            ranking.append((a, se, b, text))
            weight = ways[index] * share
            out, same = out + weight * a, same + weight * b
            error += (weight * se) ** 2
        print(
            f"seat {seat}: {out:.5f} stones a deal (standard error {error**0.5:.5f}), at most "
            f"{same:.5f}; {out / agreed:.4f} to {same / agreed:.4f} after a mus that was agreed "
            f"({agreed:.1%} of deals)",
            flush=True,
        )
        ranking.sort(reverse=True)
        for a, se, b, text in ranking[:6]:
            print(f"    {text}: {a:.3f} ({se:.3f}), at most {b:.3f}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
