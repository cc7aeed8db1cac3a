"""Kernels that compare a hand of mine, or every one, with what the others hold."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from musodds.compiled import inlined, kernel

# Not literal numbers: for each of those the compiler would make a function of its own.
_GRANDE, _CHICA, _PARES, _LAST = map(np.int64, range(4))


class Rivalry(NamedTuple):
    """What the others hold, as far as one more hand need know.

    Attributes
    ----------
    grande, chica, pares, last : int
        The lowest level with which my side takes each lane; 0 if it does anyway.
    mates_pares, mates_juego : int
        Stones that my partners add.
    rivals_pares, rivals_juego : int
        Stones that the rivals score if they take it.
    punto : bool
        Whether none of the others has juego.
    """

    grande: int
    chica: int
    pares: int
    last: int
    mates_pares: int
    mates_juego: int
    rivals_pares: int
    rivals_juego: int
    punto: bool


@kernel
def size_up(hand, me, order, side_order, keeps):  # type: ignore[no-untyped-def]
    """The Rivalry that seat ``me`` (from 0) is up against when the others hold ``hand``."""
    grande, _, _, _ = _lane(_GRANDE, hand, me, order, side_order, keeps)
    chica, _, _, _ = _lane(_CHICA, hand, me, order, side_order, keeps)
    pares, mates_pares, rivals_pares, _ = _lane(_PARES, hand, me, order, side_order, keeps)
    last, mates_juego, rivals_juego, best = _lane(_LAST, hand, me, order, side_order, keeps)
    return Rivalry(
        grande, chica, pares, last, mates_pares, mates_juego, rivals_pares, rivals_juego,
        best < keeps.juego,
    )  # fmt: skip


# Not inlined: it would be compiled eight times.
@kernel
def _lane(lane, hand, me, order, side_order, keeps):  # type: ignore[no-untyped-def]
    """Least level of mine, partners' stones, rivals' stones, and the others' best level."""
    sides = len(side_order)
    best, holder = np.int64(-1), 0
    for seat in range(len(order)):
        if seat != me and keeps.lanes[lane, hand[seat]] > best:
            best, holder = np.int64(keeps.lanes[lane, hand[seat]]), seat
    # Level 0 takes no part: if nobody has pares, nobody scores.
    least = max(best if me < holder else best + 1, 1)
    ours = holder % sides == me % sides and best > 0
    mates, rivals = np.int64(0), np.int64(0)
    if lane >= 2:
        for seat in range(len(order)):
            own = keeps.stones[lane - 2, hand[seat]]
            if seat != me and seat % sides == me % sides:
                mates += own
            if seat != me and seat % sides == holder % sides and not ours:
                rivals += own
    return 0 if ours else least, mates, rivals, best


@inlined
def net_of(index, rivalry, lanes, stones, juego, worth):  # type: ignore[no-untyped-def]
    """What the deal is worth en paso if I hold class ``index``; net stones by default."""
    grande = np.int64(lanes[0, index] >= rivalry.grande)
    chica = np.int64(lanes[1, index] >= rivalry.chica)
    pares = -rivalry.rivals_pares
    if lanes[2, index] >= rivalry.pares:
        pares = stones[0, index] + rivalry.mates_pares
    level = lanes[3, index]
    takes = level >= rivalry.last
    if rivalry.punto and level < juego:
        last = np.int64(1) if takes else np.int64(-1)
    elif takes:
        last = stones[1, index] + rivalry.mates_juego
    else:
        last = -rivalry.rivals_juego
    most = worth.shape[2] // 2
    return worth[grande, chica, most + pares, most + last]


@inlined
def set_net(net, reach, rivalry, keeps, worth):  # type: ignore[no-untyped-def]
    """Set ``net`` for every class that I may come to hold."""
    lanes, stones, juego = keeps.lanes, keeps.stones, keeps.juego
    for index in reach:
        net[index] = net_of(index, rivalry, lanes, stones, juego, worth)


@inlined
def set_wins(wins, rivalry, keeps):  # type: ignore[no-untyped-def]
    """Set ``wins`` for every class that I may hold: whether my side takes each phase."""
    lanes, juego = keeps.lanes, keeps.juego
    for index in range(len(wins)):
        wins[index, 0] = lanes[0, index] >= rivalry.grande
        wins[index, 1] = lanes[1, index] >= rivalry.chica
        wins[index, 2] = lanes[2, index] >= rivalry.pares
        takes = lanes[3, index] >= rivalry.last
        is_punto = rivalry.punto and lanes[3, index] < juego
        wins[index, 3] = takes and not is_punto
        wins[index, 4] = takes and is_punto
