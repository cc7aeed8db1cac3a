"""The public tree of a phase is the game that `score` plays: who speaks, and what is said."""

import pytest

from musodds.errors import InputError
from musodds.playing.actions import ENVIDO, NO_QUIERO, ORDAGO, PASO, QUIERO, RAISE
from musodds.playing.mus_deal import Deal
from musodds.rules.games import get_game
from musodds.solver.each_tree import each_tree

# Pares: all; seats 1 and 3 against 4; seats 2 and 3.
HANDS = {
    ("grande", (1, 2, 3, 4)): ["RR7A", "CC54", "SS54", "7764"],
    ("chica", (1, 2, 3, 4)): ["RR7A", "CC54", "SS54", "7764"],
    ("pares", (1, 2, 3, 4)): ["RR7A", "CC54", "SS54", "7764"],
    ("pares", (1, 3, 4)): ["RR7A", "CS54", "SS54", "7764"],
    ("pares", (2, 3)): ["RS7A", "CC54", "SS54", "R764"],
    ("juego", (1, 2, 4)): ["RRR7", "CCC4", "SS54", "RR75"],
    ("punto", (1, 2, 3, 4)): ["RR7A", "CC54", "SS54", "7764"],
}


def entered(phase, held):
    """The state machine where the phase begins."""
    deal = Deal.start("mus", held, score=(10, 20), mus=False)
    while deal.stage != phase:
        deal = deal.act(PASO)
    return deal


@pytest.mark.parametrize(("phase", "able"), HANDS)
def test_every_line_is_legal_where_it_is_said(phase, able):
    game = get_game("mus")
    tree = each_tree(game, phase, (2, 5, ORDAGO), (3, ORDAGO), 1)
    start = entered(phase, HANDS[phase, able])
    assert start.speakers(phase) == able
    states = {(): start}
    checked = 0
    for point in tree.points:
        if point.able != able:
            continue
        state = states[point.line]
        assert point.seat in state.turn
        words = {action.split()[0] for action in point.actions}
        if state.bet is None:
            assert state.turn == (point.seat,)
            assert words == {PASO, ENVIDO, ORDAGO}
        else:
            assert QUIERO in words
            assert (NO_QUIERO in point.actions) != (PASO in point.actions)
            assert not state.bet.ordago or {RAISE, ORDAGO}.isdisjoint(words)
        for action, after in zip(point.actions, point.children, strict=True):
            # Leaving the answer to one's partner is nothing that the score writes down.
            leaves = state.bet is not None and action == PASO
            following = state if leaves else state.act(action, 0 if leaves else point.seat)
            if after >= 0:
                assert tree.points[after].line == (*point.line, action)
                states[tree.points[after].line] = following
                assert not leaves or tree.points[after].seat != point.seat
                assert not leaves or game.side(tree.points[after].seat) == game.side(point.seat)
                continue
            checked += 1
            ending = tree.endings[~after]
            if ending.how == ORDAGO:
                assert following.over
                assert following.winner is not None
            else:
                assert following.endings[-1] == ending
    assert checked > 10


def test_the_next_after_the_bettor_answers_first():
    tree = each_tree(get_game("mus"), "grande", (2,), (2,), 0)
    seats = {point.line: point.seat for point in tree.points}
    assert seats["envido 2",] == 2
    assert seats["envido 2", "paso"] == 4
    assert seats["paso", "envido 2"] == 3
    assert seats["paso", "envido 2", "paso"] == 1
    assert seats["envido 2", "paso", "reenvido 2"] == 1
    assert seats["envido 2", "reenvido 2"] == 3


def test_reraises_are_as_many_as_asked():
    game = get_game("mus")
    for reraises in range(4):
        tree = each_tree(game, "grande", (2,), (2,), reraises)
        raised = [sum(word.startswith(RAISE) for word in point.line) for point in tree.points]
        assert max(raised) == 1 + reraises


def test_slots_of_a_seat_are_apart():
    tree = each_tree(get_game("mus"), "juego", (2, ORDAGO), (2, ORDAGO), 1)
    for seat in (1, 2, 3, 4):
        slots = [
            point.slot + i
            for point in tree.points
            if point.seat == seat
            for i in range(len(point.actions))
        ]
        assert sorted(slots) == list(range(1, len(slots) + 1))
        assert max(slots) < tree.slots


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"phase": "mus"}, "phase 'mus'"),
        ({"bets": (1,)}, "bets .1."),
        ({"bets": ("all",)}, "bets 'all'"),
        ({"reraises": -1}, "reraises -1"),
        ({"raises": range(2, 10), "reraises": 6}, "more than"),
    ],
)
def test_what_cannot_be_is_said(change, message):
    asked = {"phase": "grande", "bets": (2,), "raises": (2,), "reraises": 0, **change}
    with pytest.raises(InputError, match=message):
        each_tree(get_game("mus"), **asked)


def test_a_line_that_leads_nowhere():
    tree = each_tree(get_game("mus"), "grande", (2,), (), 0)
    with pytest.raises(InputError, match="nobody speaks after it"):
        tree.point(["envido 5"])
