"""Five cards dealt and one thrown: players who all know what to throw, and my ways tried.

All ways to throw one of my cards meet the same deals of the others, who each throw as
their policy says; so the differences between the ways are known better than the ways.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from musodds.compiled import kernel
from musodds.simulation.kernels.dealing import draw_four, draw_one, draws_of_four
from musodds.simulation.kernels.encaje_games import read_lane, with_rank
from musodds.simulation.kernels.intrinsics import lanes_max
from musodds.simulation.kernels.rng import accepted, seed_block

U64 = np.uint64
_0, _4, _5 = U64(0), U64(4), U64(5)

GRANDE, CHICA, PARES, JUEGO, PUNTO = range(5)


class ThrowTrial(NamedTuple):
    """What the kernel that tries throws reads.

    Attributes
    ----------
    seat : int
        Mine, from 0.
    mine : ndarray of uint64, shape (ways,)
        The lanes of the hand that each way leaves.
    kept : ndarray of uint16, shape (seats, sums)
    levels : ndarray of uint64, shape (classes,)
    values : ndarray of int64, shape (2, levels)
        Stones of pares, and of juego or punto, by level.
    punto : int
        The highest level of punto: above it is juego.
    """

    seat: int
    mine: NDArray[np.uint64]
    kept: NDArray[np.uint16]
    levels: NDArray[np.uint64]
    values: NDArray[np.int64]
    punto: int


@kernel
def try_throws(state, deck, stream, deals, trial, nets, sums, products, wins):  # type: ignore[no-untyped-def]
    """Try every way to throw on the same deals.

    Parameters
    ----------
    state : ndarray of uint64, shape (4,)
        Scratch.
    deck : ndarray of uint64, shape (cards,)
        My five cards, then the rest. Shuffled.
    stream : tuple of uint64
        Seed and block.
    deals : int
    trial : ThrowTrial
    nets : ndarray of int64, shape (ways,)
        Scratch.
    sums : ndarray of int64, shape (ways,)
        Of the net stones, times the number of other players. Added to, as are the next.
    products : ndarray of int64, shape (ways, ways)
        Of those of two ways.
    wins : ndarray of int64, shape (ways, phases)
        Deals in which mine is the best hand.
    """
    seed_block(state, stream[0], stream[1])
    players = len(trial.kept)
    for _ in range(deals):
        pos, others = _5, _0
        for place in range(players):
            if place == trial.seat:
                continue
            n = U64(deck.size) - pos
            bits = accepted(state, draws_of_four(n) * (n - _4))
            c0, c1, c2, c3, bits = draw_four(deck, bits, pos)
            c4, bits = draw_one(deck, bits, pos + _4)
            held = trial.kept[place, c0 + c1 + c2 + c3 + c4]
            others = lanes_max(others, with_rank(trial.levels[held], place, players))
            pos += _5
        for way in range(len(nets)):
            nets[way] = 0
            best = lanes_max(others, with_rank(trial.mine[way], trial.seat, players))
            for lane in range(4):
                place, level = read_lane(best, lane, players)
                value = 1 if lane < 2 else trial.values[lane - 2, level]
                phase = PUNTO if lane == JUEGO and level <= trial.punto else lane
                if place != trial.seat:
                    nets[way] -= value
                elif value > 0:
                    nets[way] += value * (players - 1)
                    wins[way, phase] += 1
            sums[way] += nets[way]
            for other in range(way + 1):
                products[way, other] += nets[way] * nets[other]
