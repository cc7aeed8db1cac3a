"""The notebooks run from top to bottom, say what their stored outputs say, and are small."""

from __future__ import annotations

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat", reason="notebooks need the extra musodds[notebooks]")
nbclient = pytest.importorskip("nbclient", reason="notebooks need the extra musodds[notebooks]")
for needed in ("ipykernel", "ipywidgets"):
    pytest.importorskip(needed, reason="notebooks need the extra musodds[notebooks]")

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SIZE = 300_000

pytestmark = pytest.mark.filterwarnings("ignore")  # those of the notebook's own machinery


def printed(notebook) -> list[str]:
    """What every cell prints; tables and pictures depend on the versions of others."""
    return [
        "".join(o.text for o in cell.outputs if o.output_type == "stream" and o.name == "stdout")
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 6


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_stored_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert path.stat().st_size < SIZE
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert sum(bool(cell.outputs) for cell in code) >= 4
    assert not any(o.output_type == "error" for cell in code for o in cell.outputs)
    assert any("ipywidgets" in cell.source for cell in code)
    titles = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    assert titles[0].startswith("# ")
    assert any("## What you would not have guessed" in text for text in titles)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs_and_prints_the_same(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    stored = printed(notebook)
    client = nbclient.NotebookClient(
        notebook, timeout=1200, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    assert printed(notebook) == stored
