"""What each player of a deal that was written down knew at every decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from musodds.errors import GameError, RangeError
from musodds.knowledge.knowledge import Knowledge, know
from musodds.playing.actions import ORDAGO
from musodds.playing.deal import CHANGE, CHANGES, NONE, SHOWN, TALK, VISTO, Said
from musodds.playing.mus_deal import Deal
from musodds.playing.replay import steps
from musodds.rules.game import Game, with_target
from musodds.rules.games import get_game, unusual
from musodds.rules.showdown import DEJE, REFUSED, SEEN, Ending
from musodds.stakes.equity import Equity
from musodds.strategy.judges import View

DECLARED = ("pares", "juego")


@dataclass(frozen=True)
class Choice:
    """A decision of a deal: who decided what, knowing what.

    Parameters
    ----------
    kind : str
        ``mus`` (mus or cut), ``discard``, ``bet`` (nobody has bet), ``answer``, ``4567``.
    before : Deal
        The deal, all hands with it: not for a judge.
    said : Said
    seat : int
        Who decided; where a side answered as one, the first who might.
    view : View
    """

    kind: str
    before: Deal
    said: Said
    seat: int
    view: View

    @property
    def keep(self) -> str:
        """The cards that stay, where some are changed."""
        deck = self.before.game.deck
        thrown, _, _ = self.said.text.partition(">")
        held = Counter(deck.parse(self.view.hand))
        kept = held - Counter(deck.parse(thrown) if thrown != NONE else ())
        return deck.text(tuple(sorted(kept.elements()))) or NONE


def plain(game: Game, *options: str) -> Game:
    """The game without options that matter only before mus.

    Examples
    --------
    >>> plain(get_game("mus-real-4567-visto"), "4567", "visto").name
    'mus-real'
    """
    words = game.name.split("-")
    wanted = [option for option in options if option in words]
    if not wanted:
        return game
    other = unusual(game)
    found = get_game("-".join(word for word in words if word not in wanted))
    return with_target(found, other.get("target"), other.get("games_to_win"))


def choices(deal: Deal, signs: Mapping[int, Sequence[str]], table: Equity) -> Iterator[Choice]:
    """The decisions of a deal, in the order in which they were made."""
    thrown: dict[int, list[int]] = {}
    changed = any(said.stage in CHANGES and said.text != NONE for said in deal.said)
    touched = False
    shown: list[int] = []
    for before, said in steps(deal):
        seat = said.seat or _first_to_answer(before)
        # Signs that were noted are of the hands that were played.
        noted = signs if touched or not changed else {}
        gone = (*thrown.get(seat, ()), *shown)
        view = _view(before, seat, noted, gone, table)
        yield Choice(_kind(before), before, said, seat, view)
        if said.stage in CHANGES:
            touched = True
            if before.stock is None or (before.stock and sum(before.stock) < _drawn(said)):
                thrown, shown = {}, []  # a new stock: what was thrown may come again
            elif said.text != NONE:
                out = deal.game.deck.parse(said.text.partition(">")[0])
                if said.stage == SHOWN:
                    shown.extend(out)  # everybody saw them
                else:
                    thrown.setdefault(seat, []).extend(out)


def _drawn(said: Said) -> int:
    return len(said.text.partition(">")[2])


def _first_to_answer(before: Deal) -> int:
    """Of a side that answers as one: who speaks next after the bettor."""
    return before.turn[0]


def _kind(before: Deal) -> str:
    if before.stage == TALK:
        return "mus"
    if before.stage == SHOWN:
        return SHOWN
    if before.stage in CHANGES:
        return "discard"
    return "answer" if before.bet else "bet"


def _view(
    before: Deal,
    seat: int,
    signs: Mapping[int, Sequence[str]],
    thrown: Sequence[int],
    table: Equity,
) -> View:
    """What a seat sees of a deal."""
    side = before.side(seat)
    game = plain(before.game, "4567") if before.stage == VISTO else _plain(before.game)
    partners = _signs(before, game, seat, signs)
    view = View(
        game,
        before.hand(seat),
        seat,
        (before.score[side], before.score[1 - side]),
        _knowledge(before, game, partners, thrown),
        table,
        said=before.said,
        opening=(before.opening[side], before.opening[1 - side]),
        declared={phase: before.declares(phase) for phase in DECLARED if _heard(before, phase)},
        signed=bool(partners),
    )
    if before.stage == TALK:
        return replace(view, spoken=before.playing.index(seat))
    if before.stage in CHANGES:
        return view
    view = replace(view, phase=before.stage, earlier=_earlier(before, side))
    if before.bet is None:
        return view
    on_table = before.bet.refused if before.bet.refused > DEJE else 0
    offer = ORDAGO if before.bet.ordago else before.bet.seen - on_table
    return replace(view, on_table=on_table, offer=offer)


def _heard(before: Deal, phase: str) -> bool:
    """Whether the declarations before a phase have been heard."""
    return before.stage in ("pares", "juego", "punto")[DECLARED.index(phase) :]


def _plain(game: Game) -> Game:
    return plain(game, "4567", "visto")


def _earlier(before: Deal, side: int) -> dict[str, Ending]:
    """The phases in which there was a bet; side 0 is ours."""
    found = {}
    for ending in before.endings:
        if ending.how == SEEN:
            found[ending.phase] = Ending(ending.phase, SEEN, ending.stones)
        elif ending.how == REFUSED:
            taker = int(ending.side != side)
            found[ending.phase] = Ending(ending.phase, REFUSED, 0, taker)
    return found


def _signs(
    before: Deal, game: Game, seat: int, signs: Mapping[int, Sequence[str]]
) -> dict[int | str, str]:
    """The hands of the partners by the signs that they made."""
    found: dict[int | str, str] = {}
    for partner in game.partners(seat):
        names = [f"seña:{'-'.join(sign.lower().split())}" for sign in signs.get(partner, ())]
        if names and before.stage != CHANGE:
            found[partner] = " & ".join(names)
    return found


def _knowledge(
    before: Deal, game: Game, partners: Mapping[int | str, str], thrown: Sequence[int]
) -> Knowledge:
    """The declarations so far, the partners' signs, the cards that the seat knows are gone."""
    declared = {
        phase: ",".join("yes" if has else "no" for has in before.declares(phase))
        for phase in DECLARED
        if _heard(before, phase)
    }
    try:
        return know(
            game,
            dead=game.deck.text(tuple(thrown)) if thrown else None,
            seats=partners,
            pares=declared.get("pares"),
            juego=declared.get("juego"),
        )
    except (RangeError, GameError) as error:
        raise type(error)(f"the signs of a record: {error}") from None
