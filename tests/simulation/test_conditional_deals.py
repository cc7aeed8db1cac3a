"""Deals that fit what is known: the right ones, as often as they should be."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import prod

import numpy as np
import pytest
from scipy import stats

from musodds.chances.odds import known_odds, odds
from musodds.chances.simulated_odds import simulate_known
from musodds.errors import InputError, KnowledgeError
from musodds.exact.phases.columns import COLUMNS
from musodds.knowledge.knowledge import know
from musodds.knowledge.language import parse_range
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.simulation import conditional_deals
from musodds.simulation.conditional_deals import ConditionalDeals
from tests import brute
from tests.knowledge.test_known import REDUCED, table

GAME = REDUCED[4, 2]
TEXTS = {
    1: "pares@0.3 | R???@0.9 | any@0.1",
    2: "31@0.7 | RR??@0.2",
    3: "A???@0.4 | any@0.25",
    4: "!medias | RRRA@0.5",
}


@cache
def all_deals():
    return list(brute.deals(GAME, {}))


def probabilities(ranges):
    weights = {s: table(found) for s, found in ranges.items()}
    found = Counter()
    for dealt, ways in all_deals():
        weight = ways * prod(w[dealt[s - 1]] for s, w in weights.items())
        if weight:
            found[tuple(dealt)] += weight
    total = sum(found.values())
    return {dealt: weight / total for dealt, weight in found.items()}


@pytest.mark.parametrize("seats", [(), (3,), (2, 4), (1, 2, 3), (1, 2, 3, 4)])
def test_deals_come_as_often_as_plain_enumeration_says(seats):
    ranges = {s: parse_range(TEXTS[s], GAME) for s in seats}
    deals = ConditionalDeals(GAME, {s: r.weights for s, r in ranges.items()})
    n = 60_000
    dealt, weights = deals.sample(n, seed=3)
    assert (weights == 1).all()
    truth = probabilities(ranges)
    texts = hands(GAME).texts
    seen = Counter(tuple(texts[i] for i in row) for row in dealt)
    assert seen.keys() <= truth.keys()
    # Rare deals together, so that every expected number is at least 5.
    common = [deal for deal, chance in truth.items() if chance * n >= 5]
    observed = [seen[deal] for deal in common]
    expected = [truth[deal] * n for deal in common]
    observed.append(n - sum(observed))
    expected.append(n - sum(expected))
    assert stats.chisquare(observed, expected).pvalue > 1e-4


@pytest.mark.parametrize("exactly", [4, 2, 0])
def test_importance_weights_give_the_same_odds(monkeypatch, exactly):
    """The later seats carry weights; with fewer drawn exactly the odds are the same."""
    monkeypatch.setattr(conditional_deals, "_EXACT", exactly)
    monkeypatch.setattr(conditional_deals, "_INNER", min(2, exactly))
    knowledge = know(
        partner="31@0.7 | pares@0.1", next="pares", previous="RR?? | any@0.2", dead="A"
    )
    found = simulate_known("RC7A", seat=3, knowledge=knowledge, n=12_000, seed=5)
    truth = known_odds("RC7A", seat=3, knowledge=knowledge)
    assert (found.effective_n < found.n) == (exactly < 3)
    errors = []
    for row, exact in zip(found.rows(), truth.rows(), strict=True):
        for column in COLUMNS:
            if row[column] is None:
                assert exact[column] is None
            elif row[f"{column}_se"] < 1e-9:
                assert row[column] == pytest.approx(exact[column], abs=1e-9)
            else:
                errors.append((row[column] - exact[column]) / row[f"{column}_se"])
    assert np.abs(errors).max() < 4.5
    assert abs(found.net - truth.net(3)) < 4.5 * found.net_se


def test_standard_errors_are_the_spread_of_repeated_runs():
    knowledge = know(rivals="juego@0.5 | any@0.1")
    runs = [simulate_known("RR7A", knowledge=knowledge, n=1000, seed=s) for s in range(40)]
    values = np.array([run.estimates for run in runs])
    claimed = np.array([run.errors for run in runs]).mean(axis=0)
    grande, juego = 0, 3
    for phase, column in [(grande, 0), (juego, 1), (juego, 5), (juego, 6), (juego, 7)]:
        spread = values[:, phase, column].std(ddof=1)
        assert claimed[phase, column] == pytest.approx(spread, rel=0.4, abs=1e-12)
    spread = np.std([run.net for run in runs], ddof=1)
    assert np.mean([run.net_se for run in runs]) == pytest.approx(spread, rel=0.4)


def test_a_range_that_one_deal_in_a_billion_meets():
    knowledge = know(partner="AAAA", next="RRRR", previous="duples:RR")
    found = simulate_known("7654", seat=1, knowledge=knowledge, n=1000, seed=1)
    assert found.estimates[0, COLUMNS.index("lose")] == 1  # four kings twice
    assert found.estimates[1, COLUMNS.index("win")] == 1  # four aces


def test_six_players_with_a_range_each():
    """Every seat holds what it is said to hold, and the weights are used."""
    from musodds.rules.game import Game

    game = Game("six", "two sides of three", get_game("mus").deck, 6, 3)
    texts = {2: "juego", 3: "pares", 4: "RR??", 5: "31 | 30", 6: "!pares"}
    ranges = {s: parse_range(text, game) for s, text in texts.items()}
    dealt, weights = ConditionalDeals(game, {s: r.weights for s, r in ranges.items()}).sample(
        2000, 9
    )
    fits = weights > 0
    assert fits.mean() > 0.9
    for seat, found in ranges.items():
        assert (found.weights[dealt[fits, seat - 1]] > 0).all()
    copies = hands(game).counts[dealt].sum(axis=1)
    assert (copies <= game.deck.copies).all()
    found = simulate_known("RR7A", seat=1, knowledge=know(game, seats=ranges), n=5000, seed=2)
    assert found.estimates[:, :3].sum(axis=1) == pytest.approx(1)
    assert 100 < found.effective_n < found.n


def test_same_seed_same_deals_and_a_shorter_run_is_its_beginning():
    weights = {2: parse_range("31").weights}
    deals = ConditionalDeals(get_game("mus"), weights)
    long, _ = deals.sample(10_000, seed=4)
    short, _ = deals.sample(3_000, seed=4)
    other, _ = deals.sample(3_000, seed=5)
    assert (long[:3_000] == short).all()
    assert not (short == other).all()


def test_no_deal_is_said():
    weights = parse_range("RRRR").weights
    with pytest.raises(KnowledgeError, match="no deal fits"):
        ConditionalDeals(get_game("mus"), {1: weights, 2: weights, 3: weights})
    few = parse_range("RRRR | RRRC").weights
    with pytest.raises(KnowledgeError, match="no deal fits"):
        ConditionalDeals(get_game("mus"), {1: few, 2: few, 3: few})
    more, than = (parse_range(text).weights for text in ("777R | 777S", "777A | 777C"))
    with pytest.raises(KnowledgeError, match="no deal fits"):
        ConditionalDeals(get_game("mus"), {1: more, 2: than})
    with pytest.raises(InputError, match="n is 1"):
        simulate_known("RRAA", n=1)


@pytest.mark.parametrize("game", ["encaje3", "encaje5", "encaje3-4567"])
def test_each_for_itself_has_the_worst_too(game):
    """Every column of Encaje, against the exact odds."""
    seat, exact = 2, odds("RR7A", game=game, seat=2)
    allowed = parse_range("any" if "4567" not in game else "!7654", game)
    others = {s: allowed for s in range(1, exact.game.seats + 1) if s != seat}
    found = simulate_known("RR7A", seat=seat, knowledge=know(game, seats=others), n=40_000, seed=3)
    for simulated, expected in zip(found.rows(), exact.rows(), strict=True):
        assert simulated.keys() >= expected.keys()
        for column in exact.columns:
            if expected[column] is None:
                assert simulated[column] is None
            else:
                error = max(simulated[f"{column}_se"], 2e-4)
                assert abs(simulated[column] - expected[column]) < 4.5 * error, column
    assert abs(found.net - exact.net(seat)) < 4.5 * found.net_se
