"""How a whole program ends after Ctrl-C, and that it says what takes long."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from musodds.cli.parts import waiting
from musodds.cli.parts.output import signed
from musodds.simulation.progress import progress_bar

COMMAND = """
import sys, threading, time, types, click

@click.command
def command():
    {body}

from musodds.cli import main
from musodds.cli.commands import COMMANDS
COMMANDS["slow"] = "Takes its time."
sys.modules["musodds.cli.slow"] = types.SimpleNamespace(command=command)
if __name__ == "__main__":
    sys.argv = ["musodds", "slow"]
    raise SystemExit(main())
"""

BODIES = {
    "where a text is executed": """
    exec("print('started', flush=True); import time; time.sleep(60)")
    """,
    "beside a thread that goes on": """
    threading.Thread(target=time.sleep, args=(60,)).start()
    print("started", flush=True)
    time.sleep(60)
    """,
    "where a pool is waited for": """
    from concurrent.futures import ThreadPoolExecutor
    with ThreadPoolExecutor(1) as pool:
        pool.submit(time.sleep, 60)
        print("started", flush=True)
        time.sleep(60)
    """,
}


def _start(tmp_path, body, quiet="1"):
    text = textwrap.indent(textwrap.dedent(body).strip(), "    ").strip()
    (tmp_path / "slow.py").write_text(COMMAND.format(body=text))
    return subprocess.Popen(
        [sys.executable, "-m", "slow"], cwd=tmp_path, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, env=os.environ | {waiting.QUIET: quiet},
    )  # fmt: skip


@pytest.mark.parametrize("where", BODIES)
def test_ctrl_c_ends_with_130(tmp_path, where):
    with _start(tmp_path, BODIES[where]) as process:
        assert process.stdout.readline() == "started\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        assert (process.returncode, errors) == (130, "musodds: interrupted\n")


def test_what_takes_long_says_so_without_a_terminal(tmp_path):
    work = """
    end = time.process_time() + 6
    while time.process_time() < end:
        pass
    """
    with _start(tmp_path, work, quiet="") as process:
        assert process.stderr.readline() == "musodds: working on the answer ...\n"
        process.kill()


def test_it_says_what_it_is_and_each_thing_once(capsys, monkeypatch):
    monkeypatch.delenv(waiting.QUIET)
    monkeypatch.setattr(waiting, "PATIENCE", 0.0)
    monkeypatch.setattr(waiting, "WORK", 0.0)
    with waiting.said_later():
        end = time.monotonic() + 20
        while not (said := capsys.readouterr().err) and time.monotonic() < end:
            time.sleep(0.01)
        assert said == "musodds: working on the answer ...\n"
        for _ in range(2):
            with progress_bar("games"):
                pass
    assert capsys.readouterr().err == "musodds: working on the games ...\n"


def test_nothing_is_said_where_none_of_it_is_wanted(capsys, monkeypatch):
    monkeypatch.setattr(waiting, "PATIENCE", 0.0)
    monkeypatch.setattr(waiting, "WORK", 0.0)
    with waiting.said_later(), progress_bar("games"):
        time.sleep(0.1)
    assert capsys.readouterr().err == ""


def test_what_is_soon_answered_says_nothing(capsys, monkeypatch):
    monkeypatch.delenv(waiting.QUIET)
    with waiting.said_later(), progress_bar("games"):
        pass
    assert capsys.readouterr().err == ""


def test_a_zero_has_no_sign():
    assert [signed(value, 3) for value in (-0.0001, -0.0, 0.0004)] == ["0.000"] * 3
