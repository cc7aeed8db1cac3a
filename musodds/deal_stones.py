"""What mano's side scores in each phase of a deal, all phases together, en paso.

Without discards the deals are counted (:mod:`musodds.outcomes`): the exact joint
distribution, as integers out of C(40,4) C(36,4) C(32,4) C(28,4) = 4.0e18 deals for four
players. It comes with the package for the games that have a name, in files that belong
to one rule set as those of :mod:`musodds.published` do. With a mus round and a policy,
with six players or with jokers it is simulated.

Before cards are seen all hands are exchangeable, so nothing but the side of mano
matters: the two seats of a side are worth the same.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from musodds.counting import Floats, Ints
from musodds.errors import GameError, InputError
from musodds.games import PHASES, Game, get_game
from musodds.hand_outcomes import outcomes_by_hand
from musodds.hands import hands
from musodds.outcomes import LAST, PARES, STONES, Outcomes, check_counted
from musodds.showdown import PASSED, PASSED_STONES, REFUSED, SEEN, Ending
from musodds.unseen import Exact, Mask

if TYPE_CHECKING:
    import pandas as pd

    from musodds.policies import Policy

FOLDER = Path("data") / "deals"
DEFAULT_N = 4_000_000
MAX_N = 10**12
BLOCK = 1 << 16

_OURS = 0
"""My side in an :class:`musodds.showdown.Ending` here; the other side is 1."""


@dataclass(frozen=True, eq=False)
class DealStones:
    """The joint distribution of a deal's stones by phase.

    Attributes
    ----------
    game : Game
    stones : ndarray of int64, shape (rows, 4)
        Stones of mano's side in grande, chica, pares, and juego or punto; negative
        where the other side takes the phase, 0 where nobody has pares.
    punto : ndarray of bool, shape (rows,)
        Whether the last phase was punto.
    deals : ndarray of object (int), shape (rows,)
        How many deals come to that.
    policy : str
        What is discarded; ``none`` for the cards as dealt.
    n, seed : int or None
        Simulated deals, and the seed; None where they are counted.

    Examples
    --------
    >>> found = deal_stones("mus")
    >>> found.method, found.total
    ('exact', 3963642086353950000)
    >>> found.chances[found.stones[:, 0] > 0].sum().round(4)  # mano's side takes grande
    np.float64(0.5013)
    """

    game: Game
    stones: Ints
    punto: Mask
    deals: Exact
    policy: str = "none"
    n: int | None = None
    seed: int | None = None

    @property
    def method(self) -> str:
        """``exact`` or ``monte-carlo``."""
        return "exact" if self.n is None else "monte-carlo"

    @property
    def total(self) -> int:
        """All deals."""
        return int(self.deals.sum())

    @property
    def chances(self) -> Floats:
        """The chance of each row, shape (rows,)."""
        total = self.total
        return np.array([deals / total for deals in self.deals], dtype=np.float64)

    def to_frame(self) -> pd.DataFrame:
        """One row per outcome: stones of mano's side by phase, `deals`, `chance`."""
        import pandas as pd

        columns = dict(zip(PHASES, _by_phase(self.stones, self.punto).T, strict=True))
        return pd.DataFrame({**columns, "deals": self.deals, "chance": self.chances})


def deal_stones(
    game: str | Game = "mus",
    *,
    policy: str | Path | Policy = "none",
    rounds: int = 1,
    n: int | None = None,
    seed: int = 1,
) -> DealStones:
    """The joint distribution of a deal's stones by phase, en paso.

    Parameters
    ----------
    game : str or Game, optional
        A game of two sides.
    policy : str, Path or Policy, optional
        With any but ``none`` the deals are simulated.
    rounds : int, optional
        The most rounds of mus.
    n : int, optional
        Deals to simulate; given, they are simulated in any case.
    seed : int, optional

    Raises
    ------
    InputError
        If the game has not two sides, or the policy, the number or the seed cannot be.
    """
    from musodds.policies import get_policy

    game = get_game(game)
    if game.sides != 2:
        raise GameError(f"{game.name} has no score of two sides: equity is about games that have")
    chosen = get_policy(policy, game)
    if n is None and chosen.cut.all() and _is_counted(game):
        return counted_stones(game)
    number = DEFAULT_N if n is None else n
    if not 1 < number <= MAX_N:
        raise InputError(f"n {number}: simulate from 2 to 10^12 deals")
    if not 0 <= seed < 2**63:
        raise InputError(f"seed {seed}: a number from 0 to 2^63 - 1")
    if not 0 <= rounds <= 100:
        raise InputError(f"rounds {rounds}: a number from 0 to 100")
    return _simulated(game, chosen, rounds, number, seed)


def _is_counted(game: Game) -> bool:
    try:
        check_counted(game)
    except GameError:
        return False
    return True


@lru_cache(maxsize=16)
def counted_stones(game: Game) -> DealStones:
    """The exact distribution: read where it is published, else counted.

    Games that differ only before the betting share it, whatever their names.
    """
    ending = f"-{_digest(game)}.csv"
    for file in (resources.files("musodds") / str(FOLDER)).iterdir():
        if file.name.endswith(ending):
            return _read(game, file.read_text(encoding="ascii"))
    return count_stones(game)


def count_stones(game: Game) -> DealStones:
    """Count the exact distribution from nothing."""
    outcomes = outcomes_by_hand(game, 1).all()
    stones = showdown_stones(outcomes)
    keys = np.column_stack((stones, outcomes.contested("punto")))
    rows: Ints
    rows, which = np.unique(keys, axis=0, return_inverse=True)
    deals = np.zeros(len(rows), dtype=object)
    np.add.at(deals, which.reshape(-1), outcomes.weights)
    return DealStones(game, rows[:, :4], rows[:, 4] > 0, deals)


def showdown_stones(outcomes: Outcomes, endings: Mapping[str, Ending] | None = None) -> Ints:
    """Stones of my side in each phase of the showdown; negative: of the other side.

    What :func:`musodds.showdown.awards_of` says of one deal, for many outcomes.

    Parameters
    ----------
    outcomes : Outcomes
    endings : mapping of phase to Ending, optional
        How the betting in a phase ended; all passed where nothing is said. Side 0 is
        mine. What was refused has been scored at once and is not among these stones.

    Returns
    -------
    ndarray of int64, shape (outcomes, 4)
    """
    endings = endings or {}
    found = np.zeros((len(outcomes.wins), 4), dtype=np.int64)
    for lane, phase in enumerate(PHASES[:PARES]):
        ending = endings.get(phase, Ending(phase, PASSED))
        stones = {PASSED: PASSED_STONES, SEEN: ending.stones}.get(ending.how, 0)
        found[:, lane] = np.where(outcomes.wins[:, lane], stones, -stones)
    for lane, phase in enumerate(STONES, start=PARES):
        found[:, lane] = _with_own_stones(outcomes, lane, endings.get(phase, Ending(phase, PASSED)))
    punto = outcomes.contested("punto")
    ending = endings.get("punto", Ending("punto", PASSED))
    stones = PASSED_STONES + (ending.stones if ending.how == SEEN else 0)
    found[punto, LAST] = np.where(_taken(outcomes, LAST, ending)[punto], stones, -stones)
    return found


def _with_own_stones(outcomes: Outcomes, lane: int, ending: Ending) -> Ints:
    mine, theirs = outcomes.mine[:, lane - PARES], outcomes.theirs[:, lane - PARES]
    played = (mine > 0) | (theirs > 0)
    bet = ending.stones if ending.how == SEEN else 0
    stones = np.where(_taken(outcomes, lane, ending), bet + mine, -(bet + theirs))
    return np.where(played, stones, 0)


def _taken(outcomes: Outcomes, lane: int, ending: Ending) -> Mask:
    """Whether my side takes the phase: by refusal, or with the best hand."""
    if ending.how == REFUSED:
        return np.full(len(outcomes.wins), ending.side == _OURS)
    return outcomes.wins[:, lane]


def _by_phase(stones: Ints, punto: Mask) -> Ints:
    """A column for each of PHASES: the last one split in juego and punto."""
    juego, at_punto = np.where(punto, 0, stones[:, LAST]), np.where(punto, stones[:, LAST], 0)
    return np.column_stack((stones[:, :LAST], juego, at_punto))


def path(game: Game) -> Path:
    """Where the distribution of a game is published, within the package."""
    return FOLDER / f"{game.name}-{_digest(game)}.csv"


def _digest(game: Game) -> str:
    rules = (game.deck.kinds, game.seats, game.side_size, game.juego_order, game.real)
    return hashlib.sha256(repr(rules).encode()).hexdigest()[:12]


def publish(game: Game) -> Path:
    """Count the distribution of a game and keep it with the package."""
    from musodds.files import write_atomic

    found = count_stones(game)
    lines = [",".join((*PHASES, "deals"))]
    for row, deals in zip(_by_phase(found.stones, found.punto).tolist(), found.deals, strict=True):
        lines.append(",".join(map(str, (*row, deals))))
    file = Path(__file__).parent / path(game)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(file, "\n".join(lines) + "\n")
    return file


def _read(game: Game, text: str) -> DealStones:
    rows = list(csv.DictReader(text.splitlines()))
    columns = {phase: np.array([int(row[phase]) for row in rows]) for phase in PHASES}
    stones = np.column_stack(
        [columns[phase] for phase in PHASES[:LAST]] + [columns["juego"] + columns["punto"]]
    )
    deals = np.array([int(row["deals"]) for row in rows], dtype=object)
    return DealStones(game, stones, columns["punto"] != 0, deals)


def _simulated(game: Game, policy: Policy, rounds: int, n: int, seed: int) -> DealStones:
    from musodds._deal_play import play_deals
    from musodds.montecarlo.dealing import Desk
    from musodds.montecarlo.packing import pack_game, pack_policy

    if any(kind.stands_for for kind in game.deck.kinds):
        raise GameError(f"{game.name}: the equity of a game with jokers is not known")
    own = hands(game).stones
    most = game.side_size * max(int(own[phase].max()) for phase in STONES)
    tables = pack_game(game)
    moves = pack_policy(policy, tables.codes)
    counts = np.zeros((2, 2, 2 * most + 1, 2 * most + 1), dtype=np.int64)
    order = tuple(range(game.seats))
    scratch = np.zeros(4, np.uint64), np.zeros(4, np.int64), np.zeros((2, 2), np.int64)
    for block in range(-(-n // BLOCK)):
        desk = Desk(
            state=np.zeros(4, dtype=np.uint64),
            deck=tables.deck.copy(),
            hand=np.zeros(game.seats, dtype=np.uint64),
            bits=np.zeros(3, dtype=np.uint64),
            out=np.zeros(len(tables.codes), dtype=np.int64),
        )
        deals = min(BLOCK, n - block * BLOCK)
        stream = (np.uint64(seed), np.uint64(block))
        play_deals(desk, stream, deals, rounds, order, moves, tables, scratch, counts)
    grande, chica, pares, last = np.nonzero(counts)
    stones = np.column_stack((1 - 2 * grande, 1 - 2 * chica, pares - most, last - most))
    least = min(int(own["juego"][own["juego"] > 0].min()), 2)
    punto = np.abs(stones[:, LAST]) < least
    deals_of = counts[grande, chica, pares, last].astype(object)
    return DealStones(game, stones, punto, deals_of, policy.name, n, seed)
