"""Every public result is a value: it survives copies, other processes, and printing."""

import copy
import html
import inspect
import pickle
import re
from dataclasses import replace
from functools import cache
from multiprocessing import get_context

import numpy as np
import pytest

import musodds as mo
from musodds.values import Table, Value, same

KNOWN = {"partner": "seña:31", "rivals": "pares@0.5 | any@0.2", "dead": "A"}


def _deal():
    deal = mo.Deal.start("mus", ["772A", "33S2", "RRSA", "CCC6"], score=(32, 35), mus=False)
    return deal.act("envido 5").act("quiero")


MADE = {
    "Odds": lambda: mo.odds("RR7A"),
    "Odds of a partner": lambda: mo.odds("RR7A", seat=2, partner="CC55"),
    "Odds of six": lambda: mo.odds("RR7A", game="mus6p"),
    "Odds of Encaje": lambda: mo.odds("RR7A", game="encaje3"),
    "KnownOdds": lambda: mo.known_odds("RR7A", knowledge=mo.know(**KNOWN)),
    "KnownSimulation": lambda: mo.simulate_known("RR7A", knowledge=mo.know(**KNOWN), n=500),
    "KnownSimulations": lambda: mo.odds("RR7A", n=500),
    "Knowledge": lambda: mo.know("mus-real-oros", partner="real", pares="?,yes,?,no"),
    "Range": lambda: mo.parse_range("31@0.7 | pares@0.3"),
    "Game": lambda: mo.get_game("mus-real-suits-4567"),
    "Game with jokers": lambda: mo.get_game("mus-ten-kings"),
    "Policy": lambda: mo.get_policy("best", "mus"),
    "Duel": lambda: mo.duel(["772A", "33S2", "RRSA", "CCC6"]),
    "Reading": lambda: mo.read_others("RR7A", knowledge=mo.know(**KNOWN)),
    "Joint": lambda: mo.joint("RRAA"),
    "Simulation": lambda: mo.simulate("mus", n=2000, seed=1, progress=False),
    "Simulation of a hand": lambda: mo.simulate(
        "mus", hand="RR7A", seat=1, knowledge=mo.know(partner="31"), n=2000, seed=1, progress=False
    ),
    "Discard": lambda: mo.discard("RR7A", seat=1, n=500),
    "Draw": lambda: mo.draw("RR7A", "RR"),
    "DealStones": lambda: mo.deal_stones("mus"),
    "Equity": lambda: mo.equity("mus"),
    "Decision": lambda: mo.bet("RR7A", seat=1, phase="grande", score=(32, 35)),
    "Threshold": lambda: mo.thresholds("mus", scores=[(32, 35)])[0],
    "Losers": lambda: mo.encaje_losers((1, 2, 1)),
    "Losers, simulated": lambda: mo.encaje_losers((1, 2, 1), simulate=True, n=500),
    "Throws": lambda: mo.encaje_throws("RR7AA", seat=1),
    "ThrowAdvice": lambda: mo.encaje_throw_advice("RR7AA", seat=1, n=1000),
    "Deal": _deal,
    "EncajeDeal": lambda: mo.EncajeDeal.start(
        "encaje3", ["RRRA", "7654", "CC44"], stones=(5, 5, 5), mus=False
    ).act("envido 3"),
    "Match": lambda: mo.Match(mo.get_game("mus"), score=(12, 30)),
    "Betting": lambda: mo.solve_betting(
        "juego", game="mus2p", bets="ordago", raises="ordago", iterations=3
    ),
    "EachSolution": lambda: mo.solve_each("punto", "mus2p", deals=4000, measured=64, pairs=16),
    "SolvedBet": lambda: mo.bet_solved(
        "R777", seat=1, phase="juego", score=(0, 0), game="mus2p", solved=made("Betting")
    ),
    "SideBetting": lambda: mo.solve_sides(
        "punto", model="own/own", bets="2", raises="none", iterations=3
    ),
    "Review": lambda: mo.review(
        "game: mus2p\nscore: 39-39\nhands: 7654 RR77\ngrande: 1 envido, no quiero\n"
    ),
    "View": lambda: mo.View(
        game=mo.get_game("mus"),
        seat=1,
        hand="RR7A",
        stage="mus",
        legal=_deal().legal(),
        score=(0, 3),
    ),
    "Contest": lambda: mo.play(["kings", "random"], deals=4, seed=1),
    "Solution": lambda: _solution(),
    "Response": lambda: _response(),
}


def _solution():
    from musodds.strategy.solution import Gap, Solution, Step

    gap, steps = Gap(0.01, 0.002, 1, "RR7A", 1000), (Step(1, 0.2, 0.01, "RRRR", 1.2),)
    policy = mo.get_policy("solo", "mus")
    return Solution(policy, 1, "solo", 3, 0.02, gap, gap, steps, steps, 0.1, 3000, 7)


def _response():
    from musodds.rules.hands import hands
    from musodds.strategy.respond import Response
    from musodds.strategy.solution import Gap

    gap, policy = Gap(0.01, 0.002, 1, "RR7A", 1000), mo.get_policy("solo", "mus")
    gains = np.zeros((4, len(hands(policy.game))))
    return Response(policy, policy, (1,), 0.1, 0.01, gains, gap, 1, True, 3000, 7)


@cache
def made(name):
    return MADE[name]()


def test_no_public_class_is_left_out():
    public = {one for one in (getattr(mo, name) for name in mo.__all__) if inspect.isclass(one)}
    results = {one for one in public if not issubclass(one, Exception)}
    assert results <= {type(made(name)) for name in MADE}


@pytest.mark.parametrize("name", MADE)
def test_a_value_comes_back_equal(name):
    value = made(name)
    back = pickle.loads(pickle.dumps(value))
    deep = copy.deepcopy(value)
    assert back == value == deep
    assert hash(back) == hash(value) == hash(deep)
    assert back is not value
    assert copy.copy(value) == value
    assert value != 1


@pytest.mark.parametrize("name", MADE)
def test_a_value_is_short_in_print_and_a_table_in_a_notebook(name):
    value = made(name)
    assert type(value).__name__ in repr(value)
    assert len(repr(value)) < 200
    assert "\n" not in repr(value)
    assert isinstance(value, Value)
    if isinstance(value, Table):
        shown, rows = value._repr_html_(), list(value.rows())
        titles = re.findall("<th>(.*?)</th>", shown)
        assert titles == list(value.to_frame().columns) == list(rows[0])
        assert shown.count("<tr") - 1 == min(len(rows), 61)
        assert html.escape(str(next(iter(rows[-1].values())))) in shown


def test_values_go_through_another_process():
    values = [made(name) for name in MADE]
    with get_context("spawn").Pool(1) as pool:
        assert pool.map(_itself, values, chunksize=len(values)) == values


def _itself(value):
    return value


@pytest.mark.parametrize("name", ["Odds", "Duel", "Reading", "Simulation", "Draw", "Policy"])
def test_another_answer_is_not_equal(name):
    value = made(name)
    other = {
        "Odds": lambda: mo.odds("RR7A", seat=1),
        "Duel": lambda: mo.duel(["772A", "33S2", "RRSA", "CCC7"]),
        "Reading": lambda: mo.read_others("RR7A"),
        "Simulation": lambda: replace(value, sums=tuple(sums + 1 for sums in value.sums)),
        "Draw": lambda: replace(value, ways=value.ways[::-1].copy()),
        "Policy": lambda: replace(value, cut=~value.cut),
    }[name]()
    assert value != other


def test_what_is_checked_and_kept_is_so_again_in_a_copy():
    policy = copy.deepcopy(made("Policy"))
    with pytest.raises(ValueError, match="read-only"):
        policy.cut[0, 0] = True
    result = made("Simulation")
    before = len(pickle.dumps(replace(result)))
    result.estimate(1, "grande", "win")
    assert len(pickle.dumps(result)) == before


def test_not_a_number_is_itself():
    nan = float("nan")
    assert same(np.array([1, nan]), np.array([1, nan]))
    assert same({"a": (nan, None)}, {"a": (nan, None)})
    assert not same(np.array([1, nan]), np.array([1, 2.0]))
    assert not same((1, 2), (1, 2, 3))
    assert not same({"a": 1}, {"b": 1})
    assert not same(np.arange(2), [0, 1])


def test_a_value_with_an_array_in_place_of_nothing_can_be_shown() -> None:
    solved = mo.equity("mus", kind="solved")
    assert "Equity" in repr(solved)
    assert solved != replace(solved, bound=None)
    assert replace(solved, bound=None) != solved
