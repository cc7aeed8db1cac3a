"""Command lines that nobody means: a grammar over all commands and options, with hostile values.

:mod:`tests.cli.hostile_runs` runs them.
"""

from __future__ import annotations

import random
from importlib import import_module

import click

from musodds.cli.commands import COMMANDS

GAMES = (
    "mus", "mus4", "mus2p", "mus6p", "mus-real", "mus-real-oros", "mus-real-suits", "encaje3",
    "mus-ten-kings", "mus2p-ten-kings", "mus-4567", "mus-visto", "mus2p-4567", "encaje5",
    "encaje3-4567", "mus6p-50-4567", "encaje3-five-cards", "4reyes", "mus-mus", "mus-", "encaje4",
)  # fmt: skip

HANDS = (
    "RR7A", "7654", "RRRR", "AAAA", "S777", "RCS7", "4444", "R R 7 A", "12 12 7 1", "*R77", "**7S",
    "7o 7c 7e So", "So777", "RR7AA", "RR7", "rey rey siete as", "12o 12c 7e 1b", "R♥R7A", "KQJT",
    "77777", "RRRRRRRRR", "So So R R", "",
)  # fmt: skip

HOSTILE = (
    "", " ", "-", "--", "0", "-1", "1", "2", "4", "9", "1e6", "1e400", "nan", "inf", "-inf", "1.5",
    "9" * 5000, "-" + "9" * 5000, "a" * 300, "../" * 100, "\u0663", "²", "ñ", "\udcff",
    "\x00", "\x1b[31m", "=1+1", "%s", "{}", "{0}", "\\", "'", '"', "(", ")" * 50,
    "(" * 500, "!" * 500,
    "@", "31@", "31@0", "31@-1", "31@1/0", "?", "....", "RR??", "|", "&", "a|b", "31|31" * 50,
    "seña:",
    "seña:guiño", "/dev/null", "/dev/zero", "/", ".", "no/such", "mano", "postre", "all", "none",
    "\n",
)  # fmt: skip

RANGES = (
    "any", "31", "pares", "duples:RA", "RR..", "RR??", "pares & !31", "31@0.7 | pares@0.3",
    "any@0.5",
    "juego>=36", "seña:31", "seña:dos-reyes", "real", "par", "!any", "punto<4", "RR7A", "40",
    "**??",
)  # fmt: skip

NUMBERS = ("1", "2", "3", "100", "1e3", "1000.0", "0", "-1", "1e400", "9" * 5000, "x")
SCORES = ("0-0", "39-39", "32-35", "38,39", "40-0", "1-", "-1-2", "1-2-3", "9-9", "0-0", "14-20")

VALUES: dict[str, tuple[str, ...]] = {
    "game": GAMES,
    "seat": ("1", "2", "3", "4", "5", "6", "mano", "postre", "dealer", "all", "0", "7"),
    "hand": HANDS,
    "phase": ("grande", "chica", "pares", "juego", "punto", "mus"),
    "score": SCORES,
    "kind": ("paso", "bets-2", "bets-5", "solved", "PASO", "bets-3", ""),
    "games": ("0-0", "1-0", "1-1", "2-0", "0", "x-y"),
    "solved": ("/dev/null", "no/such.mus", "RR7A"),
    "line": ("grande: paso", "envido 2", "pares: paso, envido 2", "en paso; chica: paso", ":", ""),
    "model": ("own", "each", "shared", ""),
    "offer": ("2", "5", "ordago", "órdago", "999", "1000000", "1"),
    "on_table": ("0", "2", "40", "999", "-1"),
    "agreed": ("grande:5", "chica:us", "pares:them", "grande:paso", "juego:2,chica:3", "x:1"),
    "pares": ("yes,no,?,yes", "?,?,?,?", "yes,yes", "?,?", "no,no,no,no", "yes", "1,2,3,4"),
    "juego": ("yes,no,?,yes", "?,?,?,?", "yes,yes", "no,no", "no,no,no,no", "sí,no"),
    "dead": ("R", "7654", "RRRR", "RRRRAAAA", "*"),
    "seat_range": ("2=31", "1=pares", "9=31", "2", "=31", "3=any"),
    "stones": ("15,15,15", "3,3,9", "1,1,1", "0,1,1", "5,5,5,5,5", "0,0,0", "21,21,21", "1,2"),
    "policy": (
        "none", "kings", "solo", "best", "level-2", "never-cut", "1=kings", "9=kings", "x.csv",
    ),
    "others": (
        "partner=kings", "next=never-cut,partner=none", "2=best", "9=kings", "rivals=x.csv",
        "=", "partner=", ",", "partner=/dev/zero", "friend=kings",
    ),
    "rounds": ("0", "1", "2", "until-cut", "100", "101", "-1"),
    "target_se": ("0.5", "0.1", "0", "-1", "2", "nan"),
    "format_name": ("text", "json", "csv", "tsv", "md", "html", "xlsx", "parquet", "xml"),
    "output": ("a.json", "a.csv", "a.xlsx", "a.html", "a", "a.b", "/dev/null", "no/a.csv", "/",
        "\udcff.json"),
    "checkpoint": ("run", "a.json", "/dev/zero", "/dev/null", "/", "no/run"),
    "scheduler": ("tls://127.0.0.1:1", "x", "", "inproc://x", "ucx://x", "127.0.0.1"),
    "keep": ("-", "RR", "RR7A", "C", "*"),
    "by": ("partner", "next", "previous", "rivals"),
    "system": ("classic", "federation"),
    "able": ("1,2", "1,2,3,4", "1,3", "9", "1,1", ""),
    "ranges": ("/dev/zero", "/dev/null", "no", "."),
    "name": (
        "odds", "hands", "plays", "duel", "equity", "signals", "strength", "chart", "seats",
        "strategy",
    ),
    "text": RANGES,
    "gone": ("", "RRAA", "RRRRRRRR", "77777"),
    "file": ("/dev/zero", "/dev/null", "-", "no", "."),
    "mano": ("us", "them", "both", "1", "3", "6"),
    "questions": ("/dev/zero", "/dev/null", "-", "no", ".", "/"),
    "record": ("", "x", "hands: RR7A", "\0", "grande: paso"),
    "players": ("kings", "random", "none", "best", "x.csv"),
    "records": ("a.txt", "/dev/null", "no/a.txt", "/"),
    "dpi": ("20", "19"),
    "held": HANDS,
    "other": HANDS,
    "what": ("grande", "chica", "pares", "juego", "punto", "deal", "mus"),
    "speakers": ("1,2", "2,4", "1", "1,3", "1,2,3,4", "2,1", "5,6", ","),
    "bets": ("2", "2,ordago", "ordago", "2,5,órdago", "5,2", "0", ",", "2,2"),
    "raises": ("2", "2,ordago", "ordago", "none", "-2", ","),
    "reraises": ("0", "1", "2", "99", "-1"),
    "gap": ("0.5", "0.1", "1", "0", "-1", "nan", "1e400"),
    "near_gap": ("0.5", "0.02", "0", "nan"),
    "iterations": ("1", "2", "5", "0", "-1", "1e400", "x"),
    "least": ("39", "38", "40", "-1", "x"),
    "target": ("40", "25", "30", "50", "1", "0", "1001", "-1", "9" * 5000, "x"),
    "games_to_win": ("1", "2", "3", "4", "0", "x"),
    "lines": ("grande: paso", "grande: paso, envido 2", "pares: órdago", "en paso", ":", "x", ""),
    "scores": SCORES,
    "plot": ("a.png", "a.svg", "a", "a.xyz", "/dev/null", "no/a.png", "/"),
    "npz": ("a.npz", "a", "/dev/null", "no/a.npz", "/"),
    **dict.fromkeys(("n", "deals", "games_n", "number", "seed", "workers"), NUMBERS),
    **dict.fromkeys(("partner", "next", "previous", "rivals"), (*RANGES, *HANDS)),
}  # fmt: skip

LONG = "min if none is kept"
"""What a command says that takes minutes by its nature."""

SMALL = {
    "solve": "--iterations 2",
    "simulate": "-n 100",
    "discard": "-n 256",
    "encaje": "-n 100",
    "equity": "-n 1000",
    "play": "--deals 20 --workers 1",
    "equity solve": "--least 39",
}
"""What keeps a question small that would be large by default."""

LEFT_OUT = ("publish", "page", "policy solve", "policy respond")
"""They take no more than a game, and make much of it; or have no size that takes seconds."""


def commands() -> list[tuple[str, click.Command]]:
    """Every command, those of groups too, but for what is left out."""
    found: list[tuple[str, click.Command]] = []
    for name in COMMANDS:
        command = import_module(f"musodds.cli.{name}").command
        if isinstance(command, click.Group):
            context = click.Context(command)
            for sub in command.list_commands(context):
                inner = command.get_command(context, sub)
                assert inner is not None
                found.append((f"{name} {sub}", inner))
            if not command.invoke_without_command:
                continue
        found.append((name, command))
    return [(name, command) for name, command in found if name not in LEFT_OUT]


def unknown_options() -> list[str]:
    """Options of which the grammar has no value that may be meant."""
    return [
        f"{name} {param.opts[0]}"
        for name, command in commands()
        for param in command.params
        if not (getattr(param, "is_flag", False) or isinstance(param.type, click.Choice))
        and param.name not in VALUES
    ]


def line(rng: random.Random, every: list[tuple[str, click.Command]]) -> list[str]:
    """A command line: mostly of values that may be meant, some of values that never are."""
    name, command = rng.choice(every)
    words = name.split()
    odd, often = rng.choice((0.0, 0.0, 0.05, 0.3)), rng.choice((0.03, 0.1, 0.25))
    for param in command.params:
        if isinstance(param, click.Argument):
            words += [_value(rng, param, odd) for _ in range(1 + (rng.random() < odd))]
        elif param.required or rng.random() < often:
            words.append(rng.choice(param.opts))
            if not getattr(param, "is_flag", False):
                words.append(_value(rng, param, odd))
    small = SMALL.get(name, "").split()
    # An option that says the size in another way, or with which there is none.
    sized = {"--exact"} | ({"--target-se"} if name == "encaje" else set())
    if small and not ({*_spellings(command, small[0]), *sized} & {*words}):
        words += small
    if rng.random() < odd:
        words.insert(rng.randrange(len(words) + 1), rng.choice(HOSTILE))
    return words


def _spellings(command: click.Command, option: str) -> list[str]:
    """All ways to write an option: ``-n``, ``--deals``."""
    return next((param.opts for param in command.params if option in param.opts), [option])


def _value(rng: random.Random, param: click.Parameter, odd: float) -> str:
    pool = VALUES.get(param.name or "", HOSTILE)
    if isinstance(param.type, click.Choice) and param.name not in VALUES:
        pool = tuple(map(str, param.type.choices))
    return rng.choice(HOSTILE if rng.random() < odd else pool)
