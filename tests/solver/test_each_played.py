"""Phases played out at the table, by the state machine of `score`, as the solver plays them."""

import numpy as np
import pytest

from musodds.playing.actions import ORDAGO, PASO
from musodds.playing.mus_deal import Deal
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.solver.each_measure import measure
from musodds.solver.each_payoff import pack_cards, payoffs
from musodds.solver.each_play import Play
from musodds.solver.each_tree import each_tree
from musodds.stakes.equity import exact_equity
from tests.solver.test_each import random_strategy

MUS = get_game("mus")
SCORE = (35, 36)


def dealt_hands(rng, table):
    """Four hands from a shuffled deck, as classes."""
    kinds = np.repeat(np.arange(len(MUS.deck.kinds)), MUS.deck.copies)
    cards = rng.permutation(kinds)[:16].reshape(4, 4)
    return [table.index(tuple(sorted(map(int, hand)))) for hand in cards]


def to_phase(held, phase):
    """The deal where the phase begins; over, or beyond it, if it is not bet on."""
    deal = Deal.start(MUS, [hands(MUS).cards[h] for h in held], score=SCORE, mus=False)
    while not deal.over and deal.stage != phase:
        deal = deal.act(PASO)
    return deal


def chance_after(deal):
    """Mano's side's chance of winning the game, everything else passed."""
    while not deal.over:
        deal = deal.act(PASO)
    if deal.winner is not None:
        return float(deal.winner == 0)
    return exact_equity(MUS).chance(*deal.score, mano="them")


def played(deal, held, tree, strategy, rng):
    """The deal after the phase was bet on by the strategies."""
    at = tree.point((), deal.speakers(tree.phase))
    while at >= 0:
        point = tree.points[at]
        held_by = held[point.seat - 1]
        chances = strategy[point.seat - 1, held_by, point.slot : point.slot + len(point.actions)]
        i = rng.choice(len(chances), p=chances)
        # A first answer of *paso* leaves it to the partner: nothing is written down.
        if deal.bet is None or point.actions[i] != PASO:
            deal = deal.act(point.actions[i], point.seat)
        at = point.children[i]
    return deal


@pytest.mark.parametrize("phase", ["grande", "pares", "juego"])
def test_deals_at_the_table_bring_what_is_measured(phase):
    tree = each_tree(MUS, phase, (2, 5, ORDAGO), (2, ORDAGO), 1)
    play = Play(tree, pack_cards(MUS, phase), payoffs(tree, SCORE), 1.0, 5)
    strategy = random_strategy(play)
    found = measure(play, strategy, 100_000)
    rng, table, gained, bet_on = np.random.default_rng(11), hands(MUS), [], 0
    for _ in range(400):
        held = dealt_hands(rng, table)
        deal = to_phase(held, phase)
        gained.append(0.0)
        if deal.stage == phase:
            bet_on += 1
            after = chance_after(played(deal, held, tree, strategy, rng))
            gained[-1] = after - chance_after(deal)
    error = np.std(gained) / len(gained) ** 0.5
    assert error < 0.03
    expected = found.contested * found.over_passing
    assert abs(np.mean(gained) - expected) < 4 * (error + found.over_passing_se)
    share = bet_on / len(gained)
    assert abs(share - found.contested) <= 4 * (share * (1 - share) / len(gained)) ** 0.5
