"""Who sits where: players made of names, files, policies, strategies and objects."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path

from musodds.errors import GameError, InputError
from musodds.players.answers import cause, failing, shown
from musodds.players.built_in import PolicyPlayer, RandomPlayer
from musodds.players.solved import EachPlayer, SolvedPlayer
from musodds.players.table import ASKED, Player
from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.simulation.named_policies import get_policy
from musodds.simulation.policies import Policy, read_policy
from musodds.solver.betting import Betting
from musodds.solver.container import MAGIC
from musodds.solver.each_solution import EachSolution
from musodds.solver.strategy_file import read_played
from musodds.store.files import is_file

RANDOM = "random"

_LONGEST = 40
"""Letters of a player's name."""

PlayerLike = str | Path | Policy | Betting | EachSolution | Player


def playable(game: Game) -> Game:
    """The game, if whole games of it are played.

    Raises
    ------
    GameError
        If they are not.
    """
    if game.cards_dealt != CARDS:
        raise GameError(f"{game.name}: games of four cards are played here")
    if any(kind.stands_for for kind in game.deck.kinds):
        raise GameError(f"{game.name}: games with jokers are not played here, simulate has them")
    if game.one_suit is not None:
        raise GameError(f"{game.name}: play mus-real or mus-real-oros, in which suits matter less")
    return game


def seated(players: Sequence[PlayerLike], game: Game) -> tuple[Player, ...]:
    """A player for each seat, given one a side or one a seat.

    Raises
    ------
    InputError
        If there are more or fewer, or one of them is no player.
    """
    given = _listed(players, game.seats + 1)
    if len(given) not in (game.sides, game.seats):
        numbers = dict.fromkeys((game.sides, game.seats))
        many = f"{len(given)}" if len(given) <= game.seats else f"more than {game.seats}"
        raise InputError(
            f"{many} players for {game.name}: give {' or '.join(map(str, numbers))}"
            + (", one a side or one a seat" if len(numbers) > 1 else ", one a seat")
        )
    found = [player_of(one, game) for one in given]
    return tuple(found[seat % len(found)] for seat in range(game.seats))


def _listed(players: object, most: int) -> list[PlayerLike]:
    if isinstance(players, str | Path):
        return [players]
    # In a set nobody sits anywhere.
    unordered = isinstance(players, bytes | Mapping | set | frozenset)
    if unordered or not isinstance(players, Iterable):
        raise InputError(f"players {shown(players)}: a list of them, one a side or one a seat")
    try:
        return list(islice(players, most))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise InputError(
            f"players {shown(players)}: a list of them, one a side or one a seat; going through "
            f"it raised {cause(error)}"
        ) from error


def player_of(given: PlayerLike, game: Game) -> Player:
    """The player that a name, a file, a policy, a strategy or an object stands for.

    Raises
    ------
    InputError
        If it stands for none, or for one of another game.

    Examples
    --------
    >>> from musodds.rules.games import get_game
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
    missing = [name for name in ASKED if not _can(given, name)]
    if missing or isinstance(given, type):
        raise InputError(
            f"{shown(given)} is no player: give an object with say(view), throw(view) and "
            "speak(view)"
            + (f"; it has no {' and no '.join(missing)}" if missing else ", not its class")
        )
    return given


def _can(player: object, what: str) -> bool:
    try:
        return callable(getattr(player, what, None))
    except KeyboardInterrupt:
        raise
    except BaseException:
        return False


def name_of(player: Player) -> str:
    """What a player is called in messages and results: its name, else that of its class."""
    try:
        name = getattr(player, "name", None)
    except KeyboardInterrupt:
        raise
    except BaseException:
        name = None
    words = " ".join(str.__str__(name).split()) if isinstance(name, str) else ""
    return words[:_LONGEST] or type(player).__name__


def copies(players: Sequence[Player], names: Sequence[str]) -> list[Player]:
    """A copy of each as it was given: nobody remembers another game.

    Raises
    ------
    PlayerError
        If one of them cannot be copied.
    """
    found = []
    for place, (player, name) in enumerate(zip(players, names, strict=True), start=1):
        with failing(
            f"{name}, player {place} of {len(players)}, cannot be copied, and every game needs a "
            "copy: copy.deepcopy"
        ):
            found.append(copy.deepcopy(player))
    return found
