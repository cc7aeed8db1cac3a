"""What a solved strategy says: every hand in a cell of its own, coloured by its words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from musodds.arrays import Floats
from musodds.errors import InputError
from musodds.playing.actions import NO_QUIERO, ORDAGO, PASO, QUIERO
from musodds.report.plots.style import headline, new_axes, theme
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.solver.each_solution import EachSolution
from musodds.solver.kept import OWN, solved_phase
from musodds.solver.panels import ELSE, Panel, other_panel, panel
from musodds.solver.strategy_file import read_played
from musodds.stakes.scores import read_score

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from musodds.solver.kept import Solved

_TENTHS = 10
_BETS = {"light": ("#f6c58f", "#e08a3c", "#b95a12"), "dark": ("#8a5a2c", "#c27a35", "#f0a860")}
_SEEN = {"light": "#5aa9dd", "dark": "#2f79b5"}
_ORDAGO = {"light": "#5b1a00", "dark": "#ffe3c7"}


def strategy_of(
    file: str | Path | Solved | None, game: str | Game, phase: str, score: str, model: str | None
) -> Solved:
    """The strategy of a file, or of a phase solved alone, before or now."""
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
        ``who``, ``line``, ``hand``, ``dealt`` (share of all deals), ``say`` and
        ``frequency`` (of 1): a row for every hand that speaks and word.
    """
    import pandas as pd

    solved = strategy_of(file, game, phase, score, model)
    known = hands(_game(solved))
    dealt = known.ways / known.ways.sum()
    rows = [
        (one.who, one.line, known.texts[i], dealt[i], word, one.chances[i, w])
        for one in _panels(solved, line, able)
        for i in np.flatnonzero(~np.isnan(one.chances[:, 0]))
        for w, word in enumerate(one.words)
    ]
    return pd.DataFrame(rows, columns=["who", "line", "hand", "dealt", "say", "frequency"])


def _game(solved: Solved) -> Game:
    return solved.game if isinstance(solved, EachSolution) else solved.spec.game


def _panels(
    solved: Solved, line: str | Iterable[str], able: Sequence[int] | None
) -> list[Panel]:  # fmt: skip
    here = panel(solved, line, able)
    other = other_panel(solved, here, able)
    return [here] if other is None else [here, other]


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
    """What every hand says at a point of a solved game, of ten times, and its other side.

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
    of = _game(solved)
    panels = _panels(solved, line, able)
    pairs = list(combinations_with_replacement(range(len(of.deck.kinds)), 2))
    size = (0.21 if len(pairs) <= 40 else 0.15) * len(pairs)
    ax = new_axes(ax, size + 1.2, size + 2.4)
    ax.imshow(
        _image(of, pairs, panels), interpolation="nearest", aspect="auto",
        extent=(-0.5, len(pairs) + 0.5, len(pairs) + 0.5, -0.5),
    )  # fmt: skip
    ax.set_aspect("equal")
    _lines(ax, len(pairs) + 1)
    _label(ax, [of.deck.text(pair) for pair in pairs], [_who(one) for one in panels])
    headline(ax, _title(of, panels), _subtitle(solved, panels), above=44)
    _key(ax, list(dict.fromkeys(word for one in panels for word in one.words)))
    return ax


def in_tenths(chances: Floats) -> Floats:
    """How often of ten each word is said, shape as given; rows add up to ten.

    Examples
    --------
    >>> in_tenths(np.array([[0.26, 0.74], [0.5, 0.5]])).tolist()
    [[3, 7], [5, 5]]
    """
    edges = np.rint(np.cumsum(chances, axis=-1) * _TENTHS).astype(int)
    edges[..., -1] = _TENTHS
    found: Floats = np.diff(edges, axis=-1, prepend=0)
    return found


def _image(game: Game, pairs: list[tuple[int, int]], panels: list[Panel]) -> Floats:
    """Ten strips in a cell, each in the colour of what is said in it."""
    from matplotlib.colors import to_rgb

    where = {pair: i for i, pair in enumerate(pairs)}
    number = len(pairs) + 1
    image = np.empty((number, number * _TENTHS, 3))
    image[:] = to_rgb(theme().paper)
    for below, one in enumerate(panels):
        colours = np.array([to_rgb(colour_of(word)) for word in one.words])
        for index, (first, second, third, fourth) in enumerate(hands(game).cards):
            if np.isnan(one.chances[index, 0]):
                continue
            high, low = where[first, second], where[third, fourth]
            row, column = (low + 1, high) if below else (high, low + 1)
            strips = np.repeat(colours, in_tenths(one.chances[index]), axis=0)
            image[row, column * _TENTHS : (column + 1) * _TENTHS] = strips
    return image


def colour_of(word: str) -> str:
    """A colour for what is said: pale for passing, blue for seeing, darker for larger bets."""
    name = "light" if theme().paper == "#ffffff" else "dark"
    if word in (PASO, NO_QUIERO, ELSE):
        return theme().line
    if word == QUIERO:
        return _SEEN[name]
    if word == ORDAGO:
        return _ORDAGO[name]
    stones = int(word.split()[-1])
    return _BETS[name][0 if stones <= 2 else 1 if stones <= 5 else 2]


def _lines(ax: Axes, number: int) -> None:
    edges = np.arange(number + 1) - 0.5
    ax.set_xticks(edges, minor=True)
    ax.set_yticks(edges, minor=True)
    ax.grid(which="minor", color=theme().paper, linewidth=0.8)
    ax.tick_params(which="minor", length=0)


def _label(ax: Axes, texts: list[str], who: list[str]) -> None:
    """Names of the pairs on all four sides: two for each triangle."""
    places = np.arange(len(texts))
    font = {"fontsize": 6.5, "family": "DejaVu Sans Mono"}
    above, right = ax.secondary_xaxis("top"), ax.secondary_yaxis("right")
    above.set_xticks(places + 1, texts, rotation=90, **font)  # type: ignore[arg-type]
    right.set_yticks(places, texts, **font)  # type: ignore[arg-type]
    for edge in (above, right):
        edge.tick_params(length=0)
        edge.spines[:].set_visible(False)
    above.set_xlabel(f"two lower cards ({who[0]})", fontsize=9)
    right.set_ylabel(f"two higher cards ({who[0]})", fontsize=9)
    below = who[1] if len(who) > 1 else ""
    ax.set_xticks(places if below else [], texts if below else [], rotation=90, **font)  # type: ignore[arg-type]
    ax.set_yticks(places + 1 if below else [], texts if below else [], **font)  # type: ignore[arg-type]
    if below:
        ax.set_xlabel(f"two higher cards ({below})", fontsize=9)
        ax.set_ylabel(f"two lower cards ({below})", fontsize=9)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def _key(ax: Axes, words: list[str]) -> None:
    from matplotlib.patches import Patch

    patches = [Patch(facecolor=colour_of(word), label=word) for word in words]
    ax.figure.legend(
        handles=patches, loc="outside lower center", ncols=min(len(words), 4), fontsize=9
    )


def _who(one: Panel) -> str:
    return {"mano": "mano's side", "other": "the other side"}.get(one.who, one.who)


def _share(game: Game, one: Panel, words: Iterable[str]) -> float:
    """How often one of some words is said, over the hands that may speak."""
    ways = hands(game).ways * ~np.isnan(one.chances[:, 0])
    chance = sum(one.chances[:, one.words.index(word)] for word in words)
    return float(np.nansum(ways * chance) / ways.sum())


def _title(game: Game, panels: list[Panel]) -> str:
    here = panels[0]
    who = _who(here)
    if NO_QUIERO in here.words:
        share = 1 - _share(game, here, [NO_QUIERO])
        return f"{game.name}: {who} sees or raises with {share:.0%} of hands"
    share = 1 - _share(game, here, [PASO])
    more = ""
    if len(panels) > 1:
        folds = 1 - _share(game, panels[1], [NO_QUIERO])
        more = f", {_who(panels[1])} answers with {folds:.0%}"
    return f"{game.name}: {who} bets with {share:.0%} of hands{more}"


def _subtitle(solved: Solved, panels: list[Panel]) -> str:
    if isinstance(solved, EachSolution):
        what, at, gap = solved.phase, solved.score, f"any one player gains at most {solved.gain:.4f}"
        model = "each"
    else:
        spec, model = solved.spec, solved.spec.model
        what, at, gap = spec.what, spec.score, f"gap {solved.exploitability_stones:.4f}"
    texts = [f"{what} at {at[0]}–{at[1]}, model {model}, {gap} stones. Of ten times, hand by hand."]
    for place, one in zip(("Above", "Below"), panels, strict=False):
        after = f"after “{one.line}”" if one.line else "nobody has spoken"
        asks = f"who says {one.words[0]}, " if one.words[-1] == ELSE else ""
        texts.append(f"{place} the diagonal {_who(one)}: {asks}{after}.")
    return "\n".join(texts)


def check_options(file: object, **others: str | None) -> None:
    """Raise InputError where a file is given and what it has already."""
    for name, value in others.items():
        if file is not None and value is not None:
            raise InputError(f"{name} {value!r}: the strategy of the file has its own")
