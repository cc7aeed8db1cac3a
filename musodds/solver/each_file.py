"""Strategies of the model *each* in files; see :mod:`musodds.solver.container`.

The numbers: the strategy (little-endian uint16, in 65,535ths), then worths, the chance
that each action is said and that it is said with each hand (float64), in the shapes that
:class:`musodds.solver.each_solution.EachSolution` has.
"""

from __future__ import annotations

from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np

from musodds.arrays import Floats
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.solver.container import unpacked, write_packed, wrong_file
from musodds.solver.each_measure import Measured, SideGain
from musodds.solver.each_payoff import EQUITY, PAYOFFS, stone_worth
from musodds.solver.each_solution import EachSolution
from musodds.solver.each_tree import each_tree
from musodds.solver.known import read_known
from musodds.solver.solved import PARTS
from musodds.stakes.equity import PASO
from musodds.stakes.equity_kinds import equity_by
from musodds.stakes.scores import check_score

EACH = "each"
_NUMBERS = ("contested", "contested_se", "value", "value_se", "over_passing", "over_passing_se")
_ROWS = ("gains", "gains_se", "gains_most")


def write_each(path: str | Path, solved: EachSolution) -> None:
    """Write a solved phase, whole or not at all."""
    tree, seen = solved.tree, solved.measured
    header: dict[str, Any] = {
        "model": EACH, "what": tree.phase, "game": tree.game.name, "score": list(solved.score),
        "payoff": solved.payoff, "equity": solved.kind, "bets": tree.sizes.bets_text,
        "raises": tree.sizes.raises_text, "reraises": tree.sizes.reraises,
        "known": tree.known.header() if tree.known else None,
        "of_all": [solved.value, solved.value_se],
        "sides": [list(astuple(side)) for side in solved.sides],
        "iterations": solved.iterations, "seed": solved.seed, "deals": seen.deals,
        **{name: getattr(seen, name) for name in _NUMBERS},
        **{name: getattr(seen, name).tolist() for name in _ROWS},
    }  # fmt: skip
    whole = np.round(solved.strategy * PARTS).astype("<u2").tobytes()
    rest = (seen.worth, seen.spoken, seen.said_with)
    write_packed(path, header, whole + b"".join(one.astype("<f8").tobytes() for one in rest))


def read_each(path: str | Path, header: dict[str, Any], packed: bytes) -> EachSolution:
    """What :func:`write_each` has written.

    Raises
    ------
    InputError
        If it is damaged.
    """
    wrong = wrong_file(path)
    try:
        game = get_game(header["game"])
        mine, theirs = map(int, header["score"])
        tree = each_tree(
            game,
            header["what"],
            header["bets"],
            header["raises"],
            int(header["reraises"]),
            read_known(game, header.get("known")),
        )
        numbers = [float(header[name]) for name in _NUMBERS]
        rows = [np.array([float(x) for x in header[name]]) for name in _ROWS]
        sides = tuple(_side(side) for side in header["sides"])
        value, error = map(float, header["of_all"])
        iterations, seed, deals = (int(header[name]) for name in ("iterations", "seed", "deals"))
        payoff, kind = header["payoff"], header.get("equity", PASO)
    except (KeyError, TypeError, ValueError, IndexError, OverflowError) as problem:
        raise wrong(f"its second line says {problem}") from None
    whole = payoff in PAYOFFS and len(sides) == 2 and {len(r) for r in rows} == {game.seats}
    if not whole or not np.isfinite([*numbers, *np.ravel(rows), value, error]).all():
        raise wrong("its second line has numbers that are none")
    check_score(game, mine, theirs)
    shape = (game.seats, len(hands(game)), tree.slots)
    points = (len(tree.points), tree.arrays.child.shape[1])
    cells = int(np.prod(shape))
    raw = unpacked(header, packed, cells * 18 + points[0] * points[1] * 8, wrong)
    strategy: Floats = np.frombuffer(raw[: 2 * cells], "<u2").reshape(shape) / PARTS
    rest = np.frombuffer(raw[2 * cells :], "<f8").astype(np.float64)
    worth, said_with = rest[:cells].reshape(shape), rest[-cells:].reshape(shape)
    spoken = rest[cells:-cells].reshape(points)
    (a, a_se, b, b_se, c, c_se), (gains, errors, most) = numbers, rows
    seen = Measured(
        deals, a, a_se, b, b_se, c, c_se, gains, errors, most, worth, spoken, said_with
    )  # fmt: skip
    score = (mine, theirs)
    table = equity_by(game, str(kind)) if payoff == EQUITY else None
    return EachSolution(
        tree, score, payoff, None if table is None else table.kind,
        stone_worth(game, score, payoff, table), strategy, value, error, seen, sides,
        iterations, seed,
    )  # fmt: skip


def _side(numbers: Any) -> SideGain:
    gain, error, most, most_error, pairs = numbers
    return SideGain(float(gain), float(error), float(most), float(most_error), int(pairs))
