"""Tables of hands that meet others: two hands side by side, and signals of the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats, Ints
from musodds.chances.counted_odds import Odds, counted_odds
from musodds.chances.odds import known_odds
from musodds.errors import InputError
from musodds.exact.phases.pairs import count_by_partner
from musodds.knowledge.knowledge import know
from musodds.knowledge.language import signal_range
from musodds.knowledge.question import ask
from musodds.knowledge.range import Range
from musodds.knowledge.signals import SYSTEMS
from musodds.report.tables.data import Column, Data, texts
from musodds.report.tables.strength import HAND, PHASE, SEAT, pair_ways
from musodds.rules.cards import CARDS
from musodds.rules.game import PHASES, UNANIMOUS, Game
from musodds.rules.hands import Hands, hands
from musodds.rules.ways import choose, deals

OUTCOMES = ("loses", "first", "wins", "void")
"""How a hand meets another in a phase: *first* is a tie, taken by who speaks first."""

DUEL = (
    HAND,
    Column("other", "text", "the hand it meets"),
    Column("deals", "count", "of the deals of two players' hands, how many are these two"),
    *(
        Column(phase, "label", "wins, loses, first (a tie: who speaks first) or void")
        for phase in PHASES
    ),
    Column("net_first", "net", "stones en paso for the hand, alone and speaking first", "first"),
    Column("net_last", "net", "stones en paso for the hand, alone and speaking last", "last"),
)

PLAYERS = ("partner", "next", "previous")

SIGNALS = (
    Column("by", "label", "who makes the sign: partner, next or previous rival"),
    Column("signal", "label", "the sign; - is silence: nothing known"),
    Column("chance", "chance", "that this player's hand is such, given mine"),
    SEAT,
    PHASE,
    Column("win", "chance", "my side takes the phase, given the sign"),
    Column("win_change", "change", "win less what it is with nothing known", "change"),
    Column("net", "net", "expected stones, for less against, over all phases"),
    Column("net_change", "net", "net less what it is with nothing known", "net change"),
)


def duel_data(game: Game, hand: str | None = None) -> Data:
    """Every hand against every other that the deck allows beside it, phase by phase."""
    all_hands = hands(game)
    every = np.arange(len(all_hands))
    mine = every if hand is None else np.array([all_hands.index(hand)])
    ways = pair_ways(all_hands, mine)
    row, other = np.nonzero(ways)
    me = mine[row]
    outcome = {phase: _outcome(all_hands, phase, me, other) for phase in PHASES}
    words, names = texts(OUTCOMES), texts(all_hands.texts)
    values: dict[str, NDArray[Any]] = {
        "hand": names[me],
        "other": names[other],
        "deals": ways[row, other],
        **{phase: words[outcome[phase]] for phase in PHASES},
        "net_first": _net(all_hands, me, other, outcome, tie=1),
        "net_last": _net(all_hands, me, other, outcome, tie=-1),
    }
    head = {"game": game.name, "hand": hand and all_hands.texts[mine[0]], "method": "exact"}
    who = head["hand"] or "Every hand"
    title = f"{who} against every other hand in {game.name}, one against one"
    return Data("duel", title, head, DUEL, values)


def _outcome(all_hands: Hands, phase: str, me: Ints, other: Ints) -> Ints:
    """Which of OUTCOMES, shape (pairs,)."""
    level = all_hands.level[phase]
    mine, theirs = level[me], level[other]
    void = (mine == 0) | (theirs == 0) if phase in UNANIMOUS else (mine == 0) & (theirs == 0)
    found: Ints = np.where(void, OUTCOMES.index("void"), np.sign(mine - theirs) + 1)
    return found


def _net(all_hands: Hands, me: Ints, other: Ints, outcome: dict[str, Ints], tie: int) -> Floats:
    value = np.array([-1, tie, 1, 0])
    net = np.zeros(len(me))
    for phase in PHASES:
        sign = value[outcome[phase]]
        own = all_hands.stones.get(phase)
        stones = 1 if own is None else np.where(sign > 0, own[me], own[other])
        net += sign * stones
    return net


def signals_data(
    game: Game,
    hand: str,
    seat: int | str = "all",
    *,
    by: Sequence[str] = ("partner",),
    system: str = "classic",
) -> Data:
    """What each sign of the partner or a rival does to the odds of a hand."""
    for who in by:
        if who not in PLAYERS or (who == "partner" and game.side_size == 1):
            known = PLAYERS if game.side_size > 1 else PLAYERS[1:]
            raise InputError(f"nobody is {who!r} in {game.name}: say {', '.join(known)}")
    all_hands = hands(game)
    me, seats = all_hands.index(hand), game.parse_seats(seat)
    text = all_hands.texts[me]
    beside = pair_ways(all_hands, np.array([me]))[0]
    before = _numbers(counted_odds(ask(game, text), seats))
    partners = count_by_partner(game, me, seats) if "partner" in by else None
    blocks = []
    for who in by:
        blocks.append((who, "-", 1.0, before))
        for sign, held in _signs(game, system):
            ways = int(beside[held.weights > 0].sum())
            if not ways:
                continue
            if who == "partner" and partners is not None:
                numbers = _numbers(_known_partner(game, me, seats, held.weights > 0, partners))
            else:
                said: dict[str, Any] = {who: held}
                numbers = _numbers(known_odds(text, seat=seat, knowledge=know(game, **said)))
            blocks.append((who, sign, ways / int(beside.sum()), numbers))
    found = np.array([numbers for *_, numbers in blocks])
    change = found - before
    cases, number = len(seats) * len(PHASES), len(blocks)
    values: dict[str, NDArray[Any]] = {
        "by": np.repeat(texts(who for who, *_ in blocks), cases),
        "signal": np.repeat(texts(sign for _, sign, *_ in blocks), cases),
        "chance": np.repeat([chance for _, _, chance, _ in blocks], cases),
        "seat": np.tile(np.repeat(seats, len(PHASES)), number),
        "phase": np.tile(texts(PHASES), len(seats) * number),
        "win": found[..., 0].ravel(),
        "win_change": change[..., 0].ravel(),
        "net": found[..., 1].ravel(),
        "net_change": change[..., 1].ravel(),
    }
    return Data(
        "signals",
        f"What a signal does to the odds of {text} in {game.name}",
        {"game": game.name, "hand": text, "system": system, "method": "exact"},
        SIGNALS,
        values,
        (("by", "signal", "seat"), ("net", "net_change")),
    )


def _signs(game: Game, system: str) -> Iterator[tuple[str, Range]]:
    """Every sign of a system that players of the game make, and the hands it is true of."""
    if system not in SYSTEMS:
        raise InputError(f"no system of signals {system!r}: systems are {', '.join(SYSTEMS)}")
    for signal in SYSTEMS[system]:
        if signal.exists_in(game):
            yield signal.name, signal_range(signal, game)


def _known_partner(
    game: Game, me: int, seats: tuple[int, ...], held: NDArray[np.bool_], partners: Ints
) -> Odds:
    """The odds when the partner holds one of some hands: the sum of what each brings."""
    all_hands = hands(game)
    ways = int(choose(game.deck.copies - all_hands.counts[me], all_hands.counts[held]).sum())
    total = ways * deals(game.deck.size - 2 * CARDS, game.side_size)
    totals = (total,) * len(seats)
    return Odds(game, all_hands.texts[me], None, seats, totals, partners[held].sum(axis=0))


def _numbers(answer: Odds) -> Floats:
    """`win` and `net`, shape (seats × phases, 2)."""
    return np.array([[row["win"], row["net"]] for row in answer.rows()])
