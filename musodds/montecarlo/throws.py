"""Five cards dealt and one thrown: players who all know what to throw, and my ways tried.

All ways to throw one of my cards meet the same deals of the others, who each throw as
their policy says; so the differences between the ways are known better than the ways.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from musodds.compiled import kernel
from musodds.exact.draws.throw_policy import throw_policy
from musodds.montecarlo._intrinsics import lanes_max
from musodds.montecarlo.dealing import draw_four, draw_one, draws_of_four
from musodds.montecarlo.encaje_games import read_lane, with_rank
from musodds.montecarlo.packing import additive_codes
from musodds.montecarlo.rng import accepted, seed_block
from musodds.rules.game import PHASES, Game
from musodds.rules.hands import hands

U64 = np.uint64
_0, _4, _5 = U64(0), U64(4), U64(5)

GRANDE, CHICA, PARES, JUEGO, PUNTO = range(len(PHASES))


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


class Trial(NamedTuple):
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
    trial : Trial
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
