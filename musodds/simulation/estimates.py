"""From integer histograms to estimates with their standard errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import nan, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from musodds.rules.game import PHASES, Game
from musodds.rules.hands import hands
from musodds.simulation.histograms import Number, outcomes, phase_counts, worst_counts
from musodds.simulation.packing import named_rows
from musodds.values import Table, once

if TYPE_CHECKING:
    from musodds.knowledge.knowledge import Knowledge

Z = 1.959963984540054
"""The 97.5 % point of the normal distribution: 95 % of it is within."""

UNTIL_CUT = "until-cut"

_ROUNDED = 1e-12

_LAYOUT = ("table", "pares", "last", "scores", "hands", "worst", "cuts", "renewals")
_EVERY_SEAT = ("par", "medias", "duples", "juego", "juego_31", "punto_30")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over deals.

    Attributes
    ----------
    value : float
    se : float
        Its standard error; NaN where one deal says nothing of it.
    low, high : float
        The 95 % interval: Wilson's for a probability, normal for stones.
    """

    value: float
    se: float
    low: float
    high: float

    @classmethod
    def proportion(
        cls, count: Number, n: Number, squares: tuple[Number, Number] | None = None
    ) -> Estimate:
        """Of ``n`` deals, ``count`` had it.

        Where deals have weights these are sums of weights, and ``squares`` the sums of
        their squares; the error is that of a ratio (the delta method), and Wilson's
        interval is that of as many equal deals as would have this error.

        For a ratio such as *won given contested* ``n`` is itself random: the standard
        error is that of the delta method, which comes to the same formula.
        """
        p = count / n
        if squares is not None:
            # Sums of weights are rounded: what is 0 or 1 may come out beside it.
            p = round(p) if min(p, 1 - p) < _ROUNDED else p
            se = _weighted_error(p, n, squares) if 0 < p < 1 else 0.0
            n = p * (1 - p) / se**2 if se else n**2 / squares[1]
            count = p * n
        se = sqrt(count * (n - count) / n**3)
        middle = (count + Z * Z / 2) / (n + Z * Z)
        half = Z / (1 + Z * Z / n) * sqrt(se * se + (Z / (2 * n)) ** 2)
        return cls(p, se, min(p, max(0.0, middle - half)), max(p, min(1.0, middle + half)))

    @classmethod
    def certain(cls, value: float) -> Estimate:
        """What the rules fix: no error."""
        return cls(value, 0.0, value, value)

    @classmethod
    def mean(
        cls,
        values: NDArray[np.int64],
        counts: NDArray[Any],
        squares: NDArray[np.float64] | None = None,
    ) -> Estimate:
        """The mean of a histogram: ``counts[i]`` deals had ``values[i]``.

        Where deals have weights, ``counts`` and ``squares`` are sums of these and of
        their squares.
        """
        if squares is not None:
            weight = float(counts.sum())
            value = float((values * counts).sum()) / weight
            se = sqrt(float((squares * (values - value) ** 2).sum())) / weight
            return cls(value, se, value - Z * se, value + Z * se)
        n = int(counts.sum())
        total = int((values * counts).sum())
        of_squares = int((values * values * counts).sum())
        value = total / n
        if n == 1:
            return cls(value, nan, nan, nan)
        se = sqrt((n * of_squares - total * total) / (n * n * (n - 1)))
        return cls(value, se, value - Z * se, value + Z * se)

    def shared_by(self, number: int) -> Estimate:
        """The same divided by a number."""
        return Estimate(*(x / number for x in (self.value, self.se, self.low, self.high)))

    def named(self, name: str) -> dict[str, float]:
        """As columns ``name``, ``name_se``, ``name_low``, ``name_high``."""
        return {
            name: self.value,
            f"{name}_se": self.se,
            f"{name}_low": self.low,
            f"{name}_high": self.high,
        }


def _weighted_error(p: float, n: Number, squares: tuple[Number, Number]) -> float:
    """Σ v² (x - p)² over the deals, x = 1 for those that had it; the root, over Σ v."""
    had, every = squares
    return sqrt(max(0.0, had * (1 - p) ** 2 + (every - had) * p**2)) / n


def _held(game: Game) -> dict[str, NDArray[np.bool_]]:
    """Which of the hands that may be shown have what, by :data:`_EVERY_SEAT`."""
    table = hands(game)
    rows = named_rows(table)
    pares, points = table.named.pares_type[rows], table.named.points[rows]
    juego = table.named.level["juego"][rows] > 0
    has = {name: pares == kind for kind, name in enumerate(_EVERY_SEAT[:3], start=1)}
    return has | {
        "juego": juego,
        "juego_31": juego & (points == 31),
        "punto_30": ~juego & (points == 30),
    }


@dataclass(frozen=True, eq=False, repr=False)
class Simulation(Table):
    """What a simulation found.

    Attributes
    ----------
    game : Game
    policy : str
        Name of the policy, or of every seat's.
    rounds : int or str
        The most rounds of mus, or ``"until-cut"``.
    n : int
        Deals played.
    seed : int
    sums : tuple of ndarray of int64
        The histograms, see :class:`musodds.simulation.histograms.Layout`.
    hand : str or None
        The hand that one seat was always dealt.
    seat : int or None
        That seat.
    interrupted : bool
        Whether Ctrl-C ended it before its time.
    knowledge : Knowledge or None
        What was known of the hands as dealt.
    squares : tuple of ndarray of float64, or None
        Where deals have importance weights (more than four unknown hands with ranges),
        ``sums`` are sums of weights and these of their squares.

    Examples
    --------
    >>> from musodds.simulation.simulate import simulate
    >>> result = simulate("mus", n=100_000, seed=1, policy="none")
    >>> result.method, result.n
    ('monte-carlo', 100000)
    >>> won = result.estimate(1, "grande", "win")
    >>> round(won.value, 2), round(won.se, 4)
    (0.5, 0.0016)
    """

    game: Game
    policy: str
    rounds: int | str
    n: int
    seed: int
    sums: tuple[NDArray[np.int64], ...]
    hand: str | None = None
    seat: int | None = None
    interrupted: bool = False
    knowledge: Knowledge | None = None
    squares: tuple[NDArray[np.float64], ...] | None = None

    method = "monte-carlo"

    @cached_property
    def _views(self) -> dict[str, NDArray[np.int64]]:
        return dict(zip(_LAYOUT, self.sums, strict=True))

    @cached_property
    def _square_views(self) -> dict[str, NDArray[np.float64]] | None:
        return None if self.squares is None else dict(zip(_LAYOUT, self.squares, strict=True))

    @cached_property
    def _square_outcomes(self) -> dict[str, NDArray[np.float64]] | None:
        return None if self._square_views is None else outcomes(self.game, self._square_views)

    @cached_property
    def _weight(self) -> tuple[Number, Number | None]:
        """Of all deals, and their squares; the number of deals where they have none."""
        if self._square_views is None:
            return self.n, None
        return self._views["pares"].sum().item(), self._square_views["pares"].sum().item()

    @property
    def effective_n(self) -> float:
        """How many deals of equal weight would say as much."""
        weight, squares = self._weight
        return float(self.n if squares is None else weight**2 / squares)

    def _share(self, select: Callable[[dict[str, NDArray[Any]]], Number]) -> Estimate:
        """The share of the deals that ``select`` counts in the histograms."""
        (n, square_n), views = self._weight, self._square_views
        if views is None or square_n is None:
            return Estimate.proportion(select(self._views), n)
        return Estimate.proportion(select(self._views), n, (select(views), square_n))

    @cached_property
    def outcomes(self) -> dict[str, NDArray[np.int64]]:
        """Deals by seat that takes the phase, sides that take part in it, stones it brings.

        Per phase, shape (seats, 2**sides, stones). The second index has a bit for every
        side that has pares (juego); all sides take part in grande, chica and punto. The
        deals in which a phase is not played are at [0, 0, 0].
        """
        return outcomes(self.game, self._views)

    def estimate(self, seat: int, phase: str, column: str) -> Estimate | None:
        """One estimate; None for `win_contested` where it was never contested.

        Parameters
        ----------
        seat : int
        phase : str
        column : str
            One of :data:`musodds.exact.phases.columns.COLUMNS`.
        """
        return self._estimates(seat, phase)[column]

    def net(self, seat: int) -> Estimate:
        """Stones for my side less theirs, over all phases of a deal."""
        mine, total = self._scores(seat)
        others = self.game.sides - 1
        net = Estimate.mean(mine * (others + 1) - total, *self._score_counts(seat))
        return net.shared_by(others)

    def stones(self, seat: int) -> Estimate:
        """Stones that the seat's side scores in a deal."""
        return Estimate.mean(self._scores(seat)[0], *self._score_counts(seat))

    def _score_counts(self, seat: int) -> tuple[NDArray[Any], ...]:
        """Deals by stones; and the squares of their weights, if they have any."""
        side = 0 if self.game.sides == 2 else self.game.side(seat)
        every = (self._views, self._square_views)
        return tuple(views["scores"][side] for views in every if views is not None)

    def _scores(self, seat: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        size = self._views["scores"].shape[1]
        mine, total = np.meshgrid(np.arange(size), np.arange(size), indexing="ij")
        # Of two sides only mano's stones are counted: the other has the rest.
        return (total - mine if self.game.sides == 2 and self.game.side(seat) else mine), total

    def _estimates(self, seat: int, phase: str) -> dict[str, Estimate | None]:
        counts = phase_counts(self.game, self.outcomes[phase], seat)
        squares = self._square_outcomes
        counts["all"], square_counts = self._weight[0], None
        if squares is not None:
            square_counts = phase_counts(self.game, squares[phase], seat)
            square_counts["all"] = squares[phase].sum().item()
        each_alone = self.game.sides > 2
        if each_alone:
            counts |= self._worst(self.outcomes, self._views, seat, phase)
            if square_counts is not None:
                assert squares is not None
                assert self._square_views is not None
                square_counts |= self._worst(squares, self._square_views, seat, phase)

        def share(name: str, of: str = "all") -> Estimate:
            pair = None if square_counts is None else (square_counts[name], square_counts[of])
            return Estimate.proportion(counts[name], counts[of], pair)

        found: dict[str, Estimate | None] = {
            name: share(name) for name in ("win", "lose", "void", "best")
        }
        if phase in ("grande", "chica"):
            found["void"], found["contested"] = Estimate.certain(0.0), Estimate.certain(1.0)
        else:
            found["contested"] = share("contested")
        found["win_contested"] = (
            share("win_contested", "contested") if counts["contested"] else None
        )
        mine = self._mine(seat)
        by_stones = [
            views[phase].sum(axis=1) for views in (self.outcomes, squares) if views is not None
        ]
        values = np.arange(by_stones[0].shape[1])[None]
        # Of more than two sides: what another gets on average.
        others = self.game.sides - 1
        for name, scored, sides in (("stones_for", mine, 1), ("stones_against", ~mine, others)):
            stones = Estimate.mean(values * scored[:, None], *by_stones)
            found[name] = stones.shared_by(sides)
        if each_alone:
            found["worst"] = share("worst")
            found["worst_contested"] = (
                share("worst_contested", "contested") if counts["contested"] else None
            )
        return found

    def _worst(
        self, of: dict[str, NDArray[Any]], views: dict[str, NDArray[Any]], seat: int, phase: str
    ) -> dict[str, Number]:
        return worst_counts(self.game, of[phase], views["worst"], seat, phase)

    def _mine(self, seat: int) -> NDArray[np.bool_]:
        mine = {seat, *self.game.partners(seat)}
        return np.array([other in mine for other in range(1, self.game.seats + 1)])

    def rows(self) -> list[dict[str, Any]]:
        """One dict per seat and phase: `seat`, `phase`, the columns and `net`.

        Beside every estimate ``x`` stand its standard error ``x_se`` and its 95 %
        interval, ``x_low`` to ``x_high``; all are None for `win_contested` where the
        phase was never contested. `net` is the seat's over all phases, on each of its
        rows.
        """
        rows: list[dict[str, Any]] = []
        for seat in range(1, self.game.seats + 1):
            net = self.net(seat).named("net")
            for phase in PHASES:
                row: dict[str, Any] = {"seat": seat, "phase": phase}
                for name, estimate in self._estimates(seat, phase).items():
                    blank = dict.fromkeys((name, f"{name}_se", f"{name}_low", f"{name}_high"))
                    row |= estimate.named(name) if estimate else blank
                rows.append(row | net)
        return rows

    def records(self) -> list[dict[str, Any]]:
        """The rows, `net` and what is beside it on the first of each seat alone."""
        return once(self.rows(), ["seat"], ["net", "net_se", "net_low", "net_high"])

    def seat_rows(self) -> list[dict[str, Any]]:
        """One dict per seat: how often it ends with what, and its side's stones.

        `net` and `stones` per deal; the chance of `par`, `medias`, `duples`, `juego`,
        `juego_31` and `punto_30` (30 without juego) in the hand played in the end, with
        its jokers as they were named; and of the seat's having `cut` mus.
        """
        has = _held(self.game)
        rows = []
        for seat in range(1, self.game.seats + 1):
            row: dict[str, Any] = {"seat": seat}
            row |= self.net(seat).named("net") | self.stones(seat).named("stones")
            for name in _EVERY_SEAT:
                held = self._share(lambda v: v["hands"][seat - 1, has[name]].sum().item())  # noqa: B023
                row |= held.named(name)
            cut = self._share(lambda v: v["cuts"][:-1, seat - 1].sum().item())  # noqa: B023
            rows.append(row | cut.named("cut"))
        return rows

    def mus_rows(self) -> list[dict[str, Any]]:
        """When mus was cut: one dict per round in which it was, and one for the rest.

        `round` (from 1), `seat` and the `share` of deals in which that seat was the
        first to say *no hay mus* in that round. In the last row, with `round` and `seat`
        None, `share` is that of the deals in which nobody did.
        """
        cuts = self._views["cuts"]
        rows: list[dict[str, Any]] = []
        for played, seat in np.argwhere(cuts[:-1]):
            where: dict[str, Any] = {"round": int(played) + 1, "seat": int(seat) + 1}
            share = self._share(lambda v: v["cuts"][played, seat].item())  # noqa: B023
            rows.append(where | share.named("share"))
        nowhere: dict[str, Any] = {"round": None, "seat": None}
        never = self._share(lambda v: v["cuts"][-1, 0].item())
        rows.append(nowhere | never.named("share"))
        return rows

    @property
    def renewals(self) -> Number:
        """How often the stock ran out; weighted as the deals are."""
        found: Number = self._views["renewals"][0].item()
        return found
