"""The grammar of ranges: text to a tree, with the position of everything.

What the words mean is the business of :mod:`musodds.knowledge.words`; how a tree becomes
weights over hands, and the language itself, are described in :mod:`musodds.knowledge.language`. ::

    range       := alternative ( "|" alternative )*
    alternative := all-of ( "@" number )?
    all-of      := one ( "&" one )*
    one         := "!" one | "(" range ")" | PHASE compare operand | word

A word is whatever stands between two operators, spaces included, so that a hand may
be written ``R R 7 A``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from musodds.errors import RangeError
from musodds.rules.game import PHASES

COMPARISONS = (">=", "<=", "!=", ">", "<", "=")

_TOKEN = re.compile(
    r"\s*(?:(?P<operator>>=|<=|!=|[><=!&|()@])|(?P<word>[^\s><=!&|()@][^><=!&|()@]*))"
)
_DEEPEST = 50
_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Word:
    """A name, a hand or a pattern."""

    text: str
    position: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """A phase, how it compares, and with what."""

    phase: str
    operator: str
    operand: Word
    position: int


@dataclass(frozen=True, slots=True)
class Not:
    """The hands that are not in ``inner``."""

    inner: Node
    position: int


@dataclass(frozen=True, slots=True)
class AllOf:
    """Hands that are in every part."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Hands that are in some part, with the largest weight any part gives."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Weighted:
    """``inner`` with every weight multiplied."""

    inner: Node
    weight: Fraction


Node = Word | Comparison | Not | AllOf | AnyOf | Weighted


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    position: int
    is_word: bool


def range_error(text: str, position: int, problem: str) -> RangeError:
    """The error for something at a position (from 0) of a range's text."""
    return RangeError(f"range {text.strip()!r}, character {position + 1}: {problem}")


def parse(text: str) -> Node:
    """Read a range.

    Parameters
    ----------
    text : str

    Returns
    -------
    Word, Comparison, Not, AllOf, AnyOf or Weighted
        The tree; the words in it are not looked at yet.

    Raises
    ------
    RangeError
        If the text does not follow the grammar; the message names the character
        (counted from 1) where it goes wrong and what was expected there.

    Examples
    --------
    >>> parse("par & 31")
    AllOf(parts=(Word(text='par', position=0), Word(text='31', position=6)))
    >>> parse("(pares | 31")
    Traceback (most recent call last):
        ...
    musodds.errors.RangeError: range '(pares | 31', character 1: this ( is never closed
    """
    return _Parser(text).parse()


def _tokens(text: str) -> Iterator[_Token]:
    position = 0
    end = len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        assert match is not None, "the token pattern takes any character"
        is_word = match["word"] is not None
        found = "word" if is_word else "operator"
        yield _Token(match[found].rstrip(), match.start(found), is_word)
        position = match.end()


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(_tokens(text))
        self.next = 0
        self.depth = 0

    def parse(self) -> Node:
        if not self.tokens:
            raise RangeError("empty range: write any for every hand, or a range such as 'pares'")
        tree = self.any_of()
        if self.next < len(self.tokens):
            token = self.tokens[self.next]
            raise self.unexpected(token)
        return tree

    def error(self, position: int, problem: str) -> RangeError:
        return range_error(self.text, position, problem)

    def unexpected(self, token: _Token) -> RangeError:
        problem = f"unexpected {token.text!r}: join ranges with & (and) or | (or)"
        if token.text == ")":
            problem = "this ) closes nothing"
        elif token.text in ("&", "@"):
            problem = (
                f"{token.text} after a weight: a weight ends an alternative, "
                "as in (31 & pares)@0.7 | par@0.3"
            )
        elif token.text in COMPARISONS:
            problem = (
                f"{token.text} needs a phase before it and one thing after it, as in pares>=medias"
            )
        return self.error(token.position, problem)

    def peek(self, *operators: str) -> _Token | None:
        """The next token, if it is one of these operators."""
        if self.next < len(self.tokens):
            token = self.tokens[self.next]
            if not token.is_word and token.text in operators:
                return token
        return None

    def take(self, *operators: str) -> _Token | None:
        """The next token, now read, if it is one of these operators."""
        token = self.peek(*operators)
        if token is not None:
            self.next += 1
        return token

    def word(self, expected: str) -> _Token:
        if self.next >= len(self.tokens):
            raise self.error(len(self.text.rstrip()), f"the range ends where {expected} should be")
        token = self.tokens[self.next]
        if not token.is_word:
            raise self.error(token.position, f"{token.text!r} stands where {expected} should be")
        self.next += 1
        return token

    def any_of(self) -> Node:
        parts = [self.alternative()]
        while self.take("|"):
            parts.append(self.alternative())
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    def alternative(self) -> Node:
        inner = self.all_of()
        if not self.take("@"):
            return inner
        token = self.word("a weight")
        return Weighted(inner, self.weight(token))

    def weight(self, token: _Token) -> Fraction:
        match = re.fullmatch(
            r"([0-9]{1,15}(?:\.[0-9]*)?|\.[0-9]+)(?:/([0-9]{1,15})|\s*(%))?", token.text
        )
        if match is None:
            raise self.error(
                token.position,
                f"{token.text!r} is not a weight: write a number such as 0.7, 70% or 2/3",
            )
        if len(match[1].partition(".")[2]) > _DECIMALS:
            raise self.error(token.position, f"a weight has at most {_DECIMALS} decimals")
        weight = Fraction(match[1]) / (100 if match[3] else 1)
        if match[2]:
            if not int(match[2]):
                raise self.error(token.position, f"the weight {token.text} divides by zero")
            weight /= int(match[2])
        return weight

    def all_of(self) -> Node:
        parts = [self.one()]
        while self.take("&"):
            parts.append(self.one())
        return parts[0] if len(parts) == 1 else AllOf(tuple(parts))

    def one(self) -> Node:
        if bang := self.take("!"):
            return self.nested(bang, lambda: Not(self.one(), bang.position))
        if opened := self.take("("):
            return self.nested(opened, lambda: self.parenthesis(opened))
        word = self.word("a range")
        operator = self.take(*COMPARISONS)
        if operator:
            return self.comparison(word, operator)
        return Word(word.text, word.position)

    def nested(self, token: _Token, read: Callable[[], Node]) -> Node:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.error(token.position, f"more than {_DEEPEST} levels of ! and ( )")
        inner = read()
        self.depth -= 1
        return inner

    def parenthesis(self, opened: _Token) -> Node:
        inner = self.any_of()
        if not self.take(")"):
            if self.next < len(self.tokens):
                raise self.unexpected(self.tokens[self.next])
            raise self.error(opened.position, "this ( is never closed")
        return inner

    def comparison(self, word: _Token, operator: _Token) -> Node:
        phase = word.text.lower()
        if phase not in PHASES:
            raise self.error(
                word.position,
                f"{word.text!r} is not a phase: only {', '.join(PHASES)} can be compared",
            )
        operand = self.word("a hand or a play")
        return Comparison(phase, operator.text, Word(operand.text, operand.position), word.position)
