"""The figure of strength: all hands at a glance, phase by phase."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from musodds.arrays import Floats
from musodds.chances.odds_table import table_columns
from musodds.report.plots.style import grid, headline, new_axes, theme
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game
from musodds.rules.hands import PARES_NAMES, Hands, hands

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_HEIGHT = 0.152
"""Of a phase's strip, in parts of the axes; the rest is the room between two."""

_LETTER = 1.0
"""Parts in a hundred of the width that a letter takes: a play dealt less often is not named."""


def strength_data(game: str | Game = "mus", hand: str | None = None) -> pd.DataFrame:
    """What :func:`plot_strength` draws: every hand in every phase, from weak to strong.

    Parameters
    ----------
    game : str or Game, optional
    hand : str, optional
        Marked in the figure; the table is the same.

    Returns
    -------
    DataFrame
        ``phase``, ``hand``, ``play``, ``dealt`` (share of all deals), ``weaker`` (share of
        the hands before it) and ``win_1`` ... (chance that the side of that seat takes it).
    """
    import pandas as pd

    game = get_game(game)
    all_hands = hands(game)
    dealt = all_hands.ways / all_hands.ways.sum()
    win = table_columns(game)["win"].reshape(len(all_hands), game.seats, len(PHASES))
    parts = []
    for j, phase in enumerate(PHASES):
        plays = _plays(game, all_hands, phase)
        levels = all_hands.level[phase]
        order = np.lexsort((win[:, 0, j], levels))
        parts.append(
            pd.DataFrame({
                "phase": phase,
                "hand": np.array(all_hands.texts)[order],
                "play": np.array(plays)[order],
                "dealt": dealt[order],
                "weaker": np.cumsum(dealt[order]) - dealt[order],
                **{f"win_{i + 1}": win[order, i, j] for i in range(game.seats)},
            })
        )  # fmt: skip
    return pd.concat(parts, ignore_index=True)


def _plays(game: Game, all_hands: Hands, phase: str) -> list[str]:
    """What each hand has in a phase, in words short enough for a mark."""
    if phase in ("grande", "chica"):
        # From high to low: the first kind is the best of grande, the last that of chica.
        kind = 0 if phase == "grande" else -1
        symbol = game.deck.kinds[kind].symbol
        return [symbol * int(number) or f"no {symbol}" for number in all_hands.counts[:, kind]]
    if phase == "pares":
        return [PARES_NAMES[kind] for kind in all_hands.pares_type]
    takes_part = all_hands.level[phase] > 0
    without = "no juego" if phase == "juego" else "juego"
    points = zip(all_hands.points, takes_part, strict=True)
    return [str(total) if part else without for total, part in points]


def plot_strength(
    game: str | Game = "mus", *, hand: str | None = None, ax: Axes | None = None
) -> Axes:
    """All hands in all phases: the chance that my side takes each, from mano to postre.

    Parameters
    ----------
    game : str or Game, optional
    hand : str, optional
        A hand to find in every phase.
    ax : matplotlib Axes, optional
        Where to draw; by default on a new figure, ``ax.figure``.

    Returns
    -------
    matplotlib Axes
        A strip for each phase, in which the hands go from the weakest to the strongest, each
        as wide as it is often dealt; the band is what the seat is worth.
    """
    game = get_game(game)
    data = strength_data(game)
    named = None if hand is None else hands(game).texts[hands(game).index(hand)]
    ax = new_axes(ax, 8.4, 8.6)
    for j, phase in enumerate(PHASES):
        strip = ax.inset_axes((0, 1 - _HEIGHT - j * 0.2, 1, _HEIGHT))
        _draw(strip, data[data["phase"] == phase], game, named)
        strip.set_ylabel(phase, rotation=0, ha="right", va="center", fontweight="bold", labelpad=12)
    ax.spines[:].set_visible(False)
    ax.set_xticks([])
    ax.set_yticks([])
    # Below the names of the lowest strip's plays.
    ax.set_xlabel(
        "hands from the weakest to the strongest in each phase, as wide as they are often dealt"
    )
    ax.set_ylabel("chance that your side takes the phase (%)", labelpad=92)
    headline(
        ax, _gist(game, data, named), "Each band goes from the best seat to the worst.\n"
        "Exact, before any discard, nothing known of the others.", left=-0.2,
    )  # fmt: skip
    return ax


def _gist(game: Game, data: pd.DataFrame, named: str | None) -> str:
    """What the figure shows, in a line."""
    first, last = data["win_1"], data[f"win_{game.seats}"]
    if named is not None:
        found = data[data["hand"] == named].set_index("phase")["win_1"]
        wins = ", ".join(f"{phase} {win:.0%}" for phase, win in found.items() if win)
        return f"{named} as mano in {game.name}: {wins}"
    lost = (data["dealt"] * (first - last)).groupby(data["phase"]).sum()
    return (
        f"{game.name}: the seat matters most in {lost.idxmax()}, mano takes it "
        f"{100 * lost.max():.1f} points more often"
    )


def _draw(strip: Axes, rows: pd.DataFrame, game: Game, named: str | None) -> None:
    """A strip: the band between the first and the last seat, and the plays below it."""
    wins = rows[[f"win_{seat + 1}" for seat in range(game.seats)]].to_numpy() * 100
    edges = np.append(rows["weaker"].to_numpy(), 1) * 100
    high, low = (np.append(edge, edge[-1]) for edge in (wins.max(axis=1), wins.min(axis=1)))
    strip.fill_between(edges, low, high, step="post", color=theme().ours, alpha=0.35, linewidth=0)
    strip.step(edges, high, where="post", color=theme().ours, linewidth=1.1)
    if named is not None:
        at = int(np.flatnonzero(rows["hand"] == named)[0])
        x = (edges[at] + edges[at + 1]) / 2
        strip.vlines(x, low[at], high[at], color=theme().theirs, linewidth=2.5)
        words = f"{high[at]:.0f} to {low[at]:.0f}"
        left = x > 50
        strip.annotate(
            words, (x, high[at]), (-5 if left else 5, 1), textcoords="offset points",
            ha="right" if left else "left", va="bottom", color=theme().theirs, fontweight="bold",
        )  # fmt: skip
    _mark_plays(strip, rows["play"].tolist(), edges)
    strip.set_xlim(0, 100)
    strip.set_ylim(0, 100)
    strip.set_yticks([0, 50, 100])
    grid(strip)
    strip.spines["left"].set_visible(False)


def _mark_plays(strip: Axes, plays: list[str], edges: Floats) -> None:
    """A short line where a play begins, its name in the middle where there is room."""
    begin = 0
    marks, names = [], []
    for play, group in groupby(plays):
        end = begin + len(list(group))
        first, last = edges[begin], edges[end]
        marks.append(first)
        middle = (first + last) / 2
        if last - first >= _LETTER * len(play):
            names.append((middle, play))
        begin = end
    strip.set_xticks(marks[1:], minor=True)
    strip.set_xticks([at for at, _ in names], [name for _, name in names], fontsize=9)
    strip.tick_params(axis="x", which="minor", length=5, color=theme().faint)
