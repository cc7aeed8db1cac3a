"""The odds of every hand, seat and phase of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Ints, compact
from musodds.chances.counted_odds import all_deals, stored_counts, total_of
from musodds.exact.phases.columns import columns_of, denominators, net_stones
from musodds.exact.phases.count import count
from musodds.knowledge.question import listed
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game
from musodds.store.numbers import published_counts

if TYPE_CHECKING:
    import pandas as pd


def odds_table(game: str | Game = "mus") -> pd.DataFrame:
    """Exact odds of every hand of a game, in every seat and phase.

    Parameters
    ----------
    game : str or Game, optional

    Returns
    -------
    pandas.DataFrame
        One row per hand × seat × phase: `hand` (str), `seat` (int), `phase` (str), the
        columns of :func:`columns_of` and `net` (float64). Stones are stones of the whole
        side; `net` is the seat's net over all phases and stands once
        for each hand and seat, with grande, NaN in the other rows; `win_contested` is NaN where the
        phase is never contested.

    Examples
    --------
    >>> table = odds_table("mus")
    >>> len(table)
    6600
    """
    import pandas as pd

    columns = table_columns(get_game(game))
    columns["net"] = np.where(columns["phase"] == PHASES[0], columns["net"], np.nan)
    return pd.DataFrame(columns)


def table_columns(game: Game) -> dict[str, NDArray[Any]]:
    """The columns of :func:`odds_table` as arrays, `net` in every row."""
    texts = [text for text, _ in listed(game)]
    seats = tuple(range(1, game.seats + 1))
    counts = table_counts(game)
    columns: dict[str, NDArray[Any]] = {
        "hand": np.repeat(np.array(texts, dtype=object), len(seats) * len(PHASES)),
        "seat": np.tile(np.repeat(seats, len(PHASES)), len(texts)),
        "phase": np.tile(np.array(PHASES, dtype=object), len(texts) * len(seats)),
    }
    names = columns_of(game)
    totals = [all_deals(of_hand) for of_hand in counts]
    # Divided as Python integers, so that counts above 2**53 are rounded but once.
    values = [
        [n / share if share else np.nan for n, share in zip(row, shares, strict=True)]
        for of_hand, total in zip(counts.tolist(), totals, strict=True)
        for of_seat in of_hand
        for row in of_seat
        for shares in (denominators(game, total, row),)
    ]
    columns |= dict(zip(names, np.array(values).T, strict=True))
    nets = [
        net_stones(game, total, of_seat)
        for of_hand, total in zip(counts, totals, strict=True)
        for of_seat in of_hand
    ]
    columns["net"] = np.repeat(nets, len(PHASES))
    return columns


def table_counts(game: Game) -> Ints:
    """The counts of every hand that :func:`odds_table` lists, published or counted now.

    Returns
    -------
    ndarray of int64 or object (int), shape (hands, seats, phases, columns)
    """
    stored = published_counts(game) if game.exchange else stored_counts(game)
    return count_table(game) if stored is None else stored


def count_table(game: Game) -> Ints:
    """As :func:`table_counts`, counted now."""
    seats = tuple(range(1, game.seats + 1))
    cases = [list(cases.items()) for _, cases in listed(game)]
    single = [i for i, one in enumerate(cases) if len(one) == 1 and one[0][0].game == game]
    rows: list[NDArray[Any]] = [np.empty(0)] * len(cases)
    if single:
        counted = count(game, np.array([cases[i][0][0].me for i in single]), seats)
        for i, row in zip(single, counted, strict=True):
            rows[i] = row
    for i in set(range(len(cases))).difference(single):
        rows[i] = total_of(cases[i], seats)
    return compact(np.stack(rows))
