"""Whole numbers in text, of a length that is meant as a number."""

from __future__ import annotations

import re

_DIGITS = 18

BEYOND = 10**100
"""What stands for every number of more than a hundred digits: no limit is as high."""


def numeral(text: str) -> int | None:
    """The whole number that a text is; None if it is none, or has more digits than any means.

    Python itself refuses to read thousands of digits, with an error that tells a user
    nothing; whoever calls this says what would be valid.

    Examples
    --------
    >>> numeral("32"), numeral("-1"), numeral("٣"), numeral("9" * 5000)
    (32, None, None, None)
    """
    digits = text.lstrip("0") or text[:1]
    is_number = text.isascii() and text.isdecimal()
    return int(digits) if is_number and len(digits) <= _DIGITS else None


def read_whole(text: str) -> int | None:
    """The whole number that is typed: 1000000, 1e6, 1_000_000, 1,000,000 or 1000000.0.

    None if it is none; :data:`BEYOND`, or its negative, if it has more than a hundred digits.

    Examples
    --------
    >>> read_whole("2.5e6"), read_whole("1,000,000"), read_whole("1,00"), read_whole("1.5")
    (2500000, 1000000, None, None)
    """
    from decimal import Decimal  # Half a millisecond that most questions do not need.

    plain = text.strip()
    if re.fullmatch(r"[+-]?\d{1,3}(,\d{3})+", plain, re.ASCII):
        plain = plain.replace(",", "")
    if not re.fullmatch(r"[+-]?[0-9][0-9_]*(\.[0-9]*)?([eE][+-]?[0-9]{1,9})?", plain):
        return None
    number = Decimal(plain.replace("_", ""))
    if number.adjusted() >= len(str(BEYOND)) - 1:
        return BEYOND if number > 0 else -BEYOND
    return int(number) if number == number.to_integral_value() else None
