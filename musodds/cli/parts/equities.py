"""What an answer says of the equity that it rests on, and the answer by other kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from musodds.cli.parts.output import page_width

if TYPE_CHECKING:
    from musodds.rules.game import Game
    from musodds.stakes.equity import Equity


def equity_words(kind: str) -> str:
    """A kind in words."""
    from musodds.stakes.equity_kinds import WORDS

    return f"equity {kind}: {WORDS[kind]}"


def equity_lines(table: Equity) -> list[str]:
    """The kind in words, and what there is to know of the table, wrapped."""
    said = equity_words(table.kind)
    return wrap(f"{said}; {table.note}" if table.note else said, page_width())


def by_kind(
    game: Game, wanted: bool, row: Callable[[Equity], dict[str, Any]]
) -> list[dict[str, Any]]:
    """A row for each kind that there is; none if they are not wanted."""
    return [{"equity": table.kind, **row(table)} for table in _tables(game)] if wanted else []


def _tables(game: Game) -> Iterator[Equity]:
    from musodds.stakes.equity_kinds import equity_by, kinds_of

    for kind in kinds_of(game):
        yield equity_by(game, kind)
