"""Several phases at once: which a side wins together, and the stones of a deal.

Expected stones add up phase by phase; the chance to win two phases, or to make six
stones, does not. With my side's two hands fixed, a rival's hand matters only by its
*category*: which of my side's bests it beats, and its stones in pares and juego. Few
categories occur, so the splits are summed by a product of matrices: one-hot categories
of one rival, ways of the splits, one-hot categories of the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from musodds.counting import Floats, Ints
from musodds.errors import GameError
from musodds.games import Game, get_game
from musodds.hands import hands
from musodds.knowledge import Knowledge
from musodds.known_odds import Side, rivals_in_order, unseen_by_seat
from musodds.unseen import Exact, Unseen, codes_of, slices

if TYPE_CHECKING:
    import pandas as pd

GRANDE = CHICA = ("win", "lose")
PARES = ("win", "lose", "void")
JUEGO = ("win juego", "lose juego", "win punto", "lose punto")

_SHAPE = (len(GRANDE), len(CHICA), len(PARES), len(JUEGO))
# Two rivals have at most 3 stones each in pares and in juego.
_RIVAL_STONES = 7
_MOST = 15
_SLICE = 11


@dataclass(frozen=True, eq=False)
class Joint:
    """What happens in all phases of a deal together, en paso.

    Attributes
    ----------
    game : Game
    hand : str
    seat : int
    knowledge : Knowledge
    deals : int
        Weight of all deals.
    counts : ndarray of object (int), shape (2, 2, 3, 4, 15, 15)
        Weight of the deals by grande, chica (win, lose), pares (win, lose, void), juego
        or punto (:data:`JUEGO`), my side's stones and theirs.

    Examples
    --------
    >>> answer = joint("RRAA", seat=1)
    >>> int(answer.counts.sum()) == answer.deals
    True
    >>> answer.phases()[0]["pares"], len(answer.distribution(0))
    ('win', 11)
    """

    game: Game
    hand: str
    seat: int
    knowledge: Knowledge
    deals: int
    counts: Exact

    method = "exact"

    def phases(self) -> list[dict[str, Any]]:
        """Each combination of phases that occurs, most likely first, with its `chance`."""
        counts = self.counts.sum(axis=(4, 5))
        found = [
            _named(*cell) | {"chance": counts[tuple(cell)] / self.deals}
            for cell in np.argwhere(counts)
        ]
        return sorted(found, key=lambda row: -float(row["chance"]))

    def stones(self) -> list[dict[str, Any]]:
        """Each pair of stones that occurs: `stones_for`, `stones_against`, `chance`."""
        counts = self.counts.sum(axis=(0, 1, 2, 3))
        return [
            {
                "stones_for": int(mine),
                "stones_against": int(theirs),
                "chance": counts[mine, theirs] / self.deals,
            }
            for mine, theirs in np.argwhere(counts)
        ]

    def distribution(self, whose: int) -> list[Fraction]:
        """Chance of 0, 1, 2 … stones for my side (0) or theirs (1)."""
        counts = self.counts.sum(axis=(0, 1, 2, 3)).sum(axis=1 - whose)
        last = int(np.flatnonzero(counts).max())
        return [Fraction(int(count), self.deals) for count in counts[: last + 1]]

    def mean(self, whose: int) -> float:
        """Expected stones of my side (0) or theirs (1)."""
        return float(sum(i * p for i, p in enumerate(self.distribution(whose))))

    def rows(self) -> list[dict[str, Any]]:
        """Every outcome: phases, stones and `chance`."""
        return [
            _named(*cell[:4])
            | {
                "stones_for": int(cell[4]),
                "stones_against": int(cell[5]),
                "chance": self.counts[tuple(cell)] / self.deals,
            }
            for cell in np.argwhere(self.counts)
        ]

    def to_frame(self) -> pd.DataFrame:
        """The rows as a DataFrame."""
        import pandas as pd

        return pd.DataFrame(self.rows())


def _named(grande: int, chica: int, pares: int, juego: int) -> dict[str, Any]:
    """A combination of phases in words: win, lose or void for each."""
    result, phase = JUEGO[juego].split()
    return {
        "grande": GRANDE[grande],
        "chica": CHICA[chica],
        "pares": PARES[pares],
        "juego": result if phase == "juego" else "void",
        "punto": result if phase == "punto" else "void",
    }


def joint(
    hand: str,
    *,
    game: str | Game = "mus",
    seat: int | str = 1,
    knowledge: Knowledge | None = None,
) -> Joint:
    """All phases of a deal together, exactly, when everybody passes.

    Parameters
    ----------
    hand : str
    game : str or Game, optional
        The game of ``knowledge``, if that is given.
    seat : int or str, optional
        One seat.
    knowledge : Knowledge, optional

    Raises
    ------
    GameError
        If the game has more than two sides or players too many.
    KnowledgeError
        If what is known contradicts itself or the hand.
    """
    knowledge = Knowledge(get_game(game)) if knowledge is None else knowledge
    game = knowledge.game
    if game.sides > 2:
        raise GameError(f"{game.name} has more than two sides: phases are not counted together")
    me = hands(game).index(hand)
    place = game.parse_seat(seat)
    unseen = unseen_by_seat(me, (place,), knowledge)[place]
    counts = _count(unseen, place)
    return Joint(game, hands(game).texts[me], place, knowledge, unseen.total, counts)


def _count(unseen: Unseen, seat: int) -> Exact:
    """Σ over the partner's hands of the outcomes against both rivals."""
    sides = {phase: Side(unseen, seat, phase) for phase in hands(unseen.game).level}
    rivals = _Rivals(unseen, seat)
    counts = np.zeros((*_SHAPE, _MOST, _MOST), dtype=object)
    cells = np.indices((*_SHAPE, _RIVAL_STONES, _RIVAL_STONES)).reshape(6, -1)
    for i, ways in enumerate(unseen.mate_ways):
        outcomes = rivals.outcomes(
            i,
            {phase: side.codes[i] for phase, side in sides.items()},
            bool(sides["pares"].some_in[i]),
            bool(sides["juego"].some_in[i]),
        )
        found = np.flatnonzero(outcomes)
        g, c, p, j, pares, juego = cells[:, found]
        pares_stones, juego_stones = sides["pares"].stones[i], sides["juego"].stones[i]
        mine = (g == 0) + 1 * (c == 0) + pares_stones * (p == 0)
        mine = mine + juego_stones * (j == 0) + (j == 2)
        theirs = (g == 1) + 1 * (c == 1) + pares * (p == 1) + juego * (j == 1) + (j == 3)
        np.add.at(counts, (g, c, p, j, mine, theirs), outcomes[found] * ways)
    return counts


class _Rivals:
    """The rivals' hands by category, against one pair of my side's hands at a time."""

    def __init__(self, unseen: Unseen, seat: int) -> None:
        self.unseen = unseen
        all_hands = unseen.hands
        self.seats = rivals_in_order(unseen.game, seat)
        self.classes = [
            np.unique(classes) for classes in (unseen.first, unseen.second)[: unseen.rivals]
        ]
        self.codes = [
            {phase: codes_of(all_hands, phase, s)[some] for phase in all_hands.level}
            for s, some in zip(self.seats, self.classes, strict=True)
        ]
        pares, juego = all_hands.stones["pares"], all_hands.stones["juego"]
        self.stones = [4 * pares[some] + juego[some] for some in self.classes]
        # Where each split stands in the matrix of the two rivals' classes; the splits
        # that cannot be are given a part of their own, never available.
        first = np.searchsorted(self.classes[0], unseen.first)
        if unseen.rivals == 1:
            shape, at = (len(self.classes[0]), 1), (first, np.zeros_like(first))
        else:
            second = np.searchsorted(self.classes[1], unseen.second)
            shape, at = (len(self.classes[0]), len(self.classes[1])), (first, second)
        self.part = np.full(shape, len(unseen.parts))
        self.part[at] = unseen.part_of
        self.ways = np.zeros(shape)
        self.ways[at] = unseen.values
        self.slices = list(slices(self.ways, 23))

    def outcomes(
        self, i: int, limits: dict[str, int], pares: bool, juego: bool
    ) -> NDArray[np.object_]:
        """Weight by grande, chica, pares, juego or punto and the rivals' stones, flat."""
        n = self.unseen.game.seats
        chosen = np.append(self.unseen.available[i], 0.0)[self.part]
        kinds = [
            self._categories(codes, stones, limits, n)
            for codes, stones in zip(self.codes, self.stones, strict=True)
        ]
        some = [np.unique(kind, return_inverse=True) for kind in kinds]
        hot = [np.eye(len(values))[which] for values, which in some]
        cells = _cells(
            some[0][0], some[-1][0] if self.unseen.rivals == 2 else np.zeros(1, int), pares, juego
        )
        size = int(np.prod(_SHAPE)) * _RIVAL_STONES**2
        result: NDArray[np.object_] | None = None
        for shift, ways in self.slices:
            table: Floats = hot[0].T @ (chosen * ways)
            if self.unseen.rivals == 2:
                table = table @ hot[1]
            sums = np.bincount(cells.ravel(), table.ravel(), size).astype(np.int64).astype(object)
            result = sums * (1 << shift) if result is None else result + sums * (1 << shift)
        assert result is not None, "there is always one slice"
        return result

    @staticmethod
    def _categories(codes: dict[str, Ints], stones: Ints, limits: dict[str, int], n: int) -> Ints:
        """Bits 0 to 3: beats us in grande, chica, pares, juego or punto; then the stones."""
        juego = codes["juego"] >= n
        beats = (
            codes["grande"] > limits["grande"],
            codes["chica"] > limits["chica"],
            (codes["pares"] > limits["pares"]) & (codes["pares"] >= n),
            np.where(juego, codes["juego"] > limits["juego"], codes["punto"] > limits["punto"]),
        )
        return sum((bit << i for i, bit in enumerate(beats)), 16 * stones)


def _cells(first: Ints, second: Ints, pares: bool, juego: bool) -> Ints:
    """Where the outcome of two categories is counted, shape (first, second)."""
    one, other = first[:, None], second[None, :]
    either = one | other
    stones = [(kind >> 4 >> 2) for kind in (one, other)]
    juegos = [(kind >> 4) & 3 for kind in (one, other)]
    their_pares, their_juego = stones[0] + stones[1], juegos[0] + juegos[1]
    pares_lost = (either >> 2) & 1
    p = np.where(pares_lost, 1, 0 if pares else 2)
    # With juego about, only a hand that has it can win; without, it is punto.
    beaten_in_juego = (
        sum(((kind >> 3) & 1) * (j > 0) for kind, j in zip((one, other), juegos, strict=True)) > 0
    )
    beaten_in_punto = (either >> 3) & 1
    j = np.where((their_juego > 0) | juego, beaten_in_juego, 2 + beaten_in_punto)
    index = (either & 1, (either >> 1) & 1, p, j, their_pares, their_juego)
    return np.ravel_multi_index(
        tuple(np.broadcast_arrays(*index)), (*_SHAPE, _RIVAL_STONES, _RIVAL_STONES)
    )
