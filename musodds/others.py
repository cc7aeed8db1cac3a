"""The chance that one hand is the best of all, whatever the number of players.

The same availability × splits as in :mod:`musodds.counting`, for any number of other
players: G(part) counts the ways to deal a part's cards to them so that those who speak
earlier are below a level and the rest not above it. It is built up one player at a
time, and does not depend on the hand asked about, only on its level.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from musodds.counting import UNANIMOUS, Ints, choose, deals, radix
from musodds.games import PHASES, Game
from musodds.hands import CARDS, Hands, hands


def best_counts(game: Game, me: int, seat: int) -> tuple[Ints, int]:
    """Count the deals in which a hand is the one that takes each phase.

    Parameters
    ----------
    game : Game
        Any number of seats.
    me : int
        A hand class.
    seat : int

    Returns
    -------
    counts : ndarray of object (int), shape (phases,)
        Python integers: with six players a count can exceed 64 bits.
    deals : int
        Ways to deal the other players' hands.

    Examples
    --------
    >>> from musodds.games import get_game
    >>> game = get_game("mus2p")
    >>> counts, total = best_counts(game, hands(game).index("RRRA"), seat=2)
    >>> total - counts[PHASES.index("juego")]  # the hands of 31 that mano may hold
    4550
    """
    all_hands = hands(game)
    counts = [_best(all_hands, phase, me, seat) for phase in PHASES]
    total = deals(game.deck.size - CARDS, game.seats - 1)
    return np.array(counts, dtype=object), total


def _best(all_hands: Hands, phase: str, me: int, seat: int) -> int:
    level = int(all_hands.level[phase][me])
    if not level:
        return 0
    game = all_hands.game
    parts, ways = _ways_within(game, phase, level, seat - 1, game.seats - seat)
    available = choose(game.deck.copies - all_hands.counts[me], parts)
    return int(available.astype(np.int64).astype(object) @ ways.astype(object))


@lru_cache(maxsize=256)
def _ways_within(game: Game, phase: str, level: int, strict: int, loose: int) -> tuple[Ints, Ints]:
    """Parts, and in how many ways each keeps ``strict`` players below, ``loose`` within."""
    all_hands = hands(game)
    levels = all_hands.level[phase]
    playing = levels > 0 if phase in UNANIMOUS else np.ones(len(levels), dtype=bool)
    below = np.flatnonzero(playing & (levels < level))
    within = np.flatnonzero(playing & (levels <= level))
    copies = game.deck.copies
    weight = radix(copies)
    parts = np.zeros((1, len(copies)), dtype=np.int64)
    ways = np.ones(1, dtype=np.int64)
    for allowed in [below] * strict + [within] * loose:
        sums = np.zeros(int(copies @ weight) + 1, dtype=np.int64)
        for hand in all_hands.counts[allowed]:
            union = parts + hand
            possible = (union <= copies).all(axis=1)
            union = union[possible]
            sums[union @ weight] += ways[possible] * choose(union, hand).astype(np.int64)
        found = np.flatnonzero(sums)
        parts = found[:, None] // weight % (copies + 1)
        ways = sums[found]
    return parts, ways
