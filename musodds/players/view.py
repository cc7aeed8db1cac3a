"""What a player may know at a decision, and nothing else.

A view holds plain values made anew: no deal, no deck, no other player's cards. Two deals
that differ only in what a player cannot see give equal views.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from musodds.knowledge.knowledge import Knowledge, know
from musodds.playing.actions import Option
from musodds.playing.deal import CHANGES, NONE, SHOWN, Procedure, Said
from musodds.playing.mus_deal import Deal
from musodds.playing.setting import AnyDeal
from musodds.rules.game import Game
from musodds.strategy.views import DECLARED, plain
from musodds.values import Table


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class View(Table):
    """What the player of a seat knows when it is asked.

    Parameters
    ----------
    game : Game
    seat : int
        1 is mano.
    hand : str
        Its cards now, high to low.
    stage : str
        ``4567``, ``visto``, ``mus``, ``change`` or a phase.
    legal : tuple of Option
        What may be answered. In ``say`` and ``speak`` an answer is a text such as
        ``"envido 5"``, an :class:`musodds.playing.actions.Action`, or ``view.legal[i].action``;
        in ``throw`` it is cards, and the one Option says how many.
    score : tuple of int
        Stones of each side, its own first; in Encaje of each player, its own first.
    said : tuple of Said
        What was said in this deal. Of the cards that others changed only how many
        (``2 cards``), or those that were shown.
    declared : mapping of str to tuple of bool
        Who has pares and juego, from mano on, as far as it was said.
    thrown : tuple of str
        The cards it threw, while they are out of play.
    seen, refused : int
        What the open bet is worth when it is seen (an órdago: the game's target) and when it
        is refused; 0 if none is open.
    ordago : bool
        Whether the open bet is an órdago.
    may_leave : bool
        Whether ``speak`` may answer None: let my partner answer.
    seed : int
        Chance of this decision's own, see :meth:`random`.

    Examples
    --------
    >>> deal = Deal.start("mus", ["772A", "33S2", "RRSA", "CCC6"], score=(32, 35), mus=False)
    >>> view = view_of(deal.act("paso").act("envido 5"), 3)
    >>> view.hand, view.score, view.seen, [option.text for option in view.legal]
    ('RRSA', (32, 35), 5, ['quiero', 'no quiero', 'reenvido (2 or more)', 'órdago'])
    """

    game: Game
    seat: int
    hand: str
    stage: str
    legal: tuple[Option, ...]
    score: tuple[int, ...]
    said: tuple[Said, ...] = ()
    declared: Mapping[str, tuple[bool, ...]] = field(default_factory=dict)
    thrown: tuple[str, ...] = ()
    seen: int = 0
    refused: int = 0
    ordago: bool = False
    may_leave: bool = False
    seed: int = 0

    def rows(self) -> list[dict[str, Any]]:
        """One dict: the seat, its hand, the stage, the score and what is legal."""
        return [
            {
                "seat": self.seat,
                "hand": self.hand,
                "stage": self.stage,
                "score": "-".join(map(str, self.score)),
                "legal": ", ".join(option.text for option in self.legal),
            }
        ]

    def random(self) -> random.Random:
        """Chance for this decision: the same each time it is asked, another at the next."""
        return random.Random(self.seed)

    @cached_property
    def knowledge(self) -> Knowledge:
        """The declarations and the cards thrown, as questions take them (``mo.odds``, ``mo.bet``).

        Examples
        --------
        >>> deal = Deal.start("mus", ["772A", "33S2", "RRSA", "CCC6"], mus=False)
        >>> for word in ["paso"] * 8:
        ...     deal = deal.act(word)
        >>> view_of(deal, 1).knowledge.labels
        ('seat 1 has pares', 'seat 2 has pares', 'seat 3 has pares', 'seat 4 has pares')
        """
        said = {
            phase: ",".join("yes" if has else "no" for has in answers)
            for phase, answers in self.declared.items()
        }
        return know(
            plain(self.game, "4567", "visto"),
            dead="".join(self.thrown) or None,
            pares=said.get("pares"),
            juego=said.get("juego"),
        )


def view_of(
    deal: AnyDeal,
    seat: int,
    *,
    thrown: Mapping[int, int] | None = None,
    own: tuple[str, ...] = (),
    may_leave: bool = False,
    seed: int = 0,
) -> View:
    """What a seat may know of a deal.

    Parameters
    ----------
    deal : Deal or EncajeDeal
    seat : int
    thrown : mapping of int to int, optional
        In a round of changes: how many cards the seats before have put down already.
    own : tuple of str, optional
        The cards that the seat itself threw.
    may_leave : bool, optional
    seed : int, optional

    Returns
    -------
    View
    """
    side = deal.side(seat)
    stones = deal.score if isinstance(deal, Deal) else deal.stones
    said = (*_public(deal, seat), *(_laid(deal.stage, s, n) for s, n in (thrown or {}).items()))
    return View(
        game=deal.game,
        seat=seat,
        hand=deal.hand(seat),
        stage=deal.stage,
        legal=deal.legal(),
        score=stones[side:] + stones[:side],
        said=said,
        declared={phase: deal.declares(phase) for phase in DECLARED if _told(deal, phase)},
        thrown=own,
        **_open_bet(deal),
        may_leave=may_leave,
        seed=seed,
    )


def _open_bet(deal: AnyDeal) -> dict[str, Any]:
    if isinstance(deal, Deal):
        bet = deal.bet
        if bet is None:
            return {}
        seen = deal.game.target if bet.ordago else bet.seen
        return {"seen": seen, "refused": bet.refused, "ordago": bet.ordago}
    return {"seen": deal.bid.total, "refused": deal.bid.before or 1} if deal.bid else {}


def _told(deal: AnyDeal, phase: str) -> bool:
    """Whether the declarations before a phase have been heard."""
    heard = {"pares": ("pares", "juego", "punto"), "juego": ("juego", "punto")}
    return deal.stage in heard[phase]


def _public(deal: Procedure, seat: int) -> Iterator[Said]:
    """The history without what only others saw."""
    for line in deal.said:
        if line.stage == SHOWN and line.text == NONE:
            continue  # who shows nothing has nothing, or does not say so
        if line.seat == seat or line.stage not in CHANGES:
            yield line
        elif line.stage == SHOWN:
            yield Said(line.stage, line.seat, line.text.partition(">")[0])
        else:
            out = line.text.partition(">")[0]
            yield _laid(line.stage, line.seat, 0 if out == NONE else len(deal.game.deck.parse(out)))


def _laid(stage: str, seat: int, count: int) -> Said:
    return Said(stage, seat, f"{count} card{'' if count == 1 else 's'}")
