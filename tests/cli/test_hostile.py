"""A minute of command lines that nobody means, always the same; see :mod:`tests.cli.hostile`."""

import re
import subprocess
import sys
from pathlib import Path

from tests.cli.hostile import unknown_options
from tests.cli.hostile_runs import NEGATIVE_ZERO

ROOT = Path(__file__).parents[2]


def test_no_command_line_is_a_failure_of_ours():
    # In a process of its own, which forks: threads of this one are not for that.
    words = ["tests.cli.hostile_runs", "--seconds", "60", "--lines", "1000", "--seed", "20"]
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.search(r"seed 20: (\d+) lines, 0 bad", done.stdout)
    assert found is not None, done.stdout
    assert int(found[1]) > 20


def test_the_grammar_has_values_for_every_option() -> None:
    assert unknown_options() == []


def test_a_zero_with_a_minus_is_seen():
    for text in ("-0.000", "net -0.0", "(-0.00)", "−0.0%", "-0"):
        assert NEGATIVE_ZERO.search(text), text
    for text in ("40-0", "-0.01", "2026-0.5", "--0", "0-0", "-0-1"):
        assert not NEGATIVE_ZERO.search(text), text
