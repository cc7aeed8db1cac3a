"""Many questions at once: a table with a question in each row, its answers as one frame.

The functions that answer one question take many in place of the hand: a DataFrame, a
mapping of columns, or a sequence of mappings, one a row. A column is named as the argument
that it stands for, and so are those of :func:`musodds.knowledge.knowledge.know`; a cell
that is empty (None, NaN, ``""``) says nothing, and other columns are the caller's own.
Every row is asked as one question is, so the answers are the same to the last digit.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, TypeAlias, TypeVar, overload

from musodds.errors import CardError, InputError, KnowledgeError
from musodds.knowledge.knowledge import Knowledge, know
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.numerals import numeral
from musodds.rules.suits import is_card, readings
from musodds.values import Table, told

if TYPE_CHECKING:
    import pandas as pd

Questions: TypeAlias = "pd.DataFrame | Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]]"


@dataclass(frozen=True)
class Arguments:
    """The columns that a function reads.

    Attributes
    ----------
    own : mapping of str to str
        Its arguments, and their types as they are written.
    needed : tuple of str
        Those without a default.
    known : tuple of str
        What goes by way of ``knowledge``.
    """

    own: Mapping[str, str]
    needed: tuple[str, ...]
    known: tuple[str, ...]

    @property
    def all(self) -> tuple[str, ...]:
        """Every column."""
        return (*self.own, *self.known, *(HELD if "held" in self.own else ()))


KNOWN = ("partner", "next", "previous", "rivals", "dead", "pares", "juego", "seat_range", "names")
"""Columns of what is known of the others."""

_NO_COLUMNS = ("watch", "knowledge", "table")
_LIKE = 0.75
"""How like a column's name must be to an argument's to be taken for a slip."""

_CHUNK = 10_000
"""Rows that are put into one frame at a time: dicts take ten times its memory."""

HELD = tuple(f"hand_{seat}" for seat in range(1, 7))
"""Columns of the hands of a table, where several meet."""

_MISSING = ("NAType", "NaTType")
YES, NO = frozenset(("yes", "true", "1", "sí", "si")), frozenset(("no", "false", "0"))
"""What is written for a flag."""

P = ParamSpec("P")
T = TypeVar("T", bound=Table, covariant=True)


class Asks(Protocol[P, T]):
    """A function that answers one question, or many."""

    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T: ...
    @overload
    def __call__(self, questions: Questions, /, **common: Any) -> pd.DataFrame: ...


def many(function: Callable[P, T]) -> Asks[P, T]:
    """Let a function that answers a question about a hand (its first argument) answer many.

    Parameters
    ----------
    function : callable
        Returns a :class:`musodds.values.Table`.

    Returns
    -------
    callable
        Given a table in place of the hand it returns a DataFrame: for each row of the
        table, in order, the rows of its answer, with the table's columns in front. The
        index tells which row they answer. Other arguments hold for all rows, or are
        sequences with one entry for each.

    Examples
    --------
    >>> from musodds.chances.odds import odds
    >>> frame = odds([{"hand": "RR7A", "seat": 1}, {"hand": "7654", "seat": 1, "partner": "31"}])
    >>> [*frame.columns[:5]], len(frame), round(float(frame["net"].sum()), 3)
    (['hand', 'seat', 'method', 'phase', 'win'], 10, 2.345)
    """
    of_hand = next(iter(inspect.signature(function).parameters)) == "hand"

    @functools.wraps(function)
    def either(*given: Any, **options: Any) -> Any:
        if given and not isinstance(given[0], str) and _is_many(given[0], of_hand):
            return answers(function, *given, **options)
        return function(*given, **options)

    return either


def answers(function: Callable[..., Table], questions: Any, /, **common: Any) -> pd.DataFrame:
    """Ask every question of a table; see :func:`many`.

    Raises
    ------
    InputError
        What the first bad row raises, with its name in front; or if a column looks like an
        argument that is spelled otherwise.
    """
    import pandas as pd

    names = _arguments(function)
    first = next(iter(names.own))
    rows = list(_rows(questions, first))
    common = _spread(rows, common)
    check_columns(dict.fromkeys(name for _, row in rows for name in row), names.all)
    frames, labels = [], []
    found = _answered(function, rows, names, common)
    while chunk := list(islice(found, _CHUNK)):
        labels += [label for label, _ in chunk]
        frames.append(pd.DataFrame([row for _, row in chunk]))
    index = pd.Index(labels, name=getattr(getattr(questions, "index", None), "name", None))
    whole = pd.concat(frames) if frames else pd.DataFrame(columns=_columns_of(questions))
    return whole.set_axis(index)


def _answered(
    function: Callable[..., Table],
    rows: Sequence[tuple[Any, dict[str, Any]]],
    names: Arguments,
    common: Mapping[str, Any],
) -> Iterator[tuple[Any, dict[str, Any]]]:
    for number, (label, row) in enumerate(rows):
        try:
            arguments = _call(row, names, _of_row(common, number))
            found = function(**arguments)
        except InputError as error:
            raise type(error)(f"row {label}: {error}") from None
        beside = told(found, *found.beside)
        for record in found.records():
            yield label, {**row, **beside, **record}


def check_columns(columns: Iterable[str], names: Iterable[str]) -> None:
    """Raise InputError if a column looks like an argument that is spelled otherwise."""
    known = list(names)
    for column in columns:
        if column in known or column in _NO_COLUMNS:
            continue
        close = get_close_matches(str(column).lower(), known, n=1, cutoff=_LIKE)
        if close:
            raise InputError(
                f"column {column!r}: did you mean {close[0]}? Call a column of your own otherwise"
            )


def _arguments(function: Callable[..., Any]) -> Arguments:
    """The columns that a function reads."""
    given = inspect.signature(function).parameters
    own = {name: str(one.annotation) for name, one in given.items() if name not in _NO_COLUMNS}
    needed = tuple(name for name in own if given[name].default is inspect.Parameter.empty)
    return Arguments(own, needed, KNOWN if "knowledge" in given else ())


def _is_many(given: Any, of_hand: bool) -> bool:
    """Whether it is a table of questions, or a list of hands where one is asked about."""
    if isinstance(given, Mapping) or hasattr(given, "columns"):
        return True
    if not isinstance(given, list | tuple) and not hasattr(given, "tolist"):
        return False
    if len(given) == 0:
        return isinstance(given, list) and of_hand
    one = given[0] if isinstance(given, list | tuple) else given.tolist()[0]
    if not of_hand:
        return isinstance(one, Mapping)
    if isinstance(one, str):
        return not all(isinstance(card, str) and is_card(card) for card in given)
    return isinstance(one, Mapping | list | tuple)


def _rows(questions: Any, first: str) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The rows of a table, whatever it is, with what messages call them."""
    if hasattr(questions, "columns"):
        for label, row in zip(questions.index, questions.to_dict("records"), strict=True):
            yield label, row
        return
    if isinstance(questions, Mapping):
        lengths = {name: len(column) for name, column in questions.items()}
        if len(set(lengths.values())) > 1:
            told = ", ".join(f"{name} {n}" for name, n in lengths.items())
            raise InputError(f"the columns are not of one length: {told}")
        columns = [_plain_list(column) for column in questions.values()]
        for label, cells in enumerate(zip(*columns, strict=True)):
            yield label, dict(zip(questions, cells, strict=True))
        return
    for label, one in enumerate(_plain_list(questions)):
        yield label, dict(one) if isinstance(one, Mapping) else {first: one}


def _plain_list(column: Any) -> list[Any]:
    return column.tolist() if hasattr(column, "tolist") else list(column)


def _columns_of(questions: Any) -> list[str]:
    return [*questions] if isinstance(questions, Mapping) or hasattr(questions, "columns") else []


def _spread(rows: Sequence[Any], common: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments for all rows: a list of one entry for each, or what holds for all."""
    found = {}
    for name, value in common.items():
        parallel = isinstance(value, list) or hasattr(value, "tolist")
        if parallel and len(value) != len(rows):
            raise InputError(f"{name} has {len(value)} entries for {len(rows)} questions")
        found[name] = _plain_list(value) if parallel else value
    return found


def _of_row(common: Mapping[str, Any], number: int) -> dict[str, Any]:
    return {
        name: value[number] if isinstance(value, list) else value for name, value in common.items()
    }


def _call(row: Mapping[str, Any], names: Arguments, common: Mapping[str, Any]) -> dict[str, Any]:
    """A row as the arguments of a call."""
    cells = {name: value for name, value in row.items() if not is_empty(value)}
    given = {**common, **{name: cells[name] for name in cells if name in names.all}}
    given = {name: value_of(name, value, names.own.get(name, "")) for name, value in given.items()}
    if "held" in names.own and "held" not in given:
        given["held"] = _held(given)
    known = {name: given.pop(name) for name in names.known if name in given}
    if "partner" in known and "partner" in names.own and _is_hand(known["partner"], given):
        given["partner"] = known.pop("partner")
    if known:
        given["knowledge"] = _known(known, given)
    for name in names.needed:
        if name not in given:
            raise InputError(f"there is no {name}")
    return given


def _held(given: dict[str, Any]) -> list[Any]:
    """The hands of a table of hands, from its columns; what is left out may be anything."""
    held = [given.pop(name, None) for name in HELD]
    while held and held[-1] is None:
        held.pop()
    if not held:
        raise InputError(f"there is no {HELD[0]}")
    return [one or "any" for one in held]


def _is_hand(partner: Any, given: Mapping[str, Any]) -> bool:
    """Whether it is one hand; a range is something known."""
    knowledge = given.get("knowledge")
    game = get_game(given.get("game", "mus")) if knowledge is None else knowledge.game
    if not isinstance(partner, str):
        return not isinstance(partner, Table)
    try:
        readings(game, partner)
    except CardError:
        return False
    return True


def _known(known: dict[str, Any], given: Mapping[str, Any]) -> Knowledge:
    """What a row says of the others, with what holds for all rows."""
    besides = given.get("knowledge")
    game = get_game(given.get("game", "mus")) if besides is None else besides.game
    if "seat_range" in known:
        texts = known.pop("seat_range")
        known["seats"] = seat_ranges(texts.split(";") if isinstance(texts, str) else texts, game)
    found = know(game, **known)
    if besides is None:
        return found
    return Knowledge(game, (*besides.pieces, *found.pieces), (*besides.dead, *found.dead))


def seat_ranges(texts: Iterable[str], game: Game) -> dict[int | str, str]:
    """Ranges by seat from lines such as ``3=31``; of one seat all must hold.

    Raises
    ------
    KnowledgeError
        If a line is none.
    GameError
        If there is no such seat.
    """
    seats: dict[int | str, str] = {}
    for text in texts:
        seat, equals, wanted = text.partition("=")
        if not equals or not wanted.strip():
            raise KnowledgeError(f"seat range {text!r}: write a seat and a range, such as 3=31")
        number = game.parse_seat(seat)
        seats[number] = f"({seats[number]}) & ({wanted})" if number in seats else wanted.strip()
    return seats


def is_empty(cell: Any) -> bool:
    """Whether a cell says nothing."""
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        return True
    # NaN, and what pandas has for text and dates that are missing.
    return (isinstance(cell, float) and cell != cell) or type(cell).__name__ in _MISSING


def value_of(name: str, cell: Any, kind: str) -> Any:
    """A cell as an argument: numbers that files and frames write as text or floats.

    Examples
    --------
    >>> value_of("n", "1000", "int | None"), value_of("seat", 3.0, "int | str")
    (1000, 3)
    """
    cell = cell.item() if hasattr(cell, "item") and not hasattr(cell, "__len__") else cell
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    if not isinstance(cell, str) or "str" in kind:
        return cell
    if kind.startswith("bool"):
        if cell.strip().lower() not in YES | NO:
            raise InputError(f"{name} {cell!r}: yes or no")
        return cell.strip().lower() in YES
    if kind.startswith("int"):
        number = numeral(cell)
        if number is None:
            raise InputError(f"{name} {cell!r}: a whole number")
        return number
    if kind.startswith("float"):
        try:
            return float(cell)
        except ValueError:
            raise InputError(f"{name} {cell!r}: a number") from None
    return cell
