"""How often the others all say mus, and what it tells of their hands when they do.

Mus has to be agreed: what is thrown matters only where everybody has said mus, and there
the others hold hands with which their policy says it. With three others at most that is
knowledge like any other (a range for each), so deals in which mus is agreed are drawn
without rejection (:mod:`musodds.simulation.conditional_deals`), however rare they are, and
their chance is counted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from musodds.errors import KnowledgeError
from musodds.knowledge.knowledge import Knowledge, Piece
from musodds.knowledge.range import Range
from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.rules.ways import choose, deals
from musodds.simulation.known_deals import known_deals
from musodds.simulation.policies import Policy

_MOST_OTHERS = 3
"""Of more, the deals that fit are not drawn exactly."""


@dataclass(frozen=True, eq=False)
class Agreed:
    """The deals in which all others say mus.

    Attributes
    ----------
    chance : float
        Among all deals that fit what is known.
    knowledge : Knowledge or None
        What is known, and that they say mus; of no use where the chance is 0.
    """

    chance: float
    knowledge: Knowledge | None


def is_counted(game: Game) -> bool:
    """Whether the others are few enough for :func:`agreed`."""
    return game.seats <= _MOST_OTHERS + 1


def may_cut(policy: Policy, seat: int) -> bool:
    """Whether any other seat ever cuts: in mus visto nobody is asked."""
    others = [s - 1 for s in range(1, policy.game.seats + 1) if s != seat]
    return not policy.game.visto and bool(policy.cut[others].any())


def agreed(policy: Policy, index: int, seat: int, knowledge: Knowledge | None = None) -> Agreed:
    """The deals in which all others say mus, if a seat holds a hand.

    Parameters
    ----------
    policy : Policy
    index : int
        The class of the hand.
    seat : int
    knowledge : Knowledge, optional
        What else is known of the hands as dealt.

    Examples
    --------
    >>> from musodds.simulation.named_policies import get_policy
    >>> agreed(get_policy("kings"), 0, 1).chance, agreed(get_policy("none"), 0, 1).chance
    (1.0, 0.0)
    """
    game = policy.game
    known = knowledge or Knowledge(game)
    others = [s for s in range(1, game.seats + 1) if s != seat]

    def also(text: str, cut: np.ndarray) -> Knowledge:
        pieces = [
            Piece(f"seat {s} {text}", s, Range(game, text, (~cut[s - 1]).astype(np.int64)))
            for s in others
        ]
        return Knowledge(game, (*known.pieces, *pieces), known.dead)

    saying = also("says mus", policy.cut)
    if cutters(policy, index, seat, knowledge):
        return Agreed(0.0, saying)
    try:
        some = known_deals(saying, index, seat, mus=True)
    except KnowledgeError:
        return Agreed(0.0, saying)
    if known or game.exchange:
        every = known_deals(also("plays", np.zeros_like(policy.cut)), index, seat, mus=True).total
    else:
        mine = float(choose(game.deck.copies, hands(game).counts[index]))
        every = mine * deals(game.deck.size - CARDS, len(others))
    # Counted in floating point: always is 1.
    return Agreed(min(some.total / every, 1.0), saying)


def cutters(
    policy: Policy, index: int, seat: int, knowledge: Knowledge | None = None
) -> tuple[int, ...]:
    """The other seats that cut with all that they may hold, in speaking order."""
    game = policy.game
    if game.visto:
        return ()
    table = hands(game)
    dead = knowledge.dead if knowledge else ()
    left = game.deck.copies - table.counts[index]
    left = left - np.bincount(np.array(dead, dtype=np.int64), minlength=len(left))
    held = choose(left, table.counts) > 0
    weights = knowledge.weights(seat) if knowledge else {}
    found = []
    for other in range(1, game.seats + 1):
        may = held & (weights[other] > 0) if other in weights else held
        if other != seat and policy.cut[other - 1][may].all():
            found.append(other)
    return tuple(found)
