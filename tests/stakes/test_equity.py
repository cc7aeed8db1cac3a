"""Equity: the distribution of a deal's stones, and the chance of winning from a score."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import pytest
from scipy import stats

from musodds.cli import main
from musodds.errors import GameError, InputError
from musodds.exact.known_hands import unseen_by_seat
from musodds.exact.outcomes.by_hand import outcomes_by_hand
from musodds.exact.outcomes.deal_stones import DealStones, count_stones, counted_stones
from musodds.exact.outcomes.outcomes import Outcomes, known_outcomes
from musodds.exact.outcomes.stones import showdown_stones
from musodds.exact.phases.columns import COLUMNS
from musodds.knowledge.knowledge import Knowledge
from musodds.rules.game import PHASES, with_target
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.rules.showdown import PASSED, REFUSED, SEEN, Ending, awards_of
from musodds.stakes.deal_stones import deal_stones
from musodds.stakes.equity import backward
from musodds.stakes.equity_kinds import equity, equity_table
from musodds.stakes.scores import count, read_score
from musodds.store.numbers import path, published_counts
from tests import brute

REDUCED = [
    brute.reduced_game({"R": 4, "7": 4, "4": 3, "A": 5}, 4, 2),
    brute.reduced_game({"R": 4, "S": 2, "7": 3, "6": 2, "A": 3}, 2, 1),
    brute.reduced_game({"S": 6, "7": 6, "A": 5}, 4, 2, real=("S777",)),
]


def plain_stones(game, dealt):
    """Stones of mano's side in grande, chica, pares and the last phase, and if punto."""
    found, punto = [], False
    for phase in PHASES:
        winner, _ = brute.judge(game, dealt, phase)
        stones = 0 if winner is None else 1
        if winner and phase in ("pares", "juego"):
            stones = sum(
                brute.own_stones(hand, phase)
                for seat, hand in enumerate(dealt, start=1)
                if game.side(seat) == game.side(winner)
            )
        if phase == "punto":
            punto = winner is not None
            found[-1] += stones if winner and game.side(winner) == 0 else -stones
        else:
            found.append(stones if winner and game.side(winner) == 0 else -stones)
    return (*found, punto)


@pytest.mark.parametrize("game", REDUCED, ids=["four", "two", "real"])
def test_the_joint_distribution_is_that_of_plain_enumeration(game):
    plain = Counter()
    for dealt, ways in brute.deals(game, {}):
        plain[plain_stones(game, dealt)] += ways
    found = count_stones(game)
    rows = zip(found.stones.tolist(), found.punto.tolist(), found.deals, strict=True)
    assert {(*stones, punto): deals for stones, punto, deals in rows} == dict(plain)


def outcome_of(game, dealt, seat):
    """Who takes each lane, and both sides' own stones, seen from a seat."""
    ours = {s for s in range(1, game.seats + 1) if game.side(s) == game.side(seat)}
    last = "punto" if brute.judge(game, dealt, "juego")[0] is None else "juego"
    wins = [brute.judge(game, dealt, p)[0] in ours for p in ("grande", "chica", "pares", last)]
    if brute.judge(game, dealt, "pares")[0] is None:
        wins[2] = None
    own = {
        mine: [
            sum(
                brute.own_stones(hand, phase)
                for s, hand in enumerate(dealt, start=1)
                if (s in ours) == mine
            )
            for phase in ("pares", "juego")
        ]
        for mine in (True, False)
    }
    return (*wins, *own[True], *own[False])


def as_counter(outcomes):
    """The outcomes as :func:`outcome_of` writes them, with their weights."""
    found = Counter()
    rows = (outcomes.wins, outcomes.mine, outcomes.theirs, outcomes.weights)
    for wins, mine, theirs, weight in zip(*(r.tolist() for r in rows), strict=True):
        if not mine[0] and not theirs[0]:
            wins[2] = None
        found[(*wins, *mine, *theirs)] += weight
    return found


@pytest.mark.parametrize(("game", "hand"), [(REDUCED[0], "R74A"), (REDUCED[1], "RS76")])
def test_outcomes_of_a_hand_are_those_of_plain_enumeration(game, hand):
    index = hands(game).index(hand)
    for seat in range(1, game.seats + 1):
        plain = Counter()
        for dealt, ways in brute.deals(game, {seat: hand}):
            plain[outcome_of(game, dealt, seat)] += ways
        assert as_counter(outcomes_by_hand(game, seat).of(index)) == plain
        unseen = unseen_by_seat(index, (seat,), Knowledge(game))[seat]
        assert as_counter(known_outcomes(unseen, seat)) == plain


@pytest.mark.parametrize(
    "name", ["mus", "mus-real", "mus4", "mus4-real", "mus2p", "mus-real-oros", "mus4-real-oros"]
)
def test_published_distribution_has_the_marginals_of_the_odds(name):
    """Summed over all hands of mano, the odds count the same deals: as integers."""
    game = get_game(name)
    assert path("deals", game, ".csv").exists()
    found, table = counted_stones(game), published_counts(game)
    ways = hands(game).ways.astype(object)
    lanes = np.column_stack((found.stones[:, :3], found.stones[:, 3], found.stones[:, 3]))
    lanes[found.punto, 3] = 0
    lanes[~found.punto, 4] = 0
    for i, phase in enumerate(PHASES):
        sums = dict(zip(COLUMNS, (ways @ table[:, 0, i].astype(object)).tolist(), strict=True))
        stones = lanes[:, i]
        assert sums["win"] == found.deals[stones > 0].sum(), phase
        assert sums["lose"] == found.deals[stones < 0].sum(), phase
        assert sums["void"] == found.deals[stones == 0].sum(), phase
        assert sums["stones_for"] == (found.deals * np.maximum(stones, 0)).sum(), phase
        assert sums["stones_against"] == (found.deals * np.maximum(-stones, 0)).sum(), phase


def shares(found):
    """The chance of each outcome, by stones and whether it was punto."""
    rows = zip(found.stones.tolist(), found.punto.tolist(), found.chances, strict=True)
    return {(*stones, punto): chance for stones, punto, chance in rows}


@pytest.mark.parametrize(
    ("name", "same"), [("mus-visto", "mus"), ("mus-real-suits", "mus-real-oros")]
)
def test_games_that_share_a_distribution(name, same):
    """Nobody changes a card that was seen; suits are alike before cards are."""
    found, other = counted_stones(get_game(name)), counted_stones(get_game(same))
    assert (found.deals == other.deals).all()
    assert found.game.name == name


def test_hands_that_are_shown_by_plain_enumeration():
    """Every first deal, and every new hand of whoever was dealt 7 6 5 4."""
    game = brute.reduced_game(
        {"R": 2, "7": 2, "6": 2, "5": 2, "4": 3, "A": 5}, 2, 1, exchange=("7654",)
    )
    plain = Counter()
    for dealt, ways in brute.deals(game, {}):
        left = Counter({kind.symbol: kind.copies for kind in game.deck.kinds})
        left.subtract("".join(dealt))
        after = [([], Fraction(ways), left)]
        for hand in dealt:
            after = [
                ([*held, new], chance * share, rest)
                for held, chance, stock in after
                for new, share, rest in drawn(hand, stock, game.exchange)
            ]
        for held, chance, _ in after:
            plain[plain_stones(game, held)] += chance
    total = sum(plain.values())
    found = shares(count_stones(game))
    assert found.keys() == plain.keys()
    for key, chance in plain.items():
        assert found[key] == pytest.approx(float(chance / total), rel=1e-12)


def drawn(hand, stock, shown):
    """What a player holds in the end, the chance of it, and what is left to draw from."""
    if hand not in shown:
        return [(hand, Fraction(1), stock)]
    cards = sorted(stock.elements())
    every = Counter("".join(c) for c in combinations(cards, 4))
    total = comb(len(cards), 4)
    return [(new, Fraction(ways, total), stock - Counter(new)) for new, ways in every.items()]


@pytest.mark.parametrize(
    ("name", "other"), [("mus-4567", None), ("mus2p-4567", "mus2p"), ("mus-visto", None)]
)
def test_cards_changed_before_mus_are_simulated_as_they_are_counted(name, other):
    """Chi-squared tests; one that tells the game from the game without the change."""
    found = deal_stones(name, n=2_000_000, seed=21)
    observed = {key: chance * found.n for key, chance in shares(found).items()}

    def p_value(expected):
        often = [key for key, chance in expected.items() if chance * found.n >= 10]
        seen = [observed.get(key, 0) for key in often]
        wanted = [expected[key] * found.n for key in often]
        rest = found.n - sum(seen), found.n - sum(wanted)
        return stats.chisquare([*seen, rest[0]], [*wanted, rest[1]]).pvalue

    assert p_value(shares(counted_stones(get_game(name)))) > 1e-4
    if other is not None:
        assert p_value(shares(counted_stones(get_game(other)))) < 1e-6


@pytest.mark.parametrize("name", ["mus6p", "mus-ten-kings"])
def test_simulated_distribution_has_the_marginals_of_the_odds(name):
    """Three players on a side, and jokers: not counted together, but phase by phase."""
    found, table = deal_stones(name, n=500_000, seed=8), published_counts(get_game(name))
    lanes = np.column_stack((found.stones[:, :3], found.stones[:, 3], found.stones[:, 3]))
    lanes[found.punto, 3] = 0
    lanes[~found.punto, 4] = 0
    ways = hands(get_game(name)).ways.astype(object)
    for i, phase in enumerate(PHASES):
        sums = dict(zip(COLUMNS, (ways @ table[:, 0, i].astype(object)).tolist(), strict=True))
        total, stones = sums["win"] + sums["lose"] + sums["void"], lanes[:, i]
        values = {
            "win": stones > 0, "lose": stones < 0, "void": stones == 0,
            "stones_for": np.maximum(stones, 0), "stones_against": np.maximum(-stones, 0),
        }  # fmt: skip
        for column, value in values.items():
            mean = found.chances @ value
            error = np.sqrt((found.chances @ value.astype(float) ** 2 - mean**2) / found.n)
            assert abs(mean - sums[column] / total) <= 4.5 * error, (phase, column)


def random_deals(game, number, seed):
    """Hand classes of random deals, shape (number, seats), without the package's dealing."""
    rng = np.random.default_rng(seed)
    deck = np.repeat(np.arange(len(game.deck.kinds)), game.deck.copies)
    cards = rng.permuted(np.tile(deck, (number, 1)), axis=1)[:, : 4 * game.seats]
    dealt = np.sort(cards.reshape(-1, 4), axis=1)
    where = {cards: i for i, cards in enumerate(hands(game).cards)}
    return np.array([where[tuple(hand)] for hand in dealt.tolist()]).reshape(number, -1)


def outcomes_of(game, classes):
    """The Outcomes of given deals, one each, for mano's side."""
    level, own = hands(game).level, hands(game).stones
    juego = level["juego"][classes]
    last = np.where(juego.any(axis=1)[:, None], juego, level["punto"][classes])
    lanes = [level[phase][classes] for phase in ("grande", "chica", "pares")] + [last]
    wins = np.stack([lane.argmax(axis=1) % 2 == 0 for lane in lanes], axis=1)
    stones = np.stack([own[phase][classes] for phase in ("pares", "juego")], axis=2)
    mine, theirs = stones[:, 0::2].sum(axis=1), stones[:, 1::2].sum(axis=1)
    return Outcomes(game, 1, wins, mine, theirs, np.ones(len(classes), dtype=object))


@pytest.mark.parametrize("name", ["mus", "mus4-real", "mus2p"])
def test_showdown_of_many_is_the_showdown_of_each(name):
    game = get_game(name)
    classes = random_deals(game, 300, 5)
    outcomes = outcomes_of(game, classes)
    rng = np.random.default_rng(6)
    kinds = [(PASSED, 0, None), (SEEN, 5, None), (REFUSED, 3, 0), (REFUSED, 2, 1)]
    for _ in range(8):
        endings = {p: Ending(p, *kinds[rng.integers(4)]) for p in PHASES}
        if endings["punto"].how != endings["juego"].how:
            endings["punto"] = replace(endings["juego"], phase="punto")
        found = showdown_stones(outcomes, endings)
        for row, dealt, punto in zip(found, classes, outcomes.contested("punto"), strict=True):
            for lane, phase in enumerate(
                ("grande", "chica", "pares", "punto" if punto else "juego")
            ):
                ending = endings[phase]
                both = {game.side(s + 1) for s in range(game.seats)
                        if hands(game).level[phase][dealt[s]]}  # fmt: skip
                if len(both) < 2 and ending.how != PASSED:
                    continue  # no bet can have been made
                signed = [a.stones * (1 - 2 * a.side) for a in awards_of(game, dealt, ending)]
                assert row[lane] == sum(signed), (phase, ending)


def test_whole_games_played_out():
    """Games en paso, dealt by another generator, counted stone by stone."""
    game = get_game("mus")
    stones = showdown_stones(outcomes_of(game, random_deals(game, 150_000, 11))).tolist()
    table = equity("mus", kind="paso")
    at = 0
    for start in [(0, 0), (32, 35), (38, 30), (39, 39)]:
        for mano in (0, 1):
            won = played = 0
            end = at + len(stones) // 8
            while at < end:
                score, side = list(start), mano
                while max(score) < 40 and at < end:
                    for phase in stones[at]:
                        scorer = side if phase > 0 else 1 - side
                        if max(score) < 40:
                            score[scorer] += abs(phase)
                    at, side = at + 1, 1 - side
                if max(score) >= 40:
                    won, played = won + (score[0] >= 40), played + 1
            expected = table.chance(*start, mano=("us", "them")[mano])
            z = (won / played - expected) / np.sqrt(expected * (1 - expected) / played)
            assert abs(z) < 4, (start, mano, played)
            at = end


@pytest.mark.parametrize("name", ["mus", "mus4", "mus2p"])
def test_symmetric_and_monotone(name):
    ours = equity(name).ours
    assert np.allclose(ours[0] + ours[1].T, 1, atol=1e-12)
    for table in ours:
        assert (np.diff(table, axis=0) > 0).all()
        assert (np.diff(table, axis=1) < 0).all()


@pytest.mark.parametrize("name", ["mus", "mus4", "mus2p"])
def test_at_equal_scores_mano_is_ahead_by_little(name):
    # Only en paso: with good betting at 34-34 two players would rather be the other.
    ours = equity(name, kind="paso").ours
    assert (np.diag(ours[0]) > 0.5).all()


def toy(rows, deals):
    game = replace(get_game("mus"), target=3)
    return DealStones(game, np.array(rows), np.zeros(len(rows), bool), np.array(deals, object))


def test_a_game_of_three_stones_solved_by_hand():
    """A deal is +2 for mano's side (one time in four), else +1 for it and then -1.

    E(a, b): the chance of mano's side with a stones against b.
    E(2, b) = 1: either way the first stones are its own.
    E(1, 2) = 1/4 + 3/4 * 0 (2, then the other's third) = 1/4.
    E(1, 1) = 1/4 + 3/4 * (1 - E(2, 2)) = 1/4.
    E(1, 0) = 1/4 + 3/4 * (1 - E(1, 2)) = 1/4 + 9/16 = 13/16.
    E(0, 2) = 1/4 * (1 - E(2, 2)) + 3/4 * 0 = 0.
    E(0, 1) = 1/4 * (1 - E(1, 2)) + 3/4 * (1 - E(2, 1)) = 3/16.
    E(0, 0) = 1/4 * (1 - E(0, 2)) + 3/4 * (1 - E(1, 1)) = 1/4 + 9/16 = 13/16.
    """
    table = backward(toy([[2, 0, 0, 0], [1, -1, 0, 0]], [1, 3]))
    quarter = 1 / 4
    expected = [
        [13 / 16, 3 / 16, 0],
        [13 / 16, quarter, quarter],
        [1, 1, 1],
    ]
    assert table.mano_wins.tolist() == expected
    assert table.chance(1, 0, "them") == 1 - 3 / 16


def test_the_match_of_the_toy_by_hand():
    """Always +3: mano's side wins each game in one deal, and mano alternates."""
    table = backward(toy([[3, 0, 0, 0]], [1]))
    assert table.match(0, 0, "us") == 1  # us, them, us
    assert table.match(0, 0, "us", (0, 1)) == 0  # us, then them
    assert table.match(0, 0, "them", (1, 0)) == 1  # they level it, then us
    assert table.match(0, 0, "them", (1, 1)) == 0


def test_the_match_of_games_that_take_two_deals():
    """Mano's side takes grande, the other chica and pares: 1 and 2 stones in a game to 3.

    We are mano: 1-2; then they are, and their grande is the game. Two deals, so we are
    mano again in the next game, and lose that as well.
    """
    table = backward(toy([[1, -1, -1, 0]], [1]))
    assert table.chance(0, 0, "us") == 0
    assert [table.match(0, 0, mano) for mano in ("us", "them")] == [0, 1]
    assert table.match(0, 0, "us", (1, 0)) == 0
    # From 1-2 the game takes one deal more: they are mano after it, if they are not in it.
    assert table.match(1, 2, "them", (1, 0)) == 0
    assert table.match(2, 1, "us", (0, 1)) == 1


def test_the_match_of_games_of_chance_by_hand():
    """One or three stones with equal chances in a game to 3, to mano's side.

    Games take one to five deals. All courses of a match are played out below.
    """
    table = backward(toy([[1, 0, 0, 0], [1, 1, 1, 0]], [1, 1]))

    def game(mine, theirs, me, mano, after):
        """Played out: my chance of the match, with ``after(won, mano)`` following."""
        total = 0.0
        for stones in (1, 3):
            score = [mine, theirs]
            score[mano != me] += stones
            if max(score) >= 3:
                total += after(score[0] >= 3, 1 - mano) / 2
            else:
                total += game(*score, me, 1 - mano, after) / 2
        return total

    def match(won, mano, to):
        if to in won:
            return float(won[0] == to)
        return game(
            0, 0, 0, mano, lambda mine, m: match((won[0] + mine, won[1] + (not mine)), m, to)
        )

    for to in (1, 2, 3):
        longer = backward(replace(table.deal, game=with_target(table.game, games=to)))
        for mano, name in enumerate(("us", "them")):
            assert longer.match(0, 0, name) == pytest.approx(match((0, 0), mano, to), abs=1e-14)


@pytest.mark.parametrize(
    ("target", "kind"), [(25, "paso"), (30, "solved"), (35, "solved"), (50, "bets-2")]
)
def test_games_to_other_targets(target, kind):
    """The table of a longer game ends in that of a shorter one, shifted."""
    games = with_target(get_game("mus"), target), get_game("mus")
    longer, shorter = (equity(game, kind=kind) for game in games)
    assert longer.ours.shape == (2, target, target)
    less = min(target, 40)
    assert np.abs(longer.ours[:, -less:, -less:] - shorter.ours[:, -less:, -less:]).max() < 1e-12
    with pytest.raises(InputError, match=f"from 0 to {target - 1}"):
        longer.chance(target, 0)


def test_targets_that_cannot_be():
    for given in ({"target": 0}, {"target": 101}, {"games": 0}, {"games": 10}):
        with pytest.raises(GameError, match="from 1 to"):
            with_target(get_game("mus"), **given)
    with pytest.raises(GameError, match="encaje3 has no score of two sides"):
        with_target(get_game("encaje3"), 30)
    assert with_target(get_game("mus-real-suits"), 30).one_suit.target == 30


def test_a_target_on_the_command_line(capsys):
    assert main(["equity", "--score", "20-25", "--target", "30", "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["target"] == 30
    assert answer["equity"][0]["equity"] == pytest.approx(equity("mus").chance(30, 35))
    assert main(["equity", "--score", "30-0", "--target", "30"]) == 2
    assert "from 0 to 29" in capsys.readouterr().err
    asked = ["bet", "RR7A", "--seat", "1", "--phase", "grande", "--format", "json"]
    answers = []
    for more in (["--score", "22-25", "--target", "30"], ["--score", "32-35"]):
        assert main([*asked, *more]) == 0
        answers.append(json.loads(capsys.readouterr().out)["choices"])
    assert answers[0] == answers[1]
    assert main(["table", "odds", "--target", "30"]) == 2
    assert "does not depend on it" in capsys.readouterr().err


def test_games_of_a_match_on_the_command_line(capsys):
    found = {}
    for games in ("3", "0-0/3", "2-2/3", "1-1", "0-0"):
        assert main(["equity", "--score", "0-0", "--games", games, "--format", "json"]) == 0
        found[games] = json.loads(capsys.readouterr().out)["equity"][0]
    assert found["3"] == found["0-0/3"] != found["0-0"]
    assert found["2-2/3"]["match"] == pytest.approx(found["2-2/3"]["equity"])
    for games in ("2-0", "3-0/3", "x", "1-0/0", "1-"):
        assert main(["equity", "--games", games]) == 2
        assert "games" in capsys.readouterr().err


def test_match_and_game():
    table = equity("mus")
    assert table.match(30, 20, "us", (1, 1)) == pytest.approx(table.chance(30, 20, "us"))
    for games in [(0, 0), (1, 0), (0, 1)]:
        here = table.match(17, 25, "us", games)
        assert here + table.match(25, 17, "them", games[::-1]) == pytest.approx(1)
    assert table.match(0, 0, "us", (1, 0)) > 0.74
    frame = equity_table("mus").set_index(["ours", "theirs", "mano"])
    assert frame.loc[17, 25, "them"]["match"] == pytest.approx(table.match(17, 25, "them"))
    assert frame.loc[17, 25, "us"]["equity"] == table.chance(17, 25, "us")


def test_who_reaches_the_target_first():
    stones = np.array([[1, 1, 3, 3], [-1, -1, 3, 3], [1, -1, 0, -2], [-1, -1, -1, -1]])
    won, lost = count(stones, 38, 38, 40)[2:]
    assert won.tolist() == [True, False, False, False]
    assert lost.tolist() == [False, True, True, True]


@cache
def simulated():
    return equity("mus", n=200_000, seed=3)


def test_simulation_agrees_with_the_count_within_its_errors():
    exact, found = equity("mus", kind="paso"), simulated()
    assert (found.method, found.deal.n, found.deal.seed) == ("monte-carlo", 200_000, 3)
    z = (found.ours - exact.ours) / found.standard_errors
    assert np.abs(z).max() < 4.5


def test_errors_are_those_of_resampling():
    """The delta method against the bootstrap, in a game to 12."""
    short = replace(simulated().deal, game=replace(get_game("mus"), target=12))
    found = backward(short)
    rng = np.random.default_rng(4)
    scores = [(0, 0), (7, 4), (9, 11), (11, 11)]
    values = []
    for _ in range(100):
        deals = rng.multinomial(short.n, short.chances).astype(object)
        again = backward(replace(short, deals=deals))
        values.append([again.chance(*score) for score in scores])
    spread = np.std(values, axis=0, ddof=1)
    errors = [found.error(*score) for score in scores]
    # A standard deviation of 100 values is known to 7 %.
    assert np.allclose(errors, spread, rtol=0.28)


def test_a_policy_is_simulated_and_the_seed_decides():
    one, other = (equity("mus", policy="kings", n=50_000, seed=9) for _ in range(2))
    assert one.deal.policy == "kings"
    assert (one.ours == other.ours).all()
    assert (one.ours != equity("mus", policy="kings", n=50_000, seed=10).ours).any()
    # Whatever the policy, more stones are better.
    assert (np.diff(one.ours[0], axis=0) > 0).all()


@pytest.mark.parametrize("text", ["32", "32-35-1", "40-0", "0-41", "a-b", "-3-2", ""])
def test_scores_that_cannot_be(text):
    with pytest.raises(InputError) as caught:
        read_score(text, get_game("mus"))
    assert "\n" not in str(caught.value)


def test_what_cannot_be_asked():
    table = equity("mus")
    with pytest.raises(InputError, match="ours must be from 0 to 39"):
        table.chance(40, 0)
    with pytest.raises(InputError, match="us or them"):
        table.chance(0, 0, "me")
    with pytest.raises(InputError, match="0 to 1 games"):
        table.match(0, 0, "us", (2, 0))
    with pytest.raises(InputError, match="n is 1"):
        deal_stones("mus", n=1)
    three = replace(get_game("mus"), name="three", seats=3, side_size=1)
    with pytest.raises(GameError, match="two sides"):
        deal_stones(three)
