"""The count after the betting: who takes what, in which order, and where it ends.

A phase that is over has an :class:`Ending`; the hands turn an ending into
:class:`Award` s; awards are added to the score one by one until a side has reached
the game's target. The rules are those of RULES section 1, *Betting* and *Score*.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from musodds.errors import CardError
from musodds.rules.game import Game
from musodds.rules.hands import hands

PASSED = "passed"
SEEN = "seen"
REFUSED = "refused"
UNOPPOSED = "unopposed"
VOID = "void"

PASSED_STONES = 1
"""Stones for grande, chica and punto when all pass, and for punto after any bet."""

DEJE = 1
"""Stones for a first bet that is refused."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How the betting in a phase ended.

    Parameters
    ----------
    phase : str
    how : str
        ``passed``: nobody bet. ``seen``: a bet was seen. ``refused``: a bet, raise or
        órdago was not wanted. ``unopposed``: one side alone has pares (juego), no
        betting. ``void``: nobody has pares.
    stones : int
        Stones agreed (seen), or taken at once (refused); 0 otherwise.
    side : int or None
        The side that took the phase by refusal.
    """

    phase: str
    how: str
    stones: int = 0
    side: int | None = None


@dataclass(frozen=True, slots=True)
class Award:
    """Stones that a side scores, and why.

    Parameters
    ----------
    phase : str
    side : int
    stones : int
    why : str
        ``deje``: the other side refused, scored at once. ``bet``: the stones agreed.
        ``best``: the best hand, for grande and chica that all passed and for punto.
        ``pares``, ``juego``: what one hand of the side adds. ``órdago``: the game,
        and no stones.
    seat : int
        The seat whose hand it is for; 0 for a refusal.
    """

    phase: str
    side: int
    stones: int
    why: str
    seat: int = 0


def best_seat(levels: Mapping[int, int]) -> int:
    """The seat of the highest level; of equals, the first from mano.

    Examples
    --------
    >>> best_seat({1: 3, 2: 8, 3: 8})
    2
    """
    return min(levels, key=lambda seat: (-levels[seat], seat))


def worst_seat(levels: Mapping[int, int]) -> int:
    """The seat of the lowest level; of equals, the last from mano.

    Examples
    --------
    >>> worst_seat({1: 3, 2: 8, 3: 3})
    3
    """
    return min(levels, key=lambda seat: (levels[seat], -seat))


def levels_in(game: Game, classes: Sequence[int], phase: str) -> dict[int, int]:
    """The level of each seat's hand in a phase, for the seats that take part in it.

    Parameters
    ----------
    game : Game
    classes : sequence of int
        The hand class of each seat, from mano on.
    phase : str

    Raises
    ------
    CardError
        If a hand holds a joker: what it is named depends on what was bet.
    """
    known = hands(game)
    for index in classes:
        if len(known.namings(index)) > 1:
            raise CardError(
                f"{known.texts[index]} holds a joker: write the hand as it was named at the "
                f"showdown, such as {known.named.texts[known.namings(index)[0]]}"
            )
    level = known.level[phase]
    every = {seat: int(level[index]) for seat, index in enumerate(classes, start=1)}
    return {seat: found for seat, found in every.items() if found}


def awards_of(
    game: Game, classes: Sequence[int], ending: Ending, mano_side: int = 0
) -> tuple[Award, ...]:
    """What the showdown adds for one phase, in the order it is counted.

    Parameters
    ----------
    game : Game
    classes : sequence of int
        The hand class of each seat, from mano on.
    ending : Ending
    mano_side : int
        The number of mano's side.

    Examples
    --------
    Mano's side takes pares with duples and a par, after a bet of 4 seen.

    >>> from musodds.rules.games import get_game
    >>> game = get_game("mus")
    >>> classes = [hands(game).index(h) for h in ("772A", "33S2", "RRSA", "CCC6")]
    >>> [award.stones for award in awards_of(game, classes, Ending("pares", SEEN, 4))]
    [4, 3, 1]
    """
    levels = levels_in(game, classes, ending.phase)
    if ending.how == VOID or not levels:
        return ()

    def side_of(seat: int) -> int:
        return (game.side(seat) + mano_side) % game.sides

    winner = best_seat(levels)
    side = side_of(winner)
    if ending.side is not None:
        side = ending.side
        winner = best_seat({s: level for s, level in levels.items() if side_of(s) == side})
    awards = []
    if ending.how == SEEN:
        awards.append(Award(ending.phase, side, ending.stones, "bet", winner))
    values = hands(game).stones.get(ending.phase)
    if values is not None:
        awards += [
            Award(ending.phase, side, int(values[classes[seat - 1]]), ending.phase, seat)
            for seat in levels
            if side_of(seat) == side
        ]
    elif ending.how == PASSED or ending.phase == "punto":
        awards.append(Award(ending.phase, side, PASSED_STONES, "best", winner))
    return tuple(awards)


def count_awards(
    score: Sequence[int], awards: Iterable[Award], target: int
) -> tuple[tuple[int, ...], tuple[Award, ...], int | None]:
    """Add awards to the score in order, until a side reaches the target.

    Returns
    -------
    score : tuple of int
    counted : tuple of Award
        Those that were scored; none follows the one that reached the target.
    winner : int or None
        The side that reached the target.

    Examples
    --------
    Both sides would reach 40; chica is counted before juego.

    >>> awards = [Award("chica", 1, 1, "best", 2), Award("juego", 0, 3, "juego", 1)]
    >>> count_awards((38, 39), awards, 40)[::2]
    ((38, 40), 1)
    """
    stones = list(score)
    counted = []
    for award in awards:
        stones[award.side] += award.stones
        counted.append(award)
        if stones[award.side] >= target:
            return tuple(stones), tuple(counted), award.side
    return tuple(stones), tuple(counted), None
