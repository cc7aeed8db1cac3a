"""Questions that are averages of simpler ones: suits that matter, hands that are shown."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import musodds as mo
from musodds.chances.joint import joint
from musodds.chances.odds import known_odds
from musodds.chances.odds_table import odds_table
from musodds.chances.reading import read_others as read
from musodds.errors import CardError, KnowledgeError
from musodds.exact.phases.columns import COLUMNS
from musodds.exact.phases.count import count
from musodds.knowledge.knowledge import know
from musodds.knowledge.question import ask, listed, simpler
from musodds.rules.cards import SUITS, Deck, Kind
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.rules.shown import shown_hands
from tests.brute import deals, judge, own_stones, reduced_game

SUIT_GAMES = ["mus-real-suits", "mus4-real-suits"]


def small_suits_game(seats: int, side_size: int, cards: dict[str, int]) -> Game:
    """A small deck with every sota and every 7 in it, suits told apart."""
    full = get_game("mus-real-suits")
    others = {
        s: Kind(s, k.rank, k.points, cards[s]) for k in full.deck.kinds if (s := k.symbol) in cards
    }

    def deck(of: Game) -> Deck:
        kinds = [k if k.symbol in "S7" else others.get(k.symbol) for k in of.deck.kinds]
        return Deck(tuple(kind for kind in kinds if kind is not None))

    one = full.one_suit
    change = {"seats": seats, "side_size": side_size}
    return replace(full, deck=deck(full), one_suit=replace(one, deck=deck(one), **change), **change)


@pytest.mark.parametrize(
    ("seats", "side_size", "cards", "step"),
    [(2, 1, {"R": 2, "4": 1, "A": 2}, 5), (4, 2, {"R": 2, "4": 2, "A": 4}, 29)],
)
def test_four_suits_are_the_average_of_one(seats, side_size, cards, step):
    """The general engine with every suit told apart, against the simpler game, as integers."""
    game = small_suits_game(seats, side_size, cards)
    all_hands = hands(game)
    every_seat = tuple(range(1, seats + 1))
    mine = np.arange(0, len(all_hands), step)
    direct = count(game, mine, every_seat)
    simple = count(game.one_suit, np.arange(len(hands(game.one_suit))), every_seat)
    kinds_of_question = set()
    for i, me in enumerate(mine):
        cases = simpler(game, all_hands.cards[me])
        total = sum(weight * simple[case.me] for case, weight in cases.items())
        assert (total == direct[i] * sum(cases.values())).all(), all_hands.texts[me]
        kinds_of_question.add(len(cases))
    assert kinds_of_question == {1, 2}


def test_a_known_partner_in_the_suits_game():
    game = small_suits_game(4, 2, {"R": 3, "4": 1, "A": 4})
    for me, mate in [
        ("7o So R A", "7c 7e R A"),
        ("R R A A", "7o So Sc A"),
        ("So Sc R A", "R R A A"),
        ("7o 7c 7e So", "7b Sb A A"),
        ("R A A A", "7c 7e 7b So"),
    ]:
        first, second = hands(game).index(me), hands(game).index(mate)
        direct = count(game, np.array([first]), (1, 2, 3, 4), second)[0]
        answer = mo.odds(me, game=game, partner=mate)
        assert (answer.counts * int(direct[0, 0, :3].sum()) == direct * answer.deals).all()


@pytest.mark.parametrize(
    ("game", "hand", "suited"),
    [
        ("mus-real-oros", "777S", {"777 So": 1, "777 Sx": 3}),
        ("mus-real-oros", "SS7A", {"So Sx 7A": 1, "Sx Sx 7A": 1}),
        ("mus-real-suits", "7o 7c 7e S", dict.fromkeys([f"7o 7c 7e S{s}" for s in SUITS], 1)),
        ("mus-real-suits", "7SRA", {f"7{a} S{b} R A": 1 for a in SUITS for b in SUITS}),
    ],
)
def test_a_hand_without_its_suits_is_the_average_over_them(game, hand, suited):
    answer = mo.odds(hand, game=game, seat=2)
    assert answer.ways == sum(suited.values())
    each = {text: mo.odds(text, game=game, seat=2) for text in suited}
    for phase in PHASES:
        for column in ("win", "void", "best", "stones_for", "stones_against"):
            mean = sum(
                ways * each[text].fraction(2, phase, column) for text, ways in suited.items()
            )
            assert answer.fraction(2, phase, column) * answer.ways == mean


@pytest.mark.parametrize("seat", [1, 4])
def test_real_beats_every_other_31_from_any_seat(seat):
    for game, hand in [
        ("mus-real-oros", "777 So"),
        ("mus-real-suits", "7o 7c 7e Sb"),
        ("mus4-real-suits", "7c 7e 7b So"),
        ("mus6p-real-suits", "7c 7e 7b So"),
    ]:
        found = get_game(game)
        real = hands(found).index(hand)
        assert hands(found).level["juego"][real] == hands(found).top_level["juego"]
        if found.seats == 4:
            assert mo.odds(hand, game=game, seat=seat).fraction(seat, "juego", "best") == 1


def test_the_wrong_sota_is_no_real():
    """Three 7s are held, so nobody can have real: the odds are those without it."""
    plain = mo.odds("777S", game="mus")
    for hand in ("7o 7c 7e So", "7o 7c 7e Sc"):
        answer = mo.odds(hand, game="mus-real-suits")
        assert (answer.counts * plain.deals == plain.counts * answer.deals).all()
    assert mo.odds("777 Sx", game="mus-real-oros").counts.tolist() == plain.counts.tolist()


def test_real_of_the_fourth_suit_is_as_rare_as_real_of_oros():
    """Without a 7 or a sota in hand the two forms are one question."""
    suits, oros = mo.odds("RR54", game="mus-real-suits"), mo.odds("RR54", game="mus-real-oros")
    assert (suits.counts * oros.deals == oros.counts * suits.deals).all()


@pytest.mark.parametrize("name", SUIT_GAMES)
def test_the_table_of_the_suits_game(name):
    game = get_game(name)
    texts = [text for text, _ in listed(game)]
    assert len(set(texts)) == len(texts)
    plain = Counter("".join(c for c in text if c in "RCS765432A") for text in texts)
    assert set(plain) == set(hands(get_game(name.removesuffix("-real-suits"))).texts)
    # Twice: three 7s and a sota; one 7 and one to three sotas.
    assert set(plain.values()) == {1, 2}
    twice = {text for text, n in plain.items() if n == 2}
    assert twice == {t for t in plain if "S" in t and t.count("7") in (1, 3)}
    for text, cases in listed(game)[::97]:
        answer = ask(game, text).cases
        assert {c: Fraction(w, sum(answer.values())) for c, w in answer.items()} == {
            c: Fraction(w, sum(cases.values())) for c, w in cases.items()
        }


def test_table_rows_are_the_answers_to_single_hands():
    table = odds_table("mus-real-suits").set_index(["hand", "seat", "phase"])
    for text in ("S 7o 7c 7e", "R So 7o A", "RR7A"):
        if (text, 1, "juego") in table.index:
            single = mo.odds(text, game="mus-real-suits").to_frame().set_index(["seat", "phase"])
            np.testing.assert_array_equal(table.loc[text]["win"], single["win"])


def test_knowledge_in_the_suits_game():
    for hand in ("777S", "RR7A", "R R So Sc"):
        plain = mo.odds(hand, game="mus-real-suits", seat=2)
        known = known_odds(hand, game="mus-real-suits", seat=2)
        for phase in PHASES:
            for column in COLUMNS:
                assert known.fraction(2, phase, column) == plain.fraction(2, phase, column)
    with pytest.raises(KnowledgeError, match="suits in a range are too much"):
        known_odds("RRAA", knowledge=know("mus-real-suits", partner="7o So R R"))


def test_the_phases_together_without_suits():
    """The average over the suits, as the odds are; real takes juego whoever has 31."""
    answer, odds = (
        joint("777S", game="mus-real-suits", seat=2),
        mo.odds("777S", game="mus-real-suits"),
    )
    assert answer.mean(0) - answer.mean(1) == pytest.approx(odds.net(2), abs=1e-12)
    real = joint("7o 7c 7e Sb", game="mus-real-suits", seat=2)
    others = joint("7o 7c 7e Sc", game="mus-real-suits", seat=2)
    for phase in ("grande", "juego"):
        chance = [
            sum(row["chance"] for row in one.phases() if row[phase] == "win")
            for one in (answer, real, others)
        ]
        assert chance[0] == pytest.approx(float(odds.fraction(2, phase, "win")), abs=1e-12)
        assert chance[0] == pytest.approx((chance[1] + 3 * chance[2]) / 4, abs=1e-12)


def test_what_is_known_may_tell_the_suits():
    """With real at the partner's my sota is another one: those suits alone are averaged."""
    known = know("mus-real-oros", partner="real")
    answer = known_odds("RRRS", seat=2, knowledge=known)
    assert answer.fraction(2, "juego", "win") == 1
    told = known_odds("RRR Sc", seat=2, knowledge=known)
    for phase in PHASES:
        assert answer.fraction(2, phase, "win") == told.fraction(2, phase, "win")
    assert read("RRRS", seat=2, knowledge=known).plays["partner"]["31"] == 1
    with pytest.raises(KnowledgeError, match=r"your hand S777 .* leaves none .*partner: real"):
        known_odds("777S", seat=2, knowledge=know("mus-real-suits", partner="real"))


@pytest.mark.parametrize(
    ("game", "real", "other"),
    [("mus-real-suits", "7o 7c 7e Sb", "7o 7c 7e Sc"), ("mus-real-oros", "777 So", "777 Sb")],
)
def test_reading_without_suits_is_the_average(game, real, other):
    answer = read("777S", game=game, seat=2)
    assert answer.ways == mo.odds("777S", game=game).ways
    first, second = (read(hand, game=game, seat=2) for hand in (real, other))
    for what, chance in answer.no_rival.items():
        assert chance == (first.no_rival[what] + 3 * second.no_rival[what]) / 4
    assert first.no_rival["beats my juego"] == 1 > second.no_rival["beats my juego"]
    for who, chances in answer.hand_chances.items():
        assert sum(chances.values()) == 1
        for text, chance in chances.items():
            each = (one.hand_chances[who].get(text, 0) for one in (first, second, second, second))
            assert chance == sum(each) / 4, text


def test_suits_that_cannot_be():
    with pytest.raises(CardError, match="twice: the deck has one"):
        mo.odds("So So 7 7", game="mus-real-oros")
    with pytest.raises(CardError, match="has 5 cards"):
        mo.odds("S7777", game="mus-real-suits")


def columns_of_deals(game: Game, dealt_ways, seat: int) -> np.ndarray:
    sums = np.zeros((len(PHASES), len(COLUMNS)), dtype=object)
    for dealt, ways in dealt_ways:
        for j, phase in enumerate(PHASES):
            winner, contested = judge(game, dealt, phase)
            row = dict.fromkeys(COLUMNS, 0) | {"contested": contested, "void": winner is None}
            if winner is not None:
                mine = game.side(winner) == game.side(seat)
                row |= {"win": mine, "lose": not mine, "best": winner == seat}
                row["win_contested"] = mine and contested
                stones = 1
                if phase in ("pares", "juego"):
                    side = [h for s, h in enumerate(dealt, 1) if game.side(s) == game.side(winner)]
                    stones = sum(own_stones(hand, phase) for hand in side)
                row["stones_for" if mine else "stones_against"] = stones
            sums[j] += [ways * int(row[column]) for column in COLUMNS]
    return sums


def unshown(game: Game, known: dict[int, str], seat: int):
    for dealt, ways in deals(game, known):
        if all(hand != "7654" for s, hand in enumerate(dealt, 1) if s != seat):
            yield dealt, ways


@pytest.mark.parametrize(
    ("cards", "seats", "side_size"),
    [
        ({"R": 3, "7": 3, "6": 2, "5": 2, "4": 3, "A": 3}, 2, 1),
        ({"R": 2, "7": 5, "6": 2, "5": 1, "4": 6}, 4, 2),
    ],
)
def test_nobody_has_shown(cards, seats, side_size):
    game = reduced_game(cards, seats, side_size, exchange=("7654",))
    for text in ("RR74", "7744", "7764")[: 3 if seats == 2 else 1]:
        for seat in (seats // 2, seats):
            answer = mo.odds(text, game=game, seat=seat)
            expected = columns_of_deals(game, unshown(game, {seat: text}, seat), seat)
            assert (answer.counts[0] == expected).all()
            known = known_odds(text, game=game, seat=seat)
            assert (known.counts[0] * answer.deals == expected * known[seat].deals).all()


def test_a_hand_that_is_shown_counts_as_those_that_may_be_drawn():
    cards = {"R": 3, "7": 2, "6": 2, "5": 1, "4": 2, "A": 3}
    game = reduced_game(cards, 2, 1, exchange=("7654",))
    left = reduced_game({c: n - (c in "7654") for c, n in cards.items()}, 2, 1)
    expected = sum(
        int(ways) * columns_of_deals(left, unshown(left, {2: drawn}, 2), 2)
        for drawn, ways in zip(hands(left).texts, hands(left).ways, strict=True)
    )
    answer = mo.odds("7654", game=game, seat=2)
    total = sum(int(n) for n in expected[0, :3])
    assert (answer.counts[0] * total == expected * answer.deals).all()


def test_shown_hands_in_every_form():
    assert shown_hands(get_game("mus")) == ()
    game = get_game("mus-real-suits-4567")
    assert len(shown_hands(game)) == 4
