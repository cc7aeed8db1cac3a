"""The command line as its users meet it: the installed script, in its own process."""

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import musodds

SCRIPT = Path(sys.executable).with_name("musodds")
COLUMNS = [
    "win",
    "lose",
    "void",
    "best",
    "contested",
    "win_contested",
    "stones_for",
    "stones_against",
    "net",
]


def musodds_run(*arguments, **options):
    return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, **options)


def answer(*arguments):
    done = musodds_run(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_text_names_the_plays_then_seat_by_phase():
    text = answer("hand", "R", "R", "a", "2")
    lines = text.splitlines()
    plays = {line.split()[0]: line for line in lines[:6] if line.startswith("  ")}
    assert plays["pares"].endswith("duples of kings and aces, 3 stones")
    assert re.fullmatch(r"  grande +\d+(st|nd|rd|th) best of 330", plays["grande"])
    assert plays["punto"].split() == ["punto", "22"]
    first = [line.split()[:-7] for line in lines if line[:1] in tuple("1234")]
    assert [" ".join(words) for words in first] == [
        "1 mano grande",
        "2 grande",
        "3 grande",
        "4 postre grande",
    ]
    assert text.count("net ") == 4
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in text


def test_json_is_one_object_with_a_row_per_seat_and_phase():
    found = json.loads(answer("hand", "a-7-r-3", "--format", "json"))
    assert list(found) == ["game", "hand", "method", "odds"]
    assert [found[name] for name in ("game", "hand", "method")] == ["mus", "RR7A", "exact"]
    assert [(row["seat"], row["phase"]) for row in found["odds"]] == [
        (seat, phase)
        for seat in (1, 2, 3, 4)
        for phase in ("grande", "chica", "pares", "juego", "punto")
    ]
    for row in found["odds"]:
        assert list(row) == ["seat", "phase", *COLUMNS]
        assert row["win"] + row["lose"] + row["void"] == pytest.approx(1, abs=1e-15)
    # RULES section 1: grande is worth 1 stone when all pass.
    assert found["odds"][0]["stones_for"] == found["odds"][0]["win"]


def test_csv_and_json_carry_the_same_numbers(tmp_path):
    question = ("hand", "R777", "--game", "mus-real", "--partner", "RRRR", "--seat", "postre")
    found = json.loads(answer(*question, "--format", "json"))
    target = tmp_path / "odds.csv"
    assert answer(*question, "-o", str(target)) == ""
    head = {name: value for name, value in found.items() if name != "odds"}
    assert head["partner"] == "RRRR"
    rows = list(csv.DictReader(io.StringIO(target.read_text())))
    assert len(rows) == 5
    for row, expected in zip(rows, found["odds"], strict=True):
        assert list(row) == [*head, *expected]
        assert {name: row[name] for name in head} == head
        for name in COLUMNS:
            # Of a seat's net one row tells, so that the column sums right.
            if name == "net" and expected is not found["odds"][0]:
                assert row[name] == ""
                continue
            assert (float(row[name]) if row[name] else None) == expected[name]
    punto = found["odds"][-1]
    assert punto["void"] == 1
    assert punto["win_contested"] is None


def test_markdown_is_a_table(tmp_path):
    target = tmp_path / "odds.md"
    assert answer("hand", "RR7A", "--seat", "mano", "-o", str(target)) == ""
    table = [line for line in target.read_text().splitlines() if line.startswith("|")]
    assert len(table) == 2 + 5
    assert len({line.count("|") for line in table}) == 1


def test_games_are_listed():
    listed = json.loads(answer("games", "--format", "json"))["games"]
    assert {"mus", "mus4", "mus-real", "mus4-real", "mus2p"} <= {game["name"] for game in listed}
    seats = {game["name"]: game["seats"] for game in listed}
    assert (seats["mus"], seats["mus2p"]) == (4, 2)


def test_python_m_is_the_same_program():
    done = subprocess.run(
        [sys.executable, "-m", "musodds", "--version"], capture_output=True, text=True
    )
    assert done.stdout == f"musodds, version {musodds.__version__}\n"


def test_a_hand_costs_no_more_imports_than_it_needs():
    code = (
        "import sys; from musodds.cli import main; main(['hand', 'RR7A']); "
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    loaded = {name.partition(".")[0] for name in done.stderr.split()}
    assert {"numpy", "click"} <= loaded
    assert not loaded & {"numba", "pandas", "matplotlib", "rich", "scipy"}


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ("hand RR7", ["'RR7'", "3 cards", "four cards"]),
        ("hand RR7A --seat 5", ["'5'", "1 to 4"]),
        ("hand RR7A -o /no/such/place/odds.csv", ["'/no/such/place/odds.csv'", "no directory"]),
        ("hnad RR7A", ["'hnad'", "did you mean hand?"]),
    ],
)
def test_bad_input_is_one_line_and_status_2(arguments, names):
    done = musodds_run(*arguments.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"musodds: error: .+\n", done.stderr)
    for name in names:
        assert name in done.stderr


def _with_closed_pipe(*arguments):
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as closed:
        return subprocess.run(
            [SCRIPT, *arguments], stdout=closed, stderr=subprocess.PIPE, text=True
        )


@pytest.mark.parametrize("arguments", [("hand", "RR7A"), ("games",), ("--help",)])
def test_a_closed_pipe_is_silent(arguments):
    done = _with_closed_pipe(*arguments)
    assert done.stderr == ""
    assert done.returncode == 128 + signal.SIGPIPE


@pytest.mark.parametrize(
    "arguments", ["hand RR7A", "games", "policy export best", "page", "table hands --format csv"]
)
def test_a_closed_output_is_a_failure_that_is_told(arguments):
    line = f"{SCRIPT} {arguments} >&-"
    done = subprocess.run(["sh", "-c", line], stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert re.fullmatch(r"musodds: error: .*output.*\n", done.stderr)


def test_parquet_is_not_for_a_terminal():
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [SCRIPT, "table", "hands", "--format", "parquet"], stdout=theirs, stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    os.close(theirs)
    os.close(ours)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "parquet is not for a terminal: name a file with -o" in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_disk_is_a_failure_not_bad_input():
    for target in ((), ("-o", "/dev/full")):
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [SCRIPT, "games", *target], stdout=full, stderr=subprocess.PIPE, text=True
            )
        assert done.returncode == 1
        assert re.fullmatch(r"musodds: error: .*no space left.*\n", done.stderr)


SLOW = """
import sys, time, types, click
from musodds.cli import main
from musodds.cli.commands import COMMANDS

@click.command
def command():
    print("started", flush=True)
    time.sleep(60)

COMMANDS["slow"] = "Takes its time."
sys.modules["musodds.cli.slow"] = types.SimpleNamespace(command=command)
sys.exit(main(["slow"]))
"""


def test_ctrl_c_is_one_short_line():
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "started\n"
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (130, "musodds: interrupted\n")
