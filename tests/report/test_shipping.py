"""What comes with the package, and that it is made again."""

import pytest

from musodds.cli import main
from musodds.errors import InputError
from musodds.report import shipping
from musodds.store.numbers import DATA

NOT_COUNTED = (".txt", ".css", ".html", ".js", ".json", ".webmanifest", ".svg")


def test_every_file_of_numbers_has_a_maker():
    files = {
        path.relative_to(DATA).as_posix()
        for path in DATA.rglob("*")
        if path.is_file() and path.suffix not in NOT_COUNTED
    }
    assert set(shipping.makers()) == files


def test_a_small_table_is_made_again_byte_for_byte(capsys):
    assert main(["publish", "package", "--check", "--only", "odds/mus2p-*"]) == 0
    assert "all as it comes" in capsys.readouterr().out


def test_a_table_that_differs_is_named(monkeypatch, tmp_path, capsys):
    path = next(path for path in shipping.makers() if path.startswith("odds/mus2p-"))
    monkeypatch.setattr(shipping, "makers", lambda: {path: lambda: b"other"})
    assert main(["publish", "package", "--check"]) == 1
    assert path in capsys.readouterr().err


def test_a_pattern_that_fits_nothing_is_refused():
    with pytest.raises(InputError, match="no file of the package fits 'odds/mus9"):
        shipping.make("odds/mus9*")
