"""A solved policy, how good it is, and how it is written to a file."""

from __future__ import annotations

from dataclasses import dataclass

from musodds.simulation.policies import Policy
from musodds.stakes.equity import CHANCE_PER_STONE
from musodds.values import Table


@dataclass(frozen=True)
class Gap:
    """The most that any hand in any seat gains by a change, measured on fresh deals.

    Attributes
    ----------
    gain, gain_se : float
        Net stones for my side, with the hand given.
    seat : int
        The seat, 0 if no hand gains.
    hand : str
    n : int
        Deals in all.
    """

    gain: float
    gain_se: float
    seat: int
    hand: str
    n: int

    def __str__(self) -> str:
        if not self.seat:
            return f"nothing, with any hand ({self.n} deals)"
        return (
            f"at most {self.gain:z.4f} stones (standard error {self.gain_se:.4f}) for "
            f"{self.hand} in seat {self.seat} ({self.n} deals)"
        )


@dataclass(frozen=True)
class Step:
    """What a seat gains if it alone thinks one step further than the others.

    Attributes
    ----------
    seat : int
    gain, gain_se : float
        Net stones for its side, a deal.
    hand : str
        The hand that gains most; empty if none does.
    most : float
        What it gains, given that it is dealt.
    """

    seat: int
    gain: float
    gain_se: float
    hand: str
    most: float

    def __str__(self) -> str:
        with_hand = f", {self.most:z.2f} with {self.hand}" if self.hand else ""
        return f"seat {self.seat} {self.gain:z.4f} (standard error {self.gain_se:.4f}{with_hand})"


@dataclass(frozen=True, eq=False, repr=False)
class Solution(Table):
    """A solved policy and how good it is.

    Attributes
    ----------
    policy : Policy
    level : int
        Steps of thought: see :mod:`musodds.strategy.solve`.
    start : str
        The policy whose keeps it started from.
    iterations : int
    wanted : float
        The gap that was asked for.
    keep_gap : Gap
        For another keep, given that mus was agreed.
    say_gap : Gap
        For another say, among players of the level below.
    steps : tuple of Step
        What one seat that plays this level gains among players of the level below.
    further : tuple of Step
        What one seat that thinks one step further gains among players of this level.
    agreed : float
        The share of deals in which all say mus.
    n : int
        Deals in all that were looked at.
    seed : int
    score : tuple of int or None
        Stones of mano's side and of the other, where hands seek to win the game: a
        stone is then :data:`musodds.stakes.equity.CHANCE_PER_STONE` of a game.
    """

    policy: Policy
    level: int
    start: str
    iterations: int
    wanted: float
    keep_gap: Gap
    say_gap: Gap
    steps: tuple[Step, ...]
    further: tuple[Step, ...]
    agreed: float
    n: int
    seed: int
    score: tuple[int, int] | None = None

    @property
    def reached(self) -> bool:
        """Whether no hand was measured to gain more than was asked."""
        return max(self.keep_gap.gain, self.say_gap.gain) <= self.wanted

    def rows(self) -> list[dict[str, str]]:
        """The rows of the policy."""
        return self.policy.rows()

    def to_csv(self) -> str:
        """The policy as CSV text; how it was made stands in comments on top."""
        game = self.policy.game
        option, note = "", ""
        if self.score is not None:
            at = f"{self.score[0]}-{self.score[1]}"
            option = f"--score {at} "
            note = f", to win the game from {at} (a stone: {CHANCE_PER_STONE:.0%} of a game)"
        title, level = game.name, ""
        if not game.visto:
            title, level = f"{game.name}, level {self.level}", f"--level {self.level} "
        lines = [
            f"{title}, en paso{note}: {_meaning(self.level, game.visto)}",
            f"made by: musodds policy solve --game {game.name} {level}"
            f"--gap {self.wanted:g} {option}--seed {self.seed} "
            f"(from {self.start}, {self.iterations} iterations)",
            f"n: {self.n} deals, seed: {self.seed}",
            *self._measured(),
        ]
        return "".join(f"# {line}\n" for line in lines) + self.policy.to_csv()

    def _measured(self) -> list[str]:
        if self.policy.game.visto:
            return [f"another keep gains {self.keep_gap}"]
        lines = [f"mus is agreed in {self.agreed:.2%} of deals among players of this level"]
        lines.append(f"after a mus that all agreed to, another keep gains {self.keep_gap}")
        if self.level:
            lines.append(
                f"among players of level {self.level - 1}, another say gains {self.say_gap}"
            )
            lines.append(
                f"one player of this level among players of level {self.level - 1} gains, in "
                f"stones a deal: {'; '.join(map(str, self.steps))}"
            )
        lines.append(
            "one player who thinks one step further, among players of this level, gains, in "
            f"stones a deal: {'; '.join(map(str, self.further))}"
        )
        return lines


def _meaning(level: int, visto: bool) -> str:
    """A level in plain words."""
    if visto:
        return (
            "keeps for the change that nobody is asked about; afterwards whoever would change "
            "nothing cuts"
        )
    say = (
        "always says mus"
        if level == 0
        else f"says mus where that beats cutting among players of level {level - 1}"
    )
    return f"{say}; keeps are solved for a mus that was agreed among players of level {level}"
