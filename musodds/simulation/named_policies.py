"""The policies that have a name: computed, or solved and shipped as files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from musodds.errors import GameError
from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.games import GAMES, get_game, usual
from musodds.rules.hands import hands
from musodds.simulation.policies import (
    Policy,
    PolicyError,
    comments,
    parse_policy,
    policy_text,
    read_policy,
)
from musodds.store.files import is_file
from musodds.store.numbers import DATA


def solo_policy(game: Game) -> Policy:
    """The keep with the highest net en paso when its player alone draws; always says mus.

    From a file where the package has one, otherwise counted (a few seconds).

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> solo_policy(get_game("mus")).keep_text(1, "RR7A")
    'RR'
    """
    return shipped("solo", game) or count_solo(game)


def count_solo(game: Game) -> Policy:
    """The solo policy, counted: see :mod:`musodds.exact.draws.solo`."""
    from musodds.exact.draws.solo import solo

    counted = solo(game)
    keep = counted.keeps.keep[counted.best()].astype(np.int8)
    # Who may keep all four cards, in mus visto, cuts with them afterwards.
    return Policy("solo", game, keep, keep.sum(axis=2) == CARDS)


BEST_LEVEL = 1
"""The level of thought that ``best`` is."""

NO_LEVELS = (
    "there all change cards once and nobody is asked, and mus comes after it; a policy holds one "
    "keep a hand, so that it can be solved for the change or for mus, not for both"
)
"""Why mus visto has no levels."""


def level_policy(game: Game, level: int) -> Policy:
    """A level of thought that comes with the package: see :mod:`musodds.strategy.solve`.

    Raises
    ------
    PolicyError
        If the package has none for this game.
    """
    return _solved(game, f"level-{level}", f"--level {level} ")


def best_policy(game: Game) -> Policy:
    """The solved policy of a game: level 1, and in mus visto that of the change of cards.

    Raises
    ------
    PolicyError
        If the package has none for this game.
    """
    return _solved(game, "best")


def _solved(game: Game, name: str, option: str = "") -> Policy:
    if game.visto and name != "best":
        raise PolicyError(f"{game.name} has no {name}: {NO_LEVELS}; best is its policy")
    found = shipped(name, game)
    if found is None:
        raise PolicyError(
            f"no {name} policy of {game.name} comes with musodds: make one with "
            f"'musodds policy solve --game {game.name} {option}-o FILE' and give FILE"
        )
    return found


def default_policy(game: Game) -> Policy:
    """What players are taken to do if nothing is said: best, or kings where none is solved.

    Where five cards are dealt there is no mus, so that it is none.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> [default_policy(get_game(name)).name for name in ("mus", "mus4", "mus2p")]
    ['best', 'best', 'kings']
    """
    if game.cards_dealt > CARDS:
        return none_policy(game)
    return shipped("best", game) or kings_policy(game)


def never_cut_policy(game: Game) -> Policy:
    """The keeps of the default policy, with mus said always.

    A hand that throws nothing throws its last card; in mus visto it keeps all, and cuts
    afterwards.
    """
    policy = default_policy(game)
    keep = policy.keep.copy()
    full = keep.sum(axis=2) == CARDS
    if not game.visto:
        last = keep.shape[2] - 1 - np.argmax(keep[:, :, ::-1] > 0, axis=2)
        for seat, index in np.argwhere(full):
            keep[seat, index, last[seat, index]] -= 1
    return Policy("never-cut", game, keep, full & game.visto)


def shipped(name: str, game: Game) -> Policy | None:
    """The policy of that name that comes with the package; None if it has none."""
    file = _file(name, game)
    if file is None:
        return None
    return _parsed(file.read_text(encoding="utf-8"), game, name, file.name)


@lru_cache(maxsize=8)
def _parsed(text: str, game: Game, name: str, source: str) -> Policy:
    return parse_policy(text, game, name, source)


def notes(policy: str | Path, game: Game) -> tuple[str, ...]:
    """What was measured of a policy: the comments of the file that it comes from."""
    name = str(policy).strip().lower()
    if name in BUILT_IN:
        file = _file(name, game)
        return () if file is None else comments(file.read_text(encoding="utf-8"))
    return comments(policy_text(Path(policy)))


def _file(name: str, game: Game) -> Path | None:
    if GAMES.get(game.name) != usual(game):
        return None
    told = (f"level-{BEST_LEVEL}", name) if name == "best" else (name,)
    files = (DATA / "policies" / f"{game.name}-{one}.csv" for one in told)
    return next((file for file in files if file.is_file()), None)


def none_policy(game: Game) -> Policy:
    """Nobody discards: every hand cuts."""
    counts = hands(game).counts.astype(np.int8)
    return _everywhere("none", game, counts, np.ones(len(counts), dtype=np.bool_))


def kings_policy(game: Game) -> Policy:
    """Keep every card of the highest rank, throw the rest, always say mus.

    A hand of four such cards throws one of them; in mus visto it keeps them all, and cuts
    afterwards.
    """
    ranks = np.array([kind.rank for kind in game.deck.kinds])
    counts = hands(game).counts
    keep = np.where(ranks == ranks.max(), counts, 0)
    full = keep.sum(axis=1) == CARDS
    if not game.visto:
        # The lowest kind goes, should the highest rank be of several kinds.
        last = keep.shape[1] - 1 - np.argmax(keep[:, ::-1] > 0, axis=1)
        keep[full, last[full]] -= 1
    return _everywhere("kings", game, keep.astype(np.int8), full & game.visto)


def _everywhere(name: str, game: Game, keep: NDArray[np.int8], cut: NDArray[np.bool_]) -> Policy:
    return Policy(
        name, game, np.repeat(keep[None], game.seats, axis=0), np.repeat(cut[None], game.seats, 0)
    )


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A policy that has a name: what it does, and the function of a game that makes it."""

    summary: str
    make: Callable[[Game], Policy]


BUILT_IN: dict[str, BuiltIn] = {
    "none": BuiltIn("nobody discards: everybody cuts", none_policy),
    "kings": BuiltIn(
        "keep every king, throw the rest (one of four kings, save in mus visto), always say mus",
        kings_policy,
    ),
    "solo": BuiltIn(
        "the keep that is worth most when you alone draw, always say mus",
        solo_policy,
    ),
    "level-0": BuiltIn(
        "solved: always say mus, and the best keeps among players who do",
        partial(level_policy, level=0),
    ),
    "level-1": BuiltIn(
        "solved: one step of thought. Cut where the cards as dealt bring more than a round of "
        "mus among players of level-0; the best keeps where all of level-1 say mus",
        partial(level_policy, level=1),
    ),
    "level-2": BuiltIn(
        "solved: two steps. Cut where that gains among players of level-1; the best keeps where "
        "all of level-2 say mus, which they seldom do",
        partial(level_policy, level=2),
    ),
    "best": BuiltIn(
        "level-1: what pays among players who think one step less. No policy with mus is a best "
        "response to itself: mus needs everybody's consent, and what one side gains by it the "
        "other loses, so where all think to the end everybody cuts. In mus-visto, "
        "which has no levels, the best keeps for the change that nobody is asked about: a policy "
        "holds one keep a hand, so none is left for the mus that comes after it",
        best_policy,
    ),
    "never-cut": BuiltIn(
        "the keeps of best (of kings where nothing is solved), always say mus", never_cut_policy
    ),
}


def get_policy(policy: str | Path | Policy, game: str | Game = "mus") -> Policy:
    """The policy of that name, or the one in that CSV file.

    Parameters
    ----------
    policy : str, Path or Policy
        A name of :data:`BUILT_IN`, the path of a file, or a policy, which is returned
        as it is.
    game : str or Game

    Raises
    ------
    PolicyError
        If there is no such policy or file, the file is not valid, or the policy is one
        of another game.

    Examples
    --------
    >>> get_policy("none").says_mus(1, "RR7A")
    False
    """
    game = get_game(game)
    if isinstance(policy, Policy):
        if usual(policy.game) != usual(game):
            raise PolicyError(
                f"policy {policy.name} is one of {policy.game.name}, not of {game.name}"
            )
        return policy
    found = BUILT_IN.get(str(policy).strip().lower())
    if found is None:
        if not is_file(policy):
            raise PolicyError(
                f"no policy {str(policy)!r}: policies are {', '.join(BUILT_IN)}, "
                "or a CSV file with the columns hand, seat, keep, say"
            )
        return read_policy(policy, game)
    return found.make(game)


def against(policy: Policy, others: Mapping[str | int, Policy], seat: int) -> Policy:
    """A policy in which some of the others, seen from a seat, do something of their own.

    Parameters
    ----------
    policy : Policy
        What all do who are not named.
    others : mapping of str or int to Policy
        By ``partner``, ``next``, ``previous``, ``rivals`` or a seat; the last word counts.
    seat : int
        Whose others they are; what is said of this seat itself counts for nothing.

    Raises
    ------
    GameError
        If there is no such player.

    Examples
    --------
    >>> mixed = against(get_policy("none"), {"partner": get_policy("kings")}, 1)
    >>> [mixed.says_mus(seat, "RRRR") for seat in (1, 2, 3, 4)]
    [False, False, True, False]
    """
    if not others:
        return policy
    game, each = policy.game, [policy] * policy.game.seats
    for who, one in others.items():
        for other in _seats_of(game, who, seat):
            if other != seat:
                each[other - 1] = one
    return replace(per_seat(each, game), name=policy.name)


def check_others(game: Game, others: Iterable[str | int], seat: int) -> None:
    """Raise :class:`GameError` if the seat that asks is named among the others."""
    for who in others:
        if _seats_of(game, who, seat) == (seat,):
            raise GameError(f"others {who}: seat {seat} is the one that asks; name another")


def _seats_of(game: Game, who: str | int, seat: int) -> tuple[int, ...]:
    after = {
        "partner": game.partners(seat),
        "next": (seat % game.seats + 1,),
        "previous": ((seat - 2) % game.seats + 1,),
        "rivals": game.rivals(seat),
    }
    found = after.get(str(who).strip().lower())
    if found == ():
        raise GameError(f"nobody has a partner in {game.name}: say next, previous or a seat")
    try:
        return found or (game.parse_seat(who),)
    except GameError:
        raise GameError(
            f"no player {who!r} in {game.name}: say partner, next, previous, rivals or a seat "
            f"from 1 to {game.seats}"
        ) from None


def per_seat(policies: Sequence[Policy], game: Game | None = None) -> Policy:
    """One policy in which each seat plays its own: the first is mano's.

    The game is that of the policies, if none is given.

    Raises
    ------
    PolicyError
        If there is not one policy for every seat, or they are of several games.

    Examples
    --------
    >>> mixed = per_seat([get_policy("none"), *[get_policy("kings")] * 3])
    >>> mixed.name, mixed.says_mus(1, "RRRR"), mixed.says_mus(2, "RRRR")
    ('none,kings,kings,kings', False, True)
    """
    game = game or (policies[0].game if policies else get_game())
    if len(policies) != game.seats or any(usual(policy.game) != usual(game) for policy in policies):
        raise PolicyError(
            f"{len(policies)} policies for {game.name}: one of this game for each of its "
            f"{game.seats} seats is needed"
        )
    names = [policy.name for policy in policies]
    return Policy(
        names[0] if len(set(names)) == 1 else ",".join(names),
        game,
        np.stack([policy.keep[seat] for seat, policy in enumerate(policies)]),
        np.stack([policy.cut[seat] for seat, policy in enumerate(policies)]),
    )
