"""A solved phase in which every player speaks for himself: strategies, worth, ranges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from musodds.arrays import Floats
from musodds.errors import InputError
from musodds.playing.actions import ORDAGO, read_action
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.solver.each_measure import Measured, SideGain
from musodds.solver.each_tree import DECLARED, EachTree
from musodds.solver.known import Known
from musodds.values import Table


@dataclass(frozen=True, eq=False, repr=False)
class EachSolution(Table):
    """Strategies of all players in a phase, and how good they are.

    Amounts are in the unit of the payoff (mano's side's chance of winning the game, or
    stones) and, but for `value`, per deal in which the phase is bet on. Divide by `stone`
    to have stones.

    Attributes
    ----------
    tree : EachTree
        What may be said; with it game, phase and the bets on offer.
    score : tuple of int
        Mano's side's stones and the other's.
    payoff : str
        ``equity`` or ``stones``.
    kind : str or None
        With equity: what is assumed of later deals; see :mod:`musodds.stakes.equity_kinds`.
    stone : float
        What one net stone is worth at the score, in the unit of the payoff.
    strategy : ndarray of float64, shape (seats, classes, slots)
        At a point's slots, how often a hand says each action. See :meth:`frequencies`.
    value, value_se : float
        Mano's side's worth over all deals, and its standard error. What it is en paso
        is exact, the difference is measured.
    measured : Measured
        What any one player gains by changing alone, and more.
    sides : tuple of SideGain
        What mano's side, and the other, would gain by seeing both its hands.
    iterations, seed : int
    interrupted : bool
        Whether Ctrl-C ended the learning.
    """

    tree: EachTree
    score: tuple[int, int]
    payoff: str
    kind: str | None
    stone: float
    strategy: Floats
    value: float
    value_se: float
    measured: Measured
    sides: tuple[SideGain, ...]
    iterations: int
    seed: int
    interrupted: bool = False

    method = "monte-carlo"

    @property
    def game(self) -> Game:
        return self.tree.game

    @property
    def known(self) -> Known:
        """What all have declared of the phase."""
        return self.tree.known

    @property
    def phase(self) -> str:
        return self.tree.phase

    @property
    def gain(self) -> float:
        """The most that any one player gains by changing alone: an upper bound, in stones."""
        return float(self.measured.gains_most.max()) / self.stone

    @property
    def error(self) -> float:
        """The standard error of what the player gains who gains most, in stones."""
        seat = int(self.measured.gains_most.argmax())
        return float(self.measured.gains_se[seat]) / self.stone

    def rows(
        self, line: Sequence[str] = (), able: Sequence[int] | None = None
    ) -> Iterator[dict[str, Any]]:
        """A row for each hand that may speak at a point: how often it says each action.

        Parameters and errors as in :meth:`frequencies`; columns `worth …` as in
        :meth:`worth`.
        """
        point = self.tree.points[self.tree.point(line, able)]
        these = slice(point.slot, point.slot + len(point.actions))
        said, worth = (
            table[point.seat - 1, :, these] for table in (self.strategy, self.measured.worth)
        )
        known = hands(self.game)
        speak = known.level[self.phase] > 0 if self.phase in DECLARED else np.ones(len(known), bool)
        for held in np.flatnonzero(speak):
            yield {
                "hand": known.texts[held],
                **dict(zip(point.actions, map(float, said[held]), strict=True)),
                **{
                    f"worth {action}": float(w)
                    for action, w in zip(point.actions, worth[held], strict=True)
                },
            }

    def frequencies(
        self, hand: str, line: Sequence[str] = (), able: Sequence[int] | None = None
    ) -> dict[str, float]:
        """How often the player whose turn it is says each action with a hand.

        Parameters
        ----------
        hand : str
        line : sequence of str
            What was said, such as ``["paso", "envido 2"]``; who leaves the answer to his
            partner says ``paso``.
        able : sequence of int, optional
            The seats that have pares (juego); all if not given.

        Raises
        ------
        InputError
            If there is no such hand, or nobody speaks after that line.
        """
        return self._of_hand(self.strategy, hand, line, able)

    def worth(
        self, hand: str, line: Sequence[str] = (), able: Sequence[int] | None = None
    ) -> dict[str, float]:
        """What each action is worth to the speaker's side, if all play on as solved.

        Parameters and errors as in :meth:`frequencies`; NaN where the others never lead
        there. Measured on sampled deals: rare hands and lines are known less well.
        """
        return self._of_hand(self.measured.worth, hand, line, able)

    def spoken(
        self, line: Sequence[str] = (), able: Sequence[int] | None = None
    ) -> dict[str, float]:
        """How often each action is said at a point, over all hands that get there.

        Parameters and errors as in :meth:`frequencies`; NaN where nobody gets there.
        """
        at = self.tree.point(line, able)
        actions = self.tree.points[at].actions
        said = self.measured.spoken[at, : len(actions)]
        total = said.sum()
        return {
            a: float(x / total) if total else float("nan")
            for a, x in zip(actions, said, strict=True)
        }

    def range(self, line: Sequence[str], able: Sequence[int] | None = None) -> tuple[int, Floats]:
        """Who said the last word of a line, and the chance of each hand he says it with.

        Parameters
        ----------
        line : sequence of str
            At least one word; the last may end the betting.
        able : sequence of int, optional

        Returns
        -------
        seat : int
        chances : ndarray of float64, shape (classes,)
            They add up to 1; all that was said before is allowed for. NaN where nobody
            gets there.

        Raises
        ------
        InputError
            If that is not said.
        """
        point = self.tree.points[self.tree.point(line[:-1], able)]
        said = read_action(line[-1]).text if line else ""
        if said not in point.actions:
            raise InputError(
                f"{said or 'nothing'!r} is not on offer there: {', '.join(point.actions)}"
            )
        with_hand = self.measured.said_with[point.seat - 1]
        chances = with_hand[:, point.slot + point.actions.index(said)]
        total = chances.sum()
        return point.seat, chances / total if total else np.full(len(chances), np.nan)

    def _of_hand(
        self, table: Floats, hand: str, line: Sequence[str], able: Sequence[int] | None
    ) -> dict[str, float]:
        point = self.tree.points[self.tree.point(line, able)]
        held = hands(self.game).index(hand)
        these = table[point.seat - 1, held, point.slot : point.slot + len(point.actions)]
        return dict(zip(point.actions, map(float, these), strict=True))

    @cached_property
    def ordagos(self) -> tuple[float, float]:
        """The chance that an órdago is said, and that it is seen once it is said."""
        folded = seen = 0.0
        for point, said in zip(self.tree.points, self.measured.spoken, strict=True):
            # Who answers an órdago sees it or not; a partner's answer is a point of its own.
            if ORDAGO in point.line:
                for action, after in enumerate(point.children):
                    if after < 0:
                        seen += said[action] * (action == 1)
                        folded += said[action] * (action == 0)
        total = folded + seen
        return total, seen / total if total else float("nan")

    def to_dict(self) -> dict[str, Any]:
        """What a program wants to know, but for the strategies; amounts as they are here."""
        seen = self.measured
        return {
            "what": self.phase,
            "game": self.game.name,
            "model": "each",
            "method": self.method,
            "score": list(self.score),
            "payoff": self.payoff,
            "bets": self.tree.sizes.bets_text,
            "raises": self.tree.sizes.raises_text,
            "reraises": self.tree.sizes.reraises,
            "value": self.value,
            "value_se": self.value_se,
            "contested": seen.contested,
            "stone": self.stone,
            "gains": seen.gains.tolist(),
            "gains_se": seen.gains_se.tolist(),
            "gains_most": seen.gains_most.tolist(),
            "gain_stones": self.gain,
            "both_hands": [asdict(side) for side in self.sides],
            "iterations": self.iterations,
            "measured": seen.deals,
            "seed": self.seed,
            "decisions": len(self.tree.points),
        }
