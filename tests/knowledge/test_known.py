"""Odds under knowledge: against plain enumeration, and against the odds without it."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from musodds.chances.odds import known_odds, odds
from musodds.errors import CardError, GameError, InputError, KnowledgeError, RangeError
from musodds.exact.phases.columns import COLUMNS
from musodds.knowledge.knowledge import Knowledge, know
from musodds.knowledge.language import parse_range, range_of
from musodds.rules.game import PHASES
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from tests import brute

REDUCED = {
    (4, 2): brute.reduced_game({"R": 5, "7": 4, "4": 3, "A": 5}, 4, 2),
    (3, 1): brute.reduced_game({"R": 4, "S": 2, "7": 3, "6": 2, "A": 3}, 3, 1),
    (2, 1): brute.reduced_game({"R": 4, "S": 2, "7": 3, "6": 2, "A": 3}, 2, 1),
}


@cache
def judged(shape: tuple[int, int], seat: int, hand: str, dead: str = ""):
    """Every deal of a reduced game with its outcome: hands, ways, columns by phase."""
    game = REDUCED[shape]
    kinds = {kind.symbol: kind.copies - dead.count(kind.symbol) for kind in game.deck.kinds}
    smaller = brute.reduced_game(kinds, game.seats, game.side_size)
    found = []
    for dealt, ways in brute.deals(smaller, {seat: hand}):
        rows = {}
        for phase in PHASES:
            winner, contested = brute.judge(game, dealt, phase)
            mine = winner is not None and game.side(winner) == game.side(seat)
            if game.sides > 2:  # two others may bet between them: that is not for me
                contested &= brute.strength(hand, phase) is not None
            stones = 1 if winner else 0
            if winner and phase in ("pares", "juego"):
                stones = sum(
                    brute.own_stones(h, phase)
                    for s, h in enumerate(dealt, start=1)
                    if game.side(s) == game.side(winner)
                )
            rows[phase] = (
                mine,
                winner is not None and not mine,
                winner is None,
                winner == seat,
                contested,
                mine and contested,
                stones if mine else 0,
                0 if mine else stones,
            )
        found.append((dealt, ways, rows))
    return found


def expected(shape, seat, hand, weights, dead=""):
    """Fractions of every column by plain enumeration; None where no deal is left."""
    sums = {phase: [0] * len(COLUMNS) for phase in PHASES}
    total = 0
    for dealt, ways, rows in judged(shape, seat, hand, dead):
        weight = ways * prod(w[dealt[s - 1]] for s, w in weights.items())
        if weight:
            total += weight
            for phase, row in rows.items():
                for i, value in enumerate(row):
                    sums[phase][i] += weight * value
    if not total:
        return None
    contested = COLUMNS.index("contested")
    # What an opposing side gets: with more than one of them, on average.
    shares = {"stones_against": total * (REDUCED[shape].sides - 1)}
    for row in sums.values():
        row[:] = [
            (Fraction(value, row[contested]) if row[contested] else None)
            if column == "win_contested"
            else Fraction(value) / shares.get(column, total)
            for column, value in zip(COLUMNS, row, strict=True)
        ]
    return sums


def table(found):
    """The integer weights of a range by hand."""
    return dict(zip(hands(found.game).texts, found.weights.tolist(), strict=True))


def exact(answer, seat):
    return {p: [answer.fraction(seat, p, column) for column in COLUMNS] for p in PHASES}


words = st.sampled_from(
    ["pares", "juego", "RR??", "A...", "!medias", "punto>=20", "chica>=RAA7", "31@0.25", "R???"]
)
weighted = st.lists(
    st.tuples(words, st.integers(0, 999).map(lambda n: n / 1000)), min_size=1, max_size=3
).map(lambda parts: " | ".join(f"({text})@{weight}" for text, weight in parts) + " | duples@0.01")


@pytest.mark.parametrize(
    ("shape", "hand"), [((4, 2), "R774"), ((4, 2), "R4AA"), ((3, 1), "RS7A"), ((2, 1), "R776")]
)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_weighted_odds_are_those_of_plain_enumeration(shape, hand, data):
    game = REDUCED[shape]
    seat = data.draw(st.integers(1, game.seats), label="seat")
    others = [s for s in range(1, game.seats + 1) if s != seat]
    texts = {s: data.draw(st.none() | weighted, label=f"seat {s}") for s in others}
    ranges = {s: parse_range(text, game) for s, text in texts.items() if text}
    dead = data.draw(st.sampled_from(["", "A"]), label="dead")
    knowledge = know(game, seats=ranges, dead=dead)
    weights = {s: table(found) for s, found in ranges.items()}
    truth = expected(shape, seat, hand, weights, dead)
    if truth is None:
        with pytest.raises(KnowledgeError, match="no deal fits"):
            known_odds(hand, game=game, seat=seat, knowledge=knowledge)
    else:
        answer = known_odds(hand, game=game, seat=seat, knowledge=knowledge)
        assert exact(answer, seat) == truth


def test_exact_with_weights_that_do_not_fit_in_64_bits():
    """Weights near the largest on all seats: the counts pass 2**100 and stay exact."""
    game, seat, hand = REDUCED[4, 2], 1, "R774"
    heavy = range_of(
        {
            text: Fraction(4_194_301 - 997 * i, 4_194_301)
            for i, text in enumerate(hands(game).texts)
        },
        game,
    )
    answer = known_odds(
        hand, game=game, seat=seat, knowledge=know(game, partner=heavy, rivals=heavy)
    )
    assert answer[seat].deals > 1 << 80
    weights = dict.fromkeys((2, 3, 4), table(heavy))
    assert exact(answer, seat) == expected((4, 2), seat, hand, weights)


@pytest.mark.parametrize("game", ["mus", "mus-real", "mus2p"])
def test_without_knowledge_they_are_the_odds(game):
    plain = odds("R777", game=game)
    known = known_odds("R777", game=game)
    assert known.totals == plain.totals
    assert (known.counts == plain.counts).all()


@pytest.mark.parametrize("game", ["mus", "mus4"])
def test_knowing_the_partner_is_a_range_of_one_hand(game):
    plain = odds("RR7A", partner="C765", game=game)
    known = known_odds("RR7A", knowledge=know(game, partner="C765"))
    for seat in range(1, 5):
        for phase in PHASES:
            for column in COLUMNS:
                assert known.fraction(seat, phase, column) == plain.fraction(seat, phase, column)


@pytest.mark.parametrize("where", ["partner", "next", "previous"])
def test_averaging_over_a_partition_gives_the_odds_back(where):
    """duples, medias, par and nothing are all the hands there are."""
    plain = known_odds("RC5A", seat=2)
    parts = [
        known_odds("RC5A", seat=2, knowledge=know(**{where: text}))
        for text in ("duples", "medias", "par", "!pares")
    ]
    assert sum(part[2].deals for part in parts) == plain[2].deals
    assert (sum(part[2].counts for part in parts) == plain[2].counts).all()


def test_weights_are_the_mixture_of_their_sets():
    mixed = known_odds("RC5A", seat=3, knowledge=know(next="31@0.75 | any@0.25"))
    some = known_odds("RC5A", seat=3, knowledge=know(next="31"))
    all_of_them = known_odds("RC5A", seat=3, knowledge=know(next="any"))
    # 0.75 where there is a 31, else 0.25: in quarters, any + 2 * 31.
    assert mixed[3].deals == all_of_them[3].deals + 2 * some[3].deals
    assert (mixed[3].counts == all_of_them[3].counts + 2 * some[3].counts).all()


def test_bayes_on_paper():
    """Two kings are left; the partner holds one or none of them, as sure as the other.

    Deck: R, R, 7, 7 and 4 sixes, two players; I hold 6666, so the other has RR77.
    """
    game = brute.reduced_game({"R": 2, "7": 2, "6": 5}, 2, 1)
    # Unseen with 6666 in hand: R R 7 7 6, five equally likely hands of four:
    # RR77 once, RR76 twice, R776 twice.
    answer = known_odds("6666", game=game, seat=1)
    assert answer[1].deals == 5
    # A sign made with RR always and otherwise one time in four:
    # RR77: 1, RR76: 2, R776: 2/4; so duples of kings and 7s with 1 / 3.5.
    told = known_odds("6666", game=game, seat=1, knowledge=know(game, next="RR?? | any@0.25"))
    # RR77 beats 6666 in pares (kings first); RR76 and R776 do not.
    assert told.fraction(1, "pares", "lose") == Fraction(2, 7)
    assert answer.fraction(1, "pares", "lose") == Fraction(1, 5)


def test_places_follow_the_seat():
    """The next rival of seat 1 sits in 2, of seat 4 in 1."""
    for seat, next_seat, previous in [(1, 2, 4), (2, 3, 1), (3, 4, 2), (4, 1, 3)]:
        relative = know(next="31", previous="!pares", partner="RR??")
        partner = (seat + 1) % 4 + 1
        by_seat = know(seats={next_seat: "31", previous: "!pares", partner: "RR??"})
        one = known_odds("RC5A", seat=seat, knowledge=relative)
        other = known_odds("RC5A", seat=seat, knowledge=by_seat)
        assert (one[seat].counts == other[seat].counts).all()


def test_declarations_are_ranges_and_bind_everybody():
    knowledge = know(pares="yes,no,?,sí", juego="?,NO,-,n")
    answer = known_odds("RR7A", seat=1, knowledge=knowledge)
    same = know(next="!pares & !juego", previous="pares & !juego")
    expected_answer = known_odds("RR7A", seat=1, knowledge=same)
    assert answer[1].deals == expected_answer[1].deals
    assert (answer[1].counts == expected_answer[1].counts).all()
    # With a juego of nobody but me or my partner, the rivals never take it.
    assert answer.fraction(1, "juego", "lose") == 0


def test_several_pieces_on_one_seat_multiply():
    both = known_odds("RR7A", seat=1, knowledge=know(rivals="pares", next="juego"))
    one = known_odds("RR7A", seat=1, knowledge=know(next="juego & pares", previous="pares"))
    assert (both[1].counts == one[1].counts).all()


def test_my_hand_against_what_is_declared():
    with pytest.raises(KnowledgeError) as caught:
        known_odds("RR7A", seat=2, knowledge=know(pares="yes,no,yes,yes"))
    message = "seat 2 has no pares, but you hold RR7A there (par of kings, punto of 28)"
    assert message in str(caught.value)
    with pytest.raises(KnowledgeError, match="seat 1: 31, but you hold RR7A there"):
        known_odds("RR7A", seat=1, knowledge=know(seats={"mano": "31"}))
    with pytest.raises(CardError, match=r"9 cards A .* in the hand and the dead cards together"):
        known_odds("RR7A", seat=1, knowledge=know(dead="AAAAAAAA"))


@pytest.mark.parametrize(
    ("pieces", "named", "spared"),
    [
        ({"next": "RRRR", "previous": "RRRC", "partner": "31"}, ["next", "previous"], ["partner"]),
        ({"partner": "RR??", "dead": "RRRRRR", "next": "31"}, ["partner", "dead"], ["next"]),
        ({"next": "7777"}, ["next"], []),
        (
            {
                "partner": "RR..",
                "next": "RR..",
                "previous": "RR..",
                "pares": "?,yes,?,?",
                "dead": "RR",
            },
            ["partner", "next", "previous", "dead"],
            ["seat 2"],
        ),
    ],
)
def test_a_conflict_names_the_pieces_and_no_others(pieces, named, spared):
    with pytest.raises(KnowledgeError) as caught:
        known_odds("RR7A", seat=1, knowledge=know(**pieces))
    message = str(caught.value)
    assert "no deal fits all that is known: your hand RR7A in seat 1" in message
    assert all(f"({word}" in message for word in named)
    assert not any(f"({word}" in message for word in spared)
    assert "\n" not in message


@pytest.mark.parametrize(
    ("pieces", "error", "message"),
    [
        ({"pares": "yes,no"}, KnowledgeError, "has 2 answers and mus 4 players"),
        (
            {"juego": "yes,no,perhaps,no"},
            KnowledgeError,
            "'perhaps' is not an answer: yes, no or ?",
        ),
        ({"partner": "pare"}, RangeError, "partner: range 'pare', character 1"),
        ({"seats": {5: "31"}}, GameError, "no seat '5' in mus"),
        ({"seats": {2: "31 |"}}, RangeError, "seat 2: range"),
        ({"dead": "KK"}, CardError, "the king is R"),
        ({"dead": "CCCCC"}, CardError, "the deck has only 4"),
        ({"game": "mus2p", "partner": "31"}, GameError, "nobody has a partner in mus2p"),
        ({"game": "nomus"}, GameError, "no game 'nomus'"),
    ],
)
def test_knowledge_that_cannot_be_read(pieces, error, message):
    with pytest.raises(error) as caught:
        know(**pieces)
    assert message in str(caught.value)
    assert isinstance(caught.value, InputError)


def test_games_whose_hands_are_more_than_their_cards_are_refused():
    from dataclasses import replace

    from musodds.chances.duel import duel

    five = replace(get_game("mus"), name="five", cards_dealt=5)
    with pytest.raises(GameError, match="five has 5 cards each"):
        known_odds("RR7A", game=five)
    with pytest.raises(GameError, match="five has 5 cards each"):
        duel(["RR7A"], game=five)


def test_weights_of_two_pieces_may_be_too_fine_together():
    fine = "31@0.999983 | any@0.000007"
    with pytest.raises(KnowledgeError, match="seat 2 are too fine"):
        known_odds("RR7A", seat=1, knowledge=know(next=fine, rivals=fine))


def test_nothing_known_is_false():
    assert not Knowledge(get_game("mus"))
    assert know(dead="A")
