"""What was said in a deal, played line by line."""

from __future__ import annotations

import re

from musodds.errors import InputError
from musodds.playing.actions import PASO
from musodds.playing.deal import CHANGE, CHANGES, NONE, SHOWN, VISTO
from musodds.playing.record_lines import Line
from musodds.playing.setting import AnyDeal
from musodds.rules.game import PHASES
from musodds.rules.showdown import UNOPPOSED, VOID

DECLARED = ("pares", "juego")
_ALL_PASS = "en paso"
_YES, _NO = ("sí", "si", "yes"), ("no",)
_BARE = ("reenvido", "raise")
UNKNOWN = "?"


def rounds_before_mus(body: list[Line]) -> list[str]:
    """The rounds in which cards are changed before anybody says mus."""
    found: list[str] = []
    for line in body:
        if line.key not in CHANGES:
            break
        found.append(VISTO if line.key == CHANGE else line.key)
    return found


def play(deal: AnyDeal, line: Line, doubles: bool = False) -> AnyDeal:
    """The deal after one line of what was said."""
    if line.key in CHANGES:
        return _exchange(deal, line)
    declared, semicolon, words = line.value.rpartition(";")
    items = [" ".join(item.split()) for item in words.split(",")]
    if not semicolon and items[0].lower() in (*_YES, *_NO, "-"):
        declared, items = line.value, []
    if declared:
        _check_declared(deal, line.key, declared)
    if not items and not _is_past(deal, line.key):
        raise InputError(f"what is said is missing. {deal.state_text()}")
    if [item.lower() for item in items] == [_ALL_PASS] and _no_betting(deal, line.key):
        return deal
    for item in items:
        if deal.stage != line.key:
            raise InputError(f"{item!r} does not belong to {line.key}. {deal.state_text()}")
        deal = _say(deal, item, doubles)
    return deal


def _is_past(deal: AnyDeal, phase: str) -> bool:
    if deal.stage in PHASES:
        return PHASES.index(deal.stage) > PHASES.index(phase)
    return deal.over


def _no_betting(deal: AnyDeal, phase: str) -> bool:
    """Whether the phase is over without a word: nobody, or one side alone, takes part."""
    how = next((ending.how for ending in deal.endings if ending.phase == phase), None)
    return how in (UNOPPOSED, VOID)


def _say(deal: AnyDeal, item: str, doubles: bool) -> AnyDeal:
    stage = deal.stage
    if item.lower() == _ALL_PASS:
        deal = deal.act(PASO)
        while deal.stage == stage:
            deal = deal.act(PASO)
        return deal
    seat, words = re.fullmatch(r"(\d{0,9})(.*)", item, re.DOTALL).groups()  # type: ignore[union-attr]
    if doubles and words.strip().lower() in _BARE:
        words = f"{words} double" if "raise" in words.lower() else f"{words} doble"
    return deal.act(words, int(seat or 0))


def _exchange(deal: AnyDeal, line: Line) -> AnyDeal:
    stage = deal.stage
    if stage != line.key and (stage, line.key) != (VISTO, CHANGE):
        raise InputError(f"no cards are changed now. {deal.state_text()}")
    cells = line.value.split("|") if "|" in line.value else line.value.split()
    if len(cells) > len(deal.playing):
        raise InputError(f"{len(cells)} changes: give one a player, {len(deal.playing)}")
    for seat, cell in zip(deal.playing, map(str.strip, cells), strict=False):
        if cell == NONE and stage == SHOWN and seat not in deal.turn:
            continue
        thrown, arrow, drawn = cell.partition(">")
        if not arrow and (cell != NONE or stage == CHANGE):
            none = "" if stage == CHANGE else ", or - for none"
            raise InputError(f"{cell!r}: write what is thrown and drawn as 72>RA{none}")
        deal = deal.change(thrown, drawn if arrow else NONE, seat)
    if deal.stage == stage:
        raise InputError(f"not everybody has changed cards. {deal.state_text()}")
    return deal


def _check_declared(deal: AnyDeal, phase: str, text: str) -> None:
    """Declarations are truthful: compare them with the hands."""
    if phase not in DECLARED:
        raise InputError(f"nothing is declared in {phase}: only in {' and '.join(DECLARED)}")
    said = [word.strip().lower() for word in text.split(",")]
    truth = deal.declares(phase)
    if len(said) != len(truth):
        raise InputError(f"{len(said)} declarations: give one a seat, {len(truth)}")
    for seat, (word, has) in enumerate(zip(said, truth, strict=True), start=1):
        if word == "-" and seat not in deal.playing:
            continue
        if word not in (_YES if has else _NO):
            raise InputError(
                f"seat {seat} declares {word!r} for {phase} and holds {deal.hand(seat)}: "
                f"the truth is {'sí' if has else 'no'}"
            )
