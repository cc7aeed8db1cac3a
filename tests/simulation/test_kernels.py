"""The kernels: random numbers, moving cards, the stock that runs out, counting a deal."""

from collections import Counter

import numpy as np
import pytest

from musodds.errors import GameError
from musodds.rules.cards import CARDS, Deck, Kind
from musodds.rules.game import PHASES, Game
from musodds.rules.games import GAMES, get_game
from musodds.rules.hands import hands
from musodds.simulation.blocks import make_job, play_blocks
from musodds.simulation.histograms import Layout
from musodds.simulation.kernels.dealing import Desk, deal, exchange_slowly
from musodds.simulation.kernels.rng import GOLDEN, accepted, mix, next64, seed_block
from musodds.simulation.kernels.tally import tally
from musodds.simulation.named_policies import get_policy
from musodds.simulation.packing import pack_game, pack_policy
from musodds.simulation.policies import Policy

U64 = np.uint64
MUS = get_game("mus")
SIX = get_game("mus6p")
FIVE_ALONE = get_game("encaje5")
VISTO = get_game("mus6p-visto")


def test_xoshiro_gives_the_published_numbers():
    state = np.array([1, 2, 3, 4], dtype=np.uint64)
    # From the authors' C program, as in the tests of rand_xoshiro.
    assert [int(next64(state)) for _ in range(10)] == [
        41943041,
        58720359,
        3588806011781223,
        3591011842654386,
        9228616714210784205,
        9973669472204895162,
        14011001112246962877,
        12406186145184390807,
        15849039046786891736,
        10450023813501588000,
    ]


def test_splitmix_gives_the_published_numbers():
    with np.errstate(over="ignore"):
        found = [int(mix(U64(1234567) + GOLDEN * U64(k))) for k in range(1, 6)]
    assert found == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_every_block_has_a_stream_of_its_own():
    state = np.zeros(4, dtype=np.uint64)
    seen = set()
    for seed in range(40):
        for block in range(40):
            seed_block(state, U64(seed), U64(block))
            seen.add(tuple(state.tolist()))
    assert len(seen) == 1600
    assert len({word for words in seen for word in words}) == 6400


@pytest.mark.parametrize("bound", [3, 40 * 39 * 38 * 37, 2**63 + 1, 3 * 2**62, 2**64 - 1])
def test_only_bits_below_a_multiple_of_the_bound_are_accepted(bound):
    state = np.array([1, 2, 3, 4], dtype=np.uint64)
    highest = 2**64 // bound * bound
    for _ in range(300):
        before = state.copy()
        bits = int(accepted(state, U64(bound)))
        assert bits * bound % 2**64 < highest
        while int(next64(before)) != bits:
            pass
        assert (before == state).all()


def test_bits_are_rejected_as_often_as_they_must_be():
    state = np.array([1, 2, 3, 4], dtype=np.uint64)
    replay, drawn = state.copy(), 0
    for _ in range(1000):
        bits = accepted(state, U64(2**63 + 1))
        while next64(replay) != bits:
            drawn += 1
        drawn += 1
    # All but a share (2**63 + 1) / 2**64 is rejected.
    assert 1850 < drawn < 2150


@pytest.mark.parametrize(
    "game",
    [*(game for game in GAMES.values() if game.cards_dealt == CARDS), SIX, FIVE_ALONE],
    ids=lambda game: game.name,
)
def test_every_hand_has_a_code_of_its_own(game):
    tables, table = pack_game(game), hands(game)
    sums = table.counts @ tables.codes.astype(np.int64)
    assert len(set(sums.tolist())) == len(table)
    assert (tables.class_of[sums] == np.arange(len(table))).all()
    assert Counter(tables.deck.tolist()) == dict(
        zip(tables.codes.tolist(), tables.copies.tolist(), strict=True)
    )


def test_a_game_that_the_kernels_cannot_play_is_refused():
    with pytest.raises(GameError, match="only games of four cards each"):
        pack_game(get_game("encaje3-five-cards"))
    few = Deck(tuple(Kind(s, r, 1, 4) for s, r in (("R", 3), ("7", 2), ("A", 1))))
    with pytest.raises(GameError, match="3 players need at least 16 cards, the deck has 12"):
        pack_game(Game("few", "", few, 3, 1))


def _desk(game, deck):
    return Desk.of(deck, game.seats, len(game.deck.kinds))


def _kinds(codes, game):
    kind_of = {int(code): kind for kind, code in enumerate(pack_game(game).codes)}
    return [kind_of[int(code)] for code in codes]


def test_a_state_of_zeros_deals_from_the_top():
    tables = pack_game(MUS)
    deck = np.random.default_rng(1).permutation(tables.deck)
    desk = _desk(MUS, deck)
    assert deal(desk, (0, 1, 2, 3), None, tables) == 16
    assert (desk.deck == deck).all()
    cards = _kinds(deck, MUS)
    for seat in range(4):
        expected = hands(MUS).index(cards[4 * seat : 4 * seat + 4])
        assert desk.hand[seat] == expected


def test_a_fixed_hand_is_always_dealt_and_from_the_front():
    rrra = hands(MUS).index("RRRA")
    sums = play_blocks(make_job(MUS, get_policy("kings"), 0, 5, (2, rrra)), 0, 1000)[0]
    views = dict(zip(Layout(MUS, 0).shapes, _split(MUS, 0, sums), strict=True))
    assert views["hands"][2, rrra] == 1000
    # Five kings are left for the others, and four of them never meet with three more.
    held = views["hands"] @ hands(MUS).counts[:, 0]
    assert held[2] == 3000
    assert abs(held[[0, 1, 3]].sum() - 1000 * 12 * 5 / 36) < 200


def _split(game, rounds, sums):
    parts, start = [], 0
    for shape in Layout(game, rounds).shapes.values():
        size = int(np.prod(shape))
        parts.append(sums[start : start + size].reshape(shape))
        start += size
    return parts


def _throwing(game, seed):
    """A policy that keeps at random; in mus visto all four cards too."""
    rng = np.random.default_rng(seed)
    counts = hands(game).counts
    keep = rng.integers(0, counts + 1, size=(game.seats, *counts.shape)).astype(np.int8)
    whole = keep.sum(axis=2) == 4
    if game.visto:
        # As if nothing was wanted by half of the hands.
        whole |= rng.random(whole.shape) < 0.5
        keep[whole] = np.broadcast_to(counts, keep.shape)[whole]
        return Policy("random", game, keep, whole)
    for seat, index in np.argwhere(whole):
        keep[seat, index, np.argmax(keep[seat, index])] -= 1
    return Policy("random", game, keep, np.zeros(keep.shape[:2], dtype=bool))


def _exchange_by_hand(game, policy, held, stock, discards):
    """RULES section 1 with lists of cards: the stock is dealt from its front."""
    renewals, alone = 0, False
    thrown = []
    for seat, cards in enumerate(held):
        keep = Counter(np.repeat(np.arange(len(game.deck.kinds)), policy.keep[
            seat, hands(game).index(cards)]).tolist())  # fmt: skip
        thrown.append(list((Counter(cards) - keep).elements()))
        held[seat] = list(keep.elements())
    for seat in range(len(held)):
        still = [s for s in range(seat, len(held)) if len(held[s]) < 4]
        while len(held[seat]) < 4:
            if not stock:
                renewals += 1
                alone |= len(still) == 1
                if len(still) > 1:
                    stock = sorted(discards + [card for cards in thrown for card in cards])
                    discards, thrown = [], [[] for _ in held]
                else:
                    others = [c for s, cards in enumerate(thrown) if s != seat for c in cards]
                    stock = sorted(discards + others)
                    discards, thrown = [], [cards if s == seat else []
                                            for s, cards in enumerate(thrown)]  # fmt: skip
            held[seat].append(stock.pop(0))
    return held, stock, renewals, alone


@pytest.mark.parametrize("game", [MUS, SIX, FIVE_ALONE, VISTO], ids=lambda game: game.name)
def test_the_stock_runs_out_as_the_rules_say(game):
    """A rigged deck, cut short at every length: both branches, against lists of cards."""
    tables, table, seen = pack_game(game), hands(game), Counter()
    for trial in range(120):
        rng = np.random.default_rng(trial)
        policy = _throwing(game, trial % 7)
        desk = _desk(game, rng.permutation(tables.deck))
        cards = _kinds(desk.deck, game)
        dealt = 4 * game.seats
        gone = int(rng.integers(dealt, 41))
        held = [cards[4 * seat : 4 * seat + 4] for seat in range(game.seats)]
        desk.hand[:] = [table.index(hand) for hand in held]
        packed = pack_policy(policy, tables.codes)
        pos, renewed = exchange_slowly(desk, U64(gone), packed, tables)
        held, stock, renewals, alone = _exchange_by_hand(
            game, policy, held, cards[gone:], cards[dealt:gone]
        )
        assert [table.index(hand) for hand in held] == desk.hand.tolist()
        assert _kinds(desk.deck[int(pos) :], game) == stock
        assert sorted(_kinds(desk.deck, game)) == sorted(cards)
        assert bool(renewals) == renewed
        seen[renewals, alone] += 1
    assert all(seen[key] >= 3 for key in ((0, False), (1, False), (1, True))), seen


@pytest.mark.parametrize("rounds", [1, 3, 6])
def test_many_rounds_renew_the_stock_again_and_again(rounds):
    """However often the stock runs out, every seat ends with a hand."""
    game = SIX
    sums = play_blocks(make_job(game, _throwing(game, 3), rounds, 9), 0, 3000)[0]
    views = dict(zip(Layout(game, rounds).shapes, _split(game, rounds, sums), strict=True))
    assert views["hands"].sum(axis=1).tolist() == [3000] * 6
    assert views["cuts"][rounds, 0] == 3000
    assert views["renewals"][0] >= 1500 * (rounds - 1)


GAMES_OF_SHAPES = [MUS, SIX, FIVE_ALONE, get_game("encaje3"), get_game("mus2p")]


@pytest.mark.parametrize("game", GAMES_OF_SHAPES, ids=lambda game: game.name)
def test_a_showdown_is_counted_as_the_rules_say(game):
    table, tables, rng = hands(game), pack_game(game), np.random.default_rng(2)
    layout = Layout(game, 0)
    order, sides = tuple(range(game.seats)), tuple(range(game.sides))
    for _ in range(150):
        classes = rng.integers(0, len(table), size=game.seats)
        if rng.random() < 0.3:
            # Nobody has juego, or nobody pares.
            phase = rng.choice(["juego", "pares"])
            classes = rng.choice(np.flatnonzero(table.level[phase] == 0), size=game.seats)
        counts = [np.zeros(shape, dtype=np.int64) for shape in layout.shapes.values()]
        tally(classes.astype(np.uint64), order, sides, tables, tuple(counts[:6]), None)
        expected = _showdown_by_hand(game, classes)
        for name, found in zip(layout.shapes, counts, strict=True):
            wanted = expected.get(name, np.zeros_like(found))
            assert (found == wanted).all(), (name, [table.texts[i] for i in classes])


def _showdown_by_hand(game, classes):
    table, seats = hands(game), game.seats
    shapes = Layout(game, 0).shapes
    found = {name: np.zeros(shapes[name], dtype=np.int64) for name in list(shapes)[:6]}

    def best(phase):
        level = [int(table.level[phase][index]) for index in classes]
        return level.index(max(level)), max(level) > 0

    scored = [0] * game.sides
    for phase in ("grande", "chica"):
        scored[game.side(best(phase)[0] + 1)] += 1
    found["table"][seats - 1 - best("grande")[0], seats - 1 - best("chica")[0]] = 1
    for name, phase in (("pares", "pares"), ("last", "juego")):
        seat, played = best(phase)
        mask = sum({1 << game.side(s + 1) for s in range(seats) if table.level[phase][classes[s]]})
        side = game.side(seat + 1)
        stones = sum(
            int(table.stones[phase][classes[s]]) for s in range(seats) if game.side(s + 1) == side
        )
        if not played and phase == "juego":
            seat, stones = best("punto")[0], 1
            side = game.side(seat + 1)
        # Where nobody has pares, mano is called the winner of nothing.
        found[name][seats - 1 - seat, mask, stones] = 1
        scored[side] += stones
    for side in range(1 if game.sides == 2 else game.sides):
        found["scores"][side, scored[side], sum(scored)] = 1
    for seat, index in enumerate(classes):
        found["hands"][seat, index] = 1
    if game.sides > 2:
        for i, phase in enumerate(PHASES):
            level = [int(table.level[phase][index]) for index in classes]
            taking_part = [s for s in range(seats) if level[s]]
            if taking_part and (phase != "punto" or len(taking_part) == seats):
                # The worst, and of equals the last from mano.
                found["worst"][i, min(taking_part, key=lambda s: (level[s], -s))] = 1
    return found
