"""What mano's side scores in each phase of a deal, all phases together, en paso.

Without discards the joint distribution is counted
(:mod:`musodds.exact.outcomes.deal_stones`). With a mus round and a policy, with six
players or with jokers it is simulated: jokers are then named for the most stones, as the
rules have it, whatever the score.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from musodds.arrays import Ints
from musodds.errors import GameError
from musodds.exact.outcomes.deal_stones import DealStones, counted_stones
from musodds.exact.scope import check_together, is_so
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.hands import LAST, STONES, hands
from musodds.simulation.given import MAX_ROUNDS, given, whole
from musodds.simulation.runner import Goal, run
from musodds.store.notices import Watcher

if TYPE_CHECKING:
    from musodds.simulation.policies import Policy

DEFAULT_N = 4_000_000
BLOCK = 1 << 16


def deal_stones(
    game: str | Game = "mus",
    *,
    policy: str | Path | Policy = "none",
    rounds: int = 1,
    n: int | None = None,
    seed: int = 1,
    workers: int | None = 1,
    watch: Watcher | None = None,
) -> DealStones:
    """The joint distribution of a deal's stones by phase, en paso.

    Parameters
    ----------
    game : str or Game, optional
        A game of two sides.
    policy : str, Path or Policy, optional
        With any but ``none`` the deals are simulated.
    rounds : int, optional
        The most rounds of mus.
    n : int, optional
        Deals to simulate; given, they are simulated in any case.
    seed : int, optional
    workers : int, optional
        Threads, on which the digits do not depend; None: one for each core.
    watch : callable, optional
        Called now and then with the deals played, and how many they may come to.

    Raises
    ------
    InputError
        If the game has not two sides, or the policy, the number or the seed cannot be.
    """
    from musodds.simulation.named_policies import get_policy

    asked = given(n, None, seed, workers)
    game = get_game(game)
    if game.sides != 2:
        raise GameError(f"{game.name} has no score of two sides: equity is about games that have")
    chosen = get_policy(policy, game)
    if asked.n is None and chosen.cut.all() and is_so(check_together, game):
        return counted_stones(game)
    rounds = whole("rounds", rounds, 0, MAX_ROUNDS)
    most = game.side_size * max(int(hands(game).stones[phase].max()) for phase in STONES)
    play = _deals(game, chosen, rounds, asked.seed, most)
    goal = Goal(DEFAULT_N if asked.n is None else asked.n)
    total = run(play, BLOCK, goal, asked.workers, watch=watch)
    if total.deals < 2:
        raise KeyboardInterrupt
    counts = total.sums
    grande, chica, pares, last = np.nonzero(counts)
    stones = np.column_stack((1 - 2 * grande, 1 - 2 * chica, pares - most, last - most))
    own = hands(game).stones["juego"]
    punto = np.abs(stones[:, LAST]) < min(int(own[own > 0].min()), 2)
    deals_of = counts[grande, chica, pares, last].astype(object)
    return DealStones(
        game, stones, punto, deals_of, chosen.name, total.deals, asked.seed, total.interrupted
    )


def _deals(
    game: Game, policy: Policy, rounds: int, seed: int, most: int
) -> Callable[[int, int], list[Ints]]:
    """Plays one block; see :func:`musodds.simulation.kernels.deal_play.play_deals`."""
    from musodds.simulation.kernels.deal_play import play_deals
    from musodds.simulation.kernels.dealing import Desk
    from musodds.simulation.packing import pack_game, pack_policy

    tables = pack_game(game)
    moves = pack_policy(policy, tables.codes)
    order, side_order = tuple(range(game.seats)), tuple(range(game.sides))
    named = () if len(tables.namings) else None

    def play(block: int, deals: int) -> list[Ints]:
        counts = np.zeros((2, 2, 2 * most + 1, 2 * most + 1), dtype=np.int64)
        scratch = np.zeros(4, np.uint64), np.zeros(4, np.int64), np.zeros((2, 2), np.int64)
        desk = Desk.of(tables.deck, game.seats, len(tables.codes))
        stream = (np.uint64(seed), np.uint64(block))
        play_deals(
            desk, stream, deals, rounds, order, side_order, moves, tables, named, scratch, counts
        )
        return [counts]

    return play
