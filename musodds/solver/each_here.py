"""What a hand may do in a phase in which every player speaks for himself: by sampled deals.

The others' cards are dealt at random beside the hand, and each deal is weighed by how
often the others say with their hands what was said, and by what is known of them. From
there every answer is followed: the others play on as solved, the hand as well as can be
against that. All alternatives are weighed by the same deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats, Ints
from musodds.errors import InputError
from musodds.knowledge.knowledge import Knowledge
from musodds.playing.actions import NO_QUIERO, PASO
from musodds.rules.hands import hands
from musodds.solver.each_payoff import Cards, pack_cards, payoffs
from musodds.solver.each_solution import EachSolution
from musodds.solver.each_tree import DECLARED, EachTree, Point
from musodds.solver.here import Answers, Here, is_bet
from musodds.stakes.equity_kinds import equity_by

SAMPLE, BLOCKS = 100_000, 20
"""Deals at once, and parts of them that the errors are read from."""

ENOUGH, MOST_TIMES = 30_000, 8
"""More are dealt until so many fit what was said, but no more often than that."""


@dataclass(frozen=True, eq=False)
class Dealt:
    """Sampled deals around a hand.

    Attributes
    ----------
    hands : ndarray of int64, shape (deals, seats)
    outcome : ndarray of int64, shape (deals,)
        As in :func:`musodds.solver.each_payoff.payoffs`.
    able : ndarray of int64, shape (deals,)
        Bit i: seat i + 1 takes part in the phase.
    """

    hands: Ints
    outcome: Ints
    able: Ints


@lru_cache(maxsize=64)
def each_here(
    solved: EachSolution, hand: int, seat: int, line: tuple[str, ...],
    knowledge: Knowledge | None = None, seed: int = 1,
) -> Here:  # fmt: skip
    """What a player may say with a hand after a line.

    Where it is not known who has pares (juego), all that fits the line is averaged.

    Parameters
    ----------
    solved : EachSolution
    hand : int
        Its class.
    seat : int
    line : tuple of str
        What was said in the phase; who leaves the answer to his partner says *paso*.
    knowledge : Knowledge, optional
        Of which the others know nothing.
    seed : int, optional

    Raises
    ------
    InputError
        If it is not that seat's turn after the line, the hand takes no part in the phase,
        or the others never say that.
    """
    tree, known = solved.tree, hands(solved.game)
    text, said = known.texts[hand], ", ".join(line) or "nothing said yet"
    if tree.phase in DECLARED and not known.level[tree.phase][hand]:
        raise InputError(f"hand {text}: it has no {tree.phase}, so it does not speak there")
    points = _points(tree, seat, line)
    dead = knowledge.dead if knowledge else ()
    prior, worth, parts = _prior(seat, knowledge), _worth(solved), []
    for again in range(MOST_TIMES):
        dealt = deal_around(tree, hand, seat, dead, (seed, again))
        parts += [_Part(solved, worth, dealt, point, seat, hand).weighed(prior) for point in points]
        if sum(np.count_nonzero(part.weight) for part in parts) >= ENOUGH:
            break
    if not any(part.weight.any() for part in parts):
        raise InputError(
            f"line {said!r}: the solved players never say that while you hold {text}, so what "
            "they hold is not known; ask without --solved, with a range of your own"
        )
    return _together(parts)


def _points(tree: EachTree, seat: int, line: tuple[str, ...]) -> list[Point]:
    """The points after the line at which the seat speaks, by who takes part."""
    after = [point for point in tree.points if point.line == line]
    found = [point for point in after if point.seat == seat]
    if found:
        return found
    said = ", ".join(line) or "(nothing said)"
    if after:
        who = " or ".join(map(str, sorted({point.seat for point in after})))
        raise InputError(f"line {said!r}: it is the turn of seat {who}, not of seat {seat}")
    raise InputError(
        f"line {said!r}: nobody speaks after it in {tree.phase} with what is on offer there: "
        f"bets {tree.sizes.text}"
    )


@lru_cache(maxsize=8)
def _worth(solved: EachSolution) -> Floats:
    table = None if solved.kind is None else equity_by(solved.game, solved.kind)
    return payoffs(solved.tree, solved.score, solved.payoff, table)


def _prior(seat: int, knowledge: Knowledge | None) -> dict[int, Floats]:
    """How likely each hand of the other seats is held to be beside its cards."""
    weights = knowledge.weights(seat) if knowledge else {}
    found = {}
    for other, some in weights.items():
        top = some.max()
        found[other] = some / top if top else some.astype(np.float64)
    return found


@lru_cache(maxsize=16)
def deal_around(
    tree: EachTree, hand: int, seat: int, dead: tuple[int, ...] = (), seed: tuple[int, ...] = (1, 0)
) -> Dealt:
    """Deals with a hand in a seat, everybody else's cards at random.

    Parameters
    ----------
    tree : EachTree
    hand : int
    seat : int
    dead : tuple of int, optional
        Kinds of cards that nobody holds.
    seed : tuple of int, optional
    """
    game, known = tree.game, hands(tree.game)
    cards = pack_cards(game, tree.phase)
    left = np.array(game.deck.copies) - known.counts[hand]
    np.subtract.at(left, list(dead), 1)
    if left.min() < 0:
        raise InputError(f"hand {known.texts[hand]}: the deck has not so many of its cards")
    code = _codes(cards, np.array(game.deck.copies))
    deck = np.repeat(code, left)
    others = game.seats - 1
    if len(deck) < 4 * others:
        raise InputError("dead cards: too few are left to deal")
    rng = np.random.default_rng(seed)
    # A card's place among random numbers: only as many as are dealt.
    order = np.argpartition(rng.random((SAMPLE, len(deck)), dtype=np.float32), 4 * others, axis=1)
    drawn = deck[rng.permuted(order[:, : 4 * others], axis=1)].reshape(SAMPLE, others, 4)
    held = np.empty((SAMPLE, game.seats), dtype=np.int64)
    held[:, [s for s in range(game.seats) if s != seat - 1]] = cards.class_of[
        drawn.sum(axis=2, dtype=np.uint64)
    ]
    held[:, seat - 1] = hand
    able = (cards.able[held] << np.arange(game.seats)).sum(axis=1)
    return Dealt(held, _outcome(cards, held, tree), able)


def _codes(cards: Cards, copies: NDArray[np.int64]) -> NDArray[np.uint64]:
    """The code of each kind: the deck of the kernels is in the order of the kinds."""
    first = np.concatenate(([0], np.cumsum(copies)[:-1]))
    found: NDArray[np.uint64] = cards.deck[first]
    return found


def _outcome(cards: Cards, held: Ints, tree: EachTree) -> Ints:
    """See :func:`musodds.solver.each_payoff.payoffs`."""
    from musodds.exact.outcomes.outcomes import rivals_stones

    seats = tree.game.seats
    codes = np.stack([cards.levels[s][held[:, s]] for s in range(seats)])
    wins = np.zeros(len(held), dtype=np.int64)
    for lane in range(4):
        of_lane = codes >> np.uint64(16 * lane) & np.uint64(0xFFFF)
        wins |= (of_lane.max(axis=0) & np.uint64(1)).astype(np.int64) << lane
    group = cards.group[held]
    partner = 2 if seats > 2 else 0
    mine = cards.pair[group[:, 0], group[:, partner]]
    theirs = cards.pair[group[:, 1], group[:, 1 + partner]]
    kinds = len(rivals_stones(tree.game)[0])
    found: Ints = (mine * kinds + theirs) * 16 + wins
    return found


@dataclass(eq=False)
class _Part:
    """The deals of one set of players who take part, from a point at which I speak."""

    solved: EachSolution
    worth: Floats
    dealt: Dealt
    point: Point
    seat: int
    hand: int

    def weighed(self, prior: dict[int, Floats]) -> _Part:
        """Find the deals, and weigh them by what is known and was said."""
        who = sum(1 << (seat - 1) for seat in self.point.able)
        some = np.flatnonzero(self.dealt.able == who)
        self.block = some * BLOCKS // SAMPLE
        self.held, self.outcome = self.dealt.hands[some], self.dealt.outcome[some]
        weight = np.ones(len(some))
        for seat, of_hand in prior.items():
            weight *= of_hand[self.held[:, seat - 1]]
        for point, action in _path(self.solved.tree, self.point):
            if point.seat != self.seat:
                weight *= self._says(point, action)
        self.weight = weight
        self.values = np.stack([self._block_sums(weight, after) for after in self.point.children])
        self.total = self._blocks(weight)
        self.answers = [
            self._answers(after, weight) if is_bet(action) else None
            for action, after in zip(self.point.actions, self.point.children, strict=True)
        ]
        return self

    def _says(self, point: Point, action: int) -> Floats:
        table = self.solved.strategy[point.seat - 1, :, point.slot + action]
        found: Floats = table[self.held[:, point.seat - 1]]
        return found

    def _blocks(self, weight: Floats) -> Floats:
        found: Floats = np.bincount(self.block, weight, minlength=BLOCKS).astype(np.float64)
        return found

    def _block_sums(self, weight: Floats, at: int) -> Floats:
        """What my side has, block by block, from a point on, or an ending."""
        if at < 0:
            pay = self.worth[self.outcome, ~at]
            if self.solved.game.side(self.seat):
                pay = 1 - pay
            return self._blocks(weight * pay)
        point = self.solved.tree.points[at]
        if point.seat == self.seat:
            each = [self._block_sums(weight, after) for after in point.children]
            return max(each, key=lambda sums: float(sums.sum()))
        found = np.zeros(BLOCKS)
        for action, after in enumerate(point.children):
            here = weight * self._says(point, action)
            if here.any():
                found += self._block_sums(here, after)
        return found

    def _answers(self, at: int, weight: Floats) -> Floats:
        """Weight of the deals in which the rivals fold, see, and raise what is asked at ``at``."""
        found = np.zeros(3)
        while True:
            point = self.solved.tree.points[at]
            following = -1
            for action, after in enumerate(point.children):
                here = float((weight * self._says(point, action)).sum())
                if point.actions[action] == PASO:
                    following = action
                elif point.actions[action] == NO_QUIERO:
                    found[0] += here
                else:
                    found[2 if after >= 0 else 1] += here
            if following < 0:
                return found
            weight = weight * self._says(point, following)
            at = point.children[following]

    def reach(self, seat: int) -> Floats:
        """How often a seat says with each hand what was said, 0 if it takes no part."""
        known = hands(self.solved.game)
        phase, able = self.solved.tree.phase, seat in self.point.able
        found = np.ones(len(known))
        if phase in DECLARED:
            found = ((known.level[phase] > 0) == able).astype(np.float64)
        for point, action in _path(self.solved.tree, self.point):
            if point.seat == seat:
                found = found * self.solved.strategy[seat - 1, :, point.slot + action]
        return found


def _path(tree: EachTree, point: Point) -> Iterator[tuple[Point, int]]:
    """The points on the way to one, and what was said at each."""
    for i in range(len(point.line)):
        before = tree.points[tree.point(point.line[:i], point.able)]
        yield before, before.actions.index(point.line[i])


def _together(parts: Sequence[_Part]) -> Here:
    """Average over who may take part."""
    solved, seat, hand = parts[0].solved, parts[0].seat, parts[0].hand
    points = [part.point for part in parts]
    shares = np.array([part.weight.sum() for part in parts])
    shares /= shares.sum()
    values = np.sum([part.values for part in parts], axis=0)
    total = np.sum([part.total for part in parts], axis=0)
    worths = values.sum(axis=1) / total.sum()
    spread = values - worths[:, None] * total
    errors = np.sqrt((spread**2).sum(axis=1) * BLOCKS / (BLOCKS - 1)) / total.sum()
    said = [
        solved.strategy[seat - 1, hand, point.slot : point.slot + len(point.actions)]
        for point in points
    ]
    # Who has a partner to answer leaves it to him: the same place, another word.
    words = list(points[0].actions)
    words[0] = max(point.actions[0] for point in points)
    return Here(
        tuple(words), shares @ np.array(said), worths, errors,
        tuple(_answer([part.answers[i] for part in parts]) for i in range(len(words))),
        {
            rival: np.sum([c * p.reach(rival) for c, p in zip(shares, parts, strict=True)], axis=0)
            for rival in solved.game.rivals(seat)
        },
    )  # fmt: skip


def _answer(found: Sequence[Floats | None]) -> Answers | None:
    weights = np.sum([some for some in found if some is not None], axis=0)
    if not np.ndim(weights) or not weights.sum() > 0:
        return None
    return Answers(*map(float, weights / weights.sum()))
