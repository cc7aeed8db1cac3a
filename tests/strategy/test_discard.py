"""Discard advice against complete enumeration and exact values."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musodds.chances.odds import known_odds, odds
from musodds.errors import GameError, InputError, KnowledgeError
from musodds.exact.draws.draws import all_keeps
from musodds.exact.draws.keeps import keep_text
from musodds.exact.draws.solo import Solo, solo
from musodds.knowledge.knowledge import know
from musodds.knowledge.question import ask
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.simulation.named_policies import get_policy
from musodds.simulation.policies import Policy
from musodds.simulation.simulate import simulate
from musodds.strategy.discard import discard
from musodds.strategy.trials import BLOCK, Trial
from tests.command import Run, runner
from tests.small_games import FOUR, SHOWN, TWO, VISTO, enumerated, small_policy, solo_net_by_hand

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


def test_solo_may_keep_all_four_cards_in_mus_visto() -> None:
    plain, visto = solo(TWO, 1), solo(VISTO, 1)
    index = hands(VISTO).index("RRRR")
    rows = range(visto.keeps.start[index], visto.keeps.start[index + 1])
    texts = [keep_text(VISTO, visto.keeps.keep[row]) for row in rows]
    assert texts == ["RRRR", "RRR", "RR", "R", "-"]
    whole, *others = (visto.net()[row, 0] for row in rows)
    assert whole == pytest.approx(odds("RRRR", game=TWO, seat=1).net(1), abs=1e-12)
    start = plain.keeps.start[index]
    assert others == pytest.approx(plain.net()[start : start + 4, 0].tolist(), abs=1e-12)
    policy = get_policy("solo", VISTO)
    assert policy.keep_text(1, "RRRR") == "RRRR"
    assert not policy.says_mus(1, "RRRR")
    assert get_policy("kings", VISTO).keep_text(2, "RRRR") == "RRRR"


def test_solo_is_for_two_small_sides() -> None:
    deck = get_game("mus").deck
    with pytest.raises(GameError, match="two sides of one or two players"):
        solo(Game("six", "", deck, 6, 3))


@pytest.mark.parametrize("text", ["RR7A", "C654", "RRRR", "77SA"])
def test_simulated_advice_is_exact_when_one_player_draws(text: str, third: Solo) -> None:
    advice = discard(text, seat=3, policy="none", learn=False, n=40_000).seats[0]
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


@pytest.mark.parametrize("text", ["RR7A", "77AA", "RRRR"])
@pytest.mark.parametrize("rounds", [1, 2])
def test_mus_visto_on_a_reduced_deck(text: str, rounds: int) -> None:
    """Nobody is asked, all four cards may be kept; then everybody cuts."""
    policy = small_policy(VISTO)
    policy = replace(policy, cut=np.ones_like(policy.cut))
    index = hands(VISTO).index(text)
    advice = discard(
        text, game=VISTO, seat=2, policy=policy, rounds=rounds, n=40_000 * rounds
    ).seats[0]
    assert text in {after.keep for after in advice.draws}
    for i, after in enumerate(advice.draws):
        keep = np.bincount(VISTO.deck.parse(after.keep.replace("-", "")), minlength=3)
        net, _ = enumerated(policy, 2, index, keep, learn=False)
        assert abs(advice.net[i] - net) < 4.5 * advice.net_se[i]
    assert advice.all_mus == 1
    assert advice.verdict.startswith(("keep", "throw"))
    assert "cut" not in advice.verdict


@pytest.mark.parametrize("learn", [False, True])
@pytest.mark.parametrize("text", ["RR7A", "77AA", "RRRR"])
def test_nobody_else_holds_a_hand_that_is_shown(text: str, learn: bool) -> None:
    policy = small_policy(SHOWN)
    index = hands(SHOWN).index(text)
    shown = hands(SHOWN).index("R77A")
    advice = discard(text, game=SHOWN, seat=1, policy=policy, learn=learn, n=40_000).seats[0]
    dealt = discard(text, game=TWO, seat=1, policy=small_policy(), n=2048).seats[0].cut_net
    # With RRRR less is changed: three 7s of six are not needed for R77A.
    assert abs(advice.cut_net - dealt) > 1e-3
    for i, after in enumerate(advice.draws):
        keep = np.bincount(SHOWN.deck.parse(after.keep.replace("-", "")), minlength=3)
        net, mus = enumerated(policy, 1, index, keep, learn, shown)
        assert abs(advice.net[i] - net) < 4.5 * advice.net_se[i]
        assert abs(advice.cut_net + advice.mus_gain[i] - mus) < 4.5 * advice.mus_gain_se[i]


def test_a_hand_that_is_shown_is_not_thrown_from() -> None:
    with pytest.raises(KnowledgeError, match="7654 is shown and replaced in mus-4567: ask about"):
        discard("7654", game="mus-4567")


def test_the_cards_as_dealt_agree_with_a_simulation_of_them() -> None:
    """The hand of the others that is shown is left out of both."""
    advice = discard("RR7A", game="mus-4567", seat=2, policy="none", n=200_000).seats[0]
    simulated = simulate(
        "mus-4567", hand="RR7A", seat=2, rounds=0, policy="none", n=200_000, seed=3
    )
    row = simulated.rows()[5]
    assert abs(advice.cut_net - row["net"]) < 4.5 * row["net_se"]


def test_in_mus_visto_there_is_nothing_to_learn_from_mus() -> None:
    one, other = (discard("RR7A", game="mus-visto", seat=1, n=2, learn=x) for x in (True, False))
    assert one.rows() == other.rows()
    assert one.seats[0].say is None
    assert set(one.answers()[0]) == {"seat", "keep", "undecided", "net", "net_se", "verdict"}


@pytest.mark.parametrize(
    ("game", "text"), [("mus-real-oros", "S777"), ("mus2p-real-suits", "S77A")]
)
def test_a_hand_without_suits_is_the_average_of_the_hands_it_may_be(game: str, text: str) -> None:
    """Every hand alone, its keeps by symbols, weighed by its ways."""
    whole = discard(text, game=game, seat=1, n=60_000, seed=4)
    assert not whole.certain
    advice = whole.seats[0]
    readings = ask(get_game(game), text).readings
    total, net, variance = sum(readings.values()), Counter[str](), Counter[str]()
    cut = 0.0
    for cards, ways in readings.items():
        one = discard(get_game(game).deck.text(cards), game=game, seat=1, n=8_000, seed=9)
        cut += ways / total * one.seats[0].cut_net
        found = defaultdict(list)
        for i, after in enumerate(one.seats[0].draws):
            kept = get_game(game).deck.parse(after.keep.replace("-", ""))
            symbols = "".join(sorted(get_game(game).deck.kinds[k].symbol for k in kept))
            found[symbols].append((one.seats[0].net[i], one.seats[0].net_se[i]))
        for symbols, each in found.items():
            # Of two different 7s each is kept as often.
            net[symbols] += ways / total * float(np.mean([value for value, _ in each]))
            error = float(np.mean([error for _, error in each]))
            variance[symbols] += (ways / total * error) ** 2
    assert advice.cut_net == pytest.approx(cut, abs=1e-12)
    assert len(advice.draws) == len(net)
    for i, after in enumerate(advice.draws):
        symbols = "".join(sorted(after.keep.replace("-", "")))
        error = np.hypot(advice.net_se[i], np.sqrt(variance[symbols]))
        assert abs(advice.net[i] - net[symbols]) < 4.5 * error


def test_what_is_known_weighs_the_suits_that_were_not_given() -> None:
    """A dead sota of oros leaves one of the other three; what is known counts exactly."""
    game = get_game("mus-real-oros")
    knowledge = know(game=game, dead="So")
    advice = discard("S777", seat=1, knowledge=knowledge, n=4096).seats[0]
    exact = known_odds("S777", seat=1, knowledge=knowledge)
    assert advice.cut_net == pytest.approx(exact.net(1), abs=1e-12)
    held = know(game=game, partner="31")
    advice = discard("S777", seat=1, knowledge=held, n=4096).seats[0]
    assert advice.cut_net == pytest.approx(known_odds("S777", seat=1, knowledge=held).net(1))


def test_ctrl_c_gives_what_was_played_until_then() -> None:
    played = []

    def watch(done: int, expected: int) -> None:
        played.append((done, expected))
        if len(played) == 3:
            raise KeyboardInterrupt

    advice = discard("RR7A", seat="all", target_se=0.0005, watch=watch)
    assert advice.interrupted
    assert [one.seat for one in advice.seats] == [1]
    assert advice.n == played[-1][0] < played[-1][1]
    again = discard("RR7A", seat=1, n=advice.n)
    assert not again.interrupted
    assert again.seats[0].net == pytest.approx(advice.seats[0].net, abs=1e-12)


def test_ctrl_c_before_anything_was_played_is_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Trial, "play", interrupted)
    with pytest.raises(KeyboardInterrupt):
        discard("RR7A", seat=1)


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
    advice = discard("RR7A", seat=2, policy="kings", n=BLOCK).seats[0]
    assert set(advice.undecided) == {"RR", "RRA"}
    assert "RR and RRA cannot be told apart yet" in advice.verdict.replace(
        "RRA and RR", "RR and RRA"
    )
    cut = discard("RR7A", seat=1, policy="none")
    assert cut.rows() == []
    assert cut.seats[0].cutters == (2, 3, 4)
    assert cut.seats[0].verdict == "seat 2, 3 and 4 always cut: nothing to throw"


def test_every_keep_of_every_hand_is_known_to_the_kernels() -> None:
    from musodds.strategy.keep_tables import pack_keeps

    game = get_game("mus")
    keeps = pack_keeps(game)
    # Whole hands too, for mus visto.
    expected = [*all_keeps(game).keep, *hands(game).counts]
    assert {tuple(keep) for keep in expected} == {tuple(keep) for keep in keeps.kept}
    # 1 keep of nothing with 330 hands, 8 of one card with 120 draws, and so on.
    assert len(keeps.pair_class) == 330 + 8 * 120 + 36 * 36 + 120 * 8 + 330


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": 0}, "n is 0: it must be a whole number from 2"),
        ({"n": -5}, "n is -5"),
        ({"n": 10**30}, "n is 10+: it must be"),
        ({"n": 10**6000}, "n is a number of 6001 digits"),
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


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(capsys)


def test_script_prints_the_same_numbers_in_json_and_csv(run: Run) -> None:
    options = ("discard", "RR7A", "--seat", "mano", "-n", "4096", "--format")
    found = json.loads(run(*options, "json").stdout)
    assert (found["game"], found["hand"], found["method"]) == ("mus", "RR7A", "monte-carlo")
    assert (found["n"], found["seed"], found["policy"]) == (4096, 1, "best")
    keeps = found["keeps"]
    assert len(keeps) == 11
    assert keeps[0]["diff"] == keeps[0]["diff_se"] == 0
    assert [row["net"] for row in keeps] == sorted((row["net"] for row in keeps), reverse=True)
    assert keeps[0]["cut_net"] == odds("RR7A", seat=1).net(1)
    rows = list(csv.DictReader(io.StringIO(run(*options, "csv").stdout)))
    for row, keep in zip(rows, keeps, strict=True):
        assert all(str(row[name]) == str(value) for name, value in keep.items())


def test_script_prints_text_of_80_columns() -> None:
    asked = ("r", "r", "7", "a", "--seat", "2", "--policy", "solo", "-n", "4096")
    done = subprocess.run([SCRIPT, "discard", *asked], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("RR7A in mus: ")
    assert lines[0].endswith("; monte-carlo, 4096 deals, seed 1")
    assert sum(line.startswith(("RR ", "RRA ", "- ")) for line in lines) == 3


def test_script_prints_exact_fractions(run: Run) -> None:
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
def test_script_names_what_is_wrong(run: Run, arguments: tuple[str, ...], words: str) -> None:
    done = run("discard", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
