"""With which hands one opens and sees an órdago, solved, beside what is right en paso."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from musodds.playing.actions import ORDAGO, PASO, QUIERO
from musodds.rules.game import PHASES, Game
from musodds.rules.games import get_game
from musodds.solver.betting import Betting
from musodds.solver.kept import OWN, solved_phase
from musodds.solver.lines import follow
from musodds.stakes.equity_kinds import equity_by
from musodds.stakes.thresholds import thresholds
from musodds.values import Table


@dataclass(frozen=True, eq=False, repr=False)
class SolvedThreshold(Table):
    """How many hands see an órdago in a phase, and how many bet.

    Attributes
    ----------
    score : tuple of int
        Ours and theirs.
    phase, model : str
    sees_en_paso : float
        Hands that see if an órdago tells nothing; see :mod:`musodds.stakes.thresholds`.
    sees, opens : float
        Hands that see the órdago of solved rivals as first bet, and that bet where my side
        may speak first, each as often as it does. Of all hands with which there is betting.
    gap : float
        Stones.
    """

    score: tuple[int, int]
    phase: str
    model: str
    sees_en_paso: float
    sees: float
    opens: float
    gap: float

    def rows(self) -> list[dict[str, object]]:
        """One dict, with the fields."""
        names = ("phase", "model", "sees_en_paso", "sees", "opens", "gap")
        ours, theirs = self.score
        return [{"score": f"{ours}-{theirs}", **{name: getattr(self, name) for name in names}}]


def solved_thresholds(
    game: str | Game = "mus",
    *,
    scores: Iterable[tuple[int, int]],
    seat: int | str = "mano",
    phases: Iterable[str] = PHASES,
    kind: str | None = None,
) -> list[SolvedThreshold]:
    """How many hands see an órdago and open, solved, in each phase at each score.

    With partners the model is own: the player in the seat speaks for his side.

    Parameters
    ----------
    game : str or Game, optional
    scores : iterable of tuple of int
        Ours and theirs.
    seat : int or str, optional
    phases : iterable of str, optional
    kind : str, optional
        What is assumed of later deals; see :mod:`musodds.stakes.equity_kinds`.

    Raises
    ------
    InputError
        If something given cannot be.
    """
    game = get_game(game)
    my_seat, wanted = game.parse_seat(seat), set(phases)
    plain = thresholds(game, scores=scores, seat=seat, table=equity_by(game, kind))
    found = []
    for one in (some for some in plain if some.phase in wanted):
        side = game.side(my_seat)
        score = one.score if side == 0 else one.score[::-1]
        solved = solved_phase(one.phase, game, score, my_seat, OWN, kind=kind)
        assert isinstance(solved, Betting)
        weights = one.weights / one.weights.sum()
        sees = weights @ _rates(solved, (PASO + ", ") * (side == 0) + ORDAGO, QUIERO)
        opens = 1 - weights @ _rates(solved, PASO * (side == 1), PASO)
        gap = solved.exploitability_stones
        found.append(
            SolvedThreshold(
                one.score, one.phase, solved.spec.model, one.share, float(sees), float(opens), gap
            )
        )
    return found


def _rates(solved: Betting, line: str, word: str) -> np.ndarray:
    """How often each hand says something after a line, shape (classes,)."""
    node = follow(solved.tree, line)
    rates = np.zeros(len(solved.spec.types.hand))
    at = list(solved.tree.options(node)).index(word)
    rates[solved.classes(node, solved.side_of(node))] = solved.at(node)[0][at]
    return rates
