"""Kernels for whole games of Encaje in which nobody bets.

A deal is an *outcome*: who has the best hand in grande and in chica, who in pares and
what it is worth (0: nobody has pares), who in juego or punto and what that is worth.
Players throw in that order, each no more than there is, until one alone has stones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from musodds.compiled import inlined, kernel
from musodds.simulation.kernels.dealing import draw_four, draw_one, draws_of_four
from musodds.simulation.kernels.intrinsics import lanes_max
from musodds.simulation.kernels.layout import LANE_BITS, SEAT_BITS
from musodds.simulation.kernels.rng import accepted, seed_block

U64 = np.uint64
_0, _4, _5 = U64(0), U64(4), U64(5)
_LANE, _SEAT = U64(LANE_BITS), U64(SEAT_BITS)
_LANES = U64(0x0001_0001_0001_0001)
_IN_LANE, _RANK = U64((1 << LANE_BITS) - 1), U64((1 << SEAT_BITS) - 1)


@inlined
def with_rank(lanes, place, players):  # type: ignore[no-untyped-def]
    """The lanes of a hand held in a place (from 0, mano): of equals the first is higher."""
    return lanes + _LANES * U64(players - 1 - place)


@inlined
def read_lane(best, lane, players):  # type: ignore[no-untyped-def]
    """The place that has the best hand in a lane, and its level."""
    found = (best >> U64(lane) * _LANE) & _IN_LANE
    return players - 1 - np.int64(found & _RANK), np.int64(found >> _SEAT)


@inlined
def read_outcome(best, players, values, outcome):  # type: ignore[no-untyped-def]
    """Write the outcome of the highest lanes: grande, chica, pares, stones, last, stones."""
    outcome[0, 0], _ = read_lane(best, 0, players)
    outcome[0, 1], _ = read_lane(best, 1, players)
    pares, pares_level = read_lane(best, 2, players)
    outcome[0, 3] = values[0, pares_level]
    outcome[0, 2] = pares if outcome[0, 3] > 0 else 0
    outcome[0, 4], last_level = read_lane(best, 3, players)
    outcome[0, 5] = values[1, last_level]


@kernel
def add_outcomes(lanes, others, weights, players, values, counts, outcome):  # type: ignore[no-untyped-def]
    """Count the outcomes of one hand of mano's against all the others may hold.

    Parameters
    ----------
    lanes : uint64
        The lanes of mano's hand, with its rank.
    others : ndarray of uint64, shape (splits,)
        The highest lanes of the others, with their ranks.
    weights : ndarray of int64, shape (splits,)
    players : int
    values : ndarray of int64, shape (2, levels)
        Stones of pares and of juego or punto, by level.
    counts : ndarray of int64, shape (players, players, players, 4, players, 4)
        Added to.
    outcome : ndarray of int64, shape (1, 6)
        Scratch.
    """
    o = outcome
    for i in range(len(others)):
        read_outcome(lanes_max(lanes, others[i]), players, values, o)
        counts[o[0, 0], o[0, 1], o[0, 2], o[0, 3], o[0, 4], o[0, 5]] += weights[i]


@inlined
def in_order(left, mano, order):  # type: ignore[no-untyped-def]
    """Write the players who have stones into ``order``, from mano on; return how many."""
    players = 0
    for step in range(len(left)):
        player = (mano + step) % len(left)
        if left[player] > 0:
            order[players] = player
            players += 1
    return players


@inlined
def throw(left, player, stones, players):  # type: ignore[no-untyped-def]
    """A player throws, unless one alone has stones; return how many have some."""
    if players > 1 and left[player] > 0:
        left[player] -= min(stones, left[player])
        if left[player] == 0:
            return players - 1
    return players


@inlined
def settle(left, order, players, outcomes, row):  # type: ignore[no-untyped-def]
    """Count a deal's showdown: an outcome is one row of six numbers."""
    players = throw(left, order[outcomes[row, 0]], 1, players)
    players = throw(left, order[outcomes[row, 1]], 1, players)
    players = throw(left, order[outcomes[row, 2]], outcomes[row, 3], players)
    throw(left, order[outcomes[row, 4]], outcomes[row, 5], players)


@inlined
def next_mano(left, mano):  # type: ignore[no-untyped-def]
    """The next player who has stones."""
    for step in range(1, len(left) + 1):
        player = (mano + step) % len(left)
        if left[player] > 0:
            return player
    return mano


@kernel
def solve(outcomes, chances, starts, table, left, order):  # type: ignore[no-untyped-def]
    """The chance of each of three players to lose, from every state.

    A deal takes at least one stone from somebody and gives none, so a state depends on
    earlier ones alone.

    Parameters
    ----------
    outcomes : ndarray of int64, shape (outcomes, 6)
        Of deals to two players, then of deals to three.
    chances : ndarray of float64, shape (outcomes,)
    starts : ndarray of int64, shape (3,)
        Where those of two, of three players begin, and the end.
    table : ndarray of float64, shape (most + 1, most + 1, most + 1, 3, 3)
        By stones of each, mano, player. Filled.
    left, order : ndarray of int64, shape (3,)
        Scratch.
    """
    for a in range(table.shape[0]):
        for b in range(table.shape[1]):
            for c in range(table.shape[2]):
                for mano in range(3):
                    left[0], left[1], left[2] = a, b, c
                    if left[mano] == 0:
                        continue
                    players = in_order(left, mano, order)
                    if players == 1:
                        table[a, b, c, mano, mano] = 1.0
                        continue
                    for row in range(starts[players - 2], starts[players - 1]):
                        left[0], left[1], left[2] = a, b, c
                        settle(left, order, players, outcomes, row)
                        x, y, z, after = left[0], left[1], left[2], next_mano(left, mano)
                        for i in range(3):
                            table[a, b, c, mano, i] += chances[row] * table[x, y, z, after, i]


@inlined
def deal_best(table, players, rules):  # type: ignore[no-untyped-def]
    """Deal cards to each player; the highest lanes of the hands that they keep."""
    deck, kept, cards = table.deck, rules.kept, rules.cards
    pos, best = _0, _0
    for place in range(players):
        n = U64(deck.size) - pos
        product = draws_of_four(n)
        if cards == _5:
            product *= n - _4
        c0, c1, c2, c3, bits = draw_four(deck, accepted(table.state, product), pos)
        code = c0 + c1 + c2 + c3
        if cards == _5:
            c4, _ = draw_one(deck, bits, pos + _4)
            code += c4
        pos += cards
        held = kept[min(players, kept.shape[0]) - 1, min(place, kept.shape[1] - 1), code]
        best = lanes_max(best, with_rank(rules.levels[held], place, players))
    return best


class Table(NamedTuple):
    """What the kernel that plays games writes to.

    Attributes
    ----------
    state : ndarray of uint64, shape (4,)
        The random stream.
    deck : ndarray of uint64, shape (cards,)
    left, order, alive : ndarray of int64, shape (players,)
        Stones, the players who have some from mano on, and the same in the order of the
        players.
    outcome : ndarray of int64, shape (1, 6)
    """

    state: NDArray[np.uint64]
    deck: NDArray[np.uint64]
    left: NDArray[np.int64]
    order: NDArray[np.int64]
    alive: NDArray[np.int64]
    outcome: NDArray[np.int64]


class Rules(NamedTuple):
    """What the kernel that plays games reads.

    Attributes
    ----------
    cards : uint64
        Dealt to each player, 4 or 5.
    kept : ndarray of uint16, shape (players or 1, players or 1, sums)
        The class that a player keeps of the cards dealt, by the number of players (from
        1), the place (from mano, 0) and the sum of the cards' codes.
    levels : ndarray of uint64, shape (classes,)
    values : ndarray of int64, shape (2, levels)
    endings : ndarray of float64
        The table of :func:`solve`; empty if it is not to be used.
    """

    cards: np.uint64
    kept: NDArray[np.uint16]
    levels: NDArray[np.uint64]
    values: NDArray[np.int64]
    endings: NDArray[np.float64]


@inlined
def add_ending(table, endings, speaks, sums, squares):  # type: ignore[no-untyped-def]
    """Add the exact chances of a state of two or three players, if they are known."""
    left, alive = table.left, table.alive
    players, at, most = 0, 0, 0
    alive[2] = -1
    for player in range(len(left)):
        if left[player] > 0:
            if player == speaks:
                at = players
            alive[players] = player
            most = max(most, left[player])
            players += 1
    known = most < endings.shape[0]
    if known:
        a, b = left[alive[0]], left[alive[1]]
        c = left[alive[2]] if players == 3 else 0
        for i in range(players):
            chance = endings[a, b, c, at, i]
            sums[alive[i]] += chance
            squares[alive[i]] += chance * chance
    return known


@kernel
def play_games(table, stream, games, stones, mano, rules, sums, squares):  # type: ignore[no-untyped-def]
    """Play games to the end, or to a state of two or three players that is known.

    Parameters
    ----------
    table : Table
    stream : tuple of uint64
        Seed and block.
    games : int
    stones : ndarray of int64, shape (players,)
    mano : int
        Who is mano first (from 0).
    rules : Rules
    sums, squares : ndarray of float64, shape (players,)
        Of each player's chance to lose, over the games. Added to.
    """
    seed_block(table.state, stream[0], stream[1])
    left, order = table.left, table.order
    for _ in range(games):
        for i in range(len(stones)):
            left[i] = stones[i]
        speaks = mano
        players = in_order(left, speaks, order)
        known = False
        while players > 1:
            if players <= 3 and rules.endings.size > 0:
                known = add_ending(table, rules.endings, speaks, sums, squares)
                if known:
                    break
            best = deal_best(table, players, rules)
            read_outcome(best, players, rules.values, table.outcome)
            settle(left, order, players, table.outcome, 0)
            speaks = next_mano(left, speaks)
            players = in_order(left, speaks, order)
        if not known:
            sums[order[0]] += 1.0
            squares[order[0]] += 1.0
