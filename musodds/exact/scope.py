"""What is counted and what is not: every bound of the exact engine, in one place.

Odds, phase by phase:

* two sides of one or two players, whatever is known of them; with jokers, two jokers at most;
* two sides of three, nothing known, if the deck has few enough kinds of card;
* each for itself, any number of players; under knowledge, three at most.

All phases together (joint, equity, bets, thresholds, the stones of a deal): two sides of
one or two players, without jokers; the joint of one hand with jokers too.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING

from musodds.errors import GameError
from musodds.knowledge.question import Question
from musodds.rules.game import Game

if TYPE_CHECKING:
    from musodds.knowledge.knowledge import Knowledge

MOST_MULTISETS = 3_000_000
"""A deck with more multisets of cards than this takes six players too long to count."""

MOST_JOKERS = 2

_TRIO = 3


def odds_are_counted(question: Question, knowledge: Knowledge | None = None) -> bool:
    """Whether the odds of a question are counted, rather than simulated.

    Examples
    --------
    >>> from musodds.knowledge.question import ask
    >>> from musodds.rules.games import get_game
    >>> [odds_are_counted(ask(get_game(game), "RR7A")) for game in ("mus6p", "mus6p-four-kings")]
    [True, False]
    """
    game = question.game
    if knowledge:
        return is_so(check_known, game)
    dead = any(case.dead for case in question.cases)
    return game.side_size < _TRIO or is_so(check_trios, game.one_suit or game, dead)


def is_so(check: Callable[..., None], *given: object) -> bool:
    """Whether a check of this module passes."""
    try:
        check(*given)
    except GameError:
        return False
    return True


def check_known(game: Game) -> None:
    """Raise GameError where deals are not counted under knowledge."""
    if game.seats - game.side_size > 2 or game.side_size > 2:
        raise GameError(
            f"{game.name} has too many players to count with knowledge: have `musodds "
            "hand` simulate its deals (--deals N)"
        )


def check_trios(game: Game, dead: bool = False) -> None:
    """Raise GameError where two sides of three are not counted in every column."""
    if prod(kind.copies + 1 for kind in game.deck.kinds) > MOST_MULTISETS:
        raise GameError(
            f"{game.name} has too many kinds of card to count six hands of them in every "
            "column: simulate it (`musodds hand` and odds do)"
        )
    if dead:
        raise GameError(
            f"with cards out of play {game.name} is not counted: have `musodds "
            "hand` simulate its deals (--deals N)"
        )


def check_partner(game: Game) -> None:
    """Raise GameError where no hand of a partner can be given."""
    if game.side_size != 2:
        who = "nobody has a partner" if game.side_size == 1 else "everybody has two partners"
        raise GameError(f"{who} in {game.name}")


def check_jokers(game: Game) -> None:
    """Raise GameError where jokers are too many to be named."""
    jokers = sum(kind.copies for kind in game.deck.kinds if kind.stands_for)
    if jokers > MOST_JOKERS or game.sides != 2:
        raise GameError(
            f"{game.name} cannot be counted: with jokers that takes two sides, and at most "
            f"{MOST_JOKERS} jokers"
        )


def check_joint(game: Game) -> None:
    """Raise GameError where the phases of a hand are not counted together."""
    if game.sides > 2:
        raise GameError(f"{game.name} has more than two sides: phases are not counted together")


def check_together(game: Game) -> None:
    """Raise GameError where all phases of all hands are not counted together."""
    if game.sides != 2 or game.side_size > 2 or any(k.stands_for for k in game.deck.kinds):
        raise GameError(
            f"{game.name}: all phases together are counted only for two sides of one or two "
            "players, without jokers"
        )


def check_alone(game: Game) -> None:
    """Raise GameError where what a player who alone draws may expect is not counted."""
    if game.sides != 2 or game.side_size > 2:
        raise GameError(
            f"{game.name}: what a player who alone draws may expect is counted only for "
            "two sides of one or two players"
        )


EXACT, SIMULATED, NOT = "exact", "simulated", "–"

QUESTIONS = (
    "odds of a hand",
    "with knowledge",
    "phases together",
    "one draws alone",
    "all draw",
    "equity en paso",
    "bets, thresholds",
)
"""The columns of the README's table of what is counted."""


def answered(game: Game, hand: str) -> tuple[str, ...]:
    """How each of :data:`QUESTIONS` is answered in a game: exact, simulated or not at all.

    Parameters
    ----------
    game : Game
    hand : str
        Any of its hands, of four cards.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> answered(get_game("mus6p"), "RR7A")
    ('exact', 'simulated', '–', '–', 'simulated', 'simulated', '–')
    """
    from musodds.knowledge.question import ask

    counted = odds_are_counted(ask(game, hand))
    known = is_so(check_known, game)
    together = is_so(check_together, game)
    return (
        EXACT if counted else SIMULATED,
        EXACT if known else SIMULATED,
        EXACT if is_so(check_joint, game) and known else NOT,
        EXACT if is_so(check_alone, game) else NOT,
        SIMULATED,
        EXACT if together else SIMULATED if game.sides == 2 else NOT,
        EXACT if together else NOT,
    )
