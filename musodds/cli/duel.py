"""``musodds duel``: who takes each phase when hands or ranges meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from musodds.cli.parts.knowledge_options import ranges_option, read_names
from musodds.cli.parts.many import ManyQuestions
from musodds.cli.parts.options import game_option, report_options
from musodds.cli.parts.output import Report, Table, emit, page_width, percent
from musodds.cli.parts.runs import deals_option, seed_option, workers_option
from musodds.errors import KnowledgeError
from musodds.rules.game import PHASES, Game
from musodds.simulation.progress import progress_bar
from musodds.values import told

if TYPE_CHECKING:
    from musodds.chances.duel import Duel


@click.command(cls=ManyQuestions)
@click.argument("held", nargs=-1, required=True, metavar="HAND...")
@click.option("--dead", metavar="CARDS", help="Cards known to be out of play.")
@click.option("--pares", metavar="YES,NO,?...", help="Who said to have pares, from mano on.")
@click.option("--juego", metavar="YES,NO,?...", help="Who said to have juego, from mano on.")
@ranges_option
@game_option
@deals_option
@seed_option
@workers_option
@report_options
def command(
    held: tuple[str, ...],
    dead: str | None,
    pares: str | None,
    juego: str | None,
    ranges: str | None,
    game: Game,
    deals: int | None,
    seed: int,
    workers: int | None,
) -> None:
    """Who takes each phase when the hands of the table meet, and how often.

    Give a hand or a range ('quoted') for each seat from mano on; seats left out may
    hold anything, and so does any. Seats 1 and 3 play against 2 and 4. Exact; a range
    of many hands in every seat takes some seconds. Simulated, with standard errors, where
    jokers and many hands of partners meet, or more than four players.

    \b
    Examples:
      musodds duel 772A 33S2 RRSA CCC6
      musodds duel RR7A 31 any 'pares & !juego'
      musodds duel RRRA RRCC --game mus2p
      musodds duel --from tables.csv       with columns hand_1, hand_2 ... hand_4
    """
    from musodds.chances.duel import duel
    from musodds.knowledge.knowledge import know

    if not 1 <= len(held) <= game.seats:
        raise KnowledgeError(
            f"{len(held)} hands for the {game.seats} seats of {game.name}: give one hand or range "
            "for each seat from mano on, without spaces or in quotes"
        )
    knowledge = know(game, dead=dead, pares=pares, juego=juego)
    with progress_bar("done") as watch:
        answer = duel(
            held, knowledge=knowledge, names=read_names(ranges, game), n=deals, seed=seed,
            workers=workers, watch=watch,
        )  # fmt: skip
    head = {
        "game": game.name,
        "hands": ", ".join(answer.held),
        "knowledge": "; ".join(knowledge.labels) or None,
        "averaged_over_suits_of": ", ".join(answer.averaged) or None,
        **told(answer, "method", "n", "seed"),
    }
    report = Report(
        head,
        "phases",
        answer.rows(),
        lambda: f"{_title(answer)}\n\n{_table(answer).text()}\n{_LEGEND}",
        lambda: f"{_title(answer)}\n\n{_table(answer).markdown()}",
    )
    emit(report)


def _title(answer: Duel) -> str:
    held = ", ".join(
        f"{answer.game.seat_name(seat)}: {text}"
        for seat, text in zip(answer.seats, answer.held, strict=True)
    )
    known = f"; known: {'; '.join(answer.knowledge.labels)}" if answer.knowledge else ""
    title = f"{held}: who takes each phase in {answer.game.name} ({answer.method}){known}"
    if answer.averaged:
        title += f"; suits not given: the exact average over those of {', '.join(answer.averaged)}"
    if answer.errors is not None:
        most = max(e for row in answer.errors.values() for x, e in row.items() if x[:5] == "seat_")
        title += (
            f"; n = {answer.n}, seed {answer.seed}, standard error of a seat at most {most:.2%}"
        )
    return click.wrap_text(title, page_width())


def _table(answer: Duel) -> Table:
    game = answer.game
    sides = range(game.sides) if game.side_size > 1 else ()
    seats = [game.seat_name(seat) for seat in answer.seats]
    titles = ["phase", *seats, "void", *(_side(game, side) for side in sides), "stones"]
    rows = []
    for phase in PHASES:
        row = [phase, *(percent(float(answer.chance(phase, seat))) for seat in answer.seats)]
        row.append(percent(float(answer.chance(phase, None)) or None))
        row += [percent(float(answer.side_chance(phase, side))) for side in sides]
        row.append(
            " : ".join(f"{float(answer.expected(phase, s)):z.2f}" for s in range(game.sides))
        )
        rows.append(row)
    return Table(titles, "l" + "r" * (len(titles) - 1), rows)


def _side(game: Game, side: int) -> str:
    seats = [str(s) for s in range(1, game.seats + 1) if game.side(s) == side]
    return "+".join(seats)


_LEGEND = "stones: what each side can expect from the phase if all pass, mano's side first.\n"
