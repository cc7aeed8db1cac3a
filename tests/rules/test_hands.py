"""Hand classes, their levels and their stones, against the rules and published counts."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from musodds.rules.game import PHASES
from musodds.rules.games import GAMES, get_game
from musodds.rules.hands import hands
from tests.brute import own_stones, strength

MUS, MUS4 = hands(get_game("mus")), hands(get_game("mus4"))


def compare(all_hands, phase, first, second):
    a, b = (int(all_hands.level[phase][all_hands.index(text)]) for text in (first, second))
    return (a > b) - (a < b)


def test_published_counts_of_the_eight_king_game():
    ways, pares = MUS.ways, MUS.pares_type
    juego, points = MUS.level["juego"] > 0, MUS.points
    assert len(MUS) == 330
    assert ways.sum() == 91_390
    assert [int(ways[pares == kind].sum()) for kind in (3, 2, 1)] == [3_486, 4_448, 43_776]
    assert ways[pares > 0].sum() == 51_710
    assert ways[juego].sum() == 24_444
    assert ways[points == 31].sum() == 8_384
    assert ways[(points == 31) & (pares > 0)].sum() == 4_800
    assert ways[points == 30].sum() == 3_024


def test_four_kings_has_715_classes():
    assert len(MUS4) == 715
    assert MUS4.ways.sum() == 91_390


@pytest.mark.parametrize("name", GAMES)
def test_levels_order_hands_as_the_rules_do(name):
    game = get_game(name)
    # With jokers in the deck, the hands that they may be named as are compared.
    all_hands = hands(game).named
    for phase in PHASES:
        keys = [strength(text, phase, game.real) for text in all_hands.texts]
        ranked = sorted({key for key in keys if key is not None})
        expected = [0 if key is None else ranked.index(key) + 1 for key in keys]
        assert all_hands.level[phase].tolist() == expected
    for phase in ("pares", "juego"):
        expected = [own_stones(text, phase) for text in all_hands.texts]
        assert all_hands.stones[phase].tolist() == expected


def test_no_hand_totals_38_or_39():
    for all_hands in (MUS, MUS4):
        assert not set(all_hands.points.tolist()) & {38, 39}


def test_worked_examples_of_the_rules():
    """Mano A 7-7-2-A, B 3-3-S-2, C R-R-S-A, D C-C-C-6."""
    assert compare(MUS, "grande", "33S2", "RRSA") == 0
    assert compare(MUS, "grande", "33S2", "CCC6") == 1
    assert compare(MUS, "pares", "772A", "CCC6") == 1
    assert [int(MUS.stones["pares"][MUS.index(t)]) for t in ("772A", "RRSA", "33S2", "CCC6")] == [
        3,
        1,
        1,
        2,
    ]
    assert compare(MUS, "grande", "R344", "RCCC") == compare(MUS, "chica", "R344", "RCCC") == 1
    assert compare(MUS, "pares", "7743", "RC77") == 0
    assert compare(MUS, "pares", "CC55", "SSSS") == 1
    assert compare(MUS, "pares", "CC55", "CC44") == 1


def test_order_of_juegos():
    ordered = {31: "RRRA", 32: "RS66", 40: "RCSS", 37: "RRC7", 36: "RRC6", 35: "RRC5"}
    ordered |= {34: "RRC4", 33: "RS76"}
    assert [int(MUS.points[MUS.index(text)]) for text in ordered.values()] == list(ordered)
    for better, worse in zip(list(ordered.values()), list(ordered.values())[1:], strict=False):
        assert compare(MUS, "juego", better, worse) == 1


def test_juego_real_beats_every_other_31():
    real = hands(get_game("mus-real"))
    for figure, other in product("RCS", ("RRRA", "777R")):
        expected = 0 if other == "777R" else 1
        assert compare(real, "juego", f"777{figure}", other) == expected
    assert compare(MUS, "juego", "777R", "RRRA") == 0
    assert int(real.stones["juego"][real.index("777S")]) == 3
    four = hands(get_game("mus4-real"))
    assert compare(four, "juego", "777S", "RCSA") == 1
    assert int(four.level["juego"][four.index("7773")]) == 0


@given(st.sampled_from([MUS, MUS4]), st.data())
def test_raising_a_card_never_lowers_grande_nor_raises_chica(all_hands, data):
    me = data.draw(st.integers(0, len(all_hands) - 1))
    cards = list(all_hands.cards[me])
    raised = data.draw(st.integers(0, 3))
    cards[raised] = data.draw(st.integers(0, cards[raised]))
    if tuple(sorted(cards)) in all_hands.cards:
        other = all_hands.index(cards)
        assert all_hands.level["grande"][other] >= all_hands.level["grande"][me]
        assert all_hands.level["chica"][other] <= all_hands.level["chica"][me]


def test_punto_and_juego_share_out_all_hands():
    for all_hands in (MUS, MUS4):
        assert ((all_hands.level["juego"] > 0) != (all_hands.level["punto"] > 0)).all()
        assert np.array_equal(all_hands.level["punto"] > 0, all_hands.points <= 30)


@pytest.mark.parametrize(
    ("game", "hand", "plays"),
    [
        ("mus", "RR7A", "par of kings, punto of 28"),
        ("mus", "RRAA", "duples of kings and aces, punto of 22"),
        ("mus", "RRRR", "duples of kings, juego of 40"),
        ("mus", "777S", "medias of 7s, juego of 31"),
        ("mus-real", "777S", "medias of 7s, juego real"),
        ("mus", "RCS6", "no pares, juego of 36"),
        ("mus4", "3322", "duples of 3s and 2s, punto of 10"),
    ],
)
def test_plays_in_words(game, hand, plays):
    all_hands = hands(get_game(game))
    assert all_hands.plays(all_hands.index(hand)) == plays
