"""Whether the command answers as the tables do, with every hand in every seat.

    python -m tests.benchmarks.bench_one_answer [GAME]

Each question is asked of :func:`musodds.strategy.discard.discard` on other deals than those of
the table, and what to say and what to keep are compared. Prints how many answers are not the
table's, and which; how many hands these deals do not tell apart by themselves, so that the
policy's keep or the table's say is taken; and how far the figures are from each other, in
standard errors.
"""

from __future__ import annotations

import sys
from unittest.mock import patch

import numpy as np

from musodds.exact.draws.draws import all_keeps
from musodds.exact.draws.keeps import keep_text
from musodds.report.tables.throws import best_keeps
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.strategy import discard as command

DEALS, SEED, EVERY = 8192, 2, 1


def main(name: str = "mus") -> None:
    game = get_game(name)
    stored, every = best_keeps(game), all_keeps(game)
    asked = other = undecided = unsure = 0
    apart: list[float] = []
    for h in range(0, len(hands(game)), EVERY):
        text = hands(game).texts[h]
        # What may be held after the draw is no part of the answer, and takes as long.
        with patch.object(command, "_chances", lambda *_: None):
            answer = command.discard(text, game=game, n=DEALS, seed=SEED)
        for advice in answer.seats:
            place = advice.seat - 1, h
            keep = keep_text(game, every.keep[stored.rows[0][place]])
            say = "mus" if stored.gain[place] > 0 else "cut"
            asked += 1
            undecided += bool(advice.undecided)
            unsure += not advice.say_is_sure
            gain, error = advice.agreed_gain
            apart.append((gain - stored.gain[place]) / np.hypot(error, stored.gain_se[place]))
            if (advice.say, advice.draws[0].keep) != (say, keep):
                other += 1
                print(
                    f"{text} in seat {advice.seat}: {advice.say}, {advice.draws[0].keep}; "
                    f"the table: {say}, {keep}",
                    flush=True,
                )
    print(f"{game.name}: {other} of {asked} answers are not those of the table")
    print(f"not told apart on {DEALS} deals: keeps {undecided}, mus and cut {unsure}")
    print(f"the gain of mus differs by {np.std(apart):.2f} standard errors (square mean)")


if __name__ == "__main__":
    main(*sys.argv[1:])
