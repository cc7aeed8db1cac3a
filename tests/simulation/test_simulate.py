"""Simulation against exact counts, and against itself."""

from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import comb, isnan, prod, sqrt

import numpy as np
import pytest
from scipy import stats

from musodds.chances.odds_table import odds_table
from musodds.errors import InputError
from musodds.exact.phases.columns import COLUMNS
from musodds.rules.cards import Deck, Kind
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.simulation.blocks import BLOCK, make_job, play_blocks, split
from musodds.simulation.estimates import Estimate, Simulation
from musodds.simulation.histograms import phase_counts
from musodds.simulation.named_policies import get_policy, per_seat
from musodds.simulation.policies import Policy
from musodds.simulation.runner import Goal, run
from musodds.simulation.simulate import SimulationError, simulate

MUS = get_game("mus")


PINNED = [249, 234, 239, 278]


@cache
def _exact_means(game_name):
    """Every column's exact mean over deals, by (seat, phase), from the table of all hands."""
    game = get_game(game_name)
    table = odds_table(game)
    ways = np.repeat(hands(game).ways, game.seats * len(PHASES))
    table["net"] = table["net"].ffill()  # stands once for each hand and seat
    share = ways / hands(game).ways.sum()
    table["win_contested"] = (table["win_contested"] * table["contested"]).fillna(0)
    means = table[[*COLUMNS, "net"]].mul(share, axis=0)
    means = means.groupby([table["seat"], table["phase"]]).sum()
    means["win_contested"] /= means["contested"]
    return means.to_dict("index")


@pytest.mark.parametrize("game", ["mus", "mus4", "mus2p"])
def test_plain_deals_agree_with_the_exact_tables(game):
    result = simulate(game, n=1_500_000, seed=11, policy="none")
    exact = _exact_means(game)
    for row in result.rows():
        for column in (*COLUMNS, "net"):
            value, se = row[column], row[f"{column}_se"]
            wanted = exact[row["seat"], row["phase"]][column]
            assert abs(value - wanted) <= 4.5 * se + 1e-12, (row["seat"], row["phase"], column)


def _result(job, seed, deals):
    sums = play_blocks(job._replace(seed=seed), 0, deals)[0]
    return Simulation(MUS, "none", 0, deals, seed, tuple(split(sums, job.shapes)))


def test_errors_are_normal_and_intervals_cover():
    """Over 3,000 seeds: z-scores are standard normal, 95 % intervals cover 94 to 96 %."""
    job = make_job(MUS, get_policy("none"), 0, 0)
    exact = _exact_means("mus")
    asked = [
        (1, "grande", "win"),
        (2, "pares", "stones_for"),
        (3, "juego", "win_contested"),
        (4, "pares", "best"),
    ]
    scores, covered = [], []
    for seed in range(3000):
        result = _result(job, seed, 6000)
        found = [(result.estimate(*one), exact[one[:2]][one[2]]) for one in asked]
        found.append((result.net(1), exact[1, "grande"]["net"]))
        scores.append([(estimate.value - wanted) / estimate.se for estimate, wanted in found])
        covered.append([estimate.low <= wanted <= estimate.high for estimate, wanted in found])
    for column, z in enumerate(np.array(scores).T):
        assert stats.kstest(z, "norm").pvalue > 0.002, column
        assert abs(z.std() - 1) < 0.045
    assert 0.94 < np.mean(covered) < 0.96
    assert all(0.94 < share < 0.96 for share in np.mean(covered, axis=0))


def test_every_hand_in_every_seat_agrees_with_the_exact_table():
    """330 hands, 4 seats, 5 phases: dealt to their seat, they win as often as counted."""
    table, n = hands(MUS), 12_000
    exact = odds_table("mus").set_index(["hand", "seat", "phase"])["win"].to_dict()
    scores = []
    job = make_job(MUS, get_policy("none"), 0, 0, (0, 0))
    for index, text in enumerate(table.texts):
        dealt = make_job(MUS, get_policy("none"), 0, 0, (0, index)).start
        for seat in range(4):
            mine = job._replace(seed=4 * index + seat, start=dealt, fixed=(seat, index))
            result = _result(mine, mine.seed, n)
            for phase in PHASES:
                p = exact[text, seat + 1, phase]
                won = phase_counts(MUS, result.outcomes[phase], seat + 1)["win"]
                if n * p * (1 - p) < 9:
                    assert abs(won - n * p) <= 25
                else:
                    scores.append((won - n * p) / sqrt(n * p * (1 - p)))
    assert len(scores) > 5500
    assert stats.kstest(scores, "norm").pvalue > 0.002
    assert np.abs(scores).max() < 4.8
    assert np.mean(np.square(scores)) == pytest.approx(1, abs=0.06)


# A reduced deck, with every deal and every draw enumerated, card by card.


def _reduced(seats, copies):
    kinds = (("R", 4, 10), ("7", 3, 7), ("6", 2, 6), ("A", 1, 1))
    deck = Deck(tuple(Kind(s, rank, points, copies) for s, rank, points in kinds))
    return Game(f"reduced-{seats}", "", deck, seats, 1)


def _subsets(pool, size):
    """All multisets of that size out of a pool, with their probability."""
    total = comb(sum(pool), size)
    for chosen in product(*(range(min(n, size) + 1) for n in pool)):
        if sum(chosen) == size:
            yield chosen, Fraction(prod(map(comb, pool, chosen)), total)


def _less(a, b):
    return tuple(x - y for x, y in zip(a, b, strict=True))


def _plus(a, b):
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _final_hands(game, policy):
    """Probability of every combination of final hands after one round of mus."""
    table = hands(game)
    classes = {tuple(row): index for index, row in enumerate(table.counts.tolist())}
    nothing = (0,) * len(game.deck.kinds)
    found = {}

    def kept(seat, hand):
        return tuple(policy.keep[seat, classes[hand]].tolist())

    def deal_to(dealt, pool, chance):
        if len(dealt) == game.seats:
            after_talk(dealt, pool, chance)
            return
        for hand, p in _subsets(pool, 4):
            deal_to((*dealt, hand), _less(pool, hand), chance * p)

    def after_talk(dealt, stock, chance):
        if any(policy.cut[seat, classes[hand]] for seat, hand in enumerate(dealt)):
            end(dealt, chance)
            return
        for final, p in change(dealt, 0, stock):
            end(final, chance * p)

    def end(final, chance):
        key = tuple(classes[hand] for hand in final)
        found[key] = found.get(key, 0) + chance

    @cache
    def change(dealt, seat, stock):
        """Final hands of the seats from ``seat`` on, with the hands before in ``dealt``."""
        if seat == game.seats:
            return [(dealt, Fraction(1))]
        keep = kept(seat, dealt[seat])
        need = 4 - sum(keep)
        results = []
        first = min(need, sum(stock))
        for drawn, p in _subsets(stock, first):
            left, rest = _less(stock, drawn), need - first
            if not rest:
                results += [(drawn, left, p)]
                continue
            # Every card that is not in a hand; at the last player's turn not its own either.
            inside = _plus(keep, drawn)
            for other in range(game.seats):
                if other < seat:
                    inside = _plus(inside, dealt[other])
                elif other > seat:
                    inside = _plus(inside, kept(other, dealt[other]))
            out = _less((game.deck.kinds[0].copies,) * len(nothing), inside)
            if seat == game.seats - 1:
                out = _less(out, _less(dealt[seat], keep))
            for more, q in _subsets(out, rest):
                results += [(_plus(drawn, more), _less(out, more), p * q)]
        finals = []
        for drawn, left, p in results:
            now = (*dealt[:seat], _plus(keep, drawn), *dealt[seat + 1 :])
            finals += [(final, p * q) for final, q in change(now, seat + 1, left)]
        return finals

    deal_to((), tuple(kind.copies for kind in game.deck.kinds), Fraction(1))
    assert sum(found.values()) == 1
    return found


def _picky(game):
    """Cuts with juego, keeps kings in seat 1 and pairs of anything else elsewhere."""
    table = hands(game)
    keep = np.where(table.counts >= 2, 2, 0)
    keep = np.repeat(keep[None], game.seats, axis=0)
    keep[0] = get_policy("kings", game).keep[0]
    keep[keep.sum(axis=2) == 4, -1] = 0
    full = keep.sum(axis=2) == 4
    keep[full] //= 2
    cut = np.repeat((table.level["juego"] > 0)[None], game.seats, axis=0)
    cut[0] = False
    return Policy("picky", game, keep.astype(np.int8), cut)


@pytest.mark.parametrize(
    ("game", "policy"),
    [
        (_reduced(2, 3), get_policy("kings", _reduced(2, 3))),
        (_reduced(2, 3), _picky(_reduced(2, 3))),
        (_reduced(2, 4), _picky(_reduced(2, 4))),
    ],
    ids=["kings", "picky", "picky, more cards"],
)
def test_a_reduced_deck_enumerated_through_a_round_of_mus(game, policy):
    exact = _final_hands(game, policy)
    table, n = hands(game), 400_000
    result = simulate(game, n=n, seed=5, policy=policy)
    for seat in range(game.seats):
        chance = np.zeros(len(table))
        for key, p in exact.items():
            chance[key[seat]] += p
        shown = result.sums[4][seat]
        often = chance * n > 20
        expected = np.append(chance[often], chance[~often].sum()) * n
        observed = np.append(shown[often], shown[~often].sum())
        expected, observed = expected[expected > 0], observed[expected > 0]
        assert stats.chisquare(observed, expected).pvalue > 0.001
    for phase in PHASES:
        level = table.level[phase]
        # Punto is played when nobody has juego, the other phases when anybody has a level.
        played = [
            key for key in exact if phase != "punto" or not table.level["juego"][[*key]].any()
        ]
        p = float(sum(exact[key] for key in played if level[key[0]] >= max(1, level[key[1]])))
        won = result.estimate(1, phase, "win")
        assert abs(won.value - p) <= 4 * sqrt(p * (1 - p) / n) + 1e-12


def test_the_reduced_decks_do_run_out():
    assert simulate(_reduced(2, 3), n=1000, seed=1, policy="kings").renewals > 500


# What a result says.


def test_every_row_adds_up():
    result = simulate("mus", n=200_000, seed=3, policy="kings", rounds=2)
    rows = result.rows()
    assert len(rows) == 20
    for row in rows:
        assert row["win"] + row["lose"] + row["void"] == pytest.approx(1)
        assert row["best"] <= row["win"]
        assert row["win_low"] < row["win"] < row["win_high"]
    for seat in range(1, 5):
        mine = [row for row in rows if row["seat"] == seat]
        net = sum(row["stones_for"] - row["stones_against"] for row in mine)
        assert result.net(seat).value == pytest.approx(net)
        assert result.stones(seat).value == pytest.approx(sum(row["stones_for"] for row in mine))
    assert sum(row["best"] for row in rows if row["phase"] == "grande") == pytest.approx(1)


def test_frequencies_of_the_dealt_hands_are_the_known_ones():
    result = simulate("mus", n=500_000, seed=9, policy="none")
    table = hands(MUS)
    share = table.ways / table.ways.sum()
    exact = {name: share[table.pares_type == i].sum()
             for i, name in enumerate(("par", "medias", "duples"), 1)}  # fmt: skip
    juego = table.level["juego"] > 0
    exact |= {
        "juego": share[juego].sum(),
        "juego_31": share[juego & (table.points == 31)].sum(),
        "punto_30": share[table.points == 30].sum(),
    }
    for row in result.seat_rows():
        for name, p in exact.items():
            assert abs(row[name] - p) < 4.5 * row[f"{name}_se"], name
        assert row["cut"] == (row["seat"] == 1)


def test_who_cut_and_when():
    mixed = per_seat([get_policy("kings")] * 2 + [get_policy("none")] + [get_policy("kings")])
    rows = simulate("mus", n=1000, seed=1, policy=mixed, rounds=3).mus_rows()
    assert [(row["round"], row["seat"], row["share"]) for row in rows] == [
        (1, 3, 1.0),
        (None, None, 0.0),
    ]
    picky = Policy("x", MUS, get_policy("kings").keep,
                   np.repeat((hands(MUS).level["juego"] > 0)[None], 4, axis=0))  # fmt: skip
    rows = simulate("mus", n=20_000, seed=1, policy=picky, rounds="until-cut").mus_rows()
    assert {row["round"] for row in rows} >= {1, 2, 3, None}
    assert sum(row["share"] for row in rows) == pytest.approx(1)
    assert rows[-1]["share"] == 0


def test_until_cut_ends_though_nobody_ever_cuts():
    result = simulate("mus2p", n=200, seed=1, policy="kings", rounds="until-cut")
    assert result.mus_rows()[-1]["share"] == 1
    assert result.rounds == "until-cut"


def test_more_rounds_of_kings_make_more_kings():
    kings = hands(MUS).counts[:, 0]
    held = [
        (simulate("mus", n=50_000, seed=2, policy="kings", rounds=rounds).sums[4] @ kings).sum()
        for rounds in (0, 1, 2)
    ]
    assert held[0] < held[1] < held[2]


def test_the_frame_has_the_rows():
    frame = simulate("mus", n=5000, seed=1).to_frame()
    assert frame.shape == (20, 2 + 9 * 4)
    assert frame["win_contested"].dtype == "float64"


def test_estimates():
    half = Estimate.proportion(50, 100)
    assert (half.value, half.se) == (0.5, 0.05)
    # Wilson's interval for 50 of 100, as in any table.
    assert (round(half.low, 4), round(half.high, 4)) == (0.4038, 0.5962)
    never = Estimate.proportion(0, 100)
    assert (never.value, never.se, never.low) == (0, 0, 0)
    assert round(never.high, 4) == 0.0370
    mean = Estimate.mean(np.array([0, 1, 3]), np.array([2, 1, 1]))
    assert mean.value == 1
    assert mean.se == pytest.approx(np.std([0, 0, 1, 3], ddof=1) / 2)
    assert isnan(Estimate.mean(np.array([0, 1]), np.array([0, 1])).se)


# The same digits.


def _digits(result):
    return [part.tolist() for part in result.sums]


@pytest.mark.parametrize("policy", ["none", "kings"])
def test_the_digits_do_not_depend_on_the_number_of_workers(policy):
    n = 5 * BLOCK + 1234
    runs = [simulate("mus", n=n, seed=8, policy=policy, workers=workers) for workers in (1, 2, 5)]
    assert runs[0].n == n
    assert all(_digits(one) == _digits(runs[0]) for one in runs)
    assert _digits(simulate("mus", n=n, seed=9, policy=policy)) != _digits(runs[0])


def test_the_target_is_met_and_does_not_depend_on_the_number_of_workers():
    runs = [simulate("mus", target_se=0.0015, seed=8, workers=workers) for workers in (1, 2, 5)]
    assert all(_digits(one) == _digits(runs[0]) for one in runs)
    errors = [row[f"{name}_se"] for row in runs[0].rows() for name in ("win", "win_contested")]
    assert 0.0005 < max(errors) <= 0.0015


def test_a_seed_means_these_digits():
    """When this fails, STREAM in blocks.py must get a new number, and so must this test."""
    result = simulate("mus", n=1000, seed=12345, policy="kings", rounds=1)
    assert result.sums[0].sum(axis=1)[:4].tolist() == PINNED


def test_a_random_seed_is_reported():
    one, two = simulate("mus", n=100), simulate("mus", n=100)
    assert one.seed != two.seed
    assert _digits(simulate("mus", n=100, seed=one.seed)) == _digits(one)


def test_what_is_known_when_broken_off_is_the_first_blocks():
    class Impatient:
        """Plays three blocks, and then the user has had enough."""

        width, blocks_per_task, played = 1, 1, 0

        def submit(self, play, first, deals):
            return self

        def result(self):
            if self.played == 3:
                raise KeyboardInterrupt
            self.played += 1
            return play_blocks(job, self.played - 1, BLOCK)

    job = make_job(MUS, get_policy("none"), 0, 4)
    play = partial(play_blocks, job)
    total = run(play, BLOCK, Goal(10 * BLOCK), Impatient())
    assert total.interrupted
    assert total.deals == 3 * BLOCK
    again = run(play, BLOCK, Goal(3 * BLOCK), 1)
    assert (again.sums == total.sums).all()


# What cannot be asked.


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"n": 0}, r"n is 0: it must be a whole number from 1 to 10\^12"),
        ({"n": 10**5000}, "n is a number of 5001 digits: it must be a whole number"),
        ({"seed": "9" * 5000}, "seed is 9+… of 5000 characters: it must be a whole number"),
        ({"n": "many"}, "n is many"),
        ({"n": True}, "n is True"),
        ({"n": -5}, "n is -5"),
        ({"n": 10**13}, "n is 10000000000000"),
        ({"n": 1.5}, r"n is 1\.5"),
        ({"n": 100, "target_se": 0.01}, "two rules for when to stop"),
        ({"target_se": 0}, "target_se is 0"),
        ({"target_se": 1e-9}, "target_se is 1e-09"),
        ({"target_se": float("nan")}, "target_se is nan"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 2**63}, "seed is"),
        ({"workers": 0}, "workers is 0"),
        ({"rounds": -1}, "rounds is -1: a number of rounds of mus from 0 to 100"),
        ({"rounds": 101}, "rounds is 101"),
        ({"rounds": "many"}, "rounds is many"),
        ({"policy": "unknown"}, "no policy 'unknown'"),
        ({"policy": ["kings", "none"]}, "2 policies for mus"),
        ({"policy": []}, "0 policies for mus"),
        ({"game": "bridge"}, "no game 'bridge'"),
        ({"hand": "RR7"}, "has 3 cards"),
        ({"hand": "RR7A", "seat": 5}, "no seat '5'"),
        ({"seat": 1}, "give the hand too"),
        ({"scheduler": "tcp://127.0.0.1:1", "workers": 2}, "leave workers out"),
    ],
)
def test_bad_input(asked, message):
    with pytest.raises(InputError, match=message):
        simulate(**{"game": "mus", "n": None, **asked})


def test_errors_of_a_simulation_are_input_errors():
    assert issubclass(SimulationError, InputError)
