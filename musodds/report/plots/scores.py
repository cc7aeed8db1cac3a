"""The figure of scores: the chance of winning the game from each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from musodds.arrays import Floats
from musodds.report.plots.style import changes, headline, new_axes, theme
from musodds.rules.game import Game
from musodds.rules.games import get_game, titled
from musodds.stakes.equity import mano_index
from musodds.stakes.equity_kinds import WORDS, equity

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_EVERY = 5
_LINES = (10, 20, 30, 40, 50, 60, 70, 80, 90)


def equity_data(
    game: str | Game = "mus", mano: str = "us", kind: str | None = None
) -> pd.DataFrame:
    """What :func:`plot_equity` draws: ``ours``, ``theirs`` (stones) and ``chance`` of 1."""
    import pandas as pd

    chances = equity(get_game(game), kind=kind).ours[mano_index(mano)]
    ours, theirs = np.indices(chances.shape)
    return pd.DataFrame({"ours": ours.ravel(), "theirs": theirs.ravel(), "chance": chances.ravel()})


def plot_equity(
    game: str | Game = "mus", *, mano: str = "us", kind: str | None = None, ax: Axes | None = None
) -> Axes:
    """The chance of winning the game from every score.

    Parameters
    ----------
    game : str or Game, optional
    mano : str, optional
        ``us`` or ``them``: whose side is mano in the next deal.
    kind : str, optional
        The kind of equity; see :mod:`musodds.stakes.equity_kinds`.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
        Our stones upwards, theirs to the right; lines of equal chance, white at one half.
    """
    game = get_game(game)
    table = equity(game, kind=kind)
    chances = table.ours[mano_index(mano)] * 100
    ax = new_axes(ax, 7.4, 7.4)
    image = ax.imshow(chances, origin="lower", cmap=changes(), vmin=0, vmax=100)
    # Beyond the edge a score goes on as at the edge, so that no line ends within the square.
    wide = np.pad(chances, 1, mode="edge")
    at = np.arange(-1, game.target + 1)
    widths = [2.0 if level == 50 else 0.9 for level in _LINES]
    if np.ptp(chances):  # a game of one stone has one score, and no lines
        drawn = ax.contour(at, at, wide, levels=_LINES, colors=theme().ink, linewidths=widths)
        ax.clabel(drawn, fmt="%d %%", fontsize=9.5, inline_spacing=3, manual=_across(chances))
    ax.set_xlim(-0.5, game.target - 0.5)
    ax.set_ylim(-0.5, game.target - 0.5)
    ticks = np.arange(0, game.target, _EVERY)
    ax.set_xticks(ticks)
    ax.set_yticks(ticks)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_xlabel("their stones")
    ax.set_ylabel("our stones")
    who = "we are" if mano == "us" else "they are"
    level = float(chances[0, 0])
    headline(
        ax, f"{titled(game)}: at 0–0 with {'us' if mano == 'us' else 'them'} mano we win "
        f"{level:.1f} %",
        f"Our chance of winning the game from every score when {who} mano,\n"
        f"{WORDS[table.kind]} ({table.kind}).",
    )  # fmt: skip
    bar = ax.figure.colorbar(image, ax=ax, pad=0.02, aspect=30)
    bar.set_label("our chance of winning the game (%)")
    bar.outline.set_visible(False)
    return ax


def _across(chances: Floats) -> list[tuple[float, float]]:
    """Where the lines cross the falling diagonal of the square: there is room for their names."""
    target = len(chances)
    theirs = np.arange(target)
    along = chances[target - 1 - theirs, theirs]
    # Our chance falls along it, and interpolation wants it to rise.
    at = np.interp(_LINES, along[::-1], theirs[::-1])
    return [(float(x), float(target - 1 - x)) for x in at]
