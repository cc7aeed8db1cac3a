"""The figure of signs: how each moves the odds of a hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from musodds.arrays import Floats
from musodds.knowledge.signals import SYSTEMS
from musodds.report.plots.style import changes, headline, minus, new_axes, seat_words, theme
from musodds.report.tables import table
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_WHO = {
    "partner": "your partner's",
    "next": "the next rival's",
    "previous": "the previous rival's",
}

_POINTS, _STONES = 60.0, 4.0
"""Percentage points and stones at which a colour is at its strongest."""


def signals_data(
    hand: str = "RR7A",
    game: str | Game = "mus",
    *,
    seat: int | str = "mano",
    by: str = "partner",
    system: str = "classic",
) -> pd.DataFrame:
    """What :func:`plot_signals` draws: a row for each sign, from the best news to the worst.

    Returns
    -------
    DataFrame
        ``signal``, ``meaning``, ``chance`` (of a hand that makes it), a column for each phase
        (change of the chance to take it, fractions of 1) and ``net`` (change in stones).
    """
    import pandas as pd

    game = get_game(game)
    data = table("signals", game, game.parse_seat(seat), hand=hand, by=(by,), system=system)
    values = {name: column.reshape(-1, len(PHASES)) for name, column in data.values.items()}
    # The first row is silence; a sign that any hand may make says nothing either.
    tells = np.flatnonzero(values["chance"][:, 0] < 1)
    order = tells[np.argsort(-values["net_change"][tells, 0], kind="stable")]
    meanings = {signal.name: signal.means for signal in SYSTEMS[system]}
    names = values["signal"][order, 0]
    return pd.DataFrame({
        "signal": names,
        "meaning": [meanings[name] for name in names],
        "chance": values["chance"][order, 0],
        **dict(zip(PHASES, values["win_change"][order].T, strict=True)),
        "net": values["net_change"][order, 0],
    })  # fmt: skip


def plot_signals(
    hand: str = "RR7A",
    game: str | Game = "mus",
    *,
    seat: int | str = "mano",
    by: str = "partner",
    system: str = "classic",
    ax: Axes | None = None,
) -> Axes:
    """How a sign moves the odds of a hand.

    Parameters
    ----------
    hand : str, optional
    game : str or Game, optional
    seat : int or str, optional
    by : str, optional
        Who makes the sign: ``partner``, ``next`` or ``previous`` (rival).
    system : str, optional
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
        A row is a sign, from the best news to the worst; a column a phase, in percentage
        points; the last column is the change in net stones.
    """
    game = get_game(game)
    place = game.parse_seat(seat)
    data = signals_data(hand, game, seat=place, by=by, system=system)
    silent = table("signals", game, place, hand=hand, by=(by,), system=system)
    change = data[list(PHASES)].to_numpy() * 100
    net = data[["net"]].to_numpy()
    ax = new_axes(ax, 9.4, 0.42 * len(data) + 2.9)
    middles = _cells(ax, change, net)
    ax.set_yticks(
        np.arange(len(data)) + 0.5,
        [
            f"{signal}: {meaning}  ({_share(chance)})"
            for signal, meaning, chance in zip(
                data["signal"], data["meaning"], data["chance"].to_numpy(), strict=True
            )
        ],
    )
    wins = silent.values["win"][: len(PHASES)]
    stones = minus(f"{silent.values['net'][0]:+.2f}")
    before = [f"{phase}\n{win:.0%}" for phase, win in zip(PHASES, wins, strict=True)]
    ax.set_xticks(middles, [*before, f"net stones\n{stones}"])
    ax.tick_params(length=0, top=False, labeltop=True, labelbottom=False)
    ax.spines[:].set_visible(False)
    ax.set_xlabel("above: without a sign; in the cells: what the sign changes", labelpad=10)
    _key(ax)
    text, best = silent.head["hand"], data.iloc[0]
    gain = minus(f"{best['net']:+.1f}")
    headline(
        ax, f"{seat_words(game, place).capitalize()} with {text}: {best['meaning']} in {_WHO[by]} "
        f"hand: {gain} stones",
        f"What {_WHO[by]} sign changes: chance to take the phase (percentage points), and net\n"
        f"stones; in brackets how often such a hand is held. {game.name}, exact, en paso.",
        above=46, left=-0.0125 * max(len(label.get_text()) for label in ax.get_yticklabels()),
    )  # fmt: skip
    return ax


def _cells(ax: Axes, change: Floats, net: Floats) -> Floats:
    """Coloured cells with their numbers; return the middles of the columns."""
    # Stones on a scale of their own, and a little apart.
    gap = np.full((len(net), 1), np.nan)
    scaled = np.hstack((change / _POINTS, gap, net / _STONES))
    edges = np.array([0, 1, 2, 3, 4, 5, 5.2, 6.2])
    ax.pcolormesh(edges, np.arange(len(net) + 1), scaled, cmap=changes(), vmin=-1, vmax=1)
    ax.invert_yaxis()
    middles = (edges[1:] + edges[:-1]) / 2
    for (row, column), value in np.ndenumerate(scaled):
        if not np.isnan(value):
            in_stones = column > len(PHASES)
            text = f"{net[row, 0]:+.1f}" if in_stones else f"{change[row, column]:+.0f}"
            ax.text(
                middles[column], row + 0.5, minus(text), ha="center", va="center",
                color=theme().paper if abs(value) > 0.6 else theme().ink,
            )  # fmt: skip
    return np.asarray(middles[[0, 1, 2, 3, 4, 6]])


def _key(ax: Axes) -> None:
    """What the colours mean, below the cells."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    shades = ScalarMappable(Normalize(-_POINTS, _POINTS), changes())
    bar = ax.figure.colorbar(
        shades, ax=ax, orientation="horizontal", pad=0.02, aspect=40, shrink=0.7
    )
    marks = np.array([-1, -0.5, 0, 0.5, 1])
    bar.set_ticks(
        list(marks * _POINTS),
        labels=[minus(f"{m * _POINTS:+.0f} points\n{m * _STONES:+.0f} stones") for m in marks],
    )
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0, labelsize=9)


def _share(chance: float) -> str:
    return f"{chance:.1%}" if chance >= 0.0005 else "<0.1%"
