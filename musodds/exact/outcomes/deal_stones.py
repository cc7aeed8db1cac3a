"""The exact joint distribution of what mano's side scores in each phase of a deal.

Without discards the deals are counted (:mod:`musodds.exact.outcomes.by_hand`), as integers out of
C(40,4) C(36,4) C(32,4) C(28,4) = 4.0e18 deals for four players. The distribution comes
with the package for the games that have a name, in files that belong to one rule set as
those of :mod:`musodds.store.numbers` do; that of another game is counted and kept on disk.

**A hand that is shown.** Where a player dealt 4-5-6-7 takes four new cards, the deals are
counted apart by who does. Say the players S do. Their first hands are out of play; their
new hands and the first hands of the others are all dealt from the rest of the deck, and
only the others cannot hold 4-5-6-7. So it is the count of a smaller deck, once for each
S, with a weight.

**Mus visto.** Who throws nothing when a card was seen plays the cards as dealt, as who
cuts does otherwise: without discards it is plain Mus.

Before cards are seen all hands are exchangeable, so nothing but the side of mano
matters: the two seats of a side are worth the same. Suits are alike as well, so where
each suit has a special hand the distribution is that of one special suit.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, product
from math import comb, prod
from pathlib import Path
from typing import Any

import numpy as np

from musodds.arrays import Exact, Floats, Ints, Mask, halves, joined
from musodds.errors import CardError
from musodds.exact.outcomes.by_hand import count_by_hand, outcomes_by_hand
from musodds.exact.outcomes.outcomes import Outcomes
from musodds.exact.outcomes.stones import showdown_stones
from musodds.rules.cards import CARDS, Deck
from musodds.rules.game import PHASES, Game
from musodds.rules.hands import LAST, hands
from musodds.rules.showdown import SEEN, Ending
from musodds.rules.shown import shown_hands
from musodds.rules.ways import choose
from musodds.store.cache import cached
from musodds.store.numbers import digest, path
from musodds.values import Table

DEALS = "deals"
"""The kind of number that the package keeps for the stones of a deal."""

_MOST_STONES = 9
"""What a phase may come to when nobody bets: three partners with duples, or juego of 31."""


@dataclass(frozen=True, eq=False, repr=False)
class DealStones(Table):
    """The joint distribution of a deal's stones by phase.

    Attributes
    ----------
    game : Game
    stones : ndarray of int64, shape (rows, 4)
        Stones of mano's side in grande, chica, pares, and juego or punto; negative
        where the other side takes the phase, 0 where nobody has pares.
    punto : ndarray of bool, shape (rows,)
        Whether the last phase was punto.
    deals : ndarray of object (int), shape (rows,)
        How many deals come to that; with the cards drawn, where a hand is shown.
    policy : str
        What is discarded; ``none`` for the cards as dealt.
    n, seed : int or None
        Simulated deals, and the seed; None where they are counted.
    interrupted : bool
        Whether Ctrl-C ended the simulation.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> found = counted_stones(get_game("mus"))
    >>> found.method, found.total
    ('exact', 3963642086353950000)
    >>> found.chances[found.stones[:, 0] > 0].sum().round(4)  # mano's side takes grande
    np.float64(0.5013)
    """

    game: Game
    stones: Ints
    punto: Mask
    deals: Exact
    policy: str = "none"
    n: int | None = None
    seed: int | None = None
    interrupted: bool = False

    @property
    def method(self) -> str:
        """``exact`` or ``monte-carlo``."""
        return "exact" if self.n is None else "monte-carlo"

    @property
    def total(self) -> int:
        """All deals."""
        return int(self.deals.sum())

    @property
    def chances(self) -> Floats:
        """The chance of each row, shape (rows,)."""
        total = self.total
        return np.array([deals / total for deals in self.deals], dtype=np.float64)

    def rows(self) -> list[dict[str, Any]]:
        """One dict per outcome: stones of mano's side by phase, `deals`, `chance`."""
        return [
            dict(zip(PHASES, stones, strict=True)) | {"deals": deals, "chance": chance}
            for stones, deals, chance in zip(
                _by_phase(self.stones, self.punto).tolist(),
                self.deals.tolist(),
                self.chances.tolist(),
                strict=True,
            )
        ]


@lru_cache(maxsize=16)
def counted_stones(game: Game, bet: int = 0) -> DealStones:
    """The exact distribution: read where it is published or kept, else counted.

    Games that differ only in what does not matter to it share it, whatever their names.

    Parameters
    ----------
    game : Game
    bet : int, optional
        What is bet and seen in every phase that both sides may bet in; 0: all is passed.
    """
    if bet:
        return _bet_stones(game, bet)
    # Suits are alike: where each has a special hand, it is the distribution of one of them.
    alike = game.one_suit or game
    published = _read(game, path(DEALS, alike, ".csv"))
    if published is not None:
        return published
    name, what = f"{DEALS}-{digest(alike)}", f"counting the deals of {game.name}"
    rows = cached(
        name, lambda: _as_array(count_stones(game)), shape=(None, 7), valid=_possible, what=what
    )
    return DealStones(game, rows[:, :4], rows[:, 4] > 0, joined(rows[:, 5:]))


def _bet_stones(game: Game, bet: int) -> DealStones:
    rows = cached(
        f"{DEALS}-{digest(game.one_suit or game)}-bet{bet}",
        lambda: _as_array(count_stones(game, bet)),
        shape=(None, 7),
        valid=lambda rows: _possible(rows, bet),
        what=f"counting the deals of {game.name} with bets of {bet}",
    )
    return DealStones(game, rows[:, :4], rows[:, 4] > 0, joined(rows[:, 5:]))


def _as_array(found: DealStones) -> Ints:
    return np.column_stack((found.stones, found.punto, halves(found.deals)))


def count_stones(game: Game, bet: int = 0) -> DealStones:
    """Count the exact distribution from nothing; see :func:`counted_stones`."""
    game, asked = game.one_suit or game, game
    if not game.exchange:
        parts = [(1, outcomes_by_hand(game, 1).all())]
    else:
        parts = list(_with_shown_hands(game))
    keys = [
        np.column_stack((_stones(outcomes, bet), outcomes.contested("punto")))
        for _, outcomes in parts
    ]
    rows: Ints
    rows, which = np.unique(np.concatenate(keys), axis=0, return_inverse=True)
    deals = np.zeros(len(rows), dtype=object)
    weights = np.concatenate([weight * outcomes.weights for weight, outcomes in parts])
    np.add.at(deals, which.reshape(-1), weights)
    return DealStones(asked, rows[:, :4], rows[:, 4] > 0, deals)


def _stones(outcomes: Outcomes, bet: int) -> Ints:
    """Mano's stones by phase, with so much seen in every phase that is bet on."""
    passed = showdown_stones(outcomes)
    if not bet:
        return passed
    seen = showdown_stones(outcomes, {phase: Ending(phase, SEEN, bet) for phase in PHASES})
    for lane, phase in enumerate(PHASES[: LAST + 1]):
        played = outcomes.contested(phase)
        if lane == LAST:
            played = played | outcomes.contested("punto")
        passed[played, lane] = seen[played, lane]
    return passed


def _with_shown_hands(game: Game) -> Iterator[tuple[int, Outcomes]]:
    """The outcomes by who shows which hand, each with a weight."""
    counts, seats = hands(game).counts, range(1, game.seats + 1)
    stock = game.deck.size - CARDS * game.seats
    draws = [comb(stock - CARDS * drawn, CARDS) for drawn in range(game.seats)]
    for number in range(game.seats + 1):
        for shown in product(shown_hands(game), repeat=number):
            # Whoever shows none draws none: there are as many draws in all weights.
            ways, gone = prod(draws[number:]), np.zeros_like(game.deck.copies)
            for index in shown:
                ways *= int(choose(game.deck.copies - gone, counts[index]))
                gone = gone + counts[index]
            if not ways:
                continue
            rest = _without(game, gone)
            for who in combinations(seats, number):
                barred = {seat: shown_hands(rest) for seat in seats if seat not in who}
                yield ways, count_by_hand(rest, 1, barred).all()


def _without(game: Game, gone: Ints) -> Game:
    """The game with fewer cards, and only such special hands as these still make."""
    kinds = [
        replace(kind, copies=int(copies))
        for kind, copies in zip(game.deck.kinds, game.deck.copies - gone, strict=True)
        if copies
    ]
    deck = Deck(tuple(kinds), game.deck.folds)

    def possible(text: str) -> bool:
        try:
            deck.parse(text)
        except CardError:
            return False
        return True

    real, exchange = (tuple(filter(possible, texts)) for texts in (game.real, game.exchange))
    return replace(game, deck=deck, real=real, exchange=exchange)


def _by_phase(stones: Ints, punto: Mask) -> Ints:
    """A column for each of PHASES: the last one split in juego and punto."""
    juego, at_punto = np.where(punto, 0, stones[:, LAST]), np.where(punto, stones[:, LAST], 0)
    return np.column_stack((stones[:, :LAST], juego, at_punto))


def to_csv(found: DealStones) -> str:
    """The distribution as the package keeps it: stones by phase, and how many deals."""
    lines = [",".join((*PHASES, "deals"))]
    for row, deals in zip(_by_phase(found.stones, found.punto).tolist(), found.deals, strict=True):
        lines.append(",".join(map(str, (*row, deals))))
    return "\n".join(lines) + "\n"


def _read(game: Game, file: Path) -> DealStones | None:
    """What is published; None if the file is not as it was written."""
    try:
        rows = list(csv.DictReader(file.read_text(encoding="ascii").splitlines()))
        columns = {phase: np.array([int(row[phase]) for row in rows]) for phase in PHASES}
        deals = np.array([int(row["deals"]) for row in rows], dtype=object)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    stones = np.column_stack(
        [columns[phase] for phase in PHASES[:LAST]] + [columns["juego"] + columns["punto"]]
    )
    punto = columns["punto"] != 0
    if not _possible(np.column_stack((stones, punto, halves(deals)))):
        return None
    return DealStones(game, stones, punto, deals)


def _possible(rows: Ints, bet: int = 0) -> bool:
    """Whether rows may be stones in four phases, if it was punto, and two halves of deals."""
    stones, punto, deals = rows[:, :4], rows[:, 4], joined(rows[:, 5:])
    return bool(
        len(rows)
        and (np.abs(stones) <= _MOST_STONES + bet).all()
        and np.isin(punto, (0, 1)).all()
        and (deals > 0).all()
    )
