"""Policies: the built-in ones, and every way a policy file can be wrong."""

import numpy as np
import pytest

from musodds.rules.games import GAMES, get_game
from musodds.rules.hands import hands
from musodds.simulation.named_policies import get_policy, per_seat
from musodds.simulation.policies import Policy, PolicyError, parse_policy, read_policy

MUS = get_game("mus")


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("policy", ["none", "kings"])
def test_a_file_written_reads_back_the_same(name, policy):
    game = get_game(name)
    made = get_policy(policy, game)
    again = parse_policy(made.to_csv(), game, policy)
    assert np.array_equal(made.keep, again.keep)
    assert np.array_equal(made.cut, again.cut)
    assert made.digest == again.digest


@pytest.mark.parametrize("name", GAMES)
def test_kings_keeps_kings_and_always_throws(name):
    game = get_game(name)
    policy = get_policy("kings", game)
    for index, text in enumerate(hands(game).texts):
        for seat in range(1, game.seats + 1):
            # Only where all change cards without mus four kings may stay.
            kings = "".join(card for card in text if card in "*R")[: 3 + game.visto]
            assert policy.keep_text(seat, index) == (kings or "-")
            assert policy.says_mus(seat, index) == (len(kings) < 4)


def test_none_cuts_with_every_hand():
    assert get_policy("none", "mus4").cut.all()


def test_seats_may_differ_in_a_file():
    mixed = per_seat([get_policy("kings"), *[get_policy("none")] * 3])
    text = mixed.to_csv()
    assert "RRRR,1,RRR,mus" in text
    assert "RRRR,4,RRRR,cut" in text
    assert parse_policy(text, MUS, "mixed").digest == mixed.digest


def test_any_spelling_of_hand_seat_and_keep():
    text = get_policy("kings").to_csv()
    text = text.replace("RR7A,*,RR,mus", "a-3-7-12,mano,r 3,MUS\nRR7A,2,RR,mus\n"
                        "RR7A,3,,mus\n7RRA,postre,RRA7,cut")  # fmt: skip
    policy = parse_policy(text, MUS, "mine")
    assert [policy.keep_text(seat, "RR7A") for seat in (1, 2, 3, 4)] == ["RR", "RR", "-", "RR7A"]
    assert not policy.says_mus(4, "RR7A")


def _changed(old, new):
    text = get_policy("kings").to_csv()
    assert old in text
    return text.replace(old, new)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: the columns must be hand, seat, keep, say, not nothing"),
        ("hand,keep,say\n", "line 1: the columns must be"),
        (_changed("RRRC,*,RRR,mus", "RRRK,*,RRR,mus"), "line 3: 'K' in 'RRRK'"),
        (_changed("RRRC,*,RRR,mus", "RRR,*,RRR,mus"), "line 3: hand 'RRR' has 3 cards"),
        (_changed("RRRC,*,RRR,mus", "RRRC,5,RRR,mus"), "line 3: no seat '5' in mus"),
        (_changed("RRRC,*,RRR,mus", "RRRC,*,RRRR,mus"), "line 3: keep RRRR is not part of RRRC"),
        (_changed("RRRC,*,RRR,mus", "RRRC,*,RRRC,mus"), "line 3: RRRC says mus and keeps all four"),
        (_changed("RRRC,*,RRR,mus", "RRRC,*,RRX,mus"), "line 3: 'X' in 'RRX' is not a Mus card"),
        (_changed("RRRC,*,RRR,mus", "RRRC,*,RRR,maybe"), "line 3: say is 'maybe'"),
        (_changed("RRRC,*,RRR,mus", "RRRC,*,RRR"), "line 3: 3 fields, 4 are needed"),
        (_changed("RRRC,*,RRR,mus", "RRRR,*,RRR,mus"), "line 3: RRRR for seat 1 was already on li"),
        (_changed("RRRC,*,RRR,mus", "RRRR,3,RRR,mus"), "line 3: RRRR for seat 3 was already on li"),
        (_changed("RRRC,*,RRR,mus\n", ""), r"no row for RRRC, seat 1 \(4 of 1320 missing\)"),
        (_changed("RRRC,*,RRR,mus", "RRRC,mano,RRR,mus"), r"no row for RRRC, seat 2 \(3 of 1320"),
        (_changed("RRRC,*,RRR,mus", '"RRRC,*,RRR,mus'), "not valid CSV"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(text, message):
    with pytest.raises(PolicyError, match=f"mine.csv.*{message}"):
        parse_policy(text, MUS, "mine", "mine.csv")


def test_reading_files(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("\ufeff" + get_policy("kings").to_csv(), encoding="utf-8")
    assert read_policy(path).name == "mine"
    assert get_policy(str(path)).digest == get_policy("kings").digest
    path.write_bytes(b"\xff\xfe\x00hand")
    with pytest.raises(PolicyError, match="is not text in UTF-8"):
        read_policy(path)
    with pytest.raises(PolicyError, match="cannot read policy"):
        read_policy(tmp_path / "absent.csv")
    with pytest.raises(PolicyError, match="no policy 'absent': policies are none, kings"):
        get_policy("absent")


def test_policies_that_cannot_be_played():
    kings = get_policy("kings")
    with pytest.raises(PolicyError, match="keep has shape"):
        Policy("x", MUS, kings.keep[:3], kings.cut)
    wrong = kings.keep.copy()
    wrong[2, 0, 7] = 1
    with pytest.raises(PolicyError, match="seat 3: what stays of RRRR is not part"):
        Policy("x", MUS, wrong, kings.cut)
    with pytest.raises(PolicyError, match="seat 1: RRRR says mus and throws nothing"):
        Policy("x", MUS, get_policy("none").keep, kings.cut)
    with pytest.raises(PolicyError, match="one of this game for each of its 4 seats"):
        per_seat([kings, kings])
    with pytest.raises(PolicyError, match="policy kings is one of mus, not of mus4"):
        get_policy(kings, "mus4")


def test_a_policy_cannot_be_changed_behind_its_back():
    keep = get_policy("kings").keep.copy()
    policy = Policy("x", MUS, keep, get_policy("kings").cut)
    keep[:] = 0
    assert policy.keep_text(1, "RRRR") == "RRR"
    with pytest.raises(ValueError, match="read-only"):
        policy.keep[0, 0, 0] = 0
