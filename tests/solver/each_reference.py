"""Values and best responses in one phase, over every deal of a reduced deck, plainly."""

from functools import cached_property
from itertools import product
from math import comb

import numpy as np

from musodds.rules.hands import hands


def all_deals(game):
    """The chance of every deal, shape (classes,) * seats."""
    table, copies = hands(game), np.array(game.deck.copies)
    found = np.zeros((len(table),) * game.seats)
    for deal in product(range(len(table)), repeat=game.seats):
        left, ways = copies.copy(), 1
        for held in deal:
            for kind, taken in enumerate(table.counts[held]):
                ways *= comb(int(left[kind]), int(taken)) if taken <= left[kind] else 0
            left -= table.counts[held]
            if not ways:
                break
        found[deal] = ways
    return found / found.sum()


class Reference:
    """A phase played by given strategies, deal by deal.

    ``worth[ending]`` is mano's side's worth for every deal, shape (endings, classes, …).
    """

    def __init__(self, tree, chances, worth, strategy):
        self.tree, self.strategy, self.worth = tree, strategy, worth
        game, table = tree.game, hands(tree.game)
        able = table.level[tree.phase] > 0
        self.roots = {}
        for i, point in enumerate(tree.points):
            if not point.line:
                here = chances.copy()
                for seat in range(1, game.seats + 1):
                    shape = [1] * game.seats
                    shape[seat - 1] = -1
                    here = here * (able == (seat in point.able)).reshape(shape)
                self.roots[i] = here
        self.contested = sum(here.sum() for here in self.roots.values())

    def said(self, point, action):
        """How often the action is said, for every hand of the speaker."""
        shape = [1] * self.tree.game.seats
        shape[point.seat - 1] = -1
        return self.strategy[point.seat - 1, :, point.slot + action].reshape(shape)

    def brings(self, seats):
        """What seats get that know each other's hands and answer best; () for nobody."""
        mine = tuple(seat - 1 for seat in seats)
        sign = -1 if seats and self.tree.game.side(seats[0]) else 1
        rest = tuple(i for i in range(self.tree.game.seats) if i not in mine)

        def follow(at, weight):
            if at < 0:
                return sign * (weight * self.worth[~at]).sum(axis=rest)
            point = self.tree.points[at]
            if point.seat in seats:
                return np.max([follow(after, weight) for after in point.children], axis=0)
            return sum(
                follow(after, weight * self.said(point, i))
                for i, after in enumerate(point.children)
            )

        total = sum(follow(root, here).sum() for root, here in self.roots.items())
        return sign * float(total) / self.contested

    def gain(self, seats):
        """What such seats gain over their strategies."""
        sign = -1 if self.tree.game.side(seats[0]) else 1
        return sign * (self.brings(seats) - self.value)

    @cached_property
    def value(self):
        """Mano's side's worth if all play as they do."""
        return self.brings(())
