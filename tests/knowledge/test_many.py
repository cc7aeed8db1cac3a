"""Many questions in a table: each row is answered as one question is, in the same order."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import musodds as mo
from musodds.rules.hands import hands

TEXTS = hands(mo.get_game("mus")).texts
RANGES = ("31", "pares", "!juego", "RR..", "pares@0.5 | any")

rows = st.fixed_dictionaries(
    {"hand": st.sampled_from(TEXTS), "seat": st.sampled_from([1, 2, "3", "postre", "all"])},
    optional={
        "partner": st.sampled_from((*RANGES, "C765", "7744", None, "", float("nan"))),
        "next": st.sampled_from((*RANGES, None)),
        "rivals": st.sampled_from((None, "!31")),
        "note": st.text(max_size=3),
    },
)


def one_by_one(row):
    """What one question answers, asked as people ask it."""
    said = {
        name: row[name]
        for name in ("partner", "next", "rivals")
        if isinstance(row.get(name), str) and row[name]
    }
    knowledge = mo.know("mus", **said) if said else None
    return mo.odds(row["hand"], seat=row["seat"], knowledge=knowledge)


@settings(max_examples=25, deadline=None)
@given(questions=st.lists(rows, min_size=1, max_size=4))
def test_a_table_of_questions_is_answered_as_each_is(questions):
    asked = []
    for row in questions:
        try:
            asked.append((row, one_by_one(row)))
        except mo.InputError:
            continue
    found = mo.odds([row for row, _ in asked])
    expected = [(i, record) for i, (_, answer) in enumerate(asked) for record in answer.records()]
    assert [*found.index] == [i for i, _ in expected]
    for (_, record), (_, row) in zip(expected, found.iterrows(), strict=True):
        for name, value in record.items():
            assert row[name] == value or (value is None and pd.isna(row[name]))


def test_the_input_columns_stand_in_front_and_its_index_tells_the_row():
    frame = pd.DataFrame(
        {"mine": [7, 8], "hand": ["7654", "RR7A"], "seat": ["postre", 1]}, index=["b", "a"]
    )
    found = mo.odds(frame)
    assert [*found.columns[:3]] == ["mine", "hand", "seat"]
    assert [*found.index] == ["b"] * 5 + ["a"] * 5
    assert found["seat"].tolist() == [4] * 5 + [1] * 5
    assert found["mine"].tolist() == [7] * 5 + [8] * 5


def test_net_stands_once_for_each_seat_so_that_it_adds_up():
    found = mo.odds(["RR7A", "7654"])
    net = mo.odds("RR7A").net(2)
    assert found[found.seat.eq(2) & found.hand.eq("RR7A")]["net"].sum() == net
    assert found["net"].count() == 8
    assert mo.odds("RR7A").to_frame()["net"].count() == 4
    assert len({row["net"] for row in mo.odds("RR7A", seat=1).rows()}) == 1
    assert mo.odds("RR7A", n=500).to_frame()["net_se"].count() == 4


@pytest.mark.parametrize(
    "questions",
    [
        {"hand": ["RR7A", "7654"], "seat": [1, 2]},
        [{"hand": "RR7A", "seat": 1}, {"hand": "7654", "seat": 2}],
        pd.DataFrame({"hand": ["RR7A", "7654"], "seat": [1.0, 2.0]}),
    ],
)
def test_tables_of_every_shape_are_the_same(questions):
    expected = mo.odds(["RR7A", "7654"], seat=[1, 2])
    found = mo.odds(questions)[[*expected.columns]]
    pd.testing.assert_frame_equal(found, expected, check_dtype=False)


def test_a_list_of_cards_is_one_hand():
    assert mo.odds(["R", "R", "7", "A"]) == mo.odds("RR7A")
    assert mo.odds(["12", "rey", "7", "1"], partner=["C", "7", "6", "5"]) == mo.odds(
        "RR7A", partner="C765"
    )
    assert mo.odds(["7o", "7c", "7e", "So"], game="mus-real-suits").hand == "So 7o 7c 7e"
    assert mo.read_others(["R", "R", "7", "A"]) == mo.read_others("RR7A")
    assert mo.duel([["R", "R", "7", "A"], "31"]) == mo.duel(["RR7A", "31"])
    assert mo.know(partner=["R", "R", "7", "A"]) == mo.know(partner="RR7A")


def test_duel_read_bet_and_discard_take_tables():
    found = mo.duel({"hand_1": ["RR7A", "31"], "hand_3": ["pares", None]})
    one = mo.duel(["RR7A", "any", "pares"]).to_frame()
    assert found.loc[0, [*one.columns]].reset_index(drop=True).equals(one)
    assert mo.duel([{"held": ["RR7A", "31"]}])["seat_2"].tolist() == (
        mo.duel(["RR7A", "31"]).to_frame()["seat_2"].tolist()
    )
    told = mo.read_others([{"hand": "RR7A", "partner": "31", "seat": 2}])
    knowledge = mo.know(partner="31")
    assert told["chance"].tolist() == [
        row["chance"] for row in mo.read_others("RR7A", seat=2, knowledge=knowledge).rows()
    ]
    said = mo.bet(
        {"hand": ["RR7A"], "seat": ["1"], "score": ["32-35"], "offer": [5.0]}, phase="grande"
    )
    answer = mo.bet("RR7A", seat=1, score=(32, 35), offer=5, phase="grande")
    assert said["win"].tolist() == [answer.win] * len(answer.choices)
    assert said["action"].tolist() == [choice.action for choice in answer.choices]
    kept = mo.discard([{"hand": "RR7A", "seat": 1, "n": "256"}])
    assert kept["net"].tolist() == mo.discard("RR7A", seat=1, n=256).to_frame()["net"].tolist()


@pytest.mark.parametrize(
    ("questions", "message"),
    [
        ({"hand": ["RR7A", "RR7"]}, "row 1: hand 'RR7' has 3 cards"),
        (pd.DataFrame({"hand": ["RR7A"], "seat": [9]}, index=["x"]), "row x: no seat '9' in mus"),
        ({"hand": ["RR7A"], "prtner": ["31"]}, "column 'prtner': did you mean partner?"),
        ({"seat": [1]}, "row 0: there is no hand"),
        ({"hand": ["RR7A", "7654"], "seat": [1]}, "not of one length: hand 2, seat 1"),
        ([{"hand": "RR7A", "partner": "31@"}], "row 0: partner: range '31@'"),
        ([{"hand": "RR7A", "n": "many"}], "row 0: n 'many': a whole number"),
        ([{"hand": "RR7A", "seat_range": "3"}], "row 0: seat range '3': write a seat and a range"),
    ],
)
def test_a_bad_row_is_named(questions, message):
    with pytest.raises(mo.InputError, match=message.replace("?", r"\?")):
        mo.odds(questions)


def test_parallel_arguments_must_be_as_many_as_the_questions():
    with pytest.raises(mo.InputError, match="seat has 1 entries for 2 questions"):
        mo.odds(["RR7A", "7654"], seat=[1])


def test_no_questions_have_no_answers():
    assert mo.odds([]).empty
    assert [*mo.odds(pd.DataFrame({"hand": []})).columns] == ["hand"]


def test_what_is_known_for_all_rows_holds_besides_what_is_known_in_each():
    found = mo.odds(["RR7A"], knowledge=mo.know(dead="A"), next=["31"])
    one = mo.odds("RR7A", knowledge=mo.know(next="31", dead="A"))
    assert found["win"].tolist() == [row["win"] for row in one.rows()]
