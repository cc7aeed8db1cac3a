"""What the kernels read: a game and a policy packed into flat arrays of integers."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from musodds.errors import GameError
from musodds.exact.draws.throw_policy import throw_policy
from musodds.exact.kernels.code_words import words
from musodds.rules.cards import CARDS
from musodds.rules.game import PHASES, Game
from musodds.rules.hands import STONES, Hands, hands, lane_levels
from musodds.rules.shown import shown_hands
from musodds.simulation.kernels.layout import (
    CUT,
    LANE_BITS,
    MOVE_BITS,
    SEAT_BITS,
    STONE_BITS,
    Moves,
    Tables,
)
from musodds.simulation.policies import Policy


def stones_by_level(game: Game) -> NDArray[np.int64]:
    """Stones of pares, and of juego or punto, by level as the kernels know it.

    Returns
    -------
    ndarray of int64, shape (2, levels)
    """
    all_hands = hands(game)
    level, stones = all_hands.level, all_hands.stones
    pares, last = lane_levels(level)[2:]
    values = np.zeros((2, int(max(pares.max(), last.max())) + 1), dtype=np.int64)
    values[0, pares] = stones["pares"]
    values[1, last] = np.where(level["juego"] > 0, stones["juego"], 1)
    return values


class PackedThrows(NamedTuple):
    """What every seat throws of five cards, as the kernels read it.

    Attributes
    ----------
    policy : str
        The name of :class:`musodds.exact.draws.throw_policy.ThrowPolicy`.
    codes : ndarray of uint64, shape (kinds,)
        One for each kind, such that any five cards have a sum of their own.
    deck : ndarray of uint64, shape (cards,)
        The codes of all cards.
    kept : ndarray of uint16, shape (seats, sums)
        The class of the hand that a seat keeps, by the sum of the five codes.
    """

    policy: str
    codes: NDArray[np.uint64]
    deck: NDArray[np.uint64]
    kept: NDArray[np.uint16]


@lru_cache(maxsize=16)
def pack_throws(game: Game) -> PackedThrows:
    """Pack what the players of a game throw (kept after the first call)."""
    policy = throw_policy(game)
    codes = additive_codes(game.deck.copies, game.cards_dealt)
    class_of = {cards: i for i, cards in enumerate(hands(game).cards)}
    sums = codes[policy.cards].sum(axis=1)
    kept = np.zeros((game.seats, int(sums.max()) + 1), dtype=np.uint16)
    for seat, thrown in enumerate(policy.throw):
        for five, kind, total in zip(policy.cards.tolist(), thrown.tolist(), sums, strict=True):
            five.remove(kind)
            kept[seat, total] = class_of[tuple(five)]
    short = codes.astype(np.uint64)
    return PackedThrows(policy.name, short, np.repeat(short, game.deck.copies), kept)


@lru_cache(maxsize=32)
def pack_game(game: Game) -> Tables:
    """The tables of a game (kept after the first call).

    Raises
    ------
    GameError
        If the kernels cannot play it: another deal than four cards to 2 to 6 players,
        a deck that four more cards for one player would exhaust.
    """
    if game.cards_dealt != CARDS or not 2 <= game.seats <= 6 or game.seats % game.side_size:
        raise GameError(
            f"{game.name} cannot be simulated: only games of four cards each for 2 to 6 players can"
        )
    if game.deck.size < CARDS * (game.seats + 1):
        raise GameError(
            f"{game.name} cannot be simulated: {game.seats} players need at least "
            f"{CARDS * (game.seats + 1)} cards, the deck has {game.deck.size}"
        )
    table = hands(game)
    codes = additive_codes(game.deck.copies)
    sums = table.counts @ codes
    class_of = np.zeros(int(sums.max()) + 1, dtype=np.uint16)
    class_of[sums] = np.arange(len(table))
    lanes, own_stones = shown_levels(table)
    if max(int(lane.max()) for lane in lanes) >> (LANE_BITS - 1 - SEAT_BITS):
        raise GameError(f"{game.name} cannot be simulated: too many different hands")
    stones = own_stones[0] | own_stones[1] << STONE_BITS
    namings, number = _namings(table)
    return Tables(
        deck=np.repeat(codes, game.deck.copies).astype(np.uint64),
        codes=codes.astype(np.uint64),
        copies=game.deck.copies,
        class_of=class_of,
        counts=table.counts,
        levels=words(lanes << SEAT_BITS),
        reversed=words((_reversed(lanes, table) if game.sides > 2 else lanes[:, :0]) << SEAT_BITS),
        stones=stones.astype(np.uint64),
        namings=namings,
        number=number,
        shown=_shown(table),
        visto=game.visto,
    )


def _reversed(lanes: NDArray[np.int64], table: Hands) -> NDArray[np.int64]:
    """See :class:`Tables`."""
    punto = table.named.top_level["punto"]
    found = np.where(lanes > 0, lanes.max(axis=1, keepdims=True) + 1 - lanes, 0)
    # Of the last lane each half is turned round by itself.
    last = lanes[3]
    found[3] = np.where(last > punto, last.max() + punto + 1 - last, punto + 1 - last)
    return found


def _shown(table: Hands) -> NDArray[np.bool_]:
    classes = list(shown_hands(table.game))
    shown = np.zeros(len(table) if classes else 0, dtype=np.bool_)
    shown[classes] = True
    return shown


def shown_levels(table: Hands) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Levels and own stones of all hands that may be shown, see :class:`Tables`.

    Returns
    -------
    lanes : ndarray of int64, shape (4, rows)
        Levels in grande, chica, pares, and juego or else punto.
    stones : ndarray of int64, shape (2, rows)
        Own stones in pares and in juego.
    """
    extra = _only_named(table)

    def shown(name: str, of: str) -> NDArray[np.int64]:
        return np.concatenate((getattr(table, of)[name], getattr(table.named, of)[name][extra]))

    lanes = lane_levels({phase: shown(phase, "level") for phase in PHASES})
    return lanes, np.stack([shown(phase, "stones") for phase in STONES])


def _only_named(table: Hands) -> list[int]:
    """What hands may be named as that nobody can be dealt."""
    dealt = set(table.cards)
    return [i for i, cards in enumerate(table.named.cards) if cards not in dealt]


def named_rows(table: Hands) -> NDArray[np.int64]:
    """What each row of :class:`Tables` is among the hands as named, shape (rows,).

    A class with jokers is no such hand, and -1: it is named before it is compared.
    """
    index = {cards: i for i, cards in enumerate(table.named.cards)}
    return np.array([index.get(cards, -1) for cards in table.cards] + _only_named(table))


def _namings(table: Hands) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """The namings of the classes with jokers, and how many there are."""
    if not table.has_jokers:
        return np.zeros((0, 1), dtype=np.uint16), np.zeros(0, dtype=np.int64)
    rows = {cards: i for i, cards in enumerate(table.cards)}
    for i, named in enumerate(_only_named(table)):
        rows[table.named.cards[named]] = len(table) + i
    options = [
        [rows[table.named.cards[named]] for named in table.namings(index)]
        for index in range(len(table))
    ]
    number = np.array([len(some) for some in options])
    jokers = int((number > 1).sum())
    assert (number[:jokers] > 1).all(), "jokers are the first kind of the deck"
    filled = [some + some[-1:] * (number.max() - len(some)) for some in options[:jokers]]
    return np.array(filled, dtype=np.uint16), number[:jokers]


def pack_policy(policy: Policy, codes: NDArray[np.uint64]) -> Moves:
    """The moves of a policy, with the codes of its game's kinds."""
    kept = policy.keep.astype(np.int64)
    moves = (kept @ codes.astype(np.int64)) << MOVE_BITS
    moves |= CARDS - kept.sum(axis=2)
    moves |= np.where(policy.cut, CUT, 0)
    return Moves(moves.astype(np.uint64), policy.keep)


def additive_codes(copies: NDArray[np.int64], cards: int = CARDS) -> NDArray[np.int64]:
    """One code per kind such that any so many cards have a sum of their own, shape (kinds,).

    Greedily: the next kind gets the smallest code that keeps all sums apart. The
    highest sum is 3,424 with eight kinds, so the table of classes stays in the
    first-level cache.

    Examples
    --------
    >>> additive_codes(np.array([8, 4, 4, 4, 4, 4, 4, 8])).tolist()
    [0, 1, 5, 21, 55, 153, 368, 856]
    """
    codes = [0]
    for kind in range(1, len(copies)):
        groups = np.array(
            [
                np.bincount(some, minlength=kind + 1)
                for some in combinations_with_replacement(range(kind + 1), cards)
            ]
        )
        groups = groups[(groups <= copies[: kind + 1]).all(axis=1)]
        known, number = groups[:, :kind] @ np.array(codes), groups[:, kind]
        code = codes[-1] + 1
        while len(np.unique(known + number * code)) < len(groups):
            code += 1
        codes.append(code)
    return np.array(codes, dtype=np.int64)
