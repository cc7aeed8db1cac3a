"""Games with given players: results, records, the same digits, broken players."""

import pickle
import random

import numpy as np
import pytest

import musodds as mo
from musodds.errors import GameError, InputError
from musodds.players.answers import PlayerError
from musodds.players.pack import Pack
from musodds.players.play import play


class Passes:
    """Cuts and never bets."""

    def say(self, view):
        return "no hay mus"

    def throw(self, view):
        return view.hand

    def speak(self, view):
        return "no quiero" if view.seen else "paso"


class Counts(Passes):
    """Bets as often as it was asked before: what it remembers shows."""

    def __init__(self):
        self.asked = 0

    def speak(self, view):
        self.asked += 1
        return "no quiero" if view.seen else f"envido {self.asked + 1}"


class Mus(Passes):
    """Always says mus and throws all."""

    def say(self, view):
        return "mus"


def _line(record, key):
    return next(line for line in record.splitlines() if line.startswith(key))


def test_passing_comes_to_what_is_counted():
    """Cut and passed, mano's side gets what the other engine says."""
    contest = play([Passes(), Passes()], deals=5000, seed=4, records=False)
    net = contest.stones[:, 0] - contest.stones[:, 1]
    net = np.where(np.arange(contest.n) % 2 == 0, net, -net)
    counted = mo.simulate("mus", n=1_000_000, seed=1, policy="none")
    want = float(counted.seat_rows()[0]["net"])
    assert abs(net.mean() - want) < 4 * net.std() / contest.n**0.5 + 0.01


def test_the_same_digits_for_any_number_of_workers():
    """Spread over processes, in blocks, with a player that remembers."""
    one = play([Counts(), "random"], games=9, seed=3, workers=1)
    assert play([Counts(), "random"], games=9, seed=3, workers=2) == one
    assert pickle.loads(pickle.dumps(one)) == one
    assert play([Counts(), "random"], games=9, seed=4) != one
    assert play([Counts(), "random"], games=2, seed=3).written == one.written[:2]


def test_the_same_seed_deals_the_same_cards_to_others():
    some = play([Passes(), Passes()], deals=20, seed=3).written
    others = play(["random", "kings"], deals=20, seed=3).written
    hands = [[_line(record, "hands") for record in every] for every in (some, others)]
    assert hands[0] == hands[1]
    assert len(set(hands[0])) == 20


@pytest.mark.parametrize(
    "game", ["mus", "mus4", "mus2p", "mus6p", "mus-visto", "mus-4567", "mus-real-oros", "encaje3"]
)
def test_records_say_what_was_played(game):
    players = ["random", "kings", "random"] if game == "encaje3" else ["random", "kings"]
    contest = play(players, game=game, games=6, seed=5)
    for number in range(1, contest.n + 1):
        replayed = mo.read_record(contest.record(number), game)
        last = replayed[-1].deal
        assert len(replayed) == contest.dealt[number - 1]
        end = last.loser if game == "encaje3" else last.winner
        stones = last.stones if game == "encaje3" else last.score
        assert contest.won[number - 1].tolist() == [side == end for side in range(len(players))]
        assert tuple(contest.stones[number - 1]) == stones
    assert len(mo.read_record(contest.record(), game)) == contest.dealt.sum()


def test_a_game_can_be_reviewed():
    contest = play(["kings", "random"], game="mus2p", games=1, seed=2)
    assert len(mo.review(contest.record(1), deals=256).decisions) > 0


def test_mano_goes_round():
    records = play([Passes(), Passes()], game="mus2p", deals=4).written
    assert [_line(record, "mano") for record in records] == ["mano: us", "mano: them"] * 2


def test_rounds_of_mus_end():
    for rounds in (0, 2):
        contest = play([Mus(), Mus()], deals=1, rounds=rounds)
        assert contest.record().count("change:") == rounds


@pytest.mark.parametrize("game", ["mus", "mus6p", "mus-visto", "encaje5"])
def test_the_stock_runs_out_as_the_rules_say(game):
    """Many rounds of four new cards each: the state machine takes every draw."""
    players = [Mus()] * mo.get_game(game).sides
    contest = play(players, game=game, deals=8, rounds=30, seed=8)
    assert contest.record().count("change:") == 8 * 30
    assert len(mo.read_record(contest.record(), game)) == 8


def test_who_draws_last_does_not_get_back_what_he_threw():
    pack = Pack(mo.get_game("mus"), random.Random(1))
    pack.stock, pack.discards = [], [1, 1, 2, 3, 0, 0]
    drawn = pack.draw(2, (0, 0), alone=True)
    assert sorted(pack.stock + list(drawn)) == [1, 1, 2, 3]
    assert pack.discards == [0, 0]


class Broken:
    """Answers what it is told to."""

    def __init__(self, say="no hay mus", throw="", speak="paso"):
        self.answers = {"say": say, "throw": throw, "speak": speak}

    def _answer(self, name):
        answer = self.answers[name]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def say(self, view):
        return self._answer("say")

    def throw(self, view):
        return self._answer("throw")

    def speak(self, view):
        return self._answer("speak")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"say": "perhaps"}, r"returned 'perhaps'; in mus with \w+ legal is: mus or no hay mus"),
        ({"say": None}, r"say\(view\) returned None"),
        ({"say": ValueError("oh")}, r"its say\(view\) raised ValueError: oh"),
        ({"say": "mus", "throw": ""}, "legal is: 1, 2, 3 or 4 of these cards"),
        ({"say": "mus", "throw": "RRRRR"}, "legal is: 1, 2, 3 or 4 of these cards"),
        ({"say": "mus", "throw": 7}, r"throw\(view\) returned 7"),
        ({"speak": "quiero"}, r"in grande .* legal is: paso, envido \(2 to 999\) or órdago"),
        ({"speak": "envido 1"}, "returned 'envido 1'"),
        ({"speak": None}, "returned None"),
        ({"speak": KeyError()}, "raised KeyError$"),
    ],
)
def test_a_broken_player_is_told_what_is_legal(given, message):
    with pytest.raises(PlayerError, match=message) as caught:
        play([Broken(**given), Mus()], deals=1)
    assert str(caught.value).startswith("Broken in seat 1, deal 1: ")


class Leaves(Passes):
    """Leaves answers to its partner."""

    def speak(self, view):
        return None if view.may_leave else super().speak(view)


class Bets(Passes):
    def speak(self, view):
        return "no quiero" if view.seen else "envido 2"


def test_a_partner_may_answer():
    contest = play([Bets(), Leaves(), Bets(), Passes()], deals=1)
    # Seat 4 answers for seat 2, which passed it on.
    assert _line(contest.record(), "grande") == "grande: envido 2, 4 no quiero"


class Alone(Passes):
    """Fails if it is ever asked for two seats."""

    def __init__(self):
        self.seats = set()

    def speak(self, view):
        self.seats.add(view.seat)
        assert len(self.seats) == 1
        return super().speak(view)


def test_partners_do_not_share_what_they_remember():
    one = Alone()
    assert play([one, one], deals=4).n == 4
    assert one.seats == set()


@pytest.mark.parametrize(
    ("players", "options", "error", "message"),
    [
        (["kings"] * 3, {}, InputError, "3 players for mus: give 2 or 4"),
        (["kings", object()], {}, InputError, "no say and no throw and no speak"),
        (["kings", Passes], {}, InputError, "not its class"),
        (["kings", "queens"], {}, InputError, "no policy 'queens'"),
        (["kings", "kings"], {"games": 2, "deals": 2}, InputError, "either games or deals"),
        (["kings", "kings"], {"games": 0}, InputError, "games is 0"),
        (["kings", "kings"], {"score": (40, 0)}, InputError, "0 to 39"),
        (["kings", "kings"], {"score": "x-1"}, InputError, "0 to 39"),
        (["kings", "kings"], {"game": "mus-ten-kings"}, GameError, "jokers"),
        (["kings", "kings"], {"game": "mus-real-suits"}, GameError, "mus-real"),
        (["kings"] * 3, {"game": "encaje3-five-cards"}, GameError, "four cards"),
        (["kings"] * 3, {"game": "encaje3", "score": (0, 5, 0)}, InputError, "two players"),
    ],
)
def test_what_cannot_be_played_is_refused(players, options, error, message):
    with pytest.raises(error, match=message):
        play(players, **options)


def test_players_that_cannot_travel_are_named():
    class Local(Passes):
        pass

    with pytest.raises(PlayerError, match="workers=1"):
        play([Local(), Local()], deals=20, workers=2)


def test_a_contest_without_records():
    contest = play(["kings", "random"], deals=2, records=False)
    with pytest.raises(InputError, match="records=True"):
        contest.record()
    kept = play(["kings", "random"], deals=2)
    with pytest.raises(InputError, match="from 1 on"):
        kept.record(3)
    assert contest.rows() == kept.rows()


def test_results_have_errors():
    contest = play(["kings", "random"], deals=40, seed=2)
    row, other = contest.rows()
    net = contest.stones[:, 0] - contest.stones[:, 1]
    assert row["net"] == net.mean() == -other["net"]
    assert row["net_se"] == pytest.approx(net.std(ddof=1) / 40**0.5)
    assert play(["kings", "random"], deals=1).rows()[0]["net_se"] is None
