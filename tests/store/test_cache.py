"""Counts kept on disk: read back as they were, and never a reason to fail."""

from __future__ import annotations

import io
import sys

import numpy as np
import pytest

import musodds as mo
from musodds.exact.outcomes.deal_stones import _read
from musodds.rules.games import get_game
from musodds.stakes.encaje_outcomes import outcome_counts
from musodds.store.cache import VARIABLE, cached, folder, sealed
from musodds.store.notices import LISTENERS
from musodds.store.numbers import DATA, path, published_counts


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "counts"))


def kept(name, count, **options):
    """An array of any length."""
    return cached(name, count, **{"shape": (None,), "dtype": float, **options})


def never() -> np.ndarray:
    raise AssertionError("counted again")


def test_counts_are_made_once_and_come_back_as_they_were():
    counts = np.arange(24, dtype=np.int64).reshape(2, 3, 4) * 10**15
    options = {"shape": (2, 3, None), "dtype": np.int64}
    assert kept("some", lambda: counts, **options) is counts
    again = kept("some", never, **options)
    assert again.dtype == counts.dtype
    np.testing.assert_array_equal(again, counts)


def test_names_are_kept_apart():
    kept("one", lambda: np.ones(2))
    assert kept("two", lambda: np.zeros(3)).shape == (3,)


def test_counts_of_another_version_are_not_read(monkeypatch):
    kept("some", lambda: np.ones(2))
    monkeypatch.setattr(sys.modules[cached.__module__], "__version__", "0.0.0")
    assert kept("some", lambda: np.zeros(2)).tolist() == [0, 0]
    assert len(list(folder().iterdir())) == 2


def test_a_broken_file_is_counted_anew_and_replaced():
    kept("some", lambda: np.ones(2))
    (file,) = folder().iterdir()
    file.write_bytes(file.read_bytes()[:-3])
    assert kept("some", lambda: np.full(2, 7.0)).tolist() == [7, 7]
    assert kept("some", never).tolist() == [7, 7]


def test_a_bit_that_flips_anywhere_is_noticed():
    kept("some", lambda: np.arange(3.0))
    (file,) = folder().iterdir()
    content = file.read_bytes()
    for place in range(len(content)):
        changed = bytearray(content)
        changed[place] ^= 1 << place % 8
        file.write_bytes(changed)
        assert kept("some", lambda: np.full(2, 7.0)).tolist() == [7, 7]


def _zip():
    stream = io.BytesIO()
    np.savez(stream, some=np.ones(2))
    return stream.getvalue()


def _huge_header():
    return b"\x93NUMPY\x02\x00\xff\xff\xff\x7f" + b" " * 100


@pytest.mark.parametrize("content", [b"", b"\0" * 200, _zip(), _huge_header(), b"\xff\xfe"])
def test_foreign_content_is_as_if_it_were_not_there(content):
    kept("some", lambda: np.ones(2))
    (file,) = folder().iterdir()
    file.write_bytes(content)
    assert kept("some", lambda: np.full(2, 7.0)).tolist() == [7, 7]
    assert kept("some", never).tolist() == [7, 7]


def test_a_file_that_never_ends_is_read_no_further_than_a_limit(monkeypatch):
    kept("some", lambda: np.ones(2))
    (file,) = folder().iterdir()
    file.unlink()
    file.symlink_to("/dev/zero")
    monkeypatch.setattr(sys.modules[cached.__module__], "_LARGEST", 10**6)
    assert kept("some", lambda: np.full(2, 7.0)).tolist() == [7, 7]


def test_counts_under_the_name_of_others_are_not_taken_for_them():
    kept("one", lambda: np.ones(2))
    (file,) = folder().iterdir()
    file.rename(file.with_name(file.name.replace("one", "two")))
    assert kept("two", lambda: np.full(2, 7.0)).tolist() == [7, 7]


@pytest.mark.parametrize(
    "odd", [np.ones((2, 1)), np.ones(3), np.ones(2, dtype=np.float32), np.ones(2, dtype=int)]
)
def test_what_vouches_for_itself_and_looks_otherwise_is_replaced(odd):
    kept("some", lambda: odd)
    assert kept("some", lambda: np.full(2, 7.0), shape=(2,)).tolist() == [7, 7]
    assert kept("some", never, shape=(2,)).tolist() == [7, 7]


def test_values_that_cannot_be_are_replaced():
    kept("some", lambda: np.array([-1.0]))
    ask = {"valid": lambda values: bool((values >= 0).all())}
    assert kept("some", lambda: np.array([7.0]), **ask).tolist() == [7]


@pytest.mark.parametrize(
    "damage",
    [np.zeros((3, 3, 3, 4, 2, 4), dtype=np.int64), np.zeros(1), np.zeros((0,), dtype=np.int64)],
)
def test_no_shape_on_disk_reaches_a_kernel(monkeypatch, damage):
    module = sys.modules[outcome_counts.__module__]
    monkeypatch.setattr(module, "WORTH_KEEPING", 0)
    game = get_game("encaje3")
    whole = outcome_counts.__wrapped__(game, 2)
    # Whatever else was counted on the way, if it was not yet at hand, is kept there too.
    files = [file for file in folder().iterdir() if file.is_file()]
    assert files
    for file in files:
        file.write_bytes(sealed(file.name, damage))
    np.testing.assert_array_equal(outcome_counts.__wrapped__(game, 2), whole)


@pytest.mark.parametrize("content", [b"", _zip(), b"hand,seat\n", "shape"])
def test_what_comes_with_the_package_damaged_is_counted_instead(monkeypatch, tmp_path, content):
    game = get_game("mus2p")
    original = path("odds", game)
    monkeypatch.setattr(sys.modules[path.__module__], "DATA", tmp_path)
    (tmp_path / "odds").mkdir()
    if content == "shape":
        np.save(tmp_path / "odds" / original.name, np.ones((330, 4, 5, 8), dtype=np.int64))
    else:
        (tmp_path / "odds" / original.name).write_bytes(content)
    assert published_counts.__wrapped__(game) is None


def test_a_published_distribution_that_cannot_be_is_not_read(tmp_path):
    lines = (DATA / "deals" / "mus2p-3fff9753ac88.csv").read_text().splitlines()
    file = tmp_path / "deals.csv"
    for odd in ("1,1,1", "99,1,1,0,1,5", "1,1,1,0,1,-5", "a,b,c,d,e,f"):
        file.write_text("\n".join([*lines, odd]))
        assert _read(get_game("mus2p"), file) is None
    file.write_text("\n".join(lines))
    assert _read(get_game("mus2p"), file) is not None


def test_a_folder_that_cannot_be_made_is_no_error(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "file" / "counts"))
    assert kept("some", lambda: np.ones(2)).tolist() == [1, 1]


def test_nothing_is_kept_of_a_count_that_is_interrupted():
    def interrupted() -> np.ndarray:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kept("some", interrupted)
    assert not folder().exists()


def test_without_the_variable_it_is_the_system_folder(monkeypatch):
    monkeypatch.delenv(VARIABLE)
    assert folder().name == "musodds"


def test_what_is_counted_at_once_is_not_kept_and_slow_counts_are_announced():
    said: list[str] = []
    LISTENERS.append(said.append)
    try:
        assert kept("quick", lambda: np.ones(2), least=60).tolist() == [1, 1]
        assert kept("quick", lambda: np.ones(3)).shape == (3,)
        assert not said
        kept("slow", lambda: np.ones(2), what="all of it")
        kept("slow", never, what="all of it")
    finally:
        LISTENERS.remove(said.append)
    assert said == ["all of it"]


def test_a_slow_answer_is_looked_up_the_second_time(monkeypatch):
    module = sys.modules[mo.Odds.__module__]
    monkeypatch.setattr(module, "WORTH_KEEPING", 0)
    first = mo.odds("7654", game="mus2p-4567")
    monkeypatch.setattr(module, "count", lambda *_: never())
    again = mo.odds("7654", game="mus2p-4567")
    assert again.deals == first.deals
    np.testing.assert_array_equal(again.counts, first.counts)
