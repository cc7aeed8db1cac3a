"""Six players: the recursion against plain enumeration, and its published table."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

import musodds as mo
from musodds.cli.app import run
from musodds.errors import GameError
from musodds.exact.phases.columns import COLUMNS, columns_of
from musodds.exact.phases.count import total_deals
from musodds.exact.phases.trios import count_trios
from musodds.rules.game import PHASES
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.rules.shown import shown_hands
from musodds.store.numbers import published_counts
from tests.brute import count_columns, deals, reduced_game


# Pares of all types, juego and punto; all cards dealt but one or two, so that each
# hand changes what the others can hold.
@pytest.mark.parametrize(
    ("cards", "asked"),
    [
        ({"C": 13, "7": 1, "A": 12}, [("CCCA", 1), ("CC7A", 4), ("CCAA", 6), ("7AAA", 3)]),
        ({"S": 2, "7": 13, "4": 10}, [("S777", 2), ("7744", 5), ("4444", 1)]),
    ],
)
def test_every_column_by_enumeration(cards, asked):
    game = reduced_game(cards, 6, 3)
    mine = np.array([hands(game).index(text) for text, _ in asked])
    counts = count_trios(game, mine, (1, 2, 3, 4, 5, 6))
    for (text, seat), of_hand in zip(asked, counts, strict=True):
        expected, total = count_columns(game, {seat: text}, seat)
        assert total == total_deals(game)
        for phase, of_phase in zip(PHASES, of_hand[seat - 1], strict=True):
            assert dict(zip(COLUMNS, of_phase.tolist(), strict=True)) == expected[phase]


def test_nobody_holds_a_hand_that_is_shown():
    game = reduced_game({"7": 12, "6": 1, "5": 1, "4": 11}, 6, 3, exchange=("7654",))
    for text, seat in (("7444", 2), ("7774", 5)):
        [of_hand] = count_trios(
            game, np.array([hands(game).index(text)]), (seat,), None, shown_hands(game)
        )
        held = [
            (dealt, ways)
            for dealt, ways in deals(game, {seat: text})
            if all(other != "7654" for s, other in enumerate(dealt, 1) if s != seat)
        ]
        expected, total = count_columns(game, {seat: text}, seat, held)
        assert 0 < total < total_deals(game)
        for phase, of_phase in zip(PHASES, of_hand[0], strict=True):
            assert dict(zip(COLUMNS, of_phase.tolist(), strict=True)) == expected[phase]


def test_four_kings_dealt_to_six():
    """Grande with RRRR in seat 6 is lost only to the other four kings, held before it."""
    counts = published_counts(get_game("mus6p"))
    assert counts.dtype == object
    answer = mo.odds("RRRR", game="mus6p", seat=6)
    assert answer.fraction(6, "grande", "best") == 1 - Fraction(5, 58905)


def test_both_targets_share_one_table():
    assert published_counts(get_game("mus6p-50")) is not None
    assert mo.odds("RR7A", game="mus6p").net(1) == mo.odds("RR7A", game="mus6p-50").net(1)
    assert columns_of(get_game("mus6p")) == COLUMNS


def test_too_many_kinds_are_not_counted():
    with pytest.raises(GameError, match="simulate it"):
        count_trios(get_game("mus6p-four-kings"), np.array([0]), (1,))
    with pytest.raises(GameError, match="everybody has two partners"):
        mo.odds("RRRR", game="mus6p", partner="AAAA")


def test_what_is_not_counted_is_simulated_by_the_command(capsys):
    arguments = ["hand", "RRRR", "--game", "mus6p-four-kings", "--seat", "6", "--format", "json"]
    assert run(arguments) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["method"], answer["n"], answer["seed"]) == ("monte-carlo", 40_000, 1)
    # With all four kings out nobody else can have the best in grande.
    assert answer["odds"][0]["best"] == 1
    assert answer["odds"][0]["win_se"] == 0


def test_dead_cards_are_not_counted_with_six():
    with pytest.raises(GameError, match="with cards out of play mus6p-4567 is not counted"):
        count_trios(get_game("mus6p-4567"), np.array([0]), (1,), np.eye(8, dtype=np.int64)[0])
