"""Errors a caller can act on: one sentence that says what is wrong and what is valid."""

from __future__ import annotations


class InputError(ValueError):
    """Something given by the user cannot be used; the message says what would be."""


class CardError(InputError):
    """A card, or a set of cards, that the deck does not hold."""


class GameError(InputError):
    """A game, a seat or an option that does not exist."""


class RangeError(InputError):
    """A range (a set of hands in text) that cannot be read; the message says where."""


class KnowledgeError(InputError):
    """What is said to be known contradicts itself, the hand or the deck."""
