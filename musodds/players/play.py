"""Whole games, or single deals, with given players.

The rules are those of :mod:`musodds.playing.mus_deal` and :mod:`musodds.playing.encaje_deal`;
here cards are shuffled, players asked, results added up. Every game or deal is a function
of the seed and its number alone, so any number of workers gives the same digits; and the
same seed deals the same cards to other players.

A player of one's own is any object with three methods, each of which gets a
:class:`musodds.players.view.View`:

>>> import musodds as mo
>>> class Bold:
...     "Never mus, bets 5 on every king."
...     def say(self, view):
...         return "no hay mus"
...     def throw(self, view):
...         return view.hand
...     def speak(self, view):
...         if view.seen:
...             return "quiero" if "R" in view.hand else "no quiero"
...         return "envido 5" if "R" in view.hand else "paso"
>>> contest = mo.play([Bold(), "kings"], games=10, seed=1)
>>> contest.players
('Bold', 'kings', 'Bold', 'kings')
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from pickle import PicklingError, dumps
from typing import Any

import numpy as np

from musodds.errors import GameError, InputError
from musodds.players.built_in import PolicyPlayer, RandomPlayer
from musodds.players.contest import DEALS, GAMES, Contest
from musodds.players.pack import Pack
from musodds.players.solved import EachPlayer, SolvedPlayer
from musodds.players.table import ASKED, Player, PlayerError, Table, may_show
from musodds.playing.deal import SHOWN, VISTO
from musodds.playing.match import Match
from musodds.playing.mus_deal import Deal
from musodds.playing.setting import AnyDeal, Setting, default_names
from musodds.playing.written import write_record
from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.simulation.given import MAX_ROUNDS, given, whole
from musodds.simulation.named_policies import get_policy
from musodds.simulation.policies import Policy, read_policy
from musodds.simulation.progress import progress_bar
from musodds.simulation.runner import Future, Goal, Play, Workers, run
from musodds.solver.betting import Betting
from musodds.solver.container import MAGIC
from musodds.solver.each_solution import EachSolution
from musodds.solver.strategy_file import read_played
from musodds.store.files import is_file
from musodds.store.notices import Watcher

DEFAULT_GAMES = 100
MOST = 10_000_000
UNITS_PER_BLOCK = 4
RANDOM = "random"

PlayerLike = str | Path | Policy | Betting | EachSolution | Player


def play(
    players: Sequence[PlayerLike],
    *,
    game: str | Game = "mus",
    games: int | None = None,
    deals: int | None = None,
    score: str | Sequence[int] | None = None,
    seed: int = 1,
    workers: int | None = 1,
    rounds: int | str = "until-cut",
    records: bool = True,
    progress: bool = False,
) -> Contest:
    """Play games or deals with given players.

    Parameters
    ----------
    players : sequence
        One a side (all of a side play alike), or one a seat as they sit. Each is ``"random"``;
        the name or file of a policy; a :class:`musodds.simulation.policies.Policy`; a
        solved strategy (:func:`musodds.solver.strategy_file.read_played`) or its file; or
        any object with ``say(view)``, ``throw(view)`` and ``speak(view)``.
    game : str or Game, optional
        Without jokers, four cards dealt.
    games : int, optional
        Whole games; default 100. Who is mano in the first deal goes round from game to game.
    deals : int, optional
        Instead of games: so many single deals, each from the same score.
    score : str or sequence of int, optional
        Where each game or deal begins: stones of each side as they sit; in Encaje of each
        player. Default 0-0; in Encaje the fewest stones that the game begins with.
    seed : int, optional
        The same seed gives the same digits, and deals the same cards to other players.
    workers : int, optional
        Processes; None: one for each core. With more than one, players of one's own must
        be of a class that another process can import.
    rounds : int or str, optional
        The most rounds of mus in a deal, 0 to 100; then mano cuts. ``"until-cut"``: 100.
    records : bool, optional
        Whether every game is written down.
    progress : bool, optional
        Show a progress bar, if standard error is a terminal.

    Returns
    -------
    Contest
        After Ctrl-C, the games that were over: ``interrupted`` is True.

    Raises
    ------
    PlayerError
        If a player answers what is not legal or fails: it names the seat and the deal, and
        says what is legal.
    InputError
        If an argument is not valid.

    Notes
    -----
    Every seat plays each game with a copy of its player as it was given, so a player may
    remember what went before in the game, but not in another. Players run in this
    process and are trusted: a view holds nothing that they may not know, but nothing keeps
    a program from looking elsewhere.

    Examples
    --------
    >>> contest = play(["kings", "random"], deals=100, seed=1)
    >>> [(row["players"], row["net"] > 0) for row in contest.rows()]
    [('kings, kings', True), ('random, random', False)]
    """
    game = _playable(get_game(game))
    if games is not None and deals is not None:
        raise InputError("give either games or deals, not both")
    unit = GAMES if deals is None else DEALS
    number = games if deals is None else deals
    n = whole(unit, DEFAULT_GAMES if number is None else number, 1, MOST)
    found = given(None, None, seed, workers)
    most = MAX_ROUNDS if rounds == "until-cut" else whole("rounds", rounds, 0, MAX_ROUNDS)
    seated = _seated(players, game)
    setup = _Setup(
        game,
        seated,
        tuple(map(_name, seated)),
        unit,
        _score(game, score),
        found.seed,
        most,
        records,
    )
    blocks = -(-n // UNITS_PER_BLOCK)
    with (
        progress_bar(unit) if progress else _nothing() as watch,
        _crew(setup, min(found.workers, blocks)) as crew,
    ):
        total = run(setup.block, UNITS_PER_BLOCK, Goal(n), crew, watch=watch)
    if total.sums is None:
        raise KeyboardInterrupt
    return setup.contest(total.sums, total.interrupted)


@contextmanager
def _nothing() -> Iterator[Watcher | None]:
    yield None


def _playable(game: Game) -> Game:
    if game.cards_dealt != CARDS:
        raise GameError(f"{game.name}: games of four cards are played here")
    if any(kind.stands_for for kind in game.deck.kinds):
        raise GameError(f"{game.name}: games with jokers are not played here, simulate has them")
    if game.one_suit is not None:
        raise GameError(f"{game.name}: play mus-real or mus-real-oros, in which suits matter less")
    return game


def _seated(players: Sequence[PlayerLike], game: Game) -> tuple[Player, ...]:
    given = [players] if isinstance(players, str | Path) else list(players)
    if len(given) not in (game.sides, game.seats):
        numbers = dict.fromkeys((game.sides, game.seats))
        raise InputError(
            f"{len(given)} players for {game.name}: give {' or '.join(map(str, numbers))}"
            + (", one a side or one a seat" if len(numbers) > 1 else ", one a seat")
        )
    found = [player_of(one, game) for one in given]
    return tuple(found[seat % len(found)] for seat in range(game.seats))


def player_of(given: PlayerLike, game: Game) -> Player:
    """The player that a name, a file, a policy, a strategy or an object stands for.

    Raises
    ------
    InputError
        If it stands for none, or for one of another game.

    Examples
    --------
    >>> player_of("kings", get_game("mus")).name
    'kings'
    """
    if isinstance(given, str) and given.strip().lower() == RANDOM:
        return RandomPlayer()
    if isinstance(given, str | Path) and is_file(given):
        with Path(given).open("rb") as file:
            solved = file.read(len(MAGIC)) == MAGIC
        given = read_played(given) if solved else read_policy(given, game)
    if isinstance(given, Betting | EachSolution):
        of = given.spec.game if isinstance(given, Betting) else given.game
        if of.name != game.name:
            raise InputError(f"the strategy is one of {of.name}, not of {game.name}")
        return SolvedPlayer(given) if isinstance(given, Betting) else EachPlayer(given)
    if isinstance(given, str | Path | Policy):
        return PolicyPlayer(get_policy(given, game))
    missing = [name for name in ASKED if not callable(getattr(given, name, None))]
    if missing or isinstance(given, type):
        raise InputError(
            f"{given!r} is no player: give an object with say(view), throw(view) and speak(view)"
            + (f"; it has no {' and no '.join(missing)}" if missing else ", not its class")
        )
    return given


def _name(player: Player) -> str:
    name = getattr(player, "name", None)
    return name if isinstance(name, str) and name else type(player).__name__


def _score(game: Game, score: str | Sequence[int] | None) -> tuple[int, ...]:
    size = game.sides if game.stones is None else game.seats
    if score is None:
        return (0 if game.stones is None else game.stones[0],) * size
    if isinstance(score, str):
        score = [int(part) if part.isdecimal() else -1 for part in score.split("-")]
    found = tuple(score)
    most = game.target - 1 if game.stones is None else max(game.stones)
    if len(found) != size or not all(isinstance(s, int) and 0 <= s <= most for s in found):
        raise InputError(f"score {score!r}: {size} whole numbers from 0 to {most}")
    if game.stones is not None and sum(map(bool, found)) < 2:
        raise InputError(f"score {score!r}: two players or more must have stones")
    return found


Outcome = tuple[tuple[bool, ...], tuple[int, ...], int, str]


@dataclass(frozen=True)
class _Setup:
    """All that a game depends on but its number."""

    game: Game
    players: tuple[Player, ...]
    names: tuple[str, ...]
    unit: str
    score: tuple[int, ...]
    seed: int
    rounds: int
    records: bool

    def block(self, first: int, units: int) -> list[list[Outcome]]:
        """Consecutive blocks of games or deals, from the first block on."""
        begin = first * UNITS_PER_BLOCK
        return [
            [self._unit(k) for k in range(at, min(at + UNITS_PER_BLOCK, begin + units))]
            for at in range(begin, begin + units, UNITS_PER_BLOCK)
        ]

    def _unit(self, number: int) -> Outcome:
        players = [copy.deepcopy(player) for player in self.players]
        setting, begins = self._setting(number), self.score
        records: list[str] = []
        dealt = 0
        while True:
            dealt += 1
            deal = self._deal(setting, players, number, dealt)
            if self.records:
                records.append(self._written(setting, deal, number, dealt))
            end = _end(deal)
            if self.unit == DEALS or end is not None:
                break
            setting = setting.following(deal)
        stones = deal.score if isinstance(deal, Deal) else deal.stones
        if self.unit == DEALS:
            stones = tuple(now - then for now, then in zip(stones, begins, strict=True))
        won = tuple(side == end for side in range(self.game.sides))
        return won, stones, dealt, "---\n".join(records)

    def _setting(self, number: int) -> Setting:
        first = number % self.game.seats
        if self.game.stones is not None:
            seats = self.game.seats
            first = next(p % seats for p in range(first, first + seats) if self.score[p % seats])
            return Setting(self.game, default_names(self.game), self.names, first, None, self.score)
        match = Match(self.game, score=self.score)
        return Setting(self.game, default_names(self.game), self.names, first, match)

    def _deal(
        self, setting: Setting, players: Sequence[Player], number: int, dealt: int
    ) -> AnyDeal:
        key = f"{self.seed}/{number}/{dealt}"
        pack = Pack(self.game, random.Random(f"cards/{key}"))
        seats = [(setting.first + step) % self.game.seats for step in range(self.game.seats)]
        out = [bool(setting.stones) and not setting.stones[player] for player in seats]
        held = [None if gone else pack.deal() for gone in out]
        begun = setting.start(held, True, ())
        before = [SHOWN] * any(may_show(begun, seat) for seat in begun.playing)
        before += [VISTO] * self.game.visto
        if before:
            begun = setting.start(held, True, before)
        where = f"deal {number + 1}" if self.unit == DEALS else f"game {number + 1}, deal {dealt}"
        table = Table(
            [players[seat] for seat in seats], [self.names[seat] for seat in seats],
            pack, where, f"chance/{key}", self.rounds,
        )  # fmt: skip
        return table.play(begun)

    def _written(self, setting: Setting, deal: AnyDeal, number: int, dealt: int) -> str:
        """The deal as a record; who sits where goes on from the first deal of a game."""
        lines = write_record(deal, setting.names).splitlines(keepends=True)
        if isinstance(deal, Deal):
            lines.insert(1, f"match: {number + 1}\n")
        return "".join(lines)

    def contest(self, found: Sequence[Outcome], interrupted: bool) -> Contest:
        won, stones, dealt, records = zip(*found, strict=True)
        return Contest(
            self.game, self.names, self.unit, self.seed, np.array(won, dtype=np.bool_),
            np.array(stones, dtype=np.int64), np.array(dealt, dtype=np.int64),
            tuple(records) if self.records else (), interrupted,
        )  # fmt: skip


def _end(deal: AnyDeal) -> int | None:
    """Who won the game, or in Encaje lost it, with this deal."""
    return deal.winner if isinstance(deal, Deal) else deal.loser


class _Processes:
    """Workers in other processes: players are Python."""

    blocks_per_task = 1

    def __init__(self, pool: ProcessPoolExecutor, width: int) -> None:
        self.width = width
        self._pool = pool

    def submit(self, play: Play, first: int, deals: int) -> Future:
        return _Asked(self._pool.submit(play, first, deals))


@dataclass(frozen=True)
class _Asked:
    """A task of another process."""

    future: Any

    def result(self) -> Any:
        try:
            return self.future.result()
        except BrokenProcessPool:
            raise PlayerError(f"the players cannot be made in other processes: {_ALONE}") from None


_ALONE = "define their classes in a module that can be imported, or play with workers=1"


@contextmanager
def _crew(setup: _Setup, workers: int) -> Iterator[Workers | int]:
    if workers == 1:
        yield 1
        return
    try:
        dumps(setup)
    except (PicklingError, AttributeError, TypeError) as error:
        raise PlayerError(f"the players cannot go to other processes ({error}): {_ALONE}") from None
    pool = ProcessPoolExecutor(workers, get_context("spawn"))
    try:
        yield _Processes(pool, workers)
    finally:
        pool.shutdown(cancel_futures=True)
