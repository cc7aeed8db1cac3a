"""A deal gone through again, step by step, and what it would have come to en paso."""

from __future__ import annotations

from collections.abc import Iterator

from musodds.playing.actions import CUT, PASO
from musodds.playing.deal import CHANGE, CHANGES, NONE, SHOWN, TALK, VISTO, Said
from musodds.playing.mus_deal import Deal
from musodds.rules.hands import hands


def steps(deal: Deal) -> Iterator[tuple[Deal, Said]]:
    """Every line of a deal's history with the deal before it.

    Examples
    --------
    >>> deal = Deal.start("mus2p", ["RRCC", "7654"], score=(38, 39), mus=False)
    >>> for word in ["envido", "raise 3", "fold"]:
    ...     deal = deal.act(word)
    >>> [(before.turn, said.text) for before, said in steps(deal)]
    [((1,), 'envido 2'), ((2,), 'reenvido 3'), ((1,), 'no quiero')]
    """
    now = beginning(deal)
    for said in deal.said:
        if said.stage == SHOWN and (now.stage != SHOWN or said.seat not in now.turn):
            continue  # who has nothing to show is passed over
        yield now, said
        now = following(now, said)


def beginning(deal: Deal) -> Deal:
    """The deal before anything was said."""
    stages = [said.stage for said in deal.said]
    before = [name for name in (SHOWN, VISTO) if name in stages]
    texts = hands(deal.game).texts
    dealt = ["" if held is None else texts[held] for held in deal.dealt]
    return Deal.start(deal.game, dealt, deal.opening, deal.mano, TALK in stages, before)


def following(deal: Deal, said: Said) -> Deal:
    """The deal after a line of its history."""
    if said.stage in CHANGES:
        thrown, _, drawn = said.text.partition(">")
        return deal.change(thrown, drawn or NONE)
    return deal.act(said.text, said.seat)


def en_paso(deal: Deal) -> Deal:
    """The deal, were the cards played as they are now and nothing bet any more.

    A bet that waits for an answer is not taken back: ask before it.

    Examples
    --------
    >>> deal = Deal.start("mus", ["772A", "33S2", "RRSA", "CCC6"], score=(32, 35))
    >>> en_paso(deal).score
    (37, 40)
    """
    while deal.stage in CHANGES:
        deal = deal.change(NONE, NONE) if deal.stage != CHANGE else _undrawn(deal)
    while not deal.over:
        deal = deal.act(CUT if deal.stage == TALK else PASO)
    return deal


def _undrawn(deal: Deal) -> Deal:
    """The deal with the cards that are held, where some have still to be thrown."""
    held = [deal.hand(seat) for seat in range(1, deal.game.seats + 1)]
    return Deal.start(deal.game, held, deal.opening, deal.mano, mus=False)
