"""A solver's state in a file: written as it goes, gone on from to the same digits.

The first line is ``musodds solving 1``; the second a JSON object: what is solved, how far
it is, and the SHA-256 of the numbers, which follow as they lie in memory. The file is
replaced as a whole, so that a run that is killed leaves the last one or the one before.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.simulation.checkpoint import CheckpointError, damaged, other_run
from musodds.store.files import check_writable, is_special, write_atomic

MAGIC = b"musodds solving 1\n"
SAVE_SECONDS = 20.0
"""How often a state is written: that of a whole deal is some hundred megabytes."""

_MOST_HEADER = 1 << 16

State = Sequence[NDArray[Any]]


class Checkpoint:
    """The file of one run.

    Parameters
    ----------
    path : str or Path
    run : mapping of str to str
        All that its digits depend on but where it stops, by name, each as it is told to
        people: ``--score 32-35``.

    Raises
    ------
    CheckpointError
        If there is something else.
    OutputError
        If nothing can be written there.
    """

    def __init__(self, path: str | Path, run: Mapping[str, str]) -> None:
        self.path, self.run = Path(path), dict(run)
        check_writable(self.path)
        if is_special(self.path):
            raise CheckpointError(f"checkpoint {str(path)!r} is no regular file: name another")
        self._header = self._read() if self.path.is_file() else None
        self._saved = time.monotonic()

    def _read(self) -> dict[str, Any]:
        """The second line, of this very run."""
        try:
            with self.path.open("rb") as file:
                magic, line = file.read(len(MAGIC)), file.readline(_MOST_HEADER)
        except OSError as error:
            reason = error.strerror or str(error)
            raise CheckpointError(f"cannot read checkpoint {str(self.path)!r}: {reason}") from None
        if magic != MAGIC:
            raise CheckpointError(
                f"{str(self.path)!r} is not a checkpoint of musodds solve (of this version): name "
                "another file"
            )
        try:
            header = json.loads(line)
        except (ValueError, RecursionError):
            raise damaged(self.path) from None
        match header:
            case {"run": dict(run), "numbers": dict(), "sha256": str()}:
                told = all(isinstance(word, str) and word.isprintable() for word in run.values())
            case _:
                told = False
        if not told:
            raise damaged(self.path)
        for name, wanted in self.run.items():
            if run.get(name) != wanted:
                raise other_run(self.path, run.get(name), wanted)
        found: dict[str, Any] = header
        return found

    def load(self, state: State) -> dict[str, Any]:
        """Set arrays to what is in the file, and return how far it is; {} where there is none.

        Raises
        ------
        CheckpointError
            If it is damaged.
        """
        if self._header is None:
            return {}
        numbers: dict[str, Any] = self._header["numbers"]
        digest = hashlib.sha256(json.dumps(numbers).encode())
        with self.path.open("rb") as file:
            file.seek(len(MAGIC))
            file.readline(_MOST_HEADER)
            for one in state:
                raw = file.read(one.nbytes)
                if len(raw) != one.nbytes:
                    raise damaged(self.path)
                digest.update(raw)
                one[...] = np.frombuffer(raw, one.dtype.newbyteorder("<")).reshape(one.shape)
                if not np.isfinite(one).all():
                    raise damaged(self.path)
            more = file.read(1)
        if more or digest.hexdigest() != self._header["sha256"]:
            raise damaged(self.path)
        return numbers

    def save(self, numbers: Mapping[str, Any], state: State) -> None:
        """Replace the file."""
        digest = hashlib.sha256(json.dumps(numbers).encode())
        raw = [one.astype(one.dtype.newbyteorder("<"), copy=False).data for one in state]
        for part in raw:
            digest.update(part)
        header = {"run": self.run, "numbers": numbers, "sha256": digest.hexdigest()}
        line = MAGIC + json.dumps(header).encode("ascii") + b"\n"
        write_atomic(self.path, chain([line], map(bytes, raw)))
        self._saved = time.monotonic()

    @property
    def due(self) -> bool:
        """Whether it is time to write again."""
        return time.monotonic() - self._saved >= SAVE_SECONDS
