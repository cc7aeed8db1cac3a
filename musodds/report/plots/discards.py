"""The figure of discards: what every hand is worth before and after its best discard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from musodds.arrays import Floats, Mask
from musodds.report.plots.style import grid, headline, new_axes, seat_words, theme
from musodds.report.tables import table
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

NAMED = ("RRRA", "RRCC", "RRAA", "CCC5", "AAAA", "7654")
"""Hands that the figure names, where the game has them."""

_STONE, _NAME = 51, (0.5, 0.28)
"""Points of a stone on the axes, and half of what a name covers, in stones."""

_PLACES = ((26, -26), (26, 26), (-26, -26), (-26, 26), (34, -42), (-34, -42), (34, 42), (-34, 42))
"""Where a name may stand from its hand, in points."""

_BIN = 0.25
"""Stones: hands within a square of that edge are drawn as one."""

_LARGEST = 0.02
"""The share of deals whose mark fills its square."""


def discards_data(
    game: str | Game = "mus", *, seat: int | str = "mano", policy: str = "best"
) -> pd.DataFrame:
    """What :func:`plot_discards` draws: ``hand``, ``dealt``, ``keep``, ``before`` and ``after``.

    ``before`` are net stones with the cards as dealt, ``after`` those with the best keep.
    """
    import pandas as pd

    game = get_game(game)
    found = table("discards", game, game.parse_seat(seat), policy=policy).values
    return pd.DataFrame({
        "hand": found["hand"],
        "dealt": hands(game).ways / hands(game).ways.sum(),
        "keep": found["keep"],
        "before": found["net_dealt"],
        "after": found["net"],
    })  # fmt: skip


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
        ``best`` (against others who play the solved policy, where they all say mus) or
        ``solo`` (you alone draw).
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
        A square is the hands within a quarter of a stone of each other, as large as they are
        often dealt: above the line the discard gains, below it costs. Above and beside it how
        often hands are worth so much before and after.
    """
    game = get_game(game)
    place = game.parse_seat(seat)
    data = discards_data(game, seat=place, policy=policy)
    before, after, dealt = (data[name].to_numpy() for name in ("before", "after", "dealt"))
    gains = after > before
    ax = new_axes(ax, 7.6, 8.4)
    low = np.floor(min(before.min(), after.min()))
    high = np.ceil(max(before.max(), after.max()))
    ax.plot([low, high], [low, high], color=theme().faint, linewidth=1)
    ax.set_xlim(low, high)
    ax.set_ylim(low, high)
    ax.set_aspect("equal", "box")
    for chosen, colour, words, at, ha in (
        (gains, theme().ours, "the discard gains", (0.03, 0.97), "left"),
        (~gains, theme().theirs, "it costs: cut", (0.97, 0.03), "right"),
    ):
        _squares(ax, before, after, dealt, chosen, colour)
        ax.text(
            *at, f"{words}\n{dealt[chosen].sum():.0%} of hands dealt", transform=ax.transAxes,
            color=colour, fontweight="bold", ha=ha, va="top" if ha == "left" else "bottom",
        )  # fmt: skip
    _name_hands(ax, data)
    _key(ax)
    _margins(ax, before, after, dealt)
    solo = policy == "solo"
    ax.set_xlabel(
        f"net stones with the cards as dealt ({'exact' if solo else 'in the same deals'})"
    )
    how = "exact: you alone draw" if solo else "simulated: where all the others say mus"
    ax.set_ylabel(f"net stones after the best discard ({how})")
    grid(ax, "both")
    gain = float(dealt @ np.maximum(after - before, 0))
    who = seat_words(game, place)
    told = (
        f"{game.name}: a round of mus gains {who} {gain:.2f} stones a deal" if solo
        else f"{game.name}: what {who} gains by mus that all agree to"
    )  # fmt: skip
    under = (
        "if he may choose, and if the others always agreed"
        if solo
        else ("against others who play the solved policy")
    )
    headline(
        ax, told, f"{under}. Squares: hands within a quarter of a\n"
        "stone, as large as they are often dealt.", above=72,
    )  # fmt: skip
    return ax


def _squares(
    ax: Axes, before: Floats, after: Floats, dealt: Floats, chosen: Mask, colour: str
) -> None:
    """One square for the hands of a cell, its area their share."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    cells = np.floor(np.column_stack((before, after))[chosen] / _BIN).astype(int)
    places, which = np.unique(cells, axis=0, return_inverse=True)
    shares: Floats = np.bincount(which.reshape(-1), dealt[chosen]).astype(np.float64)
    edges = _edge(shares)
    corners = (places + 0.5) * _BIN - edges[:, None] / 2
    patches = [Rectangle((x, y), edge, edge) for (x, y), edge in zip(corners, edges, strict=True)]
    ax.add_collection(PatchCollection(patches, facecolor=colour, linewidth=0, zorder=2))


def _edge(share: Floats) -> Floats:
    """The edge of a square of that share of deals, in stones; seen even where it is rare."""
    return np.maximum(0.92 * _BIN * np.sqrt(np.minimum(share / _LARGEST, 1)), 0.05)


def _name_hands(ax: Axes, data: pd.DataFrame) -> None:
    named = data[data["hand"].isin(NAMED)]
    points, every = named[["before", "after"]].to_numpy(), data[["before", "after"]].to_numpy()
    for hand, keep, (before, after) in zip(named["hand"], named["keep"], points, strict=True):
        gains = after > before
        keeping = "none" if keep == "-" else keep
        offset = _free((before, after), every)
        # A name is more in the way of those that follow than hands are.
        name = np.array((before, after)) + np.array(offset) / _STONE
        every = np.vstack((every, np.tile(name, (len(data), 1))))
        ax.annotate(
            f"{hand}: keep {keeping}" if gains else hand, (before, after),
            (-12, -46) if gains else offset, textcoords="offset points",
            fontsize=9, ha="left" if gains else "center", va="center",
            arrowprops={"arrowstyle": "-", "color": theme().faint, "linewidth": 0.7},
        )  # fmt: skip


def _free(point: tuple[float, float], every: Floats) -> tuple[int, int]:
    """Where from a point, in points, its name covers the fewest hands and stays inside."""

    def covered(offset: tuple[int, int]) -> int:
        middle = np.asarray(point) + np.asarray(offset) / _STONE
        outside = bool(middle[0] > every[:, 0].max())
        return len(every) * outside + int((np.abs(every - middle) < _NAME).all(axis=1).sum())

    return min(_PLACES, key=covered)


def _key(ax: Axes) -> None:
    """What the sizes mean."""
    from matplotlib.patches import Rectangle

    low = ax.get_xlim()[0]
    high = ax.get_ylim()[1]
    for i, share in enumerate((0.001, 0.005, 0.02)):
        edge = float(_edge(np.array([share]))[0])
        y = high - 1.4 - 0.42 * i
        ax.add_patch(
            Rectangle((low + 0.45 - edge / 2, y - edge / 2), edge, edge, color=theme().ink)
        )
        ax.text(low + 0.75, y, f"{share:.1%} of deals", va="center", fontsize=9)


def _margins(ax: Axes, before: Floats, after: Floats, dealt: Floats) -> None:
    """How often hands are worth so much, before above the square and after beside it."""
    low, high = ax.get_xlim()
    edges = (np.arange(np.floor(low / _BIN), np.ceil(high / _BIN) + 1) * _BIN).tolist()
    above = ax.inset_axes((0, 1.01, 1, 0.09), sharex=ax)
    beside = ax.inset_axes((1.01, 0, 0.09, 1), sharey=ax)
    above.hist(before, edges, weights=dealt, color=theme().faint)
    beside.hist(after, edges, weights=dealt, color=theme().faint, orientation="horizontal")
    for margin in (above, beside):
        margin.set_axis_off()
