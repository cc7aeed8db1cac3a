"""Simulation of the games with suits, six players, hands that are shown, and mus visto."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy import stats

from musodds.chances.odds import known_odds, odds
from musodds.chances.odds_table import odds_table
from musodds.chances.simulated_odds import simulate_known
from musodds.errors import KnowledgeError
from musodds.exact.draws.draws import draw_ways
from musodds.exact.phases.columns import COLUMNS
from musodds.knowledge.knowledge import know
from musodds.rules.cards import CARDS
from musodds.rules.game import PHASES
from musodds.rules.games import GAMES, get_game
from musodds.rules.hands import hands
from musodds.rules.shown import shown_hands
from musodds.rules.ways import choose
from musodds.simulation.policies import Policy
from musodds.simulation.simulate import simulate
from tests.joker_rules import name_jokers


@cache
def exact_means(name: str) -> dict:
    """Every column's mean over all hands, by (seat, phase)."""
    game = get_game(name)
    table = odds_table(game)
    table["net"] = table["net"].ffill()  # stands once for each hand and seat
    share = np.repeat(hands(game).ways / hands(game).ways.sum(), game.seats * len(PHASES))
    table["win_contested"] = (table["win_contested"] * table["contested"]).fillna(0)
    means = table[[*COLUMNS, "net"]].mul(share, axis=0)
    means = means.groupby([table["seat"], table["phase"]]).sum()
    means["win_contested"] /= means["contested"]
    return means.to_dict("index")


@pytest.mark.parametrize(
    ("game", "exact"),
    [
        ("mus-real-oros", "mus-real-oros"),
        # Before cards are seen all suits are alike: one special sota is as good as four.
        ("mus-real-suits", "mus-real-oros"),
        ("mus4-real-suits", "mus4-real-oros"),
        ("mus6p", "mus6p"),
    ],
)
def test_plain_deals_agree_with_the_exact_tables(game, exact):
    result = simulate(game, n=1_000_000, seed=17, policy="none")
    wanted = exact_means(exact)
    for row in result.rows():
        for column in (*COLUMNS, "net"):
            error = abs(row[column] - wanted[row["seat"], row["phase"]][column])
            assert error <= 4.5 * row[f"{column}_se"] + 1e-12, (row["seat"], row["phase"], column)


def fits(observed: np.ndarray, share: np.ndarray) -> float:
    """The p-value of a chi-squared test; classes with few expected go together."""
    expected = share * observed.sum()
    rare = expected < 10
    if rare.any():
        observed = np.append(observed[~rare], observed[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    return stats.chisquare(observed, expected).pvalue


def kings_only(name: str) -> Policy:
    """Keeps at most three kings and nothing else, and would cut with any hand."""
    game = get_game(name)
    table = hands(game)
    keep = np.zeros_like(table.counts, dtype=np.int8)
    keep[:, 0] = np.minimum(table.counts[:, 0], 3)
    cut = np.ones((game.seats, len(table)), dtype=np.bool_)
    return Policy("kings", game, np.stack([keep] * game.seats), cut)


def hands_after(name: str, policy: Policy) -> np.ndarray:
    """The exact chance of each hand of a seat once the changes before mus are made."""
    game = get_game(name)
    table = hands(game)
    share = table.ways / table.ways.sum()
    for shown in shown_hands(game):
        drawn = draw_ways(table, table.counts[shown], np.zeros_like(table.counts[shown]))
        moved = share[shown] * drawn / drawn.sum()
        share[shown] = 0
        share = share + moved
    if game.visto:
        ways = draw_ways(table, table.counts, policy.keep[0].astype(np.int64))
        share = share @ (ways / ways.sum(axis=1, keepdims=True))
    return share


@pytest.mark.parametrize("game", ["mus-4567", "mus-visto", "mus-4567-visto"])
def test_hands_after_the_changes_before_mus(game):
    policy = kings_only(game)
    result = simulate(game, n=400_000, seed=23, rounds=0, policy=policy)
    share = hands_after(game, policy)
    assert share.sum() == pytest.approx(1)
    for of_seat in result._views["hands"]:
        assert fits(of_seat, share) > 1e-4


def test_a_hand_that_is_shown_is_rare_afterwards():
    """7654 is left only to who shows it and is dealt it once more."""
    result = simulate("mus-4567", n=400_000, seed=5, rounds=0, policy="none")
    seen = result._views["hands"][:, shown_hands(get_game("mus-4567"))[0]]
    assert seen.sum() < 20


def test_who_would_throw_nothing_keeps_his_hand_in_the_visto_round():
    """The policy `none` throws nothing: the deals are those of mus."""
    plain, visto = (
        simulate(name, n=50_000, seed=3, rounds=0, policy="none") for name in ("mus", "mus-visto")
    )
    for of_seat in visto._views["hands"]:
        assert fits(of_seat, hands(get_game("mus")).ways / 91390) > 1e-4
    assert plain.n == visto.n


@pytest.mark.parametrize("game", ["mus-4567", "mus2p-4567-visto"])
@pytest.mark.parametrize("hand", ["RR7A", "7654"])
def test_a_fixed_hand_agrees_with_the_exact_odds(game, hand):
    """Nobody else has shown a hand; 7654 itself is shown and replaced."""
    result = simulate(game, hand=hand, seat=2, n=400_000, seed=11, rounds=0, policy="none")
    wanted = {(row["seat"], row["phase"]): row for row in odds(hand, game=game, seat=2).rows()}
    for row in result.rows():
        if row["seat"] != 2:
            continue
        exact = wanted[2, row["phase"]]
        for column in COLUMNS:
            if exact[column] is not None:
                error = abs(row[column] - exact[column])
                assert error <= 4.5 * row[f"{column}_se"] + 1e-12, (row["phase"], column)


def test_what_is_known_is_known_when_nobody_has_shown_a_hand():
    game = get_game("mus-4567")
    knowledge = know(game=game, partner="medias", next="pares")
    result = simulate(
        game, hand="RR7A", seat=1, knowledge=knowledge, n=300_000, seed=2, rounds=0, policy="none"
    )
    exact = known_odds("RR7A", seat=1, knowledge=knowledge)
    for row in result.rows()[:5]:
        error = abs(row["win"] - float(exact.fraction(1, row["phase"], "win")))
        assert error <= 4.5 * row["win_se"] + 1e-12


def test_a_known_hand_changes_cards_in_mus_visto():
    """The partner's medias are known of the hand as dealt; after the round they may be gone."""
    game = get_game("mus-visto")
    table = hands(game)
    knowledge = know(game=game, partner="medias")
    for policy, expected in (("none", 1.0), (kings_only("mus-visto"), 0.5)):
        result = simulate(
            game, hand="RR7A", seat=1, knowledge=knowledge, n=20_000, seed=2, rounds=0,
            policy=policy,
        )  # fmt: skip
        share = result._views["hands"][2] @ (table.pares_type == 2) / 20_000
        assert (share == 1.0) if expected == 1 else (0.02 < share < 0.7)


@pytest.mark.parametrize(("game", "hand"), [("encaje3", "77SA"), ("encaje5-four-kings", "CC64")])
def test_the_worst_hands_of_encaje_agree_with_the_exact_odds(game, hand):
    result = simulate(game, hand=hand, seat=2, n=300_000, seed=4, rounds=0, policy="none")
    wanted = {row["phase"]: row for row in odds(hand, game=game, seat=2).rows()}
    for row in result.rows()[5:10]:
        exact = wanted[row["phase"]]
        assert set(exact) <= set(row)
        for column in ("win", "win_contested", "worst", "worst_contested", "stones_against"):
            if exact[column] is None:
                assert row[column] is None
            else:
                error = abs(row[column] - exact[column])
                assert error <= 4.5 * row[f"{column}_se"] + 1e-12, (row["phase"], column)


OF_FOUR_CARDS = [name for name, game in GAMES.items() if game.cards_dealt == CARDS]


@pytest.mark.parametrize("name", OF_FOUR_CARDS)
def test_a_hand_in_every_game_agrees_with_its_exact_odds(name):
    """The hand that is juego real where there is such a thing."""
    game = get_game(name)
    text = game.real[0] if game.real else "777*" if hands(game).has_jokers else "777C"
    result = simulate(game, hand=text, seat=2, n=200_000, seed=8, rounds=0, policy="none")
    exact = {row["phase"]: row for row in odds(text, game=game, seat=2).rows()}
    for row in result.rows()[len(PHASES) : 2 * len(PHASES)]:
        for column, wanted in exact[row["phase"]].items():
            if column in ("seat", "phase"):
                continue
            if wanted is None:
                assert row[column] is None
                continue
            # What happens less than once in the sample has no error there.
            rare = 20 / result.n
            error = abs(row[column] - wanted)
            assert error <= 4.5 * row[f"{column}_se"] + rare, (row["phase"], column)


@pytest.mark.parametrize("game", ["mus-4567", "encaje3-4567", "mus-real-oros-4567"])
@pytest.mark.parametrize("hand", ["7654", "RRSA"])
def test_simulated_odds_are_of_hands_when_nobody_else_has_shown_one(game, hand):
    """Also where the sota's suit is not typed, and of 7654 after it was replaced."""
    found = simulate_known(hand, game=game, seat=1, n=60_000, seed=5)
    if game == "encaje3-4567" and hand == "7654":
        # To count it takes too long for a test: its share of the best hands must do.
        assert abs(found.rows()[0]["win"] - 1 / 3) < 0.03
        return
    exact = {row["phase"]: row for row in odds(hand, game=game, seat=1).rows()}
    for row in found.rows():
        for column, wanted in exact[row["phase"]].items():
            if column in ("seat", "phase", "net") or wanted is None:
                continue
            error = abs(row[column] - wanted)
            assert error <= 4.5 * row[f"{column}_se"] + 20 / found.n, (row["phase"], column)
    with pytest.raises(KnowledgeError, match="7654 is shown and replaced"):
        simulate_known("7654", knowledge=know(game="mus-4567", partner="31"))


def test_a_fixed_hand_without_suits_is_simulated_as_any_that_it_may_be():
    game = get_game("mus-real-suits")
    result = simulate(game, hand="S777", seat=2, n=100_000, seed=6, rounds=0, policy="none")
    assert (result.hand, result.seat) == ("S777", 2)
    exact = {row["phase"]: row for row in odds("S777", game=game, seat=2).rows()}
    for row in result.rows()[len(PHASES) : 2 * len(PHASES)]:
        for column in ("win", "best", "stones_for"):
            error = abs(row[column] - exact[row["phase"]][column])
            assert error <= 4.5 * row[f"{column}_se"] + 20 / result.n, (row["phase"], column)
    # A dead sota leaves the others: the same odds, counted.
    knowledge = know(game=game, dead="So")
    found = simulate(game, hand="S777", seat=2, knowledge=knowledge, n=100_000, seed=6, rounds=0)
    counted = known_odds("S777", seat=2, knowledge=knowledge)
    for row in found.rows()[len(PHASES) : 2 * len(PHASES)]:
        error = abs(row["win"] - float(counted.fraction(2, row["phase"], "win")))
        assert error <= 4.5 * row["win_se"] + 20 / found.n


def test_plays_are_of_the_hand_as_named() -> None:
    """A joker makes one naming for all columns, not the best one for each."""
    none = simulate("mus-ten-kings", n=400_000, seed=3, policy="none").seat_rows()[0]
    assert abs(none["duples"] - 0.0507) < 4 * none["duples_se"]
    assert abs(none["par"] - 0.497) < 4 * none["par_se"]
    kings = simulate("mus-ten-kings", policy="kings", n=400_000, seed=3).seat_rows()[0]
    assert abs(kings["duples"] - 0.0813) < 4 * kings["duples_se"]
    assert abs(kings["medias"] - 0.199) < 4 * kings["medias_se"]
    assert abs(kings["juego_31"] - 0.162) < 4 * kings["juego_31_se"]


def test_plays_agree_with_each_deal_named_by_hand() -> None:
    """Two players, one hand fixed: every hand of the other, named by the rule's own words."""
    game = get_game("mus2p-ten-kings")
    table, (me,) = hands(game), (hands(game).index("*R77"),)
    unseen = game.deck.copies - table.counts[me]
    ways = choose(unseen, table.counts).astype(float)
    held = {"par": 0.0, "juego_31": 0.0, "duples": 0.0}
    for other in np.flatnonzero(ways):
        named = name_jokers(game, (me, int(other)))[0]
        kind, points = table.named.pares_type[named], table.named.points[named]
        held["par"] += ways[other] * (kind == 1)
        held["duples"] += ways[other] * (kind == 3)
        held["juego_31"] += ways[other] * (points == 31)
    row = simulate(game, n=100_000, seed=4, policy="none", hand="*R77", seat=1).seat_rows()[0]
    for name, weight in held.items():
        share = weight / ways.sum()
        assert 0 <= share <= 1
        assert abs(row[name] - share) < 4 * max(row[f"{name}_se"], 1e-9), name
