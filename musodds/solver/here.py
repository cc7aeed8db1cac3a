"""Where a player stands in a solved game: what is on offer, and what each word is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from musodds.arrays import Floats
from musodds.playing.actions import NO_QUIERO, PASO, QUIERO, RAISE

LEAST_SHARE = 0.0005
"""Who says a line less often than that is left out of a range in text."""

_DIGITS = 3


class Answers(NamedTuple):
    """How often a bet is folded to, seen and raised."""

    folded: float
    seen: float
    raised: float


@dataclass(frozen=True, eq=False)
class Here:
    """What a hand may say at a point of a solved game.

    Attributes
    ----------
    actions : tuple of str
    frequencies : ndarray of float64, shape (actions,)
        How often the solved strategy says each with this hand.
    worths, errors : ndarray of float64, shape (actions,)
        My side's chance of winning the game after each, the others playing on as solved
        and I as well as can be against that; standard errors, 0 where it is exact.
    answers : tuple of (Answers or None)
        None for what needs no answer.
    ranges : mapping of int to ndarray of float64, shape (classes,)
        By seat, how often each rival says with each hand what was said so far.
    """

    actions: tuple[str, ...]
    frequencies: Floats
    worths: Floats
    errors: Floats
    answers: tuple[Answers | None, ...]
    ranges: Mapping[int, Floats]


def is_bet(action: str) -> bool:
    """Whether something that may be said waits for an answer.

    Examples
    --------
    >>> is_bet("envido 2"), is_bet("paso")
    (True, False)
    """
    return action not in (PASO, QUIERO, NO_QUIERO)


def sizes_in(words: tuple[str, ...]) -> tuple[list[int], list[int], int]:
    """The bets and raises in stones that were said, and how many raises.

    Examples
    --------
    >>> sizes_in(("paso", "envido 5", "reenvido 3", "órdago"))
    ([5], [3], 1)
    """
    bets = [int(word.split()[-1]) for word in words if word.split()[-1].isdecimal()
            and not word.startswith(RAISE)]  # fmt: skip
    raises = [int(word.split()[-1]) for word in words if word.startswith(RAISE)]
    return bets, raises, len(raises)


def range_in_text(weights: Floats, texts: tuple[str, ...]) -> str:
    """Weights of hands in the language of ranges, three digits each.

    Examples
    --------
    >>> import numpy as np
    >>> range_in_text(np.array([1.0, 0.25, 0.0001]), ("RRRR", "RRRA", "RRAA"))
    'RRRR | RRRA@0.25'
    """
    parts = []
    for text, weight in zip(texts, weights, strict=True):
        if weight >= LEAST_SHARE:
            rounded = round(float(weight), _DIGITS)
            parts.append(text if rounded >= 1 else f"{text}@{rounded:g}")
    return " | ".join(parts)
