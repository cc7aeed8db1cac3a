"""Odds of a hand under knowledge, simulated: for games too large to count.

The columns are those of :mod:`musodds.chances.odds`, estimated over deals drawn by
:mod:`musodds.simulation.conditional_deals`. With importance weights v an estimate is
Σ v x / Σ v, and its standard error sqrt(Σ v² (x - mean)²) / Σ v (the delta method).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from musodds.arrays import Floats, Ints, Mask
from musodds.errors import KnowledgeError
from musodds.exact.named_deals import faithful
from musodds.exact.phases.columns import COLUMNS, WORST_COLUMNS, columns_of, from_counts
from musodds.knowledge.knowledge import Knowledge
from musodds.knowledge.question import Question, ask, check_drawn
from musodds.rules.game import PHASES, UNANIMOUS, Game
from musodds.rules.games import get_game
from musodds.rules.hands import Hands, codes_of, hands
from musodds.rules.shown import shown_hands
from musodds.simulation.conditional_deals import BLOCK, ConditionalDeals
from musodds.simulation.given import given
from musodds.simulation.named_deals import keep_their_word, name_deals
from musodds.simulation.runner import Goal, run
from musodds.store.notices import Watcher
from musodds.values import Table, once

_CONTESTED = COLUMNS.index("contested")
_GIVEN = (COLUMNS.index("win_contested"), len(COLUMNS) + WORST_COLUMNS.index("worst_contested"))
_FOR, _AGAINST = COLUMNS.index("stones_for"), COLUMNS.index("stones_against")


@dataclass(frozen=True, eq=False, repr=False)
class KnownSimulation(Table):
    """Simulated odds of a hand under some knowledge.

    Attributes
    ----------
    game : Game
    hand : str
    seat : int
    knowledge : Knowledge
    n, seed : int
    effective_n : float
        How many deals of equal weight would say as much, (Σ v)² / Σ v².
    estimates, errors : ndarray of float64, shape (phases, columns)
        Each column and its standard error; NaN for `win_contested` if never contested.
    net, net_se : float
        Expected stones for my side less theirs, over all phases.
    interrupted : bool
        Whether Ctrl-C ended it.
    """

    game: Game
    hand: str
    seat: int
    knowledge: Knowledge
    n: int
    seed: int
    effective_n: float
    estimates: Floats
    errors: Floats
    net: float
    net_se: float
    interrupted: bool = False

    method = "monte-carlo"

    def rows(self) -> list[dict[str, Any]]:
        """One dict per phase: `seat`, `phase`, every column `x` with its `x_se`, `net`."""
        rows = []
        for phase, values, errors in zip(PHASES, self.estimates, self.errors, strict=True):
            row: dict[str, Any] = {"seat": self.seat, "phase": phase}
            for column, value, error in zip(columns_of(self.game), values, errors, strict=True):
                missing = bool(np.isnan(value))
                row[column] = None if missing else float(value)
                row[f"{column}_se"] = None if missing else float(error)
            rows.append(row | {"net": self.net, "net_se": self.net_se})
        return rows

    def records(self) -> list[dict[str, Any]]:
        """The rows, `net` on the first alone."""
        return once(self.rows(), ["seat"], ["net", "net_se"])


@dataclass(frozen=True, eq=False, repr=False)
class KnownSimulations(Table):
    """Simulated odds of a hand in several seats, each on deals of its own.

    Attributes
    ----------
    seats : tuple of int
    parts : tuple of KnownSimulation
        One for each seat.
    """

    seats: tuple[int, ...]
    parts: tuple[KnownSimulation, ...]

    method = "monte-carlo"

    @property
    def game(self) -> Game:
        """The game."""
        return self.parts[0].game

    @property
    def hand(self) -> str:
        """The hand, high to low."""
        return self.parts[0].hand

    @property
    def knowledge(self) -> Knowledge:
        """What is known."""
        return self.parts[0].knowledge

    @property
    def n(self) -> int:
        """Deals for each seat."""
        return self.parts[0].n

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended it: the last seat may have fewer deals, or seats may lack."""
        return self.parts[-1].interrupted

    @property
    def seed(self) -> int:
        """The seed of every seat."""
        return self.parts[0].seed

    def net(self, seat: int) -> float:
        """Expected stones for my side less theirs, over all phases."""
        return self.parts[self.seats.index(seat)].net

    def rows(self) -> list[dict[str, Any]]:
        """The rows of every seat."""
        return [row for part in self.parts for row in part.rows()]

    def records(self) -> list[dict[str, Any]]:
        """The rows, `net` on the first of each seat alone."""
        return [row for part in self.parts for row in part.records()]


def simulate_seats(
    hand: str,
    *,
    game: str | Game = "mus",
    seat: int | str = "all",
    knowledge: Knowledge | None = None,
    n: int = 100_000,
    seed: int = 1,
    workers: int | None = 1,
    watch: Watcher | None = None,
) -> KnownSimulations:
    """As :func:`simulate_known`, for one seat or all; after Ctrl-C, those that are known."""
    seats = (get_game(game) if knowledge is None else knowledge.game).parse_seats(seat)
    parts: list[KnownSimulation] = []
    for place in seats:
        try:
            part = simulate_known(
                hand, game=game, seat=place, knowledge=knowledge, n=n, seed=seed,
                workers=workers, watch=watch,
            )  # fmt: skip
        except KeyboardInterrupt:
            if not parts:
                raise
            parts[-1] = replace(parts[-1], interrupted=True)
            break
        parts.append(part)
        if part.interrupted:
            break
    return KnownSimulations(seats[: len(parts)], tuple(parts))


def simulate_known(
    hand: str,
    *,
    game: str | Game = "mus",
    seat: int | str = 1,
    knowledge: Knowledge | None = None,
    n: int = 100_000,
    seed: int = 1,
    workers: int | None = 1,
    watch: Watcher | None = None,
) -> KnownSimulation:
    """Simulate the odds of a hand before any discard, given what is known.

    Parameters
    ----------
    hand : str
    game : str or Game, optional
        The game of ``knowledge``, if that is given. Any number of players.
    seat : int or str, optional
        One seat.
    knowledge : Knowledge, optional
    n : int, optional
        Deals.
    seed : int, optional
        The same seed gives the same digits.
    workers : int, optional
        Threads, on which the digits do not depend; None: one for each core.
    watch : callable, optional
        Called now and then with the deals drawn, and all.

    Raises
    ------
    KnowledgeError
        If the hand contradicts what is known, or no deal fits.

    Examples
    --------
    >>> found = simulate_known("RRAA", seat=1, n=2000, seed=7)
    >>> found.method, found.n, found.effective_n
    ('monte-carlo', 2000, 2000.0)
    """
    knowledge = Knowledge(get_game(game)) if knowledge is None else knowledge
    game = knowledge.game
    asked = given(n, None, seed, workers)
    all_hands, place = hands(game), game.parse_seat(seat)
    question = ask(game, hand, dead=knowledge.dead)
    deals = _deals(question, place, knowledge)
    others = [s for s in range(game.seats) if s != place - 1]
    shown = np.zeros(len(all_hands), dtype=np.bool_)
    shown[list(shown_hands(game))] = True

    def play(block: int, size: int, only: Mapping[int, list[int]] | None) -> list[_Sums]:
        if not size:
            return []
        dealt, chances = deals.block(block, size, asked.seed)
        # Nobody else has shown a hand: such deals are left out.
        fit = ~shown[dealt[:, others]].any(axis=1)
        if all_hands.has_jokers:
            dealt = name_deals(game, dealt, only)
            fit &= keep_their_word(game, dealt, knowledge.answers)
        return [_Sums.of(_outcomes(all_hands.named, place, dealt), chances * fit)]

    for only in _held_to(question, place, knowledge):
        total = run(partial(play, only=only), BLOCK, Goal(asked.n or 2), asked.workers, watch=watch)
        if total.deals < 2:
            raise KeyboardInterrupt
        if total.sums.weight:
            break
    if not total.sums.weight:
        raise KnowledgeError("no deal that fits all that is known was found")
    found = KnownSimulation(
        game, question.hand, place, knowledge, total.deals, asked.seed, *total.sums.results()
    )
    return replace(found, interrupted=total.interrupted)


def _held_to(
    question: Question, place: int, knowledge: Knowledge
) -> Iterator[dict[int, list[int]] | None]:
    """Nothing; then what the hand declared, if what it would be named leaves no deal.

    See :mod:`musodds.exact.named_deals`.
    """
    yield None
    if place in knowledge.answers and question.certain:
        me = int(question.classes[0])
        found = faithful(hands(question.game), me, knowledge.answers[place])
        if 0 < len(found) < len(hands(question.game).namings(me)):
            yield {place: found}


def _deals(question: Question, place: int, knowledge: Knowledge) -> ConditionalDeals:
    """The deals of a question: of any of the hands that it may be, by their ways."""
    game, dead = question.game, knowledge.dead
    weights = dict(knowledge.weights(place))
    if question.shown:
        if knowledge:
            check_drawn(question)
        # Four new cards, for those that everybody has seen.
        [cards, *_] = question.readings
        return ConditionalDeals(game, weights, (*dead, *cards))
    mine = np.zeros(len(hands(game)), dtype=np.int64)
    mine[knowledge.possible_hands(question.classes.tolist(), place)] = 1
    return ConditionalDeals(game, {**weights, place: mine}, dead)


def _outcomes(all_hands: Hands, seat: int, dealt: Ints) -> Floats:
    """The columns of every deal, shape (phases, columns, deals)."""
    return np.stack([_phase(all_hands, seat, phase, dealt) for phase in PHASES])


def _phase(all_hands: Hands, seat: int, phase: str, dealt: Ints) -> Floats:
    game, level = all_hands.game, all_hands.level[phase]
    seats = range(1, game.seats + 1)
    codes = np.stack([codes_of(all_hands, phase, s)[dealt[:, s - 1]] for s in seats])
    taking_part = level[dealt.T] > 0
    side = np.array([game.side(s) for s in seats])
    ours = side == game.side(seat)
    enough = np.all if phase in UNANIMOUS else np.any
    playing, meeting = (enough(taking_part[some], axis=0).astype(int) for some in (ours, ~ours))
    winner = codes.argmax(axis=0)
    # Where one who does not speak stops the phase, nobody takes it.
    below = ours[winner] * (meeting if phase in UNANIMOUS else 1)
    stones = worst = None
    if phase in all_hands.stones:
        own = all_hands.stones[phase][dealt.T]
        theirs = own * (side[:, None] == side[winner]) * ~ours[winner]
        stones = own[ours].sum(axis=0), theirs.sum(axis=0)
    if game.stones is not None:
        worst = (_worst(taking_part, codes) == seat - 1) * meeting ** (phase in UNANIMOUS)
    columns = np.array(
        from_counts(phase, 1, playing, meeting, below, winner == seat - 1, stones, worst),
        dtype=np.float64,
    )
    columns[_AGAINST] /= game.sides - 1
    return columns


def _worst(taking_part: Mask, codes: Ints) -> Ints:
    """The place of the lowest of those who take part, of equals the last."""
    worst: Ints = np.where(taking_part, codes, codes.max() + 1).argmin(axis=0)
    return worst


class _Sums(NamedTuple):
    """Weighted sums, and the weighted squares that standard errors take."""

    weight: float
    weight2: float
    x: Floats
    x_v2: Floats
    xx_v2: Floats
    net: Floats

    @classmethod
    def of(cls, outcomes: Floats, weights: Floats) -> _Sums:
        squares = weights * weights
        net = (outcomes[:, _FOR] - outcomes[:, _AGAINST]).sum(axis=0)
        return cls(
            float(weights.sum()),
            float(squares.sum()),
            outcomes @ weights,
            outcomes @ squares,
            (outcomes * outcomes) @ squares,
            np.array([net @ weights, net @ squares, (net * net) @ squares]),
        )

    def __add__(self, other: _Sums) -> _Sums:  # type: ignore[override]
        return _Sums(
            self.weight + other.weight,
            self.weight2 + other.weight2,
            self.x + other.x,
            self.x_v2 + other.x_v2,
            self.xx_v2 + other.xx_v2,
            self.net + other.net,
        )

    def results(self) -> tuple[float, Floats, Floats, float, float]:
        mean = self.x / self.weight
        errors = self._error(mean, self.x_v2, self.xx_v2)
        # Given contested: a ratio of two means; both are 0 or 1, the one within the other.
        contested = self.x[:, _CONTESTED]
        for then in _GIVEN[: 1 if mean.shape[1] == len(COLUMNS) else None]:
            with np.errstate(invalid="ignore", divide="ignore"):
                ratio = np.where(contested > 0, self.x[:, then] / contested, np.nan)
                spread = self.x_v2[:, then] * (1 - 2 * ratio) + ratio**2 * self.x_v2[:, _CONTESTED]
                errors[:, then] = np.sqrt(np.maximum(spread, 0)) / contested
            mean[:, then] = ratio
        net = float(self.net[0] / self.weight)
        net_se = float(self._error(np.array(net), np.array(self.net[1]), np.array(self.net[2])))
        return self.weight**2 / self.weight2, mean, errors, net, net_se

    def _error(self, mean: Floats, x_v2: Floats, xx_v2: Floats) -> Floats:
        spread = xx_v2 - 2 * mean * x_v2 + mean * mean * self.weight2
        error: Floats = np.sqrt(np.maximum(spread, 0)) / self.weight
        return error
