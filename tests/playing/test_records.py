"""Records: read, refused with the line, written, and counted by the command line."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest

from musodds.cli import main
from musodds.errors import InputError
from musodds.playing import record as records
from musodds.playing.mus_deal import Deal
from musodds.playing.record import read_record
from musodds.playing.record_lines import RecordError
from musodds.playing.score_sheet import counters, tally
from musodds.playing.written import write_record
from musodds.rules.games import get_game

THREE = get_game("encaje3")

RECORD = """\
# the source's example
game: mus
sides: nos ellos
score: 32-35
mano: nos

hands: 7 7 2 A | 3-3-S-2 | R,R,S,A | c c c 6   # from mano on
mus: mus, mus, no hay mus
Grande: paso, paso, paso, envido 5, 1 quiero
chica: envido, raise 4, 3 hordago, fold
pares: SÍ, si, yes, sí; en paso
juego: no, sí, sí, sí; pass, pass, pass
"""


def changed(old: str, new: str) -> str:
    assert old in RECORD
    return RECORD.replace(old, new)


def test_a_record_in_full():
    (played,) = read_record(RECORD)
    assert played.names == ("nos", "ellos")
    assert played.deal.result.score == (38, 40)
    assert [(item.phase, item.stones, item.score) for item in tally(played)] == [
        ("chica", 6, (38, 35)),
        ("grande", 5, (38, 40)),
    ]
    assert played.games == (0, 1)


def test_written_and_read_again():
    (played,) = read_record(RECORD)
    text = write_record(played.deal, played.names)
    assert text == (
        "game: mus\nsides: nos ellos\nscore: 32-35\nmano: nos\n"
        "hands: 77AA | RRSA | RRSA | CCC6\n"
        "mus: mus, mus, no hay mus\n"
        "grande: paso, paso, paso, envido 5, 1 quiero\n"
        "chica: envido 2, reenvido 4, 3 órdago, no quiero\n"
        "pares: sí, sí, sí, sí; paso, paso, paso, paso\n"
        "juego: no, sí, sí, sí; paso, paso, paso\n"
    )
    assert read_record(text)[0].deal == played.deal


def test_windows_line_ends_and_byte_order_mark():
    assert read_record("\ufeff" + RECORD.replace("\n", "\r\n")) == read_record(RECORD)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("", "line 1: the record is empty"),
        ("# nothing\n---\n", "line 1: the record is empty"),
        (changed("game: mus", "game: tute"), "line 2: no game 'tute': games are mus"),
        (changed("nos ellos", "nos"), "line 3: 'nos': 2 different names"),
        (changed("nos ellos", "nos nos"), "line 3: 'nos nos': 2 different names"),
        (changed("32-35", "32:35"), "line 4: '32:35': whole numbers with - between them"),
        (changed("32-35", "32-40"), "line 7: score 32-40: two numbers from 0 to 39"),
        (changed("mano: nos", "mano: us"), "line 5: no side 'us': sides are nos and ellos"),
        (changed("7 7 2 A |", "7 7 2 K |"), "line 7: 'K' in '7 7 2 K' is not a Mus card"),
        (changed("7 7 2 A |", ""), "line 7: 3 hands for 4 seats of mus"),
        (
            changed("R,R,S,A", "777A"),
            "line 7: 5 cards 7 in the hands together: the deck has only 4",
        ),
        (changed("mano: nos", "mano: nos\nscore: 1-1"), "line 6: a second line 'score'"),
        (changed("juego:", "hands:"), "line 12: a second line 'hands'"),
        (changed("juego:", "stones:"), "line 12: 'stones' stands before what is said"),
        (changed("mano: nos", "mano:"), "line 5: nothing follows 'mano'"),
        (changed("mano: nos", "mano nos"), "line 5: 'mano nos' is not a line of a record"),
        (changed("chica:", "chico:"), "line 10: 'chico: .* is not a line of a record"),
        (RECORD.split("hands", maxsplit=1)[0], "line 2: the deal has no line 'hands:'"),
        (
            RECORD.rsplit("juego", maxsplit=1)[0],
            r"line 11: the deal ends too soon\. juego, seat 2 to speak: paso",
        ),
        (
            changed("envido 5, 1 quiero", "envido 1, 1 quiero"),
            r"line 9: 'envido 1' is not legal now\. grande, seat 4 to speak: paso, envido \(2",
        ),
        (changed("1 quiero", "2 quiero"), "line 9: seat 2 may not speak now.*seat 1 or 3"),
        (changed("1 quiero", "1 quiero, paso"), "line 9: 'paso' does not belong to grande"),
        (changed("envido 5, 1 quiero", "envido 5"), "line 10: 'envido' does not belong to chica"),
        (changed("fold", "fald"), "line 10: 'fald' is nothing that is said in Mus"),
        (changed("3 hordago", "3"), "line 10: '' is nothing that is said"),
        (changed("SÍ, si", "SÍ, no"), "line 11: seat 2 declares 'no' for pares and holds RRSA"),
        (changed("yes, sí;", "yes;"), "line 11: 3 declarations: give one a seat, 4"),
        (changed("; en paso", ""), "line 11: what is said is missing. pares, seat 1 to speak"),
        (changed("no, sí, sí, sí; pass", "no; pass"), "line 12: 1 declarations"),
        (changed("chica: envido", "chica: no; envido"), "line 10: nothing is declared in chica"),
        (
            changed("mus, mus, no hay mus", "mus, mus, mus, mus"),
            r"line 9: 'paso' does not belong to grande\. change, seat 1 to speak: change \(1 to 4",
        ),
        (
            changed("no hay mus", "mus, mus\nchange: 7>R | S>4 | S>5"),
            "line 9: not everybody has changed cards. change, seat 4",
        ),
        (
            changed("no hay mus", "mus, mus\nchange: 7>R | 4>S | S>5 | 6>7"),
            "line 9: seat 2 throws 4: it holds RRSA",
        ),
        (
            changed("no hay mus", "mus, mus\nchange: 7R S4"),
            "line 9: '7R': write what is thrown and drawn as 72>RA",
        ),
        (RECORD + "punto: en paso\n", "line 13: 'en paso' does not belong to punto. The deal is"),
    ],
)
def test_what_cannot_be_read(record, message):
    with pytest.raises(RecordError, match=f"^{message}"):
        read_record(record)


def test_encaje_without_stones_says_so():
    with pytest.raises(RecordError, match="line 1: encaje3 has 3 sides"):
        read_record("hands: RRRA 7654 CC44", THREE)


DEAL = "hands: 772A 33S2 RRSA CCC6\n"


def test_several_deals_go_on():
    en_paso = "grande: en paso\nchica: en paso\npares: en paso\njuego: en paso\n"
    played = read_record("score: 30-30\n" + "---\n".join([DEAL + en_paso] * 3))
    assert [one.deal.opening for one in played] == [(30, 30), (35, 36), (0, 0)]
    assert [one.deal.mano for one in played] == [0, 1, 0]
    assert [one.games for one in played] == [(0, 0), (0, 1), (0, 1)]
    assert played[1].deal.result.awards[-1].stones == 3


def test_a_match_ends_and_a_new_score_begins_another():
    ordago = DEAL + "grande: órdago, quiero\n"
    # Grande is seat 2's: theirs, then ours, then theirs.
    played = read_record("---\n".join([ordago] * 3))
    assert [one.games for one in played] == [(0, 1), (1, 1), (1, 2)]
    with pytest.raises(RecordError, match="line 10: the match is over"):
        read_record("---\n".join([ordago] * 4))
    again = read_record("---\n".join([*[ordago] * 3, "score: 3-4\n" + ordago]))
    assert (again[3].deal.opening, again[3].deal.mano, again[3].games) == ((3, 4), 0, (0, 1))


def test_counters():
    assert [counters(n) for n in (0, 4, 5, 6, 12)] == [
        "none",
        "4 piedras",
        "1 amarraco",
        "1 amarraco 1 piedra",
        "2 amarracos 2 piedras",
    ]


class TestCommand:
    @pytest.fixture
    def record(self, tmp_path):
        path = tmp_path / "deal.txt"
        path.write_text(RECORD, encoding="utf-8")
        return str(path)

    def test_text(self, record, capsys):
        assert main(["score", record]) == 0
        text = capsys.readouterr().out
        assert "mus: nos 32, ellos 35; mano nos" in text
        assert "duples of 7s and aces, punto of 16" in text
        assert "at once: not wanted (deje)" in text
        assert "the bet: best grande, seat 2, RRSA" in text
        assert "nos 38: 7 amarracos 3 piedras, dentro" in text
        assert "the game is for ellos (games: nos 0, ellos 1)" in text
        assert max(map(len, text.splitlines())) <= 80

    def test_json_and_csv_carry_the_same(self, record, capsys):
        assert main(["score", record, "--format", "json"]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert (answer["game"], answer["winner"], answer["deals"]) == ("mus", "ellos", 1)
        assert [row["stones"] for row in answer["count"]] == [6, 5]
        assert answer["count"][1]["score_ellos"] == 40
        assert main(["score", record, "--format", "csv"]) == 0
        rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        assert [row["why"] for row in rows] == [row["why"] for row in answer["count"]]

    def test_markdown_to_a_file(self, record, tmp_path, capsys):
        output = tmp_path / "count.md"
        assert main(["score", record, "-o", str(output)]) == 0
        assert output.read_text(encoding="utf-8").startswith("| count  | side  | stones | why")

    def test_errors_are_one_line_with_the_line_number(self, tmp_path, capsys):
        path = tmp_path / "wrong.txt"
        path.write_text(RECORD.replace("fold", "envido"), encoding="utf-8")
        assert main(["score", str(path)]) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert "line 10: 'envido 2' is not legal now" in error
        path.write_bytes(b"\xff\xfe")
        assert main(["score", str(path)]) == 2
        assert "is not text in UTF-8" in capsys.readouterr().err
        assert main(["score", str(tmp_path / "none.txt")]) == 2
        assert "none.txt" in capsys.readouterr().err

    def test_standard_input(self, monkeypatch, capsys):
        typed = io.TextIOWrapper(io.BytesIO(RECORD.encode()))
        monkeypatch.setattr("sys.stdin", typed)
        assert main(["score", "-"]) == 0
        assert "the game is for ellos" in capsys.readouterr().out

    def test_the_record_in_the_help_works(self, capsys):
        assert main(["score", "--help"]) == 0
        (played,) = read_record(first_record(capsys.readouterr().out))
        assert played.deal.result.score == (38, 40)


def first_record(text):
    """The lines of the record that stands in a text, without what explains them."""
    lines = [line.strip().partition("  ") for line in text.splitlines()]
    found = [
        line
        for line, _, _ in lines
        if re.match(r"(score|hands|mus|grande|chica|pares|juego):", line)
    ]
    return "\n".join(found)


def test_the_record_in_the_documentation_works():
    (played,) = read_record(first_record(records.__doc__))
    assert played.deal.result.score == (38, 40)


def test_dealing_with_a_deal_as_a_bot_does():
    deal = Deal.start("mus", ["772A", "33S2", "RRSA", "CCC6"], score=(32, 35), mano=1)
    while not deal.over:
        words = [option.word for option in deal.legal()]
        deal = deal.act("no hay mus" if "no hay mus" in words else "paso")
    # Mano's side is the second of the score: chica 1, pares 3 and 1 make 40, and the
    # juego of the other side is counted no more.
    assert deal.result.stones == (1, 5)
    assert deal.result.score == (33, 40)
    assert deal.result.winner == 1


EN_PASO = "grande: en paso\nchica: en  PASO\npares: en paso\njuego: en paso\n"


class TestWhoIsMano:
    def test_a_score_said_again_changes_nothing(self):
        """The same deal three times: with the right score written down, or without it."""
        cards = "hands: RRRA 7654 RRCC C654\n" + EN_PASO  # all is mano's: 1 + 1 + 5 + 5
        plain = read_record("---\n".join([cards] * 3))
        assert [one.deal.score for one in plain] == [(12, 0), (12, 12), (24, 12)]
        again = read_record("---\n".join(["score: 0-0\n" + cards, "score: 12-0\n" + cards, cards]))
        assert [one.deal.score for one in again] == [(12, 0), (12, 12), (24, 12)]
        assert [one.deal.mano for one in again] == [0, 1, 0]

    def test_games_won_stay_with_a_score_said_again(self):
        ordago = DEAL + "grande: órdago, quiero\n"
        played = read_record(ordago + "---\nscore: 0-0\n" + ordago + "---\nscore: 0-0\n" + ordago)
        assert [one.games for one in played] == [(0, 1), (1, 1), (1, 2)]

    def test_dealers_and_players(self):
        head = "players: Ana Berta Carla Dora\ndealer: Berta\n"
        played = read_record(head + DEAL + EN_PASO + "---\n" + DEAL + EN_PASO)
        assert played[0].players == ("Carla", "Dora", "Ana", "Berta")
        assert played[1].players == ("Dora", "Ana", "Berta", "Carla")
        assert [one.deal.mano for one in played] == [0, 1]
        (by_side,) = read_record("dealer: us\n" + DEAL + EN_PASO)
        assert by_side.deal.mano == 1
        with pytest.raises(RecordError, match="line 2: where us deals us is not mano"):
            read_record("mano: us\ndealer: us\n" + DEAL + EN_PASO)

    def test_a_match_begins_where_it_is_said(self):
        ordago = DEAL + "grande: órdago, quiero\n"
        played = read_record(ordago + "---\nmatch: second\n" + ordago)
        assert [(one.games, one.match, one.deal.mano) for one in played] == [
            ((0, 1), "", 0),
            ((0, 1), "second", 0),
        ]

    def test_after_a_game_of_several_deals(self):
        """Games of two and of three deals: mano alternates through all of them."""
        one = "hands: RRRA 7654 RRCC C654\n" + EN_PASO
        played = read_record("target: 20\ngames: 3\n" + "---\n".join([one] * 7))
        # 12-0, 12-12, 20: then mano is the other side, who wins the next game.
        assert [p.deal.mano for p in played] == [0, 1, 0, 1, 0, 1, 0]
        assert [p.deal.opening for p in played[3:]] == [(0, 0), (0, 12), (12, 12), (0, 0)]
        assert [p.games for p in played] == [
            (0, 0), (0, 0), (1, 0), (1, 0), (1, 0), (1, 1), (1, 1),
        ]  # fmt: skip


class TestCardsChanged:
    VISTO = (
        "game: mus-visto\nhands: RRAA | S654 | RC75 | CC76\n"
        "visto: - | 54>AA | 75>C4 | 6>7\nmus: no hay mus\n" + EN_PASO
    )

    def test_mus_visto(self):
        (played,) = read_record(self.VISTO)
        assert [played.deal.hand(seat) for seat in (1, 2, 3, 4)] == ["RRAA", "S6AA", "RCC4", "CC77"]
        text = write_record(played.deal)
        assert "visto: - | 54>AA | 75>C4 | 6>7\nmus: no hay mus\n" in text
        assert read_record(text)[0].deal == played.deal
        assert read_record(self.VISTO.replace("visto: -", "change: -"))[0].deal == played.deal

    def test_in_other_games_nothing_is_changed_before_mus(self):
        with pytest.raises(RecordError, match="line 2: no cards are changed before mus: mus is no"):
            read_record(self.VISTO.replace("mus-visto", "mus"))

    def test_all_must_change(self):
        with pytest.raises(
            RecordError, match=r"line 3: not everybody has changed cards. visto, se"
        ):
            read_record(self.VISTO.replace(" | 6>7", ""))
        with pytest.raises(RecordError, match="line 3: 5 changes"):
            read_record(self.VISTO.replace(" | 6>7", " | 6>7 | -"))

    def test_a_hand_that_is_shown(self):
        record = (
            "game: mus-4567\nhands: R76A | CS75 | 7654 | RR44\n"
            "4567: - | - | 7654>RCC6 | -\nmus: no hay mus\n" + EN_PASO
        )
        (played,) = read_record(record)
        assert played.deal.hand(3) == "RCC6"
        assert read_record(write_record(played.deal))[0].deal == played.deal
        with pytest.raises(RecordError, match="line 3: 2 thrown and 2 drawn: who was dealt 7654"):
            read_record(record.replace("7654>RCC6", "76>RC"))
        with pytest.raises(RecordError, match="line 3: seat 1 may not speak now"):
            read_record(record.replace("4567: -", "4567: R>C"))
        with pytest.raises(RecordError, match=r"line 2: .* nobody is dealt a hand to show"):
            read_record(record.replace("7654 |", "7655 |"))

    @pytest.mark.parametrize(
        ("drawn", "message"),
        [
            # All four 7s are dealt: two are held by seat 2, two thrown by seat 1.
            ("77>7R | 4>R | C>R | 6>R", "seat 1: 7 cannot be drawn: no 7 is left in the stock"),
            ("77>RR | 4>R | C>7 | 6>R", "seat 3: 7 cannot be drawn: no 7 is left in the stock"),
        ],
    )
    def test_a_card_that_is_out_is_not_drawn(self, drawn, message):
        record = (
            "hands: 77AA | 7744 | CCSA | 66SA\nmus: en paso\nmus: mus, mus, mus, mus\n"
            f"change: {drawn}\nmus: corto\n" + EN_PASO
        ).replace("mus: en paso\n", "")
        with pytest.raises(RecordError, match=f"line 3: {message}"):
            read_record(record)

    def test_what_was_thrown_comes_back_when_the_stock_has_run_out(self):
        """24 cards of stock are drawn in two rounds; then the discards are drawn again."""
        deal = Deal.start("mus2p", ["RRRR", "CCCC"])
        pack = iter("RRRRSSSS7777666655554444AAAAAAAA")

        def everybody(deal):
            for word in ("mus", "mus"):
                deal = deal.act(word)
            for seat in (1, 2):
                deal = deal.change(deal.hand(seat), "".join(next(pack) for _ in range(4)))
            return deal

        for _ in range(4):
            deal = everybody(deal)
        for word in ("mus", "mus"):
            deal = deal.act(word)
        deal = deal.change("AAAA", "SSSA")
        # When it ran out both still needed cards: what seat 2 threw is in the new stock too.
        assert deal.change("AAAA", "AAAR").hand(2) == "RAAA"
        assert deal.change("AAAA", "AAAA").hand(2) == "AAAA"
        deal = deal.change("AAAA", "RRRC")
        assert (deal.hand(1), deal.hand(2)) == ("SSSA", "RRRC")

    def test_who_alone_still_draws_does_not_get_back_what_he_threw(self):
        deal = Deal.start("mus2p", ["RRRR", "CCCC"])
        pack = iter("RRRRSSSS7777666655554444AAAAAAA")
        for count in (4, 4, 4, 3):
            deal = deal.act("mus").act("mus")
            for seat in (1, 2):
                thrown = deal.hand(seat)[:count]
                deal = deal.change(thrown, "".join(next(pack) for _ in range(count)))
        assert (deal.hand(1), deal.hand(2)) == ("5AAA", "4AAA")
        # Two aces are left: one for seat 1, one for seat 2, who then draws alone.
        deal = deal.act("mus").act("mus").change("A", "A")
        assert deal.change("AA", "AA").hand(2) == "4AAA"
        with pytest.raises(InputError, match="seat 2: AA cannot be drawn: only 1 A"):
            deal.change("AAA", "AAA")


class TestWhatIsSaid:
    def test_juego_of_one_side_alone_may_be_passed(self):
        cards = "hands: RRRA 7654 RRCC C654\n"
        (played,) = read_record(cards + EN_PASO)
        assert played.deal.score == (12, 0)
        with pytest.raises(RecordError, match="line 5: 'envido' does not belong to juego"):
            read_record(cards + EN_PASO.replace("juego: en paso", "juego: envido"))

    @pytest.mark.parametrize(
        "record",
        [
            DEAL + "grande: envido 4, reenvido doble, quiero\n",
            DEAL + "grande: bet 4, raise  double, quiero\n",
            "reenvido: doubles\n" + DEAL + "grande: envido 4, reenvido, quiero\n",
            "reenvido: doubles\n" + DEAL + "grande: envido 4, 4 raise, quiero\n",
            "reenvido: doubles\n" + DEAL + "grande: envido 4, reenvido 4, quiero\n",
        ],
    )
    def test_the_federations_reenvido(self, record):
        (played,) = read_record(record + EN_PASO.partition("\n")[2])
        assert played.deal.endings[0].stones == 8

    def test_reenvido_alone_adds_two(self):
        (played,) = read_record(DEAL + "grande: envido 4, reenvido, quiero\n" + EN_PASO[16:])
        assert played.deal.endings[0].stones == 6

    @pytest.mark.parametrize(
        "words", ["envido 1000000", "envido 1000", f"envido {'9' * 5000}", "envido 999, reenvido 2"]
    )
    def test_no_more_than_999_stones(self, words):
        with pytest.raises(RecordError, match=r"^line 2: .*999"):
            read_record(DEAL + f"grande: {words}\n")

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("target: 0", "line 1: target 0: from 1 to 100 stones win a game"),
            ("target: many", "line 1: 'many': whole numbers"),
            (f"target: {'9' * 5000}", "line 1: '9999"),
            ("games: 10", "line 1: games 10: from 1 to 9 games win a match"),
            ("won: 2-0", "line 1: '2-0': the games won by either side, 0 to 1 in a match to 2"),
            ("players: a b", "line 1: 'a b': 4 different names as they sit"),
            ("dealer: me", "line 1: no side 'me'"),
            ("reenvido: twice", "line 1: reenvido 'twice': doubles, or adds"),
            ("signs: 31", "line 1: '31': write the seat and its sign"),
            ("signs: 5 31", "line 1: '5 31': write the seat"),
        ],
    )
    def test_headers_that_cannot_be(self, line, message):
        with pytest.raises(RecordError, match=f"^{message}"):
            read_record(f"{line}\n{DEAL}{EN_PASO}")

    def test_targets_and_matches(self):
        ordago = DEAL + "grande: órdago, quiero\n"
        played = read_record("target: 30\ngames: 3\n" + "---\n".join([ordago] * 5))
        assert played[-1].games == (2, 3)
        assert played[0].deal.game.target == 30
        with pytest.raises(RecordError, match="line 3: score 30-2: two numbers from 0 to 29"):
            read_record("target: 30\nscore: 30-2\n" + ordago)
        text = write_record(played[0].deal)
        assert text.startswith("game: mus\ntarget: 30\ngames: 3\n")
        assert read_record(text)[0].deal == played[0].deal

    def test_signs(self):
        (played,) = read_record("signs: 2 31, 4 dos reyes, 2 medias\n" + DEAL + EN_PASO)
        assert played.signs == {2: ("31", "medias"), 4: ("dos reyes",)}


class TestExamples:
    def test_the_full_record(self, capsys):
        assert main(["score", "--example"]) == 0
        text = capsys.readouterr().out
        played = read_record(text)
        assert [one.games for one in played] == [(0, 1), (1, 1), (2, 1)]
        assert [one.deal.score for one in played] == [(38, 37), (40, 38), (0, 1)]
        keys = {line.partition(":")[0] for line in text.splitlines()}
        assert keys >= {"4567", "visto", "change", "dealer", "players", "signs", "target", "games"}

    def test_the_deal_that_comes_with_the_notebooks(self, capsys):
        path = "notebooks/data/deal.txt"
        assert main(["score", path]) == 0
        assert "the game is for them" in capsys.readouterr().out
        assert main(["score", path, "--target", "50"]) == 0
        assert "mus to 50: us 32" in capsys.readouterr().out

    def test_a_file_is_needed(self, capsys):
        assert main(["score"]) == 2
        assert "--example" in capsys.readouterr().err
