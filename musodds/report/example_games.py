"""Ten invented games and their reviews, which the tests and whoever tries a review start from.

Four are written by hand and kept as they are: a match, signs, cards that nobody saw,
cards changed before mus. Six are played by players that come with the package, from a
seed. ``musodds publish games`` makes them and all reviews again, in a checkout.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import musodds
from musodds.errors import InputError
from musodds.players.play import play
from musodds.players.seated import PlayerLike
from musodds.rules.game import Game, with_target
from musodds.rules.games import get_game
from musodds.solver.betting import solve_betting
from musodds.stakes.equity import PASO
from musodds.stakes.equity_kinds import equity_by
from musodds.store.files import write_atomic
from musodds.strategy.review import review
from musodds.strategy.review_result import Review

FOLDER = Path(musodds.__file__).parents[1] / "tests" / "data" / "games"
REVIEWS = "reviews.json"
DEALS, SEED = 512, 1
_DIGITS = 9
_WORST = 3
_SCORE = (30, 30)


def _solved(game: Game) -> PlayerLike:
    """Who bets on grande as the phase is solved at the score that the games begin with."""
    return solve_betting(
        "grande", game=game, score=_SCORE, gap=0.01, table=equity_by(game, PASO)
    )  # fmt: skip


def _played(
    about: str,
    game: str,
    players: Callable[[Game], list[PlayerLike]],
    score: tuple[int, int],
    games: int = 1,
    target: int | None = None,
) -> str:
    rules = with_target(get_game(game), target, None if target is None else 3)
    contest = play(players(rules), game=rules, games=games, score=score, seed=SEED, rounds=2)
    return f"# {about}; made by musodds publish games.\n{contest.record()}"


PLAYED: dict[str, Callable[[], str]] = {
    "05-mus": partial(
        _played, "The best policy against two who hold kings", "mus",
        lambda _: ["best", "kings"], (28, 30),
    ),
    "06-two-players": partial(
        _played, "Two players in three games, one with a solved grande", "mus2p",
        lambda game: [_solved(game), "kings"], _SCORE, 3,
    ),
    "07-four-kings": partial(
        _played, "Four kings", "mus4", lambda _: ["best", "kings"], (33, 31)
    ),
    "08-real": partial(
        _played, "The best 31 is of three sevens", "mus-real", lambda _: ["best", "kings"],
        (34, 35),
    ),
    "09-visto": partial(
        _played, "Cards are changed once before mus", "mus-visto", lambda _: ["best", "random"],
        (31, 28),
    ),
    "10-thirty-stones": partial(
        _played, "Games to thirty stones, three to a match", "mus2p",
        lambda _: ["kings", "random"], (18, 20), 2, 30,
    ),
}  # fmt: skip


def reviewed(record: str) -> Review:
    """A record's review as it is kept: later deals en paso, keeps tried on few deals."""
    return review(record, deals=DEALS, seed=SEED, kind=PASO)


def summary(found: Review) -> dict[str, Any]:
    """What is kept of a review.

    Parameters
    ----------
    found : Review

    Returns
    -------
    dict
        Of numbers with nine digits after the point, so that it is the same everywhere.
    """
    worst = sorted(found.decisions, key=lambda one: -(one.lost or 0))[:_WORST]
    return {
        "game": found.game.name,
        "equity": found.equity,
        "betting": found.betting,
        "cards": found.cards,
        "judged": found.judged,
        "deals": [len({point.deal for point in found.course}), len(found.deals)],
        "players": [_short(one) for one in found.players],
        "sides": [_short(one) for one in found.summary],
        "games": [_short(one) for one in found.games],
        "worst": [_short({k: v for k, v in one.row().items() if v is not None}) for one in worst],
    }


def _short(row: dict[str, Any]) -> dict[str, Any]:
    return {k: round(v, _DIGITS) if isinstance(v, float) else v for k, v in row.items()}


def make(tell: Callable[[str], object] = print, folder: Path = FOLDER) -> list[str]:
    """Play the games and review all of them again; return the files that changed.

    Raises
    ------
    InputError
        If this is no checkout: the games do not come with the package.
    """
    changed = different(folder)
    for name, content in _made(folder).items():
        if name in changed:
            write_atomic(folder / name, content)
        tell(name)
    return changed


def different(folder: Path = FOLDER) -> list[str]:
    """The files that are not what is made again.

    Raises
    ------
    InputError
        If this is no checkout.
    """
    kept = {file.name: file.read_bytes() for file in folder.glob("*")}
    return [name for name, content in _made(folder).items() if kept.get(name) != content]


@lru_cache(maxsize=1)
def _made(folder: Path) -> dict[str, bytes]:
    """What the files that are made hold, by name."""
    if not folder.is_dir():
        raise InputError(f"no folder {folder}: the games are made in a checkout of musodds")
    found = {f"{name}.txt": make().encode() for name, make in PLAYED.items()}
    written = {file.name: file.read_bytes() for file in folder.glob("[0-9]*.txt")}
    reviews = {
        name.removesuffix(".txt"): summary(reviewed(record.decode()))
        for name, record in sorted((written | found).items())
    }
    text = json.dumps(reviews, indent=1, ensure_ascii=False) + "\n"
    return found | {REVIEWS: text.encode()}
