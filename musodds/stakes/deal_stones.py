"""What mano's side scores in each phase of a deal, all phases together, en paso.

Without discards the joint distribution is counted
(:mod:`musodds.exact.outcomes.deal_stones`). With a mus round and a policy, with six
players or with jokers it is simulated: jokers are then named for the most stones, as the
rules have it, whatever the score.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from musodds.errors import GameError, InputError
from musodds.exact.outcomes.deal_stones import DealStones, counted_stones
from musodds.exact.scope import check_together, is_so
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.hands import LAST, STONES, hands

if TYPE_CHECKING:
    from musodds.simulation.policies import Policy

DEFAULT_N = 4_000_000
MAX_N = 10**12
BLOCK = 1 << 16


def deal_stones(
    game: str | Game = "mus",
    *,
    policy: str | Path | Policy = "none",
    rounds: int = 1,
    n: int | None = None,
    seed: int = 1,
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

    Raises
    ------
    InputError
        If the game has not two sides, or the policy, the number or the seed cannot be.
    """
    from musodds.simulation.named_policies import get_policy

    game = get_game(game)
    if game.sides != 2:
        raise GameError(f"{game.name} has no score of two sides: equity is about games that have")
    chosen = get_policy(policy, game)
    if n is None and chosen.cut.all() and is_so(check_together, game):
        return counted_stones(game)
    number = DEFAULT_N if n is None else n
    if not 1 < number <= MAX_N:
        raise InputError(f"n {number}: simulate from 2 to 10^12 deals")
    if not 0 <= seed < 2**63:
        raise InputError(f"seed {seed}: a number from 0 to 2^63 - 1")
    if not 0 <= rounds <= 100:
        raise InputError(f"rounds {rounds}: a number from 0 to 100")
    return _simulated(game, chosen, rounds, number, seed)


def _simulated(game: Game, policy: Policy, rounds: int, n: int, seed: int) -> DealStones:
    from musodds.simulation.kernels.deal_play import play_deals
    from musodds.simulation.kernels.dealing import Desk
    from musodds.simulation.packing import pack_game, pack_policy

    own = hands(game).stones
    most = game.side_size * max(int(own[phase].max()) for phase in STONES)
    tables = pack_game(game)
    moves = pack_policy(policy, tables.codes)
    counts = np.zeros((2, 2, 2 * most + 1, 2 * most + 1), dtype=np.int64)
    order, side_order = tuple(range(game.seats)), tuple(range(game.sides))
    named = () if len(tables.namings) else None
    scratch = np.zeros(4, np.uint64), np.zeros(4, np.int64), np.zeros((2, 2), np.int64)
    for block in range(-(-n // BLOCK)):
        desk = Desk(
            state=np.zeros(4, dtype=np.uint64),
            deck=tables.deck.copy(),
            hand=np.zeros(game.seats, dtype=np.uint64),
            bits=np.zeros(3, dtype=np.uint64),
            out=np.zeros(len(tables.codes), dtype=np.int64),
        )
        deals = min(BLOCK, n - block * BLOCK)
        stream = (np.uint64(seed), np.uint64(block))
        play_deals(
            desk, stream, deals, rounds, order, side_order, moves, tables, named, scratch, counts
        )
    grande, chica, pares, last = np.nonzero(counts)
    stones = np.column_stack((1 - 2 * grande, 1 - 2 * chica, pares - most, last - most))
    least = min(int(own["juego"][own["juego"] > 0].min()), 2)
    punto = np.abs(stones[:, LAST]) < least
    deals_of = counts[grande, chica, pares, last].astype(object)
    return DealStones(game, stones, punto, deals_of, policy.name, n, seed)
