"""``musodds ranges``: the language of ranges, and the hands of a range."""

from __future__ import annotations

import click

from musodds.cli.parts.knowledge_options import ranges_option, read_names
from musodds.cli.parts.options import game_option, report_options
from musodds.cli.parts.output import Report, Table, emit, page_width, percent, wanted_format
from musodds.rules.game import Game

LANGUAGE = """\
A range is a set of hands:

  RR7A                 that hand
  RR??                 two kings at least: ? is any card
  RR..                 two kings and no more: . is a card of another kind
  pares par medias duples juego punto any    31 32 40 30 29 (totals)
  par:R  medias:A  duples:RA  pares:R        with their ranks
  grande>=RRCS  chica>AA47  pares>=medias  juego>=36  punto<28
                       better is greater; seats play no part, so hands of equal
                       strength are equal; only hands that take part compare
  seña:31  sena:ciego  seña:federation:medias    see: musodds signals
  !a  a & b  a | b     not, and, or; with ( ). Put it all in 'single quotes'
  31@0.7 | pares@0.3   weights of hands (not of sets): how often a player dealt
                       the hand would have it now. A hand in several
                       alternatives takes the largest; only ratios matter

A range is a prior, before cards are removed: each hand counts its weight times
the ways to deal it from the cards that are left, all players' ranges together.
Names of your own: lines `name = range` in a file (--ranges FILE).
"""


@click.command
@click.argument("text", nargs=-1, metavar="[RANGE]")
@ranges_option
@click.option(
    "--gone", metavar="CARDS", default="", show_default=False, help="Cards that are elsewhere."
)
@game_option
@report_options
def command(
    text: tuple[str, ...],
    ranges: str | None,
    gone: str,
    game: Game,
) -> None:
    """The language of ranges; with RANGE, its hands and how likely they are.

    \b
    Examples:
      musodds ranges
      musodds ranges 'pares & !juego'
      musodds ranges 'RR..' --gone RRAA
      musodds ranges 'seña:31 | juego>=36' --game mus4 --format csv
    """
    from musodds.knowledge.language import parse_range

    if not text:
        if (wanted := wanted_format()) not in ("text", "md"):
            raise click.UsageError(f"the language of ranges is text: {wanted} takes a range")
        emit(Report({}, "language", [], lambda: LANGUAGE, lambda: f"```\n{LANGUAGE}```"))
        return
    found = parse_range(" ".join(text), game, read_names(ranges, game))
    cards = game.deck.parse(gone)
    rows = found.rows(cards)

    def prose() -> str:
        number = len(rows)
        after = f" with {game.deck.text(cards)} gone" if cards else ""
        title = (
            f"{found.text} in {game.name}: {number} hand{'s' * (number != 1)}, "
            f"dealt {percent(float(found.chance(cards)))} of the time{after}"
        )
        members = _columns([row["hand"] for row in rows]) if found.is_set else table().text()
        return f"{click.wrap_text(title, page_width())}\n\n{members}"

    def table() -> Table:
        cells = [(row["hand"], f"{row['weight']:g}", percent(row["share"])) for row in rows]
        return Table(("hand", "weight", "share"), "lrr", cells)

    head = {
        "game": game.name,
        "range": found.text,
        "gone": game.deck.text(cards) or None,
        "hands": len(rows),
        "chance": found.chance(cards),
        "method": "exact",
    }
    emit(Report(head, "members", rows, prose, lambda: table().markdown()))


def _columns(names: list[str]) -> str:
    """Names side by side, read along the lines."""
    width = max(map(len, names)) + 2
    across = max(1, page_width() // width)
    lines = [names[i : i + across] for i in range(0, len(names), across)]
    return "\n".join("".join(name.ljust(width) for name in line).rstrip() for line in lines)
