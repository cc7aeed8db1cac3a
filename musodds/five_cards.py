"""Five cards dealt, one thrown face down before the betting: which one.

What the others threw is not known, so against *random* players the hand that is left is
counted exactly: my five cards are gone, and the others hold any four of the rest. Players
who throw as well as I do hold better cards than that; against them the throws are
simulated, see :mod:`musodds.montecarlo.throws`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from musodds.columns import COLUMNS, columns_of
from musodds.counting import Ints
from musodds.errors import CardError, GameError
from musodds.games import Game, get_game
from musodds.hands import hands
from musodds.odds import Odds
from musodds.others import Exact, count_alone, count_apart, count_within, total_within
from musodds.published import digest

if TYPE_CHECKING:
    import pandas as pd

DEALT = 5
"""Cards dealt to each player."""

FOLDER = Path(__file__).parent / "data" / "throws"


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
    five = parse_five(cards, game)
    all_hands = hands(game)
    gone = np.bincount(five, minlength=len(game.deck.kinds))
    keeps = _keeps(five)
    mine = [all_hands.index(keep) for _, keep in keeps]
    counts = count_alone(game, mine, seats, gone).astype(np.int64)
    total = total_within(game, gone, game.seats - 1)
    return Throws(
        game=game,
        cards=game.deck.text(five),
        thrown=tuple(game.deck.text((kind,)) for kind, _ in keeps),
        odds=tuple(
            Odds(game, all_hands.texts[me], None, seats, total, found)
            for me, found in zip(mine, counts, strict=True)
        ),
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
    if game.cards_dealt != DEALT:
        raise GameError(
            f"{game.name} deals {game.cards_dealt} cards: five are dealt with the option "
            "five-cards, as in encaje3-five-cards"
        )
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
