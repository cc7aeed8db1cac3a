"""Levels of thought against exact enumeration and an independent simulation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musodds.exact.draws.keeps import distinct_keeps
from musodds.report.shipping import LEVELS
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.simulation.named_policies import BUILT_IN, get_policy, notes
from musodds.simulation.policies import Policy
from musodds.strategy.best_response import Work
from musodds.strategy.say import lead
from musodds.strategy.trials import Trial
from tests.small_games import TWO, enumerated, small_policy
from tests.strategy.slow_mus import SlowMus

EACH = [(game, level) for game, highest in LEVELS.items() for level in range(highest + 1)]


def ahead(policy: Policy, seat: int, hand: str, one: str, other: str) -> tuple[float, float, float]:
    """What a keep gains on another after a mus, its error, and how often the others agree."""
    deck = policy.game.deck
    keep = np.array([np.bincount(deck.parse(k), minlength=len(deck.kinds)) for k in (one, other)])
    index = hands(policy.game).index(hand)
    trial = Trial(policy, seat, index, keep.astype(np.int64), wins=False, agreed=True)
    sample = trial.run(5, 7 << 40, 24)
    mean, covariance = sample.estimates()
    error = np.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
    return mean[0] - mean[1], float(error), sample.number[1] / sample.number[0]


def test_keeps_are_tried_where_mus_was_agreed() -> None:
    """On a reduced deck, against every deal gone through."""
    policy, table = small_policy(), hands(TWO)
    for seat in (1, 2):
        for text in ("RR7A", "7AAA", "RR77"):
            index = table.index(text)
            keeps = distinct_keeps(table.counts[index])
            trial = Trial(policy, seat, index, keeps, wins=False, agreed=True)
            sample = trial.run(3, seat << 40, 8)
            mean, covariance = sample.estimates()
            error = np.sqrt(np.diag(covariance))
            exact = [enumerated(policy, seat, index, keep, True)[0] for keep in keeps]
            assert (np.abs(mean - exact) < 4.5 * error).all()
            # What saying mus and keeping the first brings, by all deals: others may cut.
            gain, gain_se = sample.lead()
            share = sample.number[1] / sample.number[0]
            share_se = np.sqrt(share * (1 - share) / sample.number[0])
            cutting = _as_dealt(seat, index)
            exact_gain = enumerated(policy, seat, index, keeps[0], False)[1] - cutting
            error_of_both = np.hypot(share * gain_se, gain * share_se)
            assert abs(share * gain - exact_gain) < 4.5 * error_of_both


def _as_dealt(seat: int, index: int) -> float:
    """The other cutting always, mus changes nothing."""
    policy = small_policy()
    policy = replace(policy, cut=np.ones_like(policy.cut))
    keep = distinct_keeps(hands(TWO).counts[index])[0]
    return enumerated(policy, seat, index, keep, False)[1]


@pytest.mark.parametrize("hand", ["RSAA", "C765"])
def test_where_all_say_mus_all_deals_count(hand: str) -> None:
    policy = get_policy("level-0", "mus")
    keeps = distinct_keeps(hands(policy.game).counts[hands(policy.game).index(hand)])
    index = hands(policy.game).index(hand)
    both = [
        Trial(policy, 2, index, keeps, wins=False, agreed=only).run(3, 1 << 40, 8)
        for only in (True, False)
    ]
    assert both[0].number[0] == both[0].number[1]
    (one, first), (other, second) = (sample.estimates() for sample in both)
    error = np.sqrt(np.diag(first) + np.diag(second))
    assert (np.abs(one - other) < 4.5 * error).all()


@pytest.mark.parametrize(
    ("seat", "hand", "better", "worse", "gain"),
    [(1, "RSAA", "RSA", "RS", 0.10), (2, "C765", "C", "C65", 0.08), (3, "RR4A", "RRA", "RR", 0.07)],
)
def test_keeps_after_a_mus_that_was_agreed(
    seat: int, hand: str, better: str, worse: str, gain: float
) -> None:
    """What other keeps lose that were solved for after any deal, by two simulations."""
    policy, below = get_policy("level-1", "mus"), get_policy("level-0", "mus")
    assert (policy.keep_text(seat, hand), below.keep_text(seat, hand)) == (better, worse)
    after_any = replace(below, cut=policy.cut)
    found, error, share = ahead(after_any, seat, hand, better, worse)
    assert abs(found - gain) < 0.02 + 2 * error
    slow = SlowMus(after_any, seat, hand, 120_000, seed=4)
    difference = slow.nets(better) - slow.nets(worse)
    slow_error = difference.std() / np.sqrt(len(difference))
    assert abs(difference.mean() - found) < 4 * np.hypot(error, slow_error)
    assert abs(slow.share - share) < 0.01
    # Among players who keep what they should it is better still.
    left, error, _ = ahead(policy, seat, hand, better, worse)
    assert left > 3 * error


@pytest.mark.parametrize("hand", ["CC76", "R654", "RR7A"])
def test_what_mus_gains_among_players_who_cut(hand: str) -> None:
    """The lead of mus over cutting, by which the next level decides."""
    policy = get_policy("level-1", "mus")
    index = hands(policy.game).index(hand)
    work = Work(policy.game, 0.01, 1, 1, (index,), agreed=True)
    found = lead(work, policy, (2, index), work.DECIDE, 0.0, 16)
    slow = SlowMus(policy, 2, hand, 150_000, seed=2)
    gain = slow.nets(policy.keep_text(2, hand).replace("-", "")) - slow.as_dealt()
    error = gain.std() / np.sqrt(len(gain))
    assert abs(gain.mean() - found.gain) < 4 * np.hypot(error, found.gain_se)
    assert abs(slow.share - found.share) < 0.01


@pytest.mark.parametrize("game", LEVELS)
def test_every_level_thinks_one_step_more(game: str) -> None:
    levels = [get_policy(f"level-{level}", game) for level in range(LEVELS[game] + 1)]
    said = [float((~policy.cut).mean()) for policy in levels]
    assert said[0] == 1
    assert said == sorted(set(said), reverse=True)
    best, top = get_policy("best", game), levels[min(1, LEVELS[game])]
    assert (best.keep == top.keep).all()
    assert LEVELS[game] == 0 or (best.cut == top.cut).all()


@pytest.mark.parametrize(("game", "level"), EACH)
def test_what_is_claimed_was_measured(game: str, level: int) -> None:
    told = " / ".join(notes(f"level-{level}", get_game(game)))
    assert f"{game}, level {level}, en paso: " in told
    assert f"--game {game} --level {level} " in told
    assert "another keep gains at most 0.00" in told
    assert "one player who thinks one step further" in told
    assert "best response to itself" not in told


def test_the_list_says_what_theory_says() -> None:
    assert "No policy with mus is a best response to itself" in BUILT_IN["best"].summary
