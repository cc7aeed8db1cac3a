"""Random legal play, and the count against independent ones."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from musodds.chances.odds import odds
from musodds.playing.actions import Action
from musodds.playing.deal import CHANGE
from musodds.playing.encaje_deal import EncajeDeal
from musodds.playing.mus_deal import Deal
from musodds.playing.record import read_record
from musodds.playing.written import write_record
from musodds.rules.game import PHASES
from musodds.rules.games import get_game
from tests.brute import deals, own_stones, reduced_game, strength

SIX = get_game("mus6p")
THREE = get_game("encaje3")
FIVE = get_game("encaje5")

MUS_GAMES = [get_game("mus"), get_game("mus4"), get_game("mus-real"), get_game("mus2p"), SIX]


def deal_cards(draw, game):
    pack = [kind for kind, n in enumerate(game.deck.copies.tolist()) for _ in range(n)]
    order = draw(st.permutations(pack))
    dealt = [tuple(sorted(order[4 * i : 4 * i + 4])) for i in range(game.seats)]
    return dealt, order[4 * game.seats :]


def play_on(draw, deal, stock):
    """Legal words, drawn at random, until the deal is over; every state on the way."""
    states = [deal]
    while not deal.over:
        if deal.stage == CHANGE and len(stock) < 4:
            return None
        if deal.stage == CHANGE:
            number = draw(st.integers(1, 4))
            seat = deal.turn[0]
            thrown = deal.game.deck.text(deal._cards_of(seat)[:number])
            drawn = deal.game.deck.text([stock.pop() for _ in range(number)])
            deal = deal.change(thrown, drawn)
        else:
            # The first option (mus, paso, quiero) more often, or few deals see juego.
            option = draw(st.sampled_from((*deal.legal()[:1] * 4, *deal.legal())))
            most = option.least + 8 if option.most is None else option.most
            stones = draw(st.integers(option.least, most))
            deal = deal.act(Action(option.word, stones), draw(st.sampled_from((0, *deal.turn))))
        states.append(deal)
    return states


@st.composite
def mus_deals(draw):
    game = draw(st.sampled_from(MUS_GAMES))
    dealt, stock = deal_cards(draw, game)
    below = st.integers(0, game.target - 1)
    score = draw(st.tuples(below, below))
    mus = draw(st.booleans())
    deal = Deal.start(game, dealt, score, draw(st.integers(0, 1)), mus)
    return play_on(draw, deal, stock)


@st.composite
def encaje_deals(draw):
    game = draw(st.sampled_from([THREE, FIVE]))
    dealt, stock = deal_cards(draw, game)
    stones = draw(
        st.lists(st.integers(0, 21), min_size=game.seats, max_size=game.seats).filter(
            lambda found: sum(map(bool, found)) > 1
        )
    )
    mano = draw(st.sampled_from([side for side, n in enumerate(stones) if n]))
    held = [hand if stones[(seat + mano) % game.seats] else None for seat, hand in enumerate(dealt)]
    deal = EncajeDeal.start(game, held, stones, mano, draw(st.booleans()))
    return play_on(draw, deal, stock)


def side_stones(deal, phase, side):
    seats = [seat for seat in deal.playing if deal.side(seat) == side]
    return [n for n in (own_stones(deal.hand(seat), phase) for seat in seats) if n]


def taker(deal, phase):
    """The side of the best hand, by the plain comparison of tests/brute.py."""
    best = None
    for seat in deal.playing:
        found = strength(deal.hand(seat), phase, deal.game.real)
        if found is not None and (best is None or found > best[0]):
            best = (found, deal.side(seat))
    return best and best[1]


def plain_count(deal):
    """The score and the winner, from the words of the deal alone.

    Keeps what is on the table, what was before the last raise, and who made that.
    """
    score, target = list(deal.opening), deal.game.target
    agreed, taken = {}, {}
    for phase in PHASES:
        before = table = 0
        bettor = None
        for line in [line for line in deal.said if line.stage == phase]:
            word, _, number = line.text.partition(" ")
            if line.text == "no quiero":
                taken[phase] = bettor
                score[bettor] += before or 1
                if score[bettor] >= target:
                    return score, bettor
            elif word == "quiero":
                if table is None:
                    return score, taker(deal, phase)
                agreed[phase] = table
            elif word != "paso":
                bettor = deal.side(line.seat) if bettor is None else 1 - bettor
                before = table
                table = None if word == "órdago" else table + int(number)
    for phase in PHASES:
        side = taken.get(phase, taker(deal, phase))
        items = [agreed[phase]] if phase in agreed else []
        if phase in ("pares", "juego"):
            items += side_stones(deal, phase, side)
        elif phase == "punto":
            if taker(deal, "juego") is None:
                items.append(1)
        elif phase not in agreed and phase not in taken:
            items.append(1)
        for stones in items:
            score[side] += stones
            if score[side] >= target:
                return score, side
    return score, None


@given(states=mus_deals())
@settings(max_examples=300, deadline=None)
def test_random_play_of_mus(states):
    assume(states is not None)
    for before, after in pairwise(states):
        assert all(now >= then >= 0 for now, then in zip(after.score, before.score, strict=True))
        assert after.winner is None or after.over
        assert before.turn
        assert {before.side(seat) for seat in before.turn} != {0, 1}
    deal = states[-1]
    result = deal.result

    running = list(deal.opening)
    for place, award in enumerate(result.awards, start=1):
        assert award.stones > 0 or award.why == "órdago"
        running[award.side] += award.stones
        reached = running[award.side] >= deal.game.target or award.why == "órdago"
        assert reached == (place == len(result.awards) and result.winner is not None)
    assert tuple(running) == result.score

    score, winner = plain_count(deal)
    assert (tuple(score), winner) == (result.score, result.winner)

    assert replayed(deal) == deal


def replayed(deal):
    """The deal written down and read again; its game may have no name to look up."""
    _, _, record = write_record(deal).partition("\n")
    return read_record(record, deal.game)[0].deal


@given(states=encaje_deals())
@settings(max_examples=150, deadline=None)
def test_random_play_of_encaje(states):
    assume(states is not None)
    total = sum(states[0].stones)
    for before, after in pairwise(states):
        assert min(after.stones) >= 0
        assert len(before.turn) == 1
        assert before.stage not in PHASES or before.in_front(before.turn[0])
        pots = 0 if after.over else sum(ending.pot for ending in after.endings)
        thrown = sum(move.stones for move in after.moves if move.why not in ("pot", "worst"))
        assert sum(after.stones) + pots - thrown == total
    deal = states[-1]
    left = list(deal.opening)
    for move in deal.moves:
        assert move.stones
        left[deal.side(move.seat)] += move.stones
    assert tuple(left) == deal.stones
    alone = [side for side, n in enumerate(deal.stones) if n]
    assert alone
    assert (deal.loser is not None) == (len(alone) == 1)
    assert deal.loser is None or [deal.loser] == alone
    assert replayed(deal) == deal


def en_paso(game, dealt):
    deal = Deal.start(game, dealt, mus=False)
    while not deal.over:
        deal = deal.act("paso")
    return deal.result


SMALL = {
    2: reduced_game({"R": 4, "C": 2, "7": 3, "4": 2, "A": 4}, 2, 1),
    4: reduced_game({"R": 6, "7": 6, "A": 6}, 4, 2),
}


@pytest.mark.parametrize(
    ("seats", "mine", "seat"), [(2, "RR7A", 1), (2, "CC44", 2), (4, "RRAA", 2), (4, "R777", 3)]
)
def test_the_average_deal_is_what_the_odds_say(seats, mine, seat):
    """En paso, over all deals of a small deck, weighted by the ways to deal them."""
    game = SMALL[seats]
    total, gained = 0, {(phase, ours): 0 for phase in PHASES for ours in (True, False)}
    for dealt, ways in deals(game, {seat: mine}):
        total += ways
        for award in en_paso(game, dealt).awards:
            gained[award.phase, award.side == game.side(seat)] += ways * award.stones
    exact = odds(mine, game=game, seat=seat)
    assert exact.deals == total
    for phase in PHASES:
        for ours, column in ((True, "stones_for"), (False, "stones_against")):
            assert exact.fraction(seat, phase, column) == Fraction(gained[phase, ours], total)
