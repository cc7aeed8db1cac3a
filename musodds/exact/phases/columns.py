"""The columns of an odds table, and what each is a share of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from musodds.rules.game import Game

COLUMNS = (
    "win",
    "lose",
    "void",
    "best",
    "contested",
    "win_contested",
    "stones_for",
    "stones_against",
)
"""Columns of an odds table: win + lose + void = 1; see the README for their meaning."""

WORST_COLUMNS = ("worst", "worst_contested")
"""Columns more where a pot goes to the worst hand (Encaje)."""

GIVEN_CONTESTED = frozenset({"win_contested", "worst_contested"})


def columns_of(game: Game) -> tuple[str, ...]:
    """The columns of a game's odds.

    With more than two sides, `lose` means that one of the others takes the phase, and
    `stones_against` is what another side gets on average. In Encaje stones are thrown
    rather than collected, and `worst` is the chance to be the one who would get the
    pot: of those who take part in the phase the lowest, of equals the last from mano.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> columns_of(get_game("encaje3"))[-2:]
    ('worst', 'worst_contested')
    """
    return COLUMNS + (WORST_COLUMNS if game.stones is not None else ())


def denominators(game: Game, deals: int, counts: Sequence[int]) -> list[int]:
    """What each column's count is a share of: all deals, or the contested ones."""
    contested = counts[COLUMNS.index("contested")]
    special = dict.fromkeys(GIVEN_CONTESTED, contested)
    special["stones_against"] = deals * (game.sides - 1)
    return [special.get(column, deals) for column in columns_of(game)]


def net_stones(game: Game, deals: int, counts: NDArray[Any]) -> float:
    """`stones_for` − `stones_against` of one seat, over all phases."""
    mine, theirs = (
        sum(counts[:, COLUMNS.index(column)].tolist())
        for column in ("stones_for", "stones_against")
    )
    others = game.sides - 1
    net: float = (mine * others - theirs) / (deals * others)
    return net
