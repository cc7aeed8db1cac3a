"""What a simulation is given: how many deals or how fine, the seed, and the workers."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from musodds.errors import InputError
from musodds.rules.numerals import read_whole
from musodds.simulation.runner import available_cores

MAX_SEED = 2**63 - 1
MAX_N = 10**12
MAX_WORKERS = 256
MAX_ROUNDS = 100
"""Rounds of mus after which a deal is played as it is."""

_SHOWN = 40


class Given(NamedTuple):
    """What was given, checked.

    Attributes
    ----------
    n : int or None
        Deals, if their number is fixed.
    target_se : float or None
        Otherwise the standard error to go on to.
    seed, workers : int
    """

    n: int | None
    target_se: float | None
    seed: int
    workers: int


def given(
    n: Any = None,
    target_se: float | None = None,
    seed: Any = 1,
    workers: Any = 1,
    *,
    least: int = 2,
    most: int = MAX_N,
    errors: tuple[float, float] = (1e-6, 0.5),
    unit: str = "",
) -> Given:
    """Check what a simulation is given.

    Parameters
    ----------
    n, target_se : optional
        One of them, or none.
    seed : optional
    workers : optional
        None: one for each core.
    least, most : int, optional
        The fewest and the most deals.
    errors : tuple of float, optional
        The least and the highest standard error that may be asked for.
    unit : str, optional
        Of the standard error.

    Raises
    ------
    InputError
        If one of them is not possible.

    Examples
    --------
    >>> given(4e6, seed="7")
    Given(n=4000000, target_se=None, seed=7, workers=1)
    """
    if n is not None and target_se is not None:
        raise InputError(
            "give either n or target_se, not both: n and target_se are two rules for when to stop"
        )
    if target_se is not None and not errors[0] <= target_se <= errors[1]:
        raise InputError(
            f"target_se is {target_se}: it must be from {errors[0]:f}".rstrip("0")
            + f" to {errors[1]:g}{unit and f' {unit}'}"
        )
    return Given(
        None if n is None else whole("n", n, least, most),
        target_se,
        whole("seed", seed, 0, MAX_SEED),
        available_cores() if workers is None else whole("workers", workers, 1, MAX_WORKERS),
    )


def whole(name: str, value: Any, least: int, most: int) -> int:
    """A whole number from least to most, also given as ``4e6`` or ``"1_000_000"``.

    Raises
    ------
    InputError
        If it is another number, or none.

    Examples
    --------
    >>> whole("n", "1e6", 2, MAX_N), whole("n", 4000000.0, 2, MAX_N)
    (1000000, 4000000)
    """
    number = _number(value)
    if number is None or not least <= number <= most:
        raise InputError(
            f"{name} is {short(value)}: it must be a whole number from {least} to {_power(most)}"
        )
    return number


def _number(value: Any) -> int | None:
    if isinstance(value, str):
        return read_whole(value)
    if isinstance(value, float | np.floating):
        return int(value) if float(value).is_integer() else None
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        return None
    return int(value)


def short(value: Any) -> str:
    """How a value is named in a message; Python writes out no number of 4,300 digits."""
    if isinstance(value, int) and abs(value) >= 10**_SHOWN:
        return f"a number of {int(value.bit_length() * 0.30103) + 1} digits"
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _SHOWN else f"{text[:20]}… of {len(text)} characters"


def _power(number: int) -> str:
    if number == MAX_SEED:
        return "2^63 - 1"
    zeros = len(str(number)) - 1
    return f"10^{zeros}" if zeros > 4 and number == 10**zeros else str(number)
