"""One HTML file for a phone: choose four cards, see the odds of every seat and phase.

The file holds its data, so it needs no network. Its numbers are those of the exact table
rounded as people read them, and stored as integers: a chance is a *code* (see
:func:`chance_codes`), stones are hundredths. What the partner's signs do to every hand is
counted beforehand and comes with the package, under a name that carries a digest of the
rules and of the signs.
"""

from __future__ import annotations

import errno
import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats, Ints
from musodds.chances.odds_table import table_columns
from musodds.errors import GameError
from musodds.exact.phases.columns import COLUMNS
from musodds.exact.phases.pairs import count_by_group
from musodds.knowledge.language import parse_range
from musodds.knowledge.signals import SYSTEMS, Signal
from musodds.rules.cards import CARDS
from musodds.rules.game import PHASES, Game
from musodds.rules.games import GAMES, get_game
from musodds.rules.hands import hands
from musodds.rules.ways import choose, deals
from musodds.simulation.named_policies import get_policy
from musodds.simulation.policies import PolicyError
from musodds.store.numbers import DATA, path, shipped_several

FOLDER = DATA / "page"

SYSTEM = "classic"

LITTLE, MUCH, NONE = 1001, 1002, -1
"""Codes of a chance below 0.05 % and above 99.95 %, and of one that does not exist."""


@dataclass(frozen=True, eq=False)
class SignalEffects:
    """What the partner's signs do to every hand, rounded.

    Attributes
    ----------
    names : tuple of str
    chance : ndarray of int16, shape (classes, signals)
        Code of the chance that the partner holds such a hand, given mine.
    win : ndarray of int16, shape (classes, signals, seats, phases)
        Code of the chance that my side takes the phase, given the sign.
    net : ndarray of int16, shape (classes, signals, seats)
        Net stones en paso in hundredths; 0 where the partner cannot make the sign.
    """

    names: tuple[str, ...]
    chance: NDArray[np.int16]
    win: NDArray[np.int16]
    net: NDArray[np.int16]


def page_html(game: str | Game = "mus") -> str:
    """The page of a game: one self-contained HTML file.

    Parameters
    ----------
    game : str or Game, optional

    Returns
    -------
    str
        The same text whenever it is made from the same rules, policy and signs.

    Raises
    ------
    GameError
        If there is no page for this game.

    Examples
    --------
    >>> page_html("mus").startswith("<!DOCTYPE html>")
    True
    """
    game = get_game(game)
    data = json.dumps(page_data(game), ensure_ascii=False, separators=(",", ":"))
    words = json.dumps(json.loads(_file("words.json")), ensure_ascii=False, separators=(",", ":"))
    parts = {
        "game": game.name,
        "style": _file("page.css"),
        # Within a script element, only the end of it could be mistaken.
        "data": data.replace("</", "<\\/"),
        "words": words.replace("</", "<\\/"),
        "script": _file("page.js"),
    }
    html = _file("page.html")
    for name, text in parts.items():
        html = html.replace(f"@{name}@", text)
    return html


def page_data(game: Game) -> dict[str, Any]:
    """All that the page shows, as JSON would hold it.

    Raises
    ------
    GameError
        If there is no page for this game.
    """
    signals = signal_effects(game)
    all_hands, deck = hands(game), game.deck
    columns = table_columns(game)
    odds = np.stack([_column(columns[name], name) for name in COLUMNS], axis=1)
    paired = all_hands.counts >= 2
    return {
        "game": game.name,
        "deck": [{"symbol": kind.symbol, "copies": kind.copies} for kind in deck.kinds],
        "folds": dict(deck.folds),
        "phases": PHASES,
        "columns": COLUMNS,
        "seats": game.seats,
        "hands": all_hands.texts,
        "ways": all_hands.ways.tolist(),
        "points": all_hands.points.tolist(),
        "pares": all_hands.pares_type.tolist(),
        "paired": [deck.text(np.flatnonzero(row).tolist()) for row in paired],
        "stones": {phase: stones.tolist() for phase, stones in all_hands.stones.items()},
        "places": {
            phase: (all_hands.top_level[phase] + 1 - all_hands.level[phase]).tolist()
            for phase in ("grande", "chica")
        },
        "top": all_hands.top_level,
        "odds": odds.ravel().tolist(),
        "net": hundredths(columns["net"][:: len(PHASES)]).tolist(),
        "discards": _discards(game),
        "solo": _solo(game),
        "signals": {
            "names": signals.names,
            "chance": signals.chance.ravel().tolist(),
            "win": signals.win.ravel().tolist(),
            "net": signals.net.ravel().tolist(),
        },
    }


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


def _column(values: Floats, name: str) -> NDArray[np.int16]:
    return hundredths(values) if name.startswith("stones") else chance_codes(values)


def _discards(game: Game) -> dict[str, Any] | None:
    """What everybody keeps and says in the solved policy; None where there is none."""
    try:
        policy = get_policy("best", game)
    except PolicyError:
        return None
    seats, classes = range(1, game.seats + 1), range(len(hands(game)))
    return {
        "keep": [policy.keep_text(seat, h) for h in classes for seat in seats],
        "mus": [int(policy.says_mus(seat, h)) for h in classes for seat in seats],
    }


def _solo(game: Game) -> dict[str, Any]:
    """The best keep of a player who alone draws, and what it is worth: exact."""
    from musodds.exact.draws.draws import all_keeps
    from musodds.exact.draws.keeps import keep_text
    from musodds.report.tables.throws import best_keeps

    found = best_keeps(game, "solo")
    keeps = [keep_text(game, keep) for keep in all_keeps(game).keep]
    return {
        "keep": [keeps[row] for row in found.rows[0].T.ravel()],
        "net": hundredths(found.net.T.ravel()).tolist(),
    }


@lru_cache(maxsize=4)
def signal_effects(game: Game) -> SignalEffects:
    """What the signs do, read from what comes with the package.

    Raises
    ------
    GameError
        If the package has nothing for this game.
    """
    file = signals_path(game)
    if not file.exists():
        have = [
            name
            for name, other in GAMES.items()
            if (found := signals_path(other)).exists() and found.name.startswith(f"{name}-")
        ]
        raise GameError(f"there is no page for {game.name}: there is one for {', '.join(have)}")
    names = tuple(signal.name for signal in telling_signals(game))
    shape = len(hands(game)), len(names)
    by_seat = (*shape, game.seats)
    stored = shipped_several(
        file,
        {
            "chance": (shape, np.int16),
            "win": ((*by_seat, len(PHASES)), np.int16),
            "net": (by_seat, np.int16),
        },
    )
    if stored is None:
        raise OSError(errno.EIO, "it is damaged: install musodds again", str(file))
    return SignalEffects(names, **stored)


def telling_signals(game: Game) -> tuple[Signal, ...]:
    """The signs of the game that are not true of every hand."""
    return tuple(
        signal
        for signal in SYSTEMS[SYSTEM]
        if signal.exists_in(game) and not (parse_range(signal.range_text, game).weights > 0).all()
    )


def count_signals(game: Game) -> SignalEffects:
    """Count what the signs do to every hand.

    Hands of the partner of which the same signs are true are counted together.

    Raises
    ------
    GameError
        If nobody has a partner, or the game has other sides.
    """
    signals = telling_signals(game)
    true = np.array([parse_range(signal.range_text, game).weights > 0 for signal in signals])
    patterns, group = np.unique(true, axis=1, return_inverse=True)
    counts = count_by_group(game, tuple(range(1, game.seats + 1)), group.ravel())
    ways = _partner_ways(game, group.ravel(), patterns.shape[1])
    said = patterns.astype(np.int64).T
    by_signal = np.einsum("hg...,gk->hk...", counts, said)
    held = ways @ said
    total = held * deals(game.deck.size - 2 * CARDS, game.seats - game.side_size)
    some = np.where(total > 0, total, np.nan)[..., None]
    win = by_signal[..., COLUMNS.index("win")] / some[..., None]
    scored, given = (COLUMNS.index(name) for name in ("stones_for", "stones_against"))
    net = (by_signal[..., scored] - by_signal[..., given]).sum(axis=-1) / some
    return SignalEffects(
        tuple(signal.name for signal in signals),
        chance_codes(held / ways.sum(axis=1, keepdims=True)),
        chance_codes(win),
        hundredths(np.nan_to_num(net)),
    )


def _partner_ways(game: Game, group: Ints, groups: int) -> Ints:
    """Ways to deal the partner a hand of each group, for every hand of mine."""
    counts, copies = hands(game).counts, game.deck.copies
    ways = np.zeros((len(counts), groups), dtype=np.int64)
    for row, mine in zip(ways, counts, strict=True):
        np.add.at(row, group, choose(copies - mine, counts).astype(np.int64))
    return ways


def signals_path(game: Game) -> Path:
    """Named after the rules and the signs, so that neither can change unnoticed."""
    signs = [(signal.name, signal.range_text) for signal in SYSTEMS[SYSTEM]]
    digest = hashlib.sha256(repr(signs).encode()).hexdigest()[:12]
    return FOLDER / f"{path(game).stem}-{digest}.npz"


def _file(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
