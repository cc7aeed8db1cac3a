"""Standard errors are neither too small nor too large: told, and seen over many seeds."""

from __future__ import annotations

import numpy as np
import pytest

import musodds as mo
from musodds.chances.simulated_odds import simulate_known
from musodds.knowledge.knowledge import know
from musodds.stakes.losers import encaje_losers as losers
from musodds.strategy.throw_advice import encaje_throw_advice as throw_advice


def _simulated(seed):
    return mo.simulate("mus", n=2048, seed=seed, policy="kings", rounds=1).rows()[0]


def _known(seed):
    found = simulate_known(
        "RR7A", seat=1, knowledge=know(partner="31@0.7 | any@0.1"), n=2048, seed=seed
    )
    return found.rows()[0]


def _discard(seed):
    """The second keep: its difference to the best is paired. No seed finds other keeps first."""
    best, row, *_ = mo.discard("RR65", seat=1, policy="kings", n=1024, seed=seed).rows()
    assert (best["keep"], row["keep"]) == ("RR", "RR6")
    return row


def _throw(seed):
    return throw_advice("RR7A4", game="encaje3-five-cards", seat=1, n=512, seed=seed).rows()[1]


def _losers(seed):
    return losers((3, 2, 4, 3, 2), n=2048, seed=seed, simulate=True).rows()[0]


@pytest.mark.parametrize(
    ("ask", "columns", "seeds"),
    [
        (_simulated, ("win", "best", "stones_for", "net"), 300),
        (_known, ("win", "net"), 300),
        (_discard, ("net", "diff", "win_pares", "mus_gain"), 300),
        (_throw, ("net", "diff", "win_grande"), 120),
        (_losers, ("loser",), 300),
    ],
)
def test_the_spread_over_seeds_is_what_is_told(ask, columns, seeds):
    """Within 15 percent, which is 3.7 standard errors of such a spread with 300 seeds."""
    rows = [ask(seed) for seed in range(1, seeds + 1)]
    for column in columns:
        values, told = (np.array([row[name] for row in rows]) for name in (column, f"{column}_se"))
        assert 0.85 < values.std(ddof=1) / np.sqrt((told**2).mean()) < 1.15, column
