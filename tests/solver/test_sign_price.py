"""The price of a sign is the difference of two solved games, shared out among the signs."""

from __future__ import annotations

import numpy as np
import pytest

from musodds.errors import InputError
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.solver.groups import sign_names
from musodds.solver.sides import solve_sides
from musodds.solver.sign_price import sign_prices

GAME = get_game("mus")


def test_all_signs_together_are_what_two_solved_games_differ_by() -> None:
    found = sign_prices("pares", GAME)
    seen, blind = (
        solve_sides("pares", model=model, gap=0.005) for model in ("signals/own", "own/own")
    )
    off = seen.exploitability + blind.exploitability
    assert found.all == pytest.approx(seen.played * (seen.value - blind.value), abs=2 * off)
    assert found.all > 4 * off


def test_every_sign_has_its_chance_and_its_price() -> None:
    found = sign_prices("pares", GAME)
    names, made = sign_names(GAME, "classic")
    assert found.names == names
    duples = names.index("duples")
    ways = hands(GAME).ways
    assert found.chance[duples] == ways[made == duples].sum() / ways.sum()
    # Duples of the partner's are nearly always the best pares.
    assert found.price[duples] > 1
    assert np.isnan(found.price[found.chance == 0]).all()


def test_two_players_make_no_signs() -> None:
    with pytest.raises(InputError, match="two sides of two"):
        sign_prices("grande", get_game("mus2p"))
