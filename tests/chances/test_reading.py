"""What the others hold: by Bayes on paper, and against plain enumeration."""

from __future__ import annotations

import json
from fractions import Fraction
from math import prod

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from musodds.chances.joint import joint
from musodds.chances.odds import known_odds
from musodds.chances.reading import read_others as read
from musodds.cli.app import run
from musodds.errors import GameError, KnowledgeError
from musodds.knowledge.knowledge import know
from musodds.knowledge.language import parse_range
from musodds.rules.hands import hands
from tests import brute
from tests.exact.test_jokers import joker_game, naive_showdown
from tests.exact.test_jokers_declared import keeps_word
from tests.knowledge.test_known import REDUCED, table, weighted

GAME = REDUCED[4, 2]


def weighted_deals(game, seat, hand, ranges):
    weights = {s: table(found) for s, found in ranges.items()}
    for dealt, ways in brute.deals(game, {seat: hand}):
        weight = ways * prod(w[dealt[s - 1]] for s, w in weights.items())
        if weight:
            yield dealt, weight


def share(deals, event):
    total = sum(weight for _, weight in deals)
    return Fraction(sum(weight for dealt, weight in deals if event(dealt)), total)


def points(hand):
    return sum(brute.POINTS[card] for card in hand)


def beats(game, hand, mine, seat, my_seat, phase):
    other, own = brute.strength(hand, phase), brute.strength(mine, phase)
    if other is None:
        return False
    return own is None or other > own or (other == own and seat < my_seat)


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_reading_is_that_of_plain_enumeration(data):
    seat = data.draw(st.integers(1, 4))
    places = {"partner": (seat + 1) % 4 + 1, "next": seat % 4 + 1, "previous": (seat + 2) % 4 + 1}
    ranges = {
        s: parse_range(text, GAME)
        for s in places.values()
        if (text := data.draw(st.none() | weighted)) is not None
    }
    hand = data.draw(st.sampled_from(["R774", "R4AA", "RR7A"]))
    deals = list(weighted_deals(GAME, seat, hand, ranges))
    assume(deals)
    answer = read(hand, game=GAME, seat=seat, knowledge=know(GAME, seats=ranges))
    plays = {
        "pares": lambda h: brute.strength(h, "pares") is not None,
        "duples": lambda h: (brute.strength(h, "pares") or (0,))[0] == 3,
        "juego": lambda h: points(h) >= 31,
        "punto of 25": lambda h: points(h) == 25,
        "two kings or more": lambda h: h.count("R") >= 2,
        "two aces or more": lambda h: h.count("A") >= 2,
    }
    rivals = (places["next"], places["previous"])
    for what, holds in plays.items():
        for who, s in places.items():
            has = share(deals, lambda d, s=s, holds=holds: holds(d[s - 1]))
            assert answer.plays[who][what] == has
        either = share(deals, lambda d, holds=holds: any(holds(d[s - 1]) for s in rivals))
        assert answer.plays["either"][what] == either
    for who, s in places.items():
        chances = answer.hand_chances[who]
        assert sum(chances.values()) == 1
        for text in hands(GAME).texts:
            assert chances.get(text, 0) == share(deals, lambda d, s=s, text=text: d[s - 1] == text)
    for phase in ("grande", "chica", "pares", "juego"):
        unbeaten = share(
            deals,
            lambda d, phase=phase: (
                not any(beats(GAME, d[s - 1], hand, s, seat, phase) for s in rivals)
            ),
        )
        assert answer.no_rival[f"beats my {phase}"] == unbeaten


def test_bayes_on_paper():
    """Nine cards, two players, I hold 6666: the other has RR77, RR76 or R776, 1 : 2 : 2."""
    game = brute.reduced_game({"R": 2, "7": 2, "6": 5}, 2, 1)
    plain = read("6666", game=game)
    assert dict(plain.likely("next"))["RR77"] == pytest.approx(1 / 5)
    told = read("6666", knowledge=know(game, next="RR?? | any@0.25"))
    # 1 · 1 : 2 · 1 : 2 · 0.25
    assert told.hand_chances["next"]["RR76"] == Fraction(2 * 4, 4 + 8 + 2)
    assert told.plays["next"]["duples"] == Fraction(4, 14)


def test_kings_of_mine_make_kings_of_theirs_rarer():
    poor = read("C765").plays["either"]["two kings or more"]
    rich = read("RRRR").plays["either"]["two kings or more"]
    assert rich < poor / 2
    told = read("RRRR", knowledge=know(partner="RRR?")).plays["either"]["two kings or more"]
    assert told == 0  # one king is left


def test_rows_and_frame():
    answer = read("RR7A", seat="postre")
    frame = answer.to_frame(3)
    assert list(frame.columns) == ["who", "about", "what", "chance"]
    assert (frame["about"] == "hand").sum() == 9
    assert frame["chance"].between(0, 1).all()


def test_one_rival_only():
    answer = read("RR7A", game="mus2p", seat=2)
    assert list(answer.plays) == ["next"]
    assert sum(answer.hand_chances["next"].values()) == 1


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_joint_is_that_of_plain_enumeration(data):
    seat = data.draw(st.integers(1, 4))
    ranges = {
        s: parse_range(text, GAME)
        for s in range(1, 5)
        if s != seat and (text := data.draw(st.none() | weighted)) is not None
    }
    hand = data.draw(st.sampled_from(["R774", "RR7A", "4AAA"]))
    truth: dict = {}
    for dealt, weight in weighted_deals(GAME, seat, hand, ranges):
        stones, results = [0, 0], []
        for phase in ("grande", "chica", "pares", "juego", "punto"):
            winner, _ = brute.judge(GAME, dealt, phase)
            if winner is None:
                results.append("void")
                continue
            side = GAME.side(winner)
            mine = side == GAME.side(seat)
            results.append("win" if mine else "lose")
            stones[not mine] += (
                sum(brute.own_stones(dealt[s - 1], phase) for s in (side + 1, side + 3))
                if phase in ("pares", "juego")
                else 1
            )
        key = (*results, *stones)
        truth[key] = truth.get(key, 0) + weight
    assume(truth)
    answer = joint(hand, game=GAME, seat=seat, knowledge=know(GAME, seats=ranges))
    total = sum(truth.values())
    found = {tuple(list(row.values())[:-1]): row["chance"] for row in answer.rows()}
    assert found == {key: weight / total for key, weight in truth.items()}


@pytest.mark.parametrize("knowledge", [know(), know(partner="31", rivals="pares@0.3 | any@0.1")])
def test_joint_has_the_means_and_margins_of_the_odds(knowledge):
    answer = joint("RC5A", seat=2, knowledge=knowledge)
    odds = known_odds("RC5A", seat=2, knowledge=knowledge)
    assert answer.deals == odds[2].deals == answer.counts.sum()
    counts = answer.counts.sum(axis=(4, 5))
    margins = {
        ("grande", "win"): counts[0].sum(),
        ("chica", "win"): counts[:, 0].sum(),
        ("pares", "win"): counts[:, :, 0].sum(),
        ("pares", "void"): counts[:, :, 2].sum(),
        ("juego", "win"): counts[:, :, :, 0].sum(),
        ("punto", "win"): counts[:, :, :, 2].sum(),
        ("punto", "lose"): counts[:, :, :, 3].sum(),
    }
    for (phase, column), count in margins.items():
        assert odds.fraction(2, phase, column) == Fraction(int(count), answer.deals)
    for whose, column in enumerate(("stones_for", "stones_against")):
        mean = sum(i * chance for i, chance in enumerate(answer.distribution(whose)))
        phases = ("grande", "chica", "pares", "juego", "punto")
        assert mean == sum(odds.fraction(2, phase, column) for phase in phases)


def naive_shares(deals, answer, places, my_seat):
    """Check what a reading says against deals: (dealt, named, weight)."""
    total = sum(weight for *_, weight in deals)
    rivals = [s for who, s in places.items() if who != "partner"]

    def chance(event):
        return Fraction(sum(w for dealt, named, w in deals if event(dealt, named)), total)

    plays = {
        "pares": lambda h: brute.strength(h, "pares") is not None,
        "medias": lambda h: (brute.strength(h, "pares") or (0,))[0] == 2,
        "juego": lambda h: points(h) >= 31,
        "two aces or more": lambda h: h.count("A") >= 2,
    }
    for what, holds in plays.items():
        for who, s in places.items():
            expected = chance(lambda _, named, s=s, holds=holds: holds(named[s - 1]))
            assert answer.plays[who][what] == expected, (who, what)
        if len(rivals) == 2:
            assert answer.plays["either"][what] == chance(
                lambda _, named, holds=holds: any(holds(named[s - 1]) for s in rivals)
            )
    for who, s in places.items():
        for hand, found in answer.hand_chances[who].items():
            same = sorted(hand)
            assert found == chance(lambda dealt, _, s=s, same=same: sorted(dealt[s - 1]) == same)
        for total_points, found in answer.wholes["points"][who].items():
            want = int(total_points)
            assert found == chance(lambda _, n, s=s, want=want: points(n[s - 1]) == want)
        for juego, found in answer.wholes["juego"][who].items():
            if juego.isdigit():
                want = int(juego)
                assert found == chance(lambda _, n, s=s, want=want: points(n[s - 1]) == want)
        for cards, found in answer.wholes["grande"][who].items():
            same = sorted(cards)
            assert found == chance(lambda _, n, s=s, same=same: sorted(n[s - 1]) == same)
        for whole in answer.wholes.values():
            assert sum(whole[who].values()) == 1
    for phase in ("pares", "juego"):
        assert answer.no_rival[f"has {phase}"] == chance(
            lambda _, n, p=phase: all(brute.strength(n[s - 1], p) is None for s in rivals)
        )
    for phase in ("grande", "chica", "pares", "juego") if answer.hand else ():
        assert answer.no_rival[f"beats my {phase}"] == chance(
            lambda _, n, p=phase: (
                not any(beats(None, n[s - 1], n[my_seat - 1], s, my_seat, p) for s in rivals)
            )
        ), phase


@pytest.mark.parametrize(
    ("hand", "seat", "known"),
    [
        ("R77A", 1, {"pares": "?,no,?,yes"}),
        ("*75A", 3, {"juego": "?,?,?,no"}),
        ("**7A", 2, {}),
        ("R75A", 4, {"partner": "*??? | 77AA@0.5", "juego": "yes,?,?,?"}),
    ],
)
def test_with_jokers_plays_are_of_the_hands_as_named(hand, seat, known):
    game = joker_game({"R": 2, "7": 3, "5": 2, "A": 8}, 4, 2)
    knowledge = know(game, **known)
    partner = parse_range(known.get("partner", "any"), game)
    places = {"partner": (seat + 1) % 4 + 1, "next": seat % 4 + 1, "previous": (seat + 2) % 4 + 1}
    deals = []
    for dealt, ways in brute.deals(game, {seat: hand}):
        named = naive_showdown(game, dealt)
        held = hands(game).index("".join(sorted(dealt[places["partner"] - 1])))
        ways *= int(partner.weights[held])
        declared = {phase: known[phase] for phase in ("pares", "juego") if phase in known}
        if ways and keeps_word(named, declared):
            deals.append((dealt, named, ways))
    answer = read(hand, seat=seat, knowledge=knowledge)
    naive_shares(deals, answer, places, seat)


@pytest.mark.parametrize(
    ("seat", "known"),
    [
        (1, {"next": "juego | 774A@0.5"}),
        (3, {"partner": "RR?? | 774A@0.5", "pares": "?,yes,?,?", "dead": "A"}),
        (2, {"juego": "?,no,yes,?"}),  # one's own word
    ],
)
def test_without_a_hand_of_ones_own(seat, known):
    game = REDUCED[4, 2]
    places = {"partner": (seat + 1) % 4 + 1, "next": seat % 4 + 1, "previous": (seat + 2) % 4 + 1}
    ranges = {places[w]: parse_range(t, game) for w, t in known.items() if w in places}
    cards = {kind.symbol: kind.copies for kind in game.deck.kinds}
    for card in known.get("dead", ""):
        cards[card] -= 1
    deals = []
    for dealt, ways in brute.deals(brute.reduced_game(cards, 4, 2), {}):
        for s, one in ranges.items():
            ways *= int(one.weights[hands(game).index(dealt[s - 1])])
        declared = {phase: known[phase] for phase in ("pares", "juego") if phase in known}
        if ways and keeps_word(tuple(dealt), declared):
            deals.append((dealt, dealt, ways))
    answer = read(seat=seat, knowledge=know(game, **known))
    assert answer.hand is None
    naive_shares(deals, answer, places, seat)


def test_a_hand_is_needed_where_it_decides_what_is_named():
    with pytest.raises(GameError, match=r"jokers are named in mus-ten-kings.*give it"):
        read(knowledge=know("mus-ten-kings", next="31"))
    alone = read(knowledge=know("mus2p-ten-kings", pares="?,no"), seat=1)
    assert alone.plays["next"]["pares"] == 0
    with pytest.raises(KnowledgeError, match=r"no deal fits.*partner: RRRR.*next: RRRR"):
        read(knowledge=know("mus", next="RRRR", partner="RRRR", previous="RRRC"))


def test_the_chances_of_a_wink_without_pares(capsys):
    """Counted on paper.

    31 without pares: R C S A, or one of R, C, S with 21 in three different cards below: none;
    two of them with 11 in two different cards: 7 4, 6 5.
    """
    assert run(["read", "--next", "31 & !pares", "--whole", "juego", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["reads"]
    held = {r["what"]: r["chance"] for r in rows if r["who"] == "next" and r["about"] == "hand"}
    # R C S A in 8 · 4 · 4 · 8 ways; R C, R S in 32, C S in 16, with 7 4 or 6 5 in 16 each.
    ways = 8 * 4 * 4 * 8 + (32 + 32 + 16) * 2 * 16
    assert held["RCSA"] == pytest.approx(1024 / ways)
    assert held["RC74"] == held["RS65"] == pytest.approx(512 / ways)
    juegos = [r["what"] for r in rows if r["who"] == "next" and r["about"] == "juego"]
    assert juegos == ["31", "32", "40", "37", "36", "35", "34", "33", "no juego"]
    assert run(["read"]) == 2
    assert "give your hand, what you know of the others, or both" in capsys.readouterr().err
