"""The ten invented games: each review is the one that is kept, and they hold what records may."""

import json

import pytest

import musodds as mo
from musodds.cli import main
from musodds.errors import InputError
from musodds.report import example_games
from musodds.report.example_games import FOLDER, PLAYED, REVIEWS, make, reviewed, summary

KEPT = json.loads((FOLDER / REVIEWS).read_text(encoding="utf-8"))
RECORDS = {file.stem: file.read_text(encoding="utf-8") for file in sorted(FOLDER.glob("*.txt"))}


def same(found, kept):
    """Alike, numbers to the eight digits that no other order of adding up changes."""
    if isinstance(kept, dict):
        assert list(found) == list(kept)
        for name in kept:
            same(found[name], kept[name])
    elif isinstance(kept, list):
        assert len(found) == len(kept)
        for one, other in zip(found, kept, strict=True):
            same(one, other)
    elif isinstance(kept, float):
        assert found == pytest.approx(kept, abs=1e-8)
    else:
        assert found == kept


def test_there_are_ten_and_each_has_a_review():
    assert len(RECORDS) == 10
    assert list(KEPT) == list(RECORDS)
    assert set(PLAYED) < set(RECORDS)


@pytest.mark.parametrize("name", RECORDS)
def test_a_review_is_as_it_is_kept(name):
    found = reviewed(RECORDS[name])
    same(summary(found), KEPT[name])
    for one in found.games:
        assert one["start"] + one["luck"] + one["skill"] == pytest.approx(one["result"], abs=1e-12)


def test_together_they_hold_what_a_record_may():
    everything = "\n".join(RECORDS.values())
    keys = (
        "game", "target", "games", "reenvido", "sides", "players", "match", "won", "score",
        "mano", "dealer", "hands", "signs", "4567", "visto", "mus", "change", "grande", "chica",
        "pares", "juego", "punto",
    )  # fmt: skip
    assert [key for key in keys if f"\n{key}:" not in everything] == []
    assert "?>?" in everything
    for word in ("órdago, quiero", "reenvido 5", "no quiero", "en paso"):
        assert word in everything
    games = {one["game"] for one in KEPT.values()}
    assert {"mus", "mus2p", "mus4", "mus-real", "mus-visto", "mus-4567-visto"} <= games
    assert sum(len(one["games"]) > 1 for one in KEPT.values()) >= 3
    assert sum(player["skipped"] for one in KEPT.values() for player in one["players"]) > 0


@pytest.mark.parametrize("name", ["05-mus", "10-thirty-stones"])
def test_what_was_played_is_played_again(name):
    assert PLAYED[name]() == RECORDS[name]


def test_a_folder_that_is_not_there(tmp_path, monkeypatch, capsys):
    with pytest.raises(InputError, match="checkout"):
        make(folder=tmp_path / "none")
    monkeypatch.setattr(example_games, "different", lambda: ["05-mus.txt"])
    assert main(["publish", "games", "--check"]) == 1
    assert "05-mus.txt" in capsys.readouterr().err


def test_every_record_is_counted():
    for name, record in RECORDS.items():
        if name != "03-cards-not-seen":
            assert mo.read_record(record)
