"""What mus that was agreed tells: against enumeration, against rejection, and in words."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from musodds.errors import GameError, InputError
from musodds.exact.draws.keeps import distinct_keeps
from musodds.knowledge.knowledge import know
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.simulation.named_policies import default_policy, get_policy
from musodds.simulation.policies import Policy
from musodds.strategy.agreed import agreed, cutters
from musodds.strategy.discard import cut_net, discard
from musodds.strategy.trials import Trial
from tests.command import runner
from tests.small_games import FOUR, choose

SCRIPT = Path(sys.executable).with_name("musodds")


def policy_of_four() -> Policy:
    """Who holds an even class cuts, in odd seats; every third in the others."""
    table = hands(FOUR)
    keep = np.stack([distinct_keeps(counts)[0] for counts in table.counts]).astype(np.int8)
    cut = np.zeros((4, len(table)), dtype=np.bool_)
    cut[::2, ::2] = cut[1::2, ::3] = True
    return Policy("four", FOUR, np.repeat(keep[None], 4, axis=0), cut)


@pytest.mark.parametrize("seat", [1, 2, 4])
@pytest.mark.parametrize("text", ["RR7A", "77AA"])
def test_how_often_mus_is_agreed_is_the_complete_enumeration(text: str, seat: int) -> None:
    policy, table = policy_of_four(), hands(FOUR)
    mine = table.counts[table.index(text)]
    others = [s for s in range(4) if s != seat - 1]
    all_deals = agreeing = 0
    for deal in product(range(len(table)), repeat=3):
        left, ways = FOUR.deck.copies - mine, 1
        for index in deal:
            ways *= int(choose(left, table.counts[index]))
            left = left - table.counts[index]
            if not ways:
                break
        all_deals += ways
        if not any(policy.cut[s, index] for s, index in zip(others, deal, strict=True)):
            agreeing += ways
    found = agreed(policy, table.index(text), seat)
    assert found.chance == pytest.approx(agreeing / all_deals, rel=1e-12)


@pytest.mark.parametrize(("game", "text"), [("mus", "RR7A"), ("mus", "C765"), ("mus4", "R443")])
def test_deals_in_which_mus_is_agreed_are_those_that_rejection_leaves(game: str, text: str) -> None:
    """The share, every keep, the cards as dealt: drawn to fit, and thrown away if they do not."""
    policy = get_policy("best", game)
    index, seat = hands(policy.game).index(text), 2
    advice = discard(text, game=game, seat=seat, policy=policy, n=16_384).seats[0]
    keeps = distinct_keeps(hands(policy.game).counts[index])
    rejected = Trial(policy, seat, index, keeps, learn=True, wins=False).run(5, 0, 40)
    share = rejected.number[1] / rejected.number[0]
    error = np.sqrt(share * (1 - share) / rejected.number[0])
    assert abs(advice.all_mus - share) < 4.5 * error
    mean, covariance = rejected.estimates()
    deck = policy.game.deck
    found = {draw.keep: i for i, draw in enumerate(advice.draws)}
    for k, keep in enumerate(keeps):
        i = found[deck.text(np.repeat(np.arange(len(keep)), keep).tolist()) or "-"]
        spread = np.hypot(advice.net_se[i], np.sqrt(covariance[k, k]))
        assert abs(advice.net[i] - mean[k]) < 4.5 * spread
    gain, gain_se = rejected.gain_of_mus(cut_net(policy.game, index, seat))
    best = int(np.argmax(mean))
    assert abs(advice.mus_gain[0] - gain[best]) < 4.5 * np.hypot(
        advice.mus_gain_se[0], gain_se[best]
    )


def test_a_partner_who_cuts_leaves_nothing_to_throw() -> None:
    """With 31 the policy never says mus, whatever the 31 is made of."""
    mus = get_game("mus")
    knowledge = know("mus", partner="seña:31")
    holds = [i for i in range(330) if hands(mus).stones["juego"][i] == 3]
    assert get_policy("best", mus).cut[1, holds].all()
    answer = discard("RR7A", seat="postre", knowledge=knowledge)
    one = answer.answers()[0]
    assert (one["say"], one["keep"], one["mus_agreed"], one["always_cut"]) == (None, None, 0.0, "2")
    assert answer.rows() == []
    asked = ("discard", "RR7A", "--seat", "postre", "--partner", "seña:31")
    done = subprocess.run([SCRIPT, *asked], capture_output=True, text=True, check=False)
    assert "Your partner cuts; nothing to throw" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    # Who never cuts throws it away, and then there is something to throw.
    played = discard(
        "RR7A", seat="postre", knowledge=knowledge, others={"partner": "kings"}, n=2048
    )
    assert played.seats[0].all_mus > 0


def test_who_cuts_whatever_he_holds() -> None:
    best = get_policy("best", "mus")
    index = hands(best.game).index("RR7A")
    assert cutters(best, index, 1) == ()
    assert cutters(best, index, 1, know("mus", next="RRRR", partner="31")) == (2, 3)
    assert cutters(get_policy("none"), index, 2) == (1, 3, 4)


def test_others_of_their_own() -> None:
    """The chance is that of the players who may still cut."""
    best = get_policy("best", "mus")
    index = hands(best.game).index("CC76")
    never = {"partner": "never-cut", "next": "kings", "previous": get_policy("solo", "mus")}
    assert discard("CC76", seat=1, others=never, n=2).seats[0].all_mus == 1
    own = discard("CC76", seat=2, others={1: "none"})
    assert own.seats[0].cutters == (1,)
    mixed = discard("CC76", seat=2, others={"rivals": "never-cut"}, n=2).seats[0]
    # Only the partner, in seat 4, may cut.
    table = hands(best.game)
    ways = choose_left(best, index)
    expected = ways[~best.cut[3]].sum() / ways.sum()
    assert mixed.all_mus == pytest.approx(expected, rel=1e-12)
    assert table.texts[index] == "CC76"
    with pytest.raises(GameError, match="no player 'friend' in mus: say partner, next"):
        discard("CC76", seat=1, others={"friend": "kings"})
    with pytest.raises(GameError, match="others 2: seat 2 is the one that asks"):
        discard("CC76", seat=2, others={"2": "kings"})
    with pytest.raises(GameError, match="nobody has a partner in encaje3"):
        discard("CC76", game="encaje3", seat=1, others={"partner": "kings"})
    with pytest.raises(InputError, match="no policy 'queens'"):
        discard("CC76", seat=1, others={"partner": "queens"})


def choose_left(policy: Policy, index: int) -> np.ndarray:
    """Ways to deal every hand to one other player."""
    table = hands(policy.game)
    return choose(policy.game.deck.copies - table.counts[index], table.counts)


@pytest.mark.parametrize(
    ("game", "name"), [("mus", "best"), ("mus4", "best"), ("mus-visto", "best"), ("mus2p", "kings")]
)
def test_the_default_is_the_solved_policy_where_there_is_one(game: str, name: str) -> None:
    assert default_policy(get_game(game)).name == name
    answer = discard("RR7A", game=game, seat=1, n=2)
    assert (answer.policy, answer.by_default) == (name, True)


def test_never_cut_keeps_what_best_keeps() -> None:
    best, never = get_policy("best", "mus"), get_policy("never-cut", "mus")
    assert not never.cut.any()
    same = (best.keep == never.keep).all(axis=2)
    assert (same | (best.keep.sum(axis=2) == 4)).all()
    visto = get_policy("never-cut", "mus-visto")
    assert (visto.cut == (visto.keep.sum(axis=2) == 4)).all()


def test_suits_not_given_are_weighed_by_how_often_mus_is_then_agreed() -> None:
    """S777 of mus-real-oros: the average over its hands, each where mus is agreed."""
    game = get_game("mus-real-oros")
    cut = np.zeros((4, len(hands(game))), dtype=np.bool_)
    oros = [i for i, cards in enumerate(hands(game).texts) if "So" in cards]
    cut[:, oros] = True
    policy = Policy("oros", game, get_policy("kings", game).keep, cut)
    whole = discard("S777", game=game, seat=1, policy=policy, n=20_000).seats[0]
    each = [
        discard(text, game=game, seat=1, policy=policy, n=20_000) for text in ("So777", "Sx777")
    ]
    one, other = (found.seats[0] for found in each)
    # One sota of four is that of oros.
    assert whole.all_mus == pytest.approx((one.all_mus + 3 * other.all_mus) / 4, rel=1e-12)
    weights = np.array([one.all_mus, 3 * other.all_mus])
    nets = np.array([_net(one, "777"), _net(other, "777")])
    expected = weights @ nets[:, 0] / weights.sum()
    error = np.hypot(_net(whole, "777")[1], weights @ nets[:, 1] / weights.sum())
    assert abs(_net(whole, "777")[0] - expected) < 4.5 * error


def _net(advice, keep: str) -> tuple[float, float]:
    i = [draw.keep for draw in advice.draws].index(keep)
    return float(advice.net[i]), float(advice.net_se[i])


def test_script_answers_seat_by_seat_and_takes_others(capsys: pytest.CaptureFixture[str]) -> None:
    run = runner(capsys)
    options = ("--others", "partner=never-cut,next=kings", "--others", "previous=none")
    found = json.loads(run("discard", "CC76", "--seat", "1", *options, "--format", "json").stdout)
    assert found["others"] == "partner=never-cut next=kings previous=none"
    assert found["keeps"] == []
    assert [one["always_cut"] for one in found["answers"]] == ["4"]
    rows = run("discard", "CC76", "--seat", "1", *options, "--format", "csv").stdout.splitlines()
    assert len(rows) == 2
    for wrong in ("partner", "=kings", "partner="):
        done = run("discard", "CC76", "--others", wrong)
        assert (done.returncode, done.stdout) == (2, "")
        assert "such as partner=never-cut" in done.stderr


def test_text_is_as_narrow_as_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for columns in ("60", "72", "80"):
        monkeypatch.setenv("COLUMNS", columns)
        done = runner(capsys)("discard", "RR7A", "--seat", "2", "-n", "2048")
        assert done.returncode == 0
        assert max(map(len, done.stdout.splitlines())) <= int(columns)
        # Every keep on a line of its own.
        assert sum(line.startswith(("RR ", "RRA ", "- ")) for line in done.stdout.splitlines()) == 3
