"""What the tables that come with the package say, where one more sample cannot tell.

Some hands are worth the same with mus as without, as far as tens of thousands of deals show. Asked
with other deals the sign of the difference would be another each time; so there the answer is that
of the table (:mod:`musodds.report.tables.throws`), and it is said that the two are not told apart.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from musodds.rules.hands import hands
from musodds.simulation.policies import Policy
from musodds.store.numbers import path, shipped_several
from musodds.strategy.advice import SeatAdvice


def answers_path(policy: Policy) -> Path:
    """Where the answers to a policy are kept: named after rules and policy.

    Examples
    --------
    >>> from musodds.simulation.named_policies import get_policy
    >>> [answers_path(get_policy(name)).is_file() for name in ("best", "kings")]
    [True, False]
    """
    return path("best_keeps", policy.game, f"-{policy.digest[:12]}-best.npz")


def leaning(advice: SeatAdvice, policy: Policy, index: int) -> SeatAdvice:
    """The advice, with what the table says where mus and cut are not told apart.

    Parameters
    ----------
    advice : SeatAdvice
    policy : Policy
        What all others play.
    index : int
        The class of the hand.
    """
    if advice.say is None or advice.say_is_sure:
        return advice
    shape = policy.game.seats, len(hands(policy.game))
    stored = shipped_several(answers_path(policy), {"gain": (shape, np.float64)})
    if stored is None:
        return advice
    return replace(advice, lean="mus" if stored["gain"][advice.seat - 1, index] > 0 else "cut")
