"""The policies that come with the package as files, or are computed: solo and best."""

from __future__ import annotations

import numpy as np

from musodds.policies import Policy, PolicyError, parse_policy
from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.games import GAMES
from musodds.store.numbers import DATA


def solo_policy(game: Game) -> Policy:
    """The keep with the highest net en paso when its player alone draws; always says mus.

    From a file where the package has one, otherwise counted (a few seconds).

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> solo_policy(get_game("mus")).keep_text(1, "RR7A")
    'RR'
    """
    return _shipped("solo", game) or count_solo(game)


def count_solo(game: Game) -> Policy:
    """The solo policy, counted: see :mod:`musodds.exact.draws.solo`."""
    from musodds.exact.draws.solo import solo

    counted = solo(game)
    keep = counted.keeps.keep[counted.best()].astype(np.int8)
    # Who may keep all four cards, in mus visto, cuts with them afterwards.
    return Policy("solo", game, keep, keep.sum(axis=2) == CARDS)


def best_policy(game: Game) -> Policy:
    """The solved policy of a game: see :mod:`musodds.solving`.

    Raises
    ------
    PolicyError
        If the package has none for this game.
    """
    found = _shipped("best", game)
    if found is None:
        raise PolicyError(
            f"no best policy of {game.name} comes with musodds: make one with "
            f"'musodds policy solve --game {game.name} -o FILE' and give FILE"
        )
    return found


def _shipped(name: str, game: Game) -> Policy | None:
    file = DATA / "policies" / f"{game.name}-{name}.csv"
    if GAMES.get(game.name) != game or not file.is_file():
        return None
    return parse_policy(file.read_text(encoding="utf-8"), game, name, f"{game.name}-{name}.csv")
