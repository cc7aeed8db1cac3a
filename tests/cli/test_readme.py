"""What the README and the help tell people to type can be typed, and answers as printed."""

from __future__ import annotations

import re
import shlex
from contextlib import chdir
from pathlib import Path

import click
import pytest

from musodds.cli import main
from musodds.cli.commands import COMMANDS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")

# A minute each, without what is kept: a phase solved, and deals with bets counted.
SLOW = {
    "bet RR7A --seat 1 --phase pares --score 32-35 --solved",
    "equity --score 32-35 --mano us --sensitivity",
}


def console(text: str) -> list[tuple[str, list[str]]]:
    """Every `$ musodds` line of the README, and the lines printed below it."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                # The first line of all installs, and ends in the command.
                typed = line.removeprefix("$ ").rpartition(".venv/bin/")[2]
                found.append((typed, []))
            else:
                found[-1][1].append(line)
    return [(typed, below) for typed, below in found if typed.startswith("musodds ")]


def words_of(typed: str) -> list[str]:
    """The arguments: without the name of the program, a remark, and what a shell does."""
    words = shlex.split(re.sub(r"  +[a-z][^'\"]*$", "", typed), comments=True)
    end = next((i for i, word in enumerate(words) if word in ("|", "<", ">")), len(words))
    return words[1:end]


def examples() -> list[str]:
    """Every example of every command's help, lines that go on in the next one joined."""
    found = []
    for name in COMMANDS:
        command = __import__(f"musodds.cli.{name}", fromlist=["command"]).command
        texts = [command.help, *(one.help for one in getattr(command, "commands", {}).values())]
        for text in texts:
            lines = text.partition("Examples:")[2].replace(" \\\n", " ").splitlines()
            for line in map(str.rstrip, lines):
                if line.strip().startswith("musodds "):
                    found.append(line.strip())
                elif line.startswith("      ") and found:
                    found[-1] += " " + line.strip()
    return found


@pytest.fixture
def files(tmp_path):
    """Files of the names that examples use: what is in them is asked of nobody here."""
    (tmp_path / "notebooks").symlink_to(ROOT / "notebooks")
    with chdir(tmp_path):
        yield tmp_path


TYPED = dict.fromkeys([*(typed for typed, _ in console(README)), *examples()])


@pytest.mark.parametrize("typed", TYPED)
def test_it_can_be_typed(typed, files, monkeypatch, capsys):
    words = words_of(typed)
    for word in words:
        if re.fullmatch(r"[\w-]+\.(txt|csv|mus|run)", word):
            Path(word).touch()
    monkeypatch.setattr(click.Command, "invoke", lambda *_: None)
    status, errors = main(words), capsys.readouterr().err
    if "--from" in words:  # The file is read at once, and there is nothing in it.
        assert "No such option" not in errors
    else:
        assert (status, errors) == (0, "")


@pytest.mark.parametrize(
    ("typed", "below"),
    [
        pytest.param(typed, below, id=typed)
        for typed, below in console(README)
        if any(below) and shlex.join(words_of(typed)) not in SLOW
    ],
)
def test_it_answers_as_printed(typed, below, files, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    assert main(words_of(typed)) == 0
    rest = capsys.readouterr().out
    for part in filter(None, "\n".join(below).strip("\n").split("...")):
        before, found, rest = rest.partition(part.lstrip("\n"))
        assert found, part
        assert not before or "..." in below
