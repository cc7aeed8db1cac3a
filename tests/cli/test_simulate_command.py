"""``musodds simulate`` and ``musodds policy``: what they print, and what they refuse."""

import csv
import io
import json

import pytest

from musodds.cli import main
from musodds.simulation.simulate import simulate

SMALL = ["simulate", "-n", "2e4", "--seed", "1"]


def _run(capsys, *arguments):
    status = main(list(arguments))
    out, err = capsys.readouterr()
    return status, out, err


def test_json_has_every_estimate_with_its_error(capsys):
    status, out, err = _run(capsys, *SMALL, "--policy", "kings", "--format", "json")
    assert (status, err) == (0, "")
    answer = json.loads(out)
    assert {name: answer[name] for name in ("game", "method", "n", "seed", "policy", "rounds")} == {
        "game": "mus",
        "method": "monte-carlo",
        "n": 20_000,
        "seed": 1,
        "policy": "kings",
        "rounds": 1,
    }
    found = simulate("mus", n=20_000, seed=1, policy="kings")
    assert answer["odds"] == found.rows()
    assert answer["seats"] == found.seat_rows()
    assert answer["mus"] == found.mus_rows()


def test_csv_carries_the_same_numbers(capsys):
    asked = [*SMALL, "--policy", "none", "--policy", "2=kings", "--rounds", "2"]
    rows = list(csv.DictReader(io.StringIO(_run(capsys, *asked, "--format", "csv")[1])))
    answer = json.loads(_run(capsys, *asked, "--format", "json")[1])
    assert len(rows) == len(answer["odds"]) == 20
    for row, wanted in zip(rows, answer["odds"], strict=True):
        seat = answer["seats"][wanted["seat"] - 1]
        for name, value in {**seat, **wanted}.items():
            if name.startswith("net") and wanted["phase"] != "grande":
                value = None  # it is the seat's, and stands once
            assert row[name] == ("" if value is None else str(value))
    assert rows[0]["cut_round_1"] == "1.0"
    assert rows[0]["policy"] == "none,kings,none,none"


@pytest.mark.parametrize("extra", [[], ["--policy", "kings"], ["--game", "mus2p"]])
def test_text_fits_a_terminal(capsys, extra):
    status, out, _ = _run(capsys, *SMALL, *extra)
    assert status == 0
    assert max(map(len, out.splitlines())) <= 80
    assert "20,000 deals" in out
    assert "seed 1" in out


def test_a_single_deal_has_no_error_of_stones(capsys):
    answer = json.loads(_run(capsys, "simulate", "-n", "1", "--seed", "1", "--format", "json")[1])
    assert answer["odds"][0]["net_se"] is None
    assert answer["seats"][0]["net_se"] is None


def test_seats_have_policies_of_their_own(capsys):
    asked = [*SMALL, "--policy", "kings", "--policy", "mano=none", "--policy", "4=none"]
    answer = json.loads(_run(capsys, *asked, "--format", "json")[1])
    assert answer["policy"] == "none,kings,kings,none"


def test_a_hand_dealt_to_a_seat(capsys):
    asked = [*SMALL, "--hand", "rrrr", "--seat", "postre", "--format", "json"]
    answer = json.loads(_run(capsys, *asked)[1])
    assert (answer["hand"], answer["seat"]) == ("RRRR", 4)
    assert answer["seats"][3]["duples"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-n", "0"], "n is 0"),
        (["-n", "-1"], "n is -1"),
        (["-n", "1e99"], "'1e99' is too large"),
        (["-n", "1.5"], "'1.5' is not a whole number"),
        (["-n", "many"], "'many' is not a whole number"),
        (["-n", "10", "--target-se", "0.1"], "two rules for when to stop"),
        (["--target-se", "0"], "target_se is 0"),
        (
            ["--rounds", "lots"],
            "'lots' is not a whole number, such as 1000000 or 1e6, or until-cut",
        ),
        (["--policy", "2="], "'2=' has no name"),
        (["--policy", "9=kings"], "no seat '9'"),
        (["--policy", "absent.csv"], "no policy 'absent.csv'"),
        (["--seed", "-1"], "seed is -1"),
        (["--workers", "0"], "workers is 0"),
    ],
)
def test_bad_input_is_one_line(capsys, arguments, message):
    status, out, err = _run(capsys, "simulate", *arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert message in err


def test_policies_are_listed_shown_and_exported(capsys, tmp_path):
    status, out, _ = _run(capsys, "policy", "list")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines() if line[:1].strip()][:2] == [
        "none",
        "kings",
    ]
    assert max(map(len, out.splitlines())) <= 80
    out = _run(capsys, "policy", "show", "kings", "--hand", "RR7A")[1]
    assert out.splitlines()[-1].split() == ["RR7A", "keep", "RR"]
    path = tmp_path / "mine.csv"
    assert _run(capsys, "policy", "export", "kings", "-o", str(path))[0] == 0
    path.write_text(path.read_text().replace("RR7A,*,RR,mus", "RR7A,*,RR7,cut"))
    rows = json.loads(
        _run(capsys, "policy", "show", str(path), "--hand", "a7rr", "--format", "json")[1]
    )["rows"]
    assert rows == [{"hand": "RR7A", "seat": "*", "keep": "RR7", "say": "cut"}]
    assert _run(capsys, *SMALL, "--policy", str(path))[0] == 0


def test_a_wrong_policy_file_is_one_line(capsys, tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("hand,seat,keep,say\nRR7A,*,RRR,mus\n")
    status, _, err = _run(capsys, "simulate", "--policy", str(path))
    assert status == 2
    assert "mine.csv, line 2: keep RRR is not part of RR7A" in err


def test_one_deal_does_not_pass_for_certain(capsys):
    status, out, _ = _run(capsys, "simulate", "-n", "1", "--seed", "1")
    assert status == 0
    assert out.startswith("1 deal of mus")
    # Wilson's interval of none or one won out of one reaches 3.84 / 4.84 of the way.
    assert "79.35" in out
    assert " 0.00 " not in out.split("\n\n")[1]
