"""Whose luck it was: what each player was dealt, and what he drew.

All of it is a chance of winning the game as the player's side sees it, cards played as they
are and nothing bet (en paso), and 0 on average:

- *cards*: what his hand as dealt is worth, nothing known of the others, less what a hand is
  worth on average;
- *draws*: what the cards that he drew made of the deal, the hands of the others as they then
  were, less what all cards that he might have drawn for those he threw do on average.

What is left of a side's luck is *shared*, nobody's own: how the hands that were dealt met,
what changing cards brings on average, and the play. With *ours* and *theirs* the players of
the two sides::

    luck = Σ ours (cards + draws) - Σ theirs (cards + draws) + shared

so that the start, the players' own luck, what is shared and skill add up to the result.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import numpy as np

from musodds.arrays import Floats
from musodds.exact.outcomes.deal_stones import counted_stones
from musodds.exact.outcomes.outcomes import Outcomes
from musodds.exact.outcomes.stones import showdown_stones
from musodds.playing.deal import CHANGES, NONE, Said
from musodds.playing.mus_deal import Deal
from musodds.playing.record import Played
from musodds.playing.replay import following, steps
from musodds.rules.game import Game
from musodds.rules.hands import hands, lane_codes, own_stones
from musodds.rules.ways import choose
from musodds.stakes.at_score import AtScore
from musodds.stakes.equity import Equity
from musodds.stakes.situation import equity_after
from musodds.strategy.review_result import PlayerLuck
from musodds.strategy.views import plain


def own_luck(one: Played, deal: Deal, at: tuple[int, int], table: Equity) -> list[PlayerLuck]:
    """The luck of each player of a deal, from mano on.

    Parameters
    ----------
    one : Played
    deal : Deal
        Of which all cards are known.
    at : tuple of int
        The numbers of the deal and of the game.
    table : Equity
        The chances after the deal.
    """
    game = plain(deal.game, "4567", "visto")
    drawn = dict.fromkeys(deal.playing, 0.0)
    for before, said in steps(deal):
        if said.stage in CHANGES and said.text != NONE:
            seat = before.turn[0]
            ways, values = _draws(before, said), _values(game, before, seat, table)
            held = following(before, said).classes[seat - 1]
            drawn[seat] += float(values[held] - ways @ values / ways.sum())
    return [
        PlayerLuck(
            *at, seat, one.players[seat - 1], one.names[deal.side(seat)],
            _dealt(game, deal, seat, table), drawn[seat],
        )
        for seat in deal.playing
    ]  # fmt: skip


def _draws(before: Deal, said: Said) -> Floats:
    """In how many ways the seat in turn draws each hand for the cards that it throws."""
    deck, counts = before.game.deck, hands(before.game).counts
    seat = before.turn[0]
    thrown = deck.parse(said.text.partition(">")[0])
    kept = Counter(deck.parse(before.hand(seat))) - Counter(thrown)
    keep = np.array([kept[kind] for kind in range(len(deck.kinds))])
    stock = np.array(before.stock or ())
    if stock.sum() < len(thrown):
        # The stock runs out: about all that nobody holds.
        held = [h for s, h in enumerate(before.classes, start=1) if h is not None and s != seat]
        stock = deck.copies - counts[held].sum(axis=0) - keep
    drawn = counts - keep
    may = (drawn >= 0).all(axis=1)
    return np.where(may, choose(stock, np.where(may[:, None], drawn, 0)), 0.0)


def _values(game: Game, deal: Deal, seat: int, table: Equity) -> Floats:
    """What each hand of a seat makes of a deal played en paso, shape (classes,)."""
    known, side = hands(game), deal.side(seat)
    mine, own = lane_codes(known, seat), own_stones(known)
    theirs, their_stones = np.full_like(mine[0], -1), np.zeros_like(own[0])
    for other in deal.playing:
        held = deal.classes[other - 1]
        assert held is not None
        if other in game.partners(seat):
            mine = np.maximum(mine, lane_codes(known, other)[held])
            own = own + own_stones(known)[held]
        elif other != seat:
            theirs = np.maximum(theirs, lane_codes(known, other)[held])
            their_stones = their_stones + own_stones(known)[held]
    outcomes = Outcomes(
        game, seat, mine > theirs, own, np.broadcast_to(their_stones, own.shape),
        np.ones(len(own), dtype=object),
    )  # fmt: skip
    ours, others = deal.opening[side], deal.opening[1 - side]
    return equity_after(showdown_stones(outcomes), ours, others, table, game.side(seat) == 0)


def _dealt(game: Game, deal: Deal, seat: int, table: Equity) -> float:
    """What the hand as dealt is worth to its side, above the average."""
    side = deal.side(seat)
    ours, theirs = deal.opening[side], deal.opening[1 - side]
    held = deal.dealt[seat - 1]
    assert held is not None
    found = AtScore(game, ours, theirs, table).as_dealt(held, seat, None)
    assert found is not None, "who reviews has checked that the game is counted"
    return found - _average(table, ours, theirs, game.side(seat) == 0)


@lru_cache(maxsize=64)
def _average(table: Equity, ours: int, theirs: int, mano: bool) -> float:
    """The chance before cards are seen, this deal played en paso."""
    deal = counted_stones(plain(table.game, "4567", "visto"))
    stones = deal.stones if mano else -deal.stones
    return float(deal.chances @ equity_after(stones, ours, theirs, table, mano))
