"""Solved strategies in files; see :mod:`musodds.solver.container`.

The numbers are the strategies of the first and second side (little-endian uint16), then
worths of either (float32); the tree is built again from what was solved. Other models:
:mod:`musodds.solver.each_file`, :mod:`musodds.solver.side_file`.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.solver.best_response import Gap
from musodds.solver.betting import Betting
from musodds.solver.container import read_packed, unpacked, write_packed, wrong_file
from musodds.solver.each_file import EACH, read_each, write_each
from musodds.solver.each_solution import EachSolution
from musodds.solver.game import EQUITY, Spec
from musodds.solver.known import read_known
from musodds.solver.side_file import read_sides, write_sides
from musodds.solver.sides import SideBetting, read_models
from musodds.solver.sizes import read_sizes
from musodds.solver.solved import split, table_room
from musodds.stakes.equity import PASO, Equity
from musodds.stakes.equity_kinds import equity_by

_NUMBERS = ("value", "most", "least", "en_paso", "played", "seconds")


def write_file(path: str | Path, solved: Betting | EachSolution | SideBetting) -> None:
    """Write a solved game, whole or not at all."""
    if isinstance(solved, EachSolution):
        write_each(path, solved)
        return
    if isinstance(solved, SideBetting):
        write_sides(path, solved)
        return
    spec = solved.spec
    raw = b"".join(
        [one.astype("<u2").tobytes() for one in solved.strategies]
        + [one.astype("<f4").tobytes() for one in solved.worths]
    )
    header: dict[str, Any] = {
        "what": spec.what, "game": spec.game.name, "model": spec.model,
        "score": list(spec.score), "payoff": spec.payoff, "speakers": list(spec.speakers),
        "bets": spec.sizes.bets_text, "raises": spec.sizes.raises_text,
        "reraises": spec.sizes.reraises, "equity": spec.kind, "iterations": solved.iterations,
        "known": spec.known.header() if spec.known else None,
        "value": solved.gap.value, "most": solved.gap.most, "least": solved.gap.least,
        "en_paso": solved.en_paso, "played": solved.played, "seconds": solved.seconds,
    }  # fmt: skip
    write_packed(path, header, raw)


def read_strategy(path: str | Path) -> Betting | EachSolution | SideBetting:
    """Read a strategy that ``solve -o`` has written.

    Parameters
    ----------
    path : str or Path

    Raises
    ------
    InputError
        If it is no such file, or damaged.
    """
    header, packed = read_packed(path)
    if header.get("model") == EACH:
        return read_each(path, header, packed)
    if read_models(str(header.get("model"))):
        return read_sides(path, header, packed)
    return _betting(path, header, packed)


def read_played(path: str | Path) -> Betting | EachSolution:
    """The same, of a model in which players speak on what they themselves know.

    Raises
    ------
    InputError
        If it is no such file, damaged, of a model with signs or both hands known, or solved
        for deals of which something is known.
    """
    solved = read_strategy(path)
    if solved.known:
        raise wrong_file(path)(
            f"it is for deals of which more is known ({solved.known.text}); `musodds strategy` "
            "reads it"
        )
    if isinstance(solved, SideBetting):
        raise wrong_file(path)(f"it is of the model {solved.model}, not of own or each")
    return solved


def _betting(path: str | Path, header: dict[str, Any], packed: bytes) -> Betting:
    wrong = wrong_file(path)
    try:
        spec = Spec(
            get_game(header["game"]), header["what"], _two(header["score"]),
            header["payoff"], read_sizes(header["bets"], header["raises"], int(header["reraises"])),
            _two(header["speakers"]),
            _table(get_game(header["game"]), header),
            known=read_known(get_game(header["game"]), header.get("known")) or None,
        )  # fmt: skip
        numbers = {name: float(header[name]) for name in _NUMBERS}
        iterations = int(header["iterations"])
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise wrong(f"its second line says {error}") from None
    if not all(map(math.isfinite, numbers.values())):
        raise wrong("its second line has numbers that are none")
    spec.check()
    room = table_room(spec.tree)
    raw = unpacked(header, packed, room * 6, wrong)
    return Betting(
        spec, Gap(numbers["value"], numbers["most"], numbers["least"]), numbers["en_paso"],
        numbers["played"], iterations, numbers["seconds"],
        split(raw[: 2 * room], spec.tree, "<u2"), split(raw[2 * room :], spec.tree, "<f4"),
    )  # fmt: skip


def _table(game: Game, header: dict[str, Any]) -> Equity | None:
    """The chances after the deal; in files that do not name a kind they are en paso."""
    if header["payoff"] != EQUITY:
        return None
    return equity_by(game, str(header.get("equity", PASO)))


def _two(numbers: Any) -> tuple[int, int]:
    first, second = numbers
    return int(first), int(second)
