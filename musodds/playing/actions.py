"""What may be said at the table: actions, what is legal, and the error that says so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from musodds.errors import InputError

MUS = "mus"
CUT = "no hay mus"
PASO = "paso"
ENVIDO = "envido"
RAISE = "reenvido"
QUIERO = "quiero"
NO_QUIERO = "no quiero"
ORDAGO = "órdago"
ORDAGO_WORDS = (ORDAGO, "ordago", "hordago")

LEAST_BET = 2

MOST_BET = 999
"""Stones: far more than a game has, and few enough to count with."""

_DIGITS = 9

_WORDS = {
    "mus": MUS,
    "no hay mus": CUT,
    "no mus": CUT,
    "corto": CUT,
    "cut": CUT,
    "paso": PASO,
    "pass": PASO,
    "envido": ENVIDO,
    "bet": ENVIDO,
    "reenvido": RAISE,
    "raise": RAISE,
    "reenvido doble": RAISE,
    "raise double": RAISE,
    "quiero": QUIERO,
    "see": QUIERO,
    "no quiero": NO_QUIERO,
    "fold": NO_QUIERO,
    **dict.fromkeys(ORDAGO_WORDS, ORDAGO),
}
_DOUBLING = ("reenvido doble", "raise double")
_WITH_STONES = (ENVIDO, RAISE)


class ActionError(InputError):
    """Something said that the rules do not allow; the message says what was legal."""


@dataclass(frozen=True, slots=True)
class Action:
    """Something a player says.

    Parameters
    ----------
    word : str
        One of ``mus``, ``no hay mus``, ``paso``, ``envido``, ``reenvido``, ``quiero``,
        ``no quiero``, ``órdago``.
    stones : int
        Stones bet (envido) or *added* to the bet (reenvido); 0 for the other words.

    Examples
    --------
    >>> Action("envido", 5).text, Action("quiero").text
    ('envido 5', 'quiero')
    """

    word: str
    stones: int = 0

    @property
    def text(self) -> str:
        return f"{self.word} {self.stones}" if self.stones else self.word


def read_action(text: str | Action, on_table: int = 0) -> Action:
    """Read what was said; envido and reenvido without a number are of 2 stones.

    English words are read too: pass, bet, raise, see, fold, cut. *Reenvido doble* adds as
    much as is on the table, as bare *reenvido* does in the federation's vocabulary.

    Parameters
    ----------
    text : str or Action
    on_table : int, optional
        Stones bet so far in the phase, which *reenvido doble* adds.

    Raises
    ------
    ActionError
        If it is not one of the words, or a number stands where none belongs.

    Examples
    --------
    >>> read_action("raise 4")
    Action(word='reenvido', stones=4)
    >>> read_action("Envido").stones, read_action("reenvido doble", on_table=6).stones
    (2, 6)
    """
    if isinstance(text, Action):
        return text
    found = re.fullmatch(r"\s*(\D+?)(?:\s+(\d+))?\s*", text)
    written = " ".join(found[1].lower().split()) if found else ""
    word = _WORDS.get(written)
    if found is None or word is None:
        raise ActionError(
            f"{text.strip()!r} is nothing that is said in Mus: write mus, no hay mus, paso, "
            "envido 5, reenvido 5, quiero, no quiero or órdago"
        )
    if written in _DOUBLING:
        if found[2]:
            raise ActionError(f"{text.strip()!r}: double is a number already")
        return Action(word, max(on_table, LEAST_BET))
    if word in _WITH_STONES:
        return Action(word, _stones(text, found[2] or str(LEAST_BET)))
    if found[2]:
        raise ActionError(f"{text.strip()!r}: only envido and reenvido take a number of stones")
    return Action(word)


def _stones(text: str, number: str) -> int:
    if len(number) > _DIGITS or int(number) > MOST_BET:
        raise ActionError(f"{text.strip()[:40]!r}: {LEAST_BET} to {MOST_BET} stones can be bet")
    return int(number)


@dataclass(frozen=True, slots=True)
class Option:
    """One legal kind of action, with the numbers it may carry.

    Parameters
    ----------
    word : str
        As in :class:`Action`; ``change`` when cards are to be thrown and drawn.
    least, most : int or None
        Bounds of its number: stones for envido and reenvido, cards for ``change``;
        most is None where there is no bound. Both 0 for a word without a number.

    Examples
    --------
    >>> Option("envido", 2, None).text, Option("reenvido", 2, 6).text, Option("paso").text
    ('envido (2 or more)', 'reenvido (2 to 6)', 'paso')
    """

    word: str
    least: int = 0
    most: int | None = 0

    @property
    def text(self) -> str:
        if self.most == 0:
            return self.word
        if self.most is None:
            return f"{self.word} ({self.least} or more)"
        bounds = f"{self.least} to {self.most}" if self.most > self.least else f"{self.least}"
        return f"{self.word} ({bounds})"

    @property
    def action(self) -> Action:
        """The smallest action of this kind."""
        return Action(self.word, self.least)

    def allows(self, action: Action) -> bool:
        """Whether the action is of this kind and its number within the bounds."""
        most_met = self.most is None or action.stones <= self.most
        return action.word == self.word and self.least <= action.stones and most_met


def any_of(options: Sequence[Option]) -> str:
    """The options as a phrase: *paso, envido (2 or more) or órdago*."""
    texts = [option.text for option in options]
    return " or ".join([", ".join(texts[:-1]), texts[-1]] if texts[1:] else texts)
