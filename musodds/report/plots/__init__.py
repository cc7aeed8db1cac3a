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
from musodds.report.plots.chart import chart_data, plot_chart, two_seats
from musodds.report.plots.convergence import MOST_DEALS, SEED, convergence_data, plot_convergence
from musodds.report.plots.discards import discards_data, plot_discards
from musodds.report.plots.kinds import kinds_data, plot_kinds
from musodds.report.plots.prices import plot_prices, prices_data
from musodds.report.plots.scores import equity_data, plot_equity
from musodds.report.plots.seats import seats_data, seats_figure
from musodds.report.plots.signals import plot_signals, signals_data
from musodds.report.plots.stones import plot_stones, stones_data
from musodds.report.plots.strategy import plot_strategy, strategy_data, strategy_of
from musodds.report.plots.strength import plot_strength, strength_data
from musodds.report.plots.style import drawn_in
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.solver.each_solution import EachSolution
from musodds.store.files import write_atomic

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg", ".pdf")
DATA = ".csv"
"""The end of a name for the numbers that a figure draws."""

END = ".html"
"""The end of a name for a figure to point at: :mod:`musodds.report.plots.interactive`."""

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
    data : callable
        The table that is drawn, given the same: a DataFrame.
    options : tuple of str
        What may be said beside the game, such as ``hand`` or ``seat``.
    """

    summary: str
    draw: Callable[..., Figure]
    data: Callable[..., pd.DataFrame]
    options: tuple[str, ...] = ()


def _on_its_own(plot: Callable[..., Any]) -> Callable[..., Figure]:
    def draw(game: Game, **options: Any) -> Figure:
        found: Figure = plot(game=game, **options).figure
        return found

    return draw


FIGURES: dict[str, Spec] = {
    "strength": Spec(
        "all hands in all phases, from mano to postre",
        _on_its_own(plot_strength), strength_data, ("hand",),
    ),
    "chart": Spec(
        "every hand with its number in two seats",
        _on_its_own(plot_chart), chart_data, ("seat", "other", "phase"),
    ),
    "seats": Spec("what a seat is worth, phase by phase", seats_figure, seats_data, ("hand",)),
    "discards": Spec(
        "every hand before and after its best discard",
        _on_its_own(plot_discards), discards_data, ("seat", "policy"),
    ),
    "signals": Spec(
        "how a sign moves the odds of a hand",
        _on_its_own(plot_signals), signals_data, ("hand", "seat", "by", "system"),
    ),
    "stones": Spec("the stones that a deal brings", _on_its_own(plot_stones), stones_data),
    "strategy": Spec(
        "what every hand says at a point of a solved game",
        _on_its_own(plot_strategy), strategy_data,
        ("file", "line", "able", "phase", "score", "model"),
    ),
    "equity": Spec(
        "every score: the chance of winning the game",
        _on_its_own(plot_equity), equity_data, ("mano", "kind"),
    ),
    "kinds": Spec(
        "every score: the chance of winning, betting well beside en paso",
        _on_its_own(plot_kinds), kinds_data, ("mano",),
    ),
    "prices": Spec(
        "what seeing each sign of the partner's is worth",
        _on_its_own(plot_prices), prices_data, ("phase", "system"),
    ),
    "convergence": Spec(
        "a simulation on its way to the exact value",
        _on_its_own(plot_convergence), convergence_data, ("hand", "seat", "phase", "seed", "n"),
    ),
}  # fmt: skip


def figure(
    name: str, game: str | Game = "mus", *, theme: str = "light", **options: Any
) -> tuple[Figure, Head]:
    """A figure by its name, and what holds for it.

    Parameters
    ----------
    name : str
        One of :data:`FIGURES`.
    game : str or Game, optional
    theme : str, optional
        ``light`` or ``dark``.
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
        If there is no such figure or theme, or it does not know an option.

    Examples
    --------
    >>> drawn, head = figure("seats", "mus")
    >>> head["method"], len(drawn.axes)
    ('exact', 3)
    """
    spec, game, given = _asked(name, game, options)
    with drawn_in(theme):
        return spec.draw(game=game, **given), _head(name, game, given)


def figure_data(name: str, game: str | Game = "mus", **options: Any) -> pd.DataFrame:
    """The table that a figure draws, given what :func:`figure` is given.

    Examples
    --------
    >>> figure_data("stones", "mus").iloc[0].round(4).tolist()
    [0.0, 0.0779, 0.088]
    """
    spec, game, given = _asked(name, game, options)
    return spec.data(game=game, **given)


def _asked(
    name: str, game: str | Game, options: Mapping[str, Any]
) -> tuple[Spec, Game, dict[str, Any]]:
    """What is asked, checked before anything heavy begins."""
    spec = FIGURES.get(name)
    if spec is None:
        raise InputError(f"no figure {name!r}: figures are {', '.join(FIGURES)}")
    given = {key: value for key, value in options.items() if value is not None}
    for key in given:
        if key not in spec.options:
            having = [other for other, known in FIGURES.items() if key in known.options]
            raise InputError(f"figure {name} has no {key}: that is for {', '.join(having)}")
    game = get_game(game)
    for key in given.keys() & {"seat", "other"}:
        game.parse_seat(given[key])
    if name == "chart":
        two_seats(game, given.get("seat", "mano"), given.get("other"))
    if "hand" in given:
        hands(game).index(given["hand"])
    if given.get("phase", PHASES[0]) not in PHASES:
        raise InputError(f"no phase {given['phase']!r}: phases are {', '.join(PHASES)}")
    return spec, game, given


def _head(name: str, game: Game, given: Mapping[str, Any]) -> Head:
    if name == "discards":
        from musodds.report.tables.throws import best_keeps

        return best_keeps(game, given.get("policy", "best")).head
    if name == "strategy":
        return _strategy_head(game, given)
    method = "solved" if name in ("kinds", "prices") else "exact"
    head: dict[str, Any] = {"game": game.name, "method": method}
    if name == "convergence":
        sampled = {"method": "monte-carlo", "n": given.get("n", MOST_DEALS)}
        head |= {**sampled, "seed": given.get("seed", SEED)}
    return head


def _strategy_head(game: Game, given: Mapping[str, Any]) -> Head:
    """Of whom a strategy is, and how it was made."""
    asked = {key: given[key] for key in ("phase", "score", "model") if key in given}
    solved = strategy_of(given.get("file"), game, **asked)
    if isinstance(solved, EachSolution):
        n = solved.measured.deals
        return {"game": solved.game.name, "method": solved.method, "n": n, "seed": solved.seed}
    return {"game": solved.spec.game.name, "method": "solved"}


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


def check_suffix(path: str, *others: str) -> str:
    """The end of a file name that a figure, or what else may be meant, can be written to."""
    suffix = PurePath(path).suffix.lower()
    if suffix not in (*SUFFIXES, *others):
        numbers = ", one to point at to .html, its numbers to .csv" if others else ""
        raise InputError(
            f"{path!r}: a figure is written to a name that ends in .png, .svg or .pdf{numbers}"
        )
    return suffix


def to_bytes(drawn: Figure, format_name: str, dpi: int = DPI) -> bytes:
    """A figure as the content of a file, without the date or the program's version."""
    nothing: dict[str, dict[str, Any]] = {
        "png": {"Software": None},
        "svg": {"Date": None, "Creator": None},
        "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    }
    stream = BytesIO()
    with drawn_in("light"):
        drawn.savefig(stream, format=format_name, dpi=dpi, metadata=nothing[format_name])
    return stream.getvalue()
