"""The model each against exact counts on a reduced deck, linear programs and the rules."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from musodds.errors import InputError
from musodds.exact.outcomes.outcomes import rivals_stones
from musodds.playing.actions import ORDAGO, PASO
from musodds.playing.mus_deal import Deal
from musodds.rules.cards import Deck, Kind
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.rules.showdown import PASSED
from musodds.solver.each import en_paso, solve_each
from musodds.solver.each_learn import Learner
from musodds.solver.each_measure import measure, measure_side
from musodds.solver.each_payoff import pack_cards, payoffs
from musodds.solver.each_play import Play
from musodds.solver.each_tree import each_tree
from musodds.solver.kernels.each_deals import outcome_of
from musodds.stakes.equity_kinds import equity_by
from tests.small_games import FOUR, TWO
from tests.solver.each_reference import Reference, all_deals

PHASES = ("grande", "chica", "pares", "juego", "punto")


@lru_cache
def chances_of(game):
    return all_deals(game)


def worth_of_deals(play):
    """Of every ending, for every deal."""
    game = play.tree.game
    numbers = np.empty((len(hands(game)),) * game.seats, dtype=np.int64)
    for deal in np.ndindex(numbers.shape):
        numbers[deal] = outcome_of(play.cards, play.kinds, np.array(deal))
    return np.moveaxis(play.worth[numbers], -1, 0)


@lru_cache
def small_play(game, phase, score=(35, 36), payoff="stones"):
    tree = each_tree(game, phase, (2, ORDAGO), (2, ORDAGO), 0)
    total = float(payoff == "equity")
    return Play(tree, pack_cards(game, phase), payoffs(tree, score, payoff), total, 7)


def random_strategy(play, seed=3):
    """Strategies of all kinds, some of which never say some things."""
    rng = np.random.default_rng(seed)
    found = np.zeros(play.shape)
    for point in play.tree.points:
        these = slice(point.slot, point.slot + len(point.actions))
        some = rng.random((play.shape[1], len(point.actions))) ** 4
        some[rng.random(some.shape) < 0.2] = 0
        some[:, 0] += 1e-3
        found[point.seat - 1, :, these] = some / some.sum(axis=1, keepdims=True)
    return found


@pytest.mark.parametrize("phase", PHASES)
def test_measured_as_counted_over_every_deal(phase):
    play = small_play(FOUR, phase)
    strategy = random_strategy(play)
    exact = Reference(play.tree, chances_of(FOUR), worth_of_deals(play), strategy)
    found = measure(play, strategy, 400_000)
    assert abs(found.contested - exact.contested) <= 4 * found.contested_se + 1e-12
    assert abs(found.value - exact.value) < 4 * found.value_se + 1e-12
    for seat in (1, 2, 3, 4):
        gain, at = exact.gain((seat,)), seat - 1
        assert found.gains[at] - 4 * found.gains_se[at] < gain
        assert gain < found.gains_most[at] + 4 * found.gains_se[at]
        # Few hands and many deals: the bounds have met.
        assert found.gains_most[at] - found.gains[at] < 0.05 * gain + 0.002
    for side, seats in enumerate(((1, 3), (2, 4))):
        seen, gain = measure_side(play, strategy, side, 400), exact.gain(seats)
        assert seen.gain - 4 * seen.se < gain < seen.most + 4 * seen.most_se
        assert gain > max(exact.gain((seat,)) for seat in seats) - 1e-12


def test_worth_of_actions_as_counted():
    play = small_play(FOUR, "grande", (37, 38), "equity")
    strategy = random_strategy(play)
    found = measure(play, strategy, 400_000)
    at = play.tree.point(["paso", "envido 2"])
    point = play.tree.points[at]
    worth = worth_of_deals(play)
    exact = Reference(play.tree, chances_of(FOUR), worth, strategy)

    def follow(place, weight):
        if place < 0:
            return weight * worth[~place]
        here = play.tree.points[place]
        parts = [follow(c, weight * exact.said(here, i)) for i, c in enumerate(here.children)]
        return sum(parts)

    first, second = (play.tree.points[play.tree.point(line)] for line in ([], ["paso"]))
    weight = chances_of(FOUR) * exact.said(first, 0) * exact.said(second, 1)
    # Seat 3 is asked: what mano said is for mano to weigh, and in the weight here.
    assert point.seat == 3
    reach = weight.sum(axis=(0, 1, 3))
    for action, after in enumerate(point.children):
        mine = follow(after, weight).sum(axis=(0, 1, 3))
        got = found.worth[2, :, point.slot + action]
        often = reach > 0.001
        assert often.sum() > 5
        assert np.allclose(got[often], mine[often] / reach[often], atol=0.03)


@pytest.mark.parametrize("phase", ["grande", "pares", "juego"])
def test_what_is_learned_is_near_an_equilibrium(phase):
    play = small_play(FOUR, phase)
    learner = Learner(play)
    learner.run(1000)
    strategy = learner.strategy()
    exact = Reference(play.tree, chances_of(FOUR), worth_of_deals(play), strategy)
    gains = [exact.gain((seat,)) for seat in (1, 2, 3, 4)]
    assert min(gains) > -1e-9
    assert max(gains) < 0.01


def sequence_form_value(play, worth):
    """The value of a game of two players, by linear programming (von Stengel 1996)."""
    from scipy.optimize import linprog
    from scipy.sparse import lil_matrix

    tree, chances = play.tree, chances_of(play.tree.game)
    classes, slots = play.shape[1:]
    able = hands(tree.game).level[tree.phase] > 0
    size = classes * slots
    pay = lil_matrix((size, size))
    weight = np.where(able[:, None] & able[None, :], chances, 0)
    weight /= weight.sum()
    for point in tree.points:
        for action, after in enumerate(point.children):
            if after >= 0:
                continue
            last = list(point.last)
            last[point.seat - 1] = point.slot + action
            for mine, theirs in zip(*np.nonzero(weight), strict=True):
                pay[mine * slots + last[0], theirs * slots + last[1]] += (
                    weight[mine, theirs] * worth[~after][mine, theirs]
                )

    def plans(seat):
        own = [point for point in tree.points if point.seat == seat]
        rows = lil_matrix((classes * (1 + len(own)), size))
        right = np.zeros(rows.shape[0])
        for held in range(classes):
            row = held * (1 + len(own))
            rows[row, held * slots], right[row] = 1, 1
            for i, point in enumerate(own, start=1):
                rows[row + i, held * slots + point.last[seat - 1]] = -1
                for action in range(len(point.actions)):
                    rows[row + i, held * slots + point.slot + action] = 1
        return rows.tocsr(), right

    (mine, one), (theirs, two) = plans(1), plans(2)
    # max q·two  with  theirs' q - pay' x <= 0,  mine x = one,  x >= 0.
    from scipy.sparse import bmat

    answer = linprog(
        np.concatenate((np.zeros(size), -two)),
        A_ub=bmat([[-pay.T.tocsr(), theirs.T]]),
        b_ub=np.zeros(size),
        A_eq=bmat([[mine, lil_matrix((len(one), len(two)))]]),
        b_eq=one,
        bounds=[(0, None)] * size + [(None, None)] * len(two),
    )
    assert answer.success
    return -answer.fun


@pytest.mark.parametrize("phase", ["grande", "pares", "punto"])
def test_two_players_reach_the_value_of_a_linear_program(phase):
    play = small_play(TWO, phase)
    worth = worth_of_deals(play)
    learner = Learner(play)
    learner.run(1500)
    exact = Reference(play.tree, chances_of(TWO), worth, learner.strategy())
    value = sequence_form_value(play, worth)
    # What a best response leaves either player is on either side of the value.
    assert exact.brings((2,)) <= value + 1e-9 <= exact.brings((1,)) + 2e-9
    assert exact.brings((1,)) - exact.brings((2,)) < 0.02


# Hands that all take part in everything that two sides can bet on, and some that do not.
DEALT = (
    ("RR7A", "CC54", "SS54", "7764"),
    ("RRRC", "CCS7", "777R", "R6AA"),
    ("RRCS", "C765", "AAAA", "RR75"),
    ("R754", "RCS4", "SS76", "CC76"),
    ("RRAA", "RCS7", "R6AA", "C654"),
)


@pytest.mark.parametrize("score", [(0, 0), (36, 38), (39, 39), (39, 30)])
@pytest.mark.parametrize("phase", PHASES)
def test_every_ending_is_worth_what_score_makes_of_it(phase, score):
    game = get_game("mus")
    tree = each_tree(game, phase, (2, 5, ORDAGO), (3, ORDAGO), 1)
    cards, worth = pack_cards(game, phase), payoffs(tree, score)
    stones = payoffs(tree, (0, 0), "stones")
    kinds, table = len(rivals_stones(game)[0]), equity_by(game)
    checked = 0
    for dealt in DEALT:
        held = np.array([hands(game).index(hand) for hand in dealt])
        number = outcome_of(cards, kinds, held)
        deal = before = Deal.start(game, dealt, score=score, mus=False)
        while not deal.over and deal.stage != phase:
            deal = deal.act(PASO)
        if deal.over:
            continue
        for point in tree.points:
            if point.able != deal.speakers(phase):
                continue
            for action, after in zip(point.actions, point.children, strict=True):
                if after >= 0:
                    continue
                over = play_on(deal, point, action)
                a, b = over.score
                chance = float(over.winner == 0)
                if over.winner is None:
                    chance = table.chance(a, b, mano="them")
                assert worth[number, ~after] == pytest.approx(chance, abs=1e-12)
                if score == (0, 0):
                    found = [x for x in over.awards if x.phase == phase]
                    net = sum(x.stones * (1 - 2 * x.side) for x in found)
                    if over.winner is not None:
                        net = 40 * (1 - 2 * over.winner)
                    assert stones[number, ~after] == net
                checked += 1
        assert before.score == score
    assert checked > 20


def play_on(deal, point, action):
    """The deal after a line and an action of one phase, all else passed."""
    for said in (*point.line, action):
        if deal.bet is None or said != PASO:
            deal = deal.act(said)
    while not deal.over:
        deal = deal.act(PASO)
    return deal


@pytest.mark.parametrize("payoff", ["equity", "stones"])
@pytest.mark.parametrize("phase", ["grande", "punto"])
def test_without_bets_it_is_worth_what_it_is_en_paso(phase, payoff):
    found = solve_each(
        phase, FOUR, score=(12, 30), payoff=payoff, bets=(), raises=(), deals=1, measured=64,
        pairs=1,
    )  # fmt: skip
    assert found.value == en_paso(FOUR, phase, (12, 30), payoff)
    assert (found.measured.gains_most == 0).all()
    assert found.measured.over_passing == found.value_se == 0


def test_en_paso_is_the_average_over_all_deals():
    for phase in PHASES:
        play = small_play(FOUR, phase)
        # Where nobody has juego the last comparison is that of punto.
        passed = worth_of_deals(play)[[e.how for e in play.tree.endings].index(PASSED)]
        level = hands(FOUR).level[phase] > 0
        played = np.ones(passed.shape, bool)
        if phase in ("juego", "punto"):
            a, b, c, d = level[:, None, None, None], level[:, None, None], level[:, None], level
            played = a | b | c | d if phase == "juego" else a & b & c & d
        exact = float((chances_of(FOUR) * passed * played).sum())
        assert en_paso(FOUR, phase, (0, 0), "stones") == pytest.approx(exact, abs=1e-12)


def test_one_stone_from_the_end_nobody_gives_way():
    """At 39-39 whoever takes grande wins, and who folds it loses."""
    found = solve_each("grande", score=(39, 39), deals=300_000, measured=100_000, pairs=16)
    assert found.value == pytest.approx(equity_by(found.game).chance(39, 39), abs=2e-3)
    assert found.ordagos[1] > 0.99 or np.isnan(found.ordagos[1])
    assert found.spoken(["envido 2", "paso"])["no quiero"] < 0.02


def asked(**change):
    game = change.pop("game", FOUR)
    return solve_each("pares", game, **{"deals": 15_000, "measured": 3200, "pairs": 16, **change})


def test_digits_depend_on_the_seed_alone():
    first, again, threads = asked(), asked(), asked(workers=3)
    other = asked(seed=2)
    for same in (again, threads):
        assert (same.strategy == first.strategy).all()
        assert same.value == first.value
        assert (same.measured.gains_most == first.measured.gains_most).all()
        assert same.sides == first.sides
    assert (other.strategy != first.strategy).any()


def test_strategies_are_frequencies():
    found = asked(game="mus")
    for hand in ("RR77", "R7AA"):
        for able in ((1, 2), (1, 2, 3, 4)):
            said = found.frequencies(hand, (), able)
            assert list(said) == ["paso", "envido 2", ORDAGO]
            assert sum(said.values()) == pytest.approx(1)
    total = sum(found.spoken((), able)["paso"] > 0 for able in ((1, 2), (1, 2, 3, 4)))
    assert total == 2


def test_ranges_add_up_to_what_is_spoken():
    found = asked(game="mus", deals=40_000)
    spoken = found.measured.spoken
    for i, point in enumerate(found.tree.points):
        for action in range(len(point.actions)):
            with_hand = found.measured.said_with[point.seat - 1, :, point.slot + action]
            assert with_hand.sum() == pytest.approx(spoken[i, action], abs=1e-12)
    seat, chances = found.range(["paso", "órdago"], (2, 3))
    assert seat == 3
    assert chances.sum() == pytest.approx(1)
    assert not chances[hands(found.game).level["pares"] == 0].any()
    with pytest.raises(InputError, match="not on offer"):
        found.range(["envido 7"])


def test_numbers_for_programs():
    found = asked()
    row = found.to_dict()
    assert row["what"] == "pares"
    assert row["bets"] == "2,ordago"
    assert row["gain_stones"] == max(row["gains_most"]) / row["stone"]
    assert len(row["both_hands"]) == 2


def test_a_gap_ends_the_learning():
    loose = asked(gap=50.0, deals=100_000)
    assert loose.iterations == 13
    assert asked(gap=1e-9, deals=20_000).iterations == 10


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"gap": 0}, "gap 0"),
        ({"deals": 0}, "deals 0"),
        ({"seed": -1}, "seed -1"),
        ({"workers": 0}, "workers 0"),
        ({"score": (40, 0)}, "score 40-0"),
        ({"payoff": "money"}, "payoff 'money'"),
        ({"game": get_game("mus-ten-kings")}, "jokers"),
        ({"game": get_game("mus6p")}, "one or two players"),
        ({"game": get_game("mus-4567")}, "cards as dealt"),
        ({"game": get_game("mus-real-suits")}, "cards as dealt"),
    ],
)
def test_what_cannot_be_solved_is_said(change, message):
    with pytest.raises(InputError, match=message):
        asked(**change)


def test_a_special_card_and_two_players_are_solved():
    for game in ("mus-real-oros", "mus2p", "mus4"):
        found = asked(game=game, deals=5_000, measured=320)
        assert found.strategy.shape[0] == get_game(game).seats
        assert np.isfinite(found.value)


def test_a_phase_that_nobody_can_bet_on():
    low = Deck((Kind("5", 3, 5, 8), Kind("4", 2, 4, 6), Kind("A", 1, 1, 8)))
    with pytest.raises(InputError, match="juego is not bet on"):
        solve_each("juego", Game("low", "no juego", low, 4, 2))


def test_target_of_the_game_counts():
    short = replace(FOUR, target=5)
    found = asked(game=short, score=(4, 4))
    assert 0 < found.value < 1
