"""Exact draws against complete enumeration, card by card."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from musodds.errors import CardError
from musodds.exact.draws.draws import all_draws, draw, draws
from musodds.exact.draws.keeps import choices, distinct_keeps, keep_text
from musodds.rules.cards import Deck, Kind
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands

SMALL = Game(
    "small",
    "a reduced deck",
    Deck((Kind("R", 4, 10, 4), Kind("7", 3, 7, 3), Kind("4", 2, 4, 2), Kind("A", 1, 1, 5))),
    2,
    1,
)


def drawn_by_hand(game: Game, hand: str, keep: str) -> tuple[Counter[str], int]:
    """Every set of drawn cards, each card of the deck told apart."""
    deck = game.deck
    kept = deck.parse(keep.replace("-", ""))
    unseen = np.repeat(np.arange(len(deck.kinds)), deck.copies).tolist()
    for card in deck.parse(hand):
        unseen.remove(card)
    found = Counter(deck.text((*kept, *drawn)) for drawn in combinations(unseen, 4 - len(kept)))
    return found, sum(found.values())


@pytest.mark.parametrize("hand", ["RRRR", "RR7A", "7744", "74AA", "RRAA"])
def test_every_keep_on_a_reduced_deck(hand: str) -> None:
    for result in draws(hand, game=SMALL):
        expected, total = drawn_by_hand(SMALL, hand, result.keep)
        assert result.total == total
        assert result.fractions() == {text: Fraction(n, total) for text, n in expected.items()}


@pytest.mark.parametrize(
    ("game", "hand", "keep"),
    [("mus", "RRSA", "RRS"), ("mus", "777A", "77"), ("mus4", "R732", "R3"), ("mus", "SA45", "S")],
)
def test_keeps_on_the_whole_deck(game: str, hand: str, keep: str) -> None:
    result = draw(hand, keep, game=game)
    expected, total = drawn_by_hand(get_game(game), hand, result.keep)
    assert result.total == total
    assert result.fractions() == {text: Fraction(n, total) for text, n in expected.items()}


def test_chances_follow_from_the_rules() -> None:
    # Three 7s: a ten-point card makes 31 (16 of 36), the last 7 makes duples.
    result = draw("777A", "777")
    assert result.chances() == {
        "pares": 1,
        "par": 0,
        "medias": Fraction(35, 36),
        "duples": Fraction(1, 36),
        "juego": Fraction(16, 36),
        "31": Fraction(16, 36),
    }


def test_all_draws_agree_with_one_at_a_time() -> None:
    game = get_game("mus")
    table = hands(game)
    keeps, ways = all_draws(game)
    assert len(keeps.start) == len(table) + 1
    thrown = 4 - keeps.keep.sum(axis=1)
    assert (ways.sum(axis=1) == [comb(36, int(n)) for n in thrown]).all()
    for text in ("RRRR", "RR7A", "C654"):
        index = table.index(text)
        rows = slice(keeps.start[index], keeps.start[index + 1])
        each = draws(text, game=game)
        assert [keep_text(game, keep) for keep in keeps.keep[rows]] == [one.keep for one in each]
        assert (ways[rows] == np.stack([one.ways for one in each])).all()


def test_distinct_keeps_are_all_the_parts_of_a_hand() -> None:
    game = get_game("mus")
    for text in ("RRRR", "RR7A", "RRAA", "C654"):
        cards = game.deck.parse(text)
        expected = {part for n in range(4) for part in combinations(cards, n)}
        counts = np.bincount(cards, minlength=8)
        found = distinct_keeps(counts)
        assert {tuple(np.repeat(np.arange(8), keep)) for keep in found} == expected
        assert len(found) == len(expected)
        assert len(distinct_keeps(counts, all_four=True)) == len(expected) + 1


def test_throwing_nothing_leaves_the_hand() -> None:
    result = draw("RR7A", "RR7A", game="mus-visto")
    assert result.fractions() == {"RR7A": 1}


@pytest.mark.parametrize(
    ("keep", "message"),
    [
        ("RRR", "keep 'RRR' is not part of RR7A"),
        ("C", "keep 'C' is not part of RR7A"),
        ("RR7A", "keep 'RR7A' throws nothing of RR7A: one to four cards must go"),
        ("RQ", "'Q' in 'RQ' is not a Mus card: the first figure"),
    ],
)
def test_bad_keeps(keep: str, message: str) -> None:
    with pytest.raises(CardError, match="^" + message.split(":")[0]):
        draw("RR7A", keep)


def test_keep_is_read_as_hands_are() -> None:
    game = get_game("mus")
    offered = choices(game, "RR7A")
    assert offered.keeps[offered.find("2-3")] == "RA"
    assert offered.keeps[offered.find(" - ")] == "-"
