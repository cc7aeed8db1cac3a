"""``musodds hand``: the exact odds of one hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from musodds.cli.parts.joint_report import joint_markdown, joint_rows, joint_text
from musodds.cli.parts.knowledge_options import knowledge_options
from musodds.cli.parts.many import ManyQuestions
from musodds.cli.parts.namings import namings, namings_markdown, namings_rows, namings_text
from musodds.cli.parts.options import game_option, report_options, seat_option
from musodds.cli.parts.output import Report, Table, emit, page_width, percent, signed
from musodds.cli.parts.runs import deals_option, emit_run, seed_option, workers_option
from musodds.cli.parts.throw_report import is_dealt, ranking_report
from musodds.knowledge.question import ask
from musodds.rules.game import PHASES, Game
from musodds.rules.hands import Hands, hands
from musodds.simulation.progress import progress_bar

if TYPE_CHECKING:
    from musodds.chances.counted_odds import Odds
    from musodds.chances.joint import Joint
    from musodds.chances.simulated_odds import KnownSimulations
    from musodds.knowledge.knowledge import Knowledge

    Answer = Odds | KnownSimulations

LEGEND = """\
win: your side takes the phase; void: it is not played; best: your own hand is
the one that takes it; contested: both sides can bet; win then: your side wins.
for, against: stones to expect if all pass; net: for - against, all phases."""

LEGEND_WORST = """\
void: the phase is not played; best: your hand takes it; contested: somebody
else takes part too; win then: yours is the best of them; worst: a seen pot
would go to yours. for, against: stones that you throw out if all pass, and that
another player does on average; net: for - against, all phases."""

# Title, alignment and content of each column of numbers.
Columns = Sequence[tuple[str, Callable[[dict[str, Any]], str]]]


@click.command(cls=ManyQuestions)
@click.argument("hand", nargs=-1, required=True, metavar="HAND...")
@game_option
@seat_option
@knowledge_options
@click.option(
    "--joint",
    "together",
    is_flag=True,
    help="Also the phases together: the chance of each combination, and of each "
    "number of stones of either side.",
)
@deals_option
@seed_option
@workers_option
@report_options
def command(
    hand: tuple[str, ...],
    game: Game,
    seat: str,
    knowledge: Knowledge | None,
    together: bool,
    deals: int | None,
    seed: int,
    workers: int | None,
) -> None:
    """Exact odds of a hand, phase by phase and seat by seat.

    HAND is four cards out of R C S 7 6 5 4 3 2 A, in any order and case, together or
    apart: RR7A, "r,r,7,a" and R R 7 A are one hand. With eight kings a 3 is a king and
    a 2 an ace. The odds are exact, against unknown cards of the others before any
    discard. What you know of them (ranges, declarations, dead cards) is taken into
    account exactly; `musodds ranges` shows how to write it. Where five cards are dealt,
    five are ranked by what each throw leaves. Six hands out of four kings are too many to
    count: they are simulated, with standard errors.

    \b
    Examples:
      musodds hand RR7A
      musodds hand R R 7 A --seat mano
      musodds hand 777S --game mus-real --seat postre
      musodds hand RR7A --partner CC55 --seat 2
      musodds hand RR7A --seat 1 --partner seña:31 --rivals '!juego'
      musodds hand RR7A --seat 1 --pares yes,no,?,yes --juego no,?,?,no --joint
      musodds hand RR7A4 --game encaje3-five-cards --seat mano
      musodds hand RRAA --format json | jq '.odds[0].win'
      musodds hand RRAA -o rraa.csv
      musodds hand --from hands.csv --seat 1 -o odds.parquet
      echo '{"hand": "RR7A", "partner": "31"}' | musodds hand --from - --json
    """
    if together and deals is not None:
        raise click.UsageError("--joint counts all deals: leave out --deals, or --joint")
    text = " ".join(hand)
    if is_dealt(text, game):
        if knowledge is not None or together or deals is not None:
            raise click.UsageError("with five cards nothing is known of the others: give four")
        from musodds.chances.throws import encaje_throws

        emit(ranking_report(encaje_throws(text, game=game, seat=seat)))
        return
    from musodds.chances.odds import odds

    with progress_bar("deals") as watch:
        answer = odds(
            text, game=game, seat=seat, knowledge=knowledge, n=deals, seed=seed,
            workers=workers, watch=watch,
        )  # fmt: skip
    exact = answer.method == "exact"
    joints: Sequence[Joint] = ()
    if together:
        from musodds.chances.joint import joints as count

        joints = count(answer.hand, game=game, seat=seat, knowledge=knowledge)
    # What is known would have to be known of every naming too: only the table has it.
    ways = []
    if knowledge is None and exact:
        ways = namings(game, answer.hand, {s: answer.net(s) for s in answer.seats})
    averaged = getattr(answer, "ways", 1)
    report = Report(
        head={
            "game": game.name,
            "hand": answer.hand,
            "partner": _partner(answer),
            "knowledge": _known(answer),
            "averaged_over": averaged if averaged > 1 else None,
            "method": answer.method,
            "n": getattr(answer, "n", None),
            "seed": None if exact else seed,
        },
        rows_name="odds",
        rows=answer.rows(),
        text=lambda: _text(answer) + namings_text(game, ways) + joint_text(joints),
        markdown=lambda: _markdown(answer) + namings_markdown(game, ways) + joint_markdown(joints),
        more=({"namings": namings_rows(ways)} if ways else {})
        | ({"joint": joint_rows(joints)} if joints else {}),
        once=(["seat"], ["net"] if exact else ["net", "net_se"]),
    )
    emit_run(report, answer)


def _partner(answer: Answer) -> str | None:
    return getattr(answer, "partner", None)


def _known(answer: Answer) -> str | None:
    knowledge = getattr(answer, "knowledge", None)
    return "; ".join(knowledge.labels) if knowledge else None


def _text(answer: Answer) -> str:
    plays = "\n".join(f"  {phase:<8}{play}" for phase, play in _plays(answer))
    table = _table(answer, _columns(answer, _TEXT, _TEXT_WORST), gap=True).text()
    legend = LEGEND if answer.game.stones is None else LEGEND_WORST
    return f"{_title(answer, _bold)}\n\n{plays}\n\n{table}\n{legend}"


def _markdown(answer: Answer) -> str:
    plays = "\n".join(
        f"- {phase}: {play}" if phase else f"- {play}" for phase, play in _plays(answer)
    )
    table = _table(answer, _columns(answer, _ALL, _ALL_WORST)).markdown()
    return f"{_title(answer, '**{}**'.format)}\n\n{plays}\n\n{table}"


def _columns(answer: Answer, usual: Columns, worst: Columns) -> Columns:
    """The columns to show: others where a pot goes to the worst hand."""
    return usual if answer.game.stones is None else worst


def _title(answer: Answer, strong: Callable[[str], str]) -> str:
    mate, known = _partner(answer), _known(answer)
    partner = f", partner {strong(mate)}" if mate else ""
    hand = f"{strong(answer.hand)}{partner} in {answer.game.name}"
    lines = [f"{hand}: {answer.method} odds before any discard"]
    n, seed = getattr(answer, "n", None), getattr(answer, "seed", None)
    if n is not None:
        error = max(row["win_se"] for row in answer.rows())
        lines.append(f"n = {n}, seed {seed}; standard error of win at most {error:.2%}")
    notes = [f"known: {known}"] if known else []
    knowledge = getattr(answer, "knowledge", None)
    notes += notes_of(
        answer.game, answer.hand, knowledge.dead if knowledge else (), _partner(answer)
    )
    return "\n".join(lines + [click.wrap_text(note, page_width()) for note in notes])


def notes_of(
    game: Game, hand: str, dead: tuple[int, ...] = (), partner: str | None = None
) -> list[str]:
    """What has to be said of a hand: suits that were not given, cards that it must show."""
    question = ask(game, hand, dead=dead)
    notes = []
    if not question.certain:
        real, name = question.share_of_real, hands(game).juego_name(int(question.classes[0]))
        notes.append(
            f"suits not given: the exact average over the {question.ways} hands it may be"
            + (f", juego real in {real} of them" if name.startswith("juego") and real else "")
        )
    if question.shown:
        notes.append(
            "it is shown and replaced: the exact average over the four cards drawn, when nobody "
            "else has shown such a hand"
        )
    if partner is not None and ask(game, partner).shown:
        notes.append(
            f"the partner's {partner} is shown and replaced: the exact average over the four cards "
            "drawn, when nobody else has shown such a hand"
        )
    elif game.exchange and not question.shown:
        notes.append(f"nobody has shown {' or '.join(game.exchange)} and drawn four new cards")
    return notes


def _plays(answer: Answer) -> Iterator[tuple[str, str]]:
    """The hand's own plays: what it is, before anybody else's cards come in."""
    all_hands = hands(answer.game)
    index = int(ask(answer.game, answer.hand).classes[-1])
    table, last = all_hands.named, ""
    options = all_hands.namings(index)
    for make in (_grande, _chica, _pares, _juego):
        for option in options:
            phase, play = make(table, option)
            named = f"{table.texts[option]}  " if len(options) > 1 else ""
            yield phase if phase != last else "", named + play
            last = phase


def _grande(table: Hands, index: int) -> tuple[str, str]:
    return "grande", _rank(table, "grande", index)


def _chica(table: Hands, index: int) -> tuple[str, str]:
    return "chica", _rank(table, "chica", index)


def _pares(table: Hands, index: int) -> tuple[str, str]:
    return "pares", table.pares_name(index) + _stones(table, "pares", index)


def _juego(table: Hands, index: int) -> tuple[str, str]:
    phase = "juego" if table.level["juego"][index] else "punto"
    name = table.juego_name(index).removeprefix(f"{phase} of ")
    return phase, name + _stones(table, "juego", index)


def _rank(all_hands: Hands, phase: str, index: int) -> str:
    top = all_hands.top_level[phase]
    return f"{_ordinal(top - int(all_hands.level[phase][index]) + 1)} best of {top}"


def _stones(all_hands: Hands, phase: str, index: int) -> str:
    stones = int(all_hands.stones[phase][index])
    return f", {stones} stone{'s' * (stones != 1)}" if stones else ""


def _ordinal(number: int) -> str:
    last = number % 10 if number // 10 % 10 != 1 else 0
    return f"{number}{('th', 'st', 'nd', 'rd')[last] if last < 4 else 'th'}"


def _table(answer: Answer, columns: Columns, gap: bool = False) -> Table:
    """The odds, a block per seat with the seat's net under its name."""
    rows: list[list[str]] = []
    for row in answer.rows():
        phase, net = row["phase"], answer.net(row["seat"])
        labels = {
            PHASES[0]: _bold(_seat(answer.game, row["seat"])),
            PHASES[1]: f"net {click.style(signed(net), bold=True, fg=_colour(net))}",
        }
        if gap and rows and phase == PHASES[0]:
            rows.append([""] * (len(columns) + 2))
        rows.append([labels.get(phase, ""), phase, *(cell(row) for _, cell in columns)])
    titles = ["seat", "phase", *(title for title, _ in columns)]
    return Table(titles, "ll" + "r" * len(columns), rows)


def _seat(game: Game, seat: int) -> str:
    name = game.seat_name(seat)
    return name if name == str(seat) else f"{seat} {name}"


def _probability(column: str) -> Callable[[dict[str, Any]], str]:
    return lambda row: percent(row[column])


def _expectation(column: str) -> Callable[[dict[str, Any]], str]:
    return lambda row: f"{row[column]:z.2f}"


def _void(row: dict[str, Any]) -> str:
    return percent(row["void"] or None)


def _win(row: dict[str, Any]) -> str:
    text = percent(row["win"])
    return click.style(text, fg="green") if row["win"] > row["lose"] else text


def _bold(text: str) -> str:
    return click.style(text, bold=True)


def _colour(net: float) -> str:
    return "green" if net >= 0 else "red"


_ALL: Columns = (
    ("win", _win),
    ("lose", _probability("lose")),
    ("void", _void),
    ("best", _probability("best")),
    ("contested", _probability("contested")),
    ("win then", _probability("win_contested")),
    ("for", _expectation("stones_for")),
    ("against", _expectation("stones_against")),
)
_TEXT: Columns = tuple(column for column in _ALL if column[0] != "lose")

_WORST: Columns = (
    ("worst", _probability("worst")),
    ("worst then", _probability("worst_contested")),
)
_ALL_WORST: Columns = (*_ALL, *_WORST)
_TEXT_WORST: Columns = (*_ALL[2:6], _WORST[0], *_ALL[6:])
