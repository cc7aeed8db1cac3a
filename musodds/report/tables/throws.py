"""Tables of decisions before the cards are played: what to throw, mus or cut.

Two sources. ``solo`` is exact: what each keep is worth to a player who alone draws, the
others playing random cards as dealt. ``best`` is the solved policy, which everybody
plays; there every keep of every hand in every seat was tried on ``n`` deals
(:mod:`musodds.strategy.discard`). Both take long to make, so they come with the package.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from musodds.arrays import Floats, Ints
from musodds.errors import InputError
from musodds.exact.draws.draws import all_keeps
from musodds.exact.draws.keeps import keep_text
from musodds.exact.phases.columns import COLUMNS
from musodds.exact.phases.count import count, total_deals
from musodds.report.tables.data import Column, Data, texts
from musodds.report.tables.strength import HAND, SEAT
from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.simulation.named_policies import get_policy
from musodds.simulation.policies import Policy, PolicyError
from musodds.store.numbers import path, published_counts, shipped_several

SOURCES = ("best", "solo")

DEALS = 8192
SEED = 1

_APART = 3.0
"""Standard errors from which another keep is said to be better than the policy's own."""

DISCARDS = (
    HAND,
    SEAT,
    Column("keep", "text", "the cards that stay; - throws all four"),
    Column("net", "net", "expected net stones of my side with this keep"),
    Column("net_se", "stones", "its standard error; 0 where it is exact", "+/-"),
    Column("second", "text", "the next best keep"),
    Column("margin", "net", "what the keep is ahead of the second, in stones"),
    Column("margin_se", "stones", "its standard error, paired; 0 where it is exact", "+/-"),
    Column("net_dealt", "net", "net stones with the cards as dealt: exact", "as dealt"),
)

CUT = (
    HAND,
    SEAT,
    Column("say", "label", "mus, or cut (no hay mus)"),
    Column("net_cut", "net", "net stones if mus is cut, the cards as dealt: exact", "cut"),
    Column("net_mus", "net", "net stones after one round of mus", "mus"),
    Column("gain", "net", "what mus gains on cutting: net_mus less net_cut", "mus gains"),
    Column("gain_se", "stones", "its standard error; 0 where it is exact", "+/-"),
)


@dataclass(frozen=True, eq=False)
class Throws:
    """The best and the second keep of every hand in every seat.

    Attributes
    ----------
    game : Game
    source : str
        One of SOURCES.
    n : int
        Deals on which each hand's keeps were tried; 0 for exact values.
    seed : int
    rows : ndarray of int64, shape (2, seats, classes)
        Which of :func:`musodds.exact.draws.draws.all_keeps` they are.
    net, net_se, margin, margin_se : ndarray of float64, shape (seats, classes)
    """

    game: Game
    source: str
    n: int
    seed: int
    rows: Ints
    net: Floats
    net_se: Floats
    margin: Floats
    margin_se: Floats

    @property
    def head(self) -> dict[str, Any]:
        """What is said of the table as a whole."""
        if not self.n:
            return {"game": self.game.name, "policy": self.source, "method": "exact"}
        sampled = {"method": "monte-carlo", "n": self.n, "seed": self.seed}
        return {"game": self.game.name, "policy": self.source, **sampled}


def discards_data(game: Game, policy: str = "best") -> Data:
    """The best keep of every hand in every seat, and how far it is ahead."""
    found = best_keeps(game, policy)
    keeps = texts(keep_text(game, keep) for keep in all_keeps(game).keep)
    best, second = keeps[found.rows]
    values: dict[str, NDArray[Any]] = {
        **_where(game),
        "keep": best.T.ravel(),
        "net": found.net.T.ravel(),
        "net_se": found.net_se.T.ravel(),
        "second": second.T.ravel(),
        "margin": found.margin.T.ravel(),
        "margin_se": found.margin_se.T.ravel(),
        "net_dealt": as_dealt(game).ravel(),
    }
    return Data("discards", f"What to keep in {game.name}", found.head, DISCARDS, values)


def cut_data(game: Game, policy: str = "best") -> Data:
    """Mus or cut for every hand in every seat."""
    if game.visto:
        raise InputError(
            f"no table of mus or cut in {game.name}: nobody is asked before all change cards; the "
            "table of discards is about that"
        )
    found = best_keeps(game, policy)
    dealt = as_dealt(game)
    gain = found.net.T - dealt
    cuts = gain < 0
    if policy == "best":
        cuts = get_policy(policy, game).cut.T
    values: dict[str, NDArray[Any]] = {
        **_where(game),
        "say": np.where(cuts, "cut", "mus").astype(object).ravel(),
        "net_cut": dealt.ravel(),
        "net_mus": found.net.T.ravel(),
        "gain": gain.ravel(),
        "gain_se": found.net_se.T.ravel(),
    }
    return Data("cut", f"Mus or cut in {game.name}", found.head, CUT, values)


def as_dealt(game: Game) -> Floats:
    """The exact net of playing every hand as dealt, shape (classes, seats)."""
    counts = published_counts(game)
    if counts is None:
        counts = count(game, np.arange(len(hands(game))), tuple(range(1, game.seats + 1)))
    scored, given = (COLUMNS.index(name) for name in ("stones_for", "stones_against"))
    net: Floats = (counts[..., scored] - counts[..., given]).sum(axis=2) / total_deals(game)
    return net


def _where(game: Game) -> dict[str, NDArray[Any]]:
    names = texts(hands(game).texts)
    return {
        "hand": np.repeat(names, game.seats),
        "seat": np.tile(np.arange(1, game.seats + 1), len(names)),
    }


@lru_cache(maxsize=4)
def best_keeps(game: Game, source: str = "best") -> Throws:
    """The best keeps, read from what comes with the package where that has them.

    Raises
    ------
    InputError
        If there is no such source, or the game has no solved policy.
    """
    if source not in SOURCES:
        raise InputError(f"no table of discards for {source!r}: it is made for best or solo")
    try:
        file = keeps_path(game, source)
    except PolicyError:
        raise InputError(
            f"no solved policy of {game.name} comes with musodds: say solo (you alone draw)"
        ) from None
    found = _read(game, source, file)
    if found is not None:
        return found
    return exact_throws(game) if source == "solo" else tried_throws(game)


def stored_keeps(game: Game, source: str) -> Throws | None:
    """The best keeps if they come with the package; None where they would have to be made."""
    try:
        file = keeps_path(game, source)
    except PolicyError:
        return None
    return _read(game, source, file)


def _read(game: Game, source: str, file: Path) -> Throws | None:
    shape = game.seats, len(hands(game))
    looks: dict[str, tuple[tuple[int, ...], DTypeLike]] = {
        "n": ((), np.int64),
        "seed": ((), np.int64),
        "rows": ((2, *shape), np.int64),
    }
    for name in ("net", "net_se", "margin", "margin_se"):
        looks[name] = shape, np.float64
    stored = shipped_several(file, looks)
    if stored is None or not _are_rows(stored["rows"], game):
        return None
    n, seed, *numbers = stored.values()
    return Throws(game, source, int(n), int(seed), *numbers)


def _are_rows(rows: Ints, game: Game) -> bool:
    return bool(((rows >= 0) & (rows < len(all_keeps(game).keep))).all())


def keeps_path(game: Game, source: str) -> Path:
    """Where they are kept: named after rules and policy, so that no change goes unnoticed."""
    policy = f"-{get_policy(source, game).digest[:12]}" if source == "best" else ""
    return path("best_keeps", game, f"{policy}-{source}.npz")


def exact_throws(game: Game) -> Throws:
    """The best keeps of a player who alone draws, counted."""
    from musodds.exact.draws.solo import solo

    values = solo(game)
    net, start = values.net(), values.keeps.start
    best = values.best()
    second = np.empty_like(best)
    for seat in range(game.seats):
        for h, (first, last) in enumerate(pairwise(start)):
            others = [row for row in range(first, last) if row != best[seat, h]]
            second[seat, h] = max(others, key=lambda row: net[row, seat])
    seats = np.arange(game.seats)[:, None]
    none = np.zeros(best.shape)
    ahead = net[best, seats] - net[second, seats]
    return Throws(game, "solo", 0, 0, np.stack((best, second)), net[best, seats], none, ahead, none)


def tried_throws(game: Game, deals: int = DEALS, seed: int = SEED, workers: int = 1) -> Throws:
    """The keeps of the solved policy against those of all others, on the same deals.

    Everybody says mus and plays the policy once. Where another keep comes out better by
    more than chance would have it, that one is the best.
    """
    policy = _all_say_mus(get_policy("best", game))
    keeps, all_hands = all_keeps(game), hands(game)
    shape = game.seats, len(all_hands)
    rows = np.empty((2, *shape), dtype=np.int64)
    numbers = np.empty((4, *shape))
    dealt = as_dealt(game)

    def fill(place: tuple[int, int]) -> None:
        seat, h = place
        first, last = keeps.start[h], keeps.start[h + 1]
        found = _try(policy, seat + 1, h, keeps.keep[first:last], dealt[h, seat], deals, seed)
        rows[:, seat, h] = first + found[0], first + found[1]
        numbers[:, seat, h] = found[2:]

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(fill, np.ndindex(shape)))
    return Throws(game, "best", deals, seed, rows, *numbers)


def _all_say_mus(policy: Policy) -> Policy:
    """The policy with which nobody cuts; who would throw nothing throws the last card."""
    keep = policy.keep.copy()
    for seat, h in np.argwhere(keep.sum(axis=2) == CARDS):
        keep[seat, h, np.flatnonzero(keep[seat, h])[-1]] -= 1
    return replace(policy, cut=np.zeros_like(policy.cut), keep=keep)


def _try(
    policy: Policy, seat: int, h: int, keeps: Ints, dealt: float, deals: int, seed: int
) -> tuple[int, int, float, float, float, float]:
    """Best keep, second keep, net, its error, margin, its error."""
    from musodds.strategy.trials import BLOCK, Trial

    trial = Trial(policy, seat, h, keeps, wins=False)
    stream = (seat << 16 | h) << 32
    mean, covariance = trial.run(seed, stream, ceil(deals / BLOCK)).estimates(dealt)

    def ahead(a: int, b: int) -> tuple[float, float]:
        variance = covariance[a, a] + covariance[b, b] - 2 * covariance[a, b]
        return float(mean[a] - mean[b]), float(np.sqrt(max(variance, 0.0)))

    rank = np.argsort(-mean, kind="stable")
    best = int(np.flatnonzero((keeps == policy.keep[seat - 1, h]).all(axis=1))[0])
    lead, error = ahead(int(rank[0]), best)
    if lead > _APART * error:
        best = int(rank[0])
    second = next(int(k) for k in rank if k != best)
    own = float(np.sqrt(max(covariance[best, best], 0.0)))
    return best, second, float(mean[best]), own, *ahead(best, second)
