"""The best discards, solved: a policy from which no hand in any seat can gain much.

**Keeps.** Everybody says mus and throws, once, and the cards are played en paso. From a
first policy, every hand in every seat takes its best response to what the others do,
all seats at once, always on the same deals, until none gains more than the gap asked.
Each hand in each seat has a stream of deals of its own, so a hand dealt once in 60,000
is known as well as any; it is tried until its best keep stands out or the keeps are
equal for all that matters. If best responses chase each other, only half of the hands
change at a time (damping).

**The gap.** What is chosen on some deals looks better on them than it is. So for each
hand the best alternative is picked on the deals of the last round and its gain is
measured on fresh ones: the gap is the highest gain so measured, with its error. If any
keep changed in the last round, alternatives are looked for once more before.

**Mus or cut.** A hand cuts where the cards as dealt bring more, exactly counted, than a
round of mus in which everybody plays these keeps. Nothing is inferred from the others'
saying mus. It must be so: were each to allow for what the others' mus tells it,
only hands that gain nothing by it could go on saying mus, as what one side gains the
other loses (P. Milgrom and N. Stokey, *Information, trade and common knowledge*,
Journal of Economic Theory 26, 1982), and everybody would always cut.

**Mus visto.** The keeps are those of the round in which all change cards, none if they
like. Mus comes after it: there a hand cuts that would change nothing.
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
from musodds.simulation.given import given
from musodds.simulation.named_policies import get_policy
from musodds.simulation.policies import Policy
from musodds.strategy.best_response import Work, keeping
from musodds.strategy.solution import Gap, Solution

GAP = 0.01
"""Stones: the most that any hand may gain, unless something else is asked."""

MOST_ITERATIONS = 16

Report = Callable[[str], None]


def solve(
    game: str | Game = "mus",
    *,
    gap: float = GAP,
    start: str | Policy = "solo",
    seed: int = 1,
    workers: int | None = 1,
    report: Report | None = None,
    only: Sequence[str] | None = None,
    score: tuple[int, int] | None = None,
) -> Solution:
    """Solve a game for keeps, and for mus or cut.

    Parameters
    ----------
    game : str or Game, optional
    gap : float, optional
        Stones that no hand in any seat shall gain.
    start : str or Policy, optional
        The policy to start from; only its keeps matter.
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
    first = get_policy(start, game)
    all_hands = hands(game)
    chosen = range(len(all_hands)) if only is None else sorted(map(all_hands.index, only))
    work = Work(game, gap, seed, crew, tuple(chosen), score)
    tell = report or (lambda line: None)
    policy = replace(_sayable(first), name="best")
    iteration, changes, all_open = 0, 0, True
    while iteration < MOST_ITERATIONS:
        iteration += 1
        policy, changes, most = work.respond(policy, iteration)
        tell(f"iteration {iteration}: {changes} keeps change, gaining {most:.4f} at most")
        if most <= gap / 2 and all_open:
            break
        # Once they have settled, look again at keeps that were out of reach before.
        all_open = most <= gap / 2
        if all_open:
            work.reopen()
    if changes:
        # The alternatives to what was changed last are not those that were seen before.
        work.reopen()
        work.respond(policy, iteration)
    keep_gap = work.measure_keeps(policy)
    tell(f"another keep gains {keep_gap}")
    cut_gap = Gap(0.0, 0.0, 0, "", 0)
    if not game.visto:
        policy, cut_gap = work.decide(policy)
        tell(f"cutting for mus, or mus for cutting, gains {cut_gap}")
    return Solution(policy, first.name, iteration, gap, keep_gap, cut_gap, work.n, seed, score)


def gap_of(
    policy: str | Policy,
    *,
    game: str | Game = "mus",
    gap: float = GAP,
    seed: int = 1,
    workers: int = 1,
) -> Gap:
    """The most that another keep gains against a policy, everybody saying mus.

    Each hand's alternative is picked on some deals and measured on others.

    Parameters
    ----------
    policy : str or Policy
    game : str or Game, optional
    gap : float, optional
        How fine: gains are measured to a quarter of it, unless they stand out before.
    seed, workers : int, optional

    Returns
    -------
    Gap
    """
    game = get_game(game)
    found = _sayable(get_policy(policy, game))
    work = Work(game, gap, seed, workers, tuple(range(len(hands(game)))))
    work.respond(found, 1)
    return work.measure_keeps(found)


def _sayable(policy: Policy) -> Policy:
    """All say mus; a hand that throws nothing throws its last card, save in mus visto."""
    keep = policy.keep.copy()
    if not policy.game.visto:
        last = keep.shape[2] - 1 - np.argmax(keep[:, :, ::-1] > 0, axis=2)
        for seat, index in np.argwhere(keep.sum(axis=2) == CARDS):
            keep[seat, index, last[seat, index]] -= 1
    return keeping(policy, keep)
