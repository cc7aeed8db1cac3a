"""Sizes on offer where every player speaks for himself, in text or one by one."""

from __future__ import annotations

from collections.abc import Sequence

from musodds.errors import InputError
from musodds.playing.actions import LEAST_BET, ORDAGO, ORDAGO_WORDS

Size = int | str
"""Stones that are bet or added, or ``órdago``."""

Offer = str | Sequence[Size]
"""Sizes, in text or one by one."""

NOTHING = ("none", "")


def sizes_text(sizes: Sequence[Size]) -> str:
    return ",".join("ordago" if size == ORDAGO else str(size) for size in sizes) or "none"


def read_sizes(sizes: Offer, name: str) -> tuple[Size, ...]:
    """Check bets or raises: whole numbers from 2, or órdago, none of them twice.

    In text they are separated by commas; ``none``: nothing is on offer.

    Raises
    ------
    InputError
        If one is neither, or stands there twice.

    Examples
    --------
    >>> read_sizes((2, "ordago"), "bets")
    (2, 'órdago')
    >>> read_sizes("2,5,ordago", "bets"), read_sizes("none", "raises")
    ((2, 5, 'órdago'), ())
    """
    found: list[Size] = []
    if isinstance(sizes, str):
        sizes = [] if sizes.strip().lower() in NOTHING else sizes.split(",")
    for size in sizes:
        text = str(size).strip().lower()
        if text in ORDAGO_WORDS:
            found.append(ORDAGO)
        elif text.isdecimal() and LEAST_BET <= int(text) <= 1000:
            found.append(int(text))
        else:
            raise InputError(f"{name} {size!r}: stones from {LEAST_BET} to 1000, or órdago")
    if len(set(found)) < len(found):
        raise InputError(f"{name} {', '.join(map(str, found))}: each size once")
    return tuple(found)
