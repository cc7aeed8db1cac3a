"""Players that are broken, or mean it: one line that names them, and no other result."""

import os
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

import musodds as mo
from musodds.errors import InputError
from musodds.players.answers import PlayerError
from musodds.players.play import play
from musodds.playing.actions import Action


class Fair:
    """Cuts and passes."""

    def say(self, view):
        return "no hay mus"

    def throw(self, view):
        return view.hand

    def speak(self, view):
        return "no quiero" if view.seen else "paso"


class Text(str):
    """A text of a class of its own, that shows itself as another."""

    def __str__(self):
        return "órdago"

    __repr__ = __str__

    def lower(self):
        return "órdago"


class Dark:
    """Nothing of it can be looked at."""

    def __getattribute__(self, name):
        if name == "__class__":
            return Dark
        raise RuntimeError("do not look")

    def __repr__(self):
        raise RuntimeError("do not look")


class Whole:
    """A number that is none."""

    def __index__(self):
        raise OSError("no number")


def made(name="Bad", **answers):
    """A player of a class of that name, that answers so; an answer that can be called is."""

    def answering(answer):
        return lambda self, view: answer(view) if callable(answer) else answer

    return type(name, (Fair,), {what: answering(answer) for what, answer in answers.items()})()


def raising(error):
    def answer(view):
        raise error

    return answer


def refused(player, game="mus", **options):
    with pytest.raises(PlayerError) as caught:
        play([player] + ["kings"] * (mo.get_game(game).sides - 1), game=game, deals=1, **options)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 400
    return message, caught.value.__cause__


@pytest.mark.parametrize(
    ("answer", "seen"),
    [
        ("envido 2.5", "'envido 2.5'"), ("envido 0", "'envido 0'"), ("envido 1", "'envido 1'"),
        (f"envido {10**9}", "'envido 1000000000'"), ("envido -2", "'envido -2'"),
        ("envido 9" + "9" * 5000, "'envido 99999"), ("e " * 10**6, "'e e e e"),
        ("2", "'2'"), (2, "2"), (True, "True"), (2.5, "2.5"), ("", "''"),
        (b"paso", "b'paso'"), (["paso"], "['paso']"), (lambda view: object, "<class 'object'>"),
        (Action("envido", None), "stones=None"), (Action("envido", "2"), "stones='2'"),
        (Action("envido", 2.0), "stones=2.0"), (Action("envido", True), "stones=True"),
        (Action("envido", 10**9), "stones=1000000000"), (Action("envido", -2), "stones=-2"),
        (Action("envido", Whole()), "stones=<"), (Action("paso", 2), "stones=2"),
        (Action(None), "word=None"), (Action("quiero"), "word='quiero'"), (None, "None"),
        (lambda view: Dark(), "a Dark"), (float("nan"), "nan"), (lambda view: 10**5000, "a int"),
    ],
)  # fmt: skip
def test_what_is_said_must_be_legal(answer, seen):
    """In words of the game, with a number of stones that can be bet."""
    player = made(speak=answer)
    message, _ = refused(player)
    assert message.startswith("Bad in seat 1, deal 1: speak(view) returned ")
    assert seen in message
    assert "legal is: paso, envido (2 to 999) or órdago" in message


@pytest.mark.parametrize("answer", ["maybe", None, True, "paso", Action("mus", 1), "mus 2"])
def test_mus_is_said_or_not(answer):
    message, _ = refused(made(say=answer))
    assert message.startswith("Bad in seat 1, deal 1: say(view) returned")
    assert message.endswith("legal is: mus or no hay mus")


@pytest.mark.parametrize(
    "answer",
    [
        None, 7, True, "", "-", "RRRRR", "RSSS7", [], ["K"], ["R", None], {"7", "A"}, {"7": 1},
        b"7A", range(10**12), [True], [-1], [99], ["7" * 10**6], "7" * 10**6,
        lambda view: Dark(), lambda view: [Dark()],
        np.zeros((2, 2)), np.array(["7", 1.5], dtype=object), lambda view: 10**5000, "?", "7x",
        lambda view: view.hand + view.hand[0], lambda view: [*view.hand, "A"],
        lambda view: iter(view.hand), lambda view: set(view.hand),
        lambda view: "RRRR" if view.hand != "RRRR" else "AAAA",
    ],
)  # fmt: skip
def test_cards_that_are_thrown_are_held(answer):
    message, _ = refused(made(say="mus", throw=answer))
    assert message.startswith("Bad in seat 1, deal 1: throw(view) returned ")
    assert message.endswith("legal is: 1, 2, 3 or 4 of these cards, as text or a list")


@pytest.mark.parametrize(
    "throw",
    [list, tuple, lambda hand: Text(hand), lambda hand: " ".join(hand), lambda hand: hand.lower(),
     lambda hand: [Text(card) for card in hand],
     lambda hand: np.array(mo.get_game("mus").deck.parse(hand))],
)  # fmt: skip
def test_cards_may_be_given_in_many_ways(throw):
    """The cards themselves, whatever the class of a text says that it is."""
    player = made(say="mus", throw=lambda view: throw(view.hand))
    plain = made(say="mus", throw=lambda view: view.hand)
    games = [play([one, "kings"], deals=3, rounds=1, seed=3) for one in (player, plain)]
    assert games[0].written == games[1].written


@pytest.mark.parametrize("answer", [Text("envido 3"), Action("envido", np.int64(3)), " Bet 3\n"])
def test_answers_of_other_classes_are_what_they_are(answer):
    player = made(speak=lambda view: "no quiero" if view.seen else answer)
    plain = made(speak=lambda view: "no quiero" if view.seen else "envido 3")
    games = [play([one, "kings"], deals=3, seed=3) for one in (player, plain)]
    assert games[0].written == games[1].written


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (ValueError("oh\nno"), "ValueError: oh no"), (KeyError(), "KeyError"),
        (SystemExit(3), "SystemExit: 3"), (GeneratorExit(), "GeneratorExit"),
        (InputError("mine"), "InputError: mine"), (RecursionError("deep"), "RecursionError: deep"),
        (type("Own", (BaseException,), {"__str__": lambda self: 1 / 0})(), "Own: a Own"),
        (ValueError("x" * 10**6), "ValueError: " + "x" * 60 + "…"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("asked", ["say", "throw", "speak"])
def test_what_a_player_raises_is_its_error(error, why, asked):
    """With its cause behind it."""
    player = made(**{"say": "mus" if asked == "throw" else "no hay mus", asked: raising(error)})
    message, cause = refused(player)
    assert message == f"Bad in seat 1, deal 1: its {asked}(view) raised {why}"
    assert cause is error


def test_an_answer_that_fails_when_looked_at_has_its_cause():
    _, cause = refused(made(speak=Action("envido", Whole())))
    assert isinstance(cause, OSError)


@pytest.mark.parametrize("game", ["mus2p", "mus6p", "mus-visto", "mus-4567", "encaje3"])
def test_in_other_games_too(game):
    message, _ = refused(made(say="maybe"), game)
    assert "Bad in seat 1, deal 1: say(view) returned 'maybe'" in message


def test_it_is_told_in_which_game_and_deal():
    player = made(say=lambda view: "no hay mus" if view.score == (0, 0) else "what")
    with pytest.raises(PlayerError, match=r"^Bad in seat \d, game 1, deal 2: say\(view\) returned"):
        play(["kings", player], games=1, seed=5)


def test_control_c_in_a_player_stops_the_games():
    """What was over before is the result; with nothing over, Ctrl-C goes on."""
    with pytest.raises(KeyboardInterrupt):
        play([made(say=raising(KeyboardInterrupt())), "kings"], deals=4)
    calls = []

    def later(view):
        calls.append(view)
        if len(calls) > 200:
            raise KeyboardInterrupt
        return "no quiero" if view.seen else "paso"

    found = play([made(speak=later), "kings"], deals=1000, seed=3)
    assert found.interrupted
    assert 0 < found.n < 1000
    assert found.written == play([Fair(), "kings"], deals=found.n, seed=3).written


class Nameless(Fair):
    @property
    def name(self):
        raise SystemExit


class Uncopied(Fair):
    def __deepcopy__(self, memo):
        raise SystemExit("not me")


class Hollow(Fair):
    def __deepcopy__(self, memo):
        return None


def test_names_and_copies_that_fail():
    assert play([Nameless(), "kings"], deals=1).players[0] == "Nameless"
    odd = made(name="Fair")
    odd.name = Text("two\nlines " + "x" * 100)
    assert play([odd, "kings"], deals=1).players[0] == "two lines " + "x" * 30
    message, cause = refused(Uncopied())
    assert message.startswith("Uncopied, player 1 of 4, cannot be copied")
    assert message.endswith("raised SystemExit: not me")
    assert isinstance(cause, SystemExit)
    assert "its say(view) raised AttributeError" in refused(Hollow())[0]


def touching(how):
    def answer(view):
        how(view)
        return "no quiero" if view.seen else "paso"

    return made(speak=answer, say=lambda view: (how(view), "no hay mus")[1])


def _by_force(view):
    put = object.__setattr__
    for option in view.legal:
        put(option, "word", "quiero")
        put(option, "least", 0)
    for one in view.said:
        put(one, "text", "mus")
        put(one, "seat", 1)
    view.declared.clear()
    view.declared["pares"] = (True,) * 4
    for name, value in (("seat", 3), ("hand", "RRRR"), ("legal", ()), ("may_leave", True)):
        put(view, name, value)


def test_a_view_cannot_be_changed():
    with pytest.raises(PlayerError, match="raised FrozenInstanceError") as caught:
        play([touching(lambda view: setattr(view, "hand", "RRRR")), "kings"], deals=1)
    assert isinstance(caught.value.__cause__, FrozenInstanceError)


def test_what_is_done_to_a_view_by_force_changes_nothing():
    forced = play([touching(_by_force), "kings"], games=2, seed=4)
    assert forced.written == play([Fair(), "kings"], games=2, seed=4).written
    cheat = made(say="mus", throw=lambda view: (_by_force(view), "RRRR")[1])
    if_held = refused(cheat, seed=2)[0]
    assert "legal is: 1, 2, 3 or 4 of these cards" in if_held


@pytest.mark.parametrize(
    ("players", "message"),
    [
        (None, "players None: a list"), (5, "players 5: a list"), ([], "0 players for mus"),
        (["kings"] * 3, "3 players for mus: give 2 or 4"), ({"kings", "random"}, "a list of them"),
        ({"kings": 1, "random": 2}, "a list of them"), (b"kings", "a list of them"),
        (iter(lambda: "kings", 0), "more than 4 players for mus: give 2 or 4"),
        ([None, "kings"], "None is no player"), ([5, 5], "5 is no player"),
        (lambda: [Dark(), "kings"], "a Dark is no player"), ([Fair, Fair], "not its class"),
        ((1 / 0 for _ in "ab"), "raised ZeroDivisionError"),
        (lambda: Dark(), "players a Dark: a list"),
    ],
)  # fmt: skip
def test_players_are_a_list(players, message):
    with pytest.raises(InputError) as caught:
        play(players() if callable(players) else players)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"score": 5}, "score 5: 2 whole numbers from 0 to 39"),
        ({"score": (1.5, 0)}, "2 whole numbers"), ({"score": (True, 0)}, "2 whole numbers"),
        ({"score": {1: 2, 3: 4}}, "2 whole numbers"), ({"score": "5"}, "2 whole numbers"),
        ({"score": "0-" + "9" * 5000}, "2 whole numbers"), ({"score": b"12"}, "2 whole numbers"),
        ({"score": iter(lambda: 1, 0)}, "2 whole numbers"), ({"score": (-1, 0)}, "0 to 39"),
        ({"score": (None, 0)}, "2 whole numbers"), ({"score": (10**100, 0)}, "0 to 39"),
        ({"deals": -1}, "deals is -1"), ({"deals": 1.5}, "deals is 1.5"),
        ({"deals": 10**30}, "deals is 1"), ({"deals": True}, "deals is True"),
        ({"games": "many"}, "games is many"), ({"deals": [1]}, "deals is [1]"),
        ({"game": None}, "game None: the name of a game"), ({"game": 5}, "game 5"),
        ({"workers": 0}, "workers is 0"), ({"workers": 1.5}, "workers is 1.5"),
        ({"rounds": -1}, "rounds is -1"), ({"rounds": "some"}, "rounds is some"),
        ({"rounds": None}, "rounds is None"), ({"seed": -1}, "seed is -1"),
        ({"seed": None}, "seed is None"),
    ],
)  # fmt: skip
def test_options_are_checked(options, message):
    with pytest.raises(InputError) as caught:
        play([Fair(), Fair()], **options)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_numbers_of_numpy_are_numbers():
    given = play([Fair(), Fair()], deals=np.int64(1), score=np.array([3, 4]), seed=np.int64(2))
    assert given == play([Fair(), Fair()], deals=1, score="3-4", seed=2)


class Quits(Fair):
    """In another process it ends it; in this one it fails."""

    def __init__(self):
        self.home = os.getpid()

    def say(self, view):
        if os.getpid() != self.home:
            os._exit(1)
        raise ValueError("at home")


class Fails(Fair):
    def say(self, view):
        raise ValueError("away")


def test_in_other_processes_too():
    """The same message from another process; one that ends is told of."""
    with pytest.raises(PlayerError, match=r"^Fails in seat 1, deal 1: its say.* ValueError: away$"):
        play([Fails(), "random"], deals=40, workers=2)
    with pytest.raises(PlayerError, match="or end them"):
        play([Quits(), "random"], deals=40, workers=2)


class Unpacked(Fair):
    def __reduce__(self):
        raise SystemExit("stay")


def test_a_player_that_cannot_travel():
    with pytest.raises(PlayerError, match=r"cannot go to other processes \(SystemExit: stay\)"):
        play([Unpacked(), "random"], deals=40, workers=2)
