"""Five cards dealt, one thrown: the exact ranking, the policy, and the simulation."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from math import comb, prod

import numpy as np
import pytest
from scipy.stats import chisquare

import musodds as mo
from musodds.chances.throws import encaje_throws as throws
from musodds.cli import main
from musodds.errors import CardError, GameError, InputError
from musodds.exact.draws.throw_policy import five_hands, throw_policy
from musodds.exact.phases.singles import count_alone
from musodds.rules.game import PHASES
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.strategy.throw_advice import encaje_throw_advice as throw_advice
from tests.brute import own_stones, reduced_game, strength

GAME = get_game("encaje3-five-cards")
WANT_RID = {"stones": (15, 21)}


@pytest.mark.parametrize("seats", [3, 5])
def test_a_thrown_card_is_out_of_the_deck(seats):
    """What a throw leaves is the hand in a deck without the card that was thrown."""
    cards = {"R": 6, "7": 6, "4": 6, "A": 7}
    dealt = reduced_game(cards, seats, 1, cards_dealt=5, **WANT_RID)
    answer = throws("RR74A", game=dealt)
    assert answer.thrown == ("R", "7", "4", "A")
    for thrown, odds in zip(answer.thrown, answer.odds, strict=True):
        fewer = reduced_game(cards | {thrown: cards[thrown] - 1}, seats, 1, **WANT_RID)
        expected = mo.odds("RR74A".replace(thrown, "", 1), game=fewer)
        assert odds.hand == expected.hand
        assert odds.deals == expected.deals
        assert (odds.counts == expected.counts).all()


def test_ranking():
    answer = throws("RR7AA", game=GAME)
    assert answer.method == "exact"
    for seat in (1, 2, 3):
        nets = [answer.odds[way].net(seat) for way in answer.ranking(seat)]
        assert nets == sorted(nets, reverse=True)
    rows = answer.rows()
    assert len(rows) == 3 * 3 * 5
    assert (rows[0]["seat"], rows[0]["rank"], rows[0]["throw"]) == (1, 1, "7")
    assert len(throws("RRRRR", game=GAME, seat=1).odds) == 1


def test_five_cards_without_suits_are_the_average_over_them():
    game = "encaje3-real-oros-five-cards"
    answer = throws("777SA", game=game, seat=3)
    assert answer.ways == 4
    assert answer.thrown == ("S", "7", "A")
    real, other = (throws(f"777 {sota} A", game=game, seat=3) for sota in ("So", "Sb"))
    for way in range(3):
        for phase in PHASES:
            chances = [one.odds[way].fraction(3, phase, "best") for one in (answer, real, other)]
            assert chances[0] == (chances[1] + 3 * chances[2]) / 4


def test_the_fourth_suit_of_five_cards_by_counting_every_suit():
    """Counted suit by suit in the game of four suits, without the simpler game."""
    game = get_game("encaje3-real-suits-five-cards")
    five = game.deck.parse("7o 7c 7e Sb 4")
    gone = np.bincount(five, minlength=len(game.deck.kinds))
    answer = throws("7o 7c 7e Sb 4", game=game, seat="all")
    assert answer.ways == 1
    way = answer.thrown.index("4")
    assert answer.odds[way].hand == game.deck.text(game.deck.parse("7o 7c 7e Sb"))
    me = hands(game).index(answer.odds[way].hand)
    [counts] = count_alone(game, [me], (1, 2, 3), gone)
    scale = Fraction(int(counts[0, 0, :3].sum()), answer.odds[way].deals)
    assert (counts == answer.odds[way].counts * scale).all()


def test_questions_that_are_not_of_five_cards():
    with pytest.raises(GameError, match="encaje3 deals 4 cards"):
        throws("RR7AA", game="encaje3")
    with pytest.raises(CardError, match="'RR7A' has 4 cards: a hand is five cards"):
        throws("RR7A", game=GAME)
    for options in ({"n": 1}, {"target_se": 0}, {"seed": -1}, {"n": 5, "target_se": 0.1}):
        with pytest.raises(InputError):
            throw_advice("RR7AA", game=GAME, **options)


@pytest.mark.parametrize("name", ["encaje3-five-cards", "encaje5-five-cards"])
def test_the_published_throws_are_the_best(name):
    game = get_game(name)
    policy = throw_policy(game)
    assert policy.name == "best"
    for i in (3, 400, 700):
        answer = throws(game.deck.text(policy.cards[i].tolist()), game=game)
        for seat in answer.seats:
            best = answer.thrown[answer.ranking(seat)[0]]
            assert game.deck.text((int(policy.throw[seat - 1, i]),)) == best


def kept_shares(game, seat):
    """The exact chance of every hand after the throw, whoever sits where."""
    policy, table = throw_policy(game), hands(game)
    shares = np.zeros(len(table))
    for five, thrown in zip(policy.cards.tolist(), policy.throw[seat - 1].tolist(), strict=True):
        numbers = [five.count(kind) for kind in range(len(game.deck.kinds))]
        ways = prod(comb(k.copies, n) for k, n in zip(game.deck.kinds, numbers, strict=True))
        five.remove(thrown)
        shares[table.index(five)] += ways / comb(game.deck.size, 5)
    return shares


def test_simulated_hands_are_those_that_are_kept():
    from musodds.simulation.simulate import simulate

    found = simulate(GAME, n=100_000, seed=1, workers=1)
    assert found.policy == "throw the best card"
    assert found.rounds == 0
    shown = dict(zip(("table", "pares", "last", "scores", "hands"), found.sums, strict=False))
    for seat in (1, 2, 3):
        shares = kept_shares(GAME, seat)
        assert shares.sum() == pytest.approx(1)
        counts = shown["hands"][seat - 1]
        assert (counts[shares == 0] == 0).all()
        # The rare ones together, as a chi square wants some of each.
        often, expected = shares * found.n >= 10, shares * found.n
        seen = np.append(counts[often], counts[~often].sum())
        fits = chisquare(seen, np.append(expected[often], expected[~often].sum()))
        assert fits.pvalue > 1e-3
    rows = found.rows()
    for phase in PHASES:
        mine = [row for row in rows if row["phase"] == phase]
        assert sum(row["best"] for row in mine) + mine[0]["void"] == pytest.approx(1)
    with pytest.raises(InputError, match="there is no mus"):
        simulate(GAME, n=100, policy="kings")
    with pytest.raises(InputError, match="there is no mus"):
        simulate(GAME, n=100, hand="RR7A")


def test_advice_agrees_with_slow_play():
    """Deals one by one, with hands as text and the rules of tests/brute.py."""
    seat, cards, n = 2, "RR7A4", 3000
    policy = throw_policy(GAME)
    thrown = {tuple(five): policy.throw[:, i] for i, five in enumerate(policy.cards.tolist())}
    symbols = [kind.symbol for kind in GAME.deck.kinds]
    pack = [kind for kind, k in enumerate(GAME.deck.kinds) for _ in range(k.copies)]
    for symbol in cards:
        pack.remove(symbols.index(symbol))
    mine = ["RR74", "RR7A"]
    nets = {hand: [] for hand in mine}
    rng = random.Random(1)
    for _ in range(n):
        drawn = rng.sample(pack, 10)
        others = {}
        for place, five in ((1, drawn[:5]), (3, drawn[5:])):
            five = sorted(five)
            five.remove(int(thrown[tuple(five)][place - 1]))
            others[place] = "".join(symbols[kind] for kind in five)
        for hand in mine:
            nets[hand].append(plain_net(others | {seat: hand}, seat))
    advice = {
        row["keep"]: row for row in throw_advice(cards, game=GAME, seat=seat, n=50_000).rows()
    }
    for hand in mine:
        mean, error = np.mean(nets[hand]), np.std(nets[hand]) / np.sqrt(n)
        assert abs(advice[hand]["net"] - mean) <= 4 * np.hypot(error, advice[hand]["net_se"])
    apart = np.subtract(nets["RR7A"], nets["RR74"])
    error = np.hypot(np.std(apart) / np.sqrt(n), advice["RR7A"]["diff_se"])
    assert abs(advice["RR7A"]["diff"] - np.mean(apart)) <= 4 * error


def plain_net(dealt, seat):
    """Stones that the seat throws less what another does on average."""
    net = 0.0
    for phase in PHASES:
        keys = {s: strength(hand, phase) for s, hand in dealt.items()}
        if phase == "punto" and None in keys.values():
            continue
        inside = {s: key for s, key in keys.items() if key is not None}
        if not inside:
            continue
        best = min(s for s in inside if inside[s] == max(inside.values()))
        value = own_stones(dealt[best], phase) if phase in ("pares", "juego") else 1
        net += value if best == seat else -value / 2
    return net


def test_all_sets_of_five_cards():
    fives = list(five_hands(GAME))
    assert len(set(fives)) == len(fives) == 786
    copies = [kind.copies for kind in GAME.deck.kinds]
    ways = sum(prod(comb(c, five.count(k)) for k, c in enumerate(copies)) for five in fives)
    assert ways == comb(40, 5)


def test_games_without_a_published_policy_are_answered_too():
    game = reduced_game({"R": 8, "7": 8, "4": 8, "A": 8}, 3, 1, cards_dealt=5, **WANT_RID)
    policy = throw_policy(game)
    assert policy.name == "nearly best"
    assert len(policy.cards) == policy.throw.shape[1] == 56


def test_commands(capsys):
    game = ["--game", "encaje3-five-cards", "--seat", "1"]
    for command in (["hand"], ["discard", "--exact"], ["discard", "-n", "1000"]):
        assert main([*command, "RR7A4", *game]) == 0
        out = capsys.readouterr().out
        assert "\nA      RR74" in out
        assert max(map(len, out.splitlines())) <= 80
    assert main(["discard", "RR7A4", *game, "-n", "1000", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["method"], found["n"], found["seed"]) == ("monte-carlo", 1000, 1)
    assert {"keep", "throw", "net", "net_se", "diff", "diff_se"} <= set(found["keeps"][0])
    assert main(["discard", "RR7A4", *game, "--policy", "kings"]) == 2
    assert "--policy is of mus" in capsys.readouterr().err
    assert main(["hand", "RR7A4"]) == 2
    assert main(["hand", "RR7A", *game]) == 0
