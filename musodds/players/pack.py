"""The pack on the table: shuffled, dealt and drawn from, with the discards beside it."""

from __future__ import annotations

import random
from collections.abc import Sequence

from musodds.rules.cards import CARDS
from musodds.rules.game import Game

Cards = tuple[int, ...]


class Pack:
    """The cards of a deal in the order in which they come.

    Parameters
    ----------
    game : Game
    rng : random.Random
        Shuffles; its state is part of the deal.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> pack = Pack(get_game("mus"), random.Random(1))
    >>> len(pack.deal()), len(pack.stock)
    (4, 36)
    """

    def __init__(self, game: Game, rng: random.Random) -> None:
        kinds = enumerate(game.deck.kinds)
        self.stock = [index for index, kind in kinds for _ in range(kind.copies)]
        self.discards: list[int] = []
        self.renewed = False
        self._rng = rng
        rng.shuffle(self.stock)

    def deal(self) -> Cards:
        """Four cards from the top."""
        return tuple(self.stock.pop() for _ in range(CARDS))

    def draw(self, count: int, thrown: Sequence[int], alone: bool) -> Cards:
        """Cards from the top; from the discards when the stock has run out.

        Parameters
        ----------
        count : int
        thrown : sequence of int
            What the player threw in this round.
        alone : bool
            Whether nobody else still needs cards: then what it threw stays out.
        """
        found = []
        for _ in range(count):
            if not self.stock:
                self._renew(thrown if alone else ())
            found.append(self.stock.pop())
        return tuple(found)

    def _renew(self, aside: Sequence[int]) -> None:
        for card in aside:
            self.discards.remove(card)
        self.stock, self.discards = self.discards, list(aside)
        self._rng.shuffle(self.stock)
        self.renewed = True
