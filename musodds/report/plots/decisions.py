"""Figures of decisions: what a discard is worth, and what a sign tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from musodds.report.plots.style import (
    CHANGES,
    FAINT,
    GREEN,
    INK,
    ORANGE,
    grid,
    minus,
    new_axes,
    seat_words,
)
from musodds.report.tables import table
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAMED = ("RRRA", "RRRC", "RRCC", "RRAA", "RR7A", "CCC5", "R777", "AAAA", "7766", "7654")
"""Hands that the figure of discards names, where the game has them."""


def plot_discards(
    game: str | Game = "mus",
    *,
    seat: int | str = "mano",
    policy: str = "best",
    ax: Axes | None = None,
) -> Axes:
    """Net stones of every hand as dealt and after its best discard.

    Parameters
    ----------
    game : str or Game, optional
    seat : int or str, optional
    policy : str, optional
        ``best`` (all play the solved policy) or ``solo`` (you alone draw).
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
        A point is a hand: above the line the discard gains, below it costs.
    """
    game = get_game(game)
    place = game.parse_seat(seat)
    found = table("discards", game, place, policy=policy).values
    before, after = found["net_dealt"], found["net"]
    size = np.sqrt(hands(game).ways) * 1.6 + 4
    gains = after > before
    ax = new_axes(ax, 7.6, 6.4)
    left, right = before.min() - 0.5, before.max() + 0.5
    low, high = after.min() - 0.5, after.max() + 0.7
    ax.plot([low, right], [low, right], color=FAINT, linewidth=1)
    for chosen, colour, marker, words in (
        (gains, GREEN, "o", "mus gains"),
        (~gains, ORANGE, "^", "cutting is better"),
    ):
        share = hands(game).ways[chosen].sum() / hands(game).ways.sum()
        ax.scatter(
            before[chosen], after[chosen], size[chosen], color=colour, marker=marker, alpha=0.55,
            linewidths=0.4, edgecolors=INK, label=f"{words}: {share:.0%} of hands dealt",
        )  # fmt: skip
    for i, name in enumerate(found["hand"].tolist()):
        if name in NAMED:
            keep = "none" if found["keep"][i] == "-" else found["keep"][i]
            # Away from the line, and from the thick of the hands.
            over = gains[i] and after[i] > low + 1
            ax.annotate(
                f"{name}: keep {keep}" if gains[i] else name, (before[i], after[i]),
                (-10, 16) if over else (8, -16), textcoords="offset points", fontsize=8.5,
                ha="right" if over else "left",
                arrowprops={"arrowstyle": "-", "color": FAINT, "linewidth": 0.7},
            )  # fmt: skip
    ax.set_xlim(left, right)
    ax.set_ylim(low, high)
    ax.set_xlabel("net stones with the cards as dealt (exact)")
    how = "exact; you alone draw" if policy == "solo" else "simulated; all play the solved policy"
    ax.set_ylabel(f"net stones after the best discard ({how})")
    ax.set_title(f"What a discard is worth to {seat_words(game, place)} in {game.name}")
    ax.legend(loc="upper left")
    grid(ax, "both")
    return ax


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
    data = table("signals", game, place, hand=hand, by=(by,), system=system)
    shape = -1, len(PHASES)
    values = {name: column.reshape(shape) for name, column in data.values.items()}
    # The first row is silence; a sign that any hand may make says nothing either.
    tells = np.flatnonzero(values["chance"][:, 0] < 1)
    order = tells[np.argsort(-values["net_change"][tells, 0], kind="stable")]
    change = values["win_change"][order] * 100
    net = values["net_change"][order, :1]
    ax = new_axes(ax, 8.6, 0.42 * len(order) + 1.9)
    # Stones on a scale of their own, and a little apart.
    scaled = np.hstack((change / 60, np.full((len(order), 1), np.nan), net / 4))
    edges = np.array([0, 1, 2, 3, 4, 5, 5.2, 6.2])
    ax.pcolormesh(edges, np.arange(len(order) + 1), scaled, cmap=CHANGES, vmin=-1.15, vmax=1.15)
    ax.invert_yaxis()
    middles = (edges[1:] + edges[:-1]) / 2
    for (row, column), value in np.ndenumerate(scaled):
        if not np.isnan(value):
            in_stones = column > len(PHASES)
            text = f"{net[row, 0]:+.1f}" if in_stones else f"{change[row, column]:+.0f}"
            ax.text(
                middles[column], row + 0.5, minus(text), ha="center", va="center",
                color="white" if abs(value) > 0.75 else INK,
            )  # fmt: skip
    signs = values["signal"][order, 0]
    chances = values["chance"][order, 0]
    ax.set_yticks(
        np.arange(len(order)) + 0.5,
        [f"{sign}  ({_share(chance)})" for sign, chance in zip(signs, chances, strict=True)],
    )
    before = [f"{phase}\n{win:.0%}" for phase, win in zip(PHASES, values["win"][0], strict=True)]
    stones = minus(f"{values['net'][0, 0]:+.1f}")
    ax.set_xticks(middles[[0, 1, 2, 3, 4, 6]], [*before, f"net stones\n{stones}"])
    ax.tick_params(length=0, top=False, labeltop=True, labelbottom=False)
    ax.spines[:].set_visible(False)
    text = data.head["hand"]
    who = {
        "partner": "your partner's",
        "next": "the next rival's",
        "previous": "the previous rival's",
    }
    ax.set_ylabel("sign  (chance of such a hand)")
    ax.set_xlabel("change in the chance to take the phase (percentage points), and in net stones")
    ax.set_title(f"{text}, {seat_words(game, place)}: what {who[by]} sign tells", pad=12)
    return ax


def _share(chance: float) -> str:
    return f"{chance:.1%}" if chance >= 0.0005 else "<0.1%"
