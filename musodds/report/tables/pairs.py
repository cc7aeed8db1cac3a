"""The table of all pairs of partners' hands: one matrix product gives every pair at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.errors import GameError
from musodds.exact.phases.columns import COLUMNS, GIVEN_CONTESTED
from musodds.exact.phases.pairs import count_every_pair
from musodds.report.tables.data import Column, Data, texts
from musodds.report.tables.strength import HAND, ODDS
from musodds.rules.game import PHASES, Game
from musodds.rules.hands import hands

PAIRS = (HAND, Column("partner", "text", "the partner's hand"), *ODDS[1:])


def pairs_data(game: Game, hand: str | None = None) -> Data:
    """Every pair of partners' hands × seat × phase, or those of one hand.

    Raises
    ------
    GameError
        If nobody has a partner, or hands are not told by their cards alone: with jokers, or
        where all four suits matter.
    """
    all_hands = hands(game)
    if all_hands.has_jokers or game.one_suit is not None:
        why = "jokers are about" if all_hands.has_jokers else "all four suits matter"
        raise GameError(f"there is no table of pairs in {game.name}, where {why}: ask about a pair")
    mine = np.arange(len(all_hands)) if hand is None else np.array([all_hands.index(hand)])
    pairs, counts = count_every_pair(game, mine)
    number, seats, phases = counts.shape[:3]
    by_column = counts.reshape(-1, len(COLUMNS)).T
    # Every deal is a win, a loss or void; of hands that would be shown nobody holds any.
    total = by_column[:3].sum(axis=0)
    contested = by_column[COLUMNS.index("contested")]
    with np.errstate(invalid="ignore"):
        shares = {
            name: column / (contested if name in GIVEN_CONTESTED else total)
            for name, column in zip(COLUMNS, by_column, strict=True)
        }
    gain, loss = (counts[..., COLUMNS.index(name)].sum(axis=2) for name in COLUMNS[-2:])
    names = texts(all_hands.texts)
    values: dict[str, NDArray[Any]] = {
        "hand": np.repeat(names[pairs[:, 0]], seats * phases),
        "partner": np.repeat(names[pairs[:, 1]], seats * phases),
        "seat": np.tile(np.repeat(np.arange(1, seats + 1), phases), number),
        "phase": np.tile(texts(PHASES), number * seats),
        **shares,
        "net": np.repeat((gain - loss).ravel() / total[::phases], phases),
    }
    head = {"game": game.name, "hand": hand and all_hands.texts[mine[0]], "method": "exact"}
    of = f"{head['hand']} and every partner's hand" if hand else "every pair of partners' hands"
    return Data(
        "pairs", f"Exact odds of {of} in {game.name}", head, PAIRS, values,
        (("hand", "partner", "seat"), ("net",)),
    )  # fmt: skip
