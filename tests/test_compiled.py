"""Compiled kernels kept on disk: never older than their sources, never trusted unread."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import musodds.compiled

CALLED = """
from musodds.compiled import kernel
from musodds.kernels.{other} import STEP

@kernel
def step(x):
    return x + STEP
"""

ASK = "from musodds.kernels.called import step; import musodds.compiled as c; compiled = []; \
c.COMPILING.append(lambda: compiled.append(1)); print(step(1), len(compiled))"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package of the decorator and two modules of kernels."""
    root = tmp_path / "musodds"
    (root / "kernels").mkdir(parents=True)
    shutil.copy(musodds.compiled.__file__, root)
    for folder in (root, root / "kernels"):
        (folder / "__init__.py").touch()
    (root / "kernels" / "called.py").write_text(CALLED.format(other="constants"))
    (root / "kernels" / "constants.py").write_text("STEP = 1\n")
    return tmp_path


def ask(package: Path, question: str = ASK, **variables: str) -> tuple[int, int]:
    """What the kernel says in a process of its own, and how often it was compiled."""
    environment = os.environ | {"MUSODDS_CACHE": str(package / "ours")}
    environment |= {"PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}
    for variable in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        environment[variable] = str(package / "numba")
    environment |= variables
    done = subprocess.run(
        [sys.executable, "-c", question],
        cwd=package,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    value, compiled = done.stdout.split()
    return int(value), int(compiled)


def copied(package: Path) -> Path:
    """The same sources in another place, with no compiled code of their own."""
    there = package / "another" / "checkout"
    shutil.copytree(package / "musodds", there / "musodds")
    return there


def refuse_numba(package: Path) -> None:
    """Put files where numba would make its folders."""
    for place in (package / "numba", package / "musodds" / "kernels" / "__pycache__"):
        place.write_text("a file, and no folder")


def files(package: Path, ending: str) -> list[Path]:
    return sorted(package.rglob(f"*.{ending}"))


def test_a_constant_of_another_module_takes_effect(package: Path) -> None:
    assert ask(package) == (2, 1)
    assert ask(package) == (2, 0)
    constants = package / "musodds" / "kernels" / "constants.py"
    times = constants.stat()
    constants.write_text("STEP = 5\n")
    os.utime(constants, (times.st_atime, times.st_mtime))
    assert ask(package) == (6, 1)
    assert ask(package) == (6, 0)


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", ["empty", "half", "garbage", "one bit"])
def test_a_damaged_cache_is_compiled_anew(package: Path, ending: str, damage: str) -> None:
    assert ask(package) == (2, 1)
    [file] = files(package, ending)
    content = file.read_bytes()
    flipped = bytearray(content)
    flipped[len(content) * 2 // 3] ^= 4
    changed = {"empty": b"", "half": content[: len(content) // 2], "garbage": b"zip" * 999}
    file.write_bytes(changed.get(damage, bytes(flipped)))
    value, _ = ask(package)
    assert value == 2
    # It is whole again.
    assert ask(package) == (2, 0)


def test_other_checkouts_of_the_same_sources_share_what_is_compiled(package: Path) -> None:
    chosen = {"NUMBA_CACHE_DIR": str(package / "numba")}
    assert ask(package) == (2, 1)
    there = copied(package)
    assert ask(there, **chosen) == (2, 0)
    (there / "musodds" / "kernels" / "constants.py").write_text("STEP = 5\n")
    assert ask(there, **chosen) == (6, 1)
    # Each finds its own again.
    assert ask(there, **chosen) == (6, 0)
    assert ask(package) == (2, 0)


def test_a_kernel_under_the_name_of_another_is_not_taken_for_it(package: Path) -> None:
    """Two processes that compile at once may write to the same file."""
    assert ask(package) == (2, 1)
    [first] = files(package / "numba", "nbc")
    with_floats = ASK.replace("step(1)", "int(step(1.5))")
    assert ask(package, question=with_floats) == (2, 1)
    second = [file for file in files(package / "numba", "nbc") if file != first]
    first.write_bytes(second[0].read_bytes())
    assert ask(package) == (2, 1)
    assert ask(package) == (2, 0)


def test_where_numba_cannot_write_our_folder_is_used(package: Path) -> None:
    refuse_numba(package)
    assert ask(package) == (2, 1)
    assert ask(package) == (2, 0)
    [kept] = files(package / "ours", "nbc")
    if hasattr(os, "getuid"):
        assert (package / "ours" / "compiled").stat().st_mode & 0o077 == 0
    kept.write_bytes(b"")
    assert ask(package) == (2, 1)


def test_where_nothing_can_be_written_each_process_compiles(package: Path) -> None:
    (package / "ours").write_text("a file, and no folder")
    refuse_numba(package)
    assert ask(package) == (2, 1)
    assert ask(package) == (2, 1)


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners of folders")
def test_a_folder_that_others_may_write_is_not_used(package: Path) -> None:
    refuse_numba(package)
    assert ask(package) == (2, 1)
    (package / "ours" / "compiled").chmod(0o777)
    assert ask(package) == (2, 1)
