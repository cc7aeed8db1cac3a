"""Exact odds with jokers in the deck.

What a joker is named (:mod:`musodds.jokers`) depends on all phases at once, so odds are
no sum phase by phase: every split of the rivals' cards is shown down, by a compiled
loop, over the same availability and splits as in :mod:`musodds.unseen`. A side is one
integer per way of naming its jokers, a *profile*; comparing two of them tells who takes
which phase.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds import published
from musodds.counting import Floats, Ints, choose, rivals
from musodds.errors import GameError
from musodds.games import PHASES, Game
from musodds.hands import Hands, hands
from musodds.unseen import Exact, Unseen, slices

MOST_JOKERS = 2
"""With more, three players could hold one."""

COLUMNS = 8
"""Those of :data:`musodds.odds.COLUMNS`."""

_WIN, _BEST = 0, 3

# As in musodds.unseen, so many bits of a value times all ways stay below 2**53; and
# float32 holds them.
_SLICE = 22


@dataclass(frozen=True, eq=False)
class Profiles:
    """Sides with their jokers named.

    Attributes
    ----------
    values : ndarray of int64, shape (sides, namings, 6)
        For each way of naming, the codes of the best hand in the four lanes, and the
        stones of all hands for pares and for juego. In the order in which equals are
        preferred; the last is repeated where a side has fewer.
    is_mine : ndarray of bool, shape (sides, namings, 4)
        Whether the best hand is the first player's.
    number : ndarray of int64, shape (sides,)
        How many ways of naming there are.
    holder : ndarray of int64, shape (sides,)
        The first seat that holds a joker; 0 if none does.
    """

    values: Ints
    is_mine: NDArray[np.bool_]
    number: Ints
    holder: Ints


def profiles(game: Game, players: Sequence[tuple[int, Ints]], named: int | None = None) -> Profiles:
    """The profiles of sides of one or two players.

    Parameters
    ----------
    game : Game
    players : sequence of (int, ndarray of int64 of shape (sides,))
        The seat of each player of a side, and the classes it holds.
    named : int, optional
        Which of the namings of its hand the first player takes in any case.
    """
    all_hands = hands(game)
    start_of, naming_of = _flat_namings(game)
    classes = dict(players)
    each = {seat: np.diff(start_of)[held] for seat, held in players}
    me = players[0][0]
    if named is not None:
        each[me] = np.ones_like(each[me])
    number: Ints = np.prod(list(each.values()), axis=0)
    holder = np.zeros(len(number), dtype=np.int64)
    nth = np.minimum(np.arange(number.max(initial=1)), number[:, None] - 1)
    chosen = {}
    # The later player's namings are tried within each of the earlier one's.
    for seat in sorted(classes, reverse=True):
        holder = np.where(each[seat] > 1, seat, holder)
        nth, mine = np.divmod(nth, each[seat][:, None])
        if seat == me and named is not None:
            mine = np.full_like(mine, named)
        chosen[seat] = naming_of[start_of[classes[seat]][:, None] + mine]
    columns, is_mine = [], []
    for lane in lanes(all_hands.named):
        codes = {s: lane[named] * game.seats + game.seats - s for s, named in chosen.items()}
        columns.append(np.maximum.reduce(list(codes.values())))
        is_mine.append(columns[-1] == codes[me])
    for own in (all_hands.named.stones[phase] for phase in ("pares", "juego")):
        columns.append(np.sum([own[named] for named in chosen.values()], axis=0))
    return Profiles(np.stack(columns, axis=-1), np.stack(is_mine, axis=-1), number, holder)


def lanes(named: Hands) -> tuple[Ints, Ints, Ints, Ints]:
    """Levels in grande, chica, pares, and juego or else punto (any juego beats it)."""
    level = named.level
    last = np.where(level["juego"] > 0, level["juego"] + named.top_level["punto"], level["punto"])
    return level["grande"], level["chica"], level["pares"], last


@lru_cache(maxsize=8)
def _flat_namings(game: Game) -> tuple[Ints, Ints]:
    """All namings of all classes one after the other, and where each class's begin."""
    all_hands = hands(game)
    namings = [all_hands.namings(index) for index in range(len(all_hands))]
    start = np.concatenate(([0], np.cumsum([len(options) for options in namings])))
    return start.astype(np.int64), np.concatenate(namings).astype(np.int64)


def count_named(
    game: Game,
    mine: Ints,
    seats: Sequence[int],
    partner: int | None = None,
    dead: Sequence[int] = (),
    excluded: Sequence[int] = (),
) -> Ints:
    """As :func:`musodds.odds.count`, with jokers in the deck.

    Parameters
    ----------
    game : Game
        Two sides of one or two players.
    mine : ndarray of int64, shape (hands,)
    seats : sequence of int
    partner : int, optional
    dead : sequence of int, optional
        Kinds of the cards that nobody holds.
    excluded : sequence of int, optional
        Hand classes that none of the others holds.

    Returns
    -------
    ndarray of int64, shape (hands, seats, phases, columns)

    Examples
    --------
    >>> from musodds.games import get_game
    >>> game = get_game("mus2p-ten-kings")
    >>> counts = count_named(game, np.array([hands(game).index("**RR")]), (1,))
    >>> counts.shape, counts[0, 0, 0, 0]
    ((1, 1, 5, 8), np.int64(58905))
    """
    counts = np.zeros((len(mine), game.seats, len(PHASES), COLUMNS), dtype=np.int64)
    every_seat = tuple(range(1, game.seats + 1))
    # Every pair of partners is met twice, unless one pass does for both of its seats.
    whole = (
        len(mine) == len(hands(game))
        and set(seats) == set(every_seat)
        and partner is None
        and game.side_size > 1
    )
    for row, me in enumerate(mine.tolist()):
        unseen = _unseen(game, me, partner, dead, excluded)
        for seat in every_seat[: game.sides] if whole else seats:
            by_mate = columns_by_mate(unseen, seat)
            ways = unseen.mate_ways.astype(np.int64)
            counts[row, seat - 1] += np.einsum("m,mpc->pc", ways, by_mate)
            if whole:
                _add_for_mates(counts, unseen, game.partners(seat)[0], by_mate)
    return counts[:, [seat - 1 for seat in seats]]


def _unseen(
    game: Game, me: int, partner: int | None, dead: Sequence[int], excluded: Sequence[int]
) -> Unseen:
    weights = None
    if excluded:
        weights = np.ones(len(hands(game)), dtype=np.int64)
        weights[list(excluded)] = 0
    if partner is None:
        return Unseen(game, me, weights, (weights,) * (game.seats - game.side_size), dead)
    held = (*hands(game).cards[me], *hands(game).cards[partner])
    game.deck.check(held, "the hand and the partner's together")
    only = np.zeros(len(hands(game)), dtype=np.int64)
    only[partner] = 1
    unseen = Unseen(game, me, only, (weights,) * (game.seats - game.side_size), dead)
    unseen.mate_ways = np.ones_like(unseen.mate_ways)
    return unseen


def _add_for_mates(counts: Ints, unseen: Unseen, mate_seat: int, by_mate: Ints) -> None:
    """Add the deals of one hand to the columns of the hands its partner may hold."""
    theirs = by_mate.copy()
    theirs[..., _BEST] = by_mate[..., _WIN] - by_mate[..., _BEST]
    all_hands = unseen.hands
    left = unseen.game.deck.copies - all_hands.counts[unseen.mates]
    ways = choose(left, all_hands.counts[unseen.me]).astype(np.int64)
    counts[unseen.mates, mate_seat - 1] += ways[:, None, None] * theirs


def columns_by_mate(unseen: Unseen, seat: int, named: int | None = None) -> NDArray[Any]:
    """Count the deals of every column for each hand of the partner.

    Parameters
    ----------
    unseen : Unseen
        Two sides of one or two players.
    seat : int
    named : int, optional
        Which of its namings the known hand takes in any case; by default the best.

    Returns
    -------
    ndarray of int64, or object (int) if they may be more, shape (mates, phases, columns)

    Raises
    ------
    GameError
        If there are more jokers, or sides, than it can count.
    """
    from musodds._showdowns import OUTCOMES, add_columns, count_showdowns

    game = unseen.game
    _check(game)
    me = np.full(len(unseen.mates), unseen.me)
    mates = [(mate, unseen.mates) for mate in game.partners(seat)]
    ours = profiles(game, [(seat, me), *mates], named)
    our_values = ours.values.astype(np.float32)
    splits = _splits_of(unseen, rivals_in_turn(game, seat))
    total: NDArray[Any] | None = None
    for shift, part in slices(unseen.values, _SLICE):
        found = np.zeros((len(unseen.mates), OUTCOMES))
        for some in splits:
            count_showdowns(
                unseen.available, our_values, ours.number, ours.holder, some.profiles,
                some.namings, some.holder, some.part_of, some.tiled(part), found,
            )  # fmt: skip
        sums = np.zeros((len(unseen.mates), len(PHASES), COLUMNS))
        add_columns(found, our_values, ours.is_mine, sums)
        counted: NDArray[Any] = sums.astype(np.int64)
        if shift:
            counted = counted.astype(object) * (1 << shift)
        total = counted if total is None else total + counted
    assert total is not None, "there is always one slice"
    return total


@dataclass(frozen=True, eq=False)
class Splits:
    """Splits with as many jokers, as :func:`musodds._showdowns.count_showdowns` reads them.

    Attributes
    ----------
    which : ndarray of int64, shape (splits,)
        Their places among all splits.
    namings : int
    profiles : ndarray of uint16
    holder, part_of : ndarray of int64 and int32, shape (whole tiles,)
    """

    which: Ints
    namings: int
    profiles: NDArray[np.uint16]
    holder: Ints
    part_of: NDArray[np.int32]

    def tiled(self, values: Floats) -> NDArray[np.float32]:
        """Values of all splits as float32: of these, filled up with zeros."""
        some = np.zeros(len(self.holder), dtype=np.float32)
        some[: len(self.which)] = values[self.which]
        return some


def _splits_of(unseen: Unseen, seats: tuple[int, ...]) -> tuple[Splits, ...]:
    if unseen.first is rivals(unseen.game, unseen.rivals).first:
        return _all_splits(unseen.game, seats)
    return _tile(unseen.game, seats, unseen.first, unseen.second, unseen.part_of)


@lru_cache(maxsize=8)
def _all_splits(game: Game, seats: tuple[int, ...]) -> tuple[Splits, ...]:
    splits = rivals(game, len(seats))
    return _tile(game, seats, splits.first, splits.second, splits.part_of)


def _tile(
    game: Game, seats: tuple[int, ...], first: Ints, second: Ints, part_of: Ints
) -> tuple[Splits, ...]:
    """The splits by their number of jokers, those of a part together."""
    from musodds._showdowns import TILE

    held = np.array([kind.copies if kind.stands_for else 0 for kind in game.deck.kinds]) > 0
    jokers = hands(game).counts[:, held].sum(axis=1)
    number = jokers[first] + (jokers[second] if len(seats) > 1 else 0)
    found = []
    for n in np.unique(number):
        which = np.flatnonzero(number == n)
        which = which[np.argsort(part_of[which], kind="stable")]
        filled = np.concatenate((which, np.repeat(which[-1:], -len(which) % TILE)))
        sides = profiles(game, list(zip(seats, (first[filled], second[filled]), strict=False)))
        tiles = sides.values.reshape(-1, TILE, *sides.values.shape[1:]).transpose(0, 2, 3, 1)
        found.append(
            Splits(
                which,
                sides.values.shape[1],
                np.ascontiguousarray(tiles, dtype=np.uint16).ravel(),
                sides.holder,
                part_of[filled].astype(np.int32),
            )
        )
    return tuple(found)


def named_columns(unseen: Unseen, seat: int, named: int | None = None) -> Exact:
    """Count the deals of every column, each with its weight; see :func:`columns_by_mate`.

    Returns
    -------
    ndarray of object (int), shape (phases, columns)
    """
    by_mate = columns_by_mate(unseen, seat, named).astype(object)
    columns: Exact = np.tensordot(unseen.mate_ways, by_mate, axes=1)
    return columns


def count_by_naming(game: Game, me: int, seats: Sequence[int]) -> Ints:
    """Count deals for each way to name a hand's jokers, whatever the others hold.

    The other holders still name theirs as is best for them. With the hand's own jokers
    named as is best deal by deal, see :func:`musodds.odds.count`: it brings more than
    any of these.

    Parameters
    ----------
    game : Game
        Two sides of one or two players.
    me : int
        A hand class.
    seats : sequence of int

    Returns
    -------
    ndarray of int64, shape (namings, seats, phases, columns)
        In the order of :meth:`musodds.hands.Hands.namings`.

    Examples
    --------
    >>> from musodds.games import get_game
    >>> game = get_game("mus2p-ten-kings")
    >>> counts = count_by_naming(game, hands(game).index("RRR*"), (1,))
    >>> counts[:, 0, 0, 0]  # as mano nothing beats RRRR; RRRA loses to 455 hands
    array([58905, 58450])
    """
    start, _ = _flat_namings(game)
    number = int(start[me + 1] - start[me])
    file = namings_path(game)
    if file.exists():
        stored = np.load(file, mmap_mode="r")[start[me] : start[me + 1]]
        return np.array(stored[:, [seat - 1 for seat in seats]], dtype=np.int64)
    unseen = Unseen(game, me, None, (None,) * (game.seats - game.side_size))
    found = [[named_columns(unseen, seat, n) for seat in seats] for n in range(number)]
    return np.array(found, dtype=np.int64)


def namings_path(game: Game) -> Path:
    """Where the counts of every naming are kept, if they are.

    An array of shape (namings of all hands with jokers, seats, phases, columns).
    """
    return published.FOLDER.parent / "namings" / published.path(game).name


def publish_namings(game: Game) -> Path:
    """Count every naming of every hand with jokers, and keep it with the package."""
    all_hands = hands(game)
    jokers = [i for i in range(len(all_hands)) if len(all_hands.namings(i)) > 1]
    seats = tuple(range(1, game.seats + 1))
    file = namings_path(game)
    counts = np.concatenate([count_by_naming(game, me, seats) for me in jokers])
    file.parent.mkdir(parents=True, exist_ok=True)
    np.save(file, counts)
    return file


def rivals_in_turn(game: Game, seat: int) -> tuple[int, ...]:
    """The rivals as they speak after a seat: the next first, the previous last."""
    return tuple(sorted(game.rivals(seat), key=lambda s: (s - seat) % game.seats))


def _check(game: Game) -> None:
    jokers = sum(kind.copies for kind in game.deck.kinds if kind.stands_for)
    if jokers > MOST_JOKERS or game.sides != 2:
        raise GameError(
            f"{game.name} cannot be counted: with jokers that takes two sides, and at most "
            f"{MOST_JOKERS} jokers"
        )
