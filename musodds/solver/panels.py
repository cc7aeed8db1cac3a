"""A point of a solved game hand by hand: who speaks, what is said, and the other side of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from musodds.arrays import Floats, Ints
from musodds.errors import InputError
from musodds.playing.actions import PASO, QUIERO
from musodds.rules.hands import hands
from musodds.solver.betting import Betting
from musodds.solver.each_solution import EachSolution
from musodds.solver.here import is_bet
from musodds.solver.lines import follow
from musodds.solver.tree import CHANCE

ELSE = "anything else"

_EN_PASO = "en paso"


class Panel(NamedTuple):
    """What is said at one point, by every hand that may speak there.

    Attributes
    ----------
    who : str
        ``mano`` or ``other``: a side; where all players speak ``seat 1`` ...
    phase : str
    line : str
        What was said before, as records write it.
    offer : tuple of str
        What may be said there.
    words : tuple of str
        The same; or one of them and :data:`ELSE`, where the question is who said it.
    chances : ndarray of float64, shape (classes, words)
        How often each hand says each; NaN for hands that do not speak there.
    reach : ndarray of float64, shape (classes,)
        How often each hand says what leads there.
    """

    who: str
    phase: str
    line: str
    offer: tuple[str, ...]
    words: tuple[str, ...]
    chances: Floats
    reach: Floats

    @property
    def answers(self) -> bool:
        """Whether a bet is waiting."""
        return QUIERO in self.offer

    @property
    def last(self) -> str:
        """What was said last in this phase; nothing if the panel opens it."""
        piece = self.line.rpartition("; ")[2]
        name, _, words = piece.partition(": ")
        return words.rpartition(", ")[2] if name == self.phase else ""

    def share(self, ways: Ints, words: Iterable[str]) -> float:
        """How often one of some words is said, over the hands that come there."""
        weight = np.where(np.isnan(self.chances[:, 0]), 0, ways * self.reach)
        said = sum(np.nan_to_num(self.chances[:, self.words.index(word)]) for word in words)
        return float(weight @ said / weight.sum()) if weight.any() else float("nan")


def panels(
    solved: Betting | EachSolution,
    line: str | Iterable[str] = "",
    able: Sequence[int] | None = None,
) -> tuple[Panel, ...]:
    """What every hand says after a line, and the other side of it.

    Where a bet is answered the other side is who says that bet, of all hands, bluffs and
    all; where nobody has bet, the answer to the bet that is said most often there.

    Parameters
    ----------
    solved : Betting or EachSolution
    line : str or sequence of str, optional
    able : sequence of int, optional
        In the model *each*: the seats that have pares (juego).

    Returns
    -------
    tuple of Panel
        Two; or one, where no bet is on offer.

    Raises
    ------
    InputError
        If the line cannot be followed, or the model has no `able`.
    """
    view = _Each(solved, able) if isinstance(solved, EachSolution) else _Sides(solved, able)
    place = view.find(line)
    here = view.panel(place)
    if here.answers:
        before, bet = view.parent(place, here)
        return here, _who_says(view.panel(before), bet)
    bets = [word for word in here.words if is_bet(word)]
    if not bets:
        return (here,)
    ways = hands(view.game).ways
    most = max(bets, key=lambda bet: here.share(ways, [bet]))
    return here, view.panel(view.child(place, most))


def _who_says(before: Panel, bet: str) -> Panel:
    """Of all hands: those that do not come there say something else too."""
    chance = before.reach * before.chances[:, before.words.index(bet)]
    both = np.stack([chance, 1 - chance], axis=1)
    return before._replace(words=(bet, ELSE), chances=both, reach=np.ones(len(both)))


class _Sides:
    """Points of a game in which each side has one voice."""

    def __init__(self, solved: Betting, able: Sequence[int] | None) -> None:
        if able is not None:
            raise InputError(
                f"able {','.join(map(str, able))!r}: only with a strategy of the model each"
            )
        self.solved, self.game = solved, solved.spec.game

    def find(self, line: str | Iterable[str]) -> int:
        return follow(self.solved.tree, line)

    def child(self, node: int, word: str) -> int:
        return self.solved.tree.options(node)[word]

    def parent(self, node: int, here: Panel) -> tuple[int, str]:
        place, _, word = self._path(node)[-1]
        return place, word

    def panel(self, node: int) -> Panel:
        solved, tree = self.solved, self.solved.tree
        side = solved.side_of(node)
        chances, _ = solved.at(node)
        found = np.full((len(hands(self.game)), len(chances)), np.nan)
        found[solved.classes(node, side)] = chances.T
        words = tuple(tree.options(node))
        return Panel(
            ("mano", "other")[side], tree.phase[node], self._line(node), words, words, found,
            solved.reach(node, side),
        )  # fmt: skip

    def _path(self, node: int) -> list[tuple[int, str, str]]:
        """Place, phase and word of each step from the root to a node."""
        tree, place = self.solved.tree, 0
        found = []
        while place != node:
            word, child = max(
                (one for one in tree.options(place).items() if one[1] <= node),
                key=lambda one: one[1],
            )
            found.append((place, tree.phase[place], word))
            place = child
        return found

    def _line(self, node: int) -> str:
        tree = self.solved.tree
        # That both sides take part goes without saying: the words that follow show it.
        steps = [
            (phase, word)
            for place, phase, word in self._path(node)
            if tree.kind[place] != CHANCE or word != "both"
        ]
        # Punto says that nobody has juego.
        if any(phase == "punto" for phase, _ in steps):
            steps = [step for step in steps if step[0] != "juego"]
        pieces = []
        for phase, group in groupby(steps, key=lambda step: step[0]):
            words = [word for _, word in group]
            pieces.append(f"{phase}: {_EN_PASO if words == [PASO, PASO] else ', '.join(words)}")
        return "; ".join(pieces)


class _Each:
    """Points of a phase in which every player speaks."""

    def __init__(self, solved: EachSolution, able: Sequence[int] | None) -> None:
        self.solved, self.game, self.able = solved, solved.game, able

    def find(self, line: str | Iterable[str]) -> int:
        return self.solved.tree.point(words_in(self.solved.phase, line), self.able)

    def child(self, at: int, word: str) -> int:
        point = self.solved.tree.points[at]
        return point.children[point.actions.index(word)]

    def parent(self, at: int, here: Panel) -> tuple[int, str]:
        line = self.solved.tree.points[at].line
        # Who passes leaves the answer to his partner: the bet stands before that.
        last = max(i for i, word in enumerate(line) if is_bet(word))
        return self.solved.tree.point(line[:last], self.able), line[last]

    def panel(self, at: int) -> Panel:
        solved, point = self.solved, self.solved.tree.points[at]
        known = hands(self.game)
        found = np.full((len(known), len(point.actions)), np.nan)
        speak = known.level[solved.phase] > 0
        said = solved.strategy[point.seat - 1, :, point.slot : point.slot + len(point.actions)]
        found[speak] = said[speak]
        line = f"{solved.phase}: {', '.join(point.line)}" if point.line else ""
        return Panel(
            f"seat {point.seat}", solved.phase, line, point.actions, point.actions, found,
            np.where(speak, self._reach(point.seat, point.line), 0.0),
        )  # fmt: skip

    def _reach(self, seat: int, line: tuple[str, ...]) -> Floats:
        found = np.ones(len(hands(self.game)))
        for i, word in enumerate(line):
            point = self.solved.tree.points[self.solved.tree.point(line[:i], self.able)]
            if point.seat == seat:
                slot = point.slot + point.actions.index(word)
                found = found * self.solved.strategy[seat - 1, :, slot]
        return found


def words_in(phase: str, line: str | Iterable[str]) -> list[str]:
    """The words of a line of one phase.

    Raises
    ------
    InputError
        If it is of another phase.

    Examples
    --------
    >>> words_in("pares", "pares: paso, envido 2")
    ['paso', 'envido 2']
    """
    text = line if isinstance(line, str) else ";".join(line)
    words: list[str] = []
    for piece in filter(None, map(str.strip, text.replace("\n", ";").split(";"))):
        name, colon, said = piece.rpartition(":")
        if colon and name.strip().lower() != phase:
            raise InputError(f"line {piece!r}: this is a strategy of {phase} alone")
        words += filter(None, map(str.strip, said.split(",")))
    return words
