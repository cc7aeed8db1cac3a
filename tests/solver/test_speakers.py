"""The model ``own``, on a deck of which every deal can be gone through."""

from __future__ import annotations

import random
from functools import lru_cache
from itertools import product

import numpy as np
import pytest

from musodds.playing.mus_deal import Deal
from musodds.rules.hands import hands
from musodds.rules.showdown import best_seat, levels_in
from musodds.solver import pairs
from musodds.solver.betting import solve_betting
from musodds.solver.pairs import table_of
from musodds.solver.sizes import read_sizes
from musodds.solver.tree import CHANCE
from musodds.stakes.equity import exact_equity
from musodds.store.cache import VARIABLE
from tests.small_games import FOUR, choose, net_of_deals

SPEAKERS = [(1, 2), (3, 2), (1, 4), (3, 4)]


@lru_cache
def weights() -> np.ndarray:
    """The chance of every deal, by the hands of the four seats."""
    counts, left = hands(FOUR).counts, FOUR.deck.copies
    found = np.ones((1,) * 0)
    rest = left[None]
    found = np.ones(1)
    for _ in range(4):
        ways = choose(rest[:, None, :], counts[None])
        found = (found[:, None] * ways).ravel()
        rest = (rest[:, None, :] - counts[None]).reshape(-1, len(left))
    return (found / found.sum()).reshape((len(counts),) * 4)


def test_outcomes_of_pairs_are_counted_once_and_kept(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    counted = table_of(FOUR, (1, 2))

    def again(*given: object) -> None:
        raise AssertionError("counted again")

    monkeypatch.setattr(pairs, "_counted", again)
    kept = table_of(FOUR, (1, 2))
    assert np.array_equal(kept.weight, counted.weight)
    assert np.array_equal(kept.outcome, counted.outcome)


@pytest.mark.parametrize("speakers", SPEAKERS)
def test_outcomes_of_pairs_are_those_of_all_deals(speakers: tuple[int, int]) -> None:
    known, chance = hands(FOUR), weights()
    table = table_of(FOUR, speakers)
    number = len(known)
    expected: dict[tuple[int, ...], float] = {}
    for deal in product(range(number), repeat=4):
        if not chance[deal]:
            continue
        key = [deal[speakers[0] - 1], deal[speakers[1] - 1]]
        juego = bool(levels_in(FOUR, deal, "juego"))
        for phase in ("grande", "chica", "pares", "juego" if juego else "punto"):
            levels = levels_in(FOUR, deal, phase)
            key.append(best_seat(levels) % 2 if levels else -1)
        for phase in ("pares", "juego"):
            key += [sum(int(known.stones[phase][deal[s]]) for s in (a, a + 2)) for a in (0, 1)]
        expected[tuple(key)] = expected.get(tuple(key), 0) + chance[deal]
    found: dict[tuple[int, ...], float] = {}
    outcomes = table.outcomes
    for i, j in product(range(number), repeat=2):
        for entry in range(table.begin[i, j], table.begin[i, j] + table.size[i, j]):
            what = table.outcome[entry]
            mine, theirs = outcomes.mine[what], outcomes.theirs[what]
            wins = [int(bit) for bit in outcomes.wins[what]]
            if not mine[0] and not theirs[0]:
                wins[2] = -1
            key = (i, j, *wins, int(mine[0]), int(theirs[0]), int(mine[1]), int(theirs[1]))
            found[key] = found.get(key, 0) + float(table.weight[entry])
    assert found.keys() == expected.keys()
    for key, value in expected.items():
        assert found[key] == pytest.approx(value, rel=1e-5)


@pytest.mark.parametrize("speakers", SPEAKERS)
def test_with_no_bets_a_deal_brings_what_it_brings_en_paso(speakers: tuple[int, int]) -> None:
    solved = solve_betting(
        "deal", game=FOUR, payoff="stones", bets="none", speakers=speakers, iterations=1
    )
    assert solved.value == pytest.approx(float((weights() * net_of_deals(FOUR)).sum()), abs=1e-5)
    solved = solve_betting(
        "deal", game=FOUR, score=(30, 36), bets="none", speakers=speakers, iterations=1
    )
    assert solved.value == pytest.approx(exact_equity(FOUR).chance(30, 36), abs=1e-6)


@pytest.mark.parametrize("what", ["grande", "chica", "pares", "juego", "deal"])
def test_the_gap_falls_with_partners(what: str) -> None:
    gaps = [
        solve_betting(
            what, game=FOUR, score=(36, 37), bets="2,ordago", raises="ordago", gap=1e-9,
            iterations=number,
        ).exploitability
        for number in (10, 60)
    ]  # fmt: skip
    assert gaps[1] < max(gaps[0], 1e-6)


def test_deals_of_four_played_by_the_rules_agree_with_the_value() -> None:
    """One voice a side: the tree and the rules of `score` must be the same game."""
    speakers = (3, 2)
    solved = solve_betting(
        "deal", game=FOUR, score=(34, 36), bets="2,ordago", speakers=speakers, iterations=15
    )
    rng, known = random.Random(11), hands(FOUR)
    deck = [kind for kind, copies in enumerate(FOUR.deck.copies) for _ in range(copies)]
    index = {cards: i for i, cards in enumerate(known.cards)}
    place = {int(c): i for i, c in enumerate(solved.spec.types.hand)}
    tree, found = solved.tree, []
    table = exact_equity(FOUR)
    for _ in range(4000):
        cards = rng.sample(deck, 16)
        dealt = [index[tuple(sorted(cards[i : i + 4]))] for i in range(0, 16, 4)]
        held = [place[dealt[seat - 1]] for seat in speakers]
        deal = Deal.start(FOUR, [known.texts[i] for i in dealt], (34, 36), mus=False)
        node = 0
        while not deal.over:
            options = tree.options(node)
            if tree.kind[node] == CHANCE:
                has = deal.declares(tree.phase[node])
                sides = (has[0] or has[2], has[1] or has[3])
                word = {(True, True): "both", (False, False): "neither"}.get(sides, "one")
                if word == "one" and word not in options:
                    word = "first" if sides[0] else "second"
                node = options[word]
                continue
            side, phase = solved.side_of(node), tree.phase[node]
            assert deal.stage == phase
            chances, _ = solved.at(node)
            word = rng.choices(list(options), chances[:, held[side] - tree.low[node, side]])[0]
            if deal.bet is None:
                if word == "paso":
                    while side == 1 and deal.stage == phase and deal.bet is None:
                        deal = deal.act("paso")
                else:
                    while FOUR.side(deal.turn[0]) != side:
                        deal = deal.act("paso")
                    deal = deal.act(word)
            else:
                deal = deal.act(word)
            node = options[word]
        assert node in tree.ends or tree.kind[node] == CHANCE
        result = deal.result
        if result.winner is not None:
            found.append(float(result.winner == 0))
        else:
            found.append(1 - table.chance(result.score[1], result.score[0]))
    error = np.std(found) / len(found) ** 0.5
    assert abs(np.mean(found) - solved.value) < 3 * error


def test_sizes_of_a_tree() -> None:
    decisions = {
        ("2,5", "2,5,ordago", 0): 26,
        ("2,5,ordago", "2,5,ordago", 1): 60,
        ("2,ordago", "ordago", 0): 8,
        ("none", "none", 0): 2,
    }
    for (bets, raises, again), number in decisions.items():
        assert read_sizes(bets, raises, again)
        solved = solve_betting(
            "grande", game=FOUR, bets=bets, raises=raises, reraises=again, iterations=1
        )
        assert solved.tree.decisions == number
