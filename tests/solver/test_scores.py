"""Equity under solved betting: by hand, played out, and the batch that makes it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musodds.errors import InputError
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.solver.betting import solve_betting
from musodds.solver.score_batch import one_deal, plan
from musodds.solver.score_run import Checkpoint, SolvedScores, solve_scores
from musodds.stakes.equity import CHANCE_PER_STONE
from tests.solver.played_games import Table

GAP = 0.05


@pytest.fixture(scope="module")
def toy() -> Game:
    """Two players, to three stones."""
    return replace(get_game("mus2p"), target=3)


@pytest.fixture(scope="module")
def solved(toy: Game) -> SolvedScores:
    return solve_scores(toy, gap=GAP, near_gap=GAP)


@pytest.fixture(scope="module")
def shorter(toy: Game) -> Game:
    """The same to two stones."""
    return replace(toy, target=2)


@pytest.fixture(scope="module")
def solved_shorter(shorter: Game) -> SolvedScores:
    return solve_scores(shorter, gap=GAP, near_gap=GAP)


def test_one_stone_each_is_who_takes_grande(solved: SolvedScores) -> None:
    # Who folds has lost, and grande is counted first: so it is worth the chance of grande.
    known = hands(get_game("mus2p"))
    level, wins, total = known.level["grande"], 0, 0
    for first in range(len(known)):
        rest = get_game("mus2p").deck.copies - known.counts[first]
        from math import comb

        for second in range(len(known)):
            ways = int(known.ways[first])
            for copies, taken in zip(rest.tolist(), known.counts[second].tolist(), strict=True):
                ways *= comb(copies, taken)
            total += ways
            wins += ways * bool(level[first] >= level[second])
    assert solved.mano_wins[2, 2] == pytest.approx(wins / total, abs=GAP * CHANCE_PER_STONE)


def test_a_stone_more_is_never_worse(solved: SolvedScores) -> None:
    table, error = solved.mano_wins, float(solved.error.max())
    assert (np.diff(table, axis=0) >= -2 * error).all()
    assert (np.diff(table, axis=1) <= 2 * error).all()
    assert np.allclose(solved.equity().ours[0] + solved.equity().ours[1].T, 1)
    assert error < 0.02


def test_games_played_out_are_won_as_often(toy: Game, solved: SolvedScores) -> None:
    after = solved.equity()
    scores = [(a, b) for a in range(3) for b in range(3)]
    deals = {
        score: solve_betting(
            "deal", game=toy, score=score, bets="2,ordago", raises="ordago", gap=GAP, table=after
        )
        for score in scores
    }
    table, n = Table(deals, seed=4), 3000
    for start in ((0, 0), (0, 2)):
        won = sum(table.play_game(start) == 0 for _ in range(n)) / n
        chance = float(solved.mano_wins[start])
        allowed = 3 * (chance * (1 - chance) / n) ** 0.5 + float(solved.error[start])
        assert abs(won - chance) < allowed


def test_threads_and_a_run_that_was_cut_short_make_the_same_table(
    shorter: Game, solved_shorter: SolvedScores, tmp_path: Path
) -> None:
    file = tmp_path / "toy.scores"

    def cut(done: int, total: int) -> None:
        assert total == 4
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_scores(shorter, gap=GAP, near_gap=GAP, checkpoint=file, watch=cut)
    kept = Checkpoint(file, plan(shorter, 0, GAP, GAP)).load()
    assert len(kept) == 2
    again = solve_scores(shorter, gap=GAP, near_gap=GAP, checkpoint=file, workers=2)
    assert np.array_equal(again.mano_wins, solved_shorter.mano_wins)
    assert {score: one.value for score, one in kept.items()}.items() <= {
        one.score: one.value for one in again.nodes
    }.items()
    with pytest.raises(InputError, match="another run"):
        solve_scores(shorter, gap=0.1, checkpoint=file)
    file.write_text(file.read_text().replace("0.", "1.", 1))
    with pytest.raises(InputError, match="damaged"):
        solve_scores(shorter, gap=GAP, near_gap=GAP, checkpoint=file)
    file.write_text("something")
    with pytest.raises(InputError, match="no checkpoint"):
        solve_scores(shorter, checkpoint=file)


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_makes_the_same_table(shorter: Game, solved_shorter: SolvedScores) -> None:
    pytest.importorskip(
        "distributed", reason="Dask is not installed: pip install 'musodds[distributed]'"
    )
    there = solve_scores(shorter, gap=GAP, near_gap=GAP, scheduler="local", workers=1)
    assert np.array_equal(there.mano_wins, solved_shorter.mano_wins)
    assert np.array_equal(there.error, solved_shorter.error)


def test_the_plan_takes_later_scores_first() -> None:
    groups = list(plan(get_game("mus")).groups())
    place = {score: i for i, group in enumerate(groups) for score in group}
    assert place[39, 39] == 0
    for (a, b), number in place.items():
        for (c, d), other in place.items():
            if c >= a and d >= b and (c, d) != (a, b) and min(a, b) >= 20:
                assert other < number
    assert max(place[score] for score in place if min(score) >= 20) < min(
        place[score] for score in place if min(score) < 20
    )


def test_one_deal_is_the_step_of_backward_induction() -> None:
    from musodds.exact.outcomes.deal_stones import counted_stones
    from musodds.stakes.equity import exact_equity

    game = get_game("mus")
    table = exact_equity(game).mano_wins
    for score in ((0, 0), (32, 35), (39, 38)):
        assert one_deal(counted_stones(game), table, score) == pytest.approx(table[score])
