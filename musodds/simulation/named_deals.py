"""Jokers named in many deals at once, as :mod:`musodds.exact.named_deals` says, in numpy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from musodds.arrays import Ints, Mask
from musodds.exact.named_deals import flat_namings
from musodds.knowledge.knowledge import Answers
from musodds.rules.game import Game
from musodds.rules.hands import hands, lane_levels

_GRANDE, _CHICA, _PARES, _LAST = range(4)


def name_deals(game: Game, dealt: Ints, only: Mapping[int, Sequence[int]] | None = None) -> Ints:
    """What every hand of some deals is named as.

    Parameters
    ----------
    game : Game
        Two sides.
    dealt : ndarray of int64, shape (deals, seats)
        Hand classes.
    only : mapping of seat to sequence of int, optional
        Which of the namings of its hand a seat may take, where that hand is always the same.

    Returns
    -------
    ndarray of int64, shape (deals, seats)
        Rows of :attr:`musodds.rules.hands.Hands.named`.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> game = get_game("mus-ten-kings")
    >>> deals = ("RRR*", "CC55", "7654", "AA54"), ("RRR*", "CS7A", "C654", "CC74")
    >>> dealt = np.array([[hands(game).index(hand) for hand in deal] for deal in deals])
    >>> [hands(game).named.texts[row] for row in name_deals(game, dealt)[:, 0]]
    ['RRRR', 'RRRA']
    """
    start, naming_of = flat_namings(game)
    number, held = np.diff(start)[dealt], start[dealt]
    of_seat = dict.fromkeys(range(game.seats), np.arange(int(number.max(initial=1))))
    for seat, options in (only or {}).items():
        of_seat[seat - 1] = np.array(options)
        number[:, seat - 1] = len(options)
    named: Ints = naming_of[held + [options[0] for options in of_seat.values()]]
    # Who holds jokers, and how many: few patterns, each settled for all its deals at once.
    patterns, which = np.unique(number, axis=0, return_inverse=True)
    for i, pattern in enumerate(patterns):
        if pattern.max() == 1:
            continue
        rows = np.flatnonzero(which.ravel() == i)
        ways = np.indices(pattern).reshape(game.seats, -1)
        tried = np.stack([of_seat[s][ways[s]] for s in range(game.seats)])
        options = naming_of[held[rows][:, :, None] + tried]
        net = net_of_mano(game, options).reshape(len(rows), *pattern)
        way = np.ravel_multi_index(tuple(_settled(game, net)), tuple(pattern))
        named[rows] = options[np.arange(len(rows)), :, way]
    return named


def _settled(game: Game, net: Ints) -> list[Ints]:
    """What each seat takes, solved backwards; net stones of mano by what all of them take."""
    answers = []
    for seat in range(game.seats, 0, -1):
        # Of equals the first, that with more kings.
        best = (net if game.side(seat) == 0 else -net).argmax(axis=-1)
        answers.append(best)
        net = np.take_along_axis(net, best[..., None], axis=-1)[..., 0]
    taken: list[Ints] = []
    for answer in reversed(answers):
        taken.append(answer[np.arange(len(net)), *taken])
    return taken


def net_of_mano(game: Game, named: Ints) -> Ints:
    """Net stones of mano's side when everybody passes.

    Parameters
    ----------
    game : Game
        Two sides.
    named : ndarray of int64, shape (deals, seats, …)
        Rows of :attr:`musodds.rules.hands.Hands.named`.

    Returns
    -------
    ndarray of int64, shape (deals, …)
    """
    table = hands(game).named
    net = np.zeros((len(named), *named.shape[2:]), dtype=np.int64)
    own = {_PARES: table.stones["pares"][named], _LAST: table.stones["juego"][named]}
    for lane, level in enumerate(lane_levels(table.level)):
        # argmax takes the first of equals: who speaks first.
        side = level[named].argmax(axis=1) % game.sides
        if lane in own:
            of_sides = [own[lane][:, s :: game.sides].sum(axis=1) for s in range(game.sides)]
            worth = np.where(side == 0, *of_sides)
            # In the last lane punto brings one stone where nobody has juego.
            worth = np.where(worth == 0, 1, worth) if lane == _LAST else worth
        else:
            worth = np.ones_like(side)
        net += np.where(side == 0, worth, -worth)
    return net


def keep_their_word(game: Game, named: Ints, answers: Answers) -> Mask:
    """The deals in which the hands as named have what was declared of them.

    Parameters
    ----------
    game : Game
    named : ndarray of int64, shape (deals, seats)
        Rows of :attr:`musodds.rules.hands.Hands.named`.
    answers : mapping of seat and phase to bool
    """
    fit = np.ones(len(named), dtype=np.bool_)
    for seat, declared in answers.items():
        for phase, answer in declared.items():
            fit &= (hands(game).named.level[phase][named[:, seat - 1]] > 0) == answer
    return fit
