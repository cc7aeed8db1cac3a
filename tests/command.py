"""The command line within the process of the tests: to start one takes longer than to answer."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

from musodds.cli import main

Run = Callable[..., subprocess.CompletedProcess[str]]


def runner(capsys: pytest.CaptureFixture[str]) -> Run:
    """What runs a command, its status and what it printed as those of a process."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        capsys.readouterr()
        status = main(arguments)
        printed = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, status, printed.out, printed.err)

    return run
