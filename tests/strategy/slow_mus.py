"""Deals with one round of mus, dealt and played in plain numpy, from the rules.

An independent simulation: no kernel of the package, one shuffle for every deal.
"""

from __future__ import annotations

import numpy as np

from musodds.rules.hands import hands
from musodds.simulation.policies import Policy


class SlowMus:
    """Deals in which one seat holds a hand and all others say mus.

    Parameters
    ----------
    policy : Policy
        Of a game of two sides.
    seat : int
    hand : str
    deals : int
        In all.
    seed : int
    """

    def __init__(self, policy: Policy, seat: int, hand: str, deals: int, seed: int = 1) -> None:
        self.policy, self.seat = policy, seat
        self.table = hands(policy.game)
        self.index = self.table.index(hand)
        game, counts = policy.game, self.table.counts
        kinds = np.arange(counts.shape[1])
        self.base = 5**kinds
        keys = counts @ self.base
        self.order = np.argsort(keys)
        self.keys = keys[self.order]
        stock = np.repeat(kinds, game.deck.copies - counts[self.index])
        rng = np.random.default_rng(seed)
        shuffled = stock[np.argsort(rng.random((deals, len(stock))), axis=1)]
        self.others = [s for s in range(1, game.seats + 1) if s != seat]
        held = {
            s: self._classes(
                np.zeros((deals, len(kinds)), np.int64), shuffled[:, 4 * i : 4 * i + 4]
            )
            for i, s in enumerate(self.others)
        }
        agreed = np.ones(deals, dtype=bool)
        for s, classes in held.items():
            agreed &= ~policy.cut[s - 1, classes]
        self.share = agreed.mean()
        self.held = {s: classes[agreed] for s, classes in held.items()}
        self.stock = shuffled[agreed, 4 * len(self.others) :]

    def _classes(self, kept: np.ndarray, drawn: np.ndarray) -> np.ndarray:
        """The classes of hands of which some cards are counted and some stand in a row."""
        keys = kept @ self.base + self.base[drawn].sum(axis=1)
        return self.order[np.searchsorted(self.keys, keys)]

    def _draw(self, keep: np.ndarray, place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What hands become that keep those cards, and where the stock then begins."""
        wants = 4 - keep.sum(axis=1)
        keys = keep @ self.base
        rows = np.arange(len(keep))
        for card in range(4):
            at = np.minimum(place + card, self.stock.shape[1] - 1)
            keys = keys + np.where(card < wants, self.base[self.stock[rows, at]], 0)
        assert (place + wants <= self.stock.shape[1]).all()
        return self.order[np.searchsorted(self.keys, keys)], place + wants

    def nets(self, keep: str) -> np.ndarray:
        """My side's net in every deal with mus if I keep those cards.

        The others draw from the top and I after them: the stock is in random order.
        """
        final, place = {}, np.zeros(len(self.stock), dtype=np.int64)
        for s in self.others:
            kept = self.policy.keep[s - 1, self.held[s]].astype(np.int64)
            final[s], place = self._draw(kept, place)
        cards = self.policy.game.deck.parse(keep)
        mine = np.bincount(cards, minlength=len(self.base))
        final[self.seat], _ = self._draw(np.tile(mine, (len(place), 1)), place)
        return self._net(final)

    def as_dealt(self) -> np.ndarray:
        """The same if the cards are played as dealt."""
        mine = np.full(len(self.stock), self.index)
        return self._net({**self.held, self.seat: mine})

    def thrown(self, seat: int) -> np.ndarray:
        """How many cards another seat throws."""
        return 4 - self.policy.keep[seat - 1, self.held[seat]].sum(axis=1)

    def _net(self, final: dict[int, np.ndarray]) -> np.ndarray:
        """Stones of my side less those of the other, en paso."""
        seats = sorted(final)
        total = np.zeros(len(final[self.seat]), dtype=np.int64)
        mine = (self.seat - 1) % 2
        somebody = np.zeros(len(total), dtype=bool)
        for phase in ("grande", "chica", "pares", "juego", "punto"):
            levels = np.stack([self.table.level[phase][final[s]] for s in seats])
            winner = levels.argmax(axis=0) % 2
            played = levels.max(axis=0) > 0
            stones = np.ones(len(total), dtype=np.int64)
            if phase in ("pares", "juego"):
                own = np.stack([self.table.stones[phase][final[s]] for s in seats])
                stones = np.where(winner == 0, own[0::2].sum(axis=0), own[1::2].sum(axis=0))
            if phase == "juego":
                somebody = played
            if phase == "punto":
                played = ~somebody
            total += np.where(played, np.where(winner == mine, stones, -stones), 0)
        return total
