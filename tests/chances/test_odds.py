"""The exact engine against independent values and against plain enumeration."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import musodds as mo
from musodds.chances.odds import SIMULATED, odds
from musodds.errors import CardError, GameError
from musodds.exact.phases.columns import COLUMNS, columns_of
from musodds.exact.phases.count import count, total_deals
from musodds.exact.phases.singles import best_counts
from musodds.knowledge.knowledge import know
from musodds.rules.game import PHASES
from musodds.rules.games import GAMES, get_game
from musodds.rules.hands import hands
from musodds.rules.shown import shown_hands
from musodds.store.numbers import published_counts
from tests.brute import count_columns, reduced_game

DATA = Path(__file__).parents[1] / "data"

REFERENCE = [
    (game, hand, rows)
    for file, game in (
        ("shared_mus", "mus"),
        ("shared_mus4", "mus4"),
        ("shared_real", "mus-real"),
    )
    for hand, rows in json.loads((DATA / f"{file}.json").read_text()).items()
]


def engine_rows(game_name: str, hand: str) -> list[dict[str, float | None]]:
    """The rows of the engine itself, not of the published table."""
    game = get_game(game_name)
    seats = tuple(range(1, game.seats + 1))
    counts = count(game, np.array([hands(game).index(hand)]), seats)[0]
    stored = mo.odds(hand, game=game)
    assert (counts == stored.counts).all()
    return stored.rows()


@pytest.mark.parametrize(
    ("game", "hand", "expected"), REFERENCE, ids=[f"{g}-{h}" for g, h, _ in REFERENCE]
)
def test_reference_values(game, hand, expected):
    rows = engine_rows(game, hand)
    assert len(rows) == len(expected) == 20
    for row, reference in zip(rows, expected, strict=True):
        assert (row["seat"], row["phase"]) == (reference["seat"], reference["phase"])
        for column in COLUMNS:
            if reference[column] is None:
                assert row[column] is None
            else:
                assert row[column] == pytest.approx(reference[column], rel=0, abs=1e-12)


# Reduced decks: pares of all types, juego and punto, ties between and across sides, and
# kinds scarce enough that one player's cards change what the others can hold.
@pytest.mark.parametrize(
    ("cards", "seats", "side_size", "real"),
    [
        ({"R": 3, "C": 2, "S": 2, "7": 3, "5": 2, "4": 2, "A": 4}, 2, 1, ()),
        ({"R": 5, "C": 1, "7": 3, "A": 7}, 4, 2, ()),
        ({"R": 3, "S": 1, "7": 7, "4": 5}, 4, 2, ("R777", "S777")),
    ],
)
def test_every_hand_and_seat_by_enumeration(cards, seats, side_size, real):
    game = reduced_game(cards, seats, side_size, real=real)
    all_hands = hands(game)
    every_seat = tuple(range(1, seats + 1))
    counts = count(game, np.arange(len(all_hands)), every_seat)
    for me, text in enumerate(all_hands.texts):
        for seat in every_seat:
            expected, total = count_columns(game, {seat: text}, seat)
            assert total == total_deals(game)
            for j, phase in enumerate(PHASES):
                named = dict(zip(COLUMNS, counts[me, seat - 1, j].tolist(), strict=True))
                assert named == expected[phase], (text, seat, phase)


def test_pairs_by_enumeration():
    game = reduced_game({"R": 5, "C": 2, "7": 4, "4": 2, "A": 5}, 4, 2)
    for hand, partner in [("RR7A", "R7AA"), ("AAAA", "RRC7"), ("77AA", "CC44"), ("R77A", "RRRR")]:
        for seat in (1, 2, 3, 4):
            result = mo.odds(hand, game=game, seat=seat, partner=partner)
            mate = game.partners(seat)[0]
            expected, total = count_columns(game, {seat: hand, mate: partner}, seat)
            assert result.deals == total
            for j, phase in enumerate(PHASES):
                named = dict(zip(COLUMNS, result.counts[0, j].tolist(), strict=True))
                assert named == expected[phase]


@pytest.mark.parametrize(
    ("cards", "seats", "side_size"),
    [
        ({"R": 4, "7": 4, "4": 2, "A": 4}, 2, 1),
        ({"R": 4, "7": 4, "4": 1, "A": 4}, 3, 1),
        ({"R": 6, "7": 6, "A": 5}, 4, 2),
        ({"R": 7, "7": 7, "A": 7}, 5, 1),
        ({"C": 13, "7": 1, "A": 12}, 6, 3),
    ],
)
def test_best_for_two_to_six_seats(cards, seats, side_size):
    game = reduced_game(cards, seats, side_size)
    texts = hands(game).texts
    chosen = texts if seats < 5 else texts[:: len(texts) // 3]
    for text in chosen:
        for seat in range(1, seats + 1) if seats < 5 else (1, seats // 2 + 1, seats):
            expected, total = count_columns(game, {seat: text}, seat)
            counts, deals = best_counts(game, hands(game).index(text), seat)
            assert deals == total
            assert counts.tolist() == [expected[phase]["best"] for phase in PHASES]


def test_best_of_six_players_does_not_overflow():
    game = reduced_game({"R": 8, "C": 4, "7": 4, "4": 4, "A": 8}, 6, 3)
    counts, deals = best_counts(game, hands(game).index("RRRR"), 1)
    assert counts[PHASES.index("grande")] == deals


@pytest.mark.parametrize("name", GAMES)
def test_what_one_side_wins_the_other_loses(name):
    """Over all hands, what a seat loses the other sides win, as integers."""
    game = get_game(name)
    counts = published_counts(game if game.one_suit is None else game.one_suit)
    game = game if game.one_suit is None else game.one_suit
    # A hand that is shown is none that is played: its row is about the hands drawn then.
    ways = hands(game).ways.astype(object)
    ways[list(shown_hands(game))] = 0
    over_all_hands = np.einsum("h,hspc->spc", ways, counts.astype(object))
    named = {column: over_all_hands[:, :, i] for i, column in enumerate(columns_of(game))}
    for seat in range(1, game.seats + 1):
        others = [s for s in range(1, game.sides + 1) if game.side(s) != game.side(seat)]
        for mine, theirs in (("win", "lose"), ("stones_for", "stones_against")):
            taken = sum(named[mine][other - 1] for other in others)
            assert (named[theirs][seat - 1] == taken).all()
        assert (named["void"][seat - 1] == named["void"][0]).all()
    everything = sum(over_all_hands[0, 0, :3])
    if not game.exchange:
        assert everything == total_deals(game) * int(ways.sum())
    assert (named["best"].sum(axis=0) == everything - named["void"][0]).all()
    if "worst" in named:
        assert (named["worst"].sum(axis=0) == everything - named["void"][0]).all()


@pytest.mark.parametrize("name", ["mus", "mus-real", "mus2p"])
def test_published_table_is_what_the_engine_counts(name):
    game = get_game(name)
    seats = tuple(range(1, game.seats + 1))
    assert (count(game, np.arange(len(hands(game))), seats) == published_counts(game)).all()


@pytest.mark.parametrize("name", ["mus4", "mus4-real"])
def test_published_table_of_four_kings(name):
    game = get_game(name)
    sample = np.arange(0, len(hands(game)), 119)
    assert (count(game, sample, (1, 2, 3, 4)) == published_counts(game)[sample]).all()


def test_every_game_has_its_published_table():
    for game in GAMES.values():
        assert published_counts(game.one_suit or game) is not None, game.name


@given(st.integers(0, 329), st.sampled_from([1, 2, 3, 4]))
def test_win_lose_void_is_everything(me, seat):
    text = hands(get_game("mus")).texts[me]
    result = mo.odds(text, seat=seat)
    for phase in PHASES:
        parts = [result.fraction(seat, phase, column) for column in ("win", "lose", "void")]
        assert sum(parts) == 1
        assert result.fraction(seat, phase, "best") <= result.fraction(seat, phase, "win")


def test_floats_are_the_rounded_quotients_of_the_fractions():
    result = mo.odds("RCS7", seat=2)
    for row in result.rows():
        for column in COLUMNS:
            exact = result.fraction(2, row["phase"], column)
            assert row[column] == (None if exact is None else float(exact))
    net = sum(
        result.fraction(2, phase, "stones_for") - result.fraction(2, phase, "stones_against")
        for phase in PHASES
    )
    assert {row["net"] for row in result.rows()} == {result.net(2)} == {float(net)}


def test_a_king_cannot_be_tied_by_mano_with_four():
    """Four kings as seat 2 lose grande only to mano's four kings: 1 in C(36, 4)."""
    assert mo.odds("RRRR", seat=2).fraction(2, "grande", "lose") == Fraction(1, 58905)


def test_table_has_the_numbers_of_the_single_hands():
    table = mo.odds_table("mus").set_index(["hand", "seat", "phase"])
    assert len(table) == 330 * 4 * 5
    for text in ("RRRR", "RR7A", "7654"):
        single = mo.odds(text).to_frame().set_index(["seat", "phase"])
        for column in (*COLUMNS, "net"):
            np.testing.assert_array_equal(table.loc[text][column], single[column])


def test_impossible_questions_say_what_is_wrong():
    with pytest.raises(CardError, match=r"6 cards C in the hand .*together: the deck has only 4"):
        mo.odds("CCCA", partner="CCC7")
    with pytest.raises(GameError, match="nobody has a partner in mus2p"):
        mo.odds("RRRR", game="mus2p", partner="AAAA")
    with pytest.raises(GameError, match="seats are 1 to 2"):
        mo.odds("RRRR", game="mus2p", seat=3)


@pytest.mark.parametrize(
    ("asked", "method"),
    [
        ({"game": "mus"}, "exact"),
        ({"game": "mus6p"}, "exact"),
        ({"game": "encaje5"}, "exact"),
        ({"knowledge": know(partner="31", dead="A")}, "exact"),
        ({"knowledge": know("encaje3", dead="A")}, "exact"),
        ({"n": 400}, "monte-carlo"),
        ({"n": 400, "partner": "CC55"}, "monte-carlo"),
        ({"game": "mus6p-four-kings"}, "monte-carlo"),
        ({"knowledge": know("mus6p", next="31")}, "monte-carlo"),
        ({"knowledge": know("encaje5", dead="A")}, "monte-carlo"),
    ],
)
def test_every_question_is_answered_and_says_by_which_engine(asked, method):
    answer = odds("RR7A", seat=1, **asked)
    assert answer.method == method
    assert answer.seats == (1,)
    for row in answer.rows():
        assert row["win"] + row["lose"] + row["void"] == pytest.approx(1)
    simulated = asked.get("n", SIMULATED)
    assert getattr(answer, "n", None) == (None if method == "exact" else simulated)


def test_a_partner_with_one_hand_is_that_partner():
    said, held = odds("RR7A", knowledge=know(partner="CC55")), odds("RR7A", partner="CC55")
    assert said == held
    assert said.partner == "CC55"
    both = odds("RR7A", seat=2, partner="CC55", knowledge=know(next="31", dead="R"))
    assert both == odds("RR7A", seat=2, knowledge=know(partner="CC55", next="31", dead="R"))


def test_what_is_simulated_agrees_with_what_is_counted():
    known = know(partner="seña:31", next="pares")
    exact, tried = (odds("RR7A", seat=3, knowledge=known, n=n, seed=5) for n in (None, 20_000))
    for one, other in zip(exact.rows(), tried.rows(), strict=True):
        for column in ("win", "best", "contested", "stones_for"):
            assert abs(one[column] - other[column]) <= 4 * other[f"{column}_se"]


@pytest.mark.parametrize(("game", "who"), [("mus2p", "nobody has a partner"), ("mus6p", "two par")])
def test_no_partner_is_no_question(game, who):
    with pytest.raises(GameError, match=who):
        odds("RRRR", game=game, partner="AAAA")
