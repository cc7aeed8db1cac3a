"""What is held after a draw, given what is known of the others' hands.

With nothing known every unseen card is as likely to be drawn as any other
(:mod:`musodds.exact.draws.draws`). Ranges change that: rivals with a juego hold kings that are then
not in the stock. Who else draws, and what, does not matter, as the stock is in random
order; so given the hands that are known the chances are exact, and only these hands are
sampled.
"""

from __future__ import annotations

import numpy as np

from musodds.arrays import Floats, Ints
from musodds.exact.draws.draws import CHANCES, plays
from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.simulation.known_deals import Known
from musodds.strategy.keep_tables import pack_keeps, rows_of

DEALS = 2048


def chances_after(known: Known, keeps: Ints, seed: int, block: int) -> tuple[Floats, Floats]:
    """Chances of the plays :data:`musodds.exact.draws.draws.CHANCES` after each keep and a draw.

    Parameters
    ----------
    known : Known
        With the hand that is thrown from.
    keeps : ndarray of int64, shape (keeps, kinds)
    seed, block : int
        The stream.

    Returns
    -------
    chances, errors : ndarray of float64, shape (keeps, plays)
        Means over :data:`DEALS` deals, and their standard errors.
    """
    table = hands(known.game)
    dealt, _ = known.draw(seed, block, DEALS)
    shown = dealt >= 0
    held = (table.counts[dealt] * shown[:, :, None]).sum(axis=1)
    rest, which = np.unique(
        known.game.deck.copies - known.dead_counts - held, axis=0, return_inverse=True
    )
    often = np.bincount(which.ravel(), minlength=len(rest)) / DEALS
    has = np.stack([plays(table)[play] for play in CHANCES], axis=1).astype(np.float64)
    means, errors = np.empty((2, len(keeps), len(CHANCES)))
    packed, chance = pack_keeps(known.game), _chances_of_draws(known.game, rest)
    for i, row in enumerate(rows_of(packed, known.game, keeps)):
        pairs = slice(packed.pair_start[row], packed.pair_start[row + 1])
        each = chance[packed.pair_drawn[pairs]].T @ has[packed.pair_class[pairs]]
        means[i] = often @ each
        errors[i] = np.sqrt(often @ (each - means[i]) ** 2 / (DEALS - 1))
    return means, errors


def _chances_of_draws(game: Game, rest: Ints) -> Floats:
    """The chance of every draw of :class:`Keeps` from cards that are left, (draws, rows)."""
    packed = pack_keeps(game)
    chance = np.ones((len(packed.parent), len(rest)))
    for d in range(1, len(chance)):
        left, number = rest[:, packed.kind[d]], packed.number[d]
        chance[d] = chance[packed.parent[d]] * ((left - number + 1) / number)
    total, all_draws = rest.sum(axis=1), np.ones(len(rest))
    for size in range(1, CARDS + 1):
        all_draws = all_draws * (total - size + 1) / size
        chance[packed.size_start[size] : packed.size_start[size + 1]] /= all_draws
    return chance
