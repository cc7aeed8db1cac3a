"""Jokers: what may be named, what is named, and the odds that follow.

The rule is written a second time here, naively: hands are strings, deals and namings are
enumerated one by one.
"""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest

from musodds.cards import Deck, Kind
from musodds.games import PHASES, Game, get_game
from musodds.hands import hands
from musodds.joker_odds import count_named
from musodds.jokers import name_jokers
from tests import brute

COLUMNS = ("win", "lose", "void", "best", "contested", "win_contested")
COLUMNS += ("stones_for", "stones_against")


def joker_game(cards: dict[str, int], seats: int, side_size: int, **options) -> Game:
    """A game with a small deck, its jokers first."""
    plain = brute.reduced_game(cards, seats, side_size, **options)
    joker = Kind("*", brute.RANKS.index("R"), 10, 2, stands_for=("R", "A"))
    deck = Deck((joker, *plain.deck.kinds))
    return Game(f"jokers{seats}", "for tests", deck, seats, side_size, **options)


def naive_namings(hand: str) -> list[str]:
    """All ways to read a hand, most kings first."""
    found = []
    for choice in product("RA", repeat=hand.count("*")):
        letters = list(choice)
        named = "".join(letters.pop(0) if card == "*" else card for card in hand)
        if sorted(named) not in [sorted(other) for other in found]:
            found.append(named)
    return found


@cache
def naive_stones(game: Game, named: tuple[str, ...]) -> list[int]:
    """Stones of both sides en paso."""
    scored = [0, 0]
    for phase in PHASES:
        winner, _ = brute.judge(game, list(named), phase)
        if winner is None:
            continue
        side = game.side(winner)
        if phase in ("pares", "juego"):
            own = [h for s, h in enumerate(named, start=1) if game.side(s) == side]
            scored[side] += sum(brute.own_stones(hand, phase) for hand in own)
        else:
            scored[side] += 1
    return scored


def naive_showdown(game: Game, dealt: list[str], named: tuple[str, ...] = ()) -> tuple[str, ...]:
    """What the hands are named: each holder in turn, those after him foreseen."""
    if len(named) == game.seats:
        return named
    side = game.side(len(named) + 1)
    best, most = None, -100
    for choice in naive_namings(dealt[len(named)]):
        end = naive_showdown(game, dealt, (*named, choice))
        stones = naive_stones(game, end)
        if stones[side] - stones[1 - side] > most:
            best, most = end, stones[side] - stones[1 - side]
    return best


@cache
def naive_table(game: Game) -> dict[tuple[str, int], np.ndarray]:
    """Counts of every column, (hand, seat) -> (phases, columns), over all deals of all hands."""
    found: dict[tuple[str, int], np.ndarray] = {}
    for dealt, ways in brute.deals(game, {}):
        named = list(naive_showdown(game, dealt))
        rows, stones = naive_result(game, tuple(named))
        for seat, hand in enumerate(dealt, start=1):
            side = game.side(seat)
            row = np.array(
                [
                    [
                        winner is not None and game.side(winner) == side,
                        winner is not None and game.side(winner) != side,
                        winner is None,
                        winner == seat,
                        contested,
                        contested and game.side(winner) == side,
                        own[side],
                        own[1 - side],
                    ]
                    for (winner, contested), own in zip(rows, stones, strict=True)
                ],
                dtype=object,
            )
            key = (hand, seat)
            found[key] = found.get(key, 0) + row * ways
    return found


@cache
def naive_result(game: Game, named: tuple[str, ...]) -> tuple[list, list]:
    """Who takes each phase and whether it is contested, and what each side scores."""
    rows = [brute.judge(game, list(named), phase) for phase in PHASES]
    return rows, [phase_stones(game, list(named), phase) for phase in PHASES]


def phase_stones(game: Game, named: list[str], phase: str) -> list[int]:
    winner, _ = brute.judge(game, named, phase)
    scored = [0, 0]
    if winner is not None:
        own = [h for s, h in enumerate(named, start=1) if game.side(s) == game.side(winner)]
        many = phase in ("pares", "juego")
        scored[game.side(winner)] = sum(brute.own_stones(h, phase) for h in own) if many else 1
    return scored


@pytest.mark.parametrize(
    ("cards", "seats", "side_size", "real"),
    [
        ({"R": 4, "7": 3, "4": 1, "A": 4}, 2, 1, ()),
        ({"R": 4, "7": 3, "A": 8}, 4, 2, ()),
        ({"R": 3, "7": 9, "A": 3}, 4, 2, ("R777",)),
    ],
)
def test_every_hand_and_seat_by_enumeration(cards, seats, side_size, real):
    game = joker_game(cards, seats, side_size, real=real)
    all_hands = hands(game)
    every_seat = tuple(range(1, seats + 1))
    counts = count_named(game, np.arange(len(all_hands)), every_seat)
    expected = naive_table(game)
    assert len(expected) == len(all_hands) * seats
    for (text, seat), row in expected.items():
        me = all_hands.index(text)
        assert (counts[me, seat - 1] * int(all_hands.ways[me]) == row).all(), (text, seat)
