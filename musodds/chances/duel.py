"""Who takes each phase when several hands meet, known or in ranges.

Each seat holds a range: one hand, a set, or any hand. Three ways to the same numbers, the
quickest is taken:

- the seat with the fewest hands is taken hand by hand, and the others counted over the
  splits as in :mod:`musodds.chances.counted_odds`; the weights of the deals add up;
- two sides of two with many hands each are counted over the splits of both sides
  (:mod:`musodds.exact.phases.sides`), and nobody's hand is gone through;
- with jokers all phases hang together, so the deals are gone through from either side;
  where that is too much, or in games too large to count, they are simulated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

from musodds.arrays import Exact, Ints
from musodds.errors import CardError, KnowledgeError
from musodds.exact.known_hands import in_order
from musodds.exact.phases.columns import COLUMNS
from musodds.exact.phases.sides import MOST_WEIGHT, met
from musodds.exact.phases.unseen_columns import Side
from musodds.exact.rival_pairs import Values
from musodds.exact.scope import check_known, is_so
from musodds.exact.unseen import Unseen
from musodds.knowledge.knowledge import Knowledge, know
from musodds.knowledge.language import parse_range
from musodds.knowledge.many import many
from musodds.knowledge.question import ask, replaced
from musodds.knowledge.range import Range
from musodds.rules.game import PHASES, UNANIMOUS, Game, rivals_in_order
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.rules.shown import unshown
from musodds.rules.ways import choose
from musodds.store.notices import Watcher
from musodds.values import Table

MOST_NAMED = 60
"""With jokers and partners, one seat of each side must have no more hands to be counted."""

MOST_BY_HAND = 12
"""With more hands in every seat, two sides of two are counted over the splits of both."""

SIMULATED = 100_000
"""Deals that are simulated where they are too many to count."""


@dataclass(frozen=True, eq=False, repr=False)
class Duel(Table):
    """Who takes each phase: weighted counts of deals.

    Attributes
    ----------
    game : Game
    held : tuple of str
        The range of each seat, from mano on.
    knowledge : Knowledge
    deals : int
        Weight of all deals.
    takes : mapping of str to ndarray of object (int), shape (seats + 1,)
        Per phase the weight of the deals in which nobody (index 0) or each seat takes it.
    stones : mapping of str to ndarray of object (int), shape (sides,)
        Per phase the stones, times the weight of the deals, that each side takes en paso.
    n, seed : int or None
        Of a simulation; its counts are sums of weights, of float64.
    errors : mapping of str to mapping of str to float, or None
        By phase and column of :meth:`rows` the standard error.

    Examples
    --------
    >>> fight = duel(["772A", "33S2", "RRSA", "CCC6"])
    >>> [fight.winner(phase) for phase in PHASES]
    [2, 1, 1, 2, None]
    """

    game: Game
    held: tuple[str, ...]
    knowledge: Knowledge
    deals: int | float
    takes: Mapping[str, Exact]
    stones: Mapping[str, Exact]
    n: int | None = None
    seed: int | None = None
    errors: Mapping[str, Mapping[str, float]] | None = None

    @property
    def method(self) -> str:
        """How it was found: exact or monte-carlo."""
        return "exact" if self.errors is None else "monte-carlo"

    def chance(self, phase: str, seat: int | None) -> Fraction:
        """Chance that a seat takes a phase; None for nobody."""
        return Fraction(self.takes[phase][seat or 0]) / Fraction(self.deals)

    def side_chance(self, phase: str, side: int) -> Fraction:
        """Chance that a side (0 is mano's) takes a phase."""
        return sum(
            (self.chance(phase, s) for s in self.seats if self.game.side(s) == side), Fraction(0)
        )

    def expected(self, phase: str, side: int) -> Fraction:
        """Stones that a side can expect from a phase, en paso."""
        return Fraction(self.stones[phase][side]) / Fraction(self.deals)

    def winner(self, phase: str) -> int | None:
        """The seat that takes the phase most often; None for nobody."""
        return int(np.argmax(self.takes[phase])) or None

    @property
    def seats(self) -> range:
        """All seats."""
        return range(1, self.game.seats + 1)

    @property
    def averaged(self) -> tuple[str, ...]:
        """The hands, not ranges, that were given without the suits that matter."""
        found = []
        for text in self.held:
            try:
                question = ask(self.game, text)
            except CardError:
                continue
            if not question.certain:
                found.append(question.hand)
        return tuple(found)

    def rows(self) -> list[dict[str, Any]]:
        """One dict per phase: `phase`, `void`, then `seat_1` …, `side_1` …, `stones_1` ….

        Where it was simulated, beside each `x` its standard error `x_se`.
        """
        rows = []
        for phase in PHASES:
            row: dict[str, Any] = {"phase": phase, "void": float(self.chance(phase, None))}
            row |= {f"seat_{seat}": float(self.chance(phase, seat)) for seat in self.seats}
            for side in range(self.game.sides):
                row[f"side_{side + 1}"] = float(self.side_chance(phase, side))
                row[f"stones_{side + 1}"] = float(self.expected(phase, side))
            if self.errors is not None:
                row |= {f"{x}_se": error for x, error in self.errors[phase].items()}
            rows.append(row)
        return rows


def _unshown(one: Range, game: Game) -> Range:
    """A range without the hands that are shown and replaced: nobody holds one any more."""
    if not game.exchange:
        return one
    weights = unshown(game, one.weights)
    if one.weights.any() and not weights.any():
        raise replaced(game, one.text)
    return replace(one, weights=weights)


@many
def duel(
    held: Sequence[str | Sequence[str] | Range],
    *,
    game: str | Game = "mus",
    knowledge: Knowledge | None = None,
    names: Mapping[str, str] | None = None,
    n: int | None = None,
    seed: int = 1,
    workers: int | None = 1,
    watch: Watcher | None = None,
) -> Duel:
    """Deal the hands of several seats out and see who takes each phase.

    Given a table of questions in place of the hands, it answers all: see
    :func:`musodds.knowledge.many.many`. There the hands are columns
    ``hand_1`` (mano's), ``hand_2`` …

    Parameters
    ----------
    held : sequence of str, sequence of str or Range
        What each seat holds, from mano on; seats left out may hold anything.
    game : str or Game, optional
        The game of ``knowledge``, if that is given.
    knowledge : Knowledge, optional
        Declarations and dead cards besides.
    names : mapping of str to str, optional
        Ranges of the user's own, by name.
    n : int, optional
        Simulate so many deals, though they might be counted.
    seed, workers : int, optional
        Of what is simulated, see :func:`musodds.chances.simulated_odds.simulate_known`.
    watch : callable, optional
        Called now and then with how much is done, and all.

    Returns
    -------
    Duel
        Its ``method`` says which: ``exact`` where the deals are counted; ``monte-carlo``
        with ``n``, or where they are too many (:data:`SIMULATED` deals, then).

    Raises
    ------
    RangeError
        If a range cannot be read.
    KnowledgeError
        If there are more ranges than seats, or they cannot be held together.
    """
    game = knowledge.game if knowledge is not None else get_game(game)
    if not 1 <= len(held) <= game.seats:
        raise KnowledgeError(
            f"{len(held)} hands for the {game.seats} seats of {game.name}: "
            "give one for each seat from mano on, or any"
        )
    ranges = [parse_range(given, game, names) for given in held]
    ranges += [parse_range("any", game)] * (game.seats - len(ranges))
    ranges = [_unshown(one, game) for one in ranges]
    besides = knowledge or Knowledge(game)
    in_seats = know(game, seats=dict(enumerate(ranges, start=1)))
    whole = Knowledge(game, (*in_seats.pieces, *besides.pieces), besides.dead)
    whole.check_game()
    texts = tuple(r.text for r in ranges)
    if n is None:
        found = _counter(whole, watch)
        if found is not None:
            return found.duel(texts, besides)
    return _simulated(whole, texts, besides, n or SIMULATED, seed, workers, watch)


def _counter(whole: Knowledge, watch: Watcher | None) -> _Count | None:
    """What counts it; None where that is too much."""
    game = whole.game
    weights = whole.seat_weights(1)
    number = {seat: np.count_nonzero(held) for seat, held in weights.items()}
    if hands(game).has_jokers:
        if game.sides != 2 or game.side_size > 2:
            return None
        least = [min(number[s] for s in number if game.side(s) == side) for side in (0, 1)]
        return _Named(whole, watch) if game.side_size == 1 or max(least) <= MOST_NAMED else None
    if not is_so(check_known, game):
        return None
    many = game.side_size == 2 and min(number.values()) > MOST_BY_HAND
    most = prod(int(held.max()) for held in weights.values())
    return _Sides(whole, watch) if many and most <= MOST_WEIGHT else _Count(whole, watch)


def _simulated(
    whole: Knowledge, held: tuple[str, ...], besides: Knowledge, n: int, seed: int,
    workers: int | None, watch: Watcher | None,
) -> Duel:  # fmt: skip
    from musodds.chances.simulated_duel import simulate_duel

    found = simulate_duel(whole, n, seed, workers, watch)
    takes, stones = (
        dict(zip(PHASES, sums.astype(object), strict=True))
        for sums in (found.sums.takes, found.sums.stones)
    )
    return Duel(
        whole.game, held, besides, found.sums.deals, takes, stones, found.n, seed, found.errors
    )


class _Count:
    """Sums over the hands of the seat that has the fewest."""

    def __init__(self, knowledge: Knowledge, watch: Watcher | None = None) -> None:
        self.knowledge, self.watch = knowledge, watch
        game = knowledge.game
        self.seat_weights = knowledge.seat_weights(1)
        self._sit(list(self.seat_weights))
        self.takes = {phase: np.zeros(game.seats + 1, dtype=object) for phase in PHASES}
        self.stones = {phase: np.zeros(game.sides, dtype=object) for phase in PHASES}

    def _sit(self, seats: Sequence[int]) -> None:
        """Look at the deals from the one of these seats that has the fewest hands."""
        self.hero = min(seats, key=lambda seat: np.count_nonzero(self.seat_weights[seat]))
        self.weights = self.seat_weights[self.hero]

    def duel(self, held: tuple[str, ...], besides: Knowledge) -> Duel:
        """Count all deals."""
        game, total = self.knowledge.game, self._count()
        if not total:
            raise KnowledgeError(
                "no deal fits: the hands and ranges of "
                + ", ".join(held)
                + " cannot be held together"
                + (f" with {' and '.join(besides.labels)}" if besides else "")
            )
        return Duel(game, held, besides, total, self.takes, self.stones)

    def _count(self) -> int:
        """Add the deals of every hand of the hero; the weight of all."""
        knowledge, game, total = self.knowledge, self.knowledge.game, 0
        all_hands = hands(game)
        dead = np.bincount(np.array(knowledge.dead, dtype=np.int64), minlength=len(game.deck.kinds))
        ways = choose(game.deck.copies - dead, all_hands.counts)
        order = in_order(self.hero, knowledge)
        partners = game.side_size - 1
        held = np.flatnonzero(self.weights * ways)
        for done, me in enumerate(held, start=1):
            unseen = Unseen(
                game, int(me), order[0] if partners else None, order[partners:], knowledge.dead,
                knowledge.answers,
            )  # fmt: skip
            scale = int(self.weights[me]) * int(ways[me])
            if unseen.total:
                total += scale * self.add(unseen, scale)
            if self.watch is not None:
                self.watch(done, len(held))
        return total

    def add(self, unseen: Unseen, scale: int) -> int:
        """Add the deals in which the hero holds one hand; the weight of them."""
        for phase in PHASES:
            takes, stones = self.takers(unseen, phase)
            self.takes[phase] += takes * scale
            self.stones[phase] += stones * scale
        return unseen.total

    def takers(self, unseen: Unseen, phase: str) -> tuple[Exact, Exact]:
        """Weight of the deals in which each seat takes the phase, and stones of each side."""
        game, own = unseen.game, unseen.hands.stones.get(phase)
        rivals = rivals_in_order(game, self.hero)
        side, codes = Side(unseen, self.hero, phase), unseen.pairs.codes(phase, rivals)
        met = unseen.pairs.phase(phase, rivals)
        if phase in UNANIMOUS:
            limits, playing, meeting = side.codes, side.all_in, side.all_in
        else:
            limits, playing = np.maximum(side.codes, game.seats), side.some_in
            meeting = np.ones_like(playing)
        takes = np.zeros(game.seats + 1, dtype=object)
        stones = np.zeros(game.sides, dtype=object)
        won = playing * unseen.below(limits, met.values)[0]
        takes[self.hero] = unseen.over_mates(won * side.mine)
        for partner in game.partners(self.hero):
            takes[partner] = unseen.over_mates(won * ~side.mine)
        worth = 1 if own is None else side.stones
        stones[game.side(self.hero)] = unseen.over_mates(won * worth)
        held = (unseen.first, unseen.second)[: unseen.rivals]
        for i, rival in enumerate(rivals):
            ahead = met.weights * (codes[i] == met.order.codes)
            taken = meeting * self.above(unseen, Values(met.order, ahead), limits)
            takes[rival] = unseen.over_mates(taken)
            if own is not None:
                together = held if game.side_size == 2 else (held[i],)
                ahead = ahead * np.sum([own[classes] for classes in together], axis=0)
                taken = meeting * self.above(unseen, Values(met.order, ahead), limits)
            stones[game.side(rival)] += unseen.over_mates(taken)
        takes[0] = unseen.total - takes.sum()
        return takes, stones

    @staticmethod
    def above(unseen: Unseen, values: Values, limits: Ints) -> Exact:
        """Sum of values over the splits whose better hand is not below a limit."""
        counts: Exact = unseen.sums(values)[0] - unseen.below(limits, values)[0]
        return counts


class _Sides(_Count):
    """Two sides of two, over the splits of both."""

    def _count(self) -> int:
        weights = [self.seat_weights[seat] for seat in range(1, self.knowledge.game.seats + 1)]
        found = met(self.knowledge.game, weights, self.knowledge.dead, self.watch)
        self.takes, self.stones = found.takes, found.stones
        return found.total


class _Named(_Count):
    """With jokers: all phases together, seen from one side and then from the other.

    From a seat it is told which of its side's two hands takes a phase, and with which
    stones; so the deals are gone through twice.
    """

    def _count(self) -> int:
        game, total = self.knowledge.game, 0
        sides = [[s for s in self.seat_weights if game.side(s) == i] for i in range(game.sides)]
        for seats in sides:
            self._sit(seats)
            total = super()._count()
        for takes in self.takes.values():
            takes[0] = total - takes.sum()
        return total

    def add(self, unseen: Unseen, scale: int) -> int:
        from musodds.exact.named_deals import View
        from musodds.exact.phases.named_columns import named_columns

        game = unseen.game
        [columns] = named_columns(unseen, [View(self.hero)])
        named = dict(zip(COLUMNS, columns.T, strict=True))
        for i, phase in enumerate(PHASES):
            self.takes[phase][self.hero] += named["best"][i] * scale
            for partner in game.partners(self.hero):
                self.takes[phase][partner] += (named["win"][i] - named["best"][i]) * scale
            self.stones[phase][game.side(self.hero)] += named["stones_for"][i] * scale
        return sum(int(named[column][0]) for column in ("win", "lose", "void"))
