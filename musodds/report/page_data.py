"""What the page holds of a game: all that is shown is one of these numbers, or counted.

Odds of every hand, seat and phase are the exact table rounded as people read them, so that
the page opens at once: a chance is a *code* (see :func:`chance_codes`), stones are
hundredths. What depends on more than that (a partner's sign, declarations, the score, a
bet) is too much to hold for all questions, and is counted in the browser by ``count.js``
from the levels and stones of the hands, with the equity of every score at full precision.
"""

from __future__ import annotations

import errno
from base64 import b64encode
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats
from musodds.chances.odds_table import table_columns
from musodds.errors import GameError
from musodds.exact.draws.draws import AllKeeps, all_keeps
from musodds.exact.draws.keeps import keep_text
from musodds.exact.phases.columns import COLUMNS
from musodds.knowledge.language import signal_range
from musodds.knowledge.signals import SYSTEMS, Signal
from musodds.report.page_betting import solved_betting
from musodds.rules.game import PHASES, Game
from musodds.rules.games import GAMES
from musodds.rules.hands import hands
from musodds.stakes.equity_kinds import equity_by
from musodds.store.numbers import DATA, path, shipped_several

FOLDER = DATA / "page"

SYSTEM = "classic"

LITTLE, MUCH, NONE = 1001, 1002, -1
"""Codes of a chance below 0.05 % and above 99.95 %, and of one that does not exist."""


@lru_cache(maxsize=4)
def page_data(game: Game) -> dict[str, Any]:
    """All that the page holds of a game, as JSON would hold it.

    Lists of many numbers are text: base64 of little-endian int16 (odds, keeps) or float64
    (equity).

    Raises
    ------
    GameError
        If there is no page for this game.
    """
    keeps = _keeps(game)
    all_hands, deck = hands(game), game.deck
    columns = table_columns(game)
    odds = np.stack([_column(columns[name], name) for name in COLUMNS], axis=1)
    paired = all_hands.counts >= 2
    signals, after = telling_signals(game), equity_by(game)
    return {
        "game": game.name,
        "deck": [{"symbol": kind.symbol, "copies": kind.copies} for kind in deck.kinds],
        "folds": dict(deck.folds),
        "phases": PHASES,
        "columns": COLUMNS,
        "seats": game.seats,
        "target": game.target,
        "hands": all_hands.texts,
        "ways": all_hands.ways.tolist(),
        "points": all_hands.points.tolist(),
        "pares": all_hands.pares_type.tolist(),
        "paired": [deck.text(np.flatnonzero(row).tolist()) for row in paired],
        "stones": {phase: stones.tolist() for phase, stones in all_hands.stones.items()},
        "level": {phase: all_hands.level[phase].tolist() for phase in PHASES},
        "top": all_hands.top_level,
        "odds": _text(odds, "<i2"),
        "net": hundredths(columns["net"][:: len(PHASES)]).tolist(),
        "equity": _text(after.mano_wins, "<f8"),
        "later": after.kind,
        "signals": {
            "names": [signal.name for signal in signals],
            "true": [signal_hands(signal, game).astype(int).tolist() for signal in signals],
        },
        "keeps": keeps,
        "discards": _discards(game),
        "mus": _worth_of_mus(game),
        "betting": solved_betting(game),
    }


def telling_signals(game: Game) -> tuple[Signal, ...]:
    """The signs of the game that are not true of every hand."""
    return tuple(
        signal
        for signal in SYSTEMS[SYSTEM]
        if signal.exists_in(game) and not signal_hands(signal, game).all()
    )


def signal_hands(signal: Signal, game: Game) -> NDArray[np.bool_]:
    """The hands of which a sign is true, shape (classes,)."""
    true: NDArray[np.bool_] = signal_range(signal, game).weights > 0
    return true


def chance_codes(values: Floats) -> NDArray[np.int16]:
    """Chances as whole thousandths, such that no chance but 0 and 1 reads as 0 or 1.

    Examples
    --------
    >>> chance_codes(np.array([0.0, 0.0004, 0.12345, 0.9996, 1.0, np.nan])).tolist()
    [0, 1001, 123, 1002, 1000, -1]
    """
    missing = np.isnan(values)
    codes = np.rint(np.where(missing, 0.0, values) * 1000)
    codes = np.where((values > 0) & (values < 0.0005), LITTLE, codes)
    codes = np.where((values < 1) & (values >= 0.9995), MUCH, codes)
    return np.where(missing, NONE, codes).astype(np.int16)


def hundredths(values: Floats) -> NDArray[np.int16]:
    """Stones as whole hundredths.

    Examples
    --------
    >>> hundredths(np.array([1.162008, -0.001])).tolist()
    [116, 0]
    """
    return np.rint(values * 100).astype(np.int16)


@dataclass(frozen=True, eq=False)
class KeepValues:
    """What every keep is worth to who alone draws, rounded, and the best of each hand.

    Attributes
    ----------
    net : ndarray of int16, shape (keeps, seats)
        Net stones en paso in hundredths.
    best : ndarray of int8, shape (classes, seats)
        Which of the hand's own keeps is the best.
    """

    net: NDArray[np.int16]
    best: NDArray[np.int8]


def count_keeps(game: Game) -> KeepValues:
    """Count what every keep is worth to who alone draws."""
    from musodds.exact.draws.solo import solo

    values = solo(game)
    best, start = values.best().T, values.keeps.start[:-1, None]
    return KeepValues(hundredths(values.net()), (best - start).astype(np.int8))


def page_keeps_path(game: Game) -> Path:
    """Where they are kept: named after the rules, so that no change goes unnoticed."""
    return path("page", game, "-keeps.npz")


def stored_values(game: Game) -> KeepValues:
    """What the keeps are worth, read from what comes with the package.

    Raises
    ------
    GameError
        If the package has nothing for this game.
    OSError
        If the file is not what it should be.
    """
    file = page_keeps_path(game)
    if not file.exists():
        have = [
            name
            for name, other in GAMES.items()
            if (found := page_keeps_path(other)).exists() and found.name.startswith(f"{name}-")
        ]
        raise GameError(f"there is no page for {game.name}: there is one for {', '.join(have)}")
    shapes = {
        "net": ((len(all_keeps(game).keep), game.seats), np.int16),
        "best": ((len(hands(game)), game.seats), np.int8),
    }
    stored = shipped_several(file, shapes)
    if stored is None:
        raise OSError(errno.EIO, "it is damaged: install musodds again", str(file))
    return KeepValues(**stored)


def _keeps(game: Game) -> dict[str, Any]:
    """Every keep of who alone draws, what it is worth in each seat, and the best: exact."""
    stored, every = stored_values(game), all_keeps(game)
    return {
        "start": every.start.tolist(),
        "keep": _keep_texts(game, every),
        "best": stored.best.ravel().tolist(),
        "net": _text(stored.net, "<i2"),
    }


def _keep_texts(game: Game, every: AllKeeps) -> str:
    return " ".join(keep_text(game, keep) for keep in every.keep)


def _discards(game: Game) -> dict[str, Any] | None:
    """What to say and to keep against the solved policy; None where there is no table of it."""
    from musodds.report.tables.throws import stored_keeps

    found = stored_keeps(game, "best")
    if found is None:
        return None
    texts = np.array([keep_text(game, keep) for keep in all_keeps(game).keep], dtype=object)
    return {
        "keep": " ".join(texts[found.rows[0]].T.ravel()),
        "mus": "".join((found.gain > 0).astype(int).astype(str).T.ravel()),
    }


def _worth_of_mus(game: Game) -> dict[str, Any] | None:
    """Net stones if mus is said, whether the others agree or not: simulated."""
    from musodds.report.tables.throws import as_dealt, stored_keeps

    found = stored_keeps(game, "best")
    if found is None:
        return None
    return {
        "n": found.n,
        "net": _text(hundredths(as_dealt(game) + (found.agreed * found.gain).T), "<i2"),
        "se": _text(np.rint((found.agreed * found.gain_se).T * 1000), "<i2"),
    }


def _column(values: Floats, name: str) -> NDArray[np.int16]:
    return hundredths(values) if name.startswith("stones") else chance_codes(values)


def _text(values: NDArray[Any], dtype: str) -> str:
    return b64encode(np.ascontiguousarray(values).astype(dtype).tobytes()).decode()
