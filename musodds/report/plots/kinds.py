"""Equity en paso beside equity when both sides bet well: what betting does to a lead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from musodds.arrays import Floats
from musodds.report.plots.style import changes, headline, new_axes, theme
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.stakes.equity import PASO, SOLVED, mano_index
from musodds.stakes.equity_kinds import equity

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_EVERY = 5
_LINES = (10, 25, 50, 75, 90)


def kinds_data(game: str | Game = "mus", *, mano: str = "us") -> pd.DataFrame:
    """What :func:`plot_kinds` draws.

    Returns
    -------
    DataFrame
        ``ours``, ``theirs`` (stones), ``paso`` and ``solved`` (our chance, of 1) and
        ``change`` from the first to the second.
    """
    import pandas as pd

    game = get_game(game)
    solved, passed = (
        equity(game, kind=kind).ours[mano_index(mano)] for kind in (SOLVED, PASO)
    )  # fmt: skip
    ours, theirs = np.indices(solved.shape)
    return pd.DataFrame({
        "ours": ours.ravel(), "theirs": theirs.ravel(), "paso": passed.ravel(),
        "solved": solved.ravel(), "change": (solved - passed).ravel(),
    })  # fmt: skip


def plot_kinds(game: str | Game = "mus", *, mano: str = "us", ax: Axes | None = None) -> Axes:
    """The chance of winning from every score when both sides bet well, beside en paso.

    Parameters
    ----------
    game : str or Game, optional
        One whose solved equity comes with the package.
    mano : str, optional
        ``us`` or ``them``: whose side is mano in the next deal.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
        Our stones upwards, theirs to the right. The colour is what betting changes, in
        percentage points; lines of equal chance are whole where both sides bet well and
        broken en paso.
    """
    game = get_game(game)
    data = kinds_data(game, mano=mano)
    shape = game.target, game.target
    passed, solved, change = (
        data[column].to_numpy().reshape(shape) * 100 for column in (PASO, SOLVED, "change")
    )
    ax = new_axes(ax, 7.4, 9.0)
    reach = float(np.abs(change).max())
    image = ax.imshow(change, origin="lower", cmap=changes(), vmin=-reach, vmax=reach)
    _contours(ax, passed, "dashed")
    _contours(ax, solved, "solid")
    ax.set_xlim(-0.5, game.target - 0.5)
    ax.set_ylim(-0.5, game.target - 0.5)
    ticks = np.arange(0, game.target, _EVERY)
    ax.set_xticks(ticks)
    ax.set_yticks(ticks)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_xlabel("their stones")
    ax.set_ylabel("our stones")
    at = np.unravel_index(change.argmax(), shape)
    who = "we are" if mano == "us" else "they are"
    note = equity(game, kind=SOLVED).note
    headline(
        ax, f"{game.name}: at {at[0]}–{at[1]} we win {solved[at]:.0f} % if both sides bet well, "
        f"{passed[at]:.0f} % en paso",
        f"Our chance of winning when {who} mano: lines whole when both sides bet well,\n"
        f"broken en paso; the colour is the change." + _told(note),
    )  # fmt: skip
    bar = ax.figure.colorbar(
        image, ax=ax, orientation="horizontal", pad=0.02, aspect=45, shrink=0.7
    )
    bar.set_label("change of our chance by betting (percentage points)")
    bar.outline.set_visible(False)
    return ax


def _contours(ax: Axes, chances: Floats, style: str) -> None:
    """Lines of equal chance with their names."""
    wide = np.pad(chances, 1, mode="edge")
    at = np.arange(-1, len(chances) + 1)
    # The line of one half is where it was.
    levels = [level for level in _LINES if level != 50 or style == "solid"]
    widths = [2.0 if level == 50 else 1.0 for level in levels]
    drawn = ax.contour(
        at, at, wide, levels=levels, colors=theme().ink, linewidths=widths, linestyles=style
    )
    ax.clabel(drawn, fmt="%d %%", fontsize=9.5 if style == "solid" else 8, inline_spacing=3)


def _told(note: str) -> str:
    from textwrap import fill

    return "\n" + fill(note[:1].upper() + note[1:] + ".", 84) if note else ""
