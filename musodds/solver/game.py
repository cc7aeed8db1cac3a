"""What is solved: a phase or a deal of a game, at a score, between two speakers."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats, Ints
from musodds.errors import InputError
from musodds.rules.game import PHASES, Game
from musodds.rules.hands import hands
from musodds.rules.showdown import Ending
from musodds.solver.known import Known
from musodds.solver.pairs import Types, check_known, parts_of, table_of, types_of
from musodds.solver.payoffs import Cell, Worth, cells_of, matrices_of, segment
from musodds.solver.sizes import Sizes
from musodds.solver.tree import Builder, End, Part, Tree, deal_tree, part_of_phase, phase_tree
from musodds.stakes.equity import Equity
from musodds.stakes.equity_kinds import equity_by
from musodds.stakes.scores import check_score
from musodds.store.numbers import digest
from musodds.version import __version__

DEAL = "deal"
WHATS = (*PHASES, DEAL)
EQUITY, STONES = "equity", "stones"


@dataclass(frozen=True)
class Spec:
    """A betting game.

    Parameters
    ----------
    game : Game
    what : str
        A phase (all others passed, and given that it is bet on), or ``deal``.
    score : tuple of int
        Mano's side first.
    payoff : str
        ``equity``: mano's side's chance of winning the game, en paso afterwards;
        ``stones``: its stones less the other's, an órdago for the target.
    sizes : Sizes
    speakers : tuple of int
        The seats that speak for the first and the second side.
    table : Equity, optional
        The chances after the deal; default the best kind that there is.
    earlier : tuple of Ending, optional
        Of a phase: earlier phases that were not passed, side 0 mano's; what was refused
        is in the score.
    known : Known, optional
        To both sides.
    """

    game: Game
    what: str
    score: tuple[int, int]
    payoff: str
    sizes: Sizes
    speakers: tuple[int, int] = (1, 2)
    table: Equity | None = None
    earlier: tuple[Ending, ...] = ()
    known: Known | None = None

    def check(self) -> None:
        """Raise InputError if there is no such game."""
        if self.what not in WHATS:
            raise InputError(f"no phase {self.what!r}: {', '.join(WHATS)}")
        if self.payoff not in (EQUITY, STONES):
            raise InputError(f"payoff {self.payoff!r}: {EQUITY} or {STONES}")
        if self.game.sides != 2:
            raise InputError(f"{self.game.name} has not two sides: betting is solved between two")
        check_score(self.game, *self.score)
        sides = [self.game.side(seat) for seat in self.speakers]
        if sides != [0, 1]:
            raise InputError(
                f"speakers {self.speakers[0]},{self.speakers[1]}: one of mano's side (odd seats) "
                "and then one of the other's"
            )
        if self.known:
            check_known(self.known, self.speakers)
            if self.what == DEAL and self.known.declared:
                raise self.known.refuse(
                    "in a deal pares and juego are declared after chica, by what is dealt; "
                    "`strategy --line 'pares: both'` goes there, or solve the phase"
                )

    def prior(self, side: int) -> Floats:
        """How likely, besides the cards, a side's speaker holds each hand, shape (classes,)."""
        if not self.known:
            return np.ones(len(hands(self.game)))
        return self.known.weights(self.speakers[side])

    @property
    def model(self) -> str:
        """``exact`` where the hands of a side are one, else ``own``."""
        return "exact" if self.game.side_size == 1 else "own"

    @property
    def kind(self) -> str | None:
        """The kind of equity after the deal; None where stones are counted."""
        return None if self.worth.table is None else self.worth.table.kind

    @property
    def told(self) -> dict[str, str]:
        """All that it is, by name, each as the options of the command say it."""
        mine, theirs = self.score
        found = {
            **told_of_game(self.game),
            "what": self.what,
            "model": f"--model {self.model}",
            "score": f"--score {mine}-{theirs}",
            "payoff": f"--payoff {self.payoff}",
            "equity": f"--equity {self.kind}",
            "table": _table_told(self.worth.table),
            "speakers": "--speakers {},{}".format(*self.speakers),
            **self.sizes.told,
            "earlier": f"{self.earlier}" if self.earlier else "nothing said before",
            **(self.known or Known(self.game)).told,
        }
        return found

    @cached_property
    def types(self) -> Types:
        return types_of(self.game, self.what in ("juego", "punto"))

    @cached_property
    def tree(self) -> Tree:
        score = self.score if self.payoff == EQUITY else None
        builder = Builder(
            self.sizes, lambda side, part: segment(self.types, side, part), score, self.game.target
        )
        if self.what == DEAL:
            return deal_tree(builder, self.game.side_size == 1)
        return phase_tree(builder, self.what, self.earlier)

    @cached_property
    def worth(self) -> Worth:
        after = (self.table or equity_by(self.game)) if self.payoff == EQUITY else None
        return Worth(after, self.score, self.game.target)

    def cells(self) -> tuple[list[Cell], float]:
        """The pairs of types by public part, and the chance that the game is played at all.

        What is known is part of that chance; all else is given both.
        """
        table = table_of(self.game, self.speakers, self.known)
        if self.what == DEAL:
            parts, which = parts_of(table.outcomes, self.types.alone)
        else:
            played = table.outcomes.contested(self.what)
            for ending in self.earlier:
                played = played & table.outcomes.contested(ending.phase)
            parts, which = (part_of_phase(self.what),), np.where(played, 0, -1)
        cells = cells_of(table, self.types, parts, which)
        if self.what == DEAL and not self.known:
            return cells, 1.0
        chance = sum(float(cell.weight.sum(dtype=np.float64)) for cell in cells)
        if not chance > 0:
            said = f"known: {self.known.text}: " if self.known else ""
            raise InputError(f"{said}{self.what} is then never bet on: no deal fits it")
        for cell in cells:
            cell.weight[:] /= np.float32(chance)
        return cells, chance

    def matrices(self, cells: list[Cell]) -> tuple[list[NDArray[np.float32]], Ints]:
        """The payoffs of the tree's leaves."""
        tree = self.tree
        return matrices_of(tree.ends, cells, self.worth, self.types, len(tree.kind))

    def masses(self, cells: list[Cell]) -> dict[Part, Floats]:
        """The chance of every pair of types in each public part of the tree."""
        parts = list(dict.fromkeys(self.tree.parts))
        ends = {i: End(part, "won", side=0) for i, part in enumerate(parts)}
        found, which = matrices_of(ends, cells, replace(self.worth), self.types, len(parts))
        return {part: found[which[i]].astype(np.float64) for i, part in enumerate(parts)}

    def en_paso(self, cells: list[Cell]) -> float:
        """The payoff if nobody bets."""
        end = End(Part(), "count", endings=self.earlier)
        total = 0.0
        for cell in cells:
            total += float(cell.matrices([self.worth.of(end, cell.outcomes)]).sum())
        return total


def _table_told(table: Equity | None) -> str:
    """Chances after the deal that may be anybody's own, in a word."""
    if table is None:
        return "no equity"
    return f"equity {hashlib.sha256(np.ascontiguousarray(table.ours).tobytes()).hexdigest()[:12]}"


def told_of_game(game: Game) -> dict[str, str]:
    """The game and the version of what is solved, as a checkpoint tells them."""
    return {
        "version": f"musodds {__version__}",
        "game": f"--game {game.name}",
        "target": f"--target {game.target}",
        "rules": f"rules {digest(game)}",
    }
