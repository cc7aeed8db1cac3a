"""Reports on five cards of which one is thrown: the exact ranking, and the advice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from musodds.cli.parts.output import Report, Table, percent, signed
from musodds.rules.cards import CARDS, read_cards
from musodds.rules.game import PHASES, Game
from musodds.values import told

if TYPE_CHECKING:
    from musodds.chances.throws import Throws
    from musodds.strategy.throw_advice import ThrowAdvice

RANKED = """\
net: stones you throw less what another player does on average, if all pass;
grande to punto: yours is the best hand. The others hold four cards at random."""

ADVISED = """\
net: stones you throw less what another player does on average, if all pass;
diff: to the best, on the same deals, with its standard error (+/-); random: the
exact net against random hands; grande to punto: yours is the best hand."""


def is_dealt(cards: str, game: Game) -> bool:
    """Whether these are as many cards as are dealt, of which one is thrown."""
    number = len(read_cards(cards, game.deck.suits_matter))
    return game.cards_dealt > CARDS and number == game.cards_dealt


def ranking_report(answer: Throws) -> Report:
    """The ways to throw, by their exact odds against random hands."""
    titles = ("throw", "keep", "net", *PHASES)
    tables = []
    for seat in answer.seats:
        cells = []
        for way in answer.ranking(seat):
            odds = answer.odds[way]
            best = [float(odds.fraction(seat, phase, "best") or 0) for phase in PHASES]
            net = signed(odds.net(seat))
            cells.append((answer.thrown[way], odds.hand, net, *map(percent, best)))
        tables.append((seat, Table(titles, "llr" + "r" * len(PHASES), cells)))
    head: dict[str, object] = {"game": answer.game.name, "hand": answer.cards}
    head["averaged_over"] = answer.ways if answer.ways > 1 else None
    head["method"] = answer.method
    title = f"{answer.cards} in {answer.game.name}: {answer.method} odds, one card thrown"
    if answer.ways > 1:
        title += f"\nsuits not given: the exact average over the {answer.ways} hands it may be"
    return _report(head, "odds", answer.rows(), answer.game, title, tables, RANKED)


def advice_report(advice: ThrowAdvice) -> Report:
    """The ways to throw, against players who throw as well."""
    titles = ("throw", "keep", "net", "diff", "+/-", "random", *PHASES)
    tables = []
    for found in advice.seats:
        cells = []
        for row in advice.rows():
            if row["seat"] != found.seat:
                continue
            best = row["diff_se"] == 0
            cells.append(
                (
                    row["throw"],
                    row["keep"],
                    signed(row["net"]),
                    "" if best else signed(row["diff"]),
                    "" if best else f"{row['diff_se']:.3f}",
                    signed(row["net_random"]),
                    *(percent(row[f"win_{phase}"]) for phase in PHASES),
                )
            )
        tables.append((found.seat, Table(titles, "ll" + "r" * (len(titles) - 2), cells)))
    head = {
        "game": advice.game.name,
        "hand": advice.cards,
        **told(advice, "method", "policy", "n", "seed"),
    }
    title = (
        f"{advice.cards} in {advice.game.name}: {advice.method}, {advice.n} deals, seed "
        f"{advice.seed}\nothers throw the {advice.policy} card"
    )
    return _report(head, "keeps", advice.rows(), advice.game, title, tables, ADVISED)


def _report(
    head: Mapping[str, object],
    rows_name: str,
    rows: Sequence[Mapping[str, object]],
    game: Game,
    title: str,
    tables: list[tuple[int, Table]],
    legend: str,
) -> Report:
    def text() -> str:
        blocks = [
            f"{click.style(_seat(game, seat), bold=True)}\n{table.text()}" for seat, table in tables
        ]
        return "\n\n".join([title, *(block.rstrip("\n") for block in blocks), legend])

    def markdown() -> str:
        blocks = [f"## {_seat(game, seat)}\n\n{table.markdown()}" for seat, table in tables]
        return "\n\n".join([title.replace("\n", "; "), *(b.rstrip("\n") for b in blocks)])

    return Report(head, rows_name, rows, text, markdown)


def _seat(game: Game, seat: int) -> str:
    name = game.seat_name(seat)
    return f"seat {seat}" if name == str(seat) else f"seat {seat} ({name})"
