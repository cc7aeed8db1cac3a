"""The odds of a hand: the front door, whatever is known and whichever engine answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from musodds.chances.counted_odds import Odds, counted_odds
from musodds.exact.scope import check_partner, odds_are_counted
from musodds.knowledge.many import many
from musodds.knowledge.question import ask
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.suits import text_of
from musodds.store.notices import Watcher

if TYPE_CHECKING:
    from musodds.chances.simulated_odds import KnownSimulations
    from musodds.knowledge.knowledge import Knowledge

SIMULATED = 40_000
"""Deals that are simulated where the odds are too many to count."""

KnownOdds = Odds
"""The odds under knowledge are of the same kind."""


@many
def odds(
    hand: str | Sequence[str] | Sequence[int],
    *,
    game: str | Game = "mus",
    seat: int | str = "all",
    partner: str | Sequence[str] | None = None,
    knowledge: Knowledge | None = None,
    n: int | None = None,
    seed: int = 1,
    workers: int | None = 1,
    watch: Watcher | None = None,
) -> Odds | KnownSimulations:
    """The odds of a hand before any discard, en paso.

    Given a table of questions in place of the hand, it answers all: see
    :func:`musodds.knowledge.many.many`.

    Parameters
    ----------
    hand : str, sequence of str or sequence of int
        Four cards, such as ``"RR7A"`` or ``["R", "R", "7", "A"]``, or their kinds.
    game : str or Game, optional
        The game of ``knowledge``, if that is given.
    seat : int or str, optional
        1 … n, ``"mano"``, ``"postre"`` or ``"all"``.
    partner : str or sequence of str, optional
        The partner's hand, if it is known.
    knowledge : Knowledge, optional
        What is known of the others, see :func:`musodds.knowledge.knowledge.know`.
    n : int, optional
        Simulate so many deals from each seat, though they might be counted.
    seed : int, optional
        Of what is simulated: the same seed gives the same digits.
    workers, watch : optional
        Of what is simulated, see :func:`musodds.chances.simulated_odds.simulate_known`.

    Returns
    -------
    Odds or KnownSimulations
        Its ``method`` says which: ``exact`` where the deals are counted; ``monte-carlo``
        with ``n``, or where they are too many (:data:`SIMULATED` deals, then).

    Raises
    ------
    KnowledgeError
        If the hand contradicts what is known, or no deal is left; the message says
        which pieces of knowledge conflict.
    InputError
        If the hand, the pair, the game or the seat does not exist.

    Examples
    --------
    >>> result = odds("RR7A", seat="mano", partner="C765")
    >>> result.fraction(1, "pares", "win")
    Fraction(177028, 211575)
    >>> from musodds.knowledge.knowledge import know
    >>> wink = odds("RR7A", seat=1, knowledge=know(partner="seña:31"))
    >>> round(wink.net(1), 3), wink.method, odds("RR7A", seat=1, n=1000).method
    (3.539, 'exact', 'monte-carlo')
    """
    game = get_game(game) if knowledge is None else knowledge.game
    seats, text = game.parse_seats(seat), text_of(game, hand)
    partner = None if partner is None else text_of(game, partner)
    partner, knowledge = _who(game, partner, knowledge, simulated=n is not None)
    if partner is not None:
        check_partner(game)
    question = ask(game, text, partner, knowledge.dead if knowledge else ())
    if n is None and not odds_are_counted(question, knowledge):
        partner, knowledge = _who(game, partner, knowledge, simulated=True)
        n = SIMULATED
    if n is None:
        return counted_odds(question, seats, knowledge)
    # What runs simulations costs more start-up than a counted question.
    from musodds.chances.simulated_odds import simulate_seats

    return simulate_seats(
        text, game=game, seat=seat, knowledge=knowledge, n=n, seed=seed, workers=workers,
        watch=watch,
    )  # fmt: skip


def known_odds(
    hand: str | Sequence[str] | Sequence[int],
    *,
    game: str | Game = "mus",
    seat: int | str = "all",
    knowledge: Knowledge | None = None,
) -> Odds:
    """As :func:`odds`, always counted, and deal by deal even if nothing is known.

    Parameters
    ----------
    hand, game, seat, knowledge : optional
        As :func:`odds` takes them.

    Raises
    ------
    InputError
        As :func:`odds` does, and where the deals are too many to count.
    """
    from musodds.knowledge.knowledge import Knowledge

    knowledge = Knowledge(get_game(game)) if knowledge is None else knowledge
    game = knowledge.game
    question = ask(game, text_of(game, hand), dead=knowledge.dead)
    return counted_odds(question, game.parse_seats(seat), knowledge)


def _who(
    game: Game, partner: str | None, knowledge: Knowledge | None, simulated: bool
) -> tuple[str | None, Knowledge | None]:
    """Who is known to hold what: a partner with one hand alone, or knowledge with him in it."""
    if partner is None and knowledge and not simulated:
        only = len(knowledge.pieces) == 1 and not knowledge.dead and knowledge.pieces[0]
        if only and only.where == "partner" and len(only.range.classes) == 1:
            return only.range.hands[0], None
    if partner is not None and (knowledge or simulated):
        from musodds.knowledge.knowledge import Knowledge, know

        pieces = know(game, partner=partner).pieces
        besides = knowledge or Knowledge(game)
        return None, Knowledge(game, (*pieces, *besides.pieces), besides.dead)
    return partner, knowledge or None
