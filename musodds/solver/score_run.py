"""The batch of :mod:`musodds.solver.score_batch` run: threads or a cluster, and a checkpoint."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from musodds.arrays import Floats
from musodds.errors import InputError
from musodds.exact.scope import check_together
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.simulation.distributed import cluster
from musodds.solver.score_batch import EDGE, GAP, LINES, NEAR_GAP, Plan, Solving, plan
from musodds.solver.score_deal import DealValue, deal_value
from musodds.solver.sizes import Sizes
from musodds.stakes.equity import Equity
from musodds.stakes.equity_solved import made
from musodds.stakes.score_grid import Score
from musodds.store.files import check_writable, read_limited, write_atomic
from musodds.store.notices import Watcher
from musodds.store.numbers import digest

HEADER = "musodds scores 1"
_LARGEST = 10**7

SECONDS = {1: 6.0, 2: 14.0}
"""What a node takes of one core, on average, by the players of a side."""


@dataclass(frozen=True, eq=False)
class SolvedScores:
    """The scores of a game, solved.

    Attributes
    ----------
    plan : Plan
    mano_wins : ndarray of float64, shape (target, target)
        The chance of mano's side, mano's stones first.
    error : ndarray of float64, shape (target, target)
        What it may be off; see :meth:`musodds.solver.score_batch.Solving.error`.
    nodes : tuple of DealValue
        The deals that were solved.
    differences : dict of score to float
        The deal less the table at scores off the grid.
    """

    plan: Plan
    mano_wins: Floats
    error: Floats
    nodes: tuple[DealValue, ...]
    differences: dict[Score, float]

    @property
    def least(self) -> int:
        """Both sides' stones, at least, where deals are solved."""
        return min(self.plan.lines)

    def equity(self) -> Equity:
        """The table as an equity."""
        return made(self.plan.game, self.mano_wins, self.error, self.least)

    def arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """What is kept in a file; see :mod:`musodds.stakes.equity_solved`."""
        nodes = [(*one.score, one.value, one.gap, one.iterations) for one in self.nodes]
        return {
            "mano_wins": self.mano_wins, "bound": self.error,
            "least": np.array([self.least]), "nodes": np.array(sorted(nodes), dtype=np.float64),
        }  # fmt: skip


def solve_scores(
    game: str | Game = "mus",
    *,
    least: int = 0,
    gap: float = GAP,
    near_gap: float = NEAR_GAP,
    checkpoint: str | Path | None = None,
    workers: int = 1,
    scheduler: str | None = None,
    watch: Watcher | None = None,
) -> SolvedScores:
    """Equity under solved betting, backward from the end of the game.

    Parameters
    ----------
    game : str or Game, optional
        Two players, or two sides of two with eight kings.
    least : int, optional
        Only scores with both sides at so many stones or more.
    gap, near_gap : float, optional
        How closely a deal is solved, in stones; the second near the end.
    checkpoint : str or Path, optional
        A file that is written after every deal, and gone on from.
    workers : int, optional
        Threads, or the processes of a local cluster; the table does not depend on it.
    scheduler : str, optional
        A Dask scheduler, or ``local``.
    watch : callable, optional
        Called with the deals solved, and all of them.

    Raises
    ------
    InputError
        If there is no such game, or something given cannot be.
    """
    game = get_game(game)
    check_together(game)
    if not 0 <= least < game.target:
        raise InputError(f"least {least}: from 0 to {game.target - 1} stones")
    if not (0 < gap < 40 and 0 < near_gap < 40):
        raise InputError(f"gap {gap:g}, {near_gap:g}: numbers of stones above 0")
    if not 1 <= workers <= 64:
        raise InputError(f"workers {workers}: 1 to 64")
    asked = plan(game, least, gap, near_gap)
    solving = Solving(asked)
    file = None if checkpoint is None else Checkpoint(Path(checkpoint), asked)
    if file is not None:
        solving.solved.update(file.load())
    wanted = {score for group in asked.groups() for score in group} | set(asked.checks())
    with _solver(workers, scheduler) as solver:
        for scores, table in solving.waiting():
            after = made(game, table, np.zeros_like(table), least)
            for one in solver(asked, scores, after):
                solving.solved[one.score] = one
                if file is not None:
                    file.save(solving.solved.values())
                if watch is not None:
                    watch(len(wanted & solving.solved.keys()), len(wanted))
    nodes = tuple(solving.solved[score] for score in sorted(wanted))
    return SolvedScores(asked, solving.table(), solving.error(), nodes, solving.differences())


class _Solver(Protocol):
    def __call__(
        self, asked: Plan, scores: Sequence[Score], table: Equity
    ) -> Iterator[DealValue]: ...


@contextmanager
def _solver(workers: int, scheduler: str | None) -> Iterator[_Solver]:
    if scheduler is None:
        pool = ThreadPoolExecutor(workers)
        try:

            def on_threads(
                asked: Plan, scores: Sequence[Score], table: Equity
            ) -> Iterator[DealValue]:
                waiting = [pool.submit(_job(asked, score, table), *score) for score in scores]
                try:
                    for one in as_completed(waiting):
                        yield one.result()
                finally:
                    for one in waiting:
                        one.cancel()

            yield on_threads
        finally:
            # A deal may take minutes: after Ctrl-C nobody waits for those that are begun.
            pool.shutdown(wait=False, cancel_futures=True)
        return
    with cluster(scheduler, workers) as machines:

        def on_cluster(asked: Plan, scores: Sequence[Score], table: Equity) -> Iterator[DealValue]:
            waiting = [machines.submit(_job(asked, score, table), *score) for score in scores]
            for one in waiting:
                found: Any = one.result()
                yield found

        yield on_cluster


def _job(asked: Plan, score: Score, table: Equity) -> Any:
    return partial(solve_node, asked.game, asked.sizes, table, asked.gap_at(score))


def solve_node(
    game: Game, sizes: Sizes, table: Equity, gap: float, mine: int, theirs: int
) -> DealValue:
    """One node, wherever it is solved."""
    return deal_value(game, (mine, theirs), sizes, table, gap)


@dataclass(frozen=True)
class Checkpoint:
    """Solved nodes in a file: a line that says what it is, a SHA-256, and JSON."""

    path: Path
    plan: Plan

    @property
    def _run(self) -> dict[str, Any]:
        """All that a node depends on, but how much of the table is asked for."""
        asked = self.plan
        return {
            "rules": digest(asked.game), "target": asked.game.target, "gap": asked.gap,
            "near_gap": asked.near_gap, "sizes": asked.sizes.text, "grid": [EDGE, *LINES],
        }  # fmt: skip

    def load(self) -> dict[Score, DealValue]:
        """The nodes in the file; none where there is no file.

        Raises
        ------
        InputError
            If the file is no checkpoint, damaged, or of another run.
        """
        check_writable(self.path)
        try:
            lines = read_limited(self.path, _LARGEST).decode().split("\n")
        except FileNotFoundError:
            return {}
        except (OSError, UnicodeDecodeError):
            lines = [""]
        if lines[0] != HEADER:
            raise InputError(f"{str(self.path)!r} is no checkpoint of solved scores: name another")
        if len(lines) != 4 or lines[1] != _checksum(lines[2]):
            raise InputError(
                f"checkpoint {str(self.path)!r} is damaged: name another, or delete it"
            )
        content = json.loads(lines[2])
        if content["run"] != self._run:
            raise InputError(
                f"checkpoint {str(self.path)!r} belongs to another run (game, target, gaps, "
                "grid or sizes differ): name another file, or delete it"
            )
        nodes = [DealValue((a, b), *rest) for (a, b), *rest in content["nodes"]]
        return {one.score: one for one in nodes}

    def save(self, nodes: Any) -> None:
        """Replace the file."""
        body = json.dumps({"run": self._run, "nodes": [astuple(one) for one in nodes]})
        write_atomic(self.path, f"{HEADER}\n{_checksum(body)}\n{body}\n")


def _checksum(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()


def estimate(asked: Plan, workers: int) -> tuple[int, float]:
    """How many deals there are to solve, and the seconds that they take, roughly."""
    number = sum(len(group) for group in asked.groups()) + len(asked.checks())
    return number, number * SECONDS.get(asked.game.side_size, SECONDS[2]) / workers


def to_npz(found: SolvedScores) -> bytes:
    """The table as the package keeps it."""
    from io import BytesIO

    stream = BytesIO()
    np.savez_compressed(stream, **found.arrays())  # type: ignore[arg-type]
    return stream.getvalue()
