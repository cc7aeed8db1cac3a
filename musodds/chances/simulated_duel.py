"""Who takes each phase when ranges meet, simulated: where hand by hand takes too long."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from musodds.arrays import Floats, Ints
from musodds.errors import KnowledgeError
from musodds.knowledge.knowledge import Knowledge
from musodds.rules.game import PHASES, UNANIMOUS, Game
from musodds.rules.hands import Hands, codes_of, hands
from musodds.simulation.conditional_deals import BLOCK, ConditionalDeals
from musodds.simulation.given import given
from musodds.simulation.named_deals import keep_their_word, name_deals
from musodds.simulation.runner import Goal, run
from musodds.store.notices import Watcher


class Sums(NamedTuple):
    """Weighted sums over deals, and those of squares that standard errors take.

    Attributes
    ----------
    deals : float
    takes : ndarray of float64, shape (phases, seats + 1)
    stones : ndarray of float64, shape (phases, sides)
    squares : ndarray of float64
        Weight² alone, with who takes, with the stones, and with their squares, in a row.
    """

    deals: float
    takes: Floats
    stones: Floats
    squares: Floats

    def __add__(self, other: Sums) -> Sums:  # type: ignore[override]
        return Sums(
            self.deals + other.deals,
            self.takes + other.takes,
            self.stones + other.stones,
            self.squares + other.squares,
        )


class Simulated(NamedTuple):
    """What was found: sums, as counts are; and standard errors by phase and column."""

    n: int
    sums: Sums
    errors: Mapping[str, Mapping[str, float]]


def simulate_duel(
    whole: Knowledge, n: int, seed: int, workers: int | None = 1, watch: Watcher | None = None
) -> Simulated:
    """Simulate the deals in which every seat holds its range.

    Parameters
    ----------
    whole : Knowledge
        A range for every seat.
    n, seed, workers, watch
        See :func:`musodds.chances.simulated_odds.simulate_known`.

    Raises
    ------
    KnowledgeError
        If no deal fits.
    """
    game, asked = whole.game, given(n, None, seed, workers)
    all_hands = hands(game)
    weights = {s: w for s, w in whole.seat_weights(1).items() if np.ptp(w) or not w[0]}
    deals = ConditionalDeals(game, weights, whole.dead)

    def play(block: int, size: int) -> list[Sums]:
        if not size:
            return []
        dealt, chances = deals.block(block, size, asked.seed)
        if all_hands.has_jokers:
            dealt = name_deals(game, dealt)
            chances = chances * keep_their_word(game, dealt, whole.answers)
        return [_sums(game, all_hands.named, dealt, chances)]

    total = run(play, BLOCK, Goal(asked.n or 2), asked.workers, watch=watch)
    if not total.deals:
        raise KeyboardInterrupt
    if not total.sums.deals:
        raise KnowledgeError("no deal that fits all that is known was found")
    return Simulated(total.deals, total.sums, _errors(game, total.sums))


def _sums(game: Game, table: Hands, dealt: Ints, weights: Floats) -> Sums:
    seats = np.arange(game.seats)
    takes = np.zeros((len(PHASES), game.seats + 1))
    stones = np.zeros((len(PHASES), game.sides))
    takes2, stones2, squared2 = takes.copy(), stones.copy(), stones.copy()
    squares = weights * weights
    for i, phase in enumerate(PHASES):
        in_it = table.level[phase][dealt] > 0
        codes = np.stack(
            [codes_of(table, phase, s + 1)[dealt[:, s]] for s in range(game.seats)], axis=1
        )
        winner = codes.argmax(axis=1)
        void = ~(in_it.all(axis=1) if phase in UNANIMOUS else in_it.any(axis=1))
        taken = np.where(void, 0, winner + 1)
        takes[i] = np.bincount(taken, weights, game.seats + 1)
        takes2[i] = np.bincount(taken, squares, game.seats + 1)
        worth = np.ones(len(dealt), dtype=np.int64)
        if phase in table.stones:
            own = table.stones[phase][dealt]
            of_side = winner[:, None] % game.sides == seats % game.sides
            worth = (own * of_side).sum(axis=1)
        worth = worth * ~void
        side = winner % game.sides
        for found, by in ((stones, weights * worth), (stones2, squares * worth)):
            found[i] = np.bincount(side, by, game.sides)
        squared2[i] = np.bincount(side, squares * worth * worth, game.sides)
    kept = np.concatenate([[squares.sum()], *(x.ravel() for x in (takes2, stones2, squared2))])
    return Sums(float(weights.sum()), takes, stones, kept)


def _errors(game: Game, sums: Sums) -> dict[str, dict[str, float]]:
    """Standard errors of sums over the sum of weights, by the delta method."""
    sizes = np.cumsum([1, sums.takes.size, sums.stones.size])
    whole, takes, stones, squared = np.split(sums.squares, sizes)
    takes, stones = takes.reshape(sums.takes.shape), stones.reshape(sums.stones.shape)
    squared = squared.reshape(sums.stones.shape)

    def error(mean: Floats, first: Floats, second: Floats) -> Floats:
        spread = second - 2 * mean * first + mean * mean * whole[0]
        found: Floats = np.sqrt(np.maximum(spread, 0)) / sums.deals
        return found

    def of_side(of_seats: Floats) -> Floats:
        return np.stack(
            [of_seats[:, 1 + side :: game.sides].sum(axis=1) for side in range(game.sides)], axis=1
        )

    seats = error(sums.takes / sums.deals, takes, takes)
    sides = error(of_side(sums.takes) / sums.deals, of_side(takes), of_side(takes))
    worth = error(sums.stones / sums.deals, stones, squared)
    names = ["void", *(f"seat_{s + 1}" for s in range(game.seats))]
    names += [f"{what}_{s + 1}" for what in ("side", "stones") for s in range(game.sides)]
    rows = np.concatenate((seats, sides, worth), axis=1).tolist()
    return {p: dict(zip(names, row, strict=True)) for p, row in zip(PHASES, rows, strict=True)}
