"""Deals with jokers, by what comes of them when every joker is named.

A side, or a hand of a rival, is one row of integers per way of naming its jokers, a
*profile*; comparing profiles tells who takes which phase, and with which stones, so
showdowns are decided one by one, by a compiled loop over the availability and splits of
:mod:`musodds.exact.unseen`. Several *views* of the same cards are counted together.

RULES section 2, *ten kings*: a joker stands for a king or an ace, nothing else, and its
holder says which when the cards are shown, once for all phases. Holders choose in order
from mano; each takes what is best for its side, knowing all hands and that those after
it will do the same: a small game that is solved backwards. Read exactly as follows:

- *Best* is the side's net stones: what it scores in the deal less what the other side
  scores. Odds and simulations are en paso, so there it is the net when everybody passes.
- Of namings that bring the same, the one with more kings is taken.
- What is named counts everywhere: a hand has pares or juego if, as named, it has; so a
  phase is void, contested or won by the hands as named. A player who declares before
  the betting is taken to declare what he will name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats, Ints, slices
from musodds.exact.scope import check_jokers
from musodds.exact.unseen import Unseen
from musodds.knowledge.knowledge import Answers
from musodds.rules.game import Game, rivals_in_order
from musodds.rules.hands import Hands, hands, lane_levels

LANES = 4
"""Grande, chica, pares, and juego or else punto."""

# As in musodds.exact.unseen, so many bits of a value times all ways stay below 2**53.
_SLICE = 22


@dataclass(frozen=True, eq=False)
class Profiles:
    """Sides with their jokers named.

    Attributes
    ----------
    values : ndarray of int64, shape (sides, namings, 6)
        For each way of naming, the codes of the best hand in the four lanes, and the
        stones of all hands for pares and for juego. In the order in which equals are
        preferred; the last is repeated where a side has fewer.
    is_mine : ndarray of bool, shape (sides, namings, 4)
        Whether the best hand is the first player's.
    number : ndarray of int64, shape (sides,)
        How many ways of naming there are.
    holder : ndarray of int64, shape (sides,)
        The first seat that holds a joker; 0 if none does.
    keeps : ndarray of bool, shape (sides, namings)
        Whether all hands have what was declared of them.
    named : mapping of seat to ndarray of int64, shape (sides, namings)
        What each hand is named as, a row of :attr:`musodds.rules.hands.Hands.named`.
    """

    values: Ints
    is_mine: NDArray[np.bool_]
    number: Ints
    holder: Ints
    keeps: NDArray[np.bool_]
    named: Mapping[int, Ints]


def profiles(
    game: Game,
    players: Sequence[tuple[int, Ints]],
    only: Sequence[int] | None = None,
    answers: Answers | None = None,
) -> Profiles:
    """The profiles of sides of one or two players.

    Parameters
    ----------
    game : Game
    players : sequence of (int, ndarray of int64 of shape (sides,))
        The seat of each player of a side, and the classes it holds.
    only : sequence of int, optional
        Which of the namings of its hand the first player may take.
    answers : mapping of seat and phase to bool, optional
        What was declared.
    """
    all_hands = hands(game)
    start_of, naming_of = flat_namings(game)
    classes = dict(players)
    each = {seat: np.diff(start_of)[held] for seat, held in players}
    me = players[0][0]
    if only is not None:
        each[me] = np.full_like(each[me], len(only))
    number: Ints = np.prod(list(each.values()), axis=0)
    holder = np.zeros(len(number), dtype=np.int64)
    nth = np.minimum(np.arange(number.max(initial=1)), number[:, None] - 1)
    chosen = {}
    # The later player's namings are tried within each of the earlier one's.
    for seat in sorted(classes, reverse=True):
        holder = np.where(each[seat] > 1, seat, holder)
        nth, mine = np.divmod(nth, each[seat][:, None])
        if seat == me and only is not None:
            mine = np.array(only)[mine]
        chosen[seat] = naming_of[start_of[classes[seat]][:, None] + mine]
    columns, is_mine = [], []
    for lane in lane_levels(all_hands.named.level):
        codes = {s: lane[named] * game.seats + game.seats - s for s, named in chosen.items()}
        columns.append(np.maximum.reduce(list(codes.values())))
        is_mine.append(columns[-1] == codes[me])
    for own in (all_hands.named.stones[phase] for phase in ("pares", "juego")):
        columns.append(np.sum([own[named] for named in chosen.values()], axis=0))
    keeps = np.ones_like(nth, dtype=bool)
    for seat, options in chosen.items():
        for phase, answer in (answers or {}).get(seat, {}).items():
            keeps &= (all_hands.named.level[phase][options] > 0) == answer
    values, mine = np.stack(columns, axis=-1), np.stack(is_mine, axis=-1)
    return Profiles(values, mine, number, holder, keeps, chosen)


@lru_cache(maxsize=8)
def flat_namings(game: Game) -> tuple[Ints, Ints]:
    """All namings of all classes one after the other, and where each class's begin."""
    all_hands = hands(game)
    namings = [all_hands.namings(index) for index in range(len(all_hands))]
    start = np.concatenate(([0], np.cumsum([len(options) for options in namings])))
    return start.astype(np.int64), np.concatenate(namings).astype(np.int64)


class View(NamedTuple):
    """From where a hand is looked at.

    Parameters
    ----------
    seat : int
    named : int, optional
        Which of its namings the known hand takes in any case; by default the best.
    bound : bool, optional
        Whether the known hand takes none of those that break what was declared of it.
    """

    seat: int
    named: int | None = None
    bound: bool = False

    def options(self, unseen: Unseen) -> list[int] | None:
        """Which of the namings of the known hand it may take; None for all."""
        if self.named is not None:
            return [self.named]
        return unseen_faithful(unseen, self.seat) if self.bound else None


def faithful(all_hands: Hands, me: int, answers: Mapping[str, bool]) -> list[int]:
    """Which of the namings of a hand keep what was declared of it, by phase."""
    level = all_hands.named.level
    return [
        n
        for n, named in enumerate(all_hands.namings(me))
        if all((level[phase][named] > 0) == answer for phase, answer in answers.items())
    ]


def unseen_faithful(unseen: Unseen, seat: int) -> list[int]:
    """The same of the known hand in a seat."""
    return faithful(unseen.hands, unseen.me, unseen.answers.get(seat, {}))


def view_of(unseen: Unseen, seat: int) -> View:
    """How the known hand is looked at from a seat: bound, if else no deal were left."""
    view = View(seat)
    number = len(unseen.hands.namings(unseen.me))
    if not 0 < len(unseen_faithful(unseen, seat)) < number or leaves_any(unseen, view):
        return view
    return View(seat, bound=True)


def leaves_any(unseen: Unseen, view: View) -> bool:
    """Whether any deal is left once hands are named."""
    return any(one.found.any() for one in outcomes(unseen, [view]))


@dataclass(frozen=True, eq=False)
class NamedOutcomes:
    """What comes of the deals with one hand of the partner, from every view.

    Attributes
    ----------
    mate : int
        Which of :attr:`musodds.exact.unseen.Unseen.mates`.
    shift : int
        The counts are multiples of 2**shift.
    found : ndarray of float64 (integers), shape (views, namings × outcomes)
        See :mod:`musodds.exact.kernels.showdowns`.
    ours : ndarray of int64, shape (views, namings, 6)
    is_mine : ndarray of bool, shape (views, namings, 4)
    """

    mate: int
    shift: int
    found: Floats
    ours: Ints
    is_mine: NDArray[np.bool_]


def outcomes(unseen: Unseen, views: Sequence[View]) -> Iterator[NamedOutcomes]:
    """Count the showdowns for each hand of the partner; the arrays are used again.

    Raises
    ------
    GameError
        If there are more jokers, or sides, than it can count.
    """
    from musodds.exact.kernels.showdowns import OUTCOMES, count_showdowns

    met = Showdowns(unseen, views)
    found = np.zeros((len(views), OUTCOMES))
    for shift, worth in slices(unseen.values, _SLICE):
        ways = met.ways(worth)
        for i, available in enumerate(unseen.available):
            found[:] = 0
            count_showdowns(available, met.part, ways, met.ours(i), *met.theirs, found)
            yield NamedOutcomes(i, shift, found, met.values[i], met.is_mine[i])


class Ours(NamedTuple):
    """My side with one hand of the partner, from every view.

    Attributes
    ----------
    values : ndarray of int64, shape (views, namings, 6)
    number : ndarray of int64, shape (views,)
        How many namings there are.
    holder : ndarray of int64, shape (views,)
        The first seat with a joker.
    keeps : ndarray of bool, shape (views, namings)
        Whether we have what we declared; if not, such deals are not counted.
    """

    values: NDArray[np.int64]
    number: NDArray[np.int64]
    holder: NDArray[np.int64]
    keeps: NDArray[np.bool_]


class Rival(NamedTuple):
    """The hands that a rival may hold.

    Attributes
    ----------
    codes : ndarray of int64, shape (views, hands, namings, lanes)
    number : ndarray of int64, shape (hands,)
        How many namings each has.
    stones : ndarray of int64, shape (hands, namings)
        Those for pares, and 8 × those for juego.
    kind : ndarray of int64, shape (hands,)
        Hands with the same stones are of one kind, below 2**16.
    keeps : ndarray of bool, shape (views, hands, namings)
        Whether they have what they declared; the same for all of one kind.
    """

    codes: NDArray[np.int64]
    number: NDArray[np.int64]
    stones: NDArray[np.int64]
    kind: NDArray[np.int64]
    keeps: NDArray[np.bool_]


class Showdowns:
    """What the kernels of :mod:`musodds.exact.kernels.showdowns` go through.

    Parameters
    ----------
    unseen : Unseen
    views : sequence of View

    Attributes
    ----------
    held : list of ndarray of int64
        The classes that each rival may hold.
    part : ndarray of int32, shape (hands, other hands)
    theirs : tuple of ndarray
        What is fixed for all hands of the partner: the rivals.
    named : list of mapping of seat to ndarray of int64, shape (mates, namings)
        From each view, what each of my side is named as.

    Raises
    ------
    GameError
        If there are more jokers, or sides, than it can count.
    """

    def __init__(self, unseen: Unseen, views: Sequence[View]) -> None:
        game = unseen.game
        check_jokers(game)
        me = np.full(len(unseen.mates), unseen.me)
        ours = [
            profiles(
                game, [(v.seat, me), *((mate, unseen.mates) for mate in game.partners(v.seat))],
                v.options(unseen), unseen.answers,
            )
            for v in views
        ]  # fmt: skip
        most = max(side.values.shape[1] for side in ours)
        self.values = _stacked([_filled(side.values, most) for side in ours], axis=1)
        self.is_mine = _stacked([_filled(side.is_mine, most) for side in ours], axis=1)
        self.number = _stacked([side.number for side in ours], axis=1)
        self.holder = _stacked([side.holder for side in ours], axis=1)
        self.keeps = _stacked([_filled(side.keeps, most) for side in ours], axis=1)
        self.named = [side.named for side in ours]
        self._meet(unseen, np.array([rivals_in_order(game, view.seat) for view in views]))

    def _meet(self, unseen: Unseen, in_turn: Ints) -> None:
        pairs = (unseen.first, unseen.second)[: unseen.rivals]
        self.held = [np.unique(held) for held in pairs]
        theirs = [_rival(unseen, held, in_turn[:, r]) for r, held in enumerate(self.held)]
        at = [np.searchsorted(held, pair) for held, pair in zip(self.held, pairs, strict=True)]
        if unseen.rivals == 1:
            theirs.append(_nobody(len(in_turn)))
            at.append(np.zeros_like(at[0]))
            in_turn = np.repeat(in_turn, 2, axis=1)
        self.at = tuple(at)
        self.theirs = (in_turn, *theirs)
        self.part = np.zeros((len(theirs[0].number), len(theirs[1].number)), dtype=np.int32)
        self.part[self.at] = unseen.part_of

    def ways(self, worth: Floats) -> Floats:
        """A value for each split, where it stands in the matrix of the rivals' hands."""
        ways = np.zeros(self.part.shape)
        ways[self.at] = worth
        return ways

    def ours(self, mate: int) -> Ours:
        """What belongs to one hand of the partner."""
        return Ours(self.values[mate], self.number[mate], self.holder[mate], self.keeps[mate])


def _rival(unseen: Unseen, held: Ints, seats: Ints) -> Rival:
    alone = [profiles(unseen.game, [(int(seat), held)], answers=unseen.answers) for seat in seats]
    values, number = alone[0].values, alone[0].number
    stones = values[:, :, LANES] + 8 * values[:, :, LANES + 1]
    _, kind = np.unique(np.column_stack((number, stones)), axis=0, return_inverse=True)
    codes = _stacked([side.values[:, :, :LANES] for side in alone], axis=0)
    keeps = _stacked([side.keeps for side in alone], axis=0)
    return Rival(codes, number, np.ascontiguousarray(stones), kind.ravel(), keeps)


def _nobody(views: int) -> Rival:
    """A hand that takes no part in anything."""
    one = np.ones(1, dtype=np.int64)
    zeros = np.zeros((views, 1, 1, LANES), dtype=np.int64)
    keeps = np.ones((views, 1, 1), dtype=bool)
    return Rival(zeros, one, np.zeros((1, 1), dtype=np.int64), np.zeros_like(one), keeps)


def _stacked(arrays: Sequence[NDArray[Any]], axis: int) -> NDArray[Any]:
    """Side by side, in the order of memory that the kernel is compiled for."""
    return np.ascontiguousarray(np.stack(arrays, axis=axis))


def _filled(values: NDArray[Any], namings: int) -> NDArray[Any]:
    """As many namings for every side, the last one repeated."""
    return values[:, np.minimum(np.arange(namings), values.shape[1] - 1)]
