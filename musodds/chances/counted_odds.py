"""Exact odds: looked up, or counted, whatever is known of the others."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import gcd
from typing import TYPE_CHECKING, Any

import numpy as np

from musodds.arrays import Exact, Ints, compact, halves, joined
from musodds.exact.phases.columns import COLUMNS, columns_of, denominators, net_stones
from musodds.exact.phases.count import count
from musodds.knowledge.question import Case, Question, check_drawn
from musodds.rules.game import PHASES, Game
from musodds.rules.hands import hands
from musodds.store.cache import WORTH_KEEPING, cached
from musodds.store.numbers import digest, published_counts
from musodds.values import Table, once

if TYPE_CHECKING:
    from musodds.knowledge.knowledge import Knowledge

    pass

_COUNTED_ONE_BY_ONE = 2
"""With more players on a side, one hand takes as long as all."""

_MANY = 50
"""An average over more hands that are counted one by one takes a while."""


@dataclass(frozen=True, eq=False, repr=False)
class Odds(Table):
    """Exact odds of a hand: counts of deals, per seat and phase.

    Attributes
    ----------
    game : Game
    hand : str
        The hand, high to low.
    partner : str or None
        The partner's hand, where it is known.
    seats : tuple of int
        The seats that were asked for.
    totals : tuple of int
        For each seat the number of ways to deal the cards that are not known (their weight
        in all, where the answer is an average: see `musodds.knowledge.question`).
    counts : ndarray of int64, shape (seats, phases, columns)
        Of those deals, how many are a `win`, `lose`, `void`, `best`, `contested`, and
        both contested and won (`win_contested`); and the stones they bring in all to
        either side (`stones_for`, `stones_against`). In Encaje the same of `worst`, and
        `stones_against` is the sum over all other players. Python integers (dtype
        object) with six players.
    knowledge : Knowledge or None
        What was known of the others.
    ways : int
        1; or the number of hands, suits apart, that the odds are the average of, where
        suits matter and were not given.

    Examples
    --------
    >>> from musodds.knowledge.question import ask
    >>> from musodds.knowledge.knowledge import know
    >>> from musodds.rules.games import get_game
    >>> result = counted_odds(ask(get_game("mus"), "RR7A"), (1,))
    >>> round(result.net(1), 6)
    1.162008
    >>> counted_odds(ask(get_game("mus"), "RRRR"), (2,)).fraction(2, "grande", "lose")
    Fraction(1, 58905)
    """

    game: Game
    hand: str
    partner: str | None
    seats: tuple[int, ...]
    totals: tuple[int, ...]
    counts: Ints
    knowledge: Knowledge | None = None
    ways: int = 1

    method = "exact"

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return columns_of(self.game)

    @property
    def deals(self) -> int:
        """All deals; where seats know of different ones, those of the first."""
        return self.totals[0]

    def __getitem__(self, seat: int) -> Odds:
        """The odds of one seat."""
        i = self.seats.index(seat)
        return replace(
            self, seats=(seat,), totals=self.totals[i : i + 1], counts=self.counts[i : i + 1]
        )

    def fraction(self, seat: int, phase: str, column: str) -> Fraction | None:
        """One number exactly; None for `win_contested` where it is never contested."""
        place, i = self.seats.index(seat), self.columns.index(column)
        counts = self.counts[place, PHASES.index(phase)].tolist()
        total = denominators(self.game, self.totals[place], counts)[i]
        return Fraction(counts[i], total) if total else None

    def net(self, seat: int) -> float:
        """Expected stones for my side less theirs, over all phases, en paso."""
        place = self.seats.index(seat)
        return net_stones(self.game, self.totals[place], self.counts[place])

    def rows(self) -> list[dict[str, Any]]:
        """One dict per seat and phase: `seat`, `phase`, the columns and `net`.

        `net` is the seat's net over all phases, on each of its rows.
        """
        rows: list[dict[str, Any]] = []
        for seat, deals, of_seat in zip(self.seats, self.totals, self.counts, strict=True):
            net = net_stones(self.game, deals, of_seat)
            for phase, counts in zip(PHASES, of_seat.tolist(), strict=True):
                totals = denominators(self.game, deals, counts)
                values = [
                    n / total if total else None for n, total in zip(counts, totals, strict=True)
                ]
                named = dict(zip(self.columns, values, strict=True))
                rows.append({"seat": seat, "phase": phase, **named, "net": net})
        return rows

    def records(self) -> list[dict[str, Any]]:
        """The rows, `net` on the first of each seat alone."""
        return once(self.rows(), ["seat"], ["net"])


def counted_odds(
    question: Question, seats: tuple[int, ...], knowledge: Knowledge | None = None
) -> Odds:
    """The odds of a question from some seats.

    Parameters
    ----------
    question : Question
    seats : tuple of int
    knowledge : Knowledge, optional
        If it is given, even empty, the deals that fit are counted one by one; without,
        the hand is looked up where there is a table.

    Raises
    ------
    GameError
        If they are not counted: see :mod:`musodds.exact.scope`.
    KnowledgeError
        If the hand contradicts what is known, or no deal is left; the message says
        which pieces of knowledge conflict.
    """
    if knowledge is None:
        counts = _answer(question, seats)
        totals = (all_deals(counts),) * len(seats)
    else:
        totals, counts = _under(question, seats, knowledge)
    return Odds(
        question.game, question.hand, question.partner, seats, totals, counts, knowledge,
        question.ways,
    )  # fmt: skip


def _under(
    question: Question, seats: tuple[int, ...], knowledge: Knowledge
) -> tuple[tuple[int, ...], Ints]:
    """For each seat the weight of the deals that fit, and the counts of every column."""
    from musodds.exact.known_hands import no_deal, unseen_by_case
    from musodds.exact.phases.unseen_columns import counts_by_seat

    check_drawn(question)
    totals = dict.fromkeys(seats, 0)
    counts: dict[int, Exact] = {}
    for weight, shared in unseen_by_case(question, seats, knowledge):
        for seat, found in counts_by_seat(shared).items():
            counts[seat] = counts.get(seat, 0) + found * weight
    for seat in seats:
        # Fewer than those dealt, where some are left out once they are named.
        totals[seat] = all_deals(counts[seat])
        if not totals[seat]:
            raise no_deal(question, seat, knowledge)
    return tuple(totals.values()), compact(np.stack([counts[seat] for seat in seats]))


def _answer(question: Question, seats: tuple[int, ...]) -> Ints:
    """The counts of a question: those of its cases, added up."""
    stored = stored_counts(question.game)
    rows = [seat - 1 for seat in seats]
    cases = list(question.cases.items())
    # Tables counted here have no average for a hand that is shown and replaced.
    in_table = published_counts(question.game) is not None or not cases[0][0].dead
    if stored is not None and question.certain and question.partner is None and in_table:
        return np.array(stored[question.classes[0]][rows])
    many = len(cases) > _MANY and stored_counts(cases[0][0].game) is None
    what = f"{question.hand} in {question.game.name}: a count over {len(cases)} hands drawn"
    return _kept(
        cases[0][0].game,
        f"odds-{_name_of(cases, seats)}",
        lambda: total_of(cases, seats),
        (len(seats),),
        least=WORTH_KEEPING,
        what=what if many else None,
    )


def stored_counts(game: Game) -> Ints | None:
    """Counts of the whole table, where one hand is only looked up; None where it is counted.

    Published with the package; or, with three on a side, where one hand takes as long as
    all, counted once and kept on this computer.
    """
    stored = published_counts(game)
    if stored is None and game.side_size > _COUNTED_ONE_BY_ONE and game.one_suit is None:
        stored = _table_on_disk(game)
    return stored


@lru_cache(maxsize=4)
def _table_on_disk(game: Game) -> Ints:
    what = f"the whole table of {game.name}: some minutes"
    classes, seats = np.arange(len(hands(game))), tuple(range(1, game.seats + 1))
    shape = len(classes), game.seats
    name = f"table-{digest(game)}"
    return _kept(game, name, lambda: count(game, classes, seats), shape, what=what)


def _kept(
    game: Game, name: str, count: Callable[[], Ints], shape: tuple[int, ...], **options: Any
) -> Ints:
    """Counts of a game kept on this computer, whatever their size; ``shape`` before phases."""
    whole = (*shape, len(PHASES), len(columns_of(game)), 2)
    return compact(joined(cached(name, lambda: halves(count()), shape=whole, **options)))


def _name_of(cases: Sequence[tuple[Case, int]], seats: tuple[int, ...]) -> str:
    """A name for a question in these seats, which no other question has."""
    asked = sorted(
        (digest(case.game), case.me, case.mate is None, case.mate or 0, case.dead, weight)
        for case, weight in cases
    )
    return hashlib.sha256(repr((asked, seats)).encode()).hexdigest()[:20]


def total_of(cases: Sequence[tuple[Case, int]], seats: tuple[int, ...]) -> Ints:
    """Σ weight × counts of the cases, in Python integers where 64 bits do not do."""
    rows = [seat - 1 for seat in seats]
    common = gcd(*(weight for _, weight in cases))
    together: dict[tuple[Game, int | None, tuple[int, ...]], list[tuple[int, int]]] = {}
    for case, weight in cases:
        asked = together.setdefault((case.game, case.mate, case.dead), [])
        asked.append((case.me, weight // common))
    total = np.zeros((), dtype=object)
    for (game, mate, dead), asked in together.items():
        mine = np.array([me for me, _ in asked])
        stored = stored_counts(game) if mate is None and not dead else None
        counts = count(game, mine, seats, mate, dead) if stored is None else stored[mine][:, rows]
        weights = np.array([weight for _, weight in asked], dtype=object)
        total = total + np.tensordot(weights, counts.astype(object), axes=1)
    return compact(total)


def all_deals(counts: Ints | Exact) -> int:
    """The weight of all deals: every deal is a win, a loss or void."""
    grande = counts.reshape(-1, counts.shape[-1])[0]
    return sum(int(grande[COLUMNS.index(column)]) for column in ("win", "lose", "void"))
