"""Kinds of equity: fixed bets against hands dealt one by one, and the figures of the design."""

import numpy as np
import pytest

import musodds as mo
from musodds.errors import InputError
from musodds.exact.outcomes.deal_stones import counted_stones
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.stakes.equity import backward
from musodds.stakes.equity_kinds import KINDS, equity_by, kinds_of
from musodds.stakes.equity_solved import made
from musodds.stakes.scores import count_running, running, scores_backwards


def stones_of_two(first: int, second: int, bet: int) -> tuple[tuple[int, ...], bool]:
    """Mano's stones of a deal of two players by the rules, straight from their hands."""
    known = hands(get_game("mus2p"))

    def takes(phase: str) -> bool:
        return bool(known.level[phase][first] >= known.level[phase][second])

    def own(phase: str) -> tuple[int, int]:
        return int(known.stones[phase][first]), int(known.stones[phase][second])

    found = [(bet or 1) * (1 if takes(phase) else -1) for phase in ("grande", "chica")]
    for phase in ("pares", "juego"):
        mine, theirs = own(phase)
        more = bet if mine and theirs else 0
        if mine or theirs:
            found.append(mine + more if takes(phase) else -(theirs + more))
        else:
            found.append(0)
    punto = not any(own("juego"))
    if punto:
        found[3] = (1 + bet) * (1 if takes("punto") else -1)
    return tuple(found), punto


@pytest.mark.parametrize("bet", [0, 2, 5])
def test_a_fixed_bet_seen_is_that_of_all_pairs_of_hands(bet: int) -> None:
    game = get_game("mus2p")
    known = hands(game)
    from math import comb

    wanted: dict[tuple[int, ...], int] = {}
    for first in range(len(known)):
        rest = game.deck.copies - known.counts[first]
        for second in range(len(known)):
            ways = int(known.ways[first])
            for copies, taken in zip(rest.tolist(), known.counts[second].tolist(), strict=True):
                ways *= comb(copies, taken)
            if ways:
                key = stones_of_two(first, second, bet)[0]
                wanted[key] = wanted.get(key, 0) + ways
    deal = counted_stones(game, bet)
    found: dict[tuple[int, ...], int] = {}
    for row, deals in zip(deal.stones.tolist(), deal.deals, strict=True):
        found[tuple(row)] = found.get(tuple(row), 0) + int(deals)
    assert found == wanted


@pytest.mark.parametrize(("kind", "bet", "deals"), [("paso", 0, 11.7), ("bets-2", 2, 7.0),
                                                    ("bets-5", 5, 3.8)])  # fmt: skip
def test_how_long_a_game_takes(kind: str, bet: int, deals: float) -> None:
    deal = counted_stones(get_game("mus"), bet)
    length = np.zeros((40, 40))
    for mine, theirs in scores_backwards(40):
        after, other, won, lost = count_running(*running(deal.stones), mine, theirs, 40)
        on = ~(won | lost)
        length[mine, theirs] = 1 + deal.chances[on] @ length[other[on], after[on]]
    assert length[0, 0] == pytest.approx(deals, abs=0.05)
    assert equity_by("mus", kind).chance(0, 20) == pytest.approx(
        {"paso": 0.053, "bets-2": 0.089, "bets-5": 0.153}[kind], abs=5e-4
    )
    assert np.array_equal(equity_by("mus", kind).mano_wins, backward(deal).mano_wins)


def test_the_kinds_of_a_game_are_named() -> None:
    assert mo.equity("mus", kind="bets-5").kind == "bets-5"
    assert kinds_of(get_game("mus6p")) == ("paso",)
    for kind in kinds_of(get_game("mus")):
        table = equity_by("mus", kind)
        assert table.kind == kind
        assert np.allclose(table.ours[0] + table.ours[1].T, 1)
    assert set(kinds_of(get_game("mus4"))) <= set(KINDS)


def test_a_kind_that_cannot_be() -> None:
    with pytest.raises(InputError, match="bets-3"):
        mo.equity("mus", kind="bets-3")
    with pytest.raises(InputError, match="en paso"):
        mo.equity("mus", kind="bets-2", policy="kings")
    with pytest.raises(InputError, match="mus4-real"):
        equity_by("mus4-real", "solved")


def test_below_the_scores_that_are_solved_two_is_bet_until_they_are_reached() -> None:
    game = get_game("mus")
    fixed = equity_by("mus", "bets-2").mano_wins
    solved = np.logical_and.outer(np.arange(40) >= 20, np.arange(40) >= 20)
    table = made(game, np.where(solved, fixed, 0.5), np.zeros((40, 40)), 20)
    assert np.allclose(table.mano_wins, fixed)
    assert (table.kind, table.method) == ("solved", "solved")
    assert "20 or more" in table.note
    # Who is mano in the next game is split, not changed.
    assert np.allclose(table.game_chances.sum(axis=(2, 3)), 1)
