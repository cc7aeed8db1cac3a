"""Tables to look things up in: whole games, every hand, every seat.

==============  =================================================================
table           a row is
==============  =================================================================
``odds``        a hand, a seat and a phase: the exact odds before any discard
``hands``       a hand: its plays, its place in each phase, how often it is dealt
``plays``       a play: how often one player has it, and at least one of two
``discards``    a hand and a seat: the best keep, its net, its lead on the second
``cut``         a hand and a seat: mus or cut, and what it gains
``duel``        two hands: which of them takes each phase
``signals``     a sign, a seat and a phase: what it does to the odds of a hand
``equity``      a score and who is mano: the chance of winning the game
==============  =================================================================

Each function returns a tidy DataFrame. The columns of a table, with what they mean, are
:func:`columns`; the command ``musodds table`` writes the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from musodds.errors import InputError
from musodds.report.tables.data import Data
from musodds.rules.game import Game
from musodds.rules.games import get_game

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Spec:
    """A table that can be asked for by name.

    Parameters
    ----------
    summary : str
    home : str
        Module and function that make it.
    options : tuple of str
        What may be said beside the game: ``hand``, ``policy``, ``by``, ``system``.
    needs_hand : bool
    """

    summary: str
    home: str
    options: tuple[str, ...] = ()
    needs_hand: bool = False

    def make(self, game: Game, **options: Any) -> Data:
        module, _, name = self.home.partition(":")
        maker: Callable[..., Data] = getattr(import_module(f"musodds.report.tables.{module}"), name)
        return maker(game, **options)


TABLES: dict[str, Spec] = {
    "odds": Spec("every hand, seat and phase: exact odds", "strength:odds_data"),
    "pairs": Spec("every two hands of partners: exact odds", "pairs:pairs_data", ("hand",)),
    "hands": Spec("every hand: plays, places, chance", "strength:hands_data"),
    "plays": Spec("every play: how often it is dealt", "strength:plays_data"),
    "discards": Spec("the best keep of every hand and seat", "throws:discards_data", ("policy",)),
    "cut": Spec("mus or cut for every hand and seat", "throws:cut_data", ("policy",)),
    "duel": Spec("hand against hand, phase by phase", "meetings:duel_data", ("hand",)),
    "signals": Spec(
        "what each sign does to the odds of a hand",
        "meetings:signals_data",
        ("hand", "by", "system"),
        needs_hand=True,
    ),
    "equity": Spec("every score: the chance of winning the game", "scores:equity_data", ("kind",)),
}


def table(name: str, game: str | Game = "mus", seat: int | str = "all", **options: Any) -> Data:
    """A table by its name.

    Parameters
    ----------
    name : str
        One of :data:`TABLES`.
    game : str or Game, optional
    seat : int or str, optional
        Only the rows of one seat, in tables that have seats.
    **options
        ``hand`` (duel, signals), ``policy`` (discards, cut: ``best`` or ``solo``), ``by``
        and ``system`` (signals).

    Returns
    -------
    Data

    Raises
    ------
    InputError
        If there is no such table, or it does not know an option.

    Examples
    --------
    >>> found = table("hands", "mus4")
    >>> len(found), found.columns[0].about
    (715, 'four cards, high to low')
    """
    spec = TABLES.get(name)
    if spec is None:
        raise InputError(f"no table {name!r}: tables are {', '.join(TABLES)}")
    given = {key: value for key, value in options.items() if value}
    for key in given:
        if key not in spec.options:
            having = [other for other, known in TABLES.items() if key in known.options]
            raise InputError(f"table {name} has no {key}: that is for {' and '.join(having)}")
    if spec.needs_hand and "hand" not in given:
        raise InputError(f"table {name} is about one hand: say which")
    game = get_game(game)
    seats = game.parse_seats(seat)
    data = spec.make(game, **given)
    if len(seats) == game.seats:
        return data
    if "seat" not in data.values:
        raise InputError(f"table {name} is the same for all seats")
    return data.where(data.values["seat"] == seats[0])


def hands_table(game: str | Game = "mus") -> pd.DataFrame:
    """Every hand of a game by itself.

    Parameters
    ----------
    game : str or Game, optional

    Returns
    -------
    pandas.DataFrame
        One row per hand: `hand` (str), `pares` (str: no pares, par, medias, duples),
        `pares_of` (str, in words), `points` (int64), `juego` (str, in words), the place
        in each phase from 1, the best (`grande_rank`, `chica_rank` int64; `pares_rank`,
        `juego_rank`, `punto_rank` Int64, empty for hands that take no part), `deals` (int64,
        of the hands of the whole deck) and `chance` (float64).

    Examples
    --------
    >>> frame = hands_table("mus")
    >>> len(frame), int(frame["deals"].sum())
    (330, 91390)
    """
    return table("hands", game).to_frame()


def plays_table(game: str | Game = "mus") -> pd.DataFrame:
    """How often each play is dealt: pares by kind, juego and punto by value.

    Parameters
    ----------
    game : str or Game, optional

    Returns
    -------
    pandas.DataFrame
        One row per play: `phase`, `play` (str), `deals` (int64, of the hands of the
        deck), `chance` (float64, that a player has it), `pairs` (int64, of the deals of
        two players' hands) and `either` (float64, that at least one of two rivals has
        it). Nothing is known of any hand.

    Examples
    --------
    >>> frame = plays_table("mus").set_index("play")
    >>> int(frame.loc["duples", "deals"]), int(frame.loc["31", "deals"])
    (3486, 8384)
    """
    return table("plays", game).to_frame()


def discards_table(game: str | Game = "mus", *, policy: str = "best") -> pd.DataFrame:
    """The best keep of every hand in every seat.

    Parameters
    ----------
    game : str or Game, optional
    policy : str, optional
        ``best``: against others who play the solved policy, on deals in which they all say
        mus (simulated); ``solo``: the player alone draws, mus always agreed (exact).

    Returns
    -------
    pandas.DataFrame
        One row per hand × seat: `hand` (str), `seat` (int64), `keep` (str), `net`,
        `net_se` (float64, stones), `second` (str), `margin`, `margin_se` (float64,
        stones, paired), `net_dealt` (float64: the cards as dealt in the same deals) and
        `agreed` (float64, exact: how often all others say mus).

    Raises
    ------
    InputError
        If the game has no such policy.

    Examples
    --------
    >>> frame = discards_table("mus", policy="solo").set_index(["hand", "seat"])
    >>> frame.loc[("RR7A", 1), "keep"]
    'RR'
    """
    return table("discards", game, policy=policy).to_frame()


def cut_table(game: str | Game = "mus", *, policy: str = "best") -> pd.DataFrame:
    """Mus or cut for every hand in every seat: what is better, as for :func:`discard`.

    What a policy itself says is another question: ``musodds policy show``.

    Parameters
    ----------
    game : str or Game, optional
    policy : str, optional
        As for :func:`discards_table`.

    Returns
    -------
    pandas.DataFrame
        One row per hand × seat: `hand` (str), `seat` (int64), `say` (str: mus or cut),
        `agreed` (float64, exact: how often all others say mus), `net_cut` (float64, stones,
        exact), `net_mus` (mus said, agreed or not), `gain` (net_mus less net_cut) and
        `gain_se` (float64, stones).

    Examples
    --------
    >>> frame = cut_table("mus", policy="solo").set_index(["hand", "seat"])
    >>> frame.loc[("RRRR", 1), "say"], frame.loc[("C654", 4), "say"]
    ('cut', 'mus')
    """
    return table("cut", game, policy=policy).to_frame()


def duel_table(game: str | Game = "mus", *, hand: str | None = None) -> pd.DataFrame:
    """Hand against hand, one against one.

    Parameters
    ----------
    game : str or Game, optional
    hand : str, optional
        Only the rows of this hand.

    Returns
    -------
    pandas.DataFrame
        One row per two hands that the deck holds together: `hand`, `other` (str), `deals`
        (int64, ways to deal one and then the other), per phase (str) whether the hand
        `wins`, `loses`, ties (`first`: taken by who speaks first) or the phase is `void`;
        `net_first` and `net_last` (float64): stones for the hand less stones against,
        en paso, when it speaks first or last.

    Examples
    --------
    >>> frame = duel_table("mus", hand="RR7A").set_index("other")
    >>> frame.loc["RRRR", ["grande", "chica"]].tolist()
    ['loses', 'wins']
    """
    return table("duel", game, hand=hand).to_frame()


def pairs_table(game: str | Game = "mus", *, hand: str | None = None) -> pd.DataFrame:
    """Exact odds of every pair of partners' hands, in every seat and phase.

    Parameters
    ----------
    game : str or Game, optional
        Two sides of two, without jokers, all four suits not mattering.
    hand : str, optional
        Only the pairs of this hand.

    Returns
    -------
    pandas.DataFrame
        One row per hand × partner × seat × phase: `hand`, `partner` (str), `seat` (int64),
        `phase` (str), and the columns of :func:`musodds.chances.odds_table.odds_table`; `net`
        stands once for each pair and seat, with grande.

    Raises
    ------
    GameError
        If the game has no such table.

    Examples
    --------
    >>> frame = pairs_table("mus", hand="RR7A").set_index(["partner", "seat", "phase"])
    >>> round(float(frame.loc[("C765", 1, "pares"), "win"]), 6)
    0.836715
    """
    return table("pairs", game, hand=hand).to_frame()


def signals_table(
    hand: str,
    game: str | Game = "mus",
    *,
    seat: int | str = "all",
    by: tuple[str, ...] = ("partner",),
    system: str = "classic",
) -> pd.DataFrame:
    """What each sign of another player does to the odds of a hand: exact.

    Parameters
    ----------
    hand : str
    game : str or Game, optional
    seat : int or str, optional
    by : tuple of str, optional
        Who makes the sign: ``partner``, ``next``, ``previous`` (rival).
    system : str, optional
        Which signs; see :mod:`musodds.knowledge.signals`.

    Returns
    -------
    pandas.DataFrame
        One row per player × sign × seat × phase: `by`, `signal` (str; ``-``: nothing is
        known), `chance` (float64, that the player's hand is such), `seat` (int64), `phase`
        (str), `win` and `win_change`, `net` and `net_change` (float64, with the sign, and
        less what they are without it).

    Examples
    --------
    >>> frame = signals_table("RR7A", seat=1).set_index(["signal", "phase"])
    >>> round(float(frame.loc[("31", "juego"), "win"]), 3)
    0.923
    """
    return table("signals", game, seat, hand=hand, by=by, system=system).to_frame()
