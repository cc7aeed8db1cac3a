"""Games of two players played out, deal by deal, with solved strategies: dealt and counted here."""

from collections.abc import Mapping

import numpy as np

from musodds.rules.game import PHASES
from musodds.rules.hands import hands
from musodds.rules.showdown import REFUSED, SEEN
from musodds.solver.betting import Betting
from musodds.solver.tree import CHANCE, FIRST, LEAF, End

Score = tuple[int, int]


class Table:
    """A table at which deals are solved."""

    def __init__(self, solved: Mapping[Score, Betting], seed: int) -> None:
        self.solved = solved
        self.rng = np.random.default_rng(seed)
        self.game = next(iter(solved.values())).spec.game
        self.known = hands(self.game)
        self.place = {}
        types = next(iter(solved.values())).spec.types.hand
        for type_, index in enumerate(types.tolist()):
            self.place[index] = type_
        deck = np.repeat(np.arange(len(self.game.deck.copies)), self.game.deck.copies)
        self.deck = deck
        self.index = {tuple(row): i for i, row in enumerate(self.known.counts.tolist())}

    def deal(self) -> tuple[int, int]:
        cards = self.rng.permutation(self.deck)[:8]
        return self._class(cards[:4]), self._class(cards[4:])

    def _class(self, cards: np.ndarray) -> int:
        return self.index[tuple(np.bincount(cards, minlength=len(self.game.deck.copies)).tolist())]

    def play_deal(self, score: Score) -> tuple[Score, int | None]:
        """The score after a deal, and who has won the game by it."""
        solved, both = self.solved[score], self.deal()
        tree, node = solved.tree, 0
        while tree.kind[node] != LEAF:
            options = tree.options(node)
            if tree.kind[node] == CHANCE:
                node = options[self._declared(tree.phase[node], both, options)]
                continue
            side = int(tree.kind[node]) - FIRST
            low = int(tree.low[node, side])
            chances = solved.at(node)[0][:, self.place[both[side]] - low]
            node = list(options.values())[int(self.rng.choice(len(chances), p=chances))]
        return self._end(tree.ends[node], both, score)

    def _declared(self, phase: str, both: tuple[int, int], options: Mapping[str, int]) -> str:
        first, second = (bool(self.known.level[phase][index] > 0) for index in both)
        if first and second:
            return "both"
        if not first and not second:
            return "neither"
        return "first" if first else "second"

    def _takes(self, phase: str, both: tuple[int, int]) -> int:
        level = self.known.level[phase]
        return int(level[both[1]] > level[both[0]])

    def _end(self, end: End, both: tuple[int, int], score: Score) -> tuple[Score, int | None]:
        if end.how == "won":
            return score, end.side
        if end.how == "ordago":
            return score, self._takes(end.phase, both)
        now = [score[0] + end.gained[0], score[1] + end.gained[1]]
        said = {ending.phase: ending for ending in end.endings}
        for phase in PHASES:
            side, stones = self._counted(phase, both, said.get(phase))
            now[side] += stones
            if now[side] >= self.game.target:
                return score, side
        return (now[0], now[1]), None

    def _counted(self, phase: str, both: tuple[int, int], said: object) -> tuple[int, int]:
        """Who scores at the showdown, and how much: by the page of rules."""
        how, bet = getattr(said, "how", ""), getattr(said, "stones", 0)
        side = self._takes(phase, both)
        if how == REFUSED:
            if phase in ("grande", "chica"):
                return 0, 0
            side, bet = int(said.side), 0  # type: ignore[attr-defined]
        own = self.known.stones
        juego = [int(own["juego"][index]) for index in both]
        if phase in ("grande", "chica"):
            return side, bet if how == SEEN else 1
        if phase == "punto":
            return (side, 1 + (bet if how == SEEN else 0)) if not any(juego) else (0, 0)
        have = [int(own[phase][index]) for index in both]
        if not any(have):
            return 0, 0
        return side, have[side] + (bet if how == SEEN else 0)

    def play_game(self, score: Score) -> int:
        """Who wins: 0, the side that is mano at first, or 1."""
        turned = 0
        while True:
            score, winner = self.play_deal(score)
            if winner is not None:
                return winner ^ turned
            score, turned = (score[1], score[0]), 1 - turned
