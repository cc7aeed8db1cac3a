"""What a deal comes to, all phases together: exact joint counts.

Odds take one phase at a time. What a deal does to a *score* needs them together: who
takes each of grande, chica, pares and juego (or else punto), and what each side's hands
are worth in pares and juego. There are few hundred such outcomes; this module counts
the deals of each, for my side of a hand in a seat, with any knowledge of the others.

As in :mod:`musodds.counting`, the others' cards are a hand of the partner's, a part that
the rivals hold together, and its split between them; A(gone, part) · K counts the deals.
The event is now four comparisons at once. A hand's *code* (see :mod:`musodds.unseen`)
tells who takes a phase, and what matters of the rivals' codes is only how they rank
among those of my side: so splits of equal ranks are put together (see
:mod:`musodds._outcomes`) before they are compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from musodds.counting import Floats, Ints
from musodds.errors import GameError
from musodds.games import Game
from musodds.hands import Hands, hands
from musodds.unseen import Exact, Mask, Unseen, codes_of, rivals_in_order

GRANDE, CHICA, PARES, LAST = range(4)
"""The comparisons of a deal; LAST is juego or, where nobody has it, punto."""

STONES = ("pares", "juego")
"""Phases in which every hand has stones of its own."""

# The kernel adds up in 64 bits at most 2**30 ways to deal the rivals times a weight.
_SLICE = 20

# Up to this many comparisons are made by numpy.
_FEW = 10**8


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Outcomes of a deal as my side sees them, and how many deals have each.

    Attributes
    ----------
    game : Game
    seat : int
        A seat of my side.
    wins : ndarray of bool, shape (outcomes, 4)
        Whether my side has the best hand in grande, chica, pares, and juego or punto;
        of no meaning where nobody has pares.
    mine, theirs : ndarray of int64, shape (outcomes, 2)
        Own stones of each side's hands in pares and in juego; all 0 in juego: punto.
    weights : ndarray of object (int), shape (outcomes,)
        Deals, or their weight where ranges have weights.

    Examples
    --------
    >>> from musodds.knowledge import Knowledge
    >>> from musodds.known_odds import unseen_by_seat
    >>> from musodds.games import get_game
    >>> game = get_game("mus2p")
    >>> unseen = unseen_by_seat(hands(game).index("RR7A"), (1,), Knowledge(game))[1]
    >>> known_outcomes(unseen, 1).total  # hands of the rival: C(36, 4)
    58905
    """

    game: Game
    seat: int
    wins: Mask
    mine: Ints
    theirs: Ints
    weights: Exact

    @property
    def total(self) -> int:
        """Weight of all deals."""
        return int(self.weights.sum())

    def chances(self) -> Floats:
        """The chance of each outcome, shape (outcomes,)."""
        total = self.total
        return np.array([weight / total for weight in self.weights], dtype=np.float64)

    def contested(self, phase: str) -> Mask:
        """Where both sides may bet in a phase, shape (outcomes,)."""
        if phase in STONES:
            i = STONES.index(phase)
            both: Mask = (self.mine[:, i] > 0) & (self.theirs[:, i] > 0)
            return both
        if phase == "punto":
            nobody: Mask = (self.mine[:, 1] == 0) & (self.theirs[:, 1] == 0)
            return nobody
        return np.ones(len(self.wins), dtype=bool)

    def where(self, keep: Mask) -> Outcomes:
        """Only some of the outcomes."""
        return Outcomes(
            self.game, self.seat, self.wins[keep], self.mine[keep], self.theirs[keep],
            self.weights[keep],
        )  # fmt: skip


def outcomes_of_counts(game: Game, seat: int, own: Ints, counts: Ints | Exact) -> Outcomes:
    """The outcomes that occur in a table of counts.

    Parameters
    ----------
    game : Game
    seat : int
    own : ndarray of int64, shape (rows, 2)
        My side's own stones in pares and juego.
    counts : ndarray of int, shape (rows, 16, kinds)
        Deals by who takes what (see :func:`musodds._outcomes.count_outcomes`) and the
        rivals' own stones (:func:`rivals_stones`).
    """
    row, wins, kind = np.nonzero(counts)
    return Outcomes(
        game,
        seat,
        (wins[:, None] >> np.arange(4) & 1).astype(bool),
        own[row],
        rivals_stones(game)[0][kind],
        counts[row, wins, kind].astype(object),
    )


def known_outcomes(unseen: Unseen, seat: int) -> Outcomes:
    """Count the outcomes of a hand in a seat, given what is known of the others.

    Parameters
    ----------
    unseen : Unseen
        The hand and what it does not see; see
        :func:`musodds.known_odds.unseen_by_seat`.
    seat : int
    """
    game, all_hands = unseen.game, unseen.hands
    check_counted(game)
    mates, mate_of = mates_of(game)
    number = len(unseen.mates)
    code = np.repeat(lane_codes(all_hands, seat)[[unseen.me]], number, axis=0)
    group = np.zeros(number, dtype=np.int64)
    for partner in game.partners(seat):
        code = np.maximum(code, lane_codes(all_hands, partner)[unseen.mates])
        group = mate_of[unseen.mates]
    splits = Splits.of(game, seat, unseen.first, unseen.second, unseen.part_of, unseen.parts)
    kinds = len(rivals_stones(game)[0])
    counts = np.zeros((len(mates), 16, kinds), dtype=object)
    values = unseen.values.astype(np.int64)
    for shift in range(0, max(1, int(values.max(initial=0)).bit_length()), _SLICE):
        some = values >> shift & ((1 << _SLICE) - 1)
        by_mate = splits.by_row(unseen.available, some, code, kinds).astype(object) << shift
        for mate, ways in enumerate(unseen.mate_ways):
            counts[group[mate]] += ways * by_mate[mate]
    return outcomes_of_counts(game, seat, own_stones(all_hands)[unseen.me] + mates, counts)


@dataclass(frozen=True, eq=False)
class Splits:
    """The rivals' splits, part by part, as the kernel reads them."""

    order: Ints
    start: Ints
    grande: NDArray[np.uint16]
    chica: NDArray[np.uint16]
    rest: NDArray[np.uint16]
    rest_code: NDArray[np.uint16]
    rest_kind: Ints
    codes: int

    @classmethod
    def of(
        cls, game: Game, seat: int, first: Ints, second: Ints, part_of: Ints, parts: Ints
    ) -> Splits:
        all_hands = hands(game)
        order, start = by_part(part_of, len(parts))
        first, second = first[order], second[order]
        seats = rivals_in_order(game, seat)
        code = lane_codes(all_hands, seats[0])[first]
        if len(seats) > 1:
            code = np.maximum(code, lane_codes(all_hands, seats[1])[second])
        kinds, kind_of = rivals_stones(game)
        kind = kind_of[first, second if len(seats) > 1 else 0]
        codes = 1 + max(int(lane_codes(all_hands, s).max()) for s in range(1, game.seats + 1))
        key = (code[:, PARES].astype(np.int64) * codes + code[:, LAST]) * len(kinds) + kind
        distinct, rest = np.unique(key, return_inverse=True)
        two_codes = distinct // len(kinds)
        grande, chica, which = (
            column.astype(np.uint16) for column in (code[:, GRANDE], code[:, CHICA], rest)
        )
        rest_code = np.column_stack((two_codes // codes, two_codes % codes)).astype(np.uint16)
        return cls(order, start, grande, chica, which, rest_code, distinct % len(kinds), codes)

    def by_row(self, available: Floats, values: Ints, code: NDArray[np.int32], kinds: int) -> Ints:
        """The counts of one split of my side in each row, shape (rows, 16, kinds)."""
        rows = len(available)
        if rows * len(self.grande) > _FEW:
            out = np.zeros((rows, 16, kinds), dtype=np.int64)
            slot, weight = np.arange(rows), np.ones(rows, dtype=np.int64)
            self.count(available, values, np.arange(rows + 1), code, slot, weight, out)
            return out
        # Sooner done by numpy than the compiled kernel loads; sums stay below 2**53.
        part = np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))
        lanes = (self.grande, self.chica, *self.rest_code[self.rest].T)
        kind = self.rest_kind[self.rest]
        value = values[self.order].astype(np.float64)
        found = np.empty((rows, 16 * kinds))
        for row, mine in enumerate(code):
            wins = sum(
                (theirs < own).astype(np.int64) << lane
                for lane, (theirs, own) in enumerate(zip(lanes, mine, strict=True))
            )
            weight_of = available[row][part] * value
            found[row] = np.bincount(wins * kinds + kind, weight_of, 16 * kinds)
        return found.astype(np.int64).reshape(rows, 16, kinds)

    def count(
        self, available: Floats, values: Ints, own_start: Ints, code: NDArray[np.int32],
        slot: Ints, weight: Ints, out: Ints,
    ) -> None:  # fmt: skip
        from musodds._outcomes import count_outcomes

        count_outcomes(
            available, self.start, self.grande, self.chica, self.rest, self.rest_code,
            self.rest_kind, values[self.order], self.codes,
            own_start, code, slot, weight, out,
        )  # fmt: skip


def by_part(part_of: Ints, parts: int) -> tuple[Ints, Ints]:
    """Splits in order of their parts, and where each part begins."""
    order = np.argsort(part_of, kind="stable")
    return order, np.searchsorted(part_of[order], np.arange(parts + 1))


def check_counted(game: Game) -> None:
    """Raise GameError if the outcomes of a game are not counted here."""
    if game.sides != 2 or game.side_size > 2 or any(k.stands_for for k in game.deck.kinds):
        raise GameError(
            f"{game.name}: all phases together are counted only for two sides of one or two "
            "players, without jokers"
        )


@lru_cache(maxsize=64)
def lane_codes(game_hands: Hands, seat: int) -> NDArray[np.int32]:
    """Codes of all hands in a seat, shape (classes, 4); the greatest takes the phase.

    Juego stands above punto in the last column, as punto is played if nobody has juego.
    """
    last = np.where(
        game_hands.level["juego"] > 0,
        codes_of(game_hands, "juego", seat) + game_hands.top_level["punto"] * game_hands.game.seats,
        codes_of(game_hands, "punto", seat),
    )
    lanes = [codes_of(game_hands, phase, seat) for phase in ("grande", "chica", "pares")]
    return np.stack([*lanes, last], axis=1).astype(np.int32)


def own_stones(all_hands: Hands) -> Ints:
    """Own stones of every hand in pares and juego, shape (classes, 2)."""
    return np.stack([all_hands.stones[phase] for phase in STONES], axis=1)


@lru_cache(maxsize=8)
def mates_of(game: Game) -> tuple[Ints, Ints]:
    """The own stones a partner may add, shape (mates, 2), and which each class adds."""
    if game.side_size == 1:
        return np.zeros((1, 2), dtype=np.int64), np.zeros(len(hands(game)), dtype=np.int64)
    found, which = np.unique(own_stones(hands(game)), axis=0, return_inverse=True)
    return found, which.reshape(-1)


@lru_cache(maxsize=8)
def rivals_stones(game: Game) -> tuple[Ints, NDArray[np.int32]]:
    """The own stones that the rivals' hands may have, shape (kinds, 2), and whose they are.

    The second, shape (classes, classes or 1), is the kind of each pair of hands.
    """
    own = own_stones(hands(game))
    mates = own if game.side_size > 1 else np.zeros((1, 2), dtype=np.int64)
    together = own[:, None] + mates
    found, which = np.unique(together.reshape(-1, 2), axis=0, return_inverse=True)
    return found, which.reshape(together.shape[:2]).astype(np.int32)
