"""Numbers as people type them, read in one place."""

import pytest

from musodds.rules.numerals import BEYOND, read_whole


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1e6", 10**6), ("4000000.0", 4 * 10**6), ("1_000", 1000), ("1,000,000", 10**6),
        ("2.5e3", 2500), ("-7", -7), (" 12 ", 12), ("+3", 3), ("1.5", None), ("1e", None),
        ("e6", None), ("", None), ("1,2", None), ("1,00", None), ("nan", None), ("٣", None),
        ("1e-1", None), ("1000e-3", 1), ("1" * 5000, BEYOND), ("-1e500", -BEYOND), ("0e99", 0),
    ],
)  # fmt: skip
def test_whole_numbers_as_they_are_typed(text, number):
    assert read_whole(text) == number
