"""What a hand may do in a solved game between two speakers, and what it is worth: exact.

The rivals play on as solved; the hand plays on as well as can be against that, whatever
its own strategy would do where it never comes. All pairs of the speakers' hands are
counted (:mod:`musodds.solver.pairs`), so nothing is sampled.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from musodds.arrays import Floats, Ints, Mask
from musodds.errors import InputError
from musodds.playing.actions import NO_QUIERO, QUIERO
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.solver.betting import Betting
from musodds.solver.game import DEAL
from musodds.solver.here import Answers, Here, is_bet
from musodds.solver.known import Known
from musodds.solver.lines import follow
from musodds.solver.pairs import Table, parts_of, table_of, within
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


@lru_cache(maxsize=1)
def _table(game: Game, speakers: tuple[int, int], known: Known | None) -> Table:
    """Kept from one hand to the next: it may be 250 MB in a file, which takes two seconds."""
    return table_of(game, speakers, known)


@lru_cache(maxsize=32)
def _row(solved: Betting, hand: int, side: int) -> _Row:
    return (_Row if solved.spec.what == DEAL else _PhaseRow)(solved, hand, side)


def _entries(table: Table, hand: int, side: int) -> tuple[Ints, Ints]:
    """A hand's entries in the table: the rival's hand of each, and their places."""
    pairs = (hand, slice(None)) if side == 0 else (slice(None), hand)
    begin, size = table.begin[pairs], table.size[pairs]
    which = np.repeat(np.arange(len(size)), size)
    return which, np.arange(len(which)) + np.repeat(begin - (np.cumsum(size) - size), size)


@dataclass(frozen=True, eq=False)
class _Ends:
    """What outcomes are worth at the ends of a phase, whatever the hand.

    Attributes
    ----------
    place : dict of int to int
        The end of each leaf.
    group : ndarray of int64, shape (outcomes,)
        Outcomes of one group are worth the same at every end.
    worth : ndarray of float64, shape (groups, ends + 1)
        To mano's side, 0 where the phase is not bet on; and at last 1 where it is.
    """

    place: dict[int, int]
    group: Ints
    worth: Floats


@lru_cache(maxsize=4)
def _ends_of(solved: Betting) -> _Ends:
    spec, tree = solved.spec, solved.tree
    outcomes = _table(spec.game, spec.speakers, spec.known).outcomes
    contested = outcomes.contested(spec.what)
    leaves = {node: tree.ends[node] for node in np.flatnonzero(tree.kind == LEAF).tolist()}
    ends = list(dict.fromkeys(leaves.values()))
    place = {end: i for i, end in enumerate(ends)}
    columns = [spec.worth.of(end, outcomes) * contested for end in ends] + [contested * 1.0]
    group = np.zeros(len(contested), dtype=np.int64)
    for column in columns:
        number = np.unique(column, return_inverse=True)[1]
        group = np.unique(group * (number.max() + 1) + number, return_inverse=True)[1]
    first = np.unique(group, return_index=True)[1]
    worth = np.array(columns).T[first]
    return _Ends({node: place[end] for node, end in leaves.items()}, group, worth)


@dataclass(frozen=True, eq=False)
class _Row:
    """One hand against all of the rival speaker's."""

    solved: Betting
    hand: int
    side: int

    @cached_property
    def _chances(self) -> tuple[Floats, np.ndarray]:
        """Of each rival's hand and outcome, shape (classes, outcomes); which occur."""
        spec = self.solved.spec
        table = _table(spec.game, spec.speakers, spec.known)
        which, at = _entries(table, self.hand, self.side)
        outcome = table.outcome[at].astype(np.int64)
        occurs = np.bincount(outcome) > 0
        found, number = np.flatnonzero(occurs), np.cumsum(occurs) - 1
        places = which * len(found) + number[outcome]
        chances = np.bincount(places, table.weight[at], len(hands(spec.game)) * len(found))
        return chances.astype(np.float64, copy=False).reshape(-1, len(found)), found

    @cached_property
    def _outcomes(self):  # type: ignore[no-untyped-def]
        spec = self.solved.spec
        return _table(spec.game, spec.speakers, spec.known).outcomes.where(self._chances[1])

    @cached_property
    def _finest(self) -> tuple[list[Part], np.ndarray]:
        return parts_of(self._outcomes, self.solved.spec.types.alone)

    def _in(self, part: Part) -> Mask:
        """The outcomes in a public part."""
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


class _PhaseRow(_Row):
    """The same where one phase is solved: all its ends at once, over few groups of outcomes."""

    @cached_property
    def _ends(self) -> _Ends:
        return _ends_of(self.solved)

    @cached_property
    def _at_ends(self) -> Floats:
        """Of each end (and of all deals) and rival's hand, shape (ends + 1, classes)."""
        spec, ends = self.solved.spec, self._ends
        table, groups = _table(spec.game, spec.speakers, spec.known), len(ends.worth)
        which, at = _entries(table, self.hand, self.side)
        places = which * groups + ends.group[table.outcome[at]]
        chances = np.bincount(places, table.weight[at], len(hands(spec.game)) * groups)
        worth = ends.worth
        if self.side == 1:
            worth = worth[:, -1:] - worth
            worth[:, -1] = ends.worth[:, -1]
        return np.ascontiguousarray((chances.reshape(-1, groups) @ worth).T)

    def mass(self, part: Part) -> Floats:
        """The chance of each of the rival's hands, shape (classes,)."""
        found: Floats = self._at_ends[-1]
        return found

    def _leaf(self, node: int) -> Floats:
        found: Floats = self._at_ends[self._ends.place[node]]
        return found
