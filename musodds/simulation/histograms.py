"""What the histograms of a simulation say of a phase, as counts of deals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.rules.game import PHASES, Game
from musodds.rules.hands import hands
from musodds.simulation.kernels.layout import RANKS, STONES
from musodds.simulation.packing import named_rows

Number = int | float


@dataclass(frozen=True)
class Layout:
    """Where each histogram stands in a block's vector of sums.

    A winner is written as the seat's *rank*, the number of seats after it (0 for
    postre), as a tie goes to the highest rank.

    Attributes
    ----------
    game : Game
    rounds : int
        The most rounds of mus that are played.

    Notes
    -----
    The histograms, in order:

    ``table``     (8, 8): rank of who takes grande, of who takes chica
    ``pares``     (8, 2**sides, 16): rank of who takes pares, which sides have any, its stones
    ``last``      the same for juego; where no side has juego, for punto
    ``scores``    (sides, top + 1, top + 1): a side's stones in the deal, all sides' together;
                  of two sides, only mano's
    ``hands``     (seats, rows): the hands played in the end, jokers named; see
                  :func:`musodds.simulation.packing.named_rows`
    ``worst``     (5, seats): who has the worst hand of those in each phase; empty where
                  there are partners, or only two players
    ``cuts``      (rounds + 1, seats): in which round, by whom mus was cut; row ``rounds``,
                  entry 0: the deals in which it was not
    ``renewals``  (1,): new stocks made of discards
    """

    game: Game
    rounds: int

    @property
    def top(self) -> int:
        """The most stones a deal can bring."""
        stones = hands(self.game).stones
        most = int(stones["pares"].max() + max(stones["juego"].max(), 1))
        return 2 + self.game.side_size * most

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Name and shape of each histogram."""
        game = self.game
        outcomes = (RANKS, 2**game.sides, STONES)
        return {
            "table": (RANKS, RANKS),
            "pares": outcomes,
            "last": outcomes,
            "scores": (game.sides, self.top + 1, self.top + 1),
            "hands": (game.seats, len(named_rows(hands(game)))),
            "worst": (len(PHASES), game.seats) if game.sides > 2 else (0, 0),
            "cuts": (self.rounds + 1, game.seats),
            "renewals": (1,),
        }


def outcomes(game: Game, views: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The histograms as :attr:`Simulation.outcomes`."""
    seats, everybody = game.seats, 2**game.sides - 1

    def empty() -> NDArray[Any]:
        pares = views["pares"]
        return np.zeros((seats, everybody + 1, pares.shape[2]), dtype=pares.dtype)

    # From rank (0 is postre) to seat (0 is mano).
    table = views["table"][seats - 1 :: -1, seats - 1 :: -1]
    pares, last = (views[name][seats - 1 :: -1].copy() for name in ("pares", "last"))
    found = {"grande": empty(), "chica": empty(), "pares": pares, "juego": last, "punto": empty()}
    found["grande"][:, everybody, 1] = table.sum(axis=1)
    found["chica"][:, everybody, 1] = table.sum(axis=0)
    found["punto"][:, everybody, 1] = last[:, 0].sum(axis=1)
    found["punto"][0, 0, 0] = last[:, 1:].sum()
    for void in (pares, last):
        nobody = void[:, 0].sum()
        void[:, 0] = 0
        void[0, 0, 0] = nobody
    return found


def phase_counts(game: Game, outcome: NDArray[Any], seat: int) -> dict[str, Number]:
    """Deals that were a win, lose, void, best, contested, and both contested and won.

    ``outcome`` is one phase's of :func:`outcomes`.
    """
    side = game.side(seat)
    by_sides = outcome.sum(axis=2)
    mask = np.arange(by_sides.shape[1])
    contested = ((mask >> side & 1) == 1) & (mask != 1 << side)
    mine = np.array([game.side(other) == side for other in range(1, game.seats + 1)])
    played = by_sides[:, 1:]
    return {
        "win": played[mine].sum().item(),
        "lose": played[~mine].sum().item(),
        "void": by_sides[:, 0].sum().item(),
        "best": played[seat - 1].sum().item(),
        "contested": by_sides[:, contested].sum().item(),
        "win_contested": by_sides[mine][:, contested].sum().item(),
    }


def worst_counts(
    game: Game, outcome: NDArray[Any], worst: NDArray[Any], seat: int, phase: str
) -> dict[str, Number]:
    """Deals in which a seat has the worst hand of those in the phase, and others are in it.

    ``worst`` is the histogram of that name; who is alone in a phase is its best and worst.
    """
    alone = outcome[seat - 1, 1 << game.side(seat)].sum().item()
    count = worst[PHASES.index(phase), seat - 1].item()
    return {"worst": count, "worst_contested": count - alone}
