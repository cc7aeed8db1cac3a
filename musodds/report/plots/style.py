"""How figures look: one style, in light and dark, for colour-blind eyes and grey print."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple

from musodds.errors import InputError
from musodds.rules.game import Game

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure


class Theme(NamedTuple):
    """The colours of a figure.

    Attributes
    ----------
    paper, ink, faint, line : str
        The ground, what is written, what is said beside it, and lines to read values by.
    zero : str
        The middle of a map of what has a sign: just apart from the paper.
    ours, theirs : str
        The two sides, or what gains and what costs: from M. Okabe and K. Ito's palette.
    seats : tuple of str
        Mano first: each further from the ink than the one before.
    ends : tuple of str
        The colours of the highest and the lowest value of such a map.
    """

    paper: str
    ink: str
    faint: str
    line: str
    zero: str
    ours: str
    theirs: str
    seats: tuple[str, ...]
    ends: tuple[str, str]


THEMES = {
    "light": Theme(
        paper="#ffffff", ink="#1f2328", faint="#6a7079", line="#e4e6e9", zero="#f4f4f5",
        ours="#0072B2", theirs="#D55E00",
        seats=("#08306b", "#2f79b5", "#7fb8da", "#c3d9ec", "#dfe7ee", "#eef1f4"),
        ends=("#08407a", "#a63c00"),
    ),
    "dark": Theme(
        paper="#15181c", ink="#eceef0", faint="#9aa2ab", line="#30353b", zero="#24292f",
        ours="#56B4E9", theirs="#F0803C",
        seats=("#e6f2fb", "#8cc6ec", "#4a97cc", "#2b6695", "#24506f", "#1e3d52"),
        ends=("#7cc8f5", "#ff9a5c"),
    ),
}  # fmt: skip

_theme: ContextVar[Theme] = ContextVar("theme", default=THEMES["light"])


def theme() -> Theme:
    """The colours in which figures are drawn now."""
    return _theme.get()


@contextmanager
def drawn_in(name: str = "light") -> Iterator[None]:
    """Draw what is drawn within in a theme of :data:`THEMES`.

    Raises
    ------
    InputError
        If there is no such theme.
    """
    from matplotlib import rc_context

    if name not in THEMES:
        raise InputError(f"no theme {name!r}: themes are {', '.join(THEMES)}")
    token = _theme.set(THEMES[name])
    try:
        with rc_context(rc(THEMES[name])):
            yield
    finally:
        _theme.reset(token)


def rc(colours: Theme) -> Any:
    """What matplotlib is told of a theme."""
    return {
        "font.family": "sans-serif",
        "font.sans-serif": ["DejaVu Sans"],
        "font.size": 11,
        "figure.facecolor": colours.paper,
        "axes.facecolor": colours.paper,
        "axes.edgecolor": colours.faint,
        "axes.labelcolor": colours.ink,
        "axes.titlecolor": colours.ink,
        "axes.titlesize": 13,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "text.color": colours.ink,
        "xtick.color": colours.ink,
        "ytick.color": colours.ink,
        "legend.frameon": False,
        "hatch.linewidth": 0.8,
        "svg.hashsalt": "musodds",
        "svg.fonttype": "none",
    }


def changes() -> LinearSegmentedColormap:
    """A colour map for what has a sign: the paper's colour at its middle."""
    from matplotlib.colors import LinearSegmentedColormap

    high, low = theme().ends
    return LinearSegmentedColormap.from_list("changes", [low, theme().zero, high])


def new_axes(ax: Axes | None, width: float, height: float) -> Axes:
    """The axes given, or those of a new figure of that size in inches."""
    return new_figure(width, height).add_subplot() if ax is None else ax


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of that size in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def headline(ax: Axes, title: str, subtitle: str, *, above: float = 8, left: float = 0) -> None:
    """What is seen, in bold; under it what it is of.

    Parameters
    ----------
    ax : matplotlib Axes
    title, subtitle : str
    above : float, optional
        Points between the axes and the subtitle.
    left : float, optional
        Where the lines begin, in parts of the axes: below 0 over wide labels of rows.
    """
    lines = subtitle.count("\n") + 1
    ax.set_title(title, pad=above + 2 + 15 * lines, x=left, loc="left")
    ax.annotate(
        subtitle, (left, 1), (0, above), xycoords="axes fraction", textcoords="offset points",
        color=theme().faint, fontsize=10, va="bottom", linespacing=1.3,
    )  # fmt: skip


def grid(ax: Axes, axis: str = "y") -> None:
    """Faint lines to read values by."""
    which: Any = axis
    ax.grid(axis=which, color=theme().line, linewidth=0.8)
    ax.tick_params(length=0)


def minus(text: str) -> str:
    """A number with a proper minus, and none before a zero."""
    if not text.strip("+-0.%"):
        text = text.lstrip("+-")
    return text.replace("-", "−")


def seat_words(game: Game, seat: int) -> str:
    """*mano*, *postre* or *seat 2*."""
    name = game.seat_name(seat)
    return f"seat {name}" if name == str(seat) else name
