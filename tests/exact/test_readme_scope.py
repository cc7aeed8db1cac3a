"""The README says of every game what is counted, and that is what the engine does."""

from pathlib import Path

import pytest

import musodds as mo
from musodds.errors import GameError
from musodds.exact.scope import NOT, QUESTIONS, SIMULATED, answered
from musodds.rules.games import GAMES

README = Path(__file__).parents[2] / "README.md"
SPOTS = ("mus2p", "mus-ten-kings", "mus6p", "mus6p-four-kings", "encaje3", "encaje5")


def table():
    """What the README says of each game."""
    lines = README.read_text(encoding="utf-8").splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith("| games |"))
    assert [cell.strip() for cell in lines[begin].split("|")[2:-1]] == list(QUESTIONS)
    found = {}
    for line in lines[begin + 2 :]:
        if not line.startswith("|"):
            return found
        games, *cells = (cell.strip() for cell in line.split("|")[1:-1])
        found |= {game.strip("`"): tuple(cells) for game in games.split()}


def test_the_table_says_what_scope_says():
    assert set(table()) == {*GAMES, "mus6p-four-kings"}
    for name, cells in table().items():
        assert cells == answered(mo.get_game(name), "RR7A")


def _method(ask):
    try:
        return {"monte-carlo": SIMULATED}.get(found := ask().method, found)
    except GameError:
        return NOT


@pytest.mark.parametrize("name", SPOTS)
def test_the_engine_does_what_the_table_says(name):
    cells = dict(zip(QUESTIONS, table()[name], strict=True))
    known = mo.know(name, dead="7")
    assert _method(lambda: mo.odds("RR7A", game=name, seat=1)) == cells["odds of a hand"]
    asked = _method(lambda: mo.odds("RR7A", game=name, seat=1, knowledge=known))
    assert asked == cells["with knowledge"]
    assert _method(lambda: mo.joint("RR7A", game=name, seat=1)) == cells["phases together"]
    bet = {"seat": 1, "phase": "grande", "score": (3, 3)}
    assert (_method(lambda: mo.bet("RR7A", game=name, **bet)) != NOT) == (
        cells["bets, thresholds"] != NOT
    )
    n = {"n": 1000} if cells["equity en paso"] == SIMULATED else {}
    assert _method(lambda: mo.equity(name, kind="paso", **n)) == cells["equity en paso"]
