"""The published files are what the manifest says, and come out the same again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from musodds.cli import main
from musodds.cli.publish import run
from musodds.report.results import (
    INDEX,
    ITEMS,
    MANIFEST,
    check,
    compare_with_manifest,
    index,
    publish,
    read_manifest,
)

RESULTS = Path(__file__).parents[2] / "results"

# Exact and seeded, text and pictures; each takes a second or less.
SAMPLE = ("mus/plays.csv", "mus/odds-mano.md", "mus4/hands.csv", "mus/convergence.png")


def test_manifest_and_files_agree():
    manifest = read_manifest(RESULTS)
    assert compare_with_manifest(RESULTS, manifest) == []
    assert set(manifest["files"]) == {item.file for item in ITEMS}
    for item in ITEMS:
        entry = manifest["files"][item.file]
        assert entry["command"] == item.command
        sampled = entry["method"] == "monte-carlo"
        assert sampled == (entry["n"] is not None) == (entry["seed"] is not None)
    assert sum(path.stat().st_size for path in RESULTS.rglob("*.*")) < 15_000_000


def test_the_index_shows_every_file():
    text = (RESULTS / INDEX).read_text(encoding="utf-8")
    assert text == index(read_manifest(RESULTS)["files"])
    assert all(f"]({item.file})" in text for item in ITEMS)


@pytest.mark.parametrize("file", SAMPLE)
def test_a_sample_comes_out_the_same(file):
    assert check(RESULTS, run, file) == []


def test_what_has_changed_is_found(tmp_path):
    publish(tmp_path, run, "mus/plays.*")
    assert check(tmp_path, run, "mus/plays.*") == []
    (tmp_path / "mus" / "plays.csv").write_text("deals\n")
    (tmp_path / "mus" / "more.csv").write_text("deals\n")
    found = check(tmp_path, run, "mus/plays.md")
    assert found == [
        "mus/plays.csv: not the file that the manifest describes",
        "mus/more.csv: not in the manifest",
    ]
    manifest = json.loads((tmp_path / MANIFEST).read_text())
    manifest["files"]["mus/plays.md"]["sha256"] = "0" * 64
    (tmp_path / MANIFEST).write_text(json.dumps(manifest))
    assert "mus/plays.md: its content is different now" in check(tmp_path, run, "mus/plays.md")


def test_publishing_some_keeps_the_others(tmp_path):
    publish(tmp_path, run, "mus/plays.csv")
    publish(tmp_path, run, "mus/plays.md")
    assert set(read_manifest(tmp_path)["files"]) == {"mus/plays.csv", "mus/plays.md"}


def test_the_command_and_its_errors(tmp_path, capsys):
    assert main(["publish", str(tmp_path), "--only", "nothing/*"]) == 2
    assert main(["publish", str(tmp_path), "--check"]) == 2
    assert main(["publish", str(tmp_path), "--only", "mus/plays.md"]) == 0
    assert main(["publish", str(tmp_path), "--check", "--only", "mus/plays.md"]) == 0
    (tmp_path / "mus" / "plays.md").write_text("")
    assert main(["publish", str(tmp_path), "--check", "--only", "mus/plays.md"]) == 1
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 3
    assert "mus/plays.md" in errors[-1]
