"""The public function: simulate deals of a game."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from math import ceil, prod, sqrt
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from musodds.errors import InputError, KnowledgeError
from musodds.exact.draws.throw_policy import throw_policy
from musodds.knowledge.knowledge import Knowledge
from musodds.knowledge.question import Question, ask
from musodds.rules.cards import CARDS
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game
from musodds.simulation.blocks import BLOCK, Job, make_job, play_blocks, split
from musodds.simulation.checkpoint import Checkpoint, CheckpointError, run_identity, saved_seed
from musodds.simulation.estimates import UNTIL_CUT, Simulation
from musodds.simulation.given import MAX_N, MAX_ROUNDS, given
from musodds.simulation.histograms import Layout, outcomes, phase_counts
from musodds.simulation.kernels.layout import RANKS
from musodds.simulation.known_deals import Known, known_deals
from musodds.simulation.named_policies import default_policy, get_policy, per_seat
from musodds.simulation.policies import Policy
from musodds.simulation.progress import progress_bar
from musodds.simulation.runner import (
    Goal,
    Total,
    Workers,
    available_cores,
    crew,
    is_power_of_two,
    run,
    saver,
    until,
)
from musodds.store.notices import Watcher
from musodds.values import written

DEFAULT_N = 1_000_000
MIN_TARGET, MAX_TARGET = 1e-6, 0.5

LOOK_EVERY = 8
"""The goal is looked at after 1, 2, 4, 8, 16, 24 ... blocks."""

PolicyLike = str | Path | Policy


class SimulationError(InputError):
    """A simulation that cannot be run as asked."""


def simulate(
    game: str | Game = "mus",
    *,
    n: int | None = None,
    target_se: float | None = None,
    seed: int | None = None,
    workers: int | None = None,
    rounds: int | str = 1,
    policy: PolicyLike | Sequence[PolicyLike] | None = None,
    hand: str | None = None,
    seat: int | str | None = None,
    knowledge: Knowledge | None = None,
    checkpoint: str | Path | None = None,
    scheduler: str | None = None,
    progress: bool = False,
) -> Simulation:
    """Simulate deals, with mus and discards, shown en paso.

    Parameters
    ----------
    game : str or Game, optional
    n : int, optional
        Deals; default a million.
    target_se : float, optional
        Instead of ``n``: go on until the standard error of every `win` and
        `win_contested` is at most that.
    seed : int, optional
        From 0 to 2**63 - 1. The same seed gives the same digits, whoever works. By
        default a random one, which the result reports.
    workers : int, optional
        Threads, or processes of a local cluster; default one per core.
    rounds : int or str, optional
        The most rounds of mus, 0 to 100, or ``"until-cut"`` (which ends after 100).
    policy : str, Path, Policy or sequence of them, optional
        Of all seats, or one for each seat from mano on; see
        :func:`musodds.simulation.named_policies.get_policy`. By default the solved policy
        that comes with the game, or ``kings`` where none does; ``"none"`` plays the cards
        as dealt.
    hand : str, optional
        A hand that one seat is always dealt.
    seat : int or str, optional
        That seat; default mano.
    knowledge : Knowledge, optional
        What is known of the hands as dealt, see :func:`musodds.knowledge.knowledge.know`; of the
        seat's neighbours if there is a hand, of seats by number in any case. Dead cards
        were thrown before: a new stock brings them back. Declarations are taken only
        with 0 rounds.
    checkpoint : str or Path, optional
        A file in which the run is saved every second, and from which it goes on if it
        is there already.
    scheduler : str, optional
        Play the blocks on a Dask cluster: its address, or ``"local"``.
    progress : bool, optional
        Show a progress bar, if standard error is a terminal.

    Returns
    -------
    Simulation
        After Ctrl-C, what was known then: ``interrupted`` is True.

    Raises
    ------
    InputError
        If an argument is not valid, or the checkpoint or the scheduler cannot be used.
    KnowledgeError
        If what is known contradicts itself or the hand.
    KeyboardInterrupt
        If Ctrl-C is pressed before anything is known.

    Notes
    -----
    The method is direct simulation: every deal is drawn anew, and estimates are means
    over deals. With ``target_se`` the number of deals depends on the deals; the bias
    that such a rule brings is of the order of the squared standard error.

    Examples
    --------
    >>> result = simulate("mus", n=50_000, seed=7, policy="kings")
    >>> [row["round"] for row in result.mus_rows()]
    [None]
    """
    game = get_game(game) if not knowledge else knowledge.game
    path = None if checkpoint is None else Path(checkpoint)
    asked = given(
        n, target_se, 0 if seed is None else seed, 1 if workers is None else workers,
        least=1, errors=(MIN_TARGET, MAX_TARGET),
    )  # fmt: skip
    goal = _goal(game, asked.n, target_se)
    limit = _rounds(rounds)
    played = _policy(policy, game)
    question, fixed = _fixed(game, hand, seat, knowledge.dead if knowledge else ())
    name = played.name
    if game.cards_dealt > CARDS:
        if question is not None or not played.cut.all():
            raise SimulationError(
                f"in {game.name} one of five cards is thrown, and there is no mus: leave out "
                "policies and hands"
            )
        limit, rounds, name = 0, 0, f"throw the {throw_policy(game).name} card"
    seed = asked.seed if seed is not None else saved_seed(path) if path is not None else None
    seed = secrets.randbits(32) if seed is None else seed
    known = _known(knowledge or Knowledge(game), question, fixed, limit)
    single = fixed if question is not None and question.certain else None
    job = make_job(game, played, limit, seed, single, known)
    file = None
    if path is not None:
        identity = run_identity(
            game=written(game), policy_digest=played.digest, rounds=limit, seed=seed, fixed=fixed,
            known=None if known is None else known.digest, target_se=target_se,
        )  # fmt: skip
        told = {
            "game": f"--game {game.name}",
            "policy_digest": f"--policy {played.name}",
            "rounds": f"--rounds {limit}",
            "seed": f"--seed {seed}",
            **_told(question, fixed, knowledge, target_se),
        }
        file = Checkpoint(path, identity, told)
    with _bar(progress) as watch:
        total = _run(job, goal, workers, scheduler, file, watch)
    if not total.deals:
        raise KeyboardInterrupt
    if not total.sums.any():
        raise KnowledgeError("no deal that fits all that is known was found")
    found = tuple(split(total.sums, job.shapes))
    kinds = len(found) // 2 if job.weighted else len(found)
    return Simulation(
        game=game,
        policy=name,
        rounds=UNTIL_CUT if rounds == UNTIL_CUT else limit,
        n=total.deals,
        seed=seed,
        sums=found[:kinds],
        hand=None if question is None else question.hand,
        seat=None if fixed is None else fixed[0] + 1,
        interrupted=total.interrupted,
        knowledge=knowledge or None,
        squares=found[kinds:] or None,
    )


def worst_se(game: Game, sums: NDArray[Any], weighted: bool = False) -> float:
    """The largest standard error of a `win` or a `win_contested`.

    Two deals won and two lost are added before (Agresti and Coull), so that a chance
    that looks like 0 or 1 after a few deals does not pass for certain. Where deals have
    weights they are worth as many equal ones as have the same error on the whole.
    """
    if weighted:
        table, half = RANKS * RANKS, len(sums) // 2
        squares = sums[half : half + table].sum()
        sums = sums[:half] * (sums[:table].sum() / squares if squares else 1)
    # The outcomes come first, whatever the rounds.
    shapes = dict(list(Layout(game, 0).shapes.items())[:3])
    length = sum(map(prod, shapes.values()))
    views = dict(zip(shapes, split(sums[:length], tuple(shapes.values())), strict=True))
    found = outcomes(game, views)
    worst = 0.0
    for phase in PHASES:
        for seat in range(1, game.sides + 1):
            counts = phase_counts(game, found[phase], seat)
            n = sum(counts[name] for name in ("win", "lose", "void"))
            for won, of in ((counts["win"], n), (counts["win_contested"], counts["contested"])):
                if of:
                    p = (won + 2) / (of + 4)
                    worst = max(worst, sqrt(p * (1 - p) / of))
    return worst


def _goal(game: Game, n: int | None, target_se: float | None) -> Goal:
    if target_se is None:
        return Goal(DEFAULT_N if n is None else n)

    def worst(sums: NDArray[Any]) -> float:
        return worst_se(game, sums, sums.dtype == float)

    def after(blocks: int) -> bool:
        return blocks % LOOK_EVERY == 0 or (blocks < LOOK_EVERY and is_power_of_two(blocks))

    def expected(sums: NDArray[Any], deals: int) -> int:
        ratio = worst(sums) / target_se
        return max(deals, ceil(deals * ratio * ratio))

    return Goal(MAX_N, until(lambda sums: worst(sums) <= target_se, after), expected)


def _rounds(rounds: int | str) -> int:
    if rounds == UNTIL_CUT:
        return MAX_ROUNDS
    if isinstance(rounds, int) and not isinstance(rounds, bool) and 0 <= rounds <= MAX_ROUNDS:
        return rounds
    raise SimulationError(
        f"rounds is {rounds}: a number of rounds of mus from 0 to {MAX_ROUNDS} is needed, "
        f"or {UNTIL_CUT}"
    )


def _policy(policy: PolicyLike | Sequence[PolicyLike] | None, game: Game) -> Policy:
    if policy is None:
        return default_policy(game)
    if isinstance(policy, str | Path | Policy):
        return get_policy(policy, game)
    return per_seat([get_policy(one, game) for one in policy], game)


def _fixed(
    game: Game, hand: str | None, seat: int | str | None, dead: tuple[int, ...]
) -> tuple[Question | None, tuple[int, int] | None]:
    """The hand that is always dealt, and its seat and class: one of them without suits."""
    if hand is None:
        if seat is not None:
            raise SimulationError("seat says who is dealt the hand: give the hand too")
        return None, None
    question = ask(game, hand, dead=dead)
    return question, (game.parse_seat(1 if seat is None else seat) - 1, int(question.classes[0]))


def _told(
    question: Question | None,
    fixed: tuple[int, int] | None,
    knowledge: Knowledge | None,
    target_se: float | None,
) -> dict[str, str]:
    """What may be left out, in words, for a checkpoint that is not of this run."""
    hand = "no --hand"
    if question is not None and fixed is not None:
        hand = f"--hand {question.hand} --seat {fixed[0] + 1}"
    return {
        "fixed": hand,
        "known": "; ".join(knowledge.labels) if knowledge else "nothing known of the hands",
        "target_se": "no --target-se" if target_se is None else f"--target-se {target_se:g}",
    }


def _known(
    knowledge: Knowledge,
    question: Question | None,
    fixed: tuple[int, int] | None,
    rounds: int,
) -> Known | None:
    """What the hands are drawn from, if not all are as likely: also suits not given."""
    if question is None or fixed is None:
        return known_deals(knowledge, None, None, mus=rounds > 0) if knowledge else None
    if question.certain and not knowledge:
        return None
    return known_deals(knowledge, question.classes.tolist(), fixed[0] + 1, mus=rounds > 0)


def _bar(progress: bool) -> AbstractContextManager[Watcher | None]:
    return progress_bar("deals") if progress else nullcontext()


def _run(
    job: Job,
    goal: Goal,
    workers: int | None,
    scheduler: str | None,
    file: Checkpoint | None,
    watch: Watcher | None,
) -> Total:
    """Play, from where the file stops, and save what was played."""
    total, save = Total(job.zeros()), None
    if file is not None:
        total, save = file.load(job), saver(file.save)
        _check_resumed(file.path, total, goal)
    with _crew(workers, scheduler) as players:
        play = partial(play_blocks, job)
        total = run(play, BLOCK, goal, players, watch=watch, total=total, save=save)
    if file is not None:
        file.save(total)
    return total


def _check_resumed(path: Path, total: Total, goal: Goal) -> None:
    if total.deals > goal.n:
        raise CheckpointError(
            f"checkpoint {str(path)!r} holds {total.deals:,} deals already: n must be at "
            f"least that, not {goal.n:,}"
        )


@contextmanager
def _crew(workers: int | None, scheduler: str | None) -> Iterator[Workers]:
    if scheduler is None:
        with crew(workers or available_cores()) as players:
            yield players
        return
    from musodds.simulation.distributed import LOCAL, cluster

    if workers is not None and scheduler != LOCAL:
        raise SimulationError("the scheduler has its own workers: leave workers out")
    with cluster(scheduler, workers) as found:
        yield found
