"""The price of each sign: what mano gains by seeing it, where betting is solved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from musodds.arrays import Floats
from musodds.knowledge.signals import SYSTEMS
from musodds.report.plots.style import changes, headline, minus, new_axes, theme
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game
from musodds.solver.sign_price import BETS, sign_prices

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

ALL = "all signs"
"""The last row: in a deal, whichever sign is made."""

_LETTER = 0.074
"""Inches of a letter on the left."""


def prices_data(
    game: str | Game = "mus", *, phase: str | None = None, system: str = "classic"
) -> pd.DataFrame:
    """What :func:`plot_prices` draws.

    Returns
    -------
    DataFrame
        ``sign``, ``meaning``, ``chance`` (how often a hand makes it, of 1) and a column for
        each phase: net stones that mano's side gains by it in a deal in which it is made. The
        last row is of a deal, whichever is made.
    """
    import pandas as pd

    game = get_game(game)
    phases = PHASES if phase is None else (phase,)
    found = {one: sign_prices(one, game, system) for one in phases}
    first = found[phases[0]]
    means = {signal.name: signal.means for signal in SYSTEMS[system]}
    table = pd.DataFrame(
        {
            "sign": first.names,
            "meaning": [means.get(name, "no sign is true") for name in first.names],
            "chance": first.chance,
            **{one: prices.price for one, prices in found.items()},
        }
    )
    made = table[table["chance"] > 0]
    best = made[list(phases)].max(axis=1).sort_values(ascending=False, kind="stable")
    last = {"sign": ALL, "meaning": "a deal", "chance": 1.0}
    last |= {one: prices.all for one, prices in found.items()}
    return pd.concat([made.loc[best.index], pd.DataFrame([last])], ignore_index=True)


def plot_prices(
    game: str | Game = "mus",
    *,
    phase: str | None = None,
    system: str = "classic",
    ax: Axes | None = None,
) -> Axes:
    """What mano gains by seeing each sign of his partner's, phase by phase, in stones.

    Parameters
    ----------
    game : str or Game, optional
        Two sides of two players.
    phase : str, optional
        That phase alone.
    system : str, optional
        ``classic`` or ``federation``.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
        A row is a sign, the dearest first, a column a phase. Every phase is a game of its
        own, all others passed; see :mod:`musodds.solver.sign_price`.
    """
    game = get_game(game)
    data = prices_data(game, phase=phase, system=system)
    phases = [column for column in data if column in PHASES]
    values = data[phases].to_numpy()
    width = max(4.6 + 1.05 * len(phases), 8.0)
    ax = new_axes(ax, width, 0.42 * len(data) + 2.2)
    _cells(ax, values)
    names = [
        sign + f": {meaning}" * (sign != meaning) + f"  ({_share(chance)})" * (sign != ALL)
        for sign, meaning, chance in zip(
            data["sign"], data["meaning"], data["chance"].to_numpy(), strict=True
        )
    ]
    ax.set_yticks(_rows(len(data)), names)
    ax.set_xticks(np.arange(len(phases)) + 0.5, phases)
    ax.tick_params(length=0, top=False, labeltop=True, labelbottom=False)
    ax.spines[:].set_visible(False)
    ax.set_xlabel("net stones gained in a deal in which it is made", labelpad=10)
    row, column = np.unravel_index(np.nanargmax(values[:-1]), values[:-1].shape)
    written = _LETTER * max(map(len, names))
    headline(
        ax, f"{data['meaning'][row].capitalize()}, signed by the partner: "
        f"{minus(f'{values[row, column]:+.1f}')} stones in {phases[column]}",
        "What mano's side gains if mano sees the sign and the rivals know that he does.\n"
        f"{game.name}, signs: {system}; each phase solved alone, for stones, bets "
        f"{BETS.replace(',ordago', ' and órdago')}.\nIn brackets how often such a hand is held.",
        above=30, left=-written / (width - written - 0.2),
    )  # fmt: skip
    return ax


def _rows(number: int) -> Floats:
    """The middles of the rows: the last one stands a little apart."""
    return np.append(np.arange(number - 1) + 0.5, number - 0.5 + 0.25)


def _cells(ax: Axes, values: Floats) -> None:
    """Coloured cells with their numbers; nothing where the phase is not bet on."""
    number, width = values.shape
    edges = np.concatenate((np.arange(number), [number - 0.75, number + 0.25]))
    apart = np.insert(values, number - 1, np.nan, axis=0)
    reach = float(np.nanmax(np.abs(values)))
    ax.pcolormesh(np.arange(width + 1), edges, apart, cmap=changes(), vmin=-reach, vmax=reach)
    ax.invert_yaxis()
    for (row, column), value in np.ndenumerate(values):
        text = "–" if np.isnan(value) else minus(f"{value:+.2f}")
        strong = abs(value) > 0.6 * reach
        ax.text(
            column + 0.5, float(_rows(number)[row]), text, ha="center", va="center",
            color=theme().paper if strong else theme().ink,
        )  # fmt: skip


def _share(chance: float) -> str:
    return f"{chance:.1%}" if chance >= 0.0005 else "<0.1%"
