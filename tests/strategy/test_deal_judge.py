"""Reviews by solved deals: what they say, where they are not asked, and solved players."""

import numpy as np
import pytest

import musodds as mo
from musodds.cli import main
from musodds.errors import InputError
from musodds.playing.actions import read_action
from musodds.rules.game import PHASES
from musodds.rules.hands import hands
from musodds.solver import kept
from musodds.solver.betting import Betting, solve_betting
from musodds.solver.lines import follow
from musodds.solver.strategy_file import write_file
from musodds.stakes.equity import PASO
from musodds.stakes.equity_kinds import equity_by
from musodds.strategy.deal_judge import DealJudge
from musodds.strategy.judges import DEAL_SOLVED, EnPasoJudge
from musodds.strategy.review import review
from musodds.strategy.views import choices
from tests.strategy.two_players import GAME, solved_for_two

SCORE = (38, 38)
RECORD = (
    "game: mus2p\nscore: 38-38\nhands: RR7A CS54\ngrande: paso, órdago, quiero\n"
    "---\nscore: 38-38\nmano: us\nhands: RRRA C777\ngrande: paso, paso\n"
    "chica: paso, órdago, no quiero\npares: sí, sí; órdago, quiero\n"
)


@pytest.fixture(scope="module")
def solved() -> Betting:
    return solved_for_two("deal", SCORE, bets="2,ordago", raises="ordago", gap=0.05)


def judge(solved: Betting) -> DealJudge:
    return DealJudge((solved,), otherwise=EnPasoJudge())


def worth(solved: Betting, line: str, hand: str) -> dict[str, float]:
    """What the solution says that each thing is worth there."""
    node = follow(solved.tree, line)
    classes = solved.classes(node, solved.side_of(node)).tolist()
    values = solved.at(node)[1][:, classes.index(hands(solved.spec.game).index(hand))]
    return dict(zip(solved.tree.options(node), values.tolist(), strict=True))


def test_decisions_are_weighed_by_the_solution(solved: Betting) -> None:
    """Each by the point of the tree that the deal so far leads to, written out by hand."""
    found = review(RECORD, judge=judge(solved), kind=PASO)
    lines = [
        ("", "RR7A"), ("grande: paso", "CS54"), ("grande: paso, órdago", "RR7A"),
        ("", "RRRA"), ("grande: paso", "C777"), ("grande: en paso", "RRRA"),
        ("grande: en paso; chica: paso", "C777"),
        ("grande: en paso; chica: paso, órdago", "RRRA"),
        ("grande: en paso; chica: paso, órdago, no quiero; pares: both", "RRRA"),
        ("grande: en paso; chica: paso, órdago, no quiero; pares: both, órdago", "C777"),
    ]  # fmt: skip
    assert len(found.decisions) == len(lines)
    by_deal = [one for one in found.decisions if one.by == DEAL_SOLVED]
    assert len(by_deal) >= 8
    for one, (line, hand) in zip(found.decisions, lines, strict=True):
        assert one.hand == hand
        values = worth(solved, line, hand)
        if one.by == DEAL_SOLVED:
            assert one.lost == pytest.approx(max(values.values()) - values[one.said], abs=2e-6)
    assert found.judged == {
        name: sum(one.by == name for one in found.decisions) for name in found.judged
    }
    assert found.games[0]["start"] + found.games[0]["luck"] + found.games[0][
        "skill"
    ] == pytest.approx(found.games[0]["result"], abs=1e-12)


def test_a_planted_blunder_is_found_with_its_worth(solved: Betting) -> None:
    """Four kings fold an órdago in grande."""
    record = (
        "game: mus2p\nscore: 38-38\nhands: CC76 RRRR\ngrande: órdago, no quiero\nchica: en paso\n"
    )
    fold = review(
        record + "pares: en paso\njuego: en paso\n", judge=judge(solved), kind=PASO
    ).decisions[1]
    values = worth(solved, "grande: órdago", "RRRR")
    assert (fold.best, fold.mark, fold.by) == ("quiero", "??", DEAL_SOLVED)
    assert fold.lost == pytest.approx(values["quiero"] - values["no quiero"], abs=2e-6)
    assert fold.lost > 0.3


def test_what_is_not_in_it_is_left_to_another_judge(solved: Betting) -> None:
    """Another score, and a size that the solution does not have."""
    for change in (("38-38", "37-38"), ("órdago, quiero", "envido 7, quiero")):
        deal = RECORD.partition("---")[0].replace(*change)
        deal += "chica: en paso\npares: sí, no\npunto: en paso\n" if "7" in change[1][7:] else ""
        found = review(deal, judge=judge(solved), kind=PASO)
        assert found.decisions[1].by == "en paso"
    with pytest.raises(InputError, match="whole deals"):
        DealJudge((solve_betting("grande", game=GAME, score=SCORE, bets="ordago", gap=0.5),))


def test_games_of_solved_players_lose_nothing_on_average(solved: Betting) -> None:
    """Played out by both sides from the strategies; the mean loss is within its error of zero."""
    contest = mo.play([solved, solved], game="mus2p", deals=150, score=SCORE, rounds=0, seed=5)
    found = judge(solved)
    lost = []
    for one in mo.read_record(contest.record()):
        for choice in choices(one.deal, {}, solved.spec.table):
            if choice.before.stage in PHASES:
                verdict = found.weigh(choice.view, read_action(choice.said.text))
                if verdict.model == DEAL_SOLVED:
                    lost.append(verdict.lost)
    assert len(lost) > 500
    mean, error = np.mean(lost), np.std(lost) / len(lost) ** 0.5
    assert mean <= solved.exploitability + 3 * error
    assert mean < 0.001, mean


def test_a_review_of_solved_players_adds_up(solved: Betting) -> None:
    contest = mo.play([solved, solved], game="mus2p", games=4, score=SCORE, rounds=0, seed=2)
    found = review(contest.record(), judge=judge(solved), deals=512, kind=PASO)
    said = [one for one in found.decisions if one.by == DEAL_SOLVED]
    assert np.mean([one.lost for one in said]) < 0.001
    assert not [one for one in said if one.mark]


def test_kept_deals_are_used_and_files_are_taken(
    solved: Betting, tmp_path, monkeypatch, capsys
) -> None:
    monkeypatch.setenv("MUSODDS_CACHE", str(tmp_path / "cache"))
    table = equity_by(GAME, PASO)
    assert kept.kept_deal(GAME, SCORE, table) is None
    monkeypatch.setattr(kept, "solve_betting", lambda *a, **k: solved)
    assert kept.kept_deal(GAME, SCORE, table, solve=True) is solved
    kept._deal.cache_clear()
    assert kept.kept_deal(GAME, SCORE, table) == solved
    record, file = tmp_path / "deal.txt", tmp_path / "deal.mus"
    record.write_text(RECORD.partition("---")[0], encoding="utf-8")
    write_file(file, solved)
    for options in (["--betting", "solved"], ["--solved", str(file)]):
        assert main(["review", str(record), "--equity", "paso", *options]) == 0
        assert "3 solved deal" in capsys.readouterr().out
    assert main(["review", str(record), "--solved", str(record)]) == 2
    assert "deal.txt" in capsys.readouterr().err
