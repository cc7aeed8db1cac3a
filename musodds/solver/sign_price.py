"""What it is worth to see one's partner's sign, sign by sign, where betting is solved.

Two games are solved in stones, one phase at a time, all others passed: in the first no
side sees a sign; in the second mano, who speaks for his side, sees his partner's, and the
rivals know that he does. The price of a sign is what mano's side gains from the first to
the second in the deals in which the partner makes that sign. Of all signs that are true
of his hand he makes the one that is true of the fewest hands.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats, Ints
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.solver.best_response import measure
from musodds.solver.discounted_cfr import DiscountedCFR
from musodds.solver.groups import OWN, SIGNALS, sign_names
from musodds.solver.machine import FOLLOW, Machine, Vector
from musodds.solver.side_game import SideGame
from musodds.solver.sides import check_sides
from musodds.solver.sizes import read_sizes
from musodds.solver.solved import table_starts
from musodds.solver.to_a_gap import MOST_ITERATIONS, ToAGap
from musodds.solver.tree import FIRST
from musodds.store.cache import cached
from musodds.store.numbers import digest

GAP = 0.0005
"""Stones, of either game: with ten times as much the prices move by some hundredths."""

BETS = "2,ordago"
"""And so are the raises."""


class SignPrices(NamedTuple):
    """The prices of the signs in a phase.

    Attributes
    ----------
    names : tuple of str
        The signs, ``none`` last.
    chance : ndarray of float64, shape (signs,)
        How often a hand makes each.
    price : ndarray of float64, shape (signs,)
        Net stones that mano's side gains by it, a deal in which it is made; NaN where the
        phase is never bet on with such a hand, or no hand makes it.
    """

    names: tuple[str, ...]
    chance: Floats
    price: Floats

    @property
    def all(self) -> float:
        """What seeing the signs is worth in a deal, whichever is made."""
        return float(self.chance @ np.nan_to_num(self.price))


def sign_prices(phase: str, game: Game, system: str = "classic") -> SignPrices:
    """What each sign of mano's partner is worth in a phase, counted before or now.

    Parameters
    ----------
    phase : str
    game : Game
        Two sides of two players.
    system : str, optional
        ``classic`` or ``federation``.

    Raises
    ------
    InputError
        If there is no such game, phase or system.
    """
    check_sides(phase, game, SIGNALS, system, (1, 2))
    names, made = sign_names(game, system)
    ways = hands(game).ways
    chance = np.bincount(made, ways, len(names)) / ways.sum()
    price = cached(
        f"sign-prices-{digest(game)}-{game.target}-{phase}-{system}",
        lambda: _prices(phase, game, system, names, chance), shape=(len(names),),
        dtype=np.float64, what=f"the price of the signs in {phase}, {game.name}",
    )  # fmt: skip
    return SignPrices(names, chance, price)


def _prices(
    phase: str, game: Game, system: str, names: tuple[str, ...], chance: Floats
) -> NDArray[np.float64]:
    sizes = read_sizes(BETS, BETS, 1)
    blind = SideGame(game, phase, (OWN, OWN), sizes, (1, 2), system)
    before = _solved(blind.machine())
    seen = SideGame(game, phase, (SIGNALS, OWN), sizes, (1, 2), system)
    machine = seen.machine()
    after = _solved(machine)
    without = _values(machine, [_told_apart(before[0], blind, seen), before[1]])
    gained = (_values(machine, after) - without) * seen.played
    # A group's label is the hand and, after the colon, the sign.
    signs = [names.index(label.rpartition(":")[2]) for label in seen.groups[0].labels]
    total = np.bincount(signs, gained, len(names))
    held = np.bincount(signs, minlength=len(names)) > 0
    price: NDArray[np.float64] = np.full(len(names), np.nan)
    np.divide(total, chance, out=price, where=held)
    return price


def _solved(machine: Machine) -> list[Vector]:
    run = DiscountedCFR(machine)
    ToAGap(run, lambda: measure(machine, run.sums).exploitability, MOST_ITERATIONS).to(GAP)
    return list(run.sums)


def _told_apart(table: Vector, blind: SideGame, seen: SideGame) -> Vector:
    """Mano's table of the game without signs, where each of his hands is told apart by sign."""
    own = {label: i for i, label in enumerate(blind.groups[0].labels)}
    place = np.array([own[label.split()[0]] for label in seen.groups[0].labels], dtype=np.int64)
    parts = [
        table[start:end].reshape(-1, len(own))[:, place].ravel()
        for start, end in _tables(blind, 0)
    ]  # fmt: skip
    return np.concatenate(parts)


def _tables(game: SideGame, side: int) -> Ints:
    """Where the tables of a side's decisions begin and end, shape (decisions, 2)."""
    starts = table_starts(game.tree, side)
    nodes = np.flatnonzero(game.tree.kind == FIRST + side)
    return np.stack((starts[nodes], starts[nodes + 1]), axis=1)


def _values(machine: Machine, tables: list[Vector]) -> NDArray[np.float64]:
    """Net stones of mano's side by his group, its chance in them, both sides playing as said."""
    machine.down(1, tables[1])
    return machine.up(0, tables[0], FOLLOW).astype(np.float64)
