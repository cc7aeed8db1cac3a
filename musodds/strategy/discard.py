"""Discard advice: what to throw, and whether to say mus at all.

Every keep of a hand meets the same deals of the others, who throw as their policy
says; see :mod:`musodds.strategy.trials`. What is compared is the net of my side en paso, stones
for less stones against.

**Mus or cut.** Saying mus with a hand means: I say mus, everybody else says mus or cuts
as the policy has it; if anybody cuts the cards are played as dealt, else all throw and
draw. Cutting means that they are played as dealt. Both are averages over all that the
others may hold. Players who speak before me and cut make no difference between the two.

**Mus visto.** Where a card was seen, all change cards once before mus, none if they like,
and nobody is asked: the advice is about that change, and says nothing of cutting. The
others throw what the policy has them keep, those too that would cut.

**A hand that is shown** (4-5-6-7) is known to all; so as for the odds, the others hold
none and nobody has shown one.

**Knowledge** of the others' hands is of the hands as dealt: these are drawn as they are
then likely (:mod:`musodds.simulation.known_deals`), and the net of cutting is counted
under the same knowledge (:mod:`musodds.chances.counted_odds`). What may be drawn after a keep is
then simulated too (:mod:`musodds.strategy.known_draws`).

**Suits that were not given** make all of it an average over the hands that it may be,
each tried on deals of its own (:mod:`musodds.exact.draws.keeps`).
"""

from __future__ import annotations

from math import ceil, isfinite, sqrt
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats
from musodds.errors import GameError, InputError, KnowledgeError
from musodds.exact.draws.draws import draws_of
from musodds.exact.draws.keeps import Choices, Meant, choices
from musodds.knowledge.question import ask
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.rules.shown import shown_hands
from musodds.simulation.named_policies import get_policy
from musodds.simulation.policies import Policy
from musodds.store.interrupts import heard
from musodds.store.notices import Watcher
from musodds.strategy.advice import APART, Discard, SeatAdvice
from musodds.strategy.trials import BLOCK, Mixture, Part, Trial, can_average, run_parts

if TYPE_CHECKING:
    from musodds.knowledge.knowledge import Knowledge
    from musodds.simulation.known_deals import Known
    from musodds.stakes.at_score import AtScore

TARGET_SE = 0.005
"""Stones: how well the best keeps are told apart unless something else is asked."""

TARGET_SE_PLAYED = 0.02
"""The same where every keep has to be played out: several rounds, six players, jokers."""

CHANCE_PER_STONE = 0.04
"""A stone is worth some four per cent of a game: how fine chances are told apart."""

MOST_DEALS = 10**10
MOST_ROUNDS = 100
_FIRST_BLOCKS = 4
_STEP = 64
"""Blocks between looks at the clock: with Ctrl-C no more than these are lost."""

_FEW = 1000
"""With fewer deals a standard error is not trusted."""


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
    watch: Watcher | None = None,
) -> Discard:
    """Rank every distinct keep of a hand, and weigh mus against cutting.

    Parameters
    ----------
    hand : str
        Four cards, such as ``"RR7A"``, with or without the suits that matter.
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
        be the best is at most so many stones, default 0.005, or 0.02 where every keep has
        to be played out; at a score so much of a chance, default 0.0002 or 0.0008.
    seed : int, optional
    workers : int, optional
        Threads. The digits do not depend on it.
    knowledge : Knowledge, optional
        What is known of the hands as dealt, in the game that it is about; see
        :func:`musodds.knowledge.knowledge.know`. Dead cards were thrown in earlier rounds: a new
        stock brings them back. Declarations are refused: they come after the discard.
    score : tuple of int, optional
        Our stones and theirs: rank by the chance of winning the game instead of by net
        stones. This deal and all later ones are played en paso.
    watch : callable, optional
        Called now and then with the deals played, and how many they may come to.

    Returns
    -------
    Discard
        After Ctrl-C of what was played until then, if that is anything.

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
    offered = choices(game, hand, knowledge.dead if knowledge else ())
    seats = game.parse_seats(seat)
    played = get_policy(policy, game)
    if n is not None and target_se is not None:
        raise InputError("give either n or target_se, not both")
    check_whole("n", n, 2, MOST_DEALS)
    check_whole("rounds", rounds, 1, MOST_ROUNDS)
    check_whole("workers", workers, 1, 1024)
    check_whole("seed", seed, 0, 2**63 - 1)
    if target_se is None:
        averaged = rounds == 1 and can_average(game)
        target_se = TARGET_SE if averaged else TARGET_SE_PLAYED
        if score is not None:
            target_se *= CHANCE_PER_STONE
    if not (isfinite(target_se) and 1e-5 <= target_se <= 10):
        raise InputError(f"target_se is {target_se}: it must be from 0.00001 to 10 stones")
    if learn and game.visto:
        raise InputError(
            f"in {game.name} nobody is asked before all change cards: leave out learning from it"
        )
    if learn and not offered.certain:
        raise InputError(f"to learn from the others' mus, say the suits of {offered.hand}")
    sought = _at_score(game, score)
    asked = [_parts(offered, s, played, rounds, learn, knowledge, sought) for s in seats]
    advice: list[SeatAdvice] = []
    interrupted = False
    for parts in asked:
        mixture, interrupted = _sampled(parts, n, target_se, seed, workers, watch)
        if mixture is None:
            break
        advice.append(_ranked(offered, mixture, seed))
        if interrupted:
            break
    if not advice:
        raise KeyboardInterrupt
    return Discard(
        game, offered.hand, offered.certain, played.name, rounds, learn, seed, tuple(advice),
        knowledge or None, score, interrupted,
    )  # fmt: skip


def _parts(
    offered: Choices,
    seat: int,
    policy: Policy,
    rounds: int,
    learn: bool,
    knowledge: Knowledge | None,
    sought: AtScore | None,
) -> tuple[Part, ...]:
    """The hands that may be meant, with their chances, and what is to be tried of each."""
    found = []
    for i, (reading, weight) in enumerate(_weighed(offered, seat, knowledge)):
        known = _known(knowledge, reading.index, seat)
        as_dealt = (
            sought.as_dealt(reading.index, seat, knowledge)
            if sought
            else cut_net(offered.game, reading.index, seat, knowledge)
        )
        worth = None if sought is None else sought.worth(seat)
        trial = Trial(
            policy, seat, reading.index, reading.keeps, rounds, learn, known=known, worth=worth
        )
        # Streams of different seats, and of different hands, are different.
        found.append(Part(weight, trial, reading.share, as_dealt, (seat << 16 | i) << 32))
    return tuple(found)


def _weighed(offered: Choices, seat: int, knowledge: Knowledge | None) -> list[tuple[Meant, float]]:
    """The hands that may be meant, and the chance of each given what is known."""
    if offered.certain or not knowledge:
        weights = [float(reading.ways) for reading in offered.readings]
    else:
        weights = [
            reading.ways * _deals_left(reading.index, seat, knowledge)
            for reading in offered.readings
        ]
        if not any(weights):
            # None is possible: say why of the first.
            _known(knowledge, offered.readings[0].index, seat)
    return [
        (reading, weight / sum(weights))
        for reading, weight in zip(offered.readings, weights, strict=True)
        if weight
    ]


def _deals_left(index: int, seat: int, knowledge: Knowledge) -> float:
    """How many deals of the others go with a hand; 0 where it contradicts what is known."""
    from musodds.exact.known_hands import unseen_by_case

    question = ask(knowledge.game, hands(knowledge.game).cards[index], dead=knowledge.dead)
    try:
        cases = unseen_by_case(question, (seat,), knowledge)
        deals = sum(weight * one[seat].total for weight, one in cases if one)
    except KnowledgeError:
        return 0.0
    # Questions may count their cases several times over.
    return deals / sum(question.cases.values())


def _at_score(game: Game, score: tuple[int, int] | None) -> AtScore | None:
    if score is None:
        return None
    from musodds.stakes.at_score import at_score

    return at_score(game, *score)


def _known(knowledge: Knowledge | None, index: int, seat: int) -> Known | None:
    if not knowledge:
        return None
    from musodds.simulation.known_deals import known_deals

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
    from musodds.chances.counted_odds import counted_odds

    if index in shown_hands(game):
        # The odds of such a hand are those of what is drawn for it.
        return None
    try:
        question = ask(game, hands(game).cards[index], dead=knowledge.dead if knowledge else ())
        return counted_odds(question, (seat,), knowledge or None).net(seat)
    except GameError:
        return None


def _sampled(
    parts: tuple[Part, ...],
    n: int | None,
    target_se: float,
    seed: int,
    workers: int,
    watch: Watcher | None,
) -> tuple[Mixture | None, bool]:
    """Play until it is enough, or Ctrl-C; whether that came, and None if before all else."""
    wanted = ceil((_FIRST_BLOCKS if n is None else ceil(n / BLOCK)) / len(parts))
    total: Mixture | None = None
    blocks = 0
    try:
        while blocks < wanted:
            step = min(_STEP, wanted - blocks)
            played = run_parts(parts, seed, blocks, step, workers)
            total = played if total is None else total + played
            blocks += step
            if watch is not None:
                watch(blocks * BLOCK * len(parts), wanted * BLOCK * len(parts))
            if blocks == wanted:
                _check_sampled(total, parts[0].trial.policy)
                wanted += 0 if n is not None else _blocks_missing(total, target_se, blocks)
            if wanted * BLOCK * len(parts) > MOST_DEALS + BLOCK * len(parts):
                raise InputError(
                    f"target_se {target_se} would take more than {MOST_DEALS} deals: ask for less"
                )
    except KeyboardInterrupt:
        heard()
        return total if total is not None and total.least > 1 else None, True
    return total, False


def _check_sampled(sample: Mixture, policy: Policy) -> None:
    if sample.least < 2:
        raise InputError(
            f"policy {policy.name}: the other players hardly ever all say mus, so there is "
            "nothing to discard; leave out learning from it"
        )


def _blocks_missing(sample: Mixture, target_se: float, blocks: int) -> int:
    """How many more blocks until the keeps that may be best are told apart well enough."""
    if sample.n < _FEW:
        return blocks
    mean, covariance = sample.estimates()
    if len(mean) == 1:
        worst = sqrt(covariance[0, 0])
    else:
        diff, error = _to_best(mean, covariance)
        rank = np.argsort(-mean, kind="stable")
        close = -diff < APART * error
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


def _ranked(offered: Choices, sample: Mixture, seed: int) -> SeatAdvice:
    mean, covariance = sample.estimates()
    diff, diff_se = _to_best(mean, covariance)
    rank = np.argsort(-mean, kind="stable")
    after = draws_of(offered)
    win, win_se = sample.wins()
    gain, gain_se = sample.gain_of_mus()
    return SeatAdvice(
        sample.parts[0].trial.seat,
        tuple(after[i] for i in rank),
        sample.n,
        mean[rank],
        np.sqrt(np.diag(covariance))[rank],
        diff[rank],
        diff_se[rank],
        win[rank],
        win_se[rank],
        *sample.dealt(),
        sample.all_mus,
        gain[rank],
        gain_se[rank],
        _chances(sample, rank, seed),
    )


def _chances(sample: Mixture, rank: NDArray[np.int64], seed: int) -> tuple[Floats, Floats] | None:
    """Chances of the plays after each draw where something is known of the others."""
    from musodds.strategy.known_draws import chances_after

    each = []
    for i, part in enumerate(sample.parts):
        trial = part.trial
        if trial.known is None:
            return None
        # No block of the seat's trials has this number.
        stream = (trial.seat + 1 << 48) - 1 - i
        each.append(chances_after(trial.known, trial.keep, seed, stream))
    chances, errors = sample.average(each)
    return chances[rank], errors[rank]
