"""The cards that can still be drawn: what has left the stock does not come back before it runs out.

Who draws first takes what the stock has. When it runs out the discards are the new stock,
all of them if later players still need cards, all but the player's own of this round if
not (RULES section 1). Everybody has thrown before the first draws, so the cards of later
players may be thrown already: those are given the benefit of the doubt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from musodds.errors import CardError
from musodds.rules.cards import Deck

Stock = tuple[int, ...]
"""Cards left, by kind; empty where it is not kept: a joker goes by other names."""


def new_stock(deck: Deck, held: Iterable[int]) -> Stock:
    """The stock when some cards are held or set aside.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> deck = get_game("mus").deck
    >>> new_stock(deck, deck.parse("RRRR 7A"))
    (4, 4, 4, 3, 4, 4, 4, 7)
    """
    if any(kind.stands_for for kind in deck.kinds):
        return ()
    gone = Counter(held)
    return tuple(kind.copies - gone[i] for i, kind in enumerate(deck.kinds))


def draw_from(deck: Deck, stock: Stock, drawn: Sequence[int], held: Iterable[int]) -> Stock | None:
    """The stock after cards are drawn from it; None if it ran out and was made anew.

    Parameters
    ----------
    deck : Deck
    stock : Stock
    drawn : sequence of int
        Kinds.
    held : iterable of int
        Cards that cannot be in a new stock.

    Raises
    ------
    CardError
        If such cards cannot be drawn.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> deck = get_game("mus").deck
    >>> draw_from(deck, (0, 0, 0, 0, 4, 4, 4, 7), deck.parse("R"), ())
    Traceback (most recent call last):
        ...
    musodds.errors.CardError: R cannot be drawn: no R is left in the stock, all are dealt or thrown
    """
    left = Counter(dict(enumerate(stock)))
    wanted = Counter(drawn)
    if len(drawn) <= left.total():
        _check(deck, wanted, left, "is left in the stock, all are dealt or thrown")
        return tuple((left - wanted)[i] for i in range(len(stock)))
    if left - wanted:
        raise CardError(
            f"{deck.text(tuple(wanted.elements()))} cannot be drawn: the stock has only "
            f"{deck.text(tuple(left.elements()))} left, which are drawn first"
        )
    again = Counter(dict(enumerate(new_stock(deck, [*held, *left.elements()]))))
    _check(deck, wanted - left, again, "can be among the discards, the new stock")
    return None


def _check(deck: Deck, wanted: Counter[int], left: Counter[int], why: str) -> None:
    for kind in wanted - left:
        text = deck.text((kind,))
        some = f"only {left[kind]} {text}" if left[kind] > 0 else f"no {text}"
        drawn = deck.text((kind,) * wanted[kind])
        raise CardError(f"{drawn} cannot be drawn: {some} {why}")
