"""What a side knows of its two hands: the models *own*, *signals* and *shared*.

*own*: the speaker's hand. *signals*: that, and his partner's sign: of all signs in a
system that are true of the partner's hand he makes the one that is true of the fewest
hands. *shared*: both hands, in some thousands of *buckets*: holdings with the same best
hand in the phase, as many of the cards that matter most in it, and about as many stones
to expect from the other phases are played alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from musodds.arrays import Floats, Ints
from musodds.errors import InputError
from musodds.knowledge.language import signal_range
from musodds.knowledge.signals import SYSTEMS
from musodds.rules.game import PHASES, Game
from musodds.rules.hands import LAST, PARES, hands
from musodds.solver.holdings import Holdings, Meeting

OWN, SIGNALS, SHARED = "own", "signals", "shared"
MODELS = (OWN, SIGNALS, SHARED)

_COUNTED = {"grande": "R", "chica": "A", "pares": "R", "juego": "R7", "punto": "R7"}
_CLASSES = {"grande": 4, "chica": 4, "pares": 4, "juego": 6, "punto": 6}


@dataclass(frozen=True, eq=False)
class Groups:
    """A side's groups of holdings.

    Attributes
    ----------
    of : ndarray of int64, shape (holdings,)
    number : int
    labels : tuple of str
        The speaker's hand, and the sign; or an example of both hands.
    chance : ndarray of float64, shape (number,)
        How often a side holds each, all holdings together 1.
    """

    of: Ints
    number: int
    labels: tuple[str, ...]
    chance: Floats


def sign_names(game: Game, system: str) -> tuple[tuple[str, ...], Ints]:
    """The signs of a system, and which each hand makes.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> game = get_game("mus")
    >>> names, made = sign_names(game, "classic")
    >>> [names[made[hands(game).index(hand)]] for hand in ("RRRR", "RR7A", "RR77", "7654")]
    ['cuatro-reyes', 'dos-reyes', 'duples', 'ciego']
    """
    if system not in SYSTEMS:
        raise InputError(f"no system of signals {system!r}: {', '.join(SYSTEMS)}")
    return _signs(game, system)


@lru_cache(maxsize=8)
def _signs(game: Game, system: str) -> tuple[tuple[str, ...], Ints]:
    known = hands(game)
    some = [signal for signal in SYSTEMS[system] if signal.exists_in(game)]
    true = np.array([signal_range(s, game).weights > 0 for s in some])
    often = (true * known.ways).sum(axis=1)
    # A hand of which no sign is true makes none.
    silent = ~true.any(axis=0)
    rank = np.where(true, often[:, None], np.inf)
    made = np.where(silent, len(some), rank.argmin(axis=0))
    return (*(s.name for s in some), "none"), made.astype(np.int64)


def groups_of(
    game: Game, phase: str, model: str, speaker: int, system: str,
    me: Holdings, them: Holdings,
) -> Groups:  # fmt: skip
    """Group the holdings of a side, of which only those that take part are given."""
    place = 0 if speaker < 3 else 1
    mine = me.hand[:, place]
    if model == OWN:
        key = mine[:, None]
    elif model == SIGNALS:
        names, made = sign_names(game, system)
        key = np.stack((mine, made[me.hand[:, 1 - place]]), axis=1)
    else:
        key = _bucket_key(game, phase, me, them)
    found, first, of = np.unique(key, axis=0, return_index=True, return_inverse=True)
    of = of.reshape(-1)
    texts = hands(game).texts
    if model == SHARED:
        labels = [f"{texts[a]} {texts[b]}" for a, b in me.hand[first]]
    elif model == SIGNALS:
        labels = [f"{texts[hand]} seña:{names[sign]}" for hand, sign in found]
    else:
        labels = [texts[hand] for hand in found[:, 0]]
    chance = np.bincount(of, me.chance)
    return Groups(of.astype(np.int64), len(found), tuple(labels), chance / chance.sum())


def _bucket_key(game: Game, phase: str, me: Holdings, them: Holdings) -> Ints:
    known = hands(game)
    lane = min(PHASES.index(phase), LAST)
    columns = [me.code[:, lane]]
    if lane >= PARES and phase != "punto":
        columns.append(me.own[:, lane - PARES])
    symbols = [kind.symbol for kind in game.deck.kinds]
    counts = known.counts[me.hand].sum(axis=1)
    columns += [counts[:, symbols.index(symbol)] for symbol in _COUNTED[phase]]
    columns.append(_expecting(game, phase, me, them))
    return np.stack(columns, axis=1)


def _expecting(game: Game, phase: str, me: Holdings, them: Holdings) -> Ints:
    """Classes of about as many holdings by stones to expect from the other phases."""
    one = Meeting(game, phase, me, them, np.zeros(len(them), dtype=np.int64), 1)
    expected = np.zeros(len(me))
    for numbers, rows in one.blocks():
        mass = rows.mass[:, 0]
        expected[numbers] = rows.rest[:, 0] / np.where(mass > 0, mass, 1)
    order = np.argsort(expected, kind="stable")
    below = np.cumsum(me.chance[order])
    found = np.empty(len(me), dtype=np.int64)
    found[order] = np.minimum(below / below[-1] * _CLASSES[phase], _CLASSES[phase] - 1e-9)
    return found
