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

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats
from musodds.errors import GameError, InputError, KnowledgeError
from musodds.exact.draws.draws import draws_of
from musodds.exact.draws.keeps import Choices, Meant, choices
from musodds.knowledge.many import many
from musodds.knowledge.question import ask
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.rules.shown import shown_hands
from musodds.rules.suits import text_of
from musodds.simulation.given import MAX_ROUNDS, Given, given, whole
from musodds.simulation.named_policies import get_policy
from musodds.simulation.policies import Policy
from musodds.stakes.equity import CHANCE_PER_STONE
from musodds.stakes.scores import Score, given_score
from musodds.store.notices import Watcher
from musodds.strategy.advice import Discard, SeatAdvice
from musodds.strategy.sampling import MOST_DEALS, sample, to_best
from musodds.strategy.trials import Mixture, Part, Trial, can_average

if TYPE_CHECKING:
    from musodds.knowledge.knowledge import Knowledge
    from musodds.simulation.known_deals import Known
    from musodds.stakes.at_score import AtScore

TARGET_SE = 0.005
"""Stones: how well the best keeps are told apart unless something else is asked."""

TARGET_SE_PLAYED = 0.02
"""The same where every keep has to be played out: several rounds, six players, jokers."""


@many
def discard(
    hand: str | Sequence[str],
    *,
    game: str | Game = "mus",
    seat: int | str = "all",
    policy: str | Path | Policy = "kings",
    rounds: int = 1,
    learn: bool = False,
    n: int | None = None,
    target_se: float | None = None,
    seed: int = 1,
    workers: int | None = 1,
    knowledge: Knowledge | None = None,
    score: Score | None = None,
    watch: Watcher | None = None,
) -> Discard:
    """Rank every distinct keep of a hand, and weigh mus against cutting.

    Given a table of questions in place of the hand, it answers all: see
    :func:`musodds.knowledge.many.many`.

    Parameters
    ----------
    hand : str or sequence of str
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
        Threads, on which the digits do not depend; None: one for each core.
    knowledge : Knowledge, optional
        What is known of the hands as dealt, in the game that it is about; see
        :func:`musodds.knowledge.knowledge.know`. Dead cards were thrown in earlier rounds: a new
        stock brings them back. Declarations are refused: they come after the discard.
    score : tuple of int or str, optional
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
    offered = choices(game, text_of(game, hand), knowledge.dead if knowledge else ())
    seats = game.parse_seats(seat)
    played = get_policy(policy, game)
    rounds = whole("rounds", rounds, 1, MAX_ROUNDS)
    asked = given(n, target_se, seed, workers, most=MOST_DEALS, errors=(1e-5, 10), unit="stones")
    at = None if score is None else given_score(score, game)
    target = _target(game, rounds, at) if target_se is None else target_se
    _check_learning(offered, learn)
    sought = _at_score(game, at)
    tried = [_parts(offered, s, played, rounds, learn, knowledge, sought) for s in seats]
    advice, interrupted = _advice(offered, tried, asked, target, watch)
    return Discard(
        game, offered.hand, offered.certain, played.name, rounds, learn, asked.seed, advice,
        knowledge or None, at, interrupted,
    )  # fmt: skip


def _target(game: Game, rounds: int, score: tuple[int, int] | None) -> float:
    averaged = rounds == 1 and can_average(game)
    target = TARGET_SE if averaged else TARGET_SE_PLAYED
    return target if score is None else target * CHANCE_PER_STONE


def _check_learning(offered: Choices, learn: bool) -> None:
    if learn and offered.game.visto:
        raise InputError(
            f"in {offered.game.name} nobody is asked before all change cards: leave out learning "
            "from it"
        )
    if learn and not offered.certain:
        raise InputError(f"to learn from the others' mus, say the suits of {offered.hand}")


def _advice(
    offered: Choices,
    tried: list[tuple[Part, ...]],
    asked: Given,
    target_se: float,
    watch: Watcher | None,
) -> tuple[tuple[SeatAdvice, ...], bool]:
    """What is found for each seat, and whether Ctrl-C ended it."""
    advice: list[SeatAdvice] = []
    for parts in tried:
        total = sample(parts, asked, target_se, watch)
        if total.deals and total.sums.least > 1:
            advice.append(_ranked(offered, total.sums, asked.seed))
        if total.interrupted:
            if not advice:
                raise KeyboardInterrupt
            return tuple(advice), True
    return tuple(advice), False


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


def _ranked(offered: Choices, sample: Mixture, seed: int) -> SeatAdvice:
    mean, covariance = sample.estimates()
    diff, diff_se = to_best(mean, covariance)
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
