"""The same question has the same answer, wherever it is asked: all hands, all seats."""

from __future__ import annotations

import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

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
NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "3-what-to-throw.ipynb"


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


def told(name: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """What the tables say and keep, by class and seat."""
    game = get_game(name)
    shape = len(hands(game)), game.seats
    say, keep = table("cut", game).values["say"], table("discards", game).values["keep"]
    return say.reshape(shape), keep.reshape(shape)


@pytest.mark.parametrize("name", ASKED)
def test_the_command_answers_as_the_tables(name: str) -> None:
    """On other deals: the same say and keep. All hands: tests/benchmarks/bench_one_answer.py.

    Hands at random, and those that deals leave open: what is said of them is as told.
    """
    game = get_game(name)
    stored, (say, keep) = best_keeps(game), told(name)
    rng = np.random.default_rng(13)
    chosen = [divmod(place, game.seats) for place in rng.choice(say.size, 5, replace=False)]
    open_say = np.abs(stored.gain / stored.gain_se)
    open_keep = np.abs(stored.margin / np.maximum(stored.margin_se, 1e-9))
    chosen += [
        np.unravel_index(figure.argmin(), figure.shape)[::-1] for figure in (open_say, open_keep)
    ]
    for h, s in chosen:
        advice = discard(hands(game).texts[h], game=game, seat=int(s) + 1, n=8192, seed=2).seats[0]
        assert (advice.say, advice.draws[0].keep) == (say[h, s], keep[h, s])
        assert advice.all_mus == pytest.approx(stored.agreed[s, h], rel=1e-9)
        gain, error = advice.agreed_gain
        assert abs(gain - stored.gain[s, h]) < SURE * np.hypot(error, stored.gain_se[s, h])
        assert advice.diff[0] == 0
        assert (advice.diff < SURE * advice.diff_se + 1e-12).all()


@pytest.mark.parametrize("name", ASKED)
def test_all_hands_are_kept_as_the_policy_keeps_them(name: str) -> None:
    """What `policy show` tells is what the others' policy has the asker keep as well."""
    game = get_game(name)
    _, keep = told(name)
    policy = get_policy("best", game)
    for seat in range(1, game.seats + 1):
        own = [policy.keep_text(seat, h) for h in range(len(hands(game)))]
        assert own == keep[:, seat - 1].tolist()


@pytest.mark.parametrize("name", ASKED)
def test_no_keep_of_the_policy_loses(name: str) -> None:
    """Of all hands in all seats, where mus was agreed: by the deals of the tables."""
    stored = best_keeps(get_game(name))
    assert (stored.margin > -0.02).all()
    assert (stored.margin > -3 * stored.margin_se - 1e-12).all()


def test_the_notebook_is_of_the_same_tables() -> None:
    """Its own functions, run on all hands in all seats, and what is stored of their output."""
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    names: dict[str, Any] = {}
    for source in sources:
        if not any(word in source for word in ("Image(", "widgets")):
            with redirect_stdout(StringIO()):
                exec(source, names)
    say, keep = told("mus")
    mus = hands(get_game("mus"))
    for h, text in enumerate(mus.texts):
        for seat in (1, 2, 3, 4):
            assert names["best"].loc[(text, seat), "keep"] == keep[h, seat - 1]
            assert names["cut"].loc[(text, seat), "say"] == say[h, seat - 1]
    for text in ("RR7A", "C654", "7654"):
        for seat in (1, 4):
            with redirect_stdout(said := StringIO()):
                names["throw"](text, seat)
            h = mus.index(text)
            assert f"when all draw: keep {keep[h, seat - 1]}, net" in said.getvalue()
            assert said.getvalue().endswith(f": {say[h, seat - 1]}\n")


@pytest.mark.parametrize("name", ASKED)
def test_a_level_says_what_is_best_against_the_one_below(name: str) -> None:
    """Another question, and the same one: what level 2 says answers level 1."""
    game = get_game(name)
    stored = best_keeps(game)
    above = get_policy("level-2", game)
    against = (stored.gain > 0) == above.cut
    unsure = np.abs(stored.gain) < SURE * stored.gain_se
    assert (unsure | ~against).all()


def test_headings_say_which_question_is_answered() -> None:
    from click.testing import CliRunner

    from musodds.cli.policy import show

    shown = CliRunner().invoke(show, ["best", "--hand", "RR7A"]).output
    assert "what it says and keeps itself" in shown
    for name in ("discards", "cut"):
        assert "against the solved policy" in table(name, get_game("mus")).title
    words = (Path("musodds") / "data/page/words.json").read_text(encoding="utf-8")
    assert "Against the solved policy" in words
