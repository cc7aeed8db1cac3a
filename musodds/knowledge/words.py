"""What one word of a range means: hands, patterns, plays and comparisons.

Every function takes the hands of a game and gives the hands meant as an array of
bool over the classes, or None if the word is not of its sort. Problems are raised as
:class:`musodds.errors.RangeError` without a position; :mod:`musodds.knowledge.language` adds it.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import product

import numpy as np

from musodds.arrays import Mask
from musodds.errors import CardError, RangeError
from musodds.knowledge.signals import GESTURES, SYSTEMS
from musodds.rules.cards import CARDS, read_cards
from musodds.rules.hands import PARES_NAMES, Hands

_TYPES = {name: i for i, name in enumerate(PARES_NAMES) if i}

PLAYS = ("any", "pares", *_TYPES, "juego", "real", "punto")

_EXAMPLES = "a hand (RR7A), a pattern (RR??), a play (pares, duples:RA, 31) or a signal (seña:31)"


def word_mask(hands: Hands, word: str, *, as_named: bool = False) -> Mask:
    """The hands that a word means (signals and names of the user's excepted).

    Parameters
    ----------
    hands : Hands
    word : str
        A hand, a pattern, a play or a total.
    as_named : bool, optional
        Whether a hand or a pattern, too, is of the cards as their jokers may be named.

    Returns
    -------
    ndarray of bool, shape (classes,)

    Raises
    ------
    RangeError
        If the word means nothing in this game.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> from musodds.rules.hands import hands
    >>> mus = hands(get_game("mus"))
    >>> int(word_mask(mus, "RR??").sum()), int(word_mask(mus, "RR..").sum())
    (36, 28)
    """
    # Plays are of the cards as they may be named, patterns of the cards as dealt.
    for meaning in (_play, _ranked_play, _total, *((_pattern,) if as_named else ())):
        mask = meaning(hands.named, word.strip())
        if mask is not None:
            return hands.if_named(mask)
    mask = _pattern(hands, word.strip())
    if mask is not None:
        return mask
    raise RangeError(_unknown(word.strip()))


def comparison_mask(hands: Hands, phase: str, operator: str, operand: str) -> Mask:
    """The hands that take part in a phase and compare so with a hand or a play.

    A play stands for all levels of the hands that make it: ``>=`` is not below its
    lowest, ``>`` above its highest, ``=`` among them.

    Raises
    ------
    RangeError
        If the operand is no hand or play of that phase.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> from musodds.rules.hands import hands
    >>> mus = hands(get_game("mus"))
    >>> better = comparison_mask(mus, "juego", ">", "40")
    >>> sorted(set(mus.points[better].tolist()))
    [31, 32]
    """
    takes_part = hands.level[phase] > 0
    if phase == "punto" and re.fullmatch(r"[4-9]|[12]\d|30", operand):
        # Totals that no hand has are numbers all the same.
        strength, low, high = hands.points, int(operand), int(operand)
    else:
        mask = _operand(hands, phase, operand) & takes_part
        if not mask.any():
            raise RangeError(f"{operand!r} takes no part in {phase}: compare with a hand that does")
        strength = hands.level[phase]
        low, high = int(strength[mask].min()), int(strength[mask].max())
    among = (strength >= low) & (strength <= high)
    found: Mask = {
        ">=": strength >= low,
        ">": strength > high,
        "<=": strength <= high,
        "<": strength < low,
        "=": among,
        "!=": ~among,
    }[operator]
    return found & takes_part


def _operand(hands: Hands, phase: str, operand: str) -> Mask:
    mask: Mask | None = None
    valid = "a hand such as RR7A"
    if phase == "pares":
        valid = "par, medias, duples (with ranks: par:R, duples:RA) or a hand such as RR7A"
        name = operand.lower().partition(":")[0].strip()
        if name in _TYPES:
            mask = word_mask(hands, operand)
    elif phase in ("juego", "punto"):
        some = "31, 32, 40 or real" if phase == "juego" else "30 or 27"
        valid = f"a total such as {some}, or a hand such as RR7A"
        mask = _total(hands, operand)
        if phase == "juego" and operand.lower() == "real":
            mask = _play(hands, operand)
    if mask is None and not re.search(r"[?.]|^\d{1,2}$", operand):
        mask = _pattern(hands, operand)
    if mask is None:
        raise RangeError(f"{phase} cannot be compared with {operand!r}: write {valid}")
    return mask


def _play(hands: Hands, word: str) -> Mask | None:
    name = word.lower()
    if name == "any":
        return np.ones(len(hands), dtype=bool)
    if name in ("pares", "juego", "punto"):
        takes_part: Mask = hands.level[name] > 0
        return takes_part
    if name in _TYPES:
        made: Mask = hands.pares_type == _TYPES[name]
        return made
    if name == "real":
        if not hands.game.real:
            raise RangeError(f"there is no juego real in {hands.game.name}")
        real = {hands.game.deck.parse(text) for text in hands.game.real}
        return np.array([cards in real for cards in hands.cards])
    return None


def _ranked_play(hands: Hands, word: str) -> Mask | None:
    """Plays with ranks or a total: par:R, medias:A, duples:RA, pares:R, juego:31."""
    name, colon, rest = (part.strip() for part in word.partition(":"))
    name = name.lower()
    if not colon or name not in ("pares", *_TYPES, "juego", "punto"):
        return None
    if name in ("juego", "punto"):
        total = _total(hands, rest)
        if total is None:
            raise RangeError(f"{word!r}: after {name}: comes a total, such as {name}:{_SOME[name]}")
        return total & (hands.level[name] > 0)
    play = _play(hands, name)
    assert play is not None, "pares and its types are plays"
    most = 2 if name == "duples" else 1
    try:
        symbols = [card.symbol for card in read_cards(rest)]
    except CardError as error:
        raise RangeError(str(error)) from None
    if not 1 <= len(symbols) <= most:
        ranks = "one rank, or two" if most == 2 else "one rank"
        raise RangeError(f"{word!r}: {name}: takes {ranks}, such as {name}:{'RA'[:most]}")
    return play & _pairs_of(hands, symbols)


_SOME = {"juego": "31", "punto": "30"}


def _pairs_of(hands: Hands, symbols: list[str]) -> Mask:
    """Hands with a pair of each of these; twice the same asks for four alike."""
    deck = hands.game.deck
    mask = np.ones(len(hands), dtype=bool)
    for symbol, times in Counter(deck.folds.get(s, s) for s in symbols).items():
        alike = [i for i, kind in enumerate(deck.kinds) if kind.symbol == symbol]
        if not alike:
            raise RangeError(f"{hands.game.name} has no card {symbol}")
        mask &= hands.counts[:, alike].sum(axis=1) >= 2 * times
    return mask


def _total(hands: Hands, word: str) -> Mask | None:
    """Hands whose points are this total; ``31`` is juego, ``30`` punto."""
    if not re.fullmatch(r"\d{1,2}", word):
        return None
    mask: Mask = hands.points == int(word)
    if not mask.any():
        totals = sorted(set(hands.points.tolist()))
        missing = [n for n in range(totals[0], totals[-1]) if n not in totals]
        but = f" but {' and '.join(map(str, missing))}" if missing else ""
        raise RangeError(f"no hand totals {word}: totals are {totals[0]} to {totals[-1]}{but}")
    return mask


def _pattern(hands: Hands, word: str) -> Mask | None:
    """A hand, or cards with ``?`` (any card) and ``.`` (a card of another kind)."""
    cards_text = re.sub(r"[?.]", " ", word)
    game = hands.game
    try:
        named = read_cards(cards_text, game.deck.suits_matter)
        options = [game.deck.kinds_of(card) for card in named]
    except CardError as error:
        if not _looks_like_cards(word):
            return None
        raise RangeError(str(error)) from None
    missing = [card.symbol for card, kinds in zip(named, options, strict=True) if not kinds]
    if missing:
        raise RangeError(f"{game.name} has no card {missing[0]}")
    others = word.count(".")
    number = len(named) + others + word.count("?")
    if number != CARDS:
        raise RangeError(_wrong_number(word, cards_text, number))
    mask = np.zeros(len(hands), dtype=bool)
    for kinds in set(product(*options)):
        least = np.bincount(np.array(kinds, dtype=np.int64), minlength=len(game.deck.kinds))
        mask |= (hands.counts >= least).all(axis=1)
    own = sorted({kind for kinds in options for kind in kinds})
    mask &= CARDS - hands.counts[:, own].sum(axis=1) >= others
    if not mask.any():
        for kinds in set(product(*options)):
            try:
                game.deck.check(kinds)
            except CardError as error:
                raise RangeError(str(error)) from None
    return mask


def _wrong_number(word: str, cards_text: str, number: int) -> str:
    cards = "".join(cards_text.split())
    problem = f"{word!r} has {number} card{'s' * (number != 1)} and a hand has {CARDS}"
    if number > CARDS or not cards:
        return f"{problem}: ? is any card, . a card of another kind, as in RR?? and RR.."
    rest = CARDS - len(cards)
    return (
        f"{problem}: write {cards}{'?' * rest} for at least these cards, "
        f"{cards}{'.' * rest} for no more of their kinds"
    )


def _looks_like_cards(word: str) -> bool:
    """Whether a word that is no hand was meant as one: nearly all of it is cards."""
    if _close(word):
        return False
    letters = re.sub(r"[\s,\-?.]", "", word).upper()
    cards = sum(letter in "RCSKQJ0987654321A" for letter in letters)
    return "?" in word or "." in word or (len(letters) in (3, 4, 5) and cards >= len(letters) - 1)


def _close(word: str) -> str:
    from difflib import get_close_matches

    name = word.lower().partition(":")[0].strip()
    return next(iter(get_close_matches(name, PLAYS, n=1, cutoff=0.6)), "")


def _unknown(word: str) -> str:
    parts = re.split(r"[\s,]+", word)
    if len(parts) > 1 and parts[0].lower() in (*PLAYS, "not", "no"):
        return f"{word!r} is several words: join ranges with & (and) or | (or), negate with !"
    close = _close(word)
    name, colon, _ = word.lower().partition(":")
    if colon and close == name.strip():
        return f"{word!r}: {close} takes nothing after a colon"
    signal = "" if close else _signal(name.strip())
    if signal:
        close = f"seña:{signal}"
    meant = f"did you mean {close}?" if close else f"write {_EXAMPLES}"
    return f"{word!r} means nothing here: {meant}"


def _signal(name: str) -> str:
    """The signal that somebody means who names it, or the gesture, alone."""
    named = {signal.name for signals in SYSTEMS.values() for signal in signals}
    return name if name in named else GESTURES.get(name, "")
