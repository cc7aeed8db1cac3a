"""Jokers under declarations: what was declared binds the hands as they are named.

The deals of small decks are enumerated, the naming game is solved backwards in plain Python,
and the deals in which a named hand breaks a declaration are left out.
"""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest

from musodds.chances.counted_odds import Odds
from musodds.chances.duel import duel
from musodds.chances.joint import joint
from musodds.chances.odds import odds
from musodds.cli.app import run
from musodds.errors import KnowledgeError
from musodds.knowledge.knowledge import know
from musodds.rules.game import PHASES
from musodds.rules.hands import hands
from musodds.simulation.simulate import simulate
from tests import brute
from tests.exact.test_jokers import joker_game, naive_result, naive_row, naive_showdown

TWO = joker_game({"R": 4, "7": 3, "4": 1, "A": 4}, 2, 1)
FOUR = joker_game({"R": 2, "7": 3, "5": 2, "A": 8}, 4, 2)

ANSWERS = ("yes", "no", "?")


def keeps_word(named: tuple[str, ...], declared: dict[str, str]) -> bool:
    """Whether all that was declared is true of the hands as named."""
    return all(
        answer == "?" or (brute.strength(hand, phase) is not None) == (answer == "yes")
        for phase, answers in declared.items()
        for hand, answer in zip(named, answers.split(","), strict=True)
    )


def naive_deals(game, known, declared):
    """The deals that are left, each with the hands as named and its ways."""
    for dealt, ways in brute.deals(game, known):
        named = naive_showdown(game, dealt)
        if keeps_word(named, declared):
            yield dealt, named, ways


def naive_counts(game, hand, seat, declared):
    rows = [naive_row(game, d, seat) * w for d, _, w in naive_deals(game, {seat: hand}, declared)]
    return sum(rows, np.zeros((len(PHASES), 8), dtype=object))


def check(game, hand, seat, declared) -> bool:
    """Whether a question has deals; its counts are those of the enumeration."""
    expected = naive_counts(game, hand, seat, declared)
    knowledge = know(game, **declared)
    if not expected.any():
        return False
    found = odds(hand, game=game, seat=seat, knowledge=knowledge)
    assert isinstance(found, Odds)
    assert (found.counts[0] == expected).all(), (hand, seat, declared)
    assert found.deals == expected[0, :3].sum()
    return True


@pytest.mark.parametrize("hand", ["RR7A", "*R77", "**7A", "*RRA", "774A"])
def test_two_players_whatever_is_declared(hand):
    possible = 0
    for seat, answers in product((1, 2), product(ANSWERS, repeat=4)):
        declared = {"pares": ",".join(answers[:2]), "juego": ",".join(answers[2:])}
        possible += check(TWO, hand, seat, declared)
    assert possible > 20


@pytest.mark.parametrize(
    ("hand", "seat", "pares", "juego"),
    [
        ("R77A", 1, "?,yes,?,?", "?,?,?,?"),
        ("R77A", 2, "no,?,yes,?", "?,?,?,no"),
        ("*77A", 3, "yes,yes,yes,?", "no,?,?,?"),
        ("*RAA", 4, "?,?,?,yes", "?,?,?,no"),
        ("*75A", 1, "no,yes,?,?", "?,?,no,?"),
        ("R75A", 2, "?,no,?,no", "?,?,no,?"),
    ],
)
def test_four_players(hand, seat, pares, juego):
    assert check(FOUR, hand, seat, {"pares": pares, "juego": juego})


def test_other_knowledge_besides():
    """Ranges speak of the cards dealt, declarations of the hands named."""
    declared = {"pares": "?,yes,?,?", "juego": "?,?,?,no"}
    knowledge = know(FOUR, **declared, next="*??? | 77AA@0.5", dead="A")
    counts = np.zeros((len(PHASES), 8), dtype=object)
    less = joker_game({"R": 2, "7": 3, "5": 2, "A": 7}, 4, 2)
    for dealt, _, ways in naive_deals(less, {1: "R77A"}, declared):
        weight = 2 if "*" in dealt[1] else 1 if sorted(dealt[1]) == sorted("77AA") else 0
        counts += naive_row(FOUR, dealt, 1) * ways * weight
    found = odds("R77A", game=FOUR, seat=1, knowledge=knowledge)
    assert (found.counts[0] == counts).all()


def test_phases_together_and_duels():
    declared = {"pares": "yes,?,?,no", "juego": "?,no,?,?"}
    knowledge = know(FOUR, **declared)
    expected: dict[tuple[int, int], int] = {}
    for _, named, ways in naive_deals(FOUR, {1: "*7AA"}, declared):
        stones = naive_result(FOUR, named)[1]
        both = tuple(sum(own[side] for own in stones) for side in (0, 1))
        expected[both] = expected.get(both, 0) + ways
    answer = joint("*7AA", seat=1, knowledge=knowledge)
    assert answer.deals == sum(expected.values()) > 0
    assert {
        (row["stones_for"], row["stones_against"]): row["chance"] * answer.deals
        for row in answer.stones()
    } == expected
    fight = duel(["*7AA", "R77A | RAAA | 77AA"], knowledge=knowledge)
    takes = {phase: [0] * 5 for phase in PHASES}
    total = 0
    for dealt, named, ways in naive_deals(FOUR, {1: "*7AA"}, declared):
        if dealt[1] in ("R77A", "RAAA", "77AA"):
            ways *= int(hands(FOUR).ways[hands(FOUR).index("*7AA")])
            total += ways
            for phase, (winner, _) in zip(PHASES, naive_result(FOUR, named)[0], strict=True):
                takes[phase][winner or 0] += ways
    assert fight.deals == total > 0
    for phase in PHASES:
        assert fight.takes[phase].tolist() == takes[phase]


def cli_odds(capsys, *arguments: str) -> dict:
    status = run(["hand", *arguments, "--format", "json"])
    out, err = capsys.readouterr()
    assert status == 0, err
    return {row["phase"]: row for row in json.loads(out)["odds"]}


def test_two_kings_against_a_rival_who_says_pares(capsys):
    told = ("RR7A", "--game", "mus2p-ten-kings", "--seat", "1", "--pares", "yes,yes")
    rows = cli_odds(capsys, *told)
    assert rows["pares"]["contested"] == 1
    for phase, column, value in (
        ("pares", "win", 0.798042),
        ("grande", "win", 0.799361),
        ("pares", "stones_against", 0.487325),
        ("pares", "net", 0.780956),
    ):
        assert rows[phase][column] == pytest.approx(value, abs=5e-7)


def test_who_said_no_juego_is_held_to_it(capsys):
    """*R77 would be RR77 against any hand without juego; said to have none, it is R77A."""
    told = ("*R77", "--game", "mus2p-ten-kings", "--seat", "2", "--pares", "?,?", "--juego")
    rows = cli_odds(capsys, *told, "no,no")
    assert rows["juego"]["void"] == rows["punto"]["contested"] == 1
    game = joker_game({"R": 4, "7": 3, "4": 1, "A": 4}, 2, 1)
    found = odds("*R77", game=game, seat=2, knowledge=know(game, juego="no,no"))
    expected = np.zeros((len(PHASES), 8), dtype=object)
    for dealt, ways in brute.deals(game, {2: "*R77"}):
        # Only the other may still choose what he names.
        named = naive_showdown(game, [dealt[0], "R77A"])
        if keeps_word(named, {"juego": "no,no"}):
            expected += naive_row(game, list(named), 2) * ways
    assert (found.counts[0] == expected).all()


def test_what_no_naming_has_is_refused():
    two = "mus2p-ten-kings"
    with pytest.raises(KnowledgeError, match=r"seat 2 has no pares, but you hold \*R77"):
        odds("*R77", seat=2, knowledge=know(two, pares="?,no"))
    # Pares as RR54, and no juego; juego only as RR?? and never without pares.
    with pytest.raises(KnowledgeError, match=r"no deal fits.*no pares.*juego"):
        odds("*RC4", seat=1, knowledge=know(two, pares="no,?", juego="yes,?"))


@pytest.mark.parametrize(
    ("game", "hand", "seat", "known"),
    [
        ("mus2p-ten-kings", "RR7A", 1, {"pares": "yes,yes", "next": "pares"}),
        ("mus2p-ten-kings", "*R77", 2, {"juego": "no,no"}),
        ("mus2p-ten-kings", "RRC*", 1, {"pares": "?,no", "juego": "?,yes"}),
        ("mus-ten-kings", "RR7A", 3, {"pares": "yes,no,yes,?", "juego": "?,?,no,yes"}),
        ("mus-ten-kings", "*CS7", 2, {"juego": "yes,?,?,no"}),
    ],
)
def test_simulated_as_counted(game, hand, seat, known):
    knowledge = know(game, **known)
    exact = odds(hand, seat=seat, knowledge=knowledge)
    result = odds(hand, seat=seat, knowledge=knowledge, n=40_000, seed=5)
    assert (exact.method, result.method) == ("exact", "monte-carlo")
    for wanted, row in zip(exact.rows(), result.rows(), strict=True):
        for column in ("win", "void", "best", "contested", "stones_for", "stones_against", "net"):
            error = abs(row[column] - wanted[column])
            assert error <= 4.5 * row[f"{column}_se"] + 1e-12, (row["phase"], column)


def test_a_simulation_without_mus():
    knowledge = know("mus2p-ten-kings", pares="yes,yes")
    result = simulate(
        "mus2p-ten-kings", n=100_000, seed=3, hand="RR7A", seat=1, knowledge=knowledge, rounds=0,
        policy="none",
    )  # fmt: skip
    exact = {row["phase"]: row for row in odds("RR7A", seat=1, knowledge=knowledge).rows()}
    for row in result.rows()[: len(PHASES)]:
        for column in ("win", "void", "best", "contested"):
            error = abs(row[column] - exact[row["phase"]][column])
            assert error <= 4.5 * row[f"{column}_se"] + 1e-12, (row["phase"], column)


def test_a_range_and_a_number_of_deals_are_answered(capsys):
    told = ("RR7A", "--game", "mus2p-ten-kings", "--seat", "1", "--next", "pares")
    rows = cli_odds(capsys, *told, "--deals", "10000")
    exact = cli_odds(capsys, *told)
    for phase, row in rows.items():
        assert abs(row["win"] - exact[phase]["win"]) <= 4.5 * row["win_se"] + 1e-12
