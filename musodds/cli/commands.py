"""The commands there are: ``musodds NAME`` is ``command`` in ``musodds/cli/NAME.py``.

The summaries stand here so that ``musodds --help`` need import no command.
"""

from __future__ import annotations

COMMANDS: dict[str, str] = {
    "hand": "Exact odds of a hand, phase by phase and seat by seat.",
    "read": "What the others hold, given your hand and what you know.",
    "duel": "Hands or ranges that meet: who takes each phase, how often.",
    "discard": "What to throw: every keep of a hand, and mus or cut.",
    "simulate": "Deals with mus and discards, simulated.",
    "policy": "Policies: list, show, export, solve.",
    "ranges": "The language of ranges, and the hands of a range.",
    "signals": "The signals (señas) of both systems and what they mean.",
    "table": "Whole tables: every hand and seat; CSV, HTML, LaTeX, Parquet ...",
    "plot": "Figures: strength, seats, discards, signals, stones, convergence.",
    "page": "One HTML file for a phone: a hand's odds, discards and signals.",
    "publish": "The published tables and figures, made again or checked.",
    "equity": "The chance of winning the game and the match from a score.",
    "bet": "Fold, see, raise or órdago: what each is worth at the score.",
    "solve": "The betting of a phase or a deal, solved to a measured gap.",
    "strategy": "What a solved strategy says with a hand, and the ranges it shows.",
    "thresholds": "Which hands see an órdago, phase by phase, at a score.",
    "encaje": "Encaje: who loses from given stones, when nobody bets.",
    "games": "The games there are, one line each; the rules of one.",
    "score": "The count of a deal written down, phase by phase.",
    "play": "Whole games between policies, solved strategies and chance.",
    "review": "A game written down, decision by decision: best, lost, luck.",
}

SYNONYMS: dict[str, str] = {
    **dict.fromkeys(("odds", "chance", "chances", "mano", "hands", "jugada"), "hand"),
    **dict.fromkeys(("throw", "throws", "discards", "draw", "descarte", "cut", "keep"), "discard"),
    **dict.fromkeys(("sim", "deal", "deals", "montecarlo"), "simulate"),
    **dict.fromkeys(("señas", "señales", "senas", "seña", "signs"), "signals"),
    **dict.fromkeys(("rules", "variants", "help-games", "juegos"), "games"),
    **dict.fromkeys(("solve", "export", "policies"), "policy"),
    **dict.fromkeys(("win", "match", "elo"), "equity"),
    **dict.fromkeys(("raise", "envido", "ordago", "órdago", "see"), "bet"),
    **dict.fromkeys(("count", "record", "tanteo"), "score"),
    **dict.fromkeys(("contest", "tournament", "bots", "arena"), "play"),
}
"""What people type, and the command that does it."""
