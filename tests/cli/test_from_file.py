"""Files of questions: every row is answered as the command answers one, in order."""

import csv
import io
import json
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import musodds as mo
from musodds.cli import main
from musodds.rules.hands import hands

DEAL = Path(__file__).parents[2] / "notebooks" / "data" / "deal.txt"


@pytest.fixture
def ask(capfd, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("MUSODDS_RANGES", raising=False)

    def run(*arguments, lines=None):
        words = list(map(str, arguments))
        if lines is not None:
            path = tmp_path / "questions"
            path.write_text(lines, encoding="utf-8")
            words += ["--from", str(path)]
        status = main(words)
        printed = capfd.readouterr()
        return status, printed.out, printed.err

    return run


def table(text):
    return list(csv.DictReader(io.StringIO(text)))


def one(ask, *words):
    status, out, err = ask(*words, "--format", "csv")
    assert status == 0, err
    return table(out)


def check_rows(found, expected, typed=()):
    """Rows of a file of answers have what the answers to one question have, but as typed."""
    assert len(found) == len(expected)
    for row, wanted in zip(found, expected, strict=True):
        for name in wanted.keys() - typed:
            assert row[name] == wanted[name], name


@pytest.mark.parametrize(
    ("command", "lines", "questions"),
    [
        (
            "hand",
            "hand,seat,partner\nRR7A,1,\n7654,postre,31\nRRAA,2,C765\n",
            [("RR7A", "--seat", "1"), ("7654", "--seat", "postre", "--partner", "31"),
             ("RRAA", "--seat", "2", "--partner", "C765")],
        ),
        (
            "hand",
            'hand;game;seat;seat-range\nRR7A;encaje3;;\nRRAA;mus;1;"2=31;3=pares"\n',
            [("RR7A", "--game", "encaje3"),
             ("RRAA", "--seat", "1", "--seat-range", "2=31", "--seat-range", "3=pares")],
        ),
        (
            "duel",
            'hand_1,hand_3,pares\nRR7A,31,\nRRAA,,"yes,?,?,?"\n',
            [("RR7A", "any", "31"), ("RRAA", "--pares", "yes,?,?,?")],
        ),
        (
            "read",
            "hand,seat,rivals,hands\nRR7A,2,pares,1\n",
            [("RR7A", "--seat", "2", "--rivals", "pares", "--hands", "1")],
        ),
        (
            "bet",
            "hand,seat,phase,score,offer,agreed\nRR7A,1,pares,32-35,5,grande:5;chica:us\n",
            [("RR7A", "--seat", "1", "--phase", "pares", "--score", "32-35", "--offer", "5",
              "--agreed", "grande:5", "--agreed", "chica:us")],
        ),
        (
            "discard",
            "hand,seat,n,learn\nRR7A,1,256,yes\n7654,2,256,no\n",
            [("RR7A", "--seat", "1", "-n", "256", "--learn"),
             ("7654", "--seat", "2", "-n", "256", "--no-learn")],
        ),
    ],
)  # fmt: skip
def test_a_file_is_answered_as_its_questions_are(ask, command, lines, questions):
    status, out, _ = ask(command, lines=lines)
    assert status == 0
    found = table(out)
    expected = []
    for words in questions:
        expected += one(ask, command, *words)
    typed = set(lines.splitlines()[0].replace(";", ",").split(",")) - {"seat"}
    check_rows(found[: len(expected)], expected, typed)


def test_a_bad_row_says_why_and_the_others_are_answered(ask):
    lines = "id,hand,seat\na,RR7A,1\nb,RR7,1\nc,RR7A,9\n\nd,7654,1,extra\ne,7654,1\n"
    status, out, err = ask("hand", lines=lines)
    rows = table(out)
    assert status == 0
    assert [row["id"] for row in rows] == ["a"] * 5 + ["b", "c", "d"] + ["e"] * 5
    assert rows[5]["error"].startswith("hand 'RR7' has 3 cards")
    assert rows[6]["error"].startswith("no seat '9' in mus")
    assert rows[7]["error"].startswith("it has 4 cells for 3 columns")
    assert rows[5]["win"] == ""
    assert "3 rows not answered" in err
    assert not any(row["error"] for row in (*rows[:5], *rows[8:]))


def test_strict_stops_at_the_first_bad_row_and_writes_nothing(ask, tmp_path):
    output = tmp_path / "out.csv"
    lines = "hand\nRR7A\nRR7\n7654\n"
    status, out, err = ask("hand", "--strict", "-o", output, lines=lines)
    assert (status, out, output.exists()) == (2, "", False)
    assert "row 2: hand 'RR7' has 3 cards" in err


def test_json_is_one_object_a_line(ask):
    lines = (
        '{"hand": ["R", "R", "7", "A"], "seat": 1, "id": 7}\n{"hand": "RR7A"\n{"hand": "x"}\n7\n'
    )
    status, out, _ = ask("hand", "--format", "json", lines=lines)
    first, *bad = map(json.loads, out.splitlines())
    assert status == 0
    assert [*first][:4] == ["hand", "seat", "id", "game"]
    assert first["odds"] == mo.odds("RR7A", seat=1).rows()
    assert ["error" in answer for answer in bad] == [True] * 3
    assert "line 2 is not JSON" in bad[0]["error"]


def test_an_array_of_objects_and_options_for_all_rows(ask):
    lines = json.dumps([{"hand": "RR7A"}, {"hand": "7654", "seat": 2}])
    status, out, _ = ask("hand", "--seat", "1", lines=lines)
    rows = table(out)
    assert status == 0
    assert [row["seat"] for row in rows] == ["1"] * 5 + ["2"] * 5


def test_columns_that_come_late_are_there_from_the_first_row(ask):
    """Encaje has columns more, and so has what is known; cells with line ends survive."""
    lines = 'note,hand,game,rivals\n"a\nb",RR7A,mus,\n,RR7A,encaje3,\n,RR7A,mus,31\n'
    status, out, _ = ask("hand", "--seat", "1", lines=lines)
    rows = table(out)
    assert status == 0
    assert rows[0]["note"] == "a\nb"
    assert {len(row) for row in rows} == {len(rows[-1])}
    assert [bool(row["worst"]) for row in rows] == [False] * 5 + [True] * 5 + [False] * 5
    assert [row["knowledge"] for row in rows[-5:]] == ["rivals: 31"] * 5
    assert None not in rows[0]


@pytest.mark.parametrize("suffix", ["csv", "tsv", "json", "jsonl", "parquet", "xlsx", "md", "html"])
def test_every_format_is_written(ask, tmp_path, suffix):
    pytest.importorskip("pyarrow")
    output = tmp_path / f"out.{suffix}"
    status, _, err = ask("hand", "-o", output, lines="hand,seat\nRR7A,all\n7654,1\nRR7,1\n")
    assert status == 0, err
    if suffix == "parquet":
        frame = pd.read_parquet(output)
        assert len(frame) == 26
        assert frame["net"].count() == 5
        assert frame["error"].count() == 1
    else:
        assert output.stat().st_size > 1000


def test_parquet_in_is_as_csv_in(ask, tmp_path):
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"hand": ["RR7A", "7654"], "seat": [1, 2], "partner": [None, "31"]})
    path = tmp_path / "in.parquet"
    frame.to_parquet(path)
    status, out, _ = ask("hand", "--from", path)
    assert status == 0
    _, again, _ = ask("hand", lines=frame.to_csv(index=False))
    assert out == again


def test_records_are_counted_from_a_file(ask):
    record = DEAL.read_text(encoding="utf-8")
    lines = "\n".join(
        json.dumps(row) for row in ({"file": str(DEAL)}, {"record": record}, {"record": "x"})
    )
    status, out, _ = ask("score", lines=lines)
    rows = table(out)
    expected = one(ask, "score", DEAL)
    assert status == 0
    check_rows(rows[: len(expected)], expected)
    check_rows(rows[len(expected) : -1], expected)
    assert rows[-1]["error"]


@pytest.mark.parametrize(
    ("words", "lines", "message"),
    [
        (("hand", "RR7A"), "hand\nRR7A\n", "leave out 'RR7A'"),
        (("hand", "--strict", "RR7A"), None, "--strict goes with --from"),
        (("hand",), "hand,prtner\nRR7A,31\n", "column 'prtner': did you mean partner?"),
        (("hand",), "", "its first line must name the columns"),
        (("hand",), "hand,hand\nRR7A,RR7A\n", "its first line must name the columns"),
        (("hand", "--format", "latex"), "hand\nRR7A\n", "latex"),
        (("hand", "-o", "answers.xyz"), "hand\nRR7A\n", "Let its name end in one of"),
        (("hand", "--nonsense"), "hand\nRR7A\n", "No such option"),
        (("hand", "--from", "no/such"), None, "cannot read 'no/such'"),
        (("hand", "--from", "/dev/zero"), None, "line 1: it is not text in UTF-8"),
    ],
)
def test_what_cannot_be_asked(ask, words, lines, message):
    status, out, err = ask(*words, lines=lines)
    assert (status, out) == (2, "")
    assert message in err


def test_an_option_that_is_wrong_for_every_row_is_said_of_every_row(ask):
    _, out, _ = ask("hand", "--seat", "9", lines="hand\nRR7A\n7654\n")
    assert ["no seat '9'" in row["error"] for row in table(out)] == [True, True]


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from((*hands(mo.get_game("mus")).texts, "RR7", "x")),
            st.sampled_from(("1", "mano", "4", "postre", "7")),
            st.sampled_from(("", "31", "pares@0.5 | any", "C765")),
            st.text(max_size=4).filter(lambda text: "\0" not in text and "\r" not in text),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_files_on_the_command_line_are_tables_in_python(ask, rows):
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows([("hand", "seat", "partner", "mine"), *rows])
    _, out, _ = ask("hand", lines=stream.getvalue())
    found = table(out)
    for text, seat, partner, _mine in rows:
        try:
            answer = mo.odds([{"hand": text, "seat": seat, "partner": partner}])
        except mo.InputError as error:
            told = str(error).removeprefix("row 0: ")
            answer = None
        if answer is None:
            assert found.pop(0)["error"] == told
            continue
        for _, wanted in answer.iterrows():
            row = found.pop(0)
            assert row["error"] == ""
            for name in ("win", "lose", "best", "stones_for", "net"):
                assert row[name] == ("" if pd.isna(wanted[name]) else repr(float(wanted[name])))
    assert not found
