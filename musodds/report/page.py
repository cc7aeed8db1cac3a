"""One HTML file for a phone: choose four cards, see what to say, to throw and to expect.

The file holds its data and its programs, so it needs no network; served from a folder
with a manifest and a service worker it can be installed (:func:`page_site`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from musodds.report.page_data import FOLDER, page_data
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.store.files import write_atomic

GAMES = ("mus", "mus4", "mus-real")
"""The games of a page that is asked for no other."""

SCRIPTS = (
    "count.js", "bet.js", "words.js", "question.js", "answer.js", "figures.js", "square.js",
    "practise.js", "page.js",
)  # fmt: skip
"""In this order: each uses the names of those before it."""

ICON_SIZES = (192, 512)


def page_html(games: str | Game | Iterable[str | Game] = GAMES, *, served: bool = False) -> str:
    """The page of some games: one self-contained HTML file.

    Parameters
    ----------
    games : str, Game or sequence of them, optional
        The first is the one that is shown at first.
    served : bool, optional
        Whether a manifest and a service worker stand beside it; see :func:`page_site`.

    Returns
    -------
    str
        The same text whenever it is made from the same rules, policy and signs.

    Raises
    ------
    GameError
        If there is no page for one of the games.

    Examples
    --------
    >>> page_html("mus").startswith("<!DOCTYPE html>")
    True
    """
    given = [games] if isinstance(games, (str, Game)) else games
    names = list(dict.fromkeys(get_game(game) for game in given))
    data = {game.name: page_data(game) for game in names}
    parts = {
        "served": '<link rel="manifest" href="manifest.webmanifest">\n'
        '<link rel="apple-touch-icon" href="icon-192.png">' if served else "",
        "style": _file("page.css"),
        "words": _json(json.loads(_file("words.json"))),
        "data": "\n".join(
            f'<script type="application/json" class="game" data-game="{name}">'
            f"{_json(found)}</script>"
            for name, found in data.items()
        ),
        "script": "\n".join(_file(name) for name in SCRIPTS),
    }  # fmt: skip
    html = _file("page.html")
    for name, text in parts.items():
        html = html.replace(f"@{name}@", text)
    return html


def page_site(folder: str | Path, games: str | Game | Iterable[str | Game] = GAMES) -> list[Path]:
    """Write the page with what lets a phone install it: a folder for any web server.

    Parameters
    ----------
    folder : str or Path
        Made if it is not there.
    games : str, Game or sequence of them, optional

    Returns
    -------
    list of Path
        The page, its manifest, its service worker and its icons.

    Raises
    ------
    GameError
        If there is no page for one of the games; nothing is written then.
    """
    from musodds.report.page_icon import icon_png

    page = page_html(games, served=True)
    files: dict[str, str | bytes] = {
        "index.html": page,
        "manifest.webmanifest": _file("manifest.webmanifest"),
        "icon.svg": _file("icon.svg"),
        **{f"icon-{size}.png": icon_png(size) for size in ICON_SIZES},
    }
    # A worker of another text is a new worker: it fetches all files again.
    digest = hashlib.sha256(page.encode()).hexdigest()[:12]
    worker = _file("worker.js").replace("@version@", digest)
    files["worker.js"] = worker.replace("@files@", json.dumps(["./", *files]))
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        write_atomic(target / name, content)
    return [target / name for name in files]


def _json(found: object) -> str:
    # Within a script element, only the end of it could be mistaken.
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")


def _file(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
