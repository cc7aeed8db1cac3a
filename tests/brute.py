"""The rules once more, written for slow and plain enumeration.

Nothing here uses the levels, stones or counts of the package: hands are strings of
symbols, compared as RULES section 1 says, and deals are enumerated one by one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations_with_replacement
from math import comb

from musodds.rules.cards import Deck, Kind
from musodds.rules.game import PHASES, Game

RANKS = "A234567SCR"
POINTS = {"R": 10, "C": 10, "S": 10, "A": 1} | {str(n): n for n in range(2, 8)}
JUEGOS = [33, 34, 35, 36, 37, 40, 32, 31]


def reduced_game(cards: dict[str, int], seats: int, side_size: int, **options) -> Game:
    """A game with a small deck: symbol -> copies, high to low."""
    kinds = tuple(Kind(s, RANKS.index(s), POINTS[s], n) for s, n in cards.items())
    return Game(f"reduced{seats}", "for tests", Deck(kinds), seats, side_size, **options)


@cache
def symbols(hand: str) -> list[str]:
    """The cards without their suits."""
    return re.findall(r"([RCS765432A])[ocebx]?", hand)


def with_suits(hand: str) -> list[str]:
    """The cards in order, each with its suit where the game tells suits apart."""
    return sorted(re.findall(r"[RCS765432A][ocebx]?", hand))


@cache
def strength(hand: str, phase: str, real: tuple[str, ...] = ()) -> tuple[int, ...] | None:
    """Something that compares as the hand does in the phase; None: it takes no part."""
    cards = symbols(hand)
    ranks = sorted(RANKS.index(card) for card in cards)
    total = sum(POINTS[card] for card in cards)
    if phase == "grande":
        return tuple(reversed(ranks))
    if phase == "chica":
        return tuple(20 - rank for rank in ranks)
    if phase == "punto":
        return (total,) if total <= 30 else None
    if phase == "juego":
        if total < 31:
            return None
        royal = any(with_suits(hand) == with_suits(r) for r in real)
        return (9,) if royal else (JUEGOS.index(total),)
    shape = sorted(Counter(ranks).items(), key=lambda item: (-item[1], -item[0]))
    pattern = [n for _, n in shape]
    if pattern == [4]:
        return (3, shape[0][0], shape[0][0])
    if pattern == [2, 2]:
        return (3, shape[0][0], shape[1][0])
    if pattern[0] == 3:
        return (2, shape[0][0])
    return (1, shape[0][0]) if pattern[0] == 2 else None


def own_stones(hand: str, phase: str) -> int:
    if phase == "pares":
        kind = strength(hand, "pares")
        return kind[0] if kind else 0
    total = sum(POINTS[card] for card in symbols(hand))
    return 3 if total == 31 else 2 if total > 31 else 0


def deals(game: Game, known: dict[int, str]) -> Iterator[tuple[list[str], int]]:
    """All ways to give every seat a hand, alike cards together, with their number."""
    left = {kind.symbol: kind.copies for kind in game.deck.kinds}
    for hand in known.values():
        for card in hand:
            left[card] -= 1

    def give(seat: int, left: dict[str, int]) -> Iterator[tuple[list[str], int]]:
        if seat > game.seats:
            yield [], 1
            return
        if seat in known:
            for rest, ways in give(seat + 1, left):
                yield [known[seat], *rest], ways
            return
        for hand in combinations_with_replacement(left, 4):
            number = Counter(hand)
            if all(n <= left[c] for c, n in number.items()):
                ways = 1
                for card, n in number.items():
                    ways *= comb(left[card], n)
                after = {c: n - number[c] for c, n in left.items()}
                for rest, more in give(seat + 1, after):
                    yield ["".join(hand), *rest], ways * more

    return give(1, left)


def judge(
    game: Game, dealt: list[str], phase: str, mine: int | None = None
) -> tuple[int | None, bool]:
    """Who takes the phase (seat, or None if it is void), and whether it is contested.

    That is, by two sides; of which one is that of the seat ``mine``, if it is given.
    """
    keys = [strength(hand, phase, game.real) for hand in dealt]
    if phase == "punto" and None in keys:
        return None, False
    taking_part = [seat for seat, key in enumerate(keys, start=1) if key is not None]
    if not taking_part:
        return None, False
    best = max(keys[seat - 1] for seat in taking_part)
    winner = next(seat for seat in taking_part if keys[seat - 1] == best)
    sides = {game.side(seat) for seat in taking_part}
    return winner, len(sides) > 1 and (mine is None or game.side(mine) in sides)


def count_columns(
    game: Game, known: dict[int, str], seat: int, some: Iterable | None = None
) -> tuple[dict, int]:
    """Every column of every phase as an integer, and the number of deals (all, or some)."""
    names = ("win", "lose", "void", "best", "contested", "win_contested")
    sums = {p: dict.fromkeys((*names, "stones_for", "stones_against"), 0) for p in PHASES}
    total = 0
    for dealt, ways in deals(game, known) if some is None else some:
        total += ways
        for phase in PHASES:
            row = sums[phase]
            winner, contested = judge(game, dealt, phase, seat)
            row["contested"] += ways * contested
            if winner is None:
                row["void"] += ways
                continue
            mine = game.side(winner) == game.side(seat)
            row["win" if mine else "lose"] += ways
            row["best"] += ways * (winner == seat)
            row["win_contested"] += ways * (mine and contested)
            stones = 1
            if phase in ("pares", "juego"):
                stones = sum(
                    own_stones(hand, phase)
                    for s, hand in enumerate(dealt, start=1)
                    if game.side(s) == game.side(winner)
                )
            row["stones_for" if mine else "stones_against"] += ways * stones
    return sums, total
