"""The numbers that come with the package, and how each of them is made again.

Every file below ``data/`` that is counted or simulated has a maker here, so that whoever
doubts a number, or changes a rule, makes it again: ``musodds publish package``. What is
counted comes out the same byte for byte; what is simulated has its seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatch
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import halves
from musodds.chances.odds_table import count_table
from musodds.errors import InputError
from musodds.exact.draws import throw_policy
from musodds.exact.outcomes import deal_stones
from musodds.exact.phases.named_columns import NAMINGS as NAMED
from musodds.exact.phases.named_columns import count_all_namings
from musodds.report.page_betting import betting_path, solve_page_betting
from musodds.report.page_data import count_keeps, page_keeps_path
from musodds.report.tables.throws import NUMBERS, Throws, exact_throws, keeps_path, tried_throws
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.simulation.named_policies import count_solo
from musodds.solver.score_run import solve_scores, to_npz
from musodds.stakes.equity_solved import solved_path
from musodds.store import numbers
from musodds.store.files import write_atomic
from musodds.strategy.solve import solve

Maker = Callable[[], bytes]

ODDS = (
    "encaje3", "encaje5", "mus", "mus-4567", "mus-real", "mus-real-4567", "mus-real-oros",
    "mus-real-oros-4567", "mus-ten-kings", "mus-real-ten-kings", "mus2p", "mus4", "mus4-4567",
    "mus4-real", "mus4-real-oros", "mus6p",
)  # fmt: skip
NAMINGS = ("mus-ten-kings", "mus-real-ten-kings")
DEALS = (
    "mus", "mus-4567", "mus-real", "mus-real-oros", "mus2p", "mus4", "mus4-real", "mus4-real-oros"
)  # fmt: skip
THROWS = ("encaje3-five-cards", "encaje5-five-cards")
KEEPS = ("mus", "mus4", "mus-real")
PAGES = ("mus", "mus4", "mus-real")
LEVELS = {"mus": 2, "mus4": 2, "mus-real": 2}
"""The highest level of thought of each game; each is solved from the one below it."""
CHANGES = ("mus-visto",)
SCORES = ("mus2p", "mus")
"""Games whose solved equity comes with the package."""
PAGES_WITH_BETTING = ("mus",)


def makers() -> dict[str, Maker]:
    """What makes each file: its path below ``data/`` -> a function that returns its content.

    Examples
    --------
    >>> [path for path in makers() if path.startswith("policies/mus-visto")]
    ['policies/mus-visto-best.csv']
    """
    return dict(_makers())


def make(only: str = "*", tell: Callable[[str], object] = print) -> list[str]:
    """Make files of the package again, and put them in their place.

    Parameters
    ----------
    only : str, optional
        A pattern of paths below ``data/``, such as ``odds/mus-*``.
    tell : callable, optional
        Is told every path when its file is written.

    Returns
    -------
    list of str
        The paths whose content is not what it was.

    Raises
    ------
    InputError
        If no path fits the pattern.
    """
    changed = []
    for path, maker in chosen(only).items():
        content, file = maker(), numbers.DATA / path
        if not file.is_file() or file.read_bytes() != content:
            changed.append(path)
            file.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(file, content)
        tell(path)
    return changed


def check(only: str = "*", tell: Callable[[str], object] = print) -> list[str]:
    """Make files again and compare them; return the paths that differ."""
    different = []
    for path, maker in chosen(only).items():
        file = numbers.DATA / path
        if not file.is_file() or file.read_bytes() != maker():
            different.append(path)
        tell(path)
    return different


def chosen(only: str) -> dict[str, Maker]:
    """The makers whose paths fit a pattern."""
    found = {path: maker for path, maker in makers().items() if fnmatch(path, only)}
    if not found:
        raise InputError(
            f"no file of the package fits {only!r}: they are odds/..., namings/..., deals/..., "
            "throws/..., best_keeps/..., page/... and policies/..."
        )
    return found


def _makers() -> Iterator[tuple[str, Maker]]:
    for game in map(get_game, ODDS):
        yield _below(numbers.path("odds", game)), partial(_odds, game)
    for game in map(get_game, NAMINGS):
        yield _below(numbers.path(NAMED, game)), partial(_namings, game)
    for game in map(get_game, DEALS):
        yield (
            _below(numbers.path(deal_stones.DEALS, game.one_suit or game, ".csv")),
            partial(_deals, game),
        )
    for game in map(get_game, THROWS):
        yield _below(numbers.path(throw_policy.THROWS, game)), partial(_throws, game)
    for game in map(get_game, KEEPS):
        yield _below(keeps_path(game, "solo")), partial(_keeps, exact_throws, game)
        yield _below(keeps_path(game, "best")), partial(_keeps, tried_throws, game)
        yield f"policies/{game.name}-solo.csv", partial(_solo, game)
    for game in map(get_game, PAGES):
        yield _below(page_keeps_path(game)), partial(_page_keeps, game)
    for name, highest in LEVELS.items():
        for level in range(highest + 1):
            yield f"policies/{name}-level-{level}.csv", partial(_solved, get_game(name), level)
    for game in map(get_game, CHANGES):
        yield f"policies/{game.name}-best.csv", partial(_solved, game, 1)
    for game in map(get_game, SCORES):
        yield _below(solved_path(game)), partial(_scores, game)
    for game in map(get_game, PAGES_WITH_BETTING):
        yield _below(betting_path(game)), partial(_page_betting, game)


def _below(file: Path) -> str:
    return file.relative_to(numbers.DATA).as_posix()


def _odds(game: Game) -> bytes:
    counts = count_table(game)
    return _npy(halves(counts) if counts.dtype == object else counts)


def _namings(game: Game) -> bytes:
    return _npy(count_all_namings(game))


def _deals(game: Game) -> bytes:
    return deal_stones.to_csv(deal_stones.count_stones(game)).encode("ascii")


def _throws(game: Game) -> bytes:
    return _npy(throw_policy.best_throws(game))


def _keeps(find: Callable[[Game], Throws], game: Game) -> bytes:
    found = find(game)
    numbers = NUMBERS if found.source == "best" else NUMBERS[:4]
    return _npz(found, ("n", "seed", "rows", *numbers))


def _page_keeps(game: Game) -> bytes:
    return _npz(count_keeps(game), ("net", "best"))


def _page_betting(game: Game) -> bytes:
    return _npz(solve_page_betting(game), ("weights", "gap"))


def _solo(game: Game) -> bytes:
    head = (
        f"# {game.name}: the keep with the highest net en paso when its player alone draws and "
        "the others' hands are random\n# counted exactly, not sampled; ties go to the keep with "
        "more and higher cards; always says mus\n"
    )
    return (head + count_solo(game).to_csv()).encode()


def _solved(game: Game, level: int) -> bytes:
    return solve(game, level=level, gap=0.01, seed=1).to_csv().encode()


def _scores(game: Game) -> bytes:
    """Hours: ``musodds equity solve --checkpoint FILE --npz FILE`` makes it in pieces."""
    return to_npz(solve_scores(game))


def _npy(array: NDArray[Any]) -> bytes:
    stream = BytesIO()
    np.save(stream, array, allow_pickle=False)
    return stream.getvalue()


def _npz(found: Any, names: Sequence[str]) -> bytes:
    stream = BytesIO()
    np.savez_compressed(stream, **{name: getattr(found, name) for name in names})
    return stream.getvalue()
