"""Deals written down: a plain-text record, read and replayed.

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
  bet, raise, see, fold, cut. Without a number envido and reenvido are of 2;
  ``reenvido doble`` adds as much as is on the table, and after a line ``reenvido:
  doubles`` so does bare ``reenvido``, as in the federation's vocabulary. ``en paso``:
  everybody passes. A number in front is the seat that speaks, and is checked:
  ``4 envido 5``.
- *Declarations* may stand before a semicolon in pares and juego; they are checked
  against the hands. A phase without betting needs no line, but may have its
  declarations (``juego: no, no, no, no``) or ``en paso``.
- After a round in which all said mus comes ``change: 72>RA | C>R | A>A | 6>4``, what
  each throws and draws, from mano on, and then ``mus:`` again. A card that has been
  dealt or thrown is drawn again only when the stock has run out.
- *Before mus*: in mus visto ``visto: 72>RA | - | A>A | -`` (``-`` changes none; the key
  may be ``change`` too); where 4-5-6-7 may be shown ``4567: - | 7654>RR7A | - | -``.
- *Encaje*: ``stones: 15-15-15`` in place of ``score:``; the players are A, B, C ...
- *Signs* that were noted: ``signs: 2 31, 4 dos reyes`` (seat, sign).
- *Several deals* are separated by a line ``---``. A later deal needs only what has
  changed: the score, the games won and who is mano go on from the deal before. ``score:``
  corrects the score and nothing else; ``won: 1-0`` the games won; ``mano:`` or
  ``dealer:``, a side or a player, who is mano. After a match a deal with a ``score:``
  begins another, and ``match:`` with a name always does.
- *Cards that nobody saw*: ``?`` for a hand, and ``??>??`` where such a player changed; a
  review takes such a deal, the count does not. The next deal then needs its ``score:``.
- *The rules of the table*: ``target: 30`` stones win a game, ``games: 3`` the match.
  ``players: Ana Berta Carla Dora`` names them as they sit, the first of the first side
  first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from musodds.errors import InputError
from musodds.playing.deal import TALK
from musodds.playing.record_body import drawn, play, rounds_before_mus
from musodds.playing.record_lines import Line, RecordError, blocks, header_and_body
from musodds.playing.setting import AnyDeal, Setting, setting_of
from musodds.playing.unknown import OPEN, filled, open_seats
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.values import Value


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
    won : tuple of int
        Games won by each side before it.
    players : tuple of str
        Who sits where, from mano on.
    signs : mapping of int to tuple of str
        The signs that each seat was seen to make.
    match : str
        The name of the match, if it has one.
    unknown : tuple of int
        The seats whose cards are not written down: those in the deal are made up, to go
        with what was said, and so is all that the deal comes to.
    """

    deal: AnyDeal
    names: tuple[str, ...]
    games: tuple[int, ...]
    won: tuple[int, ...] = ()
    players: tuple[str, ...] = ()
    signs: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    match: str = ""
    unknown: tuple[int, ...] = ()


def read_record(
    text: str, game: str | Game = "mus", *, unknown: bool = False
) -> tuple[Played, ...]:
    """Replay the deals of a record.

    Parameters
    ----------
    text : str
        As described at the head of this module.
    game : str or Game
        The game of a record that does not name one.
    unknown : bool, optional
        Whether hands may be left open (``?``).

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
    setting = Setting(get_game(game))
    played: list[Played] = []
    for lines in blocks(text):
        one, setting = _replay(lines, setting, unknown)
        played.append(one)
    if not played:
        raise RecordError("line 1: the record is empty: it needs at least a line 'hands:'")
    return tuple(played)


def _replay(lines: list[Line], before: Setting, unknown: bool) -> tuple[Played, Setting]:
    header, body = header_and_body(lines)
    setting = setting_of(header, before)
    hands_line = header.get("hands")
    if hands_line is None:
        raise lines[0].error("the deal has no line 'hands:'")
    changes = rounds_before_mus(body)
    mus = len(body) > len(changes) and body[len(changes)].key == TALK
    given = _hands(hands_line.value)
    seats = open_seats(given)
    if seats and not unknown:
        raise hands_line.error(
            f"the cards of seat {seats[0]} are not known ({OPEN}): the count needs them; "
            "musodds review takes such a record"
        )
    try:
        ways = filled(setting.game, given, drawn(setting.game, body)) if seats else (given,)
        begun = [setting.start(held, mus, changes) for held in ways]
    except InputError as error:
        raise hands_line.error(error) from None
    deal = _played(begun, body, lines[-1], setting.doubles, seats)
    following = setting.unscored() if seats else setting.following(deal)
    won = setting.match.games if setting.match else ()
    games = following.match.games if following.match else ()
    signs = _signs(header["signs"], setting.game) if "signs" in header else {}
    names, label = setting.names, setting.label
    return Played(deal, names, games, won, setting.seated, signs, label, seats), following


def _played(
    begun: list[AnyDeal], body: list[Line], last: Line, doubles: bool, seats: tuple[int, ...]
) -> AnyDeal:
    """The first of the deals that what was said goes with."""
    failed: RecordError | None = None
    for deal in begun:
        if seats:
            deal = replace(deal, stock=())
        try:
            return _said(deal, body, last, doubles, seats)
        except RecordError as error:
            failed = failed or error
    assert failed is not None
    raise failed


def _said(
    deal: AnyDeal, body: list[Line], last: Line, doubles: bool, seats: tuple[int, ...]
) -> AnyDeal:
    for line in body:
        try:
            deal = play(deal, line, doubles, seats)
        except InputError as error:
            raise line.error(error) from None
    if not deal.over:
        raise last.error(f"the deal ends too soon. {deal.state_text()}")
    return deal


def _hands(value: str) -> list[str | None]:
    texts = [text.strip() for text in value.split("|")] if "|" in value else value.split()
    return [None if text == "-" else text for text in texts]


def _signs(line: Line, game: Game) -> dict[int, tuple[str, ...]]:
    """The signs, by the seat that made them."""
    found: dict[int, tuple[str, ...]] = {}
    for item in line.value.split(","):
        seat, _, sign = item.strip().partition(" ")
        if not seat.isdecimal() or len(seat) > 1 or not 1 <= int(seat) <= game.seats or not sign:
            raise line.error(f"{item.strip()!r}: write the seat and its sign, such as 2 31")
        found[int(seat)] = (*found.get(int(seat), ()), sign.strip())
    return found
