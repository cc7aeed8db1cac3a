"""Hands and ranges that meet."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from musodds.chances.duel import duel
from musodds.chances.odds import known_odds
from musodds.errors import KnowledgeError, RangeError
from musodds.knowledge.knowledge import know
from musodds.knowledge.language import parse_range
from musodds.rules.game import PHASES
from tests import brute
from tests.knowledge.test_known import REDUCED, table, weighted


def test_the_worked_example_of_the_rules():
    fight = duel(["772A", "33S2", "RRSA", "CCC6"])
    assert fight.winner("grande") == 2  # ties with 3, speaks earlier
    assert fight.winner("pares") == 1
    assert fight.expected("pares", 0) == 3 + 1
    assert fight.winner("juego") == 2  # a 31, before 3's
    assert fight.winner("punto") is None


def test_three_known_hands_leave_one_of_chance():
    fight = duel(["C765", "RRAA", "S765"])
    three = known_odds("RRAA", seat=2, knowledge=know(seats={1: "C765", 3: "S765"}))
    for phase in PHASES:
        assert fight.side_chance(phase, 1) == three.fraction(2, phase, "win")
        assert fight.chance(phase, 2) == three.fraction(2, phase, "best")
        assert fight.expected(phase, 1) == three.fraction(2, phase, "stones_for")
        assert fight.expected(phase, 0) == three.fraction(2, phase, "stones_against")


@pytest.mark.parametrize("dead", ["A", "R7"])
def test_a_duel_of_ranges_alone_minds_the_dead_cards(dead):
    """No hand is given: only what is dead tells of the cards that are left."""
    game = REDUCED[2, 1]
    held = ["pares@0.3 | any@0.1", "R???"]
    weights = [table(parse_range(text, game)) for text in held]
    fight = duel(held, game=game, knowledge=know(game, dead=dead))
    takes = dict.fromkeys(PHASES, 0)
    total = 0
    left = {kind.symbol: kind.copies - dead.count(kind.symbol) for kind in game.deck.kinds}
    for dealt, ways in brute.deals(brute.reduced_game(left, 2, 1), {}):
        weight = ways * weights[0][dealt[0]] * weights[1][dealt[1]]
        total += weight
        for phase in PHASES:
            takes[phase] += weight * (brute.judge(game, dealt, phase)[0] == 1)
    for phase in PHASES:
        assert fight.chance(phase, 1) == Fraction(takes[phase], total)


@pytest.mark.parametrize("shape", [(4, 2), (3, 1), (2, 1)])
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_duel_of_ranges_is_plain_enumeration(shape, data):
    game = REDUCED[shape]
    held = [
        data.draw(
            st.sampled_from(["R774", "R66A", "4AAA", "RR7A"]).filter(
                lambda h: (
                    all(h.count(k.symbol) <= k.copies for k in game.deck.kinds)
                    and all(c in {k.symbol for k in game.deck.kinds} for c in h)
                )
            )
        )
    ]
    held += [data.draw(weighted) for _ in range(game.seats - 1)]
    held = held[::-1] if data.draw(st.booleans()) else held
    ranges = [table(parse_range(text, game)) for text in held]
    takes = {phase: [0] * (game.seats + 1) for phase in PHASES}
    stones = {phase: [0] * game.sides for phase in PHASES}
    total = 0
    known = held.index(min(held, key=len)) + 1
    for dealt, ways in brute.deals(game, {known: held[known - 1]}):
        weight = ways * prod(w[h] for w, h in zip(ranges, dealt, strict=True))
        if not weight:
            continue
        total += weight
        for phase in PHASES:
            winner, _ = brute.judge(game, dealt, phase)
            takes[phase][winner or 0] += weight
            if winner:
                worth = 1
                if phase in ("pares", "juego"):
                    worth = sum(
                        brute.own_stones(h, phase)
                        for s, h in enumerate(dealt, start=1)
                        if game.side(s) == game.side(winner)
                    )
                stones[phase][game.side(winner)] += weight * worth
    if not total:
        with pytest.raises(KnowledgeError, match="cannot be held together"):
            duel(held, game=game)
        return
    fight = duel(held, game=game)
    for phase in PHASES:
        for seat in range(game.seats + 1):
            assert fight.chance(phase, seat or None) == Fraction(takes[phase][seat], total)
        for side in range(game.sides):
            assert fight.expected(phase, side) == Fraction(stones[phase][side], total)


def test_declarations_and_dead_cards_hold_in_a_duel():
    knowledge = know(pares="?,yes,?,no", dead="RR")
    fight = duel(["RR7A", "any", "C765"], knowledge=knowledge)
    odds = known_odds(
        "RR7A", seat=1, knowledge=know(seats={3: "C765"}, pares="?,yes,?,no", dead="RR")
    )
    for phase in PHASES:
        assert fight.side_chance(phase, 0) == odds.fraction(1, phase, "win")


@pytest.mark.parametrize(
    ("held", "error", "message"),
    [
        ([], KnowledgeError, "0 hands for the 4 seats of mus"),
        (["RR7A"] * 5, KnowledgeError, "5 hands for the 4 seats"),
        (["RRRR", "RRRR", "R???"], KnowledgeError, "cannot be held together"),
        (["RR7"], RangeError, "3 cards and a hand has 4"),
    ],
)
def test_duels_that_cannot_be(held, error, message):
    with pytest.raises(error) as caught:
        duel(held)
    assert message in str(caught.value)


def test_frame():
    frame = duel(["RR7A", "31"], game="mus2p").to_frame()
    assert list(frame["phase"]) == list(PHASES)
    assert frame["seat_2"].iloc[3] == 1
