"""Whose luck it was: what each player was dealt, and what he drew.

All of it is a chance of winning the game as the player's side sees it, cards played as they
are and nothing bet (en paso):

- *cards*: what his hand as dealt is worth, nothing known of the others, less what a hand is
  worth on average. Over all hands that he might have been dealt it is 0;
- *draws*: how the chance of the deal, all cards known, moved when his cards were changed, in
  the order in which they were, and what his decisions before the betting lost, which is
  skill and not luck. It counts from what he threw: who changes cards gains on average.

What is left of a deal's luck belongs to nobody alone: how the hands that were dealt met,
and the play. With *ours* and *theirs* the players of the two sides::

    luck_deal  = Σ ours cards - Σ theirs cards + how they met
    luck_draws = Σ ours draws - Σ theirs draws
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from musodds.exact.outcomes.deal_stones import counted_stones
from musodds.playing.deal import CHANGES
from musodds.playing.mus_deal import Deal
from musodds.playing.record import Played
from musodds.playing.replay import following, steps
from musodds.rules.game import PHASES
from musodds.rules.hands import hands
from musodds.stakes.at_score import AtScore
from musodds.stakes.equity import Equity
from musodds.stakes.situation import equity_after
from musodds.strategy.review_result import Judged, PlayerLuck
from musodds.strategy.views import plain

EnPaso = Callable[[Deal], float]
"""The chance of the first side, were the cards played as they are now and nothing bet."""


def own_luck(
    one: Played, deal: Deal, at: tuple[int, int], judged: Sequence[Judged], table: Equity,
    passed: EnPaso,
) -> list[PlayerLuck]:  # fmt: skip
    """The luck of each player of a deal, from mano on.

    Parameters
    ----------
    one : Played
    deal : Deal
        Of which all cards are known.
    at : tuple of int
        The numbers of the deal and of the game.
    judged : sequence of Judged
        The decisions of the deal.
    table : Equity
        The chances after the deal.
    passed : callable
    """
    drawn = _drawn(deal, passed)
    for decision in judged:
        if decision.phase not in PHASES:
            drawn[decision.seat] += decision.lost or 0.0
    return [
        PlayerLuck(
            *at, seat, one.players[seat - 1], one.names[deal.side(seat)],
            _dealt(deal, seat, table), drawn[seat],
        )
        for seat in deal.playing
    ]  # fmt: skip


def _drawn(deal: Deal, passed: EnPaso) -> dict[int, float]:
    """How the chance of each player's side moved when his cards were changed."""
    found = dict.fromkeys(deal.playing, 0.0)
    for before, said in steps(deal):
        if said.stage in CHANGES:
            seat = before.turn[0]
            moved = passed(following(before, said)) - passed(before)
            found[seat] += moved if deal.side(seat) == 0 else -moved
    return found


def _dealt(deal: Deal, seat: int, table: Equity) -> float:
    """What the hand as dealt is worth to its side, above the average."""
    game = plain(deal.game, "4567", "visto")
    side = deal.side(seat)
    ours, theirs = deal.opening[side], deal.opening[1 - side]
    held = deal.dealt[seat - 1]
    assert held is not None
    index = hands(game).index(hands(deal.game).texts[held])
    found = AtScore(game, ours, theirs, table).as_dealt(index, seat, None)
    assert found is not None, "who reviews has checked that the game is counted"
    return found - _average(table, ours, theirs, game.side(seat) == 0)


@lru_cache(maxsize=64)
def _average(table: Equity, ours: int, theirs: int, mano: bool) -> float:
    """The chance before cards are seen, this deal played en paso."""
    deal = counted_stones(plain(table.game, "4567", "visto"))
    stones = deal.stones if mano else -deal.stones
    return float(deal.chances @ equity_after(stones, ours, theirs, table, mano))
