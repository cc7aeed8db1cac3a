"""The figure of scores: the chance of winning the game from each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from musodds.report.plots.style import CHANCES, new_axes
from musodds.rules.game import Game
from musodds.rules.games import get_game, titled
from musodds.stakes.equity import equity, mano_index

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_EVERY = 5
_LINES = (10, 25, 50, 75, 90)


def plot_equity(game: str | Game = "mus", *, mano: str = "us", ax: Axes | None = None) -> Axes:
    """The chance of winning the game from every score, en paso.

    Parameters
    ----------
    game : str or Game, optional
    mano : str, optional
        ``us`` or ``them``: whose side is mano in the next deal.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
        Our stones upwards, theirs to the right; lines of equal chance.
    """
    game = get_game(game)
    chances = equity(game).ours[mano_index(mano)] * 100
    ax = new_axes(ax, 7, 5.9)
    image = ax.imshow(chances, origin="lower", cmap=CHANCES, vmin=0, vmax=100)
    drawn = ax.contour(chances, levels=_LINES, colors="white", linewidths=1)
    ax.clabel(drawn, fmt="%d %%", fontsize=9)
    ticks = np.arange(0, game.target, _EVERY)
    ax.set_xticks(ticks)
    ax.set_yticks(ticks)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_xlabel("their stones")
    ax.set_ylabel("our stones")
    who = "we are" if mano == "us" else "they are"
    ax.set_title(f"Who wins a game of {titled(game)} from here, when {who} mano?")
    bar = ax.figure.colorbar(image, ax=ax, pad=0.02, aspect=30)
    bar.set_label("our chance of winning the game, everybody passing (%)")
    bar.outline.set_visible(False)
    return ax
