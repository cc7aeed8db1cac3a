"""What is said is worth what all deals bring, hand by hand and leaf by leaf."""

from functools import lru_cache

import numpy as np
import pytest

import musodds as mo
from musodds.rules.hands import hands
from musodds.solver.best_here import best_here
from musodds.solver.best_worths import best_worths
from musodds.solver.pairs import finest_parts, masses_of, parts_of, table_of, within
from musodds.solver.panels import panels
from musodds.solver.tree import CHANCE, FIRST, LEAF, part_of_phase

SOLVED = {
    "two players at 39-39": {"what": "deal", "game": "mus2p", "score": (39, 39)},
    "two players at 30-33": {
        "what": "deal", "game": "mus2p", "score": (30, 33), "bets": "ordago", "raises": "",
    },
    "two players at 39-37": {
        "what": "deal", "game": "mus2p", "score": (39, 37), "bets": "2", "raises": "",
    },
    "speakers at 39-38": {"what": "deal", "game": "mus", "score": (39, 38), "bets": "ordago"},
    "pares": {"what": "pares", "game": "mus2p", "score": (32, 35), "reraises": 2},
    "chica, speakers": {"what": "chica", "game": "mus", "score": (32, 35)},
}  # fmt: skip


@lru_cache
def solved(name):
    return mo.solve_betting(**SOLVED[name], iterations=12)


@lru_cache(maxsize=1)
def table(game, speakers, known):
    return table_of(game, speakers, known)


class Row:
    """One hand against all of the rival's, outcome by outcome; nothing is kept."""

    def __init__(self, found, hand, side):
        spec = found.spec
        counted = table(spec.game, spec.speakers, spec.known)
        self.found, self.side, self.outcomes = found, side, counted.outcomes
        pair = (hand, slice(None)) if side == 0 else (slice(None), hand)
        begin, size = counted.begin[pair], counted.size[pair]
        at = np.concatenate([np.arange(b, b + s) for b, s in zip(begin, size, strict=True)])
        self.rival, self.outcome = np.repeat(np.arange(len(size)), size), counted.outcome[at]
        self.weight = counted.weight[at].astype(np.float64)
        finest, which = parts_of(counted.outcomes, spec.types.alone)
        self.finest, self.which = finest, which[self.outcome]
        if spec.what != "deal":
            self.weight *= counted.outcomes.contested(spec.what)[self.outcome]

    def chances(self, part, reach):
        inside = np.array([within(fine, part) for fine in self.finest])[self.which]
        return self.weight * inside * reach[self.rival]

    def value(self, node, reach):
        tree, spec = self.found.tree, self.found.spec
        if tree.kind[node] == LEAF:
            end = tree.ends[node]
            worth = spec.worth.of(end, self.outcomes)[self.outcome]
            return float(self.chances(end.part, reach) @ (worth if self.side == 0 else 1 - worth))
        children = tree.options(node).values()
        if tree.kind[node] == CHANCE:
            return sum(self.value(child, reach) for child in children)
        if tree.kind[node] == FIRST + self.side:
            return max(self.value(child, reach) for child in children)
        total, classes = 0.0, self.found.classes(node, 1 - self.side)
        for child, chance in zip(children, self.found.at(node)[0], strict=True):
            after = np.zeros_like(reach)
            after[classes] = reach[classes] * chance
            total += self.value(child, after)
        return total


@pytest.mark.parametrize("name", SOLVED)
@pytest.mark.parametrize("side", [0, 1])
def test_every_word_is_worth_what_the_deals_that_follow_bring(name, side):
    """Over a spread of hands and lines, of those that are counted soon."""
    found, draw, compared = solved(name), np.random.default_rng(5), 0
    tree = found.tree
    own = np.flatnonzero(tree.kind == FIRST + side)
    # Averaged over partners' hands a leaf has four hundred times as many outcomes.
    nodes = draw.permutation(own[tree.end[own] - own < (400 if len(tree.kind) > 999 else 30)])
    for hand in draw.choice(found.classes(int(own[0]), side), 4, replace=False):
        row, here = Row(found, hand, side), 0
        for node in map(int, nodes):
            place = np.flatnonzero(found.classes(node, side) == hand)
            reach = found.reach(node, 1 - side)
            whole = row.chances(tree.parts[node], reach).sum()
            if not len(place) or not whole > 0:
                continue
            wanted = [row.value(child, reach) / whole for child in tree.options(node).values()]
            some = slice(*found.tables[side][[node, node + 1]])
            got = best_worths(found, side)[some].reshape(len(wanted), -1)[:, place[0]]
            np.testing.assert_allclose(got, wanted, atol=1e-6)
            here += 1
            if here == 4:
                break
        compared += here
    assert compared >= 8


@pytest.mark.parametrize("name", ["two players at 30-33", "chica, speakers"])
def test_the_best_words_from_the_first_on_are_the_best_response(name):
    """All hands together bring what the solver measured as most for mano's side."""
    found, ways = solved(name), hands(solved(name).spec.game).ways
    worths = best_worths(found, 0)[: found.tables[0][1]].reshape(len(found.tree.options(0)), -1)
    spec, classes = found.spec, found.classes(0, 0)
    part = part_of_phase(spec.what) if spec.what != "deal" else found.tree.parts[0]
    inside = [within(fine, part) for fine in finest_parts(spec.types.alone)]
    chance = masses_of(spec.game, spec.speakers)[inside].sum(axis=(0, 2))[classes]
    assert chance.sum() == pytest.approx(found.played, abs=1e-6)
    assert worths.max(axis=0) @ chance / chance.sum() == pytest.approx(found.gap.most, abs=2e-6)
    if spec.what == "deal":
        np.testing.assert_allclose(chance, ways[classes] / ways.sum(), atol=1e-7)


def test_of_the_bets_that_are_never_made_nothing_is_known():
    found = solved("two players at 39-37")
    never = np.isnan(best_worths(found, 1))
    assert (never == np.isnan(found.worths[1])).all()


def test_what_was_known_of_a_rival_is_in_the_answers_once():
    """Half the weight of a hand halves its part in the answers."""
    known = mo.know("mus2p", seats={2: "RR??@0.5 | AA??"})
    found = mo.solve_betting(
        "grande", game="mus2p", score=(30, 33), bets="2", raises="", knowledge=known, iterations=9
    )
    me = hands(found.spec.game).index("CC54")
    here = best_here(found, me, 0, "")
    answer = panels(found, "grande: envido 2")[0]
    table = masses_of(found.spec.game, (1, 2), found.spec.known)
    weight = table[:, me].sum(axis=0)
    folds = np.nan_to_num(answer.chances[:, answer.words.index("no quiero")])
    place = here.actions.index("envido 2")
    assert here.answers[place].folded == pytest.approx(weight @ folds / weight.sum(), abs=1e-12)
