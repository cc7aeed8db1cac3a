"""Encaje: each for itself, counted against plain enumeration, and who loses in the end."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import musodds as mo
from musodds.cli import main
from musodds.errors import InputError
from musodds.exact.phases.columns import columns_of
from musodds.exact.phases.count import count, total_deals
from musodds.playing.actions import ActionError
from musodds.playing.encaje_deal import encaje_settle as settle
from musodds.rules.game import PHASES
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.stakes.encaje_outcomes import outcome_counts
from musodds.stakes.losers import encaje_losers as losers
from musodds.store.numbers import published_counts
from tests.brute import count_columns, deals, own_stones, reduced_game, strength

WANT_RID = {"stones": (15, 21)}


def brute_worst(game, known, seat, some=None):
    """Deals in which a seat is the worst of those in a phase, and with others in it."""
    found = {phase: [0, 0] for phase in PHASES}
    for dealt, ways in deals(game, known) if some is None else some:
        for phase in PHASES:
            keys = {s: strength(hand, phase, game.real) for s, hand in enumerate(dealt, start=1)}
            if phase == "punto" and None in keys.values():
                continue
            inside = {s: key for s, key in keys.items() if key is not None}
            if inside and max(s for s in inside if inside[s] == min(inside.values())) == seat:
                found[phase][0] += ways
                found[phase][1] += ways * (len(inside) > 1)
    return found


@pytest.mark.parametrize(
    ("cards", "seats", "every", "real"),
    [
        ({"R": 4, "7": 4, "4": 2, "A": 4}, 3, 5, ()),
        ({"R": 2, "S": 3, "7": 5, "A": 4}, 3, 4, ("S777", "R777")),
        ({"R": 6, "7": 5, "A": 6}, 4, 8, ()),
        ({"R": 7, "7": 7, "A": 7}, 5, 8, ()),
    ],
)
def test_every_column_by_enumeration(cards, seats, every, real):
    game = reduced_game(cards, seats, 1, real=real, **WANT_RID)
    texts = hands(game).texts
    for me in range(every // 2, len(texts), every):
        asked = tuple(range(1, seats + 1)) if seats < 5 else (2, 5)
        counts = count(game, np.array([me]), asked)[0]
        for i, seat in enumerate(asked):
            expected, total = count_columns(game, {seat: texts[me]}, seat)
            assert total == total_deals(game)
            worst = brute_worst(game, {seat: texts[me]}, seat)
            for j, phase in enumerate(PHASES):
                named = dict(zip(columns_of(game), counts[i, j].tolist(), strict=True))
                assert (named.pop("worst"), named.pop("worst_contested")) == tuple(worst[phase])
                assert named == expected[phase], (texts[me], seat, phase)


@pytest.mark.parametrize(
    ("cards", "seats", "asked"),
    [
        ({"R": 3, "7": 3, "6": 2, "5": 2, "4": 3, "A": 3}, 3, ("RR74", "7744", "7764")),
        ({"7": 10, "6": 1, "5": 1, "4": 9}, 5, ("7744", "7774")),
    ],
)
def test_nobody_else_holds_a_hand_that_is_shown(cards, seats, asked):
    game = reduced_game(cards, seats, 1, exchange=("7654",), **WANT_RID)
    for text in asked:
        for seat in (2, seats):
            some = [
                (dealt, ways)
                for dealt, ways in deals(game, {seat: text})
                if all(hand != "7654" for s, hand in enumerate(dealt, 1) if s != seat)
            ]
            expected, total = count_columns(game, {seat: text}, seat, some)
            worst = brute_worst(game, {}, seat, some)
            answer = mo.odds(text, game=game, seat=seat)
            assert answer.deals == total < total_deals(game)
            for j, phase in enumerate(PHASES):
                named = dict(zip(columns_of(game), answer.counts[0, j].tolist(), strict=True))
                assert (named.pop("worst"), named.pop("worst_contested")) == tuple(worst[phase])
                assert named == expected[phase], (text, seat, phase)


@pytest.mark.parametrize("name", ["encaje3", "encaje5"])
def test_published_table_is_what_is_counted(name):
    game = get_game(name)
    sample = np.array([26, 200])
    seats = tuple(range(1, game.seats + 1))
    assert (count(game, sample, seats) == published_counts(game)[sample]).all()


def test_columns_of_a_hand():
    result = mo.odds("RRRR", game="encaje5", seat=5)
    assert result.fraction(5, "grande", "win") == result.fraction(5, "grande", "best")
    assert result.fraction(5, "juego", "void") == 0
    assert result.fraction(5, "chica", "worst") == 1
    # What another player throws on average: with four others a quarter of what they all do.
    lose = result.fraction(5, "grande", "lose")
    assert result.fraction(5, "grande", "stones_against") == lose / 4
    net = sum(
        result.fraction(5, phase, "stones_for") - result.fraction(5, phase, "stones_against")
        for phase in PHASES
    )
    assert result.net(5) == float(net)
    assert {row["net"] for row in result.rows()} == {float(net)}


@pytest.mark.parametrize("name", ["encaje3", "encaje5"])
def test_what_all_throw_less_what_others_do_is_nothing(name):
    game = get_game(name)
    over_all = np.einsum("h,hspc->c", hands(game).ways, published_counts(game).astype(object))
    named = dict(zip(columns_of(game), over_all, strict=True))
    assert named["stones_for"] * (game.seats - 1) == named["stones_against"]
    assert named["win"] == named["best"]


def test_options_combine():
    real = mo.odds("777S", game="encaje3-real", seat=3)
    assert real.fraction(3, "juego", "best") > Fraction(9, 10)
    plain = mo.odds("777S", game="encaje3", seat=3)
    assert real.fraction(3, "juego", "best") > plain.fraction(3, "juego", "best")
    four = mo.odds("R32A", game="encaje3-four-kings", seat=1)
    assert four.hand == "R32A"
    assert four.fraction(1, "pares", "worst") == 0


def test_knowledge_of_nothing_changes_nothing():
    from musodds.chances.odds import known_odds
    from musodds.knowledge.knowledge import Knowledge

    knowledge = Knowledge(get_game("encaje3"))
    for seat in (1, 2, 3):
        known = known_odds("RRC7", seat=seat, knowledge=knowledge)
        plain = mo.odds("RRC7", game="encaje3", seat=seat)
        for phase in PHASES:
            for column in columns_of(plain.game):
                assert known.fraction(seat, phase, column) == plain.fraction(seat, phase, column)


# --- settlement: the rest of the hand-worked deals are in tests/data/scoring_encaje*.txt


E1 = ("RRRA", "7654", "CC44")


@pytest.mark.parametrize(
    ("given", "stones", "bets", "left", "loser"),
    [
        (E1, (15, 15, 15), {}, (10, 15, 12), None),
        (E1, (15, 15, 15), {"grande": ["envido 3", "no quiero", "quiero"]}, (8, 15, 15), None),
        # Nobody sees: the bettor throws 1, and its own pares at the showdown.
        (E1, (15, 15, 15), {"pares": "envido, no quiero"}, (7, 15, 15), None),
        # The pot goes to the worst, then the best throws its pares.
        (E1, (15, 15, 15), {"pares": "envido, quiero"}, (12, 15, 10), None),
        # One player is out; the open pot of punto brings another back who has thrown all.
        (("RR7A", None, "CS54"), (3, 0, 3), {"punto": "envido, quiero"}, (4, 0, 1), None),
        # The stones are all in the pot, and the worst gets them: that one loses.
        (("RRRA", "7654", None), (2, 2, 0), {"grande": "envido, quiero"}, (0, 4, 0), 1),
        # A see with less than the bet puts in what there is.
        (E1, (15, 3, 15), {"grande": "envido 5, quiero, no quiero"}, (6, 8, 12), None),
    ],
)
def test_settlement(given, stones, bets, left, loser):
    result = settle("encaje3", given, stones, bets)
    assert (result.stones, result.loser) == (left, loser)
    thrown = sum(move.stones for move in result.moves if move.why not in ("pot", "worst"))
    assert sum(result.stones) == sum(stones) + thrown


def test_settlement_of_five_with_two_out():
    given = ("RRRA", None, "CC44", "S765", None)
    bets = {"grande": "envido, quiero, quiero"}
    assert settle("encaje5", given, (15, 0, 15, 15, 0), bets).stones == (9, 0, 10, 19, 0)


def test_settlement_names_what_cannot_be_said():
    with pytest.raises(ActionError, match="'envido 9' is not legal"):
        settle("encaje3", E1, (5, 5, 5), {"grande": "envido 9"})
    with pytest.raises(ActionError, match="one word too many: grande is over"):
        settle("encaje3", E1, (5, 5, 5), {"grande": "envido, no quiero, no quiero, paso"})
    with pytest.raises(InputError, match="nobody may bet in juego"):
        settle("encaje3", E1, (5, 5, 5), {"juego": "envido"})


# --- who loses


def test_outcomes_by_enumeration():
    """What every deal makes the players throw, against plain comparison of the hands."""
    game = reduced_game({"R": 5, "7": 5, "4": 2, "A": 4}, 3, 1, **WANT_RID)
    expected = Counter()
    for dealt, ways in deals(game, {}):
        expected[plain_outcome(game, dealt)] += ways
    counts = outcome_counts(game, 3)
    assert {tuple(at): int(counts[tuple(at)]) for at in np.argwhere(counts)} == expected


def plain_outcome(game, dealt):
    def best(phase):
        keys = {s: strength(hand, phase, game.real) for s, hand in enumerate(dealt)}
        inside = {s: key for s, key in keys.items() if key is not None}
        if not inside:
            return None
        return min(s for s in inside if inside[s] == max(inside.values()))

    pares, juego = best("pares"), best("juego")
    last, value = best("punto"), 1
    if juego is not None:
        last, value = juego, own_stones(dealt[juego], "juego")
    of_pares = (0, 0) if pares is None else (pares, own_stones(dealt[pares], "pares"))
    return (best("grande"), best("chica"), *of_pares, last, value)


def test_three_players_by_recursion():
    """The chances to lose, worked out in fractions from the outcomes of a deal."""
    game = get_game("encaje3")
    outcomes = {}
    for players in (2, 3):
        counts = outcome_counts(game, players)
        total = int(counts.sum())
        outcomes[players] = [
            (tuple(at), Fraction(int(counts[tuple(at)]), total)) for at in np.argwhere(counts)
        ]

    @cache
    def lose(stones, mano):
        order = [p for p in (mano, (mano + 1) % 3, (mano + 2) % 3) if stones[p]]
        if len(order) == 1:
            return tuple(Fraction(p == order[0]) for p in range(3))
        reached = defaultdict(Fraction)
        for (grande, chica, pares, of_pares, last, of_last), chance in outcomes[len(order)]:
            left = list(stones)
            for place, value in ((grande, 1), (chica, 1), (pares, of_pares), (last, of_last)):
                if sum(map(bool, left)) > 1:
                    left[order[place]] = max(0, left[order[place]] - value)
            following = next(p for p in (mano + 1, mano + 2, mano + 3) if left[p % 3])
            reached[tuple(left), following % 3] += chance
        found = [Fraction(0)] * 3
        for state, chance in reached.items():
            for p, part in enumerate(lose(*state)):
                found[p] += chance * part
        return tuple(found)

    for stones, mano in [((2, 1, 3), 1), ((3, 3, 0), 2)]:
        expected = lose(stones, mano - 1)
        assert sum(expected) == 1
        assert losers(stones, mano=mano).chances == pytest.approx(list(map(float, expected)))


def test_real_of_the_fourth_suit_is_exact_too():
    """Outcomes in the game of four suits, all cards told apart, are those of one suit."""
    answer = losers((3, 2, 4), game="encaje3-real-suits")
    assert answer.method == "exact"
    assert answer.chances == losers((3, 2, 4), game="encaje3-real-oros").chances
    assert answer.chances != losers((3, 2, 4), game="encaje3").chances
    simulated = losers((3, 2, 4), game="encaje3-real-suits", simulate=True, n=40_000)
    for chance, estimate, error in zip(
        answer.chances, simulated.chances, simulated.se, strict=True
    ):
        assert abs(chance - estimate) < 4.5 * error


def test_one_stone_each_is_a_matter_of_grande():
    """Of two players with one stone the best hand in grande is rid of it first."""
    game = get_game("mus2p")
    counts = published_counts(game)[:, 0, PHASES.index("grande"), 0]
    ways = hands(game).ways
    wins = Fraction(int(counts @ ways), total_deals(game) * int(ways.sum()))
    assert losers((1, 1, 0)).chances == pytest.approx((1 - float(wins), float(wins), 0), abs=1e-12)


def test_chances_sum_to_one_and_turn_with_mano():
    by_mano = [losers((7, 7, 7), mano=mano).chances for mano in (1, 2, 3)]
    for chances in by_mano:
        assert sum(chances) == pytest.approx(1, abs=1e-12)
    for player in range(3):
        assert sum(chances[player] for chances in by_mano) == pytest.approx(1, abs=1e-12)
        assert by_mano[1][(player + 1) % 3] == pytest.approx(by_mano[0][player], abs=1e-12)
    more = losers((7, 9, 7))
    assert more.chances[1] > by_mano[0][1]


def within(estimates, errors, exact, z=5):
    return all(abs(x - y) <= z * se for x, se, y in zip(estimates, errors, exact, strict=True))


def test_simulated_games_agree_with_the_exact_chances():
    exact = losers((5, 4, 6), mano=2)
    simulated = losers((5, 4, 6), mano=2, simulate=True, n=40_000)
    assert exact.method, simulated.method == ("exact", "monte-carlo")
    assert within(simulated.chances, simulated.se, exact.chances)
    assert sum(simulated.chances) == pytest.approx(1)
    assert simulated == losers((5, 4, 6), mano=2, simulate=True, n=40_000)


def test_five_players_from_exact_endings_and_to_the_end():
    stones = (6, 9, 0, 7, 8)
    short = losers(stones, n=20_000, seed=3)
    long = losers(stones, n=20_000, seed=4, simulate=True)
    both = [np.hypot(a, b) for a, b in zip(short.se, long.se, strict=True)]
    assert within(short.chances, both, long.chances)
    assert all(a <= b for a, b in zip(short.se, long.se, strict=True))
    assert short.chances[2] == 0


def test_target_is_met():
    answer = losers((6, 6, 6, 6, 6), target_se=0.004)
    assert max(answer.se) <= 0.004
    assert [row["player"] for row in answer.rows()] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("stones", "options", "message"),
    [
        ((15, 12), {}, "2 numbers of stones: Encaje is for three or five"),
        ((15, 12, 20), {"game": "encaje5"}, "encaje5 has 5 players"),
        ((15, 12, 20, 1), {"game": "mus"}, "mus is not Encaje"),
        ((15, 0, 0), {}, "two players or more must have some"),
        ((15, -1, 3), {}, "15,-1,3: each is 0"),
        ((60, 3, 3), {}, "66 together, but 3 players start with 63 at most"),
        ((0, 5, 5), {"mano": 1}, "mano is 1: a player who has stones, 2 or 3"),
        ((5, 5, 5, 5, 5), {"n": 1}, "n is 1"),
        ((5, 5, 5, 5, 5), {"target_se": 0}, "target_se is 0"),
        ((5, 5, 5, 5, 5), {"seed": -1, "n": 10}, "seed is -1"),
    ],
)
def test_impossible_questions(stones, options, message):
    with pytest.raises(InputError, match=message):
        losers(stones, **options)


def test_command(capsys):
    assert main(["encaje", "--stones", "3, 2 4", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["game"], found["method"]) == ("encaje3", "exact")
    assert sum(row["loser"] for row in found["players"]) == pytest.approx(1)
    assert main(["encaje", "--stones", "3,2,4,1,1", "-n", "500"]) == 0
    out = capsys.readouterr().out
    assert "500 games, seed 1" in out
    assert max(map(len, out.splitlines())) <= 80
    assert main(["encaje", "--stones", "3,x,4"]) == 2
    assert "'x' is not a number of stones" in capsys.readouterr().err


def test_the_worst_is_in_the_table_of_a_hand(capsys):
    assert main(["hand", "RR7A", "--game", "encaje3", "--seat", "2"]) == 0
    out = capsys.readouterr().out
    assert "win then  worst   for  against" in out
    assert max(map(len, out.splitlines())) <= 80
    assert main(["hand", "RR7A", "--game", "encaje3", "--format", "json"]) == 0
    assert "worst_contested" in json.loads(capsys.readouterr().out)["odds"][0]


@pytest.mark.parametrize("name", ["encaje3", "encaje5"])
def test_simulation_agrees_with_the_exact_odds(name):
    from musodds.simulation.simulate import simulate

    game = get_game(name)
    found = simulate(game, n=60_000, seed=2, workers=1, policy="none")
    ways, counts = hands(game).ways, published_counts(game)
    over_all = np.einsum("h,hspc->spc", ways, counts.astype(object))
    total = total_deals(game) * int(ways.sum())
    names = columns_of(game)
    for row in found.rows():
        exact = over_all[row["seat"] - 1, PHASES.index(row["phase"])]
        for column in ("win", "void", "contested", "stones_for", "stones_against"):
            share = game.seats - 1 if column == "stones_against" else 1
            expected = int(exact[names.index(column)]) / (total * share)
            assert row[column] == pytest.approx(expected, abs=4.5 * row[f"{column}_se"] + 1e-12)
