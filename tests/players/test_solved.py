"""A solved strategy at the table."""

import pytest

import musodds as mo
from musodds.errors import InputError
from musodds.players.play import play
from musodds.players.seated import player_of
from musodds.players.solved import find
from musodds.players.view import view_of
from musodds.solver.lines import follow
from musodds.solver.strategy_file import write_file


@pytest.fixture(scope="module")
def strategy():
    return mo.solve_betting("deal", game="mus2p", bets="2,ordago", raises="ordago", iterations=2)


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ([], ""),
        (["paso"], "grande: paso"),
        (["envido 2"], "grande: envido 2"),
        (["envido 3"], "grande: envido 2"),
        (["paso", "envido 2"], "grande: paso, envido 2"),
        (["paso", "paso", "paso"], "grande: en paso; chica: paso"),
        (["envido 2", "quiero", "órdago"], "grande: envido 2, quiero; chica: órdago"),
        (["paso"] * 4, "grande: en paso; chica: en paso; pares: both"),
    ],
)
def test_a_view_is_found_in_the_tree(strategy, said, line):
    deal = mo.Deal.start("mus2p", ["RR7A", "CC54"], mus=False)
    for word in said:
        deal = deal.act(word)
    view = view_of(deal, deal.turn[0])
    assert find(strategy.tree, "deal", view) == follow(strategy.tree, line)


def test_it_speaks_as_often_as_was_solved():
    solved = mo.solve_betting("grande", game="mus2p", bets="2", raises="2", iterations=60)
    player = player_of(solved, mo.get_game("mus2p"))
    rows = {row["hand"]: row["paso"] for row in solved.rows(0)}
    hand = min(rows, key=lambda held: abs(rows[held] - 0.5))
    other = "7654" if hand != "7654" else "CSS6"
    deal = mo.Deal.start("mus2p", [hand, other], mus=False)
    n, chance = 2000, rows[hand]
    said = [player.speak(view_of(deal, 1, seed=seed)).word for seed in range(n)]
    assert abs(said.count("paso") / n - chance) <= 4 * (chance * (1 - chance) / n) ** 0.5


def test_it_plays_whole_games_from_a_file(strategy, tmp_path):
    path = tmp_path / "some.strategy"
    write_file(path, strategy)
    contest = play([path, "random"], game="mus2p", games=3)
    assert contest == play([strategy, "random"], game="mus2p", games=3)
    assert contest.players == ("solved deal", "random")
    with pytest.raises(InputError, match="mus2p, not of mus"):
        play([strategy, "kings"], game="mus")


def test_every_player_speaks_for_himself():
    """A strategy of the model each, at the points that its own tree names."""
    solved = mo.solve_each("grande", deals=2000, measured=2000, pairs=100, seed=1)
    player = player_of(solved, mo.get_game("mus"))
    deal = mo.Deal.start("mus", ["RR7A", "7654", "AA76", "C654"], mus=False)
    hands = ["RR7A", "7654", "AA76", "C654"]
    for said in ((), ("paso", "envido 2"), ("envido 2",)):
        now = deal
        for word in said:
            now = now.act(word, now.turn[0])
        seat = sorted(now.turn, key=lambda s: (s - (len(said) or 4)) % 4)[0]
        view = view_of(now, seat)
        assert player._chances(view) == solved.frequencies(hands[seat - 1], list(said))
    # Seat 4 is asked after seat 2 has left the answer to it.
    view = view_of(deal.act("envido 2"), 4)
    assert player._chances(view) == solved.frequencies("C654", ["envido 2", "paso"])
    assert play([solved, "random"], games=2).n == 2
