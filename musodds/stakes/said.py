"""What was said in a deal, as it is written: the phase, the offer, earlier phases."""

from __future__ import annotations

from collections.abc import Iterable

from musodds.errors import InputError
from musodds.playing.actions import LEAST_BET, MOST_BET, ORDAGO, ORDAGO_WORDS
from musodds.rules.game import PHASES
from musodds.rules.numerals import numeral
from musodds.rules.showdown import PASSED, REFUSED, SEEN, Ending
from musodds.stakes.situation import THEM, US

_BY_NAME = {"us": US, "them": THEM}
_PASSED_WORDS = ("paso", "0")


def read_phase(text: str) -> str:
    name = text.strip().lower()
    if name not in PHASES:
        raise InputError(f"no phase {text!r}: phases are {', '.join(PHASES)}")
    return name


def read_offer(on_table: int, offer: int | str | None) -> int | str | None:
    if on_table < 0 or on_table == 1 or on_table > MOST_BET:
        raise InputError(
            f"{on_table} on the table: a bet is {LEAST_BET} to {MOST_BET}, 0 if there is none"
        )
    if offer is None:
        if on_table:
            raise InputError(
                f"{on_table} on the table and no offer: say what the rivals add to it, a number "
                "or ordago"
            )
        return None
    word = str(offer).strip().lower()
    if word in ORDAGO_WORDS:
        return ORDAGO
    if not _is_bet(word):
        raise InputError(
            f"offer {str(offer)!r}: a number of stones, {LEAST_BET} to {MOST_BET}, or ordago"
        )
    return int(word)


def _is_bet(word: str) -> bool:
    """Whether it is a number of stones that can be bet."""
    return LEAST_BET <= (numeral(word) or 0) <= MOST_BET


def read_agreed(text: str | Iterable[str], phase: str = "") -> dict[str, Ending]:
    """Read how earlier phases ended.

    Parameters
    ----------
    text : str or sequence of str
        ``grande:5``: a bet of 5 in all was seen; ``pares:us``, ``pares:them``: the other
        side folded, which has been scored; ``chica:paso`` says nothing. Several are
        separated by commas.
    phase : str, optional
        The phase that is being bet on: all others must be earlier.

    Raises
    ------
    InputError
        If it cannot be read, or a phase is not earlier or given twice.

    Examples
    --------
    >>> read_agreed("grande:5, chica:them", "pares")["chica"].side
    1
    """
    parts = text.split(",") if isinstance(text, str) else [p for t in text for p in t.split(",")]
    found: dict[str, Ending] = {}
    for part in filter(None, map(str.strip, parts)):
        name, colon, value = (piece.strip().lower() for piece in part.partition(":"))
        if name not in PHASES or not colon:
            raise InputError(
                f"agreed {part!r}: write a phase and its stones, such as grande:5, or who took "
                "it when the other side folded, such as chica:us"
            )
        if phase and (name == "punto" or PHASES.index(name) >= PHASES.index(phase)):
            raise InputError(f"agreed {part!r}: {name} does not come before {phase}")
        if phase == "punto" and name == "juego":
            raise InputError(f"agreed {part!r}: where punto is played nobody has juego")
        if name in found:
            raise InputError(f"agreed {part!r}: {name} is given twice")
        if value in _BY_NAME:
            found[name] = Ending(name, REFUSED, 0, _BY_NAME[value])
        elif _is_bet(value):
            found[name] = Ending(name, SEEN, int(value))
        elif value not in _PASSED_WORDS:
            raise InputError(
                f"agreed {part!r}: {value or 'nothing'!r} is not stones ({LEAST_BET} to "
                f"{MOST_BET}), us, them or paso"
            )
    return {name: ending for name, ending in found.items() if ending.how != PASSED}
