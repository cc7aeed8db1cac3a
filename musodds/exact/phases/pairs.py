"""Counting for sides of two: every pair of partners against every pair of rivals."""

from __future__ import annotations

import numpy as np

from musodds.arrays import Ints
from musodds.exact.phases.columns import COLUMNS, from_counts
from musodds.exact.scope import check_partner
from musodds.exact.splits import Against, rivals
from musodds.rules.game import PHASES, UNANIMOUS, Game
from musodds.rules.hands import Hands, hands
from musodds.rules.shown import shown_hands
from musodds.rules.ways import choose


def count_pairs(
    game: Game, mine: Ints, seats: tuple[int, ...], partner: int | None, gone: Ints
) -> Ints:
    """Count deals for hands, summed over the hands that the partner may hold.

    Parameters
    ----------
    game : Game
        Two sides of one or two players.
    mine : ndarray of int64, shape (hands,)
    seats : tuple of int
    partner : int or None
        The partner's hand class, if it is known.
    gone : ndarray of int64, shape (kinds,)
        Cards that nobody holds.

    Returns
    -------
    ndarray of int64, shape (hands, seats, phases, columns)
    """
    all_hands = hands(game)
    sides, ways, owner = _sides(all_hands, mine, partner, gone, shown_hands(game))
    return _count(all_hands, sides, ways, owner, len(mine), seats, gone)


def count_by_partner(game: Game, me: int, seats: tuple[int, ...]) -> Ints:
    """Count deals for a hand, apart for each hand that the partner may hold.

    Whatever is known of the partner alone is a weighted sum of these.

    Parameters
    ----------
    game : Game
        Two sides of two players.
    me : int
        A hand class.
    seats : tuple of int

    Returns
    -------
    ndarray of int64, shape (classes, seats, phases, columns)

    Raises
    ------
    GameError
        If nobody has a partner, or the game has other sides.

    Examples
    --------
    >>> from musodds.exact.phases.count import count
    >>> from musodds.rules.games import get_game
    >>> game = get_game("mus")
    >>> one = count_by_partner(game, 5, (1, 2))
    >>> bool((one.sum(axis=0) == count(game, np.array([5]), (1, 2))[0]).all())
    True
    """
    check_partner(game)
    all_hands = hands(game)
    nothing = np.zeros(len(game.deck.kinds), dtype=np.int64)
    sides, ways, _ = _sides(all_hands, np.array([me]), None, nothing, shown_hands(game))
    return _count(all_hands, sides, ways, sides[:, 1], len(all_hands), seats, nothing)


def count_every_pair(game: Game, mine: Ints) -> tuple[Ints, Ints]:
    """Count deals for hands with every hand that a partner may hold beside them.

    Pairs that leave the same cards share one row of A, and pairs that are of one level
    besides one product: of the 104,820 pairs of the eight-king game few are different.

    Parameters
    ----------
    game : Game
        Two sides of two players.
    mine : ndarray of int64, shape (hands,)
        Hand classes.

    Returns
    -------
    pairs : ndarray of int64, shape (pairs, 2)
        My hand and my partner's; of hands that are shown and replaced there are none.
    counts : ndarray of int64, shape (pairs, seats, phases, columns)

    Raises
    ------
    GameError
        If nobody has a partner, or the game has other sides.
    """
    check_partner(game)
    all_hands = hands(game)
    nothing = np.zeros(len(game.deck.kinds), dtype=np.int64)
    mine = np.setdiff1d(mine, shown_hands(game))
    pairs, _, _ = _sides(all_hands, mine, None, nothing, shown_hands(game))
    once, owner = np.ones(len(pairs), dtype=np.int64), np.arange(len(pairs))
    seats = tuple(range(1, game.seats + 1))
    return pairs, _count(all_hands, pairs, once, owner, len(pairs), seats, nothing)


def _count(
    all_hands: Hands,
    sides: Ints,
    ways: Ints,
    owner: Ints,
    owners: int,
    seats: tuple[int, ...],
    gone: Ints,
) -> Ints:
    """The counts of pairs of partners, each times its ways, summed for each owner."""
    game = all_hands.game
    levels = {phase: all_hands.level[phase][sides].max(axis=1) for phase in PHASES}
    tallies = rivals(game, game.seats - game.side_size, shown_hands(game)).against(
        all_hands.counts[sides].sum(axis=1) + gone, levels
    )
    everything = tallies[PHASES[0]].taking_part
    counts = np.empty((owners, len(seats), len(PHASES), len(COLUMNS)), dtype=np.int64)
    for i, seat in enumerate(seats):
        for j, phase in enumerate(PHASES):
            columns = _columns(all_hands, sides, phase, seat, tallies[phase], everything)
            for k, column in enumerate(columns):
                # Below 2**53, so the float64 sums of bincount are exact.
                counts[:, i, j, k] = np.bincount(owner, ways * column, owners)
    return counts


def _sides(
    all_hands: Hands, mine: Ints, partner: int | None, gone: Ints, excluded: tuple[int, ...]
) -> tuple[Ints, Ints, Ints]:
    """The hands of my side: classes (sides, players), ways to deal the partner his, owner."""
    copies, counts = all_hands.game.deck.copies, all_hands.counts
    owner = np.arange(len(mine))
    if all_hands.game.side_size == 1:
        return mine[:, None], np.ones_like(mine), owner
    if partner is not None:
        pairs = np.stack((mine, np.full_like(mine, partner)), axis=1)
        for held in counts[pairs].sum(axis=1):
            cards = np.repeat(np.arange(len(copies)), held).tolist()
            all_hands.game.deck.check(cards, "the hand and the partner's together")
        return pairs, np.ones_like(mine), owner
    mates = np.delete(np.arange(len(counts)), list(excluded))
    owner, mate = np.divmod(np.arange(len(mine) * len(mates)), len(mates))
    mate = mates[mate]
    ways = choose((copies - counts[mine] - gone)[owner], counts[mate]).astype(np.int64)
    held = ways > 0
    return np.stack((mine[owner], mate), axis=1)[held], ways[held], owner[held]


def _columns(
    all_hands: Hands, sides: Ints, phase: str, seat: int, tally: Against, everything: Ints
) -> list[Ints]:
    """The columns of one seat and phase, counted for each pair of partners."""
    game = all_hands.game
    my_seats = np.array((seat, *game.partners(seat)))
    speaking = np.argsort(my_seats)
    own = all_hands.level[phase][sides[:, speaking]]
    champion = my_seats[speaking][own.argmax(axis=1)]
    earlier_rivals = np.array(
        [sum(r < s for r in game.rivals(seat)) for s in range(game.seats + 1)]
    )
    strict = earlier_rivals[champion], np.arange(len(sides))

    unanimous = phase in UNANIMOUS
    playing = (own > 0).all(axis=1) if unanimous else (own > 0).any(axis=1)
    stones = None
    if phase in all_hands.stones:
        both = all_hands.stones[phase][sides].sum(axis=1)
        stones = both, tally.all_stones - playing * tally.stones[strict]
    meeting = tally.taking_part if unanimous else everything - tally.idle
    mine = champion == seat
    return from_counts(phase, everything, playing, meeting, tally.deals[strict], mine, stones)
