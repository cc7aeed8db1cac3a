"""``--from FILE``: a command that answers one question answers a file of them.

Give the class to the command: ``@click.command(cls=ManyQuestions)``. A row of the file is
asked as the command line would be that has its cells as options, so that the answers, and
what is wrong with a bad row, are those of one question. What the command would print is
taken from :func:`musodds.cli.parts.output.emit` and written with the file's columns in front.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

import click

from musodds.cli.parts.many_output import Answers, Write, writer_of
from musodds.cli.parts.options import FORMATS, format_of, output_name
from musodds.cli.parts.output import COLLECT, Report
from musodds.cli.parts.question_file import BROKEN, QuestionFile, Row, read_questions
from musodds.errors import InputError
from musodds.knowledge.many import HELD, NO, YES, check_columns, is_empty
from musodds.simulation.progress import progress_bar

MANY_FORMATS = (*FORMATS, "parquet")
_OURS = ("questions", "strict", "format_name", "output", "help", "example")
_OWN_OPTIONS = (
    click.Option(
        ["--from", "questions"],
        metavar="FILE",
        expose_value=False,
        help="Many questions: a file (- is standard input) of CSV, JSON lines or Parquet, its "
        "columns named as the options and hand; options given besides hold for all rows. The "
        "answers have its columns in front, a row that cannot be answered says why in the column "
        "error. CSV by default, --format json is one object a line; parquet is there too.",
    ),
    click.Option(
        ["--strict"],
        is_flag=True,
        expose_value=False,
        help="With --from: stop at the first row that cannot be answered.",
    ),
)


class ManyQuestions(click.Command):
    """A command with ``--from FILE`` and ``--strict``."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.params.extend(_OWN_OPTIONS)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        before = args[:end]
        asked = any(word == "--from" or word.startswith("--from=") for word in before)
        if not asked and "--strict" in before:
            raise click.UsageError("--strict goes with --from FILE", ctx)
        if not asked or {"--help", "-h"}.intersection(before):
            return super().parse_args(ctx, args)
        own = _own_command().make_context(self.name, list(args), parent=ctx)
        ctx.params = dict(own.params)
        rest = list(own.args)
        self._check_no_arguments(ctx, rest)
        ctx.meta["musodds.rest"] = rest
        return []

    def _check_no_arguments(self, ctx: click.Context, rest: list[str]) -> None:
        given, _, _ = self.make_parser(ctx).parse_args(list(rest))
        for param in self.params:
            words = given.get(param.name)
            # What was not given is None, or a mark of click's own.
            if isinstance(param, click.Argument) and isinstance(words, str | tuple | list):
                word = words if isinstance(words, str) else " ".join(map(str, words))
                raise click.UsageError(
                    f"--from has the questions in its file: leave out {word!r}", ctx
                )

    def invoke(self, ctx: click.Context) -> Any:
        rest = ctx.meta.get("musodds.rest")
        if rest is None:
            return super().invoke(ctx)
        return _Asking(self, ctx, rest).run(**ctx.params)


def _own_command() -> click.Command:
    """What is said of the whole file; all else is left for each row."""
    return click.Command(
        "from",
        params=[
            click.Option(["-o", "--output"], callback=output_name, is_eager=True),
            click.Option(["--format", "format_name"], type=click.Choice(
                MANY_FORMATS, case_sensitive=False), callback=format_of("csv")),
            click.Option(["--from", "questions"]),
            click.Option(["--strict"], is_flag=True),
        ],
        add_help_option=False,
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    )  # fmt: skip


class _Asking:
    """The questions of a file, asked of a command one by one."""

    def __init__(self, command: click.Command, ctx: click.Context, rest: Sequence[str]) -> None:
        self.command, self.ctx, self.rest = command, ctx, list(rest)
        self.arguments = [p for p in command.params if isinstance(p, click.Argument)]
        self.options = {
            name: param
            for param in command.params
            if isinstance(param, click.Option) and param.name not in _OURS
            for name in _names(param)
        }
        self.columns = tuple(self.options) + tuple(p.name or "" for p in self.arguments)
        if "held" in self.columns:
            self.columns += HELD
        self.checked: set[str] = set()

    def run(self, questions: str, strict: bool, format_name: str, output: str | None) -> None:
        """Ask all, and write the answers."""
        with read_questions(questions) as file:
            self.check(dict.fromkeys(file.columns))
            writer = writer_of(format_name, output, self.command.name or "", file.columns)
            bad = self.answer_all(file, writer, strict, format_name)
        if bad:
            plural = "rows" if bad > 1 else "row"
            click.echo(f"musodds: {bad:,} {plural} not answered: see the column error", err=True)

    def answer_all(
        self,
        file: QuestionFile,
        writer: AbstractContextManager[Write],
        strict: bool,
        format_name: str,
    ) -> int:
        """Ask all; the number of rows that were not answered."""
        bad = 0
        with writer as write, progress_bar("rows") as watch:
            for number, row in enumerate(file.rows, start=1):
                answer = self.answer(row, number, strict, format_name)
                bad += answer.error is not None
                write(answer, file.streamed)
                if watch is not None:
                    watch(number, max(number, file.expected or 0))
        return bad

    def answer(self, row: Row, number: int, strict: bool, format_name: str) -> Answers:
        """The answer of a row, or what is wrong with it."""
        try:
            if BROKEN in row:
                raise InputError(str(row.pop(BROKEN)))
            self.check(row)
            return Answers(row, self.ask(self.words(row, format_name)), format_name)
        except (InputError, click.ClickException) as error:
            told = error.format_message() if isinstance(error, click.ClickException) else str(error)
            if strict:
                raise InputError(f"row {number}: {told}") from None
            return Answers(row, None, format_name, error=told)

    def check(self, row: Row) -> None:
        """Refuse columns that are options spelled otherwise."""
        new = [name for name in row if name not in self.checked]
        check_columns((_plain(name) for name in new), self.columns)
        self.checked.update(new)

    def words(self, row: Row, format_name: str) -> list[str]:
        """A row as the words of a command line."""
        words, held = list(self.rest), []
        # Some commands answer otherwise where all is to be one table.
        words.append(f"--format={'json' if format_name == 'json' else 'csv'}")
        cells = {_plain(name): cell for name, cell in row.items() if not is_empty(cell)}
        for name, cell in cells.items():
            if name in self.options:
                words += _option(self.options[name], name, cell)
        for argument in self.arguments:
            if argument.name in cells:
                held = _argument(argument, cells[argument.name])
            elif argument.name == "held":
                last = max((i for i, name in enumerate(HELD) if name in cells), default=-1)
                held = [str(cells.get(name, "any")) for name in HELD[: last + 1]]
        return [*words, "--", *held] if held else words

    def ask(self, words: list[str]) -> Report:
        """What the command prints, before it is printed."""
        found: list[Report] = []
        # Every context in it shares what is noted here.
        self.ctx.meta[COLLECT] = found.append
        with self.command.make_context(self.command.name, words, parent=self.ctx) as ctx:
            click.Command.invoke(self.command, ctx)
        return found[0]


def _names(option: click.Option) -> Iterator[str]:
    """The columns that stand for an option."""
    yield option.name or ""
    for word in option.opts:
        if len(word.lstrip("-")) > 1 or word == "-n":
            yield _plain(word.lstrip("-"))


def _plain(column: str) -> str:
    return str(column).strip().lower().replace("-", "_")


def _option(option: click.Option, name: str, cell: Any) -> list[str]:
    word = max(option.opts, key=len)
    if option.is_flag:
        said = str(cell).strip().lower()
        if said not in YES | NO:
            raise InputError(f"{name} {str(cell)!r}: yes or no")
        return [word] if said in YES else option.secondary_opts[:1]
    if option.multiple:
        texts = cell if isinstance(cell, list) else str(cell).split(";")
        return [part for text in texts for part in _said(word, _text(text))]
    return _said(word, _text(cell, ","))


def _said(word: str, text: str) -> list[str]:
    return [f"{word}={text}" if word.startswith("--") else f"{word}{text}"]


def _argument(argument: click.Parameter, cell: Any) -> list[str]:
    if argument.nargs == 1 or not isinstance(cell, list):
        return [_text(cell, " ")]
    return [_text(one, "") for one in cell]


def _text(cell: Any, between: str = "") -> str:
    """A cell as it would be typed."""
    if isinstance(cell, list):
        return between.join(_text(one) for one in cell)
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)
