"""``musodds strategy``: what a solved strategy says with a hand, and what ranges it shows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import click

from musodds.cli.parts.options import report_options
from musodds.cli.parts.output import Report, Table, emit, percent, signed

if TYPE_CHECKING:
    from musodds.solver.betting import Betting


@click.command
@click.argument("file", metavar="FILE")
@click.argument("hand", nargs=-1, metavar="[HAND]")
@click.option(
    "--line", "lines", multiple=True, metavar="SAID",
    help="What was said, such as 'grande: paso, envido 2'; phases separated by semicolons, "
    "or the option repeated."
)  # fmt: skip
@click.option(
    "--able", metavar="SEATS",
    help="Model each: who has pares (juego), such as 1,2,4.  [default: all]"
)  # fmt: skip
@click.option(
    "--range",
    "as_range",
    is_flag=True,
    help="The hands of the side that does not speak now, as a range for --rivals.",
)
@report_options
def command(
    file: str,
    hand: tuple[str, ...],
    lines: tuple[str, ...],
    able: str | None,
    as_range: bool,
) -> None:
    """What a strategy of `musodds solve -o FILE` says, hand by hand.

    With a hand: how often each thing is said (in tenths), and what it is worth to that
    side. Without one: all hands that may hold the word there. With --range: what the
    others hold after that line, in the language that hand, read, duel and bet take.

    \b
    Examples:
      musodds strategy grande.mus RR7A
      musodds strategy grande.mus RR7A --line 'grande: paso, envido 2'
      musodds strategy grande.mus --line 'grande: paso, envido 2' --range
      musodds strategy each.mus RR77 --able 1,2 --line 'pares: envido 2'
      musodds strategy deal.mus RRAA
          --line 'grande: en paso; chica: en paso; pares: paso'
    """
    from musodds.errors import InputError
    from musodds.solver.each_solution import EachSolution
    from musodds.solver.lines import follow
    from musodds.solver.sides import SideBetting
    from musodds.solver.strategy_file import read_strategy

    solved = read_strategy(file)
    if isinstance(solved, EachSolution):
        from musodds.cli.parts.each_strategy import report_of

        emit(report_of(solved, " ".join(hand), lines, able, as_range))
        return
    if isinstance(solved, SideBetting):
        from musodds.cli.parts.side_report import strategy_report

        if as_range or able is not None:
            raise InputError(f"{file!r}: of model {solved.model}, which has no --range or --able")
        emit(strategy_report(solved, " ".join(hand), lines))
        return
    if able is not None:
        raise InputError(f"able {able!r}: only with a strategy of the model each")
    node = follow(solved.tree, lines)
    if as_range:
        emit(_range_report(solved, node, lines))
        return
    rows = solved.rows(node)
    if hand:
        rows = _of_hand(solved, rows, " ".join(hand), lines)
    words = list(solved.tree.options(node))
    table = _hand_table(solved, rows[0], words) if hand else _whole_table(rows, words)
    head = {**_head(solved, lines), "side": ("mano", "other")[solved.side_of(node)]}
    title = click.style(_title(solved, node, lines), bold=True)
    emit(Report(head, "hands", rows, lambda: f"{title}\n\n{table.text()}", table.markdown))


def _head(solved: Betting, lines: tuple[str, ...]) -> dict[str, object]:
    spec = solved.spec
    return {
        "what": spec.what,
        "game": spec.game.name,
        "model": spec.model,
        "score": f"{spec.score[0]}-{spec.score[1]}",
        "payoff": spec.payoff,
        "exploitability_stones": solved.exploitability_stones,
        "line": "; ".join(lines) or None,
    }


def _title(solved: Betting, node: int, lines: tuple[str, ...]) -> str:
    side = ("mano's side", "the other side")[solved.side_of(node)]
    said = "; ".join(lines) or "nothing said yet"
    gap = f"gap {solved.exploitability_stones:z.4f} stones"
    return f"{side} in {solved.tree.phase[node]} ({said}), {gap}"


def _of_hand(
    solved: Betting, rows: list[dict[str, object]], hand: str, lines: tuple[str, ...]
) -> list[dict[str, object]]:
    from musodds.errors import InputError

    game = solved.spec.game
    text = game.deck.text(game.parse_hand(hand))
    found = [row for row in rows if row["hand"] == text]
    if not found:
        raise InputError(f"hand {text}: it does not speak there ({'; '.join(lines)})")
    return found


def _worth(solved: Betting, value: object) -> str:
    number = float(str(value))
    if math.isnan(number):
        return "-"
    return percent(number) if solved.spec.payoff == "equity" else signed(number, 3)


def _hand_table(solved: Betting, row: dict[str, object], words: list[str]) -> Table:
    return Table(
        (str(row["hand"]), "of ten", "worth"), "lrr",
        [
            (word, f"{10 * float(str(row[word])):.0f}", _worth(solved, row[f"worth {word}"]))
            for word in words
        ],
    )  # fmt: skip


def _whole_table(rows: list[dict[str, object]], words: list[str]) -> Table:
    return Table(
        ("hand", *words), "l" + "r" * len(words),
        [
            (str(row["hand"]), *(f"{10 * float(str(row[word])):.0f}" for word in words))
            for row in rows
        ],
    )  # fmt: skip


def _range_report(solved: Betting, node: int, lines: tuple[str, ...]) -> Report:
    from musodds.solver.answers import range_text

    text = range_text(solved, node, 1 - solved.side_of(node))
    rows = [{"range": text}]
    return Report(_head(solved, lines), "ranges", rows, lambda: text, lambda: f"`{text}`")
