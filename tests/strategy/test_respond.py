"""Best responses of a seat and of a side, against every deal of a reduced deck."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import musodds as mo
from musodds.cli import main
from musodds.errors import InputError
from musodds.exact.draws.keeps import distinct_keeps
from musodds.rules.hands import hands
from musodds.simulation.policies import Policy, read_policy
from musodds.strategy.respond import Response, respond
from tests.small_games import FOUR, TWO, enumerated, small_policy


def worth(policy: Policy, seat: int, index: int, keep: np.ndarray, mus: bool) -> float:
    """What a hand brings by a say and a keep, the other playing the policy."""
    other = 2 - seat
    cut = policy.cut.copy()
    if not mus:
        cut[other] = True
    return enumerated(replace(policy, cut=cut), seat, index, keep, False)[1]


def exact_gain(policy: Policy, seat: int) -> tuple[np.ndarray, np.ndarray]:
    """The most that each hand gains, and whether it then says mus."""
    gains, says = [], []
    for index, counts in enumerate(hands(policy.game).counts):
        mine = policy.keep[seat - 1, index].astype(np.int64)
        now = worth(policy, seat, index, mine, policy.says_mus(seat, index))
        cutting = worth(policy, seat, index, mine, False)
        each = distinct_keeps(counts)
        best = max(worth(policy, seat, index, keep, True) for keep in each)
        gains.append(max(best, cutting) - now)
        says.append(best > cutting)
    return np.array(gains), np.array(says)


@pytest.fixture(scope="module")
def answer() -> Response:
    return respond(small_policy(), game=TWO, seat=2, seed=4)


def test_a_seat_gains_what_there_is_to_gain(answer: Response) -> None:
    before = small_policy()
    gains, says = exact_gain(before, 2)
    ways = hands(TWO).ways / hands(TWO).ways.sum()
    assert gains @ ways > 0.1
    sure = gains > 0.05
    assert np.abs(answer.hand_gain[1] - gains)[sure].max() < 0.15
    left, _ = exact_gain(answer.policy, 2)
    assert left.max() < 0.03
    assert abs(answer.gain - (gains - left) @ ways) < 4.5 * answer.gain_se
    clear = [abs(gain) > 0.05 for gain in gains]
    assert (answer.policy.cut[1] == ~says)[clear].all()


def test_the_others_do_what_they_did(answer: Response) -> None:
    before = small_policy()
    assert (answer.policy.keep[0] == before.keep[0]).all()
    assert (answer.policy.cut[0] == before.cut[0]).all()
    assert answer.settled
    assert {row["seat"] for row in answer.rows()} == {2}


def test_a_response_is_a_policy_file(answer: Response, tmp_path: Path) -> None:
    path = tmp_path / "answer.csv"
    path.write_text(answer.to_csv())
    read = read_policy(path, TWO)
    assert (read.keep == answer.policy.keep).all()
    assert (read.cut == answer.policy.cut).all()


def test_a_side_of_one_is_a_seat(answer: Response) -> None:
    again = respond(small_policy(), game=TWO, side=2, seed=4)
    assert again.to_csv() == answer.to_csv()


def test_partners_answer_until_neither_changes_anything() -> None:
    # Level 0 of the reduced deck: what a side gains by cutting is large.
    start = Policy("mus", FOUR, *_always_mus())
    few = ["RR77", "RRAA", "7AAA"]
    found = respond(start, game=FOUR, side=1, seed=2, gap=0.5, only=few)
    assert found.seats == (1, 3)
    assert found.settled
    assert (found.policy.cut[[1, 3]] == start.cut[[1, 3]]).all()
    alone = respond(start, game=FOUR, seat=1, seed=2, gap=0.5, only=few)
    assert found.gain > alone.gain > 5 * alone.gain_se > 0


def _always_mus() -> tuple[np.ndarray, np.ndarray]:
    counts = hands(FOUR).counts
    keep = np.repeat(
        np.array([distinct_keeps(hand)[0] for hand in counts], dtype=np.int8)[None], 4, axis=0
    )
    return keep, np.zeros((4, len(counts)), dtype=np.bool_)


def test_whoever_answers_those_who_always_cut_gains_nothing() -> None:
    found = mo.respond("none", seat=1, only=["RR7A", "7654"])
    assert (found.gain, found.gain_se) == (0, 0)
    assert (found.policy.cut == found.against.cut).all()


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "answer.csv"
    line = "policy respond --against kings --seat 3 --hand RSAA --format json -o"
    assert main([*line.split(), str(out)]) == 0
    told = json.loads(capsys.readouterr().out)
    (row,) = told["rows"]
    # The page's example: kings alone are kept by all, a sota more is worth something.
    assert (row["keep_before"], row["keep"], row["say"]) == ("R", "RS", "mus")
    assert told["gain"] > 5 * told["gain_se"] > 0
    assert read_policy(out, "mus").keep_text(3, "RSAA") == "RS"
    assert read_policy(out, "mus").keep_text(1, "RSAA") == "R"


def test_the_command_says_how_it_knows_and_that_nothing_is_better(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = ["policy", "respond", "--game", "mus2p", "--hand", "RR7A", "--gap", "0.1"]
    assert main([*few, "--against", "kings", "-o", str(tmp_path / "one.csv")]) == 0
    shown = capsys.readouterr()
    title = shown.out.splitlines()[0]
    assert title.startswith("seat 1 of mus2p against kings; monte-carlo, ")
    assert title.endswith(" deals, seed 1")
    assert "seat 1: 1 hand changes" in shown.err
    assert main([*few, "--against", str(tmp_path / "one.csv")]) == 0
    again = capsys.readouterr().out
    assert "another keep gains nothing, with any hand" in " ".join(again.split())
    assert main([*few, "--against", str(tmp_path / "one.csv"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["method"] == "monte-carlo"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 1, "side": 1}, "either a seat answers or a side"),
        ({"side": 3}, "side is 3: it must be from 1"),
        ({"seat": "all"}, "one seat answers"),
        ({"gap": 0}, "gap is 0: it must be"),
        ({"against": ["kings", "kings"]}, "2 policies for mus"),
        ({"game": "mus-visto"}, "nobody answers a mus: there all change cards once"),
    ],
)
def test_bad_input(options: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        respond(**options)
