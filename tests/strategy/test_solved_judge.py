"""Reviews by the solved phase: whoever plays the solution loses nothing, blunders are found."""

from dataclasses import replace

import numpy as np
import pytest

from musodds.knowledge.knowledge import Knowledge, know
from musodds.playing.actions import Action, read_action
from musodds.playing.deal import Said
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.rules.showdown import SEEN, Ending
from musodds.solver.betting import Betting, solve_betting
from musodds.solver.tree import FIRST
from musodds.stakes.equity_kinds import equity_by
from musodds.strategy.deal_judge import DealJudge
from musodds.strategy.judges import EnPasoJudge, View
from musodds.strategy.review import review
from musodds.strategy.solved_judge import SolvedJudge, solved_phase
from tests.strategy.two_players import GAME, solved_for_two

GAP = 0.05
SCORE = (31, 33)


@pytest.fixture(scope="module")
def solved() -> Betting:
    return solved_for_two("grande", SCORE, bets="2,5,ordago", raises="2,5,ordago", gap=GAP)


def view(hand: str, seat: int, said: tuple[str, ...] = ()) -> View:
    score = SCORE if seat == 1 else (SCORE[1], SCORE[0])
    lines = tuple(Said("grande", 1 + i % 2, text) for i, text in enumerate(said))
    return View(
        GAME, hand, seat, score, Knowledge(GAME), equity_by(GAME, "paso"), "grande", said=lines
    )


def test_it_weighs_by_the_solution(solved: Betting) -> None:
    judge = SolvedJudge(GAP)
    for hand in ("RR7A", "C654", "RRRR", "7654"):
        classes = solved.classes(0, 0).tolist()
        values = solved.at(0)[1][:, classes.index(hands(GAME).index(hand))]
        for i, word in enumerate(solved.tree.options(0)):
            verdict = judge.weigh(view(hand, 1), read_action(word))
            assert verdict.said == pytest.approx(float(values[i]), abs=1e-6)
            assert verdict.value == pytest.approx(float(values.max()), abs=1e-6)
            assert verdict.error == pytest.approx(solved.exploitability, abs=1e-6)


def test_a_blunder_is_found_with_its_worth(solved: Betting) -> None:
    kept, options = solved_phase(solved.spec, GAP), solved.tree.options(0)
    said = max(options, key=lambda word: (word != "paso", kept.often[options[word]]))
    node = options[said]
    classes = solved.classes(node, 1).tolist()
    worth = solved.at(node)[1][:, classes.index(hands(GAME).index("RRRR"))]
    values = dict(zip(solved.tree.options(node), worth.tolist(), strict=True))
    verdict = SolvedJudge(GAP).weigh(view("RRRR", 2, (said,)), Action("no quiero"))
    assert verdict.best != "no quiero"
    assert verdict.lost == pytest.approx(max(values.values()) - values["no quiero"], abs=1e-6)
    assert verdict.lost > 0.04


def test_who_plays_the_solution_loses_nothing_on_average(solved: Betting) -> None:
    """Hands and words by the solution itself: the mean loss is within the gap of zero."""
    judge, rng = SolvedJudge(GAP), np.random.default_rng(3)
    known, total = hands(GAME), []
    chance = known.ways / known.ways.sum()
    for _ in range(150):
        index = int(rng.choice(len(known), p=chance))
        place = solved.classes(0, 0).tolist().index(index)
        frequencies = solved.at(0)[0][:, place]
        word = list(solved.tree.options(0))[int(rng.choice(len(frequencies), p=frequencies))]
        total.append(judge.weigh(view(known.texts[index], 1), read_action(word)).lost)
    mean, error = np.mean(total), np.std(total) / len(total) ** 0.5
    assert mean <= 2 * solved.exploitability + 3 * error
    assert mean < 0.002


def test_what_it_does_not_have_is_judged_en_paso() -> None:
    """An answer to what nobody says there, and a hand that takes no part."""
    odd = view("RR7A", 1, ("envido 2", *["reenvido 2"] * 3))
    odd = replace(odd, on_table=6, offer=2)
    fold = Action("no quiero")
    assert SolvedJudge(GAP).weigh(odd, fold) == EnPasoJudge().weigh(odd, fold)


def test_where_the_partner_made_a_sign_it_counts_by_the_judge_of_en_paso() -> None:
    """No solved game has signs: nothing is solved for such a decision."""
    game = get_game("mus")
    told = View(
        game, "RR76", 4, SCORE, know(game, seats={2: "seña:31"}), equity_by(game, "paso"),
        "juego", offer="órdago", signed=True,
    )  # fmt: skip
    said = Action("no quiero")
    assert SolvedJudge().weigh(told, said) == EnPasoJudge().weigh(told, said)
    assert DealJudge(solve=True).weigh(told, said) == EnPasoJudge().weigh(told, said)
    blind = replace(told, knowledge=Knowledge(game))
    assert EnPasoJudge().weigh(blind, said).value < EnPasoJudge().weigh(told, said).value - 0.1


def test_how_often_a_point_is_reached_is_a_chance(solved: Betting) -> None:
    kept = solved_phase(solved.spec, GAP)
    decisions = solved.tree.kind >= FIRST
    assert ((kept.often >= 0) & (kept.often <= 1 + 1e-6))[decisions].all()
    assert kept.often[0] == pytest.approx(1)


def test_what_was_agreed_before_counts() -> None:
    """36-37, and 5 agreed in grande: whoever has it wins before chica is counted."""
    before = (Ending("grande", SEEN, 5),)
    solved = solve_betting(
        "chica", game=GAME, score=(36, 37), bets="2", raises="none", gap=0.5, earlier=before
    )
    # Who takes grande has won, as at 39-39.
    wins = solve_betting("grande", game=GAME, score=(39, 39), bets="none", raises="none", gap=0.5)
    assert solved.en_paso == pytest.approx(wins.en_paso, abs=1e-5)


def test_a_review_by_it_says_so_and_adds_up() -> None:
    found = review(
        "game: mus2p\nscore: 39-39\nhands: 7654 RR77\ngrande: envido, no quiero\n",
        judge=SolvedJudge(GAP), deals=512,
    )  # fmt: skip
    assert found.betting.startswith("solved")
    one = found.games[0]
    assert one["start"] + one["luck"] + one["skill"] == pytest.approx(one["result"], abs=1e-12)
    assert found.decisions[-1].mark == "??"
