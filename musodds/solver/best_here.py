"""What a hand may do in a solved game between two speakers, and what it is worth: exact.

The rivals play on as solved; the hand plays on as well as can be against that, whatever
its own strategy would do where it never comes. All pairs of the speakers' hands are
counted (:mod:`musodds.solver.pairs`), so nothing is sampled.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from musodds.arrays import Floats, Mask
from musodds.errors import InputError
from musodds.playing.actions import NO_QUIERO, QUIERO
from musodds.rules.hands import hands
from musodds.solver.betting import Betting
from musodds.solver.game import DEAL
from musodds.solver.here import Answers, Here, is_bet
from musodds.solver.lines import follow
from musodds.solver.pairs import parts_of, table_of, within
from musodds.solver.tree import CHANCE, FIRST, LEAF, Part


@lru_cache(maxsize=256)
def best_here(solved: Betting, hand: int, side: int, line: str) -> Here:
    """What a side's speaker may say with a hand after a line.

    Parameters
    ----------
    solved : Betting
    hand : int
        Its class.
    side : int
        0: mano's.
    line : str
        See :func:`musodds.solver.lines.follow`.

    Raises
    ------
    InputError
        If it is not that side's turn there, the hand cannot be there, or the others
        never say that line.
    """
    node = follow(solved.tree, line)
    said = line or "nothing said yet"
    if solved.side_of(node) != side:
        raise InputError(f"line {said!r}: it is the rivals' turn there, not yours")
    place = np.flatnonzero(solved.classes(node, side) == hand)
    text = hands(solved.spec.game).texts[hand]
    if not len(place):
        raise InputError(f"hand {text}: it does not speak after {said!r}")
    reach = solved.reach(node, 1 - side)
    row = _row(solved, hand, side)
    mass = row.mass(solved.tree.parts[node])
    total = float(reach @ mass)
    if not total > 0:
        raise InputError(
            f"line {said!r}: the solved rivals never say that while you hold {text}, so what they "
            "hold is not known; ask without --solved, with a range of your own"
        )
    options = solved.tree.options(node)
    worths = np.array([row.value(child, reach) for child in options.values()]) / total
    answers = tuple(
        _answers(solved, child, reach * mass) if is_bet(word) else None
        for word, child in options.items()
    )
    chances = solved.at(node)[0][:, place[0]]
    rival = solved.spec.speakers[1 - side]
    return Here(
        tuple(options), chances, worths, np.zeros(len(options)), answers, {rival: reach}
    )  # fmt: skip


def _answers(solved: Betting, node: int, weight: Floats) -> Answers:
    """How the rivals answer there; ``weight``: how likely each of their hands is."""
    of_type = weight[solved.classes(node, solved.side_of(node))]
    chances = solved.at(node)[0] @ of_type / of_type.sum()
    found = dict(zip(solved.tree.options(node), map(float, chances), strict=True))
    folded, seen = found.pop(NO_QUIERO), found.pop(QUIERO)
    return Answers(folded, seen, sum(found.values()))


@lru_cache(maxsize=32)
def _row(solved: Betting, hand: int, side: int) -> _Row:
    return _Row(solved, hand, side)


@dataclass(frozen=True, eq=False)
class _Row:
    """One hand against all of the rival speaker's."""

    solved: Betting
    hand: int
    side: int

    @cached_property
    def _chances(self) -> tuple[Floats, np.ndarray]:
        """Of each rival's hand and outcome that occur, shape (classes, outcomes); which those are.

        Where one phase is solved, of those outcomes alone in which it is bet on.
        """
        spec = self.solved.spec
        table = table_of(spec.game, spec.speakers)
        pairs = (self.hand, slice(None)) if self.side == 0 else (slice(None), self.hand)
        begin, size = table.begin[pairs], table.size[pairs]
        which = np.repeat(np.arange(len(size)), size)
        at = np.arange(len(which)) + np.repeat(begin - (np.cumsum(size) - size), size)
        outcome = table.outcome[at].astype(np.int64)
        found, number = np.unique(outcome, return_inverse=True)
        chances = np.zeros((len(size), len(found)))
        np.add.at(chances, (which, number.reshape(-1)), table.weight[at].astype(np.float64))
        if spec.what != DEAL:
            chances *= table.outcomes.contested(spec.what)[found]
        return chances, found

    @cached_property
    def _outcomes(self):  # type: ignore[no-untyped-def]
        spec = self.solved.spec
        return table_of(spec.game, spec.speakers).outcomes.where(self._chances[1])

    @cached_property
    def _finest(self) -> tuple[list[Part], np.ndarray]:
        return parts_of(self._outcomes, self.solved.spec.types.alone)

    def _in(self, part: Part) -> Mask:
        """The outcomes in a public part."""
        if self.solved.spec.what != DEAL:
            return np.ones(len(self._chances[1]), dtype=bool)
        finest, which = self._finest
        found: Mask = np.array([within(fine, part) for fine in finest])[which]
        return found

    def mass(self, part: Part) -> Floats:
        """The chance of each of the rival's hands, shape (classes,)."""
        found: Floats = self._chances[0] @ self._in(part)
        return found

    @cached_property
    def _leaves(self) -> dict[object, Floats]:
        return {}

    def _leaf(self, node: int) -> Floats:
        """My side's payoff times the chance of each of the rival's hands."""
        spec, end = self.solved.spec, self.solved.tree.ends[node]
        if end not in self._leaves:
            worth = spec.worth.of(end, self._outcomes)
            if self.side == 1:
                worth = 1 - worth
            self._leaves[end] = self._chances[0] @ (worth * self._in(end.part))
        return self._leaves[end]

    def value(self, node: int, reach: Floats) -> float:
        """What a point brings, the rival's hands as likely as their chance times ``reach``."""
        tree = self.solved.tree
        kind = tree.kind[node]
        if kind == LEAF:
            return float(self._leaf(node) @ reach)
        children = tree.options(node).values()
        if kind == CHANCE:
            return sum(self.value(child, reach) for child in children)
        if kind == FIRST + self.side:
            return max(self.value(child, reach) for child in children)
        classes = self.solved.classes(node, 1 - self.side)
        chances = self.solved.at(node)[0]
        total = 0.0
        for child, chance in zip(children, chances, strict=True):
            after = np.zeros_like(reach)
            after[classes] = reach[classes] * chance
            if after.any():
                total += self.value(child, after)
        return total
