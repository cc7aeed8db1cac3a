"""Deals written down: a plain-text record, read, replayed and written.

One line per phase, each a key, a colon and what was said, in order and separated by
commas. ``#`` begins a comment; case and blank lines do not matter::

    game: mus                                   # default mus
    sides: us them                              # names; this is the default
    score: 32-35                                # before the deal, default 0-0
    mano: us                                    # mano's side, default the first
    hands: 772A | 33S2 | RRSA | CCC6            # from mano on
    mus: mus, mus, no hay mus                   # leave out to begin with grande
    grande: paso, paso, paso, envido 5, quiero
    chica: envido, reenvido 4, órdago, no quiero
    pares: sí, sí, sí, sí; paso, paso, envido, quiero
    juego: no, sí, sí, sí; en paso

- *Hands* are separated by bars, or by spaces if each is written in one piece. A player
  who is out of an Encaje game has ``-``.
- *What is said*: ``mus``, ``no hay mus`` (``corto``), ``paso``, ``envido 5``,
  ``reenvido 5`` (5 *more*), ``quiero``, ``no quiero``, ``órdago``; in English pass,
  bet, raise, see, fold, cut. Without a number envido and reenvido are of 2. ``en
  paso``: everybody passes. A number in front is the seat that speaks, and is checked:
  ``4 envido 5``.
- *Declarations* may stand before a semicolon in pares and juego; they are checked
  against the hands. A phase without betting needs no line, but may have its
  declarations: ``juego: no, no, no, no``.
- After a round in which all said mus comes ``change: 72>RA | C>R | A>A | 6>4``, what
  each throws and draws, from mano on, and then ``mus:`` again.
- *Encaje*: ``stones: 15-15-15`` in place of ``score:``; the players are A, B, C ...
- *Several deals* are separated by a line ``---``. A later deal needs only what has
  changed: the score, the mano and the games won go on from the deal before. One that
  gives its score begins a new match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from musodds.errors import InputError
from musodds.playing.actions import ENVIDO, ORDAGO, PASO
from musodds.playing.deal import CHANGE, TALK
from musodds.playing.encaje_deal import EncajeDeal
from musodds.playing.match import Match
from musodds.playing.mus_deal import Deal
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.values import Value

SEPARATOR = "---"
_HEADER = ("game", "sides", "score", "stones", "mano", "hands")
_BODY = (TALK, CHANGE, *PHASES)
_DECLARED = ("pares", "juego")
_ALL_PASS = "en paso"
_YES, _NO = ("sí", "si", "yes"), ("no",)

AnyDeal = Deal | EncajeDeal


class RecordError(InputError):
    """A record that cannot be read or replayed; the message begins with the line number."""


@dataclass(frozen=True, repr=False)
class Played(Value):
    """A deal of a record, replayed.

    Parameters
    ----------
    deal : Deal or EncajeDeal
        The deal, over.
    names : tuple of str
        The sides (in Encaje: the players), in the order of the score.
    games : tuple of int
        Games won by each side after the deal; empty in Encaje.
    """

    deal: AnyDeal
    names: tuple[str, ...]
    games: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    key: str
    value: str

    def error(self, message: object) -> RecordError:
        return RecordError(f"line {self.number}: {message}")


@dataclass(frozen=True)
class _Setting:
    """What a deal begins with, carried over from the deal before."""

    game: Game
    names: tuple[str, ...] = ()
    match: Match | None = None
    stones: tuple[int, ...] = ()
    mano: int = 0


def read_record(text: str, game: str | Game = "mus") -> tuple[Played, ...]:
    """Replay the deals of a record.

    Parameters
    ----------
    text : str
        As described at the head of this module.
    game : str or Game
        The game of a record that does not name one.

    Raises
    ------
    RecordError
        If a line cannot be read, or the rules do not allow what it says.

    Examples
    --------
    >>> played = read_record('''
    ... score: 38-39
    ... hands: RRCC 7654 CSS4 CSS4
    ... grande: en paso
    ... chica: en paso
    ... pares: en paso
    ... juego: en paso
    ... ''')
    >>> played[0].deal.result.winner, played[0].deal.result.score
    (1, (39, 40))
    """
    setting = _Setting(get_game(game))
    played: list[Played] = []
    for lines in _blocks(text):
        deal, names, setting = _replay(lines, setting)
        games = setting.match.games if setting.match else ()
        played.append(Played(deal, names, games))
    if not played:
        raise RecordError("line 1: the record is empty: it needs at least a line 'hands:'")
    return tuple(played)


def write_record(deal: AnyDeal, names: Sequence[str] = ()) -> str:
    """Write a deal down, so that :func:`read_record` gives it back.

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
    names = tuple(names) or _default_names(deal.game)
    known = hands(deal.game).texts
    dealt = ["-" if held is None else known[held] for held in deal.dealt]
    kind = "score" if isinstance(deal, Deal) else "stones"
    lines = [
        f"game: {deal.game.name}",
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
        yield f"{stage}: {(' | ' if stage == CHANGE else ', ').join(said.text for said in group)}"
    reached = {ending.phase for ending in deal.endings} | {deal.stage}
    if "punto" in reached:
        reached.add("juego")
    for phase in PHASES:
        parts = []
        if isinstance(deal, Deal) and phase in reached and phase in _DECLARED:
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


def _default_names(game: Game) -> tuple[str, ...]:
    return ("us", "them") if game.sides == 2 else tuple("ABCDEF"[: game.sides])


def _blocks(text: str) -> Iterator[list[_Line]]:
    """The lines of each deal; a deal without lines is left out."""
    lines: list[_Line] = []
    for number, raw in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        content = raw.partition("#")[0].strip()
        if content == SEPARATOR and lines:
            yield lines
            lines = []
        elif content and content != SEPARATOR:
            lines.append(_line(number, content))
    if lines:
        yield lines


def _line(number: int, content: str) -> _Line:
    key, colon, value = content.partition(":")
    line = _Line(number, key.strip().lower(), value.strip())
    if not colon or line.key not in _HEADER + _BODY:
        raise line.error(
            f"{content!r} is not a line of a record: one begins with "
            f"{', '.join(_HEADER + _BODY)} and a colon, or is {SEPARATOR}"
        )
    if not line.value:
        raise line.error(f"nothing follows {line.key!r}")
    return line


def _replay(lines: list[_Line], setting: _Setting) -> tuple[AnyDeal, tuple[str, ...], _Setting]:
    header: dict[str, _Line] = {}
    body: list[_Line] = []
    for line in lines:
        if line.key in _BODY:
            body.append(line)
        elif body or line.key in header:
            raise line.error(
                f"a second line {line.key!r}"
                if line.key in header
                else f"{line.key!r} stands before what is said in the deal"
            )
        else:
            header[line.key] = line
    setting = _set(header, setting)
    hands_line = header.get("hands")
    if hands_line is None:
        raise lines[0].error("the deal has no line 'hands:'")
    mus = bool(body) and body[0].key == TALK
    try:
        deal = _start(setting, _hands(hands_line.value), mus)
    except InputError as error:
        raise hands_line.error(error) from None
    for line in body:
        try:
            deal = _play(deal, line)
        except InputError as error:
            raise line.error(error) from None
    if not deal.over:
        raise lines[-1].error(f"the deal ends too soon. {deal.state_text()}")
    return deal, setting.names, _following(setting, deal)


def _set(header: dict[str, _Line], setting: _Setting) -> _Setting:
    """What the deal begins with: what its header says, else what went before."""
    game = setting.game
    if line := header.get("game"):
        try:
            game = get_game(line.value)
        except InputError as error:
            raise line.error(error) from None
    if game != setting.game or not setting.names:
        setting = _Setting(game, _default_names(game))
    names = setting.names
    if line := header.get("sides"):
        names = tuple(re.split(r"[\s,]+", line.value))
        if len(names) != game.sides or len(set(names)) != len(names):
            raise line.error(f"{line.value!r}: {game.sides} different names, one a side")
    mano = setting.mano
    if "score" in header or "stones" in header:
        mano = 0
    if line := header.get("mano"):
        if line.value not in names:
            raise line.error(f"no side {line.value!r}: sides are {' and '.join(names)}")
        mano = names.index(line.value)
    stones, match = setting.stones, setting.match
    if line := header.get("stones"):
        stones, match = _numbers(line), None
    elif line := header.get("score"):
        stones, match = (), Match(game, score=_numbers(line))
    return _Setting(game, names, match or (None if stones else Match(game)), stones, mano)


def _numbers(line: _Line) -> tuple[int, ...]:
    if not re.fullmatch(r"\d+([\s,-]+\d+)*", line.value):
        raise line.error(f"{line.value!r}: whole numbers with - between them, such as 32-35")
    return tuple(map(int, re.findall(r"\d+", line.value)))


def _hands(value: str) -> list[str | None]:
    texts = [text.strip() for text in value.split("|")] if "|" in value else value.split()
    return [None if text == "-" else text for text in texts]


def _start(setting: _Setting, given: list[str | None], mus: bool) -> AnyDeal:
    if setting.match is None:
        return EncajeDeal.start(setting.game, given, setting.stones, setting.mano, mus)
    held = [text if text is not None else "" for text in given]
    return replace(setting.match, mano=setting.mano).deal(held, mus)


def _following(setting: _Setting, deal: AnyDeal) -> _Setting:
    """What the next deal begins with."""
    if isinstance(deal, Deal):
        assert setting.match is not None
        match = replace(setting.match, mano=setting.mano).after(deal)
        return replace(setting, match=match, mano=match.mano)
    sides = len(deal.stones)
    later = [(setting.mano + step) % sides for step in range(1, sides + 1)]
    mano = next(side for side in later if deal.stones[side])
    return replace(setting, stones=deal.stones, mano=mano)


def _play(deal: AnyDeal, line: _Line) -> AnyDeal:
    """The deal after one line of what was said."""
    if line.key == CHANGE:
        return _exchange(deal, line.value)
    declared, semicolon, words = line.value.rpartition(";")
    items = [item.strip() for item in words.split(",")]
    if not semicolon and items[0].lower() in (*_YES, *_NO, "-"):
        declared, items = line.value, []
    if declared:
        _check_declared(deal, line.key, declared)
    if not items and not _is_past(deal, line.key):
        raise InputError(f"what is said is missing. {deal.state_text()}")
    for item in items:
        if deal.stage != line.key:
            raise InputError(f"{item!r} does not belong to {line.key}. {deal.state_text()}")
        deal = _say(deal, item)
    return deal


def _is_past(deal: AnyDeal, phase: str) -> bool:
    if deal.stage in PHASES:
        return PHASES.index(deal.stage) > PHASES.index(phase)
    return deal.over


def _say(deal: AnyDeal, item: str) -> AnyDeal:
    stage = deal.stage
    if item.lower() == _ALL_PASS:
        deal = deal.act(PASO)
        while deal.stage == stage:
            deal = deal.act(PASO)
        return deal
    words = item.lstrip("0123456789")
    seat = item[: len(item) - len(words)]
    return deal.act(words, int(seat or 0))


def _exchange(deal: AnyDeal, value: str) -> AnyDeal:
    for cell in value.split("|") if "|" in value else value.split():
        thrown, arrow, drawn = cell.partition(">")
        if not arrow:
            raise InputError(f"{cell.strip()!r}: write what is thrown and drawn as 72>RA")
        deal = deal.change(thrown, drawn)
    if deal.stage == CHANGE:
        raise InputError(f"not everybody has changed cards. {deal.state_text()}")
    return deal


def _check_declared(deal: AnyDeal, phase: str, text: str) -> None:
    """Declarations are truthful: compare them with the hands."""
    if phase not in _DECLARED:
        raise InputError(f"nothing is declared in {phase}: only in {' and '.join(_DECLARED)}")
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
