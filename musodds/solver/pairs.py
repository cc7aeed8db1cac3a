"""Every pair of speakers' hands: how likely each outcome of a deal is.

An outcome is who has the best hand in each of the four comparisons and what both sides'
hands add in pares and juego. Where a side is one hand there is one outcome for each
pair. With partners, their hands are summed over exactly (cards that are gone are gone):
some 42 million outcomes for Mus, counted once and kept on disk.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from musodds.arrays import Floats, Ints
from musodds.errors import GameError
from musodds.exact.kernels.code_words import words
from musodds.exact.outcomes.outcomes import Outcomes, mates_of
from musodds.exact.scope import check_together
from musodds.exact.splits import rivals
from musodds.rules.game import Game
from musodds.rules.hands import hands, lane_codes, own_stones
from musodds.rules.ways import choose, deals
from musodds.solver.known import Known, partners_answers
from musodds.solver.tree import Both, Part
from musodds.store.cache import WORTH_KEEPING, cached
from musodds.store.numbers import digest

# More classes than this take more memory than there is: some 1,200 MB at 715.
_MOST_HANDS = 400


@dataclass(frozen=True, eq=False)
class Types:
    """A side's types: its speaker's hands, in an order that makes declarations segments.

    Attributes
    ----------
    hand : ndarray of int64, shape (types,)
        Classes: with pares and juego, with pares, with neither, with juego.
    with_pares : int
        How many have pares.
    juego : tuple of int
        The first type without juego and the first one after them.
    alone : bool
        Whether the hand is all that its side has.
    """

    hand: Ints
    with_pares: int
    juego: tuple[int, int]
    alone: bool

    def segment(self, pares: bool | None, juego: bool | None) -> tuple[int, int]:
        """The types that a declaration of the side leaves.

        A side that has pares may have them in the partner's hand; one that has none, has
        none in either.
        """
        low, high = 0, len(self.hand)
        if pares is False:
            low = self.with_pares
        elif pares and self.alone:
            high = self.with_pares
        if juego is False:
            low, high = max(low, self.juego[0]), min(high, self.juego[1])
        elif juego and self.alone:
            first = pares or self.with_pares == high
            low, high = (low, self.juego[0]) if first else (self.juego[1], high)
        return low, max(low, high)


def types_of(game: Game, juego_first: bool = False) -> Types:
    """The types of a side of a game; by juego alone where only that is declared."""
    known = hands(game)
    pares, juego = known.level["pares"] > 0, known.level["juego"] > 0
    if juego_first:
        # Nothing is said of pares: everybody counts as with them.
        pares = np.ones(len(known), dtype=bool)
    order = np.argsort(np.where(pares, np.where(juego, 0, 1), np.where(juego, 3, 2)), kind="stable")
    both = int((pares & juego).sum())
    return Types(order, int(pares.sum()), (both, int(both + (~juego).sum())), game.side_size == 1)


@dataclass(frozen=True, eq=False)
class Table:
    """Outcomes of all pairs.

    Attributes
    ----------
    outcomes : Outcomes
        What the numbers of outcomes mean, as the first side sees them.
    begin, size : ndarray of int64, shape (hands, hands)
        Where the entries of a pair are.
    outcome, weight : ndarray of uint16 and float32
        The entries: an outcome's number, and its chance (all pairs together 1).
    """

    outcomes: Outcomes
    begin: Ints
    size: Ints
    outcome: NDArray[np.uint16]
    weight: NDArray[np.float32]


def table_of(game: Game, speakers: tuple[int, int], known: Known | None = None) -> Table:
    """The outcomes of all pairs of hands of two speakers.

    Parameters
    ----------
    game : Game
    speakers : tuple of int
    known : Known, optional
        To all: chances are then multiplied by the weights of the hands. Of a partner who
        does not speak what he declared, as own stones of a side tell it.

    Raises
    ------
    GameError
        If the game is not counted here.
    KnowledgeError
        If that cannot be taken in.
    """
    check_together(game)
    if game.exchange:
        raise GameError(f"{game.name}: betting is not solved where a hand is shown and replaced")
    if game.side_size == 1:
        return _single(game, known)
    found = _of_sides(game, speakers)
    return _weighed(found, game, speakers, known) if known else found


def masses_of(game: Game, speakers: tuple[int, int], known: Known | None = None) -> Floats:
    """How likely all pairs of hands of two speakers are, by the finest public part.

    Shape (parts, hands, hands); all else as in :func:`table_of`.
    """
    if known is not None:
        return _masses(game, speakers, known)
    number, parts = len(hands(game)), len(finest_parts(game.side_size == 1))
    return cached(
        f"pairs-by-part-{digest(game)}-{speakers[0]}{speakers[1]}",
        lambda: _masses(game, speakers, None),
        shape=(parts, number, number),
        dtype=np.float64,
        least=WORTH_KEEPING,
    )


def _masses(game: Game, speakers: tuple[int, int], known: Known | None) -> Floats:
    from musodds.solver.kernels.pair_classes import masses

    table, number = table_of(game, speakers, known), len(hands(game))
    finest, which = parts_of(table.outcomes, game.side_size == 1)
    found = np.zeros((len(finest), number, number))
    masses(table.begin, table.size, table.outcome, table.weight, which, found)
    return found


def _of_sides(game: Game, speakers: tuple[int, int]) -> Table:
    if len(hands(game)) > _MOST_HANDS:
        raise GameError(
            f"{game.name}: the outcomes of all pairs of its {len(hands(game))} hands, averaged "
            "over the partners', would take some 1.2 GB and a quarter of an hour, and the "
            "payoffs of a deal some 7 GB; betting is solved with eight kings, or with two players"
        )
    number = len(hands(game))
    name = f"pairs-{digest(game)}-{speakers[0]}{speakers[1]}"
    flat = cached(
        name,
        lambda: _counted(game, speakers),
        shape=(None,),
        dtype=np.uint16,
        what="the outcomes of pairs of hands",
    )
    head = 2 * number * number
    size = flat[:head].view("<i4").reshape(number, number).astype(np.int64)
    begin = (np.cumsum(size.ravel()) - size.ravel()).reshape(number, number)
    entries = int(size.sum())
    weight = flat[head : head + 2 * entries].view("<f4")
    return Table(_outcomes(game, speakers[0]), begin, size, flat[head + 2 * entries :], weight)


def _outcomes(game: Game, seat: int) -> Outcomes:
    """All outcomes there may be, numbered: both sides' own stones, then who wins."""
    kinds = _kinds(game)
    number = len(kinds)
    mine, theirs, wins = (
        one.ravel() for one in np.meshgrid(range(number), range(number), range(16), indexing="ij")
    )
    return Outcomes(
        game, seat, (wins[:, None] >> np.arange(4) & 1).astype(bool), kinds[mine], kinds[theirs],
        np.zeros(len(wins), dtype=object),
    )  # fmt: skip


def _kinds(game: Game) -> Ints:
    """The own stones that a side may have."""
    some = np.unique(own_stones(hands(game)), axis=0)
    mates = mates_of(game)[0]
    found: Ints = np.unique((some[:, None] + mates).reshape(-1, 2), axis=0)
    return found


def _kind_of(game: Game) -> Ints:
    """The kind of a side by the speaker's class and what the partner adds."""
    kinds, added = _kinds(game), own_stones(hands(game))[:, None] + mates_of(game)[0]
    places = {tuple(kind): i for i, kind in enumerate(kinds.tolist())}
    flat = [places[tuple(kind)] for kind in added.reshape(-1, 2).tolist()]
    return np.array(flat, dtype=np.int64).reshape(added.shape[:2])


def check_known(known: Known, speakers: tuple[int, int]) -> None:
    """Raise KnowledgeError for what the averages over partners do not tell apart."""
    if known.game.side_size == 1:
        return
    silent = [seat for seat, _ in known.ranges if seat not in speakers]
    if silent:
        raise known.refuse(
            f"in the model own the hand of seat {silent[0]} is averaged, not held: only what he "
            "declares of pares and juego can be known; let him speak (--speakers), or use the "
            "model shared"
        )
    if known.dead:
        raise known.refuse(
            "in the model own all pairs of hands are counted once for the whole deck; dead cards "
            "can be known with two players"
        )


def _weighed(table: Table, game: Game, speakers: tuple[int, int], known: Known) -> Table:
    """The same outcomes, their chances by what is known."""
    check_known(known, speakers)
    own, sums = own_stones(hands(game)), (table.outcomes.mine, table.outcomes.theirs)
    fits = [np.ones((len(own), len(sums[0])), dtype=np.float32) for _ in speakers]
    for fit, speaker, total in zip(fits, speakers, sums, strict=True):
        fit *= known.weights(speaker)[:, None].astype(np.float32)
        for lane, answer in partners_answers(known, speaker):
            fit *= (total[:, lane] > own[:, lane, None]) == answer
    weight = np.empty_like(table.weight)
    for hand, (begin, size) in enumerate(zip(table.begin, table.size, strict=True)):
        some = slice(int(begin[0]), int(begin[-1] + size[-1]))
        outcome, rival = table.outcome[some], np.repeat(np.arange(len(size)), size)
        weight[some] = table.weight[some] * fits[0][hand, outcome] * fits[1][rival, outcome]
    return replace(table, weight=weight)


def _single(game: Game, known: Known | None) -> Table:
    dealt = hands(game)
    number = len(dealt)
    codes = [lane_codes(dealt, seat) for seat in (1, 2)]
    bits = (codes[0][:, None] > codes[1][None]) @ (1 << np.arange(4))
    kind = _kind_of(game)[:, 0]
    kinds = len(_kinds(game))
    outcome = (kind[:, None] * kinds + kind[None]) * 16 + bits
    copies = game.deck.copies
    if known is not None:
        copies = copies - np.bincount(known.dead, minlength=len(copies))
    rest = copies - dealt.counts
    ways = choose(copies, dealt.counts)[:, None] * choose(rest[:, None], dealt.counts)
    ways[(rest < 0).any(axis=-1)] = 0
    weight = ways / ways.sum()
    if known is not None:
        weight = weight * known.weights(1)[:, None] * known.weights(2)
    begin = np.arange(number * number).reshape(number, number)
    weight = weight.ravel().astype(np.float32)
    size = (ways > 0).astype(np.int64)
    return Table(_outcomes(game, 1), begin, size, outcome.ravel().astype(np.uint16), weight)


def _counted(game: Game, speakers: tuple[int, int]) -> NDArray[np.uint16]:
    """Sizes of all pairs (int32), weights (float32) and outcomes, as 16-bit words."""
    from musodds.solver.kernels.pair_classes import count_pairs, pack

    known = hands(game)
    number, groups = len(known), len(mates_of(game)[0])
    group, kind = mates_of(game)[1], _kind_of(game)
    mine, theirs = (_words(game, speaker) for speaker in speakers)
    split = rivals(game, 2)
    class_of, pair_kind = _numbers(kind, len(_kinds(game)), groups)
    whole = float(deals(game.deck.size, 1) * deals(game.deck.size - 4, 1))
    whole *= float(deals(game.deck.size - 8, 2))
    size = np.zeros((number, number), dtype=np.int32)
    place, room = np.zeros((number, number), dtype=np.int64), 1 << 22
    classes: NDArray[np.uint16] = np.empty(room, np.uint16)
    weights: NDArray[np.float32] = np.empty(room, np.float32)
    at = 0
    for pairs, part in _by_cards(split):
        ways = split.available(split.parts[[part]])[0][split.part_of] * split.ways
        some = np.flatnonzero(ways)
        speak = known.ways[pairs[:, 0]] * choose(
            game.deck.copies - known.counts[pairs[:, 0]], known.counts[pairs[:, 1]]
        )
        bins = np.zeros((len(pairs), groups * groups * 16))
        count_pairs(
            pairs, len(some), ways[some], split.first[some].astype(np.int32),
            split.second[some].astype(np.int32), speak / whole, mine, theirs, group, groups, bins,
        )  # fmt: skip
        if at + bins.size > len(classes):
            classes = np.concatenate((classes, np.empty_like(classes)))
            weights = np.concatenate((weights, np.empty_like(weights)))
        sizes = np.empty(len(pairs), dtype=np.int32)
        end = pack(bins, sizes, pair_kind[pairs[:, 0], pairs[:, 1]], class_of, classes, weights, at)
        size[pairs[:, 0], pairs[:, 1]] = sizes
        place[pairs[:, 0], pairs[:, 1]] = at + np.cumsum(sizes) - sizes
        at = int(end)
    order = np.repeat(place.ravel() - (np.cumsum(size.ravel()) - size.ravel()), size.ravel())
    order += np.arange(at)
    return np.concatenate(
        (size.ravel().view(np.uint16), weights[order].view(np.uint16), classes[order])
    )


def _words(game: Game, speaker: int) -> NDArray[np.uint64]:
    """The codes of a side by the speaker's and the partner's hand."""
    known = hands(game)
    partner = game.partners(speaker)[0]
    own, other = lane_codes(known, speaker), lane_codes(known, partner)
    number = len(known)
    best = np.maximum(own[:, None], other[None]).reshape(-1, 4)
    return words(best.T).reshape(number, number)


def _numbers(kind: Ints, kinds: int, groups: int) -> tuple[NDArray[np.uint16], Ints]:
    """Numbers of outcomes by a row for each pair of own stones, and each pair's row."""
    _, first, which = np.unique(kind, axis=0, return_index=True, return_inverse=True)
    which, rows = which.reshape(-1), kind[first]
    number = len(rows)
    table = np.empty((number, number, groups, groups, 16), dtype=np.int64)
    for a, b in product(range(number), repeat=2):
        both = rows[a][:, None] * kinds + rows[b][None]
        table[a, b] = both[:, :, None] * 16 + np.arange(16)
    flat = table.reshape(number * number, -1).astype(np.uint16)
    return flat, which[:, None] * number + which[None]


def _by_cards(split: Any) -> Iterator[tuple[Ints, int]]:
    """The speakers' pairs that are made of the same cards, and which part that is."""
    order = np.argsort(split.part_of, kind="stable")
    bounds = np.concatenate(([0], np.cumsum(np.bincount(split.part_of))))
    both = np.column_stack((split.first, split.second))[order].astype(np.int64)
    for part in range(len(split.parts)):
        yield both[bounds[part] : bounds[part + 1]], part


_BOTH: tuple[Both, ...] = ((True, True), (False, False), (True, False), (False, True))


def finest_parts(alone: bool) -> tuple[Part, ...]:
    """The finest public parts; ``alone``: a side is one hand."""
    found = [_finest(pares, juego, alone) for pares in _BOTH for juego in _BOTH]
    return tuple(dict.fromkeys(found))


def _finest(pares: Both, juego: Both, alone: bool) -> Part:
    if not alone and juego[0] != juego[1]:
        return Part(pares, None, True)
    return Part(pares, juego)


def parts_of(outcomes: Outcomes, alone: bool) -> tuple[tuple[Part, ...], Ints]:
    """The finest public parts, and which each outcome belongs to."""
    mine, theirs = outcomes.mine, outcomes.theirs
    finest = finest_parts(alone)
    which = np.zeros(len(mine), dtype=np.int64)
    has = [(side[:, lane] > 0) for lane in (0, 1) for side in (mine, theirs)]
    for pares in _BOTH:
        for juego in _BOTH:
            here = (has[0] == pares[0]) & (has[1] == pares[1])
            here &= (has[2] == juego[0]) & (has[3] == juego[1])
            which[here] = finest.index(_finest(pares, juego, alone))
    return finest, which


def within(fine: Part, part: Part) -> bool:
    """Whether a part is one of those that a coarser one leaves open."""
    if part.pares is not None and fine.pares != part.pares:
        return False
    if part.either:
        return fine.either
    return part.juego is None or fine.juego == part.juego
