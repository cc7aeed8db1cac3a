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
            return f"no hand gains anything ({self.n} deals)"
        return (
            f"at most {self.gain:.4f} stones (standard error {self.gain_se:.4f}) for "
            f"{self.hand} in seat {self.seat} ({self.n} deals)"
        )


@dataclass(frozen=True, eq=False, repr=False)
class Solution(Table):
    """A solved policy and how good it is.

    Attributes
    ----------
    policy : Policy
    start : str
        The policy it started from.
    iterations : int
    wanted : float
        The gap that was asked for.
    keep_gap, cut_gap : Gap
        For another keep, and for another say.
    n : int
        Deals in all.
    seed : int
    score : tuple of int or None
        Stones of mano's side and of the other, where hands seek to win the game: a
        stone is then :data:`musodds.stakes.equity.CHANCE_PER_STONE` of a game.
    """

    policy: Policy
    start: str
    iterations: int
    wanted: float
    keep_gap: Gap
    cut_gap: Gap
    n: int
    seed: int
    score: tuple[int, int] | None = None

    @property
    def reached(self) -> bool:
        """Whether no hand was measured to gain more than was asked."""
        return max(self.keep_gap.gain, self.cut_gap.gain) <= self.wanted

    def rows(self) -> list[dict[str, str]]:
        """The rows of the policy."""
        return self.policy.rows()

    def to_csv(self) -> str:
        """The policy as CSV text; how it was made stands in comments on top."""
        game = self.policy.game.name
        option, note = "", ""
        one_round = "the round of mus visto" if self.policy.game.visto else "one round of mus"
        if self.score is not None:
            at = f"{self.score[0]}-{self.score[1]}"
            option = f"--score {at} "
            note = f", to win the game from {at} (a stone: {CHANCE_PER_STONE:.0%} of a game)"
        lines = [
            f"{game}: best response to itself, en paso, {one_round} for everybody{note}",
            f"made by: musodds policy solve --game {game} --gap {self.wanted:g} "
            f"{option}--seed {self.seed} (from {self.start}, {self.iterations} iterations)",
            f"n: {self.n} deals, seed: {self.seed}",
            f"another keep gains {self.keep_gap}",
        ]
        if self.policy.game.visto:
            lines.append("say, after the round of mus visto: cut where nothing would be changed")
        else:
            lines += [
                f"cutting for mus, or mus for cutting, gains {self.cut_gap}",
                "say: cut where the cards as dealt bring more than a round of mus in which "
                "everybody plays these keeps",
            ]
        return "".join(f"# {line}\n" for line in lines) + self.policy.to_csv()
