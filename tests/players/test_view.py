"""A view holds what its player may know, and nothing else."""

import pickle
import random
from dataclasses import fields, is_dataclass

import pytest

import musodds as mo
from musodds.players.pack import Pack
from musodds.players.play import play
from musodds.players.table import may_show
from musodds.players.view import View, view_of
from musodds.playing.encaje_deal import EncajeDeal
from musodds.playing.mus_deal import Deal
from musodds.rules.cards import Deck
from musodds.rules.game import Game

GAMES = ("mus", "mus4", "mus2p", "mus6p", "mus-visto", "mus-4567", "mus-real-oros", "encaje3")
FOUR = ["772A", "33S2", "RRSA", "CCC6"]


class Watched:
    """Plays at random and keeps every view."""

    def __init__(self, views):
        self.views = views

    def __deepcopy__(self, memo):
        return self

    def _seen(self, view):
        self.views.append(view)
        return view.random()

    def say(self, view):
        return "mus" if self._seen(view).random() < 0.9 else "no hay mus"

    def throw(self, view):
        rng = self._seen(view)
        cards = [view.game.deck.text((kind,)) for kind in view.game.deck.parse(view.hand)]
        return rng.sample(cards, 4 if view.stage == "4567" else rng.randint(1, 4))

    def speak(self, view):
        rng = self._seen(view)
        return rng.choice([option for option in view.legal if option.word != "órdago"]).action


def reachable(value, seen):
    """Everything that hangs on a value, but for the rules of its game."""
    if id(value) in seen or isinstance(value, Game | Deck):
        return
    seen[id(value)] = value
    inner = list(getattr(value, "__dict__", {}).values())
    if isinstance(value, dict):
        inner += [*value.keys(), *value.values()]
    elif isinstance(value, list | tuple | set | frozenset):
        inner += list(value)
    elif is_dataclass(value):
        inner += [getattr(value, field.name) for field in fields(value)]
    for one in inner:
        reachable(one, seen)


@pytest.mark.parametrize("game", GAMES)
def test_nothing_but_plain_values_hangs_on_a_view(game):
    views = []
    play([Watched(views)] * mo.get_game(game).sides, game=game, deals=30, seed=3)
    plain = (str, int, bool, tuple, dict, type(None), View)
    assert {view.stage for view in views} >= {"mus", "change", "grande", "chica"}
    for view in views:
        found = {}
        reachable(view, found)
        others = {type(one).__name__ for one in found.values() if not isinstance(one, plain)}
        assert others <= {"Option", "Said"}
        assert len(view.game.deck.parse(view.hand)) == 4
        assert all(">" not in line.text or line.seat == view.seat for line in view.said)


def _dealt(game, rng):
    pack = Pack(game, rng)
    held = [pack.deal() for _ in range(game.seats)]
    if game.stones:
        return EncajeDeal.start(game, held, (15,) * game.seats)
    return Deal.start(game, held, (12, 30))


def _twin(deal, seat, rng):
    """The same words, the cards that the seat does not see shuffled."""
    deck = deal.game.deck
    left = [i for i, kind in enumerate(deck.kinds) for _ in range(kind.copies)]
    own = deck.parse(deal.hand(seat))
    for card in own:
        left.remove(card)
    rng.shuffle(left)
    seats = range(1, deal.game.seats + 1)
    held = [own if s == seat else tuple(left.pop() for _ in range(4)) for s in seats]
    twin = type(deal).start(deal.game, held, deal.opening, deal.mano)
    for line in deal.said:
        twin = twin.act(line.text, line.seat)
    return twin


@pytest.mark.parametrize("game", ["mus", "mus2p", "mus6p", "mus4-real-oros", "encaje3"])
def test_other_cards_elsewhere_make_the_same_view(game):
    """To the byte, until declarations tell something."""
    rng, compared = random.Random(5), 0
    for _ in range(40):
        deal = _dealt(mo.get_game(game), rng)
        while deal.stage in ("mus", "grande", "chica"):
            seat = deal.turn[0]
            twin = _twin(deal, seat, rng)
            mine, other = view_of(deal, seat, seed=1), view_of(twin, seat, seed=1)
            assert mine == other
            assert pickle.dumps(mine) == pickle.dumps(other)
            compared += deal.classes != twin.classes
            talk = deal.stage == "mus"
            options = [o for o in deal.legal() if o.word not in ("órdago", "reenvido")]
            deal = deal.act("no hay mus" if talk else rng.choice(options).action, seat)
    assert compared > 100


def test_after_declarations_too():
    """Others who declare the same and hold other cards look alike."""
    one = Deal.start("mus", FOUR, mus=False)
    two = Deal.start("mus", ["772A", "RR7A", "CC4A", "SSS6"], mus=False)
    for word in ["paso"] * 8:
        one, two = one.act(word), two.act(word)
    assert one.stage == two.stage == "pares"
    assert pickle.dumps(view_of(one, 1)) == pickle.dumps(view_of(two, 1))
    assert view_of(one, 1).declared == {"pares": (True,) * 4}


def test_cards_that_others_change_stay_hidden():
    views, own = [], []
    for thrown, drawn in (("72", "RA"), ("77", "CS")):
        deal = Deal.start("mus", FOUR)
        for _ in range(4):
            deal = deal.act("mus")
        deal = deal.change(thrown, drawn)
        views.append(view_of(deal, 2))
        own.append(view_of(deal, 1))
    assert pickle.dumps(views[0]) == pickle.dumps(views[1])
    assert views[0].said[-1].text == "2 cards"
    assert [view.said[-1].text for view in own] == ["7A>RA", "77>CS"]


def test_who_might_have_shown_and_did_not_is_not_told():
    shown = Deal.start("mus-4567", ["RR7A", "7654", "CCSS", "RC64"], before=["4567"])
    other = Deal.start("mus-4567", ["RR7A", "C654", "CCSS", "RC64"])
    assert shown.turn == (2,)
    assert view_of(shown.change("-", "-"), 1) == view_of(other, 1)
    assert [line.text for line in view_of(shown.change("7654", "RR7A"), 1).said] == ["7654"]
    assert [may_show(shown, seat) for seat in (1, 2, 3, 4)] == [False, True, False, False]


def test_the_score_is_ones_own_first():
    deal = Deal.start("mus", FOUR, score=(32, 35), mano=1)
    assert [view_of(deal, seat).score for seat in (1, 2)] == [(35, 32), (32, 35)]
    three = EncajeDeal.start("encaje3", ["RRRA", "7654", "CC44"], stones=(5, 6, 7), mano=1)
    assert [view_of(three, seat).score for seat in (1, 2, 3)] == [(6, 7, 5), (7, 5, 6), (5, 6, 7)]


def test_an_open_bet():
    deal = Deal.start("mus", FOUR, mus=False)
    plain = view_of(deal, 1)
    assert (plain.seen, plain.refused, plain.ordago) == (0, 0, False)
    raised = view_of(deal.act("envido 3").act("reenvido 4"), 1)
    assert (raised.seen, raised.refused) == (7, 3)
    ordago = view_of(deal.act("órdago"), 2)
    assert (ordago.seen, ordago.refused, ordago.ordago) == (40, 1, True)
    three = EncajeDeal.start("encaje3", ["RRRA", "7654", "CC44"], stones=(9, 9, 9), mus=False)
    view = view_of(three.act("envido 3").act("reenvido 4"), 3)
    assert (view.seen, view.refused) == (7, 3)


def test_knowledge_asks_the_odds():
    """A view's knowledge is what mo.odds takes."""
    deal = Deal.start("mus", FOUR, mus=False)
    for word in ["paso"] * 8:
        deal = deal.act(word)
    view = view_of(deal, 1, own=("C",))
    answer = mo.odds(view.hand, seat=view.seat, knowledge=view.knowledge)
    assert answer == mo.odds("772A", seat=1, knowledge=mo.know(pares="yes,yes,yes,yes", dead="C"))
