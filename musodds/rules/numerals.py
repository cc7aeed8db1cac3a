"""Whole numbers in text, of a length that is meant as a number."""

from __future__ import annotations

_DIGITS = 18


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
