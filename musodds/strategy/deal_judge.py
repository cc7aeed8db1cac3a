"""What a bet or an answer was worth where the whole deal is solved at its score.

In a solved deal a bet in grande is weighed with all that can still be said in chica, pares
and juego, and what the rivals hold is told by all that they said in the deal. Solved deals
are given, or kept on this computer (:func:`musodds.solver.kept.kept_deal`).

**What is assumed.** Later deals are as the table of the solution says. With partners each
side speaks through one player who knows his own hand (the model ``own``): a partner's is
judged as if he sat there. Where no solved deal has what was said, its rivals hardly ever
say it, or signs of the partner were noted, another judge is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from musodds.errors import InputError
from musodds.playing.actions import Action
from musodds.rules.game import PHASES
from musodds.rules.hands import hands
from musodds.solver.betting import Betting
from musodds.solver.game import DEAL, EQUITY
from musodds.solver.kept import kept_deal
from musodds.solver.lines import follow, two_voices
from musodds.solver.tree import PATTERNS
from musodds.strategy.judges import DEAL_SOLVED, BettingJudge, Verdict, View
from musodds.strategy.solved_judge import SolvedJudge

RARE = 0.005
"""Of what the rivals say in a deal less often nothing is learnt."""


@dataclass(frozen=True)
class DealJudge:
    """Betting by solved deals; see the head of the module.

    Parameters
    ----------
    given : tuple of Betting
        Solved deals, taken before those that are kept.
    solve : bool
        Whether the deal at a score that is neither given nor kept is solved, and kept.
    otherwise : BettingJudge
        Judges what no solved deal has.

    Raises
    ------
    InputError
        If something else than a deal solved for the chance of winning is given.
    """

    given: tuple[Betting, ...] = ()
    solve: bool = False
    otherwise: BettingJudge = field(default_factory=SolvedJudge)

    def __post_init__(self) -> None:
        for one in self.given:
            if one.spec.what != DEAL or one.spec.payoff != EQUITY:
                raise InputError(
                    f"a strategy of {one.spec.what} for {one.spec.payoff}: a review takes whole "
                    "deals, solved for the chance of winning (solve deal -o FILE)"
                )

    @property
    def name(self) -> str:
        """How an answer calls the model."""
        return (
            "the whole deal, solved at its score, one voice a side, where it is at hand, its "
            f"rivals say what was said in {RARE:.1%} or more and the partner made no sign; else "
            f"{self.otherwise.name}"
        )

    def weigh(self, view: View, said: Action) -> Verdict:
        """What was best, and what the thing said is worth."""
        for solved in () if view.signed else self._solutions(view):
            found = _weigh(solved, view, said)
            if found is not None:
                return found
        return self.otherwise.weigh(view, said)

    def _solutions(self, view: View) -> Iterator[Betting]:
        ours, theirs = view.opening
        score = view.opening if view.game.side(view.seat) == 0 else (theirs, ours)
        at = [
            one
            for one in self.given
            if one.spec.score == score and one.spec.game == view.game
        ]  # fmt: skip
        yield from sorted(at, key=lambda one: view.seat not in one.spec.speakers)
        kept = kept_deal(view.game, score, view.table, solve=self.solve)
        if kept is not None:
            yield kept


def _weigh(solved: Betting, view: View, said: Action) -> Verdict | None:
    """By a solved deal; None if it does not have what was said."""
    side = view.game.side(view.seat)
    try:
        node = follow(solved.tree, _line(view))
    except InputError:
        return None
    if solved.side_of(node) != side or said.text not in solved.tree.options(node):
        return None
    place = np.flatnonzero(solved.classes(node, side) == hands(view.game).index(view.hand))
    if not len(place) or solved.often(node, 1 - side) < RARE:
        return None
    worths = solved.at(node)[1][:, place[0]].astype(np.float64).tolist()
    if not np.isfinite(worths).all():
        return None  # with this hand the rivals cannot have come there
    values = dict(zip(solved.tree.options(node), worths, strict=True))
    return Verdict.among(values, said.text, max(0.0, solved.exploitability), DEAL_SOLVED)


def _line(view: View) -> str:
    """All that was said in the deal, one voice a side, as the tree has it."""
    parts = []
    for phase in PHASES[: PHASES.index(view.phase) + 1]:
        words = two_voices(
            [(one.seat, one.text) for one in view.said if one.stage == phase],
            phase == view.phase,
            view.game.side(view.seat),
        )
        if phase in view.declared:
            words = [*_pattern(view.declared[phase]), *words]
        if words:
            parts.append(f"{phase}: {', '.join(words)}")
    return "; ".join(parts)


def _pattern(answers: tuple[bool, ...]) -> Iterator[str]:
    """Which sides have it; where nobody has juego the line of punto says so."""
    both = (any(answers[0::2]), any(answers[1::2]))
    yield next(name for name, sides in PATTERNS.items() if sides == both)
