"""``musodds read``: what the others hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from musodds.cli.parts.knowledge_options import knowledge_options
from musodds.cli.parts.many import ManyQuestions
from musodds.cli.parts.numbers import WholeNumber
from musodds.cli.parts.options import game_option, report_options
from musodds.cli.parts.output import Report, Table, emit, page_width, percent
from musodds.rules.game import Game
from musodds.rules.hands import hands

if TYPE_CHECKING:
    from musodds.chances.reading import Reading
    from musodds.knowledge.knowledge import Knowledge

# Plays in the text: all punto classes are in JSON and CSV.
_PUNTOS = ("punto of 30", "punto of 29", "punto of 28", "punto of 27", "punto of 26")


@click.command(cls=ManyQuestions)
@click.argument("hand", nargs=-1, metavar="[HAND...]")
@game_option
@click.option("--seat", default="mano", metavar="SEAT", help="Your seat.")
@click.option(
    "--hands",
    "number",
    default=5,
    type=WholeNumber(0),
    help="How many of each player's most likely hands.",
)
@click.option(
    "--whole",
    multiple=True,
    type=click.Choice(["grande", "juego", "points"]),
    help="Also the chance of all that occurs in grande, of every juego, or of every total "
    "of points; may be given more than once.",
)
@knowledge_options
@report_options
def command(
    hand: tuple[str, ...],
    game: Game,
    seat: str,
    number: int,
    whole: tuple[str, ...],
    knowledge: Knowledge | None,
) -> None:
    """What the others hold, given your hand and what you know, or one of them.

    For the partner, the next and the previous rival, and either rival (one at least):
    the chance of each play and the most likely hands; and the chance that no rival has
    pares or juego, or beats your hand. Exact, before any discard. With jokers the plays
    are those of the hands as they will be named, and the hands those dealt.

    \b
    Examples:
      musodds read RR7A
      musodds read RR7A --seat postre --partner seña:31
      musodds read RRAA --pares yes,?,?,no --juego no,yes,?,?
      musodds read RR7A --whole juego
      musodds read --next '31 & !pares' --whole points
      musodds read RR7A --partner C765 --rivals 'pares | any@0.2' --dead AA
      musodds read --from hands.csv --hands 3 -o reads.csv
    """
    from musodds.chances.reading import read_others

    if not hand and not knowledge:
        raise click.UsageError(
            "give your hand, what you know of the others, or both: RR7A, --next '31 & !pares'"
        )
    text = " ".join(hand) if hand else None
    answer = read_others(text, game=game, seat=seat, knowledge=knowledge)
    asked = tuple(dict.fromkeys(whole))
    head = {
        "game": game.name,
        "hand": answer.hand,
        "seat": answer.seat,
        "knowledge": "; ".join(answer.knowledge.labels) or None,
        "averaged_over": answer.ways if answer.ways > 1 else None,
        "method": answer.method,
    }
    report = Report(
        head,
        "reads",
        answer.rows(number, asked),
        lambda: _text(answer, number, asked),
        lambda: _markdown(answer, number, asked),
    )
    emit(report)


def _title(answer: Reading) -> str:
    seat = answer.game.seat_name(answer.seat)
    name = seat if seat in ("mano", "postre") else f"seat {seat}"
    known = "; ".join(answer.knowledge.labels)
    title = (
        f"{answer.hand or 'any hand'}, {name}, in {answer.game.name}: what the others hold (exact)"
    )
    if known:
        title += f"; known: {known}"
    if answer.ways > 1:
        title += f"; suits not given: the exact average over the {answer.ways} hands it may be"
    if hands(answer.game).has_jokers:
        title += "; plays are of the hands as named when shown, hands as dealt"
    return title


def _plays(answer: Reading) -> Table:
    whos = list(answer.plays)
    named = next(iter(answer.plays.values()))
    shown = [w for w in named if not w.startswith("punto") or w in _PUNTOS]
    rows = [[what, *(percent(float(answer.plays[who][what])) for who in whos)] for what in shown]
    return Table(["", *whos], "l" + "r" * len(whos), rows)


def _hands(answer: Reading, number: int) -> Table:
    whos = list(answer.hand_chances)
    columns = [
        [f"{hand} {percent(chance):>6}" for hand, chance in answer.likely(who, number)]
        for who in whos
    ]
    longest = max(map(len, columns))
    rows = [[column[i] if i < len(column) else "" for column in columns] for i in range(longest)]
    return Table([f"{who} holds" for who in whos], "l" * len(whos), rows)


def _no_rival(answer: Reading) -> Table:
    rows = [(what, percent(float(chance))) for what, chance in answer.no_rival.items()]
    return Table(("no rival", "chance"), "lr", rows)


def _whole(answer: Reading, of: str) -> Table:
    chances = answer.wholes[of]
    whats = next(iter(chances.values()))
    rows = [[what, *(percent(float(chances[who][what])) for who in chances)]
            for what in whats if any(chances[who][what] for who in chances)]  # fmt: skip
    return Table([of, *chances], "l" + "r" * len(chances), rows)


def _tables(answer: Reading, number: int, whole: Sequence[str]) -> list[Table]:
    tables = [_plays(answer), *([_hands(answer, number)] if number else []), _no_rival(answer)]
    return tables + [_whole(answer, of) for of in whole]


def _text(answer: Reading, number: int, whole: Sequence[str]) -> str:
    tables = _tables(answer, number, whole)
    title = click.wrap_text(_title(answer), page_width())
    return "\n".join([click.style(title, bold=True) + "\n", *(table.text() for table in tables)])


def _markdown(answer: Reading, number: int, whole: Sequence[str]) -> str:
    tables = _tables(answer, number, whole)
    return "\n".join([_title(answer) + "\n", *(table.markdown() for table in tables)])
