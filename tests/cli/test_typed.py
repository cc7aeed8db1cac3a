"""What people type, and what the names of files ask for."""

from __future__ import annotations

import csv
import io
import json

import pytest

from musodds.cli import main
from musodds.cli.parts.numbers import WholeNumber
from musodds.cli.parts.output import Report, Table, percent, render

HUGE = "9" * 5000


def run(capsys, *arguments):
    status = main(list(arguments))
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.mark.parametrize("typed", ["1000000", "1e6", "1_000_000", "1,000,000", "1000000.0"])
def test_a_million_is_written_in_many_ways(typed):
    assert WholeNumber()(typed) == 10**6


@pytest.mark.parametrize("typed", ["1.5", "1e-1", "many", "", "1,00", "nan", "٣", HUGE])
def test_what_is_no_number_is_refused(capsys, typed):
    status, out, err = run(capsys, "simulate", "-n", typed)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert len(err) < 400


@pytest.mark.parametrize(
    "line",
    [
        "hand RR7A --seat {}", "hand RR7A --seed {}", "hand RR7A --partner 31@{}",
        "hand RR7A --partner 31@1/{}", "hand RR7A --seat-range {}=31", "discard RR7A -n {}",
        "discard RR7A --score {}-1", "simulate --rounds {}", "simulate --policy {}=kings",
        "simulate --policy {}", "bet RR7A --seat 1 --phase grande --score {}-1",
        "bet RR7A --seat 1 --phase grande --score 1-1 --offer {}", "equity --games {}-1",
        "encaje --stones {},1,1", "thresholds --score {}-1", "read RR7A --hands {}",
        "ranges juego>={}", "games {}",
    ],
)  # fmt: skip
def test_thousands_of_digits_are_bad_input(capsys, line):
    status, out, err = run(capsys, *line.format(HUGE).split())
    assert (status, out, err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("throw RR7A", "did you mean discard?"),
        ("RR7A", "write musodds hand RR7A"),
        ("hand RR7A --game 4reyes", "did you mean mus4?"),
        ("score /dev/zero", "it is larger than 4 MB"),
        ("simulate --checkpoint /dev/zero", "is no regular file"),
        ("ranges --format json", "the language of ranges is text"),
        ("thresholds --score 1-1 --game encaje3-4567", "no score of two sides"),
        ("thresholds --score 1-1 --game mus6p-50-4567", "counted only for two sides"),
    ],
)
def test_what_was_meant_is_said(capsys, line, said):
    status, out, err = run(capsys, *line.split())
    assert (status, out) == (2, "")
    assert said in err


def test_json_for_short(capsys):
    status, out, _ = run(capsys, "hand", "rey rey siete as", "--json")
    assert (status, json.loads(out)["hand"]) == (0, "RR7A")


def test_the_table_of_encaje_has_the_columns_of_its_game(capsys):
    status, out, _ = run(capsys, "table", "odds", "--game", "encaje3", "--format", "csv")
    assert status == 0
    assert {"worst", "worst_contested"} <= set(next(csv.reader(io.StringIO(out))))


@pytest.mark.parametrize("name", ["a", "a.odt", "a.log"])
def test_a_name_that_does_not_say_what_to_write_is_refused(tmp_path, capsys, name):
    status, out, err = run(capsys, "hand", "RR7A", "-o", str(tmp_path / name))
    assert (status, out, list(tmp_path.iterdir())) == (2, "", [])
    assert "what should be in" in err


@pytest.mark.parametrize("line", ["page -o a.csv", "policy export kings -o a.xlsx"])
def test_what_has_one_format_takes_no_other_name(tmp_path, monkeypatch, capsys, line):
    monkeypatch.chdir(tmp_path)
    assert run(capsys, *line.split())[0] == 2
    assert not list(tmp_path.iterdir())


def _report(*values):
    rows = [{"text": value, "number": -1.5} for value in values]
    table = Table(("text",), "l", [(str(value),) for value in values])
    return Report({"game": "mus"}, "rows", rows, table.text, table.markdown)


RUNS = ["=1+1", "+1+1", "-1+1", "@SUM(A1)", '=HYPERLINK("x")']


@pytest.mark.parametrize(("format_name", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_no_cell_runs_in_a_spreadsheet(format_name, delimiter):
    content = render(_report(*RUNS, "-", "RR7A", "-1.5"), format_name)
    rows = list(csv.DictReader(io.StringIO(content), delimiter=delimiter))
    assert [row["text"] for row in rows] == [f"'{t}" for t in RUNS] + ["-", "RR7A", "-1.5"]
    assert {row["number"] for row in rows} == {"-1.5"}


def test_a_workbook_holds_numbers_and_text_that_does_not_run():
    openpyxl = pytest.importorskip("openpyxl")
    sheet = openpyxl.load_workbook(io.BytesIO(render(_report(*RUNS), "xlsx")))["rows"]
    assert all(row[0].data_type == "s" for row in sheet.iter_rows(min_row=2))
    assert sheet["B2"].value == -1.5


LINES = [
    "hand RR7A --joint", "hand RRR7 --game encaje5", "hand 7o7c7eSo --game mus-real-oros",
    "discard RR7A -n 4096 --score 30-30", "discard 7o7c7eSo --game mus-real-oros --seat 1 -n 4096",
    "encaje --stones 15,12,20", "equity", "games", "games mus-real-suits", "read RR7A", "signals",
    "ranges duples", "bet RR7A --seat 1 --phase grande --score 20-30", "policy list",
    "simulate -n 1000 --seed 1", "table plays",
]  # fmt: skip


@pytest.mark.parametrize("columns", [60, 80])
@pytest.mark.parametrize("line", LINES)
def test_no_line_is_wider_than_the_terminal(capsys, monkeypatch, line, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    status, out, err = run(capsys, *line.split())
    assert status == 0, err
    assert max(map(len, out.splitlines())) <= columns


@pytest.mark.parametrize(
    ("chance", "shown"),
    [
        (0, "0"), (1e-9, "<0.1%"), (0.0004, "<0.1%"), (0.00049999, "<0.1%"), (0.0005, "0.1%"),
        (0.0006, "0.1%"), (0.9994, "99.9%"), (0.99949, "99.9%"), (0.9995, ">99.9%"),
        (0.9996, ">99.9%"), (1, "100%"), (None, "-"),
    ],
)  # fmt: skip
def test_a_percentage_near_its_ends(chance, shown):
    """Never 0.0% of what can be, nor 100.0% of what need not be."""
    assert percent(chance) == shown


@pytest.mark.parametrize(
    "line",
    [
        "hand RR7A --joint --deals 1000", "simulate -n 1000 --target-se 0.01",
        "discard RR7A -n 1000 --target-se 0.01", "discard RR7A --keep RR",
        "discard RR7A --exact --partner 31",
        "discard RR7A4 --game encaje3-five-cards --partner 31",
        "hand RR7A4 --game encaje3-five-cards --partner RRAA", "page --dir site -o page.html",
        "table hands --target 30", "plot chart --target 30 -o x.png",
        "simulate --seat 2", "score --example deal.txt",
    ],
)  # fmt: skip
def test_options_that_exclude_each_other(capsys, tmp_path, monkeypatch, line):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(capsys, *line.split())
    assert (status, out, err.count("\n")) == (2, "", 1), err
    assert not list(tmp_path.iterdir())
