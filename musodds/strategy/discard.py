"""Discard advice: what to throw, and whether to say mus at all.

Every keep of a hand meets the same deals of the others, who throw as their policy
says; see :mod:`musodds.strategy.trials`. What is compared is the net of my side en paso, stones
for less stones against.

**Mus or cut.** Saying mus with a hand means: I say mus, everybody else says mus or cuts
as the policy has it; if anybody cuts the cards are played as dealt, else all throw and
draw. Cutting means that they are played as dealt. Both are averages over all that the
others may hold. Players who speak before me and cut make no difference between the two.

**What is thrown** matters only where mus is agreed: the keeps are tried on deals in which
everybody else says mus by the policy (:mod:`musodds.strategy.agreed`), unless you say
otherwise (``learn=False``: on any deal). How often that is, and what the cards as dealt
bring then, is counted.

**One answer.** Of keeps that these deals do not tell apart, that comes first which the policy
itself keeps; and where they do not tell mus from cut, the say is that of the table that comes with
the package. So the question has the same answer with another seed, and in a table.

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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
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
from musodds.simulation.known_deals import check_undeclared
from musodds.simulation.named_policies import against, check_others, default_policy, get_policy
from musodds.simulation.policies import Policy
from musodds.stakes.equity import CHANCE_PER_STONE
from musodds.stakes.scores import Score, read_score
from musodds.store.notices import Watcher
from musodds.strategy.advice import Discard, SeatAdvice, nothing_to_throw
from musodds.strategy.agreed import Agreed, agreed, cutters, is_counted, may_cut
from musodds.strategy.meant import known_for, weighed
from musodds.strategy.sampling import MOST_DEALS, first_choice, sample, to_best
from musodds.strategy.stored_say import leaning
from musodds.strategy.trials import Mixture, Part, Trial, can_average

if TYPE_CHECKING:
    from musodds.knowledge.knowledge import Knowledge
    from musodds.stakes.at_score import AtScore
    from musodds.stakes.equity import Equity

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
    policy: str | Path | Policy | None = None,
    others: Mapping[str | int, str | Path | Policy] | None = None,
    rounds: int = 1,
    learn: bool = True,
    n: int | None = None,
    target_se: float | None = None,
    seed: int = 1,
    workers: int | None = 1,
    knowledge: Knowledge | None = None,
    score: Score | None = None,
    table: Equity | None = None,
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
        What the others say and keep, and in later rounds everybody: a name or a CSV file.
        By default the solved policy that comes with the game, or ``kings`` where none does
        (:func:`musodds.simulation.named_policies.default_policy`).
    others : mapping, optional
        Policies of some of the others: by ``partner``, ``next``, ``previous``, ``rivals`` or
        a seat, such as ``{"partner": "never-cut", "next": "kings"}``.
    rounds : int, optional
        Rounds of mus at most, this one included. After the first, anybody may cut.
    learn : bool, optional
        Whether the keeps are tried where it matters: on deals in which all others say mus
        (in mus visto nobody is asked). If not: on any deal, as if their mus told nothing.
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
        stones. This deal is played en paso.
    table : Equity, optional
        The chances after the deal, at a score; default the best kind that there is.
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
    >>> advice = discard("RR7A", seat="mano", policy="kings", n=4096)
    >>> advice.seats[0].draws[0].keep, round(advice.seats[0].cut_net, 6)
    ('RRA', 1.162008)
    """
    game = knowledge.game if knowledge else get_game(game)
    offered = choices(game, text_of(game, hand), knowledge.dead if knowledge else ())
    seats = game.parse_seats(seat)
    played = default_policy(game) if policy is None else get_policy(policy, game)
    named = {who: get_policy(one, game) for who, one in (others or {}).items()}
    if len(seats) == 1:
        check_others(game, named, seats[0])
    rounds = whole("rounds", rounds, 1, MAX_ROUNDS)
    asked = given(n, target_se, seed, workers, most=MOST_DEALS, errors=(1e-5, 10), unit="stones")
    at = None if score is None else read_score(score, game)
    target = _target(game, rounds, at) if target_se is None else target_se
    sought = _at_score(game, at, table)
    tried = [
        _tried(offered, s, against(played, named, s), rounds, learn, knowledge or None, sought)
        for s in seats
    ]
    advice, interrupted = _advice(offered, tried, asked, target, watch)
    if offered.certain and not (knowledge or named or sought) and rounds == 1 and learn:
        advice = tuple(leaning(one, played, offered.readings[0].index) for one in advice)
    return Discard(
        game, offered.hand, offered.certain, played.name, rounds, learn, asked.seed, advice,
        knowledge or None, at, interrupted, policy is None,
        tuple((str(who), one.name) for who, one in named.items()),
        sought.table.kind if sought else None,
    )  # fmt: skip


def _target(game: Game, rounds: int, score: tuple[int, int] | None) -> float:
    averaged = rounds == 1 and can_average(game)
    target = TARGET_SE if averaged else TARGET_SE_PLAYED
    return target if score is None else target * CHANCE_PER_STONE


@dataclass(frozen=True, eq=False)
class _Tried:
    """What there is to try of a hand in a seat.

    Attributes
    ----------
    seat : int
    parts : tuple of Part
        The hands that may be meant; none if mus is never agreed.
    cut_net : float or None
        The exact net of the cards as dealt; None where it is sampled.
    agreed : float or None
        The chance that all others say mus, which they do in all deals tried; None where it
        is sampled as well.
    cutters : tuple of int
        Others who always cut.
    """

    seat: int
    parts: tuple[Part, ...]
    cut_net: float | None
    agreed: float | None = None
    cutters: tuple[int, ...] = ()


def _advice(
    offered: Choices,
    tried: list[_Tried],
    asked: Given,
    target_se: float,
    watch: Watcher | None,
) -> tuple[tuple[SeatAdvice, ...], bool]:
    """What is found for each seat, and whether Ctrl-C ended it."""
    advice: list[SeatAdvice] = []
    for one in tried:
        if one.cut_net is not None and not one.parts:
            advice.append(nothing_to_throw(one.seat, (one.cut_net, 0.0), one.cutters))
            continue
        total = sample(one.parts, asked, target_se, watch)
        if total.deals and total.sums.least > 1:
            found = _ranked(offered, one, total.sums, asked.seed)
            if one.cutters:
                found = nothing_to_throw(one.seat, total.sums.dealt(), one.cutters)
            advice.append(found)
        if total.interrupted:
            if not any(found.n for found in advice):
                raise KeyboardInterrupt
            return tuple(advice), True
    return tuple(advice), False


def _tried(
    offered: Choices,
    seat: int,
    policy: Policy,
    rounds: int,
    learn: bool,
    knowledge: Knowledge | None,
    sought: AtScore | None,
) -> _Tried:
    """The hands that may be meant, with their chances, and what is to be tried of each."""
    if knowledge is not None:
        check_undeclared(knowledge)
    meant = weighed(offered, seat, knowledge)

    def worth(reading: Meant, known: Knowledge | None) -> float | None:
        if sought is not None:
            return sought.as_dealt(reading.index, seat, known)
        return cut_net(offered.game, reading.index, seat, known)

    def worth_if_counted(reading: Meant, known: Knowledge | None) -> float | None:
        try:
            return worth(reading, known)
        except KnowledgeError:  # their mus tells of suits, which is too much to count
            return None

    values = [worth(reading, knowledge) for reading, _ in meant]
    net = _mean([weight for _, weight in meant], values)
    listens = learn and may_cut(policy, seat)
    counted = listens and is_counted(offered.game) and net is not None
    given = [Agreed(1.0, knowledge)] * len(meant)
    if counted:
        given = [agreed(policy, reading.index, seat, knowledge) for reading, _ in meant]
    chance = fsum(weight * one.chance for (_, weight), one in zip(meant, given, strict=True))
    always = _always_cut(policy, seat, meant, knowledge) if listens else ()
    if net is not None and (always or not chance):
        return _Tried(seat, (), net, 0.0, always)
    listens = listens and not counted and not always
    if listens and not offered.certain:
        raise InputError(
            f"to learn from the others' mus, say the suits of {offered.hand}, or do without "
            "learning from it"
        )
    found = []
    for i, ((reading, weight), one) in enumerate(zip(meant, given, strict=True)):
        if not one.chance:
            continue
        trial = Trial(
            policy, seat, reading.index, reading.keeps, rounds, listens,
            known=known_for(one.knowledge, reading.index, seat),
            worth=None if sought is None else sought.worth(seat),
        )  # fmt: skip
        as_dealt = worth_if_counted(reading, one.knowledge) if counted else values[i]
        # Streams of different seats, and of different hands, are different.
        stream = (seat << 16 | i) << 32
        found.append(Part(weight * one.chance / chance, trial, reading.share, as_dealt, stream))
    return _Tried(seat, tuple(found), net, chance if counted else None, always)


def _always_cut(
    policy: Policy, seat: int, meant: list[tuple[Meant, float]], knowledge: Knowledge | None
) -> tuple[int, ...]:
    """Others who cut whatever hand is meant."""
    each = [set(cutters(policy, reading.index, seat, knowledge)) for reading, _ in meant]
    return tuple(sorted(set.intersection(*each)))


def _mean(weights: list[float], values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    return fsum(weight * value for weight, value in zip(weights, known, strict=True))


def _at_score(game: Game, score: tuple[int, int] | None, table: Equity | None) -> AtScore | None:
    if score is None:
        return None
    from musodds.stakes.at_score import at_score

    return at_score(game, *score, table)


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


def _ranked(offered: Choices, tried: _Tried, sample: Mixture, seed: int) -> SeatAdvice:
    mean, covariance = sample.estimates()
    # Where several hands may be meant, the policy keeps something of each.
    own = tried.parts[0].trial.own if offered.certain else None
    first = first_choice(mean, covariance, own)
    diff, diff_se = to_best(mean, covariance, first)
    rank = np.argsort(-mean, kind="stable")
    rank = np.concatenate(([first], rank[rank != first]))
    after = draws_of(offered)
    win, win_se = sample.wins()
    gain, gain_se = sample.gain_of_mus()
    chance = tried.agreed
    if chance is None or tried.cut_net is None:
        # Of all deals, so that what is gained is 0 in those with a cut.
        all_mus, dealt = sample.all_mus, sample.dealt()
        all_mus_se = sqrt(all_mus * (1 - all_mus) / sum(one.number[0] for one in sample.samples))
    else:
        all_mus, all_mus_se, dealt = chance, 0.0, (tried.cut_net, 0.0)
        gain, gain_se = chance * gain, chance * gain_se
    return SeatAdvice(
        tried.seat,
        tuple(after[i] for i in rank),
        sample.n,
        mean[rank],
        np.sqrt(np.diag(covariance))[rank],
        diff[rank],
        diff_se[rank],
        win[rank],
        win_se[rank],
        *dealt,
        all_mus,
        gain[rank],
        gain_se[rank],
        _chances(sample, rank, seed),
        all_mus_se,
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
