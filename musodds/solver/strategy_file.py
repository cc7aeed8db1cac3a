"""A solved strategy in a file that is safe to read from a stranger.

The first line is ``musodds strategy 1``; the second a JSON object: what was solved and
found, how long the compressed numbers are and their SHA-256. Then come the numbers,
compressed by zlib: strategies of the first and second side (little-endian uint16), worths
of either (float32). Nothing in it is executed; the tree is built again from what was
solved, and a file whose numbers do not fit it is refused.
"""

from __future__ import annotations

import hashlib
import json
import math
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from musodds.errors import InputError
from musodds.rules.games import get_game
from musodds.solver.best_response import Gap
from musodds.solver.betting import Betting, table_starts
from musodds.solver.game import Spec
from musodds.solver.sizes import read_sizes
from musodds.store.files import write_atomic

MAGIC = b"musodds strategy 1\n"
_MOST_HEADER = 1 << 16
_MOST_PACKED = 1 << 30
_NUMBERS = ("value", "most", "least", "en_paso", "played", "seconds")


def write_file(path: str | Path, solved: Betting) -> None:
    """Write a solved game, whole or not at all."""
    spec = solved.spec
    raw = b"".join(
        [one.astype("<u2").tobytes() for one in solved.strategies]
        + [one.astype("<f4").tobytes() for one in solved.worths]
    )
    packed = zlib.compress(raw, 6)
    header: dict[str, Any] = {
        "what": spec.what, "game": spec.game.name, "model": spec.model,
        "score": list(spec.score), "payoff": spec.payoff, "speakers": list(spec.speakers),
        "bets": spec.sizes.bets_text, "raises": spec.sizes.raises_text,
        "reraises": spec.sizes.reraises, "iterations": solved.iterations,
        "value": solved.gap.value, "most": solved.gap.most, "least": solved.gap.least,
        "en_paso": solved.en_paso, "played": solved.played, "seconds": solved.seconds,
        "length": len(packed), "sha256": hashlib.sha256(packed).hexdigest(),
    }  # fmt: skip
    write_atomic(path, MAGIC + json.dumps(header).encode("ascii") + b"\n" + packed)


def read_file(path: str | Path) -> Betting:
    """Read what :func:`write_file` has written.

    Raises
    ------
    InputError
        If it is no such file, or damaged.
    """

    def wrong(why: str) -> InputError:
        return InputError(f"{str(path)!r} is no strategy that can be read: {why}")

    try:
        with Path(path).open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise wrong("`musodds solve -o FILE` writes one")
            line = file.readline(_MOST_HEADER)
            packed = file.read(_MOST_PACKED + 1)
    except OSError as error:
        raise wrong(error.strerror or str(error)) from None
    try:
        header = json.loads(line)
        spec = Spec(
            get_game(header["game"]), header["what"], _two(header["score"]),
            header["payoff"], read_sizes(header["bets"], header["raises"], int(header["reraises"])),
            _two(header["speakers"]),
        )  # fmt: skip
        numbers = {name: float(header[name]) for name in _NUMBERS}
        iterations, length, digest = int(header["iterations"]), header["length"], header["sha256"]
    except (KeyError, TypeError, ValueError) as error:
        raise wrong(f"its second line says {error}") from None
    if not all(map(math.isfinite, numbers.values())):
        raise wrong("its second line has numbers that are none")
    spec.check()
    if len(packed) != length or hashlib.sha256(packed).hexdigest() != digest:
        raise wrong("it is damaged: its checksum is another")
    sizes = [int(table_starts(spec.tree, side)[-1]) for side in (0, 1)]
    whole = sum(sizes) * 6
    try:
        unpack = zlib.decompressobj()
        raw = unpack.decompress(packed, whole + 1)
    except zlib.error as error:
        raise wrong(str(error)) from None
    if len(raw) != whole or not unpack.eof:
        raise wrong("its numbers do not fit the game")
    both = 2 * sum(sizes)
    chances = np.frombuffer(raw[:both], "<u2").astype(np.uint16)
    worths = np.frombuffer(raw[both:], "<f4").astype(np.float32)
    return Betting(
        spec, Gap(numbers["value"], numbers["most"], numbers["least"]), numbers["en_paso"],
        numbers["played"], iterations, numbers["seconds"],
        (chances[: sizes[0]], chances[sizes[0] :]), (worths[: sizes[0]], worths[sizes[0] :]),
    )  # fmt: skip


def _two(numbers: Any) -> tuple[int, int]:
    first, second = numbers
    return int(first), int(second)
