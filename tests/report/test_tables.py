"""Tables: their numbers against known counts and other engines, their formats by command."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import musodds as mo
from musodds.chances.odds import known_odds
from musodds.cli import main
from musodds.errors import InputError
from musodds.exact.draws.draws import all_keeps
from musodds.knowledge.knowledge import know
from musodds.report.results import SOLVED
from musodds.report.tables import TABLES, table, throws
from musodds.report.tables.strength import plays_data
from musodds.rules.game import PHASES
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.simulation.named_policies import get_policy
from tests import brute
from tests.command import Run, runner

SCRIPT = Path(sys.executable).with_name("musodds")


@pytest.fixture
def musodds(capsys) -> Run:
    return runner(capsys)


def test_plays_are_the_published_counts():
    deals = mo.plays_table("mus").set_index("play")["deals"]
    known = {
        "pares": 51_710, "duples": 3_486, "medias": 4_448, "par": 43_776, "juego": 24_444,
        "31": 8_384, "30": 3_024,
    }  # fmt: skip
    assert {play: int(deals[play]) for play in known} == known
    frame = mo.plays_table("mus")
    for whole, phase in (("juego", "juego"), ("punto", "punto"), ("pares", "pares")):
        part = frame[(frame["phase"] == phase) & (frame["play"] != whole)]
        assert part["deals"].sum() == deals[whole]
    assert deals["juego"] + deals["punto"] == 91_390


def test_juego_real_is_a_play_of_its_own_where_the_game_has_it():
    plays = mo.plays_table("mus-real").set_index("play")["deals"]
    # Three of four 7s and one of sixteen cards: R, C, S.
    assert plays["real"] == 4 * 16


def test_one_of_two_players_by_enumeration():
    game = brute.reduced_game({"R": 4, "S": 3, "7": 4, "A": 5}, 2, 1)
    frame = plays_data(game).to_frame().set_index(["phase", "play"])
    expected = dict.fromkeys(("pares", "duples", "juego", "31"), 0)
    total = 0
    for dealt, ways in brute.deals(game, {}):
        total += ways
        points = [sum(brute.POINTS[card] for card in hand) for hand in dealt]
        kinds = [brute.own_stones(hand, "pares") for hand in dealt]
        expected["pares"] += ways * any(kinds)
        expected["duples"] += ways * (3 in kinds)
        expected["juego"] += ways * (max(points) >= 31)
        expected["31"] += ways * (31 in points)
    for play, count in expected.items():
        phase = "pares" if play in ("pares", "duples") else "juego"
        assert frame.loc[(phase, play), "pairs"] == count
        assert frame.loc[(phase, play), "either"] == count / total


def test_hands_places():
    frame = mo.hands_table("mus").set_index("hand")
    assert frame["deals"].sum() == 91_390
    assert frame.loc["RRRR", "grande_rank"] == 1
    assert frame.loc["AAAA", "chica_rank"] == 1
    assert frame.loc["RRRR", "pares_rank"] == 1
    assert frame.loc["RR7A", "pares_of"] == "par of kings"
    # Every 31 is as good as any other; a hand of 31 has no punto.
    best = frame[frame["juego_rank"] == 1]
    assert set(best["points"]) == {31}
    assert best["punto_rank"].isna().all()
    assert (frame["juego_rank"].isna() != frame["punto_rank"].isna()).all()
    assert frame["pares_rank"].isna().equals(frame["pares"] == "no pares")


def test_duel_adds_up_to_the_game_of_two():
    """Weighted by how often the other hand is dealt, a duel is the game of two players."""
    odds = mo.odds_table("mus2p").set_index(["hand", "seat", "phase"])
    for hand in ("RR7A", "S777", "RRAA", "C654"):
        frame = mo.duel_table("mus2p", hand=hand)
        weight = frame["deals"] / frame["deals"].sum()
        for seat, net in ((1, "net_first"), (2, "net_last")):
            assert (weight * frame[net]).sum() == pytest.approx(
                odds.loc[(hand, seat, "grande"), "net"], abs=1e-12
            )
            for phase in PHASES:
                mine = ("wins", "first") if seat == 1 else ("wins",)
                row = odds.loc[(hand, seat, phase)]
                assert weight[frame[phase].isin(mine)].sum() == pytest.approx(row["win"], abs=1e-12)
                void = weight[frame[phase] == "void"].sum()
                assert void == pytest.approx(row["void"], abs=1e-12)


def test_duel_of_all_hands_is_antisymmetric():
    frame = mo.duel_table("mus")
    mirrored = frame.rename(columns={"hand": "other", "other": "hand"})
    both = frame.merge(mirrored, on=["hand", "other"])
    assert len(both) == len(frame)
    assert (both["deals_x"] == both["deals_y"]).all()
    assert (both["net_first_x"] == -both["net_last_y"]).all()


@pytest.mark.parametrize("by", ["partner", "next", "previous"])
def test_signals_are_the_odds_under_knowledge(by):
    frame = mo.signals_table("RR7A", seat=2, by=(by,)).set_index(["signal", "phase"])
    plain = mo.odds("RR7A", seat=2)
    for sign in ("31", "dos-ases"):
        known = known_odds("RR7A", seat=2, knowledge=know(**{by: f"seña:{sign}"}))
        other = known_odds("RR7A", seat=2, knowledge=know(**{by: f"!seña:{sign}"}))
        for phase in PHASES:
            row = frame.loc[(sign, phase)]
            assert row["win"] == float(known.fraction(2, phase, "win"))
            # Once for the seat, so that the column adds up.
            net = known.net(2) if phase == PHASES[0] else np.nan
            assert row["net"] == pytest.approx(net, abs=1e-12, nan_ok=True)
            # With the sign or without it is what it is when nothing is known.
            whole = row["chance"] * row["win"] + (1 - row["chance"]) * float(
                other.fraction(2, phase, "win")
            )
            assert whole == pytest.approx(float(plain.fraction(2, phase, "win")), abs=1e-12)
            assert row["win_change"] == row["win"] - frame.loc[("-", phase), "win"]


def test_signals_that_the_cards_rule_out_are_left_out():
    signs = set(mo.signals_table("AAAA", game="mus4", seat=1)["signal"])
    assert "dos-ases" not in signs
    assert {"-", "31", "duples"} <= signs
    assert "ciego" not in signs  # no such sign with four kings


def test_solo_discards_are_those_of_the_policy():
    game = get_game("mus")
    policy = get_policy("solo", game)
    frame = mo.discards_table("mus", policy="solo")
    keeps = [
        policy.keep_text(seat, hand)
        for hand, seat in zip(frame["hand"], frame["seat"], strict=True)
    ]
    assert frame["keep"].tolist() == keeps
    assert (frame["margin"] >= 0).all()
    assert (frame[["net_se", "margin_se"]] == 0).all(axis=None)
    odds = mo.odds_table("mus").query("phase == 'grande'")
    assert np.allclose(frame["net_dealt"], odds["net"], rtol=0, atol=1e-12)


def test_cut_says_what_gains():
    frame = mo.cut_table("mus", policy="solo")
    assert ((frame["say"] == "mus") == (frame["gain"] >= 0)).all()
    assert np.allclose(frame["gain"], frame["net_mus"] - frame["net_cut"])


@pytest.mark.parametrize("name", TABLES)
def test_frames_have_the_documented_columns(name):
    options = {"signals": {"hand": "RRAA"}, "pairs": {"hand": "RRAA"}}.get(name, {})
    if "policy" in TABLES[name].options:
        options = {"policy": "solo"}
    data = table(name, "mus", **options)
    frame = data.to_frame()
    assert list(frame.columns) == [column.name for column in data.columns]
    for column in data.columns:
        assert column.about
        # pandas before version 3 calls text object.
        assert str(frame[column.name].dtype) in (column.dtype, "object" * (column.dtype == "str"))
        gaps = column.gaps or column.name in data.once[1]
        assert frame[column.name].isna().any() <= gaps
    assert not frame.duplicated().any()


@pytest.mark.parametrize("game", ["mus", "mus4-real", "mus2p"])
def test_odds_table_is_the_same_from_python_and_the_command(game, musodds):
    rows = list(
        csv.DictReader(
            io.StringIO(musodds("table", "odds", "--game", game, "--format", "csv").stdout)
        )
    )
    frame = mo.odds_table(game)
    assert len(rows) == len(frame)
    for column in ("win", "win_contested", "net"):
        written = np.array([float(row[column] or "nan") for row in rows])
        assert np.array_equal(written, frame[column].to_numpy(), equal_nan=True)
    assert [row["hand"] for row in rows] == frame["hand"].tolist()


def test_json_and_csv_carry_the_same_numbers(musodds):
    found = json.loads(musodds("table", "plays", "--format", "json").stdout)
    assert (found["game"], found["method"]) == ("mus", "exact")
    rows = csv.DictReader(io.StringIO(musodds("table", "plays", "--format", "csv").stdout))
    for one, other in zip(found["plays"], rows, strict=True):
        assert {key: str(value) for key, value in one.items()} == {key: other[key] for key in one}


def test_html_is_one_page_with_every_row(tmp_path, musodds):
    page = tmp_path / "hands.html"
    assert musodds("table", "hands", "-o", str(page)).returncode == 0
    text = page.read_text(encoding="utf-8")
    assert "://" not in text  # nothing comes from elsewhere
    data = json.loads(re.search(r'<script type="application/json"[^>]*>(.*?)</script>', text)[1])
    assert len(data["cells"]) == len(data["values"]) == 330
    assert data["cells"][0][0] == "RRRR"
    assert text.count('<th scope="col"') == len(data["cells"][0])
    assert text.count("aria-label=") >= len(data["cells"][0])
    assert "@" not in re.sub(r"<script.*?</script>|<style>.*?</style>", "", text, flags=re.DOTALL)


def test_latex_has_every_row(musodds):
    text = musodds("table", "plays", "--format", "latex").stdout
    body = text[text.index("\\endlastfoot") :]
    assert body.count("\\\\") == len(mo.plays_table())
    assert "\\%" in body
    assert text.count("{") == text.count("}")


def test_parquet_is_the_frame(tmp_path):
    pytest.importorskip("pyarrow", reason="parquet needs the extra musodds[parquet]")
    import pandas as pd

    file = tmp_path / "hands.parquet"
    subprocess.run([SCRIPT, "table", "hands", "-o", file], check=True, timeout=120)
    pd.testing.assert_frame_equal(pd.read_parquet(file), mo.hands_table())


def test_parquet_says_what_is_missing(monkeypatch):
    from musodds.cli.parts.formats import to_parquet

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"pip install 'musodds\[parquet\]'"):
        to_parquet(mo.plays_table())


def test_the_name_of_the_file_chooses_the_format(tmp_path, musodds):
    for suffix, beginning in ((".tex", "% needs"), (".md", "Every hand"), (".htm", "<!DOCTYPE")):
        file = tmp_path / f"hands{suffix}"
        assert musodds("table", "hands", "-o", str(file)).returncode == 0
        assert file.read_text(encoding="utf-8").startswith(beginning)


def test_seat_chooses_rows():
    frame = table("odds", "mus", "postre").to_frame()
    assert set(frame["seat"]) == {4}
    assert len(frame) == 330 * 5


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing"], "no table 'nothing': tables are odds, pairs, hands"),
        (["hands", "--seat", "1"], "the same for all seats"),
        (["odds", "--seat", "5"], "no seat '5'"),
        (["odds", "--hand", "RRRR"], "has no hand"),
        (["odds", "--policy", "solo"], "has no policy"),
        (["signals"], "about one hand"),
        (["signals", "--hand", "RRK7"], "K"),
        (["signals", "--hand", "RR7A", "--by", "dealer"], "nobody is 'dealer'"),
        (["signals", "--hand", "RR7A", "--by", "partner", "--game", "mus2p"], "partner"),
        (["signals", "--hand", "RR7A", "--system", "mine"], "no system of signals"),
        (["cut", "--policy", "kings"], "best or solo"),
        (["cut", "--game", "mus2p"], "no solved policy of mus2p"),
        (["cut", "--game", "mus-visto"], "nobody is asked before all change cards"),
        (["odds", "--game", "chess"], "no game 'chess'"),
    ],
)
def test_bad_input_is_one_line(arguments, words, capsys):
    assert main(["table", *arguments]) == 2
    found = capsys.readouterr()
    assert found.out == ""
    assert words in found.err
    assert found.err.count("\n") == 1


def test_all_classes_are_in_the_tables():
    assert len(mo.hands_table("mus4")) == len(hands(get_game("mus4"))) == 715


@pytest.mark.parametrize("game", SOLVED)
def test_best_discards_come_with_the_package_and_come_out_again(game):
    game = get_game(game)
    assert throws.keeps_path(game, "best").exists()
    assert throws.keeps_path(game, "solo").exists()
    stored = throws.best_keeps(game, "best")
    policy, keeps = get_policy("best", game), all_keeps(game)
    for seat, hand in ((1, "RR7A"), (4, "C654")):
        h = hands(game).index(hand)
        first, last = keeps.start[h], keeps.start[h + 1]
        best, second, net, *_ = throws.tried(
            policy, seat, h, keeps.keep[first:last], stored.n, stored.seed
        )
        assert (first + best, first + second) == tuple(stored.rows[:, seat - 1, h])
        assert net == pytest.approx(stored.net[seat - 1, h], abs=1e-9)
