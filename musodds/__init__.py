"""musodds: exact odds, simulation and advice for Mus.

Two engines, one answer. Everything before a discard is a finite count: it is counted,
and the result is a ratio of integers (``method: exact``). What happens through discards
is simulated, and carries its standard error, sample size and seed (``method:
monte-carlo``).

>>> import musodds as mo
>>> result = mo.odds("RR7A", seat=1)
>>> result.method, round(result.net(1), 3)
('exact', 1.162)

What is known of the others' hands is taken into account exactly:

>>> wink = mo.odds("RR7A", seat=1, knowledge=mo.know(partner="seña:31"))
>>> round(wink.net(1), 3)
3.539
"""

from __future__ import annotations

from typing import Any

import lazy_loader

# Names are loaded when first used: a question costs only the start-up it needs. Which there
# are stands in ``__init__.pyi``, beside this file.
_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

_RENAMED = {
    "losers": "encaje_losers",
    "read": "read_others",
    "settle": "encaje_settle",
    "throw_advice": "encaje_throw_advice",
    "throws": "encaje_throws",
}
"""Names of before 1.0, which did not say what they are for."""


def __getattr__(name: str) -> Any:
    if name in _RENAMED:
        from warnings import warn

        warn(f"mo.{name} is called mo.{_RENAMED[name]}", DeprecationWarning, stacklevel=2)
        name = _RENAMED[name]
    return _load(name)
