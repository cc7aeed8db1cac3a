"""Counts kept on disk: read back as they were, and never a reason to fail."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import musodds as mo
from musodds.store.cache import VARIABLE, cached, folder
from musodds.store.notices import LISTENERS


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "counts"))


def never() -> np.ndarray:
    raise AssertionError("counted again")


def test_counts_are_made_once_and_come_back_as_they_were():
    counts = np.arange(24, dtype=np.int64).reshape(2, 3, 4) * 10**15
    assert cached("some", lambda: counts) is counts
    again = cached("some", never)
    assert again.dtype == counts.dtype
    np.testing.assert_array_equal(again, counts)


def test_names_are_kept_apart():
    cached("one", lambda: np.ones(2))
    assert cached("two", lambda: np.zeros(3)).shape == (3,)


def test_a_broken_file_is_counted_anew_and_replaced():
    cached("some", lambda: np.ones(2))
    (file,) = folder().iterdir()
    file.write_bytes(file.read_bytes()[:-3])
    assert cached("some", lambda: np.full(2, 7)).tolist() == [7, 7]
    assert cached("some", never).tolist() == [7, 7]


def test_a_folder_that_cannot_be_made_is_no_error(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "file" / "counts"))
    assert cached("some", lambda: np.ones(2)).tolist() == [1, 1]


def test_nothing_is_kept_of_a_count_that_is_interrupted():
    def interrupted() -> np.ndarray:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cached("some", interrupted)
    assert not folder().exists()


def test_without_the_variable_it_is_the_system_folder(monkeypatch):
    monkeypatch.delenv(VARIABLE)
    assert folder().name == "musodds"


def test_what_is_counted_at_once_is_not_kept_and_slow_counts_are_announced():
    said: list[str] = []
    LISTENERS.append(said.append)
    try:
        assert cached("quick", lambda: np.ones(2), least=60).tolist() == [1, 1]
        assert cached("quick", lambda: np.ones(3)).shape == (3,)
        assert not said
        cached("slow", lambda: np.ones(2), what="all of it")
        cached("slow", never, what="all of it")
    finally:
        LISTENERS.remove(said.append)
    assert said == ["all of it"]


def test_a_slow_answer_is_looked_up_the_second_time(monkeypatch):
    module = sys.modules[mo.Odds.__module__]
    monkeypatch.setattr(module, "_WORTH_KEEPING", 0)
    first = mo.odds("7654", game="mus2p-4567")
    monkeypatch.setattr(module, "count", lambda *_: never())
    again = mo.odds("7654", game="mus2p-4567")
    assert again.deals == first.deals
    np.testing.assert_array_equal(again.counts, first.counts)
