"""Compiled kernels kept on disk: never older than their sources, never trusted unread."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
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

# Asks every question in a process that has numba but nothing of ours: numba loads once.
SERVER = """
import contextlib, io, json, os, sys
import numba
for line in sys.stdin:
    package, question, variables = json.loads(line)
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        continue
    os.environ.update(variables)
    os.chdir(package)
    sys.path.insert(0, package)
    numba.config.reload_config()
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            exec(question)
        except BaseException as error:
            print(repr(error))
    print(json.dumps(said.getvalue()), flush=True)
    os._exit(0)
"""

ASK = "from musodds.kernels.called import step; import musodds.compiled as c; compiled = []; \
c.COMPILING.append(lambda: compiled.append(1)); print(step(1), len(compiled))"


pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not copied")

Ask = Callable[..., tuple[int, int]]


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


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    """What the kernel says in a process of its own, and how often it was compiled."""
    command = [sys.executable, "-c", SERVER]
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("PYTHONPATH", None)

    def asked(package: Path, question: str = ASK, **variables: str) -> tuple[int, int]:
        places = dict.fromkeys(("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"), str(package / "numba"))
        there = {"MUSODDS_CACHE": str(package / "ours"), **places, **variables}
        print(json.dumps([str(package), question, there]), file=server.stdin, flush=True)
        value, compiled = json.loads(server.stdout.readline()).split()
        return int(value), int(compiled)

    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as server:
        yield asked
        server.stdin.close()


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


def test_a_constant_of_another_module_takes_effect(ask: Ask, package: Path) -> None:
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
def test_a_damaged_cache_is_compiled_anew(
    ask: Ask, package: Path, ending: str, damage: str
) -> None:
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


def test_other_checkouts_of_the_same_sources_share_what_is_compiled(
    ask: Ask, package: Path
) -> None:
    chosen = {"NUMBA_CACHE_DIR": str(package / "numba")}
    assert ask(package) == (2, 1)
    there = copied(package)
    assert ask(there, **chosen) == (2, 0)
    (there / "musodds" / "kernels" / "constants.py").write_text("STEP = 5\n")
    assert ask(there, **chosen) == (6, 1)
    # Each finds its own again.
    assert ask(there, **chosen) == (6, 0)
    assert ask(package) == (2, 0)


def test_a_kernel_under_the_name_of_another_is_not_taken_for_it(ask: Ask, package: Path) -> None:
    """Two processes that compile at once may write to the same file."""
    assert ask(package) == (2, 1)
    [first] = files(package / "numba", "nbc")
    with_floats = ASK.replace("step(1)", "int(step(1.5))")
    assert ask(package, question=with_floats) == (2, 1)
    second = [file for file in files(package / "numba", "nbc") if file != first]
    first.write_bytes(second[0].read_bytes())
    assert ask(package) == (2, 1)
    assert ask(package) == (2, 0)


def test_where_numba_cannot_write_our_folder_is_used(ask: Ask, package: Path) -> None:
    refuse_numba(package)
    assert ask(package) == (2, 1)
    assert ask(package) == (2, 0)
    [kept] = files(package / "ours", "nbc")
    if hasattr(os, "getuid"):
        assert (package / "ours" / "compiled").stat().st_mode & 0o077 == 0
    kept.write_bytes(b"")
    assert ask(package) == (2, 1)


def test_where_nothing_can_be_written_each_process_compiles(ask: Ask, package: Path) -> None:
    (package / "ours").write_text("a file, and no folder")
    refuse_numba(package)
    assert ask(package) == (2, 1)
    assert ask(package) == (2, 1)


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners of folders")
def test_a_folder_that_others_may_write_is_not_used(ask: Ask, package: Path) -> None:
    refuse_numba(package)
    assert ask(package) == (2, 1)
    (package / "ours" / "compiled").chmod(0o777)
    assert ask(package) == (2, 1)
