"""``musodds score``: the count of deals written down."""

from __future__ import annotations

import click

from musodds.cli.parts.many import ManyQuestions
from musodds.cli.parts.options import game_option, games_option, report_options, target_option
from musodds.cli.parts.output import Report, Table, emit
from musodds.cli.parts.record_file import record_text
from musodds.playing.mus_deal import Deal
from musodds.playing.record import Played, read_record
from musodds.playing.score_sheet import Item, counters, is_dentro, tally
from musodds.playing.written import said_lines
from musodds.rules.game import Game
from musodds.rules.games import titled, unusual
from musodds.rules.hands import hands
from musodds.store.numbers import DATA


@click.command(cls=ManyQuestions)
@click.argument(
    "file", required=False, type=click.Path(exists=True, dir_okay=False, allow_dash=True)
)
@click.option("--example", is_flag=True, help="Print a full record, to write your own by, and end.")
@click.option("--record", metavar="TEXT", help="The record itself, instead of a FILE.")
@game_option
@target_option
@games_option
@report_options
def command(
    file: str | None,
    example: bool,
    record: str | None,
    game: Game,
) -> None:
    """The count of a deal written down in FILE (- is standard input).

    Prints, phase by phase, who scores what and why, and the score in amarracos (5
    stones) and piedras (1). What the rules do not allow is refused, with its line.

    \b
    A record has one line per phase; what is said is separated by commas:
      game: mus                     default: --game
      sides: us them                the names; these are the default
      score: 32-35                  before the deal; default 0-0
      mano: us                      mano's side; default the first
      hands: 772A | 33S2 | RRSA | CCC6            from mano on
      mus: mus, mus, no hay mus     leave out to begin with grande
      grande: paso, paso, paso, envido 5, quiero
      chica: envido, reenvido 4, órdago, no quiero
      pares: sí, sí, sí, sí; en paso
      juego: no, sí, sí, sí; en paso

    \b
    Said: mus, no hay mus, paso, envido 5, reenvido 5 (5 more), quiero, no quiero,
    órdago; en paso = everybody passes; "4 envido 5" = seat 4 says it. Yes and no
    before a semicolon are the declarations (optional, checked). When all said mus
    comes "change: 72>RA | C>R | A>A | 6>4" (thrown>drawn, from mano on), then mus
    again; mus visto has "visto: 72>RA | - | A>A | -" before mus. Encaje has
    "stones: 15-15-15" in place of a score. A line --- separates deals: score,
    mano and the games of the match go on. # begins a comment.

    \b
    reenvido alone raises by 2, whatever is on the table; in the federation's
    vocabulary it doubles the bet: write "reenvido doble", or a line
    "reenvido: doubles" once, after which reenvido alone does.

    \b
    Also, see --example: target: 30, games: 3 (stones of a game, games of a
    match), won: 1-0 (games so far), players:, dealer:, match:, signs:, 4567:.

    \b
    Examples:
      musodds score --example > deal.txt
      musodds score deal.txt
      musodds score notebooks/data/deal.txt --target 30
      musodds score - --format json < deal.txt
      musodds score --from games.csv -o counts.csv       a column file, or record
    """
    if example:
        full = (DATA / "record.txt").read_text(encoding="utf-8")
        emit(Report({}, "record", [], str, str, others={"record": lambda: full}), "record")
        return
    if file is not None and record is None:
        record = record_text(file)
    elif file is not None or record is None:
        raise click.UsageError("give the FILE of a record; --example prints one")
    played = read_record(record, game)
    items = [tally(one) for one in played]
    deal = played[-1].deal
    side = deal.winner if isinstance(deal, Deal) else deal.loser
    outcome = "winner" if isinstance(deal, Deal) else "loser"
    head = {
        "game": deal.game.name,
        **unusual(deal.game),
        "deals": len(played),
        outcome: None if side is None else played[-1].names[side],
    }
    rows = [
        _row(number, one, item)
        for number, (one, counted) in enumerate(zip(played, items, strict=True), start=1)
        for item in counted
    ]

    def text() -> str:
        return "\n".join(_text(*pair) for pair in zip(played, items, strict=True))

    def markdown() -> str:
        return "\n".join(_table(*pair).markdown() for pair in zip(played, items, strict=True))

    emit(Report(head, "count", rows, text, markdown))


def _row(number: int, played: Played, item: Item) -> dict[str, object]:
    scores = {
        f"score_{name}": stones for name, stones in zip(played.names, item.score, strict=True)
    }
    return {
        "deal": number,
        "phase": item.phase,
        "at_once": item.at_once,
        "side": played.names[item.side],
        "seat": item.seat or None,
        "stones": item.stones,
        "why": item.why,
    } | scores


def _table(played: Played, items: tuple[Item, ...]) -> Table:
    return Table(
        ("count", "side", "stones", "why", *played.names),
        "llrl" + "r" * len(played.names),
        [
            (
                item.phase,
                played.names[item.side],
                str(item.stones) if item.stones else "",
                f"at once: {item.why}" if item.at_once and item.stones else item.why,
                *map(str, item.score),
            )
            for item in items
        ],
    )


def _text(played: Played, items: tuple[Item, ...]) -> str:
    deal, names = played.deal, played.names
    score = ", ".join(f"{name} {n}" for name, n in zip(names, deal.opening, strict=True))
    title = click.style(f"{titled(deal.game)}: {score}; mano {names[deal.mano]}", bold=True)
    return "\n".join(
        [
            title,
            _hands_table(played).text("  "),
            *(f"  {line}" for line in said_lines(deal)),
            "",
            _table(played, items).text("  "),
            *(f"  {line}" for line in _outcome(played)),
            "",
        ]
    )


def _hands_table(played: Played) -> Table:
    deal = played.deal
    known = hands(deal.game)
    return Table(
        ("seat", "side", "hand", ""),
        "rlll",
        [
            (str(seat), played.names[deal.side(seat)], known.texts[held], known.plays(held))
            for seat, held in enumerate(deal.classes, start=1)
            if held is not None
        ],
    )


def _outcome(played: Played) -> list[str]:
    """The score in amarracos and piedras, and what has been won."""
    deal, names = played.deal, played.names
    if not isinstance(deal, Deal):
        lines = [f"{name} {n}: {counters(n)}" for name, n in zip(names, deal.stones, strict=True)]
        return lines if deal.loser is None else [*lines, f"{names[deal.loser]} has lost the game"]
    lines = [
        f"{name} {n}: {counters(n)}{', dentro' if is_dentro(deal.game, n) else ''}"
        for name, n in zip(names, deal.score, strict=True)
    ]
    if deal.winner is None:
        return lines
    won = ", ".join(f"{name} {n}" for name, n in zip(names, played.games, strict=True))
    what = "match" if deal.game.games in played.games else "game"
    return [*lines, f"the {what} is for {names[deal.winner]} (games: {won})"]
