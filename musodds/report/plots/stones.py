"""The figure of a deal's stones: both sides on one baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from musodds.report.plots.style import grid, headline, new_axes, theme
from musodds.rules.game import Game
from musodds.rules.games import get_game

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


def stones_data(game: str | Game = "mus") -> pd.DataFrame:
    """What :func:`plot_stones` draws: how often each side scores so many stones in a deal.

    Returns
    -------
    DataFrame
        ``stones``, ``mano`` (mano's side) and ``other``: chances, fractions of 1.
    """
    import pandas as pd

    from musodds.stakes.deal_stones import deal_stones

    deal = deal_stones(get_game(game))
    totals = [np.maximum(sign * deal.stones, 0).sum(axis=1) for sign in (1, -1)]
    most = int(max(total.max() for total in totals))
    mano, other = (np.bincount(total, deal.chances, most + 1) for total in totals)
    return pd.DataFrame({"stones": range(most + 1), "mano": mano, "other": other})


def plot_stones(game: str | Game = "mus", *, ax: Axes | None = None) -> Axes:
    """The distribution of the stones that each side scores in a deal, en paso: exact.

    Parameters
    ----------
    game : str or Game, optional
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
        For each number of stones two bars side by side, mano's side the plain one.
    """
    game = get_game(game)
    data = stones_data(game)
    ax = new_axes(ax, 8, 4.9)
    means = {}
    for column, shift, colour, hatch in (
        ("mano", -0.21, theme().ours, ""),
        ("other", 0.21, theme().theirs, "////"),
    ):
        means[column] = float(data["stones"].to_numpy() @ data[column].to_numpy())
        ax.bar(
            data["stones"] + shift, data[column] * 100, 0.4, color=colour, hatch=hatch,
            edgecolor=theme().paper, linewidth=0, zorder=2,
        )  # fmt: skip
        # The two names are a few bars apart, so that they do not meet.
        first = 3 if column == "mano" else 0
        at = first + int(data[column].iloc[first:].argmax())
        side = "mano's side" if column == "mano" else "the other side"
        ax.annotate(
            f"{side}: {means[column]:.2f} on average", (at + shift, data[column][at] * 100),
            (16, 14), textcoords="offset points", color=colour, fontweight="bold", va="bottom",
            arrowprops={"arrowstyle": "-", "color": theme().faint, "linewidth": 0.8},
        )  # fmt: skip
    ax.set_xticks(data["stones"])
    ax.set_xlabel("stones that a side scores in a deal")
    ax.set_ylabel("deals (%)")
    ax.margins(y=0.16)
    ahead = means["mano"] - means["other"]
    headline(
        ax, f"A deal of {game.name} brings mano's side {ahead:.2f} stones more",
        f"Everybody passing, all cards unknown; exact. Mano's side has no stone in "
        f"{data['mano'][0]:.0%} of deals,\nthe other side in {data['other'][0]:.0%}.",
    )  # fmt: skip
    ax.spines["left"].set_visible(False)
    grid(ax)
    return ax
