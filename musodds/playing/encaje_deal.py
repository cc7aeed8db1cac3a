"""A deal of Encaje (Mus Francés) after the cards: each for itself, to get rid of stones.

The rules are those of RULES section 3. Where they are silent this is the reading:

- Who takes part in a phase is settled when it begins: those with stones in front of
  them then. Stones in an open pot are not in front of anybody.
- The least bet is 2, so a player with one stone cannot bet. Whoever has a stone may
  see a bet of any size, and puts in what there is, up to the bet.
- Stones go into the pot when the betting in the phase ends, so who folds a raise loses
  nothing. After a bet every other player answers in turn, those who passed too.
- A bet that nobody sees: the bettor throws 1; a *raise* that nobody sees: as in Mus,
  what was on the table before it. Nobody throws more than there is in front.
- There is no órdago. Where one player alone has pares (juego), its value is thrown at
  the showdown without betting.
- At the showdown the pot of a phase goes to the worst hand first, then the best hand
  throws.
- As soon as one player alone has stones and no pot is open, that player has lost, and
  the count stops.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from musodds.errors import InputError
from musodds.playing.actions import (
    ENVIDO,
    LEAST_BET,
    NO_QUIERO,
    PASO,
    QUIERO,
    RAISE,
    Action,
    ActionError,
    Option,
)
from musodds.playing.deal import OVER, TALK, Procedure, next_phase, read_hands
from musodds.playing.encaje_moves import Bid, EncajeResult, Move, PhaseEnding
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands as hands_of
from musodds.rules.showdown import (
    DEJE,
    PASSED,
    PASSED_STONES,
    REFUSED,
    SEEN,
    UNOPPOSED,
    VOID,
    best_seat,
    worst_seat,
)


def encaje_settle(
    game: str | Game,
    hands: Sequence[str | Sequence[int] | None],
    stones: Sequence[int],
    bets: Mapping[str, str | Sequence[str]] | None = None,
    mano: int = 0,
) -> EncajeResult:
    """Settle a deal: what each player has left, from the stones, the hands and the bets.

    Parameters
    ----------
    game : str or Game
    hands : sequence of (str, sequence of int or None)
        Four cards a seat, from mano on; None for a player who is out of the game.
    stones : sequence of int
        Stones of each player; 0 is out of the game.
    bets : mapping of str to (str or sequence of str), optional
        What is said in each phase, in speaking order (as one text, separated by
        commas); where nothing more is said all pass.
    mano : int
        Which entry of the stones is mano's.

    Returns
    -------
    EncajeResult

    Raises
    ------
    InputError
        If something said is not legal, or there is no betting in its phase.

    Examples
    --------
    Seat 3 sees mano's bet in grande, and gets the pot as the worse of the two.

    >>> result = encaje_settle(
    ...     "encaje3",
    ...     ["RRRA", "7654", "CC44"],
    ...     stones=(15, 15, 15),
    ...     bets={"grande": "envido 3, no quiero, quiero"},
    ... )
    >>> result.stones
    (8, 15, 15)
    """
    left = dict(bets or {})
    deal = EncajeDeal.start(game, hands, stones, mano, mus=False)
    while not deal.over:
        phase = deal.stage
        said = left.pop(phase, ())
        for word in said.split(",") if isinstance(said, str) else said:
            if deal.stage != phase:
                raise ActionError(f"{word.strip()!r} is one word too many: {phase} is over")
            deal = deal.act(word)
        while deal.stage == phase:
            deal = deal.act(PASO)
    if left:
        raise InputError(f"nobody may bet in {' or '.join(left)} in this deal")
    return deal.result


@dataclass(frozen=True, kw_only=True, repr=False)
class EncajeDeal(Procedure):
    """A deal of Encaje, from the mus talk to the stones that are left.

    Start one with :meth:`start`; it is then used as :class:`musodds.playing.mus_deal.Deal`.

    Parameters
    ----------
    opening, stones : tuple of int
        Stones in front of each player, before the deal and now.
    bid : Bid or None
        The bet that waits for answers.
    endings : tuple of PhaseEnding
    moves : tuple of Move
    loser : int or None

    Examples
    --------
    >>> deal = EncajeDeal.start("encaje3", ["RRRA", "7654", "CC44"], stones=(5, 5, 5), mus=False)
    >>> for word in ["envido 3", "no quiero", "quiero"]:
    ...     deal = deal.act(word)
    >>> deal.stage, deal.stones
    ('chica', (2, 5, 2))
    """

    opening: tuple[int, ...]
    stones: tuple[int, ...]
    bid: Bid | None = None
    endings: tuple[PhaseEnding, ...] = ()
    moves: tuple[Move, ...] = ()
    loser: int | None = None

    @classmethod
    def start(
        cls,
        game: str | Game,
        hands: Sequence[str | Sequence[int] | None],
        stones: Sequence[int],
        mano: int = 0,
        mus: bool = True,
        before: Sequence[str] = (),
    ) -> Self:
        """A deal before anything is said.

        Parameters
        ----------
        game : str or Game
            A game without partners, for three players or more.
        hands : sequence of (str, sequence of int or None)
            Four cards a seat, from mano on; None for a player who is out of the game.
        stones : sequence of int
            Stones of each player; 0 is out of the game.
        mano : int
            Which entry of the stones is mano's.
        mus : bool
            Begin with the mus talk; False (five cards are dealt): with grande.
        before : sequence of str
            Rounds in which cards are changed before mus: ``4567``, ``visto``.

        Raises
        ------
        InputError
            If the game is not one without partners, or stones, mano and hands do not
            go together.
        """
        game = get_game(game)
        if game.side_size != 1 or game.seats < 3:
            raise InputError(f"{game.name} is not Encaje: that is three or more, no partners")
        if len(stones) != game.seats or min(stones) < 0 or sum(map(bool, stones)) < 2:
            raise InputError(
                f"stones {'-'.join(map(str, stones))}: {game.seats} numbers from 0, of which "
                "two or more are not 0"
            )
        if not 0 <= mano < game.seats or not stones[mano]:
            raise InputError(f"mano {mano}: the place in the stones of a player who has some")
        classes = read_hands(game, hands)
        deal = cls(
            game=game,
            mano=mano,
            dealt=classes,
            classes=classes,
            stage=TALK,
            turn=(1,),
            opening=tuple(stones),
            stones=tuple(stones),
        )
        for seat, held in enumerate(classes, start=1):
            if (held is None) == bool(deal.in_front(seat)):
                raise InputError(
                    f"seat {seat} has {deal.in_front(seat)} stones and the hand "
                    f"{deal.hand(seat)}: who has stones holds a hand, who has none is out"
                )
        return deal._begin(before, mus)

    @property
    def result(self) -> EncajeResult:
        """What the deal came to.

        Raises
        ------
        ActionError
            If it is not over.
        """
        if not self.over:
            raise ActionError(f"the deal is not over. {self.state_text()}")
        return EncajeResult(self.stones, self.moves, self.endings, self.loser)

    @property
    def on_table(self) -> int:
        """Stones bet so far in the phase."""
        return self.bid.total if self.bid else 0

    def in_front(self, seat: int) -> int:
        """The stones in front of a seat."""
        return self.stones[self.side(seat)]

    def speakers(self, phase: str) -> tuple[int, ...]:
        """The seats that may bet in a phase: none unless two or more take part in it."""
        able = self._taking_part(phase)
        return able if len(able) > 1 else ()

    def _taking_part(self, phase: str) -> tuple[int, ...]:
        return tuple(s for s in self.playing if self.in_front(s) and self.level(phase, s))

    def _betting_options(self) -> tuple[Option, ...]:
        stones = self.in_front(self.turn[0])
        if self.bid is None:
            options, word, most = [Option(PASO)], ENVIDO, stones
        else:
            options, word = [Option(QUIERO), Option(NO_QUIERO)], RAISE
            most = stones - self.bid.total
        if most >= LEAST_BET:
            options.append(Option(word, LEAST_BET, most))
        return tuple(options)

    def _bet(self, said: Action) -> Self:
        seat = self.turn[0]
        if said.word == PASO:
            later = [s for s in self.speakers(self.stage) if s > seat]
            if later:
                return replace(self, turn=(later[0],))
            return self._close(PhaseEnding(self.stage, PASSED, self.speakers(self.stage)))
        if self.bid is None:
            bid = Bid(seat, said.stones, 0, self.speakers(self.stage))
            return replace(self, bid=bid)._answer_after(seat)
        if said.word == RAISE:
            total = self.bid.total + said.stones
            bid = Bid(seat, total, self.bid.total, self.bid.inside)
            return replace(self, bid=bid)._answer_after(seat)
        if said.word == NO_QUIERO:
            inside = tuple(s for s in self.bid.inside if s != seat)
            return replace(self, bid=replace(self.bid, inside=inside))._answer_after(seat)
        return self._answer_after(seat)

    def _answer_after(self, seat: int) -> Self:
        """Pass the word to the next in the bet, or end the phase when it is the bettor's."""
        bid = self.bid
        assert bid is not None
        inside = bid.inside
        following = min(inside, key=lambda s: (s <= seat, s))
        if following != bid.seat:
            return replace(self, turn=(following,))
        if len(inside) == 1:
            thrown = self._move(self.stage, bid.seat, -(bid.before or DEJE), "deje")
            return thrown._close(PhaseEnding(self.stage, REFUSED, inside))
        return self._fill_pot(bid)

    def _fill_pot(self, bid: Bid) -> Self:
        put = {seat: min(bid.total, self.in_front(seat)) for seat in bid.inside}
        deal = self
        for seat, stones in put.items():
            deal = deal._move(self.stage, seat, -stones, "pot")
        pot = sum(put.values())
        return deal._close(PhaseEnding(self.stage, SEEN, bid.inside, bid.total, pot))

    def _close(self, ending: PhaseEnding) -> Self:
        closed = replace(self, endings=(*self.endings, ending), bid=None)
        closed = closed._ended_if_lost(closed._open_pots(0))
        if closed.over:
            return closed
        juego = ending.phase == "juego" or bool(closed._taking_part("juego"))
        following = next_phase(ending.phase, juego)
        return closed._enter(following) if following else closed._showdown()

    def _enter(self, phase: str) -> Self:
        speakers = self.speakers(phase)
        if not speakers:
            alone = self._taking_part(phase)
            return self._close(PhaseEnding(phase, UNOPPOSED if alone else VOID, alone))
        return replace(self, stage=phase, turn=speakers[:1])

    def _showdown(self) -> Self:
        deal = self
        for number, ending in enumerate(self.endings, start=1):
            deal = deal._settle(ending, self._open_pots(number))
            if deal.over:
                return deal
        return replace(deal, stage=OVER, turn=())

    def _settle(self, ending: PhaseEnding, open_pots: int) -> Self:
        """Settle one phase; ``open_pots`` are the stones in the pots of later phases."""
        if not ending.seats:
            return self
        levels = {seat: self.level(ending.phase, seat) for seat in ending.seats}
        deal = self
        if ending.pot:
            deal = self._move(ending.phase, worst_seat(levels), ending.pot, "worst")
            deal = deal._ended_if_lost(open_pots)
        best = best_seat(levels)
        value, why = self._thrown_by(best, ending)
        if value and not deal.over:
            deal = deal._move(ending.phase, best, -value, why)
        return deal._ended_if_lost(open_pots)

    def _thrown_by(self, best: int, ending: PhaseEnding) -> tuple[int, str]:
        values = hands_of(self.game).stones.get(ending.phase)
        held = self.classes[best - 1]
        if values is not None and held is not None:
            return int(values[held]), ending.phase
        return (PASSED_STONES if ending.how in (PASSED, UNOPPOSED) else 0), "best"

    def _move(self, phase: str, seat: int, stones: int, why: str) -> Self:
        """Move stones to a seat, or from it as far as it has them."""
        moved = max(stones, -self.in_front(seat))
        if not moved:
            return self
        left = list(self.stones)
        left[self.side(seat)] += moved
        return replace(self, stones=tuple(left), moves=(*self.moves, Move(phase, seat, moved, why)))

    def _open_pots(self, settled: int) -> int:
        return sum(ending.pot for ending in self.endings[settled:])

    def _ended_if_lost(self, open_pots: int) -> Self:
        left = [side for side, stones in enumerate(self.stones) if stones]
        if self.over or open_pots or len(left) > 1:
            return self
        return replace(self, stage=OVER, turn=(), loser=left[0])
