"""Whether two partners who change their keeps together gain, when neither gains alone.

    python -m tests.benchmarks.bench_together [GAME]

All over deals in which all say mus among players of the solved policy, what is said left as it is.

*Whole tables.* The partners begin with the keeps of another policy (solo, kings) and answer each
other by turns until nothing changes; what they come to is played against the policy.

*All pairs of hands.* Every hand that says mus has its second keep. In each deal with mus both
partners' own and second keeps are played, all four ways with the same cards; summed by the two
hands, that gives what every set of changes brings, as the sum over its pairs. On half of the deals
the best set is sought (each partner by turns changes the hands that gain), and the pairs of hands
whose joint change brings most; what they bring is measured on the other half.

*Pairs that know each other.* The pairs of hands with the most to win, half of them those whose
second keeps lose least by themselves, half those that gain most by going together, are dealt on
purpose: what the partners would gain if each knew the other's cards.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from musodds.compiled import inlined, kernel
from musodds.exact.draws.draws import all_keeps
from musodds.report.tables.throws import best_keeps
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.simulation.kernels.dealing import Desk, draw_four, draws_of_four
from musodds.simulation.kernels.layout import CUT, MOVE_BITS
from musodds.simulation.kernels.rng import accepted, seed_block
from musodds.simulation.named_policies import get_policy
from musodds.simulation.packing import pack_game, pack_policy
from musodds.simulation.policies import Policy
from musodds.simulation.simulate import simulate
from musodds.strategy.bench import stones_worth
from musodds.strategy.best_response import Work
from musodds.strategy.keep_tables import pack_keeps
from musodds.strategy.kernels.rivalry import net_of, size_up

DEALS, TURNS, GAP = 40_000_000, 8, 0.02
HALF, PAIRS, EACH, SEEN = 8_000_000, 300, 40_000, 30
SIDES = ((1, 3), (2, 4))

U64 = np.uint64
_0, _1, _2, _3, _4 = map(U64, range(5))
_CUT, _THROWN, _BITS = U64(CUT), U64(CUT - 1), U64(MOVE_BITS)


class Table(NamedTuple):
    """What does not change while deals are played."""

    moves: np.ndarray
    other: np.ndarray
    order: tuple[int, ...]
    sides: tuple[int, ...]
    tables: object
    keeps: object
    worth: np.ndarray


@inlined
def _hand(move, cards, tables):  # type: ignore[no-untyped-def]
    """The class after a move, of four cards that may be drawn the first ones."""
    thrown, code = move & _THROWN, move >> _BITS
    code += cards[0] * U64(thrown > _0) + cards[1] * U64(thrown > _1)
    code += cards[2] * U64(thrown > _2) + cards[3] * U64(thrown > _3)
    return tables.class_of[code]


@kernel
def play(desk, start, stream, deals, pair, held, table, sums):  # type: ignore[no-untyped-def]
    """Play deals with mus; add up what other keeps bring, by the partners' hands.

    ``held`` are the partners' hands, whose cards come first in ``start``, or -1. ``sums`` is
    (7, classes, classes): deals; what is gained by the first, the second, both; squares.
    """
    moves, tables, order = table.moves, table.tables, table.order
    one, two = pair
    seed_block(desk.state, stream[0], stream[1])
    for i in range(len(start)):
        desk.deck[i] = start[i]
    agreed = 0
    while agreed < deals:
        pos, cut = _0, False
        if held[0] >= 0:
            pos = _4 + _4
            desk.hand[one], desk.hand[two] = U64(held[0]), U64(held[1])
        for seat in range(len(order)):
            if not cut and (held[0] < 0 or (seat != one and seat != two)):
                bits = accepted(desk.state, draws_of_four(U64(len(desk.deck)) - pos))
                c0, c1, c2, c3, _ = draw_four(desk.deck, bits, pos)
                desk.hand[seat] = tables.class_of[c0 + c1 + c2 + c3]
                pos += _4
                cut = moves[seat, desk.hand[seat]] & _CUT != _0
        if cut:
            continue
        agreed += 1
        for seat in range(len(order)):
            if seat != one and seat != two:
                bits = accepted(desk.state, draws_of_four(U64(len(desk.deck)) - pos))
                cards = draw_four(desk.deck, bits, pos)
                move = moves[seat, desk.hand[seat]]
                desk.hand[seat] = _hand(move, cards, tables)
                pos += move & _THROWN
        bits = accepted(desk.state, draws_of_four(U64(len(desk.deck)) - pos))
        mine = draw_four(desk.deck, bits, pos)
        bits = accepted(desk.state, draws_of_four(U64(len(desk.deck)) - pos - _4))
        theirs = draw_four(desk.deck, bits, pos + _4)
        a, b = desk.hand[one], desk.hand[two]
        own_a, own_b = _hand(moves[one, a], mine, tables), _hand(moves[two, b], theirs, tables)
        new_a = _hand(table.other[one, a], mine, tables)
        new_b = _hand(table.other[two, b], theirs, tables)
        desk.hand[two] = own_b
        rivalry = size_up(desk.hand, one, order, table.sides, table.keeps)
        keeps, worth = table.keeps, table.worth
        was = net_of(own_a, rivalry, keeps.lanes, keeps.stones, keeps.juego, worth)
        first = net_of(new_a, rivalry, keeps.lanes, keeps.stones, keeps.juego, worth) - was
        desk.hand[two] = new_b
        rivalry = size_up(desk.hand, one, order, table.sides, table.keeps)
        second = net_of(own_a, rivalry, keeps.lanes, keeps.stones, keeps.juego, worth) - was
        both = net_of(new_a, rivalry, keeps.lanes, keeps.stones, keeps.juego, worth) - was
        sums[0, a, b] += 1
        for i, gain in enumerate((first, second, both)):
            sums[1 + i, a, b] += gain
            sums[4 + i, a, b] += gain * gain


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
    for seats in SIDES:
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


def second_keeps(policy: Policy) -> np.ndarray:
    """The moves in which every hand that says mus takes its second keep."""
    game = policy.game
    keep = all_keeps(game).keep[best_keeps(game).rows[1]].astype(np.int8)
    packed = pack_policy(replace(policy, keep=keep), pack_game(game).codes)
    moves: np.ndarray = packed.moves
    return moves


class Played:
    """Deals in which all say mus, of two partners and their second keeps."""

    def __init__(self, policy: Policy, seats: tuple[int, int]) -> None:
        game = policy.game
        self.policy, self.seats = policy, seats
        self.tables, self.hands = pack_game(game), hands(game)
        moves = pack_policy(policy, self.tables.codes).moves
        order, sides = tuple(range(game.seats)), tuple(range(game.sides))
        self.table = Table(
            moves, second_keeps(policy), order, sides, self.tables, pack_keeps(game),
            stones_worth(game),
        )  # fmt: skip

    def __call__(self, deals: int, block: int, held: tuple[int, int] = (-1, -1)) -> np.ndarray:
        """Sums as of :func:`play`."""
        out = np.zeros_like(self.tables.copies)
        for index in held:
            if index >= 0:
                out = out + self.tables.counts[index]
        left = self.tables.copies - out
        deck = np.repeat(np.tile(self.tables.codes, 2), np.concatenate((out, left)))
        desk = Desk.of(deck, self.policy.game.seats, len(self.tables.codes))
        pair = self.seats[0] - 1, self.seats[1] - 1
        sums = np.zeros((7, len(self.hands), len(self.hands)))
        play(desk, deck, (U64(11), U64(block)), deals, pair, held, self.table, sums)
        return sums


def best_sets(sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which hands of either partner to change so that the side gains most, by turns."""
    _, first, second, both = sums[:4]
    ones = np.zeros(len(first), dtype=bool)
    twos = np.zeros(len(first), dtype=bool)
    for _ in range(20):
        # What a hand gains by a change, the other's changes being as they are.
        ones = np.where(twos, both - second, first).sum(axis=1) > 0
        twos = np.where(ones[:, None], both - first, second).sum(axis=0) > 0
    return ones, twos


def worth_of(sums: np.ndarray, ones: np.ndarray, twos: np.ndarray) -> tuple[float, float]:
    """What changing some hands brings for each deal with mus, and its standard error."""
    chosen = np.stack((
        np.outer(ones, ~twos), np.outer(~ones, twos), np.outer(ones, twos)
    ))  # fmt: skip
    n = sums[0].sum()
    mean = float((sums[1:4] * chosen).sum() / n)
    square = float((sums[4:7] * chosen).sum() / n)
    return mean, float(np.sqrt(max(square - mean**2, 0) / n))


def only(length: int, index: int) -> np.ndarray:
    found: np.ndarray = np.arange(length) == index
    return found


def unknowing(played: Played, sums: tuple[np.ndarray, np.ndarray]) -> None:
    """Partners who do not know each other's cards: the best set, and the best single pairs."""
    sought, fresh = sums
    ones, twos = best_sets(sought)
    (looked, _), (gain, error) = (worth_of(one, ones, twos) for one in sums)
    print(
        f"{_who(played)}: the best set changes {ones.sum()} and {twos.sum()} hands; sought "
        f"{looked:+.5f}, on fresh deals {gain:+.5f} ({error:.5f}) stones after a mus",
        flush=True,
    )
    total = sought[3] + sought[1].sum(axis=1)[:, None] - sought[1]
    total = total + sought[2].sum(axis=0)[None] - sought[2]
    total[sought[0] == 0] = -np.inf
    each = []
    for place in np.argsort(-total, axis=None)[:PAIRS]:
        a, b = divmod(int(place), len(total))
        each.append(worth_of(fresh, only(len(total), a), only(len(total), b)))
    gains, errors = np.array(each).T
    _told(f"{_who(played)}: the {len(gains)} best pairs, changed not knowing", gains, errors, 5)


def knowing(played: Played, sums: np.ndarray) -> None:
    """Partners who know each other's cards: the pairs with the most to win."""
    n, first, second, both = sums[:4]
    alone = [
        gain.sum(axis=axis) / n.sum(axis=axis).clip(1) for gain, axis in ((first, 1), (second, 0))
    ]
    regret = np.where(n > 0, alone[0][:, None] + alone[1][None], -np.inf)
    going = both - first - second
    spread = np.sqrt(np.maximum(sums[6] - both**2 / n.clip(1), 0))
    together = np.where(n > SEEN, (going - spread) / n.clip(1), -np.inf)
    for words, ranking in (("lose least alone", regret), ("gain most together", together)):
        each, joint = [], []
        best = np.argsort(-ranking, axis=None)[: PAIRS // 2]
        for i, place in enumerate(best[np.isfinite(ranking.ravel()[best])]):
            a, b = divmod(int(place), len(n))
            found = played(EACH, (1 << 40) + i, (a, b))[:, a, b]
            mean = found[1:4] / found[0]
            error = np.sqrt((found[4:7] / found[0] - mean**2) / found[0])
            each.append((mean[2], error[2]))
            joint.append((mean[2] - max(mean[0], mean[1], 0), mean, error, a, b))
        gains, errors = np.array(each).T
        _told(f"{_who(played)}: {len(gains)} pairs that {words}, knowing", gains, errors, 3)
        _, mean, error, a, b = max(joint, key=lambda one: one[0])
        print(
            f"  most beyond what one alone gains: {played.hands.texts[a]} and "
            f"{played.hands.texts[b]}, together {mean[2]:+.3f} ({error[2]:.3f}), alone "
            f"{mean[0]:+.3f} and {mean[1]:+.3f} ({error[0]:.3f}, {error[1]:.3f}); the pair comes "
            f"in {n[a, b] / n.sum():.6f} of deals with mus",
            flush=True,
        )


def _who(played: Played) -> str:
    return f"seats {played.seats[0]} and {played.seats[1]}"


def _told(words: str, gains: np.ndarray, errors: np.ndarray, digits: int) -> None:
    most = int(gains.argmax())
    print(
        f"{words}: mean {gains.mean():+.{digits}f}, most {gains[most]:+.{digits}f} "
        f"({errors[most]:.{digits}f}), {int((gains > 3 * errors).sum())} gain by 3 standard "
        f"errors, {int((gains < -3 * errors).sum())} lose",
        flush=True,
    )


def pairs(policy: Policy) -> None:
    for seats in SIDES:
        played = Played(policy, seats)
        sums = played(HALF, 1), played(HALF, 2)
        unknowing(played, sums)
        knowing(played, sums[0])


def main(game_name: str = "mus") -> None:
    game = get_game(game_name)
    policy = get_policy("best", game)
    print(f"policy {policy.name} of {game.name}: two partners who change together")
    pairs(policy)
    whole_tables(policy, game)


if __name__ == "__main__":
    main(*sys.argv[1:])
