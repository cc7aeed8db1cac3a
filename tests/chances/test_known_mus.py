"""Knowledge with mus: simulations and discards from hands that fit what is known."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from math import prod
from pathlib import Path

import numpy as np
import pytest

from musodds.chances.odds import known_odds
from musodds.errors import InputError, KnowledgeError
from musodds.exact.draws.draws import draw_ways
from musodds.exact.phases.columns import COLUMNS
from musodds.knowledge.knowledge import Knowledge, know
from musodds.rules.cards import Deck
from musodds.rules.game import PHASES, Game
from musodds.rules.hands import hands
from musodds.simulation.blocks import BLOCK, make_job, play_blocks
from musodds.simulation.known_deals import known_deals
from musodds.simulation.named_policies import get_policy
from musodds.simulation.policies import Policy
from musodds.simulation.simulate import simulate
from musodds.strategy.discard import discard
from tests.command import runner
from tests.small_games import FOUR, KINDS, TWO, choose, net_of_deals, small_policy

SCRIPT = Path(sys.executable).with_name("musodds")
RANGES = {1: "R???@0.5 | any@0.2", 2: "A???@0.4 | 77??@0.1"}
MINE = "RR7A"


def _scores(found: list[dict], exact: list[dict]) -> np.ndarray:
    scores = []
    for row, wanted in zip(found, exact, strict=True):
        for column in (*COLUMNS, "net"):
            if wanted[column] is None:
                assert row[column] is None
            elif row[f"{column}_se"]:
                scores.append((row[column] - wanted[column]) / row[f"{column}_se"])
            else:
                assert row[column] == pytest.approx(wanted[column], abs=1e-12)
    return np.array(scores)


@pytest.mark.parametrize(
    ("seat", "given"),
    [
        (1, {"partner": "31"}),
        (2, {"partner": "pares@0.7 | any@0.1", "rivals": "!juego", "dead": "AA"}),
        (3, {"next": "seña:ciego", "previous": "duples", "dead": "RRR7"}),
        (4, {"juego": "yes,no,?,no", "pares": "?,?,yes,yes"}),
        (1, {"dead": "RRRRRC7654"}),
    ],
)
def test_without_mus_a_simulation_is_what_is_counted(seat: int, given: dict[str, str]) -> None:
    knowledge = know(**given)
    found = simulate(
        n=60_000, seed=seat, workers=1, rounds=0, hand=MINE, seat=seat, knowledge=knowledge
    )
    exact = known_odds(MINE, seat=seat, knowledge=knowledge)
    scores = _scores([row for row in found.rows() if row["seat"] == seat], exact.rows())
    assert len(scores) >= 24
    assert np.abs(scores).max() < 4
    assert np.mean(scores**2) < 3


# A reduced deck for two, enumerated through a round of mus.


def _dealt(weights: dict[int, np.ndarray], dead: np.ndarray) -> dict[tuple[int, int], int]:
    """Weight of every pair of hands as dealt."""
    counts, left = hands(TWO).counts, TWO.deck.copies - dead
    found = {}
    for one, held in enumerate(counts):
        for other, theirs in enumerate(counts):
            ways = int(choose(left, held)) * int(choose(left - held, theirs))
            factors = [int(weights[s][h]) for s, h in ((1, one), (2, other)) if s in weights]
            if ways * prod(factors):
                found[one, other] = ways * prod(factors)
    return found


def _after(
    policy: Policy, one: int, other: int, dead: np.ndarray, keep: np.ndarray | None = None
) -> np.ndarray:
    """Chance of every pair of hands after both have drawn from what is left."""
    table, copies = hands(TWO), TWO.deck.copies
    stock = copies - dead - table.counts[one] - table.counts[other]
    mine = policy.keep[0, one].astype(np.int64) if keep is None else keep
    theirs = policy.keep[1, other].astype(np.int64)
    found = np.zeros((len(table), len(table)))
    reached = draw_ways(table, copies - stock, mine)
    for after in np.flatnonzero(reached):
        rest = stock - (table.counts[after] - mine)
        ways = draw_ways(table, copies - rest, theirs)
        found[after] += reached[after] / reached.sum() * ways / ways.sum()
    return found


@pytest.mark.parametrize("hand", [None, MINE])
def test_a_reduced_deck_enumerated_through_a_round_of_mus(hand: str | None) -> None:
    policy, table = small_policy(), hands(TWO)
    knowledge = know(TWO, seats=RANGES, dead="7A")
    weights = knowledge.seat_weights(1)
    dead = np.bincount(TWO.deck.parse("7A"), minlength=3)
    if hand is not None:
        weights[1] = np.eye(len(table), dtype=np.int64)[table.index(hand)]
        knowledge = know(TWO, seats={2: RANGES[2]}, dead="7A")
    chance = np.zeros((len(table), len(table)))
    for (one, other), weight in _dealt(weights, dead).items():
        if policy.cut[0, one] or policy.cut[1, other]:
            chance[one, other] += weight
        else:
            chance += weight * _after(policy, one, other, dead)
    chance /= chance.sum()
    n = 200_000
    found = simulate(
        TWO, n=n, seed=3, workers=1, policy=policy, hand=hand, knowledge=knowledge,
        seat=None if hand is None else 1,
    )  # fmt: skip
    for seat in (1, 2):
        expected = chance.sum(axis=2 - seat)
        error = np.sqrt(expected * (1 - expected) / n)
        assert (np.abs(found.sums[4][seat - 1] / n - expected) <= 4.5 * error + 1e-12).all()
    net = float((chance * net_of_deals(TWO)).sum())
    assert abs(found.net(1).value - net) < 4 * found.net(1).se


@pytest.mark.parametrize(("rounds", "learn"), [(1, False), (1, True), (2, False)])
def test_keeps_on_a_reduced_deck_under_knowledge(rounds: int, learn: bool) -> None:
    policy, table = small_policy(), hands(TWO)
    if rounds == 2:
        # When everybody cuts in the second round, two rounds are one, played out.
        policy = Policy("once", TWO, policy.keep, np.ones_like(policy.cut))
    knowledge = know(TWO, next=RANGES[2], dead="7A")
    me, dead = table.index(MINE), np.bincount(TWO.deck.parse("7A"), minlength=3)
    weights = {1: np.eye(len(table), dtype=np.int64)[me], 2: knowledge.weights(1)[2]}
    dealt = _dealt(weights, dead)
    advice = discard(
        MINE, seat=1, policy=policy, rounds=rounds, learn=learn, n=40_000, knowledge=knowledge
    ).seats[0]
    net = net_of_deals(TWO)
    cut = sum(w * net[pair] for pair, w in dealt.items()) / sum(dealt.values())
    assert advice.cut_net == pytest.approx(cut, abs=1e-12)
    for i, draw in enumerate(advice.draws):
        keep = np.bincount(TWO.deck.parse(draw.keep.replace("-", "")), minlength=3)
        kept = said = value = 0.0
        for (one, other), weight in dealt.items():
            cuts = bool(policy.cut[1, other])
            result = float((_after(policy, one, other, dead, keep) * net).sum())
            said += weight * (net[one, other] if cuts else result)
            if not (cuts and learn):
                kept += weight
                value += weight * result
        assert abs(advice.net[i] - value / kept) < 4.5 * advice.net_se[i]
        mus = said / sum(dealt.values())
        assert abs(advice.cut_net + advice.mus_gain[i] - mus) <= 4.5 * advice.mus_gain_se[i] + 1e-12
        chances, errors = advice.chances(i), advice.known_chances[1][i]
        pares = sum(
            weight * float(_after(policy, *pair, dead, keep)[table.level["pares"] > 0].sum())
            for pair, weight in dealt.items()
        ) / sum(dealt.values())
        assert abs(chances["pares"] - pares) < 4.5 * errors[0] + 1e-12


def test_dead_cards_come_back_with_a_new_stock() -> None:
    # 18 cards, 10 of them thrown before: the stock is empty, and both need a card.
    dead = "RRRRAA7777"
    keep = np.stack([hands(TWO).counts] * 2).astype(np.int8)
    for index, counts in enumerate(hands(TWO).counts):
        keep[:, index, np.flatnonzero(counts)[-1]] -= 1
    policy = Policy("one", TWO, keep, np.zeros((2, len(keep[0])), dtype=np.bool_))
    knowledge = know(TWO, seats={2: "RRAA"}, dead=dead)
    found = simulate(
        TWO, n=40_000, seed=1, workers=1, policy=policy, hand="RR77", seat=1, knowledge=knowledge
    )
    assert found.renewals == 40_000
    # The new stock: the dead cards, the 7 that mano has thrown, the ace of postre.
    after_mano = {"RRR7": 4, "RR77": 5, "RR7A": 3}
    for text, cards in after_mano.items():
        share = found.sums[4][0, hands(TWO).index(text)] / found.n
        assert share == pytest.approx(cards / 12, abs=4 * np.sqrt(0.25 / found.n))


def test_discards_agree_with_exact_when_nobody_else_draws() -> None:
    policy, table = get_policy("none", FOUR), hands(FOUR)
    knowledge = know(FOUR, partner="R???@0.5 | any@0.2", previous="A???", dead="7A")
    answer = discard(MINE, seat=1, policy=policy, learn=False, n=40_000, knowledge=knowledge)
    advice = answer.seats[0]
    copies = FOUR.deck.copies - np.bincount(FOUR.deck.parse("7A"), minlength=len(KINDS))
    counts, weights = table.counts, knowledge.weights(1)
    weights = [weights.get(seat, np.ones(len(table), dtype=np.int64)) for seat in (2, 3, 4)]
    left = copies - counts[table.index(MINE)]
    net = net_of_deals(FOUR)
    worth, total = np.zeros(len(advice.draws)), 0
    keeps = np.array(
        [
            np.bincount(FOUR.deck.parse(draw.keep.replace("-", "")), minlength=3)
            for draw in advice.draws
        ]
    )
    for two, first in enumerate(counts):
        ways2 = int(choose(left, first)) * int(weights[0][two])
        for three in np.flatnonzero(weights[1]) if ways2 else ():
            rest = left - first
            ways3 = ways2 * int(choose(rest, counts[three])) * int(weights[1][three])
            for four in np.flatnonzero(weights[2]) if ways3 else ():
                stock = rest - counts[three]
                ways = ways3 * int(choose(stock, counts[four])) * int(weights[2][four])
                if not ways:
                    continue
                total += ways
                gone = FOUR.deck.copies - (stock - counts[four])
                mine = draw_ways(table, gone, keeps)
                worth += ways * (mine @ net[:, two, three, four]) / mine.sum(axis=1)
    assert (np.abs(advice.net - worth / total) < 4.5 * advice.net_se).all()
    assert advice.cut_net == pytest.approx(
        known_odds(MINE, seat=1, knowledge=knowledge).net(1), abs=1e-12
    )


# Any number of workers, rare ranges, importance weights.


def test_the_digits_do_not_depend_on_the_workers() -> None:
    knowledge = know(partner="31", rivals="!juego")
    one, two = (
        simulate(n=140_000, seed=4, workers=workers, policy="kings", hand=MINE, knowledge=knowledge)
        for workers in (1, 2)
    )
    assert one.rows() == two.rows()
    first, second = (
        discard(MINE, seat=2, n=10_000, workers=workers, knowledge=know(partner="31")).rows()
        for workers in (1, 2)
    )
    assert first == second


def test_a_block_cut_short_is_its_first_deals() -> None:
    known = known_deals(know(seats={2: "31", 4: "pares"}), None, None, mus=True)
    job = make_job(known.game, get_policy("kings"), 1, 5, known=known)
    more = play_blocks(job, 0, 3000)[0] - play_blocks(job, 0, 2000)[0]
    assert (more >= 0).all()
    assert more[:64].sum() == 1000


def test_a_range_that_one_deal_in_a_million_meets() -> None:
    knowledge = know(partner="RRRR", rivals="duples & juego & grande>RRAA", dead="C")
    found = simulate(n=20_000, seed=1, policy="kings", hand="AAAA", seat=1, knowledge=knowledge)
    assert found.n == 20_000
    advice = discard("AAAA", seat=1, policy="kings", n=4_096, knowledge=knowledge).seats[0]
    assert advice.n >= 4_096


def test_importance_weights_of_five_ranges() -> None:
    """Five players: estimates and their errors, from the deals themselves and enumerated."""
    deck = Deck(tuple(replace(kind, copies=8) for kind in KINDS))
    game = Game("five", "", deck, 5, 1)
    texts = {1: "R???@0.5 | any@0.2", 2: "A???", 3: "any@0.3 | 7???@0.9", 4: "R???", 5: "R??A"}
    knowledge = know(game, seats=texts)
    table, exact = hands(game), np.zeros(2)
    weights = knowledge.seat_weights(1)

    def enumerate_from(left: np.ndarray, seat: int, ways: int, held: tuple[int, ...]) -> None:
        if seat > 5:
            grande = [int(table.level["grande"][h]) for h in held]
            exact[:] += ways, ways * (grande[0] == max(grande))
            return
        more = choose(left, table.counts) * weights[seat]
        for h in np.flatnonzero(more):
            enumerate_from(left - table.counts[h], seat + 1, ways * int(more[h]), (*held, int(h)))

    enumerate_from(deck.copies, 1, 1, ())
    n = BLOCK
    found = simulate(game, n=n, seed=2, workers=1, rounds=0, knowledge=knowledge)
    dealt, v = known_deals(knowledge, None, None, mus=False).draw(2, 0, n)
    grande = table.level["grande"][dealt]
    won = grande[:, 0] == grande.max(axis=1)
    value = (v * won).sum() / v.sum()
    error = np.sqrt((v**2 * (won - value) ** 2).sum()) / v.sum()
    estimate = found.estimate(1, "grande", "win")
    assert estimate is not None
    assert (estimate.value, estimate.se) == pytest.approx((value, error), rel=1e-9)
    assert abs(value - exact[1] / exact[0]) < 4 * error
    assert found.effective_n == pytest.approx(v.sum() ** 2 / (v**2).sum())
    assert found.effective_n < 0.99 * n
    assert estimate.low < value < estimate.high
    for row in found.rows():
        assert row["win"] + row["lose"] + row["void"] == pytest.approx(1)


# What is refused, and the command line.


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"pares": "yes,?,?,?"}, "after the last discard"),
        ({"partner": "RRRR", "dead": "RRR"}, r"leaves none for \(partner: RRRR\) and \(dead"),
        ({"seats": {1: "31"}}, "but you hold RR7A there"),
    ],
)
def test_impossible_knowledge_is_refused(given: dict, words: str) -> None:
    for refused in (simulate, discard):
        hand = {"hand": MINE, "seat": 1}
        with pytest.raises(KnowledgeError, match=words):
            refused(**hand, knowledge=know(**given))


def test_a_neighbour_needs_a_seat() -> None:
    with pytest.raises(InputError, match="whose partner"):
        simulate(n=10, knowledge=know(partner="31"))
    with pytest.raises(KnowledgeError, match="the deck leaves none"):
        simulate(n=10, knowledge=know(seats={1: "RRRR", 2: "RRRR", 3: "RRRA"}))
    assert not Knowledge(know().game)


def _installed(*arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [SCRIPT, *arguments], capture_output=True, text=True, check=False, timeout=120
    )
    return done.returncode, done.stdout, done.stderr


def test_the_installed_commands() -> None:
    asked = ("--seat", "1", "--partner", "sena:31", "--dead", "A", "--format", "json")
    status, out, _ = _installed("discard", MINE, *asked, "--policy", "kings", "-n", "2048")
    answer = json.loads(out)
    assert status == 0
    assert answer["knowledge"] == "partner: sena:31; dead: A"
    exact = known_odds(MINE, seat=1, knowledge=know(partner="31", dead="A")).net(1)
    assert answer["keeps"][0]["cut_net"] == pytest.approx(exact)
    assert answer["keeps"][0]["juego_se"] > 0
    status, out, _ = _installed("simulate", "--hand", MINE, *asked, "-n", "1000", "--seed", "1")
    assert status == 0
    assert json.loads(out)["knowledge"] == "partner: sena:31; dead: A"
    assert len(json.loads(out)["odds"]) == 4 * len(PHASES)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("simulate", "--pares", "yes,no,?,?"), "after the last discard"),
        (("simulate", "--partner", "31"), "whose partner?"),
        (("discard", MINE, "--juego", "?,yes,?,?"), "after the last discard"),
        (("discard", MINE, "--partner", "32x"), "partner: "),
        (("discard", MINE, "--exact", "--dead", "A"), "--exact assumes nothing"),
    ],
)
def test_bad_input_is_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    done = runner(capsys)(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
