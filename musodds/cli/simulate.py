"""``musodds simulate``: deals with mus and discards, simulated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from musodds.cli.parts.knowledge_options import knowledge_options
from musodds.cli.parts.numbers import Real, WholeNumber
from musodds.cli.parts.options import game_option, report_options
from musodds.cli.parts.output import Report, Table, percent, signed, wanted_format
from musodds.cli.parts.runs import emit_run, workers_option
from musodds.errors import InputError
from musodds.rules.game import PHASES, Game
from musodds.values import told

if TYPE_CHECKING:
    from musodds.simulation.estimates import Simulation

LEGEND = """\
win: the seat's side takes the phase, +/- its 95 % interval; void: it is not
played; best: the seat's own hand takes it; win then: if both sides could bet.
for, against: stones if all pass; net: for - against, all phases."""
LEGEND_ALONE = """\
win: yours is the best hand, +/- its 95 % interval; void: the phase is not
played; win then: if somebody else takes part too; worst: a seen pot would go
to you. for, against: stones thrown if all pass, by you and by another on
average; net: for - against, all phases."""


Column = tuple[str, Callable[[dict[str, Any]], str]]


@click.command
@click.option("-n", type=WholeNumber(), help="Deals, such as 500000 or 1e7.  [default: 1e6]")
@click.option(
    "--target-se",
    type=Real(),
    help="Instead of -n: go on until every win probability has a standard error of at most X.",
)
@click.option(
    "--policy",
    multiple=True,
    metavar="[SEAT=]NAME|FILE",
    help="What the players do, all of them or one seat; may be repeated, and the last word "
    "counts. `musodds policy list` lists them.  [default: best, the solved policy; kings in games "
    "without one]",
)
@click.option(
    "--rounds",
    default="1",
    type=WholeNumber(None, None, "until-cut"),
    help="The most rounds of mus.",
)
@click.option("--hand", metavar="HAND", help="A hand that one seat is always dealt.")
@click.option("--seat", metavar="SEAT", help="The seat that is dealt it.  [default: mano]")
@click.option(
    "--seed",
    type=WholeNumber(),
    help="The same seed gives the same digits.  [default: random, and reported]",
)
@workers_option
@click.option(
    "--checkpoint",
    type=click.Path(),
    metavar="FILE",
    help="Save the run in a file every second, and go on from there if it is killed.",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS|local",
    help="Play on a Dask cluster, such as tcp://10.0.0.1:8786; needs musodds[distributed].",
)
@game_option
@knowledge_options
@report_options
def command(
    game: Game,
    policy: tuple[str, ...],
    **options: Any,
) -> None:
    """Simulate deals with mus and discards, all passing to the showdown.

    Estimates come with their standard errors and 95 % intervals. Ctrl-C prints what is
    known by then.

    What you know (ranges, dead cards) is of the hands as dealt: of your neighbours with
    --hand, of any seat with --seat-range. Declarations go with --rounds 0.

    \b
    Examples:
      musodds simulate --policy kings
      musodds simulate -n 1e7 --policy best --rounds until-cut --seed 1
      musodds simulate --policy kings --policy mano=none
      musodds simulate --policy kings --hand RR7A --seat postre
      musodds simulate --policy kings --hand RR7A --partner seña:dos-reyes
      musodds simulate --policy kings --seat-range 2=31 --dead AA
      musodds simulate --target-se 0.0001 --checkpoint long.run
      musodds simulate --game mus2p --format json | jq '.odds[0].win'
    """
    from musodds.simulation.simulate import simulate

    found = simulate(game, policy=_policies(policy, game), progress=True, **options)
    emit_run(_report(found), found)


def _policies(given: Sequence[str], game: Game) -> list[str]:
    """One policy per seat: ``2=kings`` is for one seat, ``kings`` for all."""
    from musodds.simulation.named_policies import default_policy

    chosen = [default_policy(game).name] * game.seats
    for text in given:
        seat, equals, name = text.partition("=")
        if not equals:
            chosen = [text] * game.seats
        elif name:
            chosen[game.parse_seat(seat) - 1] = name
        else:
            raise InputError(f"policy {text!r} has no name: write it as 2=kings")
    return chosen


def _report(found: Simulation) -> Report:
    head: dict[str, object] = {
        "game": found.game.name,
        **told(found, "hand", "seat", "method", "n", "seed", "policy", "rounds"),
        "knowledge": _known(found),
        "interrupted": found.interrupted or None,
    }
    rows = found.rows()
    if wanted_format() == "csv":
        # One table: what is known of a seat, on each of its rows.
        head["dealt_to"] = head.pop("seat")
        rows = [row | _of_seat(found, row["seat"]) for row in rows]
    else:
        head |= {"seats": _plain(found.seat_rows()), "mus": _plain(found.mus_rows())}
    return Report(
        head,
        "odds",
        rows,
        lambda: _text(found),
        lambda: _markdown(found),
        once=(["seat"], ["net", "net_se", "net_low", "net_high"]),
    )


def _of_seat(found: Simulation, seat: int) -> dict[str, Any]:
    row = dict(found.seat_rows()[seat - 1])
    for cut in found.mus_rows():
        if cut["seat"] in (seat, None):
            where = "never" if cut["round"] is None else f"round_{cut['round']}"
            row |= {
                name.replace("share", f"cut_{where}"): value
                for name, value in cut.items()
                if name.startswith("share")
            }
    return row


def _plain(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """NaN, which JSON has not, becomes None."""
    return [
        {name: None if value != value else value for name, value in row.items()} for row in rows
    ]


def _title(found: Simulation, strong: Callable[[str], str]) -> str:
    hand = f", {strong(found.hand)} in seat {found.seat}" if found.hand else ""
    rounds = (
        "until cut"
        if isinstance(found.rounds, str)
        else f"up to {found.rounds} round{'s' * (found.rounds != 1)} of mus"
    )
    deals = f"{found.n:,} deal" + "s" * (found.n != 1)
    return (
        f"{strong(deals)} of {found.game.name}{hand}: {found.method}, "
        f"seed {found.seed}\npolicy {found.policy}, {rounds}"
        + (f"\nknown: {known}" if (known := _known(found)) else "")
    )


def _known(found: Simulation) -> str | None:
    return "; ".join(found.knowledge.labels) if found.knowledge else None


def _text(found: Simulation) -> str:
    parts = [
        _title(found, lambda text: click.style(text, bold=True)) + "\n",
        _odds(found, _TEXT_ALONE if _each_alone(found) else _TEXT, gap=True).text(),
        (LEGEND_ALONE if _each_alone(found) else LEGEND) + "\n",
        _seats(found).text(),
        _mus(found),
    ]
    return "\n".join(parts)


def _markdown(found: Simulation) -> str:
    parts = [
        _title(found, "**{}**".format) + "\n",
        _odds(found, _ALL_ALONE if _each_alone(found) else _ALL).markdown(),
        _seats(found).markdown(),
        _mus(found),
    ]
    return "\n".join(parts)


def _each_alone(found: Simulation) -> bool:
    """Whether a pot goes to the worst hand."""
    return found.game.stones is not None


def _odds(found: Simulation, columns: Sequence[Column], gap: bool = False) -> Table:
    rows: list[list[str]] = []
    for row in found.rows():
        first = row["phase"] == PHASES[0]
        if gap and rows and first:
            rows.append([""] * (len(columns) + 2))
        seat = _seat(found.game, row["seat"]) if first or not gap else ""
        rows.append([seat, row["phase"], *(cell(row) for _, cell in columns)])
    return Table(["seat", "phase", *(name for name, _ in columns)], "ll" + "r" * len(columns), rows)


def _seat(game: Game, seat: int) -> str:
    name = game.seat_name(seat)
    return name if name == str(seat) else f"{seat} {name}"


def _seats(found: Simulation) -> Table:
    names = ("par", "medias", "duples", "juego", "juego_31", "punto_30")
    titles = ["seat", "net", "+/-", "stones", *names[:4], "31", "punto 30"]
    rows = [
        [
            _seat(found.game, row["seat"]),
            signed(row["net"], 3),
            _plus_minus(row["net_se"], 3),
            f"{row['stones']:z.3f}",
            *(percent(row[name]) for name in names),
        ]
        for row in found.seat_rows()
    ]
    return Table(titles, "l" + "r" * (len(titles) - 1), rows)


def _mus(found: Simulation) -> str:
    """Who cut mus, in words and, where somebody did, by round."""
    *cuts, never = found.mus_rows()
    if found.rounds == 0:
        return "No mus was offered.\n"
    if not cuts:
        return "Nobody cut mus.\n"
    rounds: dict[int, dict[int, float]] = {}
    for row in cuts:
        rounds.setdefault(row["round"], {})[row["seat"]] = row["share"]
    lines = []
    for number, shares in rounds.items():
        by_whom = ", ".join(
            f"{found.game.seat_name(seat)} {percent(share)}" for seat, share in shares.items()
        )
        lines.append(f"  round {number}: {percent(sum(shares.values()))} ({by_whom})")
    shown = lines[:8] + [f"  ... and {len(lines) - 8} later rounds"] * (len(lines) > 8)
    cut = percent(1 - never["share"])
    return "\n".join([f"Mus was cut in {cut} of the deals:", *shown, ""])


def _plus_minus(se: float, digits: int) -> str:
    """Half the 95 % interval."""
    return "-" if se != se else f"{1.96 * se:.{digits}f}"


def _fine(name: str) -> Callable[[dict[str, Any]], str]:
    def cell(row: dict[str, Any]) -> str:
        return "-" if row[name] is None else f"{row[name] * 100:.2f}%"

    return cell


_APART = 0.01
"""A difference of intervals that is worth telling."""


def _error(name: str) -> Callable[[dict[str, Any]], str]:
    def cell(row: dict[str, Any]) -> str:
        if row[name] is None:
            return "-"
        half = 1.96 * row[f"{name}_se"]
        # Of few deals, or none but won ones, Wilson's interval is wider: its farther end.
        wilson = max(row[f"{name}_high"] - row[name], row[name] - row[f"{name}_low"])
        return f"{(wilson if wilson - half > _APART else half) * 100:.2f}"

    return cell


def _share(name: str) -> Callable[[dict[str, Any]], str]:
    return lambda row: percent(row[name])


def _stones(name: str) -> Callable[[dict[str, Any]], str]:
    return lambda row: f"{row[name]:z.3f}"


_ALL: Sequence[Column] = (
    ("win", _fine("win")),
    ("+/-", _error("win")),
    ("lose", _fine("lose")),
    ("void", _share("void")),
    ("best", _share("best")),
    ("contested", _share("contested")),
    ("win then", _fine("win_contested")),
    ("+/- then", _error("win_contested")),
    ("for", _stones("stones_for")),
    ("against", _stones("stones_against")),
)
_TEXT = tuple(column for column in _ALL if column[0] not in ("lose", "contested", "+/- then"))
_WORST: Sequence[Column] = (
    ("worst", _share("worst")),
    ("worst then", _fine("worst_contested")),
)
_ALL_ALONE = (*_ALL, *_WORST)
_TEXT_ALONE = (
    *(column for column in _TEXT[:-2] if column[0] != "best"), _WORST[0], *_TEXT[-2:],
)  # fmt: skip
