"""Solving that is broken off and gone on with: the same digits, and no file of another run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import musodds as mo
from musodds.cli.app import run
from musodds.errors import InputError
from musodds.simulation.checkpoint import CheckpointError
from musodds.solver.checkpoint import MAGIC, Checkpoint
from musodds.solver.each_learn import ITERATION
from musodds.solver.sides import solve_sides

JUEGO: dict[str, Any] = {"game": "mus2p", "score": (32, 35)}


def cut(iterations: int, gap: float) -> None:
    raise KeyboardInterrupt


def same(one: tuple[np.ndarray, ...], other: tuple[np.ndarray, ...]) -> None:
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a, b)


def test_a_run_that_was_cut_short_makes_the_same_digits(tmp_path: Path) -> None:
    file = tmp_path / "juego.solving"
    whole = mo.solve_betting("juego", **JUEGO, gap=0.002)
    first = mo.solve_betting("juego", **JUEGO, gap=0.002, watch=cut, checkpoint=file)
    assert first.interrupted
    assert first.iterations == 20 < whole.iterations
    # Also between two looks at the gap, by another number of threads.
    mo.solve_betting("juego", **JUEGO, iterations=27, checkpoint=file, workers=2)
    again = mo.solve_betting("juego", **JUEGO, gap=0.002, checkpoint=file)
    assert (again.iterations, again.gap) == (whole.iterations, whole.gap)
    same(again.strategies, whole.strategies)
    assert not again.interrupted
    # What is enough is not gone on with.
    third = mo.solve_betting("juego", **JUEGO, gap=0.002, checkpoint=file)
    same(third.strategies, whole.strategies)
    assert third.iterations == whole.iterations


def test_sides_go_on(tmp_path: Path) -> None:
    given: dict[str, Any] = {"model": "own/own", "bets": "2", "raises": "none", "gap": 0.01}
    file = tmp_path / "punto.solving"
    whole = solve_sides("punto", **given)
    assert solve_sides("punto", **given, watch=cut, checkpoint=file).interrupted
    again = solve_sides("punto", **given, checkpoint=file)
    assert (again.iterations, again.gap) == (whole.iterations, whole.gap)
    same(again.strategies, whole.strategies)
    for option, word in (("--bets", "2,5"), ("--model", "own/signals")):
        with pytest.raises(CheckpointError, match=option):
            solve_sides("punto", **{**given, option[2:]: word}, checkpoint=file)


def test_each_goes_on(tmp_path: Path) -> None:
    given: dict[str, Any] = {"game": "mus2p", "measured": 2_000, "pairs": 16}
    file = tmp_path / "punto.solving"
    whole = mo.solve_each("punto", **given, deals=10 * ITERATION)

    def stop(done: int, of: int) -> None:
        if done == 4 * ITERATION:
            raise KeyboardInterrupt

    first = mo.solve_each("punto", **given, deals=10 * ITERATION, watcher=stop, checkpoint=file)
    assert (first.interrupted, first.iterations) == (True, 4)
    # Measured on fewer fresh deals, as it was learned from fewer.
    assert first.measured.deals < whole.measured.deals
    again = mo.solve_each("punto", **given, deals=10 * ITERATION, checkpoint=file)
    assert again == whole
    with pytest.raises(CheckpointError, match="--seed 1, not --seed 2"):
        mo.solve_each("punto", **given, deals=10 * ITERATION, seed=2, checkpoint=file)


OTHERS = (
    ("--score 32-35, not --score 30-35", {"score": (30, 35)}),
    ("juego, not punto", {"what": "punto"}),
    ("--game mus2p, not --game mus", {"game": "mus"}),
    ("--payoff equity, not --payoff stones", {"payoff": "stones"}),
    ("--bets 2,5,ordago, not --bets 3", {"bets": "3"}),
    ("--raises 2,5,ordago, not --raises none", {"raises": "none"}),
    ("--reraises 1, not --reraises 0", {"reraises": 0}),
    ("--speakers 1,2, not --speakers 1,2", {}),
)


@pytest.mark.parametrize(("why", "other"), OTHERS[:-1])
def test_the_file_of_another_run_says_what_differs(
    why: str, other: dict[str, Any], tmp_path: Path
) -> None:
    file = tmp_path / "juego.solving"
    mo.solve_betting("juego", **JUEGO, iterations=2, checkpoint=file)
    before = file.read_bytes()
    given = {"what": "juego", **JUEGO, **other}
    with pytest.raises(CheckpointError, match=why):
        mo.solve_betting(**given, iterations=2, checkpoint=file)
    assert file.read_bytes() == before


def test_speakers_of_another_run(tmp_path: Path) -> None:
    file = tmp_path / "grande.solving"
    run_ = {"speakers": "--speakers 1,2"}
    Checkpoint(file, run_).save({}, [np.zeros(3)])
    with pytest.raises(CheckpointError, match="--speakers 1,2, not --speakers 3,2"):
        Checkpoint(file, {"speakers": "--speakers 3,2"})


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "juego.solving"
    mo.solve_betting("juego", **JUEGO, iterations=2, checkpoint=file)
    good = file.read_bytes()
    line = good[len(MAGIC) :].split(b"\n")[0]
    numbers = good[len(MAGIC) + len(line) + 1 :]
    header = json.loads(line)

    def written(**changed: Any) -> bytes:
        return MAGIC + json.dumps({**header, **changed}).encode() + b"\n" + numbers

    assert written() == good
    bad = {
        "cut": good[:-1],
        "longer": good + b"x",
        "changed": good[:-1] + bytes([good[-1] ^ 1]),
        "further": written(numbers={**header["numbers"], "iterations": 7}),
        "no numbers": written(numbers=[]),
        "nothing": MAGIC,
        "no JSON": MAGIC + b"{" * 5000 + b"\n",
        "control": written(run={**header["run"], "score": "\x1b[31m"}),
    }
    for content in bad.values():
        file.write_bytes(content)
        with pytest.raises(CheckpointError, match="damaged"):
            mo.solve_betting("juego", **JUEGO, iterations=2, checkpoint=file)
        assert file.read_bytes() == content
    file.write_text("hello")
    with pytest.raises(InputError, match="not a checkpoint"):
        mo.solve_betting("juego", **JUEGO, checkpoint=file)


def test_numbers_that_vouch_for_themselves_but_cannot_be(tmp_path: Path) -> None:
    file = tmp_path / "juego.solving"
    solved = mo.solve_betting("juego", **JUEGO, iterations=2)
    kept = Checkpoint(file, solved.spec.told)
    state = [np.zeros(len(one), np.float32) for one in solved.strategies * 2]
    good = {"iterations": 2, "check": 20, "stage": 0, "found": 1e9}
    kept.save(good, state)
    mo.solve_betting("juego", **JUEGO, iterations=3, checkpoint=file)
    for wrong in ({"iterations": -1}, {"check": 1.5}, {"found": "x"}, {"stage": True}):
        kept.save({**good, **wrong}, state)
        with pytest.raises(CheckpointError, match="damaged"):
            mo.solve_betting("juego", **JUEGO, iterations=3, checkpoint=file)
    state[0][0] = np.nan
    kept.save(good, state)
    with pytest.raises(CheckpointError, match="damaged"):
        mo.solve_betting("juego", **JUEGO, iterations=3, checkpoint=file)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "juego.solving")
    words = ["solve", "juego", "--game", "mus2p", "--iterations", "3", "--checkpoint", file]
    assert run(words) == 0
    assert run([*words, "--score", "1-0"]) == 2
    assert "--score 0-0, not --score 1-0" in capsys.readouterr().err
    assert run([*words[:-1], "/dev/null"]) == 2
    assert run([*words[:-1], str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 2
