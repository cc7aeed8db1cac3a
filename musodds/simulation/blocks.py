"""A run as blocks of deals: what a block needs to be played anywhere, and playing it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.simulation.histograms import Layout
from musodds.simulation.kernels.dealing import Desk
from musodds.simulation.kernels.layout import Moves, Tables
from musodds.simulation.kernels.tally import play_block, play_known_block
from musodds.simulation.known_deals import Known
from musodds.simulation.packing import pack_game, pack_policy, pack_throws
from musodds.simulation.policies import Policy

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
        Of the histograms, see :class:`musodds.simulation.histograms.Layout`. Where deals have
        weights these are sums of weights, and as many follow of their squares.
    known : Known or None
        What the hands as dealt are drawn from, instead of ``start`` and ``fixed``.
        Of the histograms, see :class:`musodds.simulation.histograms.Layout`.
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
    known: Known | None = None
    kept: NDArray[np.uint16] | None = None

    @property
    def weighted(self) -> bool:
        """Whether deals have weights."""
        return self.known is not None and self.known.weighted

    def zeros(self) -> NDArray[Any]:
        """Sums of no deals, float64 where deals have weights and int64 elsewhere."""
        return np.zeros(self.size, dtype=np.float64 if self.weighted else np.int64)

    @property
    def size(self) -> int:
        """Length of a block's vector of sums."""
        return sum(int(np.prod(shape)) for shape in self.shapes)


def make_job(
    game: Game,
    policy: Policy,
    rounds: int,
    seed: int,
    fixed: tuple[int, int] | None = None,
    known: Known | None = None,
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
    known : Known, optional
        What the hands are drawn from; a fixed one is among them.
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
    shapes = tuple(Layout(game, rounds).shapes.values())
    return Job(
        stream=STREAM,
        seed=seed,
        start=start,
        fixed=fixed,
        seats=game.seats,
        sides=game.sides,
        tables=tables,
        moves=pack_policy(policy, tables.codes),
        shapes=shapes * 2 if known is not None and known.weighted else shapes,
        known=known,
        kept=kept,
    )


def play_blocks(job: Job, first: int, deals: int) -> NDArray[Any]:
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
    ndarray, shape (blocks, job.size)
        The sums of each block, see :meth:`Job.zeros`.

    Raises
    ------
    RuntimeError
        If the job was made by a musodds whose streams are others.
    """
    if job.stream != STREAM:
        raise RuntimeError(f"made for streams of kind {job.stream}, this musodds has {STREAM}")
    sums = np.tile(job.zeros(), (max(1, -(-deals // BLOCK)), 1))
    desk = Desk(
        state=np.zeros(4, dtype=np.uint64),
        deck=job.start.copy(),
        hand=np.zeros(job.seats, dtype=np.uint64),
        bits=np.zeros(3, dtype=np.uint64),
        out=np.zeros(len(job.tables.codes), dtype=np.int64),
    )
    for i, row in enumerate(sums):
        stream = (np.uint64(job.seed), np.uint64(first + i))
        played = min(BLOCK, deals - i * BLOCK)
        named = () if len(job.tables.namings) else None
        before = () if job.tables.visto or len(job.tables.shown) else None
        seats, sides = tuple(range(job.seats)), tuple(range(job.sides))
        rest = (seats, sides, job.moves, job.tables, named, before)
        histograms = tuple(split(row, job.shapes))
        kinds = len(histograms) // 2 if job.weighted else len(histograms)
        if job.known is None:
            play_block(desk, stream, played, job.start, job.fixed, *rest, histograms, job.kept)
        else:
            # A block that is cut short is the first deals of the whole one.
            dealt, weights = job.known.draw(job.seed, first + i, BLOCK if deals else 0)
            play_known_block(
                desk,
                stream,
                dealt[:played],
                weights[:played] if job.weighted else None,
                job.known.dead_counts,
                *rest,
                histograms[:kinds],
                histograms[-kinds:],
            )
    return sums


def split(sums: NDArray[Any], shapes: tuple[tuple[int, ...], ...]) -> list[NDArray[Any]]:
    """The histograms of a vector of sums, without copying."""
    sizes = [int(np.prod(shape)) for shape in shapes]
    parts = np.split(sums, np.cumsum(sizes)[:-1])
    return [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)]
