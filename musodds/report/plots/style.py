"""How figures look: ink, colours that survive colour blindness and grey print, axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from musodds.rules.game import Game

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#222222"
FAINT = "#8a8a8a"

# From M. Okabe and K. Ito's palette, from dark to light: apart in grey as well.
BLUE, GREEN, ORANGE, SKY, YELLOW = "#0072B2", "#009E73", "#D55E00", "#56B4E9", "#F0E442"

SEAT_SHADES = ("#08306b", "#2f79b5", "#7fb8da", "#d3e3f3", "#efefef", "#ffffff")
"""One blue per seat, dark for mano, lighter the later a seat speaks."""

CHANCES = "cividis"
"""Colour map whose lightness grows evenly, for chances and stones."""

CHANGES = "PuOr_r"
"""Colour map with white at no change; figures that use it print the numbers too."""

RC: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "svg.hashsalt": "musodds",
    "svg.fonttype": "path",
}


def new_axes(
    ax: Axes | None,
    width: float,
    height: float,
    room: tuple[float, float, float, float] | None = None,
) -> Axes:
    """The axes given, or those of a new figure of that size in inches.

    ``room`` (left, bottom, width, height in parts of the figure) is for axes that are not
    laid out automatically.
    """
    if ax is not None:
        return ax
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(RC):
        if room is not None:
            return Figure(figsize=(width, height)).add_axes(room)
        return Figure(figsize=(width, height), layout="constrained").add_subplot()


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of that size in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def grid(ax: Axes, axis: str = "y") -> None:
    """Faint lines to read values by."""
    which: Any = axis
    ax.grid(axis=which, color="#e3e3e3", linewidth=0.8)
    ax.tick_params(length=0)


def minus(text: str) -> str:
    """A number with a proper minus, and none before a zero."""
    if not text.strip("+-0."):
        text = text.lstrip("+-")
    return text.replace("-", "−")


def seat_words(game: Game, seat: int) -> str:
    """*mano*, *postre* or *seat 2*."""
    name = game.seat_name(seat)
    return f"seat {name}" if name == str(seat) else name
