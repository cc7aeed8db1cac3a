"""Solved phases that are kept on this computer; what is not there is solved and kept.

Which model a phase is solved in, if nothing is said: between two players the game itself;
between two sides of two ``each``, the nearest to a table without signs; where that is
not to be had, ``own``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from musodds.errors import InputError
from musodds.playing.actions import ORDAGO
from musodds.rules.game import Game
from musodds.solver.betting import Betting, solve_betting
from musodds.solver.each import solve_each
from musodds.solver.each_payoff import pack_cards
from musodds.solver.each_solution import EachSolution
from musodds.solver.game import DEAL
from musodds.solver.here import sizes_in
from musodds.solver.strategy_file import read_played, write_file
from musodds.stakes.equity import Equity
from musodds.stakes.equity_kinds import best_kind, equity_by
from musodds.store.cache import folder
from musodds.store.notices import say
from musodds.store.numbers import digest
from musodds.version import __version__

EXACT, OWN, EACH = "exact", "own", "each"
MODELS = (OWN, EACH)

WHY = {
    EXACT: "two players: the game itself",
    EACH: "one phase of four players: all of them speak, each on his own hand",
    OWN: "one speaker a side, his partner's hand averaged",
}

GAP = 0.002
"""Stones, of the models that are solved exactly."""

DEALS, MEASURED, PAIRS = 10_000_000, 4_000_000, 400
"""Of the model each."""

Solved = Betting | EachSolution


def model_for(game: Game, model: str | None = None) -> str:
    """The model of a phase.

    Raises
    ------
    InputError
        If the game has no such model.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> model_for(get_game("mus2p")), model_for(get_game("mus"))
    ('exact', 'each')
    """
    if model is not None and model not in MODELS:
        raise InputError(f"model {model!r}: {' or '.join(MODELS)}")
    if game.sides == 2 and game.side_size == 1:
        return EXACT
    if model is not None:
        return model
    try:
        pack_cards(game, "grande")
    except InputError:
        return OWN
    return EACH


def solved_phase(
    phase: str, game: Game, score: tuple[int, int], seat: int,
    model: str | None = None, said: tuple[str, ...] = (), kind: str | None = None,
) -> Solved:  # fmt: skip
    """A phase at a score, solved before or now.

    Parameters
    ----------
    phase : str
    game : Game
    score : tuple of int
        Mano's side first.
    seat : int
        Of the player who asks: he speaks for his side in the model own.
    model : str, optional
        ``own`` or ``each``.
    said : tuple of str, optional
        Bets and raises that have to be on offer, apart from those that always are.
    kind : str, optional
        What is assumed of later deals; default the best that there is for the game.

    Raises
    ------
    InputError
        If it cannot be solved.
    """
    offer = _offer(game, model, said)
    return _find(phase, game, score, seat, model_for(game, model), offer, kind or best_kind(game))


Offer = tuple[tuple[int, ...], tuple[int, ...], int]
"""Bets and raises in stones, apart from órdago, and how many raises may follow the first."""


def _offer(game: Game, model: str | None, said: tuple[str, ...]) -> Offer:
    bets, raises, raised = sizes_in(said)
    usual = {2} if model_for(game, model) == EACH else {2, 5}
    return tuple(sorted(usual | set(bets))), tuple(sorted(usual | set(raises))), max(1, raised)


@lru_cache(maxsize=64)
def _find(
    phase: str, game: Game, score: tuple[int, int], seat: int, model: str, offer: Offer, kind: str
) -> Solved:
    speakers = (seat, 2) if game.side(seat) == 0 else (1, seat)
    if model == EACH:
        speakers = (1, 2)
    file = folder() / _name(phase, game, score, model, speakers, offer, kind)
    return _once(
        file, (Betting, EachSolution),
        f"the betting in {phase} at {score[0]}-{score[1]}, model {model}",
        lambda: _solve(phase, game, score, model, speakers, offer, kind),
    )  # fmt: skip


def _once(
    file: Path, kinds: tuple[type[Solved], ...], what: str, solve: Callable[[], Solved]
) -> Solved:
    """What a file holds, if it is one of those kinds; else it is solved, and kept there."""
    try:
        found = read_played(file)
        if isinstance(found, kinds):
            return found
    except InputError:
        pass
    say(what)
    solved = solve()
    _keep(file, solved)
    return solved


def _name(
    phase: str, game: Game, score: tuple[int, int], model: str, speakers: tuple[int, int],
    offer: Offer, kind: str,
) -> str:  # fmt: skip
    bets, raises, again = ("+".join(map(str, offer[0])), "+".join(map(str, offer[1])), offer[2])
    who = f"{speakers[0]}{speakers[1]}"
    # Two games may have the same odds and not the same name, and a strategy says its game.
    return (
        f"solved-{digest(game)}-{game.name}-{game.target}-{kind}-{phase}-{score[0]}-{score[1]}-"
        f"{model}{who}-{bets}-{raises}-{again}-{__version__}.mus"
    )


def _solve(
    phase: str, game: Game, score: tuple[int, int], model: str, speakers: tuple[int, int],
    offer: Offer, kind: str,
) -> Solved:  # fmt: skip
    bets: tuple[int | str, ...] = (*offer[0], ORDAGO)
    raises: tuple[int | str, ...] = (*offer[1], ORDAGO)
    if model == EACH:
        return solve_each(
            phase, game, score=score, bets=bets, raises=raises, reraises=offer[2], deals=DEALS,
            measured=MEASURED, pairs=PAIRS, kind=kind,
        )  # fmt: skip
    return solve_betting(
        phase, game=game, score=score, speakers=speakers, bets=bets, raises=raises,
        reraises=offer[2], gap=GAP, table=equity_by(game, kind),
    )  # fmt: skip


def _keep(file: Path, solved: Solved) -> None:
    """A folder that cannot be written costs only the time of solving again."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_file(file, solved)
    except OSError:
        pass


DEAL_GAP = 0.02
"""Stones, of a whole deal."""


def kept_deal(
    game: Game, score: tuple[int, int], table: Equity, *, solve: bool = False
) -> Betting | None:
    """The whole deal at a score, if it was solved before on this computer.

    Bets are 2 and órdago, and a bet is raised by órdago; seats 1 and 2 speak.

    Parameters
    ----------
    game : Game
    score : tuple of int
        Mano's side first.
    table : Equity
        The chances after the deal.
    solve : bool, optional
        Solve what is not there, and keep it.

    Raises
    ------
    InputError
        If it is to be solved and cannot be.
    """
    at = f"{game.target}-{table.kind}-deal-{score[0]}-{score[1]}"
    file = folder() / f"solved-{digest(game)}-{at}-{__version__}.mus"
    if not solve and not file.is_file():
        return None
    return _deal(file, game, score, table)


@lru_cache(maxsize=4)
def _deal(file: Path, game: Game, score: tuple[int, int], table: Equity) -> Betting:
    found = _once(
        file, (Betting,), f"the betting of the whole deal at {score[0]}-{score[1]}",
        lambda: solve_betting(DEAL, game=game, score=score, gap=DEAL_GAP, table=table),
    )  # fmt: skip
    assert isinstance(found, Betting)
    return found
