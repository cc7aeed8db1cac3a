"""Reviews: what the best costs, planted blunders, sums, knowledge, formats."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter

import pytest

from musodds.cli import main
from musodds.errors import InputError
from musodds.playing.actions import Action
from musodds.playing.deal import CHANGES, SHOWN, TALK
from musodds.playing.mus_deal import Deal
from musodds.playing.record import Played, read_record
from musodds.rules.games import get_game
from musodds.stakes.bet import bet
from musodds.stakes.equity_kinds import equity
from musodds.strategy.judges import CardsJudge, EnPasoJudge, Verdict
from musodds.strategy.review import review
from musodds.strategy.review_result import Judged
from musodds.strategy.views import choices

PASSED = "grande: en paso\nchica: en paso\npares: en paso\njuego: en paso\n"
DEALS = 1024


def losses(found):
    return [(one.said, one.best, one.lost) for one in found.decisions]


@pytest.mark.parametrize(
    ("dealt", "score"), [(("RR77", "C654"), (30, 33)), (("CS76", "AA44"), (38, 37))]
)
def test_whoever_always_takes_the_best_loses_nothing(dealt, score):
    """A deal is played by taking, at every decision, what the judges call the best."""
    game = get_game("mus2p")
    table, judge, cards = equity(game), EnPasoJudge(), CardsJudge("kings", DEALS)
    pack = iter("RRRCASSA")
    deal = Deal.start(game, dealt, score)

    def asked(deal):
        """The choice to be made now: some legal thing is said to see it."""
        return list(choices(deal, {}, table))[-1]

    while not deal.over:
        if deal.stage in CHANGES:
            held = deal.hand(deal.turn[0])
            view = asked(deal.change(held[0], game.deck.text((0,)))).view
            best = cards.weigh_throw(view, held[1:]).best
            thrown = "".join((Counter(held) - Counter(best)).elements())
            deal = deal.change(thrown, "".join(next(pack) for _ in thrown))
        else:
            said = deal.legal()[0].action
            view = asked(deal.act(said)).view
            weigh = cards.weigh_mus if deal.stage == TALK else judge.weigh
            deal = deal.act(weigh(view, said).best)
    found = review([Played(deal, ("us", "them"), (0, 0), (0, 0), ("us", "them"))], deals=DEALS)
    assert len(found.decisions) == len(deal.said)
    assert [one.lost for one in found.decisions] == [0] * len(deal.said)
    assert found.summary[0]["skill"] == found.summary[1]["skill"] == 0


def test_a_planted_blunder_is_found_with_what_it_costs():
    """Seat 2 holds the best grande there is and folds an órdago: that costs all but the fold."""
    record = "game: mus2p\nscore: 20-20\nhands: CC76 RRRR\ngrande: órdago, no quiero\n"
    found = review(record + PASSED.partition("\n")[2])
    fold = next(one for one in found.decisions if one.said == "no quiero")
    exact = bet("RRRR", seat=2, phase="grande", score=(20, 20), game="mus2p", offer="ordago")
    see = exact.choice("see").equity
    assert see > 0.9999  # only four kings of mano are as good
    assert (fold.best, fold.mark, fold.lost_se) == ("quiero", "??", 0)
    assert fold.lost == pytest.approx(see - exact.choice("fold").equity, abs=1e-12)
    assert max(found.decisions, key=lambda one: one.lost or 0) is fold
    assert found.players[1]["blunders"] >= 1


def test_a_bet_that_is_worse_with_any_answer_is_an_error():
    """Four kings of mano at 39-39 have won by passing; so does every bet, and none is an error.

    Four aces in the other seat have lost when grande is passed, and an órdago in grande is
    lost too if seen: it wins only if it is folded to. The model cannot call it an error.
    Seeing an órdago in grande with four aces is one: the fold leaves chances in chica.
    """
    record = "game: mus2p\nscore: 30-30\nhands: RRRR AAAA\ngrande: órdago, quiero\n"
    mano, other = review(record).decisions
    assert (mano.lost, mano.best) == (0, "órdago")
    exact = bet("AAAA", seat=2, phase="grande", score=(30, 30), game="mus2p", offer="ordago")
    assert other.best == "no quiero"
    assert other.lost == pytest.approx(
        exact.choice("fold").equity - exact.choice("see").equity, abs=1e-12
    )
    assert other.mark == "??"


@pytest.mark.parametrize(
    "record",
    [
        "game: mus2p\nscore: 20-20\nhands: CC76 RRRR\ngrande: órdago, no quiero\n"
        + PASSED.partition("\n")[2],
        "game: mus2p\nscore: 33-35\nhands: RR77 C654\nmus: mus, mus\nchange: 77>AA | 54>R6\n"
        "mus: corto\ngrande: envido, no quiero\nchica: en paso\npares: en paso\njuego: en paso\n"
        "---\nhands: RRAA 7765\ngrande: órdago, quiero\n---\nhands: RRAA 7765\ngrande: envido 2,"
        " quiero\nchica: en paso\npares: envido 5, no quiero\npunto: en paso\n",
    ],
)
def test_start_luck_and_skill_make_the_result(record):
    found = review(record, deals=DEALS)
    table = equity("mus2p")
    for one in found.deals:
        moved = one.luck_deal + one.luck_draws + one.luck_play + one.skill
        assert one.start + moved == pytest.approx(one.end, abs=1e-12)
    for one in found.games:
        assert one["start"] + one["luck"] + one["skill"] == pytest.approx(one["result"], abs=1e-12)
    for one in found.summary:
        assert one["start"] + one["luck"] + one["skill"] == pytest.approx(one["result"], abs=1e-12)
    lost = dict.fromkeys(found.sides, 0.0)
    for one in found.decisions:
        lost[one.side] += one.lost
    us, them = found.sides
    assert found.summary[0]["skill"] == pytest.approx(lost[them] - lost[us], abs=1e-12)
    # Deals follow each other, and the games end in 0 or 1.
    played = read_record(record)
    for one, deal, after in zip(found.deals, played, [*played[1:], None], strict=True):
        mano = ("us", "them")[deal.deal.mano]
        assert one.start == table.chance(*deal.deal.opening, mano)
        if deal.deal.winner is not None:
            assert one.end == (deal.deal.winner == 0)
        elif after is not None:
            assert one.end == table.chance(*after.deal.opening, ("us", "them")[after.deal.mano])


def test_losses_do_not_depend_on_the_cards_of_others():
    """What was said before anything was shown is judged alike, whoever holds what."""
    said = "grande: paso, paso, paso, envido 5, 1 no quiero\nchica: en paso\n"
    rest = "pares: en paso\njuego: en paso\n"
    one = review("score: 20-22\nhands: RR76 | 7654 | CS54 | RRCA\n" + said + rest)
    other = review("score: 20-22\nhands: RR76 | S654 | C754 | AAAS\n" + said + rest)
    seat_1 = [
        [(d.phase, d.said, d.best, d.lost) for d in found.decisions if d.seat == 1 and
         d.phase in ("grande", "chica")]
        for found in (one, other)
    ]  # fmt: skip
    assert seat_1[0] == seat_1[1]
    assert len(seat_1[0]) == 3


class TestViews:
    RECORD = (
        "score: 20-22\nhands: RR7A | RC54 | CSA4 | RC76\nsigns: 3 31\n"
        "mus: mus, mus, mus, mus\nchange: 7>A | 54>CA | A4>R5 | 76>RA\nmus: no hay mus\n"
        "grande: envido 2, reenvido 3, quiero\nchica: órdago, no quiero\npares: en paso\n"
        "juego: en paso\n"
    )

    def views(self):
        (played,) = read_record(self.RECORD.replace("signs: 3 31", "signs: 3 dos reyes, 3 juego"))
        return list(choices(played.deal, {3: ("31",)}, equity("mus")))

    def test_signs_are_of_the_hands_that_are_played(self):
        by_stage = {}
        for one in self.views():
            by_stage.setdefault((one.before.stage, one.seat), one.view.knowledge.labels)
        assert by_stage["mus", 1] == ()
        assert by_stage["grande", 1] == ("seat 3: seña:31", "dead: 7")
        assert by_stage["grande", 2] == ("dead: 54",)

    def test_offers_and_what_is_on_the_table(self):
        words = [(v.said.text, v.view.on_table, v.view.offer) for v in self.views()]
        assert ("reenvido 3", 0, 2) in words
        assert ("quiero", 2, 3) in words
        assert ("no quiero", 0, "órdago") in words
        pares = next(v for v in self.views() if v.before.stage == "pares")
        assert pares.view.earlier["grande"].stones == 5
        assert pares.view.earlier["chica"].side == (0 if pares.seat in (1, 3) else 1)

    def test_declarations_are_known_from_their_phase_on(self):
        for one in self.views():
            labels = " ".join(one.view.knowledge.labels)
            assert ("pares" in labels) == (one.before.stage in ("pares", "juego", "punto"))
            assert ("juego" in labels) == (one.before.stage in ("juego", "punto"))


def test_cards_that_were_shown_are_known_to_all():
    """And those thrown are known to who threw them alone."""
    record = (
        "game: mus-4567-visto\nhands: R76A | CS75 | 7654 | RR44\n4567: - | - | 7654>RCC6 | -\n"
        "visto: 76>RA | - | - | 44>S7\nmus: no hay mus\n" + PASSED
    )
    (played,) = read_record(record)
    known = {}
    for one in choices(played.deal, {}, equity("mus")):
        known[one.before.stage, one.seat] = one.view.knowledge.labels
    assert known["visto", 1] == known["visto", 3] == known["grande", 2] == ("dead: 7654",)
    assert known["grande", 1] == ("dead: 776654",)
    assert known["grande", 4] == ("dead: 765444",)


def test_a_sign_of_the_partner_counts():
    """Mano's 31 cannot be beaten: who folds juego next to it loses more than he knew."""
    record = "score: 35-35\n{}hands: RSCA | RS76 | RC76 | RCCS\n" + PASSED.replace(
        "juego: en paso", "juego: paso, paso, paso, órdago, 3 no quiero"
    )
    blind, told = (
        next(one for one in review(record.format(line)).decisions if one.said == "no quiero")
        for line in ("", "signs: 1 31\n")
    )
    assert told.best == "quiero"
    assert told.lost > blind.lost + 0.1
    assert told.lost <= 1  # with the sign an órdago that is seen is won
    with pytest.raises(InputError, match="signs"):
        review(record.format("signs: 1 nonsense\n"))


class TestOpenCards:
    RECORD = (
        "score: 20-22\nhands: RR76 | ? | CS54 | ????\nmus: mus, mus, mus, mus\n"
        "change: 76>AA | ??>?? | 54>CS | ?>?\nmus: corto\ngrande: paso, paso, paso, envido 5, "
        "1 no quiero\nchica: en paso\npares: sí, no, sí, no; en paso\n"
        "juego: no, sí, sí, no; 2 envido 2, no quiero\n"
    )
    NEXT = "---\nscore: 24-30\nhands: RR76 | 7654 | CS54 | RRCA\n" + PASSED

    def test_only_what_is_known_is_judged(self):
        found = review(self.RECORD + self.NEXT, deals=DEALS)
        first = [one for one in found.decisions if one.deal == 1]
        assert {one.seat for one in first if one.lost is None} == {2, 4}
        assert {one.seat for one in first if one.lost is not None} == {1, 3}
        assert {one.hand for one in first if one.seat == 2} == {"?"}
        assert "?" in {one.said[5:] for one in first if one.kind == "discard"}
        assert sum(one["skipped"] for one in found.players) == sum(
            one.lost is None for one in found.decisions
        )

    def test_the_next_deal_says_what_it_came_to(self):
        found = review(self.RECORD + self.NEXT, deals=DEALS)
        assert found.deals[0].end == found.deals[1].start == equity("mus").chance(24, 30, "them")
        for one in found.games:
            moved = one["luck"] + one["skill"]
            assert one["start"] + moved == pytest.approx(one["result"], abs=1e-12)
        (alone,) = [review(self.RECORD, deals=DEALS)]
        assert (alone.deals, alone.games) == ((), ())
        with pytest.raises(InputError, match="cards that are not known: write the score after"):
            review(self.RECORD + self.NEXT.replace("score: 24-30\n", ""))

    def test_what_was_declared_decides_who_speaks(self):
        with pytest.raises(InputError, match="line 9"):
            review(self.RECORD.replace("2 envido 2", "4 envido 2"))

    def test_the_count_needs_all_cards(self):
        with pytest.raises(InputError, match="line 2: the cards of seat 2 are not known"):
            read_record(self.RECORD)


def test_another_judge():
    class Strict:
        name = "whatever is said is wrong"

        def weigh(self, view, said):
            assert isinstance(said, Action)
            return Verdict("órdago", 0.5, 0.25, 0.01)

    found = review("game: mus2p\nhands: RRRA 7654\n" + PASSED, judge=Strict())
    assert found.betting == Strict.name
    assert {one.lost for one in found.decisions} == {0.25}
    assert {one.mark for one in found.decisions} == {"??"}


def test_marks():
    def one(lost, error):
        return Judged(1, 1, "", "", "bet", "grande", "", "", "", lost, error).mark

    assert [one(lost, 0.0) for lost in (0.0, 0.01, 0.011, 0.04, 0.041)] == ["", "", "?", "?", "??"]
    assert one(0.05, 0.03) == ""  # within two errors
    assert one(None, None) == ""


def test_hands_that_are_shown_and_changed_before_mus():
    record = (
        "game: mus2p-4567-visto\nhands: 7654 RRC7\n4567: 7654>RS75 | -\nvisto: 75>RA | 7>A\n"
        "mus: corto\n" + PASSED
    )
    found = review(record, deals=DEALS)
    kinds = [one.kind for one in found.decisions][:4]
    assert kinds == [SHOWN, "discard", "discard", "mus"]
    assert found.decisions[0].skipped
    assert found.decisions[0].lost is None
    assert (found.players[0]["skipped"], found.players[1]["skipped"]) == (1, 0)


def test_what_cannot_be_reviewed():
    with pytest.raises(InputError, match="a review is of games with a score of two sides"):
        review("game: encaje3\nstones: 1-2-9\nhands: RRRA | 7654 | CC44\n" + PASSED[:-15])
    with pytest.raises(InputError, match="deal 2 is of mus4, the first of mus2p"):
        review(
            "game: mus2p\nhands: RRRA 7654\n" + PASSED
            + "---\ngame: mus4\nhands: RRRA 7654 SSC4 SSC4\n" + PASSED
        )  # fmt: skip
    with pytest.raises(InputError, match="counted only for two sides of one or two"):
        review("game: mus6p\nhands: RRRA 7654 SSC4 7655 7665 SSCR\n" + PASSED)


class TestCommand:
    RECORD = (
        "game: mus2p\nscore: 20-20\nhands: CC76 RRRR\ngrande: órdago, no quiero\n"
        + (PASSED.partition("\n")[2])
    )

    @pytest.fixture
    def file(self, tmp_path):
        path = tmp_path / "game.txt"
        path.write_text(self.RECORD, encoding="utf-8")
        return str(path)

    def test_text(self, file, capsys):
        assert main(["review", file]) == 0
        text = capsys.readouterr().out
        assert "mus2p: us against them, 1 deal in 1 game" in text
        assert "??" in text
        assert max(map(len, text.splitlines())) <= 80
        assert main(["review", file, "--errors"]) == 0
        fewer = capsys.readouterr().out
        assert "no quiero" in fewer
        assert "chica" not in fewer.split("Players")[0]

    @pytest.mark.parametrize("columns", [60, 80])
    def test_it_fits_the_page(self, columns, tmp_path, monkeypatch, capsys):
        """A full record with long names; no table is broken into two."""
        monkeypatch.setenv("COLUMNS", str(columns))
        main(["score", "--example"])
        record = capsys.readouterr().out.replace("Ana", "Anastasia-Maria")
        path = tmp_path / "long.txt"
        path.write_text(record.replace("nos ellos", "nosotros-del-norte los-del-sur"))
        assert main(["review", str(path), "-n", "512"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert max(map(len, lines)) <= columns
        assert sum(line.startswith("deal player") for line in lines) == 1
        assert sum(line.startswith("player ") for line in lines) == 1

    def test_it_says_by_what_each_was_judged(self, file, capsys):
        assert main(["review", file, "--format", "json"]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert {one["by"] for one in answer["decisions"]} == {"en paso"}
        assert answer["judged"] == {"en paso": len(answer["decisions"])}
        assert main(["review", file]) == 0
        assert f"judged: {len(answer['decisions'])} en paso" in capsys.readouterr().out

    def test_json_and_csv(self, file, capsys):
        assert main(["review", file, "--format", "json"]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert {"decisions", "players", "sides", "games", "deals", "luck", "course"} <= set(answer)
        asked = {"deal", "seat", "kind", "said", "best", "lost", "lost_se"}
        assert asked <= set(answer["decisions"][0])
        assert answer["course"][0]["chance"] == answer["games"][0]["start"]
        assert main(["review", file, "--format", "csv"]) == 0
        rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        assert [row["said"] for row in rows] == [row["said"] for row in answer["decisions"]]
        assert [float(row["lost"]) for row in rows] == [d["lost"] for d in answer["decisions"]]

    def test_the_course_as_a_table(self, file, tmp_path, capsys):
        assert main(["review", file, "--format", "json"]) == 0
        course = json.loads(capsys.readouterr().out)["course"]
        table = tmp_path / "course.csv"
        assert main(["review", file, "--course", "-o", str(table)]) == 0
        rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
        assert [row["point"] for row in rows] == [one["point"] for one in course]
        assert [float(row["chance"]) for row in rows] == [one["chance"] for one in course]
        assert main(["review", file, "--course", "--format", "json"]) == 2
        assert "--course goes with csv and tsv, not with json" in capsys.readouterr().err

    def test_a_page_and_a_plot(self, file, tmp_path):
        page, plot = tmp_path / "game.html", tmp_path / "game.svg"
        assert main(["review", file, "-o", str(page), "--plot", str(plot)]) == 0
        text = page.read_text(encoding="utf-8")
        assert text.startswith("<!doctype html>")
        assert "<svg" in text
        assert 'class="blunder"' in text
        assert plot.read_bytes().startswith(b"<?xml")

    def test_the_plot_alone(self, file, tmp_path, capsys):
        assert main(["review", file, "-o", str(tmp_path / "game.png")]) == 0
        assert (tmp_path / "game.png").read_bytes().startswith(b"\x89PNG")
        assert capsys.readouterr().out == ""
        assert main(["review", file, "--format", "svg"]) == 2
        assert "-o FILE" in capsys.readouterr().err

    def test_bad_input(self, file, tmp_path, capsys):
        assert main(["review", file, "--plot", "x.bmp"]) == 2
        assert main(["review", str(tmp_path / "none.txt")]) == 2
        assert "none.txt" in capsys.readouterr().err
