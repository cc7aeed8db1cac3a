"""Jokers: what may be named, what is named, and the odds that follow.

The rule is written a second time here, naively: hands are strings, deals and namings are
enumerated one by one.
"""

from __future__ import annotations

import json
from functools import cache
from itertools import product

import numpy as np
import pytest

import musodds as mo
from musodds.chances.duel import duel
from musodds.chances.joint import joint
from musodds.cli.app import run
from musodds.errors import CardError
from musodds.exact.named_deals import View
from musodds.exact.phases.named_columns import count_by_naming, count_named, named_columns
from musodds.exact.unseen import Unseen
from musodds.knowledge.language import parse_range
from musodds.rules.cards import Deck, Kind
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.simulation.named_policies import get_policy
from musodds.simulation.simulate import simulate
from musodds.store.numbers import published_counts
from tests import brute
from tests.joker_rules import name_jokers, stones_en_paso

COLUMNS = ("win", "lose", "void", "best", "contested", "win_contested")
COLUMNS += ("stones_for", "stones_against")
WIN, FOR, AGAINST = (COLUMNS.index(name) for name in ("win", "stones_for", "stones_against"))


def joker_game(cards: dict[str, int], seats: int, side_size: int, **options) -> Game:
    """A game with a small deck, its jokers first."""
    plain = brute.reduced_game(cards, seats, side_size, **options)
    joker = Kind("*", brute.RANKS.index("R"), 10, 2, stands_for=("R", "A"))
    deck = Deck((joker, *plain.deck.kinds))
    return Game(f"jokers{seats}", "for tests", deck, seats, side_size, **options)


def naive_namings(hand: str) -> list[str]:
    """All ways to read a hand, most kings first."""
    found = []
    for choice in product("RA", repeat=hand.count("*")):
        letters = list(choice)
        named = "".join(letters.pop(0) if card == "*" else card for card in hand)
        if sorted(named) not in [sorted(other) for other in found]:
            found.append(named)
    return found


@cache
def naive_stones(game: Game, named: tuple[str, ...]) -> list[int]:
    """Stones of both sides en paso."""
    scored = [0, 0]
    for phase in PHASES:
        winner, _ = brute.judge(game, list(named), phase)
        if winner is None:
            continue
        side = game.side(winner)
        if phase in ("pares", "juego"):
            own = [h for s, h in enumerate(named, start=1) if game.side(s) == side]
            scored[side] += sum(brute.own_stones(hand, phase) for hand in own)
        else:
            scored[side] += 1
    return scored


def naive_showdown(game: Game, dealt: list[str], named: tuple[str, ...] = ()) -> tuple[str, ...]:
    """What the hands are named: each holder in turn, those after him foreseen."""
    if len(named) == game.seats:
        return named
    side = game.side(len(named) + 1)
    best, most = None, -100
    for choice in naive_namings(dealt[len(named)]):
        end = naive_showdown(game, dealt, (*named, choice))
        stones = naive_stones(game, end)
        if stones[side] - stones[1 - side] > most:
            best, most = end, stones[side] - stones[1 - side]
    return best


def naive_row(game: Game, dealt: list[str], seat: int) -> np.ndarray:
    """Every column of every phase of one deal, shape (phases, columns)."""
    side = game.side(seat)
    rows, stones = naive_result(game, naive_showdown(game, dealt))
    return np.array(
        [
            [
                winner is not None and game.side(winner) == side,
                winner is not None and game.side(winner) != side,
                winner is None,
                winner == seat,
                contested,
                contested and game.side(winner) == side,
                own[side],
                own[1 - side],
            ]
            for (winner, contested), own in zip(rows, stones, strict=True)
        ],
        dtype=object,
    )


@cache
def naive_table(game: Game) -> dict[tuple[str, int], np.ndarray]:
    """Counts of every column, (hand, seat) -> (phases, columns), over all deals of all hands."""
    found: dict[tuple[str, int], np.ndarray] = {}
    for dealt, ways in brute.deals(game, {}):
        for seat, hand in enumerate(dealt, start=1):
            row = naive_row(game, dealt, seat) * ways
            found[hand, seat] = found.get((hand, seat), 0) + row
    return found


@cache
def naive_result(game: Game, named: tuple[str, ...]) -> tuple[list, list]:
    """Who takes each phase and whether it is contested, and what each side scores."""
    rows = [brute.judge(game, list(named), phase) for phase in PHASES]
    return rows, [phase_stones(game, list(named), phase) for phase in PHASES]


def phase_stones(game: Game, named: list[str], phase: str) -> list[int]:
    winner, _ = brute.judge(game, named, phase)
    scored = [0, 0]
    if winner is not None:
        own = [h for s, h in enumerate(named, start=1) if game.side(s) == game.side(winner)]
        many = phase in ("pares", "juego")
        scored[game.side(winner)] = sum(brute.own_stones(h, phase) for h in own) if many else 1
    return scored


@pytest.mark.parametrize(
    ("cards", "seats", "side_size", "real"),
    [
        ({"R": 4, "7": 3, "4": 1, "A": 4}, 2, 1, ()),
        ({"R": 2, "7": 4, "A": 9}, 4, 2, ()),
        ({"R": 3, "7": 10, "A": 2}, 4, 2, ("R777",)),
    ],
)
def test_every_hand_and_seat_by_enumeration(cards, seats, side_size, real):
    game = joker_game(cards, seats, side_size, real=real)
    all_hands = hands(game)
    every_seat = tuple(range(1, seats + 1))
    counts = count_named(game, np.arange(len(all_hands)), every_seat)
    expected = naive_table(game)
    assert len(expected) == len(all_hands) * seats
    for (text, seat), row in expected.items():
        me = all_hands.index(text)
        assert (counts[me, seat - 1] * int(all_hands.ways[me]) == row).all(), (text, seat)


TEN = get_game("mus-ten-kings")
TWO = get_game("mus2p-ten-kings")


def named(game: Game, *dealt: str) -> list[str]:
    """What the hands of a deal are named as, in text."""
    all_hands = hands(game)
    return [
        all_hands.named.texts[i] for i in name_jokers(game, [all_hands.index(h) for h in dealt])
    ]


def test_a_joker_is_only_ever_a_king_or_an_ace():
    all_hands = hands(TEN)
    kings, aces = (TEN.deck.parse(symbol)[0] for symbol in "RA")
    assert len(all_hands) == 477
    assert all_hands.ways.sum() == 91_390
    for i, counts in enumerate(all_hands.counts):
        rest = counts.copy()
        jokers, rest[0] = rest[0], 0
        assert len(all_hands.namings(i)) == jokers + 1
        for option in all_hands.namings(i):
            filled = all_hands.named.counts[option] - rest
            assert filled.min() >= 0
            assert filled[kings] + filled[aces] == filled.sum() == jokers
    # Ten kings, or ten aces: named hands are the plain hands of the game.
    assert set(all_hands.named.cards) == {c for c in all_hands.cards if 0 not in c}


def test_the_sotas_of_oros_and_copas_are_the_jokers():
    all_hands = hands(TEN)
    assert all_hands.index("So R R R") == all_hands.index("Sc 3 R R") == all_hands.index("*RRR")
    assert all_hands.index("So Sc R R") == all_hands.index("**RR")
    assert all_hands.index("SSRR") != all_hands.index("**RR")
    with pytest.raises(CardError, match="3 cards S: the deck has only 2"):
        all_hands.index("SSSR")


def test_three_kings_and_a_joker_as_mano():
    """Duples of kings, or medias and 31: not both. With four kings grande is unbeatable."""
    all_hands = hands(TEN)
    index = all_hands.index("RRR*")
    kings, ace = all_hands.namings(index)
    table = all_hands.named
    assert (table.pares_name(kings), table.juego_name(kings)) == ("duples of kings", "juego of 40")
    assert (table.pares_name(ace), table.juego_name(ace)) == ("medias of kings", "juego of 31")
    for seat in (1, 2):
        as_kings, as_ace = count_by_naming(TWO, index, (seat,))[:, 0]
        everything = 58_905
        lost = 0 if seat == 1 else 1 + 5  # to mano's RRRR, or RRR* named so
        grande, pares, juego = (PHASES.index(phase) for phase in ("grande", "pares", "juego"))
        if seat == 1:
            assert as_kings[grande, WIN] == as_kings[pares, WIN] == everything - lost
            assert as_ace[juego, WIN] == everything
        assert as_ace[pares, WIN] < as_kings[pares, WIN]
        assert as_kings[juego, WIN] < as_ace[juego, WIN]
    # What it is named depends on the deal: here duples are needed, there 31.
    assert named(TEN, "RRR*", "CC55", "7654", "54AA")[0] == "RRRR"
    assert named(TEN, "RRR*", "CS7A", "C654", "CC74")[0] == "RRRA"


@pytest.mark.parametrize(
    "dealt",
    [
        ("**R7", "CC7A", "RRSA", "7654"),  # both with one player
        ("*RR7", "CC7A", "*CS7", "AA54"),  # with partners
        ("RR7A", "*CC5", "CS7A", "*AA6"),
        ("*RRR", "*CC7", "7654", "RRSA"),  # with rivals
        ("*77S", "CC44", "7654", "*RRA"),
        ("*AA4", "*CC5", "RR7A", "CS65"),
        ("7654", "*RR7", "*CS7", "AAA6"),
    ],
)
def test_what_is_named_is_what_a_plain_recursion_names(dealt):
    expected = naive_showdown(TEN, list(dealt))
    assert [sorted(text) for text in named(TEN, *dealt)] == [sorted(text) for text in expected]


def test_mano_names_first_when_rivals_hold_a_joker_each():
    """Some deal goes otherwise if the second holder chose first, and the rule decides it."""
    game = joker_game({"R": 4, "7": 3, "4": 1, "A": 4}, 2, 1)
    differing = 0
    for dealt, _ in brute.deals(game, {}):
        if all(hand.count("*") == 1 for hand in dealt):
            in_turn = naive_showdown(game, dealt)
            nets = {
                (a, b): naive_stones(game, (a, b))[0] - naive_stones(game, (a, b))[1]
                for a in naive_namings(dealt[0])
                for b in naive_namings(dealt[1])
            }
            first, second = (naive_namings(hand) for hand in dealt)
            most_of_least = max(min(nets[a, b] for b in second) for a in first)
            least_of_most = min(max(nets[a, b] for a in first) for b in second)
            assert nets[in_turn] == most_of_least
            assert most_of_least <= least_of_most
            differing += most_of_least < least_of_most
            assert [sorted(h) for h in named(game, *dealt)] == [sorted(h) for h in in_turn]
    assert differing


def test_naming_deal_by_deal_beats_every_fixed_naming():
    all_hands = hands(TWO)
    for text in ("RRR*", "**7S", "*CS7", "*654"):
        me = all_hands.index(text)
        best = count_named(TWO, np.array([me]), (1, 2))[0]
        for fixed in count_by_naming(TWO, me, (1, 2)):
            for seat in (0, 1):
                net = best[seat, :, FOR] - best[seat, :, AGAINST]
                assert (net.sum() >= (fixed[seat, :, FOR] - fixed[seat, :, AGAINST]).sum()).all()


def test_a_joker_never_costs_stones():
    """With the same other hands, the holder's side never does worse than as a king or ace."""
    rng = np.random.default_rng(7)
    all_hands = hands(TEN)
    jokers = np.flatnonzero(all_hands.counts[:, 0] == 1)
    plain = np.flatnonzero(all_hands.counts[:, 0] == 0)
    for seat in (0, 1, 2, 3):
        for _ in range(25):
            classes = rng.choice(plain, 4)
            classes[seat] = rng.choice(jokers)
            side = TEN.side(seat + 1)
            got = stones_en_paso(TEN, name_jokers(TEN, classes))
            for option in all_hands.namings(int(classes[seat])):
                fixed = [all_hands.namings(int(c))[0] for c in classes]
                fixed[seat] = option
                other = stones_en_paso(TEN, fixed)
                assert 2 * got[side] - sum(got) >= 2 * other[side] - sum(other)


def test_odds_with_known_hands_are_those_of_the_enumeration():
    game = joker_game({"R": 4, "7": 3, "A": 8}, 4, 2)
    all_hands = hands(game)
    for text, mate in (("*R7A", "*7AA"), ("**77", "RRAA"), ("R77A", "*RRR")):
        me, partner = all_hands.index(text), all_hands.index(mate)
        for seat in (1, 2):
            counts = count_named(game, np.array([me]), (seat,), partner)[0, 0]
            with_mate = np.zeros(len(all_hands), dtype=np.int64)
            with_mate[partner] = 1
            unseen = Unseen(game, me, with_mate, (None, None))
            [columns] = named_columns(unseen, [View(seat)])
            assert (columns == counts * unseen.mate_ways.sum()).all()
            expected = naive_pair(game, text, mate, seat)
            assert (counts == expected).all(), (text, mate, seat)


def naive_pair(game: Game, hand: str, mate: str, seat: int) -> np.ndarray:
    found = np.zeros((len(PHASES), len(COLUMNS)), dtype=object)
    for dealt, ways in brute.deals(game, {seat: hand, seat + 2: mate}):
        found += naive_row(game, dealt, seat) * ways
    return found


def test_a_hand_named_so_in_every_deal_by_enumeration():
    """My jokers are named before all others; those of the others as is best then."""
    game = joker_game({"R": 2, "7": 4, "A": 9}, 4, 2)
    all_hands = hands(game)
    for text in ("*R7A", "**77"):
        me = all_hands.index(text)
        for seat in (1, 4):
            counts = count_by_naming(game, me, (seat,))[:, 0]
            expected = np.zeros_like(counts, dtype=object)
            for dealt, ways in brute.deals(game, {seat: text}):
                for n, option in enumerate(naive_namings(text)):
                    dealt[seat - 1] = option
                    expected[n] += naive_row(game, dealt, seat) * ways
            assert (counts == expected).all(), (text, seat)


def test_all_phases_together_by_enumeration():
    game = joker_game({"R": 2, "7": 4, "A": 9}, 4, 2)
    for text, seat in (("*R7A", 1), ("*77A", 4), ("R77A", 3)):
        expected: dict[tuple, int] = {}
        for dealt, ways in brute.deals(game, {seat: text}):
            rows, stones = naive_result(game, naive_showdown(game, dealt))
            phases = tuple(
                "void" if winner is None else ("win", "lose")[game.side(winner) != game.side(seat)]
                for winner, _ in rows
            )
            sums = tuple(sum(own[(game.side(seat) + i) % 2] for own in stones) for i in (0, 1))
            expected[phases, sums] = expected.get((phases, sums), 0) + ways
        answer = joint(text, game=game, seat=seat)
        found = {
            (tuple(row[p] for p in PHASES), (row["stones_for"], row["stones_against"])): int(
                row["chance"] * answer.deals
            )
            for row in answer.rows()
        }
        assert found == expected, (text, seat)


def test_who_takes_each_phase_by_enumeration():
    game = joker_game({"R": 2, "7": 4, "A": 9}, 4, 2)
    for held in (
        ("*R7A | RRAA", "any", "any", "*77A | 77AA@0.5"),
        ("any", "*77A", "R7AA | *RAA", "any"),
    ):
        fight = duel(held, game=game)
        ranges = [dict(zip(r.hands, r.weights[r.weights > 0].tolist(), strict=True))
                  for r in (parse_range(text, game) for text in held)]  # fmt: skip
        takes = {phase: [0] * 5 for phase in PHASES}
        stones = {phase: [0, 0] for phase in PHASES}
        total = 0
        for dealt, ways in brute.deals(game, {}):
            weight = ways
            for hand, weights in zip(dealt, ranges, strict=True):
                weight *= weights.get(game.deck.text(game.deck.parse(hand)), 0)
            if not weight:
                continue
            total += weight
            rows, own = naive_result(game, naive_showdown(game, dealt))
            for phase, (winner, _), scored in zip(PHASES, rows, own, strict=True):
                takes[phase][winner or 0] += weight
                for side in (0, 1):
                    stones[phase][side] += weight * scored[side]
        assert fight.deals == total > 0
        for phase in PHASES:
            assert fight.takes[phase].tolist() == takes[phase], (held, phase)
            assert fight.stones[phase].tolist() == stones[phase], (held, phase)


def test_a_duel_with_jokers_is_counted_or_simulated():
    fight = duel(["RRR*", "CC55", "7654", "AA54"], game=TEN)
    assert [fight.winner(phase) for phase in PHASES] == [1, 4, 1, 1, None]
    assert fight.method == "exact"
    # Too many hands on the other side; with the same of one's own it is what odds say.
    fight = duel(["RRR*"], game=TEN, n=50_000, seed=4)
    assert (fight.method, fight.n, duel(["RRR*"], game=TEN).n) == ("monte-carlo", 50_000, 100_000)
    exact = mo.odds("RRR*", game=TEN, seat=1)
    for phase, row in zip(PHASES, fight.rows(), strict=True):
        for name, column in (("seat_1", "best"), ("side_1", "win"), ("stones_1", "stones_for")):
            wanted = float(exact.fraction(1, phase, column))
            assert abs(row[name] - wanted) <= 4.5 * row[f"{name}_se"] + 1e-12, (phase, name)


def test_two_players_are_counted_however_many_hands_they_may_hold():
    fight = duel(["*RRR", "any"], game=TWO)
    exact = mo.odds("*RRR", game=TWO, seat=1)
    assert fight.method == "exact"
    for phase in PHASES:
        assert fight.chance(phase, 1) == exact.fraction(1, phase, "win")
        assert fight.chance(phase, 2) == exact.fraction(1, phase, "lose")
        assert fight.expected(phase, 1) == exact.fraction(1, phase, "stones_against")


def test_ranges_hold_what_can_be_named():
    mus = get_game("mus-ten-kings")
    assert "RRR*" in parse_range("duples & 31", mus)
    assert "RRR*" not in parse_range("!duples", mus)
    assert "RRR*" in parse_range("RRR?", mus)
    assert "RRR*" not in parse_range("RRRR | RRRA", mus)
    assert "**RC" in parse_range("**??", mus)
    assert set(parse_range("real", "mus-ten-kings-real").hands) == {"R777", "C777", "S777", "*777"}
    # Juego as dealt without jokers is juego of the plain deck.
    plain = [h for h in parse_range("31", mus).hands if "*" not in h]
    assert set(plain) <= set(parse_range("31", "mus").hands)


def test_jokers_are_kings_to_the_kings_policy():
    policy = get_policy("kings", TEN)
    assert policy.keep_text(1, "*R7A") == "*R"
    assert policy.keep_text(1, "**RR") == "**R"
    assert policy.keep_text(1, "7654") == "-"


@pytest.mark.parametrize(
    ("game", "hand", "seat"), [(TWO, "RRR*", 1), (TWO, "RR7A", 2), (TWO, "**54", 2)]
)
def test_simulation_agrees_with_the_exact_odds(game, hand, seat):
    exact = mo.odds(hand, game=game, seat=seat)
    result = simulate(game, n=100_000, seed=11, policy="none", hand=hand, seat=seat, workers=1)
    simulated = [row for row in result.rows() if row["seat"] == seat]
    for expected, row in zip(exact.rows(), simulated, strict=True):
        for column in ("win", "void", "best", "contested"):
            error = max(row[f"{column}_se"], 1e-4)
            assert abs(row[column] - expected[column]) < 4.5 * error, (row["phase"], column)


def musodds_hand(capsys, *arguments: str) -> tuple[int, str, str]:
    status = run(["hand", *arguments, "--game", "mus2p-ten-kings", "--seat", "1"])
    return status, *capsys.readouterr()


def test_musodds_hand_shows_each_way_of_naming(capsys):
    status, text, _ = musodds_hand(capsys, "RRR*")
    assert status == 0
    assert "pares   RRRR  duples of kings, 3 stones" in text
    assert "juego   RRRR  40, 2 stones\n          RRRA  31, 3 stones" in text
    answer = json.loads(musodds_hand(capsys, "RRR*", "--format", "json")[1])
    kings, ace = answer["namings"]
    assert [kings["named"], ace["named"]] == ["RRRR", "RRRA"]
    assert kings["win_grande"] == kings["win_pares"] == ace["win_juego"] == 1
    assert ace["win_grande"] == pytest.approx(1 - 455 / 58_905)
    # Named as is best deal by deal it is worth more than named either way in all of them.
    best = answer["odds"][0]["net"]
    assert kings["best_net"] == ace["best_net"] == best > max(kings["net"], ace["net"])
    assert "namings" not in json.loads(musodds_hand(capsys, "RR7A", "--format", "json")[1])
    together = json.loads(musodds_hand(capsys, "RRR*", "--joint", "--format", "json")[1])["joint"]
    assert sum(row["chance"] for row in together) == pytest.approx(1, abs=1e-12)
    net = sum((row["stones_for"] - row["stones_against"]) * row["chance"] for row in together)
    assert net == pytest.approx(best, abs=1e-12)


def test_a_record_is_written_with_the_jokers_named():
    with pytest.raises(CardError, match=r"holds a joker: write the hand as it was named.*RRRR"):
        mo.Deal.start(TWO, ["*RRR", "7654"], mus=False).act("paso").act("paso").act("paso")


def test_published_odds_of_ten_kings_are_what_is_counted_now():
    me = hands(TEN).index("**CC")
    unseen = Unseen(TEN, me, None, (None, None))
    counts = named_columns(unseen, [View(seat) for seat in (2, 3)])
    assert (counts == published_counts(TEN)[me, 1:3]).all()
