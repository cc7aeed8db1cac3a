"""The hands that a text may mean, weighed by what is known of the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from musodds.errors import KnowledgeError
from musodds.exact.draws.keeps import Choices, Meant
from musodds.knowledge.question import ask
from musodds.rules.hands import hands

if TYPE_CHECKING:
    from musodds.knowledge.knowledge import Knowledge
    from musodds.simulation.known_deals import Known


def weighed(offered: Choices, seat: int, knowledge: Knowledge | None) -> list[tuple[Meant, float]]:
    """The hands that may be meant, and the chance of each given what is known."""
    if offered.certain or not knowledge:
        weights = [float(reading.ways) for reading in offered.readings]
    else:
        weights = [
            reading.ways * _deals_left(reading.index, seat, knowledge)
            for reading in offered.readings
        ]
        if not any(weights):
            # None is possible: say why of the first.
            known_for(knowledge, offered.readings[0].index, seat)
    return [
        (reading, weight / sum(weights))
        for reading, weight in zip(offered.readings, weights, strict=True)
        if weight
    ]


def _deals_left(index: int, seat: int, knowledge: Knowledge) -> float:
    """How many deals of the others go with a hand; 0 where it contradicts what is known."""
    from musodds.exact.known_hands import unseen_by_case

    question = ask(knowledge.game, hands(knowledge.game).cards[index], dead=knowledge.dead)
    try:
        cases = unseen_by_case(question, (seat,), knowledge)
        deals = sum(weight * one[seat].total for weight, one in cases if one)
    except KnowledgeError:
        return 0.0
    # Questions may count their cases several times over.
    return deals / sum(question.cases.values())


def known_for(knowledge: Knowledge | None, index: int, seat: int) -> Known | None:
    """What all hands as dealt are drawn from, if a seat holds this one; None: the whole deck."""
    if not knowledge:
        return None
    from musodds.simulation.known_deals import known_deals

    known = known_deals(knowledge, index, seat, mus=True)
    if known.weighted:
        raise KnowledgeError(
            "ranges for five other players are too many for a discard: leave one out"
        )
    return known
