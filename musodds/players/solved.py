"""A solved strategy at the table: its mixed answers, for the sizes that it knows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from musodds.errors import InputError
from musodds.players.built_in import PolicyPlayer, Same, by_the_odds, cards_policy
from musodds.players.view import View
from musodds.playing.actions import ENVIDO, NO_QUIERO, PASO, RAISE, Action, read_action
from musodds.rules.game import PHASES
from musodds.rules.hands import hands
from musodds.solver.betting import Betting
from musodds.solver.each_solution import EachSolution
from musodds.solver.game import DEAL
from musodds.solver.lines import two_voices
from musodds.solver.tree import CHANCE, FIRST, LEAF, PATTERNS, SECOND, Tree


@dataclass(frozen=True)
class SolvedPlayer(Same):
    """Speaks as a solved strategy does; mus and discards are those of a policy.

    It is the strategy of one score and of the hands as dealt, played at every score and
    after every discard. A bet of a size that was not solved is taken for the nearest that
    was. Where the strategy says nothing (another phase, a line that it does not have, a hand
    that takes no part) it speaks as :class:`musodds.players.built_in.PolicyPlayer` does, and
    so does a partner of the one who speaks for the side, who passes instead of betting.

    Parameters
    ----------
    strategy : Betting
    """

    strategy: Betting

    @property
    def name(self) -> str:
        return f"solved {self.strategy.spec.what}"

    @cached_property
    def _cards(self) -> PolicyPlayer:
        return PolicyPlayer(cards_policy(self.strategy.spec.game))

    def say(self, view: View) -> str:
        return self._cards.say(view)

    def throw(self, view: View) -> str:
        return self._cards.throw(view)

    def speak(self, view: View) -> Action | None:
        side = (view.seat - 1) % 2
        if view.seat != self.strategy.spec.speakers[side]:
            return by_the_odds(view) if view.seen else Action(PASO)
        return self._solved(view, side) or by_the_odds(view)

    def _solved(self, view: View, side: int) -> Action | None:
        solved = self.strategy
        node = find(solved.tree, solved.spec.what, view)
        if node is None or solved.side_of(node) != side:
            return None
        place = np.flatnonzero(solved.classes(node, side) == hands(view.game).index(view.hand))
        if not len(place):
            return None
        chances = solved.at(node)[0][:, place[0]]
        words = list(solved.tree.options(node))
        word = view.random().choices(words, chances.tolist())[0]
        action = read_action(word)
        return action if any(option.allows(action) for option in view.legal) else None


@dataclass(frozen=True)
class EachPlayer(Same):
    """The same for a phase in which every player was solved to speak for himself.

    Who leaves the answer to his partner does so here too.

    Parameters
    ----------
    strategy : EachSolution
    """

    strategy: EachSolution

    @property
    def name(self) -> str:
        return f"solved {self.strategy.phase}, each"

    @cached_property
    def _cards(self) -> PolicyPlayer:
        return PolicyPlayer(cards_policy(self.strategy.game))

    def say(self, view: View) -> str:
        return self._cards.say(view)

    def throw(self, view: View) -> str:
        return self._cards.throw(view)

    def speak(self, view: View) -> Action | None:
        chances = self._chances(view) if view.stage == self.strategy.phase else {}
        if not chances:
            return by_the_odds(view)
        word = view.random().choices(list(chances), list(chances.values()))[0]
        action = read_action(word)
        if view.seen and action.word == PASO:
            return None if view.may_leave else Action(NO_QUIERO)
        return action if any(option.allows(action) for option in view.legal) else by_the_odds(view)

    def _chances(self, view: View) -> dict[str, float]:
        """How often it says what; empty where the strategy does not say."""
        tree = self.strategy.tree
        answers = view.declared.get(view.stage, ())
        able = tuple(seat for seat, has in enumerate(answers, start=1) if has) or None
        line: list[str] = []
        said = [(one.seat, one.text) for one in view.said if one.stage == view.stage]
        try:
            for seat, text in [*said, (view.seat, "")]:
                while (point := tree.points[tree.point(line, able)]).seat != seat:
                    line.append(PASO)  # who left the answer to his partner
                if text:
                    line.append(_closest(point.actions, text))
            return self.strategy.frequencies(view.hand, line, able)
        except InputError:
            return {}


def find(tree: Tree, what: str, view: View) -> int | None:
    """The point of a strategy's tree where a view stands; None if it has none."""
    phases = PHASES if what == DEAL else (what,)
    if view.stage not in phases:
        return None
    node: int | None = 0
    for phase in phases[: phases.index(view.stage) + 1]:
        node = _enter(tree, node, phase, view)
        said = [(line.seat, line.text) for line in view.said if line.stage == phase]
        now = phase == view.stage
        for text in two_voices(said, now, (view.seat - 1) % 2):
            if node is None or tree.kind[node] in (LEAF, CHANCE):
                return None
            node = _nearest(tree.options(node), text)
    return node if node is not None and tree.kind[node] in (FIRST, SECOND) else None


def _enter(tree: Tree, node: int | None, phase: str, view: View) -> int | None:
    """The point after the declarations, where there are some before a phase."""
    if node is None or tree.kind[node] != CHANCE or tree.phase[node] != phase:
        return node
    answers = view.declared.get(phase)
    if answers is None:
        return None
    both = (any(answers[0::2]), any(answers[1::2]))
    word = next(name for name, sides in PATTERNS.items() if sides == both)
    options = tree.options(node)
    return options.get(word, options.get("one"))


def _nearest(options: dict[str, int], text: str) -> int | None:
    """What follows a word, or the closest to it that is there."""
    return options.get(_closest(tuple(options), text))


def _closest(words: Sequence[str], text: str) -> str:
    """Of bets whose size is not there, the nearest by ratio; else the word itself.

    Examples
    --------
    >>> _closest(["paso", "envido 2", "envido 5", "órdago"], "envido 3")
    'envido 2'
    """
    action = read_action(text)
    same = [word for word in words if word.partition(" ")[0] == action.word]
    if text in words or action.word not in (ENVIDO, RAISE) or not same:
        return text
    return min(same, key=lambda word: abs(math.log(read_action(word).stones / action.stones)))
