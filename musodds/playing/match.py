"""Games and the match: the score from deal to deal, and who is mano next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from musodds.errors import InputError
from musodds.playing.mus_deal import Deal
from musodds.rules.game import Game
from musodds.values import Value


@dataclass(frozen=True, repr=False)
class Match(Value):
    """A match between two sides, to as many games as its game says: the score, who is mano next.

    Parameters
    ----------
    game : Game
    games : tuple of int
        Games won by each side.
    score : tuple of int
        Stones of each side in the game being played.
    mano : int
        The side of mano in the next deal.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> match = Match(get_game("mus"), score=(39, 39))
    >>> deal = match.deal(["RRRR", "7654", "CSS4", "CSS4"], mus=False)
    >>> match = match.after(deal.act("órdago").act("quiero"))
    >>> match.games, match.score, match.mano, match.winner
    ((1, 0), (0, 0), 1, None)
    """

    game: Game
    games: tuple[int, ...] = (0, 0)
    score: tuple[int, ...] = (0, 0)
    mano: int = 0

    @property
    def winner(self) -> int | None:
        """The side that has won the games of a match."""
        return self.games.index(self.game.games) if self.game.games in self.games else None

    def deal(
        self,
        hands: Sequence[str | Sequence[int]],
        mus: bool = True,
        before: Sequence[str] = (),
    ) -> Deal:
        """The next deal; parameters as in :meth:`Deal.start`.

        Raises
        ------
        InputError
            If the match is over, or as in :meth:`Deal.start`.
        """
        if self.winner is not None:
            raise InputError(
                f"the match is over: side {self.winner} has won {self.game.games} games"
            )
        return Deal.start(self.game, hands, self.score, self.mano, mus, before)

    def after(self, deal: Deal) -> Match:
        """The match after a deal that is over.

        Raises
        ------
        ActionError
            If the deal is not over.
        InputError
            If it did not begin at this match's score.
        """
        result = deal.result
        if (deal.opening, deal.mano) != (self.score, self.mano):
            raise InputError("the deal did not begin at the score and mano of the match")
        mano = (self.mano + 1) % self.game.sides
        if result.winner is None:
            return replace(self, score=result.score, mano=mano)
        games = tuple(won + (side == result.winner) for side, won in enumerate(self.games))
        return replace(self, games=games, score=(0, 0), mano=mano)
