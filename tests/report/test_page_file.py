"""The page as files: one without a network, or a folder that a phone installs."""

import json
import re
import struct

import pytest

from musodds.cli import main
from musodds.exact.phases.columns import COLUMNS
from musodds.report.page import GAMES, page_html, page_site
from musodds.report.page_data import FOLDER, telling_signals
from musodds.rules.games import get_game
from tests.browser import offline

WORDS = json.loads((FOLDER / "words.json").read_text(encoding="utf-8"))
ENGLISH = WORDS["en"]


@pytest.fixture(scope="module")
def mus():
    return page_html("mus")


def test_the_page_is_one_small_file_without_a_network():
    page = page_html()
    assert len(page.encode()) < 4_000_000
    assert page == page_html()
    assert not re.search(r"https?:|[\"'(]//|\bsrc=|@import|url\(", page)
    assert not re.search(r"@(served|style|data|words|script)@", page)


def test_the_words_are_the_same_in_every_language():
    shapes = []
    for language in WORDS.values():
        shapes.append(
            {key: sorted(v) if isinstance(v, dict) else type(v) for key, v in language.items()}
        )
        for name in GAMES:
            assert {s.name for s in telling_signals(get_game(name))} <= set(language["signals"])
        assert set(language["columns"]) == set(COLUMNS)
    assert shapes[0] == shapes[1] == shapes[2]


def test_every_word_is_used():
    source = page_html()
    for key in ENGLISH:
        used = re.search(rf"""["'`.]{key}["'`]|say\("{key}"\)|names\.{key}\b""", source)
        built = re.match(r"(ask|why|kind|say)_(say|throw|see|mixed|mus|cut)$", key)
        assert used or built, key


def test_command(tmp_path, capsys, mus):
    target = tmp_path / "mus.html"
    assert main(["page", "-o", str(target)]) == 0
    assert target.read_text(encoding="utf-8") == page_html()
    assert main(["page", "--game", "mus", "-o", str(target)]) == 0
    assert target.read_text(encoding="utf-8") == mus
    capsys.readouterr()
    assert main(["page", "--game", "mus2p", "-o", str(target)]) == 2
    message = "musodds: error: there is no page for mus2p: there is one for mus, mus4, mus-real\n"
    assert capsys.readouterr().err == message
    assert main(["page", "--dir", str(tmp_path / "site"), "-o", str(target)]) == 2
    assert "give one of them" in capsys.readouterr().err
    assert not (tmp_path / "site").exists()
    assert main(["page", "--dir", str(target)]) == 2
    assert "that is a file" in capsys.readouterr().err


def test_a_site_has_all_that_a_phone_installs(tmp_path):
    files = {path.name: path for path in page_site(tmp_path / "site")}
    manifest = json.loads(files["manifest.webmanifest"].read_text(encoding="utf-8"))
    for icon in manifest["icons"]:
        content = files[icon["src"]].read_bytes()
        if icon["type"] == "image/png":
            assert content.startswith(b"\x89PNG")
            width, height = struct.unpack(">II", content[16:24])
            assert icon["sizes"] == f"{width}x{height}"
    worker = files["worker.js"].read_text(encoding="utf-8")
    kept = json.loads(re.search(r"FILES = (\[.*?\]);", worker)[1])
    assert set(kept) == {"./", *files} - {"worker.js"}
    page = files["index.html"].read_text(encoding="utf-8")
    assert page == page_html(served=True)
    assert '<link rel="manifest" href="manifest.webmanifest">' in page


def test_a_served_page_opens_again_without_a_network(tmp_path):
    page_site(tmp_path / "site", "mus")
    found = offline(tmp_path, tmp_path / "site")
    assert found["first"] == found["again"] == "RR7A"
    assert found["asked_again"] == 0
