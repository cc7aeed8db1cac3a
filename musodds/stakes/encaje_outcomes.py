"""Encaje when nobody bets: the deals to two or three players by what they throw."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Ints
from musodds.exact.splits import rivals
from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.rules.ways import choose
from musodds.store.cache import WORTH_KEEPING, cached
from musodds.store.notices import step
from musodds.store.numbers import digest

_MOST = 3
_QUICK_CLASSES = 400


@lru_cache(maxsize=8)
def outcome_counts(game: Game, players: int) -> Ints:
    """Count the deals to two or three players by what they throw when nobody bets.

    Returns
    -------
    ndarray of int64, shape (players, players, players, 4, players, 4)
        By who (from mano, 0) has the best hand in grande, chica and pares, the stones
        of those pares (0: nobody has pares), who is best in juego or punto, and the
        stones of that.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> counts = outcome_counts(get_game("encaje3"), 2)
    >>> int(counts.sum()) == 91390 * 58905
    True
    """
    many = players == _MOST and len(hands(game)) > _QUICK_CLASSES
    return cached(
        f"encaje-{players}-{digest(game)}",
        lambda: _outcome_counts(game, players),
        shape=(players, players, players, 4, players, 4),
        least=WORTH_KEEPING,
        what=f"what {players} players throw in {game.name}" if many else None,
    )


def _outcome_counts(game: Game, players: int) -> Ints:
    from musodds.simulation.kernels.encaje_games import add_outcomes
    from musodds.simulation.kernels.layout import LANE_BITS
    from musodds.simulation.packing import pack_game, stones_by_level

    lanes = pack_game(with_players(game, players)).levels
    # Of equals the first from mano is the best: its rank is higher.
    ranked = [
        lanes + np.uint64(players - 1 - place) * np.uint64(0x0001_0001_0001_0001)
        for place in range(players)
    ]
    splits = rivals(game, players - 1)
    others = ranked[1][splits.first]
    if players == 3:
        others = _highest(others, ranked[2][splits.second], LANE_BITS)
    values = stones_by_level(game)
    counts = np.zeros((players, players, players, 4, players, 4), dtype=np.int64)
    scratch = np.zeros((1, 6), dtype=np.int64)
    all_hands = hands(game)
    for me, ways in enumerate(all_hands.ways):
        step(me, len(all_hands))
        free = choose(game.deck.copies - all_hands.counts[me], splits.parts).astype(np.int64)
        one = np.zeros_like(counts)
        weights = free[splits.part_of] * splits.ways.astype(np.int64)
        add_outcomes(ranked[0][me], others, weights, players, values, one, scratch)
        counts += ways * one
    step(1, 1)
    return counts


def _highest(a: NDArray[np.uint64], b: NDArray[np.uint64], bits: int) -> NDArray[np.uint64]:
    """The higher number in each of the four lanes."""
    mask = (1 << bits) - 1
    found = np.zeros_like(a)
    for lane in range(4):
        in_lane = np.uint64(mask << bits * lane)
        found |= np.maximum(a & in_lane, b & in_lane)
    return found


def with_players(game: Game, players: int) -> Game:
    """The game when so many players are left, four cards in hand."""
    return replace(game, seats=players, cards_dealt=CARDS)
