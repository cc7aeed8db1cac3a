"""The signals (señas) that partners make: one table, systems by signals.

A signal is a *range in text* (see :mod:`musodds.knowledge.language`): the hands of which it is
true. Signals are truthful and optional, so a hand may be in several and a player may
keep silent; how often a player does make a sign is for a weight to say
(``seña:31@0.9 | any@0.1``).

Two systems to start with:

``classic``
    the usual table, with the extra signs of some circles;
``federation``
    the list in the rules of the Spanish federations, with medias of kings and of
    aces apart, and a sign for a juego that is not 31.

*Two kings* is no more and no fewer than two, in both: three and four have signs of
their own. *Ciego*, eyes shut, says that there is nothing to sign; in the classic
system it does not exist where 3 and 2 are cards of their own (four kings). With jokers
all of them are of the hand as it may be named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType

from musodds.errors import RangeError
from musodds.rules.game import Game


@dataclass(frozen=True, slots=True)
class Signal:
    """One sign of a system.

    Parameters
    ----------
    name : str
        How a range names it, after ``seña:``.
    gesture : str
        What the player does.
    means : str
        The same in words.
    range_text : str
        The hands of which it is true, as a range.
    folded_only : bool, optional
        Whether it exists only where a 3 is a king and a 2 an ace.
    """

    name: str
    gesture: str
    means: str
    range_text: str
    folded_only: bool = False

    def exists_in(self, game: Game) -> bool:
        """Whether players of this game make the sign."""
        return bool(game.deck.folds) or not self.folded_only


_LIP = "bite the lip"
_TONGUE = "show the tongue"

SYSTEMS: Mapping[str, tuple[Signal, ...]] = MappingProxyType(
    {
        "classic": (
            Signal("dos-reyes", _LIP, "two kings", "RR.."),
            Signal("cuatro-reyes", f"{_LIP}, twice", "four kings", "RRRR"),
            Signal("dos-ases", _TONGUE, "two aces", "AA.."),
            Signal("cuatro-ases", f"{_TONGUE}, twice", "four aces", "AAAA"),
            Signal("medias", "mouth to one side", "medias", "medias"),
            Signal("duples", "raise both brows", "duples", "duples"),
            Signal("31", "wink", "juego of 31", "31"),
            Signal(
                "ciego",
                "shut the eyes",
                "nothing worth a sign",
                "!(RR?? | AA?? | medias | duples | 31)",
                folded_only=True,
            ),
            Signal("tres-reyes", "extra: as agreed", "three kings", "RRR."),
            Signal("tres-ases", "extra: as agreed", "three aces", "AAA."),
            Signal("solomillo", "extra: purse the lips", "three kings and an ace", "RRRA"),
            Signal("30", "extra: raise a shoulder", "punto of 30", "30"),
            Signal("no-mus", "extra: head to the right", "cuts; any hand", "any"),
        ),
        "federation": (
            Signal("dos-reyes", _LIP, "two kings", "RR.."),
            Signal("dos-ases", _TONGUE, "two aces", "AA.."),
            Signal("medias", "mouth to one side", "other medias", "medias & !medias:R & !medias:A"),
            Signal("medias-reyes", "mouth aside, lip", "medias of kings", "medias:R"),
            Signal("medias-ases", "mouth aside, tongue", "medias of aces", "medias:A"),
            Signal("duples", "raise both brows", "duples", "duples"),
            Signal("juego", "as agreed", "juego that is not 31", "juego & !31"),
            Signal("31", "wink", "juego of 31", "31"),
            Signal("30", "raise both shoulders", "punto of 30", "30"),
            Signal("29", "raise one shoulder", "punto of 29", "29"),
            Signal("ciego", "shut the eyes", "nothing to sign", "!(pares | juego | 30 | 29)"),
            Signal("pares", "as agreed", "pares", "pares"),
        ),
    }
)


GESTURES: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("wink", "guiño", "guino"), "31"),
        **dict.fromkeys(("lip", "labio", "morder", "kings", "reyes"), "dos-reyes"),
        **dict.fromkeys(("tongue", "lengua", "aces", "ases"), "dos-ases"),
        **dict.fromkeys(("mouth", "boca"), "medias"),
        **dict.fromkeys(("brows", "eyebrows", "cejas"), "duples"),
        **dict.fromkeys(("blind", "eyes", "ojos", "ciega"), "ciego"),
        **dict.fromkeys(("shoulder", "shoulders", "hombro", "hombros"), "30"),
    }
)
"""What a gesture is called, and the signal it makes in the classic system."""


def find_signal(name: str, game: Game) -> Signal:
    """The signal of that name, the classic one where both systems have it.

    Parameters
    ----------
    name : str
        Such as ``31``, or with the system before it: ``federation:medias``.
    game : Game

    Raises
    ------
    RangeError
        If no system has such a signal, or players of this game do not make it.

    Examples
    --------
    >>> from musodds.rules.games import get_game
    >>> find_signal("medias", get_game("mus")).range_text
    'medias'
    >>> find_signal("federation:medias", get_game("mus")).range_text
    'medias & !medias:R & !medias:A'
    """
    first, colon, second = (part.strip().lower() for part in name.partition(":"))
    if colon and first not in SYSTEMS:
        raise RangeError(f"no system of signals {first!r}: systems are {', '.join(SYSTEMS)}")
    systems = (first,) if colon else tuple(SYSTEMS)
    wanted = "-".join((second if colon else first).split())
    known = [s for system in systems for s in SYSTEMS[system]]
    found = [s for s in known if s.name == wanted]
    here = [s for s in found if s.exists_in(game)]
    if here:
        return here[0]
    if found:
        raise RangeError(f"there is no sign for {wanted} in {game.name}")
    names = dict.fromkeys(s.name for s in known)
    close = get_close_matches(wanted, names, n=1) or [GESTURES.get(wanted, "")]
    hint = f"did you mean {close[0]}? Signals" if close[0] in names else "signals"
    raise RangeError(f"no signal {wanted!r}: {hint} are {', '.join(names)}")
