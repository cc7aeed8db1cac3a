"""Exact odds of a hand, a pair of partners, or every hand of a game.

A hand at level m in seat i takes a phase iff every seat before it is *below* m and
every seat after it *at most* m. So a side takes the phase iff its best hand (the
earliest of equals) does, and only two things about the rivals matter: that level,
and how many of them speak before that seat. :mod:`musodds.counting` counts the deals
for both; this module sums them over the partner's hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from musodds.counting import UNANIMOUS, Ints, Tally, choose, compact, deals, rivals
from musodds.errors import GameError
from musodds.games import PHASES, Game, get_game
from musodds.hands import CARDS, Hands, hands
from musodds.published import published_counts
from musodds.questions import Case, Question, ask, listed, shown_hands

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    "win",
    "lose",
    "void",
    "best",
    "contested",
    "win_contested",
    "stones_for",
    "stones_against",
)
"""Columns of an odds table: win + lose + void = 1; see the README for their meaning."""

WORST_COLUMNS = ("worst", "worst_contested")
"""Columns more where a pot goes to the worst hand (Encaje)."""

GIVEN_CONTESTED = frozenset({"win_contested", "worst_contested"})


def columns_of(game: Game) -> tuple[str, ...]:
    """The columns of a game's odds.

    With more than two sides, `lose` means that one of the others takes the phase, and
    `stones_against` is what another side gets on average. In Encaje stones are thrown
    rather than collected, and `worst` is the chance to be the one who would get the
    pot: of those who take part in the phase the lowest, of equals the last from mano.

    Examples
    --------
    >>> columns_of(get_game("encaje3"))[-2:]
    ('worst', 'worst_contested')
    """
    return COLUMNS + (WORST_COLUMNS if game.stones is not None else ())


@dataclass(frozen=True, eq=False)
class Odds:
    """Exact odds of a hand: counts of deals, per seat and phase.

    Attributes
    ----------
    game : Game
    hand : str
        The hand, high to low.
    partner : str or None
        The partner's hand, where it is known.
    seats : tuple of int
        The seats that were asked for.
    deals : int
        Number of ways to deal the cards that are not known (their weight in all, where
        the answer is an average: see `musodds.questions`).
    counts : ndarray of int64, shape (seats, phases, columns)
        Of those deals, how many are a `win`, `lose`, `void`, `best`, `contested`, and
        both contested and won (`win_contested`); and the stones they bring in all to
        either side (`stones_for`, `stones_against`). In Encaje the same of `worst`, and
        `stones_against` is the sum over all other players. Python integers (dtype
        object) with six players.
    ways : int
        1; or the number of hands, suits apart, that the odds are the average of, where
        suits matter and were not given.

    Examples
    --------
    >>> result = odds("RR7A", seat="mano")
    >>> round(result.net(1), 6)
    1.162008
    >>> odds("RRRR", seat=2).fraction(2, "grande", "lose")
    Fraction(1, 58905)
    """

    game: Game
    hand: str
    partner: str | None
    seats: tuple[int, ...]
    deals: int
    counts: Ints
    ways: int = 1

    method = "exact"

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return columns_of(self.game)

    def fraction(self, seat: int, phase: str, column: str) -> Fraction | None:
        """One number exactly; None for `win_contested` where it is never contested."""
        counts = self.counts[self.seats.index(seat), PHASES.index(phase)].tolist()
        i = self.columns.index(column)
        total = _denominators(self.game, self.deals, counts)[i]
        return Fraction(counts[i], total) if total else None

    def net(self, seat: int) -> float:
        """Expected stones for my side less theirs, over all phases, en paso."""
        return _net(self.game, self.deals, self.counts[self.seats.index(seat)])

    def rows(self) -> list[dict[str, Any]]:
        """One dict per seat and phase: `seat`, `phase`, the columns and `net`.

        `net` is the seat's net over all phases, on each of its rows.
        """
        rows: list[dict[str, Any]] = []
        for seat, of_seat in zip(self.seats, self.counts, strict=True):
            net = _net(self.game, self.deals, of_seat)
            for phase, counts in zip(PHASES, of_seat.tolist(), strict=True):
                totals = _denominators(self.game, self.deals, counts)
                values = [
                    n / total if total else None for n, total in zip(counts, totals, strict=True)
                ]
                named = dict(zip(self.columns, values, strict=True))
                rows.append({"seat": seat, "phase": phase, **named, "net": net})
        return rows

    def to_frame(self) -> pd.DataFrame:
        """The rows as a DataFrame; `win_contested` is NaN where it is never contested."""
        import pandas as pd

        frame = pd.DataFrame(self.rows())
        return frame.astype(dict.fromkeys((*self.columns, "net"), "float64"))


def _denominators(game: Game, deals: int, counts: Sequence[int]) -> list[int]:
    """What each column's count is a share of: all deals, or the contested ones."""
    contested = counts[COLUMNS.index("contested")]
    special = dict.fromkeys(GIVEN_CONTESTED, contested)
    special["stones_against"] = deals * (game.sides - 1)
    return [special.get(column, deals) for column in columns_of(game)]


def _net(game: Game, deals: int, counts: NDArray[Any]) -> float:
    """`stones_for` − `stones_against` of one seat, over all phases."""
    mine, theirs = (
        sum(counts[:, COLUMNS.index(column)].tolist())
        for column in ("stones_for", "stones_against")
    )
    others = game.sides - 1
    net: float = (mine * others - theirs) / (deals * others)
    return net


def odds(
    hand: str, *, game: str | Game = "mus", seat: int | str = "all", partner: str | None = None
) -> Odds:
    """Exact odds of a hand before any discard, en paso.

    Parameters
    ----------
    hand : str
        Four cards, such as ``"RR7A"``.
    game : str or Game, optional
    seat : int or str, optional
        1 … n, ``"mano"``, ``"postre"`` or ``"all"``.
    partner : str, optional
        The partner's hand, if it is known.

    Returns
    -------
    Odds

    Raises
    ------
    InputError
        If the hand, the pair, the game or the seat does not exist.

    Examples
    --------
    >>> result = odds("RR7A", seat="mano", partner="C765")
    >>> result.fraction(1, "pares", "win")
    Fraction(177028, 211575)
    """
    game = get_game(game)
    seats = game.parse_seats(seat)
    question = ask(game, hand, partner)
    counts = _answer(question, seats)
    return Odds(
        game=game,
        hand=question.hand,
        partner=question.partner,
        seats=seats,
        deals=_all_deals(counts),
        counts=counts,
        ways=question.ways,
    )


def _answer(question: Question, seats: tuple[int, ...]) -> Ints:
    """The counts of a question: those of its cases, added up."""
    stored = published_counts(question.game)
    rows = [seat - 1 for seat in seats]
    if stored is not None and question.certain and question.partner is None:
        return np.array(stored[question.classes[0]][rows])
    return _total(list(question.cases.items()), seats)


def _total(cases: Sequence[tuple[Case, int]], seats: tuple[int, ...]) -> Ints:
    """Σ weight × counts of the cases, in Python integers where 64 bits do not do."""
    rows = [seat - 1 for seat in seats]
    common = gcd(*(weight for _, weight in cases))
    together: dict[tuple[Game, int | None, tuple[int, ...]], list[tuple[int, int]]] = {}
    for case, weight in cases:
        asked = together.setdefault((case.game, case.mate, case.dead), [])
        asked.append((case.me, weight // common))
    total = np.zeros((), dtype=object)
    for (game, mate, dead), asked in together.items():
        mine = np.array([me for me, _ in asked])
        stored = published_counts(game) if mate is None and not dead else None
        counts = count(game, mine, seats, mate, dead) if stored is None else stored[mine][:, rows]
        weights = np.array([weight for _, weight in asked], dtype=object)
        total = total + np.tensordot(weights, counts.astype(object), axes=1)
    return compact(total)


def _all_deals(counts: Ints) -> int:
    """The weight of all deals: every deal is a win, a loss or void."""
    return sum(int(counts[0, 0, COLUMNS.index(column)]) for column in ("win", "lose", "void"))


def odds_table(game: str | Game = "mus") -> pd.DataFrame:
    """Exact odds of every hand of a game, in every seat and phase.

    Parameters
    ----------
    game : str or Game, optional

    Returns
    -------
    pandas.DataFrame
        One row per hand × seat × phase: `hand` (str), `seat` (int), `phase` (str), the
        columns of :func:`columns_of` and `net` (float64). Stones are stones of the whole
        side; `net` is the seat's net over all phases; `win_contested` is NaN where the
        phase is never contested.

    Examples
    --------
    >>> table = odds_table("mus")
    >>> len(table)
    6600
    """
    import pandas as pd

    return pd.DataFrame(table_columns(get_game(game)))


def table_columns(game: Game) -> dict[str, NDArray[Any]]:
    """The columns of :func:`odds_table` as arrays, without pandas."""
    texts = [text for text, _ in listed(game)]
    seats = tuple(range(1, game.seats + 1))
    counts = table_counts(game)
    columns: dict[str, NDArray[Any]] = {
        "hand": np.repeat(np.array(texts, dtype=object), len(seats) * len(PHASES)),
        "seat": np.tile(np.repeat(seats, len(PHASES)), len(texts)),
        "phase": np.tile(np.array(PHASES, dtype=object), len(texts) * len(seats)),
    }
    names = columns_of(game)
    totals = [_all_deals(of_hand) for of_hand in counts]
    # Divided as Python integers, so that counts above 2**53 are rounded but once.
    values = [
        [n / share if share else np.nan for n, share in zip(row, shares, strict=True)]
        for of_hand, total in zip(counts.tolist(), totals, strict=True)
        for of_seat in of_hand
        for row in of_seat
        for shares in (_denominators(game, total, row),)
    ]
    columns |= dict(zip(names, np.array(values).T, strict=True))
    nets = [
        _net(game, total, of_seat)
        for of_hand, total in zip(counts, totals, strict=True)
        for of_seat in of_hand
    ]
    columns["net"] = np.repeat(nets, len(PHASES))
    return columns


def table_counts(game: Game) -> Ints:
    """The counts of every hand that :func:`odds_table` lists, published or counted now.

    Returns
    -------
    ndarray of int64 or object (int), shape (hands, seats, phases, columns)
    """
    stored = published_counts(game)
    return count_table(game) if stored is None else stored


def count_table(game: Game) -> Ints:
    """As :func:`table_counts`, counted now."""
    seats = tuple(range(1, game.seats + 1))
    cases = [list(cases.items()) for _, cases in listed(game)]
    single = [i for i, one in enumerate(cases) if len(one) == 1 and one[0][0].game == game]
    rows: list[NDArray[Any]] = [np.empty(0)] * len(cases)
    if single:
        counted = count(game, np.array([cases[i][0][0].me for i in single]), seats)
        for i, row in zip(single, counted, strict=True):
            rows[i] = row
    for i in set(range(len(cases))).difference(single):
        rows[i] = _total(cases[i], seats)
    return compact(np.stack(rows))


def total_deals(game: Game, partner_known: bool = False) -> int:
    """Ways to deal what a player does not see of the game's hands.

    Examples
    --------
    >>> total_deals(get_game("mus"))
    43370632305000
    """
    seen = CARDS * (game.side_size if partner_known else 1)
    partners = 0 if partner_known else game.side_size - 1
    return deals(game.deck.size - seen, partners + game.seats - game.side_size)


def count(
    game: Game,
    mine: Ints,
    seats: tuple[int, ...],
    partner: int | None = None,
    dead: Sequence[int] = (),
) -> Ints:
    """Count deals for hands: the numerators of every column.

    The others hold no hand that they would have shown (:func:`shown_hands`).

    Parameters
    ----------
    game : Game
        Two sides of one to three players, or each for itself.
    mine : ndarray of int64, shape (hands,)
        Hand classes.
    seats : tuple of int
    partner : int, optional
        The partner's hand class, if it is known.
    dead : sequence of int, optional
        Kinds of the cards that nobody holds.

    Returns
    -------
    ndarray of int64, shape (hands, seats, phases, columns)
        Of object (int) with six players.

    Raises
    ------
    CardError
        If a hand and the partner's cannot both be held.
    GameError
        If it cannot be counted.
    """
    excluded = shown_hands(game)
    gone = np.bincount(np.array(dead, dtype=np.int64), minlength=len(game.deck.kinds))
    if partner is not None and game.side_size != 2:
        raise GameError(_no_partner(game))
    if hands(game).has_jokers:
        from musodds.joker_odds import count_named

        return count_named(game, mine, seats, partner, dead, excluded)
    if game.seats - game.side_size > 2 or game.sides > 2:
        if excluded:
            raise GameError(
                f"{game.name} cannot be counted: hands that are shown and replaced are too much "
                "with so many players; simulate it"
            )
        if game.side_size > 1:
            from musodds.trios import count_trios

            trios: NDArray[Any] = count_trios(game, mine, seats)
            return trios
        from musodds.others import count_alone

        own = hands(game).counts
        each = [count_alone(game, [int(me)], seats, own[me])[0] for me in mine]
        # A deal brings three stones at most: with five players below 1.4e18.
        return np.stack(each)[..., : len(columns_of(game))].astype(np.int64)
    all_hands = hands(game)
    sides, ways, owner = _sides(all_hands, mine, partner, gone, excluded)
    return _count(all_hands, sides, ways, owner, len(mine), seats, gone)


def count_by_partner(game: Game, me: int, seats: tuple[int, ...]) -> Ints:
    """Count deals for a hand, apart for each hand that the partner may hold.

    Whatever is known of the partner alone is a weighted sum of these.

    Parameters
    ----------
    game : Game
        Two sides of two players.
    me : int
        A hand class.
    seats : tuple of int

    Returns
    -------
    ndarray of int64, shape (classes, seats, phases, columns)

    Raises
    ------
    GameError
        If nobody has a partner, or the game has other sides.

    Examples
    --------
    >>> game = get_game("mus")
    >>> one = count_by_partner(game, 5, (1, 2))
    >>> bool((one.sum(axis=0) == count(game, np.array([5]), (1, 2))[0]).all())
    True
    """
    if game.side_size != 2:
        raise GameError(_no_partner(game))
    all_hands = hands(game)
    nothing = np.zeros(len(game.deck.kinds), dtype=np.int64)
    sides, ways, _ = _sides(all_hands, np.array([me]), None, nothing, shown_hands(game))
    return _count(all_hands, sides, ways, sides[:, 1], len(all_hands), seats, nothing)


def count_by_group(game: Game, seats: tuple[int, ...], group: Ints) -> Ints:
    """Count deals for every hand, apart for each group of hands that the partner may hold.

    What several signs of the partner do to all hands takes no longer than one table.

    Parameters
    ----------
    game : Game
        Two sides of two players.
    seats : tuple of int
    group : ndarray of int64, shape (classes,)
        The group of each hand class, from 0.

    Returns
    -------
    ndarray of int64, shape (classes, groups, seats, phases, columns)

    Raises
    ------
    GameError
        If nobody has a partner, or the game has other sides.
    """
    if game.side_size != 2:
        raise GameError(_no_partner(game))
    all_hands, groups = hands(game), int(group.max()) + 1
    nothing = np.zeros(len(game.deck.kinds), dtype=np.int64)
    mine = np.arange(len(group))
    sides, ways, owner = _sides(all_hands, mine, None, nothing, shown_hands(game))
    owner = owner * groups + group[sides[:, 1]]
    counts = _count(all_hands, sides, ways, owner, len(group) * groups, seats, nothing)
    return counts.reshape(len(group), groups, *counts.shape[1:])


def _count(
    all_hands: Hands,
    sides: Ints,
    ways: Ints,
    owner: Ints,
    owners: int,
    seats: tuple[int, ...],
    gone: Ints,
) -> Ints:
    """The counts of pairs of partners, each times its ways, summed for each owner."""
    game = all_hands.game
    levels = {phase: all_hands.level[phase][sides].max(axis=1) for phase in PHASES}
    tallies = rivals(game, game.seats - game.side_size, shown_hands(game)).against(
        all_hands.counts[sides].sum(axis=1) + gone, levels
    )
    everything = tallies[PHASES[0]].taking_part
    counts = np.empty((owners, len(seats), len(PHASES), len(COLUMNS)), dtype=np.int64)
    for i, seat in enumerate(seats):
        for j, phase in enumerate(PHASES):
            columns = _columns(all_hands, sides, phase, seat, tallies[phase], everything)
            for k, column in enumerate(columns):
                # Below 2**53, so the float64 sums of bincount are exact.
                counts[:, i, j, k] = np.bincount(owner, ways * column, owners)
    return counts


def _no_partner(game: Game) -> str:
    who = "nobody has a partner" if game.side_size == 1 else "everybody has two partners"
    return f"{who} in {game.name}"


def _sides(
    all_hands: Hands, mine: Ints, partner: int | None, gone: Ints, excluded: tuple[int, ...]
) -> tuple[Ints, Ints, Ints]:
    """The hands of my side: classes (sides, players), ways to deal the partner his, owner."""
    copies, counts = all_hands.game.deck.copies, all_hands.counts
    owner = np.arange(len(mine))
    if all_hands.game.side_size == 1:
        return mine[:, None], np.ones_like(mine), owner
    if partner is not None:
        pairs = np.stack((mine, np.full_like(mine, partner)), axis=1)
        for held in counts[pairs].sum(axis=1):
            cards = np.repeat(np.arange(len(copies)), held).tolist()
            all_hands.game.deck.check(cards, "the hand and the partner's together")
        return pairs, np.ones_like(mine), owner
    mates = np.delete(np.arange(len(counts)), list(excluded))
    owner, mate = np.divmod(np.arange(len(mine) * len(mates)), len(mates))
    mate = mates[mate]
    ways = choose((copies - counts[mine] - gone)[owner], counts[mate]).astype(np.int64)
    held = ways > 0
    return np.stack((mine[owner], mate), axis=1)[held], ways[held], owner[held]


def _columns(
    all_hands: Hands, sides: Ints, phase: str, seat: int, tally: Tally, everything: Ints
) -> tuple[Ints, ...]:
    """The columns of one seat and phase, counted for each pair of partners."""
    game = all_hands.game
    my_seats = np.array((seat, *game.partners(seat)))
    speaking = np.argsort(my_seats)
    own = all_hands.level[phase][sides[:, speaking]]
    champion = my_seats[speaking][own.argmax(axis=1)]
    earlier_rivals = np.array(
        [sum(r < s for r in game.rivals(seat)) for s in range(game.seats + 1)]
    )
    strict = earlier_rivals[champion], np.arange(len(sides))

    if phase in UNANIMOUS:
        playing = (own > 0).all(axis=1)
        contested = playing * tally.taking_part
        win = win_contested = playing * tally.deals[strict]
        void = everything - contested
    else:
        playing = (own > 0).any(axis=1)
        contested = playing * (everything - tally.idle)
        win = playing * tally.deals[strict]
        win_contested = playing * (tally.deals[strict] - tally.idle)
        void = ~playing * tally.idle
    lose = everything - void - win
    best = win * (champion == seat)

    stones_for, stones_against = win, lose
    if phase in all_hands.stones:
        stones_for = win * all_hands.stones[phase][sides].sum(axis=1)
        stones_against = tally.all_stones - playing * tally.stones[strict]
    return win, lose, void, best, contested, win_contested, stones_for, stones_against
