"""The count of a deal as players count it: who scored what, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from musodds.playing.actions import ORDAGO
from musodds.playing.encaje_deal import EncajeDeal
from musodds.playing.encaje_moves import Move
from musodds.playing.mus_deal import Deal
from musodds.playing.record import Played
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.rules.showdown import Award

AMARRACO = 5
"""Stones in an amarraco."""

AT_ONCE = ("deje", "pot", ORDAGO)


@dataclass(frozen=True, slots=True)
class Item:
    """One item of the count.

    Parameters
    ----------
    phase : str
    at_once : bool
        Scored when it was said, not at the showdown.
    side : int
        Who scores (in Encaje: who throws, or is given stones).
    seat : int
        Whose hand it is for; 0 for a refusal.
    stones : int
        Scored; in Encaje negative when they leave the player.
    why : str
        In words.
    score : tuple of int
        Stones of every side after it.
    """

    phase: str
    at_once: bool
    side: int
    seat: int
    stones: int
    why: str
    score: tuple[int, ...]


def tally(played: Played) -> tuple[Item, ...]:
    """The items of a deal's count, in the order in which they were scored.

    Examples
    --------
    >>> from musodds.playing.record import read_record
    >>> played = read_record('''
    ... game: mus2p
    ... score: 38-30
    ... hands: RRCC 7777
    ... grande: envido, reenvido, quiero
    ... chica: en paso
    ... pares: en paso
    ... ''')[0]
    >>> for item in tally(played):
    ...     print(item.side, item.stones, item.why)
    0 4 the bet: best grande, seat 1, RRCC
    """
    return tuple(_items(played))


def _items(played: Played) -> Iterator[Item]:
    deal = played.deal
    score = list(deal.opening)
    for entry in deal.awards if isinstance(deal, Deal) else deal.moves:
        side = deal.side(entry.seat) if isinstance(entry, Move) else entry.side
        score[side] += entry.stones
        words = _why(deal, entry)
        at_once = entry.why in AT_ONCE
        yield Item(entry.phase, at_once, side, entry.seat, entry.stones, words, tuple(score))


def _why(deal: Deal | EncajeDeal, entry: Award | Move) -> str:
    """The reason in words."""
    if entry.why == "deje":
        return "nobody saw the bet" if isinstance(entry, Move) else "not wanted (deje)"
    if entry.why == "pot":
        return "into the pot"
    held = deal.classes[entry.seat - 1]
    assert held is not None
    known = hands(deal.game)
    holder = f"seat {entry.seat}, {known.texts[held]}"
    if entry.why == "pares":
        return f"{known.pares_name(held)}: {holder}"
    if entry.why == "juego":
        return f"{known.juego_name(held)}: {holder}"
    if entry.why == ORDAGO:
        return f"órdago: best {entry.phase}, {holder}"
    lead = {"bet": "the bet: best", "worst": "the pot: worst", "best": "best"}[entry.why]
    return f"{lead} {entry.phase}, {holder}"


def counters(stones: int) -> str:
    """Stones as they lie on the table, in amarracos of five and piedras of one.

    Examples
    --------
    >>> counters(38), counters(35), counters(1), counters(0)
    ('7 amarracos 3 piedras', '7 amarracos', '1 piedra', 'none')
    """
    amarracos, piedras = divmod(stones, AMARRACO)
    parts = [
        f"{number} {name}{'s' * (number > 1)}"
        for number, name in ((amarracos, "amarraco"), (piedras, "piedra"))
        if number
    ]
    return " ".join(parts) or "none"


def is_dentro(game: Game, stones: int) -> bool:
    """Whether a side is *dentro*: one amarraco or less from winning.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> is_dentro(get_game("mus"), 34), is_dentro(get_game("mus"), 35)
    (False, True)
    """
    return game.target - AMARRACO <= stones < game.target
