"""The figure of a review: the course of the chance of winning, deal by deal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from musodds.report.plots.style import drawn_in, grid, headline, new_axes, theme
from musodds.strategy.review_result import BLUNDER, Review

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_DEALS = 13
"""Deals that are named below the figure, at most."""

_LIFT = 8
"""Points, of a name above its place."""

_MOST_WORDS = 14
"""Blunders that are named in the figure; with more the worst ones are."""


def plot_review(found: Review, *, ax: Axes | None = None) -> Axes:
    """The chance of the first side through the record, with all cards known.

    Parameters
    ----------
    found : Review
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
        A step for each point of the course, a line before each deal; the decisions that
        cost the most are named where they were made.
    """
    ax = new_axes(ax, 10, 4.6)
    points = found.course
    chances = [100 * point.chance for point in points]
    ax.plot(range(len(points)), chances, drawstyle="steps-post", color=theme().ours, linewidth=1.8)
    ax.axhline(50, color=theme().faint, linewidth=0.8, linestyle=":")
    begins = [i for i, point in enumerate(points) if point.point == "score"]
    for i in begins:
        new = i == 0 or points[i].game != points[i - 1].game
        ax.axvline(i, color=theme().faint, linewidth=1.4 if new else 0.6)
    named = _told_apart(begins, len(points))
    ax.set_xticks(named, [f"deal {points[i].deal}\n{points[i].score}" for i in named])
    last, lift = -len(points), float(_LIFT)
    for place, name, level in sorted(_blunders(found)):
        # Names that would stand in one another stand one above the other.
        near = place - last < len(points) / _MOST_DEALS
        last, lift = place, 2.2 * _LIFT if near and lift == _LIFT else _LIFT
        ax.plot(place, level, marker="v", color=theme().theirs, markersize=7)
        ax.annotate(
            name, (place, level), xytext=(0, lift), textcoords="offset points", fontsize=8,
            ha="center",
        )  # fmt: skip
    ax.set_ylim(-2, 112)
    ax.set_xlim(-0.3, len(points) - 0.7)
    ax.set_ylabel(f"chance of {found.sides[0]} (%)")
    ax.set_xlabel("deal, and the score before it")
    headline(
        ax, _title(found),
        "The chance to win the game through the record, all cards known, en paso.",
    )  # fmt: skip
    grid(ax)
    return ax


def review_figure(found: Review) -> Figure:
    """The figure of :func:`plot_review` on its own."""
    from matplotlib.figure import Figure

    with drawn_in():
        drawn = plot_review(found).figure
    assert isinstance(drawn, Figure)
    return drawn


def _title(found: Review) -> str:
    side, points = found.sides[0], found.course
    games = len({point.game for point in points})
    if games > 1:
        return f"{side}: {games} games, each from its first deal on"
    return f"{side}: from {100 * points[0].chance:.0f} % to {100 * points[-1].chance:.0f} %"


def _told_apart(begins: list[int], points: int) -> list[int]:
    """The deals that are named below the figure: those whose names do not run together."""
    room = points / _MOST_DEALS
    named: list[int] = []
    for place in begins:
        if not named or place - named[-1] >= room:
            named.append(place)
    return named


def _blunders(found: Review) -> list[tuple[int, str, float]]:
    """Where the worst decisions stand, who made them, and the chance there."""
    worst = sorted((one for one in found.decisions if one.mark), key=lambda one: -(one.lost or 0))
    named: dict[int, list[str]] = {}
    for one in worst[:_MOST_WORDS]:
        if (one.lost or 0) <= BLUNDER:
            break
        point = "cards" if one.phase in ("mus", "change", "visto") else one.phase
        place = next(
            i
            for i, other in enumerate(found.course)
            if other.deal == one.deal and other.point in (point, "end")
        )
        named.setdefault(place, []).append(one.player)
    return [
        (place, f"{', '.join(dict.fromkeys(names))} ??", 100 * found.course[place].chance)
        for place, names in named.items()
    ]
