"""What players answer, made plain and checked: of a player of one's own nothing is taken on trust.

An answer may be of any type, and may fail when it is looked at. Whatever goes wrong is the
player's error, with its cause behind it; only Ctrl-C goes on as it is.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice

from musodds.errors import InputError
from musodds.playing.actions import MOST_BET, Action, Option, any_of
from musodds.playing.deal import NONE
from musodds.rules.game import Game
from musodds.rules.suits import text_of

Cards = tuple[int, ...]

_SHOWN = 60
"""Letters of an answer or of a cause that a message shows."""

_LONGEST = 200
"""Letters of an answer that is read: far more than there is to say."""


class PlayerError(InputError):
    """A player that answers what is not legal, or fails."""


class AnswerError(ValueError):
    """An answer that is none; without words, as the table has them."""


@contextmanager
def failing(what: str) -> Iterator[None]:
    """What a player's own program raises is its error: ``Bold: its say(view) raised ...``."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except PlayerError:
        raise
    except BaseException as error:
        raise PlayerError(f"{what} raised {cause(error)}") from error


def cause(error: BaseException) -> str:
    """An exception in a line.

    Examples
    --------
    >>> cause(KeyError("R")), cause(SystemExit())
    ("KeyError: 'R'", 'SystemExit')
    """
    said, name = shown(error, str), type(error).__name__
    return f"{name}: {said}" if said else name


def shown(what: object, show: Callable[[object], str] = repr) -> str:
    """What something looks like, in a line; of which not even that is sure to work.

    Examples
    --------
    >>> shown({"R": 2})
    "{'R': 2}"
    """
    try:
        text = " ".join(str.__str__(show(what)[: 10 * _SHOWN]).split())
    except KeyboardInterrupt:
        raise
    except BaseException:
        text = f"a {type(what).__name__}"
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def said_of(answer: object) -> str | Action:
    """Something said, made anew: a text, or an action of a word and whole stones.

    Raises
    ------
    AnswerError
        If it is neither.

    Examples
    --------
    >>> said_of("paso"), said_of(Action("envido", 5))
    ('paso', Action(word='envido', stones=5))
    """
    if isinstance(answer, str):
        return _text(answer)
    if not isinstance(answer, Action) or not isinstance(answer.word, str):
        raise AnswerError
    if isinstance(answer.stones, bool):
        raise AnswerError
    try:
        stones = int.__int__(operator.index(answer.stones))
    except TypeError:
        raise AnswerError from None
    if not 0 <= stones <= MOST_BET:
        raise AnswerError
    return Action(_text(answer.word), stones)


def cards_of(game: Game, answer: object, hand: str, counts: Sequence[int]) -> Cards:
    """The cards of an answer, so many of a hand.

    Raises
    ------
    AnswerError
        If it is none, or not of so many of these cards.
    InputError
        If the game has no such cards.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> cards_of(get_game("mus"), ["7", "A"], "RR7A", [1, 2, 3, 4])
    (3, 7)
    """
    if isinstance(answer, str):
        text = _text(answer)
    else:
        if hasattr(answer, "tolist"):
            answer = answer.tolist()
        if not isinstance(answer, Sequence) or isinstance(answer, bytes | bytearray):
            raise AnswerError
        some = list(islice(answer, max(counts) + 1))
        if any(isinstance(card, bool) for card in some):
            raise AnswerError
        text = text_of(game, [_text(one) if isinstance(one, str) else one for one in some])
    cards = () if text.strip() in ("", NONE) else game.deck.parse(text)
    if len(cards) not in counts or Counter(cards) - Counter(game.deck.parse(hand)):
        raise AnswerError
    return tuple(cards)


def _text(answer: str) -> str:
    """A text, also of a class of the player's own."""
    plain = str.__str__(answer)
    if len(plain) > _LONGEST:
        raise AnswerError
    return plain


def legal_words(options: Sequence[Option], may_leave: bool) -> str:
    """What may be said, with the most that can be bet."""
    bounded = [replace(o, most=MOST_BET) if o.most is None else o for o in options]
    return any_of(bounded) + (", or None (my partner answers)" if may_leave else "")


def legal_cards(counts: Sequence[int]) -> str:
    """How many cards may be thrown: *1, 2, 3 or 4 of these cards, as text or a list*."""
    texts = list(map(str, counts))
    numbers = " or ".join([", ".join(texts[:-1]), texts[-1]] if texts[1:] else texts)
    return f"{numbers} of these cards, as text or a list"
