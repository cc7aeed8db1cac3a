"""The language of ranges: what every form means, and what every misspelling says."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from musodds.errors import CardError, RangeError
from musodds.knowledge.language import named_ranges, parse_range, range_of
from musodds.knowledge.range import Range
from musodds.rules.games import get_game
from musodds.rules.hands import hands

POINTS = dict(zip("RCS7654A", (10, 10, 10, 7, 6, 5, 4, 1), strict=True))
HANDS = ["".join(cards) for cards in combinations_with_replacement("RCS7654A", 4)]
HANDS = [hand for hand in HANDS if all(hand.count(c) <= 4 for c in "CS7654")]


def total(hand: str) -> int:
    return sum(POINTS[card] for card in hand)


def alike(hand: str) -> list[int]:
    return sorted(Counter(hand).values())


def is_par(hand: str) -> bool:
    return alike(hand) == [1, 1, 2]


def is_medias(hand: str) -> bool:
    return alike(hand) == [1, 3]


def is_duples(hand: str) -> bool:
    return alike(hand) in ([2, 2], [4])


def has_pares(hand: str) -> bool:
    return max(alike(hand)) > 1


JUEGOS = [31, 32, 40, 37, 36, 35, 34, 33]

# A range, and the same said independently of the library.
MEANINGS = {
    "any": lambda h: True,
    "RR7A": lambda h: h == "RR7A",
    "r-r-7-a": lambda h: h == "RR7A",
    "3 12 7 2": lambda h: h == "RR7A",
    "RR??": lambda h: h.count("R") >= 2,
    "RR..": lambda h: h.count("R") == 2,
    "R...": lambda h: h.count("R") == 1,
    "RR.?": lambda h: h.count("R") in (2, 3),
    "RA..": lambda h: h.count("R") == h.count("A") == 1,
    "RA??": lambda h: "R" in h and "A" in h,
    "????": lambda h: True,
    "pares": has_pares,
    "par": is_par,
    "medias": is_medias,
    "duples": is_duples,
    "juego": lambda h: total(h) >= 31,
    "punto": lambda h: total(h) <= 30,
    "31": lambda h: total(h) == 31,
    "40": lambda h: total(h) == 40,
    "29": lambda h: total(h) == 29,
    "juego:31": lambda h: total(h) == 31,
    "punto:30": lambda h: total(h) == 30,
    "par:R": lambda h: is_par(h) and h.count("R") == 2,
    "medias:A": lambda h: h.count("A") == 3,
    "duples:RA": lambda h: h == "RRAA",
    "duples:AR": lambda h: h == "RRAA",
    "duples:RR": lambda h: h == "RRRR",
    "duples:R": lambda h: is_duples(h) and h.count("R") >= 2,
    "pares:R": lambda h: h.count("R") >= 2,
    "grande>=RRCS": lambda h: grande(h) >= grande("RRCS"),
    "grande>RRCS": lambda h: grande(h) > grande("RRCS"),
    "grande=RRCS": lambda h: h == "RRCS",
    "grande!=RRCS": lambda h: h != "RRCS",
    "chica>AA47": lambda h: chica(h) > chica("AA47"),
    "chica<=AA47": lambda h: chica(h) <= chica("AA47"),
    "pares>=medias": lambda h: is_medias(h) or is_duples(h),
    "pares>medias": is_duples,
    "pares<medias": is_par,
    "pares<=medias": lambda h: is_par(h) or is_medias(h),
    "pares=medias": is_medias,
    "pares!=medias": lambda h: is_par(h) or is_duples(h),
    "pares>medias:R": is_duples,
    "pares>=RRC7": lambda h: h.count("R") >= 2 or is_medias(h) or is_duples(h),
    "pares=RRC7": lambda h: is_par(h) and h.count("R") == 2,
    "pares>RRC7": lambda h: is_medias(h) or is_duples(h),
    "juego>=36": lambda h: total(h) in JUEGOS[: JUEGOS.index(36) + 1],
    "juego>40": lambda h: total(h) in (31, 32),
    "juego<36": lambda h: total(h) in (35, 34, 33),
    "juego>=RRCC": lambda h: total(h) in (31, 32, 40),
    "punto>=28": lambda h: 28 <= total(h) <= 30,
    "punto<=9": lambda h: total(h) <= 9,
    "punto>5": lambda h: 5 < total(h) <= 30,
    "punto<28": lambda h: total(h) < 28,
    "!pares": lambda h: not has_pares(h),
    "!!pares": has_pares,
    "pares & !juego": lambda h: has_pares(h) and total(h) < 31,
    "31 | 32": lambda h: total(h) in (31, 32),
    "31 | pares & juego": lambda h: total(h) == 31 or (has_pares(h) and total(h) > 30),
    "(31 | pares) & medias": is_medias,
    "!(31 | pares)": lambda h: total(h) != 31 and not has_pares(h),
    "PARES&JUEGO": lambda h: has_pares(h) and total(h) > 30,
    "!pares>=medias": lambda h: not (is_medias(h) or is_duples(h)),
    "seña:31": lambda h: total(h) == 31,
    "sena:tres-reyes": lambda h: h.count("R") == 3,
    "seña:dos reyes": lambda h: h.count("R") == 2,
}


def grande(hand: str) -> list[int]:
    return sorted(("A4567SCR".index(card) for card in hand), reverse=True)


def chica(hand: str) -> list[int]:
    return sorted(-"A4567SCR".index(card) for card in hand)[::-1]


@pytest.mark.parametrize("text", MEANINGS)
def test_a_range_holds_the_hands_it_says(text):
    expected = [hand for hand in HANDS if MEANINGS[text](hand)]
    assert list(parse_range(text).hands) == expected


# A misspelt range, and what the message must say: the character and the remedy.
MISSPELT = {
    "": "empty range",
    "   ": "empty range",
    "pares & jueg": "character 9: 'jueg' means nothing here: did you mean juego?",
    "xyz": "character 1: 'xyz' means nothing here: write a hand (RR7A)",
    "(pares | 31": "character 1: this ( is never closed",
    "pares | 31)": "character 11: this ) closes nothing",
    "(pares 31@0.5 & 31)": "weight ends an alternative",
    "&": "character 1: '&' stands where a range should be",
    "31 &": "character 5: the range ends where a range should be",
    "31 | | 32": "character 6: '|' stands where a range should be",
    "31 (pares)": "character 4: unexpected '('",
    "!": "ends where a range should be",
    "()": "character 2: ')' stands where a range should be",
    "31@": "character 4: the range ends where a weight should be",
    "31@x": "character 4: 'x' is not a weight: write a number such as 0.7",
    "31@-1": "'-1' is not a weight",
    "31@&": "'&' stands where a weight should be",
    "31@1/0": "divides by zero",
    "31@0.1234567": "at most 6 decimals",
    "31@0.5 & pares": "character 8: & after a weight",
    "31@0.5@0.5": "@ after a weight",
    "!(31@0.5)": "character 1: ! needs hands without weights",
    "31@0": "no hand of mus is in it",
    "par & medias": "no hand of mus is in it",
    "31@5 | (!31)@0.000001": "too fine to count exactly",
    "RR": "write RR?? for at least these cards, RR.. for no more of their kinds",
    "RRRRR": "has 5 cards and a hand has 4",
    "RR???": "has 5 cards",
    "..": "has 2 cards",
    "CCCCC": "has 5 cards",
    "KKAA": "the king is R",
    "RR8A": "no 8",
    "J7": "J7",
    "R♥RA": "suits are o c e b",
    "guiño": "did you mean seña:31?",
    "wink": "did you mean seña:31?",
    "solomillo": "did you mean seña:solomillo?",
    "seña:duplex": "did you mean duples?",
    "38": "no hand totals 38",
    "3": "no hand totals 3: totals are 4 to 40",
    "50": "no hand totals 50",
    "pair": "did you mean par?",
    "medias:RA": "medias: takes one rank, such as medias:R",
    "par:": "par: takes one rank",
    "duples:RAC": "duples: takes one rank, or two, such as duples:RA",
    "pares:K": "the king is R",
    "juego:x": "after juego: comes a total, such as juego:31",
    "juego:30": "no hand of mus",
    "punto:": "after punto: comes a total, such as punto:30",
    "any:R": "any takes nothing after a colon",
    "31, pares": "31, pares",
    "juego pares": "is several words: join ranges with & (and) or | (or)",
    "not 31": "negate with !",
    "real": "there is no juego real in mus",
    "juego>=real": "there is no juego real in mus",
    "gande>=RRCS": "character 1: 'gande' is not a phase: only grande, chica",
    "31=32": "'31' is not a phase",
    ">=31": "'>=' stands where a range should be",
    "grande>=": "ends where a hand or a play should be",
    "grande>=&": "'&' stands where a hand or a play should be",
    "(grande)>=RRCS": "character 9: >= needs a phase before it",
    "juego>31>32": "> needs a phase before it and one thing after it",
    "grande>pares": "character 8: grande cannot be compared with 'pares': write a hand",
    "chica>31": "chica cannot be compared with '31'",
    "pares>=juego": "pares cannot be compared with 'juego': write par, medias, duples",
    "pares>=31": "pares cannot be compared with '31'",
    "pares>=RC75": "character 8: 'RC75' takes no part in pares",
    "juego>=RC64": "'RC64' takes no part in juego",
    "juego>=30": "'30' takes no part in juego",
    "juego>=par": "juego cannot be compared with 'par': write a total such as 31",
    "punto>=31": "'31' takes no part in punto",
    "grande>=RR??": "grande cannot be compared with 'RR??'",
    "grande>=RR8A": "no 8",
    "seña:": "no signal '': signals are dos-reyes",
    "seña:guiño": "no signal 'guiño': did you mean 31? Signals are dos-reyes, cuatro-reyes",
    "seña:home:31": "no system of signals 'home': systems are classic, federation",
    "seña:federation:30-40": "no signal '30-40'",
    "sign:31": "means nothing here",
}


@pytest.mark.parametrize("text", MISSPELT)
def test_a_misspelt_range_says_where_and_what_would_be_valid(text):
    with pytest.raises(RangeError) as caught:
        parse_range(text)
    message = str(caught.value)
    assert MISSPELT[text] in message
    assert "\n" not in message
    assert message.startswith(("range ", "empty range"))


def test_deep_nesting_is_refused_without_a_crash():
    with pytest.raises(RangeError, match="more than 50 levels"):
        parse_range("(" * 5000 + "31" + ")" * 5000)
    assert parse_range("!" * 40 + "31") == parse_range("31")
    # What stands side by side is not deep.
    assert parse_range(" | ".join(["(31)"] * 60)) == parse_range("31")


def test_three_and_two_are_cards_of_their_own_with_four_kings():
    assert parse_range("32??", "mus4").classes.size == 55
    assert parse_range("RRRR", "mus4").hands == ("RRRR",)
    assert "R3AA" in parse_range("R...", "mus4")
    assert parse_range("duples:32", "mus4").hands == ("3322",)
    with pytest.raises(RangeError, match=r"5 cards R: the deck has only 4|has 5 cards"):
        parse_range("RRRRR", "mus4")


def test_juego_real_is_above_thirty_one():
    game = "mus-real"
    assert parse_range("real", game).hands == ("R777", "C777", "S777")
    assert parse_range("juego=real", game) == parse_range("real", game)
    assert parse_range("juego>=real", game) == parse_range("real", game)
    assert parse_range("juego>32", game) == parse_range("31", game)
    assert parse_range("juego>=R777", game) == parse_range("real", game)
    assert parse_range("juego<real & 31", game) == parse_range("31 & !real", game)


def test_the_best_juego_has_nothing_above_it():
    with pytest.raises(RangeError, match="no hand of mus is in it"):
        parse_range("juego>31")


@pytest.mark.parametrize("text", ["31@0.7 | pares@0.3", "pares@30% | 31@7/10", "pares@0.3|31@.7"])
def test_a_hand_in_several_alternatives_takes_the_largest_weight(text):
    mixed = parse_range(text)
    assert mixed.weight("RRSA") == Fraction(7, 10)  # pares and 31
    assert mixed.weight("777S") == Fraction(7, 10)
    assert mixed.weight("RR7A") == Fraction(3, 10)
    assert mixed.weight("C654") == 0
    assert not mixed.is_set


def test_and_multiplies_weights():
    assert parse_range("(31@0.5) & (RR??@0.5 | any@0.1)").weight("RRSA") == Fraction(1, 4)
    assert parse_range("(31@0.5) & (RR??@0.5 | any@0.1)").weight("777S") == Fraction(1, 20)


def test_a_weight_takes_in_all_that_is_joined_by_and():
    assert parse_range("pares & juego@0.5 | any@0.1").weight("RRAA") == Fraction(1, 10)
    assert parse_range("pares & juego@0.5 | any@0.1").weight("RRCC") == Fraction(1, 2)


def test_only_the_ratios_of_weights_are_kept_as_integers():
    mixed = parse_range("31@0.7 | pares@0.3")
    assert sorted(set(mixed.weights.tolist())) == [0, 3, 7]
    assert mixed.denominator == 10
    common = parse_range("31@0.2 | pares@0.4 | any@0.6")
    assert (sorted(set(common.weights.tolist())), common.denominator) == ([3], 5)
    half = parse_range("31@0.4 | (!31)@0.8")
    assert half.weight("RRSA") == Fraction(2, 5)
    assert sorted(set(half.weights.tolist())) == [2, 4]


def test_chance_counts_cards_that_are_left():
    # Two of eight kings and two of the other 32 cards, out of 91,390 hands.
    kings = parse_range("RR..")
    assert kings.chance() == Fraction(28 * 496, 91390)
    # With RRAA in hand: two of six kings, two of the 30 others, out of C(36, 4).
    assert kings.chance(gone="RRAA") == Fraction(15 * 435, 58905)
    assert parse_range("any@0.25").chance() == Fraction(1, 4)
    with pytest.raises(CardError):
        kings.chance(gone="CCCCC")


def test_a_range_of_another_game_is_refused():
    with pytest.raises(RangeError, match="of mus, not of mus4"):
        parse_range(parse_range("31"), "mus4")
    assert isinstance(parse_range(parse_range("31")), Range)


def test_weights_from_python():
    given_weights = range_of({"AARR": 0.5, "RR7A": Fraction(1, 3), "777S": 1})
    assert given_weights.weight("RRAA") == Fraction(1, 2)
    assert given_weights.weights.max() == 6
    with pytest.raises(RangeError, match="weight of RRAA is negative"):
        range_of({"RRAA": -1})
    with pytest.raises(RangeError, match="no hand of mus"):
        range_of({})
    with pytest.raises(CardError):
        range_of({"RRA": 1})


def test_named_ranges():
    names = named_ranges("# mine\n\nGood = duples | 31\nbetter = good & juego # and so on\n")
    assert names == {"good": "duples | 31", "better": "good & juego"}
    assert parse_range("better", names=names) == parse_range("(duples | 31) & juego")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("good duples", "mine.txt, line 1: 'good duples' is not a line such as"),
        ("\ngood =", "line 2: 'good =' is not a line such as"),
        ("g o = 31", "is not a line such as"),
        ("pares = 31", "'pares' already means something"),
        ("grande = 31", "'grande' already means something"),
        ("sena = 31", "'sena' already means something"),
        ("raca = 31", "'raca' already means something"),
        ("a-b = 31\na-b = 32", "'a-b' is there twice"),
        ("good = 31 | x y z", "mine.txt, good: range '31 | x y z', character 6"),
        ("good = best\nbest = good", "is defined by itself"),
    ],
)
def test_a_file_of_names_with_mistakes(lines, message):
    with pytest.raises(RangeError) as caught:
        named_ranges(lines, source="mine.txt")
    assert message in str(caught.value)


simple = st.sampled_from(["pares", "31", "juego", "RR??", "A...", "punto>=28", "chica>AA47"])
sets = st.recursive(
    simple,
    lambda inner: st.one_of(
        inner.map(lambda a: f"!({a})"),
        st.tuples(inner, inner).map(lambda ab: f"({ab[0]}) & ({ab[1]})"),
        st.tuples(inner, inner).map(lambda ab: f"({ab[0]}) | ({ab[1]})"),
    ),
    max_leaves=4,
)


def values(text):
    try:
        return set(parse_range(text).hands)
    except RangeError:  # an empty set
        return set()


@settings(max_examples=100, deadline=None)
@given(a=sets, b=sets)
def test_operators_are_those_of_sets(a, b):
    everything = set(hands(get_game("mus")).texts)
    assert values(f"({a}) & ({b})") == values(a) & values(b)
    assert values(f"({a}) | ({b})") == values(a) | values(b)
    assert values(f"!({a})") == everything - values(a)


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        ("mus-real", {"R777", "C777", "S777"}),
        ("mus-real-oros", {"So 7 7 7"}),
        ("mus4-real-oros", {"So 7 7 7"}),
        ("mus2p-real-ten-kings", {"*777", "R777", "C777", "S777"}),
    ],
)
def test_real_is_a_range_in_every_form(game, expected):
    assert set(parse_range("real", game).hands) == expected
    assert set(parse_range("juego >= real", game).hands) == expected


def test_real_of_the_fourth_suit_is_a_range_too():
    assert len(parse_range("real", "mus-real-suits").hands) == 4


def test_a_sign_is_of_the_hand_as_it_may_be_named():
    """Kings and aces count as pares and 31 do: a joker may be one of them."""
    ten = "mus-ten-kings"
    two_kings = parse_range("seña:dos-reyes", ten)
    for hand in ("RR76", "*R76", "**76", "*R7A"):
        assert hand in two_kings
    # Three kings, as named in any way, or one at most.
    for hand in ("RRR7", "*765", "R765", "*RR*"):
        assert (hand in two_kings) == (hand == "*RR*")
    assert "*RRR" in parse_range("seña:solomillo", ten)
    assert "*RRR" in parse_range("seña:cuatro-reyes", ten)
    assert "*RRR" in parse_range("seña:31", ten)
    nothing = parse_range("seña:ciego", ten)
    assert "*765" in nothing
    assert "*R65" not in nothing
    # Patterns outside of signs are of the cards dealt.
    assert "*R76" not in parse_range("RR..", ten)
    assert set(parse_range("seña:dos-reyes", "mus").hands) == set(parse_range("RR..", "mus").hands)
