"""Memory and speed of whole files of questions (``--from FILE``), command by command.

    python tests/benchmarks/bench_from_file.py [TIMES]

With TIMES there are so many times as many rows. Each command is asked for two files in
processes of their own, one four times as long as the other: what memory grows by says what
100,000 rows would take, where asking so many takes too long. At most 300 MB are wanted. Beside
it stand rows a second of processor time, without the start.
"""

from __future__ import annotations

import csv
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import musodds as mo
from musodds.rules.hands import hands

WHOLE, LIMIT = 100_000, 300
SEATS = ("1", "2", "3", "4")
RECORD = Path(__file__).parents[2] / "notebooks" / "data" / "deal.txt"

# The rows of the longer file; the shorter has a quarter of them.
ROWS = {"hand": 4000, "bet": 2000, "read": 400, "duel": 400, "discard": 40, "score": 4000}


def questions(command: str, number: int) -> list[dict[str, str]]:
    """As many different questions as there may be."""
    draw, texts = random.Random(1), hands(mo.get_game("mus")).texts
    found = []
    for _ in range(number):
        hand, seat = draw.choice(texts), draw.choice(SEATS)
        score = f"{draw.randrange(40)}-{draw.randrange(40)}"
        found.append(
            {
                "hand": {"hand": hand, "seat": seat, "partner": draw.choice(texts)},
                "bet": {"hand": hand, "seat": seat, "phase": "grande", "score": score},
                "read": {"hand": hand, "seat": seat, "partner": draw.choice(texts)},
                "duel": {"hand1": hand, "hand2": draw.choice(texts)},
                "discard": {"hand": hand, "seat": seat},
                "score": {"record": RECORD.read_text(encoding="utf-8")},
            }[command]
        )
    return found


def asked(command: str, number: int) -> tuple[float, float]:
    """The most memory in MB, and seconds of the processor."""
    rows = questions(command, number)
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder, "questions.csv"), Path(folder, "answers.csv")
        with file.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
        words = [sys.executable, "-m", "musodds", command, "--from", str(file), "-o", str(out)]
        process = subprocess.Popen(words, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = status
    if status:
        raise SystemExit(f"{command} ended with {status}")
    return used.ru_maxrss / 1024, used.ru_utime + used.ru_stime


def main() -> None:
    factor = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    for command, number in ROWS.items():
        most = max(8, round(number * factor))
        few = most // 4
        (small, start), (large, end) = asked(command, few), asked(command, most)
        growth = max(0.0, large - small) / (most - few)
        told = large + growth * max(0, WHOLE - most)
        print(
            f"{command:<8} {most:7,d} rows  {large:6.0f} MB ({small:.0f} MB with {few:,})  "
            f"{(most - few) / max(end - start, 0.01):8.0f} rows/s  at {WHOLE:,} rows some "
            f"{told:.0f} MB (at most {LIMIT})"
        )


if __name__ == "__main__":
    main()
