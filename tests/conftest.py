"""Settings of the whole suite."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from musodds.cli.parts.waiting import QUIET
from musodds.store.cache import VARIABLE
from tests.order import place

# Class tables and compiled kernels load on first use, inside whichever example is first.
settings.register_profile("musodds", deadline=None)
settings.load_profile("musodds")


@pytest.fixture(scope="session", autouse=True)
def _counts_of_this_run(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> None:
    """Counts are kept for this run of the tests only, and shared by its workers."""
    base: Path = tmp_path_factory.getbasetemp()
    if worker_id != "master":
        base = base.parent
    os.environ[VARIABLE] = str(base / "counts")
    os.environ[QUIET] = "1"  # on a busy machine any answer may take long enough to say so


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files first; the sort leaves all else in order."""
    items.sort(key=lambda item: place(item.nodeid))
