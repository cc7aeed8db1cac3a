"""What a hand may do in a solved game between two speakers, and what it is worth: exact.

The rivals play on as solved; the hand plays on as well as can be against that, whatever
its own strategy would do where it never comes. All pairs of the speakers' hands are
counted, so nothing is sampled. What everything is worth to every hand after every line is
worked out when a strategy is first asked (:mod:`musodds.solver.best_worths`), and looked up
from then on.
"""

from __future__ import annotations

import numpy as np

from musodds.arrays import Floats
from musodds.errors import InputError
from musodds.playing.actions import NO_QUIERO, QUIERO
from musodds.rules.hands import hands
from musodds.solver.best_worths import best_worths, masses
from musodds.solver.betting import Betting
from musodds.solver.here import Answers, Here, is_bet
from musodds.solver.lines import follow


def best_here(solved: Betting, hand: int, side: int, line: str) -> Here:
    """What a side's speaker may say with a hand after a line.

    Parameters
    ----------
    solved : Betting
    hand : int
        Its class.
    side : int
        0: mano's.
    line : str
        See :func:`musodds.solver.lines.follow`.

    Raises
    ------
    InputError
        If it is not that side's turn there, the hand cannot be there, or the others
        never say that line.
    """
    node = follow(solved.tree, line)
    said = line or "nothing said yet"
    if solved.side_of(node) != side:
        raise InputError(f"line {said!r}: it is the rivals' turn there, not yours")
    place = np.flatnonzero(solved.classes(node, side) == hand)
    text = hands(solved.spec.game).texts[hand]
    if not len(place):
        raise InputError(f"hand {text}: it does not speak after {said!r}")
    options = solved.tree.options(node)
    start = int(solved.tables[side][node]) + int(place[0])
    size = int(solved.tree.high[node, side] - solved.tree.low[node, side])
    worths = best_worths(solved, side)[start : start + len(options) * size : size]
    if np.isnan(worths).any():
        raise InputError(
            f"line {said!r}: the solved rivals never say that while you hold {text}, so what they "
            "hold is not known; ask without --solved, with a range of your own"
        )
    reach = solved.reach(node, 1 - side)
    known = solved.spec.prior(1 - side)
    all_parts, inside = masses(solved.spec, solved.tree.parts[node])
    pairs = all_parts[:, hand] if side == 0 else all_parts[:, :, hand]
    # What is known of the rival's hand beforehand is in both: it counts once.
    weight = pairs[inside].sum(axis=0) * reach / np.where(known > 0, known, 1)
    answers = tuple(
        _answers(solved, child, weight) if is_bet(word) else None for word, child in options.items()
    )
    chances = solved.at(node)[0][:, place[0]]
    rival = solved.spec.speakers[1 - side]
    return Here(
        tuple(options), chances, worths.astype(np.float64), np.zeros(len(options)), answers,
        {rival: reach},
    )  # fmt: skip


def _answers(solved: Betting, node: int, weight: Floats) -> Answers:
    """How the rivals answer there; ``weight``: how likely each of their hands is."""
    of_type = weight[solved.classes(node, solved.side_of(node))]
    chances = solved.at(node)[0] @ of_type / of_type.sum()
    found = dict(zip(solved.tree.options(node), map(float, chances), strict=True))
    folded, seen = found.pop(NO_QUIERO), found.pop(QUIERO)
    return Answers(folded, seen, sum(found.values()))
