"""``musodds policy``: the policies there are, looked at, written to files and solved."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from importlib import import_module

import click

from musodds.cli.parts.options import game_option, output_of, report_options
from musodds.cli.parts.output import Report, Table, emit, page_width, write_output
from musodds.rules.game import Game
from musodds.simulation.named_policies import BUILT_IN, get_policy, notes
from musodds.simulation.policies import Policy
from musodds.store.files import write_atomic

_SUMMARIES = {
    "list": "The policies there are, one line each.",
    "show": "What a policy keeps, and whether it says mus, hand by hand.",
    "export": "Write a policy as CSV, to be read or changed.",
    "solve": "Solve a game for the best discards, and for mus or cut, at a level of thought.",
    "respond": "The best response of one player, or of a side, to what the others do.",
}

_MODULES = {"solve": "musodds.cli.policy_solve", "respond": "musodds.cli.policy_respond"}

_THEORY = (
    "Mus needs everybody's consent, and what one side gains by it the other loses. So players "
    "who reckon with what the others' mus tells say it less with every step of thought, and in "
    "the end everybody cuts. In mus all say it in 11.1% of deals among players of level-1, in "
    "1.0% among those of level-2 (mus4: 11.8% and 0.45%, mus-real: 11.2% and 1.0%); when players "
    "of level-1 answer one after the other, each the others as they then are, 0.07% are left in "
    "mus after one turn of the table."
)


class _PolicyGroup(click.Group):
    """Its ``solve`` and ``respond`` are imported when they are run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_SUMMARIES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _MODULES:
            command: click.Command = import_module(_MODULES[cmd_name]).command
            return command
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_SUMMARIES.items()))


@click.group(cls=_PolicyGroup)
def command() -> None:
    """Policies: which cards stay, and mus or cut, for every hand and seat.

    Where a policy is asked for, give its name or a CSV file with the columns hand,
    seat (a number, or * for all), keep (- when all four cards go) and say (mus or cut).

    \b
    Examples:
      musodds policy list
      musodds policy show kings --hand RR7A
      musodds policy export kings -o mine.csv
      musodds simulate --policy mine.csv
    """


@command.command("list")
@report_options
def list_policies() -> None:
    """The policies there are, one line each."""
    rows = [{"name": name, "summary": found.summary} for name, found in BUILT_IN.items()]
    table = Table(("policy", "what it does"), "ll", [(row["name"], row["summary"]) for row in rows])
    emit(Report({}, "policies", rows, _list_text, table.markdown))


def _list_text() -> str:
    width = max(map(len, BUILT_IN))
    lines = []
    for name, found in BUILT_IN.items():
        first, *rest = textwrap.wrap(found.summary, page_width() - width - 2)
        lines.append(click.style(name.ljust(width), bold=True) + "  " + first)
        lines += [" " * (width + 2) + line for line in rest]
    return "\n".join([*lines, "", *textwrap.wrap(_THEORY, page_width())])


@command.command("show")
@click.argument("policy", metavar="NAME|FILE")
@click.option("--hand", "hand", multiple=True, metavar="HAND", help="Only this hand; repeatable.")
@game_option
@report_options
def show(policy: str, hand: tuple[str, ...], game: Game) -> None:
    """What a policy keeps, and whether it says mus, hand by hand.

    Seat * stands for all seats, where they agree. A hand that cuts keeps its four cards;
    what it would keep if it said mus stands in the other formats. Below stands what was
    measured of a policy that was solved. What is best against players who do so is another
    question: musodds discard HAND --policy NAME.

    \b
    Examples:
      musodds policy show kings
      musodds policy show mine.csv --hand RR7A --hand RRAA
    """
    wanted = {game.deck.text(game.parse_hand(text)) for text in hand}
    found = get_policy(policy, game)
    told = notes(policy, game)
    rows = [row for row in found.rows() if not wanted or row["hand"] in wanted]
    table = Table(("hand", "seat", "keep", "say"), "lrll", [tuple(row.values()) for row in rows])
    title = f"policy {found.name} of {game.name}: what it says and keeps itself"
    report = Report(
        {"game": game.name, "policy": found.name, "notes": list(told)},
        "rows",
        rows,
        lambda: f"{click.style(title, bold=True)}\n\n{_by_hand(found, rows)}{_told(told)}",
        table.markdown,
    )
    emit(report)


def _told(lines: Sequence[str]) -> str:
    """What was measured of a policy, below its hands."""
    wrapped = ["\n".join(textwrap.wrap(line, page_width())) for line in lines]
    return "\n\n" + "\n".join(wrapped) if wrapped else ""


def _by_hand(policy: Policy, rows: Sequence[dict[str, str]]) -> str:
    """A line per hand, a column per seat; one column where all seats agree throughout."""
    seats = range(1, policy.game.seats + 1)
    agree = all(row["seat"] == "*" for row in rows)
    titles = ["all seats"] if agree else [policy.game.seat_name(seat) for seat in seats]
    cells: dict[str, list[str]] = {}
    for row in rows:
        text = "cut" if row["say"] == "cut" else f"keep {row['keep']}"
        times = len(titles) if row["seat"] == "*" else 1
        cells.setdefault(row["hand"], []).extend([text] * times)
    lines = [(hand, *said) for hand, said in cells.items()]
    return Table(("hand", *titles), "l" * (1 + len(titles)), lines).text()


@command.command("export")
@click.argument("policy", metavar="NAME|FILE")
@game_option
@output_of("csv")
def export(policy: str, game: Game, output: str | None) -> None:
    """Write a policy as CSV, to be read or changed.

    \b
    Examples:
      musodds policy export kings -o mine.csv
      musodds policy export best --game mus4 -o best4.csv
    """
    content = get_policy(policy, game).to_csv()
    if output is None:
        write_output(content)
    else:
        write_atomic(output, content)
