"""The hands that one player does not see, by seat and by case, under what is known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from musodds.arrays import Ints
from musodds.errors import KnowledgeError
from musodds.exact.named_deals import leaves_any, view_of
from musodds.exact.unseen import Unseen
from musodds.knowledge.knowledge import Knowledge
from musodds.knowledge.question import Question
from musodds.rules.game import rivals_in_order
from musodds.rules.hands import hands
from musodds.rules.shown import unshown


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
    return Unseen(game, me, mate, weights[partners:], knowledge.dead, knowledge.answers)


def no_deal(question: Question, seat: int, knowledge: Knowledge) -> KnowledgeError:
    """The error where deals are left before the jokers are named, and none after."""
    [*_, case] = question.cases
    known = knowledge.counted_in(case.game, case.dead)
    return KnowledgeError(conflict(case.me, seat, known, question.hand))


def _leaves_any(me: int, seat: int, knowledge: Knowledge) -> bool:
    unseen = _unseen(me, in_order(seat, knowledge), knowledge)
    if not unseen.answers or not unseen.total:
        return bool(unseen.total)
    return leaves_any(unseen, view_of(unseen, seat))


def conflict(me: int, seat: int, knowledge: Knowledge, hand: str | None = None) -> str:
    """Say which pieces of knowledge leave no deal: a set of which none can be spared."""
    pieces = knowledge.conflict(lambda left: _leaves_any(me, seat, left))
    game = knowledge.game
    where = f"your hand {hand or hands(game).texts[me]} in seat {seat}"
    named = " and ".join([f"({label})" for label in pieces] or ["the deck"])
    return f"no deal fits all that is known: {where} leaves none for {named}"
