"""A question as an exact weighted average of simpler questions.

Three things make one question several. Suits that matter and were not typed: the hand
may be any of several, each with its number of ways. A game in which all four suits
matter: three 7s can be in one hand only, so whatever is asked, the suits decide no more
than whether *that* hand's sota is the right one, and each case is one of a game in
which a single sota is special (below). A hand that must be shown and replaced: it is
worth what the hands that may be drawn are worth. All of these give cases with integer
weights, counted apart and added up, so that the average is a ratio of integers too.

**Four suits out of one.** Let *juego real* be three 7s and the sota of the fourth suit
d, and let the cards that are known hold

- three 7s in one hand: d is the suit that it misses, and nobody else can have real;
- two 7s or more otherwise: nobody can have real, whatever d is;
- exactly one 7: three 7s of another player are those of the other suits, d is its suit;
- no 7: the suits of another player's three 7s are independent of all else, so d is each
  of the four suits with equal chance.

For one d, whether a hand is real is whether it is three 7s and the sota of d. That is
the game with one special sota, whose suit goes by another name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from math import gcd, lcm

import numpy as np

from musodds.arrays import Ints
from musodds.errors import CardError, KnowledgeError
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.rules.shown import shown_hands
from musodds.rules.suits import Kinds, hand_text, readings, ways_to_hold


@dataclass(frozen=True)
class Case:
    """One of the simpler questions.

    Parameters
    ----------
    game : Game
        The game in which it is counted.
    me : int
        My hand class.
    mate : int or None
        The class of my partner's hand, where it is known.
    dead : tuple of int
        Kinds of the cards that nobody holds.
    """

    game: Game
    me: int
    mate: int | None = None
    dead: Kinds = ()


@dataclass(frozen=True)
class Question:
    """A hand in a game, and what it takes to count it.

    Attributes
    ----------
    game : Game
    hand : str
        High to low, with the suits that are known where suits matter.
    partner : str or None
    cases : mapping of Case to int
        The simpler questions and their weights.
    readings : mapping of tuple of int to int
        The hands (kinds) that the text may mean, with the ways to hold each; a single
        one unless suits that matter were left out.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> question = ask(get_game("mus-real-suits"), "S777")
    >>> question.ways, sorted((weight, hands(case.game).texts[case.me])
    ...                       for case, weight in question.cases.items())
    (16, [(1, 'So 7 7 7'), (3, 'Sx 7 7 7')])
    """

    game: Game
    hand: str
    partner: str | None
    cases: Mapping[Case, int]
    readings: Mapping[Kinds, int]

    @property
    def certain(self) -> bool:
        """Whether it is one hand, every suit that matters known."""
        return len(self.readings) == 1

    @property
    def ways(self) -> int:
        """How many hands it is the average of, each counted by its ways to be held."""
        return sum(self.readings.values()) // gcd(*self.readings.values())

    @property
    def share_of_real(self) -> int:
        """How many of those hands are juego real."""
        real = {self.game.deck.parse(text) for text in self.game.real}
        held = sum(ways for cards, ways in self.readings.items() if cards in real)
        return held // gcd(*self.readings.values())

    @property
    def shown(self) -> bool:
        """Whether it is a hand that is shown and replaced."""
        return bool(self.game.exchange) and set(self.classes) <= set(shown_hands(self.game))

    @cached_property
    def classes(self) -> Ints:
        """The hand classes of the game that the text may mean."""
        all_hands = hands(self.game)
        return np.array([all_hands.index(cards) for cards in self.readings])


def ask(game: Game, hand: str | Kinds, partner: str | None = None, dead: Kinds = ()) -> Question:
    """Read a question.

    Parameters
    ----------
    game : Game
    hand : str or tuple of int
        With or without the suits that matter; or its kinds, high to low.
    partner : str, optional
    dead : tuple of int, optional
        Kinds of the cards that nobody holds.

    Raises
    ------
    CardError
        If the game has no such hand, or the two cannot both be held.
    """
    return _asked(game, hand, partner, dead)


@lru_cache(maxsize=4096)
def _asked(game: Game, hand: str | Kinds, partner: str | None, dead: Kinds) -> Question:
    mine = readings(game, hand, "hand") if isinstance(hand, str) else {hand: 1}
    theirs: Mapping[Kinds, int] = (
        {} if partner is None else readings(game, partner, "partner's hand")
    )
    cases: Counter[Case] = Counter()
    own: Counter[Kinds] = Counter()
    for me, mate in product(mine, theirs or [None]):
        ways = ways_to_hold(game, me, dead) * (
            1 if mate is None else ways_to_hold(game, mate, (*me, *dead))
        )
        if ways:
            own[me] += ways
            for case, weight in simpler(game, me, mate, dead).items():
                cases[case] += ways * weight
    if not cases:
        together = (*next(iter(mine)), *next(iter(theirs), ()), *dead)
        what = "the hand and the dead cards" if partner is None else "the hand and the partner's"
        game.deck.check(together, f"{what} together")
        raise CardError(
            f"no suits of {str(hand).strip()!r} fit with {what.removeprefix('the hand and ')}"
        )
    common = gcd(*cases.values())
    return Question(
        game,
        hand_text(game, hand, mine) if isinstance(hand, str) else game.deck.text(hand),
        None if partner is None else hand_text(game, partner, theirs),
        {case: weight // common for case, weight in cases.items()},
        own,
    )


def check_drawn(question: Question) -> None:
    """Raise KnowledgeError for a hand that is shown and replaced before anything is asked."""
    if question.shown:
        raise replaced(question.game, question.hand)


def replaced(game: Game, hand: str) -> KnowledgeError:
    """The error that says what to ask instead of a hand that is shown and replaced."""
    return KnowledgeError(
        f"{hand} is shown and replaced in {game.name}: ask about the hand drawn, with {hand} "
        "among the dead cards"
    )


def listed(game: Game) -> tuple[tuple[str, Mapping[Case, int]], ...]:
    """The hands of a whole table of odds: text and cases of each, high to low.

    Every hand class; where all four suits matter, hands that differ in suits alone are
    listed once unless their odds differ.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> [text for text, _ in listed(get_game("mus-real-suits")) if "S" in text][-4:]
    ['S444', 'S44A', 'S4AA', 'SAAA']
    """
    all_hands = hands(game)
    if game.one_suit is None:
        return tuple(
            (text, simpler(game, cards))
            for text, cards in zip(all_hands.texts, all_hands.cards, strict=True)
        )
    found: dict[str, dict[frozenset[tuple[Case, int]], tuple[str, Mapping[Case, int]]]] = {}
    for i, (text, cards) in enumerate(zip(all_hands.texts, all_hands.cards, strict=True)):
        cases = simpler(game, cards)
        plain, _ = look(game, i)
        found.setdefault(plain, {}).setdefault(frozenset(cases.items()), (text, cases))
    return tuple(
        (text if len(kept) > 1 else plain, cases)
        for plain, kept in found.items()
        for text, cases in kept.values()
    )


def simpler(game: Game, me: Kinds, mate: Kinds | None = None, dead: Kinds = ()) -> Counter[Case]:
    """The cases of a question in which every suit that matters is known.

    A hand that must be shown and replaced counts as the hands that may be drawn, each
    with its ways. Those cards are dead then, and everybody knows it.

    Parameters
    ----------
    game : Game
    me, mate : tuple of int
        Kinds of the hands that are known.
    dead : tuple of int
        Kinds of the cards that nobody holds.

    Returns
    -------
    Counter of Case
        The weights of all the cases of a hand add up to the same, whatever the suits.
    """
    for i, cards in enumerate((me, mate)):
        if cards is not None and hands(game).index(cards) in shown_hands(game):
            return _after_exchange(game, me, mate, dead, i)
    return _final(game, me, mate, dead)


def _after_exchange(
    game: Game, me: Kinds, mate: Kinds | None, dead: Kinds, who: int
) -> Counter[Case]:
    """The cases after a player (0: me, 1: partner) has shown the hand and drawn another."""
    shown, other = (me, mate or ()) if who == 0 else (mate or (), me)
    dead = tuple(sorted((*dead, *shown)))
    cases: Counter[Case] = Counter()
    for drawn in hands(game).cards:
        ways = ways_to_hold(game, drawn, (*other, *dead))
        if not ways:
            continue
        if who == 0 and mate is not None and hands(game).index(mate) in shown_hands(game):
            found = _after_exchange(game, drawn, mate, dead, 1)
        else:
            found = _final(game, *((drawn, mate) if who == 0 else (me, drawn)), dead)
        for case, weight in found.items():
            cases[case] += ways * weight
    return cases


def _final(game: Game, me: Kinds, mate: Kinds | None, dead: Kinds) -> Counter[Case]:
    """The cases when the hands are those that will be played."""
    if game.one_suit is None:
        all_hands = hands(game)
        partner = None if mate is None else all_hands.index(mate)
        return Counter({Case(game, all_hands.index(me), partner, dead): 1})
    simple = hands(game.one_suit)
    cases: Counter[Case] = Counter()
    for kinds in _special(game, (me, mate or ()), dead):
        cases[
            Case(
                game.one_suit,
                simple.index(_mapped(kinds, me)),
                None if mate is None else simple.index(_mapped(kinds, mate)),
                _mapped(kinds, dead),
            )
        ] += 1
    number = cases.total()
    # Questions are put together with the same total weight each.
    each = lcm(number, len(game.real)) // number
    return Counter({case: n * each for case, n in cases.items()})


def look(game: Game, index: int) -> tuple[str, bool]:
    """What does not change when suits go by other names: the symbols, and whether it is real.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> game = get_game("mus-real-oros")
    >>> look(game, hands(game).index("7 7 7 So"))
    ('S777', True)
    """
    all_hands = hands(game)
    cards = all_hands.cards[index]
    plain = "".join(game.deck.kinds[k].symbol for k in cards)
    return plain, all_hands.juego_name(index) == "juego real"


def _mapped(kinds: Kinds, cards: Kinds) -> Kinds:
    return tuple(sorted(kinds[k] for k in cards))


def _special(game: Game, known: Sequence[Kinds], dead: Kinds) -> list[Kinds]:
    """For each suit that may decide, the kind of the simpler game that each kind is."""
    assert game.one_suit is not None
    of_suit = _one_suit(game)
    seen = {*dead, *(card for cards in known for card in cards)}
    shown = [kinds for three, kinds in of_suit if any(three <= {*cards} for cards in known)]
    if shown:
        return shown
    open_suits = [kinds for three, kinds in of_suit if not three & seen]
    if open_suits:
        return open_suits
    # Any suit does: take one whose special card is not in sight, so that hands that differ
    # in suits alone make one case.
    alone = {i for i, kind in enumerate(game.one_suit.deck.kinds) if len(kind.suits) == 1}
    return [
        min((kinds for _, kinds in of_suit), key=lambda kinds: sum(kinds[k] in alone for k in seen))
    ]


@lru_cache(maxsize=32)
def _one_suit(game: Game) -> tuple[tuple[frozenset[int], Kinds], ...]:
    """For each hand that is real: its three alike, and the kinds where its other is special."""
    assert game.one_suit is not None
    simple = game.one_suit.deck
    found = []
    for text in game.real:
        cards = game.deck.parse(text)
        symbols = Counter(game.deck.kinds[k].symbol for k in cards)
        [other] = [k for k in cards if symbols[game.deck.kinds[k].symbol] == 1]
        mapping = []
        for k, kind in enumerate(game.deck.kinds):
            alike = [i for i, plain in enumerate(simple.kinds) if plain.symbol == kind.symbol]
            special = [i for i in alike if len(simple.kinds[i].suits) == 1]
            rest = [i for i in alike if i not in special]
            mapping.append((special if k == other else rest)[0])
        found.append((frozenset(cards) - {other}, tuple(mapping)))
    return tuple(found)
