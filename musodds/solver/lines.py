"""Find a point of the public tree by what was said, written as records write it.

``grande: paso, envido 2; chica: en paso``: a phase, a colon, the words. Phases are
separated by semicolons or line breaks. Who takes part in pares and juego follows from
the words (both sides, where somebody bets; ``punto:`` means that nobody has juego) or is
said: ``pares: both``, ``first`` (mano's side alone), ``second``, ``neither``.
"""

from __future__ import annotations

from collections.abc import Iterable

from musodds.errors import InputError
from musodds.playing.actions import PASO, read_action
from musodds.rules.game import PHASES
from musodds.solver.tree import CHANCE, FIRST, LEAF, PATTERNS, SECOND, Tree

_ALL_PASS = "en paso"


def follow(tree: Tree, line: str | Iterable[str]) -> int:
    """The decision after a line.

    Raises
    ------
    InputError
        If the line cannot be read, leaves the tree, or ends where nobody decides.
    """
    text = line if isinstance(line, str) else ";".join(line)
    node = 0
    for piece in filter(None, map(str.strip, text.replace("\n", ";").split(";"))):
        node = _phase(tree, node, piece)
    if tree.kind[node] == CHANCE:
        options = tree.options(node)
        node = options["both"]
        if tree.kind[node] == LEAF:
            raise InputError(f"line {text!r}: nothing is decided there")
    if tree.kind[node] not in (FIRST, SECOND):
        raise InputError(f"line {text!r}: nothing is decided after it, the deal is at its end")
    return node


def _phase(tree: Tree, node: int, piece: str) -> int:
    name, colon, said = piece.partition(":")
    name = name.strip().lower()
    if not colon:
        name, said = tree.phase[node], piece
    if name not in PHASES:
        raise InputError(f"line {piece!r}: begins with {', '.join(PHASES)} and a colon")
    words = [word.strip() for word in said.split(",") if word.strip()]
    if tree.kind[node] == CHANCE:
        node = _declared(tree, node, name, words)
    if tree.kind[node] == LEAF or (words and tree.phase[node] != name):
        raise InputError(
            f"line {piece!r}: here it is {tree.phase[node] or 'the showdown'}, not {name}"
        )
    for word in words:
        node = _say(tree, node, word, name)
    return node


def _declared(tree: Tree, node: int, name: str, words: list[str]) -> int:
    options = tree.options(node)
    if words and words[0].lower() in PATTERNS:
        pattern = words.pop(0).lower()
    else:
        pattern = "neither" if name == "punto" else "both"
    if pattern not in options and "one" in options:
        pattern = "one"
    if tree.phase[node] != ("juego" if name == "punto" else name):
        raise InputError(f"{name}: here it is said who has {tree.phase[node]}")
    return options[pattern]


def _say(tree: Tree, node: int, word: str, phase: str) -> int:
    if word.lower() == _ALL_PASS:
        return _say(tree, _say(tree, node, PASO, phase), PASO, phase)
    options = tree.options(node)
    if tree.kind[node] not in (FIRST, SECOND) or tree.phase[node] != phase:
        raise InputError(f"{word!r}: {phase} is over")
    text = read_action(word).text
    if text not in options:
        raise InputError(f"{word!r} is not on offer there: {', '.join(options)}")
    return options[text]


def two_voices(said: list[tuple[int, str]], now: bool, side: int) -> list[str]:
    """What was said in a phase as if each side had one voice.

    Examples
    --------
    >>> two_voices([(1, "paso"), (2, "paso"), (3, "envido 2")], True, 1)
    ['envido 2']
    >>> two_voices([(1, "paso"), (2, "envido 2")], True, 0), two_voices([(1, "paso")], True, 1)
    (['paso', 'envido 2'], ['paso'])
    """
    bet = next((place for place, (_, text) in enumerate(said) if text != PASO), None)
    if bet is None:
        if now:
            return [PASO] * side
        return [PASO, PASO] if said else []
    begins = (said[bet][0] - 1) % 2
    return [PASO] * begins + [text for _, text in said[bet:]]
