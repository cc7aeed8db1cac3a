"""Reduced decks on which every deal can be gone through, and the going through."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import product
from math import comb

import numpy as np

from musodds.exact.draws.draws import draw_ways
from musodds.exact.draws.keeps import distinct_keeps
from musodds.rules.cards import Deck, Kind
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.simulation.policies import Policy

# With 3 kinds there are 15 hands.
KINDS = (Kind("R", 3, 10, 8), Kind("7", 2, 7, 6), Kind("A", 1, 1, 8))
FOUR = Game("four", "a reduced deck for four", Deck(KINDS), 4, 2)
TWO = Game("two", "a reduced deck for two", Deck((*KINDS[:2], Kind("A", 1, 1, 4))), 2, 1)
VISTO = replace(TWO, name="two-visto", visto=True)
SHOWN = replace(TWO, name="two-shown", exchange=("R77A",))

PASCAL = np.array([[comb(n, k) for k in range(9)] for n in range(9)])


@lru_cache
def net_of_deals(game: Game) -> np.ndarray:
    """Mano's side's net stones en paso for the hands of all seats, from the rules."""
    table = hands(game)
    net = np.zeros((len(table),) * game.seats, dtype=np.int64)
    for deal in product(range(len(table)), repeat=game.seats):
        for phase in ("grande", "chica", "pares", "juego", "punto"):
            levels = [int(table.level[phase][index]) for index in deal]
            if phase == "punto" and 0 in levels:
                continue
            if not any(levels):
                continue
            winner = levels.index(max(levels)) % 2
            stones = 1
            if phase in table.stones:
                stones = sum(
                    int(table.stones[phase][deal[s]]) for s in range(winner, game.seats, 2)
                )
            net[deal] += stones if winner == 0 else -stones
    return net


def choose(available: np.ndarray, taken: np.ndarray) -> np.ndarray:
    """Ways to take those cards; 0 where there are too few."""
    fits = (taken >= 0) & (taken <= available)
    return np.where(fits, PASCAL[np.maximum(available, 0), np.maximum(taken, 0)], 0).prod(axis=-1)


def solo_net_by_hand(game: Game, seat: int, hand: np.ndarray, keep: np.ndarray) -> float:
    """Expected net of a keep, over all draws and all hands of the others."""
    table, copies = hands(game), game.deck.copies
    total = weight = 0
    net = net_of_deals(game) if seat % 2 else -net_of_deals(game)
    for index, after in enumerate(table.counts):
        drawn = after - keep
        ways = int(choose(copies - hand, drawn)) if (drawn >= 0).all() else 0
        if not ways:
            continue
        left = copies - hand - drawn
        cases = np.array([1])
        for _ in range(game.seats - 1):
            more = choose(left[..., None, :], table.counts)
            left = left[..., None, :] - table.counts
            cases = cases[..., None] * more
        cases = cases[0]
        total += ways * int((cases * np.take(net, index, axis=seat - 1)).sum())
        weight += ways * int(cases.sum())
    return total / weight


def small_policy(game: Game = TWO) -> Policy:
    """A policy for a game of two, with some of everything."""
    table = hands(game)
    keep = np.zeros((2, *table.counts.shape), dtype=np.int8)
    cut = np.zeros((2, len(table)), dtype=np.bool_)
    for seat in range(2):
        for index, counts in enumerate(table.counts):
            each = distinct_keeps(counts, all_four=game.visto)
            keep[seat, index] = each[(3 * index + seat) % len(each)]
            cut[seat, index] = (index + seat) % 4 == 0 or keep[seat, index].sum() == 4
    return Policy("small", game, keep, cut)


def enumerated(
    policy: Policy, seat: int, index: int, keep: np.ndarray, learn: bool, shown: int | None = None
) -> tuple[float, float]:
    """In a game of two, when both draw: net of a keep, and of saying mus and keeping it.

    The other is not dealt the hand ``shown``.
    """
    game = policy.game
    table, copies = hands(game), game.deck.copies
    net = net_of_deals(game) if seat == 1 else -net_of_deals(game).T
    hand, theirs_seat = table.counts[index], 2 - seat
    keeps = total = mus = weight = 0
    for other, held in enumerate(table.counts):
        ways = int(choose(copies - hand, held))
        if not ways or other == shown:
            continue
        left = copies - hand - held
        theirs = policy.keep[theirs_seat, other].astype(np.int64)
        reached = draw_ways(table, copies - left, theirs)
        value = 0.0
        for after in np.flatnonzero(reached):
            rest = left - (table.counts[after] - theirs)
            mine = draw_ways(table, copies - rest, keep)
            value += reached[after] / reached.sum() * (mine @ net[:, after]) / mine.sum()
        cuts = policy.cut[theirs_seat, other]
        weight += ways
        mus += ways * (net[index, other] if cuts else value)
        if not (learn and cuts):
            keeps += ways
            total += ways * value
    return total / keeps, mus / weight
