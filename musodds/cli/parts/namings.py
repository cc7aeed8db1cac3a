"""The ways to name a hand's jokers, for ``musodds hand``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from musodds.cli.parts.output import Row, Table, percent, signed
from musodds.rules.game import PHASES, Game
from musodds.rules.hands import hands

NOTE = """\
named so in every deal: win in each phase, and net. Named as is best deal by
deal, when all cards are shown, it is the table above."""


@dataclass(frozen=True)
class Naming:
    """One way to name the jokers, from one seat.

    Parameters
    ----------
    seat : int
    named : str
        The hand as named.
    win : tuple of float
        The chance that my side takes each phase.
    net : float
        Expected stones less theirs.
    best_net : float
        The same when the jokers are named as is best deal by deal.
    """

    seat: int
    named: str
    win: tuple[float, ...]
    net: float
    best_net: float


def namings(game: Game, hand: str, nets: dict[int, float]) -> list[Naming]:
    """Every way to name the jokers of a hand; none if it has none.

    Parameters
    ----------
    game : Game
    hand : str
    nets : dict of int to float
        The seats asked for, and the hand's net from each.
    """
    all_hands = hands(game)
    if not all_hands.has_jokers:
        return []
    index = all_hands.index(hand)
    options = all_hands.namings(index)
    if len(options) == 1:
        return []
    from musodds.exact.phases.columns import COLUMNS
    from musodds.exact.phases.count import total_deals
    from musodds.exact.phases.named_columns import count_by_naming

    shares = count_by_naming(game, index, tuple(nets)) / total_deals(game)
    win, stones = COLUMNS.index("win"), COLUMNS.index("stones_for")
    against = COLUMNS.index("stones_against")
    return [
        Naming(
            seat=seat,
            named=all_hands.named.texts[option],
            win=tuple(shares[n, i, :, win].tolist()),
            net=float((shares[n, i, :, stones] - shares[n, i, :, against]).sum()),
            best_net=nets[seat],
        )
        for i, seat in enumerate(nets)
        for n, option in enumerate(options)
    ]


def namings_rows(found: Sequence[Naming]) -> list[Row]:
    """One row per seat and naming."""
    return [
        {
            "seat": one.seat,
            "named": one.named,
            **{f"win_{phase}": win for phase, win in zip(PHASES, one.win, strict=True)},
            "net": one.net,
            "best_net": one.best_net,
        }
        for one in found
    ]


def namings_text(game: Game, found: Sequence[Naming]) -> str:
    """A block for people: what each naming wins."""
    return f"\n\n{_table(game, found).text()}\n{NOTE}" if found else ""


def namings_markdown(game: Game, found: Sequence[Naming]) -> str:
    """The same as Markdown."""
    return f"\n\n{_table(game, found).markdown()}" if found else ""


def _table(game: Game, found: Sequence[Naming]) -> Table:
    return Table(("seat", "named", *PHASES, "net"), "llrrrrrr", list(_rows(game, found)))


def _rows(game: Game, found: Sequence[Naming]) -> Iterator[list[str]]:
    for seat, of_seat in groupby(found, key=lambda one: one.seat):
        name = game.seat_name(seat)
        for one in of_seat:
            yield [name, one.named, *(percent(win or None) for win in one.win), signed(one.net)]
            name = ""
        yield ["", "best", *[""] * len(PHASES), signed(one.best_net)]
