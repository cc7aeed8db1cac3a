"""How far the models own and each disagree on what a player should say.

    python tests/benchmarks/bench_models.py                  # all phases at 0-0 and 32-35
    python tests/benchmarks/bench_models.py pares 32-35 ...

Bets and raises 2 and órdago, seats 1 and 2. At each point, over the hands that come there
as four players play (*each*; in pares and juego over who may have them): how often a bet
(an answer but folding) is said by either model, in how many of a hundred hands what they
say differs, and what a player loses, in stones each time he is there, who says what *own*
says while all others, and he afterwards, play as *each* does. Losses are measured on fresh
deals, so they may come out below 0 by their error.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys

import numpy as np

from musodds.playing.actions import NO_QUIERO, PASO
from musodds.rules.game import PHASES
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.solver.betting import solve_betting
from musodds.solver.each import solve_each
from musodds.solver.lines import follow
from musodds.stakes.equity_kinds import equity_by
from musodds.stakes.scores import read_score

GAME, OFFER = get_game("mus"), "2,ordago"
POINTS = ((1, ()), (2, (PASO,)), (2, ("envido 2",)), (2, ("órdago",)))
DEALS = 10_000_000


def frequencies(own, line):
    """How often own says what with each hand, by word."""
    node = follow(own.tree, ", ".join(line))
    chances, found = own.at(node)[0], {}
    for word, row in zip(own.tree.options(node), chances, strict=True):
        found[word] = np.zeros(len(hands(GAME)))
        found[word][own.classes(node, own.side_of(node))] = row
    return found


def at(own, each, seat, line):
    says, total = frequencies(own, line), np.zeros(4)
    for point in each.tree.points:
        if point.seat != seat or point.line != line:
            continue
        these = slice(point.slot, point.slot + len(point.actions))
        said = each.strategy[seat - 1, :, these]
        weight = each.measured.said_with[seat - 1, :, these].sum(axis=1)
        # Who leaves the answer to his partner folds, for all that own can say.
        words = [NO_QUIERO if PASO not in says and w == PASO else w for w in point.actions]
        mine = np.stack([says[w] for w in words], axis=1)
        worth = np.nan_to_num(each.measured.worth[seat - 1, :, these])
        bets = [w not in (PASO, NO_QUIERO) for w in words]
        total += (
            weight.sum(),
            weight @ mine[:, bets].sum(axis=1),
            weight @ said[:, bets].sum(axis=1),
            weight @ np.abs(mine - said).sum(axis=1) / 2,
        )
        loss.append(weight @ ((said - mine) * worth).sum(axis=1))
    lost = sum(loss) / total[0] / each.stone
    loss.clear()
    return *(total[1:] / total[0]), lost


loss: list[float] = []


def compare(phase, score):
    given = {"score": score, "bets": OFFER, "raises": OFFER}
    own = solve_betting(phase, gap=0.002, table=equity_by(GAME, "paso"), **given)
    each = solve_each(phase, kind="paso", deals=DEALS, measured=DEALS, pairs=16, **given)
    print(
        f"{phase} {score[0]}-{score[1]}: mano's side has {own.value:.4f} (own), "
        f"{each.measured.value:.4f} +- {each.measured.value_se:.4f} (each); gap "
        f"{own.exploitability_stones:.4f} and at most {each.gain:.4f} for a player"
    )
    for seat, line in POINTS:
        mine, theirs, differ, lost = at(own, each, seat, line)
        print(
            f"  seat {seat} after {', '.join(line) or '-':9} bets or sees: own {mine:6.1%} each "
            f"{theirs:6.1%}  differ {differ:6.1%}  loses {lost:7.4f}", flush=True,
        )  # fmt: skip
    sees = at(own, each, 2, ("órdago",))[0]
    print(
        f"  an órdago is seen by the side: own {sees:.1%}, each {each.ordagos[1]:.1%}", flush=True
    )


def main(words):
    scores = [word for word in words if "-" in word] or ["0-0", "32-35"]
    for phase in [word for word in words if "-" not in word] or PHASES:
        for score in scores:
            compare(phase, read_score(score, GAME))


if __name__ == "__main__":
    main(sys.argv[1:])
