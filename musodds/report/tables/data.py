"""A table before it is a DataFrame: named columns with their meaning, and arrays.

A command that prints or writes a table needs no pandas, which takes longer to import
than the table takes to make; `Data.to_frame` makes the DataFrame for those who want it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

KINDS = ("text", "label", "count", "chance", "change", "stones", "net", "flag")


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Parameters
    ----------
    name : str
    kind : str
        What its values are, and so their dtype and how people read them: ``text``,
        ``label`` (text of few values), ``count`` (integers), ``chance`` (a fraction of
        1), ``change`` (a difference of chances), ``stones``, ``net`` (stones with a
        sign) or ``flag`` (yes or no).
    about : str
        What it means, in a few words.
    title : str, optional
        Its heading in tables for people; the name by default.
    gaps : bool, optional
        Whether there may be no value.
    """

    name: str
    kind: str
    about: str
    title: str = ""
    gaps: bool = False

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"no kind of column {self.kind!r}: kinds are {', '.join(KINDS)}")

    @property
    def heading(self) -> str:
        return self.title or self.name

    @property
    def dtype(self) -> str:
        """The dtype in a DataFrame: text is ``str``, integers with gaps are ``Int64``."""
        if self.kind in ("text", "label"):
            return "str"
        if self.kind == "count":
            return "Int64" if self.gaps else "int64"
        return "bool" if self.kind == "flag" else "float64"


@dataclass(frozen=True, eq=False)
class Data:
    """A tidy table: one row per case, the same columns in every format.

    Attributes
    ----------
    name : str
        The name of the table, such as ``odds``.
    title : str
        One line for people.
    head : mapping of str to object
        What holds for all of it: ``game``, ``method``, ``n``, ``seed`` ...
    columns : tuple of Column
    values : mapping of str to ndarray
        One array per column, all of one length. A number that is not there is NaN.
    once : tuple of names and names, optional
        Columns (the second) that say the same in all rows that follow one another and agree
        in the first; in a DataFrame, where columns are added up, the first row has them alone.
    """

    name: str
    title: str
    head: Mapping[str, Any]
    columns: tuple[Column, ...]
    values: Mapping[str, NDArray[Any]] = field(repr=False)
    once: tuple[Sequence[str], Sequence[str]] = ((), ())

    def __post_init__(self) -> None:
        if [column.name for column in self.columns] != list(self.values):
            raise ValueError("the columns and the values of a table have different names")

    def __len__(self) -> int:
        return len(next(iter(self.values.values())))

    def where(self, chosen: NDArray[np.bool_]) -> Data:
        """The rows chosen."""
        values = {name: column[chosen] for name, column in self.values.items()}
        return Data(self.name, self.title, self.head, self.columns, values, self.once)

    def lists(self) -> Iterator[list[Any]]:
        """Every column as Python values, None where there is none."""
        for column in self.columns:
            array = self.values[column.name]
            values = array.tolist()
            if column.gaps:
                whole = column.kind == "count"
                values = [None if v != v else int(v) if whole else v for v in values]
            yield values

    def rows(self) -> list[dict[str, Any]]:
        """One dict per row."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in zip(*self.lists(), strict=True)]

    def to_frame(self) -> pd.DataFrame:
        """The table as a DataFrame with the dtypes of the columns."""
        import pandas as pd

        dtypes: Any = {column.name: column.dtype for column in self.columns}
        values = dict(self.values)
        if self.once[0] and len(self):
            alike = np.ones(len(self) - 1, dtype=bool)
            for name in self.once[0]:
                alike &= values[name][1:] == values[name][:-1]
            again = np.concatenate(([False], alike))
            values |= {name: np.where(again, np.nan, values[name]) for name in self.once[1]}
        return pd.DataFrame(values).astype(dtypes)


def texts(values: Iterable[str]) -> NDArray[Any]:
    """An array of text, as the columns of a table hold it."""
    return np.array(list(values), dtype=object)
