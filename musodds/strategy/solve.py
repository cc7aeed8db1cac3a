"""Levels of thought, solved: mus or cut, and keeps from which no hand can gain much.

**Why levels.** Mus needs everybody's consent, and what one side gains by it the other
loses. So whoever reckons with what the others' mus tells can only lose by saying it to
players who reckon as well (P. Milgrom and N. Stokey, *Information, trade and common
knowledge*, Journal of Economic Theory 26, 1982): where nobody can gain by a change,
everybody cuts. People do play mus, because they think a step or two.

*Level 0* always says mus. *Level 1* says mus where a round of it brings more than the cards
as dealt, exactly counted, among players of level 0; nothing is inferred from their saying
mus, which they always do. *Level 2* says mus where that gains among players of level 1, who
say it with some hands only, and so on. Each level is told with what one player gains who
thinks one step further than all the others.

**Keeps** are solved for when they are used: after a mus that was agreed. From those of the
level below, every hand in every seat takes its best response to what the others of the
same level do, over deals in which all of them say mus, all seats at once, always on the
same deals, until none gains more than the gap asked. Each hand in each seat has a stream
of deals of its own, so a hand dealt once in 60,000 is known as well as any; it is tried
until its best keep stands out or the keeps are equal for all that matters. If best
responses chase each other, only half of the hands change at a time (damping).

**The gap.** What is chosen on some deals looks better on them than it is. So for each
hand the best alternative is picked on the deals of the last round and its gain is
measured on fresh ones: the gap is the highest gain so measured, with its error. If any
keep changed in the last round, alternatives are looked for once more before.

**Mus visto** has no levels. Its keeps are those of the round in which all change cards, none
if they like. Mus comes after it: there a hand cuts that would change nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isfinite

import numpy as np

from musodds.errors import InputError
from musodds.rules.cards import CARDS
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.simulation.given import given, whole
from musodds.simulation.named_policies import NO_LEVELS, get_policy, shipped
from musodds.simulation.policies import Policy
from musodds.strategy.best_response import Work, keeping
from musodds.strategy.say import answer, say_gap, step_gain
from musodds.strategy.solution import Gap, Solution, Step

GAP = 0.01
"""Stones: the most that any hand may gain, unless something else is asked."""

MOST_ITERATIONS = 16

MOST_LEVEL = 9

NO_GAP = Gap(0.0, 0.0, 0, "", 0)

Report = Callable[[str], None]


def solve(
    game: str | Game = "mus",
    *,
    level: int = 1,
    gap: float = GAP,
    start: str | Policy | None = None,
    seed: int = 1,
    workers: int | None = 1,
    report: Report | None = None,
    only: Sequence[str] | None = None,
    score: tuple[int, int] | None = None,
) -> Solution:
    """Solve a game for keeps, and for mus or cut, at a level of thought.

    Parameters
    ----------
    game : str or Game, optional
    level : int, optional
        Steps of thought: 0 always says mus, 1 answers level 0, and so on.
    gap : float, optional
        Stones that no hand in any seat shall gain.
    start : str or Policy, optional
        The policy that level 0 starts from; only its keeps matter. By default the level
        below as it comes with the package; where none does, ``solo`` for level 0.
    seed : int, optional
    workers : int, optional
        Threads, on which the digits do not depend; None: one for each core.
    report : callable, optional
        Called with a line of text as the work goes on.
    only : sequence of str, optional
        Hands to solve for; the others keep what the first policy has them keep, and
        say mus.
    score : tuple of int, optional
        Stones of mano's side and of the other: every hand seeks to win the game
        instead of stones. A stone, as in ``gap``, is then 4 % of a game
        (:data:`musodds.stakes.equity.CHANCE_PER_STONE`).

    Returns
    -------
    Solution

    Raises
    ------
    InputError
        If an argument is not valid.
    """
    game = get_game(game)
    if not (isfinite(gap) and 1e-4 <= gap <= 10):
        raise InputError(f"gap is {gap}: it must be from 0.0001 to 10 stones")
    _, _, seed, crew = given(seed=seed, workers=workers)
    level = whole("level", level, 0, MOST_LEVEL)
    if game.visto and level > 1:
        raise InputError(f"{game.name} has no level {level}: {NO_LEVELS}")
    all_hands = hands(game)
    chosen = range(len(all_hands)) if only is None else sorted(map(all_hands.index, only))
    tell = report or (lambda line: None)

    def work(agreed: bool) -> Work:
        return Work(game, gap, seed, crew, tuple(chosen), score, agreed)

    found, bottom = None, 0
    if start is None and score is None and only is None and not game.visto:
        found, bottom = _shipped_below(game, level)
    if found is None:
        first = get_policy(start or "solo", game)
        solution = _bottom(work(False), first, level if game.visto else 0, tell)
        found = solution.policy
    for step in range(bottom + 1, 1 if game.visto else level + 1):
        tell(f"level {step}")
        solution = _next_level(work(True), found, step, tell)
        found = solution.policy
    return solution


def _shipped_below(game: Game, level: int) -> tuple[Policy | None, int]:
    """The highest level below that comes with the package."""
    for below in range(level - 1, -1, -1):
        found = shipped(f"level-{below}", game)
        if found is not None:
            return found, below
    return None, 0


def _bottom(work: Work, first: Policy, level: int, tell: Report) -> Solution:
    """Level 0: all say mus, or in mus visto are not asked."""
    name = "best" if work.game.visto else "level-0"
    policy = replace(sayable(first), name=name)
    policy, iteration = _settle(work, policy, tell)
    keep_gap = work.measure_keeps(policy)
    tell(f"another keep gains {keep_gap}")
    further: tuple[Step, ...] = ()
    agreed = 1.0
    if not work.game.visto:
        further, agreed = _further(work, policy, tell)
    return Solution(
        policy, level, first.name, iteration, work.gap, keep_gap, NO_GAP, (), further, agreed,
        work.n, work.seed, work.score,
    )  # fmt: skip


def _next_level(work: Work, below: Policy, level: int, tell: Report) -> Solution:
    """The level that answers another."""
    said, leads = answer(work, below, work.gap / 3, work.DECIDE)
    steps = step_gain(work, below, said, work.STEPPED)
    tell(f"one player of level {level} gains {'; '.join(map(str, steps))}")
    gap = say_gap(work, below, said.cut, leads, work.gap / 3)
    tell(f"another say gains {gap}")
    policy, iteration = _settle(work, replace(said, name=f"level-{level}"), tell)
    keep_gap = work.measure_keeps(policy)
    tell(f"after a mus that was agreed another keep gains {keep_gap}")
    further, agreed = _further(work, policy, tell)
    return Solution(
        policy, level, below.name, iteration, work.gap, keep_gap, gap, steps, further, agreed,
        work.n, work.seed, work.score,
    )  # fmt: skip


def _further(work: Work, policy: Policy, tell: Report) -> tuple[tuple[Step, ...], float]:
    """What one player gains who answers a level among its players; how often all say mus."""
    above, leads = answer(work, policy, work.gap, work.FURTHER)
    steps = step_gain(work, policy, above, work.GONE_FURTHER)
    tell(f"one player who thinks one step further gains {'; '.join(map(str, steps))}")
    ways = agreed = 0.0
    for (seat, index), found in zip(work.places, leads, strict=True):
        if seat == 1:
            ways += work.hands.ways[index]
            agreed += work.hands.ways[index] * found.share * policy.says_mus(1, index)
    tell(f"mus is agreed in {agreed / ways:.2%} of deals")
    return steps, float(agreed / ways)


def _settle(work: Work, policy: Policy, tell: Report) -> tuple[Policy, int]:
    """Best keeps against each other, from those of a policy; and the iterations it took."""
    iteration, changes, all_open = 0, 0, True
    while iteration < MOST_ITERATIONS:
        iteration += 1
        policy, changes, most = work.respond(policy, iteration)
        tell(f"iteration {iteration}: {changes} keeps change, gaining {most:z.4f} at most")
        if most <= work.gap / 2 and all_open:
            break
        # Once they have settled, look again at keeps that were out of reach before.
        all_open = most <= work.gap / 2
        if all_open:
            work.reopen()
    if changes:
        # The alternatives to what was changed last are not those that were seen before.
        work.reopen()
        work.respond(policy, iteration)
    return policy, iteration


def sayable(policy: Policy) -> Policy:
    """All say mus; a hand that throws nothing throws its last card, save in mus visto."""
    keep = policy.keep.copy()
    if not policy.game.visto:
        last = keep.shape[2] - 1 - np.argmax(keep[:, :, ::-1] > 0, axis=2)
        for seat, index in np.argwhere(keep.sum(axis=2) == CARDS):
            keep[seat, index, last[seat, index]] -= 1
    return keeping(policy, keep)
