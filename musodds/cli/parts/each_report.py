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

_MEASURED_AT_LEAST = 10_000
_DEALS_A_PAIR = 10_000


def solve_and_report(
    what: str,
    game: Game,
    score: tuple[int, int],
    payoff: str,
    kind: str | None,
    bets: str | None,
    raises: str | None,
    reraises: int,
    gap: float,
    iterations: int | None,
    seed: int,
    workers: int,
    checkpoint: str | None = None,
) -> tuple[EachSolution, Report]:
    """Solve a phase, and say what was found.

    Half as many fresh deals as were learned from measure it.
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
            what, game, score=score, payoff=payoff, kind=kind,
            bets="2,ordago" if bets is None else bets,
            raises="2,ordago" if raises is None else raises,
            reraises=reraises, gap=gap,
            deals=deals, measured=min(MEASURED, max(deals // 2, _MEASURED_AT_LEAST)),
            pairs=min(PAIRS, max(deals // _DEALS_A_PAIR, 16)), seed=seed, workers=workers,
            watcher=watcher, checkpoint=checkpoint,
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
    """How often each opens, and the answers to first bets, all four taking part."""
    rows: list[dict[str, Any]] = []
    everybody = tuple(range(1, solved.game.seats + 1))
    bets = [word for word in solved.spoken() if word != "paso"]
    size = solved.game.side_size
    lines = [["paso"] * passed for passed in range(solved.game.seats)]
    lines += [[word, *["paso"] * passed] for word in bets for passed in range(size)]
    for line in lines:
        point = solved.tree.points[solved.tree.point(line, everybody)]
        for word, often in solved.spoken(line, everybody).items():
            if word not in ("paso", "no quiero"):
                rows.append(
                    {"phase": solved.phase, "after": ", ".join(line) or "-", "seat": point.seat,
                     "say": word, "frequency": None if often != often else often}
                )  # fmt: skip
    return rows


def _text(solved: EachSolution, rows: list[dict[str, Any]]) -> str:
    seen, equity = solved.measured, solved.payoff == "equity"
    where = f" at {solved.score[0]}-{solved.score[1]}" if equity else ", in stones"
    title = click.style(f"{solved.game.name}: {solved.phase} alone{where}, each", bold=True)

    def shown(value: float) -> str:
        return percent(value) if equity else signed(value, 3)

    lines = [
        f"mano's side {'wins the game' if equity else 'nets'}  {shown(seen.value)}"
        f"   (en paso {shown(seen.value - seen.over_passing)})",
        f"any one player gains at most  {solved.gain:.4f} stones by changing alone "
        f"(se {solved.error:.4f})",
        "a side that sees both hands would gain  "
        + ", ".join(f"{row['side']} {row['least']:.3f} (se {row['se']:.3f})"
                    for row in _sides(solved)) + " stones",
        f"bets {solved.tree.sizes.bets_text}; raises {solved.tree.sizes.raises_text}; "
        f"{len(solved.tree.points)} decisions; {solved.iterations} iterations, "
        f"{seen.deals:,} fresh deals",
    ]  # fmt: skip
    table = Table(
        ("after", "seat", "said", "how often"), "lrlr",
        [
            (row["after"], str(row["seat"]), row["say"], percent(row["frequency"]))
            for row in rows
        ],
    )  # fmt: skip
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
        notes.append("The table is of deals in which all four take part.")
    if solved.kind is not None:
        from musodds.stakes.equity_kinds import WORDS

        notes.append(f"Equity {solved.kind}: {WORDS[solved.kind]}.")
    return fill(" ".join(notes), page_width())
