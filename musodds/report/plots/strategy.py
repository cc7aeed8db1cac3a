"""What a solved strategy says: every hand in a cell of its own, coloured by its words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from musodds.arrays import Floats, Ints
from musodds.errors import InputError
from musodds.playing.actions import ORDAGO, QUIERO
from musodds.report.plots.style import THEMES, headline, new_axes, theme
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.solver.each_solution import EachSolution
from musodds.solver.game import DEAL
from musodds.solver.kept import OWN, solved_phase
from musodds.solver.panels import ELSE, Panel, panels
from musodds.solver.strategy_file import read_played
from musodds.stakes.equity import PASO, SOLVED
from musodds.stakes.scores import read_score

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from musodds.solver.kept import Solved

_TENTHS = 10
_LARGE = 40
"""Pairs of cards on an edge: with more the cells are smaller."""

_LINE = 88
"""Characters of a line over the chart."""

_WAYS_ON = {PASO: "en paso", SOLVED: "solved"}
"""How later deals go, where the name of the kind of equity does not say it."""

_COMES = 0.0005
"""Hands that come to a point less often than that are left out of its chart."""

_BETS = {
    "light": ("#f0e7db", "#f8c98c", "#e58b36", "#ab430c", "#451300"),
    "dark": ("#3d342a", "#74461b", "#bb7127", "#efa55b", "#ffeedb"),
}
_ANSWERS = {
    "light": ("#e0e8ee", "#a4d0ee", "#4a97cc", "#1a5c96", "#06264d"),
    "dark": ("#2a353e", "#1f557e", "#3f8cc2", "#85c3ec", "#e8f5ff"),
}
"""What is not bet or not seen, then what is, the more the further from the paper; so they
can be told apart in grey."""


def strategy_of(
    file: str | Path | Solved | None,
    game: str | Game = "mus",
    phase: str = PHASES[0],
    score: str = "0-0",
    model: str | None = None,
) -> Solved:
    """The strategy of a file, or of a phase solved alone, before or now.

    Raises
    ------
    InputError
        If the file has none that can be drawn hand by hand, or none can be solved.
    """
    if isinstance(file, str | Path):
        return read_played(file)
    if file is not None:
        return file
    game = get_game(game)
    return solved_phase(phase, game, read_score(score, game), 1, model or OWN)


def strategy_data(
    game: str | Game = "mus",
    *,
    file: str | Path | Solved | None = None,
    line: str | Iterable[str] = "",
    able: Sequence[int] | None = None,
    phase: str = "grande",
    score: str = "0-0",
    model: str | None = None,
) -> pd.DataFrame:
    """What :func:`plot_strategy` draws.

    Parameters
    ----------
    game, file, line, able, phase, score, model
        As there.

    Returns
    -------
    DataFrame
        ``who``, ``line``, ``hand``, ``dealt`` (share of all deals), ``comes`` (how often the
        hand says what leads there), ``say`` and ``frequency`` (both of 1): a row for every
        hand that speaks and word.
    """
    import pandas as pd

    solved = strategy_of(file, game, phase, score, model)
    known = hands(game_of(solved))
    dealt = known.ways / known.ways.sum()
    rows = [
        (one.who, one.line, known.texts[i], dealt[i], one.reach[i], word, one.chances[i, w])
        for one in panels(solved, line, able)
        for i in np.flatnonzero(~np.isnan(one.chances[:, 0]))
        for w, word in enumerate(one.words)
    ]
    columns = ["who", "line", "hand", "dealt", "comes", "say", "frequency"]
    return pd.DataFrame(rows, columns=columns)


def game_of(solved: Solved) -> Game:
    """The game that a strategy is for."""
    return solved.game if isinstance(solved, EachSolution) else solved.spec.game


def plot_strategy(
    game: str | Game = "mus",
    *,
    file: str | Path | Solved | None = None,
    line: str | Iterable[str] = "",
    able: Sequence[int] | None = None,
    phase: str = "grande",
    score: str = "0-0",
    model: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """What every hand says at a point of a solved game, in tenths, and its other side.

    Parameters
    ----------
    game : str or Game, optional
        Where no strategy is given.
    file : path or Betting or EachSolution, optional
        A strategy, or a file of one; by default `phase` alone at `score`.
    line : str or sequence of str, optional
        What was said.
    able : sequence of int, optional
        In the model *each*: the seats that have pares (juego).
    phase, score, model : str, optional
        What is solved where no strategy is given: mano's side first; ``own`` (the default) or
        ``each``.
    ax : matplotlib Axes, optional

    Returns
    -------
    matplotlib Axes
        Above the diagonal a row is the two higher cards of a hand and a column the two lower:
        what is said at the point. Below it, the other way round: the answer to the bet that
        is said most often; or, where a bet is answered, who says that bet.
    """
    solved = strategy_of(file, game, phase, score, model)
    of, both = game_of(solved), panels(solved, line, able)
    pairs = list(combinations_with_replacement(range(len(of.deck.kinds)), 2))
    size = (0.215 if len(pairs) <= _LARGE else 0.155) * len(pairs)
    ax = new_axes(ax, size + 1.1, size + 3.5)
    ax.imshow(
        _image(of, pairs, both), interpolation="nearest", aspect=1 / _TENTHS,
        extent=(-0.5, len(pairs) + 0.5, len(pairs) + 0.5, -0.5),
    )  # fmt: skip
    ax.set_aspect("equal")
    _lines(ax, len(pairs) + 1)
    _label(ax, [of.deck.text(pair) for pair in pairs], len(both) > 1)
    headline(ax, _title(of, both, solved), _subtitle(solved, both), above=78)
    for one, below in zip(both, (False, True), strict=False):
        _key(ax, of, one, below)
    return ax


def in_tenths(chances: Floats) -> Ints:
    """How often of ten each word is said, shape as given; rows add up to ten.

    Examples
    --------
    >>> in_tenths(np.array([[0.26, 0.74], [0.5, 0.5]])).tolist()
    [[3, 7], [5, 5]]
    """
    edges = np.floor(np.cumsum(chances, axis=-1) * _TENTHS + 0.5).astype(np.int64)
    edges[..., -1] = _TENTHS
    found: Ints = np.diff(edges, axis=-1, prepend=0)
    return found


def _image(game: Game, pairs: list[tuple[int, int]], both: Sequence[Panel]) -> Floats:
    """Ten strips in a cell, each in the colour of what is said in it."""
    from matplotlib.colors import to_rgb

    where = {pair: i for i, pair in enumerate(pairs)}
    number = len(pairs) + 1
    image = np.empty((number, number * _TENTHS, 3))
    image[:] = to_rgb(theme().paper)
    for below, one in enumerate(both):
        shades = np.array([to_rgb(shade) for shade in colours(one.words).values()])
        for index, (first, second, third, fourth) in enumerate(hands(game).cards):
            if np.isnan(one.chances[index, 0]) or one.reach[index] < _COMES:
                continue
            high, low = where[first, second], where[third, fourth]
            row, column = (low + 1, high) if below else (high, low + 1)
            strips = np.repeat(shades, in_tenths(one.chances[index]), axis=0)
            image[row, column * _TENTHS : (column + 1) * _TENTHS] = strips
    return image


def colours(words: Sequence[str]) -> dict[str, str]:
    """A colour for each word of a panel, the stronger the more is at stake.

    What is bet is warm and what is answered blue; the first word, which does neither, is
    pale.
    """
    from matplotlib.colors import LinearSegmentedColormap, to_hex

    name = "light" if theme() == THEMES["light"] else "dark"
    pale, *ramp = (_ANSWERS if QUIERO in words else _BETS)[name]
    shades = LinearSegmentedColormap.from_list("shades", ramp)
    if words[-1] == ELSE:
        return {words[0]: to_hex(shades(1.0 if words[0] == ORDAGO else 0.5)), ELSE: theme().line}
    strong = words[1:]
    # Órdago has the strongest, and what is alone the middle.
    last = 1.0 if ORDAGO in strong else 0.75
    places = np.linspace(0, last, len(strong)) if len(strong) > 1 else [0.5]
    found = {words[0]: pale}
    return found | {word: to_hex(shades(at)) for word, at in zip(strong, places, strict=True)}


def _lines(ax: Axes, number: int) -> None:
    edges = np.arange(number + 1) - 0.5
    ax.set_xticks(edges, minor=True)
    ax.set_yticks(edges, minor=True)
    ax.grid(which="minor", color=theme().paper, linewidth=0.8)
    ax.tick_params(which="minor", length=0)


def _label(ax: Axes, texts: list[str], two: bool) -> None:
    """Names of the pairs on all four sides: two for each triangle."""
    places = np.arange(len(texts))
    size = 7.5 if len(texts) <= _LARGE else 6
    font: dict[str, Any] = {"fontsize": size, "family": "DejaVu Sans Mono"}
    above, right = ax.secondary_xaxis("top"), ax.secondary_yaxis("right")
    above.set_xticks(places + 1, texts, rotation=90, **font)
    right.set_yticks(places, texts, **font)
    for edge in (above, right):
        edge.tick_params(length=0)
        edge.spines[:].set_visible(False)
    above.set_xlabel("two lower cards", fontsize=9)
    right.set_ylabel("two higher cards", fontsize=9)
    ax.set_xticks(places if two else [], texts if two else [], rotation=90, **font)
    ax.set_yticks(places + 1 if two else [], texts if two else [], **font)
    if two:
        ax.set_xlabel("two higher cards", fontsize=9)
        ax.set_ylabel("two lower cards", fontsize=9)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def _key(ax: Axes, game: Game, one: Panel, below: bool) -> None:
    """The colours of a triangle, beside it: over the chart or under it."""
    from matplotlib.legend import Legend
    from matplotlib.patches import Patch
    from matplotlib.transforms import ScaledTranslation

    figure = ax.get_figure(root=True)
    assert figure is not None
    points = -46 if below else 42
    patches = [
        Patch(facecolor=shade, edgecolor=theme().faint, linewidth=0.6, label=word)
        for word, shade in colours(one.words).items()
    ]
    key = Legend(
        ax, patches, [str(patch.get_label()) for patch in patches],
        loc="upper left" if below else "lower left", bbox_to_anchor=(0, 0 if below else 1),
        bbox_transform=ax.transAxes + ScaledTranslation(0, points / 72, figure.dpi_scale_trans),
        title=f"{'Below' if below else 'Above'} the diagonal {_asks(game, one)}", title_fontsize=10,
        alignment="left", ncols=min(len(patches), 5), fontsize=10, borderpad=0,
        borderaxespad=0, handlelength=1.3, handleheight=1.0, handletextpad=0.5, columnspacing=1.6,
    )  # fmt: skip
    ax.add_artist(key)
    # What is clipped to the axes has no room of its own in the layout.
    key.set_clip_on(False)


def _who(game: Game, one: Panel) -> str:
    """*mano's side*, *the other side*; of two players *mano*, *postre*; or *seat 2*."""
    names = ("mano", "postre") if game.side_size == 1 else ("mano's side", "the other side")
    return dict(zip(("mano", "other"), names, strict=True)).get(one.who, one.who)


def _asks(game: Game, one: Panel) -> str:
    """What a triangle is of."""
    who, said = _who(game, one), one.last
    if one.words[-1] == ELSE:
        return f"{who}: which hands say {one.words[0]}"
    blank = bool((one.reach[~np.isnan(one.chances[:, 0])] < _COMES).any())
    more = " (blank: hands that have said something else)" if blank else ""
    if one.answers:
        return f"{who} answers {said}{more}"
    return f"{who} after {said}{more}" if said else f"{who} speaks first{more}"


def _title(game: Game, both: Sequence[Panel], solved: Solved) -> str:
    here, ways = both[0], hands(game).ways

    def acts(one: Panel) -> str:
        """How often a word is said that is not the first, which does nothing."""
        return f"{1 - one.share(ways, one.words[:1]):.0%}"

    def sees(one: Panel) -> str:
        return "see" if one.words[2:] == () else "see or raise"

    who = _who(game, here)
    who = who[0].upper() + who[1:]
    if here.answers:
        bet, verb = both[1].words[0], sees(here).replace("see", "sees").replace("raise", "raises")
        often = f"{both[1].share(ways, [bet]):.0%}"
        return f"{who} {verb} {bet} with {acts(here)} of hands; it is said with {often}"
    title = f"{who} bets in {here.phase}{_at(solved)} with {acts(here)} of hands"
    if len(both) > 1:
        title += f"; {acts(both[1])} {sees(both[1])} {both[1].last}"
    return title


def _at(solved: Solved) -> str:
    """The score, where it counts."""
    of = solved if isinstance(solved, EachSolution) else solved.spec
    return f" at {of.score[0]}–{of.score[1]}" if of.kind else ""


def _subtitle(solved: Solved, both: Sequence[Panel]) -> str:
    if isinstance(solved, EachSolution):
        what, model, kind = solved.phase, "each", solved.kind
        gap = f"one player gains {solved.gain:z.3f} stones at most"
    else:
        spec, model = solved.spec, solved.spec.model
        what, kind = spec.what, spec.kind
        gap = f"gap {solved.exploitability_stones:z.4f} stones"
    game = game_of(solved).name
    whole = f"{what} alone" if what != DEAL else "whole deal"
    at = _at(solved).strip() or "for stones"
    later = f", later deals {_WAYS_ON.get(kind, kind)}" if kind else ""
    first = f"{game}, {whole}, solved {at}, model {model}{later}; {gap}."
    line = both[0].line
    said = fill(f"Said so far: {line}.", _LINE) + "\n" if line else ""
    return f"{said}{first}\nA cell is a hand, its strips what it says of ten times."


def check_options(file: object, **others: str | None) -> None:
    """Raise InputError where a file is given and what it has already."""
    for name, value in others.items():
        if file is not None and value is not None:
            raise InputError(f"{name} {value!r}: the strategy of the file has its own")
