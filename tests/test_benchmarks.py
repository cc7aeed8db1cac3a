"""Every benchmark runs to its end, with sizes so small that its figures mean nothing."""

import ast
import contextlib
import importlib
import io
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from types import ModuleType, SimpleNamespace

import pytest

import musodds.cli
from musodds.rules.games import get_game

FOLDER = Path(__file__).parent / "benchmarks"


def in_this_process(command, **_):
    """What the processes of the benchmarks do, without starting any."""
    first, *arguments = map(str, command)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        if first != sys.executable:
            status = musodds.cli.main(arguments)
        elif arguments[0] == "-m":
            status = musodds.cli.main(arguments[2:])
        elif arguments[0] == "-c":
            status = exec(arguments[1], {})
        else:
            bench = importlib.import_module(f"tests.benchmarks.{Path(arguments[0]).stem}")
            status = bench.main(arguments[1:])
    assert not status, command
    return SimpleNamespace(stdout=said.getvalue())


def nothing_counted(bench: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a benchmark divides by the processor time of processes, that is a second each."""
    whole = bench.whole

    def second(*arguments, cache):
        whole(*arguments, cache=cache)
        return 1.0

    monkeypatch.setattr(bench, "whole", second)


def asked_once(bench: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    hands_for, mean = bench.hands_for, bench.mean
    monkeypatch.setattr(bench, "hands_for", lambda number: hands_for(1))
    monkeypatch.setattr(bench, "mean", lambda ask, number: mean(ask, 1, 1))
    # All pairs take a second: a test of their own makes them.
    monkeypatch.setattr(bench.mo, "pairs_table", lambda game: range(20))


def learned_a_little(bench: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    solve_each = bench.solve_each
    monkeypatch.setattr(
        bench,
        "solve_each",
        lambda *asked, **given: solve_each(*asked, **given, deals=2000, measured=500, pairs=20),
    )


def solved_roughly(bench: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    solve = bench.solve_betting
    monkeypatch.setattr(
        bench, "solve_betting", lambda *asked, **given: solve(*asked, **given | {"gap": 0.5})
    )


def tables_here(bench: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    def report(name, baseline):
        results = SimpleQueue()
        bench.whole_table(name, results)
        assert results.get()[-1], "the table is that of the package"

    monkeypatch.setattr(bench, "report_table", report)
    timed = bench.timed
    monkeypatch.setattr(bench, "timed", lambda *call, repeat=1: timed(*call, repeat=1))


def some_hands(bench: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    every = bench.hands(bench.get_policy("level-1", "mus").game)
    monkeypatch.setattr(bench, "hands", lambda game: every.texts[:3])


def no_eval7(monkeypatch: pytest.MonkeyPatch) -> None:
    """The baseline of one benchmark, which the tests do not install."""
    eval7 = ModuleType("eval7")
    eval7.Card = eval7.HandRange = str
    eval7.py_hand_vs_range_monte_carlo = lambda *_: sum(range(1000))
    monkeypatch.setitem(sys.modules, "eval7", eval7)


def some_places(bench: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    class Few(bench.Work):
        def respond(self, policy, purpose):
            self.places = self.places[:2]
            return super().respond(policy, purpose)

    monkeypatch.setattr(bench, "Work", Few)


# Of each: what it is asked on its command line, its sizes, and what else is made small.
TINY = {
    "asked": (
        [],
        {"SOLVED": (("grande", "mus2p", (38, 38), 9.0), ("deal", "mus2p", (39, 39), 9.0))},
        asked_once,
    ),
    "discards": ([], {"DEALS": 100, "RUNS": 1, "HANDS": ("RR7A",)}, None),
    "duel": (["mus", "1"], {"QUESTIONS": (("31 & pares", "RR7A", "any", "any"),)}, None),
    "each": (["punto", "38-38"], {"FEW": 1}, learned_a_little),
    "equity": (["mus2p"], {"ROWS": 3}, nothing_counted),
    "every_score": (
        ["punto", "100"],
        {"GAME": replace(get_game("mus2p"), target=1)},
        None,
    ),
    "exact": ([], {"RUNS": 1}, tables_here),
    "from_file": ([], {"ROWS": {"score": 8}}, None),
    "games": (["mus", "encaje3"], {"DEALS": 1000, "TURNS": 1}, None),
    "knowledge": (
        ["mus"],
        {"RUNS": 1, "DEALS": 1000, "RANGES": {"one": {"partner": "C765"}}},
        None,
    ),
    "models": (["punto", "38-38"], {"DEALS": 20_000}, solved_roughly),
    "montecarlo": (
        [],
        {"BURSTS": 1, "TURNS": 1, "DEALS": 1000, "ITERATIONS": 10},
        None,
    ),
    "one_answer": ([], {"DEALS": 2048, "EVERY": 200}, None),
    "page": ([], {"RUNS": 1, "SLOWER": 1, "ASKED": (("a sign", "#RR7A/4/31"),)}, None),
    "pass": ([], {"DEALS": 1000, "GAP": 9}, some_hands),
    "played": (["500", "39-39"], {}, None),
    "review": ([], {"GAMES": ("mus2p",), "MATCH": 2, "DEALS": 2, "SCORE": (39, 39)}, None),
    "scores": (["--target", "1", "-n", "20", "--gap", "0.3"], {}, None),
    "sides": (["punto:own/own:2:0.5"], {}, None),
    "solver": (["tiny"], {"CASES": {"tiny": ("punto", {"game": "mus2p", "gap": 0.5})}}, None),
    "tables": ([], {"RUNS": 1, "PLOTS": ("chart",)}, None),
    "thrown": (["kings", "mus2p", "64"], {"FIRST": 512, "TRIES": 1024}, None),
    "together": (
        [],
        {
            "DEALS": 1000,
            "TURNS": 1,
            "GAP": 9,
            "HALF": 2000,
            "PAIRS": 2,
            "EACH": 200,
            "SEEN": 0,
        },
        some_places,
    ),
}


def test_every_benchmark_is_run():
    assert set(TINY) == {file.stem.removeprefix("bench_") for file in FOLDER.glob("bench_*.py")}


def call_of_main(file: Path) -> str:
    """What the script does when it is run as one."""
    whole = ast.parse(file.read_text(encoding="utf-8")).body[-1]
    [call] = [
        node
        for node in ast.walk(whole)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "main"
    ]
    return ast.unparse(call)


@pytest.mark.parametrize("name", TINY)
def test_runs_to_its_end(name, monkeypatch, capsys):
    asked, sizes, smaller = TINY[name]
    no_eval7(monkeypatch)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    bench = importlib.import_module(f"tests.benchmarks.bench_{name}")
    for size, value in sizes.items():
        assert hasattr(bench, size)
        monkeypatch.setattr(bench, size, value)
    if smaller:
        smaller(bench, monkeypatch)
    monkeypatch.setattr(subprocess, "run", in_this_process)
    monkeypatch.setattr(sys, "argv", [bench.__file__, *asked])
    assert not eval(call_of_main(Path(bench.__file__)), vars(bench))
    out, err = capsys.readouterr()
    assert out.count("\n") >= 1
    assert not err
    assert "nan" not in out
