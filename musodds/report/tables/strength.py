"""Tables of hands by themselves: their odds, what they are, how often plays come."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Ints
from musodds.chances.odds_table import table_columns
from musodds.report.tables.data import Column, Data, texts
from musodds.rules.game import PHASES, Game
from musodds.rules.hands import PARES_NAMES, Hands, hands
from musodds.rules.ways import choose, deals

HAND = Column("hand", "text", "four cards, high to low")
SEAT = Column("seat", "count", "1 = mano, the last = postre")
PHASE = Column("phase", "label", "grande, chica, pares, juego or punto")
NET = Column("net", "net", "stones_for less stones_against, over all phases")

ODDS = (
    HAND,
    SEAT,
    PHASE,
    Column("win", "chance", "my side takes the phase"),
    Column("lose", "chance", "the other side takes it"),
    Column("void", "chance", "it is not played; win + lose + void = 1"),
    Column("best", "chance", "my own hand is the one that takes it"),
    Column("contested", "chance", "both sides can bet"),
    Column("win_contested", "chance", "win, given that it is contested", "win then", gaps=True),
    Column("stones_for", "stones", "expected stones of my side if all pass", "for"),
    Column("stones_against", "stones", "expected stones of theirs", "against"),
    NET,
)

WORST = (
    Column("worst", "chance", "mine is the worst hand in the phase"),
    Column("worst_contested", "chance", "mine is the worst of those that can bet", gaps=True),
)
"""Columns more where a pot goes to the worst hand (Encaje)."""

HANDS = (
    HAND,
    Column("pares", "label", "no pares, par, medias or duples"),
    Column("pares_of", "text", "the pares in words, with their ranks", "pares, of"),
    Column("points", "count", "total card points"),
    Column("juego", "text", "the juego or the punto in words"),
    *(
        Column(
            f"{phase}_rank",
            "count",
            f"place in {phase}, 1 the best; alike hands share it; none without {phase}",
            phase,
            gaps=phase not in ("grande", "chica"),
        )
        for phase in PHASES
    ),
    Column("deals", "count", "of the hands of the whole deck, how many are this one"),
    Column("chance", "chance", "the same as a fraction of 1"),
)

PLAYS = (
    Column("phase", "label", "pares, juego or punto"),
    Column("play", "text", "the play"),
    Column("deals", "count", "of the hands of the whole deck, how many have it"),
    Column("chance", "chance", "that a player has it"),
    Column("pairs", "count", "of the deals of two players' hands, in how many one has it"),
    Column("either", "chance", "that at least one of two rivals has it", "one of two"),
)


def odds_data(game: Game) -> Data:
    """Every hand × seat × phase; see :func:`musodds.chances.odds_table.odds_table`."""
    return Data(
        "odds",
        f"Exact odds of every hand in {game.name}, before any discard",
        {"game": game.name, "method": "exact"},
        ODDS if game.stones is None else (*ODDS[:-1], *WORST, NET),
        table_columns(game),
        (("hand", "seat"), ("net",)),
    )


def hands_data(game: Game) -> Data:
    """Every hand: its plays, its place in each phase, how often it is dealt."""
    all_hands = hands(game)
    number = range(len(all_hands))
    values: dict[str, NDArray[Any]] = {
        "hand": texts(all_hands.texts),
        "pares": texts([PARES_NAMES[kind] for kind in all_hands.pares_type]),
        "pares_of": texts([all_hands.pares_name(i) for i in number]),
        "points": all_hands.points,
        "juego": texts([all_hands.juego_name(i) for i in number]),
    }
    for phase in PHASES:
        level = all_hands.level[phase]
        place = all_hands.top_level[phase] - level + 1
        values[f"{phase}_rank"] = np.where(level > 0, place, np.nan) if 0 in level else place
    values["deals"] = all_hands.ways
    values["chance"] = all_hands.ways / deals(game.deck.size, 1)
    return Data(
        "hands",
        f"Every hand of {game.name}",
        {"game": game.name, "method": "exact"},
        HANDS,
        values,
    )


def plays_data(game: Game) -> Data:
    """How often each play comes, to one player and to at least one of two."""
    all_hands = hands(game)
    listed = list(_plays(all_hands))
    has = np.array([mask for _, _, mask in listed])
    count = has @ all_hands.ways
    neither = np.einsum("pi,ij,pj->p", ~has, pair_ways(all_hands, np.arange(len(all_hands))), ~has)
    total = deals(game.deck.size, 2)
    values: dict[str, NDArray[Any]] = {
        "phase": texts([phase for phase, _, _ in listed]),
        "play": texts([play for _, play, _ in listed]),
        "deals": count,
        "chance": count / deals(game.deck.size, 1),
        "pairs": total - neither,
        "either": (total - neither) / total,
    }
    return Data(
        "plays",
        f"How often each play is dealt in {game.name}",
        {"game": game.name, "method": "exact"},
        PLAYS,
        values,
    )


def pair_ways(all_hands: Hands, mine: Ints) -> Ints:
    """Ways to deal one of some hands to a player and any hand to a second.

    Returns
    -------
    ndarray of int64, shape (len(mine), classes)
    """
    copies, counts = all_hands.game.deck.copies, all_hands.counts
    # At most C(40, 4) · C(36, 4): exact as floats.
    beside = [choose(copies - counts[i], counts) for i in mine.tolist()]
    found: Ints = all_hands.ways[mine, None] * np.array(beside).astype(np.int64)
    return found


def _plays(all_hands: Hands) -> list[tuple[str, str, NDArray[np.bool_]]]:
    pares, points = all_hands.pares_type, all_hands.points
    juego = all_hands.level["juego"] > 0
    found = [("pares", "pares", pares > 0)]
    found += [("pares", PARES_NAMES[kind], pares == kind) for kind in (1, 2, 3)]
    found += [("juego", "juego", juego)]
    if all_hands.game.real:
        real = np.isin(texts(all_hands.texts), all_hands.game.real)
        found += [("juego", "real", real)]
    found += [("juego", str(n), juego & (points == n)) for n in all_hands.game.juego_order]
    found += [("punto", "punto", ~juego)]
    values = sorted(set(points[~juego].tolist()), reverse=True)
    return found + [("punto", str(n), ~juego & (points == n)) for n in values]
