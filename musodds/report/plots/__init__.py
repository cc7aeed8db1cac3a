"""Figures: each function takes an optional matplotlib Axes and returns the one it drew on.

All label their axes with units, use colours that colour-blind readers tell apart and
that stay apart in grey print, and need no window: they draw on a figure of their own,
``ax.figure``, which `save` writes. ``musodds plot NAME`` draws the same figures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from musodds.errors import InputError
from musodds.report.plots.decisions import plot_discards, plot_signals
from musodds.report.plots.scores import plot_equity
from musodds.report.plots.simulated import MOST_DEALS, SEED, plot_convergence, plot_stones
from musodds.report.plots.strength import plot_chart, plot_seats, plot_strength
from musodds.report.plots.style import RC, new_figure
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.store.files import write_atomic

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg", ".pdf")
DPI = 130

Head = Mapping[str, Any]
"""What holds for a figure: game, hand, method, n, seed."""


@dataclass(frozen=True)
class Spec:
    """A figure that can be asked for by name.

    Parameters
    ----------
    summary : str
    draw : callable
        Draws it, given the game and the options.
    options : tuple of str
        What may be said beside the game: ``hand``, ``seat``, ``phase``, ``policy``, ``by``,
        ``seed``, ``n``.
    """

    summary: str
    draw: Callable[..., Figure]
    options: tuple[str, ...] = ()


def _on_its_own(plot: Callable[..., Any]) -> Callable[..., Figure]:
    def draw(game: Game, **options: Any) -> Figure:
        found: Figure = plot(game=game, **options).figure
        return found

    return draw


def _seats(game: Game, hand: str | None = None) -> Figure:
    drawn = new_figure(13.5, 4.2)
    for ax, column in zip(drawn.subplots(1, 3), ("best", "win", "net"), strict=True):
        legend = plot_seats(game, column=column, hand=hand, ax=ax).get_legend()
        if legend is not None and column != "best":
            legend.remove()  # one is enough
    return drawn


FIGURES: dict[str, Spec] = {
    "strength": Spec("all hands, phases and seats at once", _on_its_own(plot_strength)),
    "chart": Spec("every hand with its number", _on_its_own(plot_chart), ("seat", "phase")),
    "seats": Spec("what a seat is worth, phase by phase", _seats, ("hand",)),
    "discards": Spec(
        "every hand before and after its best discard",
        _on_its_own(plot_discards),
        ("seat", "policy"),
    ),
    "signals": Spec(
        "how a sign moves the odds of a hand", _on_its_own(plot_signals), ("hand", "seat", "by")
    ),
    "stones": Spec("the stones that a deal brings", _on_its_own(plot_stones)),
    "equity": Spec("every score: the chance of winning the game", _on_its_own(plot_equity)),
    "convergence": Spec(
        "a simulation on its way to the exact value",
        _on_its_own(plot_convergence),
        ("hand", "seat", "phase", "seed", "n"),
    ),
}


def figure(name: str, game: str | Game = "mus", **options: Any) -> tuple[Figure, Head]:
    """A figure by its name, and what holds for it.

    Parameters
    ----------
    name : str
        One of :data:`FIGURES`.
    game : str or Game, optional
    **options
        See :class:`Spec`; those that are None are left out.

    Returns
    -------
    matplotlib Figure
    mapping of str to object
        ``game``, ``method`` and, for simulated figures, ``n`` and ``seed``.

    Raises
    ------
    InputError
        If there is no such figure, or it does not know an option.

    Examples
    --------
    >>> drawn, head = figure("seats", "mus")
    >>> head["method"], len(drawn.axes)
    ('exact', 3)
    """
    from matplotlib import rc_context

    spec = FIGURES.get(name)
    if spec is None:
        raise InputError(f"no figure {name!r}: figures are {', '.join(FIGURES)}")
    given = {key: value for key, value in options.items() if value is not None}
    for key in given:
        if key not in spec.options:
            having = [other for other, known in FIGURES.items() if key in known.options]
            raise InputError(f"figure {name} has no {key}: that is for {', '.join(having)}")
    game = get_game(game)
    if "seat" in given:
        game.parse_seat(given["seat"])
    if "hand" in given:
        hands(game).index(given["hand"])
    if given.get("phase", PHASES[0]) not in PHASES:
        raise InputError(f"no phase {given['phase']!r}: phases are {', '.join(PHASES)}")
    with rc_context(RC):
        return spec.draw(game, **given), _head(name, game, given)


def _head(name: str, game: Game, given: Mapping[str, Any]) -> Head:
    if name == "discards":
        from musodds.report.tables.throws import best_keeps

        return best_keeps(game, given.get("policy", "best")).head
    head: dict[str, Any] = {"game": game.name, "method": "exact"}
    if name == "convergence":
        sampled = {"method": "monte-carlo", "n": given.get("n", MOST_DEALS)}
        head |= {**sampled, "seed": given.get("seed", SEED)}
    return head


def save(drawn: Figure, path: str, dpi: int = DPI) -> None:
    """Write a figure: PNG, SVG or PDF by the end of the name, the same bytes every time.

    Raises
    ------
    InputError
        If the name ends in something else.
    OutputError
        If the file cannot be written.
    """
    suffix = check_suffix(path)
    write_atomic(path, to_bytes(drawn, suffix.lstrip("."), dpi))


def check_suffix(path: str) -> str:
    """The end of a file name that a figure can be written to."""
    suffix = PurePath(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(f"{path!r}: a figure is written to a name that ends in .png, .svg or .pdf")
    return suffix


def to_bytes(drawn: Figure, format_name: str, dpi: int = DPI) -> bytes:
    """A figure as the content of a file, without the date or the program's version."""
    from matplotlib import rc_context

    nothing: dict[str, dict[str, Any]] = {
        "png": {"Software": None},
        "svg": {"Date": None, "Creator": None},
        "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    }
    stream = BytesIO()
    with rc_context(RC):
        drawn.savefig(stream, format=format_name, dpi=dpi, metadata=nothing[format_name])
    return stream.getvalue()
