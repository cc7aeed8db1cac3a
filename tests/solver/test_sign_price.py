"""The price of a sign is the difference of two solved games, shared out among the signs."""

from __future__ import annotations

import numpy as np
import pytest

from musodds.errors import InputError
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.solver.groups import sign_names
from musodds.solver.sign_price import sign_prices

GAME = get_game("mus")


def test_all_signs_together_are_what_two_solved_games_differ_by() -> None:
    # In grande, bets and raises 2 and órdago, by `musodds solve` to 0.005: mano's side nets 0.194
    # with signs, the rivals without, and 0.059 if nobody has any.
    assert sign_prices("grande", GAME).all == pytest.approx(0.194 - 0.059, abs=0.01)


def test_every_sign_has_its_chance_and_its_price() -> None:
    found = sign_prices("grande", GAME)
    names, made = sign_names(GAME, "classic")
    assert found.names == names
    ways = hands(GAME).ways
    kings = names.index("tres-reyes")
    assert found.chance[kings] == ways[made == kings].sum() / ways.sum()
    assert found.price[kings] == np.nanmax(found.price)
    assert np.isnan(found.price[found.chance == 0]).all()
    assert (np.nan_to_num(found.price) >= 0).all()


def test_two_players_make_no_signs() -> None:
    with pytest.raises(InputError, match="two sides of two"):
        sign_prices("grande", get_game("mus2p"))
