"""The kinds of equity: what is assumed of every deal to come.

========== ============================================================================
``paso``    nobody bets; the yardstick
``bets-2``  a bet of 2 is seen in every phase that both sides may bet in
``bets-5``  the same with 5: a table that always bets
``solved``  both sides bet well: every deal is the solved deal, from the end backward
========== ============================================================================

The first three are counted exactly. ``solved`` comes with the package for some games; how
it is made is told in :mod:`musodds.solver.score_batch`, which makes it of others too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from musodds.errors import GameError, InputError
from musodds.exact.outcomes.deal_stones import counted_stones
from musodds.exact.scope import check_together, is_so
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.stakes.deal_stones import deal_stones
from musodds.stakes.equity import MANOS, PASO, SOLVED, Equity, backward, exact_equity
from musodds.stakes.equity_solved import has_solved, solved_equity
from musodds.stakes.scores import looks_like_score, read_score
from musodds.store.notices import Watcher

if TYPE_CHECKING:
    import pandas as pd

    from musodds.simulation.policies import Policy

_FIXED = {"bets-2": 2, "bets-5": 5}
KINDS = (PASO, *_FIXED, SOLVED)

WORDS = {
    PASO: "all deals to come en paso: nobody bets",
    "bets-2": "in all deals to come 2 is bet and seen in every phase",
    "bets-5": "in all deals to come 5 is bet and seen in every phase",
    SOLVED: "in all deals to come both sides bet well (2 or órdago)",
}
"""What each kind says of the deals to come."""


@overload
def equity(
    score: tuple[int, int], /, *, game: str | Game = "mus", mano: str = "us", **options: Any
) -> float: ...
@overload
def equity(
    game: str | Game = "mus",
    *,
    policy: str | Path | Policy = "none",
    rounds: int = 1,
    n: int | None = None,
    seed: int = 1,
    workers: int | None = 1,
    watch: Watcher | None = None,
    kind: str | None = None,
) -> Equity: ...
def equity(
    of: Any = None, /, *, game: str | Game = "mus", mano: str | None = None, **options: Any
) -> Equity | float:
    """The chance of winning the game from a score, or from every score.

    Parameters
    ----------
    of : tuple of int, str or Game, optional
        A score, our stones and theirs (also as text, ``"32-35"``); or a game: then, and
        without it, every score is meant.
    game : str or Game, optional
    mano : str, optional
        Of a score: ``us`` or ``them``, whose side is mano in the next deal; default us.
    policy, rounds, n, seed, workers, watch : optional
        As in :func:`musodds.stakes.deal_stones.deal_stones`.
    kind : str, optional
        ``paso``, ``bets-2``, ``bets-5`` or ``solved``: what is assumed of every deal to
        come; default the best that there is for the game. Deals that are simulated are
        played en paso.

    Returns
    -------
    float or Equity
        Our chance, from 0 to 1, if a score was given; else the chances from all scores.

    Raises
    ------
    InputError
        If there is no such score or side, the game has not two sides, or the policy, the
        number, the seed or the kind cannot be.

    Examples
    --------
    >>> round(equity("32-35", kind="paso"), 4), round(equity((32, 35), mano="them", kind="paso"), 4)
    (0.3047, 0.3004)
    """
    is_score = isinstance(of, Sequence) and (not isinstance(of, str) or looks_like_score(of))
    if of is not None and not is_score:
        game = of
    found = _all_scores(get_game(game), **options)
    if is_score:
        return found.chance(*read_score(of, found.game), mano or MANOS[0])
    if mano is not None:
        raise InputError(f"mano {mano!r}: give a score, such as (32, 35), to be mano at")
    return found


def _all_scores(
    game: Game,
    *,
    policy: str | Path | Policy = "none",
    rounds: int = 1,
    n: int | None = None,
    seed: int = 1,
    workers: int | None = 1,
    watch: Watcher | None = None,
    kind: str | None = None,
) -> Equity:
    if kind is not None and read_kind(kind) != PASO:
        if policy != "none" or n is not None:
            raise InputError(f"equity {kind}: deals that are simulated are played en paso")
        return equity_by(game, kind)
    if kind is None and policy == "none" and n is None and is_so(check_together, game):
        return equity_by(game)
    found = deal_stones(
        game, policy=policy, rounds=rounds, n=n, seed=seed, workers=workers, watch=watch
    )
    if found.method == "exact":
        return exact_equity(found.game)
    return backward(found)


def read_kind(text: str) -> str:
    """A kind by its name.

    Raises
    ------
    InputError
        If there is none.

    Examples
    --------
    >>> read_kind("Bets-2")
    'bets-2'
    """
    found = text.strip().lower()
    if found not in KINDS:
        raise InputError(f"equity {text!r}: {', '.join(KINDS[:-1])} or {KINDS[-1]}")
    return found


def kinds_of(game: Game) -> tuple[str, ...]:
    """The kinds that there are for a game."""
    if not is_so(check_together, game):
        return (PASO,)
    return KINDS if has_solved(game) else KINDS[:-1]


def best_kind(game: Game) -> str:
    """The kind that is taken if none is named: ``solved`` where it comes with the package.

    Examples
    --------
    >>> best_kind(get_game("mus")), best_kind(get_game("mus4"))
    ('solved', 'paso')
    """
    return SOLVED if has_solved(game) else PASO


def equity_by(game: str | Game = "mus", kind: str | None = None) -> Equity:
    """The equity of a kind.

    Parameters
    ----------
    game : str or Game, optional
    kind : str, optional
        Default :func:`best_kind`.

    Raises
    ------
    InputError
        If there is no such kind for the game.

    Examples
    --------
    From 0-20 a table that always bets leaves more to the side behind.

    >>> [round(equity_by("mus", kind).chance(0, 20), 3) for kind in ("paso", "bets-2", "bets-5")]
    [0.053, 0.089, 0.153]
    """
    game = get_game(game)
    if game.sides != 2:
        raise GameError(f"{game.name} has no score of two sides: equity is about games that have")
    return _equity(game, best_kind(game) if kind is None else read_kind(kind))


@lru_cache(maxsize=16)
def _equity(game: Game, kind: str) -> Equity:
    if kind == PASO:
        if is_so(check_together, game):
            return exact_equity(game)
        return backward(deal_stones(game))
    check_together(game)
    if kind == SOLVED:
        return solved_equity(game)
    return replace(backward(counted_stones(game, _FIXED[kind])), kind=kind)


def equity_table(
    game: str | Game = "mus",
    *,
    policy: str | Path | Policy = "none",
    rounds: int = 1,
    n: int | None = None,
    seed: int = 1,
    kind: str | None = None,
) -> pd.DataFrame:
    """The equity of all scores, for other programs.

    Parameters
    ----------
    game, policy, rounds, n, seed, kind : optional
        As :func:`equity` takes them.

    Returns
    -------
    DataFrame
        One row for each pair of scores and each mano: `ours`, `theirs` (stones, 0 to
        one below the target), `mano` (``us`` or ``them``: the side of mano in the next
        deal), `equity` (our chance of winning the game), `equity_se` (its standard
        error, only where it is simulated), `match` (our chance of winning the match, if
        this is its first game).

    Examples
    --------
    >>> frame = equity_table("mus")
    >>> len(frame), list(frame.columns)
    (3200, ['ours', 'theirs', 'mano', 'equity', 'match'])
    >>> grid = frame[frame.mano == "us"].pivot(index="ours", columns="theirs", values="equity")
    >>> grid.shape
    (40, 40)
    """
    return equity(game, policy=policy, rounds=rounds, n=n, seed=seed, kind=kind).to_frame()
