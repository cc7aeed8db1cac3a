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
from musodds.rules.hands import hands
from musodds.rules.ways import choose
from musodds.simulation.known_deals import Known

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
    for i, keep in enumerate(keeps):
        reached = np.flatnonzero((table.counts >= keep).all(axis=1))
        ways = choose(rest[:, None, :], table.counts[reached] - keep).astype(np.float64)
        each = ways @ has[reached] / ways.sum(axis=1, keepdims=True)
        means[i] = often @ each
        errors[i] = np.sqrt(often @ (each - means[i]) ** 2 / (DEALS - 1))
    return means, errors
