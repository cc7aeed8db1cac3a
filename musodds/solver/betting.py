"""Solve the betting of a phase or of a whole deal.

``own``, the model where sides have partners: each side speaks through one player, the
speaker, who knows his own hand; his partner's is averaged exactly, card removal
included. No signs. Before pares and juego it is heard which *sides* have them, not
which of the partners, and mano's side speaks first. Where a side is one hand, the game
itself is solved (``exact``).
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from musodds.errors import InputError
from musodds.knowledge.knowledge import Knowledge
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.rules.showdown import Ending
from musodds.solver.best_response import Gap, measure
from musodds.solver.checkpoint import Checkpoint
from musodds.solver.discounted_cfr import DiscountedCFR
from musodds.solver.game import DEAL, EQUITY, Spec
from musodds.solver.known import Known, known_of
from musodds.solver.machine import FOLLOW, Machine, Vector
from musodds.solver.sizes import read_sizes
from musodds.solver.solved import Solved, check_run, decisions, rounded, table_starts
from musodds.solver.to_a_gap import MOST_ITERATIONS, ToAGap, Watch
from musodds.solver.tree import Tree
from musodds.stakes.equity import CHANCE_PER_STONE, Equity

if TYPE_CHECKING:
    import pandas as pd

MODELS = ("own", "each")


@dataclass(frozen=True, eq=False, repr=False)
class Betting(Solved):
    """A solved betting game; see :func:`solve_betting`.

    Attributes
    ----------
    spec : Spec
    gap : Gap
        Measured for these strategies, by exact best responses in the game as stated.
    en_paso : float
        The payoff if nobody bets.
    played : float
        The chance that the phase is bet on at all and what is known is so; 1 for a deal
        of which nothing is. Value, gap and en paso are given that.
    iterations : int
    seconds : float
    strategies : tuple of ndarray of uint16
        By side: chances of each action in 65,535ths, (actions, types) of each decision
        in the order of the tree.
    worths : tuple of ndarray of float32
        The same for what each action is worth to the side that speaks.
    interrupted : bool
        Whether Ctrl-C ended it.
    """

    spec: Spec
    gap: Gap
    en_paso: float
    played: float
    iterations: int
    seconds: float
    strategies: tuple[NDArray[np.uint16], NDArray[np.uint16]]
    worths: tuple[NDArray[np.float32], NDArray[np.float32]]
    interrupted: bool = False

    @property
    def tree(self) -> Tree:
        return self.spec.tree

    @property
    def known(self) -> Known:
        """What both sides know before."""
        return self.spec.known or Known(self.spec.game)

    @property
    def exploitability_stones(self) -> float:
        """The same in stones: 0.04 of a game is one."""
        return in_stones(self.spec, self.exploitability)

    @cached_property
    def tables(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where each decision's numbers begin, by side."""
        return tuple(table_starts(self.tree, side) for side in (0, 1))  # type: ignore[return-value]

    def classes(self, node: int, side: int) -> NDArray[np.int64]:
        """The hand classes of a side's types at a node."""
        low, high = self.tree.low[node, side], self.tree.high[node, side]
        return self.spec.types.hand[low:high]

    def at(self, node: int) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
        """Frequencies and worths of the actions at a decision, shape (actions, types) each."""
        side = self.side_of(node)
        number = len(self.tree.options(node))
        size = int(self.tree.high[node, side] - self.tree.low[node, side])
        start = self.tables[side][node]
        some = slice(start, start + number * size)
        chances = self.strategies[side][some].reshape(number, size).astype(np.float64)
        return chances / chances.sum(axis=0), self.worths[side][some].reshape(number, size)

    def reach(self, node: int, side: int) -> NDArray[np.float64]:
        """How likely each hand of a side's says what leads to a node, and what is known of it.

        Shape (hands,); without the cards' own chances.
        """
        found = np.ones(len(self.spec.types.hand))
        for place, action in self.moves(node, side):
            low, high = self.tree.low[place, side], self.tree.high[place, side]
            found[low:high] *= self.at(place)[0][action]
        low, high = self.tree.low[node, side], self.tree.high[node, side]
        by_hand = np.zeros(len(found))
        by_hand[self.spec.types.hand[low:high]] = found[low:high]
        by_hand *= self.spec.prior(side)
        return by_hand

    def often(self, node: int, side: int) -> float:
        """How often a side says what leads to a node, its cards allowing it."""
        classes = self.classes(node, side)
        weights = hands(self.spec.game).ways[classes]
        whole = float(self.spec.prior(side)[classes] @ weights)
        return float(self.reach(node, side)[classes] @ weights) / whole if whole else 0.0

    def rows(self, node: int = 0) -> list[dict[str, Any]]:
        """A row for each hand that may be at a decision: the frequency of each action."""
        texts, prior = hands(self.spec.game).texts, self.spec.prior(self.side_of(node))
        chances, worths = self.at(node)
        words = list(self.tree.options(node))
        return [
            {
                "hand": texts[index],
                **{word: float(chances[a, i]) for a, word in enumerate(words)},
                **{f"worth {word}": float(worths[a, i]) for a, word in enumerate(words)},
            }
            for i, index in enumerate(self.classes(node, self.side_of(node)))
            if prior[index] > 0
        ]

    def to_frame(self, line: str = "") -> pd.DataFrame:
        """The rows of the decision after a line as a DataFrame."""
        import pandas as pd

        from musodds.solver.lines import follow

        return pd.DataFrame(self.rows(follow(self.tree, line)))


def in_stones(spec: Spec, exploitability: float) -> float:
    """A gap in stones."""
    return exploitability / (CHANCE_PER_STONE if spec.payoff == EQUITY else 1)


def default_sizes(what: str) -> tuple[str, str]:
    """What is on offer if nothing is said."""
    return ("2,ordago", "ordago") if what == DEAL else ("2,5,ordago", "2,5,ordago")


def solve_betting(
    what: str,
    *,
    game: str | Game = "mus",
    score: tuple[int, int] = (0, 0),
    payoff: str = EQUITY,
    model: str = "own",
    speakers: tuple[int, int] = (1, 2),
    bets: str | Iterable[int | str] | None = None,
    raises: str | Iterable[int | str] | None = None,
    reraises: int = 1,
    gap: float = 0.005,
    iterations: int | None = None,
    workers: int = 1,
    watch: Watch | None = None,
    table: Equity | None = None,
    earlier: tuple[Ending, ...] = (),
    checkpoint: str | Path | None = None,
    knowledge: Knowledge | None = None,
) -> Betting:
    """Solve the betting of a phase or of a deal to a gap.

    Parameters
    ----------
    what : str
        ``grande``, ``chica``, ``pares``, ``juego``, ``punto``: that phase alone, all
        others passed, given that it is bet on. ``deal``: all phases in sequence.
    game : str or Game, optional
        Two players (the game itself), or two sides of two with eight kings (``own``).
    score : tuple of int, optional
        Mano's side first.
    payoff : str, optional
        ``equity``: the chance of winning the game; ``stones``.
    model : str, optional
        ``own``; see the head of the module.
    speakers : tuple of int, optional
        Who speaks for mano's side and for the other.
    bets, raises : str or sequence, optional
        Sizes, such as ``"2,5,ordago"``; raises are added to what is on the table.
    reraises : int, optional
        How many raises may follow the first; an órdago may always follow if offered.
    gap : float, optional
        Stop when a side gains no more than so many stones by a best response.
    iterations : int, optional
        Stop after so many in any case.
    workers : int, optional
        Threads.
    watch : callable, optional
        Called with the iterations and the gap; ``KeyboardInterrupt`` keeps what there is.
    table : Equity, optional
        The chances after the deal; default the best kind that there is for the game.
    earlier : tuple of Ending, optional
        Of a phase: earlier phases that were not passed; side 0 is mano's. What was
        refused in them is in the score.
    checkpoint : str or Path, optional
        A file that is kept while it is solved, and gone on from.
    knowledge : Knowledge, optional
        What both sides know before; see :mod:`musodds.solver.known`.

    Returns
    -------
    Betting

    Raises
    ------
    InputError
        If there is no such game, or the checkpoint is damaged or of another run.

    Examples
    --------
    At 39-39 who folds has lost: mano's side wins as if all was seen.

    >>> solved = solve_betting("grande", game="mus2p", score=(39, 39), bets="ordago")
    >>> abs(solved.value - solved.en_paso) < 0.001
    True
    """
    game = get_game(game)
    if model not in MODELS:
        raise InputError(f"model {model!r}: {' or '.join(MODELS)}")
    if model == "each":
        raise InputError("model 'each' is not solved here: use own")
    usual = default_sizes(what)
    sizes = read_sizes(
        usual[0] if bets is None else bets, usual[1] if raises is None else raises, reraises
    )
    both = (int(score[0]), int(score[1]))
    known = known_of(game, knowledge) or None
    spec = Spec(game, what, both, payoff, sizes, speakers, table, earlier, known)
    spec.check()
    check_run(gap, iterations, workers)
    file = None if checkpoint is None else Checkpoint(checkpoint, spec.told)
    return _Run(spec, workers).until(gap, iterations, watch, file)


@dataclass
class _Run:
    """A run from the matrices to the answer."""

    spec: Spec
    workers: int
    began: float = field(default_factory=time.monotonic)

    def until(
        self, gap: float, iterations: int | None, watch: Watch | None, file: Checkpoint | None
    ) -> Betting:
        cells, played = self.spec.cells()
        self.en_paso = self.spec.en_paso(cells)
        self.masses = self.spec.masses(cells)
        matrices, leaf_matrix = self.spec.matrices(cells)
        del cells
        self.machine = Machine(self.spec.tree, matrices, leaf_matrix, self.workers)
        run = DiscountedCFR(self.machine)

        def found() -> float:
            return in_stones(self.spec, measure(self.machine, run.sums).exploitability)

        going = ToAGap(run, found, iterations or MOST_ITERATIONS, watch, file)
        going.to(gap)
        return replace(self._answer(run, played), interrupted=going.interrupted)

    def _answer(self, run: DiscountedCFR, played: float) -> Betting:
        """Round the average strategies, and measure what is kept."""
        kept = rounded(self.spec.tree, run.sums)
        tables = [one.astype(self.machine.dtype) for one in kept]
        gap = measure(self.machine, tables)
        worths = [self._worths(side, tables) for side in (0, 1)]
        return Betting(
            self.spec, gap, self.en_paso, played, run.iterations, time.monotonic() - self.began,
            kept, (worths[0], worths[1]),
        )  # fmt: skip

    def _worths(self, side: int, tables: list[Vector]) -> NDArray[np.float32]:
        """What each action is worth to each type, by what the other side holds there."""
        machine, tree, other = self.machine, self.spec.tree, 1 - side
        machine.down(other, tables[other])
        machine.up(side, tables[side], FOLLOW)
        found = np.full(len(tables[side]), np.nan, dtype=np.float32)
        lay, there = machine.sides[side], machine.sides[other]
        for node, some, number in decisions(tree, side):
            reach = machine.reach[other][there.at[node] : there.at[node] + there.size[node]]
            mass = self.masses[tree.parts[node]]
            chance = mass @ reach if side == 0 else reach @ mass
            children = tree.children[tree.child_start[node] : tree.child_start[node + 1]]
            size = int(lay.size[node])
            values = np.stack(
                [machine.values[side][at : at + size] for at in lay.value_at[children]]
            )
            with np.errstate(divide="ignore", invalid="ignore"):
                worth = values / np.where(chance > 0, chance, np.nan)
            if side == 1:
                worth = (1 - worth) if self.spec.payoff == EQUITY else -worth
            found[some] = worth.reshape(number, size).ravel()
        return found
