"""Exact odds of a hand under any knowledge of the others.

The columns are those of :mod:`musodds.odds`, counted over the deals that fit what is
known, each with its weight: ratios of integers again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from musodds.arrays import Exact, Floats, Ints, compact
from musodds.columns import columns_of
from musodds.errors import KnowledgeError
from musodds.knowledge.knowledge import Knowledge
from musodds.knowledge.question import Question, ask, check_drawn
from musodds.odds import Odds
from musodds.rules.game import PHASES, UNANIMOUS, Game, rivals_in_order
from musodds.rules.games import get_game
from musodds.rules.hands import codes_of, hands, reversed_levels
from musodds.rules.shown import unshown
from musodds.unseen import Unseen

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class KnownOdds:
    """Exact odds of a hand under some knowledge: weighted counts of deals.

    Attributes
    ----------
    game : Game
    hand : str
    knowledge : Knowledge
    seats : tuple of int
    parts : tuple of Odds
        One for each seat: knowledge by seat number differs from seat to seat, and so
        does the weight of all deals.

    Examples
    --------
    >>> from musodds.knowledge.knowledge import know
    >>> wink = known_odds("RR7A", seat=1, knowledge=know(partner="seña:31"))
    >>> plain = known_odds("RR7A", seat=1)
    >>> wink.fraction(1, "juego", "win") > plain.fraction(1, "juego", "win")
    True
    """

    game: Game
    hand: str
    knowledge: Knowledge
    seats: tuple[int, ...]
    parts: tuple[Odds, ...]

    method = "exact"

    @property
    def ways(self) -> int:
        """See :class:`musodds.odds.Odds`."""
        return self.parts[0].ways

    def __getitem__(self, seat: int) -> Odds:
        return self.parts[self.seats.index(seat)]

    def fraction(self, seat: int, phase: str, column: str) -> Fraction | None:
        """One number exactly; None for `win_contested` where it is never contested."""
        return self[seat].fraction(seat, phase, column)

    def net(self, seat: int) -> float:
        """Expected stones for my side less theirs, over all phases, en paso."""
        return self[seat].net(seat)

    def rows(self) -> list[dict[str, Any]]:
        """One dict per seat and phase; see :meth:`musodds.odds.Odds.rows`."""
        return [row for part in self.parts for row in part.rows()]

    def to_frame(self) -> pd.DataFrame:
        """The rows as a DataFrame."""
        import pandas as pd

        return pd.concat([part.to_frame() for part in self.parts], ignore_index=True)


def known_odds(
    hand: str | Sequence[int],
    *,
    game: str | Game = "mus",
    seat: int | str = "all",
    knowledge: Knowledge | None = None,
) -> KnownOdds:
    """Exact odds of a hand before any discard, en paso, given what is known.

    Parameters
    ----------
    hand : str
    game : str or Game, optional
        The game of ``knowledge``, if that is given.
    seat : int or str, optional
        1 … n, ``"mano"``, ``"postre"`` or ``"all"``.
    knowledge : Knowledge, optional
        See :func:`musodds.knowledge.knowledge.know`.

    Raises
    ------
    KnowledgeError
        If the hand contradicts what is known, or no deal is left; the message says
        which pieces of knowledge conflict.
    InputError
        If the hand, the game or the seat does not exist.
    """
    knowledge = Knowledge(get_game(game)) if knowledge is None else knowledge
    game = knowledge.game
    seats = game.parse_seats(seat)
    text = hand if isinstance(hand, str) else game.deck.text(hand)
    question = ask(game, text, dead=knowledge.dead)
    check_drawn(question)
    parts: dict[int, list[Odds]] = {s: [] for s in seats}
    for weight, shared in unseen_by_case(question, seats, knowledge):
        counts = _counts(shared)
        for s, unseen in shared.items():
            parts[s].append(_odds(s, unseen, counts[s], weight))
    return KnownOdds(
        game=game,
        hand=question.hand,
        knowledge=knowledge,
        seats=seats,
        parts=tuple(_together(question, parts[s]) for s in seats),
    )


def _together(question: Question, parts: Sequence[Odds]) -> Odds:
    """The odds of a question from those of its cases."""
    counts = np.sum([part.counts.astype(object) for part in parts], axis=0)
    return Odds(
        game=question.game,
        hand=question.hand,
        partner=None,
        seats=parts[0].seats,
        deals=sum(part.deals for part in parts),
        counts=compact(counts),
        ways=question.ways,
    )


def unseen_by_seat(me: int, seats: Iterable[int], knowledge: Knowledge) -> dict[int, Unseen]:
    """What the hand does not see from each seat; seats that see the same share it.

    Raises
    ------
    KnowledgeError
        If the hand contradicts what is known, or no deal is left.
    """
    found = _unseen_by_seat(me, seats, knowledge)
    for seat, unseen in found.items():
        if not unseen.total:
            raise KnowledgeError(conflict(me, seat, knowledge))
    return found


def unseen_by_case(
    question: Question, seats: Sequence[int], knowledge: Knowledge
) -> Iterator[tuple[int, dict[int, Unseen]]]:
    """The same for each case of a question, with its weight, where it leaves any deal.

    Raises
    ------
    KnowledgeError
        If the hand contradicts what is known, or no case leaves a deal for a seat.
    """
    left = set(seats)
    for case, weight in question.cases.items():
        known = knowledge.counted_in(case.game, case.dead)
        found = _unseen_by_seat(case.me, seats, known)
        some = {seat: unseen for seat, unseen in found.items() if unseen.total}
        left -= some.keys()
        yield weight, some
    if left:
        raise KnowledgeError(conflict(case.me, min(left), known, question.hand))


def _unseen_by_seat(me: int, seats: Iterable[int], knowledge: Knowledge) -> dict[int, Unseen]:
    found: dict[int, Unseen] = {}
    made: dict[tuple[bytes | None, ...], Unseen] = {}
    for seat in seats:
        knowledge.check_hand(me, seat)
        weights = in_order(seat, knowledge)
        key = tuple(None if w is None else w.tobytes() for w in weights)
        if key not in made:
            made[key] = _unseen(me, weights, knowledge)
        found[seat] = made[key]
    return found


def in_order(seat: int, knowledge: Knowledge) -> tuple[Ints | None, ...]:
    """Weights of the partner (where there is one), the next and the previous rival."""
    weights = knowledge.weights(seat)
    game = knowledge.game
    if game.exchange:
        for other in (*game.partners(seat), *game.rivals(seat)):
            weights[other] = unshown(game, weights.get(other))
    return tuple(weights.get(s) for s in (*game.partners(seat), *rivals_in_order(game, seat)))


def _unseen(me: int, weights: Sequence[Ints | None], knowledge: Knowledge) -> Unseen:
    game = knowledge.game
    partners = game.side_size - 1
    mate = weights[0] if partners == 1 else None
    return Unseen(game, me, mate, weights[partners:], knowledge.dead)


def conflict(me: int, seat: int, knowledge: Knowledge, hand: str | None = None) -> str:
    """Say which pieces of knowledge leave no deal: a set of which none can be spared."""
    pieces = knowledge.conflict(lambda left: bool(_unseen(me, in_order(seat, left), left).total))
    game = knowledge.game
    where = f"your hand {hand or hands(game).texts[me]} in seat {seat}"
    named = " and ".join([f"({label})" for label in pieces] or ["the deck"])
    return f"no deal fits all that is known: {where} leaves none for {named}"


def _counts(shared: Mapping[int, Unseen]) -> dict[int, Exact]:
    """The counts of every column from each seat, shape (phases, columns)."""
    found: dict[int, Exact] = {}
    for unseen in {id(one): one for one in shared.values()}.values():
        alike = [seat for seat, one in shared.items() if one is unseen]
        if unseen.hands.has_jokers:
            from musodds.joker_odds import named_columns
            from musodds.named_deals import View

            counts = named_columns(unseen, [View(seat) for seat in alike])
            found.update(zip(alike, counts, strict=True))
        else:
            for seat in alike:
                columns = [_columns(unseen, seat, phase) for phase in PHASES]
                found[seat] = np.array(columns, dtype=object)
    return found


def _odds(seat: int, unseen: Unseen, counts: Exact, weight: int) -> Odds:
    return Odds(
        game=unseen.game,
        hand=unseen.hands.texts[unseen.me],
        partner=None,
        seats=(seat,),
        deals=unseen.total * weight,
        counts=compact(counts[None] * weight),
    )


def _columns(unseen: Unseen, seat: int, phase: str) -> list[int]:
    """The columns of :func:`musodds.columns.columns_of` for one seat and phase, as counts."""
    game, all_hands = unseen.game, unseen.hands
    side = Side(unseen, seat, phase)
    codes = np.maximum.reduce(unseen.codes(phase, rivals_in_order(game, seat)))
    values, everything = unseen.values, unseen.deals
    if phase in UNANIMOUS:
        level = all_hands.level[phase]
        values = values * ((level[unseen.first] > 0) & (level[unseen.second] > 0))
        contested = side.all_in * unseen.sums(values)
        win = win_contested = side.all_in * unseen.below(codes, values, side.codes)
        void = everything - contested
        playing, idle = side.all_in, np.zeros_like(everything)
    else:
        # Below n are the codes of hands that take no part.
        below = unseen.below(codes, values, np.maximum(side.codes, game.seats))
        idle = _idle(unseen, codes)
        playing = side.some_in
        contested = side.some_in * (everything - idle)
        win = side.some_in * below
        win_contested = side.some_in * (below - idle)
        void = ~side.some_in * below
    lose = everything - void - win
    stones_for, stones_against = win, lose
    if phase in all_hands.stones:
        stones_for = win * side.stones
        theirs = values * _rival_stones(unseen, seat, phase)
        limits = np.maximum(side.codes, game.seats)
        stones_against = unseen.sums(theirs) - unseen.below(codes, theirs, limits)
    best = win * side.mine
    counts = [win, lose, void, best, contested, win_contested, stones_for, stones_against]
    if game.stones is not None:
        worst = playing * _worst(unseen, seat, phase, values)
        counts += [worst, worst - playing * idle]
    assert len(counts) == len(columns_of(game))
    return [unseen.over_mates(count) for count in counts]


def _worst(unseen: Unseen, seat: int, phase: str, values: Floats) -> Exact:
    """Weight of the deals in which no rival is worse, for each hand of the partner."""
    game, all_hands = unseen.game, unseen.hands
    reverse = reversed_levels(all_hands.level[phase]) * game.seats
    # Of equals the last from mano is the worst.
    codes = [
        (reverse + other - 1)[held]
        for other, held in zip(
            rivals_in_order(game, seat), (unseen.first, unseen.second), strict=False
        )
    ]
    own = np.full(len(unseen.mates), reverse[unseen.me] + seat - 1)
    return unseen.below(np.maximum.reduce(codes), values, own)


def _idle(unseen: Unseen, codes: Ints) -> Exact:
    return unseen.sums(unseen.values * (codes < unseen.game.seats))


def _rival_stones(unseen: Unseen, seat: int, phase: str) -> Ints:
    """Stones that the rivals take if they take the phase, for each split."""
    stones = unseen.hands.stones[phase]
    first, second = stones[unseen.first], stones[unseen.second]
    if unseen.rivals == 1:
        return first
    if unseen.game.side_size == 2:
        both: Ints = first + second
        return both
    one, other = unseen.codes(phase, rivals_in_order(unseen.game, seat))
    return np.where(one > other, first, second)


class Side:
    """My side in one phase, for each hand of the partner.

    Attributes
    ----------
    codes : ndarray of int64, shape (mates,)
        Code of the better hand.
    mine : ndarray of bool, shape (mates,)
        Whether it is my own.
    some_in, all_in : ndarray of bool, shape (mates,)
        Whether one, or every one, of us takes part.
    stones : ndarray of int64, shape (mates,)
        What both hands bring if the side takes the phase (pares, juego).
    """

    def __init__(self, unseen: Unseen, seat: int, phase: str) -> None:
        game, all_hands, me = unseen.game, unseen.hands, unseen.me
        level = all_hands.level[phase]
        own = codes_of(all_hands, phase, seat)[me]
        mates = unseen.mates
        self.codes = np.full(len(mates), own)
        self.mine = np.ones(len(mates), dtype=bool)
        self.some_in = self.all_in = np.full(len(mates), level[me] > 0)
        own_stones = all_hands.stones.get(phase, np.zeros_like(level))
        self.stones = np.full(len(mates), own_stones[me])
        for partner in game.partners(seat):
            theirs = codes_of(all_hands, phase, partner)[mates]
            self.mine = own > theirs
            self.codes = np.maximum(own, theirs)
            self.some_in = self.some_in | (level[mates] > 0)
            self.all_in = self.all_in & (level[mates] > 0)
            self.stones = self.stones + own_stones[mates]
