"""Discard advice as a result: every keep of a hand, the best first, and mus or cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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

    Attributes
    ----------
    seat : int
    draws : tuple of Draw
        The keeps, with the exact distribution of the hand after each.
    n : int
        Deals in which the keeps were tried.
    net, net_se, diff, diff_se : ndarray of float64, shape (keeps,)
        Net stones, and the paired difference to the best keep.
    win, win_se : ndarray of float64, shape (keeps, phases)
        My side takes the phase.
    cut_net, cut_net_se : float
        Net stones if the cards are played as dealt: exact, with an error of 0, where
        the game can be counted.
    all_mus : float
        The share of deals in which everybody else says mus.
    mus_gain, mus_gain_se : ndarray of float64, shape (keeps,)
        What saying mus, and then keeping this, gains on cutting. In mus visto, where all
        change cards anyway: on the cards as dealt.
    known_chances : tuple of ndarray of float64, shape (keeps, plays), or None
        Where something is known of the others: chances of the plays after each draw
        (:data:`musodds.exact.draws.draws.CHANCES`), simulated, and their standard errors.
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

    def chances(self, i: int) -> dict[str, float]:
        """Chances of the plays after the draw, for keep ``i`` in order."""
        if self.known_chances is None:
            return {play: float(chance) for play, chance in self.draws[i].chances().items()}
        return dict(zip(CHANCES, self.known_chances[0][i].tolist(), strict=True))

    @property
    def undecided(self) -> tuple[str, ...]:
        """The keeps that cannot be told apart from the best yet, the best first."""
        close = -self.diff < APART * self.diff_se
        close[0] = True
        names = tuple(
            draw.keep for draw, is_close in zip(self.draws, close, strict=True) if is_close
        )
        return names if len(names) > 1 else ()

    @property
    def verdict(self) -> str:
        """The answer in words."""
        best = self.draws[0]
        words = kept = "throw all four" if best.keep == "-" else f"keep {best.keep}"
        if self.undecided:
            words = f"{kept}, but {_listed(self.undecided)} cannot be told apart yet"
        if best.game.visto:
            return words
        gain, error = float(self.mus_gain[0]), float(self.mus_gain_se[0])
        if self.all_mus == 0:
            return f"{words}; another player always cuts"
        if abs(gain) < APART * error:
            return f"{words}; mus and cut cannot be told apart yet"
        return f"{words}; say mus" if gain > 0 else f"{words}; better: cut"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1]


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
        What the others do.
    rounds : int
        Rounds of mus at most.
    learn : bool
        Whether others who would have cut are ruled out.
    seed : int
    seats : tuple of SeatAdvice
    knowledge : Knowledge or None
        What is known of the hands as dealt.
    score : tuple of int or None
        Ours and theirs, where keeps are ranked by the chance of winning the game: then
        that is what ``net``, ``diff``, ``cut_net`` and ``mus_gain`` stand for.
    interrupted : bool
        Whether Ctrl-C came before it was as exact as asked, or before all seats.
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

    method = "monte-carlo"

    @property
    def n(self) -> int:
        """Deals in which the keeps were tried, over all seats."""
        return sum(advice.n for advice in self.seats)

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
                row["n"] = advice.n
                rows.append(row)
        return rows
