"""Whole deals played out by the rules of `score`, both sides saying what a solved strategy says."""

from __future__ import annotations

import random
from functools import cached_property

import numpy as np

from musodds.playing.mus_deal import Deal
from musodds.rules.hands import hands
from musodds.solver.betting import Betting
from musodds.solver.tree import CHANCE
from musodds.stakes.equity import exact_equity

WORDS = {(1, 1): "both", (0, 0): "neither", (1, 0): "first", (0, 1): "second"}


class Played:
    """A solved deal of two players, dealt and played again and again.

    Parameters
    ----------
    solved : Betting
    seed : int
    """

    def __init__(self, solved: Betting, seed: int) -> None:
        self.solved, self.rng, self.game = solved, random.Random(seed), solved.spec.game
        self.known, self.equity = hands(self.game), exact_equity(self.game)
        copies = self.game.deck.copies
        self.deck = [kind for kind, number in enumerate(copies) for _ in range(number)]
        self.index = {cards: i for i, cards in enumerate(self.known.cards)}
        self.place = {int(c): i for i, c in enumerate(solved.spec.types.hand)}
        self._at: dict[int, tuple[list[str], np.ndarray]] = {}

    @cached_property
    def options(self) -> list[dict[str, int]]:
        """The children of every node."""
        return [self.solved.tree.options(node) for node in range(len(self.solved.tree.kind))]

    def says(self, node: int, held: int) -> str:
        """A word, drawn by the strategy of who speaks."""
        if node not in self._at:
            self._at[node] = list(self.options[node]), self.solved.at(node)[0].cumsum(axis=0)
        words, chances = self._at[node]
        low = self.solved.tree.low[node, self.solved.side_of(node)]
        upto, drawn = chances[:, held - low].tolist(), self.rng.random()
        return next((w for w, c in zip(words, upto, strict=True) if drawn < c), words[-1])

    def deal(self) -> float:
        """One deal: 1 if mano has won the game, 0 if the other, else the chance."""
        cards = self.rng.sample(self.deck, 8)
        dealt = [self.index[tuple(sorted(some))] for some in (cards[:4], cards[4:])]
        texts, score = [self.known.texts[i] for i in dealt], self.solved.spec.score
        deal = Deal.start(self.game, texts, score, mus=False)
        tree, node = self.solved.tree, 0
        while not deal.over:
            if tree.kind[node] == CHANCE:
                first, second = map(int, deal.declares(tree.phase[node]))
                node = self.options[node][WORDS[first, second]]
                continue
            side = self.solved.side_of(node)
            assert deal.turn == (side + 1,)
            word = self.says(node, self.place[dealt[side]])
            deal, node = deal.act(word), self.options[node][word]
        # Where no betting is left the deal runs on to its end by itself.
        assert node in tree.ends or tree.kind[node] == CHANCE
        result = deal.result
        if result.winner is not None:
            return float(result.winner == 0)
        return 1 - self.equity.chance(result.score[1], result.score[0])


def mean_of(played: Played, deals: int) -> tuple[float, float]:
    """What so many deals come to, and the standard error."""
    found = [played.deal() for _ in range(deals)]
    return float(np.mean(found)), float(np.std(found)) / deals**0.5
