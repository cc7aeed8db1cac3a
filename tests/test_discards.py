"""Discard advice against complete enumeration and exact values."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from musodds.discards import BLOCK, Trial, discard
from musodds.draws import all_keeps, keep_text
from musodds.errors import GameError, InputError
from musodds.games import Game, get_game
from musodds.hands import hands
from musodds.odds import odds
from musodds.policies import Policy, get_policy
from musodds.solo import Solo, solo
from tests.small_games import FOUR, TWO, enumerated, small_policy, solo_net_by_hand

SCRIPT = Path(sys.executable).with_name("musodds")


@pytest.mark.parametrize(("game", "seat"), [(FOUR, 1), (FOUR, 2), (FOUR, 3), (FOUR, 4), (TWO, 2)])
def test_solo_is_the_complete_enumeration(game: Game, seat: int) -> None:
    counted = solo(game, seat)
    net = counted.net()[:, 0]
    rows = slice(seat, None, 7)
    expected = [
        solo_net_by_hand(game, seat, hands(game).counts[hand], keep)
        for hand, keep in zip(counted.keeps.hand[rows], counted.keeps.keep[rows], strict=True)
    ]
    assert net[rows] == pytest.approx(expected, abs=1e-12)


@pytest.fixture(scope="module")
def third() -> Solo:
    return solo("mus", 3)


def test_shipped_solo_is_what_is_counted(third: Solo) -> None:
    policy = get_policy("solo", "mus")
    keep = third.keeps.keep[third.best()[0]]
    assert (policy.keep[2] == keep).all()
    assert not policy.cut.any()


def test_solo_knows_the_draw_that_changes_little(third: Solo) -> None:
    # Throwing one card of four and getting one back: near the odds of the hand itself.
    table = hands(get_game("mus"))
    for text in ("RRRR", "AAAA", "RRAA"):
        index = table.index(text)
        rows = slice(third.keeps.start[index], third.keeps.start[index + 1])
        assert third.net()[rows].max() < odds(text, seat=3).net(3)


def test_solo_is_for_two_small_sides() -> None:
    deck = get_game("mus").deck
    with pytest.raises(GameError, match="two sides of one or two players"):
        solo(Game("six", "", deck, 6, 3))


@pytest.mark.parametrize("text", ["RR7A", "C654", "RRRR", "77SA"])
def test_simulated_advice_is_exact_when_one_player_draws(text: str, third: Solo) -> None:
    advice = discard(text, seat=3, policy="none", n=40_000).seats[0]
    index = hands(get_game("mus")).index(text)
    rows = range(third.keeps.start[index], third.keeps.start[index + 1])
    exact = {keep_text(third.game, third.keeps.keep[row]): third.net()[row, 0] for row in rows}
    net = np.array([exact[draw.keep] for draw in advice.draws])
    assert (np.abs(advice.net - net) < 4.5 * advice.net_se).all()
    diff = net - net[0]
    assert (np.abs(advice.diff - diff)[1:] < 4.5 * advice.diff_se[1:]).all()


@pytest.mark.parametrize("learn", [False, True])
@pytest.mark.parametrize("text", ["RR7A", "77AA", "RRRR"])
def test_everybody_draws_on_a_reduced_deck(text: str, learn: bool) -> None:
    policy = small_policy()
    index = hands(TWO).index(text)
    advice = discard(text, game=TWO, seat=1, policy=policy, learn=learn, n=40_000).seats[0]
    for i, after in enumerate(advice.draws):
        keep = np.bincount(TWO.deck.parse(after.keep.replace("-", "")), minlength=3)
        net, mus = enumerated(policy, 1, index, keep, learn)
        assert abs(advice.net[i] - net) < 4.5 * advice.net_se[i]
        assert abs(advice.cut_net + advice.mus_gain[i] - mus) < 4.5 * advice.mus_gain_se[i]


def test_played_out_keeps_agree_with_averaged_ones() -> None:
    # When everybody cuts in the second round, two rounds are one.
    kings = get_policy("kings", "mus")
    once = Policy("once", kings.game, kings.keep, np.ones_like(kings.cut))
    averaged = discard("RR7A", seat=2, policy=once, n=40_000).seats[0]
    played = discard("RR7A", seat=2, policy=once, rounds=2, n=40_000, seed=2).seats[0]
    place = {after.keep: i for i, after in enumerate(averaged.draws)}
    for i, after in enumerate(played.draws):
        j = place[after.keep]
        error = np.hypot(averaged.net_se[j], played.net_se[i])
        assert abs(averaged.net[j] - played.net[i]) < 4.5 * error
        spread = np.hypot(averaged.win_se[j], played.win_se[i])
        assert (np.abs(averaged.win[j] - played.win[i]) < 4.5 * spread).all()


def test_paired_errors_cover(third: Solo) -> None:
    """The difference of two keeps, over many seeds, against its exact value."""
    game = get_game("mus")
    index = hands(game).index("RR7A")
    rows = [third.keeps.start[index] + i for i in range(2)]
    trial = Trial(get_policy("none", game), 3, index, third.keeps.keep[rows], wins=False)
    exact = third.net()[rows[0], 0] - third.net()[rows[1], 0]
    known = odds("RR7A", seat=3).net(3)
    scores = []
    for seed in range(300):
        mean, covariance = trial.play(seed, 0, 500).estimates(known)
        variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
        scores.append((mean[0] - mean[1] - exact) / np.sqrt(variance))
    assert 0.90 < np.mean(np.abs(scores) < 1.96) < 0.99
    assert 0.85 < np.std(scores) < 1.15


def test_digits_do_not_depend_on_workers() -> None:
    one, three = (discard("RR7A", seat=1, n=5 * BLOCK, workers=w).rows() for w in (1, 3))
    assert one == three
    assert discard("RR7A", seat=1, n=5 * BLOCK, seed=2).rows() != one


def test_default_tells_the_best_keeps_apart() -> None:
    advice = discard("RR7A", seat="mano").seats[0]
    assert advice.diff_se[1] <= 0.005
    assert advice.undecided == ()


def test_words_for_what_is_not_known() -> None:
    advice = discard("RR7A", seat=2, n=BLOCK).seats[0]
    assert set(advice.undecided) == {"RR", "RRA"}
    assert "RR and RRA cannot be told apart yet" in advice.verdict.replace(
        "RRA and RR", "RR and RRA"
    )
    assert (
        discard("RR7A", seat=1, policy="none", n=BLOCK)
        .seats[0]
        .verdict.endswith("another player always cuts")
    )
    with pytest.raises(InputError, match="hardly ever all say mus"):
        discard("RR7A", seat=1, policy="none", learn=True)


def test_every_keep_of_every_hand_is_known_to_the_kernels() -> None:
    from musodds.montecarlo.keeps import pack_keeps

    game = get_game("mus")
    keeps = pack_keeps(game)
    assert {tuple(keep) for keep in all_keeps(game).keep} == {tuple(keep) for keep in keeps.kept}
    # 1 keep of nothing with 330 hands, 8 of one card with 120 draws, and so on.
    assert len(keeps.pair_class) == 330 + 8 * 120 + 36 * 36 + 120 * 8


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": 0}, "n is 0: it must be a whole number from 2"),
        ({"n": -5}, "n is -5"),
        ({"n": 10**30}, "n is 10+: it must be"),
        ({"n": 1000, "target_se": 0.01}, "either n or target_se"),
        ({"target_se": 0.0}, "target_se is 0.0: it must be from"),
        ({"target_se": float("nan")}, "target_se is nan"),
        ({"rounds": 0}, "rounds is 0"),
        ({"workers": 0}, "workers is 0"),
        ({"seed": -1}, "seed is -1"),
        ({"policy": "queens"}, "no policy 'queens'"),
        ({"seat": 5}, "no seat '5'"),
    ],
)
def test_bad_input(options: dict, message: str) -> None:
    with pytest.raises(InputError, match=message):
        discard("RR7A", **{"seat": 1, **options})


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False)


def test_script_prints_the_same_numbers_in_json_and_csv() -> None:
    options = ("discard", "RR7A", "--seat", "mano", "-n", "4096", "--format")
    found = json.loads(run(*options, "json").stdout)
    assert (found["game"], found["hand"], found["method"]) == ("mus", "RR7A", "monte-carlo")
    assert (found["n"], found["seed"], found["policy"]) == (4096, 1, "kings")
    keeps = found["keeps"]
    assert len(keeps) == 11
    assert keeps[0]["diff"] == keeps[0]["diff_se"] == 0
    assert [row["net"] for row in keeps] == sorted((row["net"] for row in keeps), reverse=True)
    assert keeps[0]["cut_net"] == odds("RR7A", seat=1).net(1)
    rows = list(csv.DictReader(io.StringIO(run(*options, "csv").stdout)))
    for row, keep in zip(rows, keeps, strict=True):
        assert all(str(row[name]) == str(value) for name, value in keep.items())


def test_script_prints_text_of_80_columns() -> None:
    done = run("discard", "r", "r", "7", "a", "--seat", "2", "--policy", "solo", "-n", "4096")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0] == "RR7A in mus: monte-carlo, 4096 deals, seed 1"
    assert sum(line.startswith(("RR ", "RRA ", "- ")) for line in lines) == 3


def test_script_prints_exact_fractions() -> None:
    found = json.loads(run("discard", "RR7A", "--exact", "--keep", "RR", "--format", "json").stdout)
    assert found["method"] == "exact"
    chance = {row["drawn"]: row["fraction"] for row in found["draws"]}
    # Two of the six kings left, out of 36 cards: 15 of 630.
    assert chance["RRRR"] == "1/42"
    assert sum(row["probability"] for row in found["draws"]) == pytest.approx(1)
    text = run("discard", "RR7A", "--exact").stdout
    assert "keep RR: pares 1, par 127/210" in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("RR7",), "'RR7' has 3 cards"),
        (("RR7A", "--keep", "RR"), "--keep goes with --exact"),
        (("RR7A", "--exact", "--keep", "RRR"), "keep 'RRR' is not part of RR7A"),
        (("RR7A", "-n", "0"), "n is 0: it must be a whole number"),
        (("RR7A", "-n", "9", "--target-se", "1"), "either n or target_se"),
        (("RR7A", "--policy", "nowhere.csv"), "no policy 'nowhere.csv'"),
    ],
)
def test_script_names_what_is_wrong(arguments: tuple[str, ...], words: str) -> None:
    done = run("discard", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
