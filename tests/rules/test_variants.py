"""What the rules say of the variants, statement by statement, against the exact engine."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import musodds as mo
from musodds.errors import CardError, GameError
from musodds.exact.phases.count import total_deals
from musodds.knowledge.language import parse_range
from musodds.rules.cards import SUITS
from musodds.rules.game import PHASES
from musodds.rules.games import FAMILIES, get_game
from musodds.rules.hands import hands
from musodds.store.numbers import published_counts

FOUR, MUS = get_game("mus4"), get_game("mus")


def share(text: str, game: str) -> Fraction:
    return parse_range(text, game).chance()


# --- four kings


def test_four_kings_rank_every_card_by_itself():
    kinds = sorted(FOUR.deck.kinds, key=lambda kind: -kind.rank)
    assert [kind.symbol for kind in kinds] == list("RCS765432A")
    assert [kind.copies for kind in kinds] == [4] * 10
    points = {kind.symbol: kind.points for kind in kinds}
    assert (points["3"], points["2"]) == (3, 2)
    all_hands = hands(FOUR)
    grande, chica = all_hands.level["grande"], all_hands.level["chica"]
    better = [all_hands.index(f"{card}AAA") for card in "RCS765432"]
    assert (np.diff(grande[better]) < 0).all()
    assert (np.diff(chica[better]) > 0).all()
    # With eight kings a 3 is a king and a 2 an ace; here neither.
    assert hands(MUS).index("R3AA") == hands(MUS).index("RR2A")
    assert all_hands.pares_name(all_hands.index("R3A2")) == "no pares"
    assert all_hands.points[all_hands.index("R32A")] == 16


def test_four_kings_have_fewer_good_hands():
    for play in ("pares", "duples", "juego", "31"):
        assert share(play, "mus4") < share(play, "mus"), play


# --- juego real


@pytest.mark.parametrize("game", ["mus-real", "mus4-real"])
@pytest.mark.parametrize("ten", "RCS")
def test_three_7s_and_a_ten_are_31_and_worth_3(game, ten):
    all_hands = hands(get_game(game))
    index = all_hands.index(f"777{ten}")
    assert all_hands.points[index] == 31
    assert all_hands.stones["juego"][index] == 3
    others = np.delete(all_hands.level["juego"], [all_hands.index(f"777{t}") for t in "RCS"])
    assert all_hands.level["juego"][index] > others.max()


def test_a_3_is_a_ten_point_card_only_with_eight_kings():
    real = hands(get_game("mus-real"))
    assert real.index("7773") == real.index("777R")
    four = hands(get_game("mus4-real"))
    assert four.points[four.index("7773")] == 24


def test_real_is_the_only_way_to_beat_manos_31():
    assert mo.odds("RRRA", game="mus", seat=1).fraction(1, "juego", "best") == 1
    plain = mo.odds("RRRA", game="mus-real", seat=1)
    assert plain.fraction(1, "juego", "best") < 1
    for held in ("C777", "RRSA"):
        fight = mo.duel(["RRRA", held], game="mus-real")
        assert fight.winner("juego") == (2 if held == "C777" else 1)
    # Without real at anybody's, mano's 31 takes juego in every deal.
    fight = mo.duel(["RRRA", "!real", "!real", "!real"], game="mus-real")
    assert fight.chance("juego", 1) == 1


def test_real_in_any_form_is_rarer_the_more_it_asks():
    any_ten, oros, suits = (share("real", f"mus-real{form}") for form in ("", "-oros", "-suits"))
    assert any_ten == Fraction(4 * (8 + 4 + 4), 91_390)
    assert oros == suits == Fraction(4, 91_390)


def test_the_sota_of_oros_alone_and_that_of_the_fourth_suit():
    oros = hands(get_game("mus-real-oros"))
    assert oros.juego_name(oros.index("777 So")) == "juego real"
    for suit in "ceb":
        assert oros.juego_name(oros.index(f"777 S{suit}")) == "juego of 31"
    fourth = hands(get_game("mus-real-suits"))
    for suit in SUITS:
        sevens = " ".join(f"7{other}" for other in SUITS if other != suit)
        for sota in SUITS:
            name = fourth.juego_name(fourth.index(f"{sevens} S{sota}"))
            assert (name == "juego real") == (sota == suit)


# --- ten kings


def test_ten_kings_have_two_jokers_and_two_plain_sotas():
    deck = get_game("mus-ten-kings").deck
    copies = {kind.symbol: kind.copies for kind in deck.kinds}
    assert copies == {"*": 2, "R": 8, "C": 4, "S": 2, "7": 4, "6": 4, "5": 4, "4": 4, "A": 8}
    with pytest.raises(CardError):
        hands(get_game("mus-ten-kings")).index("SSS*")
    with pytest.raises(GameError, match=r"do not go together|does not go with"):
        get_game("mus-ten-kings-four-kings")


# --- two and six players, targets


def test_sides_of_two_four_and_six():
    assert get_game("mus2p").partners(1) == ()
    six = get_game("mus6p")
    for seat in range(1, 7):
        neighbours = {seat % 6 + 1, (seat - 2) % 6 + 1}
        assert neighbours <= set(six.rivals(seat))
        assert len(six.partners(seat)) == 2
    assert (six.target, get_game("mus6p-50").target) == (40, 50)
    for name in ("mus2p", "mus6p"):
        game = get_game(name)
        assert (game.deck, game.juego_order) == (MUS.deck, MUS.juego_order)


def test_real_wins_from_the_last_seat_too():
    real, plain = (mo.odds("777S", game=name, seat=2) for name in ("mus2p-real", "mus2p"))
    # Nobody else can have real: one 7 is left.
    assert real.fraction(2, "juego", "win") == 1 > plain.fraction(2, "juego", "win")


# --- before mus


@pytest.mark.parametrize("name", ["mus-visto", "mus4-visto", "mus-ten-kings-visto", "mus6p-visto"])
def test_mus_visto_changes_no_odds_of_the_hand_dealt(name):
    plain = name.removesuffix("-visto")
    for column in ("win", "best", "void"):
        for phase in PHASES:
            one, other = (mo.odds("RR7A", game=g, seat=1) for g in (name, plain))
            assert one.fraction(1, phase, column) == other.fraction(1, phase, column)


@pytest.mark.parametrize("name", ["mus-4567", "mus2p-4567"])
def test_4567_is_never_kept_nor_met(name):
    game = get_game(name)
    shown = mo.odds("7654", game=game, seat=1)
    kept = mo.odds("7654", game=name.removesuffix("-4567"), seat=1)
    assert shown.net(1) > kept.net(1)  # one of the worst hands there are
    other = mo.odds("7544", game=game, seat=1)
    assert other.deals < total_deals(game)


# --- Encaje


@pytest.mark.parametrize("name", ["encaje3", "encaje5"])
def test_in_encaje_somebody_is_the_best_and_somebody_the_worst(name):
    """Over all hands and seats the shares of the best sum to one, with the void deals."""
    game = get_game(name)
    counts, ways = published_counts(game), hands(game).ways
    columns = mo.odds("RRRR", game=game).columns
    everything = 91_390 * total_deals(game)
    for j in range(len(PHASES)):
        sums = {
            column: sum(
                int(way) * int(count)
                for way, row in zip(ways, counts[:, :, j, columns.index(column)], strict=True)
                for count in row
            )
            for column in ("best", "void", "worst")
        }
        void = sums["void"] // game.seats
        assert sums["best"] + void == everything
        assert sums["worst"] + void == everything


def test_encaje_is_for_three_or_five_each_for_himself_with_15_to_21_stones():
    for name in ("encaje3", "encaje5"):
        game = get_game(name)
        assert game.sides == game.seats
        assert game.stones == (15, 21)
        assert (game.cards_dealt, get_game(f"{name}-five-cards").cards_dealt) == (4, 5)
    for wrong in ("encaje4", "encaje2"):
        with pytest.raises(GameError, match="no game"):
            get_game(wrong)


def test_every_family_has_the_phases_and_values_of_mus():
    for family in FAMILIES:
        game = get_game(family)
        assert set(hands(game).stones["pares"]) == {0, 1, 2, 3}
        assert set(hands(game).stones["juego"]) == {0, 2, 3}
