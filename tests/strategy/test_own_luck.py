"""Whose luck it was: it adds up to the deal's, is 0 on average, and is each player's own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from musodds.playing.mus_deal import Deal
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.stakes.equity_kinds import equity_by
from musodds.strategy import own_luck
from musodds.strategy.review import review
from musodds.strategy.review_result import Review

GAMES = Path(__file__).parents[1] / "data" / "games"
DEALS = 512


def read(name: str) -> Review:
    record = next(GAMES.glob(f"{name}*")).read_text(encoding="utf-8")
    return review(record, deals=DEALS, kind="paso")


@pytest.mark.parametrize("name", ["01", "04", "10"])
def test_it_adds_up_to_the_luck_of_the_deal(name: str) -> None:
    """Draws to all of it; cards to all but how they met, which is what is left."""
    found = read(name)
    us = found.sides[0]
    for deal in found.deals:
        own = [one for one in found.own if one.deal == deal.deal]
        assert [one.seat for one in own] == list(range(1, found.game.seats + 1))
        draws = sum(one.draws * (1 if one.side == us else -1) for one in own)
        assert draws == pytest.approx(deal.luck_draws, abs=1e-12)
    total = sum(one["luck"] * (1 if one["side"] == us else -1) for one in found.players)
    assert total == pytest.approx(sum(one["luck_own"] for one in found.games), abs=1e-12)
    assert found.summary[0]["luck_own"] == -found.summary[1]["luck_own"]
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
        values.append(own_luck._dealt(deal, seat, table))
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


def test_who_draws_better_cards_has_the_luck() -> None:
    """By as much as the chance differs with them; what the other drew is as it was."""
    record = (
        "game: mus2p\nscore: 36-36\nhands: SS76 | CC54\nmus: mus, mus\nchange: 76>{} | 4>6\n"
        "mus: corto\ngrande: en paso\nchica: en paso\npares: en paso\njuego: en paso\n"
    )
    good, bad = (review(record.format(cards), deals=DEALS, kind="paso") for cards in ("RR", "75"))
    assert [one.cards for one in good.own] == [one.cards for one in bad.own]
    after = [
        next(point.chance for point in found.course if point.point == "cards")
        for found in (good, bad)
    ]
    ours = good.own[0].draws - bad.own[0].draws
    theirs = good.own[1].draws - bad.own[1].draws
    assert ours > 0.1
    assert ours - theirs == pytest.approx(after[0] - after[1], abs=1e-12)


def test_with_cards_that_nobody_saw_there_is_none() -> None:
    found = read("03")
    assert {one.deal for one in found.own} == {2}
    passed = "grande: en paso\nchica: en paso\npares: no, no, no, no\njuego: en paso\n"
    alone = review("hands: ? 7654 CS74 CS74\nmus: corto\n" + passed)
    assert {one["luck"] for one in alone.players} == {None}
