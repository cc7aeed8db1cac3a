"""What a bet or an answer was worth against rivals who bet well: the phase, solved.

The judge solves the phase at the score of the decision, with what was agreed in earlier
phases, and takes what each thing that may be said is worth to the hand there: by what the
rivals hold who have said what they said in this phase. Solutions are kept on disk.

**What is assumed.** Later phases are passed. With partners each side speaks through one
player who knows his own hand, mano's side first (the model ``own``), and the partner's is
averaged: where signs of the partner were noted the judge of en paso is asked, which counts
them. What was said and declared in earlier phases tells nothing of the hands beyond who
takes part. A decision that the solved game does not have,
or that follows what good players hardly ever say there, is left to the judge of en paso.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from musodds.errors import InputError
from musodds.playing.actions import PASO, Action, read_action
from musodds.rules.hands import hands
from musodds.rules.showdown import Ending
from musodds.solver.betting import solve_betting
from musodds.solver.game import EQUITY, Spec
from musodds.solver.sizes import MOST_SIZES, read_sizes
from musodds.solver.solved import table_starts
from musodds.solver.tree import FIRST, SECOND
from musodds.store.cache import cached
from musodds.store.numbers import digest
from musodds.strategy.judges import PHASE_SOLVED, EnPasoJudge, Verdict, View

GAP = 0.02
"""Stones: how closely a phase is solved."""

SIZES = (2, 5)
_RARE = 0.05
"""Of what the rivals say less often nothing is learnt: their hands are then anybody's guess."""

_MOST = 60


@dataclass(frozen=True)
class SolvedJudge:
    """Betting by the solved phase; see the head of the module.

    Parameters
    ----------
    gap : float
        In stones.
    """

    gap: float = GAP
    otherwise: EnPasoJudge = field(default_factory=EnPasoJudge)

    @property
    def name(self) -> str:
        """How an answer calls the model."""
        return (
            f"solved: the phase alone, solved to {self.gap:g} stones, later phases passed, one "
            "voice a side; what it does not have, or says in less than "
            f"{_RARE:.0%}, and what the partner's signs bear on, en paso"
        )

    def weigh(self, view: View, said: Action) -> Verdict:
        """What was best, and what the thing said is worth."""
        if view.signed:
            return self.otherwise.weigh(view, said)
        try:
            return self._weigh(view, said)
        except InputError:
            # No such game is solved, or what was said is not in it.
            return self.otherwise.weigh(view, said)

    def _weigh(self, view: View, said: Action) -> Verdict:
        side = view.game.side(view.seat)
        line, stones = _line(view)
        spec = _spec(view, side, [*stones, said.stones])
        solution = solved_phase(spec, self.gap)
        worths = solution.worths
        tree, node = spec.tree, 0
        for words in line:
            options = tree.options(node)
            if words not in options:
                raise InputError(f"{words}: not in the solved game")
            node = options[words]
        if solution.often[node] < _RARE:
            raise InputError("what was said before is hardly ever said in the solved game")
        if tree.kind[node] != FIRST + side or said.text not in tree.options(node):
            raise InputError(f"{said.text}: not in the solved game")
        low, high = (int(bound[node, side]) for bound in (tree.low, tree.high))
        place = np.flatnonzero(spec.types.hand[low:high] == hands(view.game).index(view.hand))
        if not len(place):
            raise InputError(f"{view.hand} takes no part")
        start, size = int(table_starts(tree, side)[node]), high - low
        names = list(tree.options(node))
        some = worths[side][start : start + len(names) * size].reshape(len(names), size)
        values = dict(zip(names, some[:, place[0]].astype(np.float64).tolist(), strict=True))
        return Verdict.among(values, said.text, solution.gap, PHASE_SOLVED)


def _line(view: View) -> tuple[list[str], list[int]]:
    """What the sides have said in the phase, as the tree has it, and the stones."""
    line: list[str] = []
    stones: list[int] = []
    for one in view.said:
        if one.stage != view.phase:
            continue
        action = read_action(one.text)
        if action.word == PASO:
            continue  # a side passes when both its players have, or leaves it to the partner
        if not line and one.seat and view.game.side(one.seat) == 1:
            line.append(PASO)
        line.append(action.text)
        stones.append(action.stones)
    if not line and view.game.side(view.seat) == 1:
        line.append(PASO)
    return line, stones


def _spec(view: View, side: int, stones: list[int]) -> Spec:
    """The phase at the score, with the sizes that were said among those on offer."""
    sizes = sorted({*SIZES, *(one for one in stones if 2 <= one <= _MOST)})
    if len(sizes) >= MOST_SIZES:
        raise InputError("too many sizes")
    text = ",".join([*map(str, sizes), "ordago"])
    ours, theirs = view.score
    score = (ours, theirs) if side == 0 else (theirs, ours)
    earlier = tuple(_turned(one, side) for one in view.earlier.values())
    spec = Spec(
        view.game, view.phase, score, EQUITY, read_sizes(text, text, 1), table=view.table,
        earlier=earlier,
    )  # fmt: skip
    spec.check()
    return spec


def _turned(ending: Ending, side: int) -> Ending:
    """An ending whose side 0 is ours as one whose side 0 is mano's."""
    if ending.side is None or side == 0:
        return ending
    return replace(ending, side=1 - ending.side)


@dataclass(frozen=True, eq=False)
class SolvedPhase:
    """What a judge needs of a solved phase.

    Attributes
    ----------
    gap : float
        By how much what things are worth may be off.
    often : ndarray of float32, shape (nodes,)
        How often the side that does not decide there says what leads to a decision.
    worths : tuple of ndarray of float32
        As in :class:`musodds.solver.betting.Betting`.
    """

    gap: float
    often: NDArray[np.float32]
    worths: tuple[NDArray[np.float32], NDArray[np.float32]]


def solved_phase(spec: Spec, gap: float) -> SolvedPhase:
    """Solve a phase once, and keep it on disk."""
    nodes = len(spec.tree.kind)
    sizes = [int(table_starts(spec.tree, side)[-1]) for side in (0, 1)]
    ends = np.cumsum([1, nodes, *sizes])
    flat = cached(
        f"phase-{_key(spec, gap)}", lambda: _flat(spec, gap), shape=(int(ends[-1]),),
        dtype=np.float32,
    )  # fmt: skip
    _, often, first, second = np.split(flat, ends[:-1])
    return SolvedPhase(float(flat[0]), often, (first, second))


def _flat(spec: Spec, gap: float) -> NDArray[np.float32]:
    sizes = spec.sizes
    found = solve_betting(
        spec.what, game=spec.game, score=spec.score, bets=sizes.bets_text,
        raises=sizes.raises_text, reraises=sizes.reraises, gap=gap, table=spec.table,
        earlier=spec.earlier,
    )  # fmt: skip
    often = np.zeros(len(spec.tree.kind))
    for node in np.flatnonzero((spec.tree.kind == FIRST) | (spec.tree.kind == SECOND)):
        often[node] = found.often(int(node), 1 - found.side_of(int(node)))
    parts = ([found.exploitability], often, *found.worths)
    return np.concatenate([np.asarray(part, dtype=np.float32) for part in parts])


def _key(spec: Spec, gap: float) -> str:
    table = spec.worth.table
    facts = (
        digest(spec.game), spec.game.target, spec.what, spec.score, spec.sizes.text,
        spec.sizes.reraises,
        spec.earlier, gap,
        "" if table is None else hashlib.sha256(table.mano_wins.tobytes()).digest(),
    )  # fmt: skip
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:20]
