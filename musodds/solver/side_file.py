"""Strategies of sides with signs or both hands in files; see :mod:`musodds.solver.container`.

The numbers are the strategies of the first and second side (little-endian uint16); tree
and groups are made again from what was solved.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from musodds.rules.games import get_game
from musodds.solver.best_response import Gap
from musodds.solver.container import unpacked, write_packed, wrong_file
from musodds.solver.known import read_known
from musodds.solver.sides import SideBetting, check_sides, read_models
from musodds.solver.sizes import read_sizes
from musodds.solver.solved import split, table_room

_NUMBERS = ("value", "most", "least", "group_gap", "en_paso", "played", "seconds")


def write_sides(path: str | Path, solved: SideBetting) -> None:
    """Write a solved phase, whole or not at all."""
    header: dict[str, Any] = {
        "model": solved.model, "what": solved.phase, "game": solved.game.name,
        "speakers": list(solved.speakers), "system": solved.system,
        "bets": solved.sizes.bets_text, "raises": solved.sizes.raises_text,
        "reraises": solved.sizes.reraises, "iterations": solved.iterations,
        "value": solved.gap.value, "most": solved.gap.most, "least": solved.gap.least,
        "group_gap": solved.group_gap, "en_paso": solved.en_paso, "played": solved.played,
        "seconds": solved.seconds, "known": solved.known.header() if solved.known else None,
    }  # fmt: skip
    write_packed(path, header, b"".join(one.astype("<u2").tobytes() for one in solved.strategies))


def read_sides(path: str | Path, header: dict[str, Any], packed: bytes) -> SideBetting:
    """What :func:`write_sides` has written.

    Raises
    ------
    InputError
        If it is damaged.
    """
    wrong = wrong_file(path)
    try:
        game, models = get_game(header["game"]), read_models(header["model"])
        sizes = read_sizes(header["bets"], header["raises"], int(header["reraises"]))
        first, second = map(int, header["speakers"])
        value, most, least, group_gap, en_paso, played, seconds = (
            float(header[name]) for name in _NUMBERS
        )
        iterations, phase, system = int(header["iterations"]), header["what"], header["system"]
        known = read_known(game, header.get("known")) or None
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise wrong(f"its second line says {error}") from None
    numbers = (value, most, least, group_gap, en_paso, played, seconds)
    if models is None or not np.isfinite(numbers).all():
        raise wrong("its second line has numbers that are none")
    check_sides(phase, game, header["model"], system, (first, second))
    made = SideBetting(
        game, phase, models, sizes, (first, second), system, Gap(value, most, least), group_gap,
        en_paso, played, iterations, seconds, (_NONE, _NONE), known=known,
    )  # fmt: skip
    raw = unpacked(header, packed, 2 * table_room(made.tree), wrong)
    return replace(made, strategies=split(raw, made.tree, "<u2"))


_NONE = np.zeros(0, dtype=np.uint16)
