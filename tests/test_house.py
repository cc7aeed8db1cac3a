"""The layout of the code: what may import what, checked over the syntax trees."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from tests.order import FIRST, place

ROOT = Path(__file__).parents[1] / "musodds"

# From the top; folders of one line do not know each other.
FLOORS = (
    ("cli",), ("report",), ("players",), ("strategy",), ("solver",), ("chances", "stakes"),
    ("simulation",), ("exact",), ("knowledge", "playing", "store"), ("rules",),
)  # fmt: skip
FLOOR = {folder: number for number, floor in enumerate(FLOORS) for folder in floor}
MOST_LINES = 400
MOST_AT_ROOT = 10
PACKAGE = "musodds"


def sources() -> dict[str, str]:
    """Every module of the package by its dotted name, without ``musodds.``."""
    found = {}
    for path in ROOT.rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = path.read_text(encoding="utf-8")
    return found


@cache
def nodes(text: str) -> list[ast.AST]:
    """The syntax tree of a module, read once: the module first, then what is in it."""
    return list(ast.walk(ast.parse(text)))


def imports_of(modules: Mapping[str, str]) -> dict[str, set[str]]:
    """The modules of the package that each imports anywhere, type-only imports included."""
    found: dict[str, set[str]] = {}
    for name, text in modules.items():
        found[name] = set()
        for node in nodes(text):
            if isinstance(node, ast.Import):
                wanted = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                inner = [f"{node.module}.{alias.name}" for alias in node.names]
                wanted = [
                    full if full.removeprefix(f"{PACKAGE}.") in modules else node.module
                    for full in inner
                ]
            else:
                continue
            found[name] |= {
                full.removeprefix(f"{PACKAGE}.")
                for full in wanted
                if full.startswith(f"{PACKAGE}.")
            }
    return found


def folder(module: str) -> str:
    return module.split(".")[0]


def upward(modules: Mapping[str, str]) -> Iterator[str]:
    """Imports from a floor above, or from a neighbour on the same floor."""
    for name, wanted in imports_of(modules).items():
        for other in wanted:
            mine, theirs = folder(name), folder(other)
            if theirs not in FLOOR or mine == theirs or name == "__main__":
                continue
            if mine not in FLOOR or FLOOR[theirs] <= FLOOR[mine]:
                yield f"{name} -> {other}"


def circles(modules: Mapping[str, str]) -> Iterator[str]:
    """Modules that import themselves by way of others."""
    imported = imports_of(modules)
    for name in modules:
        seen: set[str] = set()
        left = [*imported[name]]
        while left:
            other = left.pop()
            if other not in seen:
                seen.add(other)
                left += imported.get(other, ())
        if name in seen:
            yield name


def handed_on(modules: Mapping[str, str]) -> Iterator[str]:
    """Names that a module imports from one that itself only imports them."""
    trees = {name: nodes(text) for name, text in modules.items()}
    borrowed = {
        name: {
            alias.asname or alias.name
            for node in tree
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        for name, tree in trees.items()
    }
    for name, tree in trees.items():
        for node in tree:
            if not isinstance(node, ast.ImportFrom) or not node.module:
                continue
            source = node.module.removeprefix(PACKAGE).removeprefix(".")
            for alias in node.names:
                inner = f"{source}.{alias.name}" if source else alias.name
                if source and alias.name in borrowed.get(source, ()) and inner not in modules:
                    yield f"{name} takes {alias.name} from {source}"


def early_numba(modules: Mapping[str, str]) -> Iterator[str]:
    """Modules outside ``kernels/`` that import numba when they are imported."""
    for name, text in modules.items():
        if ".kernels" in name:
            continue
        for node in nodes(text)[0].body:
            words = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
            if any(word.split(".")[0] in ("numba", "llvmlite") for word in words):
                yield name


def kernels_that_look_up(modules: Mapping[str, str]) -> Iterator[str]:
    """Kernels that import anything of the package but kernels and the decorator."""
    for name, wanted in imports_of(modules).items():
        if ".kernels." in name:
            yield from (
                f"{name} -> {other}"
                for other in wanted
                if ".kernels." not in other and other != "compiled"
            )


CHECKS = {
    upward: {"rules.cards": "from musodds.chances.odds import odds"},
    circles: {
        "rules.one": "from musodds.rules.other import a",
        "rules.other": "def f():\n    from musodds.rules.one import b",
    },
    handed_on: {
        "rules.one": "from musodds.rules.other import hands",
        "rules.other": "from musodds.rules.hands import hands",
    },
    early_numba: {"exact.unseen": "import numba"},
    kernels_that_look_up: {"exact.kernels.dots": "from musodds.rules.hands import hands"},
}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_house_keeps_its_rules(check):
    assert list(check(sources())) == []


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_planted_offender_is_found(check):
    assert list(check({**sources(), **CHECKS[check]})) != []


def test_neighbours_do_not_know_each_other():
    planted = {**sources(), "stakes.bet": "from musodds.chances.odds import odds"}
    assert list(upward(planted)) == ["stakes.bet -> chances.odds"]


def test_type_only_imports_count():
    text = "if TYPE_CHECKING:\n    from musodds.chances.odds import Odds"
    assert list(upward({**sources(), "rules.cards": text}))


def test_rooms_are_small():
    lines = {name: text.count("\n") for name, text in sources().items()}
    assert {name: n for name, n in lines.items() if n > MOST_LINES} == {}


def test_the_root_holds_folders_and_few_modules():
    modules = [path for path in ROOT.iterdir() if path.suffix == ".py"]
    folders = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert len(modules) <= MOST_AT_ROOT
    assert folders <= set(FLOOR)


def test_tests_lie_in_the_shape_of_the_code():
    here = Path(__file__).parent
    folders = {path.parent.name for path in here.glob("*/test_*.py")}
    assert folders == {path.parent.name for path in ROOT.glob("*/__init__.py")} & folders
    assert len(folders) > len(FLOORS)


def test_no_folder_has_the_name_of_a_public_function():
    import musodds

    folders = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert folders.isdisjoint(dir(musodds))


def test_what_docstrings_refer_to_exists():
    """``:mod:`musodds.x``` and the like name a module, or something that one defines."""
    import re

    modules = sources()
    names = {
        name: {
            inner
            for node in nodes(text)
            for inner in (
                [node.name]
                if isinstance(node, ast.FunctionDef | ast.ClassDef)
                else [node.id]
                if isinstance(node, ast.Name)
                else []
            )
        }
        for name, text in modules.items()
    }
    import musodds

    missing = []
    for name, text in modules.items():
        for word in re.findall(r":\w+:`~?musodds\.([\w.]+)`", text):
            parts = word.split(".")
            known = word in modules or parts[0] in dir(musodds)
            for k in range(1, len(parts)):
                known |= parts[k] in names.get(".".join(parts[:k]), ())
            if not known:
                missing.append(f"{name}: {word}")
    assert missing == []


def test_files_of_tests_that_go_first_are_there_and_do() -> None:
    assert all((ROOT.parent / file).is_file() for file in FIRST)
    asked = [f"{FIRST[2]}::test[a::b]", "tests/test_house.py::test", f"{FIRST[0]}::test"]
    assert sorted(asked, key=place) == [asked[2], asked[0], asked[1]]
