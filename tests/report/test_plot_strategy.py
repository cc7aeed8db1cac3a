"""The chart of a solved point: what is drawn is what the strategy says, in colours that differ."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

import musodds as mo
from musodds.arrays import Floats
from musodds.cli import main
from musodds.playing.actions import ENVIDO, NO_QUIERO, ORDAGO, PASO, QUIERO, RAISE
from musodds.report.plots import figure_data
from musodds.report.plots.interactive import interactive
from musodds.report.plots.strategy import colours, plot_strategy
from musodds.report.plots.style import THEMES, drawn_in
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.solver.each import solve_each
from musodds.solver.lines import follow
from musodds.solver.panels import ELSE, panels
from musodds.solver.strategy_file import write_file

WAYS = hands(get_game("mus")).ways


@pytest.fixture(scope="module")
def solved() -> mo.Betting:
    return mo.solve_betting("grande", game="mus2p", score=(30, 33), iterations=40)


@pytest.fixture(scope="module")
def file(solved: mo.Betting, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("solved") / "grande.mus"
    write_file(path, solved)
    return str(path)


@pytest.fixture(scope="module")
def each() -> mo.EachSolution:
    return solve_each("pares", score=(32, 35), deals=60_000, measured=30_000, pairs=16)


def _opening(solved: mo.Betting) -> Floats:
    """By word and hand, hands in the order of the game."""
    found, (chances, _) = np.empty((len(solved.tree.options(0)), 330)), solved.at(0)
    found[:, solved.classes(0, 0)] = chances
    return found


def test_a_cell_shows_the_tenths_of_its_hand(solved: mo.Betting) -> None:
    ax = plot_strategy(file=solved, ax=Figure().add_subplot())
    image = np.asarray(ax.images[0].get_array())
    pairs = [text.get_text() for text in ax.get_yticklabels()]
    chances = _opening(solved)
    words = list(solved.tree.options(0))
    shades = colours(words)
    for index, hand in enumerate(hands(get_game("mus")).texts):
        high, low = pairs.index(hand[:2]), pairs.index(hand[2:]) + 1
        strips = image[high, 10 * low : 10 * low + 10]
        for word, chance in zip(words, chances[:, index], strict=True):
            shown = (np.abs(strips - to_rgb(shades[word])) < 1e-9).all(axis=1).sum()
            assert abs(shown - 10 * chance) <= 1


def test_who_says_a_bet_is_counted_from_the_start(solved: mo.Betting) -> None:
    _, who = panels(solved, "grande: paso, envido 2, reenvido 2")
    assert who.words == ("reenvido 2", ELSE)
    node = follow(solved.tree, "grande: paso, envido 2, reenvido 2")
    assert who.share(WAYS, ["reenvido 2"]) == pytest.approx(solved.often(node, 0))
    assert np.nansum(who.chances) == pytest.approx(330)


def test_hands_that_do_not_come_there_do_not_count(solved: mo.Betting) -> None:
    here, _ = panels(solved, "grande: paso, envido 2")
    passed = _opening(solved)[list(solved.tree.options(0)).index(PASO)]
    sees = here.chances[:, here.words.index(QUIERO)]
    share = (WAYS * passed) @ sees / (WAYS @ passed)
    assert here.share(WAYS, [QUIERO]) == pytest.approx(share)


def test_the_other_side_of_an_opening_is_the_answer_to_its_commonest_bet(
    solved: mo.Betting,
) -> None:
    here, answer = panels(solved, "grande:")
    assert (here.line, here.last, here.who) == ("", "", "mano")
    assert answer.answers
    assert answer.who == "other"
    bets = {word: here.share(WAYS, [word]) for word in here.words[1:]}
    assert bets[answer.last] == max(bets.values())


def test_lines_are_written_so_that_they_can_be_followed() -> None:
    deal = mo.solve_betting("deal", game="mus2p", bets="ordago", score=(38, 38), iterations=2)
    for line in (
        "grande: en paso",
        "grande: en paso; chica: paso, órdago",
        "grande: paso; órdago",
        "grande: en paso; chica: en paso; pares: first; juego: paso",
        "grande: en paso; chica: en paso; pares: paso, órdago",
        "grande: en paso; chica: en paso; pares: neither; punto: paso",
    ):
        here = panels(deal, line)[0]
        assert follow(deal.tree, here.line) == follow(deal.tree, line)
        assert here.phase in ("grande", "chica", "pares", "juego", "punto")


def test_all_players_speak(each: mo.EachSolution) -> None:
    here, answer = panels(each)
    having = hands(get_game("mus")).level["pares"] > 0
    assert (~np.isnan(here.chances[:, 0]) == having).all()
    said = each.strategy[0][having]
    point = each.tree.points[each.tree.point()]
    weight = WAYS[having] / WAYS[having].sum()
    bet = point.slot + point.actions.index(answer.last)
    assert here.share(WAYS, [answer.last]) == pytest.approx(weight @ said[:, bet])
    assert (here.who, answer.who) == ("seat 1", "seat 2")
    # Seat 2 left the answer to seat 4, who is asked about the same bet.
    after, who = panels(each, f"pares: {answer.last}, paso")
    assert (after.who, who.who, who.words[0]) == ("seat 4", "seat 1", answer.last)
    alone, _ = panels(each, "paso", able=(1, 2))
    assert alone.who == "seat 2"


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("first", [PASO, NO_QUIERO])
def test_words_can_be_told_apart_in_grey(theme: str, first: str) -> None:
    more = [QUIERO] if first == NO_QUIERO else []
    kind = RAISE if first == NO_QUIERO else ENVIDO
    with drawn_in(theme):
        for sizes in ([], ["2"], ["2", "5"], ["2", "5", "10"]):
            words = [first, *more, *(f"{kind} {size}" for size in sizes), ORDAGO]
            greys = [_grey(shade) for shade in colours(words).values()]
            away = 1 if theme == "dark" else -1
            assert all(away * (b - a) > 0.03 for a, b in pairwise(greys)), (words, greys)
        for bet in (f"{kind} 2", ORDAGO):
            said, other = map(_grey, colours((bet, ELSE)).values())
            assert abs(said - other) > 0.1
        pale = {colours(words)[words[0]] for words in ((PASO, ORDAGO), (NO_QUIERO, QUIERO))}
        assert len(pale | {THEMES[theme].line}) == 3


def _grey(shade: str) -> float:
    return float(np.dot(to_rgb(shade), (0.2126, 0.7152, 0.0722)))


def test_what_was_solved_is_said(solved: mo.Betting, each: mo.EachSolution) -> None:
    for one, words in (
        (solved, "grande alone, solved at 30–33, model exact, later deals solved; gap"),
        (each, "pares alone, solved at 32–35, model each, later deals solved; one player gains"),
    ):
        ax = plot_strategy(file=one, ax=Figure().add_subplot())
        assert words in ax.texts[0].get_text()
    stones = mo.solve_betting("grande", game="mus2p", payoff="stones", iterations=20)
    ax = plot_strategy(file=stones, ax=Figure().add_subplot())
    assert "solved for stones" in ax.texts[0].get_text()
    assert "0–0" not in ax.texts[0].get_text()


def test_the_table_is_of_the_file(solved: mo.Betting, file: str, tmp_path: Path) -> None:
    out = tmp_path / "a.csv"
    line = "grande: paso, envido 2"
    assert main(["plot", "strategy", file, "--line", line, "-o", str(out)]) == 0
    table = figure_data("strategy", file=solved, line=line)
    assert out.read_text() == table.to_csv(index=False)
    here = table[table["who"] == "mano"]
    assert (here["line"] == line).all()
    assert here.groupby("hand")["frequency"].sum().round(9).eq(1).all()


def test_in_the_dark_what_is_pointed_at_is_dark_too(solved: mo.Betting) -> None:
    text = interactive("strategy", theme="dark", file=solved).to_json()
    with drawn_in("dark"):
        dark = colours(tuple(solved.tree.options(0)))
    assert all(shade in text for shade in dark.values())
    assert THEMES["dark"].paper in text
    assert "mus2p" in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["FILE", "--line", "chica: paso"], "not chica"),
        (["FILE", "--able", "1,2"], "only with a strategy of the model each"),
        (["FILE", "--able", "3"], "seats of 1, 2"),
        (["FILE", "--score", "1-2"], "the strategy of the file has its own"),
        (["FILE", "--phase", "chica"], "the strategy of the file has its own"),
        (["FILE", "--game", "mus4"], "the strategy of the file is of mus2p"),
        (["nothing.mus"], "nothing.mus"),
        (["--game", "encaje3"], "encaje3"),
        (["--model", "shared"], "own or each"),
    ],
)
def test_what_cannot_be_drawn_is_said(
    file: str, arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "x.png"
    given = [file if word == "FILE" else word for word in arguments]
    assert main(["plot", "strategy", *given, "-o", str(out)]) == 2
    found = capsys.readouterr().err
    assert words in found
    assert found.count("\n") == 1
    assert not out.exists()
