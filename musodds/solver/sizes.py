"""The bets and raises on offer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from musodds.errors import InputError
from musodds.playing.actions import ENVIDO, ORDAGO, ORDAGO_WORDS, Action

LEAST, MOST = 2, 99
MOST_SIZES, MOST_RERAISES = 8, 8
_NONE = ("none", "")

Offer = str | Iterable[int | str]
"""Sizes, in text such as ``2,5,ordago`` or one by one."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """What may be said in a phase.

    Parameters
    ----------
    bets : tuple of int
        Stones of a first bet.
    raises : tuple of int
        Stones that a raise adds.
    ordago, over : bool
        Whether an órdago may be said as first bet, and over a bet or raise.
    reraises : int
        How many raises may follow the first one; an órdago is not counted.
    """

    bets: tuple[int, ...] = ()
    raises: tuple[int, ...] = ()
    ordago: bool = False
    over: bool = False
    reraises: int = 0

    def actions(self, word: str) -> list[Action]:
        """Every bet on offer, or every raise."""
        sizes, ordago = (self.bets, self.ordago) if word == ENVIDO else (self.raises, self.over)
        return [*(Action(word, size) for size in sizes), *([Action(ORDAGO)] if ordago else [])]

    @property
    def bets_text(self) -> str:
        return _text(self.bets, self.ordago)

    @property
    def raises_text(self) -> str:
        return _text(self.raises, self.over)

    @property
    def told(self) -> dict[str, str]:
        """The options of the command that say it, by name."""
        return {
            "bets": f"--bets {self.bets_text}",
            "raises": f"--raises {self.raises_text}",
            "reraises": f"--reraises {self.reraises}",
        }

    @property
    def text(self) -> str:
        return f"{self.bets_text}; raises {self.raises_text}"


def _text(sizes: tuple[int, ...], ordago: bool) -> str:
    return ",".join([*map(str, sizes), *(["ordago"] if ordago else [])]) or "none"


def read_sizes(bets: Offer, raises: Offer, reraises: int = 1) -> Sizes:
    """Read sizes such as ``2,5,ordago``.

    Raises
    ------
    InputError
        If one of them cannot be bet.

    Examples
    --------
    >>> read_sizes("2,5,ordago", "ordago")
    Sizes(bets=(2, 5), raises=(), ordago=True, over=True, reraises=1)
    """
    if not 0 <= reraises <= MOST_RERAISES:
        raise InputError(f"reraises {reraises}: a number from 0 to {MOST_RERAISES}")
    first, ordago = _read("bets", bets)
    more, over = _read("raises", raises)
    return Sizes(first, more, ordago, over, reraises)


def _read(name: str, given: Offer) -> tuple[tuple[int, ...], bool]:
    words = given.split(",") if isinstance(given, str) else list(map(str, given))
    sizes: set[int] = set()
    ordago = False
    for word in (text.strip().lower() for text in words):
        if word in ORDAGO_WORDS:
            ordago = True
        elif word.isdecimal() and len(word) <= 3 and LEAST <= int(word) <= MOST:
            sizes.add(int(word))
        elif word not in _NONE:
            raise InputError(
                f"{name} {word!r}: numbers of stones from {LEAST} to {MOST} and ordago, "
                "separated by commas, or none"
            )
    if len(sizes) > MOST_SIZES:
        raise InputError(f"{name}: {len(sizes)} sizes; at most {MOST_SIZES}")
    return tuple(sorted(sizes)), ordago
