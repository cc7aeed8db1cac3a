"""Hands that a record leaves open: some cards that go with what was declared and said.

Nothing but whether a hand has pares and juego decides who may speak, so a hand with each of
the four answers is tried until the deal can be replayed. What the deal comes to is then not
known, nor is anything that depends on the open cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import numpy as np

from musodds.arrays import Ints
from musodds.errors import InputError
from musodds.rules.game import Game
from musodds.rules.hands import hands

OPEN = "?"
_DECLARED = ("pares", "juego")

Held = str | None


def open_seats(given: Sequence[Held]) -> tuple[int, ...]:
    """The seats whose cards are not written down.

    Examples
    --------
    >>> open_seats(["RR7A", "?", "RR??", "CC44"])
    (2, 3)
    """
    return tuple(seat for seat, text in enumerate(given, start=1) if text and OPEN in text)


def filled(game: Game, given: Sequence[Held], drawn: Sequence[int] = ()) -> Iterator[list[Held]]:
    """The hands with the open ones filled, for every way to have pares and juego or not.

    ``drawn`` are cards that others draw, so that they cannot be in an open hand.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> len(list(filled(get_game("mus2p"), ["RR7A", "?"])))
    4
    """
    seats = open_seats(given)
    known = hands(game)
    left = game.deck.copies.copy()
    for seat, text in enumerate(given, start=1):
        if text is not None and seat not in seats:
            left -= known.counts[known.index(text, f"hand of seat {seat}")]
    left -= np.bincount(np.array(drawn, dtype=np.int64), minlength=len(left))
    if left.min(initial=0) < 0:
        raise InputError("the hands together hold more of a card than the deck")
    for answers in product(product((False, True), repeat=2), repeat=len(seats)):
        found = _fill(game, left, dict(zip(seats, answers, strict=True)))
        if found is not None:
            yield [found.get(seat, text) for seat, text in enumerate(given, start=1)]


def _fill(game: Game, left: Ints, wanted: Mapping[int, tuple[bool, ...]]) -> dict[int, str] | None:
    known = hands(game)
    rest, found = left.copy(), {}
    for seat, answers in wanted.items():
        fits = (known.counts <= rest).all(axis=1)
        for phase, has in zip(_DECLARED, answers, strict=True):
            fits &= (known.level[phase] > 0) == has
        places = np.flatnonzero(fits)
        if not len(places):
            return None
        place = int(places[len(places) // 2])
        rest -= known.counts[place]
        found[seat] = known.texts[place]
    return found
