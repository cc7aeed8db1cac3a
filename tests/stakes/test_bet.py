"""Decisions at the score: against the state machine of a deal, and by argument."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from musodds.chances.odds import known_odds
from musodds.cli import main
from musodds.errors import InputError
from musodds.exact.outcomes.deal_stones import count_stones
from musodds.knowledge.knowledge import know
from musodds.playing.mus_deal import Deal
from musodds.rules.game import PHASES
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.stakes.bet import bet, fold_frequency
from musodds.stakes.equity import backward
from musodds.stakes.equity_kinds import equity
from musodds.stakes.said import read_agreed
from musodds.stakes.thresholds import thresholds, thresholds_table
from musodds.strategy.discard import discard
from musodds.strategy.solve import solve as solve_policy
from tests import brute

SEED = ("772A", "33S2", "RRSA", "CCC6")


def play(deal, phase, ours, agreed, rivals_bet, mine, then):
    """Play a deal out: pass, but for what is agreed and for the phase that is asked about.

    ``rivals_bet`` are the words of the rivals and of our side in turn before the
    decision, ``mine`` what we say, ``then`` what they answer.
    """
    while not deal.over:
        if deal.stage == phase and deal.bet is None:
            words = [*rivals_bet, mine, *then]
            first = 1 - ours if rivals_bet and len(rivals_bet) % 2 else ours
            if mine != "paso":
                while deal.side(deal.turn[0]) != first:
                    deal = deal.act("paso")
                for word in words:
                    deal = deal.act(word)
                continue
        if deal.stage in agreed and deal.bet is None:
            deal = deal.act(f"envido {agreed[deal.stage]}").act("quiero")
            continue
        deal = deal.act("paso")
    return deal


def worth(deal, ours, table):
    """Our chance of winning the game after a deal that is over."""
    result = deal.result
    if result.winner is not None:
        return float(result.winner == ours)
    mine, theirs = result.score[ours], result.score[1 - ours]
    return table.chance(mine, theirs, "us" if ours == 1 else "them")


def reaches(game, dealt, phase):
    """Whether the phase is bet on."""
    winner, contested = brute.judge(game, dealt, phase)
    return winner is not None and contested


# What was said before, what we say, what they answer; and the arguments that say so.
CASES = [
    ("fold", ("envido 4",), "no quiero", (), {"offer": 4}),
    ("see", ("envido 4",), "quiero", (), {"offer": 4}),
    ("raise 2", ("envido 4",), "reenvido 2", ("quiero",), {"offer": 4}),
    ("raise 5", ("envido 4",), "reenvido 5", ("no quiero",), {"offer": 4}),
    ("órdago", ("envido 4",), "órdago", ("quiero",), {"offer": 4}),
    ("órdago", ("envido 4",), "órdago", ("no quiero",), {"offer": 4}),
    ("fold", ("envido 3", "reenvido 6"), "no quiero", (), {"offer": 6, "on_table": 3}),
    ("see", ("envido 3", "reenvido 6"), "quiero", (), {"offer": 6, "on_table": 3}),
    ("fold", ("órdago",), "no quiero", (), {"offer": "ordago"}),
    ("see", ("órdago",), "quiero", (), {"offer": "ordago"}),
    ("pass", (), "paso", (), {}),
    ("envido 2", (), "envido 2", ("quiero",), {}),
    ("envido 5", (), "envido 5", ("no quiero",), {}),
    ("órdago", (), "órdago", ("quiero",), {}),
    ("órdago", (), "órdago", ("no quiero",), {}),
]


def value(choice, then):
    if not then:
        return choice.equity
    return choice.if_folded if then == ("no quiero",) else choice.if_seen


ALL_HAVE_PARES = (("R", 6), ("7", 5), ("4", 1), ("A", 4))
SOME_HAVE_PARES = (("R", 4), ("7", 4), ("4", 4), ("A", 4))


@cache
def reduced(cards):
    game = brute.reduced_game(dict(cards), 4, 2)
    return game, backward(count_stones(game))


@pytest.mark.parametrize(
    ("seat", "hand", "phase", "score", "agreed", "cards"),
    [
        (2, "R7AA", "pares", (31, 34), {"grande": 5}, ALL_HAVE_PARES),
        (1, "RR74", "juego", (36, 37), {"pares": 3}, ALL_HAVE_PARES),
        (4, "777A", "punto", (38, 37), {}, ALL_HAVE_PARES),
        (3, "R4AA", "chica", (39, 39), {}, ALL_HAVE_PARES),
        # That pares were bet on tells of the others' cards.
        (1, "RR74", "juego", (36, 37), {"pares": 3}, SOME_HAVE_PARES),
        (2, "74AA", "punto", (30, 33), {"pares": 2}, SOME_HAVE_PARES),
    ],
)
def test_choices_are_those_of_the_state_machine_on_a_reduced_deck(
    seat, hand, phase, score, agreed, cards
):
    """Every deal of the others played out by the rules, each choice by itself."""
    game, table = reduced(cards)
    ours = game.side(seat)
    opening = score if ours == 0 else score[::-1]
    sums, total = defaultdict(float), 0
    for dealt, ways in brute.deals(game, {seat: hand}):
        if not all(reaches(game, dealt, p) for p in (phase, *agreed)):
            continue
        total += ways
        for i, (_, before, mine, then, _) in enumerate(CASES):
            if before and len(before) == 2 and phase == "punto":
                continue
            start = Deal.start(game, dealt, score=opening, mano=0, mus=False)
            sums[i] += ways * worth(
                play(start, phase, ours, agreed, before, mine, then), ours, table
            )
    for i, (action, before, _, then, arguments) in enumerate(CASES):
        if i not in sums:
            continue
        answer = bet(
            hand, seat=seat, phase=phase, score=score, table=table, knowledge=know(game),
            agreed=[f"{p}:{n}" for p, n in agreed.items()], **arguments,
        )  # fmt: skip
        found = value(answer.choice(action), then)
        assert found == pytest.approx(sums[i] / total, abs=1e-12), (action, before, then)


def test_the_seed_s_ordago_step_by_step():
    """Grande at 5; chica: A bets 2, B raises 4 (makes 6), C says órdago: B and D decide."""
    table = equity("mus")
    others = know(seats={1: SEED[0], 3: SEED[2], 4: SEED[3]})

    def b_decides(score, **offered):
        return bet(
            SEED[1], seat=2, phase="chica", score=score, agreed="grande:5", knowledge=others,
            **offered,
        )  # fmt: skip

    # Seen, A's A A 7 7 is the best chica and wins A and C the game, whatever grande is.
    # Folded, they take the 6 at once. Then grande is 5 for B and D (B ties with C and
    # speaks earlier); pares 3 + 1 for A and C; juego 3 + 2 for B and D (B's 31 comes
    # before C's; D has 36). After it the side of B and D is mano.
    answer = b_decides((20, 20), on_table=6, offer="ordago")
    assert answer.choice("see").equity == answer.win == 0
    assert answer.choice("fold").equity == table.chance(20 + 5 + 5, 20 + 6 + 4, "us")
    assert answer.point == answer.choice("fold").equity
    assert answer.best == "fold"
    # At 32-20 they reach 40 in juego, with 37 after grande; and so folding wins.
    assert b_decides((32, 20), on_table=6, offer="ordago").choice("fold").equity == 1
    # At 32-30 A and C have 36 at once, and 40 in pares, before juego is counted.
    assert b_decides((32, 30), on_table=6, offer="ordago").choice("fold").equity == 0
    # One step earlier A has bet 2: if B's raise is folded B and D take these 2.
    raised = b_decides((20, 20), offer=2).choice("raise 5")
    assert raised.if_folded == table.chance(20 + 2 + 5 + 5, 20 + 4, "us")
    # Seen, it makes 7 for A and C.
    assert raised.if_seen == table.chance(20 + 5 + 5, 20 + 7 + 4, "us")


def test_known_cards_are_played_by_the_rules():
    """With all four hands known, every choice is one score, or the end of the game."""
    table = equity("mus")
    game = get_game("mus")
    for seat in (1, 2):
        ours = game.side(seat)
        others = know(seats={s: h for s, h in enumerate(SEED, start=1) if s != seat})
        for phase, score in [("grande", (30, 33)), ("pares", (37, 35)), ("pares", (39, 39))]:
            for action, before, mine, then, arguments in CASES:
                answer = bet(
                    SEED[seat - 1], seat=seat, phase=phase, score=score, knowledge=others,
                    **arguments,
                )  # fmt: skip
                opening = score if ours == 0 else score[::-1]
                start = Deal.start(game, SEED, score=opening, mano=0, mus=False)
                over = play(start, phase, ours, {}, before, mine, then)
                assert value(answer.choice(action), then) == worth(over, ours, table)


@pytest.mark.parametrize("phase", PHASES[:4])
def test_at_39_39_everything_is_seen(phase):
    """Who folds gives the stone that ends the game: any chance is enough to see."""
    for offer in (2, 20, "ordago"):
        answer = bet("R776" if phase == "pares" else "RRC7", seat=4, phase=phase,
                     score=(39, 39), offer=offer)  # fmt: skip
        assert answer.choice("fold").equity == 0
        assert answer.point == 0
        # A raise costs nothing in grande, which ends the game, and wins it if it is not seen.
        if phase in ("grande", "chica"):
            assert answer.best == ("see" if offer == "ordago" else "raise 2")
        assert answer.best != "fold"
    # In grande a stone decides: a bet of any size is seen for the same.
    if phase == "grande":
        small, large = (bet("RRC7", seat=4, phase=phase, score=(39, 39), offer=n) for n in (2, 30))
        assert small.choice("see").equity == large.choice("see").equity
        assert small.choice("see").equity == pytest.approx(small.win)
        # And passing is the same as well: the best grande scores the last stone.
        opened = bet("RRC7", seat=4, phase=phase, score=(39, 39))
        assert opened.choice("pass").equity == pytest.approx(opened.win)
        assert opened.choice("órdago").if_folded == 1
        assert opened.choice("órdago").folds == 0


def test_the_chance_is_that_of_the_odds():
    """Given that the phase is bet on, with knowledge and without."""
    for pieces in ({}, {"partner": "seña:31", "rivals": "pares@0.7 | any@0.3"}):
        knowledge = know(**pieces)
        odds = known_odds("RR7A", seat=3, knowledge=knowledge)
        for phase in ("grande", "chica", "pares", "juego"):
            answer = bet("RR7A", seat=3, phase=phase, score=(10, 12), knowledge=knowledge)
            assert answer.win == pytest.approx(
                float(odds.fraction(3, phase, "win_contested")), abs=1e-12
            )
    odds = known_odds("7654", seat=3)
    answer = bet("7654", seat=3, phase="punto", score=(10, 12))
    assert answer.win == pytest.approx(float(odds.fraction(3, "punto", "win_contested")))


def test_the_point_of_seeing_is_where_both_are_worth_the_same():
    answer = bet("RRC7", seat=2, phase="grande", score=(33, 34), offer=3, on_table=2)
    situation = answer.situation
    seen, wins, chances = situation.seen(5), situation.wins, situation.chances
    won = (chances * seen)[wins].sum() / chances[wins].sum()
    lost = (chances * seen)[~wins].sum() / chances[~wins].sum()
    at_point = answer.point * won + (1 - answer.point) * lost
    assert at_point == pytest.approx(answer.choice("fold").equity)
    see, fold = (answer.choice(action).equity for action in ("see", "fold"))
    assert (see > fold) == (answer.win > answer.point)
    # A raise is worth more than seeing, seen or folded to, but not to rivals who see the cards.
    assert answer.best == "see"
    raised = answer.choice("raise 2")
    assert min(raised.if_seen, raised.if_folded) > see > raised.worst


@pytest.mark.parametrize(
    ("score", "phase", "offer", "best"),
    [
        # One stone wins: a bet that is seen changes nothing, and one that is not wins at once.
        ((39, 39), "grande", None, "envido 2"),
        # The last phase, and 3 win for either side: a raise costs nothing more.
        ((38, 38), "punto", 3, "raise 2"),
        ((39, 39), "grande", "ordago", "see"),
    ],
)
def test_a_bet_that_cannot_hurt_is_better_than_none(score, phase, offer, best):
    answer = bet("RR7A", seat=2, phase=phase, score=score, offer=offer)
    assert answer.best == best


def test_at_worst_they_see_what_beats_me_and_fold_the_rest():
    # An órdago with RRSA is worth more than passing, always seen or always folded to; but who
    # sees with the better hand alone leaves 0 there, and a stone and the deal elsewhere.
    answer = bet("RRSA", seat=3, phase="grande", score=(32, 35))
    passing, shove = answer.choice("pass"), answer.choice("órdago")
    assert min(shove.if_seen, shove.if_folded) > passing.equity > shove.worst
    situation = answer.situation
    folded = situation.chances * situation.folded(1)
    assert shove.worst == pytest.approx(folded[situation.wins].sum())
    assert answer.best == "pass"
    assert not answer.better


def test_the_best_choice_is_best_whatever_the_answer():
    answer = bet("R765", seat=1, phase="punto", score=(38, 38), offer=3)
    shove = answer.choice("órdago")
    assert answer.best == "órdago"
    assert shove.if_seen == pytest.approx(0.844, abs=5e-4)
    assert shove.if_seen > answer.choice("see").equity + 0.47


def test_a_hand_that_takes_no_part_cannot_bet(capsys):
    """7654 has no pares: only the partner may speak, and has them."""
    answer = bet("7654", seat=1, phase="pares", score=(32, 35))
    assert not answer.speaks
    assert bet("RR7A", seat=1, phase="pares", score=(32, 35)).speaks
    assert bet("7654", seat=1, phase="grande", score=(32, 35)).speaks
    _, text, _ = run(capsys, "bet 7654 --seat 1 --phase pares --score 32-35")
    assert "only your partner can bet" in text


def test_hands_that_take_no_part_have_no_threshold():
    table = hands(get_game("mus"))
    for score in ((32, 35), (38, 39)):
        for one in thresholds("mus", scores=[score]):
            rows = [table.index(row["hand"]) for row in one.rows()]
            assert (table.level[one.phase][rows] > 0).all()
            if score == (38, 39) and one.phase in ("grande", "pares", "punto"):
                assert one.share == 1.0  # exactly: all is not >99.9%


def test_fold_frequency_balances():
    answer = bet("RC54", seat=1, phase="grande", score=(20, 30))
    base = answer.choice("pass").equity
    for action in ("envido 2", "envido 5", "órdago"):
        choice = answer.choice(action)
        if choice.folds:
            mixed = choice.folds * choice.if_folded + (1 - choice.folds) * choice.if_seen
            assert mixed == pytest.approx(base)
        else:
            assert choice.folds is None or choice.if_seen >= base
    assert fold_frequency(0.5, 0.5, 0.5) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"phase": "mus"}, "no phase 'mus'"),
        ({"score": (40, 3)}, "ours must be from 0 to 39"),
        ({"offer": 1}, "offer '1': a number of stones, 2 to 999"),
        ({"offer": "much"}, "offer 'much'"),
        ({"on_table": 4}, "4 on the table and no offer"),
        ({"on_table": 1, "offer": 2}, "1 on the table"),
        ({"on_table": -2, "offer": 2}, "-2 on the table"),
        ({"phase": "punto"}, "there is no betting in punto: somebody has juego"),
        ({"phase": "juego", "knowledge": know(rivals="!juego")}, "no betting in juego"),
        ({"agreed": "juego:4"}, "juego does not come before pares"),
        ({"agreed": "grande"}, "write a phase and its stones"),
        ({"agreed": "grande:1"}, "'1' is not stones"),
        ({"agreed": "grande:2,grande:3"}, "grande is given twice"),
        ({"seat": 5}, "no seat '5'"),
        ({"hand": "RR"}, "a hand is four cards"),
    ],
)
def test_what_cannot_be_asked(arguments, message):
    asked = {"hand": "RRRA", "seat": 1, "phase": "pares", "score": (20, 20)} | arguments
    with pytest.raises(InputError) as caught:
        bet(asked.pop("hand"), **asked)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_punto_has_no_juego_before_it():
    with pytest.raises(InputError, match="nobody has juego"):
        read_agreed("juego:2", "punto")


def test_suits_that_are_not_typed_are_averaged():
    """777S is juego real one time in four: mano then wins juego with any hands."""
    real, other, either = (
        bet(hand, seat=1, phase="juego", score=(20, 20), offer="ordago", game="mus-real-suits")
        for hand in ("7o 7c 7e Sb", "7o 7c 7e So", "777S")
    )
    assert real.win == 1
    # Each hand in proportion to the deals in which the others have juego as well.
    contested = [
        float(known_odds(hand, game="mus-real-suits", seat=1).fraction(1, "juego", "contested"))
        for hand in (real.hand, other.hand)
    ]
    weights = np.array([1, 3]) * contested
    assert either.win == pytest.approx(np.average([real.win, other.win], weights=weights))
    assert either.hand == "S777"


def test_a_hand_that_is_shown_is_not_bet_on():
    with pytest.raises(InputError, match="shown and replaced"):
        bet("7654", seat=1, phase="grande", score=(3, 3), game="mus-4567")
    # The rivals have not kept one either.
    assert bet("RRCA", seat=1, phase="chica", score=(3, 3), game="mus-4567").win != pytest.approx(
        bet("RRCA", seat=1, phase="chica", score=(3, 3)).win
    )


@pytest.mark.parametrize("name", ["mus6p", "mus-ten-kings", "encaje3"])
def test_games_that_are_not_counted_are_refused_in_one_line(name):
    for ask in (
        lambda: bet("RR7A", seat=1, phase="grande", score=(3, 3), game=name),
        lambda: thresholds(name, scores=[(3, 3)]),
    ):
        with pytest.raises(InputError, match="two sides of one or two players, without jokers"):
            ask()


def test_thresholds_are_the_answers_hand_by_hand():
    """On two players' game, where all hands are counted in a moment."""
    for score in [(30, 35), (39, 38)]:
        for one in thresholds("mus2p", scores=[score], seat=2):
            table = hands(one.game)
            for index in range(0, len(table), 23):
                if not one.weights[index]:
                    with pytest.raises(InputError):
                        bet(table.texts[index], seat=2, phase=one.phase, score=score,
                            offer="ordago", knowledge=know("mus2p"))  # fmt: skip
                    continue
                answer = bet(table.texts[index], seat=2, phase=one.phase, score=score,
                             offer="ordago", knowledge=know("mus2p"))  # fmt: skip
                assert one.need[index] == pytest.approx(answer.point, abs=1e-12)
                assert one.win[index] == pytest.approx(answer.win, abs=1e-12)


def test_a_stronger_hand_may_fold_where_a_weaker_one_sees():
    """S744 leaves more to win elsewhere than RC55: each hand has a need of its own."""
    one = next(
        one for one in thresholds("mus2p", scores=[(39, 38)], seat=2) if one.phase == "pares"
    )
    table = hands(one.game)
    weak, strong = table.index("S744"), table.index("RC55")
    assert table.level["pares"][weak] < table.level["pares"][strong]
    assert (one.sees[weak], one.sees[strong]) == (True, False)
    for hand, sees in (("S744", True), ("RC55", False)):
        answer = bet(
            hand, seat=2, phase="pares", score=(39, 38), offer="ordago", knowledge=know("mus2p")
        )
        assert (answer.win >= answer.point) == sees
    # So the share is that of the hands that see, not of all above the weakest of them.
    assert one.share == pytest.approx(float(one.weights[one.sees].sum() / one.weights.sum()))
    above = table.level["pares"] >= table.level["pares"][weak]
    assert one.share < float(one.weights[above].sum() / one.weights.sum())


def test_thresholds_by_argument():
    found = {one.phase: one for one in thresholds("mus2p", scores=[(39, 39)])}
    assert all(one.share == 1 for one in found.values())
    ahead = {one.phase: one for one in thresholds("mus2p", scores=[(39, 0)])}
    behind = {one.phase: one for one in thresholds("mus2p", scores=[(0, 39)])}
    assert ahead["grande"].mean_need > 0.9
    assert ahead["grande"].share < 0.2
    # They would have won by their stone.
    assert behind["grande"].mean_need == 0
    weakest = ahead["grande"].weakest
    assert hands(get_game("mus2p")).texts[weakest].startswith("RRR")
    frame = thresholds_table("mus2p", scores=[(39, 0)])
    grande = frame[frame.phase == "grande"]
    assert len(grande) == 330
    assert (np.diff(grande.win) <= 1e-12).all()


def test_another_target_changes_the_answer():
    """The same stones mean another thing where the game goes to 50."""
    long_game = replace(get_game("mus2p"), name="long", target=50)
    answer = bet("RRC7", seat=1, phase="grande", score=(39, 39), offer="ordago",
                 knowledge=know(long_game))  # fmt: skip
    assert answer.choice("fold").equity > 0.4


def run(capsys, line):
    status = main(line.split())
    captured = capsys.readouterr()
    return status, captured.out, captured.err


COMMANDS = [
    "bet RR7A --seat 3 --phase pares --score 32-35 --offer 5 --agreed grande:5,chica:them",
    "bet RR7A --seat mano --phase grande --score 32-35 --partner 31 --dead AA",
    "thresholds --score 30-35 --game mus2p --seat postre",
    "equity --score 32-35 --mano us --games 1-0",
    "equity --score 32-35 --policy kings -n 20000 --seed 3",
    "equity",
]


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_print_80_columns_and_the_same_numbers(capsys, line):
    status, text, errors = run(capsys, line)
    assert (status, errors) == (0, "")
    assert max(map(len, text.splitlines())) <= 80
    assert "|--" in run(capsys, f"{line} --format md")[1].replace(":-", "--")
    answer = json.loads(run(capsys, f"{line} --format json")[1])
    rows = list(csv.DictReader(io.StringIO(run(capsys, f"{line} --format csv")[1])))
    listed = next(value for value in answer.values() if isinstance(value, list))
    assert len(rows) == len(listed)
    for row, found in zip(rows, listed, strict=True):
        for name, one in found.items():
            assert row[name] == ("" if one is None else str(one))
    assert answer["method"] == ("monte-carlo" if "-n" in line else "solved")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("bet RR7A --seat 1 --phase pares --score 40-3", "score 40-3: ours must be from 0 to 39"),
        ("bet RR7A --seat 1 --phase pares --score 32", "write our stones and theirs"),
        ("bet RR7A --seat 1 --phase envido --score 3-3", "no phase 'envido'"),
        ("bet RR7A --seat all --phase pares --score 3-3", "no seat 'all'"),
        ("bet RR7A --seat 1 --phase pares --score 3-3 --offer 1", "offer '1'"),
        ("bet RR7A --seat 1 --phase pares --score 3-3 --on-table 4", "no offer"),
        ("bet RR7A --seat 1 --phase pares --score 3-3 --agreed pares:4", "before pares"),
        ("bet RR7A --seat 1 --phase juego --score 3-3 --juego ?,no,?,no", "betting in juego"),
        ("bet RR7A --phase pares --score 3-3", "--seat"),
        ("thresholds --score 3", "score '3'"),
        ("thresholds --seat 7", "no seat '7'"),
        ("equity --score 3-40", "theirs must be from 0 to 39"),
        ("equity --games 2-0", "games '2-0'"),
        ("equity --mano me", "--mano"),
        ("equity --policy best-of-all", "no policy 'best-of-all'"),
    ],
)
def test_bad_input_in_one_line(capsys, line, message):
    status, out, errors = run(capsys, line)
    assert (status, out) == (2, "")
    assert errors.count("\n") == 1
    assert message in errors


def test_discards_at_the_score_are_worth_games():
    """At 39-39 the first stone decides: mano's side wins with the best grande."""
    at_stones = discard("RR7A", seat=1, policy="kings", n=4096)
    at_end = discard("RR7A", seat=1, policy="kings", n=4096, score=(39, 39))
    by_keep = dict(zip([d.keep for d in at_stones.seats[0].draws],
                       at_stones.seats[0].win[:, 0], strict=True))  # fmt: skip
    advice = at_end.seats[0]
    for draw, chance in zip(advice.draws, advice.win[:, 0], strict=True):
        assert chance == by_keep[draw.keep]  # the same deals
    # The sample is corrected by the cards as dealt, whose chance is known.
    exact = float(known_odds("RR7A", seat=1).fraction(1, "grande", "win"))
    assert advice.cut_net == pytest.approx(exact, abs=1e-12)
    assert advice.cut_net_se == 0
    order = np.argsort(-advice.win[:, 0], kind="stable")
    assert advice.net.argmax() == 0
    assert np.allclose(advice.net, advice.win[:, 0], atol=0.02)
    assert advice.win[0, 0] >= advice.win[order[0], 0] - 0.02
    assert {"equity", "equity_se", "cut_equity"} <= set(at_end.rows()[0])


def test_far_from_the_end_a_stone_is_a_stone():
    """Equity is nearly linear at 0-0, so the ranking of clear keeps is that of stones."""
    stones = discard("RRCA", seat=2, policy="kings", n=20_000).seats[0]
    games = discard("RRCA", seat=2, policy="kings", n=20_000, score=(0, 0)).seats[0]
    assert games.draws[0].keep == stones.draws[0].keep
    one = dict(zip([d.keep for d in stones.draws], stones.net, strict=True))
    found = [one[d.keep] for d in games.draws]
    assert np.corrcoef(found, games.net)[0, 1] > 0.999


def test_a_policy_solved_for_the_last_stone():
    """At 39-39 who has the best grande wins: four kings cut, and kings are kept."""
    solution = solve_policy("mus2p", gap=0.5, only=["RRRR", "RRAA", "AAAA"], score=(39, 39))
    policy = solution.policy
    for seat in (1, 2):
        assert not policy.says_mus(seat, "RRRR")
        assert policy.keep_text(seat, "RRAA") == "RR"
        assert policy.says_mus(seat, "AAAA")
        assert policy.keep_text(seat, "AAAA") == "-"
    assert "--score 39-39" in solution.to_csv()
