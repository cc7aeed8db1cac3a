"""Tables of decisions before the cards are played: what to throw, mus or cut.

Two sources. ``solo`` is exact: what each keep is worth to a player who alone draws, the
others playing random cards as dealt, and mus always agreed. ``best``: the others play the
solved policy; every keep of every hand in every seat was tried on ``n`` deals in which they
all say mus, as :func:`musodds.strategy.discard.discard` does, and answers the same question:
what to say and to throw against them. What the policy itself says and keeps is another
(``musodds policy show``). Both take long to make, so they come with the package.
"""

from __future__ import annotations

from dataclasses import dataclass
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
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.simulation.named_policies import get_policy
from musodds.simulation.policies import Policy, PolicyError
from musodds.simulation.runner import mapper
from musodds.store.numbers import path, published_counts, shipped_several
from musodds.strategy.stored_say import answers_path

SOURCES = ("best", "solo")

NUMBERS = ("net", "net_se", "margin", "margin_se", "agreed", "gain", "gain_se")
"""The figures of a table, as its file has them; those from agreed on are not exact's."""

DEALS = 8192
SEED = 1

DISCARDS = (
    HAND,
    SEAT,
    Column("keep", "text", "the cards that stay; - throws all four"),
    Column("net", "net", "net stones of my side with this keep, once mus is agreed"),
    Column("net_se", "stones", "its standard error; 0 where it is exact", "+/-"),
    Column("second", "text", "the next best keep"),
    Column("margin", "net", "what the keep is ahead of the second, in stones"),
    Column("margin_se", "stones", "its standard error, paired; 0 where it is exact", "+/-"),
    Column("net_dealt", "net", "net stones with the cards as dealt, then", "as dealt"),
    Column("agreed", "chance", "how often all others say mus"),
)

CUT = (
    HAND,
    SEAT,
    Column("say", "label", "what is better: mus, or cut (no hay mus)"),
    Column("agreed", "chance", "how often all others say mus"),
    Column("net_cut", "net", "net stones if mus is cut, the cards as dealt: exact", "cut"),
    Column("net_mus", "net", "net stones if I say mus, whether it is agreed or not", "mus"),
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
        Once mus is agreed.
    agreed : ndarray of float64, shape (seats, classes)
        How often all others say mus: counted.
    gain, gain_se : ndarray of float64, shape (seats, classes)
        What the best keep gains on cutting each time mus is agreed.
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
    agreed: Floats
    gain: Floats
    gain_se: Floats

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
        "net_dealt": (found.net - found.gain).T.ravel(),
        "agreed": found.agreed.T.ravel(),
    }
    title = f"What to keep in {game.name} once mus is agreed{_against(policy)}"
    return Data("discards", title, found.head, DISCARDS, values)


def _against(policy: str) -> str:
    """Whom a table answers."""
    return ", against the solved policy" if policy == "best" else ", if you alone draw"


def cut_data(game: Game, policy: str = "best") -> Data:
    """Mus or cut for every hand in every seat."""
    if game.visto:
        raise InputError(
            f"no table of mus or cut in {game.name}: nobody is asked before all change cards; the "
            "table of discards is about that"
        )
    found = best_keeps(game, policy)
    dealt = as_dealt(game)
    gain = (found.agreed * found.gain).T
    values: dict[str, NDArray[Any]] = {
        **_where(game),
        "say": np.where(gain > 0, "mus", "cut").astype(object).ravel(),
        "agreed": found.agreed.T.ravel(),
        "net_cut": dealt.ravel(),
        "net_mus": (dealt + gain).ravel(),
        "gain": gain.ravel(),
        "gain_se": (found.agreed * found.gain_se).T.ravel(),
    }
    return Data("cut", f"Mus or cut in {game.name}{_against(policy)}", found.head, CUT, values)


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
    for name in NUMBERS if source == "best" else NUMBERS[:4]:
        looks[name] = shape, np.float64
    stored = shipped_several(file, looks)
    if stored is None or not _are_rows(stored["rows"], game):
        return None
    n, seed, rows, *numbers = stored.values()
    if source == "solo":
        numbers += _always_agreed(game, numbers[0])
    return Throws(game, source, int(n), int(seed), rows, *numbers)


def _always_agreed(game: Game, net: Floats) -> list[Floats]:
    """How often mus is agreed if nobody ever cuts, and what it then gains: exactly."""
    return [np.ones(net.shape), net - as_dealt(game).T, np.zeros(net.shape)]


def _are_rows(rows: Ints, game: Game) -> bool:
    return bool(((rows >= 0) & (rows < len(all_keeps(game).keep))).all())


def keeps_path(game: Game, source: str) -> Path:
    """Where they are kept: named after rules and policy, so that no change goes unnoticed."""
    if source == "best":
        return answers_path(get_policy(source, game))
    return path("best_keeps", game, f"-{source}.npz")


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
    mine = net[best, seats]
    figures = mine, none, mine - net[second, seats], none, *_always_agreed(game, mine)
    return Throws(game, "solo", 0, 0, np.stack((best, second)), *figures)


def tried_throws(game: Game, deals: int = DEALS, seed: int = SEED, workers: int = 1) -> Throws:
    """The keeps of all hands against others who play the solved policy, on the same deals.

    Where another keep than the policy's comes out better by more than chance would have it,
    that one is the best.
    """
    policy, keeps = get_policy("best", game), all_keeps(game)
    shape = game.seats, len(hands(game))
    rows = np.empty((2, *shape), dtype=np.int64)
    numbers = np.empty((len(NUMBERS), *shape))

    def fill(place: tuple[int, int]) -> None:
        seat, h = place
        first, last = keeps.start[h], keeps.start[h + 1]
        found = tried(policy, seat + 1, h, keeps.keep[first:last], deals, seed)
        rows[:, seat, h] = first + found[0], first + found[1]
        numbers[:, seat, h] = found[2:]

    with mapper(workers) as each:
        list(each(fill, np.ndindex(shape)))
    return Throws(game, "best", deals, seed, rows, *numbers)


def tried(
    policy: Policy, seat: int, h: int, keeps: Ints, deals: int, seed: int
) -> tuple[int, int, float, float, float, float, float, float, float]:
    """One hand in one seat: the best keep, the second, and NUMBERS."""
    from musodds.strategy.agreed import Agreed, agreed, may_cut
    from musodds.strategy.meant import known_for
    from musodds.strategy.sampling import first_choice
    from musodds.strategy.trials import BLOCK, Trial

    mus = agreed(policy, h, seat) if may_cut(policy, seat) else Agreed(1.0, None)
    if not mus.chance:
        # Nothing is ever thrown: what is said of the keep is what it says of itself.
        own = Trial(policy, seat, h, keeps).own or 0
        return own, int(own == 0), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    trial = Trial(policy, seat, h, keeps, wins=False, known=known_for(mus.knowledge, h, seat))
    sample = trial.run(seed, (seat << 16 | h) << 32, ceil(deals / BLOCK))
    mean, covariance = sample.estimates()
    gain, gain_se = sample.gain_of_mus(None)

    def ahead(a: int, b: int) -> tuple[float, float]:
        variance = covariance[a, a] + covariance[b, b] - 2 * covariance[a, b]
        return float(mean[a] - mean[b]), float(np.sqrt(max(variance, 0.0)))

    rank = np.argsort(-mean, kind="stable")
    best = first_choice(mean, covariance, trial.own)
    second = next(int(k) for k in rank if k != best)
    own_se = float(np.sqrt(max(covariance[best, best], 0.0)))
    return (
        best, second, float(mean[best]), own_se, *ahead(best, second), mus.chance,
        float(gain[best]), float(gain_se[best]),
    )  # fmt: skip
