"""The table of all pairs of partners: the numbers of each pair asked alone, exactly."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import musodds as mo
from musodds.cli import main
from musodds.exact.phases.columns import COLUMNS
from musodds.exact.phases.pairs import count_every_pair
from musodds.rules.hands import hands
from musodds.rules.ways import choose

MUS = mo.get_game("mus")
TEXTS = hands(MUS).texts


@cache
def of_hand(hand, game="mus"):
    frame = mo.pairs_table(game, hand=hand)
    return frame.set_index(["partner", "seat", "phase"]).sort_index()


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(["RR7A", "RRRR", "7654"]), st.sampled_from(TEXTS), st.integers(1, 4))
def test_a_pair_is_what_it_is_when_asked_alone(hand, partner, seat):
    frame = of_hand(hand)
    try:
        answer = mo.odds(hand, partner=partner, seat=seat)
    except mo.InputError:
        assert partner not in frame.index.get_level_values("partner")
        return
    for record in answer.records():
        row = frame.loc[(partner, seat, record["phase"])]
        for name in (*COLUMNS, "net"):
            wanted = np.nan if record[name] is None else record[name]
            np.testing.assert_array_equal(row[name], wanted)


@pytest.mark.parametrize("game", ["mus", "mus4", "mus-4567"])
def test_over_all_partners_it_is_what_it_is_when_nothing_is_known(game):
    all_hands = hands(mo.get_game(game))
    me = all_hands.index("RR7A")
    beside = choose(all_hands.game.deck.copies - all_hands.counts[me], all_hands.counts)
    ways = dict(zip(all_hands.texts, beside.tolist(), strict=True))
    frame = of_hand("RR7A", game).reset_index()
    weight = frame["partner"].map(ways)
    if all_hands.game.exchange:
        # Nobody holds a hand that is shown, so pairs leave the rivals different numbers of deals.
        pairs, counts = count_every_pair(all_hands.game, np.array([me]))
        left = dict(
            zip(pairs[:, 1].tolist(), counts[:, 0, 0, :3].sum(axis=1).tolist(), strict=True)
        )
        weight *= frame["partner"].map({all_hands.texts[mate]: n for mate, n in left.items()})
    each = frame["seat"].eq(2) & frame["phase"].eq("pares")
    for column in ("win", "best", "contested", "stones_for", "stones_against"):
        mean = (frame[column] * weight)[each].sum() / weight[each].sum()
        [row] = [r for r in mo.odds("RR7A", game=game, seat=2).rows() if r["phase"] == "pares"]
        assert mean == pytest.approx(row[column], abs=1e-12)


def test_there_are_as_many_pairs_as_the_deck_allows():
    pairs, counts = count_every_pair(MUS, np.arange(len(TEXTS)))
    assert len(pairs) == 104_820
    assert counts.shape == (104_820, 4, 5, len(COLUMNS))
    # Every deal is a win, a loss or void: C(32, 4) · C(28, 4) of them.
    assert (counts[..., :3].sum(axis=-1) == 35960 * 20475).all()


@pytest.mark.parametrize("game", ["mus2p", "encaje3", "mus6p", "mus-ten-kings", "mus-real-suits"])
def test_games_without_such_pairs_say_so(game):
    with pytest.raises(mo.InputError, match=game):
        mo.pairs_table(game, hand="RR7A")


def test_the_command_writes_one_hand_and_refuses_millions_of_lines(capsys, tmp_path):
    target = tmp_path / "pairs.csv"
    assert main(["table", "pairs", "--hand", "RR7A", "--seat", "1", "-o", str(target)]) == 0
    lines = target.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + 5 * len(set(of_hand("RR7A").index.get_level_values("partner")))
    assert main(["table", "pairs"]) == 2
    assert "two million rows" in capsys.readouterr().err
