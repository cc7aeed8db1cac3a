"""A point of a solved game hand by hand: who speaks, what is said, and the other side of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from musodds.arrays import Floats
from musodds.errors import InputError
from musodds.playing.actions import NO_QUIERO, PASO
from musodds.rules.hands import hands
from musodds.solver.betting import Betting
from musodds.solver.each_solution import EachSolution
from musodds.solver.here import is_bet
from musodds.solver.lines import follow

ELSE = "anything else"


class Panel(NamedTuple):
    """What is said at one point, by every hand that may speak there.

    Attributes
    ----------
    who : str
        ``mano``, ``other``, or where all players speak ``seat 1`` ...
    line : str
        What was said before.
    words : tuple of str
        What may be said; the last word of a line and :data:`ELSE` where the question is who
        said it.
    chances : ndarray of float64, shape (classes, words)
        How often each hand says each; NaN for hands that do not speak there.
    """

    who: str
    line: str
    words: tuple[str, ...]
    chances: Floats


def words_of(line: str | Iterable[str]) -> str:
    """A line as one text, pieces apart by semicolons.

    Examples
    --------
    >>> words_of(["grande: en paso", " chica:  paso "])
    'grande: en paso; chica: paso'
    """
    text = line if isinstance(line, str) else ";".join(line)
    pieces = (" ".join(piece.split()) for piece in text.replace("\n", ";").split(";"))
    return "; ".join(filter(None, pieces))


def panel(
    solved: Betting | EachSolution,
    line: str | Iterable[str] = "",
    able: Sequence[int] | None = None,
) -> Panel:
    """What every hand says after a line.

    Parameters
    ----------
    solved : Betting or EachSolution
    line : str or sequence of str, optional
    able : sequence of int, optional
        In the model *each*: the seats that have pares (juego).

    Raises
    ------
    InputError
        If the line cannot be followed.
    """
    text = words_of(line)
    if isinstance(solved, EachSolution):
        return _of_each(solved, text, able)
    node = follow(solved.tree, text)
    side = solved.side_of(node)
    classes, (chances, _) = solved.classes(node, side), solved.at(node)
    found = np.full((len(hands(solved.spec.game)), len(chances)), np.nan)
    found[classes] = chances.T
    return Panel(("mano", "other")[side], text, tuple(solved.tree.options(node)), found)


def _of_each(solved: EachSolution, text: str, able: Sequence[int] | None) -> Panel:
    point = solved.tree.points[solved.tree.point(said(text), able)]
    known = hands(solved.game)
    found = np.full((len(known), len(point.actions)), np.nan)
    for row in solved.rows(said(text), able):
        found[known.index(row["hand"])] = [row[word] for word in point.actions]
    return Panel(f"seat {point.seat}", text, point.actions, found)


def said(text: str) -> list[str]:
    """The words of a line of one phase.

    Examples
    --------
    >>> said("pares: paso, envido 2")
    ['paso', 'envido 2']
    """
    words = text.rpartition(":")[2].split(",")
    return [word.strip() for word in words if word.strip()]


def other_panel(
    solved: Betting | EachSolution,
    here: Panel,
    able: Sequence[int] | None = None,
) -> Panel | None:
    """The other side of a point.

    Where a bet is answered: who says that bet, bluffs and all. Where nothing is to be
    answered: the answer to the bet that is said most often there.

    Returns
    -------
    Panel or None
        None where no bet is on offer.
    """
    words = said(here.line)
    if NO_QUIERO in here.words and words and is_bet(words[-1]):
        before = panel(solved, _but_last(here.line), able)
        bet = _same(words[-1], before.words)
        chance = before.chances[:, before.words.index(bet)]
        return before._replace(words=(bet, ELSE), chances=np.stack([chance, 1 - chance], axis=1))
    bets = [word for word in here.words if is_bet(word)]
    if PASO not in here.words or not bets:
        return None
    game = solved.game if isinstance(solved, EachSolution) else solved.spec.game
    ways = hands(game).ways
    often = [np.nansum(ways * here.chances[:, here.words.index(word)]) for word in bets]
    most = bets[int(np.argmax(often))]
    return panel(solved, _with(here.line, most), able)


def _same(word: str, words: tuple[str, ...]) -> str:
    from musodds.playing.actions import read_action

    text = read_action(word).text
    if text not in words:
        raise InputError(f"{word!r} is not on offer there: {', '.join(words)}")
    return text


def _but_last(line: str) -> str:
    earlier, semicolon, piece = line.rpartition("; ")
    name, colon, spoken = piece.rpartition(":")
    return earlier + semicolon + name + colon + spoken.rpartition(",")[0]


def _with(line: str, word: str) -> str:
    if not line or line.endswith(":"):
        return f"{line} {word}".strip()
    # After "en paso" of a phase another one begins.
    return f"{line}; {word}" if said(line)[-1:] == ["en paso"] else f"{line}, {word}"
