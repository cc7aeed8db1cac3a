"""Solve one phase between sides that know more than one hand: *signals* and *shared*.

*signals*: each side speaks through one player, who knows his own hand and his partner's
sign, which the rivals do not see. *shared*: a side sees both its hands. Either side may
have a model of its own, such as signs against none; the difference to *own* against
*own* is what signs are worth. Stones only, net over the whole deal, all other phases
passed. The gap is measured in the full game, over all holdings of a side.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.errors import InputError
from musodds.knowledge.knowledge import Knowledge
from musodds.knowledge.signals import SYSTEMS
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game
from musodds.solver.best_response import Gap, measure
from musodds.solver.checkpoint import Checkpoint
from musodds.solver.discounted_cfr import DiscountedCFR
from musodds.solver.groups import MODELS, SHARED, SIGNALS, Groups
from musodds.solver.known import Known, known_of
from musodds.solver.lines import follow
from musodds.solver.machine import Vector
from musodds.solver.side_game import SideGame
from musodds.solver.sizes import Sizes, read_sizes
from musodds.solver.solved import Solved, check_run, rounded, table_starts
from musodds.solver.summary import who_says
from musodds.solver.to_a_gap import MOST_ITERATIONS, ToAGap, Watch
from musodds.solver.tree import Tree

_WITHIN = (0.4, 0.1)
"""The gap between groups at which the full one is looked at: shares of what is asked for."""


@dataclass(frozen=True, eq=False, repr=False)
class SideBetting(Solved):
    """A phase solved between sides; see :func:`solve_sides`.

    Attributes
    ----------
    game : Game
    phase : str
    models : tuple of str
        What mano's side knows, and the other.
    sizes : Sizes
    speakers : tuple of int
    system : str
        Of signals.
    gap : Gap
        In stones, by exact best responses that tell all holdings apart.
    group_gap : float
        The same if a response may not tell apart what is in one group.
    en_paso : float
        Net stones if nobody bets.
    played : float
        The chance that the phase is bet on.
    iterations : int
    seconds : float
    strategies : tuple of ndarray of uint16
        By side: chances in 65,535ths, (actions, groups) of each decision in order.
    interrupted : bool
        Whether Ctrl-C ended it.
    known : Known, optional
        To both sides.
    """

    game: Game
    phase: str
    models: tuple[str, str]
    sizes: Sizes
    speakers: tuple[int, int]
    system: str
    gap: Gap
    group_gap: float
    en_paso: float
    played: float
    iterations: int
    seconds: float
    strategies: tuple[NDArray[np.uint16], NDArray[np.uint16]]
    interrupted: bool = False
    known: Known | None = None

    @property
    def model(self) -> str:
        return models_text(self.models)

    @cached_property
    def side_game(self) -> SideGame:
        return SideGame(
            self.game, self.phase, self.models, self.sizes, self.speakers, self.system,
            known=self.known,
        )  # fmt: skip

    @property
    def tree(self) -> Tree:
        return self.side_game.tree

    def groups(self, side: int) -> Groups:
        """What a side may know."""
        return self.side_game.groups[side]

    def at(self, node: int) -> NDArray[np.float64]:
        """How often each group says each action, shape (actions, groups)."""
        side = self.side_of(node)
        start, end = table_starts(self.tree, side)[[node, node + 1]]
        chances = self.strategies[side][start:end].reshape(len(self.tree.options(node)), -1)
        found: NDArray[np.float64] = chances / chances.sum(axis=0, dtype=np.float64)
        return found

    def reach(self, node: int, side: int) -> NDArray[np.float64]:
        """How likely each group of a side says what leads to a node."""
        found = np.ones(self.groups(side).number)
        for place, action in self.moves(node, side):
            found = found * self.at(place)[action]
        return found

    def group(self, hand: str, other: str, side: int) -> int:
        """The group of a side by both hands: the earlier seat's and the later's.

        Raises
        ------
        InputError
            If they cannot be held together, or do not take part.
        """
        deck = self.game.deck
        from musodds.rules.hands import hands

        both = [hands(self.game).index(text) for text in (hand, other)]
        held = self.side_game.holdings[side].hand
        some = np.flatnonzero((held == both).all(axis=1))
        if not len(some):
            shown = " ".join(deck.text(self.game.parse_hand(text)) for text in (hand, other))
            raise InputError(f"hands {shown}: a side does not hold them in {self.phase}")
        return int(self.groups(side).of[some[0]])

    def rows(self, line: str = "") -> Iterator[dict[str, Any]]:
        """A row for each group at the decision after a line: chance, and how often it says what.

        Raises
        ------
        InputError
            If nobody decides there.
        """
        node = follow(self.tree, line)
        groups, chances = self.groups(self.side_of(node)), self.at(node)
        words = list(self.tree.options(node))
        for i, label in enumerate(groups.labels):
            said = {word: float(chances[a, i]) for a, word in enumerate(words)}
            yield {"holding": label, "chance": float(groups.chance[i]), **said}

    def openings(self) -> list[dict[str, Any]]:
        """Who says what how often: opening, after a pass, and in answer to first bets.

        Columns as of :func:`musodds.solver.summary.openings`.
        """
        options = self.tree.options(0)
        places = [("-", 0), ("paso", options["paso"])]
        places += [(word, child) for word, child in options.items() if word != "paso"]
        rows = []
        for after, node in places:
            side = self.side_of(node)
            groups, strength = self.groups(side), self.side_game.strength(side)
            weight = self.reach(node, side) * groups.chance
            wide = self.models[side] == SIGNALS
            labels = [label.replace(" seña:", " ") for label in groups.labels]
            for word, chance in zip(self.tree.options(node), self.at(node), strict=True):
                if word not in ("paso", "no quiero"):
                    rows.append(
                        {
                            "phase": self.phase, "after": f"{self.phase}: {after}",
                            "side": ("mano", "other")[side], "say": word,
                            **who_says(labels, chance, weight, strength, 1 if wide else 2, ", "),
                        }
                    )  # fmt: skip
        return rows


def models_text(models: tuple[str, str]) -> str:
    """One name, or two where the sides differ."""
    return models[0] if models[0] == models[1] else "/".join(models)


def read_models(text: str) -> tuple[str, str] | None:
    """The models of both sides, if they are those that are solved here.

    Examples
    --------
    >>> read_models("shared"), read_models("signals/own"), read_models("own")
    (('shared', 'shared'), ('signals', 'own'), None)
    """
    parts = [part.strip().lower() for part in text.split("/")]
    both = (parts[0], parts[-1])
    if len(parts) > 2 or not set(both) <= set(MODELS) or (len(parts) == 1 and parts == ["own"]):
        return None
    return both


def solve_sides(
    phase: str,
    game: str | Game = "mus",
    *,
    model: str = SHARED,
    system: str = "classic",
    speakers: tuple[int, int] = (1, 2),
    bets: str | Iterable[int | str] | None = None,
    raises: str | Iterable[int | str] | None = None,
    reraises: int = 1,
    gap: float = 0.005,
    iterations: int | None = None,
    workers: int = 1,
    watch: Watch | None = None,
    checkpoint: str | Path | None = None,
    knowledge: Knowledge | None = None,
) -> SideBetting:
    """Solve one phase, in stones, between sides that have signs or see both hands.

    Parameters
    ----------
    phase : str
    game : str or Game, optional
        Two sides of two players, without jokers.
    model : str, optional
        ``signals``, ``shared``, or one for each side, such as ``shared/own``.
    system : str, optional
        The system of signals: ``classic`` or ``federation``.
    speakers : tuple of int, optional
        Who speaks for either side; with ``shared`` it makes no difference.
    bets, raises, reraises, gap, iterations, workers, watch, checkpoint, knowledge : optional
        As in :func:`musodds.solver.betting.solve_betting`; the gap is that over all
        holdings.

    Returns
    -------
    SideBetting

    Raises
    ------
    InputError
        If there is no such game.
    """
    game = get_game(game)
    models = read_models(model)
    check_sides(phase, game, model, system, speakers)
    if models is None:
        raise InputError(f"model {model!r}: {', '.join(MODELS[1:])}, or such as shared/own")
    check_run(gap, iterations, workers)
    usual = ("2,ordago", "2,ordago")
    sizes = read_sizes(
        usual[0] if bets is None else bets, usual[1] if raises is None else raises, reraises
    )
    began = time.monotonic()
    known = known_of(game, knowledge) or None
    if known is not None and known.dead:
        raise known.refuse(f"model {model} takes in declarations and --seat-range, not dead cards")
    side_game = SideGame(game, phase, models, sizes, speakers, system, workers, known)
    file = None if checkpoint is None else Checkpoint(checkpoint, side_game.told)
    going, found = _solve(side_game, gap, iterations, watch, file)
    kept, full, of_groups, made = found
    return SideBetting(
        game, phase, models, sizes, speakers, system, full, of_groups.exploitability,
        side_game.en_paso, side_game.played, made, time.monotonic() - began, kept,
        going.interrupted, known,
    )  # fmt: skip


Found = tuple[tuple[NDArray[np.uint16], NDArray[np.uint16]], Gap, Gap, int]


def _solve(
    game: SideGame, gap: float, iterations: int | None, watch: Watch | None, file: Checkpoint | None
) -> tuple[ToAGap, Found]:
    machine = game.machine()
    run = DiscountedCFR(machine)

    def of_groups() -> float:
        return measure(machine, run.sums).exploitability

    going = ToAGap(run, of_groups, iterations or MOST_ITERATIONS, watch, file)
    # Responses over all holdings take seconds: they are looked at twice at most.
    goals = [gap * share for share in _WITHIN] if SHARED in game.models else [gap]
    found = None
    for stage, goal in enumerate(goals):
        stopped = going.to(goal, stage)
        found = _measured(game, run)
        if stopped or iterations is not None or found[1].exploitability <= gap:
            break
    assert found is not None
    return going, found


def _measured(game: SideGame, run: DiscountedCFR) -> Found:
    """The average strategies as they are kept, and what may be gained against them."""
    machine = run.machine
    kept = rounded(game.tree, run.sums)
    tables: list[Vector] = [one.astype(machine.dtype) for one in kept]
    of_groups = measure(machine, tables)
    full = of_groups
    if SHARED in game.models:
        full = game.full_gap(machine, tables, of_groups.value)
        # Who does not see both hands cannot tell them apart in a response either.
        seen = [model == SHARED for model in game.models]
        full = Gap(
            full.value,
            full.most if seen[0] else of_groups.most,
            full.least if seen[1] else of_groups.least,
        )
    return kept, full, of_groups, run.iterations


def check_sides(
    phase: str, game: Game, model: str, system: str, speakers: tuple[int, int]
) -> None:  # fmt: skip
    """Raise InputError if a phase is not solved between such sides."""
    from musodds.exact.scope import check_together

    if phase not in PHASES:
        raise InputError(f"model {model} solves one phase, not {phase!r}: {', '.join(PHASES)}")
    check_together(game)
    if game.sides != 2 or game.side_size != 2 or game.exchange:
        raise InputError(
            f"{game.name}: signs and both hands of a side are for two sides of two players"
        )
    if system not in SYSTEMS:
        raise InputError(f"no system of signals {system!r}: {', '.join(SYSTEMS)}")
    if [game.side(seat) for seat in speakers] != [0, 1]:
        raise InputError(
            f"speakers {speakers[0]},{speakers[1]}: one of mano's side (odd seats) and then one "
            "of the other's"
        )
