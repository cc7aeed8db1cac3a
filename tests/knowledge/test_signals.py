"""The table of signals."""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb

import pytest

import musodds as mo
from musodds.cli import main
from musodds.errors import RangeError
from musodds.knowledge.language import parse_range, signal_range
from musodds.knowledge.signals import SYSTEMS, find_signal
from musodds.rules.games import GAMES, get_game
from musodds.rules.hands import hands


@pytest.mark.parametrize("game", GAMES)
def test_every_signal_of_a_game_is_a_range_of_it(game):
    for system, signals in SYSTEMS.items():
        for signal in signals:
            if signal.exists_in(get_game(game)):
                found = parse_range(f"seña:{system}:{signal.name}", game)
                meant = parse_range(signal.range_text, game)
                # A joker may be named: see test_ranges.
                plain = ["*" not in hand for hand in hands(get_game(game)).texts]
                assert (found.weights[plain] == meant.weights[plain]).all()


@pytest.mark.parametrize(
    ("signal", "inside", "outside"),
    [
        ("dos-reyes", "RRCA", "RRRA"),
        ("tres-reyes", "RRRC", "RRRR"),
        ("cuatro-reyes", "RRRR", "RRRC"),
        ("dos-ases", "RCAA", "RAAA"),
        ("solomillo", "RRRA", "RRRC"),
        ("medias", "AAA4", "RRCC"),
        ("duples", "RRCC", "RRRC"),
        ("31", "RRSA", "RRR4"),
        ("30", "RC64", "RRSA"),
        ("ciego", "RC54", "RRC4"),
        ("ciego", "C765", "R777"),
        ("federation:medias", "C777", "RRRA"),
        ("federation:medias-reyes", "RRRA", "AAA4"),
        ("federation:medias-ases", "AAA4", "RRRA"),
        ("federation:juego", "RRCC", "RRCA"),
        ("federation:29", "RC54", "RC64"),
        ("federation:ciego", "R765", "RC54"),
        ("federation:pares", "7744", "R765"),
    ],
)
def test_what_signals_mean(signal, inside, outside):
    found = parse_range(f"seña:{signal}")
    assert inside in found
    assert outside not in found


def test_no_ciego_with_four_kings_in_the_classic_system():
    with pytest.raises(RangeError, match="there is no sign for ciego in mus4"):
        parse_range("seña:classic:ciego", "mus4")
    assert "R765" in parse_range("seña:federation:ciego", "mus4")


def test_the_classic_system_comes_first():
    assert find_signal("medias", get_game("mus")).range_text == "medias"
    assert find_signal("medias-reyes", get_game("mus")).range_text == "medias:R"
    assert find_signal("FEDERATION:Medias", get_game("mus")).means == "other medias"


def test_exactly_two_kings():
    assert parse_range("seña:dos-reyes") == parse_range("RR..")


@pytest.mark.parametrize("game", ["mus", "mus4", "mus-ten-kings"])
def test_a_sign_means_the_same_wherever_it_is_named(game, capsys):
    assert main(["signals", "--game", game, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["signals"]
    table = mo.signals_table("7654", game=game, seat=1, system="federation")
    chances = dict(zip(table["signal"], table["chance"], strict=True))
    for row in rows:
        meant = parse_range(f"seña:{row['system']}:{row['signal']}", game)
        assert (parse_range(row["range"], game).weights == meant.weights).all()
        assert row["chance"] == float(meant.chance())
        if row["system"] == "federation":
            assert chances[row["signal"]] == pytest.approx(float(meant.chance(gone="7654")))


def test_two_kings_may_be_jokers():
    # Kings among r and jokers among j: two, if r <= 2 <= r + j. Eight kings, two jokers of 40.
    ways = sum(
        comb(2, j) * comb(8, r) * comb(30, 4 - j - r)
        for j in range(3)
        for r in range(max(0, 2 - j), 3)
    )
    two_kings = signal_range(find_signal("dos-reyes", get_game("mus-ten-kings")), "mus-ten-kings")
    assert two_kings.chance() == Fraction(ways, comb(40, 4))
