"""Jokers after a round of mus: a second simulator, slow and plain, of strings and lists.

It shares nothing with the package but the rules: cards are letters, a hand is judged by
`tests.brute`, jokers are named by trying all namings backwards.
"""

from __future__ import annotations

import sys
from collections import Counter
from functools import cache

import numpy as np
import pytest

from musodds.simulation.simulate import simulate
from tests.brute import own_stones, strength

DECK = "**" + 8 * "R" + 4 * "C" + 2 * "S" + "".join(4 * c for c in "7654") + 8 * "A"
SHAPES = ("no pares", "par", "medias", "duples")


def after_one_round(cards: list[str]) -> list[str]:
    """Hands of four seats that keep their kings, jokers among them, and throw the rest."""
    hands, stock = [cards[i : i + 4] for i in (0, 4, 8, 12)], cards[16:]
    changed = []
    for hand in hands:
        kings = [card for card in hand if card in "R*"]
        if len(kings) == 4:
            kings.remove("R")
        drawn, stock = stock[: 4 - len(kings)], stock[4 - len(kings) :]
        changed.append("".join(sorted(kings + drawn)))
    return changed


@cache
def namings(hand: str) -> list[str]:
    jokers, rest = hand.count("*"), hand.replace("*", "")
    return [
        "".join(sorted(rest + "R" * (jokers - aces) + "A" * aces)) for aces in range(jokers + 1)
    ]


@cache
def judged(hand: str) -> tuple:
    """Grande, chica, pares, and juego or else punto, as things that compare; and stones."""
    juego = strength(hand, "juego")
    last = (0, *strength(hand, "punto")) if juego is None else (1, *juego)
    lanes = (strength(hand, "grande"), strength(hand, "chica"), strength(hand, "pares") or (), last)
    return lanes, own_stones(hand, "pares"), own_stones(hand, "juego")


@cache
def net(named: tuple[str, ...]) -> int:
    """Stones of seats 1 and 3 less those of 2 and 4, when everybody passes."""
    each, total = [judged(hand) for hand in named], 0
    for lane in range(4):
        best = max(one[0][lane] for one in each)
        winner = next(seat for seat, one in enumerate(each) if one[0][lane] == best)
        worth = 1
        if lane >= 2:
            worth = sum(one[lane - 1] for one in each[winner % 2 :: 2])
            worth = max(worth, 1) if lane == 3 else worth
        total += worth if winner % 2 == 0 else -worth
    return total


def shown(hands: list[str], named: tuple[str, ...] = ()) -> tuple[int, tuple[str, ...]]:
    """Net and hands when each names in turn what is best for its side, the rest foreseen."""
    if len(named) == len(hands):
        return net(named), named
    ends = [shown(hands, (*named, option)) for option in namings(hands[len(named)])]
    sign = 1 if len(named) % 2 == 0 else -1
    return max(ends, key=lambda end: sign * end[0])


def count(deals: int, seed: int) -> list[Counter]:
    """How often each seat ends with each kind of pares, with juego and with 31."""
    rng = np.random.default_rng(seed)
    found = [Counter() for _ in range(4)]
    deck = np.array(list(DECK))
    for _ in range(deals):
        for seat, hand in enumerate(shown(after_one_round(rng.permutation(deck).tolist()))[1]):
            _, pares, juego = judged(hand)
            found[seat][SHAPES[pares]] += 1
            found[seat]["juego"] += juego > 0
            found[seat]["31"] += juego == 3
    return found


@pytest.mark.parametrize("deals", [40_000])
def test_what_seats_end_with_is_what_a_plain_simulator_finds(deals):
    assert len(DECK) == 40
    ours = simulate("mus-ten-kings", n=1_000_000, seed=21, policy="kings", rounds=1)
    found = count(deals, seed=3)
    for seat, row in enumerate(ours.seat_rows()):
        for column, name in (("31", "juego_31"), *((c, c) for c in (*SHAPES[1:], "juego"))):
            p = row[name]
            error = np.sqrt(p * (1 - p) * (1 / deals + 1 / ours.n))
            assert abs(found[seat][column] / deals - p) < 4.5 * error, (seat + 1, column)


def test_what_ten_million_deals_gave():
    """Of mano after one round, by 10 million deals; the simulator above agrees with 1 million."""
    [mano, *_] = simulate("mus-ten-kings", n=1_000_000, seed=22, policy="kings").seat_rows()
    for name, value, error in (
        ("duples", 0.08145, 0.0001),
        ("medias", 0.19814, 0.00013),
        ("juego_31", 0.16038, 0.00012),
    ):
        assert abs(mano[name] - value) < 4.5 * np.hypot(mano[f"{name}_se"], error)


if __name__ == "__main__":
    # python -m tests.simulation.test_jokers_after_mus DEALS SEED
    asked = int(sys.argv[1])
    for seat, counter in enumerate(count(asked, int(sys.argv[2])), start=1):
        print(seat, {name: round(n / asked, 5) for name, n in sorted(counter.items())})
