"""What everybody at the table knows of the cards before the betting that is solved.

Good players know what the others know: so it is declarations, a range for a seat that
all have heard of (its neighbours saw it throw one card), dead cards; never what one
player has seen of another. What a model cannot take in is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from musodds.arrays import Floats
from musodds.errors import KnowledgeError
from musodds.knowledge.knowledge import DECLARED, Knowledge
from musodds.knowledge.range import MAX_WEIGHT
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.values import Value


@dataclass(frozen=True, repr=False)
class Known(Value):
    """See the head of the module.

    Parameters
    ----------
    game : Game
    labels : tuple of str
        All of it in words.
    declared : tuple of (str, int, bool)
        Phase, seat, and whether it has it.
    ranges : tuple of (int, tuple of int)
        A seat, and the weight of each hand class.
    dead : tuple of int
        Kinds of the cards that nobody holds.
    """

    game: Game
    labels: tuple[str, ...] = ()
    declared: tuple[tuple[str, int, bool], ...] = ()
    ranges: tuple[tuple[int, tuple[int, ...]], ...] = ()
    dead: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.labels)

    @property
    def text(self) -> str:
        """All of it in a line."""
        return "; ".join(self.labels)

    @property
    def told(self) -> dict[str, str]:
        """The same, and all weights, as a checkpoint tells it."""
        return {"known": f"{self.text or 'nothing'} known", "weights": f"ranges {self.ranges}"}

    def answers(self, phase: str) -> tuple[bool | None, ...]:
        """What each seat declared of a phase; None where it is not known."""
        found: list[bool | None] = [None] * self.game.seats
        for of, seat, answer in self.declared:
            if of == phase:
                found[seat - 1] = answer
        return tuple(found)

    def weights(self, seat: int) -> Floats:
        """How likely, besides the cards, each hand is in a seat, at most 1; shape (classes,)."""
        known = hands(self.game)
        found = np.ones(len(known))
        for of, weights in self.ranges:
            if of == seat:
                found = found * np.array(weights) / max(weights)
        for phase, of, answer in self.declared:
            if of == seat:
                found = found * ((known.level[phase] > 0) == answer)
        return found

    def refuse(self, why: str) -> KnowledgeError:
        """That a model cannot take it in."""
        return KnowledgeError(f"known: {self.text}: {why}")

    def header(self) -> dict[str, Any]:
        """As it stands in a file."""
        return {
            "labels": list(self.labels), "declared": [list(one) for one in self.declared],
            "ranges": [[seat, list(some)] for seat, some in self.ranges], "dead": list(self.dead),
        }  # fmt: skip


def known_of(game: Game, knowledge: Knowledge | None) -> Known:
    """What may be known to all.

    Raises
    ------
    KnowledgeError
        If it is said as one player sees it, or declarations are named otherwise.
    """
    if knowledge is None:
        return Known(game)
    if knowledge.game != game:
        raise KnowledgeError(f"known: of {knowledge.game.name}, not of {game.name}")
    declared, ranges = [], []
    for piece in knowledge.pieces:
        if not isinstance(piece.where, int):
            raise KnowledgeError(
                f"{piece.label}: who is solved knows what all know, so say of which seat: "
                "--seat-range 2=RANGE, --pares, --juego, --dead"
            )
        if piece.declared is not None:
            declared.append((piece.declared[0], piece.where, piece.declared[1]))
        else:
            ranges.append((piece.where, tuple(piece.range.weights.tolist())))
    return Known(game, knowledge.labels, tuple(declared), tuple(ranges), knowledge.dead)


def read_known(game: Game, header: Any) -> Known:
    """What :meth:`Known.header` has written; it may come from a stranger.

    Raises
    ------
    ValueError
        If it is something else.
    """
    if header is None:
        return Known(game)
    number = len(hands(game))
    labels = tuple(header["labels"])
    declared = tuple((str(phase), int(seat), bool(yes)) for phase, seat, yes in header["declared"])
    ranges = tuple((int(seat), tuple(map(int, some))) for seat, some in header["ranges"])
    dead = tuple(map(int, header["dead"]))
    seats = {seat for _, seat, _ in declared} | {seat for seat, _ in ranges}
    good = (
        all(isinstance(label, str) and label.isprintable() for label in labels)
        and seats <= set(range(1, game.seats + 1))
        and {phase for phase, _, _ in declared} <= set(DECLARED)
        and all(len(some) == number and _weights(some) for _, some in ranges)
        and all(0 <= kind < len(game.deck.kinds) for kind in dead)
    )
    if not good:
        raise ValueError("what cannot be known")
    return Known(game, labels, declared, ranges, dead)


def _weights(some: Sequence[int]) -> bool:
    return min(some) >= 0 and 0 < max(some) <= MAX_WEIGHT


def partners_answers(known: Known, speaker: int) -> Iterator[tuple[int, bool]]:
    """What the partner of a speaker declared: the number of the phase, and whether he has it."""
    mates = known.game.partners(speaker)
    for phase, seat, answer in known.declared:
        if seat in mates:
            yield DECLARED.index(phase), answer
