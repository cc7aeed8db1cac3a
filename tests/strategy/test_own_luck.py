"""Whose luck it was: it adds up to the deal's, is 0 on average, and is each player's own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from musodds.playing.deal import CHANGES
from musodds.playing.mus_deal import Deal
from musodds.playing.record import read_record
from musodds.playing.replay import following, steps
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.stakes.equity_kinds import equity_by
from musodds.strategy import own_luck
from musodds.strategy.review import _passed, review
from musodds.strategy.review_result import Review
from musodds.strategy.views import plain

GAMES = Path(__file__).parents[1] / "data" / "games"
DEALS = 512


def read(name: str) -> Review:
    record = next(GAMES.glob(f"{name}*")).read_text(encoding="utf-8")
    return review(record, deals=DEALS, kind="paso")


@pytest.mark.parametrize("name", ["01", "04", "10"])
def test_it_adds_up_to_the_result(name: str) -> None:
    """The start, each player's own luck, what is shared, and skill."""
    found = read(name)
    us = found.sides[0]
    for deal in found.deals:
        seats = [one.seat for one in found.own if one.deal == deal.deal]
        assert seats == list(range(1, found.game.seats + 1))
    for sign, side in zip((1, -1), found.summary, strict=True):
        own = [one["luck"] * (1 if one["side"] == us else -1) for one in found.players]
        total = side["start"] + sign * sum(own) + side["luck_shared"] + side["skill"]
        assert total == pytest.approx(side["result"], abs=1e-12)
        assert side["luck"] == pytest.approx(side["luck_own"] + side["luck_shared"], abs=1e-12)
    for player in found.players:
        assert player["luck"] == pytest.approx(player["luck_cards"] + player["luck_draws"])


@pytest.mark.parametrize("seat", [1, 2])
def test_cards_are_0_over_all_hands(seat: int) -> None:
    """Weighted with the ways to hold them; later deals by a table that is not en paso."""
    game = get_game("mus2p")
    table, known = equity_by(game, "bets-2"), hands(game)
    values = []
    for text in known.texts:
        dealt = [text, "RRRR"] if seat == 1 else ["RRRR", text]  # there are eight kings
        deal = Deal.start(game, dealt, (31, 36))
        values.append(own_luck._dealt(game, deal, seat, table))
    assert np.dot(known.ways, values) / known.ways.sum() == pytest.approx(0, abs=1e-12)
    assert values[known.index("RRRR")] > values[known.index("RR76")] > values[known.index("7654")]


def test_cards_do_not_depend_on_those_of_others() -> None:
    record = "score: 30-33\nhands: {}\nmus: corto\n" + "".join(
        f"{phase}: en paso\n" for phase in ("grande", "chica", "pares", "juego")
    )
    some, other = (
        review(record.format(dealt), deals=DEALS).own
        for dealt in ("RR7A | C654 | S76A | CCS5", "RR7A | RRRA | 7654 | 7654")
    )
    assert some[0].cards == other[0].cards
    assert some[1].cards < other[1].cards
    assert {one.draws for one in (*some, *other)} == {0.0}


@pytest.mark.parametrize(
    "name", ["01-a-match", "04-changes-before-mus", "05-mus", "07-four-kings", "10-thirty-stones"]
)
def test_a_hand_makes_of_a_deal_what_the_deal_comes_to(name: str) -> None:
    """All hands at once as the state machine plays the deal out, for every card drawn."""
    record = (GAMES / f"{name}.txt").read_text(encoding="utf-8")
    tried = 0
    for one in read_record(record):
        deal = one.deal
        assert isinstance(deal, Deal)
        game = plain(deal.game, "4567", "visto")
        table = equity_by(game, "paso")
        for before, said in steps(deal):
            if said.stage in CHANGES and said.text != "-":
                seat, after = before.turn[0], following(before, said)
                value = own_luck._values(game, before, seat, table)[after.classes[seat - 1]]
                chance = _passed(after, table)
                assert value == pytest.approx(chance if deal.side(seat) == 0 else 1 - chance)
                assert own_luck._draws(before, said)[after.classes[seat - 1]] > 0
                tried += 1
    assert tried or name == "07-four-kings"


def test_draws_are_0_over_all_cards_that_may_come() -> None:
    """Weighted with how many of each are left; by how much the better card is better."""
    record = (
        "game: mus2p\nscore: 36-36\nhands: SS76 | CC54\nmus: mus, mus\nchange: 6>{} | 4>5\n"
        "mus: corto\ngrande: en paso\nchica: en paso\npares: en paso\njuego: en paso\n"
    )
    left = {"R": 8, "C": 2, "S": 2, "7": 3, "6": 3, "5": 3, "4": 3, "A": 8}
    draws = {}
    for card in left:
        text = record.format(card)
        # Of all hands only SS7A has no juego, as the rival has none.
        (one,) = read_record(text.replace("juego", "punto") if card == "A" else text)
        deal = one.deal
        assert isinstance(deal, Deal)
        draws[card] = own_luck.own_luck(one, deal, (1, 1), equity_by(deal.game, "paso"))[0].draws
    mean = sum(number * draws[card] for card, number in left.items()) / sum(left.values())
    assert mean == pytest.approx(0, abs=1e-12)
    assert draws["S"] > draws["6"]


def test_with_cards_that_nobody_saw_there_is_none() -> None:
    found = read("03")
    assert {one.deal for one in found.own} == {2}
    passed = "grande: en paso\nchica: en paso\npares: no, no, no, no\njuego: en paso\n"
    alone = review("hands: ? 7654 CS74 CS74\nmus: corto\n" + passed)
    assert {one["luck"] for one in alone.players} == {None}
