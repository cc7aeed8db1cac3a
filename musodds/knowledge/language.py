"""Ranges: sets of hands in text, with weights where they are needed.

The language
============

Hands and patterns
    ``RR7A``
        that hand; ``3`` and ``2`` are kings and aces in the eight-king game.
    ``RR??``
        **at least** these cards: ``?`` is any card, so two, three or four kings.
    ``RR..``
        **exactly** these: ``.`` is a card of a kind that is not named, so two kings
        and no more. Both may be mixed: ``RR.?`` is two or three kings.

Plays
    ``pares`` ``par`` ``medias`` ``duples`` ``juego`` ``punto``
        ``par`` is a pair and nothing more; ``punto`` is a hand without juego;
        ``real`` is juego real, in the games that have it.
    ``31`` ``32`` ``40`` … and ``30`` ``29`` …
        the total of the cards: juego from 31, punto up to 30.
    ``par:R`` ``medias:A`` ``duples:RA`` ``duples:R`` ``pares:R``
        pares of those ranks: ``duples:R`` are kings and any other pair,
        ``duples:RR`` four kings, ``pares:R`` any pares with a pair of kings in it.

Comparisons
    ``grande>=RRCS`` ``chica>AA47`` ``pares>=medias`` ``juego>=36`` ``punto<28``
        a phase, one of ``>= > <= < = !=``, and a hand or a play of that phase.
        Better is greater: ``chica>AA47`` is a *better* chica, and juegos are in the
        game's order (31, 32, 40, 37, 36 …). Only strength is compared: hands of equal
        strength are equal whatever their seats, so what beats yours from the seats
        before you is ``>=`` and from the seats after you ``>``. A play stands for all
        hands that make it: ``pares>medias`` is duples. Only hands that take part are
        compared: ``pares<medias`` is a par (``pares<medias | !pares`` for the rest).

Jokers
    Where the deck has jokers, a hand has a play, and compares so, if it can with its
    jokers named as some king or ace: ``duples & 31`` holds three kings and a joker,
    though it never is both at once. ``!31`` are the hands that cannot be 31. Hands and
    patterns are of the cards as dealt: ``RR??`` are two kings, ``**??`` both jokers.
    In a comparison the hand is written with what the joker is named. A sign says what the
    hand can be named, cards too: two kings (``seña:dos-reyes``) are also ``*R76`` and
    ``**76``, and who signs nothing (``ciego``) can be named none of it. All this is of the
    hand as dealt, whatever it is named in the end; only what is declared before the betting
    binds that (:mod:`musodds.knowledge.knowledge`).

Signals
    ``seña:31`` ``sena:dos-reyes`` ``seña:federation:medias``
        the hands of which the sign is true; see :mod:`musodds.knowledge.signals`.

Together
    ``any``, ``!a`` (not), ``a & b`` (both), ``a | b`` (either), parentheses. ``!``
    binds tightest, then comparisons, ``&``, ``@`` and ``|``.

Weights
    ``31@0.7 | pares@0.3``
        ``@`` multiplies the weights of one alternative (a number, a percentage or a
        fraction). **A weight belongs to each hand, not to the set**: it says how
        often a player who *was dealt* this hand would have it now. A hand in several
        alternatives takes the *largest* weight: above, a 31 with pares counts 0.7.
        ``&`` multiplies weights; ``!`` asks for a set without weights. Only ratios
        matter: ``31@7 | pares@3`` is the same range.

Names
    any name given in ``names`` (in the command line: a file of lines ``name = range``).

A range is a prior, before cards are removed
============================================

Each hand counts its weight times the ways to deal it *from the cards that are left*,
and the ranges of several players hold jointly: cards that one holds are gone for the
others. With two kings and two aces in your hand, ``RR..`` in a rival's hand is rarer
than the number of its hands suggests, and it is rarer again if your partner is known
to have kings:

>>> from musodds.rules.games import get_game
>>> mus = get_game("mus")
>>> kings = parse_range("RR..", mus)
>>> round(float(kings.chance()), 4)
0.152
>>> round(float(kings.chance(gone="RRAA")), 4)
0.1108
>>> round(float(kings.chance(gone="RRAARRRC")), 4)
0.0339
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from musodds.errors import RangeError
from musodds.knowledge.grammar import (
    AllOf,
    AnyOf,
    Comparison,
    Node,
    Not,
    Weighted,
    Word,
    parse,
    range_error,
)
from musodds.knowledge.range import Range, Values, from_values, no_values
from musodds.knowledge.signals import Signal, find_signal
from musodds.knowledge.words import PLAYS, comparison_mask, word_mask
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game
from musodds.rules.hands import Hands, hands
from musodds.rules.suits import text_of

_SIGNAL = ("seña", "sena")


def parse_range(
    text: str | Sequence[str] | Range,
    game: str | Game = "mus",
    names: Mapping[str, str] | None = None,
) -> Range:
    """Read a range; the language is described at the top of :mod:`musodds.knowledge.language`.

    Parameters
    ----------
    text : str, sequence of str or Range
        A Range is returned as it is; a list of cards is that hand.
    game : str or Game, optional
    names : mapping of str to str, optional
        Ranges of the user's own, by name.

    Raises
    ------
    RangeError
        If it cannot be read (the message names the character), no hand is in it, or
        its weights are too fine to count exactly.

    Examples
    --------
    >>> parse_range("pares & !juego").classes.size
    173
    >>> parse_range("juego>=40 & RR..").hands[:3]
    ('RRCC', 'RRCS', 'RRCA')
    >>> parse_range("pares & jueg")
    Traceback (most recent call last):
        ...
    musodds.errors.RangeError: range 'pares & jueg', character 9: 'jueg' means nothing here: \
did you mean juego?
    """
    game = get_game(game)
    if isinstance(text, Range):
        if text.game != game:
            raise RangeError(f"range {text.text!r} is of {text.game.name}, not of {game.name}")
        return text
    words = text_of(game, text)
    values = _Reader(hands(game), names or {}).read(words)
    return from_values(game, words.strip(), values)


def signal_range(signal: Signal, game: str | Game = "mus") -> Range:
    """The hands of which a sign is true; with jokers, of what they may be named.

    Parameters
    ----------
    signal : Signal
    game : str or Game, optional

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> game = get_game("mus-ten-kings")
    >>> two_kings = find_signal("dos-reyes", game)
    >>> signal_range(two_kings, game).classes.size, parse_range("RR..", game).classes.size
    (99, 36)
    """
    game = get_game(game)
    return from_values(
        game, f"seña:{signal.name}", _Reader(hands(game), {}).sign(signal.range_text)
    )


def range_of(
    weights: Mapping[str, Fraction | int | float], game: str | Game = "mus", text: str = "given"
) -> Range:
    """A range from weights of hands; floats are read as decimals, to six of them.

    Parameters
    ----------
    weights : mapping of str to number
        Weight of each hand, not negative; hands that are not named weigh 0.
    game : str or Game, optional
    text : str, optional
        What to call it in messages.

    Raises
    ------
    RangeError
        If a weight is negative, or all are 0.
    CardError
        If a hand is not one of the game.

    Examples
    --------
    >>> range_of({"RRAA": 0.5, "RR7A": 0.25}).weight("AARR")
    Fraction(1, 2)
    """
    game = get_game(game)
    all_hands = hands(game)
    values = no_values(len(all_hands))
    for hand, weight in weights.items():
        exact = Fraction(f"{weight:.6f}") if isinstance(weight, float) else Fraction(weight)
        if exact < 0:
            raise RangeError(f"range {text!r}: the weight of {hand} is negative")
        values[all_hands.index(hand)] = exact
    return from_values(game, text, values)


def named_ranges(lines: str, game: str | Game = "mus", source: str = "ranges") -> dict[str, str]:
    """Read ranges with names: lines ``name = range``; ``#`` starts a comment.

    Parameters
    ----------
    lines : str
    game : str or Game, optional
        Game that the ranges are tried on.
    source : str, optional
        What to call the text in messages, such as a file's name.

    Raises
    ------
    RangeError
        If a line cannot be read; the message names the line.

    Examples
    --------
    >>> named_ranges("good = duples | 31\\nnone = !pares & !juego  # nothing")
    {'good': 'duples | 31', 'none': '!pares & !juego'}
    """
    found: dict[str, str] = {}
    for number, line in enumerate(lines.splitlines(), start=1):
        name, equals, text = line.partition("#")[0].partition("=")
        name = name.strip().lower()
        if not name and not equals:
            continue
        where = f"{source}, line {number}"
        if not equals or not text.strip() or not name.replace("-", "").isidentifier():
            raise RangeError(f"{where}: {line.strip()!r} is not a line such as: good = duples | 31")
        if name in (*PLAYS, *PHASES, *_SIGNAL) or _is_word(name, game):
            raise RangeError(f"{where}: {name!r} already means something: take another name")
        if name in found:
            raise RangeError(f"{where}: {name!r} is there twice")
        found[name] = text.strip()
    for name, text in found.items():
        try:
            parse_range(text, game, found)
        except RangeError as error:
            raise RangeError(f"{source}, {name}: {error}") from None
    return found


def _is_word(name: str, game: str | Game) -> bool:
    try:
        word_mask(hands(get_game(game)), name)
    except RangeError:
        return False
    return True


class _Reader:
    """Turns trees into weights (fractions) over the classes of a game."""

    def __init__(self, all_hands: Hands, names: Mapping[str, str]) -> None:
        self.hands = all_hands
        self.names = {name.lower(): text for name, text in names.items()}
        self.open: list[str] = []
        self.signing = False

    def read(self, text: str) -> Values:
        tree = parse(text)
        return self.values(tree, text)

    def values(self, node: Node, text: str) -> Values:
        match node:
            case Word():
                return self.word(node, text)
            case Comparison():
                return self.comparison(node, text)
            case Not(inner, position):
                values = self.values(inner, text)
                if any(value not in (0, 1) for value in values):
                    raise range_error(text, position, "! needs hands without weights")
                complement: Values = 1 - values
                return complement
            case AllOf(parts):
                return reduce(np.multiply, (self.values(part, text) for part in parts))
            case AnyOf(parts):
                return reduce(np.maximum, (self.values(part, text) for part in parts))
            case Weighted(inner, weight):
                product: Values = self.values(inner, text) * weight
                return product

    def word(self, word: Word, text: str) -> Values:
        first, colon, rest = (part.strip() for part in word.text.partition(":"))
        try:
            if colon and first.lower() in _SIGNAL:
                return self.sign(find_signal(rest, self.hands.game).range_text)
            if word.text.lower() in self.names:
                return self.named(word.text.lower())
            return self.fractions(word_mask(self.hands, word.text, as_named=self.signing))
        except RangeError as error:
            raise range_error(text, word.position, str(error)) from None

    def sign(self, range_text: str) -> Values:
        """What a sign means: cards in it are of the hand as it may be named."""
        self.signing = True
        values = self.read(range_text)
        self.signing = False
        return values

    def comparison(self, node: Comparison, text: str) -> Values:
        try:
            mask = comparison_mask(self.hands, node.phase, node.operator, node.operand.text)
        except RangeError as error:
            raise range_error(text, node.operand.position, str(error)) from None
        return self.fractions(mask)

    def named(self, name: str) -> Values:
        if name in self.open:
            raise RangeError(f"{name!r} is defined by itself")
        self.open.append(name)
        values = self.read(self.names[name])
        self.open.pop()
        return values

    def fractions(self, mask: NDArray[np.bool_]) -> Values:
        values = no_values(len(self.hands))
        values[mask] = Fraction(1)
        return values
