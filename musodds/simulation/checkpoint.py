"""Saving a long run as it goes, and going on where it was killed.

A checkpoint is a line that says what it is, a line with the SHA-256 of the rest, and
JSON: what run it belongs to, how many full blocks, and their sums. It is replaced as a
whole, so a run that is killed at any moment leaves the last one or the one before.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from musodds.errors import InputError
from musodds.simulation.blocks import BLOCK, STREAM, Job
from musodds.simulation.runner import Total
from musodds.store.files import check_writable, write_atomic

HEADER = "musodds checkpoint 1"


class CheckpointError(InputError):
    """A file that a run cannot go on from; the message says why."""


@dataclass(frozen=True)
class Checkpoint:
    """The file of one run.

    Attributes
    ----------
    path : Path
    run : dict
        What the run is: all that its digits depend on, but where it stops.
    """

    path: Path
    run: dict[str, Any]

    def load(self, job: Job) -> Total:
        """The blocks that are in the file; none where there is no file.

        Raises
        ------
        CheckpointError
            If the file is foreign, damaged, or belongs to another run. It is left as
            it is.
        """
        check_writable(self.path)
        content = read_content(self.path)
        if content is None:
            return Total(job.zeros())
        found = content["run"]
        for name, wanted in self.run.items():
            if found.get(name) != wanted:
                raise CheckpointError(
                    f"checkpoint {str(self.path)!r} belongs to another run: its "
                    f"{_WORDS.get(name, name)} is {_short(found.get(name))}, not "
                    f"{_short(wanted)}; name another file, or delete it"
                )
        sums = np.array(content["sums"], dtype=job.zeros().dtype)
        return Total(sums, content["blocks"] * BLOCK)

    def save(self, total: Total) -> None:
        """Write the total's full blocks; a total with part of a block is not written.

        Raises
        ------
        OutputError
            If the file cannot be written.
        """
        if total.deals % BLOCK:
            return
        content = {"run": self.run, "blocks": total.blocks, "sums": total.sums.tolist()}
        body = json.dumps(content, separators=(",", ":"))
        write_atomic(self.path, f"{HEADER}\n{_checksum(body)}\n{body}\n")


_WORDS = {
    "policy_digest": "policy (its content)",
    "known": "knowledge (its content)",
    "stream": "kind of random stream",
}


def run_identity(**facts: Any) -> dict[str, Any]:
    """What a run is, as JSON holds it: the facts, and how its deals are made."""
    identity: dict[str, Any] = json.loads(json.dumps(facts | {"stream": STREAM, "block": BLOCK}))
    return identity


def saved_seed(path: Path) -> int | None:
    """The seed of the run that a file belongs to; None where there is no file.

    Raises
    ------
    CheckpointError
        If the file is foreign or damaged.
    """
    content = read_content(path)
    return None if content is None else int(content["run"]["seed"])


def read_content(path: Path) -> dict[str, Any] | None:
    """What is in a checkpoint; None where there is no file.

    Raises
    ------
    CheckpointError
        If the file is foreign or damaged.
    """
    try:
        text = path.read_bytes().decode()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        text = ""
    except OSError as error:
        raise CheckpointError(f"cannot read checkpoint {str(path)!r}: {error.strerror}") from None
    lines = text.split("\n")
    if lines[0] != HEADER:
        raise CheckpointError(
            f"{str(path)!r} is not a checkpoint of musodds (of this version): name another file"
        )
    if len(lines) != 4 or lines[1] != _checksum(lines[2]) or lines[3]:
        raise CheckpointError(
            f"checkpoint {str(path)!r} is damaged: name another file, or delete it"
        )
    content: dict[str, Any] = json.loads(lines[2])
    return content


def _checksum(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 24 else text[:12] + "…"
