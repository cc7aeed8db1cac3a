"""What comes with the package, and that it is made again."""

import numpy as np
import pytest

from musodds.cli import main
from musodds.errors import InputError
from musodds.exact.phases import named_columns
from musodds.exact.phases.count import count
from musodds.exact.phases.named_columns import count_by_naming
from musodds.report import shipping
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.store.numbers import DATA, published_counts

NOT_COUNTED = (".txt", ".css", ".html", ".js", ".json", ".webmanifest", ".svg")


def test_every_file_of_numbers_has_a_maker():
    files = {
        path.relative_to(DATA).as_posix()
        for path in DATA.rglob("*")
        if path.is_file() and path.suffix not in NOT_COUNTED
    }
    assert set(shipping.makers()) == files


def test_a_small_table_is_made_again_byte_for_byte(capsys):
    assert main(["publish", "package", "--check", "--only", "odds/mus2p-*"]) == 0
    assert "all as it comes" in capsys.readouterr().out


def test_a_table_that_differs_is_named(monkeypatch, tmp_path, capsys):
    path = next(path for path in shipping.makers() if path.startswith("odds/mus2p-"))
    monkeypatch.setattr(shipping, "makers", lambda: {path: lambda: b"other"})
    assert main(["publish", "package", "--check"]) == 1
    assert path in capsys.readouterr().err


def test_a_pattern_that_fits_nothing_is_refused():
    with pytest.raises(InputError, match="no file of the package fits 'odds/mus9"):
        shipping.make("odds/mus9*")


QUICK = [name for name in shipping.ODDS if name not in ("mus6p",)]
"""Six players' hands cannot be counted one by one: the table takes as long as one of them."""


@pytest.mark.parametrize("name", QUICK)
def test_a_hand_of_every_table_is_counted_again(name):
    game = get_game(name)
    stored = published_counts(game)
    seats = range(1, game.seats + 1)
    some = np.array([len(stored) // 3])
    if hands(game).has_jokers:
        some = np.array([hands(game).index("R77*")])
    assert np.array_equal(count(game, some, seats)[0], stored[some[0]])


@pytest.mark.parametrize("name", shipping.NAMINGS)
def test_the_namings_of_a_hand_are_counted_again(name):
    game = get_game(name)
    me, seats = hands(game).index("R77*"), range(1, game.seats + 1)
    assert np.array_equal(named_columns._count_by_naming(game, me, seats),
                          count_by_naming(game, me, seats))  # fmt: skip
