"""The public tree: what is said, in which order, and what each end comes to.

A side is the first (mano's) or the second. Within a phase the first side passes or
bets, the other passes or bets; who answers folds, sees, raises or says órdago. In a
deal the phases follow each other; before pares and juego chance says which sides take
part.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from musodds.errors import InputError
from musodds.playing.actions import ENVIDO, NO_QUIERO, ORDAGO, PASO, QUIERO, RAISE
from musodds.rules.showdown import DEJE, REFUSED, SEEN, Ending
from musodds.solver.sizes import Sizes

LEAF, FIRST, SECOND, CHANCE = range(4)
"""Kinds of nodes."""

Both = tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class Part:
    """What is public about the cards: which sides take part in pares and in juego.

    ``pares`` and ``juego`` are None as long as it is not said. ``either``: one side
    alone has juego, it does not matter which.
    """

    pares: Both | None = None
    juego: Both | None = None
    either: bool = False


@dataclass(frozen=True, slots=True)
class End:
    """What a leaf comes to.

    Attributes
    ----------
    part : Part
    how : str
        ``count``: the showdown. ``ordago``: the best hand in ``phase`` wins the game.
        ``won``: ``side`` has reached the target by a refusal.
    gained : tuple of int
        Stones that were taken at once.
    endings : tuple of Ending
        Of the phases that were not passed; in ``count``.
    """

    part: Part
    how: str
    gained: tuple[int, int] = (0, 0)
    endings: tuple[Ending, ...] = ()
    phase: str = ""
    side: int = 0


@dataclass(frozen=True, eq=False)
class Tree:
    """A public tree in preorder.

    Attributes
    ----------
    kind : ndarray of int8, shape (nodes,)
    child_start : ndarray of int64, shape (nodes + 1,)
    children : ndarray of int64, shape (edges,)
    words : tuple of str, one an edge
        What is said; for chance, the :class:`Part` in words.
    end : ndarray of int64, shape (nodes,)
        The first node after the subtree.
    low, high : ndarray of int64, shape (nodes, 2)
        The types of each side that a node is about.
    phase : tuple of str, one a node
    parts : tuple of Part, one a node
    ends : dict of int to End
        The leaves.
    """

    kind: NDArray[np.int8]
    child_start: NDArray[np.int64]
    children: NDArray[np.int64]
    words: tuple[str, ...]
    end: NDArray[np.int64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    phase: tuple[str, ...]
    parts: tuple[Part, ...]
    ends: dict[int, End]

    @property
    def decisions(self) -> int:
        """How many nodes are decisions."""
        return int(((self.kind == FIRST) | (self.kind == SECOND)).sum())

    def options(self, node: int) -> dict[str, int]:
        """The children of a node by what is said."""
        first, last = self.child_start[node], self.child_start[node + 1]
        return {self.words[i]: int(self.children[i]) for i in range(first, last)}


Segments = Callable[[int, Part], tuple[int, int]]
"""The types of a side that a public part leaves."""

MOST_NODES = 3_000_000


@dataclass
class Builder:
    """Builds a tree node by node, parents first.

    Parameters
    ----------
    sizes : Sizes
    segments : callable
    score : tuple of int or None
        Mano's side first; None where stones are counted without a target.
    target : int
    """

    sizes: Sizes
    segments: Segments
    score: tuple[int, int] | None
    target: int
    kind: list[int] = field(default_factory=list)
    offspring: list[list[tuple[str, int]]] = field(default_factory=list)
    phase: list[str] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    ends: dict[int, End] = field(default_factory=dict)

    def node(self, kind: int, phase: str, part: Part) -> int:
        if len(self.kind) >= MOST_NODES:
            raise InputError(
                f"bets {self.sizes.text}: this game has more than {MOST_NODES} points; offer "
                "fewer sizes"
            )
        self.kind.append(kind)
        self.offspring.append([])
        self.phase.append(phase)
        self.parts.append(part)
        return len(self.kind) - 1

    def leaf(self, end: End, phase: str = "") -> int:
        node = self.node(LEAF, phase, end.part)
        self.ends[node] = end
        return node

    def say(self, node: int, word: str, child: int) -> None:
        self.offspring[node].append((word, child))

    def tree(self) -> Tree:
        """The tree built so far."""
        number = len(self.kind)
        lengths = [len(some) for some in self.offspring]
        end = np.arange(1, number + 1, dtype=np.int64)
        for node in range(number - 1, -1, -1):
            if self.offspring[node]:
                end[node] = end[self.offspring[node][-1][1]]
        bounds: dict[Part, list[tuple[int, int]]] = {}
        for part in self.parts:
            if part not in bounds:
                bounds[part] = [self.segments(side, part) for side in (0, 1)]
        both = np.array([bounds[part] for part in self.parts], dtype=np.int64)
        return Tree(
            np.array(self.kind, dtype=np.int8),
            np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
            np.array([c for some in self.offspring for _, c in some], dtype=np.int64),
            tuple(word for some in self.offspring for word, _ in some),
            end,
            np.ascontiguousarray(both[:, :, 0]),
            np.ascontiguousarray(both[:, :, 1]),
            tuple(self.phase),
            tuple(self.parts),
            self.ends,
        )


@dataclass(frozen=True, slots=True)
class _State:
    """What went before a phase."""

    part: Part
    gained: tuple[int, int] = (0, 0)
    endings: tuple[Ending, ...] = ()


After = Callable[[_State], int]


def betting(b: Builder, phase: str, state: _State, after: After) -> int:
    """The betting in a phase; ``after`` builds what follows."""
    root = b.node(FIRST, phase, state.part)
    second = b.node(SECOND, phase, state.part)
    b.say(root, PASO, second)
    b.say(second, PASO, after(state))
    for side, node in ((1, second), (0, root)):
        for size in b.sizes.bets:
            b.say(node, ENVIDO + f" {size}", _answer(b, phase, state, after, side, 0, size, 0))
        if b.sizes.ordago:
            b.say(node, ORDAGO, _answer(b, phase, state, after, side, 0, None, 0))
    return root


def _answer(
    b: Builder, phase: str, state: _State, after: After, side: int, before: int,
    more: int | None, raised: int,
) -> int:  # fmt: skip
    """The answer to ``side``, who has added ``more`` (None: órdago) to what was on the table."""
    node = b.node(SECOND if side == 0 else FIRST, phase, state.part)
    taken = before or DEJE
    gained = (
        state.gained[0] + taken * (side == 0),
        state.gained[1] + taken * (side == 1),
    )
    if b.score is not None and b.score[side] + gained[side] >= b.target:
        folded = b.leaf(End(state.part, "won", side=side), phase)
    else:
        ending = Ending(phase, REFUSED, 0, side if phase not in ("grande", "chica") else None)
        folded = after(_State(state.part, gained, (*state.endings, ending)))
    b.say(node, NO_QUIERO, folded)
    if more is None:
        b.say(node, QUIERO, b.leaf(End(state.part, "ordago", phase=phase), phase))
        return node
    total = before + more
    seen = Ending(phase, SEEN, total)
    b.say(node, QUIERO, after(_State(state.part, state.gained, (*state.endings, seen))))
    other = 1 - side
    if raised <= b.sizes.reraises:
        for size in b.sizes.raises:
            child = _answer(b, phase, state, after, other, total, size, raised + 1)
            b.say(node, RAISE + f" {size}", child)
    if b.sizes.over:
        b.say(node, ORDAGO, _answer(b, phase, state, after, other, total, None, raised + 1))
    return node


def _count(b: Builder, state: _State) -> int:
    return b.leaf(End(state.part, "count", state.gained, state.endings))


def phase_tree(b: Builder, phase: str, earlier: tuple[Ending, ...] = ()) -> Tree:
    """One phase, given that it is bet on; all others are passed, but those that are given."""
    betting(b, phase, _State(part_of_phase(phase), (0, 0), earlier), lambda state: _count(b, state))
    return b.tree()


def part_of_phase(phase: str) -> Part:
    """What is public where a phase is bet on by itself."""
    return {
        "pares": Part(pares=(True, True)),
        "juego": Part(juego=(True, True)),
        "punto": Part(juego=(False, False)),
    }.get(phase, Part())


def deal_tree(b: Builder, apart: bool) -> Tree:
    """A whole deal: grande, chica, pares and juego or punto.

    Parameters
    ----------
    b : Builder
    apart : bool
        Whether it is told apart which side alone has juego where it makes no difference
        to anybody (as it is where a side is one hand: fewer types are left).
    """

    def last(state: _State) -> int:
        node = b.node(CHANCE, "juego", state.part)
        pares = state.part.pares
        parts = [("both", Part(pares, (True, True)), "juego")]
        parts.append(("neither", Part(pares, (False, False)), "punto"))
        if apart:
            parts.append(("first", Part(pares, (True, False)), ""))
            parts.append(("second", Part(pares, (False, True)), ""))
        else:
            parts.append(("one", Part(pares, None, True), ""))
        for word, part, phase in parts:
            following = _State(part, state.gained, state.endings)
            if phase:
                b.say(node, word, betting(b, phase, following, lambda s: _count(b, s)))
            else:
                b.say(node, word, _count(b, following))
        return node

    def pares(state: _State) -> int:
        node = b.node(CHANCE, "pares", state.part)
        for word, both in PATTERNS.items():
            following = _State(Part(both), state.gained, state.endings)
            if all(both):
                b.say(node, word, betting(b, "pares", following, last))
            else:
                b.say(node, word, last(following))
        return node

    def chica(state: _State) -> int:
        return betting(b, "chica", state, pares)

    betting(b, "grande", _State(Part()), chica)
    return b.tree()


PATTERNS: dict[str, Both] = {
    "both": (True, True),
    "neither": (False, False),
    "first": (True, False),
    "second": (False, True),
}
"""Which sides take part, in a word."""
