"""The lines of a record: keys and values, deal by deal, before anything is played."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from musodds.errors import InputError
from musodds.playing.deal import CHANGE, SHOWN, TALK, VISTO
from musodds.rules.game import PHASES

SEPARATOR = "---"

LASTING = ("game", "target", "games", "reenvido", "sides", "players")
"""What goes on from deal to deal until it is said again."""

HEADER = (*LASTING, "match", "won", "score", "stones", "mano", "dealer", "hands", "signs")
BODY = (SHOWN, VISTO, TALK, CHANGE, *PHASES)

_DIGITS = 6


class RecordError(InputError):
    """A record that cannot be read or replayed; the message begins with the line number."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line: its number in the file, the key and what follows it."""

    number: int
    key: str
    value: str

    def error(self, message: object) -> RecordError:
        return RecordError(f"line {self.number}: {message}")

    def numbers(self) -> tuple[int, ...]:
        """The value as whole numbers, such as 32-35."""
        if not re.fullmatch(rf"\d{{1,{_DIGITS}}}([\s,-]+\d{{1,{_DIGITS}}})*", self.value):
            raise self.error(
                f"{self.value[:40]!r}: whole numbers with - between them, such as 32-35"
            )
        return tuple(map(int, re.findall(r"\d+", self.value)))

    def number_alone(self) -> int:
        """The value as one whole number."""
        found = self.numbers()
        if len(found) != 1:
            raise self.error(f"{self.value!r}: one whole number")
        return found[0]

    def words(self) -> tuple[str, ...]:
        return tuple(re.split(r"[\s,]+", self.value))


def blocks(text: str) -> Iterator[list[Line]]:
    """The lines of each deal; a deal without lines is left out."""
    lines: list[Line] = []
    for number, raw in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        content = raw.partition("#")[0].strip()
        if content == SEPARATOR and lines:
            yield lines
            lines = []
        elif content and content != SEPARATOR:
            lines.append(_line(number, content))
    if lines:
        yield lines


def _line(number: int, content: str) -> Line:
    key, colon, value = content.partition(":")
    line = Line(number, key.strip().lower(), value.strip())
    if not colon or line.key not in HEADER + BODY:
        raise line.error(
            f"{content!r} is not a line of a record: one begins with "
            f"{', '.join(HEADER + BODY)} and a colon, or is {SEPARATOR}"
        )
    if not line.value:
        raise line.error(f"nothing follows {line.key!r}")
    return line


def header_and_body(lines: list[Line]) -> tuple[dict[str, Line], list[Line]]:
    """The lines of a deal: what it begins with, and what was said in it."""
    header: dict[str, Line] = {}
    body: list[Line] = []
    for line in lines:
        if line.key in BODY:
            body.append(line)
        elif body or line.key in header:
            raise line.error(
                f"a second line {line.key!r}"
                if line.key in header
                else f"{line.key!r} stands before what is said in the deal"
            )
        else:
            header[line.key] = line
    return header, body
