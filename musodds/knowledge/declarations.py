"""Declarations of pares and juego: what the players said, from mano on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from musodds.errors import KnowledgeError
from musodds.knowledge.range import Range
from musodds.rules.game import Game
from musodds.rules.hands import hands

_ANSWERS = {
    **dict.fromkeys(("yes", "y", "si", "sí", "s"), True),
    **dict.fromkeys(("no", "n"), False),
    **dict.fromkeys(("?", "-", ""), None),
}


def declarations(
    game: Game, phase: str, answers: str
) -> Iterator[tuple[str, int, Range, tuple[str, bool]]]:
    """What the players declared of a phase: label, seat, the hands it may be, and what was said.

    Parameters
    ----------
    game : Game
    phase : str
        ``pares`` or ``juego``.
    answers : str
        From mano on, such as ``yes,no,?,yes``.

    Raises
    ------
    KnowledgeError
        If these are not the answers of the game's players.
    """
    words = [word.strip().lower() for word in answers.split(",")]
    if len(words) != game.seats:
        raise KnowledgeError(
            f"{phase} {answers!r} has {len(words)} answer{'s' * (len(words) != 1)} and "
            f"{game.name} {game.seats} players: write yes, no or ? for each, from mano on"
        )
    for seat, word in enumerate(words, start=1):
        if word not in _ANSWERS:
            raise KnowledgeError(f"{phase} {answers!r}: {word!r} is not an answer: yes, no or ?")
        answer = _ANSWERS[word]
        if answer is not None:
            label = f"seat {seat} has {'' if answer else 'no '}{phase}"
            yield label, seat, _declarable(game, phase, answer), (phase, answer)


def _declarable(game: Game, phase: str, answer: bool) -> Range:
    """The hands of which an answer is true, as some naming at least has it."""
    all_hands = hands(game)
    mask = all_hands.if_named((all_hands.named.level[phase] > 0) == answer)
    return Range(game, phase if answer else f"!{phase}", mask.astype(np.int64), 1)
