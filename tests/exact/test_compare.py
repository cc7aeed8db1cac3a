"""One split of my side against all of the rivals': numpy and the compiled kernel count alike."""

import numpy as np
import pytest

from musodds.exact import unseen as room
from musodds.exact.known_hands import unseen_by_seat
from musodds.exact.outcomes import outcomes
from musodds.knowledge.knowledge import know
from musodds.rules.games import get_game
from musodds.rules.hands import hands


@pytest.mark.parametrize(
    ("name", "hand", "seat", "known"),
    [
        ("mus2p", "RR76", 2, {}),
        ("mus", "RR76", 3, {"pares": "yes,yes,yes,no", "dead": "74"}),
        ("mus", "CS54", 4, {"pares": "no,yes,yes,no", "juego": "no,no,yes,no"}),
        ("mus", "RSCA", 1, {"seats": {3: "RR7A", 2: "31"}}),
    ],
)
def test_both_ways_count_alike(name, hand, seat, known, monkeypatch):
    """Also where availability is made some rows at a time, the last of them fewer than four."""
    game = get_game(name)
    index = hands(game).index(hand)

    def counted():
        unseen = unseen_by_seat(index, (seat,), know(game, **known))[seat]
        shape = (len(outcomes.mates_of(game)[0]), 16, len(outcomes.rivals_stones(game)[0]))
        return outcomes._known_counts(unseen, seat, shape), unseen.total

    monkeypatch.setattr(outcomes, "_FEW", -1)
    monkeypatch.setattr(room, "_MUCH", 0)
    compiled, total = counted()
    monkeypatch.setattr(outcomes, "_FEW", 1 << 62)
    monkeypatch.setattr(outcomes, "_FEWER", 1 << 62)
    monkeypatch.setattr(room, "_MUCH", 1 << 62)
    plain, same_total = counted()
    assert np.array_equal(compiled, plain)
    assert compiled.sum() == total == same_total
