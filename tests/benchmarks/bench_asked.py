"""Speed of questions asked one by one, as a bot asks them, and of all pairs of partners.

    python tests/benchmarks/bench_asked.py

Processor milliseconds of one core for a question, warm: the best of a few rounds over many
hands, each hand new to the round. Beside each stands how many times as long the stated
baseline takes in the same run.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import random
import time
from collections.abc import Callable

import musodds as mo
from musodds.rules.hands import hands
from musodds.stakes import bet as bets

GAME = mo.get_game("mus")
RANGES = {"partner": "pares", "next": "juego", "previous": "RR??"}
SOLVED = (
    ("grande", "mus", (32, 35), 0.2),
    ("deal", "mus2p", (39, 39), 0.2),
    ("deal", "mus2p", (30, 33), 0.3),
)
SETS = {"partner": "!RRRR", "next": "!AAAA", "previous": "!RRRC"}


def hands_for(number: int) -> list[str]:
    return random.Random(1).choices(hands(GAME).texts, k=number)


def mean(ask: Callable[[str], object], number: int, rounds: int = 3) -> float:
    """Milliseconds a question; hands that the ranges rule out are left out."""
    asked = []
    for hand in hands_for(number):
        try:
            ask(hand)
        except mo.InputError:
            continue
        asked.append(hand)
    times = []
    for _ in range(rounds):
        start = time.process_time()
        for hand in asked:
            ask(hand)
        times.append((time.process_time() - start) / len(asked))
    return 1000 * min(times)


def line(what: str, found: float, baseline: str, other: float, limit: float) -> None:
    print(
        f"{what:<42}{found:9.3f} ms (at most {limit} ms)  {other / found:8.1f}× as long: {baseline}"
    )


def bet(hand: str) -> object:
    return mo.bet(hand, seat=1, phase="grande", score=(20, 25), offer=5)


def counted_bet(hand: str) -> object:
    """The deals of this hand counted, nothing kept."""
    bets._outcomes.cache_clear()
    bets._ASKED.clear()
    kept, bets.were_counted = bets.were_counted, lambda game, seat: False
    try:
        return bet(hand)
    finally:
        bets.were_counted = kept


def solved_bets() -> None:
    """Bets against solved rivals, the strategy in memory: the first question, and each next.

    The next ones are new hands on the same line, and then new lines.
    """
    for what, game, score, gap in SOLVED:
        solved = mo.solve_betting(what, game=game, score=score, gap=gap)
        spec = solved.spec
        rest = {"score": spec.score, "game": spec.game, "solved": solved}

        def ask(hand: str, line: str = "", rest: dict = rest) -> float:  # type: ignore[type-arg]
            phase = line.rpartition("; ")[2].partition(":")[0] or "grande"
            start = time.process_time()
            mo.bet_solved(hand, seat=1, phase=phase, line=line or None, **rest)
            return 1000 * (time.process_time() - start)

        texts = random.Random(2).sample(hands(spec.game).texts, 20)
        first = ask(texts[0])
        times = sorted(ask(hand) for hand in texts[1:])
        name = f"solved {spec.what}, {spec.game.name}, {spec.score[0]}-{spec.score[1]}"
        line(f"{name}, next hands", times[len(times) // 2], "the first", first, 5)
        if spec.what == "deal":
            lines = ["grande: en paso", "grande: paso, órdago", "grande: en paso; chica: en paso"]
            times = []
            for said in lines:
                try:
                    times.append(ask("RRAA", said))
                except mo.InputError as error:
                    print(f"  {said}: {error}")
            line(f"{name}, new lines", max(times), "the first", first, 5)


def main() -> None:
    counted = mean(lambda hand: mo.known_odds(hand, seat=1), 5)
    line("mo.odds", mean(lambda h: mo.odds(h, seat=1), 300), "counted deal by deal", counted, 0.05)
    partner = {"knowledge": mo.know(partner="C765")}
    line(
        "known partner",
        mean(lambda hand: mo.odds(hand, seat=1, partner="C765"), 60),
        "deal by deal",
        mean(lambda hand: mo.known_odds(hand, seat=1, **partner), 10),
        2,
    )
    for name, ranges in (("three ranges", RANGES), ("three wide ranges", SETS)):
        known = mo.know(**ranges)
        found = mean(lambda hand, known=known: mo.odds(hand, seat=1, knowledge=known), 20)
        line(
            name,
            found,
            "all four seats",
            mean(lambda hand, known=known: mo.odds(hand, seat="all", knowledge=known), 5),
            15,
        )
    slow = mean(counted_bet, 5)
    for hand in hands_for(40):
        bet(hand)
    line("mo.bet, en paso", mean(bet, 200), "its deals counted", slow, 5)
    solved_bets()
    start = time.process_time()
    frame = mo.pairs_table("mus")
    took = time.process_time() - start
    pairs = len(frame) / 20
    one = mean(lambda hand: mo.odds(hand, partner="C765").to_frame(), 40)
    print(
        f"{'mo.pairs_table':<28}{took:9.2f} s  (at most 60 s)    {pairs * one / 1000 / took:8.1f}× "
        f"as long: its {pairs:,.0f} pairs one by one"
    )


if __name__ == "__main__":
    main()
