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

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

import numpy as np

from musodds.errors import InputError
from musodds.players.contest import DEALS, GAMES, Contest
from musodds.players.pack import Pack
from musodds.players.processes import processes
from musodds.players.seated import PlayerLike, copies, name_of, playable, seated
from musodds.players.table import Player, Table, may_show
from musodds.playing.deal import SHOWN, VISTO
from musodds.playing.match import Match
from musodds.playing.mus_deal import Deal
from musodds.playing.setting import AnyDeal, Setting, default_names
from musodds.playing.written import write_record
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.simulation.given import MAX_ROUNDS, given, short, whole
from musodds.simulation.progress import progress_bar
from musodds.simulation.runner import Goal, run
from musodds.store.notices import Watcher

DEFAULT_GAMES = 100
MOST = 10_000_000
UNITS_PER_BLOCK = 4

_DIGITS = 9


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
    game = playable(get_game(game))
    if games is not None and deals is not None:
        raise InputError("give either games or deals, not both")
    unit = GAMES if deals is None else DEALS
    number = games if deals is None else deals
    n = whole(unit, DEFAULT_GAMES if number is None else number, 1, MOST)
    found = given(None, None, seed, workers)
    most = MAX_ROUNDS if rounds == "until-cut" else whole("rounds", rounds, 0, MAX_ROUNDS)
    players = seated(players, game)
    setup = _Setup(
        game,
        players,
        tuple(map(name_of, players)),
        unit,
        _score(game, score),
        found.seed,
        most,
        records,
    )
    blocks = -(-n // UNITS_PER_BLOCK)
    with (
        progress_bar(unit) if progress else _nothing() as watch,
        processes(setup, min(found.workers, blocks)) as crew,
    ):
        total = run(setup.block, UNITS_PER_BLOCK, Goal(n), crew, watch=watch)
    if total.sums is None:
        raise KeyboardInterrupt
    return setup.contest(total.sums, total.interrupted)


@contextmanager
def _nothing() -> Iterator[Watcher | None]:
    yield None


def _score(game: Game, score: str | Sequence[int] | None) -> tuple[int, ...]:
    size = game.sides if game.stones is None else game.seats
    if score is None:
        return (0 if game.stones is None else game.stones[0],) * size
    most = game.target - 1 if game.stones is None else max(game.stones)
    found = _numbers(score, size)
    if len(found) != size or not all(0 <= stones <= most for stones in found):
        raise InputError(f"score {short(score)}: {size} whole numbers from 0 to {most}")
    if game.stones is not None and sum(map(bool, found)) < 2:
        raise InputError(f"score {short(score)}: two players or more must have stones")
    return found


def _numbers(score: object, size: int) -> tuple[int, ...]:
    """The whole numbers of a score; none if it is something else."""
    if isinstance(score, str):
        parts = score.split("-")
        score = [int(part) for part in parts if part.isdecimal() and len(part) < _DIGITS]
        return tuple(score) if len(score) == len(parts) else ()
    if not isinstance(score, Iterable) or isinstance(score, bytes | Mapping | Set):
        return ()
    found = list(islice(score, size + 1))
    if not all(isinstance(one, int | np.integer) and not isinstance(one, bool) for one in found):
        return ()
    return tuple(map(int, found))


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
        players = copies(self.players, self.names)
        setting, begins = self._setting(number), self.score
        records: list[str] = []
        dealt = 0
        while True:
            dealt += 1
            deal = self._deal(setting, players, number, dealt)
            if self.records:
                records.append(self._written(setting, deal, number))
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

    def _written(self, setting: Setting, deal: AnyDeal, number: int) -> str:
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
