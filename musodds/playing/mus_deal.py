"""A deal of Mus after the cards, as a state machine, and the match of three games.

The rules are those of RULES section 1. Where they are silent this is the reading:

- In pares and juego only the players who declared yes may speak (the source says so
  of Encaje, "as in Mus").
- After a bet any of them on the other side may answer, those who passed before too;
  the first answer counts, as the side answers as one.
- An órdago can only be seen or refused, not raised.
- A bet may be larger than what is missing to the target.
- What a phase is worth is counted item by item (first the bet, then each hand from
  mano on); the count stops at the item that reaches the target.
- An órdago that is seen wins the game without changing the score.
- The deal goes on rotating from one game of the match to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from musodds.errors import InputError
from musodds.playing.actions import (
    ENVIDO,
    LEAST_BET,
    MOST_BET,
    NO_QUIERO,
    ORDAGO,
    PASO,
    QUIERO,
    RAISE,
    Action,
    ActionError,
    Option,
)
from musodds.playing.deal import OVER, TALK, Procedure, next_phase, read_hands
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.showdown import (
    DEJE,
    PASSED,
    REFUSED,
    SEEN,
    UNOPPOSED,
    VOID,
    Award,
    Ending,
    awards_of,
    best_seat,
    count_awards,
    levels_in,
)


@dataclass(frozen=True, slots=True)
class Bet:
    """An open bet: who made it, what it is worth seen and refused."""

    side: int
    seen: int
    refused: int
    ordago: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """What a deal came to.

    Parameters
    ----------
    score : tuple of int
        Stones of each side after the deal.
    stones : tuple of int
        Stones each side scored in this deal.
    awards : tuple of Award
        Every item that was scored, in order.
    endings : tuple of Ending
        How the betting in each phase ended.
    winner : int or None
        The side that won the game.
    """

    score: tuple[int, ...]
    stones: tuple[int, ...]
    awards: tuple[Award, ...]
    endings: tuple[Ending, ...]
    winner: int | None


@dataclass(frozen=True, kw_only=True, repr=False)
class Deal(Procedure):
    """A deal of Mus between two sides, from the mus talk to the score.

    Start one with :meth:`start`; the attributes of :class:`Procedure` come first.

    Parameters
    ----------
    opening : tuple of int
        Score before the deal.
    score : tuple of int
        Score now; what is refused is scored at once.
    bet : Bet or None
        The bet that waits for an answer.
    endings : tuple of Ending
    awards : tuple of Award
    winner : int or None
        The side that won the game.

    Examples
    --------
    >>> deal = Deal.start("mus", ["772A", "33S2", "RRSA", "CCC6"], score=(32, 35), mus=False)
    >>> for word in ["paso", "paso", "paso", "envido 5", "quiero"]:
    ...     deal = deal.act(word)
    >>> deal.stage, deal.turn, [option.text for option in deal.legal()]
    ('chica', (1,), ['paso', 'envido (2 or more)', 'órdago'])
    >>> for word in ["envido", "raise 4", "órdago"]:
    ...     deal = deal.act(word)
    >>> deal.act("envido")
    Traceback (most recent call last):
        ...
    musodds.playing.actions.ActionError: 'envido 2' is not legal now. chica, seat 2 or 4 to speak: \
quiero or no quiero
    >>> deal.act("no quiero").score
    (38, 35)
    """

    opening: tuple[int, ...]
    score: tuple[int, ...]
    bet: Bet | None = None
    endings: tuple[Ending, ...] = ()
    awards: tuple[Award, ...] = ()
    winner: int | None = None

    @classmethod
    def start(
        cls,
        game: str | Game,
        hands: Sequence[str | Sequence[int]],
        score: Sequence[int] = (0, 0),
        mano: int = 0,
        mus: bool = True,
        before: Sequence[str] = (),
    ) -> Self:
        """A deal before anything is said.

        Parameters
        ----------
        game : str or Game
            A game of two sides.
        hands : sequence of (str or sequence of int)
            One a seat, from mano on, as text or as kinds.
        score : sequence of int
            Stones of each side, 0 to below the target.
        mano : int
            Which entry of the score is mano's side.
        mus : bool
            Begin with the mus talk; False: with grande.
        before : sequence of str
            Rounds in which cards are changed before mus: ``4567``, ``visto``.

        Raises
        ------
        InputError
            If the game has not two sides, a hand is none, the deck does not hold
            the hands, or the score or mano cannot be.
        """
        game = get_game(game)
        if game.sides != 2:
            raise InputError(
                f"{game.name} has {game.sides} sides: a deal of Mus is of two (see Encaje)"
            )
        if len(score) != 2 or not all(0 <= stones < game.target for stones in score):
            raise InputError(
                f"score {'-'.join(map(str, score))}: two numbers from 0 to {game.target - 1}"
            )
        if mano not in (0, 1):
            raise InputError(f"mano {mano}: the side of mano is 0 or 1, its place in the score")
        classes = read_hands(game, hands)
        if None in classes:
            raise InputError("a hand is missing: in Mus every seat holds one")
        deal = cls(
            game=game,
            mano=mano,
            dealt=classes,
            classes=classes,
            stage=TALK,
            turn=(1,),
            opening=tuple(score),
            score=tuple(score),
        )
        return deal._begin(before, mus)

    @property
    def result(self) -> Result:
        """What the deal came to.

        Raises
        ------
        ActionError
            If it is not over.
        """
        if not self.over:
            raise ActionError(f"the deal is not over. {self.state_text()}")
        stones = tuple(now - then for now, then in zip(self.score, self.opening, strict=True))
        return Result(self.score, stones, self.awards, self.endings, self.winner)

    def speakers(self, phase: str) -> tuple[int, ...]:
        """The seats that may bet in a phase: none unless both sides take part in it."""
        able = tuple(levels_in(self.game, self._held, phase))
        return able if len({self.side(seat) for seat in able}) == 2 else ()

    @property
    def _held(self) -> tuple[int, ...]:
        return tuple(held for held in self.classes if held is not None)

    @property
    def on_table(self) -> int:
        """Stones bet so far in the phase."""
        return self.bet.seen if self.bet else 0

    def _betting_options(self) -> tuple[Option, ...]:
        if self.bet is None:
            return (Option(PASO), Option(ENVIDO, LEAST_BET, None), Option(ORDAGO))
        answers = (Option(QUIERO), Option(NO_QUIERO))
        if self.bet.ordago:
            return answers
        return (*answers, Option(RAISE, LEAST_BET, None), Option(ORDAGO))

    def _bet(self, said: Action) -> Self:
        if said.word == PASO:
            return self._pass()
        if self.bet is None or said.word in (RAISE, ORDAGO):
            return self._raise(said)
        if said.word == NO_QUIERO:
            return self._refuse(self.bet)
        return self._see(self.bet)

    def _pass(self) -> Self:
        later = [seat for seat in self.speakers(self.stage) if seat > self.turn[0]]
        if later:
            return replace(self, turn=(later[0],))
        return self._close(Ending(self.stage, PASSED))

    def _raise(self, said: Action) -> Self:
        side = self.side(self.turn[0])
        on_table = self.on_table
        if on_table + said.stones > MOST_BET:
            raise ActionError(
                f"{said.text!r} makes {on_table + said.stones}: at most {MOST_BET} can be bet"
            )
        bet = Bet(side, on_table + said.stones, on_table or DEJE, said.word == ORDAGO)
        answering = tuple(s for s in self.speakers(self.stage) if self.side(s) != side)
        return replace(self, bet=bet, turn=answering)

    def _refuse(self, bet: Bet) -> Self:
        scored = self._count((Award(self.stage, bet.side, bet.refused, "deje"),))
        ending = Ending(self.stage, REFUSED, bet.refused, bet.side)
        return scored._close(ending)

    def _see(self, bet: Bet) -> Self:
        ending = Ending(self.stage, SEEN, bet.seen)
        if not bet.ordago:
            return self._close(ending)
        seat = best_seat(levels_in(self.game, self._held, self.stage))
        award = Award(self.stage, self.side(seat), 0, ORDAGO, seat)
        won = replace(self, awards=(*self.awards, award), winner=award.side)
        return won._close(ending)

    def _close(self, ending: Ending) -> Self:
        closed = replace(self, endings=(*self.endings, ending), bet=None)
        if self.winner is not None:
            return replace(closed, stage=OVER, turn=())
        juego = bool(levels_in(self.game, self._held, "juego"))
        following = next_phase(ending.phase, juego)
        return closed._enter(following) if following else closed._showdown()

    def _enter(self, phase: str) -> Self:
        speakers = self.speakers(phase)
        if not speakers:
            anyone = levels_in(self.game, self._held, phase)
            return self._close(Ending(phase, UNOPPOSED if anyone else VOID))
        return replace(self, stage=phase, turn=speakers[:1])

    def _showdown(self) -> Self:
        awards = [
            award
            for ending in self.endings
            for award in awards_of(self.game, self._held, ending, self.mano)
        ]
        return replace(self._count(awards), stage=OVER, turn=())

    def _count(self, awards: Sequence[Award]) -> Self:
        score, counted, winner = count_awards(self.score, awards, self.game.target)
        return replace(self, score=score, awards=(*self.awards, *counted), winner=winner)
