"""Hand-worked deals of every rule branch, and what the state machine allows."""

from __future__ import annotations

import re
from dataclasses import FrozenInstanceError, dataclass
from pathlib import Path

import pytest

from musodds.errors import CardError, InputError
from musodds.playing.actions import Action, ActionError, Option, read_action
from musodds.playing.encaje_deal import EncajeDeal
from musodds.playing.encaje_deal import encaje_settle as settle
from musodds.playing.match import Match
from musodds.playing.mus_deal import Deal
from musodds.playing.record import read_record
from musodds.playing.record_lines import RecordError
from musodds.playing.score_sheet import tally
from musodds.rules.game import Game
from musodds.rules.games import get_game

DATA = Path(__file__).parents[1] / "data"
SIX = get_game("mus6p")
SIX_TO_50 = get_game("mus6p-50")
THREE = get_game("encaje3")
FIVE = get_game("encaje5")

SEED = ["772A", "33S2", "RRSA", "CCC6"]


@dataclass(frozen=True)
class Case:
    name: str
    record: str
    items: list[tuple[str, str, int]]
    score: tuple[int, ...]
    won: str | None


def cases(file: str, game: Game) -> list:
    text = (DATA / file).read_text(encoding="utf-8")
    head, *blocks = re.split(r"^== ", text, flags=re.MULTILINE)
    named = dict(re.findall(r"^(@\w+) (.+)$", head, flags=re.MULTILINE))
    found = []
    for block in blocks:
        name, _, body = block.partition("\n")
        record = re.sub(r"@\w+", lambda match: named[match[0]], body)
        lines = record.splitlines()
        items = next(line[1:] for line in lines if line.startswith(">"))
        score, *won = next(line[1:] for line in lines if line.startswith("=")).split()
        case = Case(
            name,
            "\n".join(line for line in lines if line[:1] not in (">", "=")),
            [(p, s, int(n)) for p, s, n in (item.split() for item in items.split(";"))],
            tuple(map(int, score.split("-"))),
            won[0] if won else None,
        )
        found.append(pytest.param(case, game, id=f"{game.name}: {name}"))
    return found


HAND_WORKED = [
    *cases("scoring_mus.txt", get_game("mus")),
    *cases("scoring_six.txt", SIX),
    *cases("scoring_encaje.txt", THREE),
    *cases("scoring_encaje5.txt", FIVE),
]


@pytest.mark.parametrize(("case", "game"), HAND_WORKED)
def test_hand_worked(case, game):
    played = read_record(case.record, game)[-1]
    items = [(item.phase, played.names[item.side], item.stones) for item in tally(played)]
    assert items == case.items
    result = played.deal.result
    side = result.winner if isinstance(played.deal, Deal) else result.loser
    final = result.score if isinstance(played.deal, Deal) else result.stones
    assert final == case.score
    assert (None if side is None else played.names[side]) == case.won


def test_there_are_a_hundred_cases():
    assert len(HAND_WORKED) >= 100


def say(deal, *words):
    for word in words:
        deal = deal.act(word)
    return deal


def texts(deal):
    return [option.text for option in deal.legal()]


class TestLegal:
    def test_mus_talk(self):
        deal = Deal.start("mus", SEED)
        assert (deal.stage, deal.turn) == ("mus", (1,))
        assert texts(deal) == ["mus", "no hay mus"]
        deal = say(deal, "mus", "mus", "mus")
        assert deal.turn == (4,)
        assert say(deal, "corto").stage == "grande"
        assert say(deal, "mus").stage == "change"

    def test_change_goes_round_and_returns_to_the_talk(self):
        deal = say(Deal.start("mus", SEED), "mus", "mus", "mus", "mus")
        assert texts(deal) == ["change (1 to 4)"]
        deal = deal.change("77", "R4").change("3", "R").change("RRSA", "4567")
        assert deal.turn == (4,)
        deal = deal.change("6", "C")
        assert (deal.stage, deal.turn) == ("mus", (1,))
        assert [deal.hand(seat) for seat in (1, 2, 3, 4)] == ["R4AA", "RRSA", "7654", "CCCC"]

    @pytest.mark.parametrize(
        ("thrown", "drawn", "message"),
        [
            ("", "", "0 thrown and 0 drawn: each throws one to four cards"),
            ("77", "R", "2 thrown and 1 drawn"),
            ("R", "7", "seat 1 throws R: it holds 77AA"),
            ("777", "RRR", "seat 1 throws 7: it holds 77AA"),
            ("7", "C", None),
            ("77", "CC", "seat 1: CC cannot be drawn: only 1 C is left in the stock"),
        ],
    )
    def test_change_is_checked(self, thrown, drawn, message):
        deal = say(Deal.start("mus", SEED), "mus", "mus", "mus", "mus")
        if message is None:
            assert deal.change(thrown, drawn).hand(1) == "C7AA"
        else:
            with pytest.raises(InputError, match=message):
                deal.change(thrown, drawn)

    def test_no_words_while_cards_are_changed_and_no_change_later(self):
        deal = say(Deal.start("mus", SEED), "mus", "mus", "mus", "mus")
        with pytest.raises(ActionError, match=r"'mus' is not legal now\. change, seat 1 to speak"):
            deal.act("mus")
        with pytest.raises(ActionError, match="no cards are changed now"):
            Deal.start("mus", SEED).change("7", "6")

    def test_opening_and_answers(self):
        deal = Deal.start("mus", SEED, mus=False)
        assert texts(deal) == ["paso", "envido (2 or more)", "órdago"]
        deal = deal.act("envido 5")
        assert deal.turn == (2, 4)
        assert texts(deal) == ["quiero", "no quiero", "reenvido (2 or more)", "órdago"]
        deal = deal.act("órdago", seat=4)
        assert deal.turn == (1, 3)
        assert texts(deal) == ["quiero", "no quiero"]

    def test_only_who_declared_yes_speaks_in_pares_and_juego(self):
        deal = Deal.start("mus", ["RRCA", "7654", "RC76", "44CS"], mus=False)
        deal = say(deal, *["paso"] * 8)
        assert deal.declares("pares") == (True, False, False, True)
        assert (deal.stage, deal.speakers("pares"), deal.turn) == ("pares", (1, 4), (1,))
        assert deal.act("paso").turn == (4,)
        assert deal.act("envido").turn == (4,)
        assert deal.declares("juego") == (True, False, True, False)
        assert deal.speakers("juego") == ()

    def test_the_deal_ends_and_nothing_more_is_said(self):
        deal = say(Deal.start("mus", SEED, mus=False), "órdago", "quiero")
        assert (deal.over, deal.turn, deal.legal()) == (True, (), ())
        with pytest.raises(ActionError, match="the deal is over"):
            deal.act("paso")

    @pytest.mark.parametrize(
        ("words", "last", "message"),
        [
            ([], "quiero", r"'quiero' is not legal now\. grande, seat 1 to speak: paso, envido"),
            ([], "envido 1", r"envido \(2 or more\) or órdago"),
            ([], "reenvido 2", "paso, envido"),
            ([], "mus", "grande, seat 1 to speak"),
            (["envido"], "paso", r"seat 2 or 4 to speak: quiero, no quiero, reenvido"),
            (["envido"], "envido 4", r"reenvido \(2 or more\) or órdago"),
            (["envido"], "raise 1", r"'reenvido 1' is not legal"),
            (["órdago"], "órdago", "seat 2 or 4 to speak: quiero or no quiero"),
            (["órdago"], "reenvido 2", "quiero or no quiero"),
            ([], "envoido", "'envoido' is nothing that is said in Mus"),
            ([], "paso 3", "only envido and reenvido take a number"),
        ],
    )
    def test_illegal_words_say_what_is_legal(self, words, last, message):
        deal = say(Deal.start("mus", SEED, mus=False), *words)
        with pytest.raises(ActionError, match=message):
            deal.act(last)

    def test_seats_speak_in_turn(self):
        deal = Deal.start("mus", SEED, mus=False)
        with pytest.raises(ActionError, match="seat 2 may not speak now"):
            deal.act("paso", seat=2)
        with pytest.raises(ActionError, match="seat 3 may not speak now"):
            deal.act("envido").act("quiero", seat=3)

    def test_states_are_frozen_and_kept(self):
        deal = Deal.start("mus", SEED, mus=False)
        later = deal.act("envido 7")
        assert deal.bet is None
        assert later.bet is not None
        with pytest.raises(FrozenInstanceError):
            deal.stage = "chica"

    def test_result_only_at_the_end(self):
        with pytest.raises(ActionError, match=r"the deal is not over\. grande, seat 1"):
            Deal.start("mus", SEED, mus=False).result  # noqa: B018

    def test_a_program_may_pick_from_legal(self):
        deal = Deal.start("mus", SEED, mus=False)
        for option in deal.legal():
            assert option.allows(option.action)
            deal.act(option.action)
        assert not Option("envido", 2, 7).allows(Action("envido", 8))

    def test_words(self):
        assert read_action("  FOLD ").word == "no quiero"
        assert read_action("Hordago").word == read_action("ordago").word == "órdago"
        assert read_action("no  hay   mus").word == read_action("cut").word == "no hay mus"
        assert read_action("bet 12") == Action("envido", 12)


class TestStart:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"score": (40, 0)}, "score 40-0: two numbers from 0 to 39"),
            ({"score": (-1, 0)}, "two numbers from 0 to 39"),
            ({"score": (1, 2, 3)}, "two numbers from 0 to 39"),
            ({"mano": 2}, "the side of mano is 0 or 1"),
            ({"hands": SEED[:3]}, "3 hands for 4 seats"),
            ({"hands": ["RRR", *SEED[1:]]}, "hand of seat 1 'RRR' has 3 cards"),
            ({"hands": ["CC77", *SEED[1:]]}, "5 cards C in the hands together"),
            ({"game": THREE, "hands": SEED[:3]}, "encaje3 has 3 sides: a deal of Mus is of two"),
        ],
    )
    def test_what_cannot_be(self, arguments, message):
        with pytest.raises(InputError, match=message):
            Deal.start(**({"game": "mus", "hands": SEED} | arguments))

    def test_six_players_to_50(self):
        six = ["RRRA", "7654", "RRCC", "C654", "7765", "S765"]
        deal = say(Deal.start(SIX_TO_50, six, score=(48, 49), mus=False), *["paso"] * 12)
        assert (deal.result.winner, deal.result.score) == (0, (50, 49))

    def test_kinds_are_hands_too(self):
        game = get_game("mus")
        kinds = [game.parse_hand(hand) for hand in SEED]
        assert Deal.start(game, kinds) == Deal.start(game, SEED)


class TestMatch:
    def play(self, match, *words):
        return match.after(say(match.deal(SEED, mus=False), *words))

    def test_stones_add_up_and_mano_rotates(self):
        match = Match(get_game("mus"))
        match = self.play(match, *["paso"] * 4, *["paso"] * 4, *["paso"] * 4, *["paso"] * 3)
        assert (match.score, match.mano, match.games) == ((5, 6), 1, (0, 0))
        match = self.play(match, *["paso"] * 4, *["paso"] * 4, *["paso"] * 4, *["paso"] * 3)
        assert (match.score, match.mano) == ((11, 11), 0)

    def test_two_games_of_three(self):
        match = Match(get_game("mus"), score=(17, 3))
        match = self.play(match, "órdago", "quiero")  # grande is seat 2's: them
        assert (match.games, match.score, match.mano) == ((0, 1), (0, 0), 1)
        match = self.play(match, "órdago", "quiero")  # seat 2 is ours now
        assert (match.games, match.winner) == ((1, 1), None)
        match = self.play(match, "órdago", "quiero")
        assert (match.games, match.winner) == ((1, 2), 1)
        with pytest.raises(InputError, match="the match is over: side 1 has won 2 games"):
            match.deal(SEED)

    def test_a_deal_of_another_match(self):
        match = Match(get_game("mus"), score=(1, 2))
        other = say(Deal.start("mus", SEED, mus=False), "órdago", "quiero")
        with pytest.raises(InputError, match="did not begin at the score and mano"):
            match.after(other)
        with pytest.raises(ActionError, match="not over"):
            match.after(match.deal(SEED))


class TestEncaje:
    HANDS = ("RRRA", "7654", "CC44")

    def start(self, stones=(15, 15, 15), **options):
        return EncajeDeal.start(THREE, self.HANDS, stones, mus=False, **options)

    def test_never_more_than_one_has(self):
        deal = self.start((6, 9, 15))
        assert texts(deal) == ["paso", "envido (2 to 6)"]
        deal = deal.act("envido 5")
        assert texts(deal) == ["quiero", "no quiero", "reenvido (2 to 4)"]
        deal = deal.act("reenvido 4").act("quiero")
        assert deal.turn == (1,)
        assert texts(deal) == ["quiero", "no quiero"]
        # A and B put in all; C alone has stones in front, and throws for chica, for
        # its duples and for punto; the pot of grande is for the worse of A and B.
        assert deal.act("quiero").stones == (0, 6 + 9 + 9, 6 - 1 - 3 - 1)

    def test_the_only_raise(self):
        assert texts(self.start((2, 4, 9)).act("envido"))[-1] == "reenvido (2)"

    def test_one_stone_cannot_bet_but_see(self):
        deal = self.start((1, 15, 15))
        assert texts(deal) == ["paso"]
        with pytest.raises(ActionError, match=r"grande, seat 1 to speak: paso$"):
            deal.act("envido")
        deal = say(deal, "paso", "envido 4", "quiero")
        assert texts(deal) == ["quiero", "no quiero"]
        assert deal.act("quiero").endings[0].pot == 9

    def test_no_ordago(self):
        with pytest.raises(ActionError, match="'órdago' is not legal now"):
            self.start().act("órdago")

    def test_who_folds_says_no_more(self):
        deal = say(self.start(), "envido", "no quiero", "reenvido 3")
        assert deal.turn == (1,)
        assert deal.act("reenvido").turn == (3,)

    @pytest.mark.parametrize(
        ("game", "hands", "stones", "mano", "message"),
        [
            (THREE, HANDS, (15, 15), 0, "3 numbers from 0"),
            (THREE, HANDS, (15, -1, 15), 0, "3 numbers from 0"),
            (THREE, HANDS, (15, 0, 0), 0, "two or more are not 0"),
            (THREE, ("-", *HANDS[1:]), (15, 15, 15), 0, "is not a Mus card|0 cards"),
            (THREE, (None, *HANDS[1:]), (15, 15, 15), 0, "seat 1 has 15 stones and the hand -"),
            (THREE, HANDS, (15, 0, 15), 0, "seat 2 has 0 stones and the hand 7654"),
            (THREE, (HANDS[0], None, HANDS[2]), (15, 0, 15), 1, "mano 1: the place"),
            ("mus", SEED, (15, 15, 15, 15), 0, "mus is not Encaje"),
            ("mus2p", SEED[:2], (15, 15), 0, "mus2p is not Encaje"),
        ],
    )
    def test_what_cannot_be(self, game, hands, stones, mano, message):
        with pytest.raises(InputError, match=message):
            EncajeDeal.start(game, hands, stones, mano)

    def test_more_cards_than_the_deck_holds(self):
        with pytest.raises(CardError, match="5 cards C in the hands together"):
            EncajeDeal.start(THREE, ("CCCA", "CC76", "RRRR"), (15, 15, 15))

    def test_the_game_goes_on_from_deal_to_deal(self):
        played = read_record(
            """
            stones: 1-2-9
            hands: RRRA | 7654 | CC44
            grande: en paso
            chica: en paso
            pares: en paso
            ---
            hands: RRR4 | CC44 | -         # mano is B now, C after it; A is out
            grande: en paso
            chica: en paso
            pares: en paso
            """,
            THREE,
        )
        assert played[0].deal.stones == (0, 2, 6)
        # B throws 1 for grande; chica of 4-4 is C's; duples of C throw 3; juego 34 of B.
        assert played[1].deal.stones == (0, 0, 2)
        assert played[1].deal.loser == 2
        with pytest.raises(RecordError, match="two or more are not 0"):
            read_record("stones: 0-0-2\nhands: - | - | RRRA", THREE)

    def test_a_pot_that_takes_all_that_one_has(self):
        """Both put 3 in the pot of juego; the worse, 36 against 31, gets all six.

        Nobody in it has a stone to throw for grande, chica or pares, and the game goes on:
        seat 3 has 9, and seat 2 what it was given.
        """
        found = settle(
            "encaje3", ("RRRA", "RSS6", "7654"), (3, 3, 9), {"juego": "envido 3, quiero"}
        )
        assert found.stones == (0, 6, 9)
