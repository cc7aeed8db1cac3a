"""``musodds review``: what every decision of a game that was written down was worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from musodds.cli.parts.equities import equity_words
from musodds.cli.parts.options import (
    FORMATS,
    equity_option,
    format_of,
    game_option,
    games_option,
    output_option,
    target_option,
)
from musodds.cli.parts.output import (
    ROWS_ALONE,
    WIDTH,
    Report,
    Table,
    emit,
    page_width,
    percent,
    signed,
)
from musodds.cli.parts.record_file import record_text
from musodds.errors import InputError
from musodds.rules.game import Game
from musodds.rules.games import titled, unusual
from musodds.simulation.progress import progress_bar
from musodds.values import told

if TYPE_CHECKING:
    from musodds.strategy.judges import BettingJudge
    from musodds.strategy.review_result import Judged, Review

LEGEND = """\
lost: how much less the chance of winning the game is than with the best; ? more
than 1 % of a game, ?? more than 4 %, if that is at least two standard errors.
Each from the player's own knowledge: the hand, what was said and declared, the
partner's signs in the record. Judged en paso, between betting and not betting
only what holds whatever the answer is counted. luck: what the deals, the draws and the play
gave; start + luck + skill = result, in games; best: start + luck, the result
had nobody lost anything (sums of losses may pass 0 and 100 % of a game). A
player's own luck, in percent of a game: his hand as dealt, seen alone, and what
he drew, each against the average; how hands met, and the play, is nobody's own."""

FIGURES = ("png", "svg", "pdf")

_NAME, _SAID = 12, 18
_SHORT_NAME, _SHORT_SAID = 7, 11
"""Letters of names and of what is said, the second on a narrow page."""


@click.command
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option(
    "--errors", is_flag=True, help="In text: only the decisions with a mark, and the summary."
)
@click.option(
    "-n", "deals", type=click.IntRange(512, 1 << 24), default=1 << 13,
    metavar="N", help="Deals to try the keeps of a hand on."
)  # fmt: skip
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=1, metavar="N")
@click.option(
    "--betting", "judge", type=click.Choice(("paso", "solved", "deals")), default="paso",
    help="Judge bets en paso, at once; solved: by solved deals that are kept on this computer, "
    "else by the solved phase, seconds for each, once; deals: solve the deals too (two players: "
    "ten seconds a score, four: minutes)."
)  # fmt: skip
@click.option(
    "--solved", "solved", metavar="FILE", multiple=True, type=click.Path(),
    help="A whole deal solved by `musodds solve deal -o FILE`, for decisions at its score; may be "
    "said several times."
)  # fmt: skip
@equity_option
@click.option(
    "--course", is_flag=True,
    help="csv, tsv: the chance through the record, as the plot has it, not the decisions."
)  # fmt: skip
@click.option(
    "--plot", metavar="FILE", type=click.Path(),
    help="Draw the course of the chance too: .png, .svg or .pdf."
)  # fmt: skip
@game_option
@target_option
@games_option
@click.option(
    "--format", "format_name", type=click.Choice((*FORMATS, *FIGURES), case_sensitive=False),
    callback=format_of(), help="text, json, csv, tsv, md, xlsx; html: one page with the plot; png, "
    "svg, pdf: the plot alone. By default what the output file ends in, else text."
)  # fmt: skip
@output_option
def command(
    file: str,
    errors: bool,
    deals: int,
    seed: int,
    judge: str,
    solved: tuple[str, ...],
    kind: str | None,
    plot: str | None,
    course: bool,
    game: Game,
    format_name: str,
    output: str | None,
) -> dict[str, Any]:
    """Every decision of the deals in FILE: what was best, and what it cost.

    FILE is a deal, a game or a match as `musodds score` takes it (- is standard
    input). Mus or cut, what was thrown, each pass, bet and answer is judged from what
    its player knew: betting by the count of `musodds bet`, or with --betting solved by
    solved deals and phases, and the answer says which; mus and discards by the
    simulation of `musodds discard` at the score. But in solved deals later phases are
    passed; later deals are as --equity says.

    JSON has `decisions`, `players`, `sides`, `games`, `deals`, `luck` and `course`; csv the
    decisions, or the course; html is one page with the course as a plot; -o FILE.png (.svg,
    .pdf) is the plot alone.

    \b
    Examples:
      musodds review deal.txt
      musodds review game.txt --errors --betting solved
      musodds review game.txt --betting deals
      musodds review game.txt -o game.html
      musodds review game.txt --course -o course.csv
      musodds score --example | musodds review - --format json
    """
    from musodds.strategy.review import review

    if solved and judge == "paso":
        judge = "solved"
    if course and format_name not in ROWS_ALONE:
        raise click.UsageError(f"--course goes with csv and tsv, not with {format_name}")
    figure_alone = format_name in FIGURES
    if figure_alone:
        if output is None:
            raise click.UsageError(f"--format {format_name}: say which file, with -o FILE")
        plot = output
    if plot is not None:
        from musodds.report.plots import check_suffix
        from musodds.store.files import check_writable

        check_suffix(plot)
        check_writable(plot)
    betting = None if judge == "paso" else _solved_judge(judge, solved)
    with progress_bar("deals") as watch:
        found = review(
            record_text(file), game=game, judge=betting, deals=deals, seed=seed, watch=watch,
            kind=kind,
        )  # fmt: skip
    if not figure_alone:
        report = _course(found) if course else _report(found, errors, format_name)
        emit(report, format_name, output)
    if plot is not None:
        from musodds.report.plots import save
        from musodds.report.plots.review import review_figure

        save(review_figure(found), plot)
    return {"method": "monte-carlo", "n": deals, "seed": seed}


def _solved_judge(judge: str, files: Sequence[str]) -> BettingJudge:
    from musodds.solver.betting import Betting
    from musodds.solver.strategy_file import read_played
    from musodds.strategy.deal_judge import DealJudge

    given = []
    for file in files:
        found = read_played(file)
        if not isinstance(found, Betting):
            raise InputError(f"{file!r}: it is one phase of four players, not a whole deal")
        given.append(found)
    return DealJudge(tuple(given), judge == "deals")


def _report(found: Review, errors: bool, format_name: str) -> Report:
    head = {
        "game": found.game.name,
        **unusual(found.game),
        **told(found, "equity", "betting", "cards", "judged"),
    }
    more: dict[str, Sequence[dict[str, Any]]] = {}
    if format_name not in ROWS_ALONE:
        more = {
            "players": found.players,
            "sides": found.summary,
            "games": found.games,
            "deals": [asdict(one) for one in found.deals],
            "luck": [asdict(one) for one in found.own],
            "course": [asdict(one) for one in found.course],
        }
    shown = [one for one in found.decisions if one.mark or not errors]
    return Report(
        head, "decisions", found.rows(), lambda: _text(found, shown),
        lambda: _markdown(found, shown), more, {"html": lambda: _page(found)},
    )  # fmt: skip


def _course(found: Review) -> Report:
    """What the plot draws, as rows alone."""
    rows = [asdict(one) for one in found.course]
    head = {"game": found.game.name, **unusual(found.game), "equity": found.equity}
    return Report(head, "course", rows, str, str)


def _title(found: Review) -> str:
    deals, games = len(found.deals), len(found.games)
    many = "s" * (deals != 1), "s" * (games != 1)
    sides = " against ".join(found.sides)
    return f"{titled(found.game)}: {sides}, {deals} deal{many[0]} in {games} game{many[1]}"


def _notes(found: Review) -> list[str]:
    return [
        f"after each deal {equity_words(found.equity)}",
        f"betting: {found.betting}",
        f"mus and discards: {found.cards}",
        f"judged: {_judged(found)}",
    ]


def _judged(found: Review) -> str:
    """How many decisions by which model, and how many not, and why."""
    counts = [f"{number} {name}" for name, number in found.judged.items()]
    for why, number in Counter(one.skipped for one in found.decisions if one.skipped).items():
        counts.append(f"{number} skipped ({why})")
    return ", ".join(counts)


def _decisions(shown: Sequence[Judged], wide: bool, by: bool) -> Table:
    name, said = (_NAME, _SAID) if wide else (_SHORT_NAME, _SHORT_SAID)
    rows, last = [], 0
    for one in shown:
        rows.append(
            (
                "" if one.deal == last else str(one.deal),
                one.player[:name],
                one.phase,
                one.hand,
                one.said[:said],
                (one.best if one.lost else "")[:said],
                *([one.by] if by else []),
                _lost(one),
                one.mark,
            )
        )
        last = one.deal
    titles = ("deal", "player", "phase", "hand", "said", "best", *["by"] * by, "lost", "")
    return Table(titles, f"rlllll{'l' * by}rl", rows)


def _lost(one: Judged) -> str:
    if one.lost is None:
        return "skipped"
    return "-" if one.lost == 0 else f"{100 * one.lost:.1f}%"


def _players(found: Review, wide: bool) -> Table:
    name = _NAME if wide else _SHORT_NAME
    titles = ("player", "side", "made", "skipped", "?", "??", "lost", "each", "luck")
    rows = [
        (
            str(one["player"])[:name],
            str(one["side"])[:name],
            str(one["decisions"]),
            str(one["skipped"]),
            str(one["errors"]),
            str(one["blunders"]),
            f"{100 * one['lost']:.1f}% +/- {100 * one['lost_se']:.1f}",
            percent(one["per_decision"]),
            "" if one["luck"] is None else signed(100 * one["luck"], 1),
        )
        for one in found.players
    ]
    return Table(titles, "llrrrrrrr", rows)


def _sides(found: Review) -> Table:
    titles = ("side", "start", "luck", "skill", "result", "best")
    rows = [
        (
            str(one["side"])[:_NAME],
            f"{one['start']:z.3f}",
            signed(one["luck"], 3),
            signed(one["skill"], 3),
            f"{one['result']:z.3f}",
            f"{one['best_play']:z.3f}",
        )
        for one in found.summary
    ]
    return Table(titles, "lrrrrr", rows)


def _deals(found: Review) -> Table:
    titles = ("deal", "before", "deal", "draws", "play", "skill", "after")
    rows = [
        (
            str(one.deal),
            f"{100 * one.start:.1f}%",
            signed(100 * one.luck_deal, 1),
            signed(100 * one.luck_draws, 1),
            signed(100 * one.luck_play, 1),
            signed(100 * one.skill, 1),
            f"{100 * one.end:.1f}%",
        )
        for one in found.deals
    ]
    return Table(titles, "rrrrrrr", rows)


def _blocks(
    found: Review, shown: Sequence[Judged], wide: bool = True, by: bool = False
) -> list[tuple[str, Table]]:
    return [
        ("Decisions", _decisions(shown, wide, by)),
        (f"The chance of {found.sides[0]}, and what moved it", _deals(found)),
        ("Players", _players(found, wide)),
        ("Sides, in games", _sides(found)),
    ]


def _text(found: Review, shown: Sequence[Judged]) -> str:
    width = page_width()
    lines = [click.style(fill(_title(found), width), bold=True)]
    lines += [fill(note, width, subsequent_indent="  ") for note in _notes(found)]
    for heading, table in _blocks(found, shown, width >= WIDTH):
        lines += ["", click.style(heading, bold=True), table.text(gap=" ").rstrip("\n")]
    return "\n".join([*lines, "", fill(LEGEND, width)])


def _markdown(found: Review, shown: Sequence[Judged]) -> str:
    parts = [f"# {_title(found)}", "\n".join(f"- {note}" for note in _notes(found))]
    for heading, table in _blocks(found, shown, by=True):
        parts += [f"## {heading}", table.markdown().rstrip("\n")]
    return "\n\n".join(parts)


def _page(found: Review) -> str:
    from musodds.report.review_page import review_page

    blocks = [
        (heading, table.titles, table.align, [tuple(row) for row in table.rows])
        for heading, table in _blocks(found, found.decisions, by=True)
    ]
    return review_page(found, _title(found), [*_notes(found), LEGEND.replace("\n", " ")], blocks)
