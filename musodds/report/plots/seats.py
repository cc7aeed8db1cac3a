"""The figure of seats: what it is worth to speak earlier."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from musodds.chances.odds_table import table_columns
from musodds.exact.phases.columns import COLUMNS
from musodds.report.plots.style import (
    grid,
    headline,
    minus,
    new_axes,
    new_figure,
    seat_words,
    theme,
)
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LABELS = {
    "best": "your own hand takes the phase (%)",
    "win": "your side takes the phase (%)",
    "net": "net stones of your side, en paso",
}

_TITLES = {"best": "Your own hand", "win": "Your side", "net": "Stones"}


def seats_data(game: str | Game = "mus", hand: str | None = None) -> pd.DataFrame:
    """What the figure of seats draws: a row per seat and phase, ``all`` phases the last.

    Returns
    -------
    DataFrame
        ``seat``, ``phase``, ``best`` and ``win`` (fractions of 1; none for ``all``), ``net``.
    """
    import pandas as pd

    game = get_game(game)
    all_hands = hands(game)
    columns = table_columns(game)
    shape = len(all_hands), game.seats, len(PHASES)
    cube = np.stack([columns[name].reshape(shape) for name in COLUMNS], axis=-1)
    mean = (
        np.einsum("h,hspc->spc", all_hands.ways / all_hands.ways.sum(), cube)
        if hand is None
        else cube[all_hands.index(hand)]
    )
    net = mean[..., COLUMNS.index("stones_for")] - mean[..., COLUMNS.index("stones_against")]
    none = np.full((game.seats, 1), np.nan)
    best, win = (
        np.hstack((mean[..., COLUMNS.index(column)], none)).ravel() for column in ("best", "win")
    )
    return pd.DataFrame({
        "seat": np.repeat(np.arange(1, game.seats + 1), len(PHASES) + 1),
        "phase": [*PHASES, "all"] * game.seats,
        "best": best,
        "win": win,
        "net": np.hstack((net, net.sum(axis=1, keepdims=True))).ravel(),
    })  # fmt: skip


def plot_seats(
    game: str | Game = "mus",
    *,
    column: str = "best",
    hand: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """What a seat is worth, phase by phase.

    Parameters
    ----------
    game : str or Game, optional
    column : str, optional
        ``best`` (my own hand takes the phase), ``win`` (my side does) or ``net`` (stones).
    hand : str, optional
        With this hand; by default on average over all hands.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
        In each phase a dot for every seat, from mano (the first, the darkest) to postre, on a
        common baseline; for ``net`` also over all phases.
    """
    game = get_game(game)
    data = seats_data(game, hand)
    scale = 1 if column == "net" else 100
    table = data.pivot(index="seat", columns="phase", values=column)[[*PHASES, "all"]] * scale
    values = table.dropna(axis=1)
    ax = new_axes(ax, 6.4, 4.2)
    step = 0.66 / max(game.seats - 1, 1)
    few = column != "net" and float(values.to_numpy().max()) < 10
    write = "{:+.2f}" if column == "net" else "{:.1f}" if few else "{:.0f}"
    for place, phase in enumerate(values.columns):
        at = place - 0.33 + step * np.arange(game.seats)
        ax.vlines(at, 0, values[phase], color=theme().faint, linewidth=1, zorder=1)
        ax.scatter(
            at, values[phase], 46, color=theme().seats[: game.seats], edgecolors=theme().ink,
            linewidths=0.7, zorder=2,
        )  # fmt: skip
        for x, value, text in _labels(
            at.tolist(), values[phase].to_list(), write, hand is not None
        ):
            ax.annotate(
                text, (x, value), (0, 7 if value >= 0 else -7), textcoords="offset points",
                ha="center", va="bottom" if value >= 0 else "top", fontsize=9,
            )  # fmt: skip
    ax.set_xticks(range(values.shape[1]), values.columns)
    ax.set_ylabel(LABELS[column])
    ax.margins(y=0.14)
    grid(ax)
    ax.spines["left"].set_visible(False)
    if column == "net":
        ax.axhline(0, color=theme().ink, linewidth=0.8)
    else:
        ax.set_ylim(bottom=0)
    dark = "dark, its number first" if column == "net" and hand is not None else "dark"
    names = f"from {seat_words(game, 1)} ({dark}) to {seat_words(game, game.seats)}"
    headline(ax, f"{_TITLES[column]} in {game.name}", f"{_held(game, hand)}, {names}")
    return ax


def _labels(
    at: list[float], values: list[float], write: str, held: bool
) -> list[tuple[float, float, str]]:
    """Where the numbers of the first and the last seat stand, and what they say.

    Those of a hand may be long and alike in all phases: there they stand one above the other,
    beyond all dots of the phase.
    """
    first, last = (minus(write.format(value)) for value in (values[0], values[-1]))
    if held and write.startswith("{:+"):
        edge = max(values, key=abs)
        return [((at[0] + at[-1]) / 2, float(edge), f"{first}\n{last}")]
    ends = ((at[0], values[0], first), (at[-1], values[-1], last))
    return [end for end in ends if end[2].strip("0.")]


def _held(game: Game, hand: str | None) -> str:
    return "All hands" if hand is None else f"With {hands(game).texts[hands(game).index(hand)]}"


def seats_figure(game: str | Game = "mus", hand: str | None = None) -> Figure:
    """The three columns of :func:`plot_seats` side by side, under a title that says the gist."""
    game = get_game(game)
    drawn = new_figure(13.5, 4.9)
    for ax, column in zip(drawn.subplots(1, 3), ("best", "win", "net"), strict=True):
        plot_seats(game, column=column, hand=hand, ax=ax)
    net = seats_data(game, hand).query("phase == 'all'")["net"].to_numpy()
    gain = net[0] - net[-1]
    drawn.suptitle(
        f"{game.name}: to be mano instead of postre is worth {minus(f'{gain:.2f}')} stones a deal"
        + (f" with {_held(game, hand)[5:]}" if hand else ""),
        x=0.01, ha="left", fontsize=15, fontweight="bold",
    )  # fmt: skip
    return drawn
