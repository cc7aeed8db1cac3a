"""The ``musodds`` command: finds commands, runs them, turns failures into one line."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from importlib import import_module

import click
from click.shell_completion import CompletionItem

from musodds.cli.commands import COMMANDS, SYNONYMS
from musodds.cli.parts.exits import BAD_INPUT, CLOSED_PIPE, FAILURE, interrupted
from musodds.cli.parts.waiting import PROGRAM, counting, said_later
from musodds.errors import InputError
from musodds.rules.numerals import numeral
from musodds.simulation.progress import steps_shown
from musodds.store.files import OutputError
from musodds.store.notices import LISTENERS, begin
from musodds.version import __version__

_COMPLETE = "_MUSODDS_COMPLETE"

_LONGEST_WORD = 120

# The machine's fault, not that of the file name given.
_ENVIRONMENT_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"musodds.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            raise click.UsageError(_no_command(name), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        found = [
            CompletionItem(name, help=summary)
            for name, summary in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return found + click.Command.shell_complete(self, ctx, incomplete)


def _no_command(name: str) -> str:
    from difflib import get_close_matches

    word = name.lower()
    if word in SYNONYMS:
        return f"no command {name!r}: did you mean {SYNONYMS[word]}?"
    close = get_close_matches(word, COMMANDS, n=1)
    if close:
        return f"no command {name!r}: did you mean {close[0]}?"
    if _is_hand(name):
        return f"no command {name!r}: for the odds of a hand write {PROGRAM} hand {name}"
    return f"no command {name!r}: commands are {', '.join(COMMANDS)}"


def _is_hand(text: str) -> bool:
    from musodds.rules.cards import read_cards

    try:
        return 4 <= len(read_cards(text)) <= 5
    except InputError:
        return False


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 80,
        "show_default": True,
    },
)
@click.version_option(__version__, "--version", "-V", prog_name=PROGRAM)
@click.pass_context
def group(ctx: click.Context) -> None:
    """Odds for Mus, the Basque-Spanish card game.

    \b
    Examples:
      musodds hand RR7A                    exact odds of R R 7 A in every seat
      musodds hand RR7A --seat postre      as the dealer
      musodds hand RR7A --partner CC55     when you know your partner's cards
      musodds games                        the games and variants
      musodds hand --help                  all about a command

    \b
    Completion of commands, options and games with the Tab key, for bash
    (likewise zsh_source for zsh, fish_source for fish):
      eval "$(_MUSODDS_COMPLETE=bash_source musodds)"
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def run(arguments: Sequence[str], *, whole: bool = False) -> int:
    """Run the command line and return its exit status; no exception but Ctrl-C escapes.

    ``whole``: this is all that the process does, so that what takes long may say so.
    """
    closed = sys.stdout is None
    if closed:
        sys.stdout = _Closed()
    try:
        with said_later() if whole else nullcontext():
            status = _invoke(list(arguments))
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        return _fail(_usage_message(error), error.exit_code)
    except InputError as error:
        return _fail(str(error), BAD_INPUT)
    except BrokenPipeError:
        _drop_output()
        return CLOSED_PIPE
    except OutputError as error:
        return _fail(str(error), FAILURE if error.errno in _ENVIRONMENT_ERRORS else BAD_INPUT)
    except OSError as error:
        _drop_output()
        reason = error.strerror or str(error)
        where = repr(error.filename) if error.filename else "standard output"
        return _fail(f"{where}: {reason[:1].lower()}{reason[1:]}", FAILURE)
    except MemoryError:
        return _fail("out of memory", FAILURE)
    except Exception as error:
        if os.environ.get("MUSODDS_DEBUG") or interrupted(error):
            raise
        return _fail(
            f"this should not happen: {type(error).__name__}: {error} "
            "(MUSODDS_DEBUG=1 shows where)",
            FAILURE,
        )
    finally:
        if closed:
            sys.stdout = None


class _Closed(io.TextIOBase):
    """Standard output that was closed before we began (``>&-``): nothing can be written."""

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, "it is closed")


def _invoke(arguments: list[str]) -> int:
    if any("\0" in word for word in arguments):
        raise InputError("there is a null byte among the arguments: no name or number has one")
    if _COMPLETE in os.environ:
        _check_completion(os.environ[_COMPLETE])
        group.main(arguments, prog_name=PROGRAM)
    end = arguments.index("--") if "--" in arguments else len(arguments)
    arguments[:end] = ["--format=json" if word == "--json" else word for word in arguments[:end]]
    # Not group.main: it answers a closed pipe and Ctrl-C in its own ways.
    with group.make_context(PROGRAM, arguments) as ctx:
        LISTENERS[:] = [_say_what_is_counted]
        with steps_shown():
            group.invoke(ctx)
    return 0


def _check_completion(what: str) -> None:
    """Raise InputError if a shell has not set what completion needs."""
    shell, _, step = what.partition("_")
    if shell not in ("bash", "zsh", "fish") or step not in ("source", "complete"):
        raise InputError(
            f"{_COMPLETE} is {what!r}: it is bash_source, zsh_source or fish_source, and set "
            "only for completion"
        )
    if step == "source":
        return
    word = os.environ.get("COMP_CWORD", "")
    if "COMP_WORDS" not in os.environ or not (shell == "fish" or numeral(word) is not None):
        raise InputError(
            f"{_COMPLETE} is {what!r}, but COMP_WORDS and COMP_CWORD are not as a shell sets them"
        )


def _say_what_is_counted(what: str) -> None:
    """Say why an answer takes a while: at once on a terminal, elsewhere if it does."""
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write(f"{PROGRAM}: {counting(what)}\n")
    else:
        begin(counting(what))


def _usage_message(error: click.ClickException) -> str:
    message = error.format_message().rstrip()
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    if ctx is not None and ctx.command is not group:
        message = f"{message.rstrip('.')} (see {ctx.command_path} --help)"
    return message


def _fail(message: str, status: int) -> int:
    if sys.stderr is not None:
        prefix = f"{PROGRAM}: error:"
        if sys.stderr.isatty() and not os.environ.get("NO_COLOR"):
            prefix = click.style(prefix, fg="red", bold=True)
        words = (_shortened(word) for word in message.split())
        sys.stderr.write(f"{prefix} {' '.join(words)}\n")
    return status


def _shortened(word: str) -> str:
    """A word that people can read: thousands of digits tell nobody anything."""
    plain = "".join(letter if letter.isprintable() else "?" for letter in word)
    half = _LONGEST_WORD // 2
    return plain if len(plain) <= _LONGEST_WORD else f"{plain[:half]}…{plain[-half:]}"


def _drop_output() -> None:
    """Send what is still buffered nowhere, or the interpreter complains when it ends."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):
        return
