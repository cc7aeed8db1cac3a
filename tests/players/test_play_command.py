"""``musodds play``."""

import json

import musodds as mo
from musodds.cli import main


def test_the_same_numbers_as_in_python(capsys):
    assert main(["play", "kings", "random", "--deals", "12", "--seed", "3", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    contest = mo.play(["kings", "random"], deals=12, seed=3)
    assert said["sides"] == contest.rows()
    assert (said["game"], said["deals"], said["seed"]) == ("mus", 12, 3)
    assert said["players"] == "kings, random, kings, random"


def test_text_fits_and_records_can_be_counted(capsys, tmp_path):
    path = tmp_path / "games.txt"
    words = ["play", "kings", "random", "--game", "mus2p", "--games", "3", "--records", str(path)]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "mus2p: 3 games" in out
    assert max(map(len, out.splitlines())) <= 80
    assert main(["score", str(path)]) == 0
    assert mo.play(["kings", "random"], game="mus2p", games=3).record() == path.read_text()


def test_what_cannot_play_is_said(capsys):
    assert main(["play", "kings", "queens"]) == 2
    assert "no policy 'queens'" in capsys.readouterr().err
    assert main(["play", "kings", "random", "--games", "2", "--deals", "2"]) == 2
    assert "either games or deals" in capsys.readouterr().err


def test_encaje(capsys):
    words = ["play", "random", "kings", "random", "--game", "encaje3", "--games", "2"]
    assert main([*words, "--score", "2-3-2", "--format", "csv"]) == 0
    assert "lost_se" in capsys.readouterr().out


def test_of_few_games_the_interval_is_wide_and_decimals_are_even(capsys):
    assert main(["play", "kings", "never-cut", "--deals", "2", "--seed", "1"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines() if line[:1].isdigit()]
    # Wilson of 0 or 2 in 2: z² / (2 + z²) away.
    said = {row[3].rstrip("%"): row[4] for row in rows}
    assert len(rows) == 2
    for won, half in said.items():
        assert half == ("65.8" if float(won) in (0, 100) else "40.5")


def test_wilson_in_rows():
    row = mo.play(["kings", "random"], deals=2, seed=3).rows()[0]
    assert row["won_low"] <= row["won"] <= row["won_high"]
    assert round(row["won_high"] - row["won_low"], 4) == (
        0.6576 if row["won"] in (0, 1) else 0.8109
    )
