"""What games or deals that were played came to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.errors import InputError
from musodds.rules.game import Game
from musodds.simulation.estimates import Estimate
from musodds.values import Table

GAMES, DEALS = "games", "deals"


@dataclass(frozen=True, eq=False, repr=False)
class Contest(Table):
    """Games or deals that given players played; see :func:`musodds.players.play.play`.

    Parameters
    ----------
    game : Game
    players : tuple of str
        As they sit: the first of the first side first.
    unit : str
        ``games`` or ``deals``.
    seed : int
    won : ndarray of bool, shape (n, sides)
        Which side won the game; in Encaje, which player lost it.
    stones : ndarray of int64, shape (n, sides)
        In games the score at the end; in deals what each side scored (an órdago, which wins
        the game, scores nothing). In Encaje the stones left, or gained (below 0: thrown).
    dealt : ndarray of int64, shape (n,)
        Deals in each game.
    written : tuple of str
        Each game or deal written down; empty if they were not wanted.
    interrupted : bool

    Examples
    --------
    >>> from musodds.players.play import play
    >>> contest = play(["kings", "random"], games=20, seed=1)
    >>> contest.unit, contest.n, sum(row["won"] for row in contest.rows())
    ('games', 20, 1.0)
    """

    game: Game
    players: tuple[str, ...]
    unit: str
    seed: int
    won: NDArray[np.bool_]
    stones: NDArray[np.int64]
    dealt: NDArray[np.int64]
    written: tuple[str, ...] = ()
    interrupted: bool = False

    method = "monte-carlo"

    @property
    def n(self) -> int:
        """Games or deals."""
        return len(self.won)

    @property
    def ends(self) -> str:
        """``won``; in Encaje ``lost``."""
        return "won" if self.game.stones is None else "lost"

    def rows(self) -> list[dict[str, Any]]:
        """One dict per side: who, how often it won (Encaje: lost), its stones, with errors.

        With two sides `net` is the mean of its stones less the others'. A standard error is
        None where there is one game alone. Of the share won (lost) there is Wilson's 95 %
        interval too (`won_low`, `won_high`), which says something of few games.
        """
        rows = []
        for side in range(self.game.sides):
            seats = range(side, self.game.seats, self.game.sides)
            row: dict[str, Any] = {"side": side + 1}
            row["players"] = ", ".join(self.players[seat] for seat in seats)
            row |= _share(self.ends, self.won[:, side])
            row |= _mean("stones", self.stones[:, side])
            if self.game.sides == 2:
                row |= _mean("net", self.stones[:, side] - self.stones[:, 1 - side])
            rows.append(row)
        return rows

    def record(self, number: int | None = None) -> str:
        """One game or deal written down, or all of them, as ``score`` and ``review`` read them.

        Parameters
        ----------
        number : int, optional
            From 1.

        Raises
        ------
        InputError
            If there is none.
        """
        if not self.written:
            raise InputError("no records were kept: play with records=True")
        if number is None:
            return "---\n".join(self.written)
        if not 1 <= number <= len(self.written):
            raise InputError(f"record {number}: there are {len(self.written)}, from 1 on")
        return self.written[number - 1]


def _share(name: str, values: NDArray[np.bool_]) -> dict[str, float | None]:
    found = Estimate.proportion(int(values.sum()), len(values))
    return {**_mean(name, values), f"{name}_low": found.low, f"{name}_high": found.high}


def _mean(name: str, values: NDArray[Any]) -> dict[str, float | None]:
    error = float(values.std(ddof=1) / len(values) ** 0.5) if len(values) > 1 else None
    return {name: float(values.mean()), f"{name}_se": error}
