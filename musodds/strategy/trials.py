"""Keeps of a hand, tried on the same deals: what a sample of deals says of each.

Every keep meets the same deals of the others, who throw as their policy says; see
:mod:`musodds.strategy.kernels.alternatives`. The exact net of the cards as dealt corrects the
estimates as far as they go with it (a control variate).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import fsum, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats
from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.hands import hands
from musodds.simulation.policies import Policy
from musodds.simulation.runner import Goal, Look, run

if TYPE_CHECKING:
    from musodds.simulation.known_deals import Known

BLOCK = 2048
"""Deals with one random stream. Changing it changes the digits."""

_ATTEMPTS = 512
"""So many deals in all, for each one wanted in which the others agree to mus."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Sums over deals of what every keep tried brings; see ``average_block``.

    Attributes
    ----------
    number : ndarray of float64, shape (4,)
    net, products, mus, phases : ndarray of float64
    learn : bool
        Whether deals in which another player would cut count only for saying mus.
    """

    number: Floats
    net: Floats
    products: Floats
    mus: Floats
    phases: Floats
    learn: bool = False

    @property
    def n(self) -> int:
        """Deals in which the keeps were tried."""
        return int(self.number[1] if self.learn else self.number[0])

    def __add__(self, other: Sample) -> Sample:
        return Sample(
            self.number + other.number,
            self.net + other.net,
            self.products + other.products,
            self.mus + other.mus,
            self.phases + other.phases,
            self.learn,
        )

    def estimates(self, as_dealt: float | None = None) -> tuple[Floats, Floats]:
        """Means and covariances (of the means) of the net of every keep.

        Parameters
        ----------
        as_dealt : float, optional
            The exact net of the cards as dealt, where the sample is one of all deals.

        Returns
        -------
        mean : ndarray of float64, shape (tried,)
        covariance : ndarray of float64, shape (tried, tried)
        """
        mean = self.net / self.n
        second = (self.products + np.tril(self.products, -1).T) / self.n
        covariance = (second - np.outer(mean, mean)) / (self.n - 1)
        if as_dealt is None or covariance[-1, -1] <= 0:
            return mean[:-1], covariance[:-1, :-1]
        slope = covariance[:-1, -1] / covariance[-1, -1]
        corrected = mean[:-1] - slope * (mean[-1] - as_dealt)
        return corrected, covariance[:-1, :-1] - np.outer(slope, covariance[-1, :-1])

    def dealt(self) -> tuple[float, float]:
        """The net of the cards as dealt in the sample, and its standard error."""
        n = float(self.number[0])
        mean = float(self.number[2]) / n
        return mean, sqrt(max(float(self.number[3]) / n - mean**2, 0) / (n - 1))

    def lead(self) -> tuple[float, float]:
        """What the first keep gains on the cards as dealt, and its standard error."""
        n, last = self.n, len(self.net) - 1
        mean = float(self.net[0] - self.net[last]) / n
        square = self.products[0, 0] + self.products[last, last] - 2 * self.products[last, 0]
        return mean, sqrt(max(float(square) / n - mean**2, 0) / (n - 1))

    def gain_of_mus(self, as_dealt: float | None) -> tuple[Floats, Floats]:
        """What saying mus gains on cutting, with every keep, and its standard error."""
        n = self.number[0]
        gain, dealt = self.mus[0] / n, self.number[2] / n
        variance = (self.mus[1] / n - gain**2) / (n - 1)
        if as_dealt is None:
            return gain, np.sqrt(np.maximum(variance, 0))
        with_dealt = (self.mus[2] / n - gain * dealt) / (n - 1)
        of_dealt = (self.number[3] / n - dealt**2) / (n - 1)
        slope = with_dealt / of_dealt if of_dealt > 0 else np.zeros_like(gain)
        corrected = gain - slope * (dealt - as_dealt)
        return corrected, np.sqrt(np.maximum(variance - slope * with_dealt, 0))


@dataclass(frozen=True, eq=False)
class Trial:
    """Some keeps of a hand in a seat, to be tried against a policy.

    Parameters
    ----------
    policy : Policy
        What everybody else does, and what I do in later rounds.
    seat : int
    index : int
        The class of the hand.
    rounds : int
        Rounds of mus at most, this one included.
    learn : bool
        Whether others who would have cut are ruled out.
    wins : bool
        Whether the phases are counted.
    keep : ndarray of int64, shape (tried, kinds)
    known : Known or None
        What all hands as dealt are drawn from, mine included.
    worth : ndarray of float64 or None
        What a deal is worth, by its stones; None: my side's net. See
        :func:`musodds.strategy.bench.stones_worth`.
    """

    policy: Policy
    seat: int
    index: int
    keep: NDArray[np.int64]
    rounds: int = 1
    learn: bool = False
    wins: bool = True
    known: Known | None = None
    worth: Floats | None = None
    agreed: bool = False

    @property
    def own(self) -> int | None:
        """Which of the keeps tried the policy itself takes, if it is one of them."""
        own = self.policy.keep[self.seat - 1, self.index]
        found = np.flatnonzero((self.keep == own).all(axis=1))
        return int(found[0]) if len(found) else None

    def play(self, seed: int, block: int, deals: int) -> Sample:
        """Play some deals of one stream."""
        from musodds.simulation.packing import pack_game
        from musodds.strategy.bench import bench, empty_sums, stones_worth
        from musodds.strategy.keep_tables import pack_keeps, rows_of
        from musodds.strategy.kernels import agreed, alternatives

        game = self.policy.game
        tables, keeps = pack_game(game), pack_keeps(game)
        moves = _packed(self.policy)
        tried = rows_of(keeps, game, self.keep)
        worth = stones_worth(game) if self.worth is None else self.worth
        room = bench(game, self.index, len(tried), moves, worth)
        sums = empty_sums(len(tried))
        dealt = None
        if self.known is not None:
            dealt = self.known.draw(seed, block, deals)[0], self.known.dead_counts
        stream = np.uint64(seed), np.uint64(block)
        learn = self.learn or self.agreed
        most = int(keeps.size_start[CARDS - int(self.keep.sum(axis=1).min()) + 1])
        reach = np.unique(np.concatenate([keeps.becomes(row) for row in tried]))
        asked = alternatives.Asked(
            self.seat - 1, self.index, tuple(range(game.seats)), tuple(range(game.sides)), moves,
            tables, keeps, tried, most, reach, learn, self.wins, room,
        )  # fmt: skip
        if self.rounds > 1 or not can_average(game, len(self.known.dead) if self.known else 0):
            alternatives.play_block(stream, deals, dealt, asked, self.rounds, sums)
        elif self.agreed and dealt is None:
            agreed.agreed_block(stream, deals, deals * _ATTEMPTS, asked, sums)
        else:
            alternatives.average_block(stream, deals, dealt, asked, sums)
        number, net, products, mus, phases = sums
        return Sample(number, net, products, mus, phases, learn)

    def run(self, seed: int, first: int, blocks: int, look: Look | None = None) -> Sample:
        """Play blocks from ``first`` on, at most so many, and add them up in order."""

        def play(block: int, deals: int) -> list[Sample]:
            return [self.play(seed, first + block, deals)]

        total = run(play, BLOCK, Goal(blocks * BLOCK, look), 1)
        if total.interrupted:
            raise KeyboardInterrupt
        found: Sample = total.sums
        return found


def can_average(game: Game, dead: int = 0) -> bool:
    """Whether one deal of the others' gives the expected result of every keep."""
    # What a joker is named depends on all cards: no draw can be averaged by itself.
    # Whatever is thrown, each may draw four cards of the stock.
    enough = game.deck.size - dead >= 2 * CARDS * game.seats
    return enough and not hands(game).has_jokers


@lru_cache(maxsize=4)
def _packed(policy: Policy) -> Any:
    from musodds.simulation.packing import pack_game, pack_policy

    return pack_policy(policy, pack_game(policy.game).codes)


@dataclass(frozen=True, eq=False)
class Part:
    """One of the hands that a text may mean, tried.

    Attributes
    ----------
    share : float
        The chance that the hand is this one.
    trial : Trial
    often : ndarray of float64, shape (keeps, tried)
        The chance that a keep as typed is each of those tried.
    as_dealt : float or None
        The exact net of the cards as dealt.
    first : int
        The first block of its stream.
    """

    share: float
    trial: Trial
    often: Floats
    as_dealt: float | None
    first: int


@dataclass(frozen=True, eq=False)
class Mixture:
    """The samples of all hands that a text may mean, as one.

    Different hands are tried on deals of their own, so their errors are independent.
    Those of one hand's keeps that differ in suits alone are added up as if they went
    together, save where covariances are known: at most a little too large.
    """

    parts: tuple[Part, ...]
    samples: tuple[Sample, ...]

    @property
    def n(self) -> int:
        """Deals in which the keeps were tried."""
        return sum(sample.n for sample in self.samples)

    @property
    def least(self) -> int:
        """Deals in which the keeps of a hand were tried: of the hand with the fewest."""
        return min(sample.n for sample in self.samples)

    def __add__(self, other: Mixture) -> Mixture:
        added = (a + b for a, b in zip(self.samples, other.samples, strict=True))
        return Mixture(self.parts, tuple(added))

    def estimates(self) -> tuple[Floats, Floats]:
        """Means and covariances (of the means) of the net of every keep."""
        means, covariances = [], []
        for part, sample in zip(self.parts, self.samples, strict=True):
            mean, covariance = sample.estimates(None if sample.learn else part.as_dealt)
            often = part.share * part.often
            means.append(often @ mean)
            covariances.append(often @ covariance @ often.T)
        return np.sum(means, axis=0), np.sum(covariances, axis=0)

    def dealt(self) -> tuple[float, float]:
        """The net of the cards as dealt, and its standard error: 0 where it was counted."""
        net = variance = 0.0
        for part, sample in zip(self.parts, self.samples, strict=True):
            value, error = (part.as_dealt, 0.0) if part.as_dealt is not None else sample.dealt()
            net += part.share * value
            variance += (part.share * error) ** 2
        return net, sqrt(variance)

    def gain_of_mus(self) -> tuple[Floats, Floats]:
        """What saying mus gains on cutting, with every keep, and its standard error."""
        each = [
            sample.gain_of_mus(part.as_dealt)
            for part, sample in zip(self.parts, self.samples, strict=True)
        ]
        return self.average(each)

    def wins(self) -> tuple[Floats, Floats]:
        """The chance of every keep that my side takes each phase, and its standard error."""
        each = []
        for sample in self.samples:
            win = sample.phases[0] / sample.n
            spread = np.maximum(sample.phases[1] / sample.n - win**2, 0)
            each.append((win, np.sqrt(spread / (sample.n - 1))))
        return self.average(each)

    @property
    def all_mus(self) -> float:
        """The share of deals in which everybody else says mus."""
        said = (
            part.share * float(sample.number[1] / sample.number[0])
            for part, sample in zip(self.parts, self.samples, strict=True)
        )
        # Divided by the sum of the shares, so that always is 1.
        return fsum(said) / fsum(part.share for part in self.parts)

    def average(self, each: Sequence[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
        """The average over all hands of estimates for their keeps, and its standard error.

        Parameters
        ----------
        each : sequence of (ndarray, ndarray), shapes (tried, ...)
            Estimates and standard errors, for every part.
        """
        often = [part.share * part.often for part in self.parts]
        value = np.sum([o @ x for o, (x, _) in zip(often, each, strict=True)], axis=0)
        variance = np.sum([(o @ e) ** 2 for o, (_, e) in zip(often, each, strict=True)], axis=0)
        return value, np.sqrt(variance)
