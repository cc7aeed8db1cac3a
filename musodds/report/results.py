"""What ``results/`` holds, how it is made again, and whether it still is what it says.

Every file is what one command writes, and the manifest says which: command, version,
method, n, seed, checksum. Exact tables and seeded simulations come out the same, byte for
byte, wherever they are made. So do figures made with the same matplotlib (and the fonts
and the PNG library it brings), which the manifest names; with another one their
checksums may differ, and a check compares the pictures.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from musodds.errors import InputError
from musodds.simulation.progress import open_bar
from musodds.store.files import write_atomic

MANIFEST = "manifest.json"
INDEX = "README.md"
GAMES = ("mus", "mus4")
SOLVED = ("mus", "mus4")
"""Games whose solved policy comes with the package."""

HAND = "RR7A"

_STRENGTH = (
    "Five strips, one for each phase: the chance to take it rises from the weakest hand to the "
    "strongest, in grande and chica slowly and alike for all seats, in pares and juego with a leap "
    "where a play begins, and there the seat matters most."
)
_CHART = (
    "A square of cells, one for each hand, above the diagonal as mano and below it as postre: "
    "pairs of kings, duples and juegos gain stones, hands without pares lose one or two."
)
_SEATS = (
    "Dots for each seat on a common baseline: in grande and chica all seats are nearly alike, in "
    "pares and juego mano is ahead of the others, and so are mano's side's stones."
)
_DISCARDS = (
    "Squares over the net stones of hands as dealt and after the best discard: most hands worth "
    "less than nothing gain by it and lie above the line, pares and juego lose and lie below it."
)
_SIGNS = (
    "A table of signs and phases in colours: the partner's kings help in grande and juego, his "
    "aces in chica, his 31 in juego; the last column has the change in net stones."
)
_STONES = (
    "Pairs of bars for 0 to 12 stones: either side most often scores 1 to 4 in a deal, mano's side "
    "slightly more."
)
_EQUITY = (
    "A square of all scores: the chance of winning is one half along the diagonal, and the lines "
    "of equal chance draw together towards 39–39."
)
_CONVERGENCE = (
    "Simulated less counted chance for 256 to a million deals: the points come to the line at "
    "zero, within the band in which 95 of 100 simulations are."
)

_STRATEGY = (
    "A square of cells, one for each hand, above the diagonal what mano's side says first in "
    "grande, below it what the other side answers to a bet of 2: hands with kings bet, half of the "
    "time or always; hands with two kings raise, those with one see, many of the others fold."
)
_KINDS = (
    "A square of all scores: orange where we are ahead and blue where we are behind, up to twenty "
    "points, so that lines of equal chance lie further apart than en paso."
)
_PRICES = (
    "A table of signs and phases: four kings and duples are worth two to three stones in pares, "
    "kings in grande and aces in chica up to two thirds of one, most other signs a tenth."
)

Run = Callable[[Sequence[str]], Mapping[str, Any]]
"""Runs a command, given what follows ``musodds``; returns what holds for its answer."""

_REVIEW = (
    "A line in steps through eight deals of a game: our chance of winning it rises from a half, "
    "falls at times with the cards that are dealt, and ends at one."
)

_SAME = 4.0
"""Pictures differ by no more than this on average, of 255, if only their fonts do."""


SOLVED_METHOD = "solved"
"""Of files that are solved to a gap: the last digits are the processor's."""

_NEAR, _MOST = 0.1, 0.95
"""So many of their numbers are no further apart: equilibria are not unique."""


EN_PASO = ("equity", "--equity", "paso")
"""Counted exactly, so published for the digits; what betting well changes is a figure beside it."""


@dataclass(frozen=True)
class Item:
    """A published file.

    Parameters
    ----------
    file : str
        Its path in ``results/``.
    arguments : tuple of str
        The command that writes it, less ``-o FILE``.
    title : str
        One line for the index.
    seen : str, optional
        What a figure shows, for those who do not see it.
    """

    file: str
    arguments: tuple[str, ...]
    title: str
    seen: str = ""

    @property
    def command(self) -> str:
        """As it is typed in the repository's top folder."""
        return " ".join(("musodds", *self.arguments, "-o", f"results/{self.file}"))


def _of_game(game: str) -> Iterable[Item]:
    def item(file: str, title: str, *arguments: str, seen: str = "") -> Item:
        chosen = () if game == "mus" else ("--game", game)
        return Item(f"{game}/{file}", (*arguments, *chosen), title, seen)

    policy = () if game in SOLVED else ("--policy", "solo")
    for name, title, arguments, seen in (
        ("strength", "All hands in all phases", ("strength",), _STRENGTH),
        ("chart", "Every hand as mano and as postre: net stones", ("chart",), _CHART),
        ("seats", "What a seat is worth, phase by phase", ("seats",), _SEATS),
        ("discards", "What a discard is worth to mano", ("discards", *policy), _DISCARDS),
        ("signals", f"What the partner's signs tell {HAND}", ("signals", "--hand", HAND), _SIGNS),
        ("stones", "The stones that a deal brings", ("stones",), _STONES),
        ("equity", "Who wins the game from here, en paso? (we are mano)", EN_PASO, _EQUITY),
        ("convergence", "A simulation beside the exact value", ("convergence",), _CONVERGENCE),
    ):
        yield item(f"{name}.png", title, "plot", *arguments, seen=seen)
        yield item(f"figures/{name}.csv", f"The numbers of {name}.png", "plot", *arguments)
    for name, title in (
        ("hands", "Every hand: plays, places, chance"),
        ("plays", "Every play: how often one player, or one of two, has it"),
    ):
        yield item(f"{name}.csv", title, "table", name)
        yield item(f"{name}.md", title, "table", name)
    yield item("odds.csv", "Exact odds of every hand, seat and phase", "table", "odds")
    for seat in ("mano", "postre"):
        yield item(f"odds-{seat}.md", f"The same for {seat}", "table", "odds", "--seat", seat)
    for source, words in (("best", "when all play the solved policy"), ("solo", "drawing alone")):
        if source == "best" and game not in SOLVED:
            continue
        for name, title in (("discards", "The best keep"), ("cut", "Mus or cut")):
            for suffix in ("csv", "md"):
                file, words_of = f"{name}-{source}.{suffix}", f"{title} of every hand, {words}"
                yield item(file, words_of, "table", name, "--policy", source)
    scores = "Every score: the chance of winning the game and the match"
    yield item("equity.csv", scores, "table", *EN_PASO)
    signs = ("table", "signals", "--hand", HAND)
    yield item("signals.csv", f"What the partner's signs do to the odds of {HAND}", *signs)
    yield item("signals.md", f"The same for {HAND} as mano", *signs, "--seat", "mano")


def _solved() -> Iterable[Item]:
    """Figures of solved betting, of the game whose solved equity comes with the package."""
    for name, title, arguments, seen in (
        ("strategy", "Betting solved: grande at 0–0, hand by hand", ("--score", "0-0"), _STRATEGY),
        ("kinds", "Who wins the game if both sides bet well, beside en paso", (), _KINDS),
        ("prices", "The price of each sign", (), _PRICES),
    ):
        yield Item(f"mus/{name}.png", ("plot", name, *arguments), title, seen)
        file, words = f"mus/figures/{name}.csv", f"The numbers of {name}.png"
        yield Item(file, ("plot", name, *arguments), words)


ITEMS: tuple[Item, ...] = (
    Item("mus.html", ("page",), "The page to look hands up, in one file"),
    *(item for game in GAMES for item in _of_game(game)),
    *_solved(),
    Item(
        "mus/review.png", ("review", "notebooks/data/game.txt", "--equity", "paso"),
        "A game reviewed: the chance of winning it, deal by deal", _REVIEW,
    ),
    Item(
        "mus/figures/review.csv",
        ("review", "notebooks/data/game.txt", "--equity", "paso", "--course"),
        "The numbers of review.png",
    ),
)  # fmt: skip


def publish(
    folder: str | Path,
    run: Run,
    only: str = "*",
    report: Callable[[str], None] = lambda line: None,
) -> None:
    """Make the published files, the index and the manifest.

    Parameters
    ----------
    folder : str or Path
    run : callable
    only : str, optional
        A pattern such as ``mus4/*.csv``: the other files stay as they are.
    report : callable, optional
        Told of each file when it is made.

    Raises
    ------
    InputError
        If no file fits the pattern.
    """
    folder = Path(folder)
    kept = read_manifest(folder)["files"] if (folder / MANIFEST).exists() else {}
    made = {}
    chosen = _chosen(only)
    for number, item in enumerate(chosen, start=1):
        with open_bar(f"{item.file}, {number} of {len(chosen)}"):
            made[item.file] = _make(item, folder, run)
        report(item.file)
    entries = {**kept, **made}
    files = {item.file: entries[item.file] for item in ITEMS if item.file in entries}
    write_atomic(folder / INDEX, index(files))
    manifest = {"matplotlib": version("matplotlib"), "files": files}
    write_atomic(folder / MANIFEST, json.dumps(manifest, indent=1) + "\n")


def _chosen(only: str) -> tuple[Item, ...]:
    found = tuple(item for item in ITEMS if fnmatch(item.file, only))
    if not found:
        raise InputError(f"no published file is called {only!r}, such as mus/odds.csv or mus/*.png")
    return found


def _make(item: Item, folder: Path, run: Run) -> dict[str, Any]:
    """Write one file, and say how."""
    target = folder / item.file
    target.parent.mkdir(parents=True, exist_ok=True)
    head = run((*item.arguments, "-o", str(target)))
    return {
        "command": item.command,
        "version": version("musodds"),
        "method": head["method"],
        "n": head.get("n"),
        "seed": head.get("seed"),
        "sha256": checksum(target),
        "bytes": target.stat().st_size,
    }


def checksum(path: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_manifest(folder: str | Path) -> dict[str, Any]:
    """The manifest of a folder of published files.

    Raises
    ------
    InputError
        If there is none, or it cannot be read.
    """
    path = Path(folder) / MANIFEST
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        found["files"].items()
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
        raise InputError(f"{str(path)!r} is not a manifest of published files") from error
    return found


def check(folder: str | Path, run: Run, only: str = "*") -> list[str]:
    """Make files again and compare them; say what differs.

    Parameters
    ----------
    folder : str or Path
    run : callable
    only : str, optional
        A pattern: the files to make again. All are compared with the manifest.

    Returns
    -------
    list of str
        One line per difference; none if all is as it was published.
    """
    folder = Path(folder)
    manifest = read_manifest(folder)
    found = compare_with_manifest(folder, manifest)
    with TemporaryDirectory() as scratch:
        for item in _chosen(only):
            again = Path(scratch) / item.file
            entry = _make(item, Path(scratch), run)
            published = manifest["files"].get(item.file)
            if published is None:
                found.append(f"{item.file}: not published yet")
                continue
            found += [
                f"{item.file}: {key} is {entry[key]} now, was {published[key]}"
                for key in ("command", "method", "n", "seed")
                if entry[key] != published[key]
            ]
            if entry["sha256"] != published["sha256"] and not (
                same_picture(again, folder / item.file)
                or (entry["method"] == SOLVED_METHOD and same_table(again, folder / item.file))
            ):
                found.append(f"{item.file}: its content is different now")
    return found


def compare_with_manifest(folder: Path, manifest: Mapping[str, Any]) -> list[str]:
    """Say which files are not what the manifest says, missing, or not in it."""
    found = []
    for file, entry in manifest["files"].items():
        path = folder / file
        if not path.is_file():
            found.append(f"{file}: missing")
        elif checksum(path) != entry["sha256"]:
            found.append(f"{file}: not the file that the manifest describes")
    present = {str(p.relative_to(folder).as_posix()) for p in folder.rglob("*") if p.is_file()}
    unknown = present - set(manifest["files"]) - {MANIFEST, INDEX}
    return found + [f"{file}: not in the manifest" for file in sorted(unknown)]


def same_picture(one: Path, other: Path) -> bool:
    """Whether two PNG files show the same but for the shapes of letters."""
    if one.suffix != ".png" or not other.is_file():
        return False
    from matplotlib.image import imread

    first, second = (np.asarray(imread(path))[..., :3] * 255.0 for path in (one, other))
    if first.shape != second.shape:
        return False
    return bool(np.abs(first - second).mean() <= _SAME)


def same_table(one: Path, other: Path) -> bool:
    """Whether two CSV files say the same but for what solving leaves open on another computer."""
    if one.suffix != ".csv" or not other.is_file():
        return False
    import pandas as pd

    first, second = pd.read_csv(one), pd.read_csv(other)
    if first.shape != second.shape or list(first) != list(second):
        return False
    numbers = first.select_dtypes("number").columns
    if not first.drop(columns=numbers).equals(second.drop(columns=numbers)):
        return False
    near = np.isclose(first[numbers], second[numbers], atol=_NEAR, equal_nan=True)
    return bool(near.mean() >= _MOST)


def index(files: Mapping[str, Mapping[str, Any]]) -> str:
    """The page that shows what there is, in Markdown."""
    lines = [
        "# Results",
        "",
        "Tables and figures of Mus with eight kings (`mus`) and with four (`mus4`). The cards of",
        "the others are unknown, stones are those of a deal in which everybody passes (*en",
        "paso*), net is for less against. All of it is made by one command,",
        "`musodds publish results`; [manifest.json](manifest.json) says for every file the",
        "command, the version, the method, n, the seed and the checksum. The columns are",
        "explained by `musodds table --help` and the [front page](../README.md#the-columns). The",
        "numbers that a figure draws are in the folder `figures` beside it.",
        "",
        "[mus.html](mus.html) is a page to look hands up, on a phone too: one file, to be saved",
        "and opened.",
    ]
    for game in GAMES:
        items = [item for item in ITEMS if item.file in files and item.file.startswith(f"{game}/")]
        if not items:
            continue
        lines += ["", f"## {game}"]
        for item in items:
            if item.file.endswith(".png"):
                lines += ["", f"### {item.title}", "", f"![{item.seen}]({item.file})"]
        lines += ["", "### Tables", "", "| file | what | method | kB |", "|:--|:--|:--|--:|"]
        for item in items:
            if not item.file.endswith(".png"):
                entry = files[item.file]
                method = entry["method"]
                if entry["n"]:
                    method += f", n {entry['n']:,} per hand, seed {entry['seed']}"
                size = f"{entry['bytes'] / 1000:,.0f}"
                lines.append(f"| [{item.file}]({item.file}) | {item.title} | {method} | {size} |")
    return "\n".join(lines) + "\n"
