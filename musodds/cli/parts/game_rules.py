"""The rules of one game in a screenful, read out of its record."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import click

from musodds.cli.parts.output import Report, Table, page_width
from musodds.rules.cards import SUITS, Kind
from musodds.rules.game import Game
from musodds.rules.games import OPTIONS, options_for
from musodds.rules.hands import hands
from musodds.values import told

_LABEL = 9


def rules_report(game: Game) -> Report:
    """What ``musodds games NAME`` prints: a row per kind of card, and the rules."""
    rows = [
        {
            "card": kind.text,
            **told(kind, "rank", "points", "copies"),
            "stands_for": " ".join(kind.stands_for) or None,
        }
        for kind in game.deck.kinds
    ]
    head = {"game": game.name, "summary": game.summary} | dict(_rules(game))
    return Report(head, "cards", rows, lambda: _text(game), lambda: _markdown(game))


def _text(game: Game) -> str:
    lines = textwrap.wrap(f"{game.name}: {game.summary}", page_width())
    lines = [line.replace(game.name, click.style(game.name, bold=True), 1) for line in lines]
    lines += ["", *_cards(game).text().rstrip("\n").split("\n"), ""]
    for label, rule in _rules(game):
        wrapped = textwrap.wrap(rule, page_width() - _LABEL)
        lines.append(click.style(label.ljust(_LABEL), bold=True) + wrapped[0])
        lines += [" " * _LABEL + rest for rest in wrapped[1:]]
    return "\n".join(lines)


def _markdown(game: Game) -> str:
    rules = "\n".join(f"- {label}: {rule}" for label, rule in _rules(game))
    return f"**{game.name}**: {game.summary}\n\n{_cards(game).markdown()}\n\n{rules}"


def _cards(game: Game) -> Table:
    """The deck as columns: cards alike in all but suit together."""
    together: dict[str, list[Kind]] = {}
    for kind in game.deck.kinds:
        together.setdefault(kind.symbol, []).append(kind)
    rows = [
        ["copies", *(str(sum(kind.copies for kind in kinds)) for kinds in together.values())],
        [
            "points",
            *("/".join(kinds[0].stands_for) or str(kinds[0].points) for kinds in together.values()),
        ],
    ]
    return Table(["grande", *together], "l" + "r" * len(together), rows)


def _rules(game: Game) -> Iterator[tuple[str, str]]:
    """The rules, by what they are about."""
    yield "players", _players(game)
    yield "cards", _deck(game)
    yield "juego", _juego(game)
    yield "stones", _stones(game)
    if game.stones is None:
        yield "game", f"to {game.target} stones"
    else:
        fewest, most = game.stones
        yield (
            "game",
            (
                f"each starts with {fewest} to {most} stones and throws what he wins; who is left "
                "with stones loses"
            ),
        )
    special = list(_special(game))
    if special:
        yield "special", "; ".join(special)
    more = options_for(game)
    if more:
        yield "options", f"may be added with a hyphen: {', '.join(more)}"


def _players(game: Game) -> str:
    seats = f"seat 1 (mano) speaks first, seat {game.seats} (postre) deals"
    if game.side_size == 1:
        return f"{game.seats}, each for himself; {seats}"
    sides = [
        " ".join(str(s) for s in range(1, game.seats + 1) if game.side(s) == side)
        for side in range(game.sides)
    ]
    return f"{game.seats}, {' against '.join(sides)}; {seats}"


def _deck(game: Game) -> str:
    folds = [f"a {card} is {into}" for card, into in game.deck.folds.items()]
    told = [kind.text for kind in game.deck.kinds if len(kind.suits) == 1]
    if told:
        folds.append(f"suits matter: write {' '.join(told)}")
        folds.append("a hand without them is answered as the average")
    dealt = f"{game.cards_dealt} to each"
    if game.cards_dealt > 4:
        dealt += ", one thrown face down, no mus"
    return "; ".join([f"{game.deck.size}, {dealt}", *folds])


def _juego(game: Game) -> str:
    order = f"31 or more; best first {' '.join(map(str, game.juego_order))}"
    if game.real:
        order += f"; juego real, above every other 31: {', '.join(game.real)}"
    return order


def _stones(game: Game) -> str:
    all_hands = hands(game)
    of_total = dict(zip(all_hands.points.tolist(), all_hands.stones["juego"].tolist(), strict=True))
    best = game.juego_order[0]
    others = {of_total[total] for total in game.juego_order[1:] if total in of_total}
    juego = f"juego {best} {of_total[best]}, other juego {' or '.join(map(str, sorted(others)))}"
    whose = "of the winner" if game.side_size == 1 else "of every partner"
    return (
        f"when all pass: grande 1, chica 1, punto 1; pares (par 1, medias 2, duples 3) and "
        f"juego ({juego}) {whose}"
    )


def _special(game: Game) -> Iterator[str]:
    for kind in game.deck.kinds:
        if kind.stands_for:
            cards = [card for card, into in game.deck.folds.items() if into == kind.symbol]
            named = " and ".join(SUITS[card[-1]] for card in cards)
            yield (
                f"{kind.symbol} (the sotas of {named}) stands for {' or '.join(kind.stands_for)}, "
                "one choice for all phases, made from mano on when cards are shown"
            )
    for hand in game.exchange:
        yield (
            f"a player dealt {hand} shows it and takes four new cards, from mano on, once, "
            "before mus"
        )
    if game.visto:
        yield (
            "a card was seen in the deal: before mus each player may change any number of "
            "cards, none included"
        )
    if game.stones is not None:
        yield "a bet that is seen goes to the worst hand among those in it"


def option_rows() -> list[dict[str, str]]:
    """Every option, what it does and the families of games that it goes with."""
    return [
        {"option": option.name, "rules": option.summary, "families": " ".join(option.families)}
        for option in OPTIONS.values()
    ]
