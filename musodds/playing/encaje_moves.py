"""What a deal of Encaje is made of: a bet, a move of stones, how phases and deals end."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bid:
    """An open bet: who made it, what it is worth, what was on the table before.

    ``inside`` are the seats that have not folded, the bettor among them.
    """

    seat: int
    total: int
    before: int
    inside: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """Stones that a player throws, puts in a pot (both negative) or is given.

    Parameters
    ----------
    phase : str
    seat : int
    stones : int
    why : str
        ``deje``: nobody saw the bet, thrown at once. ``pot``: put in. ``worst``: the
        pot, for the worst hand. ``best``: thrown for the best hand where nobody bet.
        ``pares``, ``juego``: the value of the best hand, thrown.
    """

    phase: str
    seat: int
    stones: int
    why: str


@dataclass(frozen=True, slots=True)
class PhaseEnding:
    """How a phase ended: ``how`` as in :class:`musodds.rules.showdown.Ending`.

    ``seats`` are those whose hands count at the showdown, ``pot`` the stones put in
    and ``stones`` what was agreed.
    """

    phase: str
    how: str
    seats: tuple[int, ...]
    stones: int = 0
    pot: int = 0


@dataclass(frozen=True, slots=True)
class EncajeResult:
    """What a deal of Encaje came to: the stones of each player, the moves, the loser.

    ``loser`` is the player (numbered as in the stones given) who alone has stones, or
    None while the game goes on.
    """

    stones: tuple[int, ...]
    moves: tuple[Move, ...]
    endings: tuple[PhaseEnding, ...]
    loser: int | None
