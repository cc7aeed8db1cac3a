"""What the others hold, given one hand and what is known.

Chances are taken over the same weighted deals as the odds, so they are Bayes' rule
done exactly: the weight of the deals in which it is so, over the weight of all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from musodds.games import PHASES, Game, get_game
from musodds.hands import Hands, hands
from musodds.knowledge import Knowledge
from musodds.known_odds import unseen_by_seat
from musodds.range_words import word_mask
from musodds.unseen import Exact, Mask, Unseen, codes_of, rivals_in_order

if TYPE_CHECKING:
    import pandas as pd

EITHER = "either"
NO_RIVAL = "no rival"
BEATEN = PHASES[:4]


@dataclass(frozen=True, eq=False)
class Reading:
    """What the other players hold: chances of plays, of hands, and of no rival.

    Attributes
    ----------
    game : Game
    hand : str
    seat : int
    knowledge : Knowledge
    plays : mapping of str to mapping of str to Fraction
        For ``partner``, ``next``, ``previous`` and ``either`` (at least one rival):
        the chance of each play. With one rival only ``next``.
    hand_chances : mapping of str to ndarray of object (Fraction), shape (classes,)
        The chance of each hand class, for every player.
    no_rival : mapping of str to Fraction
        Chance that no rival has pares, has juego, or beats the hand in a phase. In
        pares and juego only a hand that takes part can beat.

    Examples
    --------
    >>> from musodds.knowledge import know
    >>> told = read("RR7A", knowledge=know(partner="seña:31"))
    >>> told.plays["partner"]["31"], float(told.plays["next"]["31"]) < 0.1
    (Fraction(1, 1), True)
    >>> [hand for hand, chance in told.likely("partner", 2)]
    ['RCSA', 'RRCA']
    """

    game: Game
    hand: str
    seat: int
    knowledge: Knowledge
    plays: Mapping[str, Mapping[str, Fraction]]
    hand_chances: Mapping[str, Exact]
    no_rival: Mapping[str, Fraction]

    method = "exact"

    def likely(self, who: str, number: int = 5) -> list[tuple[str, float]]:
        """The most likely hands of a player, with their chances."""
        chances = self.hand_chances[who]
        order = sorted(range(len(chances)), key=lambda i: (-chances[i], i))[:number]
        texts = hands(self.game).texts
        return [(texts[i], float(chances[i])) for i in order if chances[i]]

    def rows(self, number: int = 5) -> list[dict[str, Any]]:
        """One dict per chance: `who`, `about` (play, hand, rivals), `what`, `chance`."""
        rows: list[dict[str, Any]] = []
        for who, plays in self.plays.items():
            rows += [_row(who, "play", what, chance) for what, chance in plays.items()]
        for who in self.hand_chances:
            rows += [_row(who, "hand", what, chance) for what, chance in self.likely(who, number)]
        rows += [_row(NO_RIVAL, "rivals", what, chance) for what, chance in self.no_rival.items()]
        return rows

    def to_frame(self, number: int = 5) -> pd.DataFrame:
        """The rows as a DataFrame."""
        import pandas as pd

        return pd.DataFrame(self.rows(number))


def _row(who: str, about: str, what: str, chance: Fraction | float) -> dict[str, Any]:
    return {"who": who, "about": about, "what": what, "chance": float(chance)}


def read(
    hand: str,
    *,
    game: str | Game = "mus",
    seat: int | str = 1,
    knowledge: Knowledge | None = None,
) -> Reading:
    """What the others hold, before any discard.

    Parameters
    ----------
    hand : str
        Your own hand.
    game : str or Game, optional
        The game of ``knowledge``, if that is given.
    seat : int or str, optional
        One seat; it tells who beats you when hands are equal.
    knowledge : Knowledge, optional
        See :func:`musodds.knowledge.know`; a partner whose hand is known is a range of
        one hand.

    Raises
    ------
    KnowledgeError
        If what is known contradicts itself or the hand.
    """
    knowledge = Knowledge(get_game(game)) if knowledge is None else knowledge
    game = knowledge.game
    all_hands = hands(game)
    me, place = all_hands.index(hand), game.parse_seat(seat)
    unseen = unseen_by_seat(me, (place,), knowledge)[place]
    weights = _weights(unseen)
    masks = dict(_plays(all_hands))
    plays = {
        who: {what: Fraction(int(w[mask].sum()), unseen.total) for what, mask in masks.items()}
        for who, w in weights.items()
    }
    if unseen.rivals == 2:
        plays[EITHER] = {
            what: Fraction(
                unseen.pair_total(mask[unseen.first] | mask[unseen.second]), unseen.total
            )
            for what, mask in masks.items()
        }
    return Reading(
        game=game,
        hand=all_hands.texts[me],
        seat=place,
        knowledge=knowledge,
        plays=plays,
        hand_chances={who: _over(w, unseen.total) for who, w in weights.items()},
        no_rival=dict(_no_rival(unseen, place)),
    )


def _weights(unseen: Unseen) -> dict[str, Exact]:
    """Weight of the deals in which each player holds each hand."""
    found = {}
    if unseen.game.side_size == 2:
        found["partner"] = np.zeros(len(unseen.hands), dtype=object)
        found["partner"][unseen.mates] = unseen.mate_weights
    for rival, who in enumerate(("next", "previous")[: unseen.rivals]):
        found[who] = unseen.rival_weights(rival)
    return found


def _over(weights: Exact, total: int) -> Exact:
    return np.array([Fraction(int(w), total) for w in weights], dtype=object)


def _plays(all_hands: Hands) -> Iterator[tuple[str, Mask]]:
    """The plays that are read, by name."""
    for word in ("pares", "par", "medias", "duples", "juego", "31"):
        if word != "31" or 31 in all_hands.points:
            yield word, word_mask(all_hands, word)
    punto = all_hands.level["punto"] > 0
    for total in sorted(set(all_hands.points[punto].tolist()), reverse=True):
        yield f"punto of {total}", punto & (all_hands.points == total)
    symbols = [kind.symbol for kind in all_hands.game.deck.kinds]
    for symbol, name in (("R", "two kings or more"), ("A", "two aces or more")):
        if symbol in symbols:
            yield name, word_mask(all_hands, f"{symbol}{symbol}??")


def _no_rival(unseen: Unseen, seat: int) -> Iterator[tuple[str, Fraction]]:
    """Chances that no rival has a play, or beats the hand."""
    all_hands, game = unseen.hands, unseen.game
    seats = rivals_in_order(game, seat)
    for phase in ("pares", "juego"):
        codes = np.maximum.reduce(unseen.codes(phase, seats))
        yield f"has {phase}", Fraction(unseen.pair_total(codes < game.seats), unseen.total)
    for phase in BEATEN:
        codes = np.maximum.reduce(unseen.codes(phase, seats))
        mine = max(int(codes_of(all_hands, phase, seat)[unseen.me]), game.seats)
        yield f"beats my {phase}", Fraction(unseen.pair_total(codes < mine), unseen.total)
