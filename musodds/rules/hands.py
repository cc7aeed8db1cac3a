"""The hand classes of a game, their levels, stones and names.

A hand is a multiset of four kinds: 330 classes with eight kings, 715 with four. In
each phase a class has a *level*, an integer: higher wins, equal ties, 0 takes no
part. Every rule of comparison of RULES section 1 is in this module, once.

A hand with jokers may be *named* as one of several hands, and what it is worth is what
the hand that its holder names is worth: :attr:`Hands.named` are the hands that can be
named, :meth:`Hands.namings` those of one class. Which one is named depends on the other
hands (:mod:`musodds.exact.named_deals`), so engines that compare hands ask
:attr:`Hands.has_jokers`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Ints
from musodds.errors import CardError, GameError
from musodds.rules.cards import CARDS, Deck
from musodds.rules.game import PHASES, Game


def reversed_levels(level: Ints) -> Ints:
    """Levels that order the hands from the worst to the best; 0 still takes no part.

    Examples
    --------
    >>> reversed_levels(np.array([0, 1, 3]))
    array([0, 3, 1])
    """
    return np.where(level > 0, level.max() + 1 - level, 0)


def codes_of(all_hands: Hands, phase: str, seat: int) -> Ints:
    """Codes of all hands held in a seat: the level, then who speaks first.

    The greatest code takes the phase. Codes below the number of seats take no part.

    Raises
    ------
    GameError
        If there are jokers: then hands have no code before all are known.
    """
    if all_hands.has_jokers:
        raise _without_code(all_hands.game)
    seats = all_hands.game.seats
    codes: Ints = all_hands.level[phase] * seats + (seats - seat)
    return codes


def _without_code(game: Game) -> GameError:
    return GameError(
        f"{game.name}: what a joker is named depends on all hands at once, so this "
        "is not counted; `musodds hand` and simulations name them"
    )


GRANDE, CHICA, PARES, LAST = range(4)
"""The comparisons of a deal; LAST is juego or, where nobody has it, punto."""

STONES = ("pares", "juego")
"""Phases in which every hand has stones of its own."""


def lane_levels(level: Mapping[str, Ints]) -> Ints:
    """From levels by phase those of the comparisons, shape (4, hands).

    Juego stands above punto in the last, as punto is played if nobody has juego.
    """
    last = np.where(level["juego"] > 0, level["juego"] + level["punto"].max(), level["punto"])
    return np.stack([level["grande"], level["chica"], level["pares"], last])


@lru_cache(maxsize=64)
def lane_codes(game_hands: Hands, seat: int) -> NDArray[np.int32]:
    """Codes of all hands in a seat, shape (classes, 4); the greatest takes the phase."""
    if game_hands.has_jokers:
        raise _without_code(game_hands.game)
    seats = game_hands.game.seats
    return (lane_levels(game_hands.level) * seats + (seats - seat)).T.astype(np.int32)


def own_stones(all_hands: Hands) -> Ints:
    """Own stones of every hand in pares and juego, shape (classes, 2)."""
    return np.stack([all_hands.stones[phase] for phase in STONES], axis=1)


PARES_NAMES = ("no pares", "par", "medias", "duples")

Key = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Hands:
    """All hands of a game, class by class, from the highest in grande to the lowest.

    Attributes
    ----------
    game : Game
    cards : tuple of tuple of int
        The kinds of each class, high to low.
    counts : ndarray of int64, shape (classes, kinds)
        Cards of each kind.
    ways : ndarray of int64, shape (classes,)
        How many of the hands of the whole deck are of this class.
    level : mapping of str to ndarray of int64, shape (classes,)
        Strength per phase: higher wins, equal ties, 0 = takes no part. In punto a
        hand with juego has level 0.
    stones : mapping of str to ndarray of int64, shape (classes,)
        What each hand adds to its side's stones when the side takes the phase, for
        the phases where every partner's hand counts: pares and juego.
    pares_type : ndarray of int64, shape (classes,)
        0 nothing, 1 par, 2 medias, 3 duples.
    points : ndarray of int64, shape (classes,)
        Total card points.
    naming_of : tuple of tuple of int
        For each class, the hands of :attr:`named` that it may be named as, kings
        first; empty in a game without jokers.
    named_as : Hands or None
        Those hands, in a game with jokers; they are made of plain cards.

    Notes
    -----
    Of a class with jokers, level, stones, pares_type and points are the highest that it
    may be named for, in each phase by itself; no naming need have all of them at once.
    """

    game: Game
    cards: tuple[tuple[int, ...], ...]
    counts: NDArray[np.int64]
    ways: NDArray[np.int64]
    level: Mapping[str, NDArray[np.int64]]
    stones: Mapping[str, NDArray[np.int64]]
    pares_type: NDArray[np.int64]
    points: NDArray[np.int64]
    naming_of: tuple[tuple[int, ...], ...] = ()
    named_as: Hands | None = None

    def __len__(self) -> int:
        return len(self.cards)

    @cached_property
    def _indices(self) -> dict[tuple[int, ...], int]:
        return {cards: i for i, cards in enumerate(self.cards)}

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Every hand as text, such as ``RR7A``."""
        return tuple(self.game.deck.text(cards) for cards in self.cards)

    @cached_property
    def top_level(self) -> dict[str, int]:
        """The highest level that occurs, per phase."""
        return {phase: int(level.max()) for phase, level in self.level.items()}

    @property
    def has_jokers(self) -> bool:
        """Whether some hands may be named as several."""
        return self.named_as is not None

    @property
    def named(self) -> Hands:
        """The hands that can be compared: all classes, or what they may be named as."""
        return self if self.named_as is None else self.named_as

    def namings(self, index: int) -> tuple[int, ...]:
        """The hands of :attr:`named` that a class may be named as, kings first.

        Examples
        --------
        >>> from musodds.rules.games import get_game
        >>> all_hands = hands(get_game("mus-ten-kings"))
        >>> [all_hands.named.texts[i] for i in all_hands.namings(all_hands.index("RRR*"))]
        ['RRRR', 'RRRA']
        """
        return self.naming_of[index] if self.naming_of else (index,)

    def if_named(self, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The classes that can be named as one of some hands.

        Parameters
        ----------
        mask : ndarray of bool, shape (len(named),)

        Returns
        -------
        ndarray of bool, shape (classes,)
        """
        if not self.naming_of:
            return mask
        return np.array([mask[list(namings)].any() for namings in self.naming_of])

    @cached_property
    def _real(self) -> set[tuple[int, ...]]:
        return {self.game.deck.parse(text) for text in self.game.real}

    def index(self, hand: str | Sequence[int], what: str = "hand") -> int:
        """The class of a hand given as text or as kind indices.

        Raises
        ------
        CardError
            If it is not a hand of this game.

        Examples
        --------
        >>> from musodds.rules.games import get_game
        >>> all_hands = hands(get_game("mus"))
        >>> all_hands.texts[all_hands.index("a 7 r 3")]
        'RR7A'
        """
        cards = self.game.parse_hand(hand, what) if isinstance(hand, str) else tuple(sorted(hand))
        try:
            return self._indices[cards]
        except KeyError:
            raise CardError(f"{what} {hand!r} is not a hand of {self.game.name}") from None

    def plays(self, index: int) -> str:
        """The hand's plays in words, as *duples of kings and aces, 31*.

        Examples
        --------
        >>> from musodds.rules.games import get_game
        >>> all_hands = hands(get_game("mus"))
        >>> all_hands.plays(all_hands.index("RRAA"))
        'duples of kings and aces, punto of 22'
        >>> all_hands.plays(all_hands.index("777S"))
        'medias of 7s, juego of 31'
        """
        return f"{self.pares_name(index)}, {self.juego_name(index)}"

    def pares_name(self, index: int) -> str:
        """The hand's pares in words: *medias of 7s*, *no pares*; *… or …* with jokers."""
        if self.named_as is not None:
            return _either(map(self.named_as.pares_name, self.namings(index)))
        kind, ranks = _pares(self.game.deck, self.cards[index])
        name_of = {k.rank: k.plural for k in self.game.deck.kinds}
        if not kind:
            return PARES_NAMES[0]
        names = " and ".join(name_of[rank] for rank in dict.fromkeys(ranks))
        return f"{PARES_NAMES[kind]} of {names}"

    def juego_name(self, index: int) -> str:
        """The hand's juego or punto in words: *juego of 31*, *punto of 22*."""
        if self.named_as is not None:
            return _either(map(self.named_as.juego_name, self.namings(index)))
        total = int(self.points[index])
        if not self.level["juego"][index]:
            return f"punto of {total}"
        return "juego real" if self.cards[index] in self._real else f"juego of {total}"


def _either(names: Iterable[str]) -> str:
    return " or ".join(dict.fromkeys(names))


def _classes(deck: Deck) -> Iterator[tuple[int, ...]]:
    for cards in combinations_with_replacement(range(len(deck.kinds)), CARDS):
        if all(n <= deck.kinds[i].copies for i, n in Counter(cards).items()):
            yield cards


def _grande(deck: Deck, cards: tuple[int, ...]) -> Key:
    return tuple(sorted((deck.kinds[i].rank for i in cards), reverse=True))


def _chica(deck: Deck, cards: tuple[int, ...]) -> Key:
    return tuple(-rank for rank in sorted(deck.kinds[i].rank for i in cards))


def _pares(deck: Deck, cards: tuple[int, ...]) -> tuple[int, Key]:
    """Type of pares (0 nothing, 1 par, 2 medias, 3 duples) and the ranks that decide."""
    number = Counter(deck.kinds[i].rank for i in cards)
    paired = sorted((rank for rank, n in number.items() if n >= 2), reverse=True)
    if not paired:
        return 0, ()
    most = max(number.values())
    if most == CARDS:
        return 3, (paired[0], paired[0])
    if len(paired) == 2:
        return 3, tuple(paired)
    return (2 if most == 3 else 1), (paired[0],)


def _levels(keys: Sequence[Key | None]) -> NDArray[np.int64]:
    """Dense levels from 1 for comparable keys; 0 for None."""
    order = {key: i for i, key in enumerate(sorted({k for k in keys if k is not None}), start=1)}
    return np.array([0 if key is None else order[key] for key in keys], dtype=np.int64)


@lru_cache(maxsize=32)
def hands(game: Game) -> Hands:
    """The hand classes of a game (kept after the first call).

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> len(hands(get_game("mus"))), len(hands(get_game("mus4")))
    (330, 715)
    >>> int(hands(get_game("mus")).ways.sum())
    91390
    """
    cards = tuple(_classes(game.deck))
    namings = [game.deck.namings(hand) for hand in cards]
    different = tuple(sorted({hand for named in namings for hand in named}))
    named = _ranked(game, different)
    if different == cards:
        return named
    place = {hand: i for i, hand in enumerate(different)}
    naming_of = tuple(tuple(place[hand] for hand in options) for options in namings)

    def highest(values: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.array([values[list(options)].max() for options in naming_of], dtype=np.int64)

    return Hands(
        game=game,
        cards=cards,
        counts=_counts(game.deck, cards),
        ways=_ways(game.deck, cards),
        level={phase: highest(level) for phase, level in named.level.items()},
        stones={phase: highest(stones) for phase, stones in named.stones.items()},
        pares_type=highest(named.pares_type),
        points=highest(named.points),
        naming_of=naming_of,
        named_as=named,
    )


def _counts(deck: Deck, cards: Sequence[Key]) -> NDArray[np.int64]:
    return np.array([[c.count(i) for i in range(len(deck.kinds))] for c in cards], dtype=np.int64)


def _ways(deck: Deck, cards: Sequence[Key]) -> NDArray[np.int64]:
    ways = [prod(comb(deck.kinds[i].copies, n) for i, n in Counter(hand).items()) for hand in cards]
    return np.array(ways, dtype=np.int64)


def _ranked(game: Game, cards: tuple[Key, ...]) -> Hands:
    """Hands without jokers, compared with each other."""
    deck = game.deck
    points = [sum(deck.kinds[i].points for i in hand) for hand in cards]
    pares = [_pares(deck, hand) for hand in cards]
    real = {deck.parse(text) for text in game.real}

    def juego_key(hand: tuple[int, ...], total: int) -> Key | None:
        if total not in game.juego_order:
            return None
        return (int(hand in real), -game.juego_order.index(total))

    juego = [juego_key(hand, total) for hand, total in zip(cards, points, strict=True)]
    keys: dict[str, list[Key | None]] = {
        "grande": [_grande(deck, hand) for hand in cards],
        "chica": [_chica(deck, hand) for hand in cards],
        "pares": [(kind, *ranks) if kind else None for kind, ranks in pares],
        "juego": juego,
        "punto": [
            (total,) if key is None else None for key, total in zip(juego, points, strict=True)
        ],
    }
    pares_type = np.array([kind for kind, _ in pares], dtype=np.int64)
    return Hands(
        game=game,
        cards=cards,
        counts=_counts(deck, cards),
        ways=_ways(deck, cards),
        level={phase: _levels(keys[phase]) for phase in PHASES},
        stones={
            "pares": pares_type,
            "juego": np.array(
                [
                    0 if key is None else 3 if total == 31 else 2
                    for key, total in zip(juego, points, strict=True)
                ],
                dtype=np.int64,
            ),
        },
        pares_type=pares_type,
        points=np.array(points, dtype=np.int64),
    )
