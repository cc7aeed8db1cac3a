"""The figure of convergence: how a simulation comes to the exact value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from musodds.errors import InputError
from musodds.report.plots.style import grid, headline, new_axes, seat_words, theme
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

SEED = 1
MOST_DEALS = 1 << 20

_Z = 1.959963984540054
_FIRST = 1 << 8


def convergence_data(
    hand: str = "RR7A",
    game: str | Game = "mus",
    *,
    seat: int | str = "mano",
    phase: str = "grande",
    seed: int = SEED,
    n: int = MOST_DEALS,
) -> pd.DataFrame:
    """What :func:`plot_convergence` draws: a row for every power of two deals from 256 on.

    Returns
    -------
    DataFrame
        ``n``, ``value`` and ``se`` (simulated, fractions of 1) and ``exact``.

    Raises
    ------
    InputError
        If there is no such phase, or n is too small.
    """
    import pandas as pd

    from musodds.chances.counted_odds import counted_odds
    from musodds.knowledge.question import ask
    from musodds.simulation.simulate import simulate

    game = get_game(game)
    place = game.parse_seat(seat)
    if phase not in PHASES:
        raise InputError(f"no phase {phase!r}: phases are {', '.join(PHASES)}")
    if n < _FIRST:
        raise InputError(f"n is {n}: the figure begins at {_FIRST} deals")
    fraction = counted_odds(ask(game, hand), (place,)).fraction(place, phase, "win")
    sizes = _FIRST * 2 ** np.arange(int(np.log2(n / _FIRST)) + 1)
    # The same seed deals the same first deals: each size goes on where the last ended.
    runs = [
        simulate(game, n=int(size), seed=seed, rounds=0, hand=hand, seat=place, workers=1)
        for size in sizes
    ]
    found = [run.estimate(place, phase, "win") for run in runs]
    return pd.DataFrame({
        "n": sizes,
        "value": [estimate.value if estimate else np.nan for estimate in found],
        "se": [estimate.se if estimate else np.nan for estimate in found],
        "exact": float(fraction or 0),
    })  # fmt: skip


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
    from musodds.rules.hands import hands

    game = get_game(game)
    data = convergence_data(hand, game, seat=seat, phase=phase, seed=seed, n=n)
    exact, sizes = float(data["exact"][0]), data["n"].to_numpy()
    off, error = (data["value"] - exact) * 100, _Z * data["se"] * 100
    ax = new_axes(ax, 8, 4.8)
    fine = np.geomspace(sizes[0], sizes[-1], 200)
    band = _Z * np.sqrt(exact * (1 - exact) / fine) * 100
    ax.fill_between(fine, -band, band, color=theme().ours, alpha=0.18, linewidth=0)
    ax.axhline(0, color=theme().ink, linewidth=1)
    ax.errorbar(
        sizes, off, error, fmt="o", color=theme().ours, capsize=2.5, markersize=5, linewidth=1.3
    )
    ax.set_xscale("log", base=2)
    ax.set_xticks(sizes[::2], [f"{size:,}" for size in sizes[::2]])
    ax.minorticks_off()
    for words, at, up in (
        (f"counted: {exact:.4%}", (sizes[-1], 0), 34),
        (
            "95 of 100 simulations are in this band",
            (sizes[min(2, len(sizes) - 1)], band[0] * 0.6),
            26,
        ),
    ):
        ax.annotate(
            words, at, (0, up), textcoords="offset points", ha="right" if up == 34 else "left",
            color=theme().faint, arrowprops={"arrowstyle": "-", "color": theme().faint},
        )  # fmt: skip
    ax.set_xlabel("deals simulated (logarithmic scale)")
    ax.set_ylabel("simulated less counted\n(percentage points)")
    text = hands(game).texts[hands(game).index(hand)]
    headline(
        ax, f"{sizes[-1]:,} deals come within {abs(float(off.iloc[-1])):.2f} points of the truth",
        f"{text} as {seat_words(game, game.parse_seat(seat))} in {game.name}: the chance to take "
        f"{phase}, simulated (seed {seed}) with its 95 % interval.",
    )  # fmt: skip
    grid(ax)
    return ax
