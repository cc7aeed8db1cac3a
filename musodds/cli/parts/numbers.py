"""Numbers as people type them: 1000000, 1e6, 1_000_000, 1,000,000 or 1000000.0."""

from __future__ import annotations

from math import isfinite
from typing import Any

import click

from musodds.rules.numerals import read_whole

_TOO_LARGE = 10**19


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

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """``N`` in help, and the words that will do instead."""
        return "|".join(("N", *self.words))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, or one of the words that will do instead."""
        if isinstance(value, int) or value in self.words:
            return value
        if value.strip().lower() in self.words:
            return value.strip().lower()
        whole = read_whole(value)
        if whole is None:
            others = "".join(f", or {word}" for word in self.words)
            self.fail(
                f"{value!r} is not a whole number, such as 1000000 or 1e6{others}", param, ctx
            )
        if abs(whole) >= _TOO_LARGE:
            self.fail(f"{value!r} is too large", param, ctx)
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

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """``X`` in help."""
        return "X"

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
