"""Discard advice in words and tables: what to say, how often mus is agreed, what to throw."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING

import click
import numpy as np

from musodds.cli.hand import notes_of
from musodds.cli.parts.equities import equity_words
from musodds.cli.parts.output import WIDTH, Table, page_width, percent, signed
from musodds.rules.game import PHASES, Game
from musodds.rules.games import titled

if TYPE_CHECKING:
    from musodds.strategy.advice import Discard, SeatAdvice

_NET = "net: stones for your side less theirs when everybody passes"
_GAME = "game: your chance of winning the game, this deal en paso"
_LEGEND = (
    "{}; diff: to the best keep, on the same deals, +/- its standard error; grande to punto: "
    "your side takes it"
)
_PLAYS = "; +pares, +dup(les), +juego, +31: what you hold after {} draw{}"
_AT_THE_END = " at the end, after all rounds that are played"
_WHY_ALIKE = (
    "the same in every deal, as mus goes on and the policy throws again what they differ in; "
    "with --rounds 1 they differ"
)
_NAMED = 4
"""Keeps that are named of those that are alike."""
_AFTER = {"+pares": "pares", "+dup": "duples", "+juego": "juego", "+31": "31"}


def text_of(answer: Discard) -> str:
    """The advice for people, in 60 to 80 columns."""
    width = page_width()
    blocks = ["\n".join(line for text in _title(answer) for line in _wrapped(text))]
    for advice in answer.seats:
        heading = click.style(seat_of(answer.game, advice.seat), bold=True)
        texts = (*_words(answer, advice), *_alike(answer, advice))
        said = [line for text in texts for line in _wrapped(text)]
        table = _table(answer, advice, width >= WIDTH).text(gap=" ") if advice.draws else ""
        blocks.append("\n".join((heading, *said)) + "\n" + table)
    if answer.n:
        blocks.append("\n".join(_wrapped(_legend(answer, width >= WIDTH))))
    blocks += ["\n".join(_wrapped(note)) for note in notes_of(answer.game, answer.hand)]
    return "\n\n".join(block.rstrip("\n") for block in blocks)


def markdown_of(answer: Discard) -> str:
    """The advice as Markdown."""
    blocks = ["\n".join(map(click.unstyle, _title(answer)))]
    for advice in answer.seats:
        blocks.append(
            f"## {seat_of(answer.game, advice.seat)}\n\n"
            + " ".join((*_words(answer, advice), *_alike(answer, advice)))
        )
        if advice.draws:
            blocks.append(_table(answer, advice, True).markdown())
    return "\n\n".join(block.rstrip("\n") for block in blocks)


def seat_of(game: Game, seat: int) -> str:
    """A seat by number and name."""
    name = game.seat_name(seat)
    return f"seat {seat}" if name == str(seat) else f"seat {seat} ({name})"


def known_of(answer: Discard) -> str | None:
    """What is known of the others, in words."""
    return "; ".join(answer.knowledge.labels) if answer.knowledge else None


def score_of(answer: Discard) -> str | None:
    """The score that it is asked for."""
    return f"{answer.score[0]}-{answer.score[1]}" if answer.score else None


def _wrapped(text: str) -> list[str]:
    # What is styled is the first word, and is measured without its colour.
    plain = textwrap.wrap(click.unstyle(text), page_width(), subsequent_indent="")
    return [text, *plain[1:]] if len(plain) == 1 else plain


def _title(answer: Discard) -> list[str]:
    hand = click.style(answer.hand, bold=True)
    asked = "what to throw" if answer.game.visto else "mus or cut, and what to throw"
    how = f"{answer.method}, {answer.n} deals, seed {answer.seed}"
    if not answer.n:
        how = "exact"
    lines = [f"{hand} in {titled(answer.game)}: {asked}; {how}"]
    lines.append(f"others: {_others(answer)}; {_rounds(answer)}")
    if known := known_of(answer):
        lines.append(f"known: {known}")
    if answer.score:
        lines.append(f"chance of winning the game from {score_of(answer)}")
        if answer.equity:
            lines.append(equity_words(answer.equity))
    return lines


def _others(answer: Discard) -> str:
    words = answer.policy
    if answer.by_default and answer.policy == "best":
        words = "best, the solved policy"
    elif answer.by_default:
        words = f"{answer.policy}, as no solved policy of {answer.game.name} comes with musodds"
    own = [f"{_who(who)}: {name}" for who, name in answer.others]
    return "; ".join((words, *own))


def _who(who: str) -> str:
    return f"seat {who}" if who.isdigit() else who


def _rounds(answer: Discard) -> str:
    if answer.game.visto:
        more = f", then up to {answer.rounds - 1} of mus" if answer.rounds > 1 else ""
        return f"the round of mus visto{more}"
    rounds = "one round" if answer.rounds == 1 else f"up to {answer.rounds} rounds"
    return f"{rounds} of mus{'' if answer.learn else ', keeps tried on any deal'}"


def _words(answer: Discard, advice: SeatAdvice) -> list[str]:
    """What to say; how often mus is agreed; what to throw then; what it is worth."""
    worth, error = _figures(answer, 2)
    sure = f" +/- {error(advice.cut_net_se)}" if advice.cut_net_se else " (exact)"
    dealt = f"as dealt {worth(advice.cut_net)}{sure}"
    best = advice.best[:1].upper() + advice.best[1:]
    if answer.game.visto:
        return [f"{best}. All change cards, any number; {dealt}."]
    if not advice.draws:
        return [f"{_cutters(answer.game, advice)}; nothing to throw: {dealt}."]
    gain, gain_se = advice.agreed_gain
    told = f"{_amount(answer, abs(gain))} +/- {error(gain_se)}"
    said = {"mus": f"Say mus: {told} better than to cut", "cut": f"Cut: {told} better than mus"}
    lines = [said[str(advice.say)]]
    if not advice.say_is_sure:
        lines = [
            f"Mus or cut: cannot be told apart yet, {worth(gain)} +/- {error(gain_se)} with mus"
        ]
    lines[0] += ", each time mus is agreed." if advice.all_mus < 1 else "."
    lines.append(_agreed(advice))
    lines.append(f"{best}{_ahead(answer, advice)}.")
    then = f"Then {worth(float(advice.net[0]))} +/- {error(float(advice.net_se[0]))}"
    if answer.learn and advice.all_mus < 1:
        then += f" (as dealt {worth(float(advice.net[0]) - gain)})"
    over = f"; over all deals {dealt}"
    if advice.all_mus < 1:
        mus = advice.cut_net + float(advice.mus_gain[0])
        over += f", mus {worth(mus)} +/- {error(float(advice.mus_gain_se[0]))}"
    lines.append(f"{then}{over}.")
    return [" ".join(lines[:2]), " ".join(lines[2:])]


def _agreed(advice: SeatAdvice) -> str:
    if advice.all_mus == 1:
        return "The others always say mus."
    how = f"+/- {percent(advice.all_mus_se)}" if advice.all_mus_se else "(exact)"
    often = percent(advice.all_mus)
    if advice.all_mus < 0.0005:
        often = f"{advice.all_mus * 100:.2g}%"
    return f"If you say mus it is agreed in {often} {how} of deals."


def _ahead(answer: Discard, advice: SeatAdvice) -> str:
    if advice.undecided or len(advice.draws) < 2:
        return ""
    _, error = _figures(answer, 3)
    ahead = _amount(answer, -float(advice.diff[1]), 3)
    return f", {ahead} +/- {error(float(advice.diff_se[1]))} ahead of {advice.draws[1].keep}"


def _alike(answer: Discard, advice: SeatAdvice) -> list[str]:
    """A warning where several rounds make it all one which of some keeps is taken."""
    if answer.rounds == 1 or not advice.draws:
        return []
    groups: dict[bytes, list[str]] = {}
    for i, draw in enumerate(advice.draws):
        same = np.array([advice.net[i], advice.diff_se[i], *advice.win[i]]).tobytes()
        groups.setdefault(same, []).append(draw.keep)
    found = [keeps for keeps in groups.values() if len(keeps) > 1]
    if not found:
        return []
    words = []
    for keeps in found:
        more = f" and {len(keeps) - _NAMED} more" if len(keeps) > _NAMED else ""
        words.append(", ".join(keeps[:_NAMED]) + more)
    return [f"Alike: {' | '.join(words)}: {_WHY_ALIKE}."]


def _cutters(game: Game, advice: SeatAdvice) -> str:
    if not advice.cutters:
        return "The others never all say mus"
    if len(advice.cutters) == game.seats - 1:
        return "The others cut"
    names = []
    for seat in advice.cutters:
        name = f"seat {seat}"
        if game.partners(advice.seat) == (seat,):
            name = "your partner"
        elif seat == advice.seat % game.seats + 1:
            name = "the next rival"
        elif seat == (advice.seat - 2) % game.seats + 1:
            name = "the previous rival"
        names.append(name)
    words = " and ".join(names) + (" cuts" if len(names) == 1 else " cut")
    return words[:1].upper() + words[1:]


def _amount(answer: Discard, value: float, digits: int = 2) -> str:
    if answer.score:
        return f"{value * 100:.2f}% of games"
    return f"{value:.{digits}f} stones"


def _figures(answer: Discard, digits: int) -> tuple[Callable[[float], str], Callable[[float], str]]:
    """How what is compared is written, and its error: stones, or chances in per cent."""
    if answer.score is None:
        return signed, lambda error: f"{error:.{digits}f}"
    return lambda chance: f"{chance * 100:.2f}%", lambda error: f"{error * 100:.2f}"


def _table(answer: Discard, advice: SeatAdvice, plays: bool) -> Table:
    worth, error = _figures(answer, 3)
    after = _AFTER if plays else {}
    titles = ("keep", "net" if answer.score is None else "game", "diff", "+/-", *PHASES, *after)
    rows = []
    for i, draw in enumerate(advice.draws):
        chances = advice.chances(i)
        rows.append(
            (
                draw.keep,
                worth(float(advice.net[i])),
                # In per cent as well, without the sign: the row would pass 80 columns.
                worth(float(advice.diff[i])).removesuffix("%") if i else "",
                error(float(advice.diff_se[i])) if i else "",
                *(percent(float(win)) for win in advice.win[i]),
                *(percent(chances[play]) for play in after.values()),
            )
        )
    return Table(titles, "l" + "r" * (len(titles) - 1), rows)


def _legend(answer: Discard, plays: bool) -> str:
    legend = _LEGEND.format(_NET if answer.score is None else _GAME)
    if answer.rounds > 1:
        legend += _AT_THE_END
    if plays:
        simulated = any(advice.known_chances for advice in answer.seats)
        which = "the first" if answer.rounds > 1 else "the"
        legend += _PLAYS.format(which, ", simulated too" if simulated else " (exact)")
    if answer.game.visto:
        return f"{legend}."
    when = "deals in which all say mus" if answer.learn else "any deal"
    return (
        f"{legend}. The keeps are tried on {when}. This is the best answer to what the others do; "
        "what a policy itself does: musodds policy show."
    )
