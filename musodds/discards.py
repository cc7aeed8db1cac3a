"""Discard advice: what to throw, and whether to say mus at all.

Every keep of a hand meets the same deals of the others, who throw as their policy
says; see :mod:`musodds.montecarlo.alternatives`. What is compared is the net of my side
en paso, stones for less stones against. The net of playing the cards as dealt is known
exactly (:mod:`musodds.odds`), so its error in the sample corrects the other estimates
as far as they go with it (a control variate).

**Mus or cut.** Saying mus with a hand means: I say mus, everybody else says mus or cuts
as the policy has it; if anybody cuts the cards are played as dealt, else all throw and
draw. Cutting means that they are played as dealt. Both are averages over all that the
others may hold. Players who speak before me and cut make no difference between the two.

**Knowledge** of the others' hands is of the hands as dealt: these are drawn as they are
then likely (:mod:`musodds.montecarlo.known_deals`), and the net of cutting is counted
under the same knowledge (:mod:`musodds.known_odds`). What may be drawn after a keep is
then simulated too (:mod:`musodds.montecarlo.known_draws`).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, isfinite, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from musodds.counting import radix
from musodds.draws import CHANCES, Draw, distinct_keeps, draws
from musodds.errors import GameError, InputError, KnowledgeError
from musodds.games import PHASES, Game, get_game
from musodds.hands import CARDS, hands
from musodds.policies import Policy, get_policy

if TYPE_CHECKING:
    import pandas as pd

    from musodds.knowledge import Knowledge
    from musodds.montecarlo.known_deals import Known
    from musodds.worth import AtScore

Floats = NDArray[np.float64]

TARGET_SE = 0.005
"""Stones: how well the best keeps are told apart unless something else is asked."""

TARGET_SE_ROUNDS = 0.02
"""The same for several rounds of mus, where every keep has to be played out."""

CHANCE_PER_STONE = 0.04
"""A stone is worth some four per cent of a game: how fine chances are told apart."""

BLOCK = 2048
"""Deals with one random stream. Changing it changes the digits."""

MOST_DEALS = 10**10
MOST_ROUNDS = 100
_FIRST_BLOCKS = 4
_FEW = 1000
"""With fewer deals a standard error is not trusted."""

_APART = 3.0
"""Keeps whose difference is this many standard errors are told apart."""


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
        :func:`musodds.montecarlo.alternatives.stones_worth`.
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

    def play(self, seed: int, block: int, deals: int) -> Sample:
        """Play some deals of one stream."""
        from musodds.montecarlo import alternatives
        from musodds.montecarlo.keeps import pack_keeps
        from musodds.montecarlo.packing import pack_game

        game = self.policy.game
        tables, keeps = pack_game(game), pack_keeps(game)
        moves = _packed(self.policy)
        weights = radix(game.deck.copies)
        known = keeps.kept.astype(np.int64) @ weights
        order = np.argsort(known)
        tried = order[np.searchsorted(known, self.keep @ weights, sorter=order)]
        worth = alternatives.stones_worth(game) if self.worth is None else self.worth
        bench = alternatives.bench(game, self.index, len(tried), moves, worth)
        sums = alternatives.empty_sums(len(tried))
        dealt, stock = None, game.deck.size
        if self.known is not None:
            dealt = self.known.draw(seed, block, deals)[0], self.known.dead_counts
            stock -= len(self.known.dead)
        arguments = (
            np.uint64(seed), np.uint64(block), deals, dealt, self.seat - 1, self.index,
            tuple(range(game.seats)), tuple(range(game.sides)), moves, tables, keeps, tried,
        )  # fmt: skip
        # What a joker is named depends on all cards: no draw can be averaged by itself.
        # Whatever is thrown, each may draw four cards of the stock.
        enough = stock >= 2 * CARDS * game.seats
        if self.rounds == 1 and enough and not hands(game).has_jokers:
            most = int(keeps.size_start[CARDS - int(self.keep.sum(axis=1).min()) + 1])
            alternatives.average_block(*arguments, most, self.learn, self.wins, bench, sums)
        else:
            alternatives.play_block(*arguments, self.learn, self.rounds, bench, sums)
        number, net, products, mus, phases = sums
        return Sample(number, net, products, mus, phases, self.learn)

    def run(self, seed: int, first: int, blocks: int, workers: int = 1) -> Sample:
        """Play blocks ``first`` to ``first + blocks - 1`` and add them up in order.

        The digits do not depend on the number of workers.
        """
        total: Sample | None = None
        with ThreadPoolExecutor(workers) as pool:
            streams = range(first, first + blocks)
            for part in pool.map(lambda block: self.play(seed, block, BLOCK), streams):
                total = part if total is None else total + part
        assert total is not None
        return total


@lru_cache(maxsize=4)
def _packed(policy: Policy) -> Any:
    from musodds.montecarlo.packing import pack_game, pack_policy

    game = policy.game
    if game.visto or game.exchange:
        raise GameError(
            f"no advice on discards in {game.name}: the cards that are changed before mus are not "
            f"played there; ask without {'visto' if game.visto else '4567'}"
        )
    return pack_policy(policy, pack_game(game).codes)


@dataclass(frozen=True, eq=False)
class SeatAdvice:
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
        What saying mus, and then keeping this, gains on cutting.
    known_chances : tuple of ndarray of float64, shape (keeps, plays), or None
        Where something is known of the others: chances of the plays after each draw
        (:data:`musodds.draws.CHANCES`), simulated, and their standard errors.
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
        close = -self.diff < _APART * self.diff_se
        close[0] = True
        names = tuple(
            draw.keep for draw, is_close in zip(self.draws, close, strict=True) if is_close
        )
        return names if len(names) > 1 else ()

    @property
    def verdict(self) -> str:
        """The answer in words."""
        best = self.draws[0].keep
        kept = "throw all four" if best == "-" else f"keep {best}"
        words = f"{kept}"
        if self.undecided:
            words = f"{kept}, but {_listed(self.undecided)} cannot be told apart yet"
        gain, error = float(self.mus_gain[0]), float(self.mus_gain_se[0])
        if self.all_mus == 0:
            return f"{words}; another player always cuts"
        if abs(gain) < _APART * error:
            return f"{words}; mus and cut cannot be told apart yet"
        return f"{words}; say mus" if gain > 0 else f"{words}; better: cut"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1]


@dataclass(frozen=True, eq=False)
class Discard:
    """Discard advice for a hand.

    Attributes
    ----------
    game : Game
    hand : str
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
    """

    game: Game
    hand: str
    policy: str
    rounds: int
    learn: bool
    seed: int
    seats: tuple[SeatAdvice, ...]
    knowledge: Knowledge | None = None
    score: tuple[int, int] | None = None

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
        score ``equity`` and ``cut_equity`` stand in place of ``net`` and ``cut_net``.
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
                row[cut_net] = advice.cut_net
                row[f"{cut_net}_se"] = advice.cut_net_se
                row["mus_gain"] = float(advice.mus_gain[i])
                row["mus_gain_se"] = float(advice.mus_gain_se[i])
                row["all_mus"] = advice.all_mus
                row["n"] = advice.n
                rows.append(row)
        return rows

    def to_frame(self) -> pd.DataFrame:
        """The rows as a DataFrame."""
        import pandas as pd

        return pd.DataFrame(self.rows())


def discard(
    hand: str,
    *,
    game: str | Game = "mus",
    seat: int | str = "all",
    policy: str | Path | Policy = "kings",
    rounds: int = 1,
    learn: bool = False,
    n: int | None = None,
    target_se: float | None = None,
    seed: int = 1,
    workers: int = 1,
    knowledge: Knowledge | None = None,
    score: tuple[int, int] | None = None,
) -> Discard:
    """Rank every distinct keep of a hand, and weigh mus against cutting.

    Parameters
    ----------
    hand : str
        Four cards, such as ``"RR7A"``.
    game : str or Game, optional
    seat : int or str, optional
        1 … n, ``"mano"``, ``"postre"`` or ``"all"``.
    policy : str, Path or Policy, optional
        What the others keep, and in later rounds everybody: a name or a CSV file.
    rounds : int, optional
        Rounds of mus at most, this one included. After the first, anybody may cut.
    learn : bool, optional
        Whether to rule out that another player holds a hand with which it would have
        cut. By default nothing is inferred from the others' having said mus.
    n : int, optional
        How many deals to try the keeps on, for each seat (rounded up to whole blocks).
    target_se : float, optional
        Instead of ``n``: go on until the paired standard error of the keeps that might
        be the best is at most so many stones, default 0.005; at a score so much of a
        chance, default 0.0002.
    seed : int, optional
    workers : int, optional
        Threads. The digits do not depend on it.
    knowledge : Knowledge, optional
        What is known of the hands as dealt, in the game that it is about; see
        :func:`musodds.knowledge.know`. Dead cards were thrown in earlier rounds: a new
        stock brings them back. Declarations are refused: they come after the discard.
    score : tuple of int, optional
        Our stones and theirs: rank by the chance of winning the game instead of by net
        stones. This deal and all later ones are played en paso.

    Returns
    -------
    Discard

    Raises
    ------
    InputError
        If an argument is not valid.
    KnowledgeError
        If what is known contradicts itself or the hand.

    Examples
    --------
    >>> advice = discard("RR7A", seat="mano", policy="none", n=4096)
    >>> advice.seats[0].draws[0].keep, round(advice.seats[0].cut_net, 6)
    ('RR', 1.162008)
    """
    game = knowledge.game if knowledge else get_game(game)
    all_hands = hands(game)
    index = all_hands.index(hand)
    seats = game.parse_seats(seat)
    played = get_policy(policy, game)
    if n is not None and target_se is not None:
        raise InputError("give either n or target_se, not both")
    check_whole("n", n, 2, MOST_DEALS)
    check_whole("rounds", rounds, 1, MOST_ROUNDS)
    check_whole("workers", workers, 1, 1024)
    check_whole("seed", seed, 0, 2**63 - 1)
    if target_se is None:
        target_se = TARGET_SE if rounds == 1 else TARGET_SE_ROUNDS
        if score is not None:
            target_se *= CHANCE_PER_STONE
    if not (isfinite(target_se) and 1e-5 <= target_se <= 10):
        raise InputError(f"target_se is {target_se}: it must be from 0.00001 to 10 stones")
    keeps = distinct_keeps(all_hands.counts[index])
    known = {s: _known(knowledge, index, s) for s in seats}
    sought = _at_score(game, score)
    advice = tuple(
        _advise(
            Trial(
                played, s, index, keeps, rounds, learn, known=known[s],
                worth=None if sought is None else sought.worth(s),
            ),
            sought.as_dealt(index, s, knowledge) if sought else cut_net(game, index, s, knowledge),
            n, target_se, seed, workers,
        )
        for s in seats
    )  # fmt: skip
    text = all_hands.texts[index]
    return Discard(game, text, played.name, rounds, learn, seed, advice, knowledge or None, score)


def _at_score(game: Game, score: tuple[int, int] | None) -> AtScore | None:
    if score is None:
        return None
    from musodds.worth import at_score

    return at_score(game, *score)


def _known(knowledge: Knowledge | None, index: int, seat: int) -> Known | None:
    if not knowledge:
        return None
    from musodds.montecarlo.known_deals import known_deals

    known = known_deals(knowledge, index, seat, mus=True)
    if known.weighted:
        raise KnowledgeError(
            "ranges for five other players are too many for a discard: leave one out"
        )
    return known


def check_whole(name: str, value: int | None, least: int, most: int) -> None:
    """Raise InputError unless it is a whole number from least to most, or None."""
    if value is not None and not (
        isinstance(value, (int, np.integer))
        and not isinstance(value, bool)
        and least <= value <= most
    ):
        raise InputError(f"{name} is {value!r}: it must be a whole number from {least} to {most}")


def cut_net(game: Game, index: int, seat: int, knowledge: Knowledge | None = None) -> float | None:
    """The exact net of playing the cards as dealt; None where it cannot be counted."""
    from musodds.known_odds import known_odds
    from musodds.odds import odds

    try:
        if knowledge:
            return known_odds(hands(game).texts[index], seat=seat, knowledge=knowledge).net(seat)
        return odds(hands(game).texts[index], game=game, seat=seat).net(seat)
    except GameError:
        return None


def _advise(
    trial: Trial,
    as_dealt: float | None,
    n: int | None,
    target_se: float,
    seed: int,
    workers: int,
) -> SeatAdvice:
    known = None if trial.learn else as_dealt
    # Streams of different seats are different.
    first = trial.seat << 48
    blocks = _FIRST_BLOCKS if n is None else ceil(n / BLOCK)
    sample = trial.run(seed, first, blocks, workers)
    if sample.n < 2:
        raise InputError(
            f"policy {trial.policy.name}: the other players hardly ever all say mus, so there is "
            "nothing to discard; leave out learning from it"
        )
    while n is None:
        more = _blocks_missing(sample, known, target_se, blocks)
        if not more:
            break
        if (blocks + more) * BLOCK > MOST_DEALS:
            raise InputError(
                f"target_se {target_se} would take more than {MOST_DEALS} deals: ask for less"
            )
        sample += trial.run(seed, first + blocks, more, workers)
        blocks += more
    return _ranked(trial, sample, as_dealt, known, seed)


def _blocks_missing(sample: Sample, known: float | None, target_se: float, blocks: int) -> int:
    """How many more blocks until the keeps that may be best are told apart well enough."""
    if sample.n < _FEW:
        return blocks
    mean, covariance = sample.estimates(known)
    if len(mean) == 1:
        worst = sqrt(covariance[0, 0])
    else:
        diff, error = _to_best(mean, covariance)
        rank = np.argsort(-mean, kind="stable")
        close = -diff < _APART * error
        close[rank[1]] = True
        worst = float(error[close].max())
    if worst <= target_se:
        return 0
    wanted = ceil(blocks * (worst / target_se) ** 2 * 1.05)
    # What is seen of the variance so far may be far off; do not run ahead of it.
    return min(wanted, 8 * blocks) - blocks


def _to_best(mean: Floats, covariance: Floats) -> tuple[Floats, Floats]:
    """The difference of each to the best, and its standard error."""
    best = int(mean.argmax())
    variance = np.diag(covariance) + covariance[best, best] - 2 * covariance[best]
    variance[best] = 0
    return mean - mean[best], np.sqrt(np.maximum(variance, 0))


def _ranked(
    trial: Trial, sample: Sample, as_dealt: float | None, known: float | None, seed: int
) -> SeatAdvice:
    mean, covariance = sample.estimates(known)
    diff, diff_se = _to_best(mean, covariance)
    gain, gain_se = sample.gain_of_mus(as_dealt)
    win = sample.phases[0] / sample.n
    win_se = np.sqrt(np.maximum(sample.phases[1] / sample.n - win**2, 0) / (sample.n - 1))
    rank = np.argsort(-mean, kind="stable")
    game = trial.policy.game
    after = draws(hands(game).texts[trial.index], game=game)
    chances = None
    if trial.known is not None:
        from musodds.montecarlo.known_draws import chances_after

        # No block of the seat's trials has this number.
        of_chances = (trial.seat + 1 << 48) - 1
        chances = chances_after(trial.known, trial.keep[rank], seed, of_chances)
    return SeatAdvice(
        trial.seat,
        tuple(after[i] for i in rank),
        sample.n,
        mean[rank],
        np.sqrt(np.diag(covariance))[rank],
        diff[rank],
        diff_se[rank],
        win[rank],
        win_se[rank],
        *(sample.dealt() if as_dealt is None else (as_dealt, 0.0)),
        float(sample.number[1] / sample.number[0]),
        gain[rank],
        gain_se[rank],
        chances,
    )
