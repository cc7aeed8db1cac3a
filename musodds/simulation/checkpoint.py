"""Saving a long run as it goes, and going on where it was killed.

A checkpoint is a line that says what it is, a line with the SHA-256 of the rest, and
JSON: what run it belongs to, and the same in words; how many full blocks, and their sums.
It is replaced as a whole, so a run that is killed at any moment leaves the last one or the
one before.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.errors import InputError
from musodds.simulation.blocks import BLOCK, STREAM, Job
from musodds.simulation.runner import Total
from musodds.store.files import check_writable, read_limited, write_atomic

HEADER = "musodds checkpoint 2"

_LARGEST = 10**8
"""Bytes: the sums of a hundred rounds of mus are a few hundred thousand numbers."""

_MOST_BLOCKS = 10**15


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
    told : mapping of str to str
        The same for people: the options that were given, such as ``--seed 3``.
    """

    path: Path
    run: dict[str, Any]
    told: Mapping[str, str]

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
        for name, wanted in self.run.items():
            if content["run"].get(name) != wanted:
                words = (told.get(name, "another version") for told in (content["told"], self.told))
                raise other_run(self.path, *words)
        sums = _sums(content["sums"], job)
        if sums is None or not content["blocks"]:
            raise damaged(self.path)
        return Total(sums, content["blocks"] * BLOCK, content["blocks"])

    def save(self, total: Total) -> None:
        """Write the total's full blocks; a total with part of a block is not written.

        Raises
        ------
        OutputError
            If the file cannot be written.
        """
        if total.deals % BLOCK or not total.deals:
            return
        content = {
            "run": self.run,
            "told": dict(self.told),
            "blocks": total.blocks,
            "sums": total.sums.tolist(),
        }
        body = json.dumps(content, separators=(",", ":"))
        write_atomic(self.path, f"{HEADER}\n{_checksum(body)}\n{body}\n")


def other_run(path: Path, found: str | None, wanted: str) -> CheckpointError:
    """That a file is of another run: what it was made with, if it says, and what is asked for."""
    theirs, ours = _short(found or "another version"), _short(wanted)
    differs = f"{theirs}, not {ours}" if theirs != ours else f"another {theirs}"
    return CheckpointError(
        f"checkpoint {str(path)!r} belongs to another run: it was made with {differs}; name "
        "another file, or delete it"
    )


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
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise CheckpointError(f"checkpoint {str(path)!r} is no regular file: name another")
        text = read_limited(path, _LARGEST).decode()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        text = ""
    except OSError as error:
        reason = error.strerror or str(error)
        reason = reason[:1].lower() + reason[1:]
        raise CheckpointError(f"cannot read checkpoint {str(path)!r}: {reason}") from None
    lines = text.split("\n")
    if lines[0] != HEADER:
        raise CheckpointError(
            f"{str(path)!r} is not a checkpoint of musodds (of this version): name another file"
        )
    if len(lines) != 4 or lines[1] != _checksum(lines[2]) or lines[3]:
        raise damaged(path)
    try:
        content = json.loads(lines[2])
    except (ValueError, RecursionError):
        raise damaged(path) from None
    if not _is_content(content):
        raise damaged(path)
    found: dict[str, Any] = content
    return found


def _is_content(content: object) -> bool:
    """Whether it is what :meth:`Checkpoint.save` writes, as far as that shows here."""
    match content:
        case {"run": {"seed": seed}, "told": dict(told), "blocks": blocks, "sums": list()}:
            words = all(isinstance(word, str) and word.isprintable() for word in told.values())
            return words and _is_whole(seed, 2**63 - 1) and _is_whole(blocks, _MOST_BLOCKS)
        case _:
            return False


def _is_whole(number: object, most: int) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= most


def _sums(values: list[Any], job: Job) -> NDArray[Any] | None:
    """The sums as an array; None if they cannot be those of such a job."""
    zeros = job.zeros()
    if len(values) != len(zeros):
        return None
    if zeros.dtype == np.int64:
        good = all(_is_whole(value, 2**62) for value in values)
    else:
        # Weights are not negative, nor are their squares.
        good = all(isinstance(value, float) and isfinite(value) and value >= 0 for value in values)
    return np.array(values, dtype=zeros.dtype) if good else None


def damaged(path: Path) -> CheckpointError:
    """That a file was cut or changed."""
    return CheckpointError(f"checkpoint {str(path)!r} is damaged: name another file, or delete it")


def _checksum(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
