"""Exact odds with jokers in the deck.

What a joker is named (:mod:`musodds.exact.named_deals`) depends on all phases at once, so odds are
no sum phase by phase: the showdowns of :mod:`musodds.exact.named_deals`, counted by what comes
of them, make the columns of all phases together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Exact, Floats, Ints
from musodds.exact.named_deals import View, flat_namings, outcomes
from musodds.exact.phases.columns import COLUMNS
from musodds.exact.unseen import Unseen
from musodds.rules.game import PHASES, Game
from musodds.rules.hands import hands
from musodds.rules.ways import choose
from musodds.store.cache import cached
from musodds.store.numbers import digest, path, shipped

NAMINGS = "namings"
"""The kind of number that the package keeps for every naming of the hands with jokers."""

_WIN, _BEST = COLUMNS.index("win"), COLUMNS.index("best")


def count_named(
    game: Game,
    mine: Ints,
    seats: Sequence[int],
    partner: int | None = None,
    dead: Sequence[int] = (),
    excluded: Sequence[int] = (),
) -> Ints:
    """As :func:`musodds.exact.phases.count.count`, with jokers in the deck.

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
    >>> from musodds.rules.games import get_game
    >>> game = get_game("mus2p-ten-kings")
    >>> counts = count_named(game, np.array([hands(game).index("**RR")]), (1,))
    >>> counts.shape, counts[0, 0, 0, 0]
    ((1, 1, 5, 8), np.int64(58905))
    """
    counts = np.zeros((len(mine), game.seats, len(PHASES), len(COLUMNS)), dtype=np.int64)
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
        looked = [View(seat) for seat in (every_seat[: game.sides] if whole else seats)]
        ways = unseen.mate_ways.astype(np.int64)
        for view, by_mate in zip(looked, columns_by_mate(unseen, looked), strict=True):
            counts[row, view.seat - 1] += np.einsum("m,mpc->pc", ways, by_mate)
            if whole:
                _add_for_mates(counts, unseen, game.partners(view.seat)[0], by_mate)
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


def columns_by_mate(unseen: Unseen, views: Sequence[View]) -> NDArray[Any]:
    """Count the deals of every column for each hand of the partner.

    Parameters
    ----------
    unseen : Unseen
        Two sides of one or two players.
    views : sequence of View

    Returns
    -------
    ndarray of int64, or object (int) if they may be more, shape (views, mates, phases, columns)

    Raises
    ------
    GameError
        If there are more jokers, or sides, than it can count.
    """
    from musodds.exact.kernels.showdowns import add_columns

    shape = (len(unseen.mates), len(views), len(PHASES), len(COLUMNS))
    sums: dict[int, Floats] = {}
    for one in outcomes(unseen, views):
        counts = sums.setdefault(one.shift, np.zeros(shape))
        add_columns(one.found, one.ours, one.is_mine, counts[one.mate])
    if list(sums) == [0]:
        total: NDArray[Any] = sums[0].astype(np.int64)
    else:
        exact = [part.astype(np.int64).astype(object) << shift for shift, part in sums.items()]
        total = np.sum(exact, axis=0)
    return total.swapaxes(0, 1)


def named_columns(unseen: Unseen, views: Sequence[View]) -> Exact:
    """Count the deals of every column, each with its weight; see :func:`columns_by_mate`.

    Returns
    -------
    ndarray of object (int), shape (views, phases, columns)
    """
    by_mate = columns_by_mate(unseen, views).astype(object)
    columns: Exact = np.einsum("m,vmpc->vpc", unseen.mate_ways, by_mate)
    return columns


def count_by_naming(game: Game, me: int, seats: Sequence[int]) -> Ints:
    """Count deals for each way to name a hand's jokers, whatever the others hold.

    The other holders still name theirs as is best for them. With the hand's own jokers
    named as is best deal by deal, see :func:`musodds.exact.phases.count.count`: it brings more than
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
        In the order of :meth:`musodds.rules.hands.Hands.namings`.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> game = get_game("mus2p-ten-kings")
    >>> counts = count_by_naming(game, hands(game).index("RRR*"), (1,))
    >>> counts[:, 0, 0, 0]  # as mano nothing beats RRRR; RRRA loses to 455 hands
    array([58905, 58450])
    """
    number = len(hands(game).namings(me))
    stored = _published_namings(game)
    if stored is not None:
        start, _ = flat_namings(game)
        # Hands with jokers come first of all, so their namings do.
        own = stored[start[me] : start[me] + number]
        return np.array(own[:, [seat - 1 for seat in seats]], dtype=np.int64)
    shape = number, len(seats), len(PHASES), len(COLUMNS)
    name = f"namings-{digest(game)}-{me}-{'-'.join(map(str, seats))}"
    return cached(name, lambda: _count_by_naming(game, me, seats), shape=shape)


def _published_namings(game: Game) -> Ints | None:
    numbers = [len(hands(game).namings(i)) for i in range(len(hands(game)))]
    shape = sum(n for n in numbers if n > 1), game.seats, len(PHASES), len(COLUMNS)
    return shipped(path(NAMINGS, game), shape)


def _count_by_naming(game: Game, me: int, seats: Sequence[int]) -> Ints:
    number = len(hands(game).namings(me))
    unseen = Unseen(game, me, None, (None,) * (game.seats - game.side_size))
    found = named_columns(unseen, [View(seat, n) for n in range(number) for seat in seats])
    return found.astype(np.int64).reshape(number, len(seats), len(PHASES), len(COLUMNS))


def count_all_namings(game: Game) -> Ints:
    """Every naming of every hand with jokers, shape (namings, seats, phases, columns)."""
    all_hands = hands(game)
    jokers = [i for i in range(len(all_hands)) if len(all_hands.namings(i)) > 1]
    seats = range(1, game.seats + 1)
    return np.concatenate([_count_by_naming(game, me, seats) for me in jokers])
