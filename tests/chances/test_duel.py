"""Hands and ranges that meet."""

from __future__ import annotations

from fractions import Fraction
from math import comb, prod

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from musodds.chances.duel import _Count, duel
from musodds.chances.odds import known_odds
from musodds.errors import KnowledgeError, RangeError
from musodds.exact.phases.columns import COLUMNS
from musodds.exact.phases.sides import met
from musodds.knowledge.knowledge import know
from musodds.knowledge.language import parse_range
from musodds.rules.game import PHASES
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.store.numbers import published_counts
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


@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_over_the_splits_of_both_sides_as_hand_by_hand(data):
    game = REDUCED[4, 2]
    held = [data.draw(st.just("any") | weighted) for _ in range(4)]
    dead = data.draw(st.sampled_from([None, "A", "R4"]))
    known = know(game, seats=dict(enumerate(held, start=1)), dead=dead)
    weights = [known.seat_weights(1)[seat] for seat in range(1, 5)]
    found = met(game, weights, known.dead)
    assume(found.total)
    fight = _Count(known).duel(tuple(held), know(game))
    assert fight.deals == found.total
    for phase in PHASES:
        assert fight.takes[phase].tolist() == found.takes[phase].tolist()
        assert fight.stones[phase].tolist() == found.stones[phase].tolist()


@pytest.mark.parametrize("held", [("any",) * 4, ("any", "pares", "any", "any")])
def test_many_hands_in_every_seat(held):
    """Averages of the odds of all hands of a seat."""
    fight = duel(held)
    table, mus = published_counts(get_game("mus")), hands(get_game("mus"))
    seat = 1 + (held[1] != "any")
    weights = mus.ways * parse_range(held[seat - 1]).weights
    for i, phase in enumerate(PHASES):
        sums = weights.astype(object) @ table[:, seat - 1, i].astype(object)
        deals = int(weights.sum()) * 36 * 35 * 34 * 33 // 24 * comb(32, 4) * comb(28, 4)
        assert fight.chance(phase, seat) == Fraction(int(sums[COLUMNS.index("best")]), deals)
        side = fight.game.side(seat)
        assert fight.side_chance(phase, side) == Fraction(int(sums[COLUMNS.index("win")]), deals)
        for whose, column in ((side, "stones_for"), (1 - side, "stones_against")):
            wanted = Fraction(int(sums[COLUMNS.index(column)]), deals)
            assert fight.expected(phase, whose) == wanted


@pytest.mark.parametrize("game", ["mus", "encaje3"])
def test_simulated_as_counted(game):
    held = ["RR7A", "pares", "31 | RR??@0.5"]
    exact, result = duel(held, game=game), duel(held, game=game, n=40_000, seed=9)
    assert (exact.method, result.method, result.n) == ("exact", "monte-carlo", 40_000)
    for wanted, row in zip(exact.rows(), result.rows(), strict=True):
        for column in set(wanted) - {"phase"}:
            error = abs(row[column] - wanted[column])
            assert error <= 4.5 * row[f"{column}_se"] + 1e-12, (row["phase"], column)


def test_six_players_are_simulated():
    fight = duel(["RR7A", "pares"], game="mus6p")
    assert fight.method == "monte-carlo"
    assert sum(fight.chance("grande", s) for s in fight.seats) == 1
