"""The policies that come with the package as files, or are computed: solo and best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.games import GAMES, get_game, usual
from musodds.rules.hands import hands
from musodds.simulation.policies import Policy, PolicyError, parse_policy, read_policy
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
    return _shipped("solo", game) or count_solo(game)


def count_solo(game: Game) -> Policy:
    """The solo policy, counted: see :mod:`musodds.exact.draws.solo`."""
    from musodds.exact.draws.solo import solo

    counted = solo(game)
    keep = counted.keeps.keep[counted.best()].astype(np.int8)
    # Who may keep all four cards, in mus visto, cuts with them afterwards.
    return Policy("solo", game, keep, keep.sum(axis=2) == CARDS)


def best_policy(game: Game) -> Policy:
    """The solved policy of a game: see :mod:`musodds.strategy.solve`.

    Raises
    ------
    PolicyError
        If the package has none for this game.
    """
    found = _shipped("best", game)
    if found is None:
        raise PolicyError(
            f"no best policy of {game.name} comes with musodds: make one with "
            f"'musodds policy solve --game {game.name} -o FILE' and give FILE"
        )
    return found


def _shipped(name: str, game: Game) -> Policy | None:
    file = DATA / "policies" / f"{game.name}-{name}.csv"
    if GAMES.get(game.name) != usual(game) or not file.is_file():
        return None
    return parse_policy(file.read_text(encoding="utf-8"), game, name, f"{game.name}-{name}.csv")


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
    "best": BuiltIn(
        "solved: best response to itself, cut where that beats a round of mus",
        best_policy,
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
