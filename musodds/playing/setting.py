"""What a deal of a record begins with: what its header says, else what went before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from musodds.errors import InputError
from musodds.playing.encaje_deal import EncajeDeal
from musodds.playing.match import Match
from musodds.playing.mus_deal import Deal
from musodds.playing.record_lines import Line, RecordError
from musodds.rules.game import Game, with_target
from musodds.rules.games import get_game, unusual

AnyDeal = Deal | EncajeDeal


@dataclass(frozen=True)
class Setting:
    """What a deal begins with.

    Parameters
    ----------
    game : Game
    names : tuple of str
        The sides.
    players : tuple of str
        Their players, as they sit: the first of the first side first.
    first : int
        Which of the players is mano.
    match : Match or None
        The score, the games won; None in Encaje.
    stones : tuple of int
        Of each player, in Encaje.
    doubles : bool
        Bare reenvido doubles the bet.
    label : str
        The match, as its line ``match`` names it.
    begun : bool
        Whether a deal of the match or the game went before.
    scored : bool
        Whether the score after the deal before is known.
    """

    game: Game
    names: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    first: int = 0
    match: Match | None = None
    stones: tuple[int, ...] = ()
    doubles: bool = False
    label: str = ""
    begun: bool = False
    scored: bool = True

    @property
    def mano(self) -> int:
        """The side of mano."""
        return self.first % self.game.sides

    @property
    def seated(self) -> tuple[str, ...]:
        """The players from mano on."""
        return self.players[self.first :] + self.players[: self.first]

    def start(
        self, given: Sequence[str | Sequence[int] | None], mus: bool, before: Sequence[str]
    ) -> AnyDeal:
        """The deal before anything is said."""
        if self.match is None:
            return EncajeDeal.start(self.game, given, self.stones, self.mano, mus, before)
        held = [text if text is not None else "" for text in given]
        return replace(self.match, mano=self.mano).deal(held, mus, before)

    def following(self, deal: AnyDeal) -> Setting:
        """What the next deal begins with: the deal goes on rotating."""
        first = (self.first + 1) % self.game.seats
        if isinstance(deal, Deal):
            assert self.match is not None
            match = replace(self.match, mano=self.mano).after(deal)
            return replace(self, match=match, first=first, begun=True)
        later = [(self.first + step) % self.game.seats for step in range(1, self.game.seats + 1)]
        first = next(player for player in later if deal.stones[player])
        begun = deal.loser is None
        return replace(self, stones=deal.stones, first=first, begun=begun)

    def unscored(self) -> Setting:
        """What the next deal begins with where cards are open: who is mano, not the score."""
        return replace(self, first=(self.first + 1) % self.game.seats, begun=True, scored=False)


def default_names(game: Game) -> tuple[str, ...]:
    """The names of the sides."""
    return ("us", "them") if game.sides == 2 else tuple("ABCDEF"[: game.sides])


def _players(game: Game, names: Sequence[str]) -> tuple[str, ...]:
    """Names of the players: that of the side, with a number where it has several."""
    if game.side_size == 1:
        return tuple(names)
    return tuple(f"{names[i % game.sides]} {i // game.sides + 1}" for i in range(game.seats))


def setting_of(header: Mapping[str, Line], before: Setting) -> Setting:
    """What a deal begins with."""
    setting = _with_rules(header, before)
    setting = _with_names(header, setting)
    setting = _with_score(header, setting)
    return _with_mano(header, setting)


def _with_rules(header: Mapping[str, Line], setting: Setting) -> Setting:
    game = setting.game
    for key in ("game", "target", "games"):
        if line := header.get(key):
            try:
                game = _changed(game, line)
            except RecordError:
                raise
            except InputError as error:
                raise line.error(error) from None
    if line := header.get("reenvido"):
        if line.value.lower() not in ("doubles", "adds"):
            raise line.error(f"reenvido {line.value!r}: doubles, or adds (2, if nothing is said)")
        setting = replace(setting, doubles=line.value.lower() == "doubles")
    if game.name != setting.game.name or not setting.names:
        names = default_names(game)
        return Setting(game, names, _players(game, names), doubles=setting.doubles)
    match = replace(setting.match, game=game) if setting.match else None
    return replace(setting, game=game, match=match)


def _changed(game: Game, line: Line) -> Game:
    if line.key == "target":
        return with_target(game, target=line.number_alone())
    if line.key == "games":
        return with_target(game, games=line.number_alone())
    found = get_game(line.value)
    if found.name == game.name:
        return game
    other = unusual(game)
    return with_target(found, other.get("target"), other.get("games_to_win"))


def _with_names(header: Mapping[str, Line], setting: Setting) -> Setting:
    game = setting.game
    if line := header.get("sides"):
        names = line.words()
        if len(names) != game.sides or len(set(names)) != len(names):
            raise line.error(f"{line.value!r}: {game.sides} different names, one a side")
        setting = replace(setting, names=names, players=_players(game, names))
    if line := header.get("players"):
        names = line.words()
        if len(names) != game.seats or len(set(names)) != len(names):
            raise line.error(
                f"{line.value!r}: {game.seats} different names as they sit, the first of "
                f"{setting.names[0]} first"
            )
        setting = replace(setting, players=names)
    return setting


def _with_score(header: Mapping[str, Line], setting: Setting) -> Setting:
    game, match = setting.game, setting.match
    if not setting.scored and not {"score", "match", "stones"} & header.keys():
        raise next(iter(header.values())).error(
            "the deal before has cards that are not known: write the score after it"
        )
    setting = replace(setting, scored=True)
    if line := header.get("stones"):
        # Stones said again are those of the game that goes on, with its mano.
        first = setting.first if setting.begun else 0
        return replace(setting, match=None, stones=line.numbers(), first=first)
    if setting.stones and not {"score", "match", "won"} & header.keys():
        return setting
    line = header.get("match")
    label = line.value if line else setting.label
    over = match is not None and match.winner is not None
    if match is None or label != setting.label or (over and "score" in header):
        match = Match(game)
        setting = replace(setting, first=0, label=label, stones=())
    if line := header.get("won"):
        won = line.numbers()
        if len(won) != game.sides or max(won) >= game.games:
            raise line.error(
                f"{line.value!r}: the games won by either side, 0 to {game.games - 1} in a match "
                f"to {game.games}"
            )
        match = replace(match, games=won)
    if line := header.get("score"):
        match = replace(match, score=line.numbers())
    return replace(setting, match=match, label=label)


def _with_mano(header: Mapping[str, Line], setting: Setting) -> Setting:
    seats, sides = setting.game.seats, setting.game.sides
    first = setting.first
    if line := header.get("mano"):
        first = _named(line, setting, line.value, first)
    if line := header.get("dealer"):
        # The dealer is postre: mano sits next.
        dealer = (_named(line, setting, line.value, (first - 1) % seats) + 1) % seats
        if "mano" in header and dealer % sides != first % sides:
            raise line.error(f"where {line.value} deals {header['mano'].value} is not mano")
        first = dealer
    if setting.match is None and len(setting.stones) == seats and any(setting.stones):
        while "mano" not in header and not setting.stones[first]:
            first = (first + 1) % seats
    return replace(setting, first=first)


def _named(line: Line, setting: Setting, name: str, near: int) -> int:
    """The player of that name; for a side, the one at ``near`` or the next of it."""
    if name in setting.players:
        return setting.players.index(name)
    if name not in setting.names:
        raise line.error(f"no side {name!r}: sides are {' and '.join(setting.names)}")
    side, sides = setting.names.index(name), setting.game.sides
    return (near + (side - near) % sides) % setting.game.seats
