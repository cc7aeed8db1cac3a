"""Discard advice as a result: mus or cut, how often mus is agreed, and what to throw then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from musodds.arrays import Floats
from musodds.exact.draws.draws import CHANCES, Draw
from musodds.rules.game import PHASES, Game
from musodds.values import Table, Value

if TYPE_CHECKING:
    from musodds.knowledge.knowledge import Knowledge

APART = 3.0
"""Keeps whose difference is this many standard errors are told apart."""


@dataclass(frozen=True, eq=False, repr=False)
class SeatAdvice(Value):
    """Every distinct keep of a hand in one seat, the best first.

    Of keeps that are not told apart the policy's own is taken for the best.

    Attributes
    ----------
    seat : int
    draws : tuple of Draw
        The keeps, with the exact distribution of the hand after each; none where another
        player always cuts.
    n : int
        Deals in which the keeps were tried.
    net, net_se, diff, diff_se : ndarray of float64, shape (keeps,)
        Net stones once mus is agreed, and the paired difference to the best keep.
    win, win_se : ndarray of float64, shape (keeps, phases)
        My side takes the phase.
    cut_net, cut_net_se : float
        Net stones if the cards are played as dealt: exact, with an error of 0, where
        the game can be counted.
    all_mus : float
        The share of deals in which everybody else says mus: how often mus is agreed if I
        say it.
    mus_gain, mus_gain_se : ndarray of float64, shape (keeps,)
        What saying mus, and then keeping this, gains on cutting, over all deals. In mus
        visto, where all change cards anyway: on the cards as dealt.
    known_chances : tuple of ndarray of float64, shape (keeps, plays), or None
        Where something is known of the others: chances of the plays after each draw
        (:data:`musodds.exact.draws.draws.CHANCES`), simulated, and their standard errors.
    all_mus_se : float
        0 where the share is counted.
    cutters : tuple of int
        Other seats that always cut.
    lean : str or None
        What the table that comes with the package says where these deals do not tell.
    """

    seat: int
    draws: tuple[Draw, ...]
    n: int
    net: Floats
    net_se: Floats
    diff: Floats
    diff_se: Floats
    win: Floats
    win_se: Floats
    cut_net: float
    cut_net_se: float
    all_mus: float
    mus_gain: Floats
    mus_gain_se: Floats
    known_chances: tuple[Floats, Floats] | None = None
    all_mus_se: float = 0.0
    cutters: tuple[int, ...] = ()
    lean: str | None = None

    def chances(self, i: int) -> dict[str, float]:
        """Chances of the plays after the draw, for keep ``i`` in order."""
        if self.known_chances is None:
            return {play: float(chance) for play, chance in self.draws[i].chances().items()}
        return dict(zip(CHANCES, self.known_chances[0][i].tolist(), strict=True))

    @property
    def agreed_gain(self) -> tuple[float, float]:
        """What the best keep gains on cutting each time mus is agreed, and its standard error."""
        if not self.draws:
            return 0.0, 0.0
        return float(self.mus_gain[0]) / self.all_mus, float(self.mus_gain_se[0]) / self.all_mus

    @property
    def say(self) -> str | None:
        """``mus`` or ``cut``, whichever brings more; None where nobody is asked or it is one."""
        if not self.draws or self.draws[0].game.visto:
            return None
        if self.lean is not None:
            return self.lean
        return "mus" if self.mus_gain[0] > 0 else "cut"

    @property
    def say_is_sure(self) -> bool:
        """Whether mus and cut are told apart."""
        gain, error = self.agreed_gain
        return self.say is not None and abs(gain) >= APART * error

    @property
    def undecided(self) -> tuple[str, ...]:
        """The keeps that cannot be told apart from the best yet, the best first."""
        close = -self.diff < APART * self.diff_se
        close[:1] = True
        names = tuple(
            draw.keep for draw, is_close in zip(self.draws, close, strict=True) if is_close
        )
        return names if len(names) > 1 else ()

    @property
    def best(self) -> str:
        """What to throw, in words."""
        if not self.draws:
            return "nothing to throw"
        keep = self.draws[0].keep
        kept = "throw all four" if keep == "-" else f"keep {keep}"
        if self.undecided:
            return f"{kept}, but {_listed(self.undecided)} cannot be told apart yet"
        return kept

    @property
    def verdict(self) -> str:
        """The answer in words: what to say first, unless nobody is asked."""
        if not self.draws:
            who = (
                f"seat {_listed(tuple(map(str, self.cutters)))} always cut"
                if len(self.cutters) > 1
                else f"seat {self.cutters[0]} always cuts"
                if self.cutters
                else ("the others never all say mus")
            )
            return f"{who}: {self.best}"
        if self.say is None:
            return self.best
        if not self.say_is_sure:
            return f"mus and cut cannot be told apart yet; after mus {self.best}"
        if self.say == "mus":
            return f"say mus, then {self.best}"
        return f"cut; after mus {self.best}"

    def answer(self) -> dict[str, Any]:
        """The seat in one dict: what to say, how often mus is agreed, what to keep then.

        ``mus_gain`` is what mus gains on cutting over all deals, ``mus_gain_agreed`` each
        time that mus is agreed.
        """
        gain, error = self.agreed_gain
        return {
            "seat": self.seat,
            "say": self.say,
            "say_is_sure": self.say_is_sure,
            "mus_agreed": self.all_mus,
            "mus_agreed_se": self.all_mus_se,
            "keep": self.draws[0].keep if self.draws else None,
            "undecided": " ".join(self.undecided) or None,
            "net": float(self.net[0]) if self.draws else None,
            "net_se": float(self.net_se[0]) if self.draws else None,
            "mus_gain": float(self.mus_gain[0]) if self.draws else 0.0,
            "mus_gain_se": float(self.mus_gain_se[0]) if self.draws else 0.0,
            "mus_gain_agreed": gain if self.draws else None,
            "mus_gain_agreed_se": error if self.draws else None,
            "cut_net": self.cut_net,
            "cut_net_se": self.cut_net_se,
            "always_cut": " ".join(map(str, self.cutters)) or None,
            "verdict": self.verdict,
        }


def nothing_to_throw(seat: int, dealt: tuple[float, float], cutters: tuple[int, ...]) -> SeatAdvice:
    """The advice where mus is never agreed.

    Parameters
    ----------
    seat : int
    dealt : tuple of float
        The net of the cards as dealt, and its standard error.
    cutters : tuple of int
        Other seats that always cut.
    """
    none = np.zeros(0)
    wins = np.zeros((0, len(PHASES)))
    return SeatAdvice(
        seat, (), 0, none, none, none, none, wins, wins, *dealt, 0.0, none, none, cutters=cutters
    )


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1]


_AT_SCORE = {
    "net": "equity", "net_se": "equity_se", "cut_net": "cut_equity", "cut_net_se": "cut_equity_se",
}  # fmt: skip
_VISTO = ("seat", "keep", "undecided", "net", "net_se", "equity", "equity_se", "verdict")
"""What there is to say where nobody is asked for mus."""


@dataclass(frozen=True, eq=False, repr=False)
class Discard(Table):
    """Discard advice for a hand.

    Attributes
    ----------
    game : Game
    hand : str
    certain : bool
        Whether every suit that matters is known; if not, all is an average over the
        hands that it may be.
    policy : str
        What the others do, as far as ``others`` says nothing else.
    rounds : int
        Rounds of mus at most.
    learn : bool
        Whether the keeps are tried on deals in which all others say mus.
    seed : int
    seats : tuple of SeatAdvice
    knowledge : Knowledge or None
        What is known of the hands as dealt.
    score : tuple of int or None
        Ours and theirs, where keeps are ranked by the chance of winning the game: then
        that is what ``net``, ``diff``, ``cut_net`` and ``mus_gain`` stand for.
    interrupted : bool
        Whether Ctrl-C came before it was as exact as asked, or before all seats.
    by_default : bool
        Whether the policy was taken because none was named.
    others : tuple of (str, str)
        Players with a policy of their own, and its name.
    equity : str or None
        The kind of equity after the deal, at a score.
    """

    game: Game
    hand: str
    certain: bool
    policy: str
    rounds: int
    learn: bool
    seed: int
    seats: tuple[SeatAdvice, ...]
    knowledge: Knowledge | None = None
    score: tuple[int, int] | None = None
    interrupted: bool = False
    by_default: bool = False
    others: tuple[tuple[str, str], ...] = ()
    equity: str | None = None

    method = "monte-carlo"

    @property
    def n(self) -> int:
        """Deals in which the keeps were tried, over all seats."""
        return sum(advice.n for advice in self.seats)

    def answers(self) -> list[dict[str, Any]]:
        """One dict per seat: what to say, how often mus is agreed, what to throw then.

        At a score ``equity`` and ``cut_equity`` stand in place of ``net`` and ``cut_net``.
        """
        found = []
        for advice in self.seats:
            row = advice.answer()
            if self.score:
                row = {_AT_SCORE.get(name, name): value for name, value in row.items()}
            if self.game.visto:
                row = {name: row[name] for name in row if name in _VISTO}
            found.append(row)
        return found

    def rows(self) -> list[dict[str, Any]]:
        """One dict per seat and keep, the best keep of a seat first.

        ``net``, ``diff`` (to the best, paired), ``win_<phase>`` and ``mus_gain`` have a
        standard error beside them (``_se``); ``cut_net`` and the chances of pares, par,
        medias, duples, juego and 31 after the draw are exact (``cut_net_se`` is 0 where
        the game can be counted). Under knowledge those chances have an error too. At a
        score ``equity`` and ``cut_equity`` stand in place of ``net`` and ``cut_net``. In
        mus visto nobody can cut, and nothing is said of it.
        """
        rows = []
        net, cut_net = ("equity", "cut_equity") if self.score else ("net", "cut_net")
        for advice in self.seats:
            known = advice.known_chances
            for i, draw in enumerate(advice.draws):
                row: dict[str, Any] = {"seat": advice.seat, "keep": draw.keep}
                row[net], row[f"{net}_se"] = float(advice.net[i]), float(advice.net_se[i])
                row["diff"], row["diff_se"] = float(advice.diff[i]), float(advice.diff_se[i])
                for j, phase in enumerate(PHASES):
                    row[f"win_{phase}"] = float(advice.win[i, j])
                    row[f"win_{phase}_se"] = float(advice.win_se[i, j])
                for j, (play, chance) in enumerate(advice.chances(i).items()):
                    row[play] = chance
                    if known is not None:
                        row[f"{play}_se"] = float(known[1][i, j])
                if not self.game.visto:
                    row[cut_net] = advice.cut_net
                    row[f"{cut_net}_se"] = advice.cut_net_se
                    row["mus_gain"] = float(advice.mus_gain[i])
                    row["mus_gain_se"] = float(advice.mus_gain_se[i])
                    row["all_mus"] = advice.all_mus
                    row["all_mus_se"] = advice.all_mus_se
                    row["say"] = advice.say
                row["n"] = advice.n
                rows.append(row)
        return rows
