"""Numbers as people type them: 1000000, 1e6, 1_000_000, 1,000,000 or 1000000.0."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from math import isfinite
from typing import Any

import click

_DIGITS = 19


class WholeNumber(click.ParamType):  # type: ignore[type-arg]
    """A whole number; ``low`` and ``high`` are looked at where they are given.

    Examples
    --------
    >>> WholeNumber()("1e6"), WholeNumber()("4000000.0"), WholeNumber()("1,000")
    (1000000, 4000000, 1000)
    """

    name = "integer"

    def __init__(self, low: int | None = None, high: int | None = None, *words: str) -> None:
        self.low, self.high, self.words = low, high, words

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, or one of the words that will do instead."""
        if isinstance(value, int) or value in self.words:
            return value
        if value.strip().lower() in self.words:
            return value.strip().lower()
        number = _number(value)
        if number is None:
            others = "".join(f", or {word}" for word in self.words)
            self.fail(
                f"{value!r} is not a whole number, such as 1000000 or 1e6{others}", param, ctx
            )
        if number.adjusted() >= _DIGITS:
            self.fail(f"{value!r} is too large", param, ctx)
        whole = int(number)
        if self.low is not None and whole < self.low:
            self.fail(f"{value!r} is too small: at least {self.low}", param, ctx)
        if self.high is not None and whole > self.high:
            self.fail(f"{value!r} is too large: at most {self.high}", param, ctx)
        return whole


class Real(click.ParamType):  # type: ignore[type-arg]
    """A finite number.

    Examples
    --------
    >>> Real()("0.01"), Real()("1e-3")
    (0.01, 0.001)
    """

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number."""
        if isinstance(value, float):
            return value
        try:
            number = float(value)
        except ValueError:
            number = float("nan")
        if not isfinite(number):
            self.fail(f"{value!r} is not a number, such as 0.01", param, ctx)
        return number


def _number(text: str) -> Decimal | None:
    """A decimal that is whole; None if the text is none."""
    plain = text.strip()
    if re.fullmatch(r"[+-]?\d{1,3}(,\d{3})+", plain):
        plain = plain.replace(",", "")
    if not re.fullmatch(r"[+-]?[0-9][0-9_]*(\.[0-9]*)?([eE][+-]?[0-9]{1,9})?", plain):
        return None
    try:
        number = Decimal(plain.replace("_", ""))
    except InvalidOperation:
        return None
    too_large = number.adjusted() >= _DIGITS
    return number if too_large or number == number.to_integral_value() else None
