"""The same question has the same answer, wherever it is asked: all hands, all seats."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from musodds.exact.draws.draws import all_keeps
from musodds.exact.draws.keeps import keep_text
from musodds.report.page_data import page_data
from musodds.report.plots.discards import discards_data
from musodds.report.tables import table
from musodds.report.tables.throws import best_keeps, stored_keeps
from musodds.rules.games import GAMES, get_game
from musodds.rules.hands import hands
from musodds.simulation.named_policies import get_policy
from musodds.strategy.discard import discard

ASKED = [name for name, game in GAMES.items() if stored_keeps(game, "best") is not None]
SURE = 4.5
"""Standard errors: with thousands of hands a few come close to 4."""


def test_there_is_something_to_ask() -> None:
    assert {"mus", "mus4", "mus-real"} <= set(ASKED)


@pytest.mark.parametrize("name", ASKED)
def test_tables_page_and_figure_say_and_keep_the_same(name: str) -> None:
    game = get_game(name)
    discards, cut = table("discards", game).values, table("cut", game).values
    page = page_data(game)["discards"]
    assert page["keep"].split(" ") == discards["keep"].tolist()
    assert ["mus" if said == "1" else "cut" for said in page["mus"]] == cut["say"].tolist()
    for seat in range(1, game.seats + 1):
        drawn = discards_data(game, seat=seat)
        mine = cut["seat"] == seat
        assert drawn["keep"].tolist() == discards["keep"][mine].tolist()
        gains = (drawn["after"] > drawn["before"]).to_numpy()
        assert gains.tolist() == (cut["say"][mine] == "mus").tolist()
        assert (cut["agreed"][mine] == discards["agreed"][mine]).all()


@pytest.mark.parametrize("name", ASKED)
def test_the_command_answers_as_the_tables(name: str) -> None:
    """Other deals: the same, or not told apart by either."""
    game = get_game(name)
    stored, every = best_keeps(game), all_keeps(game)
    rng = np.random.default_rng(13)
    for h in rng.choice(len(hands(game)), 12, replace=False).tolist():
        seat = int(rng.integers(1, game.seats + 1))
        advice = discard(hands(game).texts[h], game=game, seat=seat, n=8192, seed=2).seats[0]
        place = seat - 1, h
        assert advice.all_mus == pytest.approx(stored.agreed[place], rel=1e-9)
        keep = keep_text(game, every.keep[stored.rows[0][place]])
        i = [draw.keep for draw in advice.draws].index(keep)
        apart = np.hypot(advice.diff_se[i], stored.margin_se[place])
        assert -advice.diff[i] <= SURE * apart
        gain, error = advice.agreed_gain
        spread = np.hypot(error, stored.gain_se[place])
        assert abs(gain - stored.gain[place]) < SURE * spread
        if abs(gain) > SURE * spread:
            assert (advice.say == "mus") == (stored.gain[place] > 0)


@pytest.mark.parametrize("name", ASKED)
def test_a_level_says_what_is_best_against_the_one_below(name: str) -> None:
    """Another question, and the same one: what level 2 says answers level 1."""
    game = get_game(name)
    stored = best_keeps(game)
    above = get_policy("level-2", game)
    against = (stored.gain > 0) == above.cut
    unsure = np.abs(stored.gain) < SURE * stored.gain_se
    assert (unsure | ~against).all()


@pytest.mark.parametrize("name", ASKED)
def test_once_mus_is_agreed_the_best_keep_is_that_of_the_policy(name: str) -> None:
    """Of nearly all hands: best is solved for deals with mus."""
    game = get_game(name)
    stored, policy = best_keeps(game), get_policy("best", game)
    own = all_keeps(game).keep[stored.rows[0]]
    says = ~policy.cut
    other = (own != policy.keep).any(axis=2) & says
    assert other.sum() <= 0.02 * says.sum()


def test_headings_say_which_question_is_answered() -> None:
    from click.testing import CliRunner

    from musodds.cli.policy import show

    shown = CliRunner().invoke(show, ["best", "--hand", "RR7A"]).output
    assert "what it says and keeps itself" in shown
    for name in ("discards", "cut"):
        assert "against the solved policy" in table(name, get_game("mus")).title
    words = (Path("musodds") / "data/page/words.json").read_text(encoding="utf-8")
    assert "Against the solved policy" in words
