"""Figures of whole deals: the stones they bring, and how a simulation comes to the truth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from musodds.errors import InputError
from musodds.report.plots.style import BLUE, FAINT, INK, ORANGE, SKY, grid, new_axes, seat_words
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SEED = 1
MOST_DEALS = 1 << 20

_Z = 1.959963984540054
_FIRST = 1 << 8


def plot_stones(game: str | Game = "mus", *, ax: Axes | None = None) -> Axes:
    """The distribution of the stones that each side scores in a deal, en paso: exact.

    Parameters
    ----------
    game : str or Game, optional
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
        Bars for mano's side upwards, for the other side downwards.
    """
    from musodds.stakes.deal_stones import deal_stones

    game = get_game(game)
    deal = deal_stones(game)
    chances = deal.chances
    ax = new_axes(ax, 7.6, 4.8)
    sides = (np.maximum(deal.stones, 0), np.maximum(-deal.stones, 0))
    most = max(int(side.sum(axis=1).max()) for side in sides)
    for side, sign, colour, who in ((0, 1, BLUE, "mano's side"), (1, -1, ORANGE, "the other side")):
        total = sides[side].sum(axis=1)
        chance = np.bincount(total, chances, most + 1) * 100
        mean = float(total @ chances)
        ax.bar(
            range(most + 1), sign * chance, 0.86, color=colour,
            hatch="" if sign > 0 else "///", edgecolor="white", linewidth=0.4,
            label=f"{who}: {mean:.2f} stones on average",
        )  # fmt: skip
        for at, value in enumerate(chance):
            ax.annotate(
                f"{value:.1f}" if value >= 0.05 else "<0.1", (at, sign * value), (0, 3 * sign),
                textcoords="offset points", ha="center", va="bottom" if sign > 0 else "top",
                fontsize=8,
            )  # fmt: skip
    ax.axhline(0, color=INK, linewidth=0.8)
    top = max(abs(limit) for limit in ax.get_ylim())
    ax.set_ylim(-top * 1.05, top * 1.05)
    ax.set_xticks(range(most + 1))
    ticks = [tick for tick in ax.get_yticks() if abs(tick) <= top]
    ax.set_yticks(ticks, [f"{abs(tick):.0f}" for tick in ticks])
    ax.set_xlabel("stones that a side scores in a deal when everybody passes")
    ax.set_ylabel("deals (%)")
    ax.set_title(f"What a deal of {game.name} brings, all cards unknown")
    ax.legend(loc="upper right")
    ax.spines[["left", "bottom"]].set_visible(False)
    grid(ax)
    return ax


def plot_convergence(
    hand: str = "RR7A",
    game: str | Game = "mus",
    *,
    seat: int | str = "mano",
    phase: str = "grande",
    seed: int = SEED,
    n: int = MOST_DEALS,
    ax: Axes | None = None,
) -> Axes:
    """How a simulated chance comes to the exact one as deals are added.

    Parameters
    ----------
    hand : str, optional
    game : str or Game, optional
    seat : int or str, optional
    phase : str, optional
    seed : int, optional
    n : int, optional
        Deals at most; the figure shows every power of two from 256 on.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
        Simulated less exact, in percentage points, with its 95 % interval, in the band in
        which 95 % of simulations of that size are.
    """
    from musodds.chances.counted_odds import counted_odds
    from musodds.knowledge.question import ask
    from musodds.simulation.simulate import simulate

    game = get_game(game)
    place = game.parse_seat(seat)
    if phase not in PHASES:
        raise InputError(f"no phase {phase!r}: phases are {', '.join(PHASES)}")
    if n < _FIRST:
        raise InputError(f"n is {n}: the figure begins at {_FIRST} deals")
    answer = counted_odds(ask(game, hand), (place,))
    fraction = answer.fraction(place, phase, "win")
    exact = float(fraction or 0)
    sizes = _FIRST * 2 ** np.arange(int(np.log2(n / _FIRST)) + 1)
    # The same seed deals the same first deals: each size goes on where the last ended.
    runs = [
        simulate(game, n=int(size), seed=seed, rounds=0, hand=hand, seat=place, workers=1)
        for size in sizes
    ]
    found = [run.estimate(place, phase, "win") for run in runs]
    values = np.array([estimate.value if estimate else np.nan for estimate in found])
    errors = np.array([estimate.se if estimate else np.nan for estimate in found])
    ax = new_axes(ax, 7.6, 4.6)
    fine = np.geomspace(sizes[0], sizes[-1], 200)
    band = _Z * np.sqrt(exact * (1 - exact) / fine) * 100
    ax.fill_between(
        fine,
        -band,
        band,
        color=SKY,
        alpha=0.35,
        linewidth=0,
        label="95 % of simulations of that size",
    )
    ax.axhline(0, color=INK, linewidth=1)
    ax.errorbar(
        sizes, (values - exact) * 100, _Z * errors * 100, fmt="o", color=BLUE, capsize=2.5,
        markersize=5, linewidth=1.2, label=f"this simulation (seed {seed}) and its 95 % interval",
    )  # fmt: skip
    ax.set_xscale("log", base=2)
    ax.set_xticks(sizes[::2], [f"{size:,}" for size in sizes[::2]])
    ax.minorticks_off()
    ax.annotate(
        f"exact: {exact:.4%}", (sizes[-1], 0), (0, 30), textcoords="offset points", ha="right",
        arrowprops={"arrowstyle": "-", "color": FAINT},
    )  # fmt: skip
    ax.set_xlabel("deals simulated")
    ax.set_ylabel("simulated less exact chance (percentage points)")
    ax.set_title(f"{answer.hand} as {seat_words(game, place)}: {phase} simulated, and counted")
    ax.legend(loc="upper right")
    grid(ax)
    return ax
