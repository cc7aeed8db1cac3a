"""Encaje when nobody ever bets: the chance that each player is the one who loses.

Deal after deal the best hands throw their stones, phase by phase, until one player alone
has some left. Mano moves on to the next player who has stones; who has none is dealt no
more cards. Nobody changes cards, save that one of five is thrown where five are dealt.

Up to three players hold their hands with chances that are counted exactly, and as stones
are only ever thrown, the chance to lose follows from that in states with fewer stones.
With four or five players games are simulated until three are left, and the exact
chances taken from there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats
from musodds.errors import InputError
from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.simulation.given import given
from musodds.simulation.runner import Goal, run, until
from musodds.stakes.encaje_outcomes import outcome_counts, with_players
from musodds.store.notices import Watcher
from musodds.values import Table

DEFAULT_SE = 0.001
MAX_N = 10**9

BLOCK = 1 << 12
"""Games in a block."""

_EXACT_PLAYERS = 3
_EXACT_CLASSES = 1000
# A table of exact endings has a side of so many stones at most.
_TABLE_STONES = 42


@dataclass(frozen=True, repr=False)
class Losers(Table):
    """The chance that each player is the one who loses.

    Attributes
    ----------
    game : Game
    stones : tuple of int
        What the players have at first, in speaking order; 0 is out of the game.
    mano : int
        Which of them (from 1) is mano of the first deal.
    chances : tuple of float
        Of each player, to be the one left with stones.
    se : tuple of float or None
        Their standard errors, where they are simulated.
    n, seed : int or None
        Games played, and the seed.
    policy : str or None
        Where five cards are dealt, what is thrown; see
        :class:`musodds.exact.draws.throw_policy.ThrowPolicy`.
    interrupted : bool
        Whether Ctrl-C ended the simulation.

    Examples
    --------
    >>> [round(chance, 3) for chance in encaje_losers((1, 1, 0)).chances]
    [0.498, 0.502, 0.0]
    """

    game: Game
    stones: tuple[int, ...]
    mano: int
    chances: tuple[float, ...]
    se: tuple[float, ...] | None = None
    n: int | None = None
    seed: int | None = None
    policy: str | None = None
    interrupted: bool = False

    @property
    def method(self) -> str:
        """Exact, or monte-carlo."""
        return "exact" if self.se is None else "monte-carlo"

    def rows(self) -> list[dict[str, Any]]:
        """One dict per player: `player`, `stones`, `loser` and, simulated, `loser_se`."""
        rows: list[dict[str, Any]] = []
        for i, (stones, chance) in enumerate(zip(self.stones, self.chances, strict=True)):
            row = {"player": i + 1, "stones": stones, "loser": chance}
            rows.append(row if self.se is None else row | {"loser_se": self.se[i]})
        return rows


def encaje_losers(
    stones: Sequence[int],
    *,
    game: str | Game | None = None,
    mano: int = 1,
    n: int | None = None,
    target_se: float | None = None,
    seed: int = 1,
    workers: int | None = 1,
    simulate: bool = False,
    watch: Watcher | None = None,
) -> Losers:
    """The chance that each player loses when nobody ever bets or changes cards.

    Parameters
    ----------
    stones : sequence of int
        Of each player, in speaking order; 0 for a player who is out.
    game : str or Game, optional
        Encaje; by default with as many players as there are stones.
    mano : int, optional
        Which player (from 1) is mano of the first deal.
    n : int, optional
        Games to simulate, where the chances are not exact.
    target_se : float, optional
        Instead of ``n``: games are simulated until every standard error is at most that,
        default 0.001.
    seed : int, optional
        The same seed gives the same digits.
    workers : int, optional
        Threads, on which the digits do not depend; None: one for each core.
    simulate : bool, optional
        Simulate whole games even where the chances can be exact.
    watch : callable, optional
        Called now and then with the games played and those expected.

    Returns
    -------
    Losers
        Exact for two or three players (counted, then summed in double precision),
        unless five cards are dealt; otherwise simulated.

    Raises
    ------
    InputError
        If the game is not Encaje, or the stones or the player are not possible.

    Examples
    --------
    >>> answer = encaje_losers((15, 12, 20))
    >>> answer.method, round(sum(answer.chances), 12)
    ('exact', 1.0)
    """
    asked = given(n, target_se, seed, workers, most=MAX_N, errors=(1e-5, 0.5))
    game = _game(game, len(stones))
    start = _stones(game, stones)
    if not 1 <= mano <= game.seats or not start[mano - 1]:
        able = [str(i) for i, left in enumerate(start, start=1) if left]
        raise InputError(f"mano is {mano}: a player who has stones, {' or '.join(able)}")
    players = sum(map(bool, start))
    # Before any hand is known, any suit does for the one whose sota makes juego real.
    plain = game.one_suit or game
    counted = game.cards_dealt == CARDS and len(hands(plain)) <= _EXACT_CLASSES and not simulate
    if counted and players <= _EXACT_PLAYERS:
        return Losers(game, start, mano, _exact(plain, start, mano))
    table = np.empty((0, 0, 0, 3, 3))
    if counted:
        table = endings(plain, (min(max(start), _TABLE_STONES),) * 3)
    goal = _goal(asked.n, DEFAULT_SE if target_se is None else target_se)
    play, policy = _games(game, start, mano, asked.seed, table)
    total = run(play, BLOCK, goal, asked.workers, watch=watch)
    if total.deals < 2:
        raise KeyboardInterrupt
    chances = tuple(float(wins) / total.deals for wins in total.sums[0])
    errors = _errors(total.sums, total.deals)
    return Losers(
        game, start, mano, chances, errors, total.deals, asked.seed, policy, total.interrupted
    )


def _game(game: str | Game | None, players: int) -> Game:
    if game is None:
        if players not in (3, 5):
            raise InputError(
                f"{players} numbers of stones: Encaje is for three or five players; write 0 for "
                "one who is out"
            )
        game = f"encaje{players}"
    found = get_game(game)
    if found.stones is None:
        raise InputError(f"{found.name} is not Encaje: games are encaje3, encaje5 and variants")
    if players != found.seats:
        raise InputError(
            f"{players} numbers of stones: {found.name} has {found.seats} players; write 0 for "
            "one who is out"
        )
    return found


def _stones(game: Game, stones: Sequence[int]) -> tuple[int, ...]:
    assert game.stones is not None
    start = tuple(int(number) for number in stones)
    most = game.seats * game.stones[1]
    text = ",".join(map(str, start))
    if min(start) < 0:
        raise InputError(f"stones {text}: each is 0 (out of the game) or more")
    if sum(map(bool, start)) < 2:
        raise InputError(f"stones {text}: two players or more must have some")
    if sum(start) > most:
        raise InputError(
            f"stones {text}: {sum(start)} together, but {game.seats} players start with "
            f"{most} at most"
        )
    return start


def _exact(game: Game, start: tuple[int, ...], mano: int) -> tuple[float, ...]:
    alive = [i for i, left in enumerate(start) if left]
    places = [start[i] for i in alive] + [0] * (_EXACT_PLAYERS - len(alive))
    table = endings(game, (places[0], places[1], places[2]))
    found = table[places[0], places[1], places[2], alive.index(mano - 1)]
    chances = [0.0] * len(start)
    for player, chance in zip(alive, found, strict=False):
        chances[player] = float(chance)
    return tuple(chances)


@lru_cache(maxsize=4)
def endings(game: Game, most: tuple[int, int, int]) -> Floats:
    """The chance of each of two or three players to lose, from every state.

    Parameters
    ----------
    game : Game
    most : tuple of int
        The most stones of each.

    Returns
    -------
    ndarray of float64, shape (most + 1, most + 1, most + 1, 3, 3)
        By the stones of each player in speaking order, by who is mano, by player.
    """
    from musodds.simulation.kernels.encaje_games import solve

    rows, chances, starts = [], [], [0]
    for players in (2, 3):
        counts = outcome_counts(game, players)
        found = np.argwhere(counts)
        rows.append(found)
        chances.append(counts[tuple(found.T)] / int(counts.sum()))
        starts.append(starts[-1] + len(found))
    table = np.zeros((*(number + 1 for number in most), 3, 3))
    scratch = np.zeros((2, _EXACT_PLAYERS), dtype=np.int64)
    solve(np.concatenate(rows), np.concatenate(chances), np.array(starts), table, *scratch)
    return table


def _goal(n: int | None, target_se: float) -> Goal:
    if n is not None:
        return Goal(n)

    def enough(sums: Floats) -> bool:
        # Every player loses or not: the games are the sum of all chances.
        return max(_errors(sums, round(float(sums[0].sum())))) <= target_se

    def expected(sums: Floats, games: int) -> int:
        return max(games, int(games * (max(_errors(sums, games)) / target_se) ** 2))

    # Looked at now and then, so that the rule does not favour lucky moments.
    return Goal(MAX_N, until(enough, lambda blocks: blocks % 8 == 0), expected)


def _errors(sums: Floats, n: int) -> tuple[float, ...]:
    """Standard errors of the means of values of which these are the sums and squares."""
    variances = (sums[1] - sums[0] ** 2 / n) / (n - 1)
    return tuple(sqrt(max(0.0, float(variance)) / n) for variance in variances)


def _games(
    game: Game, start: tuple[int, ...], mano: int, seed: int, table: Floats
) -> tuple[Callable[[int, int], list[Floats]], str | None]:
    """Plays one block: chances to lose and their squares; and what is thrown of five."""
    from musodds.simulation.kernels.encaje_games import Rules, Table, play_games
    from musodds.simulation.packing import pack_game, stones_by_level

    tables = pack_game(with_players(game, game.seats))
    kept, deck, policy = tables.class_of[None, None], tables.deck, None
    if game.cards_dealt > CARDS:
        kept, deck, policy = kept_of_five(game)
    dealt = np.uint64(game.cards_dealt)
    rules = Rules(dealt, kept, tables.levels, stones_by_level(game), table)

    def play(block: int, games: int) -> list[Floats]:
        scratch, sums = np.zeros((3, len(start)), dtype=np.int64), np.zeros((2, len(start)))
        desk = Table(
            state=np.zeros(4, dtype=np.uint64),
            deck=deck.copy(),
            left=scratch[0],
            order=scratch[1],
            alive=scratch[2],
            outcome=np.zeros((1, 6), dtype=np.int64),
        )
        stream = (np.uint64(seed), np.uint64(block))
        play_games(desk, stream, games, np.array(start), mano - 1, rules, *sums)
        return [sums]

    return play, policy


@lru_cache(maxsize=4)
def kept_of_five(game: Game) -> tuple[NDArray[np.uint16], NDArray[np.uint64], str]:
    """What players keep of five cards, whatever the number of players left.

    Returns
    -------
    kept : ndarray of uint16, shape (players, players, sums)
        Class of the hand that is kept, by number of players (from 1), place (from mano,
        0) and sum of the codes of the five cards.
    deck : ndarray of uint64, shape (cards,)
        The codes of all cards.
    policy : str
        Names of what they follow.
    """
    from musodds.simulation.packing import pack_throws

    packed = [pack_throws(replace(game, seats=players)) for players in range(2, game.seats + 1)]
    kept = np.zeros((game.seats, game.seats, packed[0].kept.shape[1]), dtype=np.uint16)
    for throws in packed:
        players = len(throws.kept)
        kept[players - 1, :players] = throws.kept
    names = dict.fromkeys(throws.policy for throws in packed)
    return kept, packed[0].deck, " or ".join(names)
