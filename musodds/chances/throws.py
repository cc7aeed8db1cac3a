"""Five cards dealt, one thrown face down before the betting: which one.

What the others threw is not known, so against *random* players the hand that is left is
counted exactly: my five cards are gone, and the others hold any four of the rest. Players
who throw as well as I do hold better cards than that; against them the throws are
simulated, see :mod:`musodds.strategy.kernels.throws`.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Exact, Ints, compact, halves, joined
from musodds.chances.counted_odds import Odds, all_deals
from musodds.exact.draws.throw_policy import DEALT, check_dealt, keeps_of_five
from musodds.exact.phases.columns import columns_of
from musodds.exact.phases.singles import count_alone
from musodds.knowledge.question import Case, simpler
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.rules.suits import readings
from musodds.store.cache import WORTH_KEEPING, cached
from musodds.store.numbers import digest
from musodds.values import Table


@dataclass(frozen=True, eq=False, repr=False)
class Throws(Table):
    """The ways to throw one of five cards, with the exact odds of what is left.

    Attributes
    ----------
    game : Game
    cards : str
        The five cards, high to low.
    thrown : tuple of str
        The card that each way throws.
    odds : tuple of Odds
        What is left, against four random cards of each other player.
    ways : int
        1; or the number of sets of five cards that it is the average of, where suits
        matter and were not given.

    Examples
    --------
    >>> answer = encaje_throws("RR7AA", game="encaje3-five-cards")
    >>> [(answer.thrown[way], answer.odds[way].hand) for way in answer.ranking(1)]
    [('7', 'RRAA'), ('A', 'RR7A'), ('R', 'R7AA')]
    """

    game: Game
    cards: str
    thrown: tuple[str, ...]
    odds: tuple[Odds, ...]
    ways: int = 1

    method = "exact"

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that were asked for."""
        return self.odds[0].seats

    def ranking(self, seat: int) -> tuple[int, ...]:
        """The ways, best net first; of equals the one that throws the higher card."""
        nets = [odds.net(seat) for odds in self.odds]
        return tuple(sorted(range(len(nets)), key=lambda way: -nets[way]))

    def rows(self) -> list[dict[str, Any]]:
        """One dict per seat, way (best first) and phase: the rows of its odds."""
        found = []
        for seat in self.seats:
            for rank, way in enumerate(self.ranking(seat), start=1):
                odds = self.odds[way]
                head = {"rank": rank, "keep": odds.hand, "throw": self.thrown[way]}
                mine = [row for row in odds.rows() if row["seat"] == seat]
                found += [{"seat": seat, **head, **row} for row in mine]
        return found


def encaje_throws(
    cards: str, *, game: str | Game = "encaje3-five-cards", seat: int | str = "all"
) -> Throws:
    """Rank the ways to throw one of five cards, exactly, against random hands.

    Parameters
    ----------
    cards : str
        Five cards, such as ``"RR7AA"``.
    game : str or Game
        One in which five cards are dealt.
    seat : int or str

    Raises
    ------
    InputError
        If the game deals four cards, or these are not five of its cards.
    """
    game = get_game(game)
    seats = game.parse_seats(seat)
    check_dealt(game)
    fives = readings(game, cards, number=DEALT)
    ways: dict[tuple[str, str], Counter[Case]] = {}
    for five, times in fives.items():
        for kind, keep in keeps_of_five(five):
            cases = ways.setdefault(_names(game, kind, keep, certain=len(fives) == 1), Counter())
            # Of cards that look alike any may be the one that goes.
            each = times if len(fives) == 1 else times * five.count(kind)
            for case, weight in simpler(game, keep, None, (kind,)).items():
                cases[case] += each * weight
    name = hashlib.sha256(repr((digest(game), sorted(fives), seats)).encode()).hexdigest()[:20]
    shape = len(ways), len(seats), len(PHASES), len(columns_of(game)), 2

    def count() -> NDArray[np.int64]:
        return halves(_counts([*ways.values()], seats))

    counts = joined(cached(f"five-{name}", count, shape=shape, least=WORTH_KEEPING))
    first = next(iter(fives))
    symbols = [game.deck.kinds[kind].symbol for kind in first]
    return Throws(
        game=game,
        cards=game.deck.text(first) if len(fives) == 1 else "".join(symbols),
        thrown=tuple(thrown for thrown, _ in ways),
        odds=tuple(
            Odds(game, keep, None, seats, (all_deals(found),) * len(seats), compact(found))
            for (_, keep), found in zip(ways, counts, strict=True)
        ),
        ways=sum(fives.values()) // gcd(*fives.values()),
    )


def _names(game: Game, kind: int, keep: tuple[int, ...], certain: bool) -> tuple[str, str]:
    """How the card that goes is called, and what it leaves: without suits, if not given."""
    if certain:
        return game.deck.text((kind,)), game.deck.text(keep)
    return game.deck.kinds[kind].symbol, "".join(game.deck.kinds[k].symbol for k in keep)


def _counts(ways: list[Counter[Case]], seats: tuple[int, ...]) -> Exact:
    """The counts of each way to throw, its cases added up, as Python integers."""
    together: dict[tuple[Game, bytes], tuple[Ints, set[int]]] = {}
    asked: list[tuple[int, tuple[Game, bytes], int, int]] = []
    for way, cases in enumerate(ways):
        common = gcd(*cases.values())
        for case, weight in cases.items():
            dead = np.bincount(case.dead, minlength=len(case.game.deck.kinds))
            gone = hands(case.game).counts[case.me] + dead
            key = (case.game, gone.tobytes())
            together.setdefault(key, (gone, set()))[1].add(case.me)
            asked.append((way, key, case.me, weight // common))
    counted = {}
    for key, (gone, mine) in together.items():
        each = sorted(mine)
        counts = count_alone(key[0], each, seats, gone)
        counted.update({(key, me): found for me, found in zip(each, counts, strict=True)})
    total = np.zeros((len(ways), *next(iter(counted.values())).shape), dtype=object)
    for way, key, me, weight in asked:
        total[way] += weight * counted[key, me]
    return total
