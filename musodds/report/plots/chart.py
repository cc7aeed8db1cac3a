"""The chart: every hand of a game in a cell of its own, for two seats at once."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

import numpy as np

from musodds.arrays import Floats
from musodds.chances.odds_table import table_columns
from musodds.errors import InputError
from musodds.report.plots.style import changes, headline, minus, new_axes, seat_words, theme
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_LEGIBLE = 40
"""Pairs of cards on an edge: with more the numbers could not be read, and are left out."""


def chart_data(
    game: str | Game = "mus",
    *,
    seat: int | str = "mano",
    other: int | str | None = None,
    phase: str | None = None,
) -> pd.DataFrame:
    """What :func:`plot_chart` draws: every hand with its number in two seats.

    Returns
    -------
    DataFrame
        ``hand``, ``dealt`` (share of all deals), ``seat`` and ``value``: net stones of a deal en
        paso, or the chance in percent that the side takes the phase.
    """
    import pandas as pd

    game = get_game(game)
    all_hands = hands(game)
    places = two_seats(game, seat, other)
    values = [_values(game, place, phase) for place in places]
    return pd.DataFrame({
        "hand": np.tile(all_hands.texts, 2),
        "dealt": np.tile(all_hands.ways / all_hands.ways.sum(), 2),
        "seat": np.repeat(places, len(all_hands)),
        "value": np.concatenate(values),
    })  # fmt: skip


def two_seats(game: Game, seat: int | str, other: int | str | None) -> tuple[int, int]:
    """The two seats to draw; the other is postre unless said, or mano beside postre.

    Raises
    ------
    InputError
        If they are one.

    Examples
    --------
    >>> two_seats(get_game("mus"), "postre", None)
    (4, 1)
    """
    upper = game.parse_seat(seat)
    if other is None:
        return upper, 1 if upper == game.seats else game.seats
    lower = game.parse_seat(other)
    if upper == lower:
        raise InputError(f"other {other}: it is the seat itself; the chart is of two seats")
    return upper, lower


def _values(game: Game, seat: int, phase: str | None) -> Floats:
    columns = table_columns(game)
    shape = len(hands(game)), game.seats, len(PHASES)
    if phase is not None:
        win = columns["win"].reshape(shape)[:, seat - 1, PHASES.index(phase)]
        return np.asarray(win * 100)
    net = (columns["stones_for"] - columns["stones_against"]).reshape(shape)
    return np.asarray(net[:, seat - 1].sum(axis=-1))


def plot_chart(
    game: str | Game = "mus",
    *,
    seat: int | str = "mano",
    other: int | str | None = None,
    phase: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Every hand of a game in its own cell, with its number, for two seats.

    Parameters
    ----------
    game : str or Game, optional
    seat, other : int or str, optional
        Above and below the diagonal: by default mano, and postre (mano beside postre).
    phase : str, optional
        The chance, in percent, that my side takes this phase; by default the net stones
        over all phases.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
        Above the diagonal a row is the two higher cards of a hand and a column the two lower,
        below it the other way round; white is no gain (or 50 %), what has a sign has a colour.
    """
    game = get_game(game)
    places = two_seats(game, seat, other)
    pairs = list(combinations_with_replacement(range(len(game.deck.kinds)), 2))
    values = chart_data(game, seat=seat, other=other, phase=phase)["value"].to_numpy()
    table = _table(game, pairs, np.split(values, 2))
    legible = len(pairs) <= _LEGIBLE
    size = 0.285 * len(pairs) if legible else 0.17 * len(pairs)
    ax = new_axes(ax, size + 1.2, size + 2.1)
    middle = 0.0 if phase is None else 50.0
    reach = float(np.abs(values - middle).max())
    image = ax.imshow(table, cmap=changes(), vmin=middle - reach, vmax=middle + reach)
    if legible:
        _write(ax, table, middle, reach, phase)
    upper, lower = (seat_words(game, place) for place in places)
    _label(ax, [game.deck.text(pair) for pair in pairs], legible, (upper, lower))
    of = "chance (%) to take " + phase if phase else "net stones of a deal, everybody passing"
    ahead = [
        float(hands(game).ways[part > middle].sum() / hands(game).ways.sum())
        for part in np.split(values, 2)
    ]
    what = f"takes {phase} more often than not" if phase else "gains"
    headline(
        ax,
        f"{game.name}: {upper} {what} with {ahead[0]:.1%} of hands, {lower} with {ahead[1]:.1%}",
        f"Every hand: {of}. Exact, before any discard, nothing known of the others.\n"
        f"Above the diagonal {upper}, below it {lower}.", above=44,
    )  # fmt: skip
    bar = ax.figure.colorbar(
        image, ax=ax, orientation="horizontal", pad=0.02, aspect=45, shrink=0.6
    )
    bar.set_label("net stones" if phase is None else f"chance to take {phase} (%)")
    bar.outline.set_visible(False)
    return ax


def _table(game: Game, pairs: list[tuple[int, int]], values: list[Floats]) -> Floats:
    """Both seats in one square: the diagonal itself stays empty."""
    where = {pair: i for i, pair in enumerate(pairs)}
    table = np.full((len(pairs) + 1, len(pairs) + 1), np.nan)
    for index, (first, second, third, fourth) in enumerate(hands(game).cards):
        high, low = where[first, second], where[third, fourth]
        table[high, low + 1] = values[0][index]
        table[low + 1, high] = values[1][index]
    return table


def _write(ax: Axes, table: Floats, middle: float, reach: float, phase: str | None) -> None:
    for (row, column), value in np.ndenumerate(table):
        if not np.isnan(value):
            text = f"{value:.0f}" if phase else minus(f"{value:+.1f}")
            strong = abs(value - middle) > 0.6 * reach
            ax.text(
                column, row, text, ha="center", va="center_baseline", fontsize=5.8,
                color=theme().paper if strong else theme().ink,
            )  # fmt: skip


def _label(ax: Axes, texts: list[str], legible: bool, who: tuple[str, str]) -> None:
    """Names of the pairs on all four sides: two for each triangle."""
    places = np.arange(len(texts))
    font: dict[str, Any] = {"fontsize": 7.5 if legible else 6, "family": "DejaVu Sans Mono"}
    ax.set_xticks(places, texts, rotation=90, **font)
    ax.set_yticks(places + 1, texts, **font)
    above, right = ax.secondary_xaxis("top"), ax.secondary_yaxis("right")
    above.set_xticks(places + 1, texts, rotation=90, **font)
    right.set_yticks(places, texts, **font)
    for edge in (above, right):
        edge.tick_params(length=0)
        edge.spines[:].set_visible(False)
    above.set_xlabel(f"two lower cards ({who[0]})", fontsize=9)
    right.set_ylabel(f"two higher cards ({who[0]})", fontsize=9)
    ax.set_xlabel(f"two higher cards ({who[1]})", fontsize=9)
    ax.set_ylabel(f"two lower cards ({who[1]})", fontsize=9)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
