"""The hands that one player does not see, as they are shown at the end, with their weights.

Without jokers a hand is shown as it is dealt; with jokers as its holder names it. What is
read of the others (:mod:`musodds.chances.reading`) is the same sums over either.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from musodds.arrays import Exact, Floats, Ints, Mask
from musodds.errors import GameError, KnowledgeError
from musodds.exact.known_hands import in_order
from musodds.exact.named_pairs import NamedPairs
from musodds.exact.unseen import Unseen
from musodds.knowledge.knowledge import Knowledge
from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.hands import Hands, hands
from musodds.rules.shown import unshown
from musodds.rules.ways import choose

_RIVALS = ("next", "previous")


class Others(Protocol):
    """What the others hold.

    Attributes
    ----------
    game : Game
    seat : int
        From where they are seen.
    rivals : int
    table : Hands
        The hands that are shown; ``first``, ``second`` and ``mine`` are rows of it.
    first, second : ndarray of int64, shape (pairs,)
        The rivals' hands; the same array for one rival.
    mine : ndarray of int64, shape (pairs,) or (1,), or None
        The known hand.
    total : int
        Weight of all deals.
    """

    game: Game
    seat: int
    rivals: int
    table: Hands
    first: Ints
    second: Ints
    mine: Ints | None

    @property
    def total(self) -> int: ...

    def sum(self, chosen: Mask) -> int:
        """Weight of the deals of some of the pairs."""

    def dealt(self) -> dict[str, Exact]:
        """For each player the weight of each hand as dealt, shape (classes,)."""

    def shown(self) -> dict[str, Exact]:
        """For each player the weight of each hand as shown, shape (rows,)."""


def others_of(unseen: Unseen, seat: int) -> Others:
    """What is not seen of some deals from a seat."""
    return _Named(unseen, seat) if unseen.hands.has_jokers else _Plain(unseen, seat)


class _Plain:
    def __init__(self, unseen: Unseen, seat: int) -> None:
        self.game, self.seat, self.rivals = unseen.game, seat, unseen.rivals
        self.table = unseen.hands
        self.first, self.second = unseen.first, unseen.second
        self.mine = np.array([unseen.me]) if unseen.me >= 0 else None
        self.unseen = unseen

    @property
    def total(self) -> int:
        return self.unseen.total

    def sum(self, chosen: Mask) -> int:
        return self.unseen.pair_total(chosen)

    def dealt(self) -> dict[str, Exact]:
        unseen, found = self.unseen, {}
        if self.game.side_size == 2:
            found["partner"] = _by(unseen.mates, unseen.mate_weights, len(self.table))
        for rival, who in enumerate(_RIVALS[: self.rivals]):
            found[who] = unseen.rival_weights(rival)
        return found

    def shown(self) -> dict[str, Exact]:
        return self.dealt()


class _Named(NamedPairs):
    def __init__(self, unseen: Unseen, seat: int) -> None:
        super().__init__(unseen, seat)
        self.game, self.rivals = unseen.game, unseen.rivals
        self.table = unseen.hands.named

    def dealt(self) -> dict[str, Exact]:
        found = {}
        if self.game.side_size == 2:
            found["partner"] = _by(self.mate_class, self.mate_weights, len(self.unseen.hands))
        for who, held in zip(_RIVALS[: self.rivals], (self.first_class, self.second_class),
                             strict=False):  # fmt: skip
            found[who] = _by(held, self.weights, len(self.unseen.hands))
        return found

    def shown(self) -> dict[str, Exact]:
        found = {}
        if self.game.side_size == 2:
            found["partner"] = _by(self.mate, self.mate_weights, len(self.table))
        for who, held in zip(_RIVALS[: self.rivals], (self.first, self.second), strict=False):
            found[who] = _by(held, self.weights, len(self.table))
        return found


def _by(held: Ints, weights: Exact, number: int) -> Exact:
    """Sums of weights by hand, shape (number,)."""
    sums = np.zeros(number, dtype=object)
    np.add.at(sums, held, weights)
    return sums


def without_hand(seat: int, knowledge: Knowledge) -> Iterator[tuple[int, Others]]:
    """What the others hold when no hand is known from a seat, in parts with their weights.

    Raises
    ------
    KnowledgeError
        If no deal is left.
    GameError
        If the hand has to be given in this game.
    """
    knowledge.check_game()
    game, all_hands = knowledge.game, hands(knowledge.game)
    if game.one_suit is not None or (all_hands.has_jokers and game.side_size > 1):
        why = "jokers are named" if all_hands.has_jokers else "suits matter"
        raise GameError(
            f"{why} in {game.name}, so what the others hold is read from a hand: give it"
        )
    order, partners = in_order(seat, knowledge), game.side_size - 1
    mine = knowledge.seat_weights(seat).get(seat)
    if game.exchange:
        mine = unshown(game, mine)
    dead = np.bincount(np.array(knowledge.dead, dtype=np.int64), minlength=len(game.deck.kinds))
    total = 0
    if dead.sum() + CARDS * game.seats > game.deck.size:
        raise KnowledgeError(f"{dead.sum()} dead cards leave too few for {game.seats} players")
    for me, ways in _own(all_hands, mine, choose(game.deck.copies - dead, all_hands.counts)):
        unseen = Unseen(
            game, me, order[0] if partners else None, order[partners:], knowledge.dead,
            knowledge.answers,
        )  # fmt: skip
        if unseen.total:
            others = others_of(unseen, seat)
            total += others.total
            yield ways, others
    if not total:
        known = " and ".join(f"({label})" for label in knowledge.labels)
        raise KnowledgeError(f"no deal fits all that is known: {known}")


def _own(all_hands: Hands, weights: Ints | None, ways: Floats) -> Iterator[tuple[int, int]]:
    """My own hands one by one where it matters which, with their weights; else none (-1)."""
    if weights is None and not all_hands.has_jokers:
        # In every deal to the others mine may be any of the cards left.
        yield -1, 1
        return
    weighted = ways.astype(object) if weights is None else ways.astype(object) * weights
    for me in np.flatnonzero(weighted).tolist():
        yield me, int(weighted[me])
