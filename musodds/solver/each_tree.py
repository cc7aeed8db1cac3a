"""What may be said in one phase when every player speaks for himself: the public tree.

From mano on, whoever takes part passes or bets. The side that is asked answers in the
order of the table, beginning with the next after the player who bet: the first sees,
raises, or leaves it to his partner (*paso*); the partner sees, raises or says *no
quiero*. So a side sees when either wants to, and folds when both do not. An órdago can
only be seen or refused.

Who takes part is declared before pares and juego and is public: there is a tree for each
set of players who do, with players of both sides in it. A *slot* of a player is
something that he may say at one point of the public tree; slot 0 stands for having said
nothing yet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from musodds.errors import InputError
from musodds.playing.actions import (
    ENVIDO,
    NO_QUIERO,
    ORDAGO,
    PASO,
    QUIERO,
    RAISE,
    Action,
    read_action,
)
from musodds.rules.game import PHASES, Game
from musodds.rules.showdown import DEJE, PASSED, REFUSED, SEEN, Ending
from musodds.solver.known import Known
from musodds.solver.sizes import Offer, Sizes, read_sizes

DECLARED = ("pares", "juego")
MOST_POINTS = 20_000


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the public tree at which one player speaks.

    Attributes
    ----------
    able : tuple of int
        The seats that take part in the phase.
    seat : int
        Who speaks.
    line : tuple of str
        What was said so far.
    actions : tuple of str
        What may be said.
    children : tuple of int
        The point that follows each action; ``~i`` for ending i of the tree.
    slot : int
        The speaker's slot of the first action; the others follow.
    last : tuple of int
        The slot of each seat's last action before, 0 if there was none.
    """

    able: tuple[int, ...]
    seat: int
    line: tuple[str, ...]
    actions: tuple[str, ...]
    children: tuple[int, ...]
    slot: int
    last: tuple[int, ...]


class TreeArrays(NamedTuple):
    """The tree as the kernels read it; points stand before those that follow them.

    Attributes
    ----------
    root : ndarray of int64, shape (2 ** seats,)
        The first point for each set of seats that take part (bit 0: mano), or -1.
    end : ndarray of int64, shape (points,)
        One after the last point that follows this one.
    seat : ndarray of int64, shape (points,)
        From 0.
    slot, number : ndarray of int64, shape (points,)
        The slot of the first action, and how many there are.
    child : ndarray of int64, shape (points, most actions)
    last : ndarray of int64, shape (points, seats)
    """

    root: NDArray[np.int64]
    end: NDArray[np.int64]
    seat: NDArray[np.int64]
    slot: NDArray[np.int64]
    number: NDArray[np.int64]
    child: NDArray[np.int64]
    last: NDArray[np.int64]


@dataclass(frozen=True)
class EachTree:
    """The public tree of a phase.

    Attributes
    ----------
    game : Game
    phase : str
    sizes : Sizes
        What may be bet and raised.
    points : tuple of Point
    endings : tuple of Ending
        The first: all pass. An órdago that is seen has ``how`` *órdago*.
    slots : int
        The most slots that a seat has, slot 0 included.
    known : Known
        Who has declared what of the phase.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> tree = each_tree(get_game("mus2p"), "grande", bets=(2,), raises=(), reraises=0)
    >>> for point in tree.points:
    ...     print(point.seat, point.line, point.actions)
    1 () ('paso', 'envido 2')
    2 ('paso',) ('paso', 'envido 2')
    1 ('paso', 'envido 2') ('no quiero', 'quiero')
    2 ('envido 2',) ('no quiero', 'quiero')
    """

    game: Game
    phase: str
    sizes: Sizes
    points: tuple[Point, ...]
    endings: tuple[Ending, ...]
    slots: int
    known: Known

    @cached_property
    def arrays(self) -> TreeArrays:
        """The tree as the kernels read it."""
        points = self.points
        root = np.full(1 << self.game.seats, -1, dtype=np.int64)
        end = np.arange(1, len(points) + 1, dtype=np.int64)
        child = np.zeros((len(points), max(len(p.actions) for p in points)), dtype=np.int64)
        for i in range(len(points) - 1, -1, -1):
            following = points[i].children
            child[i, : len(following)] = following
            end[i] = max([i + 1, *(end[c] for c in following if c >= 0)])
            if not points[i].line:
                root[sum(1 << (seat - 1) for seat in points[i].able)] = i

        def column(values: Sequence[int]) -> NDArray[np.int64]:
            return np.array(values, dtype=np.int64)

        return TreeArrays(
            root,
            end,
            column([p.seat - 1 for p in points]),
            column([p.slot for p in points]),
            column([len(p.actions) for p in points]),
            child,
            np.array([p.last for p in points], dtype=np.int64),
        )

    @property
    def usual(self) -> tuple[int, ...]:
        """The seats that take part, all of whom nothing else is known."""
        answers = self.known.answers(self.phase)
        return tuple(seat for seat, has in enumerate(answers, 1) if has is not False)

    def point(self, line: Sequence[str] = (), able: Sequence[int] | None = None) -> int:
        """The number of the point that a line leads to.

        Parameters
        ----------
        line : sequence of str
            What was said, such as ``["paso", "envido 2"]``.
        able : sequence of int, optional
            The seats that take part; if not given, all of whom nothing else is known.

        Raises
        ------
        InputError
            If nobody speaks there.
        """
        seats = tuple(able) if able else self.usual
        said = tuple(read_action(text).text for text in line)
        for i, point in enumerate(self.points):
            if point.able == seats and point.line == said:
                return i
        raise InputError(
            f"line {', '.join(said) or '(nothing said)'!r}: nobody speaks after it in "
            f"{self.phase} between seats {', '.join(map(str, seats))} with the bets on offer"
        )


@dataclass
class _Builder:
    game: Game
    phase: str
    sizes: Sizes
    points: list[Point | None] = field(default_factory=list)
    endings: dict[Ending, int] = field(default_factory=dict)
    slots: list[int] = field(default_factory=list)

    def ending(self, how: str, stones: int = 0, side: int | None = None) -> int:
        return ~self.endings.setdefault(Ending(self.phase, how, stones, side), len(self.endings))

    def open(
        self, able: tuple[int, ...], place: int, line: tuple[str, ...], last: tuple[int, ...]
    ) -> int:
        """The player at a place among those who take part passes or bets."""
        seat = able[place]
        actions = [Action(PASO), *self.sizes.actions(ENVIDO)]
        at, slot = self.reserve(seat, len(actions))

        def follow(action: Action, slot: int) -> int:
            said, now = (*line, action.text), _put(last, seat, slot)
            if action.word == PASO:
                later = place + 1 < len(able)
                return self.open(able, place + 1, said, now) if later else self.ending(PASSED)
            return self.asked(able, seat, said, now, 0, action, 1 + self.sizes.reraises)

        return self.put(at, able, seat, line, slot, last, actions, follow)

    def asked(
        self, able: tuple[int, ...], by: int, line: tuple[str, ...], last: tuple[int, ...],
        on_table: int, bet: Action, left: int,
    ) -> int:  # fmt: skip
        """A bet or raise waits for the other side's answer."""
        seats, side = self.game.seats, self.game.side(by)
        rivals = [seat for seat in able if self.game.side(seat) != side]
        order = sorted(rivals, key=lambda seat: (seat - by) % seats)
        refused = self.ending(REFUSED, on_table or DEJE, side)
        if bet.word == ORDAGO:
            seen, more = self.ending(ORDAGO), []
        else:
            seen = self.ending(SEEN, on_table + bet.stones)
            more = self.sizes.actions(RAISE) if left else []

        def answer(place: int, line: tuple[str, ...], last: tuple[int, ...]) -> int:
            seat, alone = order[place], place + 1 == len(order)
            at, slot = self.reserve(seat, 2 + len(more))

            def follow(action: Action, slot: int) -> int:
                said, now = (*line, action.text), _put(last, seat, slot)
                if action.word == NO_QUIERO:
                    return refused
                if action.word == QUIERO:
                    return seen
                if action.word == PASO:
                    return answer(place + 1, said, now)
                return self.asked(
                    able, seat, said, now, on_table + bet.stones, action, left - 1
                )  # fmt: skip

            no = Action(NO_QUIERO if alone else PASO)
            return self.put(at, able, seat, line, slot, last, [no, Action(QUIERO), *more], follow)

        return answer(0, line, last)

    def reserve(self, seat: int, actions: int) -> tuple[int, int]:
        """A number for a point and slots for its actions, before those that follow."""
        if len(self.points) >= MOST_POINTS:
            raise InputError(
                f"bets, raises and reraises: more than {MOST_POINTS} points at which somebody "
                "speaks; ask for fewer sizes or reraises"
            )
        self.points.append(None)
        slot = self.slots[seat - 1]
        self.slots[seat - 1] += actions
        return len(self.points) - 1, slot

    def put(
        self, at: int, able: tuple[int, ...], seat: int, line: tuple[str, ...], slot: int,
        last: tuple[int, ...], actions: Sequence[Action], follow: Callable[[Action, int], int],
    ) -> int:  # fmt: skip
        """Set a point, and all that follow it; return its number."""
        children = tuple(follow(action, slot + i) for i, action in enumerate(actions))
        texts = tuple(action.text for action in actions)
        self.points[at] = Point(able, seat, line, texts, children, slot, last)
        return at


def _put(last: tuple[int, ...], seat: int, slot: int) -> tuple[int, ...]:
    return (*last[: seat - 1], slot, *last[seat:])


def each_tree(
    game: Game, phase: str, bets: Offer, raises: Offer, reraises: int, known: Known | None = None
) -> EachTree:
    """Build the public tree of a phase.

    Parameters
    ----------
    game : Game
    phase : str
    bets, raises : str or sequence of (int or str)
        The first bets and the raises on offer: stones (2 or more) or ``órdago``.
    reraises : int
        How often a raise may be raised again.
    known : Known, optional
        Who has declared what of the phase.

    Raises
    ------
    InputError
        If the phase, a size or the number of reraises cannot be, or the phase is then not
        bet on.
    KnowledgeError
        If anything else is known.
    """
    known = known or Known(game)
    if phase not in PHASES:
        raise InputError(f"phase {phase!r}: one of {', '.join(PHASES)}")
    sizes = read_sizes(bets, raises, reraises)
    builder = _Builder(game, phase, sizes, slots=[1] * game.seats)
    builder.ending(PASSED)
    for able in _who_may_speak(game, phase, known):
        builder.open(able, 0, (), (0,) * game.seats)
    points = tuple(point for point in builder.points if point is not None)
    return EachTree(
        game, phase, sizes, points, tuple(builder.endings), max(builder.slots), known
    )  # fmt: skip


def _who_may_speak(game: Game, phase: str, known: Known) -> list[tuple[int, ...]]:
    """The same, by what was declared."""
    if known and (phase not in DECLARED or any(of != phase for of, _, _ in known.declared)
                  or known.ranges or known.dead):  # fmt: skip
        raise known.refuse(
            "the model each takes in who has pares where pares is solved, who has juego where "
            "juego is, and nothing else: its hands are dealt at random"
        )
    answers = known.answers(phase)
    found = [
        able for able in who_may_speak(game, phase)
        if all(has in (None, seat in able) for seat, has in enumerate(answers, 1))
    ]  # fmt: skip
    if not found:
        raise InputError(f"known: {known.text}: {phase} is then not bet on")
    return found


def who_may_speak(game: Game, phase: str) -> tuple[tuple[int, ...], ...]:
    """The sets of seats that may take part in a phase that is bet on.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> who_may_speak(get_game("mus2p"), "pares"), len(who_may_speak(get_game("mus"), "pares"))
    (((1, 2),), 9)
    """
    everybody = tuple(range(1, game.seats + 1))
    if phase not in DECLARED:
        return (everybody,)
    some = [
        tuple(seat for seat in everybody if which >> (seat - 1) & 1)
        for which in range(1 << game.seats)
    ]
    return tuple(able for able in some if len({game.side(seat) for seat in able}) == game.sides)
