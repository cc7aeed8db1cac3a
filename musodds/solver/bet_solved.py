"""What to say at the score when everybody plays well: betting against solved rivals.

:func:`musodds.stakes.bet.bet` lets the rivals hold anything, whatever they say, and see or
fold to a bet as nobody knows. Here they hold what the solved rivals hold after what was
said, and answer a bet as they do; a raise of theirs is then in, and what I answer to it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from musodds.errors import InputError
from musodds.knowledge.knowledge import Knowledge
from musodds.playing.actions import ENVIDO, ORDAGO, PASO, read_action
from musodds.rules.game import Game
from musodds.rules.games import get_game
from musodds.rules.hands import hands
from musodds.solver.best_here import best_here
from musodds.solver.each_here import each_here
from musodds.solver.each_solution import EachSolution
from musodds.solver.game import DEAL, EQUITY
from musodds.solver.here import Answers, Here, range_in_text
from musodds.solver.kept import EACH, WHY, Solved, model_for, solved_phase
from musodds.solver.strategy_file import read_played
from musodds.stakes.said import read_offer, read_phase
from musodds.stakes.scores import check_score
from musodds.values import Table


@dataclass(frozen=True, slots=True)
class SolvedChoice:
    """Something that may be said.

    Parameters
    ----------
    action : str
        ``paso``, ``envido 2``, ``quiero`` …, as records write it.
    frequency : float
        How often the solved strategy says it with this hand.
    equity, equity_se : float
        The chance of winning the game after it, and its standard error (0: exact).
    folded, seen, raised : float or None
        How the rivals answer a bet; None for what needs no answer.
    """

    action: str
    frequency: float
    equity: float
    equity_se: float = 0.0
    folded: float | None = None
    seen: float | None = None
    raised: float | None = None


@dataclass(frozen=True, eq=False, repr=False)
class SolvedBet(Table):
    """What each choice is worth against solved rivals; see :func:`bet_solved`.

    Attributes
    ----------
    game : Game
    hand : str
    seat : int
    phase : str
    score : tuple of int
        Ours and theirs.
    line : str
        What was said, as it was understood.
    choices : tuple of SolvedChoice
    ranges : tuple of (int, str)
        What each rival holds after the line, in the language of ranges, before cards that
        are gone are taken out.
    what, model, why : str
        What was solved, in which model, and why in that.
    bets, raises : str
        On offer.
    gap : float
        Stones: what a side (*each*: any one player, at most) still gains by its best response.
    method : str
        ``exact``, or ``monte-carlo`` in the model *each*.
    kind : str
        What the strategy assumes of later deals; see :mod:`musodds.stakes.equity_kinds`.
    knowledge : Knowledge
        Of which the rivals know nothing.
    """

    game: Game
    hand: str
    seat: int
    phase: str
    score: tuple[int, int]
    line: str
    choices: tuple[SolvedChoice, ...]
    ranges: tuple[tuple[int, str], ...]
    what: str
    model: str
    why: str
    bets: str
    raises: str
    gap: float
    method: str
    kind: str
    knowledge: Knowledge

    @property
    def best(self) -> str:
        """The choice that is worth most."""
        return max(self.choices, key=lambda choice: choice.equity).action

    def choice(self, action: str) -> SolvedChoice:
        """The choice of that name."""
        return next(choice for choice in self.choices if choice.action == action)

    def rows(self) -> list[dict[str, Any]]:
        """One dict per choice, with the fields of :class:`SolvedChoice`."""
        names = SolvedChoice.__slots__
        return [{name: getattr(choice, name) for name in names} for choice in self.choices]


def bet_solved(
    hand: str, *, seat: int | str, phase: str, score: tuple[int, int], game: str | Game = "mus",
    line: str | Iterable[str] | None = None, offer: int | str | None = None, on_table: int = 0,
    solved: str | Path | Solved | None = None, model: str | None = None,
    knowledge: Knowledge | None = None, seed: int = 1, kind: str | None = None,
) -> SolvedBet:  # fmt: skip
    """What a bet, an answer or a pass is worth at a score, against solved rivals.

    Parameters
    ----------
    hand : str
    seat : int or str
    phase : str
    score : tuple of int
        Our stones and theirs; of a solved deal, at its beginning.
    game : str or Game, optional
    line : str or sequence of str, optional
        What was said in the phase, such as ``"pares: paso, envido 2"``: in the model *each*
        player by player, else side by side. Needed unless nobody has spoken; between two
        players an offer over no other bet says it too.
    offer, on_table : optional
        As in :func:`musodds.stakes.bet.bet`.
    solved : path or Betting or EachSolution, optional
        A strategy, or a file of one, which is read once; default: the phase alone, as it was
        solved before on this computer, or else is now and kept. The first question to a
        strategy with one voice a side works out what everything is worth to every hand after
        every line: one to three seconds for a deal, the longer where sides have partners. Each
        later one is looked up, in about a millisecond.
    model : str, optional
        ``own`` or ``each``, where no strategy is given.
    knowledge : Knowledge, optional
        Of the others, of which the rivals know nothing; in the model *each*.
    seed : int, optional
        Of the deals that are sampled in the model *each*.
    kind : str, optional
        What is assumed of later deals, where no strategy is given; see
        :mod:`musodds.stakes.equity_kinds`.

    Returns
    -------
    SolvedBet

    Raises
    ------
    InputError
        If something given cannot be, or is not said by the solved players.

    Examples
    --------
    At 39-39 whoever folds has lost, so no bet is folded to.

    >>> solved = bet_solved("7654", seat=1, phase="grande", score=(39, 39), game="mus2p")
    >>> solved.model, solved.choice("órdago").folded < 0.05
    ('exact', True)
    """
    game = get_game(game) if knowledge is None else knowledge.game
    phase, my_seat = read_phase(phase), game.parse_seat(seat)
    check_score(game, *score)
    index = hands(game).index(hand)
    text = None if line is None else line if isinstance(line, str) else ";".join(line)
    if text is not None and (offer is not None or on_table):
        raise InputError(f"line {text!r}: it says what they offer; leave out offer and on_table")
    given = _loaded(solved) if isinstance(solved, str | Path) else solved
    for option, value in (("model", model), ("equity", kind)):
        if given is not None and value is not None:
            raise InputError(f"{option} {value!r}: the strategy that is given has its own")
    name = model_for(game, model) if given is None else _model(given)
    if text is None:
        text = _told(game, my_seat, name, phase, read_offer(on_table, offer), on_table)
    mano_first = score if game.side(my_seat) == 0 else (score[1], score[0])
    whole = given is not None and not isinstance(given, EachSolution) and given.spec.what == DEAL
    words = () if whole else _words(text, phase)
    if given is None:
        given = solved_phase(phase, game, mano_first, my_seat, model, words, kind)
    _check(given, game, phase, mano_first, my_seat)
    if isinstance(given, EachSolution):
        here = each_here(given, index, my_seat, words, knowledge or None, seed)
    else:
        if knowledge:
            raise InputError(
                f"known: {knowledge.labels[0]}: only the model each can use that; what rivals and "
                "partners hold is what the solved strategies say"
            )
        here = best_here(given, index, game.side(my_seat), text if whole else ", ".join(words))
        _check_phase(given, text, phase, whole)
    return _answer(
        given, here, game=game, hand=hands(game).texts[index], seat=my_seat, phase=phase,
        score=score, line=text if whole else f"{phase}: {', '.join(words)}" if words else "",
        knowledge=knowledge or Knowledge(game),
    )  # fmt: skip


def _loaded(path: str | Path) -> Solved:
    """A strategy in a file: read again only if the file has changed, as many questions ask it."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return read_played(path)
    return _read(Path(path).absolute(), found.st_mtime_ns, found.st_size, found.st_ino)


@lru_cache(maxsize=2)
def _read(path: Path, *stamp: int) -> Solved:
    return read_played(path)


def _model(solved: Solved) -> str:
    return EACH if isinstance(solved, EachSolution) else solved.spec.model


def _told(
    game: Game, seat: int, model: str, phase: str, offer: int | str | None, on_table: int
) -> str:
    """The line that an offer tells where nothing else can have been said."""
    order = seat - 1 if model == EACH else game.side(seat)
    if offer is None and order == 0:
        return ""
    bet = ORDAGO if offer == ORDAGO else f"{ENVIDO} {offer}"
    if model != EACH and not on_table:
        return f"{PASO}" if offer is None else f"{PASO}, {bet}" if order == 0 else bet
    told = f"an offer of {offer}" if offer is not None else f"seat {seat} to speak"
    example = PASO if offer is None else f"{PASO}, {bet}"
    raise InputError(
        f"line: {told} does not say who said what before; write it, such as "
        f"--line '{phase}: {example}'"
    )


def _words(text: str, phase: str) -> tuple[str, ...]:
    """What was said in the phase; earlier phases may only have been passed."""
    words: list[str] = []
    for piece in filter(None, map(str.strip, text.replace("\n", ";").split(";"))):
        name, colon, said = (part.strip() for part in piece.rpartition(":"))
        mine = [word.strip() for word in said.split(",") if word.strip()]
        if not colon or name.lower() == phase:
            words += mine
        elif any(word.lower() not in (PASO, "en paso") for word in mine):
            raise InputError(
                f"line {piece!r}: {phase} is solved alone, all else passed; with what was agreed "
                "in earlier phases give a file of a solved deal"
            )
    return tuple(read_action(word).text for word in words)


def _check(solved: Solved, game: Game, phase: str, score: tuple[int, int], seat: int) -> None:
    """Raise InputError if a strategy is of something else."""
    if isinstance(solved, EachSolution):
        what, of, at, payoff = solved.phase, solved.game, solved.score, solved.payoff
    else:
        spec = solved.spec
        what, of, at, payoff = spec.what, spec.game, spec.score, spec.payoff
    if of != game:
        raise InputError(f"strategy: it is of {of.name}, not of {game.name}")
    if what not in (phase, DEAL):
        raise InputError(f"strategy: it is of {what}, not of {phase}")
    if payoff != EQUITY:
        raise InputError("strategy: it plays for stones; solve it for the game (payoff equity)")
    if at != score:
        raise InputError(
            f"strategy: it is for {at[0]}-{at[1]}, mano's side first, not {score[0]}-{score[1]}"
        )
    if not isinstance(solved, EachSolution) and seat not in solved.spec.speakers:
        speakers = " and ".join(map(str, solved.spec.speakers))
        raise InputError(f"seat {seat}: in this strategy seats {speakers} speak")


def _check_phase(solved: Solved, text: str, phase: str, whole: bool) -> None:
    if whole and not isinstance(solved, EachSolution):
        from musodds.solver.lines import follow

        at = solved.tree.phase[follow(solved.tree, text)]
        if at != phase:
            raise InputError(f"line {text!r}: after it {at} is bet on, not {phase}")


def _answer(solved: Solved, here: Here, **given: Any) -> SolvedBet:
    choices = []
    for i, action in enumerate(here.actions):
        answer = here.answers[i] or Answers(None, None, None)  # type: ignore[arg-type]
        choices.append(
            SolvedChoice(
                action, float(here.frequencies[i]), float(here.worths[i]),
                float(here.errors[i]), *answer,
            )
        )  # fmt: skip
    texts = hands(given["game"]).texts
    ranges = tuple((seat, range_in_text(some, texts)) for seat, some in here.ranges.items())
    if isinstance(solved, EachSolution):
        tree, gap, method, what = solved.tree, solved.gain, "monte-carlo", solved.phase
        bets, raises = tree.sizes.bets_text, tree.sizes.raises_text
        kind = solved.kind
    else:
        sizes, gap, method = solved.spec.sizes, solved.exploitability_stones, "exact"
        bets, raises, what = sizes.bets_text, sizes.raises_text, solved.spec.what
        kind = solved.spec.kind
    model = _model(solved)
    return SolvedBet(
        **given, choices=tuple(choices), ranges=ranges, what=what, model=model, why=WHY[model],
        bets=bets, raises=raises, gap=gap, method=method, kind=str(kind),
    )  # fmt: skip
