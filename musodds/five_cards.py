"""Five cards dealt, one thrown face down before the betting: which one.

What the others threw is not known, so against *random* players the hand that is left is
counted exactly: my five cards are gone, and the others hold any four of the rest. Players
who throw as well as I do hold better cards than that; against them the throws are
simulated, see :mod:`musodds.montecarlo.throws`.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import gcd
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Exact, Ints, compact, halves, joined
from musodds.columns import COLUMNS, columns_of
from musodds.errors import CardError, GameError
from musodds.knowledge.question import Case, simpler
from musodds.odds import Odds
from musodds.others import count_alone, count_apart, count_within
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.rules.suits import readings
from musodds.store.cache import cached
from musodds.store.numbers import DATA, digest

if TYPE_CHECKING:
    import pandas as pd

DEALT = 5
"""Cards dealt to each player."""

_WORTH_KEEPING = 0.3
"""Seconds: what is counted sooner is counted again."""

FOLDER = DATA / "throws"


@dataclass(frozen=True, eq=False)
class Throws:
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
    >>> answer = throws("RR7AA", game="encaje3-five-cards")
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

    def to_frame(self) -> pd.DataFrame:
        """The rows as a DataFrame."""
        import pandas as pd

        columns = dict.fromkeys((*columns_of(self.game), "net"), "float64")
        return pd.DataFrame(self.rows()).astype(columns)


def throws(
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
    _check_dealt(game)
    fives = readings(game, cards, number=DEALT)
    ways: dict[tuple[str, str], Counter[Case]] = {}
    for five, times in fives.items():
        for kind, keep in _keeps(five):
            cases = ways.setdefault(_names(game, kind, keep, certain=len(fives) == 1), Counter())
            # Of cards that look alike any may be the one that goes.
            each = times if len(fives) == 1 else times * five.count(kind)
            for case, weight in simpler(game, keep, None, (kind,)).items():
                cases[case] += each * weight
    name = hashlib.sha256(repr((digest(game), sorted(fives), seats)).encode()).hexdigest()[:20]
    columns = len(columns_of(game))

    def count() -> NDArray[np.int64]:
        return halves(_counts([*ways.values()], seats))

    counts = joined(cached(f"five-{name}", count, least=_WORTH_KEEPING))
    assert counts.shape == (len(ways), len(seats), len(PHASES), columns)
    first = next(iter(fives))
    symbols = [game.deck.kinds[kind].symbol for kind in first]
    return Throws(
        game=game,
        cards=game.deck.text(first) if len(fives) == 1 else "".join(symbols),
        thrown=tuple(thrown for thrown, _ in ways),
        odds=tuple(
            Odds(game, keep, None, seats, _all_deals(found), compact(found))
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


def _all_deals(counts: Exact) -> int:
    return sum(int(counts[0, 0, COLUMNS.index(column)]) for column in ("win", "lose", "void"))


def _check_dealt(game: Game) -> None:
    if game.cards_dealt != DEALT:
        raise GameError(
            f"{game.name} deals {game.cards_dealt} cards: five are dealt with the option "
            "five-cards, as in encaje3-five-cards"
        )


def parse_five(text: str, game: Game) -> tuple[int, ...]:
    """Read the five cards that a player is dealt.

    Raises
    ------
    GameError
        If the game deals four.
    CardError
        If these are not five of its cards.
    """
    _check_dealt(game)
    cards = game.deck.parse(text)
    if len(cards) != DEALT:
        raise CardError(
            f"{text.strip()!r} has {len(cards)} card{'s' * (len(cards) != 1)}: in "
            f"{game.name} {DEALT} are dealt, such as RR7AA"
        )
    return cards


def _keeps(five: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
    """The kinds that may be thrown, high to low, and what each leaves."""
    return [
        (kind, tuple((Counter(five) - Counter([kind])).elements())) for kind in dict.fromkeys(five)
    ]


def five_hands(game: Game) -> Iterator[tuple[int, ...]]:
    """All sets of five cards of a game, by kinds."""
    for cards in combinations_with_replacement(range(len(game.deck.kinds)), DEALT):
        if all(n <= game.deck.kinds[kind].copies for kind, n in Counter(cards).items()):
            yield cards


@dataclass(frozen=True, eq=False)
class ThrowPolicy:
    """What each seat throws of every five cards.

    Attributes
    ----------
    name : str
        ``best``: the best net that :func:`throws` counts. ``nearly best``: the same
        with the hands of the others taken apart, see
        :func:`musodds.others.count_apart`.
    game : Game
    cards : ndarray of int64, shape (fives, 5)
        All sets of five cards, by kinds.
    throw : ndarray of int8, shape (seats, fives)
        The kind that goes.
    """

    name: str
    game: Game
    cards: Ints
    throw: NDArray[np.int8]


@lru_cache(maxsize=8)
def throw_policy(game: Game) -> ThrowPolicy:
    """What players who know the odds throw: from the published table, if there is one.

    Other games are answered nearly as well, in a few seconds: in encaje3 both throw the
    same card in 98 of 100 hands, and differ by 0.0004 stones a deal.
    """
    cards = np.array(list(five_hands(game)))
    published = path(game)
    if published.exists():
        return ThrowPolicy("best", game, cards, np.load(published))
    return ThrowPolicy("nearly best", game, cards, _best_throws(game, count_apart))


def path(game: Game) -> Path:
    """Where the throws of a game are kept, if they are."""
    return FOLDER / f"{game.seats}-players-{digest(game)}.npy"


def publish(game: Game) -> Path:
    """Count the best throw of every five cards, and keep them with the package."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    np.save(path(game), _best_throws(game, count_within))
    return path(game)


def _best_throws(game: Game, within: Any) -> NDArray[np.int8]:
    all_hands = hands(game)
    fives = list(five_hands(game))
    seats = range(1, game.seats + 1)
    found = np.empty((game.seats, len(fives)), dtype=np.int8)
    for i, five in enumerate(fives):
        gone = np.bincount(five, minlength=len(game.deck.kinds))
        keeps = _keeps(five)
        mine = [all_hands.index(keep) for _, keep in keeps]
        nets = _nets(count_alone(game, mine, seats, gone, within), game)
        for seat, net in enumerate(nets.T):
            found[seat, i] = keeps[max(range(len(keeps)), key=net.__getitem__)][0]
    return found


def _nets(counts: Exact, game: Game) -> Exact:
    """Net stones in proportion, shape (hands, seats), as integers."""
    mine, theirs = (
        counts[..., COLUMNS.index(column)].sum(axis=2)
        for column in ("stones_for", "stones_against")
    )
    nets: Exact = mine * (game.sides - 1) - theirs
    return nets
