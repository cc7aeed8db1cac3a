"""Cards in text: what is understood, what is refused and what the refusal says."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from musodds.errors import CardError, GameError
from musodds.rules.cards import Deck, Kind
from musodds.rules.game import Game
from musodds.rules.games import GAMES, get_game
from musodds.rules.hands import hands

MUS, MUS4 = get_game("mus"), get_game("mus4")


@pytest.mark.parametrize(
    ("typed", "hand"),
    [
        ("RR7A", "RR7A"),
        ("a7rr", "RR7A"),
        ("R R 7 A", "RR7A"),
        ("r,r-7 , 1", "RR7A"),
        ("3372", "RR7A"),
        ("12 12 7 1", "RR7A"),
        ("11-10-7-2", "CS7A"),
        ("scar", "RCSA"),
        ("1111", "AAAA"),
    ],
)
def test_spellings_of_a_hand(typed, hand):
    assert MUS.deck.text(MUS.parse_hand(typed)) == hand


def test_three_and_two_are_cards_of_their_own_with_four_kings():
    assert MUS4.deck.text(MUS4.parse_hand("2 r 3 a")) == "R32A"


@given(st.data())
def test_every_hand_reads_back_however_it_is_written(data):
    game = data.draw(st.sampled_from(list(GAMES.values())))
    text = data.draw(st.sampled_from(hands(game).texts))
    cards = re.findall(r"[RCS765432A*][oxceb]?", text)
    apart = [" ", ", ", "-"] if game.deck.suits_matter else ["", " ", ", ", "-"]
    spaced = data.draw(st.sampled_from(apart)).join(data.draw(st.permutations(cards)))
    # Where suits matter, a small c right after a card is the suit copas.
    cased = "".join(c.lower() if c != "C" and data.draw(st.booleans()) else c for c in spaced)
    assert game.deck.text(game.parse_hand(cased)) == text


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("RR7", "hand 'RR7' has 3 cards: a hand is four cards, such as RR7A"),
        ("R", "hand 'R' has 1 card: a hand is four cards, such as RR7A"),
        ("", "hand '' has 0 cards: a hand is four cards, such as RR7A"),
        ("RR7AA", "hand 'RR7AA' has 5 cards: a hand is four cards, such as RR7A"),
        ("KR7A", "'K' in 'KR7A' is not a Mus card: the king is R (rey)"),
        ("jr7a", "'j' in 'jr7a' is not a Mus card: the first figure is S (sota)"),
        ("QR7A", "'Q' in 'QR7A' is not a Mus card: the second figure is C (caballo)"),
        ("R87A", "'8' in 'R87A' is not a Mus card: the 40-card deck has no 8"),
        ("R97A", "'9' in 'R97A' is not a Mus card: the 40-card deck has no 9"),
        (
            "RR10",
            "'0' in 'RR10' is not a Mus card: write 10, 11 and 12 apart from the other "
            "cards, or as S, C and R",
        ),
        ("RX7A", "'X' in 'RX7A' is not a Mus card: cards are R C S 7 6 5 4 3 2 A"),
        ("R²7A", "'²' in 'R²7A' is not a Mus card: cards are R C S 7 6 5 4 3 2 A"),
        ("7777 7", "5 cards 7: the deck has only 4"),
        (
            "R♥R7A",
            "'♥' in 'R♥R7A' is not a Mus card: suits are o c e b (oros, copas, espadas, "
            "bastos), as in Ro",
        ),
    ],
)
def test_what_is_not_a_hand(typed, message):
    with pytest.raises(CardError) as caught:
        MUS.parse_hand(typed)
    assert str(caught.value) == message


def test_five_kings_in_a_four_king_game():
    with pytest.raises(CardError, match=r"^5 cards R: the deck has only 4$"):
        MUS4.deck.parse("RRRRR")
    with pytest.raises(CardError, match=r"^9 cards R \(a 3 is one of them\): the deck has only 8$"):
        MUS.deck.parse("RRRR33333")


SUITED = Game(
    "suited",
    "with a sota apart",
    Deck(
        (
            Kind("R", 4, 10, 8),
            Kind("S", 3, 10, 1, suits="o"),
            Kind("S", 3, 10, 3, suits="ceb"),
            Kind("C", 3, 10, 4),
            Kind("7", 2, 7, 4),
        )
    ),
)


def test_suits_where_they_matter():
    deck = SUITED.deck
    assert deck.text(deck.parse("7o 7c so Rb")) == "R So 7 7"
    assert deck.text(deck.parse("Sc, 7e 10o C")) == "So Sx C 7"
    with pytest.raises(CardError, match="which S is it in 'S777'\\? Write So or Sx"):
        deck.parse("S777")
    with pytest.raises(CardError, match="So is in 'So So R R' twice: the deck has one"):
        deck.parse("So So R R")


def test_seats():
    assert MUS.parse_seats("all") == (1, 2, 3, 4)
    assert MUS.parse_seats("Mano") == (1,)
    assert MUS.parse_seats("postre") == MUS.parse_seats(4) == (4,)
    assert get_game("mus2p").parse_seat("postre") == 2
    for wrong in ("7", "0", "-1", "mani", "1.5", "²", ""):
        with pytest.raises(GameError, match="seats are 1 to 4, mano or postre"):
            MUS.parse_seats(wrong)


def test_sides_for_two_to_six_seats():
    assert MUS.partners(1) == (3,)
    assert MUS.rivals(3) == (2, 4)
    two = get_game("mus2p")
    assert two.partners(1) == ()
    assert two.rivals(1) == (2,)
    six = Game("six", "", MUS.deck, seats=6, side_size=3)
    assert six.partners(2) == (4, 6)
    assert six.rivals(2) == (1, 3, 5)
    five = Game("five", "", MUS.deck, seats=5, side_size=1)
    assert five.partners(2) == ()
    assert five.rivals(2) == (1, 3, 4, 5)
    assert five.sides == 5


def test_unknown_game_names_those_there_are():
    with pytest.raises(GameError, match=r"no game 'poker'.*mus, mus4"):
        get_game("poker")
