"""How ``musodds solve --model each`` solves, and what it prints."""

from __future__ import annotations

import time
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from musodds.cli.parts.output import Report, Table, page_width, percent, signed
from musodds.rules.game import Game

if TYPE_CHECKING:
    from musodds.solver.each_solution import EachSolution

WEAKEST = (
    "with: the hands that say it most often; weakest: the worst hands in the phase that still "
    "say it at least one time in ten: the bluffs, where it is a bet."
)

_MEASURED_AT_LEAST = 10_000
_DEALS_A_PAIR = 10_000


def solve_and_report(
    what: str,
    game: Game,
    *,
    bets: str | None,
    raises: str | None,
    iterations: int | None,
    **asked: Any,
) -> tuple[EachSolution, Report]:
    """Solve a phase, and say what was found.

    Half as many fresh deals as were learned from measure it. What else is asked are options of
    :func:`musodds.solver.each.solve_each`.
    """
    from musodds.errors import InputError
    from musodds.rules.game import PHASES
    from musodds.simulation.progress import progress_bar
    from musodds.solver.each import DEALS, MEASURED, PAIRS, solve_each
    from musodds.solver.each_learn import ITERATION

    if what not in PHASES:
        raise InputError(f"model each solves one phase, not {what!r}: {', '.join(PHASES)}")
    began, deals = time.monotonic(), DEALS if iterations is None else iterations * ITERATION
    with progress_bar("deals") as watcher:
        solved = solve_each(
            what, game,
            bets="2,ordago" if bets is None else bets,
            raises="2,ordago" if raises is None else raises,
            deals=deals, measured=min(MEASURED, max(deals // 2, _MEASURED_AT_LEAST)),
            pairs=min(PAIRS, max(deals // _DEALS_A_PAIR, 16)), watcher=watcher, **asked,
        )  # fmt: skip
    return solved, report_of(solved, time.monotonic() - began)


def report_of(solved: EachSolution, seconds: float) -> Report:
    """The answer in every format."""
    seen, tree = solved.measured, solved.tree
    head = {
        "what": solved.phase, "game": solved.game.name, "model": "each", "method": solved.method,
        "score": f"{solved.score[0]}-{solved.score[1]}", "payoff": solved.payoff,
        "equity_kind": solved.kind,
        "speakers": None, "bets": tree.sizes.bets_text, "raises": tree.sizes.raises_text,
        "reraises": tree.sizes.reraises, "value": seen.value, "value_se": seen.value_se,
        "en_paso": seen.value - seen.over_passing, "played": seen.contested,
        "of_all_deals": solved.value, "of_all_deals_se": solved.value_se,
        "exploitability": float(seen.gains_most.max()), "exploitability_stones": solved.gain,
        "exploitability_stones_se": solved.error, "one_player": _players(solved),
        "both_hands": _sides(solved), "iterations": solved.iterations,
        "decisions": len(tree.points), "n": seen.deals, "seed": solved.seed, "seconds": seconds,
        "known": list(solved.known.labels) or None,
    }  # fmt: skip
    rows = openings(solved)
    return Report(head, "openings", rows, lambda: _text(solved, rows), lambda: _text(solved, rows))


def _players(solved: EachSolution) -> list[dict[str, Any]]:
    """What each player gains by changing alone, in stones."""
    seen = solved.measured
    return [
        {"seat": seat + 1, "least": low / solved.stone, "se": se / solved.stone,
         "most": high / solved.stone}
        for seat, (low, se, high) in enumerate(
            zip(*(x.tolist() for x in (seen.gains, seen.gains_se, seen.gains_most)), strict=True)
        )
    ]  # fmt: skip


def _sides(solved: EachSolution) -> list[dict[str, Any]]:
    """What a side would gain that sees both its hands, in stones."""
    return [
        {"side": name, "least": side.gain / solved.stone, "se": side.se / solved.stone,
         "most": side.most / solved.stone, "most_se": side.most_se / solved.stone}
        for name, side in zip(("mano", "other"), solved.sides, strict=True)
    ]  # fmt: skip


def openings(solved: EachSolution) -> list[dict[str, Any]]:
    """How often each opens, and the answers to first bets, all taking part that may."""
    from musodds.rules.hands import hands
    from musodds.solver.summary import who_says

    rows: list[dict[str, Any]] = []
    bets, known = {word for word in solved.spoken() if word != "paso"}, hands(solved.game)
    for point in solved.tree.points:
        first, passed = point.line[:1], point.line[1:]
        if point.able != solved.tree.usual or not (
            {*first} <= {"paso", *bets} and {*passed} <= {"paso"}
        ):
            continue
        for i, (word, often) in enumerate(solved.spoken(point.line, point.able).items()):
            if word in ("paso", "no quiero"):
                continue
            chance = solved.strategy[point.seat - 1, :, point.slot + i]
            here = slice(point.slot, point.slot + len(point.actions))
            weight = solved.measured.said_with[point.seat - 1, :, here].sum(axis=1)
            said = who_says(known.texts, chance, weight, known.level[solved.phase])
            said["frequency"] = None if often != often else often
            rows.append(
                {"phase": solved.phase, "after": ", ".join(point.line) or "-",
                 "seat": point.seat, "say": word, **said}
            )  # fmt: skip
    return sorted(rows, key=lambda row: (row["after"] not in _PASSED, _PASSED.index(row["after"])
                                         if row["after"] in _PASSED else 0))  # fmt: skip


_PASSED = ["-", "paso", "paso, paso", "paso, paso, paso"]


def _text(solved: EachSolution, rows: list[dict[str, Any]]) -> str:
    seen, equity = solved.measured, solved.payoff == "equity"
    where = f" at {solved.score[0]}-{solved.score[1]}" if equity else ", in stones"
    title = click.style(f"{solved.game.name}: {solved.phase} alone{where}, each", bold=True)

    def shown(value: float) -> str:
        return percent(value) if equity else signed(value, 3)

    lines = [
        f"mano's side {'wins the game' if equity else 'nets'}  {shown(seen.value)}"
        f"   (en paso {shown(seen.value - seen.over_passing)})",
        f"any one player gains at most  {solved.gain:z.4f} stones by changing alone "
        f"(se {solved.error:.4f})",
        "a side that sees both hands would gain  "
        + ", ".join(f"{row['side']} {row['least']:z.3f} (se {row['se']:.3f})"
                    for row in _sides(solved)) + " stones",
        f"bets {solved.tree.sizes.bets_text}; raises {solved.tree.sizes.raises_text}; "
        f"{len(solved.tree.points)} decisions; {solved.iterations} iterations, "
        f"{seen.deals:,} fresh deals",
    ]  # fmt: skip
    table = Table(
        ("after", "seat", "said", "how often", "with", "weakest hands in it"), "lrlrll",
        [
            (row["after"], str(row["seat"]), row["say"],
             "-" if row["frequency"] is None else percent(row["frequency"]),
             row["most"], row["bluffs"])
            for row in rows
        ],
    )  # fmt: skip
    lines += [fill(f"known: {label}", page_width()) for label in solved.known.labels]
    return f"{title}\n\n" + "\n".join(lines) + f"\n\n{table.text()}\n{_notes(solved)}"


def _notes(solved: EachSolution) -> str:
    seen, notes = solved.measured, []
    given = ""
    if seen.contested < 0.999999:
        given = f", given that it is bet on ({percent(seen.contested)} of deals)"
    notes.append(f"One phase: all others are passed{given}.")
    notes.append(
        "Model each: every player speaks on his own hand; partners make no signs. Between "
        "two pairs no theorem says that learning ends in an equilibrium: what a player gains "
        "is a bound that was measured on fresh deals, not one that was proved."
    )
    if solved.game.seats > 2 and solved.phase in ("pares", "juego"):
        who = ", ".join(map(str, solved.tree.usual))
        notes.append(f"The table is of deals in which seats {who} take part.")
    notes.append(WEAKEST)
    if solved.kind is not None:
        from musodds.stakes.equity_kinds import WORDS

        notes.append(f"Equity {solved.kind}: {WORDS[solved.kind]}.")
    return fill(" ".join(notes), page_width())
