"""Bets against solved rivals: by hand, against plain loops over all deals, and in files."""

import json
import pickle
from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

import musodds as mo
from musodds.cli.app import run
from musodds.errors import InputError
from musodds.playing.actions import ORDAGO
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.rules.ways import choose
from musodds.solver import each_here as sampled
from musodds.solver.best_here import best_here
from musodds.solver.each import solve_each
from musodds.solver.kept import model_for
from musodds.solver.lines import follow
from musodds.solver.strategy_file import write_file
from musodds.stakes.equity_kinds import equity_by

TWO = get_game("mus2p")
SCORE = (37, 36)


@lru_cache
def solved():
    return mo.solve_betting(
        "grande", game="mus2p", score=SCORE, bets="2,ordago", raises="2,ordago", iterations=40
    )


def by_class(node, word):
    """How often each hand says something."""
    found, rates = solved(), np.zeros(len(hands(TWO)))
    rates[found.classes(node, found.side_of(node))] = found.at(node)[0][
        list(found.tree.options(node)).index(word)
    ]
    return rates


def worth(text, other, ending, ours):
    """Mano's side's chance after grande ended so, all else passed: by rules and state machine."""
    deal = mo.Deal.start(TWO, [text, other], score=SCORE, mus=False)
    for word in ending:
        deal = deal.act(word)
    while not deal.over:
        deal = deal.act("paso")
    mano = deal.winner == 0 if deal.winner is not None else None
    chance = float(mano) if mano is not None else equity_by(TWO).chance(*deal.score, mano="them")
    return chance if ours == 0 else 1 - chance


@pytest.mark.parametrize(("text", "line"), [("RRA4", "paso, envido 2"), ("CS74", "envido 2")])
def test_an_answer_is_worth_what_the_deals_played_out_are_worth(text, line):
    """Fold, see and órdago to a bet, from the file's frequencies and the rules alone."""
    found = solved()
    node = follow(found.tree, line)
    side, known = found.side_of(node), hands(TWO)
    me = known.index(text)
    said = tuple(line.split(", "))
    # Who bets: mano at the root, or the other after a pass.
    before = 0 if side == 1 else found.tree.options(0)["paso"]
    bets = by_class(before, "envido 2")
    sees = by_class(found.tree.options(node)["órdago"], "quiero")
    total, sums = 0.0, np.zeros(3)
    left = TWO.deck.copies - known.counts[me]
    for other in range(len(known)):
        chance = float(choose(left, known.counts[other])) * bets[other]
        if chance < 1e-9:
            continue
        pair = (text, known.texts[other]) if side == 0 else (known.texts[other], text)
        folded = worth(*pair, (*said, "no quiero"), side)
        seen = worth(*pair, (*said, "quiero"), side)
        all_in = worth(*pair, (*said, "órdago", "quiero"), side)
        refused = worth(*pair, (*said, "órdago", "no quiero"), side)
        total += chance
        sums += chance * np.array(
            [folded, seen, sees[other] * all_in + (1 - sees[other]) * refused]
        )
    here = best_here(found, me, side, line)
    got = [here.worths[here.actions.index(word)] for word in ("no quiero", "quiero", "órdago")]
    np.testing.assert_allclose(got, sums / total, atol=1e-6)


def test_the_best_continuation_is_never_worse_than_the_strategy_and_is_the_best_response():
    """With the best words from the root, all hands together bring the exact best response."""
    found, known, total = solved(), hands(TWO), 0.0
    for index in range(len(known)):
        here = best_here(found, index, 0, "")
        row = here.frequencies @ here.worths
        best = here.worths.max()
        assert best >= row - 1e-12
        total += best * known.ways[index] / known.ways.sum()
    assert total == pytest.approx(found.gap.most, abs=2e-6)


def test_a_file_answers_as_the_strategy_does(tmp_path, capsys):
    file = tmp_path / "grande.mus"
    write_file(file, solved())
    answer = mo.bet_solved("RR7A", seat=2, phase="grande", score=SCORE[::-1], game="mus2p",
                           offer=2, solved=file)  # fmt: skip
    words = ["bet", "RR7A", "--seat", "2", "--phase", "grande", "--score", "36-37"]
    words += ["--game", "mus2p", "--line", "grande: envido 2", "--solved", str(file)]
    assert run([*words, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["choices"] == answer.rows()
    assert found["model"] == "exact"
    assert found["exploitability_stones"] == solved().exploitability_stones
    row = next(r for r in solved().rows(follow(solved().tree, "envido 2")) if r["hand"] == "RR7A")
    for choice in answer.choices:
        assert choice.frequency == row[choice.action]
    # The rival's range: how often mano bets 2.
    bets = {r["hand"]: r["envido 2"] for r in solved().rows()}
    weights = mo.parse_range(found["ranges"]["1"], game="mus2p").weights
    top = weights.max()
    for hand, weight in zip(hands(TWO).texts, weights, strict=True):
        assert weight / top * max(bets.values()) == pytest.approx(bets[hand], abs=0.002)
    assert run(words) == 0
    text = capsys.readouterr().out
    assert "exact" in text
    assert "both sides bet well (2 or órdago) (equity solved)" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--score 36-36 --line envido", "37-36"),
        ("--score 36-37 --line envido,ordago", "rivals' turn"),
        ("--score 36-37 --line envido --offer 2", "leave out offer"),
        ("--score 36-37 --line envido --agreed grande:2", "--agreed"),
        ("--score 36-37 --line envido --equity bets-2", "equity 'bets-2': the strategy"),
        ("--score 36-37 --line envido --rivals 31", "only the model each"),
        ("--score 36-37 --line envido --model own", "has its own"),
        ("--score 36-37 --on-table 2 --offer 2", "who said what"),
    ],
)  # fmt: skip
def test_what_cannot_be(words, why, tmp_path, capsys):
    file = tmp_path / "grande.mus"
    write_file(file, solved())
    given = ["bet", "RR7A", "--seat", "2", "--phase", "grande", "--game", "mus2p"]
    assert run([*given, *words.split(), "--solved", str(file)]) == 2
    assert why in capsys.readouterr().err


def test_what_needs_solved(capsys):
    words = ["bet", "RR7A", "--seat", "1", "--phase", "grande", "--score", "32-35"]
    assert run([*words, "--line", "paso"]) == 2
    assert "--solved" in capsys.readouterr().err


def test_four_players_are_each_and_need_a_line():
    assert model_for(get_game("mus")) == "each"
    assert model_for(get_game("mus"), "own") == "own"
    with pytest.raises(InputError, match="--line 'pares: paso, envido 2'"):
        mo.bet_solved("RR77", seat=3, phase="pares", score=(0, 0), offer=2)


@lru_cache
def small_each():
    return solve_each("grande", "mus2p", score=SCORE, deals=20_000, measured=2_000, pairs=16)


def test_sampled_worths_are_those_counted_over_all_rivals_hands():
    """Two players in the model each: every rival's hand in a plain loop."""
    found, known = small_each(), hands(TWO)
    text = "RRS4"
    me = known.index(text)
    tree = found.tree
    root, answer = (tree.points[tree.point(line)] for line in ((), ("envido 2",)))
    assert (root.seat, answer.seat) == (1, 2)
    left = TWO.deck.copies - known.counts[me]
    total, ordago = 0.0, 0.0
    at = tree.points[tree.point(("órdago",))]
    for other in range(len(known)):
        chance = float(choose(left, known.counts[other]))
        if not chance:
            continue
        see = found.strategy[1, other, at.slot + at.actions.index("quiero")]
        total += chance
        ordago += chance * (
            see * worth(text, known.texts[other], ("órdago", "quiero"), 0)
            + (1 - see) * worth(text, known.texts[other], ("órdago", "no quiero"), 0)
        )
    here = sampled.each_here(found, me, 1, ())
    at = here.actions.index(ORDAGO)
    assert abs(here.worths[at] - ordago / total) < 4 * here.errors[at]
    assert here.errors[at] < 0.005
    assert here.answers[at].raised == 0
    assert sum(here.answers[at]) == pytest.approx(1)


def test_what_is_known_of_a_rival_is_used_in_the_model_each():
    found = small_each()
    plain = mo.bet_solved("RRS4", seat=1, phase="grande", score=SCORE, game="mus2p", solved=found)
    known = mo.know("mus2p", next="RRR.")
    told = mo.bet_solved("RRS4", seat=1, phase="grande", score=SCORE, knowledge=known, solved=found)
    assert told.choice(ORDAGO).equity < plain.choice(ORDAGO).equity
    assert plain.method == "monte-carlo"
    assert plain == pickle.loads(pickle.dumps(plain))


def test_an_órdago_that_must_be_seen_is_worth_the_chance_to_win_the_phase():
    """At 39-39 who folds has lost: everybody sees, and the odds say what that brings."""
    found = mo.solve_betting("chica", game="mus2p", score=(39, 39), bets="ordago", iterations=60)
    answer = mo.bet_solved("AA74", seat=1, phase="chica", score=(39, 39), game="mus2p",
                           solved=found)  # fmt: skip
    win = mo.odds("AA74", game="mus2p", seat=1).fraction(1, "chica", "win")
    assert answer.choice(ORDAGO).folded < 0.02
    assert answer.choice(ORDAGO).equity == pytest.approx(float(win), abs=0.02)
    assert replace(answer, line="x") != answer


def test_at_39_all_hands_see_an_órdago_solved_as_en_paso():
    """Who folds has lost, so both answers are: everybody sees."""
    from musodds.solver.seeing import solved_thresholds

    one = solved_thresholds("mus2p", scores=[(39, 39)], seat=2, phases=["punto"])[0]
    assert (one.phase, one.model, one.sees_en_paso) == ("punto", "exact", 1.0)
    assert one.sees > 0.99
    assert 0 <= one.opens <= 1
