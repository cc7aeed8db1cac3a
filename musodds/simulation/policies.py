"""Policies: for every seat and hand, which cards stay and whether to say mus or cut.

A policy is data: one array of keeps, one of cuts. What plays it (the simulation) and
what makes it (built-in rules, files, the solver) meet in the :class:`Policy` record.
"""

from __future__ import annotations

import csv
import hashlib
import io
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from musodds.errors import CardError, GameError, InputError
from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.hands import Hands, hands
from musodds.store.files import read_text
from musodds.values import Table

_LARGEST = 10**7
"""Bytes: a row for every hand and seat is a hundredth of it."""

COLUMNS = ("hand", "seat", "keep", "say")


class PolicyError(InputError):
    """A policy that cannot be played, or a policy file that cannot be read."""


@dataclass(frozen=True, eq=False, repr=False)
class Policy(Table):
    """What each seat does with each hand.

    Parameters
    ----------
    name : str
    game : Game
    keep : ndarray of int8, shape (seats, classes, kinds)
        How many cards of each kind stay in the hand when it throws.
    cut : ndarray of bool, shape (seats, classes)
        Whether the seat says *no hay mus* with that hand. What such a hand keeps
        matters only to those who ask what it would throw if it said mus.

    Raises
    ------
    PolicyError
        If a shape is wrong, a keep is not part of its hand, or a hand says mus and
        throws nothing.

    Examples
    --------
    >>> from musodds.simulation.named_policies import get_policy
    >>> policy = get_policy("kings", "mus")
    >>> policy.keep_text(1, "RR7A"), policy.keep_text(1, "RRRR"), policy.says_mus(1, "RR7A")
    ('RR', 'RRR', True)
    """

    name: str
    game: Game
    keep: NDArray[np.int8]
    cut: NDArray[np.bool_]

    def __post_init__(self) -> None:
        table = hands(self.game)
        seats, classes, kinds = self.game.seats, *table.counts.shape
        for what, array, shape in (
            ("keep", self.keep, (seats, classes, kinds)),
            ("cut", self.cut, (seats, classes)),
        ):
            if array.shape != shape:
                raise PolicyError(
                    f"policy {self.name}: {what} has shape {array.shape}, "
                    f"{self.game.name} needs {shape}"
                )
        keep = np.ascontiguousarray(self.keep, dtype=np.int8)
        cut = np.ascontiguousarray(self.cut, dtype=np.bool_)
        if keep is self.keep:
            keep = keep.copy()
        if cut is self.cut:
            cut = cut.copy()
        keep.flags.writeable = cut.flags.writeable = False
        object.__setattr__(self, "keep", keep)
        object.__setattr__(self, "cut", cut)
        self._check(table)

    def _check(self, table: Hands) -> None:
        foreign = np.argwhere(((self.keep < 0) | (self.keep > table.counts)).any(axis=2))
        if len(foreign):
            seat, index = foreign[0]
            raise PolicyError(
                f"policy {self.name}, seat {seat + 1}: what stays of {table.texts[index]} "
                "is not part of the hand"
            )
        stuck = np.argwhere((self.keep.sum(axis=2) == CARDS) & ~self.cut)
        if len(stuck):
            seat, index = stuck[0]
            raise PolicyError(
                f"policy {self.name}, seat {seat + 1}: {table.texts[index]} says mus and "
                "throws nothing; after mus everybody throws one to four cards"
            )

    @cached_property
    def digest(self) -> str:
        """SHA-256 of what the policy does, whatever its name."""
        shape = repr((self.game.name, self.keep.shape)).encode()
        return hashlib.sha256(shape + self.keep.tobytes() + self.cut.tobytes()).hexdigest()

    def keep_text(self, seat: int, hand: str | int) -> str:
        """The cards that stay, high to low; ``-`` when all four go."""
        index = hand if isinstance(hand, int) else hands(self.game).index(hand)
        cards = np.repeat(np.arange(self.keep.shape[2]), self.keep[seat - 1, index])
        return self.game.deck.text(cards.tolist()) or "-"

    def says_mus(self, seat: int, hand: str | int) -> bool:
        """Whether the seat says mus with that hand."""
        index = hand if isinstance(hand, int) else hands(self.game).index(hand)
        return not self.cut[seat - 1, index]

    def rows(self) -> list[dict[str, str]]:
        """The policy as the rows of its CSV file; seat ``*`` where all seats agree.

        Examples
        --------
        >>> from musodds.simulation.named_policies import get_policy
        >>> get_policy("kings", "mus").rows()[1]
        {'hand': 'RRRC', 'seat': '*', 'keep': 'RRR', 'say': 'mus'}
        """
        same = (self.keep == self.keep[0]).all(axis=(0, 2)) & (self.cut == self.cut[0]).all(axis=0)
        found = []
        for index, text in enumerate(hands(self.game).texts):
            for seat in range(1, 2 if same[index] else self.game.seats + 1):
                found.append(
                    {
                        "hand": text,
                        "seat": "*" if same[index] else str(seat),
                        "keep": self.keep_text(seat, index),
                        "say": "mus" if self.says_mus(seat, index) else "cut",
                    }
                )
        return found

    def to_csv(self) -> str:
        """The policy as CSV text, which :func:`read_policy` reads back."""
        out = io.StringIO()
        writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows())
        return out.getvalue()


def read_policy(path: str | Path, game: str | Game = "mus") -> Policy:
    """Read a policy from a CSV file with the columns hand, seat, keep and say.

    Seat is a number, ``mano``, ``postre`` or ``*`` for all of them; keep is the cards
    that stay (``RR``; ``-`` or nothing when all four go); say is ``mus`` or ``cut``.
    Lines that begin with ``#`` are comments. Every hand of the game must be there once
    for every seat.

    Raises
    ------
    PolicyError
        With the file's name and the line, if a row is wrong, missing or doubled.
    """
    path = Path(path)
    return parse_policy(policy_text(path), get_game(game), path.stem, str(path))


def policy_text(path: Path) -> str:
    """The text of a policy file; see :func:`read_policy`."""
    wrong = f"cannot read policy {path}: {{}}".format
    text = read_text(path, _LARGEST, lambda reason: PolicyError(wrong(reason)))
    return text.replace("\r\n", "\n")


def comments(text: str) -> tuple[str, ...]:
    """The comments of a policy's CSV text, without their marks."""
    lines = text.splitlines()
    return tuple(line.lstrip("# ") for line in lines if line.startswith("#"))


def parse_policy(text: str, game: Game, name: str, source: str = "policy") -> Policy:
    """Read a policy from CSV text; see :func:`read_policy`.

    Parameters
    ----------
    text : str
    game : Game
    name : str
        The name the policy gets.
    source : str
        What messages call the text, such as its file name.
    """
    table = hands(game)
    lines = np.zeros((game.seats, len(table)), dtype=np.int64)
    keep = np.zeros((game.seats, *table.counts.shape), dtype=np.int8)
    cut = np.zeros(lines.shape, dtype=np.bool_)
    # A comment is read as an empty line, so that lines keep their numbers.
    plain = ("" if line.startswith("#") else line for line in io.StringIO(text))
    reader = csv.reader(plain, strict=True)
    try:
        header = [field.strip().lower() for field in next(filter(any, reader), [])]
        if sorted(header) != sorted(COLUMNS):
            raise PolicyError(
                f"{source}, line {max(reader.line_num, 1)}: "
                f"the columns must be {', '.join(COLUMNS)}, not {', '.join(header) or 'nothing'}"
            )
        for fields in reader:
            if not any(field.strip() for field in fields):
                continue
            where = f"{source}, line {reader.line_num}"
            row = _Row.parse(dict(zip(header, fields, strict=False)), len(fields), table, where)
            for seat in row.seats:
                earlier = lines[seat - 1, row.index]
                if earlier:
                    raise PolicyError(
                        f"{where}: {table.texts[row.index]} for seat {seat} was already "
                        f"on line {earlier}"
                    )
                lines[seat - 1, row.index] = reader.line_num
                keep[seat - 1, row.index] = row.keep
                cut[seat - 1, row.index] = row.cut
    except csv.Error as error:
        raise PolicyError(f"{source}, line {reader.line_num}: not valid CSV: {error}") from None
    missing = np.argwhere(lines == 0)
    if len(missing):
        seat, index = missing[0]
        raise PolicyError(
            f"{source}: no row for {table.texts[index]}, seat {seat + 1} "
            f"({len(missing)} of {lines.size} missing)"
        )
    return Policy(name, game, keep, cut)


@dataclass(frozen=True, slots=True)
class _Row:
    """One checked row of a policy file."""

    index: int
    seats: tuple[int, ...]
    keep: NDArray[np.int64]
    cut: bool

    @classmethod
    def parse(cls, row: dict[str, str], number: int, table: Hands, where: str) -> _Row:
        if number != len(COLUMNS):
            raise PolicyError(f"{where}: {number} fields, {len(COLUMNS)} are needed")
        game = table.game
        try:
            index = table.index(row["hand"])
            seat = row["seat"].strip()
            seats = game.parse_seats("all" if seat == "*" else game.parse_seat(seat))
            cards = game.deck.parse(row["keep"])
        except GameError as error:
            raise PolicyError(f"{where}: {error}, or * for every seat") from None
        except CardError as error:
            raise PolicyError(f"{where}: {error}") from None
        say = row["say"].strip().lower()
        if say not in ("mus", "cut"):
            raise PolicyError(f"{where}: say is {row['say']!r}; it must be mus or cut")
        keep = np.bincount(cards, minlength=table.counts.shape[1]).astype(np.int64)
        text = table.texts[index]
        if (keep > table.counts[index]).any():
            raise PolicyError(f"{where}: keep {row['keep'].strip()} is not part of {text}")
        if len(cards) == CARDS and say == "mus":
            raise PolicyError(
                f"{where}: {text} says mus and keeps all four cards; at least one must go"
            )
        return cls(index, seats, keep, say == "cut")
