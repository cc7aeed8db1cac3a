"""A review judges by what each player knew: the cards of others change luck and nothing else."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.solver.betting import Betting
from musodds.stakes.equity import PASO
from musodds.strategy.deal_judge import DealJudge
from musodds.strategy.judges import BettingJudge, EnPasoJudge
from musodds.strategy.review import review
from musodds.strategy.review_result import Review
from tests.strategy.two_players import solved_for_two

DEALS = 512
GAME = get_game("mus")
KNOWN = hands(GAME)
FOUR = ("RRS7", "CC76", "RSSA", "CCS7")
"""All have pares and juego, so that whoever holds such hands may say the same."""

SAID = (
    "grande: paso, envido 2, 1 reenvido 3, 2 quiero\n"
    "chica: paso, paso, paso, envido 5, 3 no quiero\n"
    "pares: paso, paso, envido 2, 4 reenvido 2, 3 no quiero\n"
    "juego: paso, paso, 3 envido 5, 2 quiero\n"
)


def other_hands(rng: random.Random, number: int, left: Counter[str], alike: bool) -> list[str]:
    """Hands out of the cards that are left; alike: with pares and juego."""
    found: list[str] = []
    for _ in range(number):
        fit = [
            text
            for i, text in enumerate(KNOWN.texts)
            if not Counter(text) - left
            and (not alike or all(KNOWN.level[phase][i] for phase in ("pares", "juego")))
        ]
        if not fit:
            return other_hands(rng, number, left + Counter("".join(found)), alike)
        found.append(rng.choice(fit))
        left = left - Counter(found[-1])
    return found


def deck_without(*gone: str) -> Counter[str]:
    copies = {kind.symbol: kind.copies for kind in GAME.deck.kinds}
    return Counter(copies) - Counter("".join(gone))


def seated(own: str, seat: int, others: list[str]) -> list[str]:
    return [*others[: seat - 1], own, *others[seat - 1 :]]


def of_seat(found: Review, seat: int) -> list[tuple[object, ...]]:
    """All that the review says of a player's decisions, but not the cards drawn later."""
    return [
        (one.kind, one.phase, one.hand, one.said, one.best, one.lost, one.lost_se, one.mark)
        for one in found.decisions
        if one.seat == seat
    ]


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_the_cards_of_others_do_not_matter(seat: int) -> None:
    """As dealt, and with signs: what the rivals signed is nothing to this player."""
    rng, own = random.Random(seat), FOUR[seat - 1]
    others = [hand for at, hand in enumerate(FOUR, start=1) if at != seat]
    told: list[list[tuple[object, ...]]] = []
    luck = set()
    for number in range(5):
        rivals = (2, 4) if seat in (1, 3) else (1, 3)
        signs = f"signs: {rivals[number % 2]} {rng.choice(['31', 'dos reyes', 'duples'])}\n"
        dealt = " | ".join(seated(own, seat, others))
        text = f"score: 28-30\n{signs if number else ''}hands: {dealt}\n{SAID}"
        found = review(text, deals=DEALS, kind=PASO)
        told.append(of_seat(found, seat))
        luck.add(found.deals[0].luck_deal)
        others = other_hands(rng, 3, deck_without(own), True)
    assert len(told[0]) >= 2
    assert all(one == told[0] for one in told)
    assert len(luck) > 1


@pytest.mark.parametrize("seat", [1, 4])
def test_what_others_throw_and_draw_does_not_matter(seat: int) -> None:
    rng, told = random.Random(seat), []
    for _ in range(3):
        left = deck_without("RR54", "A7")
        first = other_hands(rng, 3, left, False)
        after = other_hands(rng, 3, left - Counter("".join(first)), True)
        dealt = seated("RR54", seat, first)
        changes = seated("54>A7", seat, [f"{a}>{b}" for a, b in zip(first, after, strict=True)])
        text = (
            f"score: 28-30\nhands: {' | '.join(dealt)}\nmus: mus, mus, mus, mus\n"
            f"change: {' | '.join(changes)}\nmus: no hay mus\n"
            "grande: paso, envido 2, 1 reenvido 3, 2 quiero\n"
            "chica: paso, paso, paso, envido 5, 3 no quiero\npares: en paso\njuego: en paso\n"
        )
        told.append(of_seat(review(text, deals=DEALS, kind=PASO), seat))
    assert {one[1] for one in told[0]} >= {"mus", "change", "chica"}
    assert all(one == told[0] for one in told)


@pytest.fixture(scope="module")
def solved() -> Betting:
    return solved_for_two("deal", (38, 38), bets="ordago", raises="ordago", gap=0.2)


@pytest.mark.parametrize("judge", ["solved", "paso"])
def test_nor_do_they_where_the_deal_is_solved(judge: str, solved: Betting) -> None:
    by: BettingJudge = EnPasoJudge()
    if judge == "solved":
        by = DealJudge((solved,), otherwise=by)
    told = [
        of_seat(
            review(
                f"game: mus2p\nscore: 38-38\nhands: RRS7 {other}\ngrande: paso, paso\n"
                "chica: paso, órdago, no quiero\npares: paso, paso\n"
                "juego: paso, paso\n",
                judge=by,
                kind=PASO,
            ),
            1,
        )
        for other in ("CC76", "SSAR", "RRRR", "CCSS")
    ]
    assert len(told[0]) >= 5
    assert all(one == told[0] for one in told)
