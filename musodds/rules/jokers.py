"""Jokers: what each is named at the showdown.

RULES section 2, *ten kings*: a joker stands for a king or an ace, nothing else, and its
holder says which when the cards are shown, once for all phases. Holders choose in order
from mano; each takes what is best for its side, knowing all hands and that those after
it will do the same. Read exactly as follows:

- *Best* is the side's net stones: what it scores in the deal less what the other side
  scores. Odds and simulations are en paso, so there it is the net when everybody passes.
- Of namings that bring the same, the one with more kings is taken.
- What is named counts everywhere: a hand has pares or juego if, as named, it has; so a
  phase is void, contested or won by the hands as named. A player who declares before
  the betting is taken to declare what he will name.

It is a small game that is solved backwards: partners choose as one, and a rival's choice
is foreseen. With two holders on two sides the order matters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from musodds.rules.game import PHASES, UNANIMOUS, Game
from musodds.rules.hands import hands

Named = tuple[int, ...]


def name_jokers(
    game: Game,
    classes: Sequence[int],
    stones: Callable[[Named], Sequence[int]] | None = None,
) -> Named:
    """What every hand of a deal is named as at the showdown.

    Parameters
    ----------
    game : Game
        Two sides.
    classes : sequence of int
        The hand class of each seat, from mano on.
    stones : callable, optional
        What each side scores when the hands are named so; by default, when everybody
        has passed in every phase.

    Returns
    -------
    tuple of int
        Indices of :attr:`musodds.rules.hands.Hands.named`, from mano on; in a game without
        jokers, the classes.

    Examples
    --------
    Three kings and a joker, as mano: four kings where duples are needed to take pares,
    three and an ace where 31 is needed to take juego.

    >>> from musodds.rules.games import get_game
    >>> game = get_game("mus-ten-kings")
    >>> all_hands = hands(game)
    >>> def shown(*dealt):
    ...     named = name_jokers(game, [all_hands.index(hand) for hand in dealt])
    ...     return [all_hands.named.texts[i] for i in named]
    >>> shown("RRR*", "CC55", "7654", "AA54")
    ['RRRR', 'CC55', '7654', '54AA']
    >>> shown("RRR*", "CS7A", "C654", "CC74")
    ['RRRA', 'CS7A', 'C654', 'CC74']
    """
    options = [hands(game).namings(index) for index in classes]
    score = stones or (lambda named: stones_en_paso(game, named))

    def settle(named: Named) -> tuple[Named, Sequence[int]]:
        """How it ends, and with which stones, when the first hands are named so."""
        if len(named) == game.seats:
            return named, score(named)
        side = game.side(len(named) + 1)
        ends = [settle((*named, option)) for option in options[len(named)]]
        # The first of equals: max keeps it, and the namings with most kings come first.
        return max(ends, key=lambda end: 2 * end[1][side] - sum(end[1]))

    return settle(())[0]


def stones_en_paso(game: Game, named: Sequence[int]) -> list[int]:
    """What each side scores with these hands when everybody passes.

    Parameters
    ----------
    game : Game
    named : sequence of int
        Indices of :attr:`musodds.rules.hands.Hands.named`, from mano on.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> game = get_game("mus")
    >>> stones_en_paso(game, [hands(game).index(h) for h in ("772A", "33S2", "RRSA", "CCC6")])
    [5, 6]
    """
    table = hands(game).named
    scored = [0] * game.sides
    for phase in PHASES:
        levels = [int(table.level[phase][index]) for index in named]
        if not max(levels) or (phase in UNANIMOUS and 0 in levels):
            continue
        side = game.side(levels.index(max(levels)) + 1)
        own = table.stones.get(phase)
        if own is None:
            scored[side] += 1
        else:
            scored[side] += sum(int(own[index]) for index in named[side :: game.sides])
    return scored
