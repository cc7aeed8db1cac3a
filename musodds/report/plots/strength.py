"""Figures of strength: all hands at a glance, and what a seat is worth."""

from __future__ import annotations

from itertools import combinations_with_replacement, pairwise
from typing import TYPE_CHECKING

import numpy as np

from musodds.arrays import Floats
from musodds.chances.odds_table import table_columns
from musodds.exact.phases.columns import COLUMNS
from musodds.report.plots.style import (
    CHANCES,
    FAINT,
    INK,
    SEAT_SHADES,
    grid,
    minus,
    new_axes,
    seat_words,
)
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LABELS = {
    "win": "your side takes the phase (%)",
    "best": "your own hand takes the phase (%)",
    "net": "net stones of your side, en paso",
}


def plot_strength(game: str | Game = "mus", *, ax: Axes | None = None) -> Axes:
    """All hands, phases and seats at once: the chance that my side takes each phase.

    Parameters
    ----------
    game : str or Game, optional
    ax : matplotlib Axes, optional
        Where to draw; by default on a new figure, ``ax.figure``.

    Returns
    -------
    matplotlib Axes
        A column is a hand, from the best grande to the worst; a row a phase and a seat.
    """
    game = get_game(game)
    all_hands = hands(game)
    win = _cube(game)[..., COLUMNS.index("win")]
    gap = np.full((1, len(all_hands)), np.nan)
    rows = [block for j in range(len(PHASES)) for block in (win[:, :, j].T, gap)][:-1]
    ax = new_axes(ax, 11, 5.4)
    image = ax.imshow(
        np.concatenate(rows) * 100, aspect="auto", cmap=CHANCES, vmin=0, vmax=100,
        interpolation="nearest",
    )  # fmt: skip
    height = game.seats + 1
    names = ["mano", *map(str, range(2, game.seats)), "postre"]
    ax.set_yticks(
        [height * j + i for j in range(len(PHASES)) for i in range(game.seats)],
        names * len(PHASES),
        fontsize=7.5,
    )
    for j, phase in enumerate(PHASES):
        middle = height * j + (game.seats - 1) / 2
        ax.text(
            -0.075, middle, phase, transform=ax.get_yaxis_transform(), rotation=90,
            ha="center", va="center", fontweight="bold",
        )  # fmt: skip
    _mark_first_cards(ax, game)
    ax.set_xlabel(
        f"the {len(all_hands)} hands, from the best in grande ({all_hands.texts[0]}) to the worst "
        f"({all_hands.texts[-1]}), by their highest card"
    )
    ax.set_title(f"How strong is every hand? {game.name}, before any discard")
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    bar = ax.figure.colorbar(image, ax=ax, pad=0.01, aspect=30)
    bar.set_label(LABELS["win"])
    bar.outline.set_visible(False)
    return ax


def _mark_first_cards(ax: Axes, game: Game) -> None:
    """A tick in the middle of the hands with the same highest card, a line between."""
    first = np.array([cards[0] for cards in hands(game).cards])
    starts = np.flatnonzero(np.diff(first, prepend=-1)).tolist()
    for start in starts[1:]:
        ax.axvline(start - 0.5, color="white", linewidth=1)
    symbols = [game.deck.kinds[first[start]].symbol for start in starts]
    # The last cards head few hands: they share a label.
    wide = [i for i, start in enumerate(starts) if len(first) - start > len(first) / 40]
    last = wide[-1]
    symbols[last:] = [" ".join(symbols[last:])]
    edges = [*starts[: last + 1], len(first)]
    ax.set_xticks([(start + end - 1) / 2 for start, end in pairwise(edges)], symbols)


def plot_chart(
    game: str | Game = "mus",
    *,
    seat: int | str = "mano",
    phase: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Every hand of a game in its own cell, with its number.

    Parameters
    ----------
    game : str or Game, optional
    seat : int or str, optional
    phase : str, optional
        The chance, in percent, that my side takes this phase; by default the net stones
        over all phases.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
        A row is the two higher cards of a hand, a column the two lower.
    """
    game = get_game(game)
    place = game.parse_seat(seat)
    values = _values(game, place, phase)
    pairs = list(combinations_with_replacement(range(len(game.deck.kinds)), 2))
    where = {pair: i for i, pair in enumerate(pairs)}
    table = np.full((len(pairs), len(pairs)), np.nan)
    for cards, value in zip(hands(game).cards, values, strict=True):
        first, second, third, fourth = cards
        table[where[first, second], where[third, fourth]] = value
    size = 0.29 * len(pairs)
    # Laid out by hand: to find room for so many labels would take seconds.
    room = (0.065, 0.055, 0.925, 0.88)
    ax = new_axes(ax, size + 0.8, size + 0.9, room)
    limits = (0.0, 100.0) if phase else (float(np.nanmin(table)), float(np.nanmax(table)))
    image = ax.imshow(table, cmap=CHANCES, vmin=limits[0], vmax=limits[1])
    middle = sum(limits) / 2
    for (row, column), value in np.ndenumerate(table):
        if not np.isnan(value):
            text = f"{value:.0f}" if phase else minus(f"{value:+.1f}")
            ax.text(
                column, row, text, ha="center", va="center_baseline", fontsize=5.6,
                color="black" if value > middle else "white",
            )  # fmt: skip
    texts = [game.deck.text(pair) for pair in pairs]
    ax.set_xticks(range(len(pairs)), texts, fontsize=7, family="DejaVu Sans Mono", rotation=90)
    ax.set_yticks(range(len(pairs)), texts, fontsize=7, family="DejaVu Sans Mono")
    ax.tick_params(length=0, labeltop=True)
    ax.set_xlabel("the two lower cards")
    ax.set_ylabel("the two higher cards")
    ax.spines[:].set_visible(False)
    what = f"the chance to take {phase}" if phase else "net stones of a deal"
    ax.set_title(f"Every hand of {game.name} as {seat_words(game, place)}: {what}", fontsize=14)
    # Half of the square is empty: a hand's lower cards are not above its higher ones.
    inset = ax.inset_axes((0.04, 0.22, 0.34, 0.018))
    bar = ax.figure.colorbar(image, cax=inset, orientation="horizontal")
    bar.set_label(LABELS["win" if phase else "net"])
    bar.outline.set_visible(False)
    ax.text(
        0.04, 0.36,
        f"{texts[1]}, then {texts[-2]}: {texts[1]}{texts[-2]}.\nExact, before any discard;\n"
        "partner and rivals hold any cards.",
        transform=ax.transAxes, fontsize=11, va="top", linespacing=1.5,
    )  # fmt: skip
    return ax


def _values(game: Game, seat: int, phase: str | None) -> Floats:
    """A number per hand: percent, or net stones."""
    cube = _cube(game)[:, seat - 1]
    if phase is not None:
        chance: Floats = cube[:, PHASES.index(phase), COLUMNS.index("win")] * 100
        return chance
    net: Floats = _net(cube).sum(axis=-1)
    return net


def _net(cube: Floats) -> Floats:
    net: Floats = (
        cube[..., COLUMNS.index("stones_for")] - cube[..., COLUMNS.index("stones_against")]
    )
    return net


def _cube(game: Game) -> Floats:
    """The odds table, shape (hands, seats, phases, columns)."""
    columns = table_columns(game)
    shape = len(hands(game)), game.seats, len(PHASES)
    return np.stack([columns[name].reshape(shape) for name in COLUMNS], axis=-1)


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
        A bar per seat in each phase, mano's the darkest; for ``net`` also over all
        phases.
    """
    game = get_game(game)
    all_hands = hands(game)
    weights = all_hands.ways / all_hands.ways.sum()
    cube = _cube(game)
    mean = np.einsum("h,hspc->spc", weights, cube) if hand is None else cube[all_hands.index(hand)]
    if column == "net":
        values = _net(mean)
        values = np.column_stack((values, values.sum(axis=1)))
    else:
        values = mean[..., COLUMNS.index(column)] * 100
    ax = new_axes(ax, 6.4, 4)
    width = 0.8 / game.seats
    for i, row in enumerate(values):
        at = np.arange(len(row)) + (i - (game.seats - 1) / 2) * width
        ax.bar(
            at, row, width, color=SEAT_SHADES[i], edgecolor=INK, linewidth=0.5,
            label=seat_words(game, i + 1),
        )  # fmt: skip
    ax.set_xticks(range(values.shape[1]), [*PHASES, "all"][: values.shape[1]])
    ax.set_ylabel(LABELS[column])
    held = f" with {all_hands.texts[all_hands.index(hand)]}" if hand else ""
    ax.set_title({"best": "Your own hand", "win": "Your side", "net": "Stones"}[column] + held)
    ax.legend(fontsize=9, handlelength=1.2)
    grid(ax)
    ax.spines["left"].set_visible(False)
    if column == "net":
        ax.axhline(0, color=INK, linewidth=0.8)
        ax.axvline(len(PHASES) - 0.5, color=FAINT, linewidth=0.8)
        ax.spines["bottom"].set_visible(False)
    return ax
