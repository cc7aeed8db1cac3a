"""``musodds games NAME``: a screenful, from the game's record."""

from __future__ import annotations

import json

import click
import pytest

from musodds.cli import main
from musodds.cli.parts.game_rules import rules_report
from musodds.rules.games import GAMES, OPTIONS, get_game, options_for


@pytest.mark.parametrize("name", [*GAMES, "mus4-real-suits-4567-visto", "mus6p-real-suits-50"])
def test_the_rules_fit_a_screen(name):
    game = get_game(name)
    lines = click.unstyle(rules_report(game).text()).split("\n")
    assert len(lines) <= 23
    assert max(map(len, lines)) <= 80
    text = " ".join(" ".join(lines).split())
    for part in (game.name, f"{game.seats}, ", "31 32 40 37 36 35 34 33", *game.real):
        assert part in text
    assert f"to {game.target} stones" in text or game.stones is not None


def test_what_is_special_is_said(capsys):
    for name, word in [
        ("mus-visto", "any number of cards, none included"),
        ("mus-4567", "takes four new cards"),
        ("mus-ten-kings", "stands for R or A"),
        ("mus-real-suits", "suits matter"),
        ("encaje3-five-cards", "one thrown face down, no mus"),
        ("mus6p", "1 3 5 against 2 4 6"),
    ]:
        assert main(["games", name]) == 0
        assert word in " ".join(capsys.readouterr().out.split())


def test_options_are_listed_with_the_games(capsys):
    assert main(["games", "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [row["option"] for row in answer["options"]] == list(OPTIONS)
    for option in options_for(get_game("mus4-real")):
        assert get_game(f"mus4-real-{option}").name != "mus4-real"


def test_the_rules_as_data(capsys):
    assert main(["games", "mus-ten-kings", "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert sum(row["copies"] for row in answer["cards"]) == 40
    assert answer["cards"][0]["stands_for"] == "R A"


def test_no_such_game(capsys):
    assert main(["games", "poker"]) == 2
    assert "no game 'poker'" in capsys.readouterr().err
