"""Results are values: equal by content, pickled and copied, short in print, tables in notebooks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, astuple, fields
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

_WIDEST = 48
"""Characters of a field in a repr."""

_LONGEST = 190
"""Characters of a whole one."""


class Value:
    """A frozen dataclass that is what its fields are, arrays among them.

    Two are equal if their fields are, entry for entry; NaN equals NaN. A copy, also one
    that comes out of a pickle or another process, is made by the constructor: it is
    checked again, and what was only kept to be quick is left behind.

    Examples
    --------
    >>> import copy
    >>> from musodds.knowledge.language import parse_range
    >>> some = parse_range("RR??")
    >>> some
    Range(mus, text='RR??', weights=int64[330])
    >>> copy.deepcopy(some) == some == parse_range("RR.. | RRR?") != parse_range("31")
    True
    """

    def __eq__(self, other: object) -> bool:
        if other is self:
            return True
        if type(other) is not type(self):
            return NotImplemented
        return all(map(same, _fields(self).values(), _fields(other).values()))

    def __hash__(self) -> int:
        plain = (value for value in _fields(self).values() if isinstance(value, str))
        return hash((type(self).__name__, *plain))

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _made, (type(self), _fields(self))

    def __repr__(self) -> str:
        defaults = {one.name: one.default for one in fields(self)}  # type: ignore[arg-type]
        parts = [
            _short(value) if name == "game" else f"{name}={_short(value)}"
            for name, value in _fields(self).items()
            if defaults[name] is MISSING or not same(defaults[name], value)
        ]
        text = ", ".join(parts)
        if len(text) > _LONGEST - len(type(self).__name__):
            text = text[: _LONGEST - len(type(self).__name__)] + " …"
        return f"{type(self).__name__}({text})"


class Table(Value):
    """A value with rows, which is a table in a notebook."""

    beside: ClassVar[tuple[str, ...]] = ("method",)
    """What else is said in front of the rows, where answers to many questions are one frame."""

    def rows(self) -> Iterable[Mapping[str, Any]]:
        """One dict per row."""
        raise NotImplementedError

    def records(self, *given: Any, **options: Any) -> Iterable[Mapping[str, Any]]:
        """The rows as a frame has them: what is of several rows stands on the first alone."""
        return self.rows(*given, **options)

    def to_frame(self, *given: Any, **options: Any) -> pd.DataFrame:
        """The rows as a DataFrame; what is missing is NaN; options are those of `rows`."""
        import pandas as pd

        frame = pd.DataFrame(list(self.records(*given, **options)))
        missing = [name for name in frame if frame[name].isna().all()]
        return frame.astype(dict.fromkeys(missing, "float64"))

    def _repr_html_(self) -> str:
        table: str = self.to_frame().to_html(max_rows=60, index=False, float_format="{:.4g}".format)
        return table


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal, arrays entry by entry."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return (
            isinstance(one, np.ndarray)
            and isinstance(other, np.ndarray)
            and one.shape == other.shape
            and bool(((one == other) | ((one != one) & (other != other))).all())
        )
    if isinstance(one, Mapping):
        return (
            isinstance(other, Mapping)
            and one.keys() == other.keys()
            and all(same(value, other[key]) for key, value in one.items())
        )
    if isinstance(one, tuple | list):
        return (
            isinstance(other, tuple | list)
            and len(one) == len(other)
            and all(map(same, one, other))
        )
    return bool(one == other or (one != one and other != other))


def _fields(value: Any) -> dict[str, Any]:
    return {one.name: getattr(value, one.name) for one in fields(value)}


def _made(kind: type[Value], values: dict[str, Any]) -> Value:
    """As pickle and copy call it."""
    return kind(**values)


def _short(value: Any) -> str:
    """What a field is, in a few letters: an array its shape, a game its name."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}"
    name = getattr(value, "name", None)
    if isinstance(value, Value) and isinstance(name, str):
        return name
    labels = getattr(value, "labels", None)
    if isinstance(value, Value) and labels is not None:
        text = "; ".join(labels) or "nothing"
    elif isinstance(value, Mapping):
        text = "{" + ", ".join(map(str, value)) + "}"
    elif isinstance(value, tuple | list) and value and isinstance(value[0], np.ndarray | Value):
        text = f"{len(value)} × {type(value[0]).__name__}"
    else:
        text = repr(value)
    return text if len(text) <= _WIDEST else text[: _WIDEST - 2] + " …"


def written(value: Any) -> str:
    """All of a dataclass as text, which tells it from any other of its kind."""
    return repr(astuple(value))


def told(value: object, *names: str) -> dict[str, Any]:
    """Some fields of a value under their own names, as rows and reports say them."""
    return {name: getattr(value, name) for name in names}


def once(
    rows: Iterable[Mapping[str, Any]], by: Sequence[str], names: Iterable[str]
) -> list[dict[str, Any]]:
    """Rows in which some values stand on the first alone of those that agree in ``by``.

    So their columns add up to what they should.

    Examples
    --------
    >>> both = {"seat": 1, "net": 2.0}
    >>> once([both, both, {"seat": 2, "net": 1.0}], ["seat"], ["net"])
    [{'seat': 1, 'net': 2.0}, {'seat': 1, 'net': None}, {'seat': 2, 'net': 1.0}]
    """
    found: list[dict[str, Any]] = []
    blank, last = dict.fromkeys(names), None
    for row in rows:
        here = [row[name] for name in by]
        found.append({**row, **blank} if here == last else {**row})
        last = here
    return found
