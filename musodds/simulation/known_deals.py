"""The hands as dealt, given what is known, for simulations that go on with mus.

What is known speaks of the hands *as dealt*: the players signal before anybody draws.
Declarations come after the last discard, so they are refused where there may be one.
Dead cards were thrown in earlier rounds: nobody holds them, they are not in the stock,
and when the stock runs out they come back with the other discards.

The hands of the seats that are spoken of are drawn by
:mod:`musodds.simulation.conditional_deals`; the kernels deal to the others and play on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from musodds.arrays import Floats, Ints
from musodds.errors import KnowledgeError
from musodds.knowledge.knowledge import Knowledge
from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.rules.shown import unshown
from musodds.simulation.conditional_deals import ConditionalDeals
from musodds.simulation.named_deals import keep_their_word, name_deals
from musodds.values import written


class Known(NamedTuple):
    """What is known, seat by seat, as it is sent to whoever deals.

    Attributes
    ----------
    game : Game
    weights : tuple of (int, bytes)
        Seats and their int64 weights over the hand classes.
    dead : tuple of int
        Kinds of the dead cards.
    answers : tuple of (int, str, bool)
        With jokers, what seats declared to have and not to have as named.
    """

    game: Game
    weights: tuple[tuple[int, bytes], ...]
    dead: tuple[int, ...]
    answers: tuple[tuple[int, str, bool], ...] = ()

    @property
    def dead_counts(self) -> Ints:
        """Dead cards of each kind."""
        return np.bincount(
            np.array(self.dead, dtype=np.int64), minlength=len(self.game.deck.kinds)
        ).astype(np.int64)

    @property
    def digest(self) -> str:
        """SHA-256 of the content."""
        digest = hashlib.sha256(f"{written(self.game)} {self.dead}".encode())
        for seat, held in self.weights:
            digest.update(b"%d" % seat + held)
        if self.answers:
            digest.update(repr(self.answers).encode())
        return digest.hexdigest()

    @property
    def weighted(self) -> bool:
        """Whether the deals have weights that differ."""
        return bool(_deals(self).late or self.answers)

    @property
    def total(self) -> float:
        """The weight of the deals; see :class:`ConditionalDeals`."""
        return _deals(self).total

    def draw(self, seed: int, block: int, n: int) -> tuple[Ints, Floats]:
        """The hands of one block of deals.

        Returns
        -------
        dealt : ndarray of int64, shape (n, seats)
            Hand classes; -1 where a seat may hold anything.
        weights : ndarray of float64, shape (n,)
        """
        rng = np.random.default_rng([seed, block])
        if not self.answers:
            return _deals(self).given(rng, n)
        # What is named depends on all hands: a deal that breaks a word has no weight.
        dealt, weights = _deals(self).whole(rng, n)
        answers: dict[int, dict[str, bool]] = {}
        for seat, phase, answer in self.answers:
            answers.setdefault(seat, {})[phase] = answer
        return dealt, weights * keep_their_word(self.game, name_deals(self.game, dealt), answers)


@lru_cache(maxsize=8)
def _deals(known: Known) -> ConditionalDeals:
    weights = {seat: np.frombuffer(held, dtype=np.int64) for seat, held in known.weights}
    return ConditionalDeals(known.game, weights, known.dead)


def check_undeclared(knowledge: Knowledge) -> None:
    """Refuse declarations where a discard may come after what is known.

    Raises
    ------
    KnowledgeError
        If something was declared.
    """
    if any(piece.declared for piece in knowledge.pieces):
        raise KnowledgeError(
            "pares and juego are declared after the last discard and say nothing of the hands "
            "before it: leave the declarations out (a simulation of no round of mus takes them)"
        )


def known_deals(
    knowledge: Knowledge, hand: int | Sequence[int] | None, seat: int | None, *, mus: bool
) -> Known:
    """Prepare to draw the hands as dealt.

    Parameters
    ----------
    knowledge : Knowledge
    hand : int, sequence of int or None
        The class of the hand that a seat is always dealt, if one is; or the classes of
        those that it may be, each by its ways.
    seat : int or None
        That seat, from which ``partner``, ``next`` … are seen.
    mus : bool
        Whether cards may be thrown before the showdown.

    Raises
    ------
    KnowledgeError
        If there are declarations and a discard after them, something is said of a
        neighbour of no seat, the hand contradicts what is known, or no deal fits it.
    """
    knowledge.check_game()
    if mus:
        check_undeclared(knowledge)
    if seat is None:
        for piece in knowledge.pieces:
            if not isinstance(piece.where, int):
                raise KnowledgeError(
                    f"{piece.label}: whose {piece.where}? give a hand and its seat, or say it "
                    "of a seat (--seat-range 3=31)"
                )
    held = [] if hand is None else [hand] if isinstance(hand, int) else list(hand)
    if seat is not None:
        held = knowledge.possible_hands(held, seat)
    known = _known(knowledge, held, seat)
    if not _possible(known):
        where = "the deck"
        if held:
            where = f"your hand {hands(knowledge.game).texts[held[0]]} in seat {seat}"
        labels = knowledge.conflict(lambda fewer: _possible(_known(fewer, held, seat)))
        named = " and ".join(f"({label})" for label in labels)
        raise KnowledgeError(f"no deal fits all that is known: {where} leaves none for {named}")
    return known


def _known(knowledge: Knowledge, held: list[int], seat: int | None) -> Known:
    # Without a seat everything goes by number, whoever looks.
    weights = dict(knowledge.seat_weights(seat or 1))
    if knowledge.game.exchange:
        # What is known, is known at mus: nobody has shown a hand.
        for s in range(1, knowledge.game.seats + 1):
            weights[s] = unshown(knowledge.game, weights.get(s))
    if held and seat is not None:
        mine = np.zeros(len(hands(knowledge.game)), dtype=np.int64)
        mine[held] = 1
        weights[seat] = mine
    packed = tuple((s, weights[s].astype(np.int64).tobytes()) for s in sorted(weights))
    answers = tuple(
        (s, phase, answer)
        for s, declared in knowledge.answers.items()
        for phase, answer in declared.items()
    )
    return Known(knowledge.game, packed, knowledge.dead, answers)


def _possible(known: Known) -> bool:
    if known.game.deck.size - len(known.dead) < CARDS * known.game.seats:
        return False
    try:
        _deals(known)
    except KnowledgeError:
        return False
    return True
