"""What to say at the score: passing, betting, seeing, folding, and what each is worth.

Everything is worth the chance of winning the *game* that follows from it.

**What is counted, exactly.** The deals that fit my hand, what is known of the others,
and that the phase is bet on at all (both sides have pares, or juego; nobody has juego
where it is punto). Of each: who takes every phase and what both sides' hands add, the
stones agreed in earlier phases, the order of the count, the end at the target in the
middle of it, and the equity of the score after the deal (:mod:`musodds.equity`).

**What is assumed.** Later phases are passed, and so is the next deal and every other
(en paso): what later bets may bring is left out. The rivals hold what is given, their
bet or their seeing tells nothing more: who knows what it tells writes it as their
range. A bet or raise of mine is seen or folded, not raised. Earlier phases stand as
given; their showdown is still to come, and is counted. Of my side's cards only my hand
is known, and whatever is known of the partner's.

**The point of seeing** is the chance of winning the phase at which seeing and folding
are worth the same, the rest being as it is for this hand: with S the equity after
seeing and winning (losing) the phase, ``(fold - S(lost)) / (S(won) - S(lost))``. For an
órdago that is simply the equity after folding.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum
from typing import Any

import numpy as np

from musodds.actions import LEAST_BET, ORDAGO
from musodds.counting import Floats, Ints
from musodds.equity import Equity, check_score, count, exact_equity
from musodds.errors import InputError
from musodds.games import PHASES, Game, get_game
from musodds.knowledge import Knowledge
from musodds.known_odds import unseen_by_seat
from musodds.outcomes import LAST, Outcomes, check_counted, known_outcomes
from musodds.showdown import DEJE, PASSED, REFUSED, SEEN, Ending
from musodds.showdown_outcomes import showdown_stones
from musodds.unseen import Mask

RAISES = (2, 5)
"""Bets and raises that are looked at, apart from órdago."""

US, THEM = 0, 1
"""Sides in an :class:`musodds.showdown.Ending` here."""

_BY_NAME = {"us": US, "them": THEM}
_PASSED_WORDS = ("paso", "0")
_ORDAGO_WORDS = ("ordago", "órdago", "hordago")


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that may be said, and the chance of winning the game after it.

    Parameters
    ----------
    action : str
        ``pass``, ``fold``, ``see``, ``envido 2``, ``raise 5``, ``órdago`` …
    equity : float or None
        The chance after pass, fold or see; None for a bet, which needs an answer.
    if_seen, if_folded : float or None
        The chances after each answer to a bet.
    folds : float or None
        How often the rivals must fold to a bet to make it as good as the best choice
        that needs no answer; 0 if it is better even when seen; None if it never is.
    """

    action: str
    equity: float | None = None
    if_seen: float | None = None
    if_folded: float | None = None
    folds: float | None = None


@dataclass(frozen=True, eq=False)
class Situation:
    """A hand at the table, before its side answers or speaks in a phase.

    Attributes
    ----------
    outcomes : Outcomes
        The deals in which the phase is bet on.
    phase : str
    score : tuple of int
        Our stones and theirs, what was refused before included.
    earlier : mapping of phase to Ending
        Earlier phases that were not passed; side 0 is ours.
    on_table : int
        Stones on the table before the rivals' offer; 0 if it is the first bet.
    offer : int or str or None
        The stones that the rivals bet or add, ``órdago``, or None: nobody has bet.
    table : Equity
        The chances after the deal.
    """

    outcomes: Outcomes
    phase: str
    score: tuple[int, int]
    earlier: Mapping[str, Ending]
    on_table: int
    offer: int | str | None
    table: Equity

    @cached_property
    def chances(self) -> Floats:
        """The chance of each outcome."""
        return self.outcomes.chances()

    @cached_property
    def wins(self) -> Mask:
        """Where our side has the best hand in the phase."""
        return self.outcomes.wins[:, min(PHASES.index(self.phase), LAST)]

    @property
    def win(self) -> float:
        """The chance that our side has the best hand in the phase."""
        return self.mean(self.wins)

    def mean(self, values: Floats | Mask) -> float:
        """The mean over the outcomes; 1 if all are 1."""
        return fsum(self.chances * values) / fsum(self.chances)

    def passed(self) -> Floats:
        """The equity of each outcome if the phase is passed."""
        return self.after(Ending(self.phase, PASSED))

    def seen(self, stones: int | str) -> Floats:
        """The equity of each outcome if a bet of so many stones in all is seen."""
        if stones == ORDAGO:
            return self.wins.astype(np.float64)
        return self.after(Ending(self.phase, SEEN, int(stones)))

    def folded(self, side: int) -> Floats:
        """The equity of each outcome if a side folds to what is now on the table.

        We fold to the rivals' offer; they fold to a bet of ours on top of it.
        """
        on_table = self.on_table
        if side == THEM and isinstance(self.offer, int):
            on_table += self.offer
        return self.after(Ending(self.phase, REFUSED, on_table or DEJE, 1 - side))

    def after(self, ending: Ending) -> Floats:
        """The equity of each outcome, once the phase has ended so."""
        ours, theirs = self.score
        if ending.how == REFUSED:
            ours += ending.stones * (ending.side == US)
            theirs += ending.stones * (ending.side == THEM)
        stones = showdown_stones(self.outcomes, {**self.earlier, self.phase: ending})
        we_are_mano = self.outcomes.game.side(self.outcomes.seat) == 0
        return equity_after(stones, ours, theirs, self.table, we_are_mano)


def equity_after(
    stones: Ints,
    ours: int,
    theirs: int,
    table: Equity,
    we_are_mano: bool,
) -> Floats:
    """Our chance of winning the game after a showdown, row by row.

    Parameters
    ----------
    stones : ndarray of int64, shape (rows, phases)
        Positive: ours; see :func:`musodds.deal_stones.showdown_stones`.
    ours, theirs : int
        The score before it, which may have reached the target.
    table : Equity
    we_are_mano : bool
        Whether our side is mano in this deal; in the next one it is the other.
    """
    target = table.game.target
    if ours >= target or theirs >= target:
        return np.full(len(stones), float(ours >= target))
    after_ours, after_theirs, won, lost = count(stones, ours, theirs, target)
    on = ~(won | lost)
    found = won.astype(np.float64)
    found[on] = table.ours[int(we_are_mano), after_ours[on], after_theirs[on]]
    return found


@dataclass(frozen=True, eq=False)
class Decision:
    """What each choice is worth; see :func:`bet`.

    Attributes
    ----------
    situation : Situation
    hand : str
    knowledge : Knowledge
    choices : tuple of Choice
    point : float or None
        The point of seeing the offer: the least chance of winning the phase with which
        seeing is right; None without an offer, or if no chance is enough, or if the
        hand always or never wins the phase of a bet that is no órdago.
    """

    situation: Situation
    hand: str
    knowledge: Knowledge
    choices: tuple[Choice, ...]
    point: float | None

    @property
    def method(self) -> str:
        """``exact``, or ``monte-carlo`` if the equity after the deal is simulated."""
        return self.situation.table.method

    @property
    def win(self) -> float:
        """The chance that our side has the best hand in the phase, given it is bet on."""
        return self.situation.win

    @property
    def best(self) -> str:
        """The best choice of those that need no answer."""
        sure = [choice for choice in self.choices if choice.equity is not None]
        return max(sure, key=lambda choice: choice.equity or 0.0).action

    def choice(self, action: str) -> Choice:
        """The choice of that name."""
        return next(choice for choice in self.choices if choice.action == action)

    def rows(self) -> list[dict[str, Any]]:
        """One dict per choice, with the fields of :class:`Choice`."""
        names = ("action", "equity", "if_seen", "if_folded", "folds")
        return [{name: getattr(choice, name) for name in names} for choice in self.choices]


def bet(
    hand: str | Sequence[int],
    *,
    seat: int | str,
    phase: str,
    score: tuple[int, int],
    game: str | Game = "mus",
    on_table: int = 0,
    offer: int | str | None = None,
    agreed: Mapping[str, Ending] | str | Iterable[str] = (),
    knowledge: Knowledge | None = None,
    table: Equity | None = None,
) -> Decision:
    """What a bet, an answer or a pass is worth at a score, en paso afterwards.

    Parameters
    ----------
    hand : str
    seat : int or str
        My seat in this deal; it says whose side is mano.
    phase : str
        ``grande``, ``chica``, ``pares``, ``juego`` or ``punto``.
    score : tuple of int
        Our stones and theirs now, what has been refused in this deal included.
    game : str or Game, optional
        The game of ``knowledge``, if that is given.
    on_table : int, optional
        Stones bet before the rivals' last raise; 0 if their offer is the first bet.
    offer : int or str, optional
        The stones that the rivals bet, or add, or ``"ordago"``; None: nobody has bet.
    agreed : str or sequence of str, optional
        Earlier phases that were not passed, such as ``"grande:5"`` (a bet of 5 seen) or
        ``"chica:them"`` (we folded); see :func:`read_agreed`.
    knowledge : Knowledge, optional
    table : Equity, optional
        The chances after the deal; default those of the game en paso, exactly.

    Raises
    ------
    InputError
        If something given cannot be, or the phase cannot be bet on with this hand.

    Examples
    --------
    At 39-39 whoever folds has lost.

    >>> answer = bet("7654", seat=2, phase="grande", score=(39, 39), offer="ordago")
    >>> answer.choice("fold").equity, answer.point, answer.best
    (0.0, 0.0, 'see')
    """
    knowledge = Knowledge(get_game(game)) if knowledge is None else knowledge
    game = knowledge.game
    check_counted(game)
    phase = _phase(phase)
    check_score(game, *score)
    offer = _offer(on_table, offer)
    earlier = agreed if isinstance(agreed, Mapping) else read_agreed(agreed, phase)
    me, my_seat = _me(hand, seat, game)
    unseen = unseen_by_seat(me, (my_seat,), knowledge)[my_seat]
    outcomes = _played(known_outcomes(unseen, my_seat), phase, earlier)
    situation = Situation(
        outcomes, phase, score, earlier, on_table, offer, table or exact_equity(game)
    )
    choices = _open(situation) if offer is None else _answers(situation, offer)
    point = None if offer is None else _point(situation, offer)
    return Decision(situation, unseen.hands.texts[me], knowledge, tuple(choices), point)


def _me(hand: str | Sequence[int], seat: int | str, game: Game) -> tuple[int, int]:
    from musodds.hands import hands

    return hands(game).index(hand), game.parse_seat(seat)


def _phase(text: str) -> str:
    name = text.strip().lower()
    if name not in PHASES:
        raise InputError(f"no phase {text!r}: phases are {', '.join(PHASES)}")
    return name


def _offer(on_table: int, offer: int | str | None) -> int | str | None:
    if on_table < 0 or on_table == 1:
        raise InputError(
            f"{on_table} on the table: a bet is {LEAST_BET} or more, 0 if there is none"
        )
    if offer is None:
        if on_table:
            raise InputError(
                f"{on_table} on the table and no offer: say what the rivals add to it, a number "
                "or ordago"
            )
        return None
    word = str(offer).strip().lower()
    if word in _ORDAGO_WORDS:
        return ORDAGO
    if not word.isdecimal() or int(word) < LEAST_BET:
        raise InputError(
            f"offer {str(offer)!r}: a number of stones, {LEAST_BET} or more, or ordago"
        )
    return int(word)


def read_agreed(text: str | Iterable[str], phase: str = "") -> dict[str, Ending]:
    """Read how earlier phases ended.

    Parameters
    ----------
    text : str or sequence of str
        ``grande:5``: a bet of 5 in all was seen; ``pares:us``, ``pares:them``: the other
        side folded, which has been scored; ``chica:paso`` says nothing. Several are
        separated by commas.
    phase : str, optional
        The phase that is being bet on: all others must be earlier.

    Raises
    ------
    InputError
        If it cannot be read, or a phase is not earlier or given twice.

    Examples
    --------
    >>> read_agreed("grande:5, chica:them", "pares")["chica"].side
    1
    """
    parts = text.split(",") if isinstance(text, str) else [p for t in text for p in t.split(",")]
    found: dict[str, Ending] = {}
    for part in filter(None, map(str.strip, parts)):
        name, colon, value = (piece.strip().lower() for piece in part.partition(":"))
        if name not in PHASES or not colon:
            raise InputError(
                f"agreed {part!r}: write a phase and its stones, such as grande:5, or who took "
                "it when the other side folded, such as chica:us"
            )
        if phase and (name == "punto" or PHASES.index(name) >= PHASES.index(phase)):
            raise InputError(f"agreed {part!r}: {name} does not come before {phase}")
        if phase == "punto" and name == "juego":
            raise InputError(f"agreed {part!r}: where punto is played nobody has juego")
        if name in found:
            raise InputError(f"agreed {part!r}: {name} is given twice")
        if value in _BY_NAME:
            found[name] = Ending(name, REFUSED, 0, _BY_NAME[value])
        elif value.isdecimal() and int(value) >= LEAST_BET:
            found[name] = Ending(name, SEEN, int(value))
        elif value not in _PASSED_WORDS:
            raise InputError(
                f"agreed {part!r}: {value or 'nothing'!r} is not stones ({LEAST_BET} or more), "
                "us, them or paso"
            )
    return {name: ending for name, ending in found.items() if ending.how != PASSED}


def _played(outcomes: Outcomes, phase: str, earlier: Mapping[str, Ending]) -> Outcomes:
    """The outcomes in which the phase is bet on, and the earlier ones could be."""
    for name in (*earlier, phase):
        outcomes = outcomes.where(outcomes.contested(name))
        if not len(outcomes.weights):
            why = (
                "somebody has juego"
                if name == "punto"
                else f"with this hand and what is known it is not so that both sides have {name}"
            )
            raise InputError(f"there is no betting in {name}: {why}")
    return outcomes


def _open(situation: Situation) -> list[Choice]:
    """Nobody has bet."""
    passing = situation.mean(situation.passed())
    bets = [_bet(situation, f"envido {stones}", stones, passing) for stones in RAISES]
    return [Choice("pass", passing), *bets, _bet(situation, ORDAGO, ORDAGO, passing)]


def _answers(situation: Situation, offer: int | str) -> list[Choice]:
    """The rivals have bet."""
    total = _total(situation, offer)
    fold = situation.mean(situation.folded(US))
    see = situation.mean(situation.seen(total))
    choices = [Choice("fold", fold), Choice("see", see)]
    if isinstance(total, str):
        return choices
    otherwise = max(fold, see)
    choices += [_bet(situation, f"raise {more}", total + more, otherwise) for more in RAISES]
    return [*choices, _bet(situation, ORDAGO, ORDAGO, otherwise)]


def _total(situation: Situation, offer: int | str) -> int | str:
    return offer if isinstance(offer, str) else situation.on_table + offer


def _bet(situation: Situation, action: str, stones: int | str, otherwise: float) -> Choice:
    if_seen = situation.mean(situation.seen(stones))
    if_folded = situation.mean(situation.folded(THEM))
    return Choice(action, None, if_seen, if_folded, fold_frequency(if_seen, if_folded, otherwise))


def fold_frequency(if_seen: float, if_folded: float, otherwise: float) -> float | None:
    """How often a bet must be folded to be worth as much as something else.

    Returns
    -------
    float or None
        0 if it is better even when always seen; None if it is not even when always
        folded.

    Examples
    --------
    >>> fold_frequency(0.25, 0.75, 0.5), fold_frequency(0.5, 0.75, 0.25)
    (0.5, 0.0)
    >>> fold_frequency(0.0, 0.25, 0.5) is None
    True
    """
    if if_seen >= otherwise:
        return 0.0
    if if_folded < otherwise:
        return None
    return (otherwise - if_seen) / (if_folded - if_seen)


def _point(situation: Situation, offer: int | str) -> float | None:
    """The chance of winning the phase at which seeing is worth as much as folding."""
    chances, wins = situation.chances, situation.wins
    fold = situation.mean(situation.folded(US))
    if offer == ORDAGO:
        return fold
    seen, win = situation.seen(_total(situation, offer)), situation.win
    if not wins.any() or wins.all():
        return None
    won = float(chances[wins] @ seen[wins]) / win
    lost = float(chances[~wins] @ seen[~wins]) / (1 - win)
    if lost >= fold:
        return 0.0
    return None if won < fold else (fold - lost) / (won - lost)
