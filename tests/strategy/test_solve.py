"""The solver on games small enough to know every value exactly."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musodds.chances.odds import odds
from musodds.errors import InputError
from musodds.exact.draws.keeps import distinct_keeps
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.simulation.named_policies import get_policy
from musodds.simulation.policies import Policy, PolicyError, read_policy
from musodds.strategy.best_response import Work
from musodds.strategy.solution import Solution
from musodds.strategy.solve import sayable, solve
from tests.small_games import TWO, VISTO, choose, enumerated, small_policy

SCRIPT = Path(sys.executable).with_name("musodds")
GAP = 0.02


def exact_gains(policy: Policy, agreed: bool = False) -> np.ndarray:
    """What the best other keep gains for every seat and hand, counted.

    Over all deals, or those in which the other says mus.
    """
    gains = np.zeros(policy.cut.shape)
    for seat in (1, 2):
        for index, counts in enumerate(hands(policy.game).counts):
            each = distinct_keeps(counts, all_four=policy.game.visto)
            if agreed and not may_agree(policy, seat, counts):
                continue
            nets = np.array([enumerated(policy, seat, index, keep, agreed)[0] for keep in each])
            current = (each == policy.keep[seat - 1, index]).all(axis=1)
            others = nets[~current]
            if len(others):
                gains[seat - 1, index] = others.max() - nets[current][0]
    return gains


def may_agree(policy: Policy, seat: int, held: np.ndarray) -> bool:
    """Whether the other may hold a hand that says mus."""
    table = hands(policy.game)
    ways = choose(policy.game.deck.copies - held, table.counts)
    return bool((ways > 0)[~policy.cut[2 - seat]].any())


@pytest.fixture(scope="module")
def solved() -> Solution:
    return solve(TWO, level=1, gap=GAP, start=small_policy(), seed=3)


@pytest.fixture(scope="module")
def bottom() -> Solution:
    return solve(TWO, level=0, gap=GAP, start=small_policy(), seed=3)


def test_no_hand_gains_more_than_the_gap(bottom: Solution) -> None:
    assert exact_gains(small_policy()).max() > 0.5
    assert bottom.reached
    assert not bottom.policy.cut.any()
    # Measured to a quarter of the gap.
    assert exact_gains(bottom.policy).max() < GAP + 4 * GAP / 4


def test_nor_where_mus_was_agreed(solved: Solution, bottom: Solution) -> None:
    assert solved.reached
    assert exact_gains(solved.policy, True).max() < GAP + 4 * GAP / 4
    # What is best after any deal is not best there.
    said = replace(bottom.policy, cut=solved.policy.cut)
    assert exact_gains(said, True).max() > 4 * GAP


def test_it_cuts_where_the_cards_as_dealt_bring_more(solved: Solution, bottom: Solution) -> None:
    policy = solved.policy
    for seat in (1, 2):
        for index, text in enumerate(hands(TWO).texts):
            keep = bottom.policy.keep[seat - 1, index].astype(np.int64)
            mus = enumerated(bottom.policy, seat, index, keep, False)[0]
            dealt = odds(text, game=TWO, seat=seat).net(seat)
            if abs(mus - dealt) > GAP + 4 * GAP / 3:
                assert policy.cut[seat - 1, index] == (dealt > mus)


def gap_of(policy, game, gap):
    """The most that another keep gains against a policy, everybody saying mus."""
    work = Work(game, gap, 1, 1, tuple(range(len(hands(game)))))
    said = sayable(policy)
    work.respond(said, 1)
    return work.measure_keeps(said)


def test_the_gap_is_measured_honestly() -> None:
    """For a policy that can be improved a lot, against the exact gain of the same hand."""
    bad = small_policy()
    exact = exact_gains(replace(bad, cut=np.zeros_like(bad.cut)))
    found = gap_of(bad, game=TWO, gap=0.05)
    gain = exact[found.seat - 1, hands(TWO).index(found.hand)]
    assert abs(found.gain - gain) < 4.5 * found.gain_se
    # It is the widest but for the errors of two.
    assert gain > exact.max() - 4.5 * 2**0.5 * found.gain_se


def test_mus_visto_is_solved_for_the_round_in_which_all_change_cards() -> None:
    """Here best responses go round in a circle: what is said of the gap is true all the same."""
    solved = solve(VISTO, gap=GAP, start="none", seed=3)
    policy, found = solved.policy, solved.keep_gap
    assert not solved.reached
    whole = policy.keep.sum(axis=2) == 4
    assert (policy.cut == whole).all()
    assert whole[:, hands(VISTO).index("RRRR")].all()
    exact = exact_gains(policy)
    gain = exact[found.seat - 1, hands(VISTO).index(found.hand)]
    assert abs(found.gain - gain) < 4.5 * found.gain_se
    assert (
        exact.max() - 4.5 * 2**0.5 * found.gain_se
        < gain
        < 0.1
        < exact_gains(small_policy(VISTO)).max()
    )
    assert "afterwards whoever would change nothing cuts" in solved.to_csv()
    again = gap_of(policy, game=VISTO, gap=0.05)
    assert abs(again.gain - gain) < 4.5 * again.gain_se


def test_digits_do_not_depend_on_workers(solved: Solution) -> None:
    again = solve(TWO, level=1, gap=GAP, start=small_policy(), seed=3, workers=3)
    assert again.to_csv() == solved.to_csv()


def test_the_file_says_how_it_was_made(solved: Solution, tmp_path: Path) -> None:
    text = solved.to_csv()
    comments = [line for line in text.splitlines() if line.startswith("#")]
    assert any(f"n: {solved.n} deals, seed: 3" in line for line in comments)
    assert any("another keep gains" in line for line in comments)
    path = tmp_path / "two.csv"
    path.write_text(text)
    read = read_policy(path, TWO)
    assert (read.keep == solved.policy.keep).all()
    assert (read.cut == solved.policy.cut).all()


@pytest.mark.parametrize(
    ("policy", "name"),
    [("solo", "mus"), ("solo", "mus4"), ("best", "mus"), ("best", "mus4"), ("best", "mus-real")],
)
def test_shipped_policies(name: str, policy: str) -> None:
    game = get_game(name)
    found = get_policy(policy, game)
    table = hands(game)
    # Whoever is dealt duples of kings keeps the kings, and cuts if it may.
    pair = table.index("RRAA")
    assert (found.keep[:, pair, 0] == 2).all()
    assert (found.cut[:, pair] == (policy == "best")).all()


def test_the_solved_policy_of_mus_visto_keeps_what_it_should() -> None:
    found = get_policy("best", "mus-visto")
    whole = found.keep.sum(axis=2) == 4
    assert (found.cut == whole).all()
    for text in ("RRRR", "RRSA", "RRAA", "777S"):
        assert whole[0, hands(found.game).index(text)]
    assert found.keep_text(1, "RR7A") == "RRA"
    assert found.keep_text(1, "7654") == "-"


def test_no_best_for_a_game_that_was_not_solved() -> None:
    with pytest.raises(PolicyError, match="musodds policy solve --game mus2p -o FILE"):
        get_policy("best", "mus2p")
    with pytest.raises(PolicyError, match="mus-visto has no level-1: there all change cards once"):
        get_policy("level-1", "mus-visto")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gap": 0.0}, "gap is 0.0: it must be from"),
        ({"gap": float("nan")}, "gap is nan"),
        ({"level": -1}, "level is -1: it must be a whole number from 0 to 9"),
        ({"game": "mus-visto", "level": 2}, "mus-visto has no level 2: there all change cards"),
        ({"seed": -1}, "seed is -1"),
        ({"workers": 0}, "workers is 0"),
        ({"start": "queens"}, "no policy 'queens'"),
    ],
)
def test_bad_input(options: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        solve(**{"game": "mus", **options})


def test_script_names_what_is_wrong() -> None:
    done = subprocess.run(
        [SCRIPT, "policy", "solve", "--gap", "-1"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("musodds: error: gap is -1.0: it must be from 0.0001")
