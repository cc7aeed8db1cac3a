"""A run as blocks of deals: what a block needs to be played anywhere, and playing it."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from musodds.games import Game
from musodds.hands import CARDS, hands
from musodds.montecarlo.dealing import Desk
from musodds.montecarlo.packing import Moves, Tables, pack_game, pack_policy
from musodds.montecarlo.tally import Layout, play_block
from musodds.montecarlo.throws import pack_throws
from musodds.policies import Policy

BLOCK = 1 << 16
"""Deals in a block. The last block of a run may be cut short: its first deals."""

STREAM = 1
"""Number of the way deals follow from a seed: changed whenever the digits change."""


class Job(NamedTuple):
    """All that a block depends on but its number, as plain arrays that can be sent.

    Attributes
    ----------
    stream : int
        STREAM of whoever made the job.
    seed : int
    start : ndarray of uint64, shape (cards,)
    fixed : tuple of int or None
        The seat (from 0) whose hand is given, and that hand's class.
    seats, sides : int
    tables : Tables
    moves : Moves
    shapes : tuple of tuple of int
        Of the histograms, see :class:`musodds.montecarlo.tally.Layout`.
    kept : ndarray of uint16, shape (seats, sums), or None
        Where five cards are dealt, what each seat keeps.
    """

    stream: int
    seed: int
    start: NDArray[np.uint64]
    fixed: tuple[int, int] | None
    seats: int
    sides: int
    tables: Tables
    moves: Moves
    shapes: tuple[tuple[int, ...], ...]
    kept: NDArray[np.uint16] | None = None

    @property
    def size(self) -> int:
        """Length of a block's vector of sums."""
        return sum(int(np.prod(shape)) for shape in self.shapes)


def make_job(
    game: Game, policy: Policy, rounds: int, seed: int, fixed: tuple[int, int] | None = None
) -> Job:
    """The job of a simulation.

    Parameters
    ----------
    game : Game
    policy : Policy
    rounds : int
        The most rounds of mus.
    seed : int
    fixed : tuple of int, optional
        A seat (from 0) and the class of the hand that it is always dealt.
    """
    tables = pack_game(replace(game, cards_dealt=CARDS))
    start, kept = tables.deck, None
    if game.cards_dealt > CARDS:
        throws = pack_throws(game)
        start, kept = throws.deck, throws.kept
    if fixed is not None:
        mine = hands(game).counts[fixed[1]]
        rest = np.repeat(tables.codes, tables.copies - mine)
        start = np.concatenate([np.repeat(tables.codes, mine), rest])
        assert len(start) == game.deck.size
        assert mine.sum() == CARDS
    return Job(
        stream=STREAM,
        seed=seed,
        start=start,
        fixed=fixed,
        seats=game.seats,
        sides=game.sides,
        tables=tables,
        moves=pack_policy(policy, tables.codes),
        shapes=tuple(Layout(game, rounds).shapes.values()),
        kept=kept,
    )


def play_blocks(job: Job, first: int, deals: int) -> NDArray[np.int64]:
    """Play consecutive blocks.

    Parameters
    ----------
    job : Job
    first : int
        Number of the first block.
    deals : int
        All blocks are full but perhaps the last.

    Returns
    -------
    ndarray of int64, shape (blocks, job.size)
        The sums of each block.

    Raises
    ------
    RuntimeError
        If the job was made by a musodds whose streams are others.
    """
    if job.stream != STREAM:
        raise RuntimeError(f"made for streams of kind {job.stream}, this musodds has {STREAM}")
    sums = np.zeros((max(1, -(-deals // BLOCK)), job.size), dtype=np.int64)
    desk = Desk(
        state=np.zeros(4, dtype=np.uint64),
        deck=job.start.copy(),
        hand=np.zeros(job.seats, dtype=np.uint64),
        bits=np.zeros(3, dtype=np.uint64),
        out=np.zeros(len(job.tables.codes), dtype=np.int64),
    )
    for i, row in enumerate(sums):
        play_block(
            desk,
            (np.uint64(job.seed), np.uint64(first + i)),
            min(BLOCK, deals - i * BLOCK),
            job.start,
            job.fixed,
            tuple(range(job.seats)),
            tuple(range(job.sides)),
            job.moves,
            job.tables,
            tuple(split(row, job.shapes)),
            job.kept,
        )
    return sums


def split(sums: NDArray[np.int64], shapes: tuple[tuple[int, ...], ...]) -> list[NDArray[np.int64]]:
    """The histograms of a vector of sums, without copying."""
    sizes = [int(np.prod(shape)) for shape in shapes]
    parts = np.split(sums, np.cumsum(sizes)[:-1])
    return [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)]
