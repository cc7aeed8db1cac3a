"""Deals written down as records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from musodds.playing.actions import ENVIDO, ORDAGO
from musodds.playing.deal import CHANGES
from musodds.playing.mus_deal import Deal
from musodds.playing.record_body import DECLARED
from musodds.playing.setting import AnyDeal, default_names
from musodds.rules.game import PHASES
from musodds.rules.games import unusual
from musodds.rules.hands import hands

_KEYS = {"target": "target", "games_to_win": "games"}


def write_record(deal: AnyDeal, names: Sequence[str] = ()) -> str:
    """Write a deal down, so that :func:`musodds.playing.record.read_record` gives it back.

    Parameters
    ----------
    deal : Deal or EncajeDeal
    names : sequence of str, optional
        Of the sides; in Encaje of the players.

    Examples
    --------
    >>> deal = Deal.start("mus2p", ["RRCC", "7654"], score=(38, 39), mus=False)
    >>> for word in ["envido", "raise 3", "fold"]:
    ...     deal = deal.act(word)
    >>> print(write_record(deal), end="")
    game: mus2p
    sides: us them
    score: 38-39
    mano: us
    hands: RRCC | 7654
    grande: envido 2, reenvido 3, no quiero
    """
    names = tuple(names) or default_names(deal.game)
    known = hands(deal.game).texts
    dealt = ["-" if held is None else known[held] for held in deal.dealt]
    kind = "score" if isinstance(deal, Deal) else "stones"
    lines = [
        f"game: {deal.game.name}",
        *(f"{_KEYS[key]}: {value}" for key, value in unusual(deal.game).items()),
        f"sides: {' '.join(names)}",
        f"{kind}: {'-'.join(map(str, deal.opening))}",
        f"mano: {names[deal.mano]}",
        f"hands: {' | '.join(dealt)}",
    ]
    return "\n".join(lines + list(said_lines(deal))) + "\n"


def said_lines(deal: AnyDeal) -> Iterator[str]:
    """The lines of a record that follow its hands."""
    talk = [line for line in deal.said if line.stage not in PHASES]
    for stage, group in groupby(talk, key=lambda line: line.stage):
        yield f"{stage}: {(' | ' if stage in CHANGES else ', ').join(said.text for said in group)}"
    reached = {ending.phase for ending in deal.endings} | {deal.stage}
    if "punto" in reached:
        reached.add("juego")
    for phase in PHASES:
        parts = []
        if isinstance(deal, Deal) and phase in reached and phase in DECLARED:
            parts.append(", ".join("sí" if yes else "no" for yes in deal.declares(phase)))
        words = ", ".join(_words(deal, phase))
        if words:
            parts.append(words)
        if parts:
            yield f"{phase}: {'; '.join(parts)}"


def _words(deal: AnyDeal, phase: str) -> Iterator[str]:
    """What was said in a phase, with the seat where a side could answer by more than one."""
    bet = False
    for said in deal.said:
        if said.stage == phase:
            named = bet and said.seat and deal.game.side_size > 1
            yield f"{said.seat} {said.text}" if named else said.text
            bet = bet or said.text.startswith((ENVIDO, ORDAGO))
